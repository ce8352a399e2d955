//! N02xx and K08xx: what is found by comparing declarations with each other, in
//! a file and across the files of a project.

use super::{Code, Level};

codes! {
    K0820 Warning "an agent's name that leads to agents of several files"
    K0821 Warning "a file's name that leads to agents of several files"
    K0822 Error "two webhooks with one path"
    K0823 Error "a tool with the name of a built-in function"
    K0824 Error "two tools of one name"
    K0825 Error "a misspelt folder of policies"
    K0826 Warning "a folder of policies that nothing reads"
    K0827 Hint "a route on which no policy permits to answer"
    N0201 Error "a second declaration of a name"
    N0250 Warning "two blocks of one kind and name"
    N0290 Warning "an allow comment that allows nothing"
    N0291 Warning "an allow comment with a code that does not exist"
    N0292 Warning "an allow comment for an error"
}

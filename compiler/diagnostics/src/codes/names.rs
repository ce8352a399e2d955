//! N02xx: names in bodies.

use super::{Code, Level};

codes! {
    N0202 Warning "a name that nothing declares"
    N0203 Warning "a call of something that nothing declares"
    N0204 Warning "a name that is read before it has a value"
    N0205 Warning "a lambda that assigns to a name outside it"
    N0206 Error "two parameters or fields of one name"
    N0207 Error "an argument that is given twice"
    N0208 Error "a key with two different values"
    N0209 Warning "a key that is written twice"
    N0210 Warning "a field that a value does not have"
    N0211 Warning "a method that a value does not have"
    N0212 Warning "a `break` or `continue` outside a loop"
    N0213 Warning "a change that is lost"
    N0240 Hint "a variable that is never read"
    N0241 Hint "a parameter that is never read"
    N0242 Hint "a name that hides another one"
    N0243 Hint "a function that is never called"
}

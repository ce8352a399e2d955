//! Compiled programs in bundles (I0930 to I0935). What a container of files is
//! has the codes before them.

use super::{Code, Level};

codes! {
    I0930 Error "a bundle without a program"
    I0931 Error "a program of an unknown version"
    I0932 Error "a program that cannot be read"
    I0933 Error "a file of a program that is missing"
    I0934 Error "a file that is not the one a program was checked with"
    I0935 Error "a file that no program names"
}

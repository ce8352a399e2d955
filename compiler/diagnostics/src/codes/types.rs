//! T03xx: types, arms and paths through bodies.

use super::{Code, Level};

codes! {
    T0301 Error "a value of another type"
    T0302 Error "a returned value of another type"
    T0303 Error "an argument of another type"
    T0304 Error "a field with a value of another type"
    T0305 Error "an operator between values that it does not join"
    T0306 Error "a condition that is neither true nor false"
    T0307 Error "too many or too few arguments"
    T0308 Error "an argument with a name that is not known"
    T0309 Error "a field or method that a type does not have"
    T0310 Error "a value without a field of its type"
    T0311 Error "a call of something that is no function"
    T0312 Error "an index that does not fit"
    T0313 Error "a loop over something that has no elements"
    T0314 Error "a pattern of another type"
    T0315 Error "a type that stands for itself"
    T0316 Error "too many type arguments"
    T0317 Error "a function that never gives its result"
    T0318 Error "a pattern that the language does not have"
    T0319 Error "a value that a tool does not take"
    T0320 Warning "a type that nothing declares"
    T0321 Warning "a kind of error that nothing declares"
    T0322 Warning "a secret where none is declared"
    T0323 Warning "a comparison that always raises"
    T0330 Warning "a `match` that leaves values out"
    T0331 Warning "an arm that is never taken"
    T0332 Warning "a branch without a value"
    T0333 Warning "a path that gives no result"
    T0334 Warning "code that never runs"
}

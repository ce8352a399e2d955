//! The standard library: what the declarations in `stdlib/` are done by.

use crate::meter::Meter;
use crate::raise::Failure;
use crate::value::Value;

/// What a function of the library may use.
pub struct Cx<'m> {
    /// Steps and memory: each function asks for what it takes before it changes
    /// anything, because the machine may do the whole step once more.
    pub meter: &'m mut Meter,
}

/// What a function of the library gives.
pub type Given = Result<Value, Failure>;

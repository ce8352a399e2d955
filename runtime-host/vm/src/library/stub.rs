//! Stands for what is still to be written.
use super::{Cx, Given, Native};
use crate::raise::{Failure, Raise, kinds};
use crate::value::Value;

/// Calls.
pub fn call(_: Native, _: &mut Cx<'_>, _: &mut [Value]) -> Given {
    Err(Raise::new(kinds::NO_PROVIDER, "not yet").into())
}

/// In the middle.
#[derive(Clone, Debug)]
pub struct Each {
    /// Which.
    pub native: Native,
    /// Where.
    pub at: usize,
    /// What.
    pub values: Vec<Value>,
}

/// What next.
pub enum Next {
    /// Call.
    Call {
        /// What.
        function: Value,
        /// With what.
        args: Vec<Value>,
    },
    /// Done.
    Done(Value),
}

impl Each {
    /// Whether.
    pub fn calls_back(_: Native) -> bool {
        false
    }
    /// Begin.
    pub fn begin(_: Native, _: &mut Cx<'_>, _: &mut [Value]) -> Result<(Each, Next), Failure> {
        Err(Raise::new(kinds::NO_PROVIDER, "not yet").into())
    }
    /// Resume.
    pub fn resume(&mut self, _: &mut Cx<'_>, _: Value) -> Result<Next, Failure> {
        Err(Raise::new(kinds::NO_PROVIDER, "not yet").into())
    }
}

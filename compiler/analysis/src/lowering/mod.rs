//! From the tree to the checked program ([`symbi_ir`]): one item at a time,
//! without knowing where it stands, so that what did not change is not lowered
//! again.

mod agents;
mod branches;
mod code;
mod cx;
mod functions;
mod item;
mod module;
mod program;
mod types;

pub(crate) use item::{Lowered, lower};
pub(crate) use module::{File, module};
pub use program::program;
pub(crate) use types::lower as lower_type;

//! From the tree to the checked program ([`symbi_ir`]): one item at a time,
//! without knowing where it stands, so that what did not change is not lowered
//! again.

mod agents;
mod attributes;
mod branches;
mod channels;
mod code;
mod constants;
mod cx;
mod functions;
mod implicit;
mod inputs;
mod item;
mod memories;
mod metadata;
mod module;
mod named;
mod policies;
mod program;
mod schedules;
mod secrets;
mod types;
mod webhooks;

pub(crate) use item::{Lowered, lower};
pub(crate) use module::{File, module};
pub use program::program;
pub(crate) use types::lower as lower_type;

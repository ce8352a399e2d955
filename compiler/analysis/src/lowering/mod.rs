//! From the tree to the checked program ([`symbi_ir`]): one item at a time,
//! without knowing where it stands, so that what did not change is not lowered
//! again.

mod branches;
mod code;
mod cx;
mod functions;
mod item;
mod types;

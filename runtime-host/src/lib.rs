//! Runs what was checked.

pub mod gate;
pub mod obligations;

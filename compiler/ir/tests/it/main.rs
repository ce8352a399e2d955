//! The tests of the crate, in one binary.

mod forms;
mod hostile;
mod text;

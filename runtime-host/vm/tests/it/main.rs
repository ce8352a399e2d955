//! The tests of the crate, in one binary.

mod smoke;
mod support;
mod table;

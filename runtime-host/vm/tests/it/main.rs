//! The tests of the crate, in one binary.

mod fast;
mod naive;
mod random;
mod smoke;
mod suites;
mod support;
mod table;

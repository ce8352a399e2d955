//! The tests of the crate, in one binary.

mod examples;
mod fast;
mod naive;
mod random;
mod suites;
mod support;
mod table;

//! The tests of the crate, in one binary.

mod files;
mod pages;
mod programs;

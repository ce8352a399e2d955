//! The tests of the crate, in one binary.

mod cases;
mod contract;
mod counts;
mod decisions;
mod fuzz;
mod incremental;
mod keys;
mod lowering;
mod pages;
mod privileges;
mod real;
mod reference;
mod routes;
mod stdlib;
mod suites;
mod support;

//! Tests of the syntax crate, by behaviour. Sources and expectations are data
//! where that is possible: `tests/cases` at the root of the repository, and
//! `tests/data` and `tests/snapshots` here.

mod bounds;
mod cases;
mod examples;
mod format;
mod fuzz;
mod lines;
mod pages;
mod peer;
mod recovery;
mod snapshots;
mod support;
mod tiling;
mod views;

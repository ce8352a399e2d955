//! Tests of the small languages, by behaviour. What can be a table is one, in
//! `tests/data`.

mod agreement;
mod bounds;
mod croner;
mod firings;
mod paths;
mod tables;
mod total;

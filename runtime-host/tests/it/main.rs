//! The host, tested through what it offers to others.
#![allow(
    clippy::unwrap_used,
    reason = "what a test is made of is there, and whoever reads a failure wants its line"
)]

mod embed;
mod entry_points;
mod gate;
mod kill;
mod runs;
mod secrets;
mod support;

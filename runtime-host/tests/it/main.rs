//! The host, tested through what it offers to others.

mod entry_points;
mod gate;
mod kill;
mod runs;
mod secrets;
mod support;

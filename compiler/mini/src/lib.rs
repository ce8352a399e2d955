//! The small languages inside values of the Symbi language, with what they
//! mean: durations, sizes, rates, cron schedules, single times, lists of tools,
//! hosts, JSON paths, and names of time zones.
//!
//! In: the text of one value. Out: the value, or a [`MiniError`] with the
//! wrong part of the text, in words for the person who wrote it. Each language
//! is one module with a function `parse`. No text makes any of them panic, and
//! none takes more than linear time; a text over [`MAX_BYTES`] is refused
//! before it is read.
//!
//! Checker and host both use this crate, so it knows neither: no syntax tree,
//! no diagnostics, no files, no clock. "Now" is always an argument. The rules
//! of time zones are built in ([`zone`]).
//!
//! Begin reading at [`duration`], the smallest, then [`cron`]. `grammar.rs`
//! says how the parser library is used, and why messages are not left to it.

mod error;
mod grammar;
mod number;

pub mod cron;
pub mod duration;
#[doc(hidden)]
pub mod fuzzing;
pub mod host_port;
pub mod json_path;
pub mod moment;
pub mod rate;
pub mod size;
pub mod tool_pattern;
pub mod zone;

pub use error::{MiniError, Reading, quote};
pub use grammar::MAX_BYTES;
pub use jiff;

//! One renderer a format. Each is a plain function from a file and a
//! diagnostic to text; [`json`] has a report to be filled file by file.
//!
//! All of them take lines and columns from [`crate::LineTable`] alone, so a
//! place is the same in every format.

mod excerpt;
mod human;
pub mod json;
mod short;
mod text;

pub use human::{Style, human};
pub use json::JsonReport;
pub use short::short;
pub use text::one_line;

//! What stands beside the sources of a project: `symbiont.toml`, the manifests
//! of its tools (`tools/*.clad.toml`) and its custom types (`toolclad.toml`).
//!
//! In: the text of such a file. Out: [`Parsed`] data with the place of each
//! value, and the reports about it, whose spans are bytes of that text. A file
//! that cannot be read is never taken for an empty one: it has an error.
//!
//! This crate must never know sources, the database, or how files are found
//! and read. Begin reading at [`ProjectFile`] and [`Manifest`]; `document.rs`
//! turns TOML into a tree, `reader.rs` takes typed values from it,
//! `manifest/keys.rs` lists what a manifest may say.

mod custom_types;
mod document;
mod inner;
pub mod manifest;
mod nearest;
mod pattern;
mod project_file;
mod reader;
#[cfg(test)]
mod schema;
mod tier;
pub mod value;
mod waiver;
mod words;

use symbi_diagnostics::{Diagnostic, Span};

pub use custom_types::{CustomType, CustomTypes};
pub use manifest::{Argument, ArgumentType, DefaultValue, Manifest};
pub use pattern::{Pattern, PatternProblem};
pub use project_file::{Check, CodeLevel, Policy, ProjectFile, Sandbox};
pub use tier::Tier;
pub use value::{Given, Rules, Taken, ValueProblem, check_value};
pub use waiver::Waiver;

/// The size in bytes up to which a file is read: 1 MiB. A longer one is an
/// error.
pub const MAX_SIZE: usize = 1 << 20;

/// How deep values may stand in each other.
pub const MAX_DEPTH: u32 = 64;

/// What a file says, and what there is to say about it.
#[derive(Clone, Debug, PartialEq)]
pub struct Parsed<T> {
    /// All that could be read, even where there are errors. Do not use it to
    /// decide what is allowed when [`Parsed::has_errors`]: a floor may be
    /// missing from it.
    pub data: T,
    /// In the order of their places.
    pub diagnostics: Vec<Diagnostic>,
}

impl<T> Parsed<T> {
    /// Whether the file cannot be relied on.
    pub fn has_errors(&self) -> bool {
        self.diagnostics.iter().any(Diagnostic::is_error)
    }
}

/// A value and its place in the file, quotes included.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Spanned<T> {
    /// What was written.
    pub value: T,
    /// Where.
    pub at: Span,
}

/// A value that holds although it may not be written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Setting<T> {
    /// What holds.
    pub value: T,
    /// Where it is written; `None` for a default.
    pub at: Option<Span>,
}

impl<T> Setting<T> {
    /// What is written, or else the default.
    fn or(given: Option<Spanned<T>>, default: T) -> Self {
        match given {
            Some(Spanned { value, at }) => Self {
                value,
                at: Some(at),
            },
            None => Self {
                value: default,
                at: None,
            },
        }
    }
}

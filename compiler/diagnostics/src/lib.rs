//! What the toolchain says to people: one data type for every diagnostic, the
//! registry that gives each kind a stable code and a page, and one renderer a
//! format.
//!
//! In: [`Diagnostic`]s from the parser and the checker. Out: text for a
//! terminal ([`render::human`]), one line ([`render::short`]), JSON
//! ([`render::json`]), and what CI services read: SARIF, GitHub's commands,
//! GitLab's code quality and JUnit's XML.
//!
//! This crate must never know how anything is parsed. Begin reading at
//! [`Diagnostic`], then `codes/`.

mod codes;
mod diagnostic;
mod files;
pub mod render;

pub use codes::{Code, Level, all, find};
pub use codes::{
    across, blocks, bundles, format, names, policies, programs, project, references, routes,
    sandboxes, schedules, syntax, types,
};
pub use diagnostic::{Applicability, Diagnostic, Edit, Fix, Label, Span};
pub use files::{LineColumn, LineTable, SourceFile};

//! Our front end and the peer's in one process: what both read, how long each
//! takes, what becomes of comments; our decisions beside Cedar's, and small programs beside
//! rhai.
//!
//! In: texts, and the rules and questions of `symbi-bench`. Out: data for
//! `symbi-bench report`, and answers for the tests of this workspace. The peer
//! is the crate `symbi-dsl` 3.0.0, whose library is named `dsl`: a tree-sitter
//! grammar with a formatter. Begin reading at [`measure`], and for decisions at
//! [`decide`].

pub mod cedar;
pub mod common;
pub mod decide;
#[path = "../../src/decisions.rs"]
pub mod decisions;
pub mod measure;
pub mod ours;
pub mod peer;
pub mod programs;

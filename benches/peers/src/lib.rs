//! Our front end and the peer's in one process: what both read, how long each
//! takes, what becomes of comments.
//!
//! In: texts. Out: data for `symbi-bench report`, and answers for the tests of
//! this workspace. The peer is the crate `symbi-dsl` 3.0.0, whose library is
//! named `dsl`: a tree-sitter grammar with a formatter. Begin reading at
//! [`measure`].

pub mod common;
pub mod measure;
pub mod ours;
pub mod peer;

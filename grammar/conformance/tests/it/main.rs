//! Tests of the crate's own parts, and of the corpus.

mod corpus;
mod notation;
mod programs;
mod tree_sitter;

//! Text to tree: the lexer, the resilient parser and the flat lossless tree of
//! the Symbi language.
//!
//! In: the bytes of one file. Out: a [`File`], which always has a tree, and
//! the reports about it. Nothing here knows other files, names across files,
//! salsa, I/O or editors. Begin reading at [`File::parse`], then `kind`,
//! `lexer`, `brackets`, `tree` and `parser`.

mod anchors;
pub mod ast;
mod brackets;
mod decode;
pub mod format;
#[doc(hidden)]
pub mod fuzzing;
mod kind;
mod lexer;
pub mod literal;
mod outline;
mod parser;
mod place;
mod tokens;
mod tree;
mod words;

pub use decode::{Decoded, MAX_FILE_BYTES, decode, is_symbi_file};
pub use kind::SyntaxKind;
pub use outline::OutlineEntry;
pub use parser::ParseOptions;
pub use place::Place;
pub use tree::{File, Item, NodeRef, PlacedItem, WalkEvent, token_spans};

use std::sync::Arc;
use symbi_diagnostics::Span;

impl File {
    /// Parses a text.
    pub fn parse(text: impl Into<Arc<str>>) -> File {
        parser::parse(text.into(), ParseOptions::default())
    }

    /// Parses a text with options.
    pub fn parse_with(text: impl Into<Arc<str>>, options: ParseOptions) -> File {
        parser::parse(text.into(), options)
    }

    /// Parses what [`decode`] gave; bytes that were no UTF-8 are reported once.
    pub fn parse_decoded(decoded: Decoded) -> File {
        let mut file = File::parse(decoded.text);
        decode::report_invalid(&mut file, &decoded.invalid);
        file
    }
}

/// All tokens of a text, trivia included: they tile it.
pub fn lex(text: &str) -> Vec<(SyntaxKind, Span)> {
    lexer::Lexer::new(text, 0)
        .map(|(kind, start, end)| (kind, Span::new(start, end)))
        .collect()
}

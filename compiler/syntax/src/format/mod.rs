//! The formatter: four spaces, 100 columns, the canonical signs of
//! language.md section 2. It moves white space, and adds or leaves out
//! separators that say nothing; it changes nothing else.
//!
//! In: a file without syntax errors. Out: its text laid out anew, which has
//! been parsed again and compared with what it was made from: the same tokens
//! in the same tree, each comment between the same two tokens. Where that
//! fails nothing is given out ([`FormatError::Changed`]).
//!
//! Begin reading at [`format`]. For each item `rules` fills a `layout` (which
//! gaps may become line breaks, in which groups), `measure` tells how wide
//! everything is, `print` writes it; `verify` compares. Every part is one pass
//! over the tokens or nodes, whatever the nesting.

mod blocks;
mod chains;
mod edits;
mod layout;
mod lists;
mod measure;
mod print;
mod rules;
mod verify;

use std::sync::Arc;

use symbi_diagnostics::Span;

use self::layout::{Layout, Room};
use self::measure::{Gaps, Measure};
use self::print::Printer;
use self::verify::Side;
use crate::kind::SyntaxKind as K;
use crate::lexer::Lexer;
use crate::parser;
use crate::tokens::{Comment, Tokens, tokens_and_comments};
use crate::tree::File;

pub use self::edits::{edits, range_edits};

/// How wide a line may be, in columns, where it can be broken.
pub const WIDTH: u32 = 100;
/// How many spaces one step further in is.
pub const INDENT: u32 = 4;

/// Why a file is not formatted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FormatError {
    /// It has syntax errors: what it means is not known.
    #[error("the file has syntax errors")]
    Errors,
    /// The formatted text would not mean the same: a fault of the formatter.
    #[error("the formatted text would differ in more than its layout")]
    Changed {
        /// Where, in the text that was given.
        at: Span,
    },
}

/// Formats a file.
///
/// # Errors
/// [`FormatError::Errors`] for a file with syntax errors, and
/// [`FormatError::Changed`] for what should never happen.
pub fn format(file: &File) -> Result<String, FormatError> {
    if file.has_errors() {
        return Err(FormatError::Errors);
    }
    let (tokens, comments) = lex(file.text());
    format_parsed(file, &tokens, &comments)
}

/// Parses and formats a text.
///
/// # Errors
/// As [`format`].
pub fn format_text(text: impl Into<Arc<str>>) -> Result<String, FormatError> {
    let text = text.into();
    let (tokens, comments) = lex(&text);
    let file = parser::parse_tokens(text, &tokens, parser::ParseOptions::default());
    if file.has_errors() {
        return Err(FormatError::Errors);
    }
    format_parsed(&file, &tokens, &comments)
}

/// Steps that laying out a file takes beyond one a node and token; counted in
/// debug builds.
#[doc(hidden)]
pub fn work(file: &File) -> u64 {
    let (tokens, comments) = lex(file.text());
    lay_out(file, &tokens, &comments).1
}

fn lex(text: &str) -> (Tokens, Vec<Comment>) {
    let mut comments = Vec::new();
    let tokens = tokens_and_comments(text, |comment| comments.push(comment));
    (tokens, comments)
}

fn format_parsed(
    file: &File,
    tokens: &Tokens,
    comments: &[Comment],
) -> Result<String, FormatError> {
    let (out, _) = lay_out(file, tokens, comments);
    let (new_tokens, new_comments) = lex(&out);
    let new_file = parser::parse_tokens(Arc::from(&*out), &new_tokens, file.options);
    let old = Side::new(file, tokens, comments);
    let new = Side::new(&new_file, &new_tokens, &new_comments);
    match verify::first_difference(&old, &new) {
        Some(at) => Err(FormatError::Changed { at }),
        None => Ok(out),
    }
}

/// Prints a file without errors by the rules. Also the steps it took.
fn lay_out(file: &File, tokens: &Tokens, comments: &[Comment]) -> (String, u64) {
    let text: &str = file.text();
    let toks = &tokens.all;
    let mark = if text.starts_with('\u{feff}') { 3 } else { 0 };
    let mut printer = Printer::new(text, mark, line_end(text));
    let mut room = Room::default();
    let mut gaps = Gaps::default();
    let mut measure = Measure::default();
    let gap_before = |base: u32| {
        move |token: u32| {
            let token = (base + token) as usize;
            let start = match token.checked_sub(1) {
                Some(before) => toks[before].end,
                None => mark,
            };
            let end = toks.get(token).map_or(text.len(), |tok| tok.start as usize);
            start as usize..end
        }
    };
    let mut work = 0;
    let mut base = 0u32;
    let mut left = comments;
    for placed in file.items() {
        let count = placed.item.token_count();
        let (here, later) =
            left.split_at(left.partition_point(|comment| comment.token < base + count));
        left = later;
        gaps.collect(text, here, base, gap_before(base));
        let item_toks = &toks[base as usize..(base + count) as usize];
        let mut layout = Layout::new(&placed.item, item_toks, base, here, room);
        layout.decide();
        measure.item(text, &layout, &gaps);
        printer.item(&layout, &measure, &gaps);
        work += layout.work.get();
        room = layout.into_room();
        base += count;
    }
    gaps.collect(text, left, base, gap_before(base));
    printer.finish(&gaps);
    if mark > 0 {
        printer.out.insert(0, '\u{feff}');
    }
    (printer.out, work)
}

/// The first line end outside texts and comments, for those keep theirs; if
/// there is none, the first at all.
fn line_end(text: &str) -> &'static str {
    let found = Lexer::new(text, 0)
        .filter(|(kind, ..)| *kind == K::Whitespace)
        .find_map(|(_, start, end)| first_line_end(&text[start as usize..end as usize]));
    found.or_else(|| first_line_end(text)).unwrap_or("\n")
}

fn first_line_end(text: &str) -> Option<&'static str> {
    let at = text.find(['\n', '\r'])?;
    Some(match &text.as_bytes()[at..] {
        [b'\n', ..] => "\n",
        [_, b'\n', ..] => "\r\n",
        _ => "\r",
    })
}

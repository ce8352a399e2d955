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

use symbi_diagnostics::Span;

use self::layout::{Layout, Room};
use self::measure::{Gaps, Measure};
use self::print::Printer;
use crate::kind::SyntaxKind as K;
use crate::lexer::Lexer;
use crate::parser::{ItemSize, ParseOptions, parse_nodes};
use crate::tokens::{Comment, Tokens, tokens_and_comments};
use crate::tree::{File, Node};

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
    // Errors of its bytes are none of its text's.
    if file.has_errors() {
        return Err(FormatError::Errors);
    }
    Source::read(file.text(), file.options).formatted()
}

/// Formats a text.
///
/// # Errors
/// As [`format`].
pub fn format_text(text: &str) -> Result<String, FormatError> {
    Source::read(text, ParseOptions::default()).formatted()
}

/// Steps that laying out a file takes beyond one a node and token; counted in
/// debug builds.
#[doc(hidden)]
pub fn work(file: &File) -> u64 {
    Source::read(file.text(), file.options).lay_out().1
}

/// A text, as far as it must be known to be formatted and compared: its nodes
/// are those of its [`File`], without a copy of what they stand over.
struct Source<'t> {
    text: &'t str,
    options: ParseOptions,
    tokens: Tokens,
    comments: Vec<Comment>,
    items: Vec<ItemSize>,
    /// Those of one item after the other.
    nodes: Vec<Node>,
    /// There is a syntax error.
    errors: bool,
}

impl<'t> Source<'t> {
    fn read(text: &'t str, options: ParseOptions) -> Self {
        let mut comments = Vec::new();
        let tokens = tokens_and_comments(text, |comment| comments.push(comment));
        let mut items = Vec::new();
        // Agents have about five nodes for four tokens.
        let mut nodes = Vec::with_capacity(tokens.all.len() * 5 / 4 + 8);
        let errors = parse_nodes(text, &tokens, options, |size, of_item| {
            items.push(size);
            nodes.extend_from_slice(of_item);
        });
        Self {
            text,
            options,
            tokens,
            comments,
            items,
            nodes,
            errors,
        }
    }

    fn formatted(&self) -> Result<String, FormatError> {
        if self.errors {
            return Err(FormatError::Errors);
        }
        let (out, _) = self.lay_out();
        match verify::first_difference(self, &out) {
            Some(at) => Err(FormatError::Changed { at }),
            None => Ok(out),
        }
    }

    /// Prints the text by the rules; it must have no errors. Also the steps
    /// it took.
    fn lay_out(&self) -> (String, u64) {
        let text = self.text;
        let toks = &self.tokens.all;
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
        let mut comments = &*self.comments;
        let mut nodes = &*self.nodes;
        for item in &self.items {
            let end = base + item.tokens;
            let (here, later) =
                comments.split_at(comments.partition_point(|comment| comment.token < end));
            comments = later;
            let (item_nodes, later) = nodes.split_at(item.nodes as usize);
            nodes = later;
            gaps.collect(text, here, base, gap_before(base));
            let item_toks = &toks[base as usize..end as usize];
            let mut layout = Layout::new(text, item_nodes, item_toks, base, here, room);
            layout.decide();
            measure.item(text, &layout, &gaps);
            printer.item(&layout, &measure, &gaps);
            work += layout.work.get();
            room = layout.into_room();
            base = end;
        }
        gaps.collect(text, comments, base, gap_before(base));
        printer.finish(&gaps);
        if mark > 0 {
            printer.out.insert(0, '\u{feff}');
        }
        (printer.out, work)
    }
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

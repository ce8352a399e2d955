//! The parser: hand-written, resilient, linear.
//!
//! It reads tokens whose brackets are already paired, so every bracketed
//! region has a known end that nothing inside it can run over: an error in a
//! block stays in that block. It never fails: what it cannot read becomes an
//! `Error` node and one report, whose place is told by token.
//!
//! `core` has the moves, `items` what may stand at top level, in an agent,
//! and `entries`, `with`, `policy`, `statements`, `expressions`, `literals`,
//! `patterns`, `types` the parts; `recovery` decides where to go on after an
//! error.

mod core;
mod describe;
mod entries;
mod expressions;
mod foreign;
mod foreign_items;
mod headers;
mod items;
mod literals;
mod operators;
mod patterns;
mod policy;
mod primary;
mod recovery;
mod statements;
mod types;
mod unclosed;
mod with;

use std::sync::Arc;

use symbi_diagnostics::{Diagnostic, Span, syntax as codes};

use self::core::Parser;
use crate::kind::SyntaxKind as K;
use crate::tokens::{Tok, Tokens, tokens};
use crate::tree::{File, ITEM_LIMIT, Item, Node, PlacedItem, Token};

/// What may be written in the text at hand.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ParseOptions {
    /// `extern` declarations are allowed: the standard library.
    pub stdlib: bool,
}

/// Parses a text.
pub(crate) fn parse(text: Arc<str>, options: ParseOptions) -> File {
    let tokens = tokens(&text);
    parse_tokens(text, &tokens, options)
}

/// Parses a text whose tokens are known.
pub(crate) fn parse_tokens(text: Arc<str>, tokens: &Tokens, options: ParseOptions) -> File {
    let mut items = Vec::new();
    // Room for the texts of one item after the other.
    let mut own = Vec::new();
    let mut parser = Parser::new(&text, &tokens.all, options);
    parser.comment_open = tokens.open_comment.is_some();
    parser.wrong_tokens = tokens.wrong;
    while !parser.at_file_end() {
        parser.start_item();
        parser.top_level_item();
        finish_item(&mut parser, &mut items, &mut own);
    }
    let mut problems = Vec::new();
    if let Some(start) = tokens.open_comment {
        problems.push(
            Diagnostic::new(
                &codes::S0104,
                Span::new(start, start + 2),
                "this block comment is never closed",
            )
            .label("everything after this is a comment")
            .help("write `*/` where the comment should end; comments may nest, so each `/*` needs its own"),
        );
    }
    let work = tokens.work + parser.work();
    File {
        text,
        items,
        problems,
        options,
        work,
    }
}

/// How many tokens and nodes an item has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ItemSize {
    pub(crate) tokens: u32,
    pub(crate) nodes: u32,
}

/// Parses a text whose tokens are known, and hands over the nodes of each
/// item: what the formatter asks for, and compares its own output by. Whether
/// there is a report that is an error.
pub(crate) fn parse_nodes(
    text: &str,
    tokens: &Tokens,
    options: ParseOptions,
    mut item: impl FnMut(ItemSize, &[Node]),
) -> bool {
    let mut errors = tokens.open_comment.is_some();
    let mut parser = Parser::new(text, &tokens.all, options);
    parser.comment_open = errors;
    parser.wrong_tokens = tokens.wrong;
    while !parser.at_file_end() {
        parser.start_item();
        parser.top_level_item();
        parser.report_unclosed();
        parser.report_if_silent();
        let toks = parser.item_tokens();
        let (Some(first), Some(last)) = (toks.first(), toks.last()) else {
            continue;
        };
        let large = (last.end - first.start) as usize > ITEM_LIMIT;
        let tokens = toks.len() as u32;
        errors |= large || parser.overflowed();
        errors |= parser.take_problems().iter().any(Diagnostic::is_error);
        let nodes = parser.finished_nodes();
        item(
            ItemSize {
                tokens,
                nodes: nodes.len() as u32,
            },
            nodes,
        );
    }
    errors
}

/// Takes what the parser has built since `start_item` as an item.
fn finish_item(parser: &mut Parser<'_>, items: &mut Vec<PlacedItem>, own: &mut Vec<u8>) {
    parser.report_unclosed();
    parser.report_if_silent();
    let toks = parser.item_tokens();
    let (Some(first), Some(last)) = (toks.first(), toks.last()) else {
        return;
    };
    let span = Span::new(first.start, last.end);
    if (span.end - span.start) as usize > ITEM_LIMIT || parser.overflowed() {
        too_large(parser, items);
        return;
    }
    let (tokens, text) = compact(parser.text(), toks, own);
    items.push(PlacedItem {
        item: Arc::new(Item {
            tokens,
            text,
            nodes: parser.take_nodes(),
            problems: parser.take_problems(),
        }),
        span,
    });
}

/// An item that is larger than its offsets can say becomes `Error` items that
/// each are small enough, with one report on the first.
fn too_large(parser: &mut Parser<'_>, items: &mut Vec<PlacedItem>) {
    let toks = parser.item_tokens();
    let mut problem = Some(
        Diagnostic::new(
            &codes::S0116,
            crate::place::Place::token(0),
            "this item is too large: one item may have 16 MB of text and 16 million parts",
        )
        .help("split it into several items or files"),
    );
    let mut from = 0;
    while from < toks.len() {
        let start = toks[from].start;
        let len = toks[from..]
            .iter()
            .take_while(|tok| (tok.end - start) as usize <= ITEM_LIMIT / 2)
            .count()
            // A token larger than that stands alone, without its text.
            .max(1);
        let part = &toks[from..from + len];
        let (tokens, text) = compact(parser.text(), part, &mut Vec::new());
        let end = part.last().map_or(start, |tok| tok.end);
        let node = Node::new(K::Error, 1, 0, len as u32);
        items.push(PlacedItem {
            item: Arc::new(Item {
                tokens,
                text,
                nodes: [node].into(),
                problems: problem.take().into_iter().collect(),
            }),
            span: Span::new(start, end),
        });
        from += len;
    }
    parser.take_nodes();
    parser.take_problems();
}

/// Tokens as an item keeps them, and the texts of those that have their own.
fn compact(text: &str, toks: &[Tok], own: &mut Vec<u8>) -> (Box<[Token]>, Box<str>) {
    const SHORT: usize = 16;
    own.clear();
    let bytes = text.as_bytes();
    let tokens = toks
        .iter()
        .map(|tok| {
            let (start, end) = (tok.start as usize, tok.end as usize);
            let len = end - start;
            if tok.kind.has_own_text() && own.len() + len <= ITEM_LIMIT {
                match bytes.get(start..start + SHORT) {
                    // Copying a fixed length is one instruction.
                    Some(chunk) if len <= SHORT => {
                        let before = own.len();
                        own.extend_from_slice(chunk);
                        own.truncate(before + len);
                    }
                    _ => own.extend_from_slice(&bytes[start..end]),
                }
            }
            Token::new(tok.kind, own.len())
        })
        .collect();
    // Whole tokens of a text are text.
    let own = std::str::from_utf8(own).unwrap_or_default();
    (tokens, own.into())
}

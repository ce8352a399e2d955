//! The grammar of an expression: fields, their lists, and the pieces of each
//! entry between `-` and `/`. It accepts nearly anything; `fields.rs` says
//! what each must be.

use crate::MiniError;
use crate::grammar::{Piece, Steps, blank, many, run};
use chumsky::prelude::*;
use std::ops::Range;

/// One field: its entries between commas.
pub(super) struct Field<'t> {
    pub span: Range<usize>,
    pub entries: Vec<Entry<'t>>,
}

/// `*/15`, `MON-FRI`, `L-3`, `7`.
pub(super) struct Entry<'t> {
    pub span: Range<usize>,
    pub first: Piece<'t>,
    /// `-` or `/`, and what follows it.
    pub more: Vec<(char, Piece<'t>)>,
}

pub(super) fn fields<'t>(text: &'t str, steps: &mut Steps) -> Result<Vec<Field<'t>>, MiniError> {
    let word = || many(|c| !(c.is_whitespace() || matches!(c, ',' | '-' | '/')));
    let entry = word()
        .then(one_of("-/").then(word()).repeated().collect::<Vec<_>>())
        .map_with(|(first, more), extra| {
            let span: SimpleSpan = extra.span();
            Entry {
                span: span.start..span.end,
                first,
                more,
            }
        });
    let field = any()
        .filter(|c: &char| !c.is_whitespace())
        .rewind()
        .ignore_then(entry.separated_by(just(',')).collect::<Vec<_>>())
        .map_with(|entries, extra| {
            let span: SimpleSpan = extra.span();
            Field {
                span: span.start..span.end,
                entries,
            }
        });
    let grammar = blank().ignore_then(field.then_ignore(blank()).repeated().collect::<Vec<_>>());
    run(text, grammar, steps, |at| {
        MiniError::new(at..text.len(), "this is not a cron expression")
    })
}

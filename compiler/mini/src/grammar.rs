//! What all grammars of this crate share: how a text is run through one, the
//! count of the steps that takes, and the pieces that grammars give.
//!
//! The grammars are loose on purpose: they cut a text into pieces with their
//! places and accept nearly anything. What a piece must be is decided
//! afterwards in plain code, which knows what to say. A parser library can
//! only say which character it wanted.

use crate::MiniError;
use chumsky::error::{Error, LabelError};
use chumsky::input::{Checkpoint, Cursor};
use chumsky::inspector::Inspector;
use chumsky::prelude::*;
use chumsky::util::MaybeRef;
use std::ops::Range;

/// The longest text that any of the languages reads, in bytes.
pub const MAX_BYTES: usize = 64 * 1024;

/// How many characters a grammar read, those it read again included, and how
/// often a loop behind it went round. Tests hold it to the length of the text.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Steps(pub usize);

impl<'t> Inspector<'t, &'t str> for Steps {
    type Checkpoint = ();

    fn on_token(&mut self, _: &char) {
        self.0 += 1;
    }

    fn on_save<'parse>(&self, _: &Cursor<'t, 'parse, &'t str>) {}

    fn on_rewind<'parse>(&mut self, _: &Checkpoint<'t, 'parse, &'t str, ()>) {}
}

/// Where a grammar could not go on. What was expected is never kept: it would
/// be a list of characters.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stuck {
    at: usize,
}

impl<'t> Error<'t, &'t str> for Stuck {}

impl<'t, L> LabelError<'t, &'t str, L> for Stuck {
    fn expected_found<E: IntoIterator<Item = L>>(
        _: E,
        _: Option<MaybeRef<'t, char>>,
        span: SimpleSpan,
    ) -> Self {
        Stuck { at: span.start }
    }
}

/// What our grammars carry along.
pub(crate) type Extra = extra::Full<Stuck, Steps, ()>;

/// A grammar over a text that lives for `'t`.
pub(crate) trait Grammar<'t, O>: Parser<'t, &'t str, O, Extra> + Clone {}
impl<'t, O, P: Parser<'t, &'t str, O, Extra> + Clone> Grammar<'t, O> for P {}

/// A part of the text, and where it starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Piece<'t> {
    pub text: &'t str,
    pub at: usize,
}

impl Piece<'_> {
    pub fn span(&self) -> Range<usize> {
        self.at..self.at + self.text.len()
    }

    pub fn is_empty(&self) -> bool {
        self.text.is_empty()
    }
}

/// Runs a grammar over the whole text. `stuck` says what is wrong where the
/// grammar could not go on, given the place.
pub(crate) fn run<'t, O>(
    text: &'t str,
    grammar: impl Grammar<'t, O>,
    steps: &mut Steps,
    stuck: impl FnOnce(usize) -> MiniError,
) -> Result<O, MiniError> {
    within(text, MAX_BYTES)?;
    grammar
        .parse_with_state(text, steps)
        .into_result()
        .map_err(|errors| stuck(errors.first().map_or(0, |error| error.at)))
}

/// Refuses a text that is too long, before anything reads it.
pub(crate) fn within(text: &str, max: usize) -> Result<(), MiniError> {
    if text.len() <= max {
        return Ok(());
    }
    let message = format!(
        "this text is too long: {} bytes, where {max} are read",
        text.len()
    );
    Err(MiniError::new(0..text.len(), message))
}

/// One or more characters for which `wanted` holds.
pub(crate) fn some<'t>(wanted: impl Fn(&char) -> bool + Copy + 't) -> impl Grammar<'t, Piece<'t>> {
    any()
        .filter(wanted)
        .repeated()
        .at_least(1)
        .to_slice()
        .map_with(piece)
}

/// As many characters for which `wanted` holds as there are, perhaps none.
pub(crate) fn many<'t>(wanted: impl Fn(&char) -> bool + Copy + 't) -> impl Grammar<'t, Piece<'t>> {
    any().filter(wanted).repeated().to_slice().map_with(piece)
}

/// White space, perhaps none.
pub(crate) fn blank<'t>() -> impl Grammar<'t, ()> {
    any().filter(|c: &char| c.is_whitespace()).repeated()
}

/// What is left of the text.
pub(crate) fn rest<'t>() -> impl Grammar<'t, Piece<'t>> {
    any().repeated().to_slice().map_with(piece)
}

fn piece<'t>(
    text: &'t str,
    extra: &mut chumsky::input::MapExtra<'t, '_, &'t str, Extra>,
) -> Piece<'t> {
    let span: SimpleSpan = extra.span();
    Piece {
        text,
        at: span.start,
    }
}

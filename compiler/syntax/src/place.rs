//! Places inside an item, by token: they stay true when the item moves.

use symbi_diagnostics::Span;

/// A place relative to an item's tokens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// From the first of these tokens to the last, both included.
    Tokens(u32, u32),
    /// Right after a token.
    After(u32),
    /// Right before a token.
    Before(u32),
    /// From right after a token to right before another one.
    Between(u32, u32),
    /// Bytes inside a token, counted from its start.
    Within(u32, u32, u32),
}

impl Place {
    pub(crate) fn token(token: u32) -> Self {
        Place::Tokens(token, token)
    }

    /// The bytes, given where each token of the item stands.
    pub fn resolve(self, spans: &[Span]) -> Span {
        let at = |token: u32| {
            spans
                .get(token as usize)
                .or(spans.last())
                .copied()
                .unwrap_or(Span::at(0))
        };
        match self {
            Place::Tokens(first, last) => Span::new(at(first).start, at(last).end),
            Place::After(token) => Span::at(at(token).end),
            Place::Before(token) => Span::at(at(token).start),
            Place::Between(left, right) => {
                let end = at(left).end;
                // The right one may be of the next item.
                Span::new(end, at(right).start.max(end))
            }
            Place::Within(token, start, end) => {
                let span = at(token);
                Span::new(
                    (span.start + start).min(span.end),
                    (span.start + end).min(span.end),
                )
            }
        }
    }
}

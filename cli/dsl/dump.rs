//! A tree and a list of tokens as indented text, for people who debug.

use std::io::{self, Write};

use symbi_diagnostics::Span;
use symbi_syntax::{SyntaxKind, WalkEvent};

/// Levels that are indented. A chain of 10,000 operators is a tree as deep, and
/// spaces for every level would make its picture quadratic; below this depth
/// lines carry their depth as a number.
const INDENTED: usize = 40;

/// One line a node, `AgentDef 0..120`, and one a token, `AgentKw "agent" 0..5`,
/// white space and comments included.
pub fn tree(
    events: impl IntoIterator<Item = WalkEvent>,
    text: &str,
    out: &mut impl Write,
) -> io::Result<()> {
    let mut depth = 0usize;
    for event in events {
        match event {
            WalkEvent::Enter(kind, span) => {
                margin(depth, out)?;
                writeln!(out, "{} {}..{}", kind.name(), span.start, span.end)?;
                depth += 1;
            }
            WalkEvent::Token(kind, span) => {
                margin(depth, out)?;
                token(kind, span, text, out)?;
            }
            WalkEvent::Leave => depth = depth.saturating_sub(1),
        }
    }
    Ok(())
}

/// One line a token.
pub fn tokens(
    tokens: impl IntoIterator<Item = (SyntaxKind, Span)>,
    text: &str,
    out: &mut impl Write,
) -> io::Result<()> {
    tokens
        .into_iter()
        .try_for_each(|(kind, span)| token(kind, span, text, out))
}

fn margin(depth: usize, out: &mut impl Write) -> io::Result<()> {
    let width = 2 * depth.min(INDENTED);
    write!(out, "{:width$}", "")?;
    if depth > INDENTED {
        write!(out, "[{depth}] ")?;
    }
    Ok(())
}

fn token(kind: SyntaxKind, span: Span, text: &str, out: &mut impl Write) -> io::Result<()> {
    // `{:?}` escapes line ends and all that could drive a terminal.
    let text = text.get(span.range()).unwrap_or_default();
    writeln!(out, "{} {text:?} {}..{}", kind.name(), span.start, span.end)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_deep_tree_is_drawn_in_linear_space() {
        let size = |depth: u32| {
            let kind = SyntaxKind::Error;
            let enter = (0..depth).map(|_| WalkEvent::Enter(kind, Span::new(0, 1)));
            let leave = (0..depth).map(|_| WalkEvent::Leave);
            let token = WalkEvent::Token(kind, Span::new(0, 1));
            let mut out = Vec::new();
            tree(enter.chain([token]).chain(leave), "x", &mut out).unwrap();
            out.len()
        };
        assert!(size(20_000) < size(10_000) * 23 / 10);
    }
}

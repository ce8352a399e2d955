//! The tokens tile the text, and lexing can begin at any of them.

use crate::SyntaxKind;
use crate::lexer::Lexer;

/// Lexes and checks.
///
/// # Panics
/// When the tokens do not tile, or depend on what stands before them.
pub fn fuzz_one(data: &[u8]) {
    check(&super::text(data));
}

/// The same for a text.
///
/// # Panics
/// As [`fuzz_one`].
pub fn check(text: &str) {
    let tokens = crate::lex(text);
    let mut at = 0;
    for (kind, span) in &tokens {
        assert_eq!(span.start, at, "a gap or an overlap before {kind:?}");
        assert!(span.end > span.start, "an empty {kind:?} at {at}");
        assert!(
            text.is_char_boundary(span.end as usize),
            "{kind:?} ends inside a character"
        );
        assert!(!kind.is_node() && *kind != SyntaxKind::Eof, "{kind:?}");
        if let Some(fixed) = kind.fixed_text() {
            assert_eq!(&text[span.range()], fixed);
        }
        at = span.end;
    }
    assert_eq!(at as usize, text.len(), "the tokens end too early");
    // From a few places in the middle: the rest is the same.
    for part in 1..4 {
        let from = tokens.len() * part / 4;
        let Some((_, span)) = tokens.get(from) else {
            continue;
        };
        let again = Lexer::new(text, span.start as usize).take(64);
        for (token, expected) in again.zip(&tokens[from..]) {
            let (kind, start, end) = token;
            assert_eq!(
                (kind, start, end),
                (expected.0, expected.1.start, expected.1.end),
                "lexing from {} gives another token",
                span.start
            );
        }
    }
}

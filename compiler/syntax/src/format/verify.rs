//! Whether two texts say the same in the same tree.
//!
//! It knows nothing of the rules. What may differ: white space, and the signs
//! `,` `;` `=` `:`, for without them the same nodes over the same other tokens
//! can only come of the same text with other separators.

use symbi_diagnostics::Span;

use crate::kind::SyntaxKind as K;
use crate::tokens::{Comment, Tok, Tokens};
use crate::tree::File;

/// One of the two texts, parsed.
pub(super) struct Side<'t> {
    file: &'t File,
    toks: &'t [Tok],
    comments: &'t [Comment],
    /// How many tokens that must be the same stand before each token.
    ordinals: Vec<u32>,
}

impl<'t> Side<'t> {
    pub(super) fn new(file: &'t File, tokens: &'t Tokens, comments: &'t [Comment]) -> Self {
        let mut ordinals = Vec::with_capacity(tokens.all.len() + 1);
        let mut count = 0;
        for tok in &tokens.all {
            ordinals.push(count);
            count += u32::from(must_stay(tok.kind));
        }
        ordinals.push(count);
        Self {
            file,
            toks: &tokens.all,
            comments,
            ordinals,
        }
    }

    fn text_of(&self, start: u32, end: u32) -> &'t str {
        &self.file.text()[start as usize..end as usize]
    }
}

fn must_stay(kind: K) -> bool {
    !matches!(kind, K::Comma | K::Semicolon | K::Eq | K::Colon)
}

/// The place in the old text where the two first differ.
pub(super) fn first_difference(old: &Side<'_>, new: &Side<'_>) -> Option<Span> {
    tokens(old, new)
        .or_else(|| nodes(old, new))
        .or_else(|| comments(old, new))
}

fn tokens(old: &Side<'_>, new: &Side<'_>) -> Option<Span> {
    let mut news = new.toks.iter().filter(|tok| must_stay(tok.kind));
    for tok in old.toks.iter().filter(|tok| must_stay(tok.kind)) {
        let here = Span::new(tok.start, tok.end);
        let same = news.next().is_some_and(|other| {
            other.kind == tok.kind
                && (tok.kind.fixed_text().is_some()
                    || new.text_of(other.start, other.end) == old.text_of(tok.start, tok.end))
        });
        if !same {
            return Some(here);
        }
    }
    news.next().map(|_| Span::at(old.file.text().len() as u32))
}

fn nodes(old: &Side<'_>, new: &Side<'_>) -> Option<Span> {
    let mut news = new.file.items().iter();
    let (mut old_base, mut new_base) = (0u32, 0u32);
    for placed in old.file.items() {
        let Some(other) = news.next() else {
            return Some(placed.span);
        };
        let (mine, theirs) = (&placed.item.nodes, &other.item.nodes);
        if mine.len() != theirs.len() {
            return Some(placed.span);
        }
        for (node, twin) in mine.iter().zip(theirs.iter()) {
            let ordinal = |side: &Side<'_>, base: u32, token: u32| {
                side.ordinals
                    .get((base + token) as usize)
                    .copied()
                    .unwrap_or(u32::MAX)
            };
            let same = (node.kind(), node.size()) == (twin.kind(), twin.size())
                && ordinal(old, old_base, node.first) == ordinal(new, new_base, twin.first)
                && ordinal(old, old_base, node.end) == ordinal(new, new_base, twin.end);
            if !same {
                let tok = old.toks.get((old_base + node.first) as usize);
                return Some(tok.map_or(placed.span, |tok| Span::new(tok.start, tok.end)));
            }
        }
        old_base += placed.item.token_count();
        new_base += other.item.token_count();
    }
    if news.next().is_some() || new.file.has_errors() {
        return Some(Span::at(old.file.text().len() as u32));
    }
    None
}

fn comments(old: &Side<'_>, new: &Side<'_>) -> Option<Span> {
    let mut news = new.comments.iter();
    for comment in old.comments {
        let shown = |side: &Side<'_>, comment: &Comment| {
            side.text_of(comment.start, comment.end).trim_end().len()
        };
        let same = news.next().is_some_and(|other| {
            let (mine, theirs) = (shown(old, comment), shown(new, other));
            mine == theirs
                && old.text_of(comment.start, comment.start + mine as u32)
                    == new.text_of(other.start, other.start + theirs as u32)
                && old.ordinals[comment.token as usize] == new.ordinals[other.token as usize]
        });
        if !same {
            return Some(Span::new(comment.start, comment.end));
        }
    }
    news.next().map(|_| Span::at(old.file.text().len() as u32))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parser::{ParseOptions, parse_tokens};

    fn difference(old: &str, new: &str) -> Option<String> {
        let parsed = |text: &str| {
            let (tokens, comments) = super::super::lex(text);
            let file = parse_tokens(text.into(), &tokens, ParseOptions::default());
            (file, tokens, comments)
        };
        let (old_parsed, new_parsed) = (parsed(old), parsed(new));
        let side = |(file, tokens, comments): &'static (File, Tokens, Vec<Comment>)| {
            Side::new(file, tokens, comments)
        };
        let (old_side, new_side) = (
            side(Box::leak(Box::new(old_parsed))),
            side(Box::leak(Box::new(new_parsed))),
        );
        first_difference(&old_side, &new_side).map(|at| old[at.range()].to_owned())
    }

    #[test]
    fn layout_and_separators_may_differ() {
        let same = [
            ("agent a{}", "agent a {\n}\n"),
            (
                "metadata { a: 1, b 2 }",
                "metadata {\n    a = 1\n    b = 2\n}\n",
            ),
            (
                "type T = { a: int, b: int, }",
                "type T = { a: int; b: int }",
            ),
            ("// note  \nagent a {}", "// note\nagent a {}"),
            ("agent a { with { f(x,); } }", "agent a { with { f(x); } }"),
        ];
        for (old, new) in same {
            assert_eq!(difference(old, new), None, "{old}");
        }
    }

    #[test]
    fn anything_else_is_found() {
        let table = [
            // A token less, another one, one more.
            ("agent a {}", "agent b {}", "a"),
            (
                "agent a { with { f(1); } }",
                "agent a { with { f(); } }",
                "1",
            ),
            ("agent a {}", "agent a {} agent b {}", ""),
            ("type A = \"x y\"", "type A = \"x  y\"", "\"x y\""),
            // A comment lost, changed, moved past a token, or made one of two.
            ("agent /* c */ a {}", "agent a {}", "/* c */"),
            ("agent a {} // c", "agent a {} // d", "// c"),
            ("agent /* c */ a {}", "agent a /* c */ {}", "/* c */"),
            (
                "/* c */ /* d */ agent a {}",
                "/* c */ agent a {}",
                "/* d */",
            ),
            // The same tokens in another tree: the line break decides.
            (
                "policy p { allow: a\n    in b }",
                "policy p { allow: a in b }",
                "policy p { allow: a\n    in b }",
            ),
            (
                "function f() { a; }",
                "function f() { a }",
                "function f() { a; }",
            ),
            (
                "agent a { with { x = 1; } }",
                "agent a { with { x == 1; } }",
                "1",
            ),
            // A bracket that would swallow the rest.
            ("agent a {} agent b {}", "agent a { agent b {} }", "}"),
        ];
        for (old, new, expected) in table {
            assert_eq!(difference(old, new).as_deref(), Some(expected), "{old}");
        }
    }

    #[test]
    fn errors_in_the_new_text_are_a_difference() {
        assert!(difference("function f() { a; b; }", "function f() { a b; }").is_some());
    }
}

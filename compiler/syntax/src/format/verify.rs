//! Whether another text says the same in the same tree.
//!
//! It knows nothing of the rules. What may differ: white space, and the signs
//! `,` `;` `=` `:`, for without them the same nodes over the same other tokens
//! can only come of the same text with other separators.

use symbi_diagnostics::Span;

use super::Source;
use crate::kind::SyntaxKind as K;
use crate::parser::{ItemSize, parse_nodes};
use crate::tokens::{Comment, Tok, tokens_and_comments};
use crate::tree::Node;

/// The place in the source where the other text first differs.
pub(super) fn first_difference(source: &Source<'_>, text: &str) -> Option<Span> {
    let mut comments = Vec::new();
    let tokens = tokens_and_comments(text, |comment| comments.push(comment));
    let mut comparison = Comparison {
        old: Side {
            text: source.text,
            toks: &source.tokens.all,
            comments: &source.comments,
            places: Vec::new(),
            base: 0,
            counted: 0,
            ordinals: Vec::new(),
        },
        new: Side {
            text,
            toks: &tokens.all,
            comments: &comments,
            places: Vec::new(),
            base: 0,
            counted: 0,
            ordinals: Vec::new(),
        },
        items: source.items.iter(),
        nodes: &source.nodes,
        difference: None,
    };
    // Item by item: nothing of the other text's tree is kept.
    let errors = parse_nodes(text, &tokens, source.options, |size, nodes| {
        comparison.item(size, nodes);
    });
    let end = Span::at(source.text.len() as u32);
    comparison
        .difference
        .or_else(|| comparison.old.toks.first().map(span))
        .or_else(|| comparison.comments())
        .or(errors.then_some(end))
}

/// What is left of one of the two texts.
struct Side<'t> {
    text: &'t str,
    /// The tokens that have not been compared.
    toks: &'t [Tok],
    /// All comments; they count tokens from the file's first.
    comments: &'t [Comment],
    /// For each comment before the tokens compared so far, how many tokens
    /// that must be the same stand before it.
    places: Vec<u32>,
    /// How many tokens have been compared, and how many of them must be the
    /// same.
    base: u32,
    counted: u32,
    /// For each token of the item at hand, and for its end, how many tokens
    /// that must be the same stand before it in the item.
    ordinals: Vec<u32>,
}

/// The two texts, compared up to an item.
struct Comparison<'t> {
    old: Side<'t>,
    new: Side<'t>,
    items: std::slice::Iter<'t, ItemSize>,
    nodes: &'t [Node],
    difference: Option<Span>,
}

impl<'t> Side<'t> {
    fn bytes_of(&self, start: u32, end: u32) -> &'t [u8] {
        &self.text.as_bytes()[start as usize..end as usize]
    }

    /// Goes on behind an item of so many tokens, whose ordinals are known.
    fn pass(&mut self, tokens: u32) {
        let end = self.base + tokens;
        while let Some(comment) = self.comments.get(self.places.len())
            && comment.token < end
        {
            let ordinal = self.ordinals[(comment.token - self.base) as usize];
            self.places.push(self.counted + ordinal);
        }
        self.base = end;
        self.counted += self.ordinals.last().copied().unwrap_or(0);
    }

    /// Where a comment stands; those behind all items stand behind all tokens.
    fn place(&self, comment: usize) -> u32 {
        self.places.get(comment).copied().unwrap_or(self.counted)
    }

    fn shown(&self, comment: &Comment) -> &'t [u8] {
        self.bytes_of(comment.start, comment.end).trim_ascii_end()
    }
}

fn must_stay(kind: K) -> bool {
    !matches!(kind, K::Comma | K::Semicolon | K::Eq | K::Colon)
}

fn span(tok: &Tok) -> Span {
    Span::new(tok.start, tok.end)
}

impl Comparison<'_> {
    /// Compares the next item of the source with one of the other text.
    fn item(&mut self, size: ItemSize, twins: &[Node]) {
        if self.difference.is_some() {
            return;
        }
        let Some(item) = self.items.next() else {
            self.difference = Some(Span::at(self.old.text.len() as u32));
            return;
        };
        let (old_toks, old_later) = self.old.toks.split_at(item.tokens as usize);
        let (new_toks, new_later) = self.new.toks.split_at(size.tokens as usize);
        let (nodes, later) = self.nodes.split_at(item.nodes as usize);
        self.nodes = later;
        self.difference = self
            .tokens(old_toks, new_toks)
            .or_else(|| self.same_nodes(old_toks, nodes, twins));
        if self.difference.is_none() {
            self.old.toks = old_later;
            self.new.toks = new_later;
            self.old.pass(item.tokens);
            self.new.pass(size.tokens);
        }
    }

    /// Compares the tokens in step, and counts them.
    fn tokens(&mut self, old_toks: &[Tok], new_toks: &[Tok]) -> Option<Span> {
        let (old, new) = (&mut self.old, &mut self.new);
        old.ordinals.clear();
        new.ordinals.clear();
        let mut count = 0;
        let (mut olds, mut news) = (old_toks.iter(), new_toks.iter());
        let (mut mine, mut theirs) = (olds.next(), news.next());
        loop {
            match (mine, theirs) {
                (Some(tok), Some(other)) if is_same(old, tok, new, other) => {
                    old.ordinals.push(count);
                    new.ordinals.push(count);
                    count += u32::from(must_stay(tok.kind));
                    (mine, theirs) = (olds.next(), news.next());
                }
                (Some(tok), _) if !must_stay(tok.kind) => {
                    old.ordinals.push(count);
                    mine = olds.next();
                }
                (_, Some(other)) if !must_stay(other.kind) => {
                    new.ordinals.push(count);
                    theirs = news.next();
                }
                (Some(tok), _) => return Some(span(tok)),
                (None, Some(_)) => return old_toks.last().map(|tok| Span::at(tok.end)),
                (None, None) => break,
            }
        }
        old.ordinals.push(count);
        new.ordinals.push(count);
        None
    }

    fn same_nodes(&self, toks: &[Tok], nodes: &[Node], twins: &[Node]) -> Option<Span> {
        let (old, new) = (&*self.old.ordinals, &*self.new.ordinals);
        let other = nodes.iter().zip(twins).find(|(node, twin)| {
            !(node.is_alike(**twin)
                && old[node.first as usize] == new[twin.first as usize]
                && old[node.end as usize] == new[twin.end as usize])
        });
        let node = match other {
            Some((node, _)) => node.first,
            None if nodes.len() != twins.len() => 0,
            None => return None,
        };
        toks.get(node as usize).or(toks.last()).map(span)
    }

    /// Compares the comments, when all items are compared. A comment may have
    /// moved from one item to the next with the separator between them gone.
    fn comments(&self) -> Option<Span> {
        let (old, new) = (&self.old, &self.new);
        for (number, comment) in old.comments.iter().enumerate() {
            let same = new.comments.get(number).is_some_and(|other| {
                old.shown(comment) == new.shown(other) && old.place(number) == new.place(number)
            });
            if !same {
                return Some(Span::new(comment.start, comment.end));
            }
        }
        let end = Span::at(old.text.len() as u32);
        (new.comments.len() > old.comments.len()).then_some(end)
    }
}

#[inline]
fn is_same(old: &Side<'_>, tok: &Tok, new: &Side<'_>, other: &Tok) -> bool {
    tok.kind == other.kind
        && (!tok.kind.has_own_text()
            || old.bytes_of(tok.start, tok.end) == new.bytes_of(other.start, other.end))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parser::ParseOptions;

    fn difference(old: &str, new: &str) -> Option<String> {
        let source = Source::read(old, ParseOptions::default());
        first_difference(&source, new).map(|at| old[at.range()].to_owned())
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
                "b",
            ),
            ("function f() { a; }", "function f() { a }", "a"),
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

//! Lists, records, parameters and arguments: on one line if they fit,
//! otherwise one element a line with a comma behind the last.

use super::layout::{BLANKS, Breaks, CLOSER, Edit, FIRST, INNER, Insert, Layout, NO_TOKEN, SPACE};
use crate::kind::SyntaxKind as K;

impl Layout<'_> {
    /// The brackets that open with the token `open` and close with the node's
    /// last token. `padded`: with a space inside them.
    pub(super) fn list(&mut self, index: u32, open: u32, padded: bool) {
        let children = self.children(index);
        self.elements(index, open, padded, &children);
        self.done(children);
    }

    /// `T { k: v }`: the first child is the type.
    pub(super) fn struct_literal(&mut self, index: u32) {
        let children = self.children(index);
        if let Some((&name, fields)) = children.split_first() {
            let open = self.node(name).end;
            self.elements(index, open, true, fields);
        }
        self.done(children);
    }

    fn elements(&mut self, index: u32, open: u32, padded: bool, elements: &[u32]) {
        let node = self.node(index);
        let close = node.end - 1;
        let Some((&last, _)) = elements.split_last() else {
            let group = self.group(open, close, Breaks::IfForced);
            self.gap(close, group, CLOSER | FIRST);
            return;
        };
        let pad = if padded { SPACE } else { 0 };
        let breaks = match node.kind() {
            K::ArgList => match self.hug(last, elements.len() == 1) {
                NO_TOKEN => Breaks::IfNotOneLine,
                token => Breaks::Hugging(token),
            },
            // A type that its author wrote over several lines stays so.
            K::StructType if self.toks[open as usize + 1].line_start() => Breaks::Always,
            _ => Breaks::IfNotOneLine,
        };
        let group = self.group(open, close, breaks);
        for (place, &element) in elements.iter().enumerate() {
            let element = self.node(element);
            let flags = if place == 0 { pad | FIRST } else { SPACE };
            self.gap(element.first, group, flags | INNER | BLANKS);
            if place + 1 < elements.len() {
                self.comma_after(element.end);
            }
        }
        let end = self.node(last).end;
        if !self.is_name_by_its_separator(end) {
            for token in end..close {
                if matches!(self.kind(token), K::Comma | K::Semicolon) {
                    self.edit(token, Edit::Drop);
                }
            }
            self.insert(end - 1, Insert::CommaIfBroken(group));
        }
        self.gap(close, group, pad | CLOSER | BLANKS);
    }

    /// The bracket or text of several lines that ends the last argument, and
    /// that may be broken while the call stays on its line. A list, a record
    /// or a call counts if it is the `only` argument or in a lambda.
    fn hug(&self, argument: u32, only: bool) -> u32 {
        let mut at = argument;
        let mut values = only;
        loop {
            self.step();
            let node = self.node(at);
            let next = match node.kind() {
                K::NamedArg => self.last_child(at),
                K::LambdaExpr => {
                    values = true;
                    self.last_child(at)
                }
                K::Block if self.holds_something(at) => return node.first,
                K::ArrayExpr | K::RecordExpr if values && self.holds_something(at) => {
                    return node.first;
                }
                K::MatchExpr => {
                    return self
                        .last_child(at)
                        .map_or(NO_TOKEN, |body| self.node(body).first);
                }
                K::StructExpr if values && self.kind(node.end - 2) != K::LBrace => {
                    // The name is the first child: its end is found from the
                    // first token on.
                    let mut token = node.first;
                    while self.kind(token) != K::LBrace {
                        self.step();
                        token += 1;
                    }
                    return token;
                }
                K::CallExpr if values => match self.last_child(at) {
                    Some(args) if self.node(args).size() > 1 => return self.node(args).first,
                    _ => None,
                },
                K::Literal if matches!(self.kind(node.first), K::TripleString) => {
                    return node.first;
                }
                _ => None,
            };
            match next {
                Some(next) if next != at => at = next,
                _ => return NO_TOKEN,
            }
        }
    }

    /// Brackets with an element or a comment in them.
    fn holds_something(&self, index: u32) -> bool {
        let node = self.node(index);
        node.size() > 1 || self.comment_between(node.first, node.end - 1)
    }

    /// `(e)`.
    pub(super) fn parentheses(&mut self, index: u32) {
        let node = self.node(index);
        let group = self.group(node.first, node.end - 1, Breaks::IfTooLong);
        if node.end > node.first + 2 {
            self.gap(node.first + 1, group, INNER | FIRST);
        }
        self.gap(node.end - 1, group, CLOSER);
    }

    /// `Some(p)`.
    pub(super) fn call_pattern(&mut self, index: u32) {
        let node = self.node(index);
        let children = self.children(index);
        let first = children
            .first()
            .map_or(node.end - 1, |&child| self.node(child).first);
        for token in node.first + 1..first {
            if self.kind(token) == K::LParen {
                self.plain(token, false);
            }
        }
        for pair in children.windows(2) {
            let end = self.node(pair[0]).end;
            self.comma_after(end);
        }
        self.done(children);
    }
}

//! What stands one a line: statements, entries, rules, arms, the items of an
//! agent; and the signs of entries (language.md section 2).

use super::layout::{BLANKS, Breaks, CLOSER, Edit, FIRST, INNER, Insert, Layout, SPACE};
use crate::kind::SyntaxKind as K;

/// The sign that a block's entries have between key and value.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Sign {
    Equals,
    Colon,
    /// None: a space.
    Space,
    /// As it is written.
    Kept,
}

impl Layout<'_> {
    /// `{ statements }`.
    pub(super) fn block(&mut self, index: u32) {
        let node = self.node(index);
        let parent = node.parent;
        let value = self.node_kind(parent) == K::LambdaExpr && self.holds_one_value(index);
        let children = self.one_a_line(index, value);
        self.done(children);
    }

    /// Entries, rules or items in braces: what separates them is the line.
    pub(super) fn lines(&mut self, index: u32) {
        let children = self.one_a_line(index, false);
        for (place, &child) in children.iter().enumerate() {
            let from = self.node(child).end;
            let to = match children.get(place + 1) {
                Some(&next) => self.node(next).first,
                None => self.node(index).end - 1,
            };
            for token in from..to {
                if self.separator_says_nothing(token) {
                    self.edit(token, Edit::Drop);
                }
            }
        }
        self.done(children);
    }

    /// A comma or semicolon behind which nothing could be taken for the rest
    /// of what stands before it.
    fn separator_says_nothing(&self, token: u32) -> bool {
        let next = self.kind(token + 1);
        matches!(self.kind(token), K::Comma | K::Semicolon)
            && !self.is_name_by_its_separator(token)
            && (matches!(next, K::RBrace | K::String)
                || (next.is_word()
                    && !matches!(next, K::IfKw | K::InKw | K::NotKw | K::AndKw | K::OrKw)))
    }

    /// Some words are names only because a separator follows: `allow: if;`,
    /// and, where a comment makes the word begin a line, `key: memory, next`.
    pub(super) fn is_name_by_its_separator(&self, separator: u32) -> bool {
        let word = self.kind(separator - 1);
        let item = word >= K::MetadataKw && word <= K::AuditKw;
        (word >= K::LetKw && word <= K::OrKw)
            || (item && separator >= 2 && self.comment_between(separator - 2, separator - 1))
    }

    /// Puts the children of a node in braces on lines of their own, unless
    /// there are none. With `value`, only if they do not fit on one.
    fn one_a_line(&mut self, index: u32, value: bool) -> Vec<u32> {
        let node = self.node(index);
        let (open, close) = (node.first, node.end - 1);
        let children = self.children(index);
        if children.is_empty() {
            let group = self.group(open, close, Breaks::IfForced);
            self.gap(close, group, CLOSER | FIRST);
            return children;
        }
        let breaks = if value {
            Breaks::IfTooLong
        } else {
            Breaks::Always
        };
        let group = self.group(open, close, breaks);
        for (place, &child) in children.iter().enumerate() {
            let first = self.node(child).first;
            if self.node_kind(child) == K::EmptyStmt && !self.toks[first as usize].line_start() {
                // A stray `;` stays where it is: a check says to remove it.
                continue;
            }
            let at_start = if place == 0 { FIRST } else { 0 };
            self.gap(first, group, SPACE | INNER | BLANKS | at_start);
        }
        self.gap(close, group, SPACE | CLOSER | BLANKS);
        children
    }

    /// The arms of a match: a comma after each value, none after a block.
    pub(super) fn arms(&mut self, index: u32) {
        let children = self.one_a_line(index, false);
        for &child in &children {
            if self.node_kind(child) != K::MatchArm {
                continue;
            }
            let end = self.node(child).end;
            let comma = self.kind(end) == K::Comma;
            let block = self
                .last_child(child)
                .is_some_and(|body| self.node_kind(body) == K::Block);
            if block {
                let next = self.kind(end + 1);
                if comma && (next.is_word() || next.is_literal() || next == K::RBrace) {
                    self.edit(end, Edit::Drop);
                }
            } else if !comma {
                self.insert(end - 1, Insert::Sign(","));
            }
        }
        self.done(children);
    }

    /// `with k = v, k = v {`: on one line, or one attribute a line.
    pub(super) fn with_header(&mut self, index: u32) {
        let node = self.node(index);
        let children = self.children(index);
        let entries = children
            .iter()
            .take_while(|&&child| self.node_kind(child) == K::Entry)
            .count();
        if entries > 0 {
            let last = self.node(children[entries - 1]);
            let body = children.get(entries).map(|&body| self.node(body));
            let Some(body) = body.filter(|body| self.kind(body.first) == K::LBrace) else {
                self.done(children);
                return;
            };
            let brace = body.first;
            let group = self.group(node.first, brace, Breaks::IfTooLong);
            for (place, &child) in children[..entries].iter().enumerate() {
                let entry = self.node(child);
                let at_start = if place == 0 { FIRST } else { 0 };
                self.gap(entry.first, group, SPACE | INNER | at_start);
                if place + 1 < entries {
                    self.comma_after(entry.end);
                }
            }
            for token in last.end..brace {
                if matches!(self.kind(token), K::Comma | K::Semicolon) {
                    self.edit(token, Edit::Drop);
                }
            }
            self.insert(last.end - 1, Insert::CommaIfBroken(group));
            self.gap(brace, group, SPACE);
        }
        self.done(children);
    }

    /// A comma stands at `token`, which is right behind an element.
    pub(super) fn comma_after(&mut self, token: u32) {
        match self.kind(token) {
            K::Comma => {}
            K::Semicolon => self.edit(token, Edit::Sign(",")),
            _ => self.insert(token - 1, Insert::Sign(",")),
        }
    }

    /// `key = value`: the sign of its block.
    pub(super) fn entry(&mut self, index: u32) {
        let node = self.node(index);
        let Some(value) = self.last_child(index) else {
            return;
        };
        let sign = self.sign_of(index);
        self.key_sign(node.first, value, sign);
    }

    pub(super) fn capabilities(&mut self, index: u32) {
        let node = self.node(index);
        let Some(value) = self.last_child(index) else {
            return;
        };
        if self.node_kind(value) != K::EntryBlock {
            self.key_sign(node.first, value, Sign::Equals);
        }
    }

    /// `allow: x`.
    pub(super) fn rule_sign(&mut self, verb: u32) {
        match self.kind(verb + 1) {
            K::Colon => {}
            K::Eq => {
                self.edit(verb + 1, Edit::Sign(":"));
                self.plain(verb + 1, false);
            }
            _ => self.insert(verb, Insert::Sign(":")),
        }
    }

    fn key_sign(&mut self, key: u32, value: u32, sign: Sign) {
        let at = key + 1;
        let written = at < self.node(value).first && matches!(self.kind(at), K::Eq | K::Colon);
        match sign {
            Sign::Kept => {}
            Sign::Equals if written => {
                self.edit(at, Edit::Sign("="));
                self.plain(at, true);
            }
            Sign::Colon if written => {
                self.edit(at, Edit::Sign(":"));
                self.plain(at, false);
            }
            Sign::Equals => self.insert(key, Insert::Sign(" =")),
            Sign::Colon => self.insert(key, Insert::Sign(":")),
            Sign::Space => {
                // `key { … }` would be a block, and a value without a sign
                // must stand on its key's line. These two may be computed, but
                // only behind a sign.
                let first = self.node(value).first;
                let computed = matches!(self.token_text(key), "input" | "capabilities");
                if written
                    && !computed
                    && self.node_kind(value) != K::RecordExpr
                    && !self.comment_between(key, first)
                {
                    self.edit(at, Edit::Drop);
                }
            }
        }
    }

    /// The canonical sign of the entries around this one, where there is one.
    fn sign_of(&self, entry: u32) -> Sign {
        let block = self.node(entry).parent;
        match self.node_kind(block) {
            K::WithBlock | K::AttributeBlock => return Sign::Equals,
            K::PolicyBody => return Sign::Colon,
            K::EntryBlock => {}
            _ => return Sign::Kept,
        }
        let owner = self.node(block).parent;
        match self.node_kind(owner) {
            K::MetadataBlock => Sign::Equals,
            K::ScheduleDef | K::ChannelDef => Sign::Colon,
            K::MemoryDef | K::WebhookDef => Sign::Space,
            K::NestedBlock => self.sign_of_nested(owner),
            _ => Sign::Kept,
        }
    }

    fn sign_of_nested(&self, nested: u32) -> Sign {
        let around = self.node(self.node(nested).parent).parent;
        let key = self.node(nested).first;
        match (self.token_text(key), self.node_kind(around)) {
            ("data_classification", K::ChannelDef) => Sign::Colon,
            ("search", K::MemoryDef) | ("filter", K::WebhookDef) => Sign::Space,
            _ => Sign::Kept,
        }
    }
}

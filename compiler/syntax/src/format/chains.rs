//! What goes on from line to line: binary operators and method calls.

use super::layout::{Breaks, INNER, Layout, NO_TOKEN, SPACE};
use crate::kind::SyntaxKind as K;

impl Layout<'_> {
    /// Operators of one precedence: all of them begin a line, or none.
    pub(super) fn operators(&mut self, index: u32) {
        let node = self.node(index);
        let level = self.level(index);
        // `>=` is two tokens.
        let sign = self.sign_of_operator(index);
        if self.kind(sign) == K::Gt && self.kind(sign + 1) == K::Eq {
            self.plain(sign + 1, false);
        }
        let parent = node.parent;
        if parent != index
            && self.node_kind(parent) == K::BinaryExpr
            && self.node(parent).first == node.first
            && self.level(parent) == level
        {
            return;
        }
        let group = self.group(node.first, node.end - 1, self.breaks_of_operators(index));
        let mut at = index;
        loop {
            self.step();
            let sign = self.sign_of_operator(at);
            self.gap(sign, group, SPACE | INNER);
            match self.first_of_two(at) {
                Some(left)
                    if self.node_kind(left) == K::BinaryExpr && self.level(left) == level =>
                {
                    at = left;
                }
                _ => return,
            }
        }
    }

    /// `x in [ … ]`: the list is broken rather than the line before `in`.
    fn breaks_of_operators(&self, index: u32) -> Breaks {
        let single = self.first_of_two(index).is_some_and(|left| {
            self.node_kind(left) != K::BinaryExpr || self.level(left) != self.level(index)
        });
        match self.last_child(index) {
            Some(right)
                if single
                    && matches!(self.node_kind(right), K::ArrayExpr | K::RecordExpr)
                    && self.node(right).size() > 1 =>
            {
                Breaks::Hugging(self.node(right).first)
            }
            _ => Breaks::Operators,
        }
    }

    /// The first token of the operator.
    fn sign_of_operator(&self, index: u32) -> u32 {
        match self.first_of_two(index) {
            Some(left) => self.node(left).end,
            None => self.node(index).first,
        }
    }

    /// How tightly an operator binds (language.md 2.3).
    fn level(&self, index: u32) -> u8 {
        match self.kind(self.sign_of_operator(index)) {
            K::PipePipe | K::OrKw => 1,
            K::AmpAmp | K::AndKw => 2,
            K::EqEq | K::BangEq | K::InKw | K::NotKw => 3,
            K::Lt | K::LtEq | K::Gt => 4,
            K::Plus | K::Minus => 5,
            _ => 6,
        }
    }

    /// `a.b(…).c(…)`: with two calls or more, each begins a line if the chain
    /// does not fit, unless only the last call's arguments are too long.
    pub(super) fn method_chain(&mut self, index: u32) {
        let node = self.node(index);
        let parent = node.parent;
        if parent != index
            && is_postfix(self.node_kind(parent))
            && self.node(parent).first == node.first
        {
            return;
        }
        let mut dots = std::mem::take(&mut self.scratch);
        dots.clear();
        let mut at = index;
        let mut called = false;
        loop {
            self.step();
            let base = match self.node_kind(at) {
                K::MemberExpr => self.last_child(at),
                K::CallExpr | K::IndexExpr => self.first_of_two(at),
                _ => break,
            };
            let Some(base) = base else { break };
            if self.node_kind(at) == K::MemberExpr && called {
                dots.push(self.node(base).end);
            }
            called = self.node_kind(at) == K::CallExpr;
            at = base;
        }
        if dots.len() >= 2 {
            let breaks = match self.hug_of_last_call(index) {
                NO_TOKEN => Breaks::IfTooLong,
                token => Breaks::Hugging(token),
            };
            let group = self.group(node.first, node.end - 1, breaks);
            for &dot in &dots {
                let space = self.slots[dot as usize].flags & SPACE;
                self.gap(dot, group, space | INNER);
            }
        }
        self.scratch = dots;
    }

    /// Where the arguments of the last call may be broken instead.
    fn hug_of_last_call(&self, index: u32) -> u32 {
        if self.node_kind(index) != K::CallExpr {
            return NO_TOKEN;
        }
        let Some(arguments) = self.last_child(index) else {
            return NO_TOKEN;
        };
        let group = self.slots[self.node(arguments).first as usize].opens;
        match self.groups.get(group as usize).map(|group| group.breaks) {
            Some(Breaks::Hugging(token)) => token,
            _ => NO_TOKEN,
        }
    }
}

fn is_postfix(kind: K) -> bool {
    matches!(kind, K::MemberExpr | K::CallExpr | K::IndexExpr)
}

//! The layout of each construct: a pass over an item's nodes, children before
//! parents. `blocks` has what stands one a line, `lists` what stands between
//! brackets, `chains` what goes on over several lines.

use super::layout::{Breaks, Edit, INNER, Layout, NO_GROUP, SPACE, table};
use crate::kind::SyntaxKind as K;

/// Kinds that [`Layout::decide_node`] has something to say about: half of the
/// nodes are names and literals, and have the gaps that every token has.
static HAS_RULE: [bool; 256] = table(&[
    K::Block,
    K::AgentBody,
    K::EntryBlock,
    K::AttributeBlock,
    K::PolicyBody,
    K::MatchBody,
    K::WithBlock,
    K::Entry,
    K::CapabilitiesDef,
    K::Rule,
    K::RuleTail,
    K::TypeDef,
    K::ParamList,
    K::ArgList,
    K::ArrayExpr,
    K::RecordExpr,
    K::StructType,
    K::StructExpr,
    K::ParenExpr,
    K::IndexExpr,
    K::CallExpr,
    K::MemberExpr,
    K::BinaryExpr,
    K::PrefixExpr,
    K::LiteralPattern,
    K::TypeArgs,
    K::TypeParams,
    K::CallPattern,
    K::MatchArm,
    K::IfExpr,
    K::TryExpr,
    K::WhileStmt,
    K::ForStmt,
    K::MatchExpr,
]);

impl Layout<'_> {
    /// Decides about the whole item.
    pub(super) fn decide(&mut self) {
        let nodes = self.nodes;
        for (index, node) in nodes.iter().enumerate() {
            if HAS_RULE[node.kind() as usize] {
                self.decide_node(index as u32);
            }
        }
    }

    fn decide_node(&mut self, index: u32) {
        let node = self.node(index);
        let (first, end) = (node.first, node.end);
        match node.kind() {
            K::Block => self.block(index),
            K::AgentBody | K::EntryBlock | K::AttributeBlock | K::PolicyBody => self.lines(index),
            K::MatchBody => self.arms(index),
            K::WithBlock => self.with_header(index),
            K::Entry => self.entry(index),
            K::CapabilitiesDef => self.capabilities(index),
            K::Rule => self.rule(index),
            K::RuleTail => {
                // Words of any kind: each as near to the one before it as it was.
                for token in first..end {
                    let spaced = self.toks[token as usize].spaced();
                    self.plain(token, spaced);
                }
            }
            K::TypeDef if self.kind(end - 1) == K::Semicolon => self.edit(end - 1, Edit::Drop),
            K::ParamList | K::ArgList => {
                self.plain(first, false);
                self.list(index, first, false);
            }
            K::ArrayExpr => self.list(index, first, false),
            K::RecordExpr | K::StructType => self.list(index, first, true),
            K::StructExpr => self.struct_literal(index),
            K::ParenExpr => self.parentheses(index),
            K::IndexExpr => {
                if let Some(base) = self.first_of_two(index) {
                    self.plain(self.node(base).end, false);
                }
                self.method_chain(index);
            }
            K::CallExpr => self.method_chain(index),
            K::MemberExpr => {
                self.member(index);
                self.method_chain(index);
            }
            K::BinaryExpr => self.operators(index),
            K::PrefixExpr | K::LiteralPattern => {
                let sign = matches!(self.kind(first), K::Minus | K::Bang);
                // Two signs glued together would look like another one.
                if sign && first + 1 < end {
                    let double = self.kind(first) == K::Minus && self.kind(first + 1) == K::Minus;
                    self.plain(first + 1, double);
                }
            }
            K::TypeArgs | K::TypeParams => {
                self.plain(first, false);
                self.plain(first + 1, false);
                self.plain(end - 1, false);
            }
            K::CallPattern => self.call_pattern(index),
            K::MatchArm => {
                self.or_patterns(index);
                self.arm_head(index);
            }
            K::IfExpr => {
                self.head(index);
                self.conditional_value(index);
            }
            K::TryExpr => self.try_value(index),
            K::WhileStmt | K::ForStmt | K::MatchExpr => self.head(index),
            // Nothing else is in HAS_RULE.
            _ => {}
        }
    }

    /// `place.name`: glued, unless gluing would make one token of the two.
    fn member(&mut self, index: u32) {
        let Some(base) = self.last_child(index) else {
            return;
        };
        let dot = self.node(base).end;
        let before = self.kind(dot - 1);
        if before.is_literal()
            && !matches!(before, K::String | K::TripleString)
            && self.toks[dot as usize].spaced()
        {
            self.plain(dot, true);
        }
    }

    /// `a | b | c` in an arm: broken before each sign.
    fn or_patterns(&mut self, index: u32) {
        let node = self.node(index);
        let mut token = node.first;
        let mut signs = 0;
        let mut depth = 0;
        while token < node.end {
            self.step();
            match self.kind(token) {
                K::FatArrow | K::IfKw if depth == 0 && token > node.first => break,
                K::LParen => depth += 1,
                K::RParen => depth -= 1,
                K::Pipe => signs += 1,
                _ => {}
            }
            token += 1;
        }
        if signs == 0 {
            return;
        }
        let group = self.group(node.first, token - 1, Breaks::IfTooLong);
        for at in node.first..token {
            if self.kind(at) == K::Pipe {
                self.gap(at, group, SPACE);
            }
        }
    }

    /// `pattern if guard => {`.
    fn arm_head(&mut self, index: u32) {
        let children = self.children(index);
        if let [.., guard, body] = children[..]
            && self.node_kind(guard) == K::ArmGuard
            && self.node_kind(body) == K::Block
        {
            self.block_behind(guard, body);
        }
        self.done(children);
    }

    /// The block after a condition of several lines begins on its own line.
    fn head(&mut self, index: u32) {
        let children = self.children(index);
        if let [head, body, ..] = children[..] {
            self.block_behind(head, body);
        }
        self.done(children);
    }

    /// An expression and the braces behind it: where the expression is a chain
    /// that is broken, they begin a line, as far in as its first one.
    fn block_behind(&mut self, head: u32, body: u32) {
        let value = match self.node_kind(head) {
            K::LetCondition | K::ArmGuard => self.last_child(head),
            _ => Some(head),
        };
        let Some(value) = value else { return };
        let chain = matches!(
            self.node_kind(value),
            K::BinaryExpr | K::CallExpr | K::MemberExpr | K::IndexExpr
        );
        let (node, brace) = (self.node(value), self.node(body).first);
        if !chain || self.kind(brace) != K::LBrace {
            return;
        }
        let group = self.slots[node.first as usize].opens;
        let whole = self
            .groups
            .get(group as usize)
            .is_some_and(|group| group.last == node.end - 1);
        if whole {
            self.groups[group as usize].last = brace;
            self.gap(brace, group, SPACE);
        }
    }

    /// Whether an `if` or `try` is a value rather than a statement. The last
    /// one of a block may be either: it is what it was written like.
    fn is_value(&self, index: u32) -> bool {
        let node = self.node(index);
        if node.parent == index {
            return false;
        }
        if self.node_kind(node.parent) != K::Block {
            return true;
        }
        let last = node.end + 1 == self.node(node.parent).end;
        last && !self.toks[node.first as usize + 1..node.end as usize]
            .iter()
            .any(|tok| tok.line_start())
    }

    /// `if c { a } else { b }` as a value, whose blocks hold one expression
    /// each: on one line if it fits.
    fn conditional_value(&mut self, index: u32) {
        let parent = self.node(index).parent;
        let else_if = self.node_kind(parent) == K::IfExpr && parent == index + 1;
        if else_if || !self.is_value(index) {
            return;
        }
        let mut blocks = Vec::new();
        let mut part = index;
        loop {
            let children = self.children(part);
            let last = children.last().copied();
            for &child in &children {
                if self.node_kind(child) == K::Block {
                    blocks.push(child);
                }
            }
            self.done(children);
            match last {
                Some(last) if self.node_kind(last) == K::IfExpr => part = last,
                _ => break,
            }
        }
        self.break_blocks_together(index, &blocks);
    }

    /// `try { a } catch (e) { b }` as a value, in the same way.
    fn try_value(&mut self, index: u32) {
        if !self.is_value(index) {
            return;
        }
        let children = self.children(index);
        let blocks: Vec<u32> = children
            .iter()
            .filter_map(|&child| match self.node_kind(child) {
                K::Block => Some(child),
                K::CatchClause => self.last_child(child),
                _ => None,
            })
            .collect();
        self.done(children);
        self.break_blocks_together(index, &blocks);
    }

    fn break_blocks_together(&mut self, index: u32, blocks: &[u32]) {
        if !blocks.iter().all(|&block| self.holds_one_value(block)) {
            return;
        }
        let node = self.node(index);
        let group = self.group(node.first, node.end - 1, Breaks::IfTooLong);
        for &block in blocks {
            let of_block = self.slots[self.node(block).first as usize].opens;
            if let Some(of_block) = self.groups.get_mut(of_block as usize) {
                of_block.breaks = Breaks::With(group);
            }
        }
    }

    /// A block that is one expression.
    pub(super) fn holds_one_value(&self, block: u32) -> bool {
        let node = self.node(block);
        let Some(child) = self.last_child(block) else {
            return false;
        };
        let inner = self.node(child);
        node.kind() == K::Block
            && inner.size() + 1 == node.size()
            && (inner.first, inner.end) == (node.first + 1, node.end - 1)
            && !(inner.kind() >= K::LetStmt && inner.kind() <= K::EmptyStmt)
    }

    /// `allow: name` and, on the next line, `in list` is a comparison; on one
    /// line `in list` would be a tail.
    fn keep_in_apart(&mut self, verb: u32) {
        let name = match self.kind(verb + 1) {
            K::Colon | K::Eq => verb + 2,
            _ => verb + 1,
        };
        let after = match self.kind(name + 1) {
            K::ColonColon => name + 3,
            _ => name + 1,
        };
        let apart = self.kind(verb) != K::RequireKw
            && self.kind(after) == K::InKw
            && self.kind(after + 1).is_word()
            && self.toks[after as usize].line_start();
        if apart {
            let group = self.group(name, after, Breaks::Always);
            self.gap(after, group, SPACE | INNER);
        }
    }

    /// A rule: its guard begins on a line of its own if it is too long.
    fn rule(&mut self, index: u32) {
        let node = self.node(index);
        self.rule_sign(node.first);
        let children = self.children(index);
        // `allow: [ … ] if x`: a list that is broken ends on the guard's line.
        let breaks = match children.first() {
            Some(&selector)
                if matches!(
                    self.node_kind(selector),
                    K::ArrayExpr | K::RecordExpr | K::CallExpr
                ) =>
            {
                Breaks::IfHeadFits(self.node(selector).end - 1)
            }
            _ => Breaks::IfTooLong,
        };
        let group = self.group(node.first, node.end - 1, breaks);
        for &child in &children {
            if self.node_kind(child) == K::RuleGuard {
                self.gap(self.node(child).first, group, SPACE | INNER);
            }
        }
        self.done(children);
        self.keep_in_apart(node.first);
        // Outside brackets a rule ends with its line, unless `if` or a binary
        // operator other than `-` follows (language.md section 4).
        let mut token = node.first;
        while token < node.end {
            self.step();
            let kind = self.kind(token);
            if matches!(kind, K::Dot | K::Minus) && self.slots[token as usize].group != NO_GROUP {
                let space = self.slots[token as usize].flags & SPACE != 0;
                self.plain(token, space);
            }
            token = match kind {
                K::LBrace | K::LParen | K::LBracket => {
                    (self.toks[token as usize].mate - self.base).max(token + 1)
                }
                _ => token + 1,
            };
        }
    }
}

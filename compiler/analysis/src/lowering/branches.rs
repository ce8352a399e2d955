//! `if`, `match` and `try`.

use std::collections::HashMap;
use std::sync::Arc;

use symbi_ir::{Arm, Case, Catch, Node, NodeId};
use symbi_syntax::SyntaxKind as K;
use symbi_syntax::ast::{
    AstNode, Block, Expr, IfExpr, LiteralValue, MatchArm, MatchExpr, Pattern, Stmt, TryExpr,
};

use super::code::{Builder, plain};
use crate::bodies::Resolution;

impl<'i> Builder<'_, 'i> {
    /// An `if` may have thousands of `else if` parts: a loop, no recursion. The
    /// last part is made first, because the others refer to it.
    #[inline(never)]
    pub(super) fn if_(&mut self, if_: IfExpr<'i>, needed: bool) -> NodeId {
        let mut parts = Vec::new();
        let mut part = if_;
        let last = loop {
            let node = part.node();
            let asked = match part.let_condition() {
                Some(let_) => {
                    let value = self.maybe(node, let_.value());
                    let case = let_
                        .pattern()
                        .map_or(Case::Any, |pattern| self.case(pattern, &mut HashMap::new()));
                    (value, Some(case))
                }
                None => (self.maybe(node, part.condition()), None),
            };
            let then = match part.then() {
                Some(then) => self.block(then, needed),
                None => self.null(node),
            };
            parts.push((node, asked, then));
            match part.else_if() {
                Some(next) => part = next,
                None => break part.otherwise().map(|block| self.block(block, needed)),
            }
        };
        let mut otherwise = last;
        let mut made = None;
        while let Some((node, (first, case), then)) = parts.pop() {
            let id = self.emit(
                node,
                match case {
                    None => Node::If {
                        condition: first,
                        then,
                        otherwise,
                    },
                    Some(case) => Node::IfLet {
                        value: first,
                        case,
                        then,
                        otherwise,
                    },
                },
            );
            otherwise = Some(id);
            made = Some(id);
        }
        made.unwrap_or_else(|| self.null(if_.node()))
    }

    #[inline(never)]
    pub(super) fn match_(&mut self, match_: MatchExpr<'i>, needed: bool) -> NodeId {
        let node = match_.node();
        let subject = self.maybe(node, match_.subject());
        let arms = match_.arms().map(|arm| self.arm(arm, needed)).collect();
        self.emit(
            node,
            Node::Match {
                subject,
                arms,
                value: needed,
            },
        )
    }

    fn arm(&mut self, arm: MatchArm<'i>, needed: bool) -> Arm {
        // A name that several patterns bind is one variable.
        let mut bound = HashMap::new();
        let cases = arm
            .patterns()
            .map(|pattern| self.case(pattern, &mut bound))
            .collect();
        let guard = arm.guard().map(|guard| self.expr(guard));
        let body = arm.body();
        let body = match body {
            None => self.null(arm.node()),
            Some(body) => match (Block::cast(body), Expr::cast(body), Stmt::cast(body)) {
                (Some(block), ..) => self.block(block, needed),
                (_, Some(value), _) => self.value(value, needed),
                (.., Some(Stmt::Assign(assign))) => self.assign(assign),
                _ => self.null(body),
            },
        };
        Arm { cases, guard, body }
    }

    /// A pattern. Patterns nest as deep as the parser lets them.
    fn case(&mut self, pattern: Pattern<'i>, bound: &mut HashMap<Arc<str>, u32>) -> Case {
        match pattern {
            Pattern::Wildcard(_) => Case::Any,
            Pattern::Name(_) => match pattern.name() {
                Some(name) => {
                    let token = name.tokens().start;
                    let first = *bound.entry(Arc::from(&*name.text())).or_insert(token);
                    self.share(token, first);
                    Case::Bind(self.declared(name))
                }
                None => Case::Any,
            },
            Pattern::Literal(node) => {
                let token = node.tokens().start;
                match (node.item().token_kind(token), pattern.literal()) {
                    (K::TrueKw, _) => Case::Bool(true),
                    (K::FalseKw, _) => Case::Bool(false),
                    (K::NullKw | K::NoneKw, _) => Case::Null,
                    (_, Some(literal)) => match literal.value() {
                        Some(value) => literal_case(value, pattern.is_negative()),
                        None => Case::Null,
                    },
                    (_, None) => Case::Null,
                }
            }
            Pattern::Call(node) => {
                let inner = match pattern.parts().next() {
                    Some(inner) => self.case(inner, bound),
                    None => Case::Any,
                };
                let inner = Box::new(inner);
                match node.item().token_kind(node.tokens().start) {
                    K::OkKw => Case::Ok(inner),
                    K::ErrKw => Case::Err(inner),
                    _ => Case::Some(inner),
                }
            }
        }
    }

    #[inline(never)]
    pub(super) fn try_(&mut self, try_: TryExpr<'i>, needed: bool) -> NodeId {
        let node = try_.node();
        let body = match try_.body() {
            Some(body) => self.block(body, needed),
            None => self.null(node),
        };
        let mut catches = Vec::new();
        for clause in try_.catches() {
            let kind = clause.type_name().filter(|kind| {
                let token = kind.tokens().start;
                self.inference.name_at(token) == Some(&Resolution::ErrorKind)
            });
            let kind = kind.map(|kind| Arc::from(&*kind.text()));
            let slot = clause.name().map(|name| self.declared(name));
            let body = match clause.body() {
                Some(body) => self.block(body, needed),
                None => self.null(clause.node()),
            };
            catches.push(Catch { kind, slot, body });
        }
        self.emit(node, Node::Try { body, catches })
    }
}

/// A literal of a pattern, with its sign.
fn literal_case(value: LiteralValue, negative: bool) -> Case {
    let value = match (value, negative) {
        (LiteralValue::Int(value), true) => {
            return Case::Int(0_i64.checked_sub_unsigned(value).unwrap_or(i64::MIN));
        }
        (value, _) => plain(value),
    };
    match value {
        Node::Int(value) => Case::Int(value),
        Node::Float(value) => Case::Float(if negative { -value } else { value }),
        Node::Duration(value) => Case::Duration(if negative { -value } else { value }),
        Node::Size(value) => Case::Size(if negative { -value } else { value }),
        Node::Bool(value) => Case::Bool(value),
        Node::Text(text) => Case::Text(text),
        // A secret equals nothing.
        _ => Case::Null,
    }
}

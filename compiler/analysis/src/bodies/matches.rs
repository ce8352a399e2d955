//! `match`: patterns, the values that arms leave out, and arms that are never
//! taken.
//!
//! `Some(x)` and `Ok(x)` are x when a program runs, so a value is one of five
//! things: a failure, `null`, `true`, `false`, or something else. A pattern
//! covers some of them, and a type needs some of them covered.

use std::collections::HashMap;

use symbi_diagnostics::names::N0204;
use symbi_diagnostics::{Diagnostic, Edit, types as codes};
use symbi_syntax::ast::{
    AstNode, Block, Expr, LiteralValue, MatchArm, MatchExpr, Name, Pattern, Stmt,
};
use symbi_syntax::{NodeRef, Place, SyntaxKind as K};

use super::LocalKind;
use super::expect::{Use, is_secret};
use super::expressions::literal_type;
use super::relate::{a, comparable, is_unknown, plain};
use super::scope::Checker;
use super::statements::Given;
use crate::findings::{at_name, at_node, at_token};
use crate::suggest::nearest;
use crate::ty::Ty;

/// Some of the five things that a value may be.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Cover(u8);

impl Cover {
    const NONE: Cover = Cover(0);
    const FAILURE: Cover = Cover(1);
    const NULL: Cover = Cover(2);
    const TRUE: Cover = Cover(4);
    const FALSE: Cover = Cover(8);
    const OTHER: Cover = Cover(16);
    const ALL: Cover = Cover(31);

    fn and(self, other: Cover) -> Cover {
        Cover(self.0 | other.0)
    }

    fn without(self, other: Cover) -> Cover {
        Cover(self.0 & !other.0)
    }

    fn within(self, other: Cover) -> Cover {
        Cover(self.0 & other.0)
    }
}

/// What values of a type may be.
fn needed(ty: &Ty) -> Cover {
    let mut needed = Cover::NONE;
    let mut ty = ty;
    loop {
        ty = match ty {
            Ty::Option(inner) => {
                needed = needed.and(Cover::NULL);
                inner
            }
            Ty::Result(inner, _) => {
                needed = needed.and(Cover::FAILURE);
                inner
            }
            Ty::Bool => return needed.and(Cover::TRUE).and(Cover::FALSE),
            Ty::Null => return needed.and(Cover::NULL),
            Ty::Any | Ty::Json | Ty::Opaque(_) | Ty::Parameter(_) | Ty::Never => {
                return Cover::ALL;
            }
            _ => return needed.and(Cover::OTHER),
        }
    }
}

/// The first literal of a pattern, with what it is.
fn literal_kind(pattern: Pattern<'_>) -> Option<K> {
    match pattern {
        Pattern::Literal(node) => Some(node.item().token_kind(node.tokens().start)),
        _ => None,
    }
}

/// Whether a pattern with parentheses is `Some(p)`, `Ok(p)` or `Err(p)`.
fn wraps_one(pattern: Pattern<'_>) -> bool {
    let node = pattern.node();
    let head = node.tokens().start;
    matches!(node.item().token_kind(head), K::SomeKw | K::OkKw | K::ErrKw)
        && node.item().token_kind(head + 1) == K::LParen
        && pattern.parts().count() == 1
}

/// Whether the language has such a pattern. Patterns nest as deep as the parser
/// lets them.
fn is_pattern(pattern: Pattern<'_>) -> bool {
    match pattern {
        Pattern::Name(node) => node.tokens().len() == 1,
        Pattern::Call(_) => wraps_one(pattern) && pattern.parts().all(is_pattern),
        Pattern::Wildcard(_) | Pattern::Literal(_) => true,
    }
}

/// The names that a pattern binds.
fn names<'i>(pattern: Pattern<'i>) -> Vec<Name<'i>> {
    match pattern {
        Pattern::Name(_) => pattern.name().into_iter().collect(),
        Pattern::Call(_) => pattern.parts().flat_map(names).collect(),
        Pattern::Wildcard(_) | Pattern::Literal(_) => Vec::new(),
    }
}

/// What a pattern covers for certain.
fn cover(pattern: Pattern<'_>) -> Cover {
    if !is_pattern(pattern) {
        return Cover::NONE;
    }
    match pattern {
        Pattern::Wildcard(_) | Pattern::Name(_) => Cover::ALL,
        Pattern::Literal(_) => match literal_kind(pattern) {
            Some(K::TrueKw) => Cover::TRUE,
            Some(K::FalseKw) => Cover::FALSE,
            Some(K::NullKw | K::NoneKw) => Cover::NULL,
            _ => Cover::NONE,
        },
        Pattern::Call(node) => {
            let inner = pattern.parts().next().map_or(Cover::NONE, cover);
            match node.item().token_kind(node.tokens().start) {
                K::SomeKw => inner.without(Cover::NULL),
                K::OkKw => inner.without(Cover::FAILURE),
                K::ErrKw if inner == Cover::ALL => Cover::FAILURE,
                _ => Cover::NONE,
            }
        }
    }
}

/// What makes a literal pattern the same as another.
fn literal_key(pattern: Pattern<'_>) -> Option<String> {
    let literal = pattern.literal()?;
    let value = literal.value()?;
    let sign = if pattern.is_negative() { "-" } else { "" };
    Some(match value {
        LiteralValue::Int(value) => format!("{sign}{value}"),
        LiteralValue::Float(value) => format!("{sign}{value}"),
        other => format!("{sign}{other:?}"),
    })
}

impl<'i> Checker<'i> {
    /// Declares what a pattern binds, and compares its literals with the type.
    pub(super) fn pattern(&mut self, pattern: Pattern<'i>, ty: &Ty) {
        match pattern {
            Pattern::Wildcard(_) => {}
            Pattern::Name(node) => {
                if node.tokens().len() > 1 {
                    self.no_pattern(node);
                } else if let Some(name) = pattern.name() {
                    self.declare(name, LocalKind::Pattern, ty.clone(), None);
                }
            }
            Pattern::Literal(node) => self.literal_pattern(node, pattern, ty),
            Pattern::Call(node) => {
                if !wraps_one(pattern) {
                    self.no_pattern(node);
                }
                let inner = match (node.item().token_kind(node.tokens().start), ty) {
                    (K::SomeKw, Ty::Option(inner)) => (**inner).clone(),
                    (K::OkKw, Ty::Result(inner, _)) => (**inner).clone(),
                    (K::ErrKw, Ty::Result(_, error)) => (**error).clone(),
                    (K::ErrKw, _) => Ty::Any,
                    _ => ty.clone(),
                };
                for part in pattern.parts() {
                    self.pattern(part, &inner);
                }
            }
        }
    }

    /// Reports a pattern that is none of the language's.
    #[cold]
    fn no_pattern(&mut self, node: NodeRef<'i>) {
        let item = node.item();
        let tokens = node.tokens();
        let head = tokens.start;
        let word = item.token_text(head);
        let call = item.token_kind(head + 1) == K::LParen;
        let known = matches!(item.token_kind(head), K::SomeKw | K::OkKw | K::ErrKw);
        let message = match (call, known) {
            (true, true) => format!("`{word}` has one pattern in its parentheses"),
            (true, false) => format!("there is no pattern `{word}(…)`"),
            (false, _) => {
                let text: String = tokens.clone().map(|at| item.token_text(at)).collect();
                format!("there is no pattern `{text}`: a name has no `::` here")
            }
        };
        let report = Diagnostic::new(&codes::T0318, at_node(node), message);
        let near = match word {
            "Error" | "Failure" => Some("Err"),
            "Success" => Some("Ok"),
            _ if call && !known => nearest(word, ["Some", "Ok", "Err"]),
            _ => None,
        };
        self.report(match near {
            Some(near) if call => report.fix(
                format!("write `{near}`"),
                vec![Edit {
                    at: at_token(head),
                    text: near.to_owned(),
                }],
            ),
            _ if known => report.help(format!("write `{word}(name)`, or `{word}(_)`")),
            _ => report.help(
                "match a text or a number, or ask in a guard: `value if value.kind == \"active\"`",
            ),
        });
    }

    /// Reports names that only some patterns of an arm bind.
    fn bound_by_all(&mut self, patterns: &[Pattern<'i>]) {
        if patterns.len() < 2 {
            return;
        }
        let bound: Vec<Vec<Name<'i>>> = patterns.iter().map(|one| names(*one)).collect();
        for one in &bound {
            for name in one {
                let text = name.text();
                if text.starts_with('_') {
                    continue;
                }
                let has = |names: &Vec<Name<'i>>| names.iter().any(|other| other.text() == text);
                let Some(without) = bound.iter().position(|names| !has(names)) else {
                    continue;
                };
                let report = Diagnostic::new(
                    &N0204,
                    at_name(*name),
                    format!("`{text}` has no value where another pattern of this arm fits"),
                )
                .note(
                    at_node(patterns[without].node()),
                    "this one does not bind it",
                )
                .help("write an arm for each of them, or the name in all of them");
                self.report(report);
            }
        }
    }

    fn literal_pattern(&mut self, node: NodeRef<'i>, pattern: Pattern<'i>, ty: &Ty) {
        if is_unknown(ty) {
            return;
        }
        if is_secret(ty) {
            self.secret_compared(node);
            return;
        }
        let found = match (pattern.literal(), literal_kind(pattern)) {
            (_, Some(K::TrueKw | K::FalseKw)) => Ty::Bool,
            (_, Some(K::NullKw | K::NoneKw)) => return,
            (Some(literal), _) => literal_type(literal),
            _ => return,
        };
        if !comparable(&found, ty) {
            let report = Diagnostic::new(
                &codes::T0314,
                at_node(node),
                format!("this is {}, and what is matched is {}", a(&found), a(ty)),
            )
            .label("so this never fits");
            self.report(report);
        }
    }

    /// `match`, as a statement or as a value.
    #[inline(never)]
    pub(super) fn match_(&mut self, match_: MatchExpr<'i>, used: Use<'_>) -> Given {
        let ty = match match_.subject() {
            Some(subject) => self.expr(subject, Use::ANY),
            None => Ty::Any,
        };
        let needed = needed(&ty);
        let mut covered = Cover::NONE;
        let mut literals: HashMap<String, NodeRef<'i>> = HashMap::new();
        let mut last: Option<NodeRef<'i>> = None;
        let mut given: Option<Given> = None;
        let mut whole = true;
        for arm in match_.arms() {
            let mark = self.open();
            let patterns: Vec<Pattern<'i>> = arm.patterns().collect();
            whole &= !patterns.is_empty();
            for pattern in &patterns {
                self.pattern(*pattern, &ty);
                whole &= is_pattern(*pattern);
            }
            self.bound_by_all(&patterns);
            let guard = arm.guard();
            if let Some(guard) = guard {
                let ty = self.expr(guard, Use::ANY);
                self.condition(guard.node(), &ty, "the guard of an arm");
            }
            let known = (covered, last);
            self.reach(&patterns, needed, known, &mut literals, guard.is_some());
            if guard.is_none() {
                for pattern in &patterns {
                    let more = covered.and(cover(*pattern));
                    if more != covered {
                        last = Some(pattern.node());
                    }
                    covered = more;
                }
            }
            let one = self.arm(arm, used);
            given = Some(match given {
                Some(before) => before.or(one),
                None => one,
            });
            self.close(mark);
        }
        let left = needed.without(covered);
        let given = given.unwrap_or(Given::NOTHING);
        // An arm that cannot be read may be the one that is missing.
        if left == Cover::NONE || !whole {
            return given;
        }
        self.left_out(match_, &ty, left, used);
        match used.needed {
            true => given,
            false => given.or(Given::TOLD),
        }
    }

    /// The value of an arm.
    fn arm(&mut self, arm: MatchArm<'i>, used: Use<'_>) -> Given {
        let Some(body) = arm.body() else {
            return Given::value(Ty::Any);
        };
        if let Some(block) = Block::cast(body) {
            let given = self.block(block, used);
            if used.needed && given.nothing && !self.gives_in_parts(block) {
                self.no_value(body, used);
            }
            return given;
        }
        if let Some(value) = Expr::cast(body) {
            return self.value(value, used);
        }
        if let Some(Stmt::Assign(assign)) = Stmt::cast(body) {
            if self.assign(assign) {
                return Given::value(Ty::Never);
            }
            if used.needed {
                self.no_value(body, used);
            }
        }
        Given::NOTHING
    }

    /// Reports patterns that nothing is left for.
    fn reach(
        &mut self,
        patterns: &[Pattern<'i>],
        needed: Cover,
        (covered, last): (Cover, Option<NodeRef<'i>>),
        literals: &mut HashMap<String, NodeRef<'i>>,
        guarded: bool,
    ) {
        let over = needed.without(covered) == Cover::NONE;
        let mut here = covered;
        for pattern in patterns {
            let node = pattern.node();
            let key = literal_key(*pattern);
            let covers = cover(*pattern);
            let before = match key.as_ref().and_then(|key| literals.get(key)) {
                Some(before) => Some(*before),
                None if over => last,
                None if covers != Cover::NONE
                    && covers.within(needed).without(here) == Cover::NONE
                    && covers.within(needed) != Cover::NONE =>
                {
                    last
                }
                None => None,
            };
            if let Some(before) = before {
                self.unreached(node, before, over);
            } else if let Some(key) = key.filter(|_| !guarded) {
                literals.insert(key, node);
            }
            if !guarded {
                here = here.and(covers);
            }
        }
    }

    #[cold]
    fn unreached(&mut self, node: NodeRef<'i>, before: NodeRef<'i>, over: bool) {
        let report = Diagnostic::new(&codes::T0331, at_node(node), "this arm is never taken");
        let report = match (before == node, over) {
            (true, _) => report,
            (false, true) => report.note(at_node(before), "nothing is left behind this one"),
            (false, false) => report.note(at_node(before), "this one takes the same values"),
        };
        self.report(report);
    }

    #[cold]
    fn left_out(&mut self, match_: MatchExpr<'i>, ty: &Ty, left: Cover, used: Use<'_>) {
        let names = [
            (Cover::TRUE, "`true`"),
            (Cover::FALSE, "`false`"),
            (Cover::NULL, "`null`"),
            (Cover::FAILURE, "a failure (`Err(e)`)"),
        ];
        let what = match left.within(Cover::OTHER) == Cover::NONE {
            true => {
                let found = names
                    .iter()
                    .filter(|(one, _)| left.within(*one) != Cover::NONE);
                let found: Vec<&str> = found.map(|(_, name)| *name).collect();
                found.join(" and ")
            }
            false if is_unknown(ty) || *plain(ty) == Ty::Bool => "other values".to_owned(),
            false => format!("other values of `{}`", plain(ty)),
        };
        let node = match_.node();
        let keyword = node.tokens().start;
        let last = match_
            .subject()
            .map_or(keyword, |subject| subject.node().tokens().end - 1);
        let report = Diagnostic::new(
            &codes::T0330,
            Place::Tokens(keyword, last),
            format!("this `match` has no arm for {what}"),
        );
        let report = match used.needed {
            true => report.label("it raises `no_match` then"),
            false => report.label("it does nothing then"),
        };
        self.report(report.help("add an arm for the rest: `_ => …`"));
    }
}

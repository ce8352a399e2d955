//! Blocks and statements, and which of them are never reached.

use std::collections::HashMap;

use symbi_diagnostics::{Diagnostic, names, types};
use symbi_syntax::ast::{
    AstNode, Block, Expr, ForStmt, IfExpr, LetStmt, ReturnStmt, Stmt, TryExpr, WhileStmt,
};
use symbi_syntax::{NodeRef, Place, SyntaxKind as K};

use super::expect::{Use, Why, did_you_mean};
use super::relate::{a, is_unknown, join, plain};
use super::scope::Checker;
use super::{LocalKind, Resolution};
use crate::findings::{at_name, at_node, at_token};
use crate::ty::Ty;

/// What a block or branch gives.
pub(super) struct Given {
    /// The type of its value; [`Ty::Never`] if it does not come to its end.
    pub ty: Ty,
    /// It comes to its end without a value, or may.
    pub nothing: bool,
    /// Every way to do so is reported.
    pub told: bool,
}

impl Given {
    pub(super) const NOTHING: Given = Given {
        ty: Ty::Null,
        nothing: true,
        told: false,
    };

    /// The way past a `match` that is reported.
    pub(super) const TOLD: Given = Given {
        told: true,
        ..Given::NOTHING
    };

    pub(super) fn value(ty: Ty) -> Self {
        Given {
            ty,
            nothing: false,
            told: false,
        }
    }

    /// What is given by one of two branches.
    pub(super) fn or(self, other: Given) -> Self {
        Given {
            nothing: self.nothing || other.nothing,
            told: (self.told || !self.nothing) && (other.told || !other.nothing),
            ty: join(self.ty, other.ty),
        }
    }
}

/// Kinds of errors that the language and its host raise (language.md 2.6).
const ERROR_KINDS: &[&str] = &[
    "Error",
    "NotFound",
    "Timeout",
    "data_too_large",
    "denied",
    "division_by_zero",
    "error",
    "invalid_arguments",
    "invalid_value",
    "missing_field",
    "no_match",
    "no_method",
    "no_provider",
    "not_comparable",
    "not_found",
    "out_of_range",
    "overflow",
    "secret_leak",
    "timeout",
    "too_deep",
    "unbound_name",
    "unreachable",
    "wrong_arguments",
    "wrong_type",
];

/// Words of a misplaced statement that may be names.
const WORDS: usize = 16;

impl<'i> Checker<'i> {
    /// A block with a scope of its own.
    pub(super) fn block(&mut self, block: Block<'i>, used: Use<'_>) -> Given {
        let mark = self.open();
        let given = self.statements(block, used);
        self.close(mark);
        given
    }

    /// The statements of a block.
    pub(super) fn statements(&mut self, block: Block<'i>, used: Use<'_>) -> Given {
        let mut children = block.node().children().peekable();
        // The statement that nothing behind it is reached from.
        let mut over: Option<NodeRef<'i>> = None;
        let mut told = false;
        let mut given = Given::NOTHING;
        while let Some(node) = children.next() {
            let is_last = children.peek().is_none();
            if let Some(last) = over.filter(|_| !told && is_statement(node)) {
                self.unreachable(last, node);
                told = true;
            }
            let ends = match Expr::cast(node) {
                Some(value) if is_last => {
                    given = self.value(value, used);
                    given.ty == Ty::Never
                }
                Some(value) => self.value(value, Use::IGNORED).ty == Ty::Never,
                None => match Stmt::cast(node) {
                    Some(statement) => self.statement(statement),
                    None => {
                        self.misplaced(node);
                        false
                    }
                },
            };
            if ends && over.is_none() {
                over = Some(node);
            }
        }
        match over {
            Some(_) => Given::value(Ty::Never),
            None => given,
        }
    }

    /// What is no statement is reported as syntax: `const LIMIT = 10;`,
    /// `function inner() {}`. The names in it may be read later on, and nothing
    /// is said about them on top.
    #[cold]
    fn misplaced(&mut self, node: NodeRef<'i>) {
        let item = node.item();
        for token in node.own_tokens().take(WORDS) {
            if item.token_kind(token).is_word() {
                self.declare_unknown(item.token_text(token), token);
            }
        }
    }

    #[cold]
    fn unreachable(&mut self, last: NodeRef<'i>, next: NodeRef<'i>) {
        let report = Diagnostic::new(&types::T0334, at_node(next), "this never runs")
            .note(at_node(last), "nothing behind this is reached");
        self.report(report);
    }

    /// An expression in the place of a value, or of a statement that may be
    /// one.
    pub(super) fn value(&mut self, value: Expr<'i>, used: Use<'_>) -> Given {
        match value {
            Expr::If(if_) => self.if_(if_, used),
            Expr::Match(match_) => self.match_(match_, used),
            Expr::Try(try_) => self.try_(try_, used),
            other => Given::value(self.expr(other, used)),
        }
    }

    /// Whether nothing behind the statement is reached.
    fn statement(&mut self, statement: Stmt<'i>) -> bool {
        match statement {
            Stmt::Let(let_) => self.let_(let_),
            Stmt::Assign(assign) => self.assign(assign),
            Stmt::Return(return_) => {
                self.return_(return_);
                true
            }
            Stmt::Break(break_) => self.leave_loop(break_.node(), true),
            Stmt::Continue(continue_) => self.leave_loop(continue_.node(), false),
            Stmt::For(for_) => {
                self.for_(for_);
                false
            }
            Stmt::While(while_) => self.while_(while_),
            Stmt::Expr(expr) => match expr.expr() {
                Some(expr) => self.value(expr, Use::IGNORED).ty == Ty::Never,
                None => false,
            },
            Stmt::If(if_) => self.if_(if_, Use::IGNORED).ty == Ty::Never,
            Stmt::Match(match_) => self.match_(match_, Use::IGNORED).ty == Ty::Never,
            Stmt::Try(try_) => self.try_(try_, Use::IGNORED).ty == Ty::Never,
        }
    }

    fn let_(&mut self, let_: LetStmt<'i>) -> bool {
        let written = let_
            .type_()
            .map(|type_| (self.written(type_), at_node(type_.node())));
        let name = let_.name();
        let ty = match (let_.value(), &written) {
            (Some(value), Some((ty, at))) => {
                let text = name.map(|name| name.text()).unwrap_or_default();
                self.expr(value, Use::of(ty, Why::Variable(&text, *at)))
            }
            (Some(value), None) => self.expr(value, Use::ANY),
            (None, _) => Ty::Any,
        };
        let ends = ty == Ty::Never;
        if let Some(name) = name {
            let (ty, declared) = match written {
                Some((written, at)) => (written, Some(at)),
                None if ends => (Ty::Any, None),
                None => (ty, None),
            };
            self.declare(name, LocalKind::Variable, ty, declared);
        }
        ends
    }

    fn return_(&mut self, return_: ReturnStmt<'i>) {
        let result = self.frame().and_then(|frame| frame.result.clone());
        let ty = match (return_.value(), &result) {
            (Some(value), Some(result)) => {
                let why = Why::Returned(&result.what, result.at);
                self.expr(value, Use::of(&result.ty, why))
            }
            (Some(value), None) => self.expr(value, Use::ANY),
            (None, result) => {
                if let Some(result) = result {
                    let why = Why::Returned(&result.what, result.at);
                    self.expect(return_.node(), &Ty::Null, Use::of(&result.ty, why));
                }
                Ty::Null
            }
        };
        if let Some(frame) = self.frame() {
            let before = frame.returned.take().unwrap_or(Ty::Never);
            frame.returned = Some(super::relate::bounded(join(before, ty)));
        }
    }

    /// `break` and `continue`. Whether there is a loop to leave.
    fn leave_loop(&mut self, node: NodeRef<'i>, is_break: bool) -> bool {
        let innermost = self.frame().and_then(|frame| frame.loops.last_mut());
        if let Some((_, broken)) = innermost {
            *broken |= is_break;
            return true;
        }
        let word = if is_break { "break" } else { "continue" };
        let report = Diagnostic::new(
            &names::N0212,
            at_token(node.tokens().start),
            format!("there is no loop around this `{word}`"),
        )
        .help("write `return` to leave the function");
        self.report(report);
        false
    }

    fn for_(&mut self, for_: ForStmt<'i>) {
        let ty = match for_.iterable() {
            Some(iterable) => {
                let ty = self.expr(iterable, Use::ANY);
                self.element(iterable.node(), &ty)
            }
            None => Ty::Any,
        };
        let mark = self.open();
        self.enter_loop(for_.node());
        if let Some(name) = for_.name() {
            self.declare(name, LocalKind::Loop, ty, None);
        }
        if let Some(body) = for_.body() {
            self.block(body, Use::IGNORED);
        }
        self.leave_loop_body();
        self.close(mark);
    }

    /// The type of what a loop over a value gets.
    fn element(&mut self, node: NodeRef<'i>, ty: &Ty) -> Ty {
        match plain(ty) {
            Ty::Array(element) | Ty::Set(element) => (**element).clone(),
            Ty::String => Ty::String,
            Ty::Map(..) | Ty::Record(_) | Ty::Struct(_) | Ty::Secret(_) => Ty::Any,
            ty if is_unknown(ty) => Ty::Any,
            ty => {
                let report = Diagnostic::new(
                    &types::T0313,
                    at_node(node),
                    format!("a loop goes over a list, and this is {}", a(ty)),
                );
                self.report(match ty {
                    Ty::Int => report.help("`range(0, n)` gives the numbers from 0 to below n"),
                    _ => report,
                });
                Ty::Any
            }
        }
    }

    fn while_(&mut self, while_: WhileStmt<'i>) -> bool {
        let mut for_ever = false;
        self.enter_loop(while_.node());
        if let Some(condition) = while_.condition() {
            let ty = self.expr(condition, Use::ANY);
            self.condition(condition.node(), &ty, "the condition");
            for_ever = is_true(condition);
        }
        if let Some(body) = while_.body() {
            self.block(body, Use::IGNORED);
        }
        let broken = self.leave_loop_body();
        for_ever && !broken
    }

    fn enter_loop(&mut self, node: NodeRef<'i>) {
        if let Some(frame) = self.frame() {
            frame.loops.push((node.tokens().start, false));
        }
    }

    /// Whether a `break` was in it.
    fn leave_loop_body(&mut self) -> bool {
        let left = self.frame().and_then(|frame| frame.loops.pop());
        left.is_some_and(|(_, broken)| broken)
    }

    /// An `if` may have thousands of `else if` parts: a loop, no recursion.
    #[inline(never)]
    pub(super) fn if_(&mut self, if_: IfExpr<'i>, used: Use<'_>) -> Given {
        let mut given = Given::value(Ty::Never);
        let mut part = if_;
        loop {
            let mark = self.open();
            if let Some(let_) = part.let_condition() {
                let ty = match let_.value() {
                    Some(value) => self.expr(value, Use::ANY),
                    None => Ty::Any,
                };
                if let Some(pattern) = let_.pattern() {
                    self.pattern(pattern, &ty);
                }
            } else if let Some(condition) = part.condition() {
                let ty = self.expr(condition, Use::ANY);
                self.condition(condition.node(), &ty, "the condition");
            }
            if let Some(then) = part.then() {
                given = given.or(self.branch(then, used));
            }
            self.close(mark);
            if let Some(next) = part.else_if() {
                part = next;
                continue;
            }
            return match part.otherwise() {
                Some(otherwise) => given.or(self.branch(otherwise, used)),
                None => {
                    if used.needed && given.ty != Ty::Never {
                        self.no_else(part.node());
                    }
                    given.or(Given::NOTHING)
                }
            };
        }
    }

    /// A branch of something that is used as a value.
    fn branch(&mut self, block: Block<'i>, used: Use<'_>) -> Given {
        let given = self.block(block, used);
        if used.needed && given.nothing && !self.gives_in_parts(block) {
            self.no_value(block.node(), used);
        }
        given
    }

    /// The last statement is itself one that has branches, each with its own
    /// report.
    pub(super) fn gives_in_parts(&self, block: Block<'i>) -> bool {
        matches!(
            block.value(),
            Some(Expr::If(_) | Expr::Match(_) | Expr::Try(_))
        )
    }

    /// Reports a branch without a value where one is needed.
    #[cold]
    pub(super) fn no_value(&mut self, node: NodeRef<'i>, used: Use<'_>) {
        let closing = node.tokens().end.saturating_sub(1);
        let at = match node.kind() {
            K::Block => Place::Tokens(closing, closing),
            _ => at_node(node),
        };
        let report = Diagnostic::new(
            &types::T0332,
            at,
            "this branch has no value, and the others are used as one",
        )
        .label("`null` without a value");
        self.report(match used.want {
            Some((want, _)) => report.help(format!("end it with {} and no `;` behind it", a(want))),
            None => report.help("end it with a value and no `;` behind it"),
        });
    }

    #[cold]
    fn no_else(&mut self, node: NodeRef<'i>) {
        let at = Place::Tokens(node.tokens().start, node.tokens().start);
        let report = Diagnostic::new(
            &types::T0332,
            at,
            "this `if` is used as a value and has no `else`",
        )
        .label("`null` if the condition does not hold")
        .help("write what it is otherwise: `else { … }`");
        self.report(report);
    }

    #[inline(never)]
    pub(super) fn try_(&mut self, try_: TryExpr<'i>, used: Use<'_>) -> Given {
        let mut given = match try_.body() {
            Some(body) => self.branch(body, used),
            None => Given::NOTHING,
        };
        // The kinds that are caught so far, and the clause that catches all.
        let mut caught: HashMap<String, NodeRef<'i>> = HashMap::new();
        let mut all: Option<NodeRef<'i>> = None;
        for clause in try_.catches() {
            let kind = clause.type_name().map(|kind| kind.text().into_owned());
            let same = kind.as_ref().and_then(|kind| caught.get(kind).copied());
            if let Some(before) = all.or(same) {
                let report = Diagnostic::new(
                    &types::T0334,
                    at_token(clause.node().tokens().start),
                    "this never runs",
                )
                .note(
                    at_token(before.tokens().start),
                    "this catches the same errors",
                );
                self.report(report);
            }
            let declares = kind.as_deref().is_some_and(|kind| {
                ERROR_KINDS.contains(&kind) || self.declared_type(kind).is_some()
            });
            match kind {
                Some(kind) if declares && kind != "Error" => {
                    caught.entry(kind).or_insert(clause.node());
                }
                _ => all = all.or(Some(clause.node())),
            }
            if let Some(kind) = clause.type_name() {
                let counts = declares && kind.text() != "Error";
                self.resolve_name(kind.tokens().start, || match counts {
                    true => Resolution::ErrorKind,
                    false => Resolution::Unbound,
                });
                let text = kind.text();
                if !declares {
                    let report = Diagnostic::new(
                        &types::T0321,
                        at_name(kind),
                        format!("nothing declares the kind of error `{text}`"),
                    )
                    .label("so this catches every error");
                    let near = crate::suggest::nearest(&text, ERROR_KINDS.iter().copied());
                    self.report(match near {
                        Some(near) => did_you_mean(report, near),
                        None => report.help(format!(
                            "declare it: `type {text} = {{ … }}`, or write `catch (e)` for every error"
                        )),
                    });
                }
            }
            let mark = self.open();
            if let Some(name) = clause.name() {
                self.declare(name, LocalKind::Caught, Ty::Error, None);
            }
            if let Some(body) = clause.body() {
                given = given.or(self.branch(body, used));
            }
            self.close(mark);
        }
        given
    }
}

/// A stray `;` and what is no statement are reported as syntax.
fn is_statement(node: NodeRef<'_>) -> bool {
    match Stmt::cast(node) {
        Some(Stmt::Expr(statement)) => statement.expr().is_some(),
        Some(_) => true,
        None => Expr::cast(node).is_some(),
    }
}

/// It is the word `true`, perhaps in parentheses.
fn is_true(condition: Expr<'_>) -> bool {
    let mut condition = condition;
    while let Expr::Paren(paren) = condition {
        match paren.inner() {
            Some(inner) => condition = inner,
            None => return false,
        }
    }
    let node = condition.node();
    matches!(condition, Expr::Literal(_))
        && node.item().token_kind(node.tokens().start) == K::TrueKw
}

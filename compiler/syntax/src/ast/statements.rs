//! Statements and blocks.

use super::{
    AstNode, Expr, IfExpr, MatchExpr, Name, Type, child, children, choice, name_at, views,
};
use crate::kind::SyntaxKind::{self, self as K};

views! {
    /// `{ statements }`.
    Block;
    /// `let name: T = e;`.
    LetStmt;
    /// `place = e;`, `place += e;`.
    AssignStmt;
    /// `return e;`.
    ReturnStmt;
    /// `break;`.
    BreakStmt;
    /// `continue;`.
    ContinueStmt;
    /// `for x in e { … }`.
    ForStmt;
    /// `while e { … }`.
    WhileStmt;
    /// `e;`.
    ExprStmt;
    /// `try { … } catch (e) { … }`, as a statement or a value.
    TryExpr;
    /// `catch (Type e) { … }`.
    CatchClause;
}

choice! {
    /// A statement.
    Stmt {
        /// `let`.
        Let(LetStmt),
        /// An assignment.
        Assign(AssignStmt),
        /// `return`.
        Return(ReturnStmt),
        /// `break`.
        Break(BreakStmt),
        /// `continue`.
        Continue(ContinueStmt),
        /// `for`.
        For(ForStmt),
        /// `while`.
        While(WhileStmt),
        /// An expression and its `;`.
        Expr(ExprStmt),
        /// `if`, as a statement or as the value of its block.
        If(IfExpr),
        /// `match`, likewise.
        Match(MatchExpr),
        /// `try`, likewise.
        Try(TryExpr),
    }
}

impl<'i> Block<'i> {
    /// Its statements. An `if`, `match` or `try` that is its value is among
    /// them.
    pub fn statements(self) -> impl Iterator<Item = Stmt<'i>> {
        children(self.0)
    }

    /// Its value: a last expression without `;`, or a last `if`, `match` or
    /// `try`.
    pub fn value(self) -> Option<Expr<'i>> {
        Expr::cast(self.0.children_backwards().next()?)
    }

    /// It holds no statement and no value.
    pub fn is_empty(self) -> bool {
        self.0.children_backwards().next().is_none()
    }
}

impl<'i> LetStmt<'i> {
    /// The name it declares.
    pub fn name(self) -> Option<Name<'i>> {
        let token = self.0.tokens().start + 1;
        let after_mut = self.0.item().token_text(token) == "mut"
            && self.0.item().token_kind(token + 1).is_word();
        name_at(self.0, token + u32::from(after_mut))
    }

    /// Its type, if it is written.
    pub fn type_(self) -> Option<Type<'i>> {
        child(self.0)
    }

    /// Its value.
    pub fn value(self) -> Option<Expr<'i>> {
        child(self.0)
    }
}

impl<'i> AssignStmt<'i> {
    /// What is assigned to.
    pub fn target(self) -> Option<Expr<'i>> {
        child(self.0)
    }

    /// `=`, `+=`, `-=`, `*=`, `/=` or `%=`.
    pub fn sign(self) -> Option<SyntaxKind> {
        let item = self.0.item();
        self.0
            .own_tokens()
            .map(|token| item.token_kind(token))
            .find(|kind| {
                matches!(
                    kind,
                    K::Eq | K::PlusEq | K::MinusEq | K::StarEq | K::SlashEq | K::PercentEq
                )
            })
    }

    /// The value on the right.
    pub fn value(self) -> Option<Expr<'i>> {
        children(self.0).nth(1)
    }
}

impl<'i> ReturnStmt<'i> {
    /// Its value.
    pub fn value(self) -> Option<Expr<'i>> {
        child(self.0)
    }
}

impl<'i> ExprStmt<'i> {
    /// Its expression.
    pub fn expr(self) -> Option<Expr<'i>> {
        child(self.0)
    }
}

impl<'i> ForStmt<'i> {
    /// The name it binds.
    pub fn name(self) -> Option<Name<'i>> {
        name_at(self.0, self.0.tokens().start + 1)
    }

    /// What it goes over.
    pub fn iterable(self) -> Option<Expr<'i>> {
        child(self.0)
    }

    /// Its body.
    pub fn body(self) -> Option<Block<'i>> {
        child(self.0)
    }
}

impl<'i> WhileStmt<'i> {
    /// Its condition.
    pub fn condition(self) -> Option<Expr<'i>> {
        child(self.0)
    }

    /// Its body.
    pub fn body(self) -> Option<Block<'i>> {
        child(self.0)
    }
}

impl<'i> TryExpr<'i> {
    /// What is tried.
    pub fn body(self) -> Option<Block<'i>> {
        child(self.0)
    }

    /// Its catch clauses.
    pub fn catches(self) -> impl Iterator<Item = CatchClause<'i>> {
        children(self.0)
    }
}

impl<'i> CatchClause<'i> {
    /// The words before its body: `e`, or the type and `e`.
    fn words(self) -> Vec<Name<'i>> {
        let item = self.0.item();
        let mut words: Vec<Name<'i>> = Vec::new();
        let mut joined = false;
        for token in self.0.own_tokens().skip(1) {
            match item.token_kind(token) {
                K::ColonColon => joined = true,
                kind if kind.is_word() => {
                    match words.last_mut() {
                        Some(last) if joined => last.end = token + 1,
                        _ => words.push(Name::token(item, token)),
                    }
                    joined = false;
                }
                _ => {}
            }
        }
        words
    }

    /// The type in `catch (Type e)`.
    pub fn type_name(self) -> Option<Name<'i>> {
        let words = self.words();
        (words.len() > 1).then(|| words.first().copied()).flatten()
    }

    /// The name it binds.
    pub fn name(self) -> Option<Name<'i>> {
        self.words().last().copied()
    }

    /// Its body.
    pub fn body(self) -> Option<Block<'i>> {
        child(self.0)
    }
}

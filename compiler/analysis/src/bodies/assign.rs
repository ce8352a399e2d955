//! Assignments, and what they change.

use symbi_diagnostics::{Diagnostic, names, types};
use symbi_syntax::ast::{AssignStmt, AstNode, BinaryOp, Expr, Name};
use symbi_syntax::{NodeRef, Place, SyntaxKind as K};

use super::Resolution;
use super::expect::{Use, Why};
use super::relate::{a, array, fits, plain};
use super::scope::{Checker, Target};
use crate::findings::{at_name, at_node};
use crate::ty::{RecordTy, Ty};

/// A field or index that is assigned to.
pub(super) struct Spot {
    /// What it holds.
    pub ty: Ty,
    /// The field and the struct, where it is one.
    pub field: Option<(String, String)>,
    /// It is an element of a list.
    pub in_list: bool,
    /// Its type is declared, so that nothing else may be put there.
    pub declared: bool,
}

impl<'i> Checker<'i> {
    /// Whether nothing behind the assignment is reached.
    pub(super) fn assign(&mut self, assign: AssignStmt<'i>) -> bool {
        let plain_sign = assign.sign() == Some(K::Eq);
        match assign.target() {
            None => {
                if let Some(value) = assign.value() {
                    self.expr(value, Use::ANY);
                }
                false
            }
            Some(Expr::Name(name)) => match name.name() {
                Some(name) if plain_sign => self.assign_name(name, assign.value()),
                Some(name) => self.update_name(assign, name),
                None => false,
            },
            Some(target) => self.assign_place(assign, target, plain_sign),
        }
    }

    /// `name = value`.
    fn assign_name(&mut self, name: Name<'i>, value: Option<Expr<'i>>) -> bool {
        let text = name.text();
        let declared = match self.target(&text) {
            Target::Local(id) | Target::Captured(id) => {
                let local = &self.run.locals[id as usize];
                local.declared.map(|at| (local.ty.clone(), at))
            }
            Target::New => None,
        };
        let ty = match (value, &declared) {
            (Some(value), Some((ty, at))) => {
                self.expr(value, Use::of(ty, Why::Variable(&text, *at)))
            }
            (Some(value), None) => self.expr(value, Use::ANY),
            (None, _) => Ty::Any,
        };
        if ty == Ty::Never {
            return true;
        }
        let token = name.tokens().start;
        match self.target(&text) {
            Target::Local(id) => {
                self.resolve_name(token, || Resolution::Local(id));
                self.widen(id, ty);
            }
            Target::Captured(id) => {
                self.resolve_name(token, || Resolution::Local(id));
                self.captured(name, id);
                self.widen(id, ty);
            }
            Target::New => self.declare_implicit(name, ty),
        }
        false
    }

    /// `name += value`.
    fn update_name(&mut self, assign: AssignStmt<'i>, name: Name<'i>) -> bool {
        let text = name.text();
        let token = name.tokens().start;
        let Some(id) = self.local(&text) else {
            // A function or type of this name cannot be added to.
            self.read_later(&text, token, Resolution::Unbound);
            self.compound(assign, &Ty::Any);
            return false;
        };
        let before = self.read_local(id, token);
        let after = self.compound(assign, &before);
        self.captured(name, id);
        match self.run.locals[id as usize].declared {
            Some(at) if !fits(&after, &before) => {
                let why = Why::Variable(&text, at);
                self.contradiction(assign.node(), &after, &before, why);
            }
            _ => self.widen(id, after),
        }
        false
    }

    /// `place.field = value`, `list[0] += value`.
    fn assign_place(&mut self, assign: AssignStmt<'i>, target: Expr<'i>, plain_sign: bool) -> bool {
        let spot = self.spot(target);
        let why = match &spot.field {
            Some((field, of)) => Why::Field(field, of),
            None if spot.in_list => Why::Element,
            None => Why::MapValue,
        };
        let ty = match (plain_sign, assign.value()) {
            (false, _) => {
                let after = self.compound(assign, &spot.ty);
                if spot.declared && !fits(&after, &spot.ty) {
                    self.contradiction(assign.node(), &after, &spot.ty, why);
                }
                after
            }
            (true, Some(value)) if spot.declared => self.expr(value, Use::of(&spot.ty, why)),
            (true, Some(value)) => self.expr(value, Use::ANY),
            (true, None) => Ty::Any,
        };
        if ty == Ty::Never {
            return true;
        }
        if !spot.declared && ty != spot.ty {
            self.loosen(target);
        }
        self.copy_changed(target);
        false
    }

    /// The type of `before op value`.
    fn compound(&mut self, assign: AssignStmt<'i>, before: &Ty) -> Ty {
        let Some(value) = assign.value() else {
            return Ty::Any;
        };
        let after = self.expr(value, Use::ANY);
        let operator = match assign.sign() {
            Some(K::PlusEq) => BinaryOp::Add,
            Some(K::MinusEq) => BinaryOp::Subtract,
            Some(K::StarEq) => BinaryOp::Multiply,
            Some(K::SlashEq) => BinaryOp::Divide,
            Some(K::PercentEq) => BinaryOp::Remainder,
            _ => return Ty::Any,
        };
        self.arithmetic(operator, assign.node(), before, &after)
    }

    /// Reports an assignment in a lambda to a variable outside it.
    fn captured(&mut self, name: Name<'i>, id: u32) {
        let local = &self.run.locals[id as usize];
        if local.frame >= self.run.frames.len() {
            return;
        }
        let declared = Place::Tokens(local.tokens.0, local.tokens.1 - 1);
        let text = name.text();
        let report = Diagnostic::new(
            &names::N0205,
            at_name(name),
            format!("this changes the lambda's own copy of `{text}`"),
        )
        .note(declared, "the variable outside keeps its value")
        .help("let the lambda give the new value, or use a `for` loop");
        self.report(report);
    }

    /// The variable that a place is in: `a` of `a.b[0]`.
    fn root(&self, place: Expr<'i>) -> Option<(Name<'i>, u32)> {
        let mut place = place;
        loop {
            place = match place {
                Expr::Member(member) => member.object()?,
                Expr::Index(index) => index.object()?,
                Expr::Name(name) => {
                    let name = name.name()?;
                    return Some((name, self.local(&name.text())?));
                }
                _ => return None,
            };
        }
    }

    /// The variable that a place is in holds more than was thought.
    pub(super) fn loosen(&mut self, place: Expr<'i>) {
        let Some((_, id)) = self.root(place) else {
            return;
        };
        let looser = match &self.run.locals[id as usize].ty {
            Ty::Record(_) => Ty::Record(
                RecordTy {
                    fields: Vec::new(),
                    open: true,
                }
                .into(),
            ),
            Ty::Array(_) => array(Ty::Any),
            Ty::Set(_) => Ty::Set(Ty::Any.into()),
            Ty::Map(..) => Ty::Map(Ty::Any.into(), Ty::Any.into()),
            Ty::Struct(_) => return,
            _ => Ty::Any,
        };
        self.widen(id, looser);
    }

    /// Reports a change to what a lambda has a copy of.
    pub(super) fn copy_changed(&mut self, place: Expr<'i>) {
        if let Some((name, id)) = self.root(place) {
            self.captured(name, id);
        }
    }

    /// Whether what is in a variable has a declared type.
    pub(super) fn is_declared(&self, place: Expr<'i>) -> bool {
        self.root(place)
            .is_some_and(|(_, id)| self.run.locals[id as usize].declared.is_some())
    }

    /// What a field or index that is assigned to holds.
    fn spot(&mut self, target: Expr<'i>) -> Spot {
        let declared = self.is_declared(target);
        if let Expr::Index(index) = target
            && let Some(object) = index.object()
        {
            let object = self.expr(object, Use::ANY);
            return Spot {
                ty: self.index(index, &object),
                field: None,
                in_list: matches!(plain(&object), Ty::Array(_)),
                declared,
            };
        }
        let Expr::Member(member) = target else {
            return Spot {
                ty: self.expr(target, Use::ANY),
                field: None,
                in_list: false,
                declared,
            };
        };
        let Some((object, name)) = member.object().zip(member.name()) else {
            return Spot {
                ty: Ty::Any,
                field: None,
                in_list: false,
                declared: false,
            };
        };
        let ty = self.expr(object, Use::ANY);
        match plain(&ty) {
            // A record takes fields that it did not have.
            Ty::Record(record) => {
                let text = name.text();
                let known = record.fields.iter().find(|(known, _)| **known == *text);
                Spot {
                    ty: known.map_or(Ty::Any, |(_, ty)| ty.clone()),
                    field: None,
                    in_list: false,
                    declared: false,
                }
            }
            Ty::Struct(id) => Spot {
                ty: self.field(member.node(), name, &ty),
                field: Some((name.text().into_owned(), id.name.to_string())),
                in_list: false,
                declared: true,
            },
            _ => Spot {
                ty: self.field(member.node(), name, &ty),
                field: None,
                in_list: false,
                declared,
            },
        }
    }

    /// Reports a method that changes its receiver, where that is lost.
    pub(super) fn changes(&mut self, receiver: Expr<'i>, method: Name<'i>, ty: &Ty) {
        let mut receiver = receiver;
        while let Expr::Paren(paren) = receiver {
            match paren.inner() {
                Some(inner) => receiver = inner,
                None => return,
            }
        }
        if matches!(receiver, Expr::Name(_) | Expr::Member(_) | Expr::Index(_)) {
            return self.copy_changed(receiver);
        }
        let report = Diagnostic::new(
            &names::N0213,
            at_name(method),
            format!(
                "`{}` changes {}, and nothing keeps it",
                method.text(),
                a(ty)
            ),
        )
        .help("put it in a variable first: `let list = …;`");
        self.report(report);
    }

    /// The report about an operator.
    #[cold]
    pub(super) fn bad_operator(&mut self, node: NodeRef<'i>, sign: &str, left: &Ty, right: &Ty) {
        let report = Diagnostic::new(
            &types::T0305,
            at_node(node),
            format!("`{sign}` does not join {} and {}", a(left), a(right)),
        );
        let report = match (plain(left), plain(right)) {
            (Ty::Duration, Ty::Int | Ty::Float) | (Ty::Int | Ty::Float, Ty::Duration) => {
                report.help("write the number as a duration: `3s`, `3m` or `3h`")
            }
            (Ty::Size, Ty::Int | Ty::Float) | (Ty::Int | Ty::Float, Ty::Size) => {
                report.help("write the number as a size: `3KB`, `3MB` or `3GB`")
            }
            (Ty::String, Ty::Int | Ty::Float) | (Ty::Int | Ty::Float, Ty::String) => {
                report.help("turn the text into a number first: `text.to_int()`")
            }
            _ => report,
        };
        self.report(report);
    }
}

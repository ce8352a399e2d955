//! Expressions: chains of operators, calls and fields in a loop, what nests by
//! recursion.

use std::collections::HashMap;
use std::sync::Arc;

use symbi_syntax::NodeRef;
use symbi_syntax::ast::{
    ArrayExpr, AstNode, BinaryExpr, CallExpr, Expr, IndexExpr, LambdaBody, LambdaExpr, Literal,
    LiteralValue, MemberExpr, Name, NameExpr, PathExpr, PrefixExpr,
};

use super::calls::wrapping;
use super::expect::{Use, Why};
use super::relate::{array, bounded, is_unknown, join, plain};
use super::scope::{Checker, Due, Unknown};
use super::{LocalKind, Resolution};
use crate::findings::at_node;
use crate::ty::{FunctionTy, Ty};

/// A step of a chain, from the inside out.
enum Link<'i> {
    Binary(BinaryExpr<'i>),
    Prefix(PrefixExpr<'i>),
    Member(MemberExpr<'i>),
    Index(IndexExpr<'i>),
    /// A call of a value.
    Call(CallExpr<'i>),
    /// `x.m(…)`.
    Method(CallExpr<'i>, MemberExpr<'i>),
}

impl<'i> Link<'i> {
    fn node(&self) -> NodeRef<'i> {
        match self {
            Link::Binary(binary) => binary.node(),
            Link::Prefix(prefix) => prefix.node(),
            Link::Member(member) => member.node(),
            Link::Index(index) => index.node(),
            Link::Call(call) | Link::Method(call, _) => call.node(),
        }
    }
}

impl<'i> Checker<'i> {
    /// The type of an expression. A value that cannot be what is expected of
    /// it is reported where it stands: in the branch, not at the `if`.
    pub(super) fn expr(&mut self, expr: Expr<'i>, used: Use<'_>) -> Ty {
        let ty = match expr {
            Expr::Paren(paren) => {
                let ty = match paren.inner() {
                    Some(inner) => self.expr(inner, used),
                    None => Ty::Any,
                };
                self.record(expr.node(), &ty);
                return ty;
            }
            Expr::If(_) | Expr::Match(_) | Expr::Try(_) => {
                let ty = self.value(expr, used).ty;
                self.record(expr.node(), &ty);
                return ty;
            }
            Expr::Literal(literal) => match self.adapted(literal, used) {
                Some(adapted) => adapted,
                None => literal_type(literal),
            },
            Expr::Name(name) => self.name_expr(name),
            Expr::Path(path) => self.path(path),
            Expr::Array(list) => self.array(list, used),
            Expr::Record(record) => {
                let ty = self.record_literal(record, used);
                self.record(expr.node(), &ty);
                return ty;
            }
            Expr::Struct(structure) => self.struct_literal(structure),
            Expr::Lambda(lambda) => {
                let ty = self.lambda(lambda, used);
                self.record(expr.node(), &ty);
                self.expect_lambda(expr.node(), &ty, used);
                return ty;
            }
            Expr::Call(call) if wrapping(call).is_some() => {
                let ty = self.wrapping_call(call, used);
                self.record(expr.node(), &ty);
                return ty;
            }
            Expr::Binary(_)
            | Expr::Prefix(_)
            | Expr::Member(_)
            | Expr::Index(_)
            | Expr::Call(_) => self.chain(expr),
        };
        self.record(expr.node(), &ty);
        self.expect(expr.node(), &ty, used);
        ty
    }

    /// Keeps a type for editors.
    fn record(&mut self, node: NodeRef<'i>, ty: &Ty) {
        if self.recording {
            self.run.types.push((node.index(), ty.clone()));
        }
    }

    /// A chain may have 10,000 links: down to its first value, and back up.
    #[inline(never)]
    fn chain(&mut self, expr: Expr<'i>) -> Ty {
        let mut links: Vec<Link<'i>> = Vec::new();
        let mut at = Some(expr);
        let mut ty = loop {
            let Some(expr) = at else { break Ty::Any };
            at = match expr {
                Expr::Binary(binary) => {
                    links.push(Link::Binary(binary));
                    binary.left()
                }
                Expr::Prefix(prefix) => {
                    links.push(Link::Prefix(prefix));
                    prefix.operand()
                }
                Expr::Member(member) => {
                    links.push(Link::Member(member));
                    member.object()
                }
                Expr::Index(index) => {
                    links.push(Link::Index(index));
                    index.object()
                }
                Expr::Call(call) => match call.callee() {
                    Some(Expr::Name(name)) => {
                        break self.named_call(call, name);
                    }
                    Some(Expr::Path(path)) => {
                        break self.path_call(call, path);
                    }
                    Some(Expr::Member(member)) if member.name().is_some() => {
                        links.push(Link::Method(call, member));
                        member.object()
                    }
                    callee => {
                        links.push(Link::Call(call));
                        callee
                    }
                },
                atom => break self.expr(atom, Use::ANY),
            };
        };
        while let Some(link) = links.pop() {
            let node = link.node();
            ty = self.link(link, &ty);
            if !links.is_empty() {
                self.record(node, &ty);
            }
        }
        ty
    }

    /// The type of one link, given that of what it is applied to.
    #[inline(never)]
    fn link(&mut self, link: Link<'i>, ty: &Ty) -> Ty {
        match link {
            Link::Binary(binary) => {
                let right = match binary.right() {
                    Some(right) => self.expr(right, Use::ANY),
                    None => Ty::Any,
                };
                self.binary(binary, ty, &right)
            }
            Link::Prefix(prefix) => self.prefix(prefix, ty),
            Link::Member(member) => match member.name() {
                Some(name) => self.field(member.node(), name, ty),
                None => Ty::Any,
            },
            Link::Index(index) => self.index(index, ty),
            Link::Call(call) => self.value_call(call, ty),
            Link::Method(call, member) => self.method_call(call, member, ty),
        }
    }

    fn name_expr(&mut self, name: NameExpr<'i>) -> Ty {
        match name.name() {
            Some(name) => self.name(name),
            None => Ty::Any,
        }
    }

    /// The type of a name that is read.
    pub(super) fn name(&mut self, name: Name<'i>) -> Ty {
        let text = name.text();
        let token = name.tokens().start;
        if let Some(id) = self.local(&text) {
            return self.read_local(id, token);
        }
        let global = self.global(&text);
        let otherwise = match global {
            Some(_) => self.read_as(&text),
            None => Resolution::Unbound,
        };
        self.read_later(&text, token, otherwise);
        global.unwrap_or(Ty::Any)
    }

    fn path(&mut self, path: PathExpr<'i>) -> Ty {
        let text = path.text();
        let is_global = self.is_global(&text);
        self.resolve_name(path.node().tokens().start, || match is_global {
            true => Resolution::Named,
            false => Resolution::Unbound,
        });
        if !is_global {
            self.run.unknown.push(Unknown {
                name: text,
                at: at_node(path.node()),
                call: false,
            });
        }
        Ty::Any
    }

    #[inline(never)]
    fn array(&mut self, list: ArrayExpr<'i>, used: Use<'_>) -> Ty {
        let element = used.want.and_then(|(want, why)| match plain(want) {
            Ty::Array(element) if !is_unknown(element) => Some((element.clone(), why)),
            _ => None,
        });
        let mut ty: Option<Ty> = None;
        for value in list.elements() {
            let found = match &element {
                Some((want, Why::Block)) => self.expr(value, Use::of(want, Why::Block)),
                Some((want, _)) => self.expr(value, Use::of(want, Why::Element)),
                None => self.expr(value, Use::ANY),
            };
            ty = Some(match ty {
                Some(before) => bounded(join(before, found)),
                None => bounded(found),
            });
        }
        match (element, ty) {
            // What does not fit is reported already.
            (Some((element, _)), _) => Ty::Array(element),
            (None, Some(ty)) => array(ty),
            (None, None) => array(Ty::Any),
        }
    }

    #[inline(never)]
    pub(super) fn lambda(&mut self, lambda: LambdaExpr<'i>, used: Use<'_>) -> Ty {
        let expected = used.ty().and_then(|want| match plain(want) {
            Ty::Function(function) => Some(function.clone()),
            _ => None,
        });
        let names = lambda.params();
        let result = expected
            .as_ref()
            .map(|function| function.result.clone())
            .filter(|result| !is_unknown(result));
        let what = "the lambda".into();
        self.enter(
            true,
            result.as_ref().map(|result| Due {
                ty: result.clone(),
                at: at_node(lambda.node()),
                what,
            }),
        );
        let mark = self.open();
        let mut params = Vec::with_capacity(names.len());
        let several = names.len() > 1;
        let mut known = HashMap::new();
        for (at, name) in names.into_iter().enumerate() {
            let ty = expected
                .as_ref()
                .and_then(|function| function.params.get(at));
            let ty = ty.cloned().unwrap_or(Ty::Any);
            params.push(bounded(ty.clone()));
            if several {
                self.declared_once("parameter", name, &mut known);
            }
            self.declare(name, LocalKind::LambdaParameter, ty, None);
        }
        let used = match &result {
            Some(result) => Use {
                needed: false,
                ..Use::of(result, Why::LambdaResult)
            },
            None => Use::IGNORED,
        };
        let value = match lambda.body() {
            Some(LambdaBody::Expr(body)) => self.value(body, used).ty,
            Some(LambdaBody::Block(block)) => self.statements(block, used).ty,
            None => Ty::Any,
        };
        self.close(mark);
        let frame = self.leave();
        let given = match frame.returned {
            Some(returned) => join(returned, value),
            None => value,
        };
        Ty::Function(Arc::new(FunctionTy {
            params,
            result: bounded(given),
        }))
    }
}

/// The type of a literal; `Any` for one that was reported.
pub(super) fn literal_type(literal: Literal<'_>) -> Ty {
    // What a text says does not matter.
    if literal.is_text() {
        return Ty::String;
    }
    match literal.value() {
        Some(value) => value_type(&value),
        None => Ty::Any,
    }
}

fn value_type(value: &LiteralValue) -> Ty {
    match value {
        LiteralValue::Int(_) => Ty::Int,
        LiteralValue::Float(_) => Ty::Float,
        LiteralValue::Duration(_) => Ty::Duration,
        LiteralValue::Size(_) => Ty::Size,
        LiteralValue::Bool(_) => Ty::Bool,
        LiteralValue::Null => Ty::Null,
        LiteralValue::String(_) => Ty::String,
        LiteralValue::Secret(_) | LiteralValue::Env(_) => Ty::Secret(Arc::new(Ty::String)),
    }
}

//! Fields, indices and methods.

use std::sync::Arc;

use symbi_diagnostics::{Diagnostic, names, types as codes};
use symbi_syntax::NodeRef;
use symbi_syntax::ast::{AstNode, CallExpr, Expr, IndexExpr, LiteralValue, MemberExpr, Name};

use super::expect::{Use, did_you_mean};
use super::literals::no_field;
use super::overloads::{Overload, Receiver, accepts};
use super::relate::{a, comparable, fits, is_unknown, plain};
use super::scope::Checker;
use crate::findings::{at_name, at_node};
use crate::suggest::nearest;
use crate::ty::{FunctionTy, Signature, Ty};

/// The fields of what `catch` binds.
const ERROR_FIELDS: &[&str] = &["details", "kind", "message", "span"];

impl<'i> Checker<'i> {
    /// The type of a field. The node is the member expression.
    pub(super) fn field(&mut self, node: NodeRef<'i>, name: Name<'i>, object: &Ty) -> Ty {
        let text = name.text();
        match plain(object) {
            Ty::Struct(id) => {
                let Some(fields) = self.fields(id) else {
                    return Ty::Any;
                };
                match fields.get(&text) {
                    Some(field) => field.ty.clone(),
                    None => {
                        self.report(no_field(at_name(name), &text, id, &fields));
                        Ty::Any
                    }
                }
            }
            Ty::Record(record) => {
                let known = record.fields.iter().find(|(known, _)| **known == *text);
                match known {
                    Some((_, ty)) => ty.clone(),
                    None if record.open || text == "length" => Ty::Any,
                    None => {
                        let fields = record.fields.iter().map(|(name, _)| &**name);
                        self.lacks(name, object, nearest(&text, fields));
                        Ty::Any
                    }
                }
            }
            Ty::Error => match &*text {
                "kind" | "message" => Ty::String,
                "span" | "details" => Ty::Any,
                _ => {
                    let near = nearest(&text, ERROR_FIELDS.iter().copied());
                    self.lacks(name, object, near);
                    Ty::Any
                }
            },
            Ty::Secret(_) => Ty::Secret(Ty::Any.into()),
            unknown if is_unknown(unknown) => Ty::Any,
            known => {
                let methods = self.methods(&text, known);
                if let Some(property) = methods.iter().find(|one| one.facts.property) {
                    return property.signature.result.clone();
                }
                if let Ty::Map(_, value) = known {
                    return (**value).clone();
                }
                if !is_number_literal(MemberExpr::cast(node).and_then(MemberExpr::object)) {
                    self.lacks(name, object, None);
                }
                Ty::Any
            }
        }
    }

    /// Reports a field that a built-in type does not have.
    #[cold]
    fn lacks(&mut self, name: Name<'i>, object: &Ty, near: Option<&str>) {
        let text = name.text();
        let report = Diagnostic::new(
            &names::N0210,
            at_name(name),
            format!("{} has no field `{text}`", a(plain(object))),
        )
        .label("reading it raises `missing_field`");
        let is_method = !self.methods(&text, object).is_empty();
        self.report(match near {
            Some(near) => did_you_mean(report, near),
            None if is_method => report.help(format!("it has a method of this name: `.{text}()`")),
            None => report,
        });
    }

    /// The library's methods of this name that a value of a type has.
    fn methods(&self, name: &str, object: &Ty) -> Vec<Overload> {
        let mut found = self.overloads(name);
        found.retain(|one| one.facts.method && is_method_of(one.signature, object));
        found
    }

    /// The type of `object[index]`.
    pub(super) fn index(&mut self, index: IndexExpr<'i>, object: &Ty) -> Ty {
        let Some(at) = index.index() else {
            return Ty::Any;
        };
        let ty = self.expr(at, Use::ANY);
        self.indexed(index, at, object, ty)
    }

    #[inline(never)]
    fn indexed(&mut self, index: IndexExpr<'i>, at: Expr<'i>, object: &Ty, ty: Ty) -> Ty {
        match plain(object) {
            Ty::Array(element) => {
                self.place_in_list(at.node(), &ty, "a list");
                (**element).clone()
            }
            Ty::String => {
                self.place_in_list(at.node(), &ty, "a text");
                Ty::String
            }
            Ty::Map(key, value) => {
                if !comparable(&ty, key) {
                    let report = Diagnostic::new(
                        &codes::T0312,
                        at_node(at.node()),
                        format!("the keys of this map are `{key}`, and this is {}", a(&ty)),
                    );
                    self.report(report);
                }
                (**value).clone()
            }
            Ty::Record(record) => {
                let key = match at {
                    Expr::Literal(literal) => literal.string(),
                    _ => None,
                };
                let known = key.and_then(|key| {
                    let mut fields = record.fields.iter();
                    fields.find(|(name, _)| **name == *key)
                });
                known.map_or(Ty::Any, |(_, ty)| ty.clone())
            }
            Ty::Secret(_) => Ty::Secret(Ty::Any.into()),
            Ty::Struct(_) | Ty::Error => Ty::Any,
            unknown if is_unknown(unknown) => Ty::Any,
            _ => {
                let report = Diagnostic::new(
                    &codes::T0312,
                    at_node(index.node()),
                    format!("{} has nothing to look up by index", a(object)),
                );
                self.report(report);
                Ty::Any
            }
        }
    }

    fn place_in_list(&mut self, node: NodeRef<'i>, ty: &Ty, of: &str) {
        if fits(ty, &Ty::Int) {
            return;
        }
        let report = Diagnostic::new(
            &codes::T0312,
            at_node(node),
            format!("a place in {of} is an `int`, and this is {}", a(ty)),
        );
        self.report(match plain(ty) {
            Ty::Float => report.help("`/` always gives a float: write `div(a, b)`"),
            _ => report,
        });
    }

    /// The type of `object.m(…)`: a method of the library, else a function in
    /// the field `m`.
    #[inline(never)]
    pub(super) fn method_call(
        &mut self,
        call: CallExpr<'i>,
        member: MemberExpr<'i>,
        object: &Ty,
    ) -> Ty {
        match self.method(call, member, object) {
            Method::Unchecked => self.unchecked_arguments(call),
            Method::Function(name, function) => self.function_call(call, &name, &function),
            Method::Library(library) => {
                let receiver = Receiver {
                    ty: object,
                    changed: library.changed,
                    value: library.value,
                };
                self.choose(&library.name, &library.overloads, call, Some(receiver))
            }
        }
    }

    /// What a method call calls, with all there is to say about that. No
    /// argument is looked at here: this stays out of the way of recursion.
    #[inline(never)]
    fn method(&mut self, call: CallExpr<'i>, member: MemberExpr<'i>, object: &Ty) -> Method<'i> {
        let Some(name) = member.name().filter(|_| !is_unknown(object)) else {
            return Method::Unchecked;
        };
        let text = name.text();
        let mut overloads = self.methods(&text, object);
        if overloads.is_empty() && plain(object) != object {
            overloads = self.methods(&text, plain(object));
        }
        if let Some(value) = member.object().filter(|_| !overloads.is_empty()) {
            let changes = overloads.iter().all(|one| one.facts.updates);
            if changes {
                self.changes(value, name, object);
            }
            return Method::Library(Box::new(LibraryMethod {
                name: text.into_owned(),
                overloads,
                changed: Some(value).filter(|_| changes),
                value,
            }));
        }
        match plain(object) {
            Ty::Struct(id) => {
                let Some(fields) = self.fields(id) else {
                    return Method::Unchecked;
                };
                if let Some(field) = fields.get(&text) {
                    return self.field_call(call, &text, &field.ty);
                }
                let report = Diagnostic::new(
                    &codes::T0309,
                    at_name(name),
                    format!("`{}` has no method `{text}`", id.name),
                );
                let near = nearest(&text, fields.list.iter().map(|field| &*field.name));
                self.report(match near {
                    Some(near) => report.help(format!("did you mean the field `{near}`?")),
                    None => report.help(format!(
                        "methods are functions of the library: call your own as `{text}(value, …)`"
                    )),
                });
                Method::Unchecked
            }
            Ty::Record(record) => {
                let known = record.fields.iter().find(|(known, _)| **known == *text);
                match known {
                    Some((_, ty)) => self.field_call(call, &text, ty),
                    None if record.open => Method::Unchecked,
                    None => self.no_method(member, name, object),
                }
            }
            _ => self.no_method(member, name, object),
        }
    }

    #[cold]
    fn no_method(&mut self, member: MemberExpr<'i>, name: Name<'i>, object: &Ty) -> Method<'i> {
        if is_number_literal(member.object()) {
            return Method::Unchecked;
        }
        let text = name.text();
        let report = Diagnostic::new(
            &names::N0211,
            at_name(name),
            format!("{} has no method `{text}`", a(object)),
        )
        .label("calling it raises `no_method`");
        let library = self.program.stdlib();
        let known = library.functions.keys().filter(|name| {
            let mut methods = library.methods(name);
            methods.any(|signature| is_method_of(signature, plain(object)))
        });
        let near = match self.may_search() {
            true => nearest(&text, known.map(|name| &**name)),
            false => None,
        };
        self.report(match near {
            Some(near) => did_you_mean(report, near),
            None => report,
        });
        Method::Unchecked
    }

    fn field_call(&mut self, call: CallExpr<'i>, name: &str, ty: &Ty) -> Method<'i> {
        match plain(ty) {
            Ty::Function(function) => Method::Function(name.to_owned(), function.clone()),
            unknown if is_unknown(unknown) => Method::Unchecked,
            _ => {
                self.not_callable(call, ty);
                Method::Unchecked
            }
        }
    }
}

/// What a method call calls.
enum Method<'i> {
    /// Something unknown, or nothing, which is reported.
    Unchecked,
    /// The function in a field.
    Function(String, Arc<FunctionTy>),
    /// A method of the library.
    Library(Box<LibraryMethod<'i>>),
}

struct LibraryMethod<'i> {
    name: String,
    overloads: Vec<Overload>,
    changed: Option<Expr<'i>>,
    value: Expr<'i>,
}

/// Whether a value may be in front of a method.
fn is_method_of(signature: &Signature, object: &Ty) -> bool {
    let first = signature.params.first();
    first.is_some_and(|first| match &first.ty {
        Ty::Option(_) => matches!(object, Ty::Option(_)),
        _ => accepts(first, object),
    })
}

/// `5.value` is reported as syntax.
fn is_number_literal(object: Option<Expr<'_>>) -> bool {
    match object {
        Some(Expr::Literal(literal)) => matches!(
            literal.value(),
            Some(LiteralValue::Int(_) | LiteralValue::Float(_))
        ),
        _ => false,
    }
}

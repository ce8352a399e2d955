//! What is known of the values of a guard before it is ever asked: two of
//! different types are compared in vain.

use std::sync::Arc;

use symbi_policy::{Predicate, Shape, Value};
use symbi_syntax::ast::{BinaryOp, CallExpr, Expr, PrefixOp};

use crate::bodies::resolve_type;
use crate::declaration::TypeBody;
use crate::program::Program;
use crate::ty::Ty;

/// What sort of value it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sort {
    Bool,
    Int,
    Float,
    Text,
    Duration,
    Size,
    Time,
    List,
    Record,
}

impl Sort {
    /// As messages call one of it.
    pub fn name(self) -> &'static str {
        match self {
            Sort::Bool => "a yes or no",
            Sort::Int => "a whole number",
            Sort::Float => "a number",
            Sort::Text => "a text",
            Sort::Duration => "a length of time",
            Sort::Size => "an amount of memory",
            Sort::Time => "an instant",
            Sort::List => "a list",
            Sort::Record => "a record",
        }
    }

    pub fn of_value(value: &Value) -> Option<Self> {
        Some(match value {
            Value::Null => return None,
            Value::Bool(_) => Sort::Bool,
            Value::Int(_) => Sort::Int,
            Value::Float(_) => Sort::Float,
            Value::String(_) => Sort::Text,
            Value::Duration(_) => Sort::Duration,
            Value::Size(_) => Sort::Size,
            Value::Time(_) => Sort::Time,
            Value::Array(_) => Sort::List,
            Value::Record(_) => Sort::Record,
        })
    }

    pub fn of_type(ty: &Ty) -> Option<Self> {
        Some(match ty {
            Ty::String => Sort::Text,
            Ty::Int => Sort::Int,
            Ty::Float => Sort::Float,
            Ty::Bool => Sort::Bool,
            Ty::Duration => Sort::Duration,
            Ty::Size => Sort::Size,
            Ty::Time => Sort::Time,
            Ty::Array(_) | Ty::Set(_) => Sort::List,
            Ty::Map(..) | Ty::Record(_) | Ty::Struct(_) => Sort::Record,
            Ty::Option(inner) => return Sort::of_type(inner),
            _ => return None,
        })
    }

    /// Whether two of these can be equal.
    pub fn compares_with(self, other: Sort) -> bool {
        let either = |a, b| (self == a && other == b) || (self == b && other == a);
        self == other || either(Sort::Int, Sort::Float) || either(Sort::Int, Sort::Size)
    }

    /// Whether two of these have an order.
    pub fn orders_with(self, other: Sort) -> bool {
        self.compares_with(other) && !matches!(self, Sort::Bool | Sort::List | Sort::Record)
    }
}

/// What the names in a guard stand for.
pub(super) struct Known<'k> {
    pub program: &'k dyn Program,
    /// The type of a name, where it is known.
    pub name: &'k dyn Fn(&str) -> Option<Ty>,
}

/// A field that no value of the type has.
pub(super) struct NoField {
    pub ty: Ty,
    pub field: String,
}

impl Known<'_> {
    /// The type of a name with fields behind it. Recursion is only along the
    /// parts that a guard may have.
    pub fn path(&self, expr: Expr<'_>) -> Result<Option<Ty>, NoField> {
        let mut fields = Vec::new();
        let mut object = expr;
        while let Expr::Member(member) = object {
            let Some(name) = member.name() else {
                return Ok(None);
            };
            fields.push(name.text().into_owned());
            match member.object() {
                Some(inner) => object = inner,
                None => return Ok(None),
            }
        }
        let Expr::Name(root) = object else {
            return Ok(None);
        };
        let Some(name) = root.name() else {
            return Ok(None);
        };
        let Some(mut ty) = (self.name)(&name.text()) else {
            return Ok(None);
        };
        for field in fields.iter().rev() {
            match self.field(&ty, field)? {
                Some(found) => ty = found,
                None => return Ok(None),
            }
        }
        Ok(Some(ty))
    }

    fn field(&self, of: &Ty, field: &str) -> Result<Option<Ty>, NoField> {
        let missing = || {
            Err(NoField {
                ty: of.clone(),
                field: field.to_owned(),
            })
        };
        match of {
            Ty::Option(inner) => self.field(inner, field),
            Ty::String | Ty::Array(_) if field == "length" => Ok(Some(Ty::Int)),
            Ty::String
            | Ty::Array(_)
            | Ty::Set(_)
            | Ty::Int
            | Ty::Float
            | Ty::Bool
            | Ty::Duration
            | Ty::Size
            | Ty::Time => missing(),
            Ty::Map(_, value) => Ok(Some((**value).clone())),
            Ty::Record(record) => match record.fields.iter().find(|(name, _)| **name == *field) {
                Some((_, ty)) => Ok(Some(ty.clone())),
                None if record.open => Ok(None),
                None => missing(),
            },
            Ty::Struct(id) => {
                let declaration = self.program.type_declaration(id);
                let Some(TypeBody::Struct(fields)) = declaration.map(|found| found.body) else {
                    return Ok(None);
                };
                match fields.iter().find(|known| *known.name == *field) {
                    Some(found) => Ok(found.ty.as_ref().map(|written| {
                        resolve_type(self.program, id.file, id.agent.as_deref(), written)
                    })),
                    None => missing(),
                }
            }
            _ => Ok(None),
        }
    }

    /// What a part of a guard is. The guard is within its bounds.
    pub fn sort(&self, expr: Expr<'_>) -> Option<Sort> {
        match bare(expr) {
            Expr::Literal(literal) => Sort::of_value(&super::guards::literal_value(literal)?),
            Expr::Prefix(prefix) => match prefix.operator()? {
                PrefixOp::Not => Some(Sort::Bool),
                PrefixOp::Minus => self.sort(prefix.operand()?),
            },
            Expr::Array(_) => Some(Sort::List),
            Expr::Record(_) => Some(Sort::Record),
            path @ (Expr::Name(_) | Expr::Member(_)) => {
                Sort::of_type(&self.path(path).ok().flatten()?)
            }
            Expr::Index(index) => match self.path(index.object()?).ok().flatten()? {
                Ty::Array(element) => Sort::of_type(&element),
                Ty::Map(_, value) => Sort::of_type(&value),
                _ => None,
            },
            Expr::Call(call) => Some(match predicate_of(call)? {
                Predicate::Length | Predicate::Weekday | Predicate::Hour => Sort::Int,
                Predicate::Upper | Predicate::Lower | Predicate::Trim => Sort::Text,
                _ => Sort::Bool,
            }),
            Expr::Binary(binary) => {
                use BinaryOp::{Add, Divide, Multiply, Remainder, Subtract};
                let sides = || Some((self.sort(binary.left()?)?, self.sort(binary.right()?)?));
                match binary.operator()? {
                    Add | Subtract | Multiply | Divide | Remainder => {
                        computed(binary.operator()?, sides()).ok().flatten()
                    }
                    _ => Some(Sort::Bool),
                }
            }
            _ => None,
        }
    }
}

/// What an operator gives for two sorts; an error where it joins none such.
pub(super) fn computed(
    op: BinaryOp,
    sides: Option<(Sort, Sort)>,
) -> Result<Option<Sort>, (Sort, Sort)> {
    use BinaryOp::{Add, Divide, Multiply, Subtract};
    let Some((one, two)) = sides else {
        return Ok(None);
    };
    let number = |sort| matches!(sort, Sort::Int | Sort::Float);
    let amount = |sort| matches!(sort, Sort::Duration | Sort::Size);
    Ok(Some(match (op, one, two) {
        (Divide, one, two) if number(one) && number(two) => Sort::Float,
        (_, Sort::Int, Sort::Int) => Sort::Int,
        (_, one, two) if number(one) && number(two) => Sort::Float,
        (Divide, one, two) if amount(one) && one == two => Sort::Float,
        (Multiply, one, two) if amount(one) && one == two => return Err((one, two)),
        (_, one, two) if amount(one) && one == two => one,
        (Multiply | Divide, one, two) if amount(one) && number(two) => one,
        (Multiply, one, two) if number(one) && amount(two) => two,
        (Add, Sort::Time, Sort::Duration) | (Add, Sort::Duration, Sort::Time) => Sort::Time,
        (Subtract, Sort::Time, Sort::Duration) => Sort::Time,
        (Subtract, Sort::Time, Sort::Time) => Sort::Duration,
        (Add, Sort::Text, Sort::Text) => Sort::Text,
        (Add, Sort::List, Sort::List) => Sort::List,
        _ => return Err((one, two)),
    }))
}

/// The predicate that a call is of.
pub(super) fn predicate_of(call: CallExpr<'_>) -> Option<Predicate> {
    match call.callee()? {
        Expr::Name(name) => Predicate::named(&name.name()?.text()),
        Expr::Member(member) => Predicate::named(&member.name()?.text()),
        _ => None,
    }
}

/// An expression without the brackets around it.
pub(super) fn bare(expr: Expr<'_>) -> Expr<'_> {
    let mut expr = expr;
    while let Expr::Paren(paren) = expr
        && let Some(inner) = paren.inner()
    {
        expr = inner;
    }
    expr
}

/// The type of the record that a pattern over many effects binds.
pub(super) fn record_of(shape: Shape) -> Ty {
    let fields: &[(&str, Ty)] = match shape {
        Shape::Tool => &[
            ("name", Ty::String),
            ("arguments", Ty::Any),
            ("version", Ty::String),
            ("schema_verified", Ty::Bool),
        ],
        Shape::Delegate => &[("name", Ty::String), ("input", Ty::Any)],
        Shape::Network => &[
            ("url", Ty::String),
            ("host", Ty::String),
            ("internal", Ty::Bool),
        ],
    };
    let fields = fields.iter();
    Ty::Record(Arc::new(crate::ty::RecordTy {
        fields: fields
            .map(|(name, ty)| ((*name).into(), ty.clone()))
            .collect(),
        open: false,
    }))
}

/// The type of a reserved root, where it is known.
pub(super) fn reserved(name: &str) -> Option<Ty> {
    match name {
        "principal" => Some(Ty::String),
        "now" => Some(Ty::Time),
        "invocation" => {
            let fields = [
                ("arguments", Ty::Any),
                ("contract", Ty::Any),
                ("resolved", Ty::Any),
                ("source_policy", Ty::Any),
                ("fingerprint", Ty::String),
            ];
            Some(Ty::Record(Arc::new(crate::ty::RecordTy {
                fields: fields.map(|(name, ty)| (name.into(), ty)).to_vec(),
                open: false,
            })))
        }
        _ => None,
    }
}

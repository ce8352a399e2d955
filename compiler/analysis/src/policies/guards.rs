//! Guards as data.

use std::cell::Cell;
use std::collections::HashMap;
use std::sync::Arc;

use symbi_policy::{
    Expr as Part, Guard, MAX_DEPTH, MAX_NODES, Op, Predicate, Record, Root, Shape, Value,
};
use symbi_syntax::ast::{Argument, BinaryOp, CallExpr, Expr, Literal, LiteralValue, PrefixOp};

/// The roots that always mean the same.
pub const RESERVED: [&str; 4] = ["principal", "invocation", "context", "now"];

/// What a selector binds to names.
#[derive(Clone, Debug, Default)]
pub struct Bound(HashMap<String, Binding>);

#[derive(Clone, Copy, Debug)]
enum Binding {
    /// The argument of this name, else the one at a place.
    Argument(usize),
    /// The record of a pattern over many effects.
    Record(Shape),
    /// The pattern has no such argument.
    Nothing,
}

impl Bound {
    /// A name at a place of a call pattern, of one over many effects if there
    /// is a shape. Of two equal names the first counts.
    pub fn bind(&mut self, name: &str, place: usize, shape: Option<Shape>) {
        let binding = match shape {
            None => Binding::Argument(place),
            Some(shape) if place == 0 => Binding::Record(shape),
            Some(_) => Binding::Nothing,
        };
        self.0.entry(name.to_owned()).or_insert(binding);
    }
}

/// Makes data of guards.
pub struct Guards<'b> {
    /// What the selector binds.
    pub bound: &'b Bound,
    /// Whether a name is a parameter of the agent.
    pub is_param: &'b dyn Fn(&str) -> bool,
}

impl Guards<'_> {
    /// A guard as data.
    pub fn guard(&self, expr: Expr<'_>) -> Guard {
        let read = Reading {
            guards: self,
            left: Cell::new(MAX_NODES),
            beyond: Cell::new(false),
        };
        let part = read.part(expr, MAX_DEPTH);
        match read.beyond.get() {
            true => Guard::beyond(),
            false => Guard::new(part),
        }
    }
}

/// One guard that is being read. What is beyond the bounds of guards is not
/// read, so this takes no longer than they allow.
struct Reading<'r, 'b> {
    guards: &'r Guards<'b>,
    /// How many parts may still follow.
    left: Cell<usize>,
    beyond: Cell<bool>,
}

impl Reading<'_, '_> {
    /// A part of a guard, with so many levels left.
    fn part(&self, expr: Expr<'_>, depth: usize) -> Part {
        if let Expr::Paren(paren) = expr {
            // Brackets are no parts; the parser bounds how they nest.
            return paren
                .inner()
                .map_or(Part::Unknown, |inner| self.part(inner, depth));
        }
        match (self.left.get().checked_sub(1), depth) {
            (None, _) | (_, 0) => {
                self.beyond.set(true);
                return Part::Unknown;
            }
            (Some(left), _) => self.left.set(left),
        }
        self.known(expr, depth - 1).unwrap_or(Part::Unknown)
    }

    /// The levels left are those below this part.
    fn known(&self, expr: Expr<'_>, depth: usize) -> Option<Part> {
        let inner = |expr: Expr<'_>| Box::new(self.part(expr, depth));
        Some(match expr {
            Expr::Literal(literal) => Part::Literal(literal_value(literal)?),
            Expr::Array(array) => {
                let elements = array.elements();
                list(elements.map(|one| self.part(one, depth)).collect())
            }
            Expr::Record(record) => {
                let mut fields = Vec::new();
                for field in record.fields() {
                    match self.part(field.value()?, depth) {
                        Part::Literal(value) => fields.push((Arc::from(field.key()?), value)),
                        _ => return None,
                    }
                }
                Part::Literal(Value::Record(Record::new(fields)))
            }
            Expr::Name(name) => Part::Path(self.root(&name.name()?.text())?, Box::default()),
            Expr::Member(_) => self.member(expr, depth)?,
            Expr::Index(index) => Part::Index(inner(index.object()?), inner(index.index()?)),
            Expr::Prefix(prefix) => match (prefix.operator()?, prefix.operand()?) {
                (PrefixOp::Not, operand) => Part::Not(inner(operand)),
                (PrefixOp::Minus, Expr::Literal(literal)) => {
                    Part::Literal(negative(literal.value()?)?)
                }
                (PrefixOp::Minus, operand) => Part::Minus(inner(operand)),
            },
            Expr::Binary(binary) => {
                let (left, right) = (binary.left()?, binary.right()?);
                let op = operator(binary.operator()?)?;
                // A chain of `&&` is no deeper than one of them.
                let chained = matches!(op, Op::And | Op::Or)
                    && matches!(left, Expr::Binary(left)
                        if left.operator().and_then(operator) == Some(op));
                let left = self.part(left, depth + usize::from(chained));
                Part::Binary(op, Box::new(left), inner(right))
            }
            Expr::Call(call) => self.call(call, depth)?,
            _ => return None,
        })
    }

    /// `a.b.c`: the names are one part, however many they are.
    fn member(&self, expr: Expr<'_>, depth: usize) -> Option<Part> {
        let mut fields: Vec<Arc<str>> = Vec::new();
        let mut object = expr;
        while let Expr::Member(member) = object {
            fields.push(Arc::from(&*member.name()?.text()));
            object = member.object()?;
        }
        fields.reverse();
        if let Expr::Name(name) = object {
            return Some(Part::Path(self.root(&name.name()?.text())?, fields.into()));
        }
        let part = self.part(object, depth);
        // Each field is a level of its own here.
        Some(
            fields
                .into_iter()
                .fold(part, |of, field| Part::Field(Box::new(of), field)),
        )
    }

    /// `starts_with(x, "a")` or `x.starts_with("a")`.
    fn call(&self, call: CallExpr<'_>, depth: usize) -> Option<Part> {
        let mut parts = Vec::new();
        let predicate = match call.callee()? {
            Expr::Name(name) => Predicate::named(&name.name()?.text())?,
            Expr::Member(member) => {
                parts.push(self.part(member.object()?, depth));
                Predicate::named(&member.name()?.text())?
            }
            _ => return None,
        };
        for argument in call.arguments() {
            match argument {
                Argument::Positional(value) => parts.push(self.part(value, depth)),
                Argument::Named(_) => return None,
            }
        }
        Some(Part::Call(predicate, parts))
    }

    /// The reserved roots win over what is bound, and that over parameters.
    fn root(&self, name: &str) -> Option<Root> {
        let guards = self.guards;
        Some(match name {
            "principal" => Root::Principal,
            "invocation" => Root::Invocation,
            "context" => Root::Context,
            "now" => Root::Now,
            _ => match guards.bound.0.get(name) {
                Some(Binding::Argument(place)) => Root::Argument(name.into(), *place),
                Some(Binding::Record(shape)) => Root::Record(*shape),
                Some(Binding::Nothing) => return None,
                None if (guards.is_param)(name) => Root::Parameter(name.into()),
                None => return None,
            },
        })
    }
}

/// A list of literals is a literal.
fn list(parts: Vec<Part>) -> Part {
    let literal = |part: &Part| match part {
        Part::Literal(value) => Some(value.clone()),
        _ => None,
    };
    match parts.iter().map(literal).collect() {
        Some(values) => Part::Literal(Value::Array(values)),
        None => Part::List(parts),
    }
}

fn operator(operator: BinaryOp) -> Option<Op> {
    Some(match operator {
        BinaryOp::And => Op::And,
        BinaryOp::Or => Op::Or,
        BinaryOp::Equal => Op::Equal,
        BinaryOp::NotEqual => Op::Unequal,
        BinaryOp::Less => Op::Less,
        BinaryOp::LessEqual => Op::AtMost,
        BinaryOp::Greater => Op::Greater,
        BinaryOp::GreaterEqual => Op::AtLeast,
        BinaryOp::In => Op::In,
        BinaryOp::NotIn => Op::NotIn,
        BinaryOp::Add => Op::Add,
        BinaryOp::Subtract => Op::Subtract,
        BinaryOp::Multiply => Op::Multiply,
        BinaryOp::Divide => Op::Divide,
        BinaryOp::Remainder => Op::Remainder,
    })
}

/// What a literal says; `None` for a secret, which is compared with nothing.
pub fn literal_value(literal: Literal<'_>) -> Option<Value> {
    Some(match literal.value()? {
        LiteralValue::Int(value) => Value::Int(i64::try_from(value).ok()?),
        LiteralValue::Float(value) => Value::Float(value),
        LiteralValue::Duration(nanos) => Value::Duration(nanos),
        LiteralValue::Size(bytes) => Value::Size(bytes),
        LiteralValue::Bool(value) => Value::Bool(value),
        LiteralValue::Null => Value::Null,
        LiteralValue::String(text) => Value::String(text.into()),
        LiteralValue::Secret(_) | LiteralValue::Env(_) => return None,
    })
}

/// A literal behind a minus sign. `-9223372036854775808` has no positive.
fn negative(value: LiteralValue) -> Option<Value> {
    Some(match value {
        LiteralValue::Int(value) => Value::Int(i64::try_from(-i128::from(value)).ok()?),
        LiteralValue::Float(value) => Value::Float(-value),
        LiteralValue::Duration(nanos) => Value::Duration(nanos.checked_neg()?),
        LiteralValue::Size(bytes) => Value::Size(bytes.checked_neg()?),
        _ => return None,
    })
}

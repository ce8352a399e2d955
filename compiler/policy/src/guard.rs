//! Guards: what stands behind the `if` of a rule. Pure, bounded, and undecided
//! where anything about them cannot be told (language.md section 4).

use std::borrow::Cow;
use std::cmp::Ordering;
use std::sync::Arc;

use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::decide::Facts;
use crate::effect::{Effect, Field};
use crate::nesting::Level;
use crate::predicate::{self, Predicate};
use crate::value::{MAX_OPERAND, Room, Value};

/// The most parts that a guard may have.
pub const MAX_NODES: usize = 256;
/// The most levels that a guard may have.
pub const MAX_DEPTH: usize = 24;

/// A guard within its bounds, or one that is beyond them and never decided.
#[derive(Clone, Debug, PartialEq)]
pub struct Guard {
    expr: Expr,
    /// Within the bounds.
    fits: bool,
}

/// A part of a guard.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(remote = "Self", rename_all = "snake_case")]
#[schemars(rename_all = "snake_case")]
pub enum Expr {
    /// A value that is written out.
    Literal(Value),
    /// A list of parts.
    List(Vec<Expr>),
    /// A name, and fields behind it.
    Path(Root, Box<[Arc<str>]>),
    /// A field of something that is no path.
    Field(Box<Expr>, Arc<str>),
    /// An element of a list by its number, or a field by its name.
    Index(Box<Expr>, Box<Expr>),
    /// `!`.
    Not(Box<Expr>),
    /// `-`.
    Minus(Box<Expr>),
    /// An operator between two.
    Binary(Op, Box<Expr>, Box<Expr>),
    /// A predicate of the standard library.
    Call(Predicate, Vec<Expr>),
    /// What the language of guards does not have: a lambda, another function,
    /// a root that nothing binds. Never decided.
    Unknown,
}

/// Where a path begins.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Root {
    /// `principal`: the identity of the agent, a text.
    Principal,
    /// `invocation`.
    Invocation,
    /// `context`: facts of the host.
    Context,
    /// `now`: the instant of the decision.
    Now,
    /// A name that the selector binds: the argument of this name, else the one
    /// at this place.
    Argument(Arc<str>, usize),
    /// The name that a pattern over many effects binds to their record.
    Record(Record),
    /// A parameter of the agent.
    Parameter(Arc<str>),
}

/// The records that patterns over many effects bind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(rename = "Shape")]
pub enum Record {
    /// `{name, arguments, version, schema_verified}`.
    Tool,
    /// `{name, input}`.
    Delegate,
    /// `{url, host, internal}`.
    Network,
}

/// The operators between two values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Op {
    /// `&&`, which leaves its right side alone where the left decides.
    And,
    /// `||`, likewise.
    Or,
    /// `==`.
    Equal,
    /// `!=`.
    Unequal,
    /// `<`.
    Less,
    /// `<=`.
    AtMost,
    /// `>`.
    Greater,
    /// `>=`.
    AtLeast,
    /// `in`.
    In,
    /// `not in`.
    NotIn,
    /// `+`.
    Add,
    /// `-`.
    Subtract,
    /// `*`.
    Multiply,
    /// `/`.
    Divide,
    /// `%`.
    Remainder,
}

/// Something about a guard cannot be told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Undecidable;

/// What a part of a guard comes to.
#[derive(Clone, Debug)]
pub(crate) enum Operand<'a> {
    /// A field or an argument that is not there.
    Missing,
    /// A text that is no value of its own.
    Text(&'a str),
    /// The record of the arguments.
    Arguments,
    /// The record that a pattern over many effects binds.
    Record(Record),
    Value(Cow<'a, Value>),
}

// `remote` gives the two functions that these call, so that each level can be
// counted before it is read.
impl Serialize for Expr {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        Expr::serialize(self, serializer)
    }
}

impl<'de> Deserialize<'de> for Expr {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let _level = Level::enter()?;
        Expr::deserialize(deserializer)
    }
}

/// A guard beyond its bounds is written as what it comes to.
impl Serialize for Guard {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.fits {
            true => Expr::serialize(&self.expr, serializer),
            false => Expr::serialize(&Expr::Unknown, serializer),
        }
    }
}

impl<'de> Deserialize<'de> for Guard {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let guard = Guard::new(<Expr as Deserialize>::deserialize(deserializer)?);
        match guard.fits {
            true => Ok(guard),
            false => Err(serde::de::Error::custom(format_args!(
                "a guard has more than {MAX_NODES} parts or {MAX_DEPTH} levels"
            ))),
        }
    }
}

impl JsonSchema for Guard {
    fn schema_name() -> Cow<'static, str> {
        Expr::schema_name()
    }

    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        Expr::json_schema(generator)
    }
}

impl Guard {
    /// A guard of this expression.
    pub fn new(expr: Expr) -> Self {
        let mut nodes = 0;
        let fits = within(&expr, MAX_DEPTH, &mut nodes);
        Guard { expr, fits }
    }

    /// A guard beyond its bounds, which is never decided.
    pub fn beyond() -> Self {
        Guard {
            expr: Expr::Unknown,
            fits: false,
        }
    }

    /// Whether it has at most [`MAX_NODES`] parts and [`MAX_DEPTH`] levels. One
    /// that has more is never decided.
    pub fn fits(&self) -> bool {
        self.fits
    }

    /// The expression.
    pub fn expr(&self) -> &Expr {
        &self.expr
    }

    /// What a part of it comes to; `None` if it is missing, or cannot be told.
    pub(crate) fn look(
        &self,
        part: &Expr,
        effect: &Effect<'_>,
        facts: &Facts<'_>,
    ) -> Option<Value> {
        let cx = Cx { effect, facts };
        let found = cx.value(part).ok()?;
        Some(cx.whole(found).ok()?.into_owned())
    }

    /// Leaves the parameters that an agent has; another one is unknown.
    pub fn keep_parameters(&mut self, is_param: &dyn Fn(&str) -> bool) {
        keep_parameters(&mut self.expr, is_param);
    }

    /// Whether it holds.
    ///
    /// # Errors
    /// It cannot be decided.
    pub fn holds(&self, effect: &Effect<'_>, facts: &Facts<'_>) -> Result<bool, Undecidable> {
        if !self.fits {
            return Err(Undecidable);
        }
        let cx = Cx { effect, facts };
        cx.truth(&self.expr)
    }
}

/// Counts the parts; `false` beyond the bounds. A chain of one of `&&` and `||`
/// is one level, however long it is: it reads as a list does.
fn within(expr: &Expr, depth: usize, nodes: &mut usize) -> bool {
    *nodes += 1;
    let Some(depth) = depth.checked_sub(1) else {
        return false;
    };
    if *nodes > MAX_NODES {
        return false;
    }
    match expr {
        Expr::Literal(_) | Expr::Path(..) | Expr::Unknown => true,
        Expr::List(parts) | Expr::Call(_, parts) => {
            parts.iter().all(|part| within(part, depth, nodes))
        }
        Expr::Field(part, _) | Expr::Not(part) | Expr::Minus(part) => within(part, depth, nodes),
        Expr::Binary(op @ (Op::And | Op::Or), one, two) => {
            let chained = matches!(&**one, Expr::Binary(left, ..) if left == op);
            within(one, depth + usize::from(chained), nodes) && within(two, depth, nodes)
        }
        Expr::Index(one, two) | Expr::Binary(_, one, two) => {
            within(one, depth, nodes) && within(two, depth, nodes)
        }
    }
}

/// The recursion is bounded as that of [`within`] is.
fn keep_parameters(expr: &mut Expr, is_param: &dyn Fn(&str) -> bool) {
    match expr {
        Expr::Path(Root::Parameter(name), _) if !is_param(name) => *expr = Expr::Unknown,
        Expr::Literal(_) | Expr::Path(..) | Expr::Unknown => {}
        Expr::List(parts) | Expr::Call(_, parts) => {
            for part in parts {
                keep_parameters(part, is_param);
            }
        }
        Expr::Field(part, _) | Expr::Not(part) | Expr::Minus(part) => {
            keep_parameters(part, is_param);
        }
        Expr::Index(one, two) | Expr::Binary(_, one, two) => {
            keep_parameters(one, is_param);
            keep_parameters(two, is_param);
        }
    }
}

struct Cx<'a, 'e> {
    effect: &'e Effect<'a>,
    facts: &'e Facts<'a>,
}

type Found<T> = Result<T, Undecidable>;

impl<'a> Cx<'a, '_> {
    fn truth<'x>(&self, expr: &'x Expr) -> Found<bool>
    where
        'a: 'x,
    {
        match expr {
            Expr::Binary(op, one, two) => match op {
                Op::And => Ok(self.truth(one)? && self.truth(two)?),
                Op::Or => Ok(self.truth(one)? || self.truth(two)?),
                Op::Equal | Op::Unequal => Ok(self.equal(one, two)? == (*op == Op::Equal)),
                Op::Less => self.ordered(one, two, Ordering::is_lt),
                Op::AtMost => self.ordered(one, two, Ordering::is_le),
                Op::Greater => self.ordered(one, two, Ordering::is_gt),
                Op::AtLeast => self.ordered(one, two, Ordering::is_ge),
                Op::In | Op::NotIn => Ok(self.contained(one, two)? == (*op == Op::In)),
                _ => Err(Undecidable),
            },
            Expr::Not(part) => Ok(!self.truth(part)?),
            other => match self.value(other)? {
                Operand::Value(value) => match *value {
                    Value::Bool(value) => Ok(value),
                    _ => Err(Undecidable),
                },
                _ => Err(Undecidable),
            },
        }
    }

    /// `==`: with a written `null` always told, else of two values of one type.
    fn equal(&self, one: &Expr, two: &Expr) -> Found<bool> {
        let null = |expr: &Expr| matches!(expr, Expr::Literal(Value::Null));
        if null(one) || null(two) {
            let asked = self.value(if null(one) { two } else { one })?;
            return Ok(match asked {
                Operand::Missing => true,
                Operand::Value(value) => matches!(*value, Value::Null),
                Operand::Text(_) | Operand::Arguments | Operand::Record(_) => false,
            });
        }
        // Texts, which most are, are compared where they stand.
        let (one, two) = (self.value(one)?, self.value(two)?);
        if let (Some(a), Some(b)) = (one.text(), two.text()) {
            return match a.len().max(b.len()) <= MAX_OPERAND {
                true => Ok(a == b),
                false => Err(Undecidable),
            };
        }
        let (one, two) = (self.whole(one)?, self.whole(two)?);
        one.equals(&two).ok_or(Undecidable)
    }

    fn ordered(&self, one: &Expr, two: &Expr, wanted: fn(Ordering) -> bool) -> Found<bool> {
        let (one, two) = (self.value(one)?, self.value(two)?);
        let (one, two) = (self.whole(one)?, self.whole(two)?);
        one.ordered(&two, wanted).ok_or(Undecidable)
    }

    /// `in`: an element of a list, a field of a record, a part of a text.
    fn contained(&self, one: &Expr, two: &Expr) -> Found<bool> {
        let one = self.value(one)?;
        if let Expr::List(parts) = two {
            let one = self.whole(one)?;
            // The elements share the room of the list that they make.
            let mut room = Room::ELEMENTS;
            for part in parts {
                let part = self.within(self.value(part)?, &mut room)?;
                if one.equals(&part).ok_or(Undecidable)? {
                    return Ok(true);
                }
            }
            return Ok(false);
        }
        let two = self.value(two)?;
        let (one, two) = (self.whole(one)?, self.whole(two)?);
        holds_part(&two, &one)
    }

    fn value<'x>(&self, expr: &'x Expr) -> Found<Operand<'x>>
    where
        'a: 'x,
    {
        let owned = |value: Value| Ok(Operand::Value(Cow::Owned(value)));
        match expr {
            Expr::Literal(value) => Ok(Operand::Value(Cow::Borrowed(value))),
            Expr::List(parts) => {
                let mut values = Vec::with_capacity(parts.len());
                let mut room = Room::ELEMENTS;
                for part in parts {
                    let part = self.within(self.value(part)?, &mut room)?;
                    values.push(part.into_owned());
                }
                owned(Value::Array(values))
            }
            Expr::Path(root, fields) => {
                let mut found = self.root(root);
                for field in fields {
                    found = self.field(found, field)?;
                }
                Ok(found)
            }
            Expr::Field(of, field) => {
                let of = self.value(of)?;
                self.field(of, field)
            }
            Expr::Index(of, at) => {
                let (of, at) = (self.value(of)?, self.value(at)?);
                self.index(of, at)
            }
            Expr::Minus(part) => {
                let part = self.value(part)?;
                owned(predicate::minus(&*self.whole(part)?)?)
            }
            Expr::Binary(
                op @ (Op::Add | Op::Subtract | Op::Multiply | Op::Divide | Op::Remainder),
                one,
                two,
            ) => {
                let (one, two) = (self.value(one)?, self.value(two)?);
                let (one, two) = (self.whole(one)?, self.whole(two)?);
                owned(predicate::arithmetic(*op, &one, &two)?)
            }
            Expr::Not(_) | Expr::Binary(..) => owned(Value::Bool(self.truth(expr)?)),
            Expr::Call(predicate, arguments) => {
                let mut values = Vec::with_capacity(arguments.len());
                for argument in arguments {
                    let argument = self.value(argument)?;
                    values.push(self.whole(argument)?);
                }
                owned(predicate.call(&values)?)
            }
            Expr::Unknown => Err(Undecidable),
        }
    }

    fn root<'x>(&self, root: &Root) -> Operand<'x>
    where
        'a: 'x,
    {
        let maybe = |value: Option<&'a Value>| match value {
            Some(value) => Operand::Value(Cow::Borrowed(value)),
            None => Operand::Missing,
        };
        match root {
            Root::Principal => Operand::Text(self.facts.principal),
            Root::Invocation => Operand::Value(Cow::Borrowed(self.facts.invocation)),
            Root::Context => Operand::Value(Cow::Borrowed(self.facts.context)),
            Root::Now => Operand::Value(Cow::Owned(Value::Time(self.facts.now))),
            Root::Argument(name, place) => maybe(self.effect.bound(name, *place)),
            Root::Record(record) => Operand::Record(*record),
            Root::Parameter(name) => maybe(self.facts.parameters.get(name)),
        }
    }

    /// A field. What has no fields at all misses each, as what has others does:
    /// so does a `null`, and what is missing itself.
    fn field<'x>(&self, of: Operand<'x>, name: &str) -> Found<Operand<'x>>
    where
        'a: 'x,
    {
        let maybe = |value: Option<Cow<'x, Value>>| value.map_or(Operand::Missing, Operand::Value);
        Ok(match of {
            Operand::Missing => Operand::Missing,
            Operand::Arguments => maybe(self.effect.arguments.get(name).map(Cow::Borrowed)),
            Operand::Record(record) => match self.effect.field(record, name) {
                Field::Missing => Operand::Missing,
                Field::Text(text) => Operand::Text(text),
                Field::Bool(value) => Operand::Value(Cow::Owned(Value::Bool(value))),
                Field::Value(value) => Operand::Value(Cow::Borrowed(value)),
                Field::Arguments => Operand::Arguments,
            },
            of if name == "length" && of.has_length() => {
                let length = Predicate::Length.call(&[self.whole(of)?])?;
                Operand::Value(Cow::Owned(length))
            }
            Operand::Text(_) => Operand::Missing,
            Operand::Value(Cow::Borrowed(Value::Record(record))) => {
                maybe(record.get(name).map(Cow::Borrowed))
            }
            Operand::Value(value) => maybe(match &*value {
                Value::Record(record) => record.get(name).cloned().map(Cow::Owned),
                _ => None,
            }),
        })
    }

    fn index<'x>(&self, of: Operand<'x>, at: Operand<'x>) -> Found<Operand<'x>>
    where
        'a: 'x,
    {
        if let Some(name) = at.text() {
            if name.len() > MAX_OPERAND {
                return Err(Undecidable);
            }
            return self.field(of, name);
        }
        let at = self.whole(at)?;
        let Value::Int(at) = *at else {
            return Err(Undecidable);
        };
        let Operand::Value(of) = of else {
            return Err(Undecidable);
        };
        let at = usize::try_from(at).map_err(|_| Undecidable)?;
        let found = match &of {
            Cow::Borrowed(Value::Array(elements)) => elements.get(at).map(Cow::Borrowed),
            Cow::Owned(Value::Array(elements)) => elements.get(at).cloned().map(Cow::Owned),
            _ => None,
        };
        // Behind the end of a list it would raise.
        found.map(Operand::Value).ok_or(Undecidable)
    }

    /// An operand as a value of bounded size; a missing one has none.
    fn whole<'x>(&self, operand: Operand<'x>) -> Found<Cow<'x, Value>>
    where
        'a: 'x,
    {
        let mut room = Room::ALL;
        self.within(operand, &mut room)
    }

    /// An operand as a value that takes its part of this room. It is measured
    /// before anything of it is copied.
    fn within<'x>(&self, operand: Operand<'x>, room: &mut Room) -> Found<Cow<'x, Value>>
    where
        'a: 'x,
    {
        let arguments = self.effect.arguments;
        match operand {
            Operand::Text(text) if room.text(text) => Ok(Cow::Owned(Value::from(text))),
            Operand::Arguments if room.record(arguments) => {
                Ok(Cow::Owned(Value::Record(arguments.clone())))
            }
            Operand::Value(value) if room.value(&value) => Ok(value),
            // The record of a pattern is compared with nothing as a whole.
            _ => Err(Undecidable),
        }
    }
}

impl Operand<'_> {
    /// Whether `.length` of it is its length, and no field of that name.
    fn has_length(&self) -> bool {
        match self {
            Operand::Text(_) => true,
            Operand::Value(value) => matches!(**value, Value::String(_) | Value::Array(_)),
            _ => false,
        }
    }

    fn text(&self) -> Option<&str> {
        match self {
            Operand::Text(text) => Some(text),
            Operand::Value(value) => match &**value {
                Value::String(text) => Some(text),
                _ => None,
            },
            _ => None,
        }
    }
}

/// Whether a list has an element, a record a field, or a text a part.
pub(crate) fn holds_part(whole: &Value, part: &Value) -> Found<bool> {
    match (whole, part) {
        (Value::Array(elements), part) => {
            for element in elements {
                if part.equals(element).ok_or(Undecidable)? {
                    return Ok(true);
                }
            }
            Ok(false)
        }
        (Value::Record(record), Value::String(name)) => Ok(record.get(name).is_some()),
        (Value::String(text), Value::String(part)) => Ok(text.contains(&**part)),
        _ => Err(Undecidable),
    }
}

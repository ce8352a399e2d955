//! The predicates of `stdlib/guards.symbi`, and arithmetic. What would raise in
//! a program cannot be decided here.

use std::borrow::Cow;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use symbi_mini::jiff::SignedDuration;
use symbi_mini::zone;

use crate::guard::{Op, Undecidable, holds_part};
use crate::value::{MAX_OPERAND, Value};

/// A predicate that a guard may call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Predicate {
    /// `starts_with`.
    StartsWith,
    /// `ends_with`.
    EndsWith,
    /// `contains`.
    Contains,
    /// `length`, and `len`.
    Length,
    /// `is_empty`.
    IsEmpty,
    /// `upper`.
    Upper,
    /// `lower`.
    Lower,
    /// `trim`.
    Trim,
    /// `weekday`.
    Weekday,
    /// `hour`.
    Hour,
}

impl Predicate {
    /// All names under which a guard may call one, with what they call.
    pub const NAMES: &[(&str, Predicate)] = &[
        ("starts_with", Predicate::StartsWith),
        ("ends_with", Predicate::EndsWith),
        ("contains", Predicate::Contains),
        ("length", Predicate::Length),
        ("len", Predicate::Length),
        ("is_empty", Predicate::IsEmpty),
        ("upper", Predicate::Upper),
        ("lower", Predicate::Lower),
        ("trim", Predicate::Trim),
        ("weekday", Predicate::Weekday),
        ("hour", Predicate::Hour),
    ];

    /// The predicate of a name.
    pub fn named(name: &str) -> Option<Self> {
        let found = Self::NAMES.iter().find(|(own, _)| *own == name);
        found.map(|(_, predicate)| *predicate)
    }

    /// What it gives for these arguments, the receiver first.
    pub(crate) fn call(self, arguments: &[Cow<'_, Value>]) -> Result<Value, Undecidable> {
        let arguments: Vec<&Value> = arguments.iter().map(|argument| &**argument).collect();
        Ok(match (self, &*arguments) {
            (Predicate::StartsWith, [Value::String(text), Value::String(part)]) => {
                Value::Bool(text.starts_with(&**part))
            }
            (Predicate::EndsWith, [Value::String(text), Value::String(part)]) => {
                Value::Bool(text.ends_with(&**part))
            }
            (Predicate::Contains, [whole, part]) => Value::Bool(holds_part(whole, part)?),
            (Predicate::Length, [Value::String(text)]) => length(text.chars().count())?,
            (Predicate::Length, [Value::Array(elements)]) => length(elements.len())?,
            (Predicate::Length, [Value::Record(record)]) => length(record.len())?,
            (Predicate::IsEmpty, [Value::String(text)]) => Value::Bool(text.is_empty()),
            (Predicate::IsEmpty, [Value::Array(elements)]) => Value::Bool(elements.is_empty()),
            (Predicate::IsEmpty, [Value::Record(record)]) => Value::Bool(record.is_empty()),
            // A text may grow with its case.
            (Predicate::Upper, [Value::String(text)]) => small(text.to_uppercase())?,
            (Predicate::Lower, [Value::String(text)]) => small(text.to_lowercase())?,
            (Predicate::Trim, [Value::String(text)]) => Value::from(text.trim()),
            (Predicate::Weekday, [Value::Time(at)]) => {
                Value::Int(in_zone(at, "UTC")?.weekday().to_monday_one_offset().into())
            }
            (Predicate::Weekday, [Value::Time(at), Value::String(name)]) => {
                Value::Int(in_zone(at, name)?.weekday().to_monday_one_offset().into())
            }
            (Predicate::Hour, [Value::Time(at)]) => Value::Int(in_zone(at, "UTC")?.hour().into()),
            (Predicate::Hour, [Value::Time(at), Value::String(name)]) => {
                Value::Int(in_zone(at, name)?.hour().into())
            }
            _ => return Err(Undecidable),
        })
    }
}

fn length(count: usize) -> Result<Value, Undecidable> {
    i64::try_from(count)
        .map(Value::Int)
        .map_err(|_| Undecidable)
}

fn small(text: String) -> Result<Value, Undecidable> {
    match text.len() <= MAX_OPERAND {
        true => Ok(Value::String(text.into())),
        false => Err(Undecidable),
    }
}

fn in_zone(
    at: &symbi_mini::jiff::Timestamp,
    name: &str,
) -> Result<symbi_mini::jiff::civil::DateTime, Undecidable> {
    let zone = zone::find(name).ok_or(Undecidable)?;
    Ok(zone.rules().to_datetime(*at))
}

/// `-x`.
pub(crate) fn minus(value: &Value) -> Result<Value, Undecidable> {
    let checked = |value: i64| value.checked_neg().ok_or(Undecidable);
    Ok(match value {
        Value::Int(value) => Value::Int(checked(*value)?),
        Value::Float(value) => Value::Float(-value),
        Value::Duration(nanos) => Value::Duration(checked(*nanos)?),
        Value::Size(bytes) => Value::Size(checked(*bytes)?),
        _ => return Err(Undecidable),
    })
}

/// `+ - * / %` as a program computes them (language.md section 2.6).
pub(crate) fn arithmetic(op: Op, one: &Value, two: &Value) -> Result<Value, Undecidable> {
    use Value::{Array, Duration, Float, Int, Size, String, Time};
    let found = match (op, one, two) {
        (Op::Divide, Int(_) | Float(_), Int(_) | Float(_)) => {
            return divide(number(one)?, number(two)?);
        }
        (Op::Divide, Duration(a), Duration(b)) | (Op::Divide, Size(a), Size(b)) => {
            return divide(*a as f64, *b as f64);
        }
        (_, Int(a), Int(b)) => Int(whole(op, *a, *b)?),
        (_, Int(_) | Float(_), Int(_) | Float(_)) => {
            let (a, b) = (number(one)?, number(two)?);
            Float(match op {
                Op::Add => a + b,
                Op::Subtract => a - b,
                Op::Multiply => a * b,
                Op::Remainder if b == 0.0 => return Err(Undecidable),
                Op::Remainder => a % b,
                _ => return Err(Undecidable),
            })
        }
        (Op::Add | Op::Subtract | Op::Remainder, Duration(a), Duration(b)) => {
            Duration(whole(op, *a, *b)?)
        }
        (Op::Add | Op::Subtract | Op::Remainder, Size(a), Size(b)) => Size(whole(op, *a, *b)?),
        (Op::Multiply | Op::Divide, Duration(a), Int(_) | Float(_)) => {
            Duration(scaled(op, *a, two)?)
        }
        (Op::Multiply | Op::Divide, Size(a), Int(_) | Float(_)) => Size(scaled(op, *a, two)?),
        (Op::Multiply, Int(_) | Float(_), Duration(b)) => Duration(scaled(op, *b, one)?),
        (Op::Multiply, Int(_) | Float(_), Size(b)) => Size(scaled(op, *b, one)?),
        (Op::Add, Time(at), Duration(nanos)) | (Op::Add, Duration(nanos), Time(at)) => Time(
            at.checked_add(SignedDuration::from_nanos(*nanos))
                .map_err(|_| Undecidable)?,
        ),
        (Op::Subtract, Time(at), Duration(nanos)) => Time(
            at.checked_sub(SignedDuration::from_nanos(*nanos))
                .map_err(|_| Undecidable)?,
        ),
        (Op::Subtract, Time(a), Time(b)) => {
            let nanos = a.duration_since(*b).as_nanos();
            Duration(i64::try_from(nanos).map_err(|_| Undecidable)?)
        }
        (Op::Add, String(a), String(b)) => return small(format!("{a}{b}")),
        (Op::Add, Array(a), Array(b)) => Array(a.iter().chain(b).cloned().collect()),
        _ => return Err(Undecidable),
    };
    Ok(found)
}

fn number(value: &Value) -> Result<f64, Undecidable> {
    match value {
        Value::Int(value) => Ok(*value as f64),
        Value::Float(value) => Ok(*value),
        _ => Err(Undecidable),
    }
}

fn divide(a: f64, b: f64) -> Result<Value, Undecidable> {
    match b == 0.0 {
        true => Err(Undecidable),
        false => Ok(Value::Float(a / b)),
    }
}

fn whole(op: Op, a: i64, b: i64) -> Result<i64, Undecidable> {
    let found = match op {
        Op::Add => a.checked_add(b),
        Op::Subtract => a.checked_sub(b),
        Op::Multiply => a.checked_mul(b),
        Op::Remainder => a.checked_rem(b),
        _ => None,
    };
    found.ok_or(Undecidable)
}

/// An amount times or by a number, towards zero.
fn scaled(op: Op, amount: i64, by: &Value) -> Result<i64, Undecidable> {
    if let (Op::Multiply, Value::Int(by)) = (op, by) {
        return amount.checked_mul(*by).ok_or(Undecidable);
    }
    if let (Op::Divide, Value::Int(by)) = (op, by) {
        return amount.checked_div(*by).ok_or(Undecidable);
    }
    let by = number(by)?;
    let found = match op {
        Op::Multiply => amount as f64 * by,
        _ if by == 0.0 => return Err(Undecidable),
        _ => amount as f64 / by,
    };
    // The first values beyond what an i64 holds.
    match found.is_finite() && found.abs() < 9_223_372_036_854_775_808.0 {
        true => Ok(found as i64),
        false => Err(Undecidable),
    }
}

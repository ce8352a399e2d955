//! Operators, fields and indices on values that are at hand.

use std::cmp::Ordering;
use std::sync::Arc;

use symbi_ir::Op;

use crate::library;
use crate::meter::Meter;
use crate::raise::{Failure, Raise, kinds};
use crate::secret::{Secret, SecretPart};
use crate::show::show;
use crate::text::Text;
use crate::value::{List, Value};

pub(super) type Outcome = Result<Value, Failure>;

/// An operator between two values.
pub(super) fn binary(op: Op, a: &Value, b: &Value, meter: &mut Meter) -> Outcome {
    match op {
        Op::Add => add(a, b, meter),
        Op::Subtract | Op::Multiply | Op::Divide | Op::Remainder => arithmetic(op, a, b),
        Op::In => Ok(Value::Bool(contains(a, b, meter)?)),
        Op::NotIn => Ok(Value::Bool(!contains(a, b, meter)?)),
        op => Ok(Value::Bool(compared(op, a, b, meter)?)),
    }
}

/// Whether a comparison holds.
#[inline]
pub(super) fn compared(op: Op, a: &Value, b: &Value, meter: &mut Meter) -> Result<bool, Failure> {
    if let (Value::Int(a), Value::Int(b)) = (a, b) {
        return Ok(match op {
            Op::Equal => a == b,
            Op::Unequal => a != b,
            Op::Less => a < b,
            Op::AtMost => a <= b,
            Op::Greater => a > b,
            _ => a >= b,
        });
    }
    compared_slowly(op, a, b, meter)
}

fn compared_slowly(op: Op, a: &Value, b: &Value, meter: &mut Meter) -> Result<bool, Failure> {
    pay_both(a, b, meter)?;
    let order = match op {
        Op::Equal => return Ok(a.equals(b)?),
        Op::Unequal => return Ok(!a.equals(b)?),
        _ => a.compare(b)?,
    };
    Ok(match (op, order) {
        (_, None) => false,
        (Op::Less, Some(order)) => order == Ordering::Less,
        (Op::AtMost, Some(order)) => order != Ordering::Greater,
        (Op::Greater, Some(order)) => order == Ordering::Greater,
        (_, Some(order)) => order != Ordering::Less,
    })
}

/// Pays for walking through a value. One that holds another one twice, and so
/// on, can be larger to walk through than any memory.
#[inline]
pub(super) fn pay(value: &Value, meter: &mut Meter) -> Result<(), Failure> {
    match value {
        Value::Text(text) => meter.work(text.len() / 64),
        Value::List(_) | Value::Map(_) | Value::Set(_) | Value::Error(_) => {
            let fuel = usize::try_from(meter.fuel).unwrap_or(usize::MAX);
            let weight = library::weigh(value, fuel.saturating_add(1).saturating_mul(8));
            meter.work(weight / 8)
        }
        _ => Ok(()),
    }
}

/// Pays for comparing two values: no further than the smaller one goes.
fn pay_both(a: &Value, b: &Value, meter: &mut Meter) -> Result<(), Failure> {
    let is_large = |value: &Value| {
        matches!(
            value,
            Value::List(_) | Value::Map(_) | Value::Set(_) | Value::Error(_) | Value::Text(_)
        )
    };
    if !is_large(a) || !is_large(b) {
        return Ok(());
    }
    let fuel = usize::try_from(meter.fuel).unwrap_or(usize::MAX);
    let one = library::weigh(a, fuel.saturating_add(1).saturating_mul(8));
    let two = library::weigh(b, one);
    meter.work(one.min(two) / 8)
}

fn overflow(op: Op) -> Failure {
    let what = match op {
        Op::Add => "the sum",
        Op::Subtract => "the difference",
        Op::Multiply => "the product",
        _ => "the result",
    };
    Raise::new(kinds::OVERFLOW, format!("{what} does not fit into 64 bits")).into()
}

fn by_zero() -> Failure {
    Raise::new(kinds::DIVISION_BY_ZERO, "a division by zero").into()
}

#[cold]
fn no_operator(op: Op, a: &Value, b: &Value) -> Failure {
    let sign = match op {
        Op::Add => "+",
        Op::Subtract => "-",
        Op::Multiply => "*",
        Op::Divide => "/",
        _ => "%",
    };
    let message = format!(
        "`{sign}` does not work between {} and {}",
        a.with_article(),
        b.with_article()
    );
    Raise::new(kinds::WRONG_TYPE, message).into()
}

/// `+`.
pub(super) fn add(a: &Value, b: &Value, meter: &mut Meter) -> Outcome {
    let op = Op::Add;
    Ok(match (a, b) {
        (Value::Int(a), Value::Int(b)) => {
            Value::Int(a.checked_add(*b).ok_or_else(|| overflow(op))?)
        }
        (Value::Secret(one), other) | (other, Value::Secret(one)) => {
            let other = match other {
                Value::Secret(other) => Secret::clone(other),
                Value::Text(text) => Secret {
                    parts: vec![SecretPart::Text(text.to_string())],
                },
                _ => return Err(no_operator(op, a, b)),
            };
            let joined = match a {
                Value::Secret(_) => one.join(&other)?,
                _ => other.join(one)?,
            };
            meter.allocate(joined.parts.len() * 64)?;
            Value::Secret(Arc::new(joined))
        }
        (Value::Text(a), b) => {
            let mut sum = a.clone();
            push(&mut sum, b, a.len(), meter)?;
            Value::Text(sum)
        }
        (a, Value::Text(b)) => {
            no_function(op, a, &Value::Text(b.clone()))?;
            let a = shown(a, meter)?;
            meter.make(a.len() + b.len())?;
            let mut sum = Text::new(a);
            sum.push_str(b);
            Value::Text(sum)
        }
        (Value::List(a), Value::List(b)) => {
            let count = a.items().len() + b.items().len();
            meter.make(count * size_of::<Value>())?;
            meter.work(count)?;
            let items = a.items().iter().chain(b.items()).cloned().collect();
            List::new(items)?.into()
        }
        (Value::Duration(a), Value::Duration(b)) => {
            Value::Duration(a.checked_add(*b).ok_or_else(|| overflow(op))?)
        }
        (Value::Size(a), Value::Size(b)) => {
            Value::Size(a.checked_add(*b).ok_or_else(|| overflow(op))?)
        }
        (Value::Time(a), Value::Duration(b)) | (Value::Duration(b), Value::Time(a)) => {
            Value::Time(a.checked_add(*b).ok_or_else(|| overflow(op))?)
        }
        _ => match floats(a, b) {
            Some((a, b)) => Value::Float(a + b),
            None => return Err(no_operator(op, a, b)),
        },
    })
}

fn no_function(op: Op, a: &Value, b: &Value) -> Result<(), Failure> {
    match a {
        Value::Lambda(_) | Value::Function(_) => Err(no_operator(op, a, b)),
        _ => Ok(()),
    }
}

/// Puts a value behind a text; `copied` are the bytes that have to be copied
/// where others have the text too.
fn push(text: &mut Text, value: &Value, copied: usize, meter: &mut Meter) -> Result<(), Failure> {
    match value {
        Value::Text(more) => {
            meter.make(text.room_for(more.len()).max(copied / 64))?;
            text.push_str(more);
        }
        value => {
            no_function(Op::Add, value, &Value::Null)?;
            let more = shown(value, meter)?;
            meter.make(text.room_for(more.len()))?;
            text.push_str(&more);
        }
    }
    Ok(())
}

/// `place = place + value`, in place where that can be.
pub(super) fn add_to(place: &mut Value, value: &Value, meter: &mut Meter) -> Result<(), Failure> {
    match (&mut *place, value) {
        (Value::Int(a), Value::Int(b)) => {
            *a = a.checked_add(*b).ok_or_else(|| overflow(Op::Add))?;
            Ok(())
        }
        (Value::Text(_), Value::Secret(_)) => {
            *place = add(place, value, meter)?;
            Ok(())
        }
        (Value::Text(text), value) => push(text, value, 0, meter),
        (Value::List(list), Value::List(more)) if Arc::strong_count(list) == 1 => {
            let room = match Arc::get_mut(list) {
                Some(list) => list.items_mut().capacity() - list.items().len(),
                None => 0,
            };
            let count = more.items().len();
            if room < count {
                meter.allocate(list.items().len().max(count) * size_of::<Value>())?;
            }
            meter.work(count)?;
            let list = Arc::make_mut(list);
            for item in more.items() {
                list.push(item.clone())?;
            }
            Ok(())
        }
        _ => {
            *place = add(place, value, meter)?;
            Ok(())
        }
    }
}

/// A value as text, as far as there is memory for it.
pub(super) fn shown(value: &Value, meter: &mut Meter) -> Result<String, Failure> {
    let room = meter
        .limit
        .saturating_sub(meter.live.saturating_add(meter.since));
    match show(value, room) {
        Some(text) => Ok(text),
        None => {
            // More than there is: told so by asking for it.
            meter.allocate(room.saturating_add(1))?;
            Ok(String::new())
        }
    }
}

fn floats(a: &Value, b: &Value) -> Option<(f64, f64)> {
    let float = |value: &Value| match value {
        Value::Int(int) => Some(*int as f64),
        Value::Float(float) => Some(*float),
        _ => None,
    };
    Some((float(a)?, float(b)?))
}

/// `-`, `*`, `/` and `%`.
pub(super) fn arithmetic(op: Op, a: &Value, b: &Value) -> Outcome {
    let fits = |value: Option<i64>| value.ok_or_else(|| overflow(op));
    Ok(match (op, a, b) {
        (Op::Subtract, Value::Int(a), Value::Int(b)) => Value::Int(fits(a.checked_sub(*b))?),
        (Op::Multiply, Value::Int(a), Value::Int(b)) => Value::Int(fits(a.checked_mul(*b))?),
        (Op::Remainder, Value::Int(a), Value::Int(b)) => Value::Int(remainder(*a, *b)?),
        (Op::Remainder, Value::Duration(a), Value::Duration(b)) => {
            Value::Duration(remainder(*a, *b)?)
        }
        (Op::Remainder, Value::Size(a), Value::Size(b)) => Value::Size(remainder(*a, *b)?),
        (Op::Subtract, Value::Duration(a), Value::Duration(b)) => {
            Value::Duration(fits(a.checked_sub(*b))?)
        }
        (Op::Subtract, Value::Size(a), Value::Size(b)) => Value::Size(fits(a.checked_sub(*b))?),
        (Op::Subtract, Value::Time(a), Value::Duration(b)) => Value::Time(fits(a.checked_sub(*b))?),
        (Op::Subtract, Value::Time(a), Value::Time(b)) => Value::Duration(fits(a.checked_sub(*b))?),
        (Op::Divide, Value::Duration(a), Value::Duration(b))
        | (Op::Divide, Value::Size(a), Value::Size(b)) => {
            if *b == 0 {
                return Err(by_zero());
            }
            Value::Float(*a as f64 / *b as f64)
        }
        (Op::Multiply | Op::Divide, Value::Duration(a), Value::Int(_) | Value::Float(_)) => {
            Value::Duration(scaled(op, *a, b)?)
        }
        (Op::Multiply | Op::Divide, Value::Size(a), Value::Int(_) | Value::Float(_)) => {
            Value::Size(scaled(op, *a, b)?)
        }
        (Op::Multiply, Value::Int(_) | Value::Float(_), Value::Duration(b)) => {
            Value::Duration(scaled(op, *b, a)?)
        }
        (Op::Multiply, Value::Int(_) | Value::Float(_), Value::Size(b)) => {
            Value::Size(scaled(op, *b, a)?)
        }
        _ => {
            let Some((one, two)) = floats(a, b) else {
                return Err(no_operator(op, a, b));
            };
            Value::Float(match op {
                Op::Subtract => one - two,
                Op::Multiply => one * two,
                _ if two == 0.0 => return Err(by_zero()),
                Op::Divide => one / two,
                _ => one % two,
            })
        }
    })
}

fn remainder(a: i64, b: i64) -> Result<i64, Failure> {
    match b {
        0 => Err(by_zero()),
        // The smallest number by -1 does not fit, and leaves nothing.
        -1 => Ok(0),
        b => Ok(a % b),
    }
}

/// A length of time or an amount of memory, times or by a number; cut off to
/// whole nanoseconds or bytes.
fn scaled(op: Op, amount: i64, by: &Value) -> Result<i64, Failure> {
    let fits = |value: Option<i64>| value.ok_or_else(|| overflow(op));
    let by = match (op, by) {
        (Op::Multiply, Value::Int(by)) => return fits(amount.checked_mul(*by)),
        (_, Value::Int(0)) => return Err(by_zero()),
        (_, Value::Int(by)) => return fits(amount.checked_div(*by)),
        (_, Value::Float(by)) => *by,
        _ => return Err(no_operator(op, &Value::Duration(amount), by)),
    };
    if op == Op::Divide && by == 0.0 {
        return Err(by_zero());
    }
    let value = match op {
        Op::Multiply => amount as f64 * by,
        _ => amount as f64 / by,
    };
    // 2^63 does not fit, and every float below it does.
    const LIMIT: f64 = 9_223_372_036_854_775_808.0;
    match (-LIMIT..LIMIT).contains(&value) {
        true => Ok(value as i64),
        false => Err(overflow(op)),
    }
}

/// `-x`.
pub(super) fn minus(value: &Value) -> Outcome {
    let fits = |value: i64| value.checked_neg().ok_or_else(|| overflow(Op::Subtract));
    Ok(match value {
        Value::Int(value) => Value::Int(fits(*value)?),
        Value::Float(value) => Value::Float(-value),
        Value::Duration(value) => Value::Duration(fits(*value)?),
        Value::Size(value) => Value::Size(fits(*value)?),
        other => {
            let message = format!(
                "`-` stands before a number, and this is {}",
                other.with_article()
            );
            return Err(Raise::new(kinds::WRONG_TYPE, message).into());
        }
    })
}

/// What a condition says.
#[inline]
pub(super) fn boolean(value: &Value) -> Result<bool, Failure> {
    match value {
        Value::Bool(value) => Ok(*value),
        other => Err(no_boolean(other)),
    }
}

#[cold]
fn no_boolean(value: &Value) -> Failure {
    let message = format!(
        "a boolean is needed here, and this is {}",
        value.with_article()
    );
    Raise::new(kinds::WRONG_TYPE, message).into()
}

/// `a in b`.
fn contains(a: &Value, b: &Value, meter: &mut Meter) -> Result<bool, Failure> {
    match (a, b) {
        (Value::Text(part), Value::Text(text)) => {
            meter.work(text.len() / 64)?;
            Ok(text.contains(part.as_str()))
        }
        (a, Value::List(list)) => {
            meter.work(list.items().len())?;
            for item in list.items() {
                pay_both(a, item, meter)?;
                if a.equals(item)? {
                    return Ok(true);
                }
            }
            Ok(false)
        }
        (a, Value::Set(set)) => {
            pay(a, meter)?;
            Ok(set.contains(a)?)
        }
        (a, Value::Map(map)) => {
            pay(a, meter)?;
            Ok(map.get(a)?.is_some())
        }
        (a, b) => {
            let message = match b {
                Value::Text(_) => format!("a text holds texts, and this is {}", a.with_article()),
                b => format!(
                    "`in` looks into a list, a set, a map or a text, and this is {}",
                    b.with_article()
                ),
            };
            Err(Raise::new(kinds::WRONG_TYPE, message).into())
        }
    }
}

/// `a.b`.
pub(super) fn field(object: &Value, name: &str, at: &dyn Fn(crate::At) -> Value) -> Outcome {
    match object {
        Value::Map(map) => {
            if let Some(value) = map.field(name) {
                return Ok(value.clone());
            }
        }
        Value::Error(problem) => match name {
            "kind" => return Ok(Value::Text(problem.kind.clone())),
            "message" => return Ok(Value::Text(problem.message.clone())),
            "details" => return Ok(problem.details.clone()),
            "span" => return Ok(problem.at.map_or(Value::Null, at)),
            _ => {}
        },
        Value::Secret(secret) => return Ok(Value::Secret(Arc::new(secret.part(name)?))),
        _ => {}
    }
    if let Some(length) = property(object, name) {
        return Ok(length);
    }
    Err(missing(object, name))
}

/// What may be read without parentheses.
fn property(object: &Value, name: &str) -> Option<Value> {
    let is = library::named(name).iter().any(|function| {
        let first = function.params.first();
        function.property && first.is_some_and(|first| library::takes(first.ty, object))
    });
    if !is {
        return None;
    }
    let count = match object {
        Value::Text(text) => text.chars(),
        Value::List(list) => list.items().len(),
        Value::Map(map) => map.len(),
        Value::Set(set) => set.len(),
        _ => return None,
    };
    Some(Value::Int(count as i64))
}

#[cold]
fn missing(object: &Value, name: &str) -> Failure {
    let message = format!("{} has no field `{name}`", object.with_article());
    Raise::new(kinds::MISSING_FIELD, message).into()
}

/// `a[b]`.
pub(super) fn index(object: &Value, index: &Value) -> Outcome {
    match (object, index) {
        (Value::List(list), Value::Int(place)) => {
            let found = usize::try_from(*place)
                .ok()
                .and_then(|place| list.items().get(place));
            found
                .cloned()
                .ok_or_else(|| out_of_range(*place, list.items().len(), "elements"))
        }
        (Value::Text(text), Value::Int(place)) => {
            let found = usize::try_from(*place)
                .ok()
                .and_then(|place| text.char_at(place));
            let found = found.ok_or_else(|| out_of_range(*place, text.chars(), "characters"))?;
            Ok(Value::from(found.to_string()))
        }
        (Value::Map(map), key) => match map.get(key)? {
            Some(value) => Ok(value.clone()),
            None => Err(no_key(object, key)),
        },
        (Value::Error(_), Value::Text(name)) => field(object, name, &|_| Value::Null),
        (Value::Secret(secret), key) => {
            let name = show(key, 1024).unwrap_or_default();
            Ok(Value::Secret(Arc::new(secret.part(&name)?)))
        }
        (Value::List(_) | Value::Text(_), index) => Err(no_place(index)),
        (other, _) => {
            let message = format!("{} has nothing to look up by index", other.with_article());
            Err(Raise::new(kinds::WRONG_TYPE, message).into())
        }
    }
}

#[cold]
pub(super) fn no_key(object: &Value, key: &Value) -> Failure {
    let key = show(key, 200).unwrap_or_else(|| "this key".to_owned());
    let message = format!("{} has no entry `{key}`", object.with_article());
    Raise::new(kinds::MISSING_FIELD, message).into()
}

#[cold]
pub(super) fn no_place(index: &Value) -> Failure {
    let message = format!(
        "a place is a whole number, and this is {}",
        index.with_article()
    );
    Raise::new(kinds::WRONG_TYPE, message).into()
}

#[cold]
pub(super) fn out_of_range(place: i64, count: usize, of: &str) -> Failure {
    let message = match count {
        0 => format!("there is no place {place}: there are no {of}"),
        1 => format!("there is no place {place}: there is one of the {of}, at 0"),
        count => format!(
            "there is no place {place}: there are {count} {of}, from 0 to {}",
            count - 1
        ),
    };
    Raise::new(kinds::OUT_OF_RANGE, message).into()
}

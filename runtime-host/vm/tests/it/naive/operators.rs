//! Operators, fields and indices.

use std::cmp::Ordering;
use std::sync::Arc;

use symbi_ir::Op;
use symbi_vm::{List, Raise, Secret, SecretPart, Value, kinds, show};

use super::library;

type Outcome = Result<Value, Raise>;

/// More than any test makes.
const LONG: usize = 1 << 24;

pub(super) fn binary(op: Op, a: &Value, b: &Value) -> Outcome {
    Ok(match op {
        Op::Add => return add(a, b),
        Op::Subtract => return subtract(a, b),
        Op::Multiply => return multiply(a, b),
        Op::Divide => return divide(a, b),
        Op::Remainder => return remainder(a, b),
        Op::Equal => Value::Bool(a.equals(b)?),
        Op::Unequal => Value::Bool(!a.equals(b)?),
        Op::Less => Value::Bool(a.compare(b)? == Some(Ordering::Less)),
        Op::Greater => Value::Bool(a.compare(b)? == Some(Ordering::Greater)),
        Op::AtMost => Value::Bool(matches!(
            a.compare(b)?,
            Some(Ordering::Less | Ordering::Equal)
        )),
        Op::AtLeast => Value::Bool(matches!(
            a.compare(b)?,
            Some(Ordering::Greater | Ordering::Equal)
        )),
        Op::In => Value::Bool(is_in(a, b)?),
        Op::NotIn => Value::Bool(!is_in(a, b)?),
    })
}

fn overflow(what: &str) -> Raise {
    Raise::new(kinds::OVERFLOW, format!("{what} does not fit into 64 bits"))
}

fn by_zero() -> Raise {
    Raise::new(kinds::DIVISION_BY_ZERO, "a division by zero")
}

fn no_operator(sign: &str, a: &Value, b: &Value) -> Raise {
    let (a, b) = (a.with_article(), b.with_article());
    Raise::new(
        kinds::WRONG_TYPE,
        format!("`{sign}` does not work between {a} and {b}"),
    )
}

fn text(value: &Value) -> String {
    show(value, LONG).expect("a test makes no longer text")
}

fn number(value: &Value) -> Option<f64> {
    match value {
        Value::Int(value) => Some(*value as f64),
        Value::Float(value) => Some(*value),
        _ => None,
    }
}

fn is_function(value: &Value) -> bool {
    matches!(value, Value::Lambda(_) | Value::Function(_))
}

/// What is put together is a secret, if a part of it is one.
fn parts(value: &Value) -> Option<Secret> {
    match value {
        Value::Secret(secret) => Some(Secret::clone(secret)),
        Value::Text(text) => Some(Secret {
            parts: vec![SecretPart::Text(text.to_string())],
        }),
        _ => None,
    }
}

fn add(a: &Value, b: &Value) -> Outcome {
    let fits = |sum: Option<i64>| sum.ok_or_else(|| overflow("the sum"));
    let no = || no_operator("+", a, b);
    Ok(match (a, b) {
        (Value::Secret(_), _) | (_, Value::Secret(_)) => {
            let (one, two) = (parts(a).ok_or_else(no)?, parts(b).ok_or_else(no)?);
            Value::Secret(Arc::new(one.join(&two)?))
        }
        (Value::Text(_), other) | (other, Value::Text(_)) if is_function(other) => {
            return Err(no());
        }
        (Value::Text(_), _) | (_, Value::Text(_)) => Value::from(text(a) + &text(b)),
        (Value::Int(a), Value::Int(b)) => Value::Int(fits(a.checked_add(*b))?),
        (Value::Duration(a), Value::Duration(b)) => Value::Duration(fits(a.checked_add(*b))?),
        (Value::Size(a), Value::Size(b)) => Value::Size(fits(a.checked_add(*b))?),
        (Value::Time(a), Value::Duration(b)) | (Value::Duration(a), Value::Time(b)) => {
            Value::Time(fits(a.checked_add(*b))?)
        }
        (Value::List(a), Value::List(b)) => List::new([a.items(), b.items()].concat())?.into(),
        _ => match (number(a), number(b)) {
            (Some(a), Some(b)) => Value::Float(a + b),
            _ => return Err(no()),
        },
    })
}

fn subtract(a: &Value, b: &Value) -> Outcome {
    let fits = |sum: Option<i64>| sum.ok_or_else(|| overflow("the difference"));
    Ok(match (a, b) {
        (Value::Int(a), Value::Int(b)) => Value::Int(fits(a.checked_sub(*b))?),
        (Value::Duration(a), Value::Duration(b)) => Value::Duration(fits(a.checked_sub(*b))?),
        (Value::Size(a), Value::Size(b)) => Value::Size(fits(a.checked_sub(*b))?),
        (Value::Time(a), Value::Duration(b)) => Value::Time(fits(a.checked_sub(*b))?),
        (Value::Time(a), Value::Time(b)) => Value::Duration(fits(a.checked_sub(*b))?),
        _ => match (number(a), number(b)) {
            (Some(a), Some(b)) => Value::Float(a - b),
            _ => return Err(no_operator("-", a, b)),
        },
    })
}

/// What is cut off of a float, if it is one of 64 bits.
fn whole(value: f64) -> Option<i64> {
    // -2^63 is one, 2^63 is none; neither is NaN.
    let limit = 2_f64.powi(63);
    (value >= -limit && value < limit).then_some(value as i64)
}

fn multiply(a: &Value, b: &Value) -> Outcome {
    let fits = |product: Option<i64>| product.ok_or_else(|| overflow("the product"));
    let scaled = |amount: i64, by: &Value| match by {
        Value::Int(by) => fits(amount.checked_mul(*by)),
        Value::Float(by) => fits(whole(amount as f64 * by)),
        _ => Err(no_operator("*", a, b)),
    };
    Ok(match (a, b) {
        (Value::Int(a), Value::Int(b)) => Value::Int(fits(a.checked_mul(*b))?),
        (Value::Duration(a), b) | (b, Value::Duration(a)) => Value::Duration(scaled(*a, b)?),
        (Value::Size(a), b) | (b, Value::Size(a)) => Value::Size(scaled(*a, b)?),
        _ => match (number(a), number(b)) {
            (Some(a), Some(b)) => Value::Float(a * b),
            _ => return Err(no_operator("*", a, b)),
        },
    })
}

fn divide(a: &Value, b: &Value) -> Outcome {
    let no = || no_operator("/", a, b);
    let fits = |result: Option<i64>| result.ok_or_else(|| overflow("the result"));
    let scaled = |amount: i64| match b {
        Value::Int(0) => Err(by_zero()),
        Value::Int(by) => fits(amount.checked_div(*by)),
        Value::Float(by) if *by == 0.0 => Err(by_zero()),
        Value::Float(by) => fits(whole(amount as f64 / by)),
        _ => Err(no()),
    };
    Ok(match (a, b) {
        (Value::Duration(_), Value::Duration(0)) | (Value::Size(_), Value::Size(0)) => {
            return Err(by_zero());
        }
        (Value::Duration(a), Value::Duration(b)) | (Value::Size(a), Value::Size(b)) => {
            Value::Float(*a as f64 / *b as f64)
        }
        (Value::Duration(amount), _) => Value::Duration(scaled(*amount)?),
        (Value::Size(amount), _) => Value::Size(scaled(*amount)?),
        _ => match (number(a), number(b)) {
            (Some(_), Some(0.0)) => return Err(by_zero()),
            (Some(a), Some(b)) => Value::Float(a / b),
            _ => return Err(no()),
        },
    })
}

fn remainder(a: &Value, b: &Value) -> Outcome {
    let whole = |a: i64, b: i64| match b {
        0 => Err(by_zero()),
        // For the smallest number and -1, too.
        b => Ok(a.wrapping_rem(b)),
    };
    Ok(match (a, b) {
        (Value::Int(a), Value::Int(b)) => Value::Int(whole(*a, *b)?),
        (Value::Duration(a), Value::Duration(b)) => Value::Duration(whole(*a, *b)?),
        (Value::Size(a), Value::Size(b)) => Value::Size(whole(*a, *b)?),
        _ => match (number(a), number(b)) {
            (Some(_), Some(0.0)) => return Err(by_zero()),
            (Some(a), Some(b)) => Value::Float(a % b),
            _ => return Err(no_operator("%", a, b)),
        },
    })
}

pub(super) fn minus(value: &Value) -> Outcome {
    let fits = |value: i64| {
        let negative = value.checked_neg();
        negative.ok_or_else(|| overflow("the difference"))
    };
    Ok(match value {
        Value::Int(value) => Value::Int(fits(*value)?),
        Value::Float(value) => Value::Float(-value),
        Value::Duration(value) => Value::Duration(fits(*value)?),
        Value::Size(value) => Value::Size(fits(*value)?),
        other => {
            return Err(Raise::new(
                kinds::WRONG_TYPE,
                format!(
                    "`-` stands before a number, and this is {}",
                    other.with_article()
                ),
            ));
        }
    })
}

/// What a condition says.
pub(super) fn boolean(value: &Value) -> Result<bool, Raise> {
    match value {
        Value::Bool(value) => Ok(*value),
        other => Err(Raise::new(
            kinds::WRONG_TYPE,
            format!(
                "a boolean is needed here, and this is {}",
                other.with_article()
            ),
        )),
    }
}

fn is_in(a: &Value, b: &Value) -> Result<bool, Raise> {
    match (a, b) {
        (_, Value::List(list)) => {
            for item in list.items() {
                if a.equals(item)? {
                    return Ok(true);
                }
            }
            Ok(false)
        }
        (_, Value::Set(set)) => set.contains(a),
        (_, Value::Map(map)) => Ok(map.get(a)?.is_some()),
        (Value::Text(a), Value::Text(b)) => Ok(b.as_str().contains(a.as_str())),
        (a, Value::Text(_)) => Err(Raise::new(
            kinds::WRONG_TYPE,
            format!("a text holds texts, and this is {}", a.with_article()),
        )),
        (_, b) => Err(Raise::new(
            kinds::WRONG_TYPE,
            format!(
                "`in` looks into a list, a set, a map or a text, and this is {}",
                b.with_article()
            ),
        )),
    }
}

/// `a.b`; `span` is what the place of an error is to programs.
pub(super) fn field(object: &Value, name: &str, span: &dyn Fn(symbi_vm::At) -> Value) -> Outcome {
    let own = match object {
        Value::Map(map) => map.field(name).cloned(),
        Value::Error(problem) => match name {
            "kind" => Some(Value::Text(problem.kind.clone())),
            "message" => Some(Value::Text(problem.message.clone())),
            "details" => Some(problem.details.clone()),
            "span" => Some(problem.at.map_or(Value::Null, span)),
            _ => None,
        },
        Value::Secret(secret) => Some(Value::Secret(Arc::new(secret.part(name)?))),
        _ => None,
    };
    let found = own.or_else(|| {
        match (library::is_property(name, object), object) {
            (false, _) => None,
            (true, Value::Text(text)) => Some(text.as_str().chars().count()),
            (true, Value::List(list)) => Some(list.items().len()),
            (true, Value::Map(map)) => Some(map.len()),
            (true, Value::Set(set)) => Some(set.len()),
            _ => None,
        }
        .map(|count| Value::Int(count as i64))
    });
    found.ok_or_else(|| {
        let object = object.with_article();
        Raise::new(
            kinds::MISSING_FIELD,
            format!("{object} has no field `{name}`"),
        )
    })
}

/// `a[b]`.
pub(super) fn index(object: &Value, index: &Value) -> Outcome {
    match (object, index) {
        (Value::List(list), _) => {
            let place = place_in(index, list.items().len(), "elements")?;
            Ok(list.items()[place].clone())
        }
        (Value::Text(text), _) => {
            let chars: Vec<char> = text.as_str().chars().collect();
            let place = place_in(index, chars.len(), "characters")?;
            Ok(Value::from(chars[place].to_string()))
        }
        (Value::Map(map), key) => match map.get(key)? {
            Some(value) => Ok(value.clone()),
            None => Err(no_entry(object, key)),
        },
        (Value::Error(_), Value::Text(name)) => field(object, name, &|_| Value::Null),
        (Value::Secret(secret), key) => Ok(Value::Secret(Arc::new(secret.part(&text(key))?))),
        _ => Err(Raise::new(
            kinds::WRONG_TYPE,
            format!("{} has nothing to look up by index", object.with_article()),
        )),
    }
}

pub(super) fn no_entry(object: &Value, key: &Value) -> Raise {
    let (object, key) = (object.with_article(), text(key));
    Raise::new(
        kinds::MISSING_FIELD,
        format!("{object} has no entry `{key}`"),
    )
}

/// A place among so many.
pub(super) fn place_in(index: &Value, count: usize, of: &str) -> Result<usize, Raise> {
    let Value::Int(place) = index else {
        return Err(Raise::new(
            kinds::WRONG_TYPE,
            format!(
                "a place is a whole number, and this is {}",
                index.with_article()
            ),
        ));
    };
    match usize::try_from(*place) {
        Ok(place) if place < count => Ok(place),
        _ => Err(Raise::new(
            kinds::OUT_OF_RANGE,
            match count {
                0 => format!("there is no place {place}: there are no {of}"),
                1 => format!("there is no place {place}: there is one of the {of}, at 0"),
                _ => {
                    let last = count - 1;
                    format!("there is no place {place}: there are {count} {of}, from 0 to {last}")
                }
            },
        )),
    }
}

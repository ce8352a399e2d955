//! Putting values in order. No answer of a comparison, however odd, makes it
//! panic or go on for longer than n log n.

use std::cmp::Ordering;

use super::Cx;
use super::arguments::{VALUE, invalid, walk};
use crate::raise::{Failure, kinds};
use crate::value::Value;

/// How two values follow on each other.
///
/// # Errors
/// `invalid_value` if they have no order.
pub(super) fn compare(one: &Value, two: &Value) -> Result<Ordering, Failure> {
    match one.compare(two) {
        Ok(Some(order)) => Ok(order),
        Ok(None) => Err(nan()),
        Err(raise) if raise.kind == kinds::WRONG_TYPE => Err(invalid(raise.message)),
        Err(raise) => Err(raise.into()),
    }
}

pub(super) fn nan() -> Failure {
    invalid("NaN has no place in an order")
}

/// Values of one kind all have an order among each other.
#[derive(PartialEq)]
enum Kind {
    Number,
    Text,
    Bool,
    Duration,
    Time,
}

fn kind_of(value: &Value) -> Option<Kind> {
    Some(match value {
        Value::Float(value) if value.is_nan() => return None,
        Value::Int(_) | Value::Float(_) | Value::Size(_) => Kind::Number,
        Value::Text(_) => Kind::Text,
        Value::Bool(_) => Kind::Bool,
        Value::Duration(_) => Kind::Duration,
        Value::Time(_) => Kind::Time,
        _ => return None,
    })
}

/// Asks for what it takes to put values in order.
pub(super) fn ask(cx: &mut Cx<'_>, values: &[Value]) -> Result<(), Failure> {
    allocate(cx, values.len())?;
    work(cx, values)
}

/// Asks for the memory of it alone.
pub(super) fn allocate(cx: &mut Cx<'_>, values: usize) -> Result<(), Failure> {
    cx.meter.allocate(values.saturating_mul(2 * VALUE))
}

/// Asks for the steps of it alone.
pub(super) fn work(cx: &mut Cx<'_>, values: &[Value]) -> Result<(), Failure> {
    let rounds = values.len().max(2).ilog2() as usize + 1;
    for value in values {
        if !matches!(value, Value::Int(_) | Value::Float(_)) {
            walk(cx, value, rounds)?;
        }
    }
    cx.meter.work(values.len().saturating_mul(rounds) / 8)
}

/// Puts values in order, the smallest first; equal ones keep theirs. [`ask`]
/// has to come before. On failure they are as they were.
pub(super) fn sort(values: &mut Vec<Value>) -> Result<(), Failure> {
    let Some(first) = values.first() else {
        return Ok(());
    };
    let alike = kind_of(first);
    if alike.is_some() && values.iter().all(|value| kind_of(value) == alike) {
        // INVARIANT: those of one kind have an order, so nothing is left out.
        values.sort_by(|one, two| match (one, two) {
            (Value::Int(one), Value::Int(two)) => one.cmp(two),
            _ => one.compare(two).ok().flatten().unwrap_or(Ordering::Equal),
        });
        return Ok(());
    }
    let places = places(values)?;
    let sorted = places
        .into_iter()
        .map(|place| std::mem::take(&mut values[place]));
    *values = sorted.collect();
    Ok(())
}

/// The places of values in their order.
pub(super) fn places(keys: &[Value]) -> Result<Vec<usize>, Failure> {
    let mut places: Vec<usize> = (0..keys.len()).collect();
    if let [one] = keys {
        no_nan(one)?;
    }
    // Merging from the bottom up: the standard library's sorting may panic
    // where a comparison fails, which here is seen in the middle only.
    let mut merged = Vec::with_capacity(places.len());
    let mut width = 1;
    while width < places.len() {
        merged.clear();
        for run in places.chunks(width.saturating_mul(2)) {
            let (mut left, mut right) = run.split_at(width.min(run.len()));
            while let ([one, left_rest @ ..], [two, right_rest @ ..]) = (left, right) {
                match compare(&keys[*one], &keys[*two])? {
                    Ordering::Greater => {
                        merged.push(*two);
                        right = right_rest;
                    }
                    _ => {
                        merged.push(*one);
                        left = left_rest;
                    }
                }
            }
            merged.extend_from_slice(left);
            merged.extend_from_slice(right);
        }
        std::mem::swap(&mut places, &mut merged);
        width = width.saturating_mul(2);
    }
    Ok(places)
}

fn no_nan(value: &Value) -> Result<(), Failure> {
    match value {
        Value::Float(value) if value.is_nan() => Err(nan()),
        _ => Ok(()),
    }
}

/// The first of the smallest values, or of the largest.
pub(super) fn extreme<'v>(
    cx: &mut Cx<'_>,
    values: &'v [Value],
    wanted: Ordering,
) -> Result<Option<&'v Value>, Failure> {
    cx.meter.work(values.len() / 16)?;
    let [first, rest @ ..] = values else {
        return Ok(None);
    };
    no_nan(first)?;
    let mut best = first;
    for value in rest {
        if !matches!(value, Value::Int(_) | Value::Float(_)) {
            walk(cx, value, 1)?;
        }
        if compare(value, best)? == wanted {
            best = value;
        }
    }
    Ok(Some(best))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::library::testing::*;

    fn sorted(values: &Value) -> String {
        let Value::List(list) = values else {
            panic!("{values:?}");
        };
        let mut items = list.items().to_vec();
        match sort(&mut items) {
            Ok(()) => quoted(&Value::list(items).unwrap()),
            Err(failure) => {
                assert_eq!(quoted(&Value::list(items).unwrap()), quoted(values));
                kind(&failure)
            }
        }
    }

    #[test]
    fn values_come_in_order_or_stay_as_they_are() {
        let pair = |one: i64, two: &str| list([i(one), t(two)]);
        let table = [
            (ints([3, 1, 2]), "[1, 2, 3]"),
            (list([]), "[]"),
            (list([i(1), f(1.0), f(0.5), i(1)]), "[0.5, 1, 1.0, 1]"),
            (list([f(0.0), f(-0.0)]), "[0.0, -0.0]"),
            (
                ints([i64::MAX, i64::MIN, 0]),
                "[-9223372036854775808, 0, 9223372036854775807]",
            ),
            (
                list([f(f64::INFINITY), f(f64::NEG_INFINITY)]),
                "[-Infinity, Infinity]",
            ),
            (texts(["b", "", "é", "a"]), r#"["", "a", "b", "é"]"#),
            (
                list([pair(2, "a"), pair(1, "b"), pair(1, "a")]),
                r#"[[1, "a"], [1, "b"], [2, "a"]]"#,
            ),
            (list([Value::Size(2048), i(1), f(1.5)]), "[1, 1.5, 2KB]"),
            (list([f(f64::NAN)]), "invalid_value"),
            (list([f(1.0), f(f64::NAN), f(2.0)]), "invalid_value"),
            (list([i(1), t("a")]), "invalid_value"),
            (
                list([list([i(1)]), list([t("a")]), list([])]),
                "invalid_value",
            ),
            (list([Value::Null, Value::Null]), "invalid_value"),
        ];
        for (values, expected) in table {
            assert_eq!(sorted(&values), expected, "{values:?}");
        }
    }

    #[test]
    fn many_mixed_values_never_panic_and_equal_ones_keep_their_places() {
        // A fixed sequence that looks like chance.
        let mut seed = 7_u64;
        let mut next = || {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (seed >> 33) as i64
        };
        for round in 0..50 {
            let items: Vec<Value> = (0..round * 3)
                .map(|_| match next() % 40 {
                    0 => t("x"),
                    1 => list([i(next() % 3)]),
                    _ => i(next() % 5),
                })
                .collect();
            let _ = sort(&mut items.clone());
            let keys: Vec<Value> = items
                .into_iter()
                .filter(|item| matches!(item, Value::Int(_)))
                .collect();
            let found = places(&keys).unwrap();
            for pair in found.windows(2) {
                let order = compare(&keys[pair[0]], &keys[pair[1]]).unwrap();
                assert!(order.is_lt() || (order.is_eq() && pair[0] < pair[1]));
            }
        }
    }
}

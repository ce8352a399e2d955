//! Methods of Array, and `range`.

use std::cmp::Ordering;
use std::mem::take;
use std::sync::Arc;

use super::arguments::{
    ENTRY, LIST, VALUE, count, int, invalid, out_of_range, overflow, span, unfit, walk, wrong,
};
use super::{Cx, Given, order};
use crate::raise::Failure;
use crate::value::{List, Set, Value};

/// Asks for a list of so many elements.
pub(super) fn list_of(cx: &mut Cx<'_>, elements: usize) -> Result<(), Failure> {
    let bytes = elements.saturating_mul(VALUE).saturating_add(LIST);
    cx.meter.allocate(bytes)?;
    cx.meter.work(elements / 16)
}

/// Asks for a list of small lists.
fn lists_of(cx: &mut Cx<'_>, lists: usize, elements: usize) -> Result<(), Failure> {
    let bytes = elements.saturating_add(lists).saturating_mul(VALUE);
    let all = bytes.saturating_add(lists.saturating_add(1).saturating_mul(LIST));
    cx.meter.allocate(all)?;
    cx.meter.work(elements.saturating_add(lists) / 8)
}

/// Asks for what it takes to change a list, which is copied if others have it.
fn own(cx: &mut Cx<'_>, list: &mut Arc<List>, growth: usize) -> Result<(), Failure> {
    match Arc::get_mut(list) {
        Some(_) => cx.meter.allocate(growth),
        None => {
            let bytes = list.items().len().saturating_mul(VALUE);
            cx.meter
                .allocate(bytes.saturating_add(LIST).saturating_add(growth))?;
            cx.meter.work(list.items().len() / 16)
        }
    }
}

pub(super) fn length(_: &mut Cx<'_>, args: &mut [Value]) -> Given {
    match args {
        [Value::List(list)] => Ok(int(list.items().len())),
        args => Err(unfit("length", args)),
    }
}

pub(super) fn is_empty(_: &mut Cx<'_>, args: &mut [Value]) -> Given {
    match args {
        [Value::List(list)] => Ok(Value::Bool(list.items().is_empty())),
        args => Err(unfit("is_empty", args)),
    }
}

pub(super) fn push(cx: &mut Cx<'_>, args: &mut [Value]) -> Given {
    let [Value::List(list), value] = args else {
        return Err(unfit("push", args));
    };
    let growth = list.growth();
    own(cx, list, growth)?;
    Arc::make_mut(list).push(take(value))?;
    Ok(Value::Null)
}

pub(super) fn insert(cx: &mut Cx<'_>, args: &mut [Value]) -> Given {
    let [Value::List(list), Value::Int(place), value] = args else {
        return Err(unfit("insert", args));
    };
    let length = list.items().len();
    let at = usize::try_from(*place).ok().filter(|at| *at <= length);
    let Some(at) = at else {
        return Err(out_of_range(format!(
            "there is no place {place} to put an element at: the list has {length} elements"
        )));
    };
    cx.meter.work((length - at) / 32)?;
    let growth = list.growth();
    own(cx, list, growth)?;
    Arc::make_mut(list).insert(at, take(value))?;
    Ok(Value::Null)
}

pub(super) fn remove(cx: &mut Cx<'_>, args: &mut [Value]) -> Given {
    let [Value::List(list), Value::Int(place)] = args else {
        return Err(unfit("remove", args));
    };
    let length = list.items().len();
    let at = usize::try_from(*place).ok().filter(|at| *at < length);
    let Some(at) = at else {
        return Err(out_of_range(format!(
            "there is no element {place}: the list has {length} elements, counted from 0"
        )));
    };
    cx.meter.work((length - at) / 32)?;
    own(cx, list, 0)?;
    Ok(Arc::make_mut(list).items_mut().remove(at))
}

pub(super) fn sort(cx: &mut Cx<'_>, args: &mut [Value]) -> Given {
    let [Value::List(list)] = args else {
        return Err(unfit("sort", args));
    };
    order::ask(cx, list.items())?;
    own(cx, list, 0)?;
    order::sort(Arc::make_mut(list).items_mut())?;
    Ok(Value::Null)
}

pub(super) fn sorted(cx: &mut Cx<'_>, args: &mut [Value]) -> Given {
    sort(cx, args)?;
    Ok(args.first_mut().map(take).unwrap_or_default())
}

pub(super) fn reversed(cx: &mut Cx<'_>, args: &mut [Value]) -> Given {
    let [Value::List(list)] = args else {
        return Err(unfit("reversed", args));
    };
    cx.meter.work(list.items().len() / 32)?;
    own(cx, list, 0)?;
    let mut list = take(list);
    Arc::make_mut(&mut list).items_mut().reverse();
    Ok(Value::List(list))
}

fn at(list: &List, place: i64) -> Option<&Value> {
    list.items().get(usize::try_from(place).ok()?)
}

pub(super) fn get(_: &mut Cx<'_>, args: &mut [Value]) -> Given {
    match args {
        [Value::List(list), Value::Int(place)] => {
            Ok(at(list, *place).cloned().unwrap_or(Value::Null))
        }
        args => Err(unfit("get", args)),
    }
}

pub(super) fn get_default(_: &mut Cx<'_>, args: &mut [Value]) -> Given {
    match args {
        [Value::List(list), Value::Int(place), default] => Ok(match at(list, *place) {
            Some(value) => value.clone(),
            None => take(default),
        }),
        args => Err(unfit("get", args)),
    }
}

pub(super) fn first(_: &mut Cx<'_>, args: &mut [Value]) -> Given {
    match args {
        [Value::List(list)] => Ok(list.items().first().cloned().unwrap_or(Value::Null)),
        args => Err(unfit("first", args)),
    }
}

pub(super) fn last(_: &mut Cx<'_>, args: &mut [Value]) -> Given {
    match args {
        [Value::List(list)] => Ok(list.items().last().cloned().unwrap_or(Value::Null)),
        args => Err(unfit("last", args)),
    }
}

/// The first place of a value.
fn find(cx: &mut Cx<'_>, list: &List, value: &Value) -> Result<Option<usize>, Failure> {
    // A comparison takes no longer than the smaller of the two is large.
    walk(cx, value, list.items().len())?;
    for (at, item) in list.items().iter().enumerate() {
        if item.equals(value)? {
            return Ok(Some(at));
        }
    }
    Ok(None)
}

pub(super) fn contains(cx: &mut Cx<'_>, args: &mut [Value]) -> Given {
    match args {
        [Value::List(list), value] => Ok(Value::Bool(find(cx, list, value)?.is_some())),
        args => Err(unfit("contains", args)),
    }
}

pub(super) fn index_of(cx: &mut Cx<'_>, args: &mut [Value]) -> Given {
    match args {
        [Value::List(list), value] => Ok(find(cx, list, value)?.map_or(Value::Null, int)),
        args => Err(unfit("index_of", args)),
    }
}

/// What a sum begins with, which it is if there is nothing to sum.
#[derive(Clone, Copy)]
pub(super) enum Zero {
    Int,
    Float,
    Duration,
}

/// The sum of a list. Types of elements are not known to who chooses among the
/// functions of this name, so each of them sums what there is.
pub(super) fn sum(cx: &mut Cx<'_>, args: &mut [Value], zero: Zero) -> Given {
    let [Value::List(list)] = args else {
        return Err(unfit("sum", args));
    };
    let items = list.items();
    cx.meter.work(items.len() / 16)?;
    let too_large = || overflow("the sum is too large");
    match (items.first(), zero) {
        (None, Zero::Int) => Ok(Value::Int(0)),
        (None, Zero::Float) => Ok(Value::Float(0.0)),
        (None, Zero::Duration) => Ok(Value::Duration(0)),
        (Some(Value::Duration(_)), _) => {
            let mut sum = 0_i64;
            for (at, item) in items.iter().enumerate() {
                let Value::Duration(nanos) = item else {
                    return Err(unsummed(at, item, "a duration"));
                };
                sum = sum.checked_add(*nanos).ok_or_else(too_large)?;
            }
            Ok(Value::Duration(sum))
        }
        (Some(_), zero) => {
            // Whole numbers are added exactly as long as there are no others.
            let is_whole = |item: &Value| matches!(item, Value::Int(_));
            if !matches!(zero, Zero::Float) && items.iter().all(is_whole) {
                let mut sum = 0_i64;
                for item in items {
                    if let Value::Int(number) = item {
                        sum = sum.checked_add(*number).ok_or_else(too_large)?;
                    }
                }
                return Ok(Value::Int(sum));
            }
            let mut sum = 0.0;
            for (at, item) in items.iter().enumerate() {
                sum += match item {
                    Value::Int(number) => *number as f64,
                    Value::Float(number) => *number,
                    other => return Err(unsummed(at, other, "a number")),
                };
            }
            Ok(Value::Float(sum))
        }
    }
}

fn unsummed(at: usize, item: &Value, wanted: &str) -> Failure {
    wrong(format!(
        "`sum` needs {wanted} at place {at}, and finds {}",
        item.with_article()
    ))
}

fn extreme(cx: &mut Cx<'_>, name: &str, args: &[Value], wanted: Ordering) -> Given {
    match args {
        [Value::List(list)] => {
            let found = order::extreme(cx, list.items(), wanted)?;
            Ok(found.cloned().unwrap_or(Value::Null))
        }
        args => Err(unfit(name, args)),
    }
}

pub(super) fn min(cx: &mut Cx<'_>, args: &mut [Value]) -> Given {
    extreme(cx, "min", args, Ordering::Less)
}

pub(super) fn max(cx: &mut Cx<'_>, args: &mut [Value]) -> Given {
    extreme(cx, "max", args, Ordering::Greater)
}

/// The elements of a part of a list: the list itself if it is all of it.
fn part(cx: &mut Cx<'_>, list: &Arc<List>, from: usize, to: usize) -> Given {
    let items = list.items().get(from..to).unwrap_or_default();
    if items.len() == list.items().len() {
        return Ok(Value::List(list.clone()));
    }
    list_of(cx, items.len())?;
    Ok(Value::list(items.to_vec())?)
}

pub(super) fn take_first(cx: &mut Cx<'_>, args: &mut [Value]) -> Given {
    let [Value::List(list), Value::Int(most)] = args else {
        return Err(unfit("take", args));
    };
    let most = count("the number of elements", *most)?;
    part(cx, list, 0, most.min(list.items().len()))
}

pub(super) fn skip(cx: &mut Cx<'_>, args: &mut [Value]) -> Given {
    let [Value::List(list), Value::Int(number)] = args else {
        return Err(unfit("skip", args));
    };
    let length = list.items().len();
    let number = count("the number of elements", *number)?;
    part(cx, list, number.min(length), length)
}

pub(super) fn slice(cx: &mut Cx<'_>, args: &mut [Value]) -> Given {
    let [Value::List(list), Value::Int(start), end] = args else {
        return Err(unfit("slice", args));
    };
    let (from, to) = span(*start, end, list.items().len())?;
    part(cx, list, from, to)
}

pub(super) fn concat(cx: &mut Cx<'_>, args: &mut [Value]) -> Given {
    let [Value::List(one), Value::List(two)] = args else {
        return Err(unfit("concat", args));
    };
    let length = one.items().len().saturating_add(two.items().len());
    list_of(cx, length)?;
    let mut items = Vec::with_capacity(length);
    items.extend_from_slice(one.items());
    items.extend_from_slice(two.items());
    Ok(Value::list(items)?)
}

pub(super) fn flatten(cx: &mut Cx<'_>, args: &mut [Value]) -> Given {
    let [Value::List(list)] = args else {
        return Err(unfit("flatten", args));
    };
    let mut length = 0_usize;
    for (at, item) in list.items().iter().enumerate() {
        let Value::List(inner) = item else {
            return Err(wrong(format!(
                "`flatten` needs a list at place {at}, and finds {}",
                item.with_article()
            )));
        };
        length = length.saturating_add(inner.items().len());
    }
    cx.meter.work(list.items().len() / 16)?;
    list_of(cx, length)?;
    let mut items = Vec::with_capacity(length);
    for item in list.items() {
        if let Value::List(inner) = item {
            items.extend_from_slice(inner.items());
        }
    }
    Ok(Value::list(items)?)
}

/// The set of the elements.
fn set(cx: &mut Cx<'_>, list: &List) -> Result<Set, Failure> {
    cx.meter.allocate(
        list.items()
            .len()
            .saturating_mul(ENTRY)
            .saturating_add(LIST),
    )?;
    cx.meter.work(list.items().len() / 4)?;
    for item in list.items() {
        walk(cx, item, 1)?;
    }
    Ok(Set::new(list.items().iter().cloned())?)
}

pub(super) fn unique(cx: &mut Cx<'_>, args: &mut [Value]) -> Given {
    let [Value::List(list)] = args else {
        return Err(unfit("unique", args));
    };
    let set = set(cx, list)?;
    if set.len() == list.items().len() {
        return Ok(Value::List(list.clone()));
    }
    list_of(cx, set.len())?;
    Ok(Value::list(set.elements().cloned().collect())?)
}

pub(super) fn to_set(cx: &mut Cx<'_>, args: &mut [Value]) -> Given {
    match args {
        [Value::List(list)] => Ok(set(cx, list)?.into()),
        args => Err(unfit("to_set", args)),
    }
}

pub(super) fn chunks(cx: &mut Cx<'_>, args: &mut [Value]) -> Given {
    let [Value::List(list), Value::Int(size)] = args else {
        return Err(unfit("chunks", args));
    };
    let Some(size) = usize::try_from(*size).ok().filter(|size| *size > 0) else {
        return Err(out_of_range(format!(
            "the size is {size}, and has to be 1 or more"
        )));
    };
    let count = list.items().len().div_ceil(size);
    lists_of(cx, count, list.items().len())?;
    let mut items = Vec::with_capacity(count);
    for chunk in list.items().chunks(size) {
        items.push(Value::list(chunk.to_vec())?);
    }
    Ok(Value::list(items)?)
}

/// A list of pairs.
fn pairs(cx: &mut Cx<'_>, length: usize, pairs: impl Iterator<Item = (Value, Value)>) -> Given {
    lists_of(cx, length, length.saturating_mul(2))?;
    let mut items = Vec::with_capacity(length);
    for (one, two) in pairs {
        items.push(Value::list(vec![one, two])?);
    }
    Ok(Value::list(items)?)
}

pub(super) fn enumerate(cx: &mut Cx<'_>, args: &mut [Value]) -> Given {
    let [Value::List(list)] = args else {
        return Err(unfit("enumerate", args));
    };
    let items = list.items().iter().enumerate();
    let items = items.map(|(at, item)| (int(at), item.clone()));
    pairs(cx, list.items().len(), items)
}

pub(super) fn zip(cx: &mut Cx<'_>, args: &mut [Value]) -> Given {
    let [Value::List(one), Value::List(two)] = args else {
        return Err(unfit("zip", args));
    };
    let items = one.items().iter().zip(two.items());
    let length = items.len();
    pairs(
        cx,
        length,
        items.map(|(one, two)| (one.clone(), two.clone())),
    )
}

/// The entries of a map as a list.
pub(super) fn entries(cx: &mut Cx<'_>, args: &mut [Value]) -> Given {
    let [Value::Map(map)] = args else {
        return Err(unfit("entries", args));
    };
    let items = map.entries();
    pairs(
        cx,
        map.len(),
        items.map(|(key, value)| (key.clone(), value.clone())),
    )
}

pub(super) fn range(cx: &mut Cx<'_>, args: &mut [Value]) -> Given {
    let [Value::Int(start), Value::Int(end), Value::Int(step)] = args else {
        return Err(unfit("range", args));
    };
    let (start, end, step) = (i128::from(*start), i128::from(*end), i128::from(*step));
    let distance = match step {
        0 => return Err(invalid("the step is 0, and would lead nowhere")),
        1.. => end - start,
        _ => start - end,
    };
    let size = step.abs();
    let count = (distance.max(0) + size - 1) / size;
    let count = usize::try_from(count).unwrap_or(usize::MAX);
    list_of(cx, count)?;
    // INVARIANT: none is outside of start and end, so all fit in an i64.
    let (start, step) = (start as i64, step as i64);
    let mut items = Vec::with_capacity(count);
    let mut next = start;
    for _ in 0..count {
        items.push(Value::Int(next));
        next = next.saturating_add(step);
    }
    Ok(Value::list(items)?)
}

#[cfg(test)]
mod tests {
    use crate::library::testing::*;
    use crate::library::{Native, call};
    use crate::value::Value;

    #[test]
    fn lists_give_what_is_declared() {
        let nan = || f(f64::NAN);
        let table: Vec<(Native, Vec<Value>, &str)> = vec![
            (Native::LengthArray, vec![ints([1, 2])], "2"),
            (Native::IsEmptyArray, vec![list([])], "true"),
            (Native::Sorted, vec![texts(["b", "a"])], r#"["a", "b"]"#),
            (Native::Sorted, vec![list([i(1), t("a")])], "invalid_value"),
            (Native::ReversedArray, vec![ints([1, 2, 3])], "[3, 2, 1]"),
            (Native::GetArray, vec![texts(["a", "b"]), i(1)], r#""b""#),
            (Native::GetArray, vec![texts(["a", "b"]), i(2)], "null"),
            (Native::GetArray, vec![texts(["a", "b"]), i(-1)], "null"),
            (
                Native::GetArrayDefault,
                vec![texts(["a"]), i(2), t("none")],
                r#""none""#,
            ),
            (Native::First, vec![ints([1, 2])], "1"),
            (Native::First, vec![list([])], "null"),
            (Native::Last, vec![ints([1, 2])], "2"),
            (Native::ContainsArray, vec![ints([1, 2]), f(2.0)], "true"),
            (Native::ContainsArray, vec![list([nan()]), nan()], "false"),
            (Native::IndexOfArray, vec![texts(["a", "b"]), t("b")], "1"),
            (
                Native::IndexOfArray,
                vec![texts(["a", "b"]), t("c")],
                "null",
            ),
            (Native::SumInt, vec![ints([1, 2, 3])], "6"),
            (Native::SumInt, vec![list([])], "0"),
            (Native::SumInt, vec![ints([i64::MAX, 1])], "overflow"),
            (Native::SumInt, vec![list([f(0.5), f(1.5)])], "2.0"),
            (
                Native::SumInt,
                vec![list([Value::Duration(5), i(1)])],
                "wrong_type",
            ),
            (Native::SumInt, vec![list([i(1), t("a")])], "wrong_type"),
            (Native::SumFloat, vec![list([])], "0.0"),
            (Native::SumFloat, vec![ints([1, 2])], "3.0"),
            (Native::SumDuration, vec![list([])], "0s"),
            (
                Native::SumDuration,
                vec![list([
                    Value::Duration(30_000_000_000),
                    Value::Duration(60_000_000_000),
                ])],
                "90s",
            ),
            (
                Native::SumDuration,
                vec![list([Value::Duration(i64::MIN), Value::Duration(-1)])],
                "overflow",
            ),
            (Native::MinArray, vec![ints([3, 1, 2])], "1"),
            (Native::MaxArray, vec![ints([3, 1, 2])], "3"),
            (Native::MaxArray, vec![list([])], "null"),
            (Native::MinArray, vec![list([nan()])], "invalid_value"),
            (Native::MinArray, vec![list([i(1), nan()])], "invalid_value"),
            (
                Native::MinArray,
                vec![list([i(1), t("a")])],
                "invalid_value",
            ),
            (Native::Take, vec![ints([1, 2, 3]), i(2)], "[1, 2]"),
            (Native::Take, vec![ints([1]), i(i64::MAX)], "[1]"),
            (Native::Take, vec![ints([1]), i(-1)], "out_of_range"),
            (Native::Skip, vec![ints([1, 2, 3]), i(2)], "[3]"),
            (Native::Skip, vec![ints([1]), i(i64::MAX)], "[]"),
            (Native::Skip, vec![ints([1]), i(i64::MIN)], "out_of_range"),
            (
                Native::SliceArray,
                vec![ints([1, 2, 3, 4]), i(1), i(3)],
                "[2, 3]",
            ),
            (
                Native::SliceArray,
                vec![ints([1, 2]), i(5), Value::Null],
                "[]",
            ),
            (
                Native::SliceArray,
                vec![ints([1, 2]), i(2), i(1)],
                "out_of_range",
            ),
            (Native::Concat, vec![ints([1]), ints([2, 3])], "[1, 2, 3]"),
            (
                Native::Flatten,
                vec![list([ints([1]), ints([2, 3]), list([])])],
                "[1, 2, 3]",
            ),
            (Native::Flatten, vec![ints([1])], "wrong_type"),
            (Native::Unique, vec![ints([2, 1, 2])], "[2, 1]"),
            (
                Native::Unique,
                vec![list([i(1), f(1.0), nan(), nan()])],
                "[1, NaN, NaN]",
            ),
            (Native::Chunks, vec![ints([1, 2, 3]), i(2)], "[[1, 2], [3]]"),
            (Native::Chunks, vec![list([]), i(i64::MAX)], "[]"),
            (Native::Chunks, vec![ints([1]), i(0)], "out_of_range"),
            (
                Native::Enumerate,
                vec![texts(["a", "b"])],
                r#"[[0, "a"], [1, "b"]]"#,
            ),
            (
                Native::Zip,
                vec![ints([1, 2, 3]), texts(["a", "b"])],
                r#"[[1, "a"], [2, "b"]]"#,
            ),
            (Native::ToSet, vec![ints([2, 1, 2])], "{2, 1}"),
            (Native::Range, vec![i(0), i(3), i(1)], "[0, 1, 2]"),
            (Native::Range, vec![i(5), i(0), i(-2)], "[5, 3, 1]"),
            (Native::Range, vec![i(3), i(0), i(1)], "[]"),
            (Native::Range, vec![i(0), i(3), i(0)], "invalid_value"),
            (
                Native::Range,
                vec![i(i64::MIN), i(i64::MAX), i(i64::MAX)],
                "[-9223372036854775808, -1, 9223372036854775806]",
            ),
            (
                Native::Range,
                vec![i(0), i(1_000_000_000_000_000), i(1)],
                "memory",
            ),
            (
                Native::Range,
                vec![i(i64::MAX), i(i64::MIN), i(-1)],
                "memory",
            ),
        ];
        for (native, args, expected) in table {
            assert_eq!(shown(native, args.clone()), expected, "{native:?} {args:?}");
        }
    }

    #[test]
    fn places_are_changed_and_copies_are_not() {
        let table: Vec<(Native, Vec<Value>, &str, &str)> = vec![
            (Native::Push, vec![ints([1]), i(2)], "null", "[1, 2]"),
            (
                Native::InsertArray,
                vec![ints([1, 3]), i(1), i(2)],
                "null",
                "[1, 2, 3]",
            ),
            (
                Native::InsertArray,
                vec![ints([1]), i(1), i(2)],
                "null",
                "[1, 2]",
            ),
            (
                Native::InsertArray,
                vec![ints([1]), i(2), i(2)],
                "out_of_range",
                "[1]",
            ),
            (
                Native::InsertArray,
                vec![ints([1]), i(-1), i(2)],
                "out_of_range",
                "[1]",
            ),
            (
                Native::RemoveArray,
                vec![texts(["a", "b"]), i(0)],
                r#""a""#,
                r#"["b"]"#,
            ),
            (
                Native::RemoveArray,
                vec![ints([1]), i(1)],
                "out_of_range",
                "[1]",
            ),
            (Native::Sort, vec![ints([3, 1, 2])], "null", "[1, 2, 3]"),
            (
                Native::Sort,
                vec![list([i(3), t("a")])],
                "invalid_value",
                r#"[3, "a"]"#,
            ),
        ];
        for (native, mut args, expected, after) in table {
            let copy = args[0].clone();
            let before = quoted(&copy);
            for shared in [true, false] {
                let mut args = match shared {
                    true => args.clone(),
                    false => std::mem::take(&mut args),
                };
                let given = with(1 << 20, 1 << 20, |cx| call(native, cx, &mut args));
                let given = given.map_or_else(|failure| kind(&failure), |value| quoted(&value));
                assert_eq!(given, expected, "{native:?}");
                assert_eq!(quoted(&args[0]), after, "{native:?}");
                assert_eq!(quoted(&copy), before, "{native:?}");
            }
        }
    }

    #[test]
    fn without_memory_nothing_is_changed_and_it_can_be_done_again() {
        let many = || ints(0..1000);
        let table: Vec<(Native, Vec<Value>)> = vec![
            (Native::Push, vec![many(), i(1)]),
            (Native::InsertArray, vec![many(), i(0), i(1)]),
            (Native::Sort, vec![many()]),
            (Native::Sorted, vec![many()]),
            (Native::ReversedArray, vec![many()]),
            (Native::Concat, vec![many(), many()]),
            (Native::Flatten, vec![list(vec![many(); 10])]),
            (Native::Chunks, vec![many(), i(1)]),
            (Native::Enumerate, vec![many()]),
            (Native::Unique, vec![many()]),
            (Native::ToSet, vec![many()]),
        ];
        for (native, mut args) in table {
            // Others have the list too, so even turning it around is a copy.
            let before = args.clone();
            let failed = with(1 << 20, 1000, |cx| call(native, cx, &mut args));
            assert_eq!(kind(&failed.unwrap_err()), "memory", "{native:?}");
            for (one, two) in args.iter().zip(&before) {
                assert!(one.equals(two).unwrap(), "{native:?}");
            }
            let again = with(1 << 20, 1 << 20, |cx| call(native, cx, &mut args));
            assert!(again.is_ok(), "{native:?}");
        }
    }
}

//! Methods of Set.

use std::mem::take;
use std::sync::Arc;

use super::arguments::{int, unfit, walk};
use super::lists::list_of;
use super::maps::map_of;
use super::{Cx, Given};
use crate::raise::Failure;
use crate::value::{Set, Value};

/// Takes the steps for looking up all elements of a set.
fn look_up(cx: &mut Cx<'_>, set: &Set) -> Result<(), Failure> {
    cx.meter.work(set.len() / 4)?;
    for element in set.elements() {
        walk(cx, element, 1)?;
    }
    Ok(())
}

pub(super) fn length(_: &mut Cx<'_>, args: &mut [Value]) -> Given {
    match args {
        [Value::Set(set)] => Ok(int(set.len())),
        args => Err(unfit("length", args)),
    }
}

pub(super) fn is_empty(_: &mut Cx<'_>, args: &mut [Value]) -> Given {
    match args {
        [Value::Set(set)] => Ok(Value::Bool(set.is_empty())),
        args => Err(unfit("is_empty", args)),
    }
}

pub(super) fn contains(cx: &mut Cx<'_>, args: &mut [Value]) -> Given {
    match args {
        [Value::Set(set), value] => {
            walk(cx, value, 1)?;
            Ok(Value::Bool(set.contains(value)?))
        }
        args => Err(unfit("contains", args)),
    }
}

/// Asks for what it takes to change a set, which is copied if others have it.
fn own(cx: &mut Cx<'_>, set: &mut Arc<Set>, growth: usize) -> Result<(), Failure> {
    match Arc::get_mut(set) {
        Some(_) => cx.meter.allocate(growth),
        None => {
            cx.meter.allocate(growth)?;
            map_of(cx, set.len())
        }
    }
}

pub(super) fn insert(cx: &mut Cx<'_>, args: &mut [Value]) -> Given {
    let [Value::Set(set), value] = args else {
        return Err(unfit("insert", args));
    };
    walk(cx, value, 1)?;
    if set.contains(value)? {
        return Ok(Value::Bool(false));
    }
    let growth = set.growth();
    own(cx, set, growth)?;
    Ok(Value::Bool(Arc::make_mut(set).insert(take(value))?))
}

pub(super) fn remove(cx: &mut Cx<'_>, args: &mut [Value]) -> Given {
    let [Value::Set(set), value] = args else {
        return Err(unfit("remove", args));
    };
    walk(cx, value, 1)?;
    if !set.contains(value)? {
        return Ok(Value::Bool(false));
    }
    // Those behind it move up.
    cx.meter.work(set.len() / 16)?;
    own(cx, set, 0)?;
    Ok(Value::Bool(Arc::make_mut(set).remove(value)?))
}

pub(super) fn union(cx: &mut Cx<'_>, args: &mut [Value]) -> Given {
    let [Value::Set(one), Value::Set(two)] = args else {
        return Err(unfit("union", args));
    };
    look_up(cx, two)?;
    map_of(cx, one.len().saturating_add(two.len()))?;
    let mut both = match Arc::get_mut(one) {
        Some(_) => take(one),
        None => one.clone(),
    };
    let set = Arc::make_mut(&mut both);
    for element in two.elements() {
        set.insert(element.clone())?;
    }
    Ok(Value::Set(both))
}

/// The elements of one set that are in another, or that are not.
fn those(cx: &mut Cx<'_>, one: &Set, two: &Set, inside: bool) -> Given {
    look_up(cx, one)?;
    map_of(cx, one.len())?;
    let mut found = Set::new([])?;
    for element in one.elements() {
        if two.contains(element)? == inside {
            found.insert(element.clone())?;
        }
    }
    Ok(found.into())
}

pub(super) fn intersection(cx: &mut Cx<'_>, args: &mut [Value]) -> Given {
    match args {
        [Value::Set(one), Value::Set(two)] => those(cx, one, two, true),
        args => Err(unfit("intersection", args)),
    }
}

pub(super) fn difference(cx: &mut Cx<'_>, args: &mut [Value]) -> Given {
    match args {
        [Value::Set(one), Value::Set(two)] => those(cx, one, two, false),
        args => Err(unfit("difference", args)),
    }
}

pub(super) fn is_subset(cx: &mut Cx<'_>, args: &mut [Value]) -> Given {
    let [Value::Set(one), Value::Set(two)] = args else {
        return Err(unfit("is_subset", args));
    };
    if one.len() > two.len() {
        return Ok(Value::Bool(false));
    }
    look_up(cx, one)?;
    for element in one.elements() {
        if !two.contains(element)? {
            return Ok(Value::Bool(false));
        }
    }
    Ok(Value::Bool(true))
}

pub(super) fn to_list(cx: &mut Cx<'_>, args: &mut [Value]) -> Given {
    let [Value::Set(set)] = args else {
        return Err(unfit("to_list", args));
    };
    list_of(cx, set.len())?;
    Ok(Value::list(set.elements().cloned().collect())?)
}

#[cfg(test)]
mod tests {
    use crate::library::testing::*;
    use crate::library::{Native, call};
    use crate::value::{Set, Value};

    #[test]
    fn sets_give_what_is_declared() {
        let set = |items: &[i64]| Value::from(Set::new(items.iter().map(|item| i(*item))).unwrap());
        let table: Vec<(Native, Vec<Value>, &str, &str)> = vec![
            (Native::LengthSet, vec![set(&[1, 2])], "2", "{1, 2}"),
            (Native::IsEmptySet, vec![set(&[])], "true", "{}"),
            (
                Native::ContainsSet,
                vec![set(&[1, 2]), f(2.0)],
                "true",
                "{1, 2}",
            ),
            (Native::InsertSet, vec![set(&[1]), i(1)], "false", "{1}"),
            (Native::InsertSet, vec![set(&[1]), i(2)], "true", "{1, 2}"),
            (Native::RemoveSet, vec![set(&[1, 2]), i(1)], "true", "{2}"),
            (
                Native::RemoveSet,
                vec![set(&[1, 2]), i(3)],
                "false",
                "{1, 2}",
            ),
            (
                Native::Intersection,
                vec![set(&[1, 2]), set(&[2, 3])],
                "{2}",
                "{1, 2}",
            ),
            (
                Native::Difference,
                vec![set(&[1, 2]), set(&[2, 3])],
                "{1}",
                "{1, 2}",
            ),
            (
                Native::IsSubset,
                vec![set(&[1]), set(&[1, 2])],
                "true",
                "{1}",
            ),
            (
                Native::IsSubset,
                vec![set(&[1, 3]), set(&[1, 2])],
                "false",
                "{1, 3}",
            ),
            (Native::ToList, vec![set(&[2, 1])], "[2, 1]", "{2, 1}"),
        ];
        for (native, mut args, expected, after) in table {
            let given = with(1 << 20, 1 << 20, |cx| call(native, cx, &mut args)).unwrap();
            assert_eq!(quoted(&given), expected, "{native:?}");
            assert_eq!(quoted(&args[0]), after, "{native:?}");
        }
        let both = shown(Native::Union, [set(&[1, 2]), set(&[2, 3])]);
        assert_eq!(both, "{1, 2, 3}");
    }
}

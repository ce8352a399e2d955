//! Methods of Map and of records.

use std::mem::take;
use std::sync::Arc;

use super::arguments::{ENTRY, LIST, int, unfit, walk};
use super::lists::list_of;
use super::{Cx, Given};
use crate::raise::Failure;
use crate::value::{Map, Value};

pub(super) fn length(_: &mut Cx<'_>, args: &mut [Value]) -> Given {
    match args {
        [Value::Map(map)] => Ok(int(map.len())),
        args => Err(unfit("length", args)),
    }
}

pub(super) fn is_empty(_: &mut Cx<'_>, args: &mut [Value]) -> Given {
    match args {
        [Value::Map(map)] => Ok(Value::Bool(map.is_empty())),
        args => Err(unfit("is_empty", args)),
    }
}

pub(super) fn contains(cx: &mut Cx<'_>, args: &mut [Value]) -> Given {
    match args {
        [Value::Map(map), key] => {
            walk(cx, key, 1)?;
            Ok(Value::Bool(map.get(key)?.is_some()))
        }
        args => Err(unfit("contains", args)),
    }
}

pub(super) fn get(cx: &mut Cx<'_>, args: &mut [Value]) -> Given {
    match args {
        [Value::Map(map), key] => {
            walk(cx, key, 1)?;
            Ok(map.get(key)?.cloned().unwrap_or(Value::Null))
        }
        args => Err(unfit("get", args)),
    }
}

pub(super) fn get_default(cx: &mut Cx<'_>, args: &mut [Value]) -> Given {
    match args {
        [Value::Map(map), key, default] => {
            walk(cx, key, 1)?;
            Ok(match map.get(key)? {
                Some(value) => value.clone(),
                None => take(default),
            })
        }
        args => Err(unfit("get", args)),
    }
}

/// Asks for a map of so many entries.
pub(super) fn map_of(cx: &mut Cx<'_>, entries: usize) -> Result<(), Failure> {
    let bytes = entries.saturating_mul(ENTRY).saturating_add(2 * LIST);
    cx.meter.allocate(bytes)?;
    cx.meter.work(entries / 4)
}

/// Asks for what it takes to change a map, which is copied if others have it.
fn own(cx: &mut Cx<'_>, map: &mut Arc<Map>, growth: usize) -> Result<(), Failure> {
    match Arc::get_mut(map) {
        Some(_) => cx.meter.allocate(growth),
        None => {
            cx.meter.allocate(growth)?;
            map_of(cx, map.len())
        }
    }
}

pub(super) fn insert(cx: &mut Cx<'_>, args: &mut [Value]) -> Given {
    let [Value::Map(map), key, value] = args else {
        return Err(unfit("insert", args));
    };
    walk(cx, key, 1)?;
    let growth = map.growth();
    own(cx, map, growth)?;
    Arc::make_mut(map).insert(take(key), take(value))?;
    Ok(Value::Null)
}

pub(super) fn remove(cx: &mut Cx<'_>, args: &mut [Value]) -> Given {
    let [Value::Map(map), key] = args else {
        return Err(unfit("remove", args));
    };
    walk(cx, key, 1)?;
    if map.get(key)?.is_none() {
        return Ok(Value::Null);
    }
    // Those behind it move up.
    cx.meter.work(map.len() / 16)?;
    own(cx, map, 0)?;
    Ok(Arc::make_mut(map).remove(key)?.unwrap_or(Value::Null))
}

pub(super) fn keys(cx: &mut Cx<'_>, args: &mut [Value]) -> Given {
    let [Value::Map(map)] = args else {
        return Err(unfit("keys", args));
    };
    list_of(cx, map.len())?;
    Ok(Value::list(
        map.entries().map(|(key, _)| key.clone()).collect(),
    )?)
}

pub(super) fn values(cx: &mut Cx<'_>, args: &mut [Value]) -> Given {
    let [Value::Map(map)] = args else {
        return Err(unfit("values", args));
    };
    list_of(cx, map.len())?;
    Ok(Value::list(
        map.entries().map(|(_, value)| value.clone()).collect(),
    )?)
}

pub(super) fn merge(cx: &mut Cx<'_>, args: &mut [Value]) -> Given {
    let [Value::Map(one), Value::Map(two)] = args else {
        return Err(unfit("merge", args));
    };
    for (key, _) in two.entries() {
        walk(cx, key, 1)?;
    }
    map_of(cx, one.len().saturating_add(two.len()))?;
    let mut merged = match Arc::get_mut(one) {
        Some(_) => take(one),
        None => one.clone(),
    };
    let map = Arc::make_mut(&mut merged);
    // What has fields of another one besides is no struct.
    map.of = None;
    for (key, value) in two.entries() {
        map.insert(key.clone(), value.clone())?;
    }
    Ok(Value::Map(merged))
}

#[cfg(test)]
mod tests {
    use crate::library::testing::*;
    use crate::library::{Native, call};
    use crate::value::Value;

    #[test]
    fn maps_give_what_is_declared() {
        let ab = || Value::record([("a", i(1)), ("b", i(2))]).unwrap();
        let table: Vec<(Native, Vec<Value>, &str, &str)> = vec![
            (Native::LengthMap, vec![ab()], "2", "{ a: 1, b: 2 }"),
            (Native::IsEmptyMap, vec![ab()], "false", "{ a: 1, b: 2 }"),
            (
                Native::ContainsMap,
                vec![ab(), t("a")],
                "true",
                "{ a: 1, b: 2 }",
            ),
            (
                Native::ContainsMap,
                vec![ab(), i(1)],
                "false",
                "{ a: 1, b: 2 }",
            ),
            (Native::GetMap, vec![ab(), t("a")], "1", "{ a: 1, b: 2 }"),
            (Native::GetMap, vec![ab(), t("c")], "null", "{ a: 1, b: 2 }"),
            (
                Native::GetMapDefault,
                vec![ab(), t("c"), i(0)],
                "0",
                "{ a: 1, b: 2 }",
            ),
            (
                Native::InsertMap,
                vec![ab(), t("c"), i(3)],
                "null",
                "{ a: 1, b: 2, c: 3 }",
            ),
            (
                Native::InsertMap,
                vec![ab(), t("a"), i(3)],
                "null",
                "{ a: 3, b: 2 }",
            ),
            (Native::RemoveMap, vec![ab(), t("a")], "1", "{ b: 2 }"),
            (
                Native::RemoveMap,
                vec![ab(), t("c")],
                "null",
                "{ a: 1, b: 2 }",
            ),
            (Native::Keys, vec![ab()], r#"["a", "b"]"#, "{ a: 1, b: 2 }"),
            (Native::Values, vec![ab()], "[1, 2]", "{ a: 1, b: 2 }"),
            (
                Native::Entries,
                vec![ab()],
                r#"[["a", 1], ["b", 2]]"#,
                "{ a: 1, b: 2 }",
            ),
            (Native::LengthJson, vec![ab()], "2", "{ a: 1, b: 2 }"),
        ];
        for (native, mut args, expected, after) in table {
            let given = with(1 << 20, 1 << 20, |cx| call(native, cx, &mut args)).unwrap();
            assert_eq!(quoted(&given), expected, "{native:?}");
            assert_eq!(quoted(&args[0]), after, "{native:?}");
        }
        let other = Value::record([("b", i(3)), ("c", i(4))]).unwrap();
        let merged = shown(Native::Merge, [ab(), other]);
        assert_eq!(merged, "{ a: 1, b: 3, c: 4 }");
    }
}

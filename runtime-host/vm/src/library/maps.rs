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

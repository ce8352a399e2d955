//! Paths into JSON, as the filters of webhooks have them.

use symbi_mini::json_path::{self, Step};

use super::arguments::{invalid, unfit};
use super::lists::list_of;
use super::{Cx, Given};
use crate::raise::Failure;
use crate::value::Value;

/// Whatever a path leads to, in the order of the value.
pub(super) fn select(cx: &mut Cx<'_>, args: &mut [Value]) -> Given {
    let [value, Value::Text(path)] = args else {
        return Err(unfit("select", args));
    };
    cx.meter
        .work(1 + path.len().min(symbi_mini::MAX_BYTES) / 4)?;
    let path = json_path::parse(path).map_err(|error| invalid(error.to_string()))?;
    // One level after the other keeps the order of the value, and no value is
    // there more often than it stands in the whole.
    let mut found = vec![value.clone()];
    for step in path.steps() {
        cx.meter.work(1 + found.len() / 4)?;
        found = match step {
            Step::Name(name) => found
                .iter()
                .filter_map(|value| match value {
                    Value::Map(map) => map.field(name).cloned(),
                    _ => None,
                })
                .collect(),
            Step::Index(index) => found
                .iter()
                .filter_map(|value| element(value, *index))
                .collect(),
            Step::Every => every(cx, &found)?,
        };
    }
    list_of(cx, found.len())?;
    Ok(Value::list(found)?)
}

fn element(value: &Value, index: i64) -> Option<Value> {
    let Value::List(list) = value else {
        return None;
    };
    let place = usize::try_from(index.unsigned_abs()).ok()?;
    let place = match index {
        0.. => place,
        _ => list.items().len().checked_sub(place)?,
    };
    list.items().get(place).cloned()
}

fn every(cx: &mut Cx<'_>, values: &[Value]) -> Result<Vec<Value>, Failure> {
    let length = values.iter().fold(0_usize, |length, value| {
        length.saturating_add(match value {
            Value::List(list) => list.items().len(),
            Value::Map(map) => map.len(),
            _ => 0,
        })
    });
    list_of(cx, length)?;
    let mut all = Vec::with_capacity(length);
    for value in values {
        match value {
            Value::List(list) => all.extend_from_slice(list.items()),
            Value::Map(map) => all.extend(map.entries().map(|(_, value)| value.clone())),
            _ => {}
        }
    }
    Ok(all)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::library::Native;
    use crate::library::json::{Secrets, from_json, to_json};
    use crate::library::testing::*;

    #[test]
    fn paths_lead_to_values_in_their_order() {
        let text = r#"{"a": [{"b": 1, "c": {"b": 9}}, {"b": 2}, 3]}"#;
        let value = given(Native::ParseJson, [t(text)]).unwrap();
        let table = [
            ("$.a[*].b", "[1, 2]"),
            ("$.a[-1]", "[3]"),
            ("$.a[-4]", "[]"),
            ("$.a[9]", "[]"),
            ("$.a[*].*", "[1, { b: 9 }, 2]"),
            ("$.x.y", "[]"),
            ("a.b", "invalid_value"),
            ("$..b", "invalid_value"),
        ];
        for (path, expected) in table {
            assert_eq!(
                shown(Native::Select, [value.clone(), t(path)]),
                expected,
                "{path}"
            );
        }
        let json = to_json(&value, Secrets::Refuse).unwrap();
        for (path, expected) in table
            .iter()
            .filter(|(_, expected)| expected.starts_with('['))
        {
            let path = json_path::parse(path).unwrap();
            let found = path.select(&json).map(|found| from_json(found).unwrap());
            assert_eq!(quoted(&list(found)), *expected);
        }
    }
}

//! Values of programs as policies and journals see them.
//!
//! In a journal a value is JSON. What JSON lacks is an object of one key that
//! begins with `@`; a key of a record that begins so has a second one, so that
//! what is read back is what was written.

use std::sync::Arc;

use serde_json::{Map as Object, Value as Json, json};
use symbi_policy::{Record, Value as Fact};
use symbi_vm::{Map, Problem, Raise, Secret, SecretPart, Set, Text, Value, timestamp};

/// How a secret is shown.
pub const STARS: &str = "***";

/// A value as guards see it: a secret stands as its reference, a function as
/// its kind.
pub fn fact(value: &Value) -> Fact {
    match value {
        Value::Unset | Value::Null => Fact::Null,
        Value::Bool(value) => Fact::Bool(*value),
        Value::Int(value) => Fact::Int(*value),
        Value::Float(value) => Fact::Float(*value),
        Value::Duration(nanos) => Fact::Duration(*nanos),
        Value::Size(bytes) => Fact::Size(*bytes),
        Value::Time(nanos) => Fact::Time(timestamp(*nanos)),
        Value::Text(text) => Fact::String(text.as_str().into()),
        Value::List(list) => Fact::Array(list.items().iter().map(fact).collect()),
        Value::Set(set) => Fact::Array(set.elements().map(fact).collect()),
        Value::Map(map) => Fact::Record(record(map)),
        Value::Error(problem) => Fact::Record(
            [
                ("kind", Fact::from(problem.kind.as_str())),
                ("message", Fact::from(problem.message.as_str())),
            ]
            .into_iter()
            .collect(),
        ),
        Value::Secret(secret) => Fact::from(&*reference(secret)),
        Value::Lambda(_) | Value::Function(_) => Fact::from("<function>"),
    }
}

/// The fields of a map as guards see them; keys that are no texts are shown.
pub fn record(map: &Map) -> Record {
    let entries = map.entries();
    let fields = entries.map(|(key, value)| (Arc::from(key_text(key)), fact(value)));
    Record::new(fields)
}

fn key_text(key: &Value) -> String {
    symbi_vm::show(key, 4096).unwrap_or_default()
}

/// A value of a guard as one of a program.
///
/// # Errors
/// It nests too deep.
pub fn value(fact: &Fact) -> Result<Value, Raise> {
    Ok(match fact {
        Fact::Null => Value::Null,
        Fact::Bool(value) => Value::Bool(*value),
        Fact::Int(value) => Value::Int(*value),
        Fact::Float(value) => Value::Float(*value),
        Fact::String(text) => Value::from(&**text),
        Fact::Duration(nanos) => Value::Duration(*nanos),
        Fact::Size(bytes) => Value::Size(*bytes),
        Fact::Time(at) => Value::Time(i64::try_from(at.as_nanosecond()).unwrap_or(i64::MAX)),
        Fact::Array(items) => Value::list(items.iter().map(value).collect::<Result<_, _>>()?)?,
        Fact::Record(fields) => {
            let mut map = Map::with_capacity(fields.len());
            for (name, own) in fields.fields() {
                map.insert(Value::from(&**name), value(own)?)?;
            }
            map.into()
        }
    })
}

/// What a secret is made of, without any of its text.
pub fn reference(secret: &Secret) -> String {
    let parts = secret.parts.iter().map(|part| match part {
        SecretPart::Reference { address, path } => {
            let path: Vec<String> = path.iter().map(|step| format!("[{step}]")).collect();
            format!("{address}{}", path.concat())
        }
        SecretPart::Text(_) => STARS.to_owned(),
    });
    parts.collect::<Vec<String>>().concat()
}

/// A value as a journal keeps it.
pub fn tagged(value: &Value) -> Json {
    match value {
        Value::Unset | Value::Null => Json::Null,
        Value::Bool(value) => json!(value),
        Value::Int(value) => json!(value),
        Value::Float(value) if value.is_finite() => json!(value),
        Value::Float(value) => json!({"@float": symbi_vm::float(*value)}),
        Value::Duration(nanos) => json!({"@duration": nanos}),
        Value::Size(bytes) => json!({"@size": bytes}),
        Value::Time(nanos) => json!({"@time": nanos}),
        Value::Text(text) => json!(text.as_str()),
        Value::List(list) => list.items().iter().map(tagged).collect(),
        Value::Set(set) => json!({"@set": set.elements().map(tagged).collect::<Json>()}),
        Value::Map(map) => tagged_map(map),
        Value::Error(problem) => json!({"@error": {
            "kind": problem.kind.as_str(),
            "message": problem.message.as_str(),
            "details": tagged(&problem.details),
        }}),
        Value::Secret(secret) => json!({"@secret": secret.parts.iter().map(|part| match part {
            SecretPart::Reference { address, path } => json!({"address": address, "path": path}),
            SecretPart::Text(text) => json!({"text": text}),
        }).collect::<Json>()}),
        Value::Lambda(_) | Value::Function(_) => json!({"@function": true}),
    }
}

fn tagged_map(map: &Map) -> Json {
    let texts = map.entries().all(|(key, _)| matches!(key, Value::Text(_)));
    let plain = match texts {
        true => {
            let fields = map.entries().map(|(key, value)| {
                let name = key_text(key);
                let name = match name.starts_with('@') {
                    true => format!("@{name}"),
                    false => name,
                };
                (name, tagged(value))
            });
            Json::Object(fields.collect())
        }
        false => {
            let pairs = map.entries();
            let pairs = pairs.map(|(key, value)| json!([tagged(key), tagged(value)]));
            json!({"@map": pairs.collect::<Json>()})
        }
    };
    match &map.of {
        Some(of) => json!({"@struct": [of.as_str(), plain]}),
        None => plain,
    }
}

/// The value that [`tagged`] wrote; `None` if it wrote none such.
pub fn untagged(json: &Json) -> Option<Value> {
    Some(match json {
        Json::Null => Value::Null,
        Json::Bool(value) => Value::Bool(*value),
        Json::Number(number) => match number.as_i64() {
            Some(int) => Value::Int(int),
            None => Value::Float(number.as_f64()?),
        },
        Json::String(text) => Value::from(text.as_str()),
        Json::Array(items) => {
            Value::list(items.iter().map(untagged).collect::<Option<_>>()?).ok()?
        }
        Json::Object(object) => match tag(object) {
            Some((tag, held)) => special(tag, held)?,
            None => {
                let mut map = Map::with_capacity(object.len());
                for (name, held) in object {
                    let name = name.strip_prefix('@').unwrap_or(name);
                    map.insert(Value::from(name), untagged(held)?).ok()?;
                }
                map.into()
            }
        },
    })
}

fn tag(object: &Object<String, Json>) -> Option<(&str, &Json)> {
    let (name, held) = object.iter().next().filter(|_| object.len() == 1)?;
    let tag = name.strip_prefix('@')?;
    (!tag.starts_with('@')).then_some((tag, held))
}

fn special(tag: &str, held: &Json) -> Option<Value> {
    Some(match tag {
        "float" => Value::Float(match held.as_str()? {
            "NaN" => f64::NAN,
            "Infinity" => f64::INFINITY,
            "-Infinity" => f64::NEG_INFINITY,
            _ => return None,
        }),
        "duration" => Value::Duration(held.as_i64()?),
        "size" => Value::Size(held.as_i64()?),
        "time" => Value::Time(held.as_i64()?),
        "set" => {
            let items = held.as_array()?.iter().map(untagged);
            Set::new(items.collect::<Option<Vec<Value>>>()?)
                .ok()?
                .into()
        }
        "map" => {
            let mut map = Map::with_capacity(0);
            for pair in held.as_array()? {
                let [key, value] = pair.as_array()?.as_slice() else {
                    return None;
                };
                map.insert(untagged(key)?, untagged(value)?).ok()?;
            }
            map.into()
        }
        "struct" => {
            let [name, plain] = held.as_array()?.as_slice() else {
                return None;
            };
            let Value::Map(map) = untagged(plain)? else {
                return None;
            };
            let mut map = Map::clone(&map);
            map.of = Some(Text::new(name.as_str()?));
            map.into()
        }
        "error" => Value::Error(Arc::new(Problem {
            kind: held.get("kind")?.as_str()?.into(),
            message: held.get("message")?.as_str()?.into(),
            at: None,
            details: untagged(held.get("details")?)?,
            given: None,
        })),
        "secret" => {
            let parts = held.as_array()?.iter().map(|part| {
                Some(match part.get("text") {
                    Some(text) => SecretPart::Text(text.as_str()?.to_owned()),
                    None => SecretPart::Reference {
                        address: part.get("address")?.as_str()?.to_owned(),
                        path: serde_json::from_value(part.get("path")?.clone()).ok()?,
                    },
                })
            });
            let parts = parts.collect::<Option<Vec<SecretPart>>>()?;
            Value::Secret(Arc::new(Secret { parts }))
        }
        _ => return None,
    })
}

/// A value as JSON for people and programs: no secret is in it. What JSON lacks
/// is text, as the language writes it.
pub fn plain(value: &Value) -> Json {
    match value {
        Value::Unset | Value::Null => Json::Null,
        Value::Bool(value) => json!(value),
        Value::Int(value) => json!(value),
        Value::Float(value) if value.is_finite() => json!(value),
        Value::Text(text) => json!(text.as_str()),
        Value::List(list) => list.items().iter().map(plain).collect(),
        Value::Set(set) => set.elements().map(plain).collect(),
        Value::Map(map) => {
            let entries = map.entries();
            Json::Object(
                entries
                    .map(|(key, value)| (key_text(key), plain(value)))
                    .collect(),
            )
        }
        Value::Error(problem) => json!({
            "kind": problem.kind.as_str(),
            "message": problem.message.as_str(),
        }),
        other => json!(symbi_vm::show(other, 1 << 16).unwrap_or_default()),
    }
}

/// JSON as a value of a program: objects are records.
///
/// # Errors
/// It nests too deep.
pub fn from_json(json: &Json) -> Result<Value, Raise> {
    Ok(match json {
        Json::Null => Value::Null,
        Json::Bool(value) => Value::Bool(*value),
        Json::Number(number) => match number.as_i64() {
            Some(int) => Value::Int(int),
            None => Value::Float(number.as_f64().unwrap_or(f64::NAN)),
        },
        Json::String(text) => Value::from(text.as_str()),
        Json::Array(items) => Value::list(items.iter().map(from_json).collect::<Result<_, _>>()?)?,
        Json::Object(object) => {
            let mut map = Map::with_capacity(object.len());
            for (name, held) in object {
                map.insert(Value::from(name.as_str()), from_json(held)?)?;
            }
            map.into()
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_read_back_is_what_was_written() {
        let list = |items| Value::list(items).unwrap();
        let mut of = Map::new([(Value::from("@a"), Value::Int(1))]).unwrap();
        of.of = Some("T".into());
        let values = [
            Value::Null,
            Value::Float(f64::INFINITY),
            Value::Float(1.0),
            Value::Int(i64::MIN),
            Value::Duration(5),
            Value::Size(5),
            Value::Time(-5),
            Value::from("@x"),
            list(vec![Value::Bool(true), Value::Duration(1)]),
            Value::record([("@duration", Value::Int(1))]).unwrap(),
            Value::record([("@", Value::Int(1)), ("b", Value::Null)]).unwrap(),
            Map::new([(Value::Int(1), Value::from("a"))])
                .unwrap()
                .into(),
            Set::new([Value::Int(1)]).unwrap().into(),
            of.into(),
        ];
        for value in values {
            let read = untagged(&tagged(&value)).unwrap();
            assert_eq!(tagged(&read), tagged(&value), "{value:?}");
            assert!(read.equals(&value).unwrap(), "{value:?}");
            assert_eq!(read.type_name(), value.type_name());
        }
        let secret = Value::Secret(Arc::new(Secret::of("env://A")));
        let read = untagged(&tagged(&secret)).unwrap();
        assert_eq!(tagged(&read), tagged(&secret));
        for wrong in [json!({"@nothing": 1}), json!({"@duration": "x"})] {
            assert!(untagged(&wrong).is_none(), "{wrong}");
        }
    }
}

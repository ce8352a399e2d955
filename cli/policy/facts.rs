//! The arguments and facts of a question, from JSON.

use serde_json::Value as Json;
use symbi_policy::{MAX_OPERAND, Record, Value};

use crate::sources;

/// The JSON of an option: written out, or `@FILE`, or a path where only a file
/// makes sense.
pub fn json(option: &str, given: &str, is_file: bool) -> Result<Json, String> {
    let file = match given.strip_prefix('@') {
        Some(file) => Some(file),
        None => is_file.then_some(given),
    };
    let text = match file {
        None => given.to_owned(),
        Some(file) => {
            let bytes = sources::bytes(std::path::Path::new(file));
            let bytes = bytes.map_err(|problem| format!("{option}: {file}: {problem}"))?;
            String::from_utf8(bytes).map_err(|_| format!("{option}: {file} is not UTF-8"))?
        }
    };
    parsed(option, &text)
}

/// The JSON of a text.
pub fn parsed(option: &str, text: &str) -> Result<Json, String> {
    serde_json::from_str(text).map_err(|error| {
        let (line, column) = (error.line(), error.column());
        format!("{option}: this is no JSON, at line {line}, column {column}")
    })
}

/// A value as policies see it.
pub fn value(json: &Json) -> Value {
    match json {
        Json::Null => Value::Null,
        Json::Bool(value) => Value::Bool(*value),
        Json::Number(number) => match (number.as_i64(), number.as_f64()) {
            (Some(number), _) => Value::Int(number),
            (None, Some(number)) => Value::Float(number),
            (None, None) => Value::Null,
        },
        Json::String(text) => Value::from(&**text),
        Json::Array(elements) => Value::Array(elements.iter().map(value).collect()),
        Json::Object(fields) => Value::Record(record_of(fields)),
    }
}

fn record_of(fields: &serde_json::Map<String, Json>) -> Record {
    Record::new(
        fields
            .iter()
            .map(|(name, json)| (name.as_str().into(), value(json))),
    )
}

/// Arguments: an object by name, or a list by place, which has the names of the
/// parameters in this order and, beyond them, numbers.
pub fn arguments(option: &str, json: &Json, params: &[Box<str>]) -> Result<Record, String> {
    match json {
        Json::Object(fields) => Ok(record_of(fields)),
        Json::Array(elements) => {
            let named = elements.iter().enumerate().map(|(place, json)| {
                let name = params.get(place).map(|name| name.to_string());
                let name = name.unwrap_or_else(|| place.to_string());
                (name.into(), value(json))
            });
            Ok(Record::new(named))
        }
        _ => Err(format!(
            "{option}: give an object with the arguments by name, or a list of them"
        )),
    }
}

/// A value for people and programs: shortened if it is long.
pub fn shown(value: &Value) -> String {
    const LONG: usize = 200;
    let text = plain(value).to_string();
    match text.char_indices().nth(LONG) {
        Some((at, _)) => format!("{}…", text.get(..at).unwrap_or_default()),
        None => text,
    }
}

/// A value as JSON. Lengths of time and sizes are texts, as the language writes
/// them.
pub fn plain(value: &Value) -> Json {
    if !value.is_small() {
        return Json::String(format!("more than {MAX_OPERAND} bytes"));
    }
    match value {
        Value::Null => Json::Null,
        Value::Bool(value) => Json::Bool(*value),
        Value::Int(value) => Json::from(*value),
        Value::Float(value) => Json::from(*value),
        Value::String(text) => Json::String(text.to_string()),
        Value::Duration(nanos) => Json::String(symbi_mini::duration::format(*nanos)),
        Value::Size(bytes) => Json::String(format!("{bytes} bytes")),
        Value::Time(at) => Json::String(at.to_string()),
        Value::Array(elements) => Json::Array(elements.iter().map(plain).collect()),
        Value::Record(record) => Json::Object(
            record
                .fields()
                .map(|(name, value)| (name.to_string(), plain(value)))
                .collect(),
        ),
    }
}

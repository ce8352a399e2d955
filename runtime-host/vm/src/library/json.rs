//! JSON: reading, writing, and paths into it.

use serde::de::{self, DeserializeSeed, MapAccess, SeqAccess, Visitor};
use symbi_mini::duration;

use super::arguments::{ENTRY, LIST, TEXT, VALUE, Writing, int, invalid, out_of_range, unfit};
use super::{Cx, Given};
use crate::meter::Meter;
use crate::raise::{Failure, Raise, kinds};
use crate::show::{float, instant, show, size};
use crate::value::{List, MAX_DEPTH, Map, Value};

/// A value that is read as it comes, so that no more memory is taken than the
/// meter allows.
///
/// Of two members with one name the last counts. A whole number that does not
/// fit in an int becomes a float. It nests 127 levels at most, which the reader
/// itself sees to.
struct Reader<'m> {
    meter: &'m mut Meter,
    /// Why it stopped, if not for the text.
    failure: &'m mut Option<Failure>,
}

impl Reader<'_> {
    fn again(&mut self) -> Reader<'_> {
        // It cannot be derived: the meter is lent on.
        Reader {
            meter: &mut *self.meter,
            failure: &mut *self.failure,
        }
    }

    fn ask<E: de::Error>(&mut self, bytes: usize) -> Result<(), E> {
        let asked = self.meter.allocate(bytes);
        self.done(asked)
    }

    fn done<T, E: de::Error>(&mut self, result: Result<T, Failure>) -> Result<T, E> {
        result.map_err(|failure| {
            *self.failure = Some(failure);
            E::custom("it was stopped")
        })
    }
}

impl<'de> DeserializeSeed<'de> for Reader<'_> {
    type Value = Value;

    fn deserialize<D: de::Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Reader<'_> {
    type Value = Value;

    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("a value")
    }

    fn visit_unit<E: de::Error>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E: de::Error>(self, value: bool) -> Result<Value, E> {
        Ok(Value::Bool(value))
    }

    fn visit_i64<E: de::Error>(self, value: i64) -> Result<Value, E> {
        Ok(Value::Int(value))
    }

    fn visit_u64<E: de::Error>(self, value: u64) -> Result<Value, E> {
        Ok(match i64::try_from(value) {
            Ok(value) => Value::Int(value),
            Err(_) => Value::Float(value as f64),
        })
    }

    fn visit_f64<E: de::Error>(self, value: f64) -> Result<Value, E> {
        Ok(Value::Float(value))
    }

    fn visit_str<E: de::Error>(mut self, text: &str) -> Result<Value, E> {
        self.ask(text.len() + TEXT)?;
        Ok(Value::from(text))
    }

    fn visit_seq<A: SeqAccess<'de>>(mut self, mut elements: A) -> Result<Value, A::Error> {
        self.ask(LIST)?;
        let mut items = Vec::new();
        while let Some(item) = elements.next_element_seed(self.again())? {
            if items.len() == items.capacity() {
                self.ask(items.len().max(4) * VALUE)?;
            }
            items.push(item);
        }
        let list = List::new(items).map_err(Failure::from);
        Ok(self.done(list)?.into())
    }

    fn visit_map<A: MapAccess<'de>>(mut self, mut members: A) -> Result<Value, A::Error> {
        self.ask(2 * LIST)?;
        let mut map = Map::default();
        while let Some(name) = members.next_key_seed(self.again())? {
            self.ask(ENTRY)?;
            let value = members.next_value_seed(self.again())?;
            let inserted = map.insert(name, value).map_err(Failure::from);
            self.done(inserted)?;
        }
        Ok(map.into())
    }
}

pub(super) fn parse(cx: &mut Cx<'_>, args: &mut [Value]) -> Given {
    let [Value::Text(text)] = args else {
        return Err(unfit("parse_json", args));
    };
    cx.meter.work(text.len() / 16)?;
    let mut failure = None;
    let reader = Reader {
        meter: &mut *cx.meter,
        failure: &mut failure,
    };
    let mut deserializer = serde_json::Deserializer::from_str(text);
    let value = reader
        .deserialize(&mut deserializer)
        .and_then(|value| deserializer.end().map(|()| value));
    match (value, failure) {
        (_, Some(failure)) => Err(failure),
        (Ok(value), None) => Ok(value),
        (Err(error), None) => Err(no_json(text, &error)),
    }
}

/// What is wrong, with its line and column, both from 1.
fn no_json(text: &str, error: &serde_json::Error) -> Failure {
    let shown = error.to_string();
    let what = match shown.rfind(" at line ") {
        Some(end) => shown.get(..end).unwrap_or(&shown),
        None => &shown,
    };
    // The library counts bytes.
    let line = text.split('\n').nth(error.line().saturating_sub(1));
    let bytes = line.unwrap_or_default().bytes().take(error.column());
    let starts_character = |byte: &u8| *byte & 0xc0 != 0x80;
    let column = bytes.filter(starts_character).count().max(1);
    let line = error.line().max(1);
    let message = format!("the text is no JSON: {what} (line {line}, column {column})");
    match Value::record([("line", int(line)), ("column", int(column))]) {
        Ok(details) => Raise::new(kinds::INVALID_VALUE, message)
            .with(details)
            .into(),
        Err(raise) => raise.into(),
    }
}

/// What is done with the secrets in a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Secrets {
    /// They raise `secret_leak`.
    Refuse,
    /// They become `"***"`.
    Stars,
}

fn leak() -> Raise {
    Raise::new(
        kinds::SECRET_LEAK,
        "a secret has no place in JSON that is text",
    )
}

fn no_number(number: f64) -> Raise {
    Raise::new(
        kinds::INVALID_VALUE,
        format!("JSON has no number {}", float(number)),
    )
}

fn no_function() -> Raise {
    Raise::new(kinds::INVALID_VALUE, "a function has no place in JSON")
}

/// A value without parts as the text that JSON has in its place.
fn as_text(value: &Value) -> Option<String> {
    Some(match value {
        Value::Duration(nanos) => duration::format(*nanos),
        Value::Size(bytes) => size(*bytes),
        Value::Time(nanos) => instant(*nanos),
        _ => return None,
    })
}

/// An error as a record.
fn fields(problem: &crate::value::Problem) -> Result<Value, Raise> {
    Value::record([
        ("kind", Value::Text(problem.kind.clone())),
        ("message", Value::Text(problem.message.clone())),
        ("details", problem.details.clone()),
    ])
}

/// The name of a key that may be no text.
fn name(key: &Value, most: usize) -> Option<String> {
    match key {
        Value::Text(text) => Some(text.as_str().to_owned()),
        key => show(key, most),
    }
}

/// How many values and bytes of texts one may have that is made JSON outside of
/// a program. A value that holds another one twice, and so on, has more than
/// any memory.
const MOST: usize = 1 << 28;

/// A value as JSON: a Duration, Size or Time as text, a Set as an array, keys
/// as text.
///
/// # Errors
/// `invalid_value` for a function and for a number that JSON does not have;
/// `secret_leak`; `out_of_range` if it is larger than any JSON should be.
pub fn to_json(value: &Value, secrets: Secrets) -> Result<serde_json::Value, Raise> {
    let mut left = MOST;
    to_json_within(value, secrets, &mut left)
}

fn too_large() -> Raise {
    Raise::new(kinds::OUT_OF_RANGE, "the value is too large for JSON")
}

fn to_json_within(
    value: &Value,
    secrets: Secrets,
    left: &mut usize,
) -> Result<serde_json::Value, Raise> {
    use serde_json::Value as Json;
    let own = match value {
        Value::Text(text) => VALUE + text.len(),
        _ => VALUE,
    };
    *left = left.checked_sub(own).ok_or_else(too_large)?;
    Ok(match value {
        Value::Unset | Value::Null => Json::Null,
        Value::Bool(value) => Json::Bool(*value),
        Value::Int(value) => Json::from(*value),
        Value::Float(value) => match serde_json::Number::from_f64(*value) {
            Some(number) => Json::Number(number),
            None => return Err(no_number(*value)),
        },
        Value::Text(text) => Json::String(text.as_str().to_owned()),
        Value::Duration(_) | Value::Size(_) | Value::Time(_) => {
            Json::String(as_text(value).unwrap_or_default())
        }
        Value::Secret(_) if secrets == Secrets::Stars => Json::String("***".to_owned()),
        Value::Secret(_) => return Err(leak()),
        Value::Lambda(_) | Value::Function(_) => return Err(no_function()),
        Value::Error(problem) => to_json_within(&fields(problem)?, secrets, left)?,
        Value::List(list) => {
            let items = list.items().iter();
            let items = items.map(|item| to_json_within(item, secrets, left));
            Json::Array(items.collect::<Result<_, _>>()?)
        }
        Value::Set(set) => {
            let items = set.elements();
            let items = items.map(|item| to_json_within(item, secrets, left));
            Json::Array(items.collect::<Result<_, _>>()?)
        }
        Value::Map(map) => {
            let mut members = serde_json::Map::with_capacity(map.len());
            for (key, value) in map.entries() {
                let name = name(key, *left).ok_or_else(too_large)?;
                *left = left.checked_sub(name.len()).ok_or_else(too_large)?;
                members.insert(name, to_json_within(value, secrets, left)?);
            }
            Json::Object(members)
        }
    })
}

/// The value of JSON: objects become records, and whole numbers that do not fit
/// in an int become floats.
///
/// # Errors
/// It nests too deep.
pub fn from_json(json: &serde_json::Value) -> Result<Value, Raise> {
    from_json_within(json, MAX_DEPTH)
}

fn from_json_within(json: &serde_json::Value, levels: u32) -> Result<Value, Raise> {
    use serde_json::Value as Json;
    let below = || {
        levels.checked_sub(1).ok_or_else(|| {
            Raise::new(
                kinds::TOO_DEEP,
                format!("a value nests deeper than {MAX_DEPTH} levels"),
            )
        })
    };
    Ok(match json {
        Json::Null => Value::Null,
        Json::Bool(value) => Value::Bool(*value),
        Json::Number(number) => match number.as_i64() {
            Some(number) => Value::Int(number),
            None => Value::Float(number.as_f64().unwrap_or(f64::NAN)),
        },
        Json::String(text) => Value::from(text.as_str()),
        Json::Array(elements) => {
            let below = below()?;
            let mut items = Vec::with_capacity(elements.len());
            for element in elements {
                items.push(from_json_within(element, below)?);
            }
            Value::list(items)?
        }
        Json::Object(members) => {
            let below = below()?;
            let mut map = Map::with_capacity(members.len());
            for (name, member) in members {
                map.insert(Value::from(name.as_str()), from_json_within(member, below)?)?;
            }
            map.into()
        }
    })
}

/// What is written, and how.
struct Writer {
    writing: Writing,
    /// Blanks a level; 0 for one line.
    indent: usize,
}

impl Writer {
    fn line(&mut self, level: usize) -> Result<(), Failure> {
        if self.indent == 0 {
            return Ok(());
        }
        self.writing.put("\n")?;
        for _ in 0..level {
            // INVARIANT: the indent is at most 8.
            self.writing
                .put("        ".get(..self.indent).unwrap_or_default())?;
        }
        Ok(())
    }

    fn text(&mut self, text: &str) -> Result<(), Failure> {
        let escaped = |byte: u8| byte < 0x20 || byte == b'"' || byte == b'\\';
        self.writing.put("\"")?;
        if text.bytes().any(escaped) {
            let mut from = 0;
            for (at, byte) in text.bytes().enumerate().filter(|(_, byte)| escaped(*byte)) {
                self.writing.put(text.get(from..at).unwrap_or_default())?;
                from = at + 1;
                match byte {
                    b'"' => self.writing.put("\\\"")?,
                    b'\\' => self.writing.put("\\\\")?,
                    b'\n' => self.writing.put("\\n")?,
                    b'\r' => self.writing.put("\\r")?,
                    b'\t' => self.writing.put("\\t")?,
                    8 => self.writing.put("\\b")?,
                    12 => self.writing.put("\\f")?,
                    other => self.writing.put(&format!("\\u{other:04x}"))?,
                }
            }
            self.writing.put(text.get(from..).unwrap_or_default())?;
        } else {
            self.writing.put(text)?;
        }
        self.writing.put("\"")
    }

    fn value(&mut self, value: &Value, level: usize) -> Result<(), Failure> {
        match value {
            Value::Unset | Value::Null => self.writing.put("null"),
            Value::Bool(true) => self.writing.put("true"),
            Value::Bool(false) => self.writing.put("false"),
            Value::Int(number) => self.writing.put(&number.to_string()),
            Value::Float(number) if number.is_finite() => self.writing.put(&float(*number)),
            Value::Float(number) => Err(no_number(*number).into()),
            Value::Text(text) => self.text(text),
            Value::Duration(_) | Value::Size(_) | Value::Time(_) => {
                self.text(&as_text(value).unwrap_or_default())
            }
            Value::Secret(_) => Err(leak().into()),
            Value::Lambda(_) | Value::Function(_) => Err(no_function().into()),
            Value::Error(problem) => self.value(&fields(problem)?, level),
            Value::List(list) => self.elements(list.items().iter(), level),
            Value::Set(set) => self.elements(set.elements(), level),
            Value::Map(map) => {
                if map.is_empty() {
                    return self.writing.put("{}");
                }
                let mut between = "{";
                for (key, value) in map.entries() {
                    self.writing.put(between)?;
                    between = ",";
                    self.line(level + 1)?;
                    match key {
                        Value::Text(name) => self.text(name)?,
                        key => {
                            let (most, end) = self.writing.room();
                            self.text(&show(key, most).ok_or(end)?)?;
                        }
                    }
                    self.writing
                        .put(if self.indent == 0 { ":" } else { ": " })?;
                    self.value(value, level + 1)?;
                }
                self.line(level)?;
                self.writing.put("}")
            }
        }
    }

    fn elements<'v>(
        &mut self,
        elements: impl ExactSizeIterator<Item = &'v Value>,
        level: usize,
    ) -> Result<(), Failure> {
        if elements.len() == 0 {
            return self.writing.put("[]");
        }
        let mut between = "[";
        for element in elements {
            self.writing.put(between)?;
            between = ",";
            self.line(level + 1)?;
            self.value(element, level + 1)?;
        }
        self.line(level)?;
        self.writing.put("]")
    }
}

pub(super) fn write(cx: &mut Cx<'_>, args: &mut [Value]) -> Given {
    let [value, Value::Int(indent)] = args else {
        return Err(unfit("to_json", args));
    };
    let Some(indent) = usize::try_from(*indent).ok().filter(|indent| *indent <= 8) else {
        return Err(out_of_range(format!(
            "the indent is {indent}, and has to be 0 to 8"
        )));
    };
    let mut writer = Writer {
        writing: Writing::new(cx),
        indent,
    };
    writer.value(value, 0)?;
    writer.writing.done(cx)
}

/// The length of whatever has one.
pub(super) fn length(_: &mut Cx<'_>, args: &mut [Value]) -> Given {
    Ok(int(match args {
        [Value::Text(text)] => text.chars(),
        [Value::List(list)] => list.items().len(),
        [Value::Map(map)] => map.len(),
        [Value::Set(set)] => set.len(),
        [other] => {
            return Err(invalid(format!("{} has no length", other.with_article())));
        }
        args => return Err(unfit("length", args)),
    }))
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::library::testing::*;
    use crate::library::{Native, call};
    use crate::secret::Secret;
    use crate::value::Set;

    #[test]
    fn json_is_read_and_written() {
        let table = [
            (
                r#"{"a": [1, 2.0, null, true, "x"]}"#,
                r#"{ a: [1, 2.0, null, true, "x"] }"#,
            ),
            (r#"{"a": 1, "a": 2}"#, "{ a: 2 }"),
            ("9223372036854775807", "9223372036854775807"),
            ("9223372036854775808", "9.223372036854776e18"),
            ("-9223372036854775809", "-9.223372036854776e18"),
            (r#""\ud83d\udc4d""#, "\"👍\""),
            ("", "invalid_value"),
            ("[1,]", "invalid_value"),
            ("[1] 2", "invalid_value"),
            ("1e999", "invalid_value"),
            ("NaN", "invalid_value"),
            (r#""\ud83d""#, "invalid_value"),
        ];
        for (text, expected) in table {
            assert_eq!(shown(Native::ParseJson, [t(text)]), expected, "{text}");
        }
        let deep = |levels: usize| t(&("[".repeat(levels) + &"]".repeat(levels)));
        assert_eq!(given(Native::ParseJson, [deep(127)]).unwrap().depth(), 127);
        assert_eq!(shown(Native::ParseJson, [deep(100_000)]), "invalid_value");
    }

    #[test]
    fn what_is_no_json_says_where() {
        let failure = given(Native::ParseJson, [t("{\n \"é\": 1,\n \"é\" 2}")]).unwrap_err();
        let Failure::Raise(raise) = failure else {
            panic!("{failure:?}");
        };
        assert_eq!(
            raise.message,
            "the text is no JSON: expected `:` (line 3, column 6)"
        );
        assert_eq!(
            quoted(raise.details.as_ref().unwrap()),
            "{ line: 3, column: 6 }"
        );
    }

    #[test]
    fn values_become_json() {
        let record = || Value::record([("a", list([i(1), Value::Null])), ("b", list([]))]).unwrap();
        let secret = || Value::Secret(Arc::new(Secret::of("env://A")));
        let table: Vec<(Value, i64, &str)> = vec![
            (record(), 0, r#"{"a":[1,null],"b":[]}"#),
            (
                record(),
                2,
                "{\n  \"a\": [\n    1,\n    null\n  ],\n  \"b\": []\n}",
            ),
            (record(), 9, "out_of_range"),
            (record(), -1, "out_of_range"),
            (f(2.0), 0, "2.0"),
            (f(f64::NAN), 0, "invalid_value"),
            (f(f64::INFINITY), 0, "invalid_value"),
            (t("a\"\\\n\u{1}\u{8}é"), 0, "\"a\\\"\\\\\\n\\u0001\\bé\""),
            (Value::Duration(90_000_000_000), 0, "\"90s\""),
            (Value::Size(2048), 0, "\"2KB\""),
            (Value::Time(0), 0, "\"1970-01-01T00:00:00Z\""),
            (Set::new([i(1)]).unwrap().into(), 0, "[1]"),
            (
                Map::new([(i(1), t("x"))]).unwrap().into(),
                0,
                r#"{"1":"x"}"#,
            ),
            (list([secret()]), 0, "secret_leak"),
            (
                Value::Function(crate::value::Function::Own(0)),
                0,
                "invalid_value",
            ),
        ];
        for (value, indent, expected) in table {
            let written = match given(Native::ToJson, [value.clone(), i(indent)]) {
                Ok(Value::Text(text)) => text.as_str().to_owned(),
                Ok(other) => panic!("{other:?}"),
                Err(failure) => kind(&failure),
            };
            assert_eq!(written, expected, "{value:?}");
            // What the host writes is the same.
            if indent == 0 {
                let own = to_json(&value, Secrets::Refuse);
                let own = own.map_or_else(|raise| raise.kind.to_string(), |json| json.to_string());
                assert_eq!(own, expected, "{value:?}");
            }
        }
        let stars = to_json(&list([secret()]), Secrets::Stars).unwrap();
        assert_eq!(stars, serde_json::json!(["***"]));
        assert_eq!(quoted(&from_json(&stars).unwrap()), r#"["***"]"#);
    }

    #[test]
    fn what_is_larger_than_memory_is_no_json() {
        let mut value = ints([1]);
        for _ in 0..200 {
            value = list([value.clone(), value]);
        }
        let mut args = [value, i(0)];
        let failed = with(1 << 40, 1 << 16, |cx| call(Native::ToJson, cx, &mut args));
        assert_eq!(kind(&failed.unwrap_err()), "memory");
        let mut args = [t(&format!("[{}[]]", "[],".repeat(1000)))];
        let failed = with(1 << 40, 1 << 10, |cx| {
            call(Native::ParseJson, cx, &mut args)
        });
        assert_eq!(kind(&failed.unwrap_err()), "memory");
    }

    #[test]
    fn a_number_has_no_length() {
        assert_eq!(shown(Native::LengthJson, [i(1)]), "invalid_value");
    }
}

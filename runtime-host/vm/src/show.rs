//! Values as text, as `+`, `print` and `to_string` show them.

use std::fmt::Write;

use symbi_mini::duration;
use symbi_mini::jiff::Timestamp;

use crate::value::Value;

/// Writes a value as text. A text alone stands without quotes. Stops early where
/// more than `most` bytes would be written, and tells so with `false`.
pub fn show(value: &Value, most: usize) -> Option<String> {
    let mut out = String::new();
    let fits = match value {
        Value::Text(text) => {
            out.push_str(text);
            out.len() <= most
        }
        other => write(&mut out, other, most),
    };
    fits.then_some(out)
}

/// Writes a value inside another one: texts have quotes.
fn write(out: &mut String, value: &Value, most: usize) -> bool {
    // Writing to a String does not fail.
    let _ = match value {
        Value::Unset | Value::Null => out.write_str("null"),
        Value::Bool(value) => write!(out, "{value}"),
        Value::Int(value) => write!(out, "{value}"),
        Value::Float(value) => out.write_str(&float(*value)),
        Value::Duration(nanos) => out.write_str(&duration::format(*nanos)),
        Value::Size(bytes) => out.write_str(&size(*bytes)),
        Value::Time(nanos) => out.write_str(&instant(*nanos)),
        Value::Text(text) => out.write_str(&quoted(text)),
        Value::Error(problem) => out.write_str(&problem.message),
        Value::Secret(_) => out.write_str("***"),
        Value::Lambda(_) | Value::Function(_) => out.write_str("<function>"),
        Value::List(list) => return sequence(out, "[", list.items().iter(), "]", most),
        Value::Set(set) => return sequence(out, "{", set.elements(), "}", most),
        Value::Map(map) => {
            if let Some(name) = &map.of {
                out.push_str(name);
                out.push(' ');
            }
            if map.is_empty() {
                out.push_str("{}");
                return out.len() <= most;
            }
            let mut between = "{ ";
            for (key, value) in map.entries() {
                out.push_str(between);
                between = ", ";
                match key {
                    Value::Text(name) if is_name(name) => out.push_str(name),
                    key if !write(out, key, most) => return false,
                    _ => {}
                }
                out.push_str(": ");
                if !write(out, value, most) {
                    return false;
                }
            }
            out.write_str(" }")
        }
    };
    out.len() <= most
}

fn sequence<'v>(
    out: &mut String,
    open: &str,
    items: impl Iterator<Item = &'v Value>,
    close: &str,
    most: usize,
) -> bool {
    out.push_str(open);
    for (at, item) in items.enumerate() {
        if at > 0 {
            out.push_str(", ");
        }
        if !write(out, item, most) {
            return false;
        }
    }
    out.push_str(close);
    out.len() <= most
}

fn is_name(text: &str) -> bool {
    let mut bytes = text.bytes();
    let first = bytes.next();
    first.is_some_and(|byte| byte.is_ascii_alphabetic() || byte == b'_')
        && bytes.all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}

/// A text as the language writes it.
fn quoted(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push('"');
    for char in text.chars() {
        match char {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            '\r' => out.push_str("\\r"),
            '\0' => out.push_str("\\0"),
            char if char.is_control() => {
                let _ = write!(out, "\\u{{{:x}}}", u32::from(char));
            }
            char => out.push(char),
        }
    }
    out.push('"');
    out
}

/// A number with a point or an exponent, so that it is not read as a whole one.
pub fn float(value: f64) -> String {
    if value.is_nan() {
        return "NaN".to_owned();
    }
    if value.is_infinite() {
        return if value > 0.0 { "Infinity" } else { "-Infinity" }.to_owned();
    }
    format!("{value:?}")
}

/// An amount of memory in the largest unit that needs no more than two digits
/// behind the point.
pub fn size(bytes: i64) -> String {
    const UNITS: [(&str, i64); 4] = [
        ("TB", 1 << 40),
        ("GB", 1 << 30),
        ("MB", 1 << 20),
        ("KB", 1 << 10),
    ];
    for (unit, factor) in UNITS {
        let hundredths = i128::from(bytes) * 100;
        let factor = i128::from(factor);
        if i128::from(bytes).abs() < factor || hundredths % factor != 0 {
            continue;
        }
        let hundredths = hundredths / factor;
        let sign = if hundredths < 0 { "-" } else { "" };
        let (whole, part) = (hundredths.abs() / 100, hundredths.abs() % 100);
        return match part {
            0 => format!("{sign}{whole}{unit}"),
            part if part % 10 == 0 => format!("{sign}{whole}.{}{unit}", part / 10),
            part => format!("{sign}{whole}.{part:02}{unit}"),
        };
    }
    format!("{bytes} bytes")
}

/// An instant in the form of RFC 3339, in UTC.
pub fn instant(nanos: i64) -> String {
    timestamp(nanos).to_string()
}

/// An instant as the library for time has it.
pub fn timestamp(nanos: i64) -> Timestamp {
    // All of i64 is in its range: the years 1677 to 2262.
    Timestamp::from_nanosecond(i128::from(nanos)).unwrap_or(Timestamp::UNIX_EPOCH)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_shown_as_the_language_writes_them() {
        let text = |text: &str| Value::from(text);
        let record = Value::record([("a", Value::Int(1)), ("b c", text("x"))]).unwrap();
        let table = [
            (Value::Null, "null"),
            (Value::Bool(true), "true"),
            (Value::Int(-3), "-3"),
            (Value::Float(2.0), "2.0"),
            (Value::Float(1e300), "1e300"),
            (Value::Float(f64::NAN), "NaN"),
            (Value::Duration(90_000_000_000), "90s"),
            (Value::Size(1536), "1.5KB"),
            (Value::Size(4 << 20), "4MB"),
            (Value::Size(1000), "1000 bytes"),
            (Value::Size(-1024), "-1KB"),
            (Value::Time(0), "1970-01-01T00:00:00Z"),
            (text("a\"b"), "a\"b"),
            (
                Value::list(vec![text("a\"\n"), Value::Null]).unwrap(),
                "[\"a\\\"\\n\", null]",
            ),
            (record, "{ a: 1, \"b c\": \"x\" }"),
            (Value::record([]).unwrap(), "{}"),
        ];
        for (value, expected) in table {
            assert_eq!(show(&value, 1000).as_deref(), Some(expected));
        }
        let long = Value::list(vec![Value::Int(1); 100]).unwrap();
        assert_eq!(show(&long, 50), None);
    }
}

//! JSON as bytes: the values of `serde_json`, written without spaces. It grows
//! no stack, however deep a value is.

use std::io::Write;

use serde_json::{Map, Value};

use crate::Hash;

/// How deep a value in a journal may be nested. Readers of JSON allow about 128.
pub const MAX_DEPTH: usize = 96;

/// The canonical bytes of a value: no spaces, the keys of objects in the order of
/// their bytes, numbers and strings as `serde_json` writes them.
pub fn canonical(value: &Value) -> Vec<u8> {
    let mut bytes = Vec::new();
    write(&mut bytes, value, Order::Sorted, usize::MAX);
    bytes
}

/// `sha256:` and the hash of the canonical bytes of a value.
pub fn fingerprint(value: &Value) -> String {
    format!("sha256:{}", Hash::of(&canonical(value)))
}

/// Keys in the order of their bytes, or as they stand.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Order {
    Sorted,
    Given,
}

enum Open<'a> {
    List(std::slice::Iter<'a, Value>),
    Sorted(std::vec::IntoIter<(&'a String, &'a Value)>),
    Given(serde_json::map::Iter<'a>),
}

/// Writes a value without spaces; false, and only a part of it, if it is nested
/// deeper than `most`.
pub(crate) fn write(out: &mut Vec<u8>, value: &Value, order: Order, most: usize) -> bool {
    let mut open: Vec<Open<'_>> = Vec::new();
    let mut next = Some(value);
    loop {
        if let Some(value) = next.take() {
            match value {
                Value::Array(items) => {
                    out.push(b'[');
                    open.push(Open::List(items.iter()));
                }
                Value::Object(map) => {
                    out.push(b'{');
                    open.push(entries(map, order));
                }
                Value::String(text) => string(out, text),
                Value::Number(number) => {
                    // INVARIANT: a Vec takes whatever is written to it.
                    #[expect(clippy::unwrap_used)]
                    write!(out, "{number}").unwrap();
                }
                Value::Bool(true) => out.extend_from_slice(b"true"),
                Value::Bool(false) => out.extend_from_slice(b"false"),
                Value::Null => out.extend_from_slice(b"null"),
            }
            if open.len() > most {
                return false;
            }
        }
        let Some(innermost) = open.last_mut() else {
            return true;
        };
        let (entry, end) = match innermost {
            Open::List(items) => (items.next().map(|value| (None, value)), b']'),
            Open::Sorted(map) => (map.next().map(|(key, value)| (Some(key), value)), b'}'),
            Open::Given(map) => (map.next().map(|(key, value)| (Some(key), value)), b'}'),
        };
        let Some((key, value)) = entry else {
            out.push(end);
            open.pop();
            continue;
        };
        if !matches!(out.last(), Some(b'[' | b'{')) {
            out.push(b',');
        }
        if let Some(key) = key {
            string(out, key);
            out.push(b':');
        }
        next = Some(value);
    }
}

fn entries(map: &Map<String, Value>, order: Order) -> Open<'_> {
    match order {
        Order::Given => Open::Given(map.iter()),
        Order::Sorted => {
            let mut entries: Vec<_> = map.iter().collect();
            entries.sort_unstable_by_key(|(key, _)| *key);
            Open::Sorted(entries.into_iter())
        }
    }
}

/// Writes a text in quotes.
pub(crate) fn string(out: &mut Vec<u8>, text: &str) {
    // INVARIANT: a Vec takes whatever is written to it, and a text is a key or
    // value of JSON whatever is in it.
    #[expect(clippy::unwrap_used)]
    serde_json::to_writer(out, text).unwrap();
}

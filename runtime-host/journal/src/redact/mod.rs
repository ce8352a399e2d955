//! What must not be recorded: secrets, and values that are too long.
//!
//! Arguments, results and inputs go through [`redact`] before they become part
//! of an event, those of refused calls too.
//!
//! | what | becomes |
//! |---|---|
//! | a value under a key such as `api_key` ([`is_secret`]), unless it is null or a truth value | `"[redacted]"` |
//! | `value` beside a `name` or `key` that is such a key; the second of a pair in a list whose first is one | `"[redacted]"` |
//! | in a text, what stands behind such a word and `=` or `:`, and behind `Bearer` and `Basic` | `[redacted]` |
//! | a secret of [`Rules::known`], wherever it stands, in keys too | `[redacted]` |
//! | a text of more bytes than [`Rules::text`] | `{"$truncated":{"starts":"…","bytes":n,"sha256":"…"}}` |
//! | a value nested deeper than [`Rules::depth`], and a whole of more bytes than [`Rules::whole`] | the same, of its canonical bytes |
//! | another key that begins with `$` | `$` before it, so that no value looks like these |
//!
//! `bytes` and `sha256` are those of the whole, after secrets were taken out.

mod names;
mod text;

use serde_json::{Map, Value, json};

use crate::json::{MAX_DEPTH, canonical};
use crate::{Hash, fingerprint};

pub use names::is_secret;

/// What takes the place of a secret.
pub const REDACTED: &str = "[redacted]";

/// What is too long, and which secrets are known.
#[derive(Debug, Clone)]
pub struct Rules {
    /// The most bytes of a text.
    pub text: usize,
    /// The most bytes of a whole value.
    pub whole: usize,
    /// How deep values may be nested, at most 90.
    pub depth: usize,
    /// Secrets by their value, such as the keys of providers. Those of less than
    /// four bytes are left out: they stand in any text.
    pub known: Vec<String>,
}

impl Default for Rules {
    fn default() -> Self {
        Self {
            text: 4096,
            whole: 64 << 10,
            depth: 64,
            known: Vec::new(),
        }
    }
}

/// A value that may be recorded.
#[derive(Debug, Clone, PartialEq)]
pub struct Redacted {
    /// What is recorded.
    pub value: Value,
    /// The fingerprint of the whole, secrets included: what an approval is bound
    /// to. Whoever knows all but a short secret could guess that from it.
    pub fingerprint: String,
}

/// Takes secrets and long texts out of a value, however deep it is.
pub fn redact(value: &Value, rules: &Rules) -> Redacted {
    let fingerprint = fingerprint(value);
    let depth = rules.depth.min(MAX_DEPTH - 6);
    let mut value = inside(value, rules, depth, false);
    let bytes = canonical(&value);
    if bytes.len() > rules.whole {
        value = truncated(&String::from_utf8_lossy(&bytes), rules.whole);
    }
    Redacted { value, fingerprint }
}

/// Goes no deeper than `depth`, which is what bounds the stack.
fn inside(value: &Value, rules: &Rules, depth: usize, in_list: bool) -> Value {
    match value {
        Value::Array(_) | Value::Object(_) if depth == 0 => {
            // Nothing is shown of it: its secrets were not looked for.
            let bytes = canonical(value);
            marker("", bytes.len(), Hash::of(&bytes))
        }
        Value::Array(items) => match items.as_slice() {
            [Value::String(name), secret] if in_list && hides(name, secret) => {
                json!([name, REDACTED])
            }
            items => items
                .iter()
                .map(|item| inside(item, rules, depth.saturating_sub(1), true))
                .collect(),
        },
        Value::Object(map) => Value::Object(object(map, rules, depth)),
        Value::String(text) => {
            let text = text::without_secrets(text, &rules.known);
            match text.len() > rules.text {
                true => truncated(&text, rules.text),
                false => Value::String(text),
            }
        }
        Value::Number(_) | Value::Bool(_) | Value::Null => value.clone(),
    }
}

fn object(map: &Map<String, Value>, rules: &Rules, depth: usize) -> Map<String, Value> {
    let name = map.get("name").or_else(|| map.get("key"));
    let name = name.and_then(Value::as_str).unwrap_or_default();
    let one = |(key, value): (&String, &Value)| {
        let hidden = hides(key, value) || key == "value" && hides(name, value);
        let value = match hidden {
            true => Value::String(REDACTED.to_owned()),
            false => inside(value, rules, depth.saturating_sub(1), false),
        };
        let mut key = text::without_known(key, &rules.known);
        if key.len() > rules.text {
            key = start(&key, rules.text).to_owned();
        }
        if key.starts_with('$') {
            key.insert(0, '$');
        }
        (key, value)
    };
    map.iter().map(one).collect()
}

/// Whether a value is the secret that its key says.
fn hides(key: &str, value: &Value) -> bool {
    let shows = match value {
        Value::Null | Value::Bool(_) => true,
        // How many tokens a model took is no secret; a list of them is.
        Value::Array(items) if names::is_plural_token(key) => {
            return items.iter().any(Value::is_string);
        }
        Value::String(_) if names::is_plural_token(key) => return true,
        _ => false,
    };
    !shows && is_secret(key)
}

/// The beginning of a text, with the size and hash of all of it.
fn truncated(text: &str, most: usize) -> Value {
    marker(start(text, most), text.len(), Hash::of(text.as_bytes()))
}

fn marker(starts: &str, bytes: usize, sha256: Hash) -> Value {
    json!({"$truncated": {"starts": starts, "bytes": bytes, "sha256": sha256.to_string()}})
}

/// The first bytes of a text, not more than `most`, and no character in part.
fn start(text: &str, most: usize) -> &str {
    text.get(..text.floor_char_boundary(most)).unwrap_or(text)
}

//! One line of a journal: its form, written and read.

use base64ct::{Base64, Encoding};
use serde_json::{Map, Value};

use crate::json::{self, MAX_DEPTH, Order};
use crate::{Hash, PublicKey, RunId, Time};

/// What stands between the bytes that are signed and the end of a line.
const AFTER_SIGNATURE: &[u8] = b"\"}}";
/// How many characters 64 bytes have in Base64.
const SIGNATURE: usize = 88;

/// What a line says before its entry.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Start {
    /// How many lines stand before it.
    pub(crate) seq: u64,
    /// Never before that of the line before it.
    pub(crate) time: Time,
    /// What the clock showed, if that was before `time`.
    pub(crate) clock: Option<Time>,
    /// The hash of the line before it, with its line feed.
    pub(crate) previous: Hash,
}

/// What a line records.
#[derive(Debug)]
pub(crate) enum Kind {
    Opened {
        version: u64,
        run: String,
        key: String,
        about: Value,
    },
    Event(Value),
    Signed {
        last: bool,
        signature: [u8; 64],
    },
    Resumed {
        unsigned: u64,
        cut: Option<Cut>,
    },
}

/// A torn end that was cut off when a run was resumed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cut {
    /// How many bytes it had.
    pub bytes: u64,
    /// Their hash.
    pub sha256: Hash,
}

/// Why a line is none.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Fault {
    /// Not JSON.
    Json(String),
    /// JSON, spelt in another way than ours.
    NotCanonical,
    /// JSON of another shape.
    Shape {
        expected: &'static str,
        found: String,
    },
}

// Writing.

fn start(out: &mut Vec<u8>, start: &Start) {
    let clock = match start.clock {
        Some(clock) => format!("\"clock\":\"{clock}\","),
        None => String::new(),
    };
    let text = format!(
        "{{\"seq\":{},\"time\":\"{}\",{clock}\"previous\":\"{}\",",
        start.seq, start.time, start.previous
    );
    out.extend_from_slice(text.as_bytes());
}

/// The first line, without a line feed, as are all. False if what it is about
/// is nested too deep.
pub(crate) fn opened(
    out: &mut Vec<u8>,
    begin: &Start,
    run: &RunId,
    key: PublicKey,
    about: &Value,
) -> bool {
    start(out, begin);
    let version = crate::VERSION;
    let text = format!(
        "\"opened\":{{\"version\":{version},\"run\":\"{run}\",\"key\":\"{key}\",\"about\":"
    );
    out.extend_from_slice(text.as_bytes());
    let whole = json::write(out, about, Order::Given, MAX_DEPTH);
    out.extend_from_slice(b"}}");
    whole
}

/// A line with an event. False if it is nested too deep.
pub(crate) fn event(out: &mut Vec<u8>, begin: &Start, event: &Value) -> bool {
    start(out, begin);
    out.extend_from_slice(b"\"event\":");
    let whole = json::write(out, event, Order::Given, MAX_DEPTH);
    out.push(b'}');
    whole
}

/// A line that says how a run was resumed.
pub(crate) fn resumed(out: &mut Vec<u8>, begin: &Start, unsigned: u64, cut: Option<Cut>) {
    start(out, begin);
    let cut = match cut {
        Some(Cut { bytes, sha256 }) => format!("{{\"bytes\":{bytes},\"sha256\":\"{sha256}\"}}"),
        None => "null".to_owned(),
    };
    let text = format!("\"resumed\":{{\"unsigned\":{unsigned},\"cut\":{cut}}}}}");
    out.extend_from_slice(text.as_bytes());
}

/// A line with a signature, which covers all bytes of the line before it.
pub(crate) fn signed(
    out: &mut Vec<u8>,
    begin: &Start,
    last: bool,
    sign: impl FnOnce(&[u8]) -> [u8; 64],
) {
    let from = out.len();
    start(out, begin);
    let name = if last { "closed" } else { "signed" };
    out.extend_from_slice(format!("\"{name}\":{{\"ed25519\":\"").as_bytes());
    let signature = sign(out.get(from..).unwrap_or_default());
    out.extend_from_slice(Base64::encode_string(&signature).as_bytes());
    out.extend_from_slice(AFTER_SIGNATURE);
}

/// The bytes of a line that its signature covers.
pub(crate) fn signed_part(line: &[u8]) -> &[u8] {
    let after = SIGNATURE.saturating_add(AFTER_SIGNATURE.len());
    line.get(..line.len().saturating_sub(after))
        .unwrap_or_default()
}

/// The signature that a text of Base64 spells.
pub(crate) fn signature(text: &str) -> Option<[u8; 64]> {
    let mut bytes = [0; 64];
    match Base64::decode(text, &mut bytes) {
        Ok(read) if read.len() == 64 => Some(bytes),
        _ => None,
    }
}

// Reading.

/// Reads a line without its line feed. Whatever is accepted has exactly one
/// spelling, which is the one that is written.
pub(crate) fn parse(line: &[u8]) -> Result<(Start, Kind), Fault> {
    let value: Value =
        serde_json::from_slice(line).map_err(|error| Fault::Json(problem(&error)))?;
    let mut again = Vec::with_capacity(line.len());
    // A key that stands twice is lost here as well.
    if !json::write(&mut again, &value, Order::Given, usize::MAX) || again != line {
        return Err(Fault::NotCanonical);
    }
    let Value::Object(map) = value else {
        return Err(shape("an object", &value));
    };
    fields(map)
}

fn fields(map: Map<String, Value>) -> Result<(Start, Kind), Fault> {
    let mut entries = map.into_iter().peekable();
    let mut take = |name: &str| match entries.peek() {
        Some((key, _)) if key == name => entries.next().map(|(_, value)| value),
        _ => None,
    };
    let seq = take("seq");
    let seq = want(seq.as_ref(), "`seq`, a whole number", Value::as_u64)?;
    let expected = "`time`, as in `2026-12-03T09:30:00.000000Z`";
    let time = |value: &Value| value.as_str().and_then(Time::parse);
    let at = want(take("time").as_ref(), expected, time)?;
    let clock = match take("clock") {
        Some(value) => Some(want(Some(&value), "`clock`, a time like `time`", time)?),
        None => None,
    };
    let expected = "`previous`, 64 hexadecimal digits";
    let previous = want(take("previous").as_ref(), expected, hash)?;
    let start = Start {
        seq,
        time: at,
        clock,
        previous,
    };

    let expected = "one of `opened`, `event`, `signed`, `resumed`, `closed`, and nothing behind it";
    let Some((name, value)) = entries.next() else {
        return Err(Fault::Shape {
            expected,
            found: "nothing".to_owned(),
        });
    };
    if let Some((more, _)) = entries.next() {
        return Err(Fault::Shape {
            expected,
            found: format!("`{}` too", shown(&more)),
        });
    }
    let kind = match name.as_str() {
        "opened" => read_opened(value)?,
        "event" if value.get("type").is_some_and(Value::is_string) => Kind::Event(value),
        "event" => return Err(shape("an event with a text `type`", &value)),
        "signed" => read_signed(&value, false)?,
        "closed" => read_signed(&value, true)?,
        "resumed" => read_resumed(&value)?,
        other => {
            return Err(Fault::Shape {
                expected,
                found: format!("`{}`", shown(other)),
            });
        }
    };
    Ok((start, kind))
}

fn read_opened(value: Value) -> Result<Kind, Fault> {
    let expected = "`version`, `run`, `key`, `about`, the last of them an object";
    let fault = shape(expected, &value);
    if names(&value) != ["version", "run", "key", "about"] {
        return Err(fault);
    }
    let Value::Object(mut map) = value else {
        return Err(fault);
    };
    let text = |value: Option<&Value>| value.and_then(Value::as_str).map(str::to_owned);
    let version = map.get("version").and_then(Value::as_u64);
    let (run, key) = (text(map.get("run")), text(map.get("key")));
    let about = map.remove("about").filter(Value::is_object);
    match (version, run, key, about) {
        (Some(version), Some(run), Some(key), Some(about)) => Ok(Kind::Opened {
            version,
            run,
            key,
            about,
        }),
        _ => Err(fault),
    }
}

fn read_signed(value: &Value, last: bool) -> Result<Kind, Fault> {
    let found = match names(value)[..] {
        ["ed25519"] => value["ed25519"].as_str().and_then(signature),
        _ => None,
    };
    let expected = "`ed25519`, 64 bytes in Base64, and nothing else";
    let signature = found.ok_or_else(|| shape(expected, value))?;
    Ok(Kind::Signed { last, signature })
}

fn read_resumed(value: &Value) -> Result<Kind, Fault> {
    let fault = || shape("`unsigned`, a number, and `cut`, null or its size", value);
    if names(value) != ["unsigned", "cut"] {
        return Err(fault());
    }
    let unsigned = value["unsigned"].as_u64().ok_or_else(fault)?;
    let cut = match &value["cut"] {
        Value::Null => None,
        cut if names(cut) == ["bytes", "sha256"] => Some(Cut {
            bytes: cut["bytes"].as_u64().ok_or_else(fault)?,
            sha256: hash(&cut["sha256"]).ok_or_else(fault)?,
        }),
        _ => return Err(fault()),
    };
    Ok(Kind::Resumed { unsigned, cut })
}

fn want<T>(
    value: Option<&Value>,
    expected: &'static str,
    read: impl FnOnce(&Value) -> Option<T>,
) -> Result<T, Fault> {
    let Some(value) = value else {
        return Err(Fault::Shape {
            expected,
            found: "something else".to_owned(),
        });
    };
    read(value).ok_or_else(|| shape(expected, value))
}

fn hash(value: &Value) -> Option<Hash> {
    value.as_str().and_then(Hash::parse)
}

/// The keys of an object in their order; none of anything else.
fn names(value: &Value) -> Vec<&str> {
    let keys = value.as_object().map(Map::keys);
    keys.into_iter().flatten().map(String::as_str).collect()
}

fn shape(expected: &'static str, found: &Value) -> Fault {
    let mut bytes = Vec::new();
    json::write(&mut bytes, found, Order::Given, usize::MAX);
    Fault::Shape {
        expected,
        found: format!("`{}`", shown(&String::from_utf8_lossy(&bytes))),
    }
}

/// A text from outside, for a message: its unseen characters spelt out, and not
/// endless.
pub(crate) fn shown(text: &str) -> String {
    const MOST: usize = 60;
    let mut shown = String::new();
    for c in text.chars().take(MOST) {
        match c {
            '"' | '\'' | '\\' => shown.push(c),
            c => shown.extend(c.escape_debug()),
        }
    }
    if text.chars().nth(MOST).is_some() {
        shown.push('…');
    }
    shown
}

/// What is wrong with JSON, without the line, which is always the first.
fn problem(error: &serde_json::Error) -> String {
    let text = error.to_string();
    let place = format!(" at line {} column {}", error.line(), error.column());
    match text.strip_suffix(&place) {
        Some(text) => format!("{text} at its byte {}", error.column()),
        None => text,
    }
}

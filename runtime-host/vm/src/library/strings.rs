//! Methods of String: characters, parts, numbers in texts.

use std::sync::LazyLock;

use super::arguments::{LIST, TEXT, VALUE, Writing, count, int, invalid, span, text, unfit};
use super::{Cx, Given};
use crate::raise::Failure;
use crate::text::Text;
use crate::value::Value;

/// The texts of one ASCII character: there are many of them in what `chars`
/// gives, and so none is made twice.
static ASCII: LazyLock<Vec<Text>> = LazyLock::new(|| {
    (0..128_u8)
        .map(|byte| char::from(byte).to_string().into())
        .collect()
});

/// The text of a character.
pub(crate) fn of_char(char: char) -> Text {
    match ASCII.get(char as usize) {
        Some(text) => text.clone(),
        None => Text::from(&*char.encode_utf8(&mut [0; 4])),
    }
}

/// Takes the steps for reading a text once.
fn read(cx: &mut Cx<'_>, text: &str) -> Result<(), Failure> {
    cx.meter.work(text.len() / 64)
}

/// A part of a text: the text itself if it is all of it.
fn part(cx: &mut Cx<'_>, whole: &Text, part: &str) -> Given {
    match part.len() == whole.len() {
        true => Ok(Value::Text(whole.clone())),
        false => text(cx, part),
    }
}

fn not_empty(part: &str, what: &str, help: &str) -> Result<(), Failure> {
    match part.is_empty() {
        true => Err(invalid(format!("{what} is empty{help}"))),
        false => Ok(()),
    }
}

pub(super) fn length(_: &mut Cx<'_>, args: &mut [Value]) -> Given {
    match args {
        [Value::Text(text)] => Ok(int(text.chars())),
        args => Err(unfit("length", args)),
    }
}

pub(super) fn is_empty(_: &mut Cx<'_>, args: &mut [Value]) -> Given {
    match args {
        [Value::Text(text)] => Ok(Value::Bool(text.is_empty())),
        args => Err(unfit("is_empty", args)),
    }
}

/// How many times as long a text may become in letters of the other case: `ΐ`
/// becomes three times as long.
const MOST_GROWTH: usize = 3;

fn cased(
    cx: &mut Cx<'_>,
    text: &Text,
    ascii: fn(&str) -> String,
    other: fn(&str) -> String,
) -> Given {
    let (most, change) = match text.is_ascii() {
        true => (text.len(), ascii),
        false => (text.len().saturating_mul(MOST_GROWTH), other),
    };
    cx.meter.make(most.saturating_add(TEXT))?;
    Ok(Value::from(change(text)))
}

pub(super) fn upper(cx: &mut Cx<'_>, args: &mut [Value]) -> Given {
    match args {
        [Value::Text(text)] => cased(cx, text, str::to_ascii_uppercase, str::to_uppercase),
        args => Err(unfit("upper", args)),
    }
}

pub(super) fn lower(cx: &mut Cx<'_>, args: &mut [Value]) -> Given {
    match args {
        [Value::Text(text)] => cased(cx, text, str::to_ascii_lowercase, str::to_lowercase),
        args => Err(unfit("lower", args)),
    }
}

pub(super) fn trim(cx: &mut Cx<'_>, args: &mut [Value]) -> Given {
    match args {
        [Value::Text(text)] => part(cx, text, text.trim()),
        args => Err(unfit("trim", args)),
    }
}

pub(super) fn trim_start(cx: &mut Cx<'_>, args: &mut [Value]) -> Given {
    match args {
        [Value::Text(text)] => part(cx, text, text.trim_start()),
        args => Err(unfit("trim_start", args)),
    }
}

pub(super) fn trim_end(cx: &mut Cx<'_>, args: &mut [Value]) -> Given {
    match args {
        [Value::Text(text)] => part(cx, text, text.trim_end()),
        args => Err(unfit("trim_end", args)),
    }
}

pub(super) fn contains(cx: &mut Cx<'_>, args: &mut [Value]) -> Given {
    match args {
        [Value::Text(text), Value::Text(part)] => {
            read(cx, text)?;
            Ok(Value::Bool(text.contains(part.as_str())))
        }
        args => Err(unfit("contains", args)),
    }
}

pub(super) fn starts_with(cx: &mut Cx<'_>, args: &mut [Value]) -> Given {
    match args {
        [Value::Text(text), Value::Text(part)] => {
            read(cx, part)?;
            Ok(Value::Bool(text.starts_with(part.as_str())))
        }
        args => Err(unfit("starts_with", args)),
    }
}

pub(super) fn ends_with(cx: &mut Cx<'_>, args: &mut [Value]) -> Given {
    match args {
        [Value::Text(text), Value::Text(part)] => {
            read(cx, part)?;
            Ok(Value::Bool(text.ends_with(part.as_str())))
        }
        args => Err(unfit("ends_with", args)),
    }
}

pub(super) fn index_of(cx: &mut Cx<'_>, args: &mut [Value]) -> Given {
    let [Value::Text(text), Value::Text(part)] = args else {
        return Err(unfit("index_of", args));
    };
    read(cx, text)?;
    Ok(match text.find(part.as_str()) {
        None => Value::Null,
        Some(byte) if text.chars() == text.len() => int(byte),
        Some(byte) => int(text.get(..byte).map_or(0, |before| before.chars().count())),
    })
}

const NO_PART: &str = "the part that is looked for";

pub(super) fn count_of(cx: &mut Cx<'_>, args: &mut [Value]) -> Given {
    let [Value::Text(text), Value::Text(part)] = args else {
        return Err(unfit("count", args));
    };
    not_empty(part, NO_PART, "")?;
    read(cx, text)?;
    Ok(int(text.matches(part.as_str()).count()))
}

pub(super) fn replace(cx: &mut Cx<'_>, args: &mut [Value]) -> Given {
    let [Value::Text(text), Value::Text(part), Value::Text(by)] = args else {
        return Err(unfit("replace", args));
    };
    not_empty(part, NO_PART, "")?;
    read(cx, text)?;
    let found = text.matches(part.as_str()).count();
    if found == 0 {
        return Ok(Value::Text(text.clone()));
    }
    let left = text.len() - found * part.len();
    let bytes = left.saturating_add(found.saturating_mul(by.len()));
    cx.meter.make(bytes.saturating_add(TEXT))?;
    let mut out = String::with_capacity(bytes);
    for (at, piece) in text.split(part.as_str()).enumerate() {
        if at > 0 {
            out.push_str(by);
        }
        out.push_str(piece);
    }
    Ok(Value::from(out))
}

pub(super) fn slice(cx: &mut Cx<'_>, args: &mut [Value]) -> Given {
    let [Value::Text(text), Value::Int(start), end] = args else {
        return Err(unfit("slice", args));
    };
    let (start, end) = span(*start, end, text.chars())?;
    part(cx, text, text.slice(start, end))
}

/// The memory of a list of texts: how many, and how many bytes together.
pub(super) fn texts(cx: &mut Cx<'_>, texts: usize, bytes: usize) -> Result<(), Failure> {
    let each = texts.saturating_mul(VALUE + TEXT);
    cx.meter
        .make(each.saturating_add(bytes).saturating_add(LIST))
}

pub(super) fn split(cx: &mut Cx<'_>, args: &mut [Value]) -> Given {
    let [Value::Text(text), Value::Text(separator)] = args else {
        return Err(unfit("split", args));
    };
    not_empty(
        separator,
        "the separator",
        "; `chars` gives the characters of a text",
    )?;
    read(cx, text)?;
    let parts = text.matches(separator.as_str()).count() + 1;
    texts(cx, parts, text.len())?;
    if parts == 1 {
        return Ok(Value::list(vec![Value::Text(text.clone())])?);
    }
    let mut items = Vec::with_capacity(parts);
    items.extend(text.split(separator.as_str()).map(Value::from));
    Ok(Value::list(items)?)
}

pub(super) fn chars(cx: &mut Cx<'_>, args: &mut [Value]) -> Given {
    let [Value::Text(text)] = args else {
        return Err(unfit("chars", args));
    };
    // Those of ASCII are there already.
    let (made, bytes) = match text.chars() == text.len() {
        true => (0, text.chars() * VALUE),
        false => (text.chars(), text.chars() * VALUE + text.len()),
    };
    texts(cx, made, bytes)?;
    let mut items = Vec::with_capacity(text.chars());
    items.extend(text.as_str().chars().map(|char| Value::Text(of_char(char))));
    Ok(Value::list(items)?)
}

pub(super) fn repeat(cx: &mut Cx<'_>, args: &mut [Value]) -> Given {
    let [Value::Text(text), Value::Int(times)] = args else {
        return Err(unfit("repeat", args));
    };
    let times = count("the number of times", *times)?;
    if times == 1 {
        return Ok(Value::Text(text.clone()));
    }
    let bytes = text.len().saturating_mul(times);
    cx.meter.make(bytes.saturating_add(TEXT))?;
    Ok(Value::from(match bytes {
        0 => String::new(),
        _ => text.repeat(times),
    }))
}

pub(super) fn reversed(cx: &mut Cx<'_>, args: &mut [Value]) -> Given {
    let [Value::Text(text)] = args else {
        return Err(unfit("reversed", args));
    };
    cx.meter.make(text.len() + TEXT)?;
    let mut out = String::with_capacity(text.len());
    out.extend(text.as_str().chars().rev());
    Ok(Value::from(out))
}

pub(super) fn strip_prefix(cx: &mut Cx<'_>, args: &mut [Value]) -> Given {
    let [Value::Text(text), Value::Text(prefix)] = args else {
        return Err(unfit("strip_prefix", args));
    };
    let left = text.strip_prefix(prefix.as_str()).unwrap_or(text);
    part(cx, text, left)
}

pub(super) fn strip_suffix(cx: &mut Cx<'_>, args: &mut [Value]) -> Given {
    let [Value::Text(text), Value::Text(suffix)] = args else {
        return Err(unfit("strip_suffix", args));
    };
    let left = text.strip_suffix(suffix.as_str()).unwrap_or(text);
    part(cx, text, left)
}

pub(super) fn before(cx: &mut Cx<'_>, args: &mut [Value]) -> Given {
    let [Value::Text(text), Value::Text(separator)] = args else {
        return Err(unfit("before", args));
    };
    read(cx, text)?;
    match text.split_once(separator.as_str()) {
        Some((before, _)) => part(cx, text, before),
        None => Ok(Value::Null),
    }
}

pub(super) fn after(cx: &mut Cx<'_>, args: &mut [Value]) -> Given {
    let [Value::Text(text), Value::Text(separator)] = args else {
        return Err(unfit("after", args));
    };
    read(cx, text)?;
    match text.split_once(separator.as_str()) {
        Some((_, after)) => part(cx, text, after),
        None => Ok(Value::Null),
    }
}

/// What fills a text up to a width, in characters; `None` if it is as long.
fn filling(
    cx: &mut Cx<'_>,
    text: &Text,
    width: i64,
    with: &Text,
) -> Result<Option<String>, Failure> {
    not_empty(with, "the filling", "")?;
    let wanted = usize::try_from(width.max(0)).unwrap_or(usize::MAX);
    let Some(missing @ 1..) = wanted.checked_sub(text.chars()) else {
        return Ok(None);
    };
    let (times, rest) = (
        missing / with.chars(),
        with.slice(0, missing % with.chars()),
    );
    let bytes = times.saturating_mul(with.len()).saturating_add(rest.len());
    // Twice: the filling, and then the text that has it.
    cx.meter
        .make(bytes.saturating_mul(2).saturating_add(text.len() + TEXT))?;
    let mut out = String::with_capacity(bytes.saturating_add(text.len()));
    for _ in 0..times {
        out.push_str(with);
    }
    out.push_str(rest);
    Ok(Some(out))
}

pub(super) fn pad_start(cx: &mut Cx<'_>, args: &mut [Value]) -> Given {
    let [Value::Text(text), Value::Int(width), Value::Text(with)] = args else {
        return Err(unfit("pad_start", args));
    };
    Ok(match filling(cx, text, *width, with)? {
        None => Value::Text(text.clone()),
        Some(mut out) => {
            out.push_str(text);
            Value::from(out)
        }
    })
}

pub(super) fn pad_end(cx: &mut Cx<'_>, args: &mut [Value]) -> Given {
    let [Value::Text(text), Value::Int(width), Value::Text(with)] = args else {
        return Err(unfit("pad_end", args));
    };
    Ok(match filling(cx, text, *width, with)? {
        None => Value::Text(text.clone()),
        Some(filling) => Value::from([text.as_str(), &filling].concat()),
    })
}

/// Decimal digits with or without a sign; nothing around them.
pub(super) fn to_int(cx: &mut Cx<'_>, args: &mut [Value]) -> Given {
    let [Value::Text(text)] = args else {
        return Err(unfit("to_int", args));
    };
    read(cx, text)?;
    Ok(text.parse().map_or(Value::Null, Value::Int))
}

/// As `to_int`, with a point and an exponent. `inf` and `nan` are no decimals,
/// and what is too large for a float is no number of any.
pub(super) fn to_float(cx: &mut Cx<'_>, args: &mut [Value]) -> Given {
    let [Value::Text(text)] = args else {
        return Err(unfit("to_float", args));
    };
    // Long ones take more time a digit.
    cx.meter.work(text.len() / 16)?;
    let is_decimal = |byte: u8| byte.is_ascii_digit() || b"+-.eE".contains(&byte);
    if !text.as_str().bytes().all(is_decimal) {
        return Ok(Value::Null);
    }
    Ok(match text.parse::<f64>() {
        Ok(number) if number.is_finite() => Value::Float(number),
        _ => Value::Null,
    })
}

/// The texts of a list with a separator between them, as `join` gives them.
pub(super) fn join(cx: &mut Cx<'_>, args: &mut [Value]) -> Given {
    let [Value::List(list), Value::Text(separator)] = args else {
        return Err(unfit("join", args));
    };
    cx.meter.work(list.items().len() / 16)?;
    let mut bytes = separator
        .len()
        .saturating_mul(list.items().len().saturating_sub(1));
    for item in list.items() {
        let Value::Text(text) = item else {
            return join_shown(cx, list.items(), separator);
        };
        bytes = bytes.saturating_add(text.len());
    }
    cx.meter.make(bytes.saturating_add(TEXT))?;
    let mut out = String::with_capacity(bytes);
    for (at, item) in list.items().iter().enumerate() {
        if at > 0 {
            out.push_str(separator);
        }
        if let Value::Text(text) = item {
            out.push_str(text);
        }
    }
    Ok(Value::from(out))
}

fn join_shown(cx: &mut Cx<'_>, items: &[Value], separator: &str) -> Given {
    let mut writing = Writing::new(cx);
    for (at, item) in items.iter().enumerate() {
        if at > 0 {
            writing.put(separator)?;
        }
        writing.show(item)?;
    }
    writing.done(cx)
}

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

#[cfg(test)]
mod tests {
    use crate::library::testing::*;
    use crate::library::{Native, call};
    use crate::value::Value;

    #[test]
    fn texts_give_what_is_declared() {
        let table: Vec<(Native, Vec<Value>, &str)> = vec![
            (Native::LengthString, vec![t("né👍")], "3"),
            (Native::IsEmptyString, vec![t("")], "true"),
            (Native::IsEmptyString, vec![t(" ")], "false"),
            (Native::Upper, vec![t("straße")], r#""STRASSE""#),
            (Native::Upper, vec![t("ΐ")], r#""Ϊ́""#),
            (Native::Lower, vec![t("ABC ΟΔΟΣ")], r#""abc οδος""#),
            (Native::Trim, vec![t("\u{a0} a b \n")], r#""a b""#),
            (Native::TrimStart, vec![t("  a ")], r#""a ""#),
            (Native::TrimEnd, vec![t("  a ")], r#""  a""#),
            (Native::ContainsString, vec![t("may.md"), t("..")], "false"),
            (Native::ContainsString, vec![t("may.md"), t("")], "true"),
            (Native::StartsWith, vec![t("né"), t("n")], "true"),
            (Native::EndsWith, vec![t("né"), t("né!")], "false"),
            (Native::IndexOfString, vec![t("banana"), t("na")], "2"),
            (Native::IndexOfString, vec![t("éé👍a"), t("a")], "3"),
            (Native::IndexOfString, vec![t("banana"), t("x")], "null"),
            (Native::IndexOfString, vec![t(""), t("")], "0"),
            (Native::CountString, vec![t("banana"), t("na")], "2"),
            (Native::CountString, vec![t("aaa"), t("aa")], "1"),
            (Native::CountString, vec![t("a"), t("")], "invalid_value"),
            (
                Native::Replace,
                vec![t("a-b-c"), t("-"), t("+")],
                r#""a+b+c""#,
            ),
            (Native::Replace, vec![t("é-é"), t("é"), t("")], r#""-""#),
            (Native::Replace, vec![t("abc"), t("x"), t("y")], r#""abc""#),
            (
                Native::Replace,
                vec![t("abc"), t(""), t("y")],
                "invalid_value",
            ),
            (
                Native::SliceString,
                vec![t("banana"), i(1), i(3)],
                r#""an""#,
            ),
            (
                Native::SliceString,
                vec![t("banana"), i(4), Value::Null],
                r#""na""#,
            ),
            (Native::SliceString, vec![t("né👍"), i(1), i(9)], r#""é👍""#),
            (
                Native::SliceString,
                vec![t("né"), i(i64::MAX), Value::Null],
                r#""""#,
            ),
            (
                Native::SliceString,
                vec![t("né"), i(-1), Value::Null],
                "out_of_range",
            ),
            (
                Native::SliceString,
                vec![t("né"), i(2), i(1)],
                "out_of_range",
            ),
            (Native::Split, vec![t("a,b,"), t(",")], r#"["a", "b", ""]"#),
            (Native::Split, vec![t(""), t(",")], r#"[""]"#),
            (Native::Split, vec![t("a"), t("")], "invalid_value"),
            (Native::Chars, vec![t("né")], r#"["n", "é"]"#),
            (Native::Chars, vec![t("")], "[]"),
            (Native::Repeat, vec![t("ab"), i(3)], r#""ababab""#),
            (Native::Repeat, vec![t("ab"), i(0)], r#""""#),
            (Native::Repeat, vec![t(""), i(i64::MAX)], r#""""#),
            (Native::Repeat, vec![t("ab"), i(-1)], "out_of_range"),
            (Native::Repeat, vec![t("ab"), i(i64::MAX)], "memory"),
            (Native::ReversedString, vec![t("né👍")], r#""👍én""#),
            (
                Native::StripPrefix,
                vec![t("refs/main"), t("refs/")],
                r#""main""#,
            ),
            (
                Native::StripPrefix,
                vec![t("main"), t("refs/")],
                r#""main""#,
            ),
            (
                Native::StripSuffix,
                vec![t("report.md"), t(".md")],
                r#""report""#,
            ),
            (Native::Before, vec![t("key=a=b"), t("=")], r#""key""#),
            (Native::Before, vec![t("key"), t("=")], "null"),
            (Native::After, vec![t("key=a=b"), t("=")], r#""a=b""#),
            (Native::After, vec![t("key"), t("=")], "null"),
            (Native::PadStart, vec![t("7"), i(3), t("0")], r#""007""#),
            (Native::PadStart, vec![t("é"), i(6), t("äb")], r#""äbäbäé""#),
            (Native::PadStart, vec![t("7"), i(-3), t("0")], r#""7""#),
            (Native::PadStart, vec![t("7"), i(3), t("")], "invalid_value"),
            (
                Native::PadStart,
                vec![t("7"), i(1_000_000_000_000), t("0")],
                "memory",
            ),
            (Native::PadEnd, vec![t("ab"), i(4), t(".")], r#""ab..""#),
            (
                Native::PadEnd,
                vec![t("ab"), i(i64::MAX), t("👍")],
                "memory",
            ),
            (Native::ToInt, vec![t("-42")], "-42"),
            (Native::ToInt, vec![t("4.2")], "null"),
            (Native::ToInt, vec![t(" 4")], "null"),
            (Native::ToInt, vec![t("9223372036854775808")], "null"),
            (
                Native::ToInt,
                vec![t("-9223372036854775808")],
                "-9223372036854775808",
            ),
            (Native::ToFloat, vec![t("2.5")], "2.5"),
            (Native::ToFloat, vec![t("1e3")], "1000.0"),
            (Native::ToFloat, vec![t("two")], "null"),
            (Native::ToFloat, vec![t("inf")], "null"),
            (Native::ToFloat, vec![t("NaN")], "null"),
            (Native::ToFloat, vec![t("1e999")], "null"),
            (Native::Join, vec![texts(["a", "b"]), t(", ")], r#""a, b""#),
            (
                Native::Join,
                vec![list([i(1), t("x"), texts(["y"])]), t("")],
                r#""1x[\"y\"]""#,
            ),
            (Native::Join, vec![list([]), t(", ")], r#""""#),
            (Native::Upper, vec![i(1)], "wrong_type"),
            (Native::Split, vec![t("a")], "wrong_type"),
        ];
        for (native, args, expected) in table {
            assert_eq!(shown(native, args.clone()), expected, "{native:?} {args:?}");
        }
    }

    #[test]
    fn what_explodes_is_refused_before_it_is_made() {
        let long = t(&"a".repeat(1000));
        let table = [
            (Native::Replace, vec![long.clone(), t("a"), long.clone()]),
            (Native::Join, vec![list(vec![long.clone(); 100]), t("")]),
            (Native::Join, vec![list(vec![i(1); 100]), long.clone()]),
            (Native::Split, vec![long.clone(), t("a")]),
            (Native::Repeat, vec![long.clone(), i(100)]),
            (Native::Upper, vec![t(&"ΐ".repeat(30_000))]),
        ];
        for (native, mut args) in table {
            let failed = with(1 << 30, 60_000, |cx| call(native, cx, &mut args));
            assert_eq!(kind(&failed.unwrap_err()), "memory", "{native:?}");
            // With more memory the same arguments do.
            let again = with(1 << 30, 1 << 30, |cx| call(native, cx, &mut args));
            assert!(again.is_ok(), "{native:?}");
        }
    }

    #[test]
    fn steps_grow_with_the_length_and_no_faster() {
        let text = |n: usize| t(&"aé-".repeat(n));
        type Args = fn(Value) -> Vec<Value>;
        let table: [(Native, Args); 8] = [
            (Native::Split, |text| vec![text, t("-")]),
            (Native::Replace, |text| vec![text, t("-"), t("+")]),
            (Native::Chars, |text| vec![text]),
            (Native::IndexOfString, |text| vec![text, t("?")]),
            (Native::CountString, |text| vec![text, t("aé-aé-b")]),
            (Native::Upper, |text| vec![text]),
            (Native::Lines, |text| vec![text]),
            (Native::Dedent, |text| vec![text]),
        ];
        for (native, args) in table {
            let counts = [1, 2, 4].map(|n| steps(native, args(text(n * 10_000))));
            assert!(counts[0] > 100, "{native:?} {counts:?}");
            for pair in counts.windows(2) {
                assert!(pair[1] * 10 <= pair[0] * 23, "{native:?} {counts:?}");
            }
        }
    }
}

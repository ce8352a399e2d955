//! Longer texts: templates, lines, words, cutting, indents.

use super::arguments::{TEXT, Writing, out_of_range, text, unfit, walk};
use super::strings::texts;
use super::{Cx, Given};
use crate::raise::{Raise, kinds};
use crate::value::Value;

pub(super) fn format(cx: &mut Cx<'_>, args: &mut [Value]) -> Given {
    let [Value::Text(template), Value::List(values)] = args else {
        return Err(unfit("format", args));
    };
    for value in values.items() {
        walk(cx, value, 1)?;
        if value.holds_secret() {
            return Err(Raise::new(
                kinds::SECRET_LEAK,
                "`format` is given a secret, which would stand in its text",
            )
            .into());
        }
    }
    let mut values = values.items().iter();
    let mut writing = Writing::new(cx);
    let mut pieces = template.split("{}");
    writing.put(pieces.next().unwrap_or_default())?;
    for piece in pieces {
        match values.next() {
            Some(value) => writing.show(value)?,
            None => writing.put("{}")?,
        }
        writing.put(piece)?;
    }
    writing.done(cx)
}

pub(super) fn to_string(cx: &mut Cx<'_>, args: &mut [Value]) -> Given {
    match args {
        [Value::Text(text)] => Ok(Value::Text(text.clone())),
        [value] => {
            let mut writing = Writing::new(cx);
            writing.show(value)?;
            writing.done(cx)
        }
        args => Err(unfit("to_string", args)),
    }
}

pub(super) fn lines(cx: &mut Cx<'_>, args: &mut [Value]) -> Given {
    let [Value::Text(text)] = args else {
        return Err(unfit("lines", args));
    };
    cx.meter.work(text.len() / 64)?;
    let count = text.lines().count();
    texts(cx, count, text.len())?;
    let mut items = Vec::with_capacity(count);
    items.extend(text.lines().map(Value::from));
    Ok(Value::list(items)?)
}

pub(super) fn words(cx: &mut Cx<'_>, args: &mut [Value]) -> Given {
    let [Value::Text(text)] = args else {
        return Err(unfit("words", args));
    };
    cx.meter.work(text.len() / 32)?;
    let count = text.split_whitespace().count();
    texts(cx, count, text.len())?;
    let mut items = Vec::with_capacity(count);
    items.extend(text.split_whitespace().map(Value::from));
    Ok(Value::list(items)?)
}

pub(super) fn truncate(cx: &mut Cx<'_>, args: &mut [Value]) -> Given {
    let [Value::Text(whole), Value::Int(most), Value::Text(ending)] = args else {
        return Err(unfit("truncate", args));
    };
    let room = usize::try_from(*most)
        .ok()
        .and_then(|most| most.checked_sub(ending.chars()));
    let Some(room) = room else {
        return Err(out_of_range(format!(
            "{most} characters are fewer than the ending has, which are {}",
            ending.chars()
        )));
    };
    if whole.chars() - room.min(whole.chars()) <= ending.chars() {
        return Ok(Value::Text(whole.clone()));
    }
    let kept = whole.slice(0, room);
    cx.meter.make(kept.len() + ending.len() + TEXT)?;
    Ok(Value::from([kept, ending].concat()))
}

/// A line with its end as its two parts.
fn without_end(line: &str) -> (&str, &str) {
    let content = match line.strip_suffix('\n') {
        Some(content) => content.strip_suffix('\r').unwrap_or(content),
        None => line,
    };
    line.split_at(content.len())
}

pub(super) fn indent(cx: &mut Cx<'_>, args: &mut [Value]) -> Given {
    let [Value::Text(text), Value::Text(by)] = args else {
        return Err(unfit("indent", args));
    };
    cx.meter.work(text.len() / 64)?;
    let lines = || text.split_inclusive('\n').map(without_end);
    let count = lines().filter(|(content, _)| !content.is_empty()).count();
    let bytes = by.len().saturating_mul(count).saturating_add(text.len());
    cx.meter.make(bytes.saturating_add(TEXT))?;
    let mut out = String::with_capacity(bytes);
    for (content, end) in lines() {
        if !content.is_empty() {
            out.push_str(by);
        }
        out.push_str(content);
        out.push_str(end);
    }
    Ok(Value::from(out))
}

/// What two texts begin with.
fn common<'t>(one: &'t str, two: &str) -> &'t str {
    let chars = one.char_indices().zip(two.chars());
    let differs = chars.into_iter().find(|((_, one), two)| one != two);
    let end = match differs {
        Some(((at, _), _)) => at,
        None => one.len().min(two.len()),
    };
    one.get(..end).unwrap_or(one)
}

/// Lines of white space alone do not count, unless there are no others, and
/// lose as much of the common beginning as they have.
pub(super) fn dedent(cx: &mut Cx<'_>, args: &mut [Value]) -> Given {
    let [Value::Text(whole)] = args else {
        return Err(unfit("dedent", args));
    };
    cx.meter.work(whole.len() / 32)?;
    let lines = || whole.split_inclusive('\n').map(without_end);
    let margin = |content: &'_ str| content.len() - content.trim_start().len();
    let blank = lines().all(|(content, _)| content.trim_start().is_empty());
    let mut shared: Option<&str> = None;
    for (content, _) in lines() {
        let margin = content.get(..margin(content)).unwrap_or_default();
        if content.is_empty() || (!blank && margin.len() == content.len()) {
            continue;
        }
        shared = Some(match shared {
            None => margin,
            Some(shared) => common(shared, margin),
        });
    }
    let shared = shared.unwrap_or_default();
    if shared.is_empty() {
        return Ok(Value::Text(whole.clone()));
    }
    cx.meter.make(whole.len() + TEXT)?;
    let mut out = String::with_capacity(whole.len());
    for (content, end) in lines() {
        out.push_str(
            content
                .get(common(content, shared).len()..)
                .unwrap_or_default(),
        );
        out.push_str(end);
    }
    Ok(Value::from(out))
}

pub(super) fn type_of(cx: &mut Cx<'_>, args: &mut [Value]) -> Given {
    match args {
        [value] => text(cx, value.type_name()),
        args => Err(unfit("type_of", args)),
    }
}

/// The value, or another one for `null`.
pub(super) fn otherwise(_: &mut Cx<'_>, args: &mut [Value]) -> Given {
    match args {
        [value, other] => Ok(std::mem::take(match value {
            Value::Null => other,
            _ => value,
        })),
        args => Err(unfit("otherwise", args)),
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use crate::library::Native;
    use crate::library::testing::*;
    use crate::secret::Secret;
    use crate::value::Value;

    #[test]
    fn longer_texts_give_what_is_declared() {
        let secret = || Value::Secret(Arc::new(Secret::of("vault://a")));
        let table: Vec<(Native, Vec<Value>, &str)> = vec![
            (
                Native::Format,
                vec![t("{} of {}"), list([i(2), t("three")])],
                r#""2 of three""#,
            ),
            (Native::Format, vec![t("{}"), list([t("{}")])], r#""{}""#),
            (Native::Format, vec![t("{} {}"), list([i(1)])], r#""1 {}""#),
            (
                Native::Format,
                vec![t("{{}}"), list([i(1), i(2)])],
                r#""{1}""#,
            ),
            (
                Native::Format,
                vec![t("{}"), list([list([secret()])])],
                "secret_leak",
            ),
            (Native::ToString, vec![f(1.5)], r#""1.5""#),
            (Native::ToString, vec![Value::Null], r#""null""#),
            (Native::ToString, vec![secret()], r#""***""#),
            (Native::ToString, vec![texts(["a"])], r#""[\"a\"]""#),
            (Native::Lines, vec![t("a\r\nb\n")], r#"["a", "b"]"#),
            (Native::Lines, vec![t("\n\n")], r#"["", ""]"#),
            (Native::Lines, vec![t("")], "[]"),
            (Native::Words, vec![t("  a b\nc ")], r#"["a", "b", "c"]"#),
            (
                Native::TruncateString,
                vec![t("a long story"), i(7), t("…")],
                r#""a long…""#,
            ),
            (
                Native::TruncateString,
                vec![t("short"), i(7), t("…")],
                r#""short""#,
            ),
            (
                Native::TruncateString,
                vec![t("short"), i(5), t("…")],
                r#""short""#,
            ),
            (
                Native::TruncateString,
                vec![t("shorts"), i(5), t("…")],
                r#""shor…""#,
            ),
            (
                Native::TruncateString,
                vec![t("shorts"), i(5), t("")],
                r#""short""#,
            ),
            (
                Native::TruncateString,
                vec![t("shorts"), i(0), t("…")],
                "out_of_range",
            ),
            (
                Native::TruncateString,
                vec![t("shorts"), i(i64::MIN), t("")],
                "out_of_range",
            ),
            (
                Native::TruncateString,
                vec![t("shorts"), i(i64::MAX), t("…")],
                r#""shorts""#,
            ),
            (
                Native::Indent,
                vec![t("a\n\nb"), t("> ")],
                r#""> a\n\n> b""#,
            ),
            (
                Native::Indent,
                vec![t("a\r\n\r\n"), t(" ")],
                r#"" a\r\n\r\n""#,
            ),
            (Native::Dedent, vec![t("  a\n    b")], r#""a\n  b""#),
            (
                Native::Dedent,
                vec![t("\t a\n\n \n\t b\n")],
                r#""a\n\n \nb\n""#,
            ),
            (Native::Dedent, vec![t("  \n    ")], r#""\n  ""#),
            (Native::Dedent, vec![t("a\n b")], r#""a\n b""#),
            (Native::TypeOf, vec![i(1)], r#""int""#),
            (Native::TypeOf, vec![list([])], r#""Array""#),
            (Native::Otherwise, vec![Value::Null, i(0)], "0"),
            (Native::Otherwise, vec![i(1), i(0)], "1"),
        ];
        for (native, args, expected) in table {
            assert_eq!(shown(native, args.clone()), expected, "{native:?} {args:?}");
        }
    }
}

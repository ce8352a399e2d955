//! Yes or no, numbers and amounts of memory as values of blocks. Each may
//! stand in quotes.

use symbi_diagnostics::{Diagnostic, blocks as codes};
use symbi_mini::size;
use symbi_syntax::Place;
use symbi_syntax::ast::Expr;

use super::cx::{Cx, at_value, instead, wrong_type};
use super::keys::Least;
use super::plain::{Plain, mini_report};

pub(super) fn boolean(cx: &mut Cx<'_>, name: &str, value: Expr<'_>, found: &Plain<'_>) {
    if as_bool(found).is_some() {
        return;
    }
    if matches!(found, Plain::Unread | Plain::Computed) {
        return;
    }
    let report = wrong_type(name, value, found, "`true` or `false`");
    let meant = match found.word().map(str::to_ascii_lowercase).as_deref() {
        Some("yes" | "on" | "true") => Some("true"),
        Some("no" | "off" | "false") => Some("false"),
        _ => None,
    };
    cx.report(match meant {
        Some(word) => report.fix(format!("write `{word}`"), instead(value, word)),
        None => report,
    });
}

/// A yes or no, in quotes or not.
pub(crate) fn as_bool(found: &Plain<'_>) -> Option<bool> {
    match found {
        Plain::Bool(value) => Some(*value),
        Plain::Text(text) => text.trim().parse().ok(),
        _ => None,
    }
}

/// A whole number, in quotes or not.
pub(crate) fn as_int(found: &Plain<'_>) -> Option<i128> {
    match found {
        Plain::Int(value) => Some(*value),
        Plain::Text(text) => text
            .trim()
            .replace('_', "")
            .parse::<i64>()
            .ok()
            .map(i128::from),
        _ => None,
    }
}

/// A number, in quotes or not.
pub(crate) fn as_number(found: &Plain<'_>) -> Option<f64> {
    match found {
        Plain::Int(value) => Some(*value as f64),
        Plain::Float(value) => Some(*value),
        Plain::Text(text) => {
            let text = text.trim();
            let number = text.bytes().any(|byte| byte.is_ascii_digit());
            let parsed = text.replace('_', "").parse().ok();
            parsed.filter(|value: &f64| number && value.is_finite())
        }
        _ => None,
    }
}

pub(super) fn int(cx: &mut Cx<'_>, name: &str, value: Expr<'_>, found: &Plain<'_>, least: Least) {
    let Some(number) = as_int(found) else {
        if let Plain::Size(bytes) = found
            && name == "max_memory_mb"
        {
            let text = (bytes >> 20).max(1).to_string();
            let report = wrong_type(name, value, found, "a whole number of megabytes");
            cx.report(report.fix(format!("write `{text}`"), instead(value, text)));
            return;
        }
        cx.wrong_type(name, value, found, "a whole number");
        return;
    };
    let (least, words) = match least {
        Least::Zero => (0, "0 or more"),
        Least::One => (1, "at least 1"),
    };
    if number < least {
        cx.report(useless(name, value, words));
    }
}

pub(super) fn number(
    cx: &mut Cx<'_>,
    name: &str,
    value: Expr<'_>,
    found: &Plain<'_>,
    fits: fn(f64) -> bool,
    words: &str,
) {
    match as_number(found) {
        None => cx.wrong_type(name, value, found, "a number"),
        Some(number) if !fits(number) => cx.report(useless(name, value, words)),
        Some(_) => {}
    }
}

pub(super) fn useless(name: &str, value: Expr<'_>, words: &str) -> Diagnostic<Place> {
    at_value(
        &codes::B0723,
        value,
        format!("`{name}` has to be {words} to mean anything"),
    )
    .help("an agent with this limit could not run")
}

pub(super) fn weight(cx: &mut Cx<'_>, name: &str, value: Expr<'_>, found: &Plain<'_>) {
    match as_number(found) {
        None => cx.wrong_type(name, value, found, "a number from 0 to 1"),
        Some(weight) if !(0.0..=1.0).contains(&weight) => cx.report(
            at_value(
                &codes::B0722,
                value,
                format!("`{name}` is a share, from 0 to 1"),
            )
            .help("the weights of a search add up to 1, as 0.7 and 0.3 do"),
        ),
        Some(_) => {}
    }
}

/// Bytes, if it is a size in quotes or not.
pub(crate) fn as_size(found: &Plain<'_>) -> Option<i128> {
    match found {
        Plain::Size(bytes) => Some(*bytes),
        Plain::Text(text) => size::parse(text).ok().map(|size| size.value.into()),
        _ => None,
    }
}

pub(super) fn size_value(cx: &mut Cx<'_>, name: &str, value: Expr<'_>, found: &Plain<'_>) {
    const WANTED: &str = "an amount of memory such as `512MB`";
    match (as_size(found), found) {
        (Some(bytes), _) if bytes <= 0 => cx.report(useless(name, value, "more than 0")),
        (Some(_), _) => {}
        (None, Plain::Text(text)) => {
            if let Err(error) = size::parse(text) {
                cx.report(mini_report(&codes::B0708, value, error));
            }
        }
        (None, Plain::Int(number)) => {
            let report = wrong_type(name, value, found, WANTED);
            let text = format!("{number}MB");
            cx.report(report.maybe_fix(format!("write `{text}`"), instead(value, text)));
        }
        (None, _) => cx.wrong_type(name, value, found, WANTED),
    }
}

//! Lengths of time as values of blocks.

use symbi_diagnostics::{Diagnostic, blocks as codes};
use symbi_mini::duration;
use symbi_syntax::Place;
use symbi_syntax::ast::Expr;

use super::cx::{Cx, at_value, in_words, instead};
use super::numbers::{as_int, useless};
use super::plain::{Plain, mini_report};

const MILLI: i128 = 1_000_000;
const SECOND: i128 = 1_000 * MILLI;
const DAY: i128 = 86_400 * SECOND;

const WANTED: &str = "a length of time such as `30s` or `5m`";

/// Nanoseconds of a length of time, in quotes or not; of a bare number, which
/// counts seconds.
pub(crate) fn nanos(found: &Plain<'_>) -> Option<i128> {
    match found {
        Plain::Duration(nanos) => Some(*nanos),
        Plain::Text(text) => match duration::parse(text) {
            Ok(reading) => Some(reading.value.into()),
            Err(_) => Some(as_int(found)?.saturating_mul(SECOND)),
        },
        Plain::Int(seconds) => Some(seconds.saturating_mul(SECOND)),
        _ => None,
    }
}

/// A length of time of any length.
pub(super) fn duration(cx: &mut Cx<'_>, name: &str, value: Expr<'_>, found: &Plain<'_>) {
    let Some(nanos) = nanos(found) else {
        unreadable(cx, name, value, found);
        return;
    };
    if nanos < 0 {
        cx.report(useless(name, value, "0 or more"));
        return;
    }
    if let Some(seconds) = bare(found) {
        cx.report(seconds_read(value, seconds));
    }
}

/// The report about a bare number that is read as seconds.
fn seconds_read(value: Expr<'_>, seconds: i128) -> Diagnostic<Place> {
    let text = format!("{seconds}s");
    let read = in_words(seconds.saturating_mul(SECOND));
    at_value(
        &codes::B0720,
        value,
        format!("a bare number is read as seconds: {read}"),
    )
    .fix(format!("write `{text}`"), instead(value, text))
}

/// The report about a bare number in a body, where a length of time is
/// expected; `None` if it is too large for one.
pub(crate) fn bare_in_body(value: Expr<'_>, seconds: u64) -> Option<Diagnostic<Place>> {
    let seconds = i128::from(seconds);
    i64::try_from(seconds.saturating_mul(SECOND)).ok()?;
    let report = seconds_read(value, seconds);
    Some(match seconds < MANY {
        true => report,
        false => report.help(format!(
            "write `{}` if milliseconds were meant",
            duration::format(i64::try_from(seconds * MILLI).ok()?)
        )),
    })
}

/// From here on a bare number may be meant in milliseconds.
const MANY: i128 = 1_000;

fn unreadable(cx: &mut Cx<'_>, name: &str, value: Expr<'_>, found: &Plain<'_>) {
    match found {
        Plain::Text(text) => {
            if let Err(error) = duration::parse(text) {
                cx.report(mini_report(&codes::B0708, value, error));
            }
        }
        _ => cx.wrong_type(name, value, found, WANTED),
    }
}

/// The number, where a length of time has no unit.
fn bare(found: &Plain<'_>) -> Option<i128> {
    match found {
        Plain::Int(_) => as_int(found),
        Plain::Text(text) if duration::parse(text).is_err() => as_int(found),
        _ => None,
    }
}

/// How long a run may take: 1 s to 24 h.
pub(super) fn timeout(cx: &mut Cx<'_>, name: &str, value: Expr<'_>, found: &Plain<'_>) {
    let Some(nanos) = nanos(found) else {
        unreadable(cx, name, value, found);
        return;
    };
    let fits = |nanos: i128| (SECOND..=DAY).contains(&nanos);
    let range = "a run may take 1 s to 24 h";
    let Some(number) = bare(found).filter(|number| *number > 0) else {
        if !fits(nanos) {
            let (what, nearest) = match nanos < SECOND {
                true => ("less than a second", "1s"),
                false => ("more than a day", "24h"),
            };
            cx.report(
                at_value(
                    &codes::B0721,
                    value,
                    format!("`{name}` is {what}: the agent is refused on every route that runs it"),
                )
                .help(range)
                .maybe_fix(format!("write `{nearest}`"), instead(value, nearest)),
            );
        }
        return;
    };
    if number < MANY {
        cx.report(seconds_read(value, number));
        return;
    }
    let as_millis = number.saturating_mul(MILLI);
    let seconds = format!("{number}s");
    let read = in_words(nanos);
    let millis = i64::try_from(as_millis).map_or_else(|_| format!("{number}ms"), duration::format);
    let message = match fits(nanos) {
        true => format!(
            "a bare number is read as seconds: `{number}` is {read}, and as milliseconds it \
             would be {}",
            in_words(as_millis)
        ),
        false => format!(
            "a bare number is read as seconds: `{number}` is {}more than a day, so the agent is \
             refused on every route that runs it; as milliseconds it would be {}",
            match nanos < 2 * DAY {
                true => String::new(),
                false => format!("{read}, "),
            },
            in_words(as_millis)
        ),
    };
    // What refuses the agent is the length, however it is written.
    let code = match fits(nanos) {
        true => &codes::B0720,
        false => &codes::B0721,
    };
    let report = at_value(code, value, message);
    cx.report(match fits(as_millis) {
        true => report
            .help(format!(
                "write `{millis}` if milliseconds were meant, `{seconds}` if seconds were"
            ))
            .maybe_fix(format!("write `{millis}`"), instead(value, millis)),
        false => report.help(range),
    });
}

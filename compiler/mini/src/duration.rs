//! Lengths of time (language.md section 1): `30s`, `1.5h`, `6months`.
//!
//! A string reads what the language's own literals read, with the same value,
//! and besides: a blank before the unit (`10 s`), and the unit's whole name in
//! singular and plural or as people shorten it (`5 minutes`, `1 day`, `2hrs`).
//! Such a text has its usual spelling beside the value. Not read are several
//! units in one text (`1h30m`): the language has no such literal, and the help
//! says what it comes to.

use crate::error::{list, nearest, quote, quote_char};
use crate::grammar::{Piece, Steps, blank, many, rest, run, some};
use crate::number::Decimal;
use crate::{MiniError, Reading};
use chumsky::prelude::*;

const MILLI: i64 = 1_000_000;
const SECOND: i64 = 1_000 * MILLI;
const MINUTE: i64 = 60 * SECOND;
const HOUR: i64 = 60 * MINUTE;
const DAY: i64 = 24 * HOUR;
const WEEK: i64 = 7 * DAY;
/// 30.44 days.
const MONTH: i64 = DAY / 100 * 3044;
/// 365.25 days.
const YEAR: i64 = DAY / 100 * 36525;

/// A unit of time.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Unit {
    /// As a literal has it: `s`.
    pub short: &'static str,
    /// Its name for one: `second`.
    pub name: &'static str,
    pub nanos: i64,
    /// The name that a literal may have after a point: `30.seconds`.
    dotted: Option<&'static str>,
    /// What else people write.
    other: &'static [&'static str],
}

pub(crate) const UNITS: &[Unit] = &[
    Unit {
        short: "ms",
        name: "millisecond",
        nanos: MILLI,
        dotted: Some("milliseconds"),
        other: &["milliseconds", "msec", "msecs", "millis"],
    },
    Unit {
        short: "s",
        name: "second",
        nanos: SECOND,
        dotted: Some("seconds"),
        other: &["seconds", "sec", "secs"],
    },
    Unit {
        short: "m",
        name: "minute",
        nanos: MINUTE,
        dotted: Some("minutes"),
        other: &["minutes", "min", "mins"],
    },
    Unit {
        short: "h",
        name: "hour",
        nanos: HOUR,
        dotted: Some("hours"),
        other: &["hours", "hr", "hrs"],
    },
    Unit {
        short: "d",
        name: "day",
        nanos: DAY,
        dotted: Some("days"),
        other: &["days"],
    },
    Unit {
        short: "w",
        name: "week",
        nanos: WEEK,
        dotted: Some("weeks"),
        other: &["weeks", "wk", "wks"],
    },
    Unit {
        short: "months",
        name: "month",
        nanos: MONTH,
        dotted: None,
        other: &[],
    },
    Unit {
        short: "y",
        name: "year",
        nanos: YEAR,
        dotted: None,
        other: &["years", "yr", "yrs"],
    },
];

/// Reads a duration: nanoseconds, never negative. A month is 30.44 days, a
/// year 365.25.
///
/// ```
/// use symbi_mini::duration::parse;
/// assert_eq!(parse("1.5h").unwrap().value, 5_400_000_000_000);
/// assert_eq!(parse("30.seconds").unwrap().write, None);
/// // Understood, but a literal would be written otherwise.
/// assert_eq!(parse("5 minutes").unwrap().write.as_deref(), Some("5m"));
/// // Help with what to write.
/// let error = parse("1h30m").unwrap_err();
/// assert_eq!(error.help.as_deref(), Some("write `90m`"));
/// ```
///
/// # Errors
/// No number, no unit or an unknown one, more than one unit, a sign, more
/// nanoseconds than an i64 holds, a text over [`crate::MAX_BYTES`].
pub fn parse(text: &str) -> Result<Reading<i64>, MiniError> {
    parse_counted(text, &mut Steps::default())
}

pub(crate) fn parse_counted(text: &str, steps: &mut Steps) -> Result<Reading<i64>, MiniError> {
    let number = some(is_number_char);
    let unit = many(|c| c.is_alphabetic());
    let part = number
        .then(blank().to_slice())
        .then(unit)
        .map(|((number, gap), unit)| Part { number, gap, unit })
        .then_ignore(blank());
    let grammar = blank()
        .ignore_then(part.repeated().collect::<Vec<_>>())
        .then(rest());
    let (parts, left) = run(text, grammar, steps, |at| {
        MiniError::new(at..text.len(), "this is not a duration")
    })?;
    steps.0 += parts.len();
    let [part] = parts.as_slice() else {
        return Err(match parts.as_slice() {
            [] => without_number(text, left),
            several => several_parts(text, several, left),
        });
    };
    if !left.is_empty() {
        return Err(unexpected(left));
    }
    part.read()
}

/// A duration as a literal of the language: the largest unit that divides it,
/// or milliseconds with a fraction. [`parse`] reads it back to the same value.
///
/// ```
/// use symbi_mini::duration::format;
/// assert_eq!(format(5_400_000_000_000), "90m");
/// assert_eq!(format(1_500_000), "1.5ms");
/// ```
pub fn format(nanos: i64) -> String {
    if nanos == 0 {
        return "0s".to_owned();
    }
    // Weeks, months and years make surprising literals: 31557600s is a year,
    // but few who write the seconds think of one.
    if let Some(unit) = UNITS[..5].iter().rev().find(|unit| nanos % unit.nanos == 0) {
        return format!("{}{}", nanos / unit.nanos, unit.short);
    }
    let fraction = format!("{:06}", (nanos % MILLI).unsigned_abs());
    format!("{}.{}ms", nanos / MILLI, fraction.trim_end_matches('0'))
}

pub(crate) fn is_number_char(c: &char) -> bool {
    c.is_ascii_digit() || matches!(c, '_' | '.')
}

struct Part<'t> {
    number: Piece<'t>,
    gap: &'t str,
    unit: Piece<'t>,
}

impl<'t> Part<'t> {
    /// The number, without the point of `30.seconds`.
    fn decimal(&self) -> Result<(Decimal<'t>, bool), MiniError> {
        let dotted =
            self.number.text.strip_suffix('.').filter(|number| {
                !number.is_empty() && self.gap.is_empty() && !self.unit.is_empty()
            });
        let number = Piece {
            text: dotted.unwrap_or(self.number.text),
            at: self.number.at,
        };
        Ok((Decimal::read(number, "1.5h")?, dotted.is_some()))
    }

    fn read(&self) -> Result<Reading<i64>, MiniError> {
        let (number, dotted) = self.decimal()?;
        let shown = number.shown();
        if self.unit.is_empty() {
            let end = self.number.span().end;
            return Err(MiniError::new(end..end, "the unit of time is missing")
                .help(format!("for seconds, write `{shown}s`; {}", units())));
        }
        let unit = find(self.unit.text).ok_or_else(|| unknown_unit(self.unit, &shown))?;
        let span = self.number.at..self.unit.span().end;
        let value = number.times(unit.nanos).ok_or_else(|| {
            let message = "this duration is too long: about 292 years is the most there is";
            MiniError::new(span, message).help("write `292y` or less")
        })?;
        let usual = if dotted {
            unit.dotted == Some(self.unit.text)
        } else {
            self.gap.is_empty() && unit.short == self.unit.text
        };
        let write = (!usual).then(|| format!("{}{}", number.plain(), unit.short));
        Ok(Reading { value, write })
    }
}

/// The unit of a word, in any of its spellings.
pub(crate) fn find(word: &str) -> Option<&'static Unit> {
    UNITS
        .iter()
        .find(|unit| unit.short == word || unit.name == word || unit.other.contains(&word))
}

fn units() -> String {
    let names: Vec<String> = UNITS
        .iter()
        .map(|unit| format!("`{}`", unit.short))
        .collect();
    format!("the units are {}", list(&names, "and"))
}

/// The unit that a word was most likely meant to be.
pub(crate) fn similar(word: &str) -> Option<&'static Unit> {
    let lower = word.to_lowercase();
    // `M` is the month of other tools and the minute of a slip.
    if word == "M" {
        return None;
    }
    find(&lower).or_else(|| {
        let names = UNITS
            .iter()
            .flat_map(|unit| [unit.name].into_iter().chain(unit.other.iter().copied()));
        nearest(word, names).and_then(find)
    })
}

fn unknown_unit(unit: Piece<'_>, number: &str) -> MiniError {
    let error = MiniError::new(
        unit.span(),
        format!("{} is not a unit of time", quote(unit.text)),
    );
    if let Some(unit) = similar(unit.text) {
        let short = unit.short;
        return error.help(format!("did you mean `{short}`? Write `{number}{short}`"));
    }
    match unit.text {
        "M" => error.help(format!(
            "write `{number}m` for minutes, `{number}months` for months"
        )),
        "us" | "µs" | "ns" | "usec" | "nsec" => {
            error.help("the smallest unit is `ms`, and it takes a fraction: `0.5ms`")
        }
        _ => error.help(units()),
    }
}

fn without_number(text: &str, left: Piece<'_>) -> MiniError {
    let error = match left.text.chars().next() {
        None => MiniError::new(
            0..text.len(),
            "a duration is expected, and this text is empty",
        ),
        Some('-' | '+' | '−') => MiniError::new(
            left.span(),
            "a duration has no sign: it starts with its number",
        ),
        Some(_) => MiniError::new(left.span(), "a duration starts with its number"),
    };
    error.help(format!("write for example `30s`; {}", units()))
}

fn unexpected(left: Piece<'_>) -> MiniError {
    let c = left.text.chars().next().unwrap_or(' ');
    let message = format!(
        "a duration ends after its unit, and here {} follows",
        quote_char(c)
    );
    MiniError::new(left.span(), message).help("write one number and one unit, as in `30s`")
}

fn several_parts(text: &str, parts: &[Part<'_>], left: Piece<'_>) -> MiniError {
    // Whatever is wrong inside a part is more worth saying.
    let mut sum: i64 = 0;
    for part in parts {
        match part.read() {
            Err(error) => return error,
            Ok(reading) => sum = sum.saturating_add(reading.value),
        }
    }
    if !left.is_empty() {
        return unexpected(left);
    }
    let start = parts.first().map_or(0, |part| part.number.at);
    let end = parts.last().map_or(text.len(), |part| part.unit.span().end);
    let error = MiniError::new(start..end, "a duration has one number and one unit");
    if sum == i64::MAX {
        return error.help("write it with one unit, at most `292y`");
    }
    error.help(format!("write `{}`", format(sum)))
}

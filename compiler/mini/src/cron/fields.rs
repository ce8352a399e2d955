//! What the fields of an expression mean, and what is wrong with them.

use super::set::{FIRST_YEAR, LAST_YEAR, Set};
use super::split::{Entry, Field};
use super::{Cron, Places, day_fields};
use crate::MiniError;
use crate::error::{nearest, quote};
use crate::grammar::{Piece, Steps};

/// A field that an expression can have.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Kind {
    /// For messages: "is not a minute", "minutes are 0 to 59".
    one: &'static str,
    many: &'static str,
    low: u32,
    high: u32,
    /// Names of the values from `low` on; their first three letters do too.
    names: &'static [&'static str],
    /// Whether a range that runs backwards goes round.
    round: bool,
}

pub(super) const MONTHS: &[&str] = &[
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];
pub(super) const WEEKDAYS: &[&str] = &[
    "Sunday",
    "Monday",
    "Tuesday",
    "Wednesday",
    "Thursday",
    "Friday",
    "Saturday",
];

const SECOND: Kind = kind("a second", "seconds", 0, 59);
const MINUTE: Kind = kind("a minute", "minutes", 0, 59);
const HOUR: Kind = Kind {
    round: true,
    ..kind("an hour", "hours", 0, 23)
};
pub(super) const DAY: Kind = kind("a day of the month", "days", 1, 31);
const MONTH: Kind = Kind {
    names: MONTHS,
    round: true,
    ..kind("a month", "months", 1, 12)
};
pub(super) const WEEKDAY: Kind = Kind {
    names: WEEKDAYS,
    round: true,
    ..kind("a day of the week", "days of the week", 0, 7)
};
const YEAR: Kind = kind("a year", "years", FIRST_YEAR, LAST_YEAR);

const fn kind(one: &'static str, many: &'static str, low: u32, high: u32) -> Kind {
    Kind {
        one,
        many,
        low,
        high,
        names: &[],
        round: false,
    }
}

/// An expression from its fields.
pub(super) fn read(text: &str, fields: &[Field<'_>], steps: &mut Steps) -> Result<Cron, MiniError> {
    steps.0 += fields
        .iter()
        .map(|field| field.entries.len())
        .sum::<usize>();
    let (second, [minute, hour, day, month, weekday], year) = match fields {
        [a, b, c, d, e] => (None, [a, b, c, d, e], None),
        [second, a, b, c, d, e] => (Some(second), [a, b, c, d, e], None),
        [second, a, b, c, d, e, year] => (Some(second), [a, b, c, d, e], Some(year)),
        _ => return Err(wrong_count(text, fields)),
    };
    let seconds = match second {
        Some(field) => plain(&SECOND, field)?.set,
        None => {
            let mut zero = Set::default();
            zero.add(0);
            zero
        }
    };
    let minutes = plain(&MINUTE, minute)?.set;
    let hours = plain(&HOUR, hour)?;
    let days = day_fields::days(day)?;
    let months = plain(&MONTH, month)?.set;
    let weekdays = day_fields::weekdays(weekday, fields.len())?;
    let years = year.map(|field| plain(&YEAR, field)).transpose()?;
    let place = |field: &Field<'_>| field.span.clone();
    Ok(Cron {
        seconds,
        minutes,
        fixed: hours.single_values,
        hours: hours.set,
        days,
        months,
        weekdays,
        // `*` and `*/1` are every year, those beyond the last that can be named too.
        years: years
            .map(|years| years.set)
            .filter(|set| set.values().count() < (LAST_YEAR - FIRST_YEAR + 1) as usize),
        places: Places {
            days: place(day),
            months: place(month),
            weekdays: place(weekday_field(fields)),
            years: year.map_or(0..text.len(), place),
            count: fields.len(),
        },
    })
}

/// The weekday field: the fifth, behind the seconds the sixth.
fn weekday_field<'f, 't>(fields: &'f [Field<'t>]) -> &'f Field<'t> {
    // INVARIANT: the caller has counted five, six or seven fields.
    &fields[if fields.len() == 5 { 4 } else { 5 }]
}

fn wrong_count(text: &str, fields: &[Field<'_>]) -> MiniError {
    let help = "write minute, hour, day, month and weekday, as in `0 9 * * MON-FRI`";
    let (Some(first), Some(last)) = (fields.first(), fields.last()) else {
        let message = "a cron expression is expected, and this text is empty";
        return MiniError::new(0..text.len(), message).help(help);
    };
    let count = match fields.len() {
        1 => "1 field".to_owned(),
        count => format!("{count} fields"),
    };
    let message = format!("a cron expression has 5, 6 or 7 fields, and this has {count}");
    let error = MiniError::new(first.span.start..last.span.end, message);
    if fields.len() > 7 {
        return error.help("write second, minute, hour, day, month, weekday and year at most");
    }
    error.help(help)
}

/// What a field of values comes to.
#[derive(Default)]
struct Values {
    set: Set,
    /// There is no `*`, range or step.
    single_values: bool,
    /// There is nothing but `*`, `?` and `*/n`, or one of them alone is all.
    open: bool,
}

fn plain(kind: &Kind, field: &Field<'_>) -> Result<Values, MiniError> {
    let mut values = Values {
        single_values: true,
        open: true,
        ..Values::default()
    };
    let mut all = false;
    for entry in entries(field)? {
        let selection = selection(kind, entry)?;
        selection.add_to(&mut values.set);
        values.single_values &= selection.is_single();
        values.open &= selection.star;
        all |= selection.star && selection.step == 1;
    }
    values.open |= all;
    Ok(values)
}

/// The entries of a field, each of which is there.
pub(super) fn entries<'f, 't>(field: &'f Field<'t>) -> Result<&'f [Entry<'t>], MiniError> {
    for entry in &field.entries {
        if entry.first.is_empty() && entry.more.is_empty() {
            let message = "a value is missing beside this comma";
            return Err(MiniError::new(comma_beside(field, entry), message)
                .help("write the values with commas between them and no blanks: `1,15`"));
        }
    }
    Ok(&field.entries)
}

fn comma_beside(field: &Field<'_>, entry: &Entry<'_>) -> std::ops::Range<usize> {
    let at = entry.span.start;
    match at > field.span.start {
        true => at - 1..at,
        false => at..(at + 1).min(field.span.end),
    }
}

/// A value, a range, or all, in steps.
pub(super) struct Selection<'k> {
    kind: &'k Kind,
    pub low: u32,
    pub high: u32,
    pub step: u32,
    pub star: bool,
    /// There is a `/`.
    stepped: bool,
    /// There is a `-`.
    ranged: bool,
    /// A value was a number, not a name.
    pub numbers: bool,
}

impl Selection<'_> {
    fn is_single(&self) -> bool {
        !(self.star || self.stepped || self.ranged)
    }

    pub fn add_to(&self, set: &mut Set) {
        // Sunday is 0 and 7, and years are kept as distances.
        let (low, count) = match self.kind {
            kind if *kind == WEEKDAY => (0, 7),
            kind => (kind.low, kind.high - kind.low + 1),
        };
        let base = if *self.kind == YEAR { FIRST_YEAR } else { 0 };
        let length = match self.low <= self.high {
            true => self.high - self.low,
            false => self.high + count - self.low,
        };
        if self.step == 1 && self.low <= self.high && *self.kind != WEEKDAY {
            return set.add_range(self.low - base, self.high - base);
        }
        for distance in (0..=length).step_by(self.step as usize) {
            set.add(low + (self.low - low + distance) % count - base);
        }
    }
}

pub(super) fn selection<'k>(kind: &'k Kind, entry: &Entry<'_>) -> Result<Selection<'k>, MiniError> {
    let (range, step) = match entry.more.as_slice() {
        [] => (None, None),
        [('-', high)] => (Some(*high), None),
        [('/', step)] => (None, Some(*step)),
        [('-', high), ('/', step)] => (Some(*high), Some(*step)),
        _ => {
            let message = format!("{} is neither a value nor a range", quote_entry(entry));
            return Err(MiniError::new(entry.span.clone(), message)
                .help("a range has one `-`, and its step one `/` behind it: `10-40/10`"));
        }
    };
    let first = entry.first;
    let star = matches!(first.text, "*" | "?");
    if first.text == "?" && !(*kind == DAY || *kind == WEEKDAY) {
        let message = "`?` stands only in the day fields";
        return Err(MiniError::new(first.span(), message).help("write `*`"));
    }
    let (low, high) = match (star, range) {
        (true, Some(_)) => {
            let message = "a range runs between two values";
            return Err(MiniError::new(entry.span.clone(), message)
                .help(format!("write `*` for all {}", kind.many)));
        }
        (true, None) if *kind == WEEKDAY => (0, 6),
        (true, None) => (kind.low, kind.high),
        (false, Some(high)) => (value(kind, first)?, value(kind, high)?),
        (false, None) => {
            let low = value(kind, first)?;
            let end = if *kind == WEEKDAY { 6 } else { kind.high };
            let low = if *kind == WEEKDAY && step.is_some() {
                low % 7
            } else {
                low
            };
            (low, if step.is_some() { end } else { low })
        }
    };
    if low > high && !kind.round {
        let message = format!("this range runs backwards: {low} is after {high}");
        let error = MiniError::new(entry.span.clone(), message);
        return Err(if *kind == YEAR {
            error.help(format!("write `{high}-{low}`"))
        } else {
            error.help(format!(
                "write `{low}-{},{}-{high}` to go round",
                kind.high, kind.low
            ))
        });
    }
    Ok(Selection {
        kind,
        low,
        high,
        step: step.map_or(Ok(1), |step| read_step(kind, step))?,
        star,
        stepped: step.is_some(),
        ranged: range.is_some(),
        numbers: !star && first.text.starts_with(|c: char| c.is_ascii_digit())
            || range.is_some_and(|high| high.text.starts_with(|c: char| c.is_ascii_digit())),
    })
}

fn quote_entry(entry: &Entry<'_>) -> String {
    let mut text = entry.first.text.to_owned();
    for (sign, piece) in entry.more.iter().take(8) {
        text.push(*sign);
        text.push_str(piece.text);
    }
    quote(&text)
}

fn read_step(kind: &Kind, piece: Piece<'_>) -> Result<u32, MiniError> {
    let most = kind.high - kind.low;
    let range = format!("a step of {} is 1 to {most}", kind.many);
    if piece.is_empty() {
        let message = "a number is expected after `/`";
        return Err(MiniError::new(piece.span(), message).help(range));
    }
    if !piece.text.bytes().all(|byte| byte.is_ascii_digit()) {
        let message = format!("{} is not a number", quote(piece.text));
        return Err(MiniError::new(piece.span(), message).help(range));
    }
    match small_number(piece.text) {
        Some(0) => Err(MiniError::new(piece.span(), "a step is at least 1").help(range)),
        Some(step) if step <= most => Ok(step),
        _ => {
            let message = format!(
                "a step of {} leads past the end of the field",
                piece.text_shown()
            );
            let help = format!("{range}; for the first alone, write `{}`", kind.low);
            Err(MiniError::new(piece.span(), message).help(help))
        }
    }
}

impl Piece<'_> {
    fn text_shown(&self) -> &str {
        self.text.get(..12).unwrap_or(self.text)
    }
}

/// A number of few digits; `None` for any that no field holds.
pub(super) fn small_number(text: &str) -> Option<u32> {
    let digits = text.trim_start_matches('0');
    if digits.len() > 6 {
        return None;
    }
    match digits {
        "" => Some(0),
        digits => digits.parse().ok(),
    }
}

pub(super) fn value(kind: &Kind, piece: Piece<'_>) -> Result<u32, MiniError> {
    let text = piece.text;
    if text.is_empty() {
        let message = format!("{} is missing here", kind.one);
        return Err(MiniError::new(piece.span(), message).help(kind.range()));
    }
    if text.bytes().all(|byte| byte.is_ascii_digit()) {
        return match small_number(text) {
            Some(value) if (kind.low..=kind.high).contains(&value) => Ok(value),
            value => Err(out_of_range(kind, piece, value)),
        };
    }
    let is_name = |name: &str| {
        name.eq_ignore_ascii_case(text)
            || name
                .get(..3)
                .is_some_and(|short| short.eq_ignore_ascii_case(text))
    };
    if let Some(at) = kind.names.iter().position(|name| is_name(name)) {
        // INVARIANT: there are at most twelve names.
        return Ok(kind.low + at as u32);
    }
    let error = MiniError::new(piece.span(), format!("{} is not {}", quote(text), kind.one));
    Err(match similar_name(kind, text) {
        Some(name) => error.help(format!("did you mean `{name}`?")),
        None => error.help(kind.hint(text)),
    })
}

fn similar_name(kind: &Kind, text: &str) -> Option<String> {
    let short = |name: &str| name.get(..3).unwrap_or(name).to_uppercase();
    let shorts: Vec<String> = kind.names.iter().map(|name| short(name)).collect();
    // `Mond` and `TUES` are cut names rather than slips.
    let cut = kind.names.iter().find(|name| {
        text.len() > 3
            && name
                .get(..text.len())
                .is_some_and(|start| start.eq_ignore_ascii_case(text))
    });
    cut.map(|name| short(name)).or_else(|| {
        let all = shorts
            .iter()
            .map(String::as_str)
            .chain(kind.names.iter().copied());
        nearest(text, all).map(str::to_owned)
    })
}

fn out_of_range(kind: &Kind, piece: Piece<'_>, value: Option<u32>) -> MiniError {
    let message = format!("{} is not {}", piece.text_shown(), kind.one);
    let error = MiniError::new(piece.span(), message);
    match value {
        Some(24) if *kind == HOUR => error.help("hours are 0 to 23; midnight is 0"),
        Some(year) if *kind == WEEKDAY && (FIRST_YEAR..=LAST_YEAR).contains(&year) => {
            error.help("a year is the last of seven fields; the first is the second")
        }
        _ => error.help(kind.range()),
    }
}

impl Kind {
    /// "hours are 0 to 23".
    fn range(&self) -> String {
        let Kind {
            many, low, high, ..
        } = self;
        match self.names {
            [] => format!("{many} are {low} to {high}"),
            _ if *self == WEEKDAY => {
                format!("{many} are 0 to 7, where 0 and 7 are Sunday, or `SUN` to `SAT`")
            }
            _ => format!("{many} are {low} to {high}, or `JAN` to `DEC`"),
        }
    }

    /// What to write for a word that is no value.
    fn hint(&self, text: &str) -> String {
        if text.starts_with('*') {
            return format!("write `*` for all, `*/5` for every fifth; {}", self.range());
        }
        if text.contains(['–', '—', '−']) {
            return "a range is written with `-`".to_owned();
        }
        let is_mark = |c: char| matches!(c, 'L' | 'l' | 'W' | 'w');
        let marks = text.chars().all(|c| is_mark(c) || c.is_ascii_digit());
        if *self == DAY && marks {
            return "`W` and `L` go with one day: `15W`, `L-3`".to_owned();
        }
        let has_week = text.contains('#');
        if *self == WEEKDAY && (has_week || marks || text.ends_with(['L', 'l'])) {
            return "`#` and `L` go with one weekday: `MON#2`, `FRIL`".to_owned();
        }
        if marks || has_week {
            return format!(
                "`L`, `W` and `#` stand only in the day fields; {}",
                self.range()
            );
        }
        self.range()
    }
}

//! Cron schedules: what an expression means, and when it fires next in a time
//! zone (language.md section 3).
//!
//! # What is read
//!
//! Five fields (minute, hour, day, month, weekday), six (second first), seven
//! (year last), or one of `@yearly @annually @monthly @weekly @daily @midnight
//! @hourly`. Case does not matter.
//!
//! | field | values | besides |
//! |---|---|---|
//! | second, minute | 0-59 | |
//! | hour | 0-23 | `22-6` goes round |
//! | day | 1-31 | `L` the last, `L-3` three before it, `LW` the last working day, `15W` the working day nearest to the 15th in its month, `?` |
//! | month | 1-12, `JAN`, `January` | `NOV-FEB` goes round |
//! | weekday | 0-7, `MON`, `Monday`; 0 and 7 are Sunday | `FRI-MON` goes round, `FRIL` or `5L` the last Friday, `MON#2` the second Monday, `?` |
//! | year | 1970-2199 | |
//!
//! In each: `*`, lists (`1,15`), ranges (`1-5`), steps (`*/15`, `10-40/10`, and
//! `5/20` from 5 to the end). A range that runs backwards goes round in hours,
//! months and weekdays, where people write it; elsewhere it is refused, with
//! the two ranges to write. `?` is `*`. A month without the day of `15W` or
//! `MON#5` does not fire.
//!
//! # Which days
//!
//! If both day fields are restricted, either may match; `*`, `?` and `*/n`
//! are no restriction, and then both must match.
//!
//! # When clocks change
//!
//! An expression has *fixed* times if its hour field has no `*`, range or
//! step. A fixed time that a gap swallows fires at the first instant after the
//! gap (all that one gap swallows fire as one), and one in a repeated hour
//! fires the first time only. Every other expression fires at each instant
//! whose wall clock fits: nothing in a gap, twice in a repeated hour, and so
//! `*/15 * * * *` keeps its 15 minutes.
//!
//! Begin reading at [`Cron`], then `split.rs`, `fields.rs`, `days.rs` and
//! `firings.rs`.

mod clock;
mod day_fields;
mod days;
mod describe;
mod fields;
mod firings;
mod numbers;
mod peer;
mod set;
mod split;

pub use clock::{ClockNote, Effect};
pub use firings::{Firing, Firings};
pub use numbers::Numbers;
pub use peer::PeerNote;

use crate::MiniError;
use crate::error::{nearest, quote};
use crate::grammar::Steps;
use crate::zone::Zone;
use days::{Days, Weekdays};
use jiff::Timestamp;
use jiff::civil::DateTime;
use set::Set;
use std::ops::Range;

/// A schedule: the sets of its fields.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cron {
    seconds: Set,
    minutes: Set,
    hours: Set,
    days: Days,
    months: Set,
    weekdays: Weekdays,
    /// `None` for every year.
    years: Option<Set>,
    /// Whether the hour field is a list of plain numbers.
    fixed: bool,
    places: Places,
}

/// Where the fields of the date stand in the text, for messages. The whole
/// text for each in `@daily` and its like.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Places {
    days: Range<usize>,
    months: Range<usize>,
    weekdays: Range<usize>,
    years: Range<usize>,
    /// How many fields there are.
    count: usize,
}

const ALIASES: &[(&str, &str)] = &[
    ("@yearly", "0 0 1 1 *"),
    ("@annually", "0 0 1 1 *"),
    ("@monthly", "0 0 1 * *"),
    ("@weekly", "0 0 * * 0"),
    ("@daily", "0 0 * * *"),
    ("@midnight", "0 0 * * *"),
    ("@hourly", "0 * * * *"),
];

/// Reads a cron expression.
///
/// ```
/// use symbi_mini::{cron, zone};
///
/// let nine = cron::parse("0 9 * * MON-FRI").unwrap();
/// let berlin = zone::parse("Europe/Berlin").unwrap();
/// let friday = "2026-03-27T12:00:00Z".parse().unwrap();
/// let next: Vec<String> = nine
///     .firings(&berlin, friday)
///     .take(2)
///     .map(|firing| firing.to_string())
///     .collect();
/// // On the Sunday between, clocks change.
/// assert_eq!(next, ["2026-03-30T09:00:00+02:00", "2026-03-31T09:00:00+02:00"]);
///
/// let error = cron::parse("0 9 * * MUN").unwrap_err();
/// assert_eq!(error.message, "`MUN` is not a day of the week");
/// assert_eq!(error.help.as_deref(), Some("did you mean `MON`?"));
/// ```
///
/// An expression that is well-formed and still never fires is not an error
/// here: see [`Cron::never_fires`].
///
/// # Errors
/// A number of fields other than 5, 6 or 7, a field that is none, a value out
/// of its range, an unknown name, a text over [`crate::MAX_BYTES`].
pub fn parse(text: &str) -> Result<Cron, MiniError> {
    parse_counted(text, &mut Steps::default())
}

pub(crate) fn parse_counted(text: &str, steps: &mut Steps) -> Result<Cron, MiniError> {
    crate::grammar::within(text, crate::MAX_BYTES)?;
    let trimmed = text.trim();
    let start = text.len() - text.trim_start().len();
    if trimmed.starts_with('@') {
        let expression = alias(trimmed, start..start + trimmed.len())?;
        let mut cron = parse_counted(expression, steps)?;
        cron.places.cover(start..start + trimmed.len());
        return Ok(cron);
    }
    let first = trimmed.split_whitespace().next().unwrap_or_default();
    if let Some((name, zone)) = first.split_once('=')
        && ["TZ", "CRON_TZ"].contains(&name)
    {
        let error = MiniError::new(
            start..start + first.len(),
            "a schedule has no zone in its cron",
        );
        return Err(error.help(format!("write {} as `timezone`", quote(zone))));
    }
    let fields = split::fields(text, steps)?;
    fields::read(text, &fields, steps)
}

fn alias(word: &str, span: Range<usize>) -> Result<&'static str, MiniError> {
    let found = ALIASES
        .iter()
        .find(|(name, _)| name.eq_ignore_ascii_case(word));
    if let Some((_, expression)) = found {
        return Ok(expression);
    }
    let error = MiniError::new(span, format!("{} is not a schedule", quote(word)));
    let lower = word.to_ascii_lowercase();
    let names = || ALIASES.iter().map(|(name, _)| *name);
    Err(if lower.starts_with("@every") {
        error.help("write the interval as steps: `*/5 * * * *` is every five minutes")
    } else if lower == "@reboot" {
        error.help("a start is no time; write a time, as in `0 9 * * *`")
    } else if let Some(name) = nearest(word, names()) {
        error.help(format!("did you mean `{name}`?"))
    } else {
        error.help("write `@yearly`, `@monthly`, `@weekly`, `@daily` or `@hourly`, or five fields")
    })
}

impl Places {
    fn cover(&mut self, span: Range<usize>) {
        for place in [
            &mut self.days,
            &mut self.months,
            &mut self.weekdays,
            &mut self.years,
        ] {
            *place = span.clone();
        }
    }
}

impl Cron {
    /// The firings after an instant, which is excluded, in a zone: an endless
    /// iterator but for expressions with years, and for what never fires. Each
    /// step is bounded: nothing is looked for beyond 400 years, after which
    /// the calendar repeats.
    pub fn firings<'c>(&'c self, zone: &'c Zone, after: Timestamp) -> Firings<'c> {
        Firings::new(self, zone, after)
    }

    /// Whether the expression names this time of a wall clock. This knows
    /// nothing of changing clocks: see [`Cron::firings`].
    ///
    /// ```
    /// let cron = symbi_mini::cron::parse("30 9 * * MON").unwrap();
    /// assert!(cron.names("2026-03-02T09:30:00".parse().unwrap()));
    /// assert!(!cron.names("2026-03-03T09:30:00".parse().unwrap()));
    /// ```
    pub fn names(&self, wall: DateTime) -> bool {
        let has = |set: &Set, value: i8| set.has(value.unsigned_abs().into());
        let (year, month) = (
            i64::from(wall.year()),
            u32::from(wall.month().unsigned_abs()),
        );
        wall.subsec_nanosecond() == 0
            && has(&self.seconds, wall.second())
            && has(&self.minutes, wall.minute())
            && has(&self.hours, wall.hour())
            && self.has_year(year)
            && self.months.has(month)
            && self.days_of(year, month) & (1 << wall.day()) != 0
    }

    /// Whether all times are fixed, which decides what happens to them when
    /// clocks change: see the module's documentation.
    pub fn is_fixed(&self) -> bool {
        self.fixed
    }

    /// Why the expression never fires, if so; with an instant, why it never
    /// fires after it. Without an instant, years are not compared with now.
    ///
    /// ```
    /// let error = symbi_mini::cron::parse("0 0 31 2 *").unwrap().never_fires(None).unwrap();
    /// assert_eq!(error.message, "this never fires: February has no day 31");
    /// ```
    pub fn never_fires(&self, after: Option<Timestamp>) -> Option<MiniError> {
        if let (Some(years), Some(after)) = (&self.years, after) {
            // The year may still be running somewhere west of Greenwich.
            let west = after.as_second() - 86_400;
            let (this_year, ..) = days::civil(west.div_euclid(86_400));
            let last = i64::from(years.last());
            if last < this_year {
                let message = format!("this never fires again: {last} is over");
                return Some(
                    MiniError::new(self.places.years.clone(), message)
                        .help("write `*` for every year, or leave the year out"),
                );
            }
        }
        if self.has_day() {
            return None;
        }
        let place = if self.days.open {
            &self.places.weekdays
        } else {
            &self.places.days
        };
        let months: Vec<&str> = (1..=12)
            .filter(|month| self.months.has(*month))
            .filter_map(|month| fields::MONTHS.get(month as usize - 1).copied())
            .collect();
        let message = match (self.days.only_numbers(), months.as_slice()) {
            (Some(day), [month]) if self.years.is_none() => {
                format!("this never fires: {month} has no day {day}")
            }
            (Some(day), _) if self.years.is_none() => {
                format!("this never fires: no month named here has a day {day}")
            }
            _ if self.years.is_none() => {
                "this never fires: no day fits the day and the month".to_owned()
            }
            _ => "this never fires: no day fits the day, the month and the year".to_owned(),
        };
        Some(
            MiniError::new(place.clone(), message)
                .help("write `L` for the last day of a month, or choose another month"),
        )
    }

    fn has_year(&self, year: i64) -> bool {
        match &self.years {
            None => true,
            Some(years) => u32::try_from(year).is_ok_and(|year| years.has_year(year)),
        }
    }
}

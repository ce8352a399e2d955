//! The next instant at which an expression fires in a zone.
//!
//! A zone is a sequence of stretches of time with one offset each. Within a
//! stretch the wall clock runs evenly, so the next named time on it is the
//! next firing. What fixed times need at the seams is one number: the latest
//! wall time that was shown before the stretch. Between it and the stretch's
//! first wall time lies a gap, if that is later; up to it, if that is earlier,
//! times are repeated. This holds for a change at any time of day, by any
//! amount, a skipped day included.

use super::Cron;
use super::days;
use crate::grammar::Steps;
use crate::zone::Zone;
use jiff::civil::DateTime;
use jiff::tz::{Offset, TimeZone};
use jiff::{SignedDuration, Timestamp};
use std::fmt;

/// One firing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Firing {
    /// When.
    pub at: Timestamp,
    /// The zone's offset from UTC then.
    pub offset: Offset,
    /// The wall time that the expression names. It is what a clock shows at
    /// [`Firing::at`], unless a gap swallowed it.
    pub named: DateTime,
}

impl Firing {
    /// What a clock in the zone shows.
    pub fn wall(&self) -> DateTime {
        self.offset.to_datetime(self.at)
    }

    /// Whether a gap swallowed the named time, so that this is the first
    /// instant after it.
    pub fn is_moved(&self) -> bool {
        self.wall() != self.named
    }
}

/// As in RFC 3339, with the zone's offset.
impl fmt::Display for Firing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let seconds = self.offset.seconds();
        let sign = if seconds < 0 { '-' } else { '+' };
        let minutes = seconds.unsigned_abs() / 60;
        write!(
            f,
            "{}{sign}{:02}:{:02}",
            self.wall(),
            minutes / 60,
            minutes % 60
        )?;
        // Before 1972 some zones had odd seconds.
        match seconds.unsigned_abs() % 60 {
            0 => Ok(()),
            rest => write!(f, ":{rest:02}"),
        }
    }
}

/// The firings of an expression: see [`Cron::firings`].
#[derive(Clone, Debug)]
pub struct Firings<'c> {
    cron: &'c Cron,
    zone: &'c Zone,
    after: Timestamp,
    over: bool,
    pub(crate) steps: Steps,
}

impl<'c> Firings<'c> {
    pub(super) fn new(cron: &'c Cron, zone: &'c Zone, after: Timestamp) -> Firings<'c> {
        Firings {
            cron,
            zone,
            after,
            // What has no day at all is not looked for.
            over: !cron.has_day(),
            steps: Steps::default(),
        }
    }
}

impl Iterator for Firings<'_> {
    type Item = Firing;

    fn next(&mut self) -> Option<Firing> {
        if self.over {
            return None;
        }
        let found = next(self.cron, self.zone.rules(), self.after, &mut self.steps);
        match found {
            Some(firing) => self.after = firing.at,
            None => self.over = true,
        }
        found
    }
}

const DAY: i64 = 86_400;
/// The calendar and every rule of a zone repeat after that many years.
const CYCLE: i64 = 400;

/// A stretch of time with one offset. Times are seconds; wall times are what
/// the clock shows, as if it were UTC.
struct Stretch {
    /// Its first second; far in the past for the first stretch of a zone.
    start: i64,
    offset: Offset,
    /// One past the latest wall time that was shown before it.
    shown: i64,
}

fn next(cron: &Cron, rules: &TimeZone, after: Timestamp, steps: &mut Steps) -> Option<Firing> {
    // Firings are at whole seconds.
    let from = i64::try_from(after.as_nanosecond().div_euclid(1_000_000_000)).ok()? + 1;
    let mut stretch = stretch_at(rules, Timestamp::from_second(from).ok()?);
    let horizon = horizon(cron, from);
    loop {
        steps.0 += 1;
        let offset = i64::from(stretch.offset.seconds());
        // The first transition after the stretch's start or after `from`.
        let inside = Timestamp::from_second(stretch.start.max(from)).ok()?;
        let seam = rules.following(inside).next();
        let end = seam
            .as_ref()
            .map_or(i64::MAX - DAY, |seam| seam.timestamp().as_second());
        let wall_start = stretch.start.max(from) + offset;
        if cron.fixed && stretch.start >= from && stretch.shown < wall_start {
            let swallowed = next_wall(cron, stretch.shown, wall_start, steps);
            if let Some(named) = swallowed {
                return firing(stretch.start, stretch.offset, named);
            }
        }
        let wall_from = match cron.fixed {
            true => wall_start.max(stretch.shown),
            false => wall_start,
        };
        let wall_end = (end + offset).min(horizon);
        if let Some(named) = next_wall(cron, wall_from, wall_end, steps) {
            return firing(named - offset, stretch.offset, named);
        }
        // A fold goes back a day at most.
        if wall_start > horizon + DAY {
            return None;
        }
        stretch = Stretch {
            start: end,
            offset: seam?.offset(),
            shown: stretch.shown.max(end + offset),
        };
    }
}

/// One past the last wall time that is looked at.
fn horizon(cron: &Cron, from: i64) -> i64 {
    let (year, ..) = days::civil(from.div_euclid(DAY));
    let last = match &cron.years {
        Some(years) => i64::from(years.last()),
        None => year + CYCLE,
    };
    days::day_number(last.min(9_999) + 1, 1, 1) * DAY
}

fn stretch_at(rules: &TimeZone, at: Timestamp) -> Stretch {
    let offset = rules.to_offset(at);
    let second = SignedDuration::from_secs(1);
    let mut seams = at
        .checked_add(second)
        .ok()
        .map(|behind| rules.preceding(behind))
        .into_iter()
        .flatten();
    let Some(first) = seams.next() else {
        return Stretch {
            start: i64::MIN / 2,
            offset,
            shown: i64::MIN / 2,
        };
    };
    let start = first.timestamp().as_second();
    let mut shown = i64::MIN / 2;
    let mut seam = first.timestamp();
    // Changes by up to a day can follow each other within days.
    loop {
        if let Ok(before) = seam.checked_sub(second) {
            shown = shown.max(seam.as_second() + i64::from(rules.to_offset(before).seconds()));
        }
        match seams.next() {
            Some(earlier) if earlier.timestamp().as_second() > start - 3 * DAY => {
                seam = earlier.timestamp();
            }
            _ => break,
        }
    }
    Stretch {
        start,
        offset,
        shown,
    }
}

fn firing(at: i64, offset: Offset, named: i64) -> Option<Firing> {
    Some(Firing {
        at: Timestamp::from_second(at).ok()?,
        offset,
        named: wall_time(named)?,
    })
}

pub(super) fn wall_time(seconds: i64) -> Option<DateTime> {
    let at = Timestamp::from_second(seconds).ok()?;
    Some(Offset::UTC.to_datetime(at))
}

/// The first wall time that the expression names, from `from` on, before
/// `end`. Goes month by month, past years that are not named at once.
pub(super) fn next_wall(cron: &Cron, from: i64, end: i64, steps: &mut Steps) -> Option<i64> {
    let from_day = from.div_euclid(DAY);
    let (mut year, mut month, day) = days::civil(from_day);
    // Days of the first month that are not over.
    let mut open = !0_u32 << day;
    loop {
        steps.0 += 1;
        let first = days::day_number(year, month, 1);
        if first * DAY >= end {
            return None;
        }
        if cron.has_year(year) {
            if cron.months.has(month) {
                let mut named = cron.days_of(year, month) & open;
                while named != 0 {
                    let today = first + i64::from(named.trailing_zeros()) - 1;
                    let earliest = match today == from_day {
                        true => from.rem_euclid(DAY),
                        false => 0,
                    };
                    if let Some(time) = time_from(cron, earliest) {
                        let wall = today * DAY + time;
                        return (wall < end).then_some(wall);
                    }
                    named &= named - 1;
                }
            }
            month += 1;
        } else {
            month = 13;
        }
        if month > 12 {
            (year, month) = (year + 1, 1);
        }
        open = !0;
    }
}

/// The first named time of day from a second of the day on.
fn time_from(cron: &Cron, second_of_day: i64) -> Option<i64> {
    // INVARIANT: below 86,400.
    let from = second_of_day as u32;
    let (hour, minute, second) = (from / 3_600, from / 60 % 60, from % 60);
    let time = |hour: u32, minute: u32, second: u32| i64::from(hour * 3_600 + minute * 60 + second);
    let first_second = cron.seconds.at_least(0)?;
    let first_minute = cron.minutes.at_least(0)?;
    if cron.hours.has(hour) {
        if cron.minutes.has(minute)
            && let Some(second) = cron.seconds.at_least(second)
        {
            return Some(time(hour, minute, second));
        }
        if let Some(minute) = cron.minutes.at_least(minute + 1) {
            return Some(time(hour, minute, first_second));
        }
    }
    let hour = cron.hours.at_least(hour + 1)?;
    Some(time(hour, first_minute, first_second))
}

//! What becomes of a schedule when clocks change: for hovers and warnings.

use super::firings::{next_wall, wall_time};
use super::{Cron, Firing};
use crate::grammar::Steps;
use crate::zone::Zone;
use jiff::Timestamp;
use jiff::civil::DateTime;
use std::fmt;

/// A change of the clocks that meets a time of a schedule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClockNote {
    /// The instant of the change.
    pub at: Timestamp,
    /// The first time of the schedule that it meets, by the wall clock.
    pub named: DateTime,
    /// What becomes of it.
    pub effect: Effect,
}

/// What a change of the clocks does to a time of a schedule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    /// A gap swallows it: it fires at this wall time, the first after the gap.
    Moved(DateTime),
    /// A gap swallows it, and it does not fire.
    Skipped,
    /// It comes twice, and fires the first time.
    Once,
    /// It comes twice, and fires twice.
    Twice,
}

/// A sentence without its full stop: "on 2026-03-08 clocks skip 02:30: it
/// fires at 03:00".
impl fmt::Display for ClockNote {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (day, time) = (self.named.date(), clock_face(self.named));
        match self.effect {
            Effect::Moved(to) if to.date() == day => {
                write!(
                    f,
                    "on {day} clocks skip {time}: it fires at {}",
                    clock_face(to)
                )
            }
            Effect::Moved(to) => write!(
                f,
                "clocks skip {time} of {day}: it fires at {} of {}",
                clock_face(to),
                to.date()
            ),
            Effect::Skipped => write!(f, "on {day} clocks skip {time}: it does not fire then"),
            Effect::Once => write!(
                f,
                "on {day} clocks show {time} twice: it fires the first time"
            ),
            Effect::Twice => write!(f, "on {day} clocks show {time} twice: it fires both times"),
        }
    }
}

fn clock_face(wall: DateTime) -> String {
    match wall.second() {
        0 => format!("{:02}:{:02}", wall.hour(), wall.minute()),
        second => format!("{:02}:{:02}:{second:02}", wall.hour(), wall.minute()),
    }
}

impl Cron {
    /// The changes of a zone's clocks in the 366 days after an instant that
    /// meet a time of the schedule, at most eight; none for what fires in every
    /// hour.
    ///
    /// ```
    /// use symbi_mini::{cron, zone};
    /// let cron = cron::parse("30 2 * * *").unwrap();
    /// let zone = zone::parse("America/New_York").unwrap();
    /// let notes = cron.clock_notes(&zone, "2026-01-01T00:00:00Z".parse().unwrap());
    /// assert_eq!(notes.len(), 1);
    /// assert_eq!(notes[0].to_string(), "on 2026-03-08 clocks skip 02:30: it fires at 03:00");
    /// ```
    pub fn clock_notes(&self, zone: &Zone, from: Timestamp) -> Vec<ClockNote> {
        const SPAN: i64 = 366 * 86_400;
        const MOST: usize = 8;
        let until = from.as_second().saturating_add(SPAN);
        let mut notes = Vec::new();
        // What fires in every hour misses none, and its interval goes on.
        if self.hours.values().count() == 24 {
            return notes;
        }
        let mut before = zone.rules().to_offset(from);
        for seam in zone.rules().following(from).take(MOST) {
            let at = seam.timestamp();
            if at.as_second() > until {
                break;
            }
            let old = at.as_second() + i64::from(before.seconds());
            let new = at.as_second() + i64::from(seam.offset().seconds());
            before = seam.offset();
            let wall = next_wall(self, old.min(new), old.max(new), &mut Steps::default());
            let Some(named) = wall.and_then(wall_time) else {
                continue;
            };
            let effect = match (old < new, self.is_fixed()) {
                (true, true) => Effect::Moved(
                    Firing {
                        at,
                        offset: seam.offset(),
                        named,
                    }
                    .wall(),
                ),
                (true, false) => Effect::Skipped,
                (false, true) => Effect::Once,
                (false, false) => Effect::Twice,
            };
            notes.push(ClockNote { at, named, effect });
        }
        notes
    }
}

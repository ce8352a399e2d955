//! The times of records.

use std::fmt;
use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

use jiff::Timestamp;

/// The last time that is written, in microseconds: a second before the last that
/// jiff takes.
const LAST: i64 = 253_402_207_199_000_000;

/// A time in UTC, to the microsecond, printed as in `2026-12-03T09:30:00.000000Z`
/// (RFC 3339).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Time(Timestamp);

impl Time {
    /// The time of a clock. Clocks before 1970 show 1970, those beyond the year
    /// 9999 almost the last of its days.
    pub fn of(clock: SystemTime) -> Self {
        let micros = clock
            .duration_since(UNIX_EPOCH)
            .map_or(0, |since| since.as_micros());
        let micros = i64::try_from(micros).unwrap_or(LAST).min(LAST);
        Self(Timestamp::from_microsecond(micros).unwrap_or(Timestamp::UNIX_EPOCH))
    }

    /// Microseconds since the beginning of 1970.
    pub fn micros(self) -> i64 {
        self.0.as_microsecond()
    }

    /// The time that a text spells, if it is spelt as times are printed.
    pub fn parse(text: &str) -> Option<Self> {
        let time = Self(text.parse().ok()?);
        (time.micros() >= 0 && time.to_string() == text).then_some(time)
    }
}

impl fmt::Display for Time {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:.6}", self.0)
    }
}

/// What tells the time: the system's clock, or a test's.
#[derive(Clone)]
pub struct Clock(Arc<dyn Fn() -> SystemTime + Send + Sync>);

impl Clock {
    /// A clock that shows what a function says.
    pub fn new(read: impl Fn() -> SystemTime + Send + Sync + 'static) -> Self {
        Self(Arc::new(read))
    }

    /// What it shows.
    pub fn now(&self) -> Time {
        Time::of((self.0)())
    }
}

impl Default for Clock {
    fn default() -> Self {
        Self::new(SystemTime::now)
    }
}

impl fmt::Debug for Clock {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Clock")
    }
}

//! A single time: an instant with its offset, or a time by the clocks of a
//! zone that is named beside it (`at` of a schedule, language.md section 3).
//!
//! As RFC 3339 writes it, the offset left out for the latter. A day alone is no
//! time, and a zone in brackets would be a second one.

use crate::MiniError;
use crate::error::quote;
use crate::grammar::within;
use jiff::Timestamp;
use jiff::civil::DateTime;
use jiff::fmt::temporal::Pieces;
use std::fmt;

/// A single time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Moment {
    /// An instant.
    Instant(Timestamp),
    /// A time by the clocks of a zone.
    Wall(DateTime),
}

impl fmt::Display for Moment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Moment::Instant(instant) => instant.fmt(f),
            Moment::Wall(wall) => wall.fmt(f),
        }
    }
}

const HELP: &str = "write a day and a time: `\"2027-01-01T09:00\"` by the clocks of `timezone`, \
                    or `\"2027-01-01T09:00:00Z\"` with an offset";

/// The offset is less than a day (RFC 3339 section 5.6).
const DAY: i32 = 86_400;

/// Reads a time.
///
/// ```
/// use symbi_mini::moment::parse;
/// assert_eq!(parse("2027-01-01T09:00:00+01:00").unwrap().to_string(), "2027-01-01T08:00:00Z");
/// assert_eq!(parse("2027-01-01 09:00").unwrap().to_string(), "2027-01-01T09:00:00");
/// assert_eq!(parse("2027-01-01").unwrap_err().message, "`2027-01-01` is not a time");
/// ```
///
/// # Errors
/// What is no day with a time, an offset of a day or more, a zone in brackets,
/// a text over [`crate::MAX_BYTES`].
pub fn parse(text: &str) -> Result<Moment, MiniError> {
    within(text, crate::MAX_BYTES)?;
    read(text.trim()).ok_or_else(|| {
        MiniError::new(0..text.len(), format!("{} is not a time", quote(text))).help(HELP)
    })
}

fn read(text: &str) -> Option<Moment> {
    if !text.contains(':') || text.contains('[') {
        return None;
    }
    let offset = Pieces::parse(text).ok()?.to_numeric_offset();
    if offset.is_some_and(|offset| offset.seconds().abs() >= DAY) {
        return None;
    }
    match text.parse() {
        Ok(instant) => Some(Moment::Instant(instant)),
        Err(_) => text.parse().ok().map(Moment::Wall),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_with_and_without_an_offset_are_told_apart() {
        let table = [
            ("2027-01-01T09:00", "2027-01-01T09:00:00"),
            ("2027-01-01T09:00:00.5", "2027-01-01T09:00:00.5"),
            (" 2027-01-01T09:00:00z ", "2027-01-01T09:00:00Z"),
            ("2027-01-01T09:00:00-23:30", "2027-01-02T08:30:00Z"),
        ];
        for (text, expected) in table {
            let read = parse(text).map(|moment| moment.to_string());
            assert_eq!(read.as_deref(), Ok(expected), "{text}");
            // What is shown is read as the same again.
            assert_eq!(parse(expected), parse(text));
        }
        for text in [
            "",
            "09:00",
            "2027-01-01",
            "2027-02-30T09:00",
            "2027-01-01T09:00:00+24:00",
            "2027-01-01T09:00[Europe/Berlin]",
            "tomorrow at 9:00",
        ] {
            assert!(parse(text).is_err(), "{text}");
        }
    }
}

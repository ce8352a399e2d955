//! How often something may happen: `100/minute`, the value of the obligation
//! `rate_limiting` (language.md section 4).
//!
//! A count, `/` (or the word `per`), and a unit of time, with a number in
//! front if it is not one: `100/5m` is a hundred in five minutes. Units are
//! those of [`crate::duration`], by any name it reads. A count of zero is
//! refused: it would be a denial in disguise, which a `deny` rule says openly.
//! So is a window of zero, which bounds nothing.

use crate::MiniError;
use crate::duration::{self, find, is_number_char, similar};
use crate::error::{quote, quote_char};
use crate::grammar::{Piece, Steps, blank, many, rest, run, some};
use crate::number::Decimal;
use chumsky::prelude::*;
use std::fmt;

/// At most so many in so long.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Rate {
    /// How many; 1 … 2^63 − 1.
    pub count: u64,
    /// In how many nanoseconds; more than 0.
    pub window: i64,
}

impl Rate {
    /// Whether this rate lets through fewer than another in the long run.
    ///
    /// ```
    /// use symbi_mini::rate::parse;
    /// assert!(parse("100/hour").unwrap().is_below(parse("2/minute").unwrap()));
    /// ```
    pub fn is_below(self, other: Rate) -> bool {
        // INVARIANT: below 2^63 times below 2^63.
        u128::from(self.count) * u128::from(other.window.unsigned_abs())
            < u128::from(other.count) * u128::from(self.window.unsigned_abs())
    }
}

/// The usual spelling; [`parse`] reads it back.
impl fmt::Display for Rate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let named = duration::UNITS
            .iter()
            .find(|unit| unit.nanos == self.window);
        match named {
            Some(unit) => write!(f, "{}/{}", self.count, unit.name),
            None => write!(f, "{}/{}", self.count, duration::format(self.window)),
        }
    }
}

/// Reads a rate.
///
/// ```
/// use symbi_mini::rate::parse;
/// let rate = parse("100/minute").unwrap();
/// assert_eq!((rate.count, rate.window), (100, 60_000_000_000));
/// assert_eq!(parse("10 / day").unwrap().to_string(), "10/day");
/// assert_eq!(parse("100/5m").unwrap().window, 300_000_000_000);
/// ```
///
/// # Errors
/// No count or no unit, an unknown unit, a count that is no whole number or
/// zero, a window of zero, either too large, a text over [`crate::MAX_BYTES`].
pub fn parse(text: &str) -> Result<Rate, MiniError> {
    parse_counted(text, &mut Steps::default())
}

pub(crate) fn parse_counted(text: &str, steps: &mut Steps) -> Result<Rate, MiniError> {
    let slash = some(|c| *c == '/').or(some(|c| c.is_alphabetic())).or_not();
    let grammar = blank()
        .ignore_then(many(is_number_char))
        .then_ignore(blank())
        .then(slash)
        .then_ignore(blank())
        .then(many(is_number_char))
        .then_ignore(blank())
        .then(many(|c| c.is_alphabetic()))
        .then_ignore(blank())
        .then(rest());
    let ((((count, slash), number), unit), left) = run(text, grammar, steps, |at| {
        MiniError::new(at..text.len(), "this is not a rate").help(HELP)
    })?;
    if count.is_empty() {
        return Err(without_count(text));
    }
    let value = read_count(count)?;
    match slash {
        Some(slash) if slash.text == "/" || slash.text == "per" => {}
        Some(slash) => {
            let message = format!(
                "a rate is a count, `/` and a unit of time, and here {} follows the count",
                quote(slash.text)
            );
            return Err(MiniError::new(slash.span(), message).help(HELP));
        }
        None => {
            let at = left.at;
            return Err(
                MiniError::new(at..text.len(), "the unit of time is missing")
                    .help(format!("for minutes, write `{value}/minute`")),
            );
        }
    }
    if unit.is_empty() && left.is_empty() {
        let end = unit.at;
        let message = "a unit of time is expected at the end of a rate";
        return Err(MiniError::new(end..end, message).help(format!("write `{value}/minute`")));
    }
    let window = read_window(number, unit)?;
    if !left.is_empty() {
        return Err(unexpected(
            left,
            Rate {
                count: value,
                window,
            },
        ));
    }
    Ok(Rate {
        count: value,
        window,
    })
}

const HELP: &str = "write for example `100/minute`";

fn without_count(text: &str) -> MiniError {
    let start = text.len() - text.trim_start().len();
    let message = match text[start..].chars().next() {
        None => "a rate is expected, and this text is empty",
        Some(_) => "a rate starts with its count",
    };
    MiniError::new(start..text.len(), message).help(HELP)
}

fn read_count(piece: Piece<'_>) -> Result<u64, MiniError> {
    let decimal = Decimal::read(piece, "100/minute")?;
    if piece.text.contains('.') {
        return Err(
            MiniError::new(piece.span(), "the count of a rate is a whole number")
                .help("for less than one, take a longer time, as in `1/10m`"),
        );
    }
    let count = decimal.times(1).ok_or_else(|| {
        MiniError::new(piece.span(), "this count is too large")
            .help("leave the limit out if there is none")
    })?;
    if count == 0 {
        return Err(
            MiniError::new(piece.span(), "a rate of 0 lets nothing through")
                .help("write a `deny` rule instead"),
        );
    }
    Ok(count.unsigned_abs())
}

fn read_window(number: Piece<'_>, unit: Piece<'_>) -> Result<i64, MiniError> {
    let Some(found) = find(unit.text) else {
        let message = format!("{} is not a unit of time", quote(unit.text));
        let help = match similar(unit.text) {
            Some(found) => format!("did you mean `{}`?", found.name),
            None => "write `second`, `minute`, `hour`, `day`, `week`, `month` or `year`".to_owned(),
        };
        return Err(MiniError::new(unit.span(), message).help(help));
    };
    if number.is_empty() {
        return Ok(found.nanos);
    }
    let span = number.at..unit.span().end;
    let window = Decimal::read(number, "100/5m")?
        .times(found.nanos)
        .ok_or_else(|| MiniError::new(span.clone(), "the time of this rate is too long"))?;
    if window == 0 {
        return Err(MiniError::new(span, "the time of a rate is longer than 0").help(HELP));
    }
    Ok(window)
}

fn unexpected(left: Piece<'_>, rate: Rate) -> MiniError {
    let c = left.text.chars().next().unwrap_or(' ');
    let message = if c == '/' {
        "a rate is a count and a time, and counts for each agent and principal; what follows is not read"
            .to_owned()
    } else {
        format!(
            "a rate ends after its unit, and here {} follows",
            quote_char(c)
        )
    };
    MiniError::new(left.span(), message).help(format!("write `{rate}`"))
}

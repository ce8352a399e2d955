//! Amounts of memory (language.md section 1): `512MB`, `1GiB`, 1024-based
//! whether an `i` is there or not.
//!
//! A string reads what the language's own literals read, with the same value;
//! `10 MB` with a blank too, as the language does, with the usual spelling
//! beside it.

use crate::duration::is_number_char;
use crate::error::{list, nearest, quote, quote_char};
use crate::grammar::{Piece, Steps, blank, many, rest, run};
use crate::number::Decimal;
use crate::{MiniError, Reading};
use chumsky::prelude::*;

const UNITS: &[(&str, i64)] = &[
    ("KB", 1 << 10),
    ("KiB", 1 << 10),
    ("MB", 1 << 20),
    ("MiB", 1 << 20),
    ("GB", 1 << 30),
    ("GiB", 1 << 30),
];

/// Reads a size: bytes, never negative.
///
/// ```
/// use symbi_mini::size::parse;
/// assert_eq!(parse("512MB").unwrap().value, 512 << 20);
/// assert_eq!(parse("10 MB").unwrap().write.as_deref(), Some("10MB"));
/// assert_eq!(parse("10mb").unwrap_err().help.as_deref(), Some("did you mean `MB`? Write `10MB`"));
/// ```
///
/// # Errors
/// No number, no unit or an unknown one, a sign, more bytes than an i64
/// holds, a text over [`crate::MAX_BYTES`].
pub fn parse(text: &str) -> Result<Reading<i64>, MiniError> {
    parse_counted(text, &mut Steps::default())
}

pub(crate) fn parse_counted(text: &str, steps: &mut Steps) -> Result<Reading<i64>, MiniError> {
    let grammar = blank()
        .ignore_then(many(is_number_char))
        .then(blank().to_slice())
        .then(many(|c| c.is_alphabetic()))
        .then_ignore(blank())
        .then(rest());
    let (((number, gap), unit), left) = run(text, grammar, steps, |at| {
        MiniError::new(at..text.len(), "this is not a size")
    })?;
    if number.is_empty() {
        return Err(without_number(text));
    }
    let decimal = Decimal::read(number, "1.5GB")?;
    let shown = decimal.shown();
    if unit.is_empty() && left.is_empty() {
        let end = number.span().end;
        return Err(MiniError::new(end..end, "the unit of size is missing")
            .help(format!("for megabytes, write `{shown}MB`; {}", units())));
    }
    if !left.is_empty() {
        let c = left.text.chars().next().unwrap_or(' ');
        let message = format!(
            "a size ends after its unit, and here {} follows",
            quote_char(c)
        );
        return Err(MiniError::new(left.span(), message)
            .help("write one number and one unit, as in `512MB`"));
    }
    let Some((name, bytes)) = UNITS.iter().find(|(name, _)| *name == unit.text) else {
        return Err(unknown_unit(unit, decimal));
    };
    let span = number.at..unit.span().end;
    let value = decimal.times(*bytes).ok_or_else(|| {
        MiniError::new(
            span,
            "this size is too large: 8589934591GB is the most there is",
        )
    })?;
    let write = (!gap.is_empty()).then(|| format!("{}{name}", decimal.plain()));
    Ok(Reading { value, write })
}

fn units() -> String {
    let names: Vec<String> = UNITS.iter().map(|(name, _)| format!("`{name}`")).collect();
    format!("the units are {}", list(&names, "and"))
}

fn without_number(text: &str) -> MiniError {
    let start = text.len() - text.trim_start().len();
    let error = match text[start..].chars().next() {
        None => MiniError::new(0..text.len(), "a size is expected, and this text is empty"),
        Some('-' | '+' | '−') => MiniError::new(
            start..text.len(),
            "a size has no sign: it starts with its number",
        ),
        Some(_) => MiniError::new(start..text.len(), "a size starts with its number"),
    };
    error.help(format!("write for example `512MB`; {}", units()))
}

fn unknown_unit(unit: Piece<'_>, number: Decimal<'_>) -> MiniError {
    let error = MiniError::new(
        unit.span(),
        format!("{} is not a unit of size", quote(unit.text)),
    );
    let shown = number.shown();
    let lower = unit.text.to_lowercase();
    let meant = match lower.as_str() {
        "k" | "kilobyte" | "kilobytes" => Some("KB"),
        "m" | "megabyte" | "megabytes" => Some("MB"),
        "g" | "gigabyte" | "gigabytes" => Some("GB"),
        "mi" => Some("MiB"),
        "gi" => Some("GiB"),
        "ki" => Some("KiB"),
        "t" | "tb" | "tib" | "terabyte" | "terabytes" => {
            return error.help(match number.times(1024) {
                Some(giga) => format!("the largest unit is `GB`: write `{giga}GB`"),
                None => "the largest unit is `GB`".to_owned(),
            });
        }
        "b" | "byte" | "bytes" => {
            return error.help("the smallest unit is `KB`, and it takes a fraction: `0.5KB`");
        }
        _ => UNITS
            .iter()
            .map(|(name, _)| *name)
            .find(|name| name.eq_ignore_ascii_case(unit.text))
            .or_else(|| nearest(unit.text, UNITS.iter().map(|(name, _)| *name))),
    };
    match meant {
        Some(name) => error.help(format!("did you mean `{name}`? Write `{shown}{name}`")),
        None => error.help(units()),
    }
}

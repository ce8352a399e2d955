//! Decimals in front of a unit, as the language's own literals read them
//! (`symbi-syntax`, `literal.rs`): exact, rounded towards zero at the end.

use crate::grammar::Piece;
use crate::{MiniError, error::quote};

/// A decimal that has been looked at: digits, `_` inside, at most one point
/// with digits on both sides.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Decimal<'t> {
    text: &'t str,
}

impl<'t> Decimal<'t> {
    /// Reads a number without a sign. `example` is a right one, for the help.
    pub fn read(piece: Piece<'t>, example: &str) -> Result<Decimal<'t>, MiniError> {
        let text = piece.text;
        let fails = |what: &str| {
            let message = format!("{} is not a number: {what}", quote(text));
            Err(MiniError::new(piece.span(), message).help(format!("write it as in `{example}`")))
        };
        let (whole, fraction) = match text.split_once('.') {
            Some((whole, fraction)) => (whole, Some(fraction)),
            None => (text, None),
        };
        if fraction.is_some_and(|fraction| fraction.contains('.')) {
            return fails("it has more than one point");
        }
        if whole.is_empty() {
            return fails("a digit must stand before the point");
        }
        if fraction == Some("") {
            return fails("a digit must stand after the point");
        }
        if !whole.starts_with(|c: char| c.is_ascii_digit())
            || fraction.is_some_and(|digits| !digits.starts_with(|c: char| c.is_ascii_digit()))
        {
            return fails("it must start with a digit");
        }
        if text.ends_with('_') {
            return fails("`_` stands only between digits");
        }
        Ok(Decimal { text })
    }

    /// The number times a whole unit. `None` if it does not fit an i64.
    pub fn times(self, unit: i64) -> Option<i64> {
        let (whole, fraction) = self.text.split_once('.').unwrap_or((self.text, ""));
        let mut value: i128 = 0;
        for digit in digits(whole) {
            // INVARIANT: the value is below 2^63 before, so this fits an i128.
            value = value * 10 + i128::from(digit);
            if value > i128::from(i64::MAX) {
                return None;
            }
        }
        let unit = i128::from(unit);
        // Digits beyond the 18th cannot move a nanosecond of any unit.
        let (mut part, mut scale) = (0, 1);
        for digit in digits(fraction).take(18) {
            part = part * 10 + i128::from(digit);
            scale *= 10;
        }
        i64::try_from(value * unit + part * unit / scale).ok()
    }

    /// The number as it was written, without `_`.
    pub fn plain(self) -> String {
        self.text.replace('_', "")
    }

    /// The number for a message, if it is short enough for one.
    pub fn shown(self) -> String {
        match self.text.len() {
            0..=24 => self.plain(),
            _ => "…".to_owned(),
        }
    }
}

fn digits(text: &str) -> impl Iterator<Item = u8> + '_ {
    text.bytes()
        .filter(u8::is_ascii_digit)
        .map(|byte| byte - b'0')
}

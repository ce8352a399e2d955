//! What literals mean: numbers, durations, sizes and the escapes in strings
//! (language.md section 1).

use std::borrow::Cow;

/// Nanoseconds of a unit of time. A month is 30.44 days, a year 365.25.
const UNITS: &[(&str, u64)] = &[
    ("milliseconds", 1_000_000),
    ("seconds", 1_000_000_000),
    ("minutes", 60_000_000_000),
    ("hours", 3_600_000_000_000),
    ("days", 86_400_000_000_000),
    ("weeks", 604_800_000_000_000),
    ("months", 2_630_016_000_000_000),
    ("ms", 1_000_000),
    ("s", 1_000_000_000),
    ("m", 60_000_000_000),
    ("h", 3_600_000_000_000),
    ("d", 86_400_000_000_000),
    ("w", 604_800_000_000_000),
    ("y", 31_557_600_000_000_000),
];

const SIZES: &[(&str, u64)] = &[
    ("KB", 1 << 10),
    ("KiB", 1 << 10),
    ("MB", 1 << 20),
    ("MiB", 1 << 20),
    ("GB", 1 << 30),
    ("GiB", 1 << 30),
];

/// The value of an `Int` token, without a sign. `None` if it is larger than
/// 2^63, which only a minus sign brings into range.
pub fn integer(text: &str) -> Option<u64> {
    let mut value: u64 = 0;
    for byte in text.bytes().filter(|byte| *byte != b'_') {
        value = value
            .checked_mul(10)?
            .checked_add(u64::from(byte.wrapping_sub(b'0')))?;
    }
    (value <= 1 << 63).then_some(value)
}

/// The value of a `Float` token. `None` if it is too large for an f64.
pub fn float(text: &str) -> Option<f64> {
    let plain = text.replace('_', "");
    plain.parse().ok().filter(|value: &f64| value.is_finite())
}

/// The nanoseconds of a `Duration` token. `None` if they overflow an i64.
pub fn duration(text: &str) -> Option<i64> {
    let digits = text
        .find(|c: char| !(c.is_ascii_digit() || c == '_' || c == '.'))
        .unwrap_or(text.len());
    let (number, unit) = text.split_at(digits);
    // In `30.seconds` the dot belongs to the unit.
    let number = number.strip_suffix('.').unwrap_or(number);
    let (_, nanos) = UNITS.iter().find(|(name, _)| *name == unit)?;
    scaled(number, *nanos)
}

/// The bytes of a `Size` token, or of a number and a unit that stand apart.
/// `None` if they overflow an i64.
pub fn size(text: &str) -> Option<i64> {
    let digits = text
        .find(|c: char| !(c.is_ascii_digit() || c == '_' || c == '.'))
        .unwrap_or(text.len());
    let (number, unit) = text.split_at(digits);
    let (_, bytes) = SIZES.iter().find(|(name, _)| *name == unit.trim_start())?;
    scaled(number, *bytes)
}

/// Whether a word is a unit of size.
pub(crate) fn is_size_unit(word: &str) -> bool {
    SIZES.iter().any(|(name, _)| *name == word)
}

/// Whether a word is a unit of time.
pub(crate) fn is_time_unit(word: &str) -> bool {
    UNITS.iter().any(|(name, _)| *name == word)
}

/// Whether a word is, in lower case, a unit of time or of size.
pub(crate) fn unit_like(word: &str) -> Option<&'static str> {
    let lower = word.to_ascii_lowercase();
    let singular = lower.strip_suffix('s').unwrap_or(&lower);
    UNITS
        .iter()
        .map(|(name, _)| *name)
        .find(|name| {
            *name == lower
                || name
                    .strip_suffix('s')
                    .is_some_and(|one| one == singular && one.len() > 1)
        })
        .or_else(|| {
            SIZES
                .iter()
                .map(|(name, _)| *name)
                .find(|name| name.eq_ignore_ascii_case(word))
        })
        .or(match lower.as_str() {
            "sec" | "secs" => Some("s"),
            "min" | "mins" => Some("m"),
            "hr" | "hrs" => Some("h"),
            "msec" | "msecs" | "millis" => Some("ms"),
            "yr" | "yrs" | "year" | "years" => Some("y"),
            "k" | "kib" => Some("KB"),
            "g" => Some("GB"),
            _ => None,
        })
}

/// A decimal times a whole number, exact, rounded towards zero at the end.
fn scaled(number: &str, unit: u64) -> Option<i64> {
    let number = match number.as_bytes().contains(&b'_') {
        true => Cow::Owned(number.replace('_', "")),
        false => Cow::Borrowed(number),
    };
    let (whole, fraction) = number.split_once('.').unwrap_or((&number, ""));
    let mut value = i128::from(integer(whole)?) * i128::from(unit);
    let mut place = i128::from(unit);
    let mut remainder: i128 = 0;
    // Digits beyond the 18th cannot move a nanosecond of any unit.
    let mut divisor: i128 = 1;
    for digit in fraction.bytes().take(18) {
        divisor *= 10;
        remainder = remainder * 10 + i128::from(digit - b'0');
    }
    place = place.checked_mul(remainder)?;
    value += place / divisor;
    i64::try_from(value).ok()
}

/// An escape that the language does not have, in bytes from the start of the
/// string token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnknownEscape {
    /// The backslash.
    pub start: u32,
    /// One past the character after it.
    pub end: u32,
}

/// The text of a `String` or `TripleString` token, quotes included, as the
/// program sees it. An unknown escape keeps its backslash.
pub fn string_value(token: &str) -> String {
    let body = string_body(token);
    let is_triple = token.starts_with("\"\"\"");
    // Few strings have anything to read.
    if !is_triple && !body.as_bytes().contains(&b'\\') {
        return body.to_owned();
    }
    let mut value = String::with_capacity(token.len());
    unescape(body, &mut |piece| match piece {
        Piece::Text(text) => value.push_str(text),
        Piece::Char(c) => value.push(c),
        Piece::Unknown(_, text) => value.push_str(text),
    });
    if is_triple { dedent(&value) } else { value }
}

/// The escapes of a string token that the language does not have.
pub fn unknown_escapes(token: &str) -> Vec<UnknownEscape> {
    let body = string_body(token);
    let offset = if token.starts_with("\"\"\"") { 3 } else { 1 };
    let mut unknown = Vec::new();
    unescape(body, &mut |piece| {
        if let Piece::Unknown(at, text) = piece {
            unknown.push(UnknownEscape {
                start: at as u32 + offset,
                end: (at + text.len()) as u32 + offset,
            });
        }
    });
    unknown
}

fn string_body(token: &str) -> &str {
    for quote in ["\"\"\"", "\""] {
        if let Some(rest) = token.strip_prefix(quote) {
            return rest.strip_suffix(quote).unwrap_or(rest);
        }
    }
    token
}

enum Piece<'t> {
    Text(&'t str),
    Char(char),
    /// Offset in the body, and the text with its backslash.
    Unknown(usize, &'t str),
}

fn unescape<'t>(body: &'t str, out: &mut dyn FnMut(Piece<'t>)) {
    let mut rest = 0;
    while let Some(found) = body[rest..].find('\\') {
        let at = rest + found;
        out(Piece::Text(&body[rest..at]));
        let after = &body[at + 1..];
        let Some(c) = after.chars().next() else {
            out(Piece::Unknown(at, &body[at..]));
            return;
        };
        let simple = match c {
            'n' => Some('\n'),
            't' => Some('\t'),
            'r' => Some('\r'),
            '\\' => Some('\\'),
            '"' => Some('"'),
            '0' => Some('\0'),
            _ => None,
        };
        let (escaped, len) = match (simple, c) {
            (Some(c), _) => (Some(c), 1),
            (None, 'x') => (hex_escape(after), 3),
            (None, 'u') => unicode_escape(after),
            (None, c) => (None, c.len_utf8()),
        };
        match escaped {
            Some(c) => {
                out(Piece::Char(c));
                rest = at + 1 + len;
            }
            None => {
                let end = at + 1 + c.len_utf8();
                out(Piece::Unknown(at, &body[at..end]));
                rest = end;
            }
        }
    }
    out(Piece::Text(&body[rest..]));
}

/// `xNN`.
fn hex_escape(after: &str) -> Option<char> {
    let digits = after.get(1..3)?;
    if !digits.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        return None;
    }
    u8::from_str_radix(digits, 16).ok().map(char::from)
}

/// `u{…}` with one to six digits.
fn unicode_escape(after: &str) -> (Option<char>, usize) {
    let parsed = after.strip_prefix("u{").and_then(|rest| {
        let digits = &rest[..rest.find('}').filter(|len| (1..=6).contains(len))?];
        if !digits.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            return None;
        }
        let c = char::from_u32(u32::from_str_radix(digits, 16).ok()?)?;
        Some((c, digits.len() + 3))
    });
    match parsed {
        Some((c, len)) => (Some(c), len),
        None => (None, 1),
    }
}

/// The common indent of the lines that are not blank is removed, and so are a
/// line break right after the opening quotes and the blanks before the closing
/// ones.
fn dedent(text: &str) -> String {
    let lines: Vec<&str> = text
        .split('\n')
        .map(|line| line.strip_suffix('\r').unwrap_or(line))
        .collect();
    if lines.len() == 1 {
        return text.to_owned();
    }
    let opening_blank = lines[0].trim().is_empty();
    let content = if opening_blank {
        &lines[1..]
    } else {
        &lines[..]
    };
    let last = content.len() - 1;
    let indent = content
        .iter()
        .enumerate()
        .filter(|(at, line)| (*at > 0 || opening_blank) && (!line.trim().is_empty() || *at == last))
        .map(|(_, line)| line.len() - line.trim_start_matches([' ', '\t']).len())
        .min()
        .unwrap_or(0);
    let mut out = Vec::with_capacity(content.len());
    for (at, line) in content.iter().enumerate() {
        if at == 0 && !opening_blank {
            out.push(*line);
        } else if line.trim().is_empty() {
            out.push("");
        } else {
            out.push(line.get(indent..).unwrap_or(""));
        }
    }
    out.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_their_values() {
        assert_eq!(integer("1_000"), Some(1000));
        assert_eq!(integer("9223372036854775808"), Some(1 << 63));
        assert_eq!(integer("9223372036854775809"), None);
        assert_eq!(integer("99999999999999999999999"), None);
        assert_eq!(float("2.75"), Some(2.75));
        assert_eq!(float("1_0.5"), Some(10.5));
        assert_eq!(float("1e6"), Some(1e6));
        assert_eq!(float("1e999"), None);
    }

    #[test]
    fn durations_are_nanoseconds() {
        for (text, nanos) in [
            ("500ms", 500_000_000),
            ("30s", 30_000_000_000),
            ("1.5h", 5_400_000_000_000),
            ("30.seconds", 30_000_000_000),
            ("1.5.minutes", 90_000_000_000),
            ("250.milliseconds", 250_000_000),
            ("6months", 15_780_096_000_000_000),
            ("1y", 31_557_600_000_000_000),
            ("1_000ms", 1_000_000_000),
        ] {
            assert_eq!(duration(text), Some(nanos), "{text}");
        }
        assert_eq!(duration("293y"), None);
        assert_eq!(duration("292y"), Some(292 * 31_557_600_000_000_000));
    }

    #[test]
    fn sizes_are_bytes_of_1024() {
        assert_eq!(size("512KB"), Some(512 << 10));
        assert_eq!(size("1GiB"), Some(1 << 30));
        assert_eq!(size("1.5MB"), Some(3 << 19));
        assert_eq!(size("10 MB"), Some(10 << 20));
        assert_eq!(size("9999999999GB"), None);
    }

    #[test]
    fn strings_are_unescaped() {
        assert_eq!(string_value(r#""a\n\t\\\"\x41\u{1F980}""#), "a\n\t\\\"A🦀");
        assert_eq!(string_value(r#""\q\u{}\xZZ""#), r"\q\u{}\xZZ");
        assert_eq!(string_value("\"a\nb\""), "a\nb");
        let unknown = unknown_escapes(r#""é\q""#);
        assert_eq!(unknown, [UnknownEscape { start: 3, end: 5 }]);
    }

    #[test]
    fn triple_quotes_lose_their_common_indent() {
        let token = "\"\"\"\n        one\n          two\n\n        three\n        \"\"\"";
        assert_eq!(string_value(token), "one\n  two\n\nthree\n");
        assert_eq!(string_value("\"\"\"x\"\"\""), "x");
        assert_eq!(
            string_value("\"\"\"one\n    two\n    three\"\"\""),
            "one\ntwo\nthree"
        );
    }
}

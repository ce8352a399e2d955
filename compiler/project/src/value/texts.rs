//! Values that are texts: which characters they may have, and the shapes that
//! are not of networks.

use super::problem::{Unfit, ValueProblem};
use super::{MAX_TEXT, Rules, digits};
use crate::ArgumentType;

/// Characters that a shell could read (runtime facts, section 3.2). The line
/// ends and NUL that belong to them are control characters.
pub const BLOCKED: [char; 14] = [
    ';', '|', '&', '$', '`', '(', ')', '{', '}', '[', ']', '<', '>', '!',
];

/// Whether a text is safe as one word of a command.
pub fn clean(rules: &Rules, text: &str) -> Result<(), ValueProblem> {
    if text.is_empty() {
        return Err(ValueProblem::Empty);
    }
    if text.len() > MAX_TEXT {
        return Err(ValueProblem::TooLong(MAX_TEXT));
    }
    let spaces = rules.allow_whitespace && rules.ty != ArgumentType::Url;
    characters(text, spaces)?;
    match text.chars().next() {
        Some(sign @ ('-' | '+')) if !rules.allow_leading_dash => {
            Err(ValueProblem::LeadingSign(sign))
        }
        _ => Ok(()),
    }
}

/// The first character of a text that cannot stand in a word of a command.
fn characters(text: &str, spaces: bool) -> Result<(), ValueProblem> {
    for (at, found) in text.char_indices() {
        let why = match found {
            // C0, DEL and C1.
            found if found.is_control() => Unfit::Control,
            ' ' if spaces => continue,
            found if found.is_whitespace() => Unfit::Space,
            '\'' | '"' | '\\' => Unfit::Quote,
            found if BLOCKED.contains(&found) => Unfit::Shell,
            _ => continue,
        };
        return Err(ValueProblem::character(found, at, why));
    }
    Ok(())
}

/// A text that is data and no word of a command.
pub fn free(ty: ArgumentType, text: &str) -> Result<(), ValueProblem> {
    if text.len() > MAX_TEXT {
        return Err(ValueProblem::TooLong(MAX_TEXT));
    }
    let seen = |c: char| !c.is_whitespace() && !c.is_control() && !is_invisible(c);
    if ty == ArgumentType::AgentSummary && !text.chars().any(seen) {
        return Err(ValueProblem::Empty);
    }
    Ok(())
}

/// Characters that nobody sees and models read: zero widths, marks of
/// direction, tags, selectors of variants.
fn is_invisible(c: char) -> bool {
    matches!(u32::from(c),
        0xAD | 0x34F | 0x61C | 0x115F | 0x1160 | 0x17B4 | 0x17B5
        | 0x180B..=0x180F | 0x200B..=0x200F | 0x202A..=0x202E
        | 0x2060..=0x206F | 0x3164 | 0xFE00..=0xFE0F | 0xFEFF | 0xFFA0
        | 0xE0000..=0xE0FFF)
}

/// A path below a folder. Its spelling is kept.
pub fn relative_path(text: &str) -> Result<(), ValueProblem> {
    let drive = text.as_bytes().get(1) == Some(&b':');
    if text.starts_with(['/', '\\']) || drive {
        return Err(ValueProblem::AbsolutePath);
    }
    if text.split(['/', '\\']).any(|part| part == "..") {
        return Err(ValueProblem::ParentFolder);
    }
    Ok(())
}

/// One `set KEY VALUE`.
pub fn msf_options(text: &str) -> Result<(), ValueProblem> {
    const SHAPE: ValueProblem = ValueProblem::Shape("one option", "set THREADS 10");
    if text.len() > MAX_TEXT {
        return Err(ValueProblem::TooLong(MAX_TEXT));
    }
    characters(text, true)?;
    let mut words = text.splitn(3, ' ');
    let (Some("set"), Some(key), Some(value)) = (words.next(), words.next(), words.next()) else {
        return Err(SHAPE);
    };
    let starts = key.starts_with(|c: char| c.is_ascii_alphabetic());
    let word = key
        .bytes()
        .all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    if !starts || !word || value.trim().is_empty() || value.starts_with(' ') {
        return Err(SHAPE);
    }
    Ok(())
}

/// The seconds of `90`, or of parts such as `1h30m` in falling order.
pub fn duration(text: &str) -> Result<i64, ValueProblem> {
    const SHAPE: ValueProblem = ValueProblem::Shape("a duration", "1h30m");
    let seconds = if digits(text) {
        text.parse().map_err(|_| ValueProblem::TooMuchTime)?
    } else {
        parts(text)?
    };
    match seconds {
        0 if text.is_empty() => Err(SHAPE),
        0 => Err(ValueProblem::NoTime),
        seconds => Ok(seconds),
    }
}

/// Units of a duration, from the largest, with their milliseconds.
const UNITS: [(&str, i64); 4] = [("h", 3_600_000), ("m", 60_000), ("s", 1000), ("ms", 1)];

fn parts(text: &str) -> Result<i64, ValueProblem> {
    const SHAPE: ValueProblem = ValueProblem::Shape("a duration", "1h30m");
    let mut rest = text;
    let mut units = UNITS.iter();
    let mut total: i64 = 0;
    while !rest.is_empty() {
        let number = rest.find(|c: char| !c.is_ascii_digit()).ok_or(SHAPE)?;
        let (count, behind) = rest.split_at(number);
        let unit = behind
            .find(|c: char| !c.is_ascii_alphabetic())
            .unwrap_or(behind.len());
        let (name, behind) = behind.split_at(unit);
        let (_, factor) = units.find(|(unit, _)| *unit == name).ok_or(SHAPE)?;
        if !digits(count) {
            return Err(SHAPE);
        }
        let part = count
            .parse::<i64>()
            .ok()
            .and_then(|count| count.checked_mul(*factor));
        total = part
            .and_then(|part| total.checked_add(part))
            .ok_or(ValueProblem::TooMuchTime)?;
        rest = behind;
    }
    match total % 1000 {
        0 => Ok(total / 1000),
        _ => Err(ValueProblem::PartOfSecond),
    }
}

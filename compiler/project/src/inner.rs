//! Places inside a text of a file: where in the source the bytes of a decoded
//! string stand.

use std::ops::Range;

use symbi_diagnostics::Span;

/// The place in `source` of some bytes of the string that stands at `at`, whose
/// value is `value`. The place of the whole string if its spelling says
/// something else than expected: a wrong place would be worse than a wide one.
pub fn place(source: &str, at: Span, value: &str, part: Range<usize>) -> Span {
    find(source, at, value, part).unwrap_or(at)
}

fn find(source: &str, at: Span, value: &str, part: Range<usize>) -> Option<Span> {
    let raw = source.get(at.range())?;
    let (skip, basic) = opening(raw);
    let mut inside = raw.get(skip..raw.len().checked_sub(skip)?)?;
    let mut from = skip;
    if skip == 3 {
        // A line's end right behind the quotes is no part of the value.
        let trimmed = inside.strip_prefix('\n').or(inside.strip_prefix("\r\n"));
        if let Some(trimmed) = trimmed {
            from += inside.len() - trimmed.len();
            inside = trimmed;
        }
    }
    let mut decoded = 0;
    let (mut start, mut end) = (None, None);
    let mut rest = inside;
    loop {
        let here = from + (inside.len() - rest.len());
        // Behind what joins two lines, if that stands there.
        if decoded == part.start {
            start = Some(here);
        }
        if decoded == part.end && end.is_none() {
            end = Some(here);
        }
        let Some(first) = rest.chars().next() else {
            break;
        };
        let (read, wrote) = if first == '\\' && basic {
            escape(rest)?
        } else {
            (first.len_utf8(), Some(first))
        };
        if let Some(wrote) = wrote {
            if !value.get(decoded..)?.starts_with(wrote) {
                return None;
            }
            decoded += wrote.len_utf8();
        }
        rest = rest.get(read..)?;
    }
    if decoded != value.len() {
        return None;
    }
    let offset = |inner: usize| u32::try_from(inner).ok()?.checked_add(at.start);
    Some(Span::new(offset(start?)?, offset(end?.max(start?))?))
}

/// How many quotes open a string, and whether it has escapes.
fn opening(raw: &str) -> (usize, bool) {
    match raw.as_bytes() {
        [b'"', b'"', b'"', ..] if raw.len() >= 6 => (3, true),
        [b'\'', b'\'', b'\'', ..] if raw.len() >= 6 => (3, false),
        [b'"', ..] => (1, true),
        _ => (1, false),
    }
}

/// How long an escape is, and what it stands for: nothing, where it joins two
/// lines.
fn escape(rest: &str) -> Option<(usize, Option<char>)> {
    let kind = rest[1..].chars().next()?;
    let simple = match kind {
        'b' => '\u{8}',
        't' => '\t',
        'n' => '\n',
        'f' => '\u{c}',
        'r' => '\r',
        'e' => '\u{1b}',
        '"' => '"',
        '\\' => '\\',
        'x' => return number(rest, 2),
        'u' => return number(rest, 4),
        'U' => return number(rest, 8),
        _ => {
            let joined = rest[1..].trim_start_matches([' ', '\t', '\r', '\n']);
            return Some((rest.len() - joined.len(), None));
        }
    };
    Some((2, Some(simple)))
}

fn number(rest: &str, digits: usize) -> Option<(usize, Option<char>)> {
    let value = u32::from_str_radix(rest.get(2..2 + digits)?, 16).ok()?;
    Some((2 + digits, Some(char::from_u32(value)?)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_of_a_value_are_found_in_its_spelling() {
        // A spelling with `⟦…⟧` round the part, the value, and the part of it.
        let table: &[(&str, &str, Range<usize>)] = &[
            ("'a⟦b⟧c'", "abc", 1..2),
            ("\"a⟦b⟧c\"", "abc", 1..2),
            ("\"⟦⟧abc\"", "abc", 0..0),
            ("\"abc⟦⟧\"", "abc", 3..3),
            ("\"é\\t⟦\\u00e9⟧x\"", "é\téx", 3..5),
            ("\"\\\"⟦\\\\⟧\\n\"", "\"\\\n", 1..2),
            ("'''\na⟦'b⟧'''", "a'b", 1..3),
            ("\"\"\"a\\\n   ⟦b⟧\"\"\"", "ab", 1..2),
            ("\"\"\"\r\na⟦\"\"⟧b\"\"\"", "a\"\"b", 1..3),
            // Another value: the whole.
            ("⟦\"abc\"⟧", "abd", 1..2),
            ("⟦\"abc\"⟧", "abc", 1..9),
        ];
        for (marked, value, part) in table {
            let start = marked.find('⟦').unwrap();
            let end = marked.find('⟧').unwrap() - '⟦'.len_utf8();
            let text = format!("k = {}", marked.replace(['⟦', '⟧'], ""));
            let at = Span::new(4, u32::try_from(text.len()).unwrap());
            let found = place(&text, at, value, part.clone());
            assert_eq!(found.range(), start + 4..end + 4, "{marked}");
        }
    }
}

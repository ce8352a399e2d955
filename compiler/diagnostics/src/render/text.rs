//! What outside text looks like in a terminal: nothing in a message, a path or
//! a source line may move the cursor, change a colour, reorder what follows or
//! start a new line.

use std::borrow::Cow;

use unicode_width::UnicodeWidthChar;

/// Columns from one tab stop to the next.
pub(super) const TAB: usize = 4;

/// The text with every character that is not plainly printable written as an
/// escape: for messages and paths, which must stay on one line.
pub fn one_line(text: &str) -> Cow<'_, str> {
    if !text.chars().any(is_unprintable) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 8);
    for c in text.chars() {
        if is_unprintable(c) {
            out.extend(c.escape_default());
        } else {
            out.push(c);
        }
    }
    Cow::Owned(out)
}

/// What is drawn for a character of a source line: itself, or one visible
/// character that stands for it. Tabs are the caller's business.
pub(super) fn stand_in(c: char) -> char {
    match c {
        // Unicode has a picture of each of these.
        '\0'..='\x1F' => char::from_u32(0x2400 + c as u32).unwrap_or('\u{FFFD}'),
        '\x7F' => '\u{2421}',
        '\u{85}' | '\u{2028}' | '\u{2029}' => '\u{2424}',
        c if is_unprintable(c) => '\u{FFFD}',
        c => c,
    }
}

/// Columns that a character takes; 0 for one that is drawn onto the character
/// before it.
pub(super) fn width(c: char) -> usize {
    stand_in(c).width().unwrap_or(1)
}

/// Control characters, line ends, and what is invisible or changes the
/// direction of the text around it. The joiners U+200C and U+200D are missing:
/// emoji and several scripts need them.
fn is_unprintable(c: char) -> bool {
    c.is_control()
        || matches!(
            c,
            '\u{61C}' | '\u{200B}' | '\u{200E}' | '\u{200F}' | '\u{2028}'..='\u{202E}'
                | '\u{2060}'..='\u{206F}' | '\u{FEFF}' | '\u{FFF9}'..='\u{FFFB}'
                | '\u{E0000}'..='\u{E007F}'
        )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_line_escapes_what_moves_or_hides() {
        assert_eq!(
            one_line("naïve 🦀 漢字 👩\u{200D}💻"),
            "naïve 🦀 漢字 👩\u{200D}💻"
        );
        assert_eq!(one_line("a\nb\r\tc"), "a\\nb\\r\\tc");
        assert_eq!(one_line("\x1B[31mred\u{9B}"), "\\u{1b}[31mred\\u{9b}");
        assert_eq!(
            one_line("x\u{202E}y\u{2028}\u{FEFF}"),
            "x\\u{202e}y\\u{2028}\\u{feff}"
        );
    }

    #[test]
    fn a_stand_in_is_one_visible_column() {
        for c in (0..0x11_0000).filter_map(char::from_u32) {
            let shown = stand_in(c);
            assert!(!is_unprintable(shown), "{c:?}");
            if shown != c {
                assert_eq!(shown.width(), Some(1), "{c:?}");
            }
        }
        assert_eq!(stand_in('\x1B'), '␛');
        assert_eq!(stand_in('\0'), '␀');
        assert_eq!(stand_in('\u{202E}'), '�');
    }
}

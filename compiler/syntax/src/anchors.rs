//! Where a string that lost its closing quote must have ended: what begins
//! the next construct, and what a quote that opens another string looks like.

/// Whether a line, seen from its column 0, is one that no string may reach
/// over: it starts with `}`, or it starts an item.
///
/// An item word alone is not enough: prompts hold lines such as `with care`
/// (docs/decisions/0004). What follows must look like an item too.
pub(crate) fn line_is_anchor(line: &[u8]) -> bool {
    let Some(first) = line.first() else {
        return false;
    };
    if *first == b'}' {
        return true;
    }
    if !first.is_ascii_lowercase() {
        return false;
    }
    let word_len = line
        .iter()
        .position(|b| !b.is_ascii_alphanumeric() && *b != b'_')
        .unwrap_or(line.len());
    let (word, rest) = line.split_at(word_len);
    let rest = skip_blanks(rest);
    let after_name = || {
        let len = rest
            .iter()
            .position(|b| !b.is_ascii_alphanumeric() && *b != b'_')
            .unwrap_or(rest.len());
        (len > 0).then(|| skip_blanks(&rest[len..]))
    };
    let opens = |text: &[u8]| text.first() == Some(&b'{');
    match word {
        b"metadata" => opens(rest),
        b"capabilities" => {
            opens(rest)
                || (matches!(rest.first(), Some(b'=' | b':'))
                    && skip_blanks(&rest[1..]).first() == Some(&b'['))
        }
        b"with" => opens(rest) || after_name().is_some_and(|rest| rest.first() == Some(&b'=')),
        b"agent" => {
            opens(rest)
                || after_name().is_some_and(|rest| {
                    opens(rest) || matches!(rest.first(), Some(b'(')) || rest.starts_with(b"->")
                })
        }
        b"policy" | b"schedule" | b"channel" | b"memory" | b"webhook" => {
            opens(rest) || after_name().is_some_and(opens)
        }
        b"function" => after_name().is_some_and(|rest| rest.first() == Some(&b'(')),
        b"type" => after_name().is_some_and(|rest| rest.first() == Some(&b'=')),
        _ => false,
    }
}

/// Whether a quote with this behind it opens a string rather than closing one
/// that began on an earlier line: nothing that may follow a string is glued to
/// it so.
pub(crate) fn opens_a_string(rest: &[u8]) -> bool {
    match rest {
        [b'/', b'/' | b'*', ..] => false,
        [byte, ..] => {
            byte.is_ascii_alphanumeric()
                || !byte.is_ascii()
                || matches!(
                    byte,
                    b'_' | b'/' | b'$' | b'@' | b'<' | b'\\' | b'\'' | b'{' | b'(' | b'%'
                )
        }
        [] => false,
    }
}

fn skip_blanks(text: &[u8]) -> &[u8] {
    let len = text
        .iter()
        .position(|b| !matches!(b, b' ' | b'\t'))
        .unwrap_or(text.len());
    &text[len..]
}

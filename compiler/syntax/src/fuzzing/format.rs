//! Formatting changes the layout and nothing else, and once is enough.
//!
//! What it compares is found by lexing alone: it shares no code with the
//! check that the formatter makes of itself.

use crate::format::{FormatError, edits, format, range_edits};
use crate::{File, SyntaxKind as K, lex};

/// Formats and checks. Texts with syntax errors must be refused.
///
/// # Panics
/// When the formatter refuses a file without errors, loses or moves a
/// comment, changes a token, is not idempotent, depends on the line ends, or
/// gives edits that do not lead to its output.
pub fn fuzz_one(data: &[u8]) {
    check(&super::text(data));
}

/// The same for a text. Whether it has no errors.
///
/// # Panics
/// As [`fuzz_one`].
pub fn check(text: &str) -> bool {
    let file = File::parse(text);
    let out = match format(&file) {
        Ok(out) => out,
        Err(FormatError::Errors) => {
            assert!(file.has_errors(), "refused for errors it does not have");
            return false;
        }
        Err(FormatError::Changed { at }) => panic!(
            "refused: `{}` at {} in\n{text}",
            &text[at.range()],
            at.start
        ),
    };
    assert_eq!(
        significant(text),
        significant(&out),
        "changed a token, or lost or moved a comment:\n{text}\n--- became\n{out}"
    );
    let formatted = File::parse(&*out);
    match format(&formatted) {
        Ok(again) => assert_eq!(again, out, "not idempotent, from\n{text}"),
        Err(error) => panic!("{error} in its own output:\n{out}"),
    }
    for line in out.split('\n') {
        let line = line.strip_suffix('\r').unwrap_or(line);
        let blank = line.trim_end().is_empty();
        assert!(
            !blank || line.is_empty() || in_text(&out),
            "white space on an empty line"
        );
    }
    let edits = edits(&file).expect("what can be formatted has edits");
    assert_eq!(apply(text, &edits), out, "the edits lead elsewhere");
    let middle = text.len() as u32 / 2;
    let part = range_edits(&file, middle..middle).expect("so has a part of it");
    let partly = apply(text, &part);
    assert_eq!(
        significant(text),
        significant(&partly),
        "a part of the edits changed more than the layout"
    );
    assert!(
        !File::parse(&*partly).has_errors(),
        "a part of the edits broke the file"
    );
    if text.contains('\n') && !text.contains('\r') {
        let windows = format(&File::parse(text.replace('\n', "\r\n")));
        assert_eq!(
            windows.as_deref(),
            Ok(&*out.replace('\n', "\r\n")),
            "other line ends, another layout"
        );
    }
    true
}

/// A text that may hold lines of white space is in the file.
fn in_text(out: &str) -> bool {
    lex(out).into_iter().any(|(kind, span)| {
        matches!(kind, K::String | K::TripleString | K::BlockComment)
            && out[span.range()].contains(['\n', '\r'])
    })
}

/// Tokens but for separators, and comments among them, line comments without
/// the white space at their ends.
fn significant(text: &str) -> Vec<&str> {
    lex(text)
        .into_iter()
        .filter(|(kind, _)| {
            !matches!(
                kind,
                K::Whitespace | K::Bom | K::Comma | K::Semicolon | K::Eq | K::Colon
            )
        })
        .map(|(kind, span)| match kind {
            K::LineComment => text[span.range()].trim_ascii_end(),
            _ => &text[span.range()],
        })
        .collect()
}

fn apply(text: &str, edits: &[symbi_diagnostics::Edit]) -> String {
    let mut out = String::new();
    let mut at = 0;
    for edit in edits {
        assert!(
            edit.at.start as usize >= at,
            "edits overlap or are out of order"
        );
        out.push_str(&text[at..edit.at.start as usize]);
        out.push_str(&edit.text);
        at = edit.at.end as usize;
    }
    out.push_str(&text[at..]);
    out
}

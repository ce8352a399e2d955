//! Durations and sizes in strings against the language's own literals: where
//! the lexer takes a whole text as one literal, the string means the same, and
//! a string in its usual spelling is such a literal. Strings take more only
//! with another spelling beside the value, or with blanks around it.

use crate::total::Numbers;
use symbi_mini::{MiniError, Reading, duration, size};
use symbi_syntax::{SyntaxKind, lex, literal};

/// The value of a text that is one literal of a kind; `Some(None)` if it
/// overflows.
fn literal_value(text: &str, kind: SyntaxKind) -> Option<Option<i64>> {
    match lex(text)[..] {
        [(found, _)] if found == kind => Some(match kind {
            SyntaxKind::Duration => literal::duration(text),
            _ => literal::size(text),
        }),
        _ => None,
    }
}

fn check(
    text: &str,
    kind: SyntaxKind,
    parsed: Result<Reading<i64>, MiniError>,
    counts: &mut [usize; 2],
) {
    match (literal_value(text, kind), parsed) {
        (Some(Some(value)), parsed) => {
            counts[0] += 1;
            assert_eq!(parsed, Ok(Reading { value, write: None }), "{text}");
        }
        (Some(None), parsed) => assert!(parsed.is_err(), "{text}"),
        (None, Ok(reading)) => {
            counts[1] += 1;
            assert!(reading.write.is_some() || text != text.trim(), "{text}");
        }
        (None, Err(_)) => {}
    }
}

#[test]
fn strings_and_literals_agree() {
    let mut counts = [0; 2];
    let numbers = [
        "0",
        "1",
        "30",
        "1.5",
        "0.001",
        "1_000",
        "1_0.5",
        "106751",
        "15250284",
        "292",
        "293",
        "9223372036",
        "9223372037",
        "9223372036854",
        "9223372036855",
        "9223372036854775807",
        "9223372036854775808",
        "0.999999999999999999999",
        "1.0000000000000000001",
        "00012",
        "8589934591",
        "8589934592",
        "1__0",
        "1_.5",
        "1._5",
        "1_",
    ];
    let units = [
        "ms",
        "s",
        "m",
        "h",
        "d",
        "w",
        "months",
        "y",
        ".milliseconds",
        ".seconds",
        ".minutes",
        ".hours",
        ".days",
        ".weeks",
        ".months",
        ".s",
        " s",
        " minutes",
        "KB",
        "KiB",
        "MB",
        "MiB",
        "GB",
        "GiB",
        " MB",
        "kb",
        "M",
        "S",
        "",
    ];
    for number in numbers {
        for unit in units {
            let text = format!("{number}{unit}");
            check(
                &text,
                SyntaxKind::Duration,
                duration::parse(&text),
                &mut counts,
            );
            check(&text, SyntaxKind::Size, size::parse(&text), &mut counts);
        }
    }
    assert!(counts[0] > 250 && counts[1] > 60, "{counts:?}");
}

#[test]
fn strings_and_literals_agree_on_any_text() {
    let mut random = Numbers(0x5eed);
    let mut counts = [0; 2];
    let parts = [
        "0", "1", "9", "53", "_", ".", "s", "m", "h", "d", "w", "y", "ms", "months", "seconds",
        ".minutes", "KB", "MiB", "GB", " ", "e",
    ];
    for _ in 0..50_000 {
        let length = 1 + random.below(6);
        let text: String = (0..length)
            .map(|_| parts[random.below(parts.len())])
            .collect();
        check(
            &text,
            SyntaxKind::Duration,
            duration::parse(&text),
            &mut counts,
        );
        check(&text, SyntaxKind::Size, size::parse(&text), &mut counts);
    }
    assert!(counts[0] > 800 && counts[1] > 250, "{counts:?}");
}

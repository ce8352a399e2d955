//! Every span of some nasty texts, also those inside characters and beyond the
//! end, in every format: no panic, and always the place that the table says.

use serde_json::json;
use symbi_diagnostics::render::{JsonReport, Origin, Style, github, human, short};
use symbi_diagnostics::{Diagnostic, SourceFile, Span, syntax};
use unicode_width::UnicodeWidthChar;

use crate::columns::naive;
use crate::json::tool;
use crate::sarif::results;

const NASTY: &[&str] = &[
    "",
    "\n",
    "\r\n",
    "\u{FEFF}",
    "\u{FEFF}\u{FEFF}\r\r\n\n",
    "let x = 1\nlet y = 2",
    "é🦀\r\n漢字\re\u{301}\n",
    "\u{301}\u{301}\n\u{200D}\t\u{301}",
    "\ta\t\t漢\tb  \n \t \n",
    "a\x0Bb\x0Cc\u{85}\u{2028}\u{2029}d",
    "\0\x1B[31m\x07\u{9B}\u{202E}\u{AD}x\x7F",
    "👩\u{200D}💻🇩🇪\n\n\n\n❤\u{FE0F}",
    "{\n{\n{\n\n}\n}\n}",
    "0123456789abcdefghijklmnopqrstuvwxyz 0123\u{3000}é",
];

/// `start..end` and a note over the rest of the text, so that labels cross,
/// nest and touch in all ways.
fn diagnostic(start: u32, end: u32, len: u32) -> Diagnostic {
    Diagnostic::new(&syntax::S0107, Span::new(start, end), "expected `;`")
        .note(Span::new(end, len), "after")
        .note(Span::new(len / 2, start.max(end)), "")
}

#[test]
fn every_span_renders_in_every_format() {
    for text in NASTY {
        let file = SourceFile::new("x.symbi", *text);
        let len = text.len() as u32;
        let origin = Origin::file("x.symbi");
        for start in 0..len + 3 {
            for end in 0..len + 3 {
                let span = file.clamp(Span::new(start, end));
                let from = naive(text, span.start as usize);
                let to = naive(text, span.end as usize);
                let context = || format!("{text:?} {start}..{end}");
                let diagnostic = diagnostic(start, end, len);

                // The last of the texts is longer than this.
                let style = Style {
                    width: 40,
                    ..Style::default()
                };
                let report = human(&file, &diagnostic, style);
                assert_human(&report, from.line, from.column, &context);

                let place = format!("x.symbi:{}:{}", from.line, from.column);
                let expected = format!("{place}: error[S0107]: expected `;`\n");
                assert_eq!(short(&file, &diagnostic), expected, "{}", context());

                // The last line is that of the last character.
                let last = match span.end > span.start {
                    true => naive(text, last_character(text, span)).line,
                    false => from.line,
                };
                let command = github(&origin, &file, &diagnostic);
                let columns = match last == from.line {
                    true => format!(",col={}", from.column),
                    false => String::new(),
                };
                let place = format!("line={}{columns},endLine={last},", from.line);
                assert!(command.contains(&place), "{place} {command} {}", context());

                let results = results(&origin, &file, std::slice::from_ref(&diagnostic));
                let region = &results[0]["locations"][0]["physicalLocation"]["region"];
                assert_eq!(
                    region,
                    &json!({
                        "startLine": from.line, "startColumn": from.column,
                        "endLine": to.line, "endColumn": to.column,
                    }),
                    "{}",
                    context()
                );

                let mut report = JsonReport::new(tool());
                report.push(&file, std::slice::from_ref(&diagnostic));
                let got = report.files[0].diagnostics[0].span;
                for (got, offset, at) in [(got.start, span.start, from), (got.end, span.end, to)] {
                    assert_eq!(
                        (got.offset, got.line, got.column, got.utf16),
                        (offset, at.line, at.column, at.utf16),
                        "{}",
                        context()
                    );
                }
            }
        }
    }
}

/// Where the last character of a span starts; a CRLF is one.
fn last_character(text: &str, span: Span) -> usize {
    let (last, _) = text[span.range()].char_indices().next_back().unwrap();
    let at = span.start as usize + last;
    match text[at..].starts_with('\n') && text[..at].ends_with('\r') {
        true => at - 1,
        false => at,
    }
}

fn assert_human(report: &str, line: u32, column: u32, context: &dyn Fn() -> String) {
    let place = format!("╭─[ x.symbi:{line}:{column} ]");
    let mut lines = report.lines();
    assert_eq!(lines.next(), Some("error[S0107]: expected `;`"));
    assert_eq!(
        lines.next().map(str::trim_start),
        Some(&*place),
        "{}",
        context()
    );
    assert!(report.ends_with("╯\n"), "{}", context());
    let mut numbered = false;
    for printed in report.split_terminator('\n') {
        assert_eq!(printed, printed.trim_end(), "{}", context());
        assert!(!printed.contains(char::is_control), "{}", context());
        let number = printed.split('│').next().map(str::trim);
        numbered |= number == Some(&*line.to_string());
    }
    assert!(
        numbered,
        "line {line} is not shown: {}\n{report}",
        context()
    );
}

/// Where the mark of the only label stands, and the character above it.
fn marked_character(report: &str) -> Option<char> {
    let lines: Vec<&str> = report.lines().collect();
    let row = lines.iter().position(|line| line.contains('┬')).unwrap();
    let before = lines[row].split('┬').next().unwrap();
    let column: usize = before.chars().map(|c| c.width().unwrap()).sum();
    let mut at = 0;
    for c in lines[row - 1].chars() {
        if at == column {
            return Some(c);
        }
        at += c.width().unwrap();
    }
    None
}

#[test]
fn the_mark_stands_under_its_character_also_in_long_lines() {
    // 225 different characters of one and two columns, of two to four bytes.
    let narrow = (0x100..).filter_map(char::from_u32);
    let wide = (0x4E00..).filter_map(char::from_u32);
    let crab = (0x1F600..).filter_map(char::from_u32);
    let text: String = narrow
        .zip(wide.zip(crab))
        .take(75)
        .flat_map(|(a, (b, c))| [a, b, c])
        .collect();
    let few: String = text.chars().take(31).collect();
    for text in [few, format!("{text}\n"), text] {
        let file = SourceFile::new("x.symbi", text.as_str());
        for width in [40, 60, 200] {
            for (at, c) in text.char_indices().filter(|(_, c)| *c != '\n') {
                let end = at + c.len_utf8();
                let span = Span::new(at as u32, end as u32);
                let diagnostic = Diagnostic::new(&syntax::S0107, span, "m");
                let style = Style {
                    width,
                    ..Style::default()
                };
                let report = human(&file, &diagnostic, style);
                assert_eq!(marked_character(&report), Some(c), "{report}");
            }
        }
    }
}

#[test]
fn margin_numbers_are_the_lines_of_the_file() {
    let text: String = (1..=1200).map(|n| format!("line {n}\n")).collect();
    let file = SourceFile::new("x.symbi", text.as_str());
    let start = |line: u32| file.lines().start_of(line - 1);
    for (a, b) in [
        (1, 1),
        (1, 2),
        (9, 10),
        (1, 1200),
        (99, 101),
        (999, 1000),
        (5, 12),
    ] {
        for span in [Span::at(start(a)), Span::new(start(a), start(b) + 4)] {
            let diagnostic = Diagnostic::new(&syntax::S0107, span, "m")
                .note(Span::at(start(b)), "n")
                .note(Span::at(start(1200)), "last");
            let report = human(&file, &diagnostic, Style::default());
            let mut shown = Vec::new();
            for line in report.lines() {
                if let Some((number, rest)) = line.split_once('│')
                    && let Ok(number) = number.trim().parse::<u32>()
                {
                    assert!(rest.ends_with(&format!("line {number}")), "{report}");
                    shown.push(number);
                }
            }
            let mut expected = vec![a, b, 1200];
            expected.dedup();
            assert_eq!(shown, expected, "{report}");
        }
    }
}

//! Lines and columns: the table, and that every renderer agrees with it.

use symbi_diagnostics::render::{JsonReport, Origin, Style, github, human, short};
use symbi_diagnostics::{Diagnostic, LineColumn, LineTable, SourceFile, Span, syntax};

use crate::json::tool;

/// Line and column by walking over all characters: slow, and plain to see.
pub fn naive(text: &str, offset: usize) -> LineColumn {
    let mut at = LineColumn {
        line: 1,
        column: 1,
        byte: 1,
        utf16: 0,
    };
    let mut chars = text.char_indices().peekable();
    while let Some((start, c)) = chars.next() {
        if start + c.len_utf8() > offset {
            break;
        }
        let next = chars.peek().map(|(_, c)| *c);
        if c == '\n' || (c == '\r' && next != Some('\n')) {
            at.line += 1;
            (at.column, at.byte, at.utf16) = (1, 1, 0);
        } else if !(start == 0 && c == '\u{FEFF}') {
            at.column += 1;
            at.byte += c.len_utf8() as u32;
            at.utf16 += c.len_utf16() as u32;
        }
    }
    at
}

/// One line, and what each of its characters has for byte, column and UTF-16;
/// the last row is its end.
const LINE: &str = "é🦀漢字e\u{301}\tx";
const PLACES: &[(u32, u32, u32)] = &[
    (1, 1, 0),  // é
    (3, 2, 1),  // 🦀
    (7, 3, 3),  // 漢
    (10, 4, 4), // 字
    (13, 5, 5), // e
    (14, 6, 6), // the acute accent on it
    (16, 7, 7), // tab
    (17, 8, 8), // x
    (18, 9, 9), // the end
];

/// Files of three such lines, with every kind of line end.
fn variants() -> Vec<(String, usize, &'static str)> {
    let mut variants = Vec::new();
    for bom in ["", "\u{FEFF}"] {
        for end in ["\n", "\r\n", "\r"] {
            for last in [end, ""] {
                let text = format!("{bom}{LINE}{end}{LINE}{end}{LINE}{last}");
                variants.push((text, bom.len(), end));
            }
        }
    }
    variants
}

#[test]
fn columns_are_the_same_whatever_ends_the_lines() {
    for (text, bom, end) in variants() {
        let file = SourceFile::new("x.symbi", text.as_str());
        for line in 0..3 {
            let start = bom + line * (LINE.len() + end.len());
            for &(byte, column, utf16) in PLACES {
                let offset = start as u32 + byte - 1;
                let line = line as u32 + 1;
                let place = LineColumn {
                    line,
                    column,
                    byte,
                    utf16,
                };
                assert_eq!(file.line_column(offset), place, "{text:?} at {offset}");
                assert_every_renderer_says(&file, offset, place);
            }
            let range = file.line_range(line as u32);
            assert_eq!(&text[range], LINE, "line {line} of {text:?}");
        }
    }
}

fn assert_every_renderer_says(file: &SourceFile, offset: u32, place: LineColumn) {
    let LineColumn { line, column, .. } = place;
    let diagnostic = Diagnostic::new(&syntax::S0107, Span::at(offset), "expected `;`");
    let printed = short(file, &diagnostic);
    let expected = format!("x.symbi:{line}:{column}: error[S0107]: expected `;`\n");
    assert_eq!(printed, expected);

    let printed = human(file, &diagnostic, Style::default());
    let expected = format!("─[ x.symbi:{line}:{column} ]\n");
    assert!(printed.contains(&expected), "{expected}{printed}");

    let mut report = JsonReport::new(tool());
    report.push(file, &[diagnostic]);
    let start = report.files[0].diagnostics[0].span.start;
    assert_eq!(
        (start.offset, start.line, start.column, start.utf16),
        (offset, line, column, place.utf16)
    );

    let origin = Origin::file("x.symbi");
    let report = Diagnostic::new(&syntax::S0107, Span::at(offset), "m");
    let printed = github(&origin, file, &report);
    let expected = format!("line={line},col={column},endLine={line},endColumn={column},");
    assert!(printed.contains(&expected), "{expected} {printed}");
    let results = crate::sarif::results(&origin, file, &[report]);
    let region = &results[0]["locations"][0]["physicalLocation"]["region"];
    assert_eq!(
        region,
        &serde_json::json!({
            "startLine": line, "startColumn": column, "endLine": line, "endColumn": column
        })
    );
}

#[test]
fn the_table_equals_a_walk_over_the_text() {
    let mut texts = vec![
        String::new(),
        "\u{FEFF}".to_owned(),
        "\r\n\r\r\n\n\r".to_owned(),
    ];
    texts.extend(variants().into_iter().map(|(text, ..)| text));
    // Lengths around the distance of the table's counts, with characters that
    // lie across it.
    for len in [1020, 1022, 1023, 1024, 1025, 2047, 2048, 2049] {
        for unit in ["a", "é", "漢", "🦀", "a\n", "\r", "a\r\n", "🦀a漢é\r\n"] {
            let mut text = unit.repeat(len / unit.len());
            text.push_str(&"b".repeat(len - text.len()));
            text.push('🦀');
            texts.push(text);
        }
    }
    for text in texts {
        let table = LineTable::new(&text);
        // The walk is quadratic: only near the counts and the ends.
        let near = |offset: &usize| (offset + 12) % 1024 < 24 || offset + 12 > text.len();
        for offset in (0..text.len() + 2).filter(near) {
            assert_eq!(
                table.line_column(&text, offset as u32),
                naive(&text, offset),
                "{text:?} at {offset}"
            );
        }
        let lines = table.len();
        assert_eq!(lines, naive(&text, text.len()).line, "{text:?}");
    }
}

#[test]
fn lines_that_do_not_exist_are_empty() {
    for (text, ..) in variants() {
        let file = SourceFile::new("x.symbi", text.as_str());
        let end = text.len();
        for line in [file.lines().len(), u32::MAX - 1, u32::MAX] {
            assert_eq!(file.line_range(line), end..end);
        }
    }
}

#[test]
fn spans_are_cut_and_widened_to_whole_characters() {
    let file = SourceFile::new("x.symbi", "a🦀b");
    for (start, end, clamped) in [
        (0, 1, (0, 1)),
        (1, 5, (1, 5)),
        (2, 4, (1, 5)),
        (3, 3, (1, 5)),
        (4, 6, (1, 6)),
        (1, 1, (1, 1)),
        (6, 6, (6, 6)),
        (5, 99, (5, 6)),
        (99, 99, (6, 6)),
        (5, 2, (5, 5)),
        (u32::MAX, 0, (6, 6)),
    ] {
        let got = file.clamp(Span::new(start, end));
        assert_eq!((got.start, got.end), clamped, "{start}..{end}");
    }
}

//! Line ends, the BOM and letters outside ASCII: the same verdicts at the same
//! lines and columns.

use symbi_diagnostics::SourceFile;
use symbi_syntax::File;

use crate::support::sources;

/// Code, line and column of every report.
fn reports(text: &str) -> Vec<(&'static str, u32, u32)> {
    let source = SourceFile::new("x", text);
    File::parse(text)
        .diagnostics()
        .iter()
        .map(|diagnostic| {
            let at = source.line_column(diagnostic.primary.at.start);
            (diagnostic.code.id, at.line, at.column)
        })
        .collect()
}

#[test]
fn line_ends_and_the_bom_change_no_verdict_and_no_column() {
    let mut compared = 0;
    for (name, text) in sources() {
        assert!(!text.contains('\r'), "{name} is written with LF");
        let plain = reports(&text);
        assert_eq!(reports(&text.replace('\n', "\r\n")), plain, "CRLF: {name}");
        assert_eq!(reports(&text.replace('\n', "\r")), plain, "CR: {name}");
        assert_eq!(reports(&format!("\u{FEFF}{text}")), plain, "BOM: {name}");
        assert_eq!(
            reports(&format!("\u{FEFF}{}", text.replace('\n', "\r\n"))),
            plain,
            "BOM and CRLF: {name}"
        );
        // Blanks before the end say nothing about what is missing there.
        let trimmed = text.trim_end_matches('\n');
        let codes = |text: &str| -> Vec<_> { reports(text).iter().map(|r| r.0).collect() };
        assert_eq!(codes(trimmed), codes(&text), "no last line end: {name}");
        compared += plain.len();
    }
    assert!(compared > 100, "the sources have reports to compare");
}

#[test]
fn columns_count_characters_before_the_place() {
    for (text, code, line, column) in [
        ("metadata { a = \"é\",, b = 1 }", "S0133", 1, 20),
        ("metadata { a = \"🦀\",, b = 1 }", "S0133", 1, 20),
        ("metadata { a = \"漢字\",, b = 1 }", "S0133", 1, 21),
        ("metadata { a = \"e\u{301}\",, b = 1 }", "S0133", 1, 21),
        ("// 漢字 🦀\r\nagent é { }", "S0110", 2, 7),
        ("/* é\r🦀 */ agent my-agent { }", "S0110", 2, 12),
    ] {
        assert_eq!(reports(text), [(code, line, column)], "{text}");
    }
}

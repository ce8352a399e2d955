//! The one-line format.

use symbi_diagnostics::render::short;
use symbi_diagnostics::{Diagnostic, SourceFile, Span, names, syntax};

fn printed(name: &str, text: &str, at: u32, message: &str) -> String {
    let file = SourceFile::new(name, text);
    short(
        &file,
        &Diagnostic::new(&syntax::S0107, Span::at(at), message),
    )
}

#[test]
fn it_is_path_line_column_level_code_message() {
    assert_eq!(
        printed("agents/review.symbi", "é\r\nlet é = 1", 13, "expected `;`"),
        "agents/review.symbi:2:9: error[S0107]: expected `;`\n"
    );
    let file = SourceFile::new("<stdin>", "\\q");
    let diagnostic = Diagnostic::new(&syntax::S0106, Span::new(0, 2), "`\\q` is no escape")
        .label("not printed")
        .note(Span::at(0), "nor this")
        .help("nor that");
    assert_eq!(
        short(&file, &diagnostic),
        "<stdin>:1:1: warning[S0106]: `\\q` is no escape\n"
    );
}

#[test]
fn a_level_has_the_word_that_other_formats_have_for_it() {
    let file = SourceFile::new("x", "a");
    let table = [
        (&syntax::S0107, "x:1:1: error[S0107]: m\n"),
        (&syntax::S0106, "x:1:1: warning[S0106]: m\n"),
        (&names::N0240, "x:1:1: hint[N0240]: m\n"),
    ];
    for (code, expected) in table {
        assert_eq!(
            short(&file, &Diagnostic::new(code, Span::at(0), "m")),
            expected
        );
    }
}

#[test]
fn it_is_one_line_whatever_it_is_made_of() {
    assert_eq!(
        printed(
            "a\nb\x1B[2J\u{202E}.symbi",
            "x",
            0,
            "one\ntwo\r\x1B[31m\u{2028}"
        ),
        "a\\nb\\u{1b}[2J\\u{202e}.symbi:1:1: error[S0107]: one\\ntwo\\r\\u{1b}[31m\\u{2028}\n"
    );
}

#[test]
fn places_outside_the_text_are_its_end() {
    assert_eq!(printed("x", "", u32::MAX, "m"), "x:1:1: error[S0107]: m\n");
    assert_eq!(
        printed("x", "\u{FEFF}a\rb", 99, "m"),
        "x:2:2: error[S0107]: m\n"
    );
}

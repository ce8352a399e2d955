//! Sources and reports that the formats for other programs are shown with.

use symbi_diagnostics::render::Origin;
use symbi_diagnostics::{Diagnostic, Edit, SourceFile, Span, names, syntax};

/// A source: its text with what is reported, or why it could not be read.
pub struct Case {
    pub origin: Origin,
    pub text: Result<(SourceFile, Vec<Diagnostic>), String>,
}

impl Case {
    pub fn file(path: &str, text: &str, diagnostics: Vec<Diagnostic>) -> Self {
        Self {
            origin: Origin::file(path),
            text: Ok((SourceFile::new(path, text), diagnostics)),
        }
    }
}

fn edit(at: Span, text: &str) -> Edit {
    Edit {
        at,
        text: text.to_owned(),
    }
}

/// One of each kind.
pub fn all() -> Vec<Case> {
    let good = Case::file("./agents/deploy.symbi", "x", Vec::new());

    // A byte order mark, CRLF, a tab, an astral character; a place of no width.
    let text = "\u{FEFF}agent review {\r\n\tlet name = \"🦀é\"\r\n}\r\n";
    let semicolon = text.find("\r\n}").unwrap() as u32;
    let statement = text.find("let").unwrap() as u32;
    let review = Diagnostic::new(
        &syntax::S0107,
        Span::at(semicolon),
        "expected `;` after this statement",
    )
    .label("the statement ends here")
    .note(Span::new(statement, semicolon), "this is the statement")
    .fix("write `;`", vec![edit(Span::at(semicolon), ";")]);
    let review = Case::file("agents/review.symbi", text, vec![review]);

    // Two edits; the second report is the first one again.
    let text = "x = not y == z\nx = not y == z";
    let comparison = |start: u32| {
        Diagnostic::new(
            &syntax::S0153,
            Span::new(start + 4, start + 14),
            "`not` applies to `y` alone, not to the comparison",
        )
        .help("put what is meant into parentheses")
        .fix(
            "write `not (y == z)`",
            vec![
                edit(Span::at(start + 8), "("),
                edit(Span::at(start + 14), ")"),
            ],
        )
    };
    let triage = vec![comparison(0), comparison(15)];
    let triage = Case::file("agents/triage.symbi", text, triage);

    // Several lines, a lone CR among their ends; the end of the file; a hint.
    let text = "agent a {\r  b\n\n}\n";
    let ends = vec![
        Diagnostic::new(&syntax::S0102, Span::new(6, 14), "several lines"),
        Diagnostic::new(&syntax::S0107, Span::at(text.len() as u32), "at the end"),
        Diagnostic::new(&names::N0240, Span::new(6, 7), "`a` is never read"),
    ];
    let ends = Case::file("agents/100% é: b,c.symbi", text, ends);

    // What looks like a command, a tag, the end of one.
    let text = "::error::x ##[error] ]]> <&'\"> \x1B";
    let forged = Diagnostic::new(
        &syntax::S0102,
        Span::new(0, 7),
        "::error::x ##[error] ]]> <&'\"> \x1B\r\n100%",
    );
    let stdin = Case {
        origin: Origin::Text("<stdin>".to_owned()),
        text: Ok((SourceFile::new("<stdin>", text), vec![forged])),
    };

    let unreadable = Case {
        origin: Origin::file("agents/secret.symbi"),
        text: Err("permission denied".to_owned()),
    };
    vec![good, review, triage, ends, stdin, unreadable]
}

/// Spans that lead nowhere, and names and messages of every kind of character.
pub fn odd() -> Vec<Case> {
    let mut cases = Vec::new();
    let every: String = (0..0x300).filter_map(char::from_u32).collect();
    let more = "\u{FFFE}\u{FFFF}\u{1FFFE}\u{10FFFF}\u{2028}\u{202E}🦀]]>--%0A";
    for text in [
        "",
        "\u{FEFF}",
        "\r\n",
        "é\r🦀",
        "\0\u{202E}\x1B",
        &*every,
        more,
    ] {
        let spans = [(0, 0), (0, 99), (1, 2), (99, 3), (u32::MAX, u32::MAX)];
        let reports = spans.map(|(start, end)| {
            let at = Span::new(start, end);
            Diagnostic::new(&syntax::S0102, at, format!("odd: {text}"))
                .label(text)
                .help(text)
                .note(at, "")
                .note(at, text)
                .fix("delete it", vec![edit(at, text)])
        });
        let path = format!("/a/..//{every}{more}/x.symbi");
        cases.push(Case::file(&path, text, reports.to_vec()));
        cases.push(Case {
            origin: Origin::file(text),
            text: Err(format!("{every}{more}")),
        });
    }
    cases
}

//! What people see: snapshots with the source above the report. `⟦⟧` is the
//! place of the diagnostic, `⟪⟫` a note's.

use symbi_diagnostics::render::{Style, human};
use symbi_diagnostics::{Applicability, Diagnostic, Edit, Fix, SourceFile, Span, syntax};

use crate::{marked, visible};

/// The source and its report, to be compared with a snapshot.
fn shown(source: &str, change: impl FnOnce(Diagnostic) -> Diagnostic) -> String {
    let (file, diagnostic) = marked(source);
    let report = human(&file, &change(diagnostic), Style::default());
    format!("{}\n=====\n{report}", visible(source))
}

/// Some sources, each with its report.
fn all_shown(sources: &[&str]) -> String {
    let shown: Vec<String> = sources.iter().map(|s| shown(s, |d| d)).collect();
    shown.join("\n")
}

fn edit(at: Span, text: &str) -> Edit {
    Edit {
        at,
        text: text.to_owned(),
    }
}

#[test]
fn a_missing_semicolon() {
    let source = "agent review {\n  let found = scan(code)⟦⟧\n  return found;\n}\n";
    insta::assert_snapshot!(shown(source, |d| {
        let at = d.primary.at;
        d.label("this statement ends here")
            .fix("write `;`", vec![edit(at, ";")])
    }));
}

#[test]
fn notes_on_the_same_line_and_far_away() {
    let before = "// a\n".repeat(98);
    let source = format!(
        "{before}agent ⟪a⟫ ⟪{{⟫\n{}  call(1, ⟪(⟫2⟦]⟧;\n{}⟪}}⟫\n",
        "  x;\n".repeat(1000),
        "// b\n".repeat(3),
    );
    let (file, diagnostic) = marked(&source);
    insta::assert_snapshot!(human(
        &file,
        &diagnostic.label("this closes nothing"),
        Style::default()
    ));
}

#[test]
fn spans_of_several_lines() {
    insta::assert_snapshot!(all_shown(&[
        "a\n  ⟦{\n  b\n  c\n  d\n}⟧\n",
        "a ⟦{\n}⟧ b\n",
        "⟦one\ntwo\n\n⟧four\n",
        "⟪outer {\n  ⟦inner {\n  x\n  y\n  }⟧\n  z\n}⟫",
    ]));
}

#[test]
fn line_ends_of_every_kind() {
    insta::assert_snapshot!(all_shown(&[
        "a\r\nbc⟦⟧\r\nd",
        "a\rbc ⟦de⟧\rf",
        "a⟦\r\n⟧b",
        "a⟦\r⟧\nb",
        "ab⟦\n⟧\n",
        "a\n⟦\n\n⟧b",
        "no end⟦⟧",
        "an end\n⟦⟧",
        "⟦⟧",
        "⟦\n⟧",
    ]));
}

#[test]
fn a_bom_has_no_column() {
    insta::assert_snapshot!(all_shown(&[
        "\u{FEFF}⟦let⟧ x",
        "⟦\u{FEFF}⟧let x",
        "⟦\u{FEFF}⟧",
        "\u{FEFF}⟦⟧",
    ]));
}

#[test]
fn characters_of_every_width() {
    insta::assert_snapshot!(all_shown(&[
        "é = ⟦café⟧ + x",
        "🦀🦀 ⟦🦀⟧ x",
        "漢字 = ⟦漢字⟧ + 漢",
        "cafe\u{301} ⟦e\u{301}tude⟧ x",
        "e⟦\u{301}⟧ only the mark",
        "⟦\u{301}⟧ a mark on nothing",
        "👩\u{200D}💻 ⟦x⟧",
        "\ta\tb ⟦c\td⟧",
        "漢\t⟦x⟧",
        "漢⟦⟧字",
    ]));
}

#[test]
fn control_and_direction_characters_are_shown_not_obeyed() {
    insta::assert_snapshot!(all_shown(&[
        "\x1B[31mred\x1B[0m ⟦\0⟧ \x07\x08\x7F\u{9B}",
        "a\x0Bb\x0Cc\u{85}d\u{2028}e\u{2029} ⟦f⟧",
        "x = \u{202E}⟦y⟧\u{2066}; \u{200B}\u{FEFF}z",
    ]));
}

#[test]
fn words_and_names_cannot_break_out() {
    let file = SourceFile::new("a\nb\x1B[2J]c[.symbi", "x\n");
    let diagnostic = Diagnostic::new(&syntax::S0106, Span::new(0, 1), "odd\n\x1B[31m thing  ")
        .label("la\rbel\n")
        .note(Span::at(1), "no\nte")
        .help("he\nlp\u{202E}")
        .maybe_fix("wr\nite", vec![edit(Span::at(1), "\x1B")]);
    insta::assert_snapshot!(human(&file, &diagnostic, Style::default()));
}

#[test]
fn help_and_fixes_say_what_to_write() {
    let (file, diagnostic) = marked("policy p {\n  permit⟦:⟧ x\n}\n");
    let at = diagnostic.primary.at;
    let fixes: &[(&str, Vec<Edit>)] = &[
        ("write `=`", vec![edit(at, "=")]),
        ("write `;`", vec![edit(Span::at(at.end), ";")]),
        ("delete the colon", vec![edit(at, "")]),
        (
            "write the word that the language has",
            vec![edit(Span::new(13, 19), "allow")],
        ),
        ("write `allow`", vec![edit(Span::new(13, 19), "allow")]),
        ("write `policy`", vec![edit(Span::new(0, 6), "policy")]),
        ("name the rule's effect", vec![edit(Span::at(22), "tool")]),
        ("close the policy", vec![edit(Span::at(at.end), "}")]),
        ("write a rule a line", vec![edit(at, "a\nb")]),
        (
            "write double quotes",
            vec![edit(at, "\""), edit(Span::at(22), "\"")],
        ),
    ];
    let lines: String = fixes
        .iter()
        .map(|(title, edits)| {
            let diagnostic = diagnostic.clone().fix(*title, edits.clone());
            human(&file, &diagnostic, Style::default())
        })
        .flat_map(|report| {
            let help = report.lines().find(|line| line.contains("help: "));
            format!("{}\n", help.unwrap()).chars().collect::<Vec<_>>()
        })
        .collect();
    insta::assert_snapshot!(lines);
    let both = diagnostic.help("rules start with `allow` or `deny`");
    let both = both.maybe_fix(fixes[4].0, fixes[4].1.clone());
    insta::assert_snapshot!(human(&file, &both, Style::default()));
}

#[test]
fn many_notes_are_counted_not_drawn() {
    let source = format!("⟦x⟧ {}", "⟪y⟫ ".repeat(30));
    let (file, diagnostic) = marked(&source);
    let report = human(&file, &diagnostic, Style::default());
    assert!(report.contains("note 8\n"), "{report}");
    assert!(!report.contains("note 9\n"), "{report}");
    assert!(report.contains("help: 22 more places like these are not shown\n"));
}

#[test]
fn long_lines_are_shown_around_their_marks() {
    let pad = |n: usize| "abcdefghi ".repeat(n);
    let style = Style {
        width: 60,
        ..Style::default()
    };
    let sources = [
        format!("{}⟦here⟧ {}", pad(10), pad(10)),
        format!("⟦here⟧ {}", pad(20)),
        format!("{}⟦here⟧", pad(20)),
        format!("{}⟦⟧", pad(20).trim_end()),
        format!("{}⟦{}⟧{}", pad(10), pad(20), pad(10)),
        format!("{}⟪(⟫{}⟦]⟧{}", pad(10), pad(20), pad(10)),
        format!("{}⟪(⟫{}⟦]⟧{}", pad(10), pad(2), pad(10)),
        format!("{}⟦{}\n{}⟧{}", pad(10), pad(20), pad(20), pad(10)),
        format!("{}⟦漢字⟧{}", "漢字".repeat(50), "\t漢字".repeat(50)),
    ];
    let shown: String = sources
        .iter()
        .map(|source| {
            let (file, diagnostic) = marked(source);
            human(&file, &diagnostic, style)
        })
        .collect();
    insta::assert_snapshot!(shown);
}

#[test]
fn a_megabyte_in_one_line_stays_small_and_keeps_its_column() {
    for unit in ["漢字🦀é; ", "a", "\u{301}", "\0", "\t"] {
        let count = 1_200_000 / unit.len();
        let mut text = unit.repeat(count);
        let middle = unit.len() * (count / 2);
        let end = text.len();
        text.push_str("\nlast");
        let file = SourceFile::new("big.symbi", text);
        for span in [
            Span::at(middle as u32),
            Span::new(middle as u32, (middle + unit.len()) as u32),
            Span::new(0, end as u32),
            Span::new(middle as u32, end as u32 + 3),
        ] {
            let diagnostic = Diagnostic::new(&syntax::S0107, span, "expected `;`")
                .note(Span::at(end as u32), "the line ends here");
            let report = human(&file, &diagnostic, Style::default());
            assert!(
                report.len() < 4096,
                "{} bytes for {unit:?} {span:?}",
                report.len()
            );
            let column = unit.chars().count() * (span.start as usize / unit.len()) + 1;
            let place = format!("[ big.symbi:1:{column} ]");
            assert!(report.contains(&place), "{place} in {report}");
        }
        let alone = Diagnostic::new(&syntax::S0107, Span::at(middle as u32), "expected `;`");
        let report = human(&file, &alone, Style::default());
        assert!(report.len() < 2048, "{} bytes for {unit:?}", report.len());
    }
}

#[test]
fn colours_change_nothing_but_colours() {
    let (file, diagnostic) = marked("agent ⟪a⟫ {\n  let x = é⟦⟧\n}\n");
    let at = diagnostic.primary.at;
    let diagnostic = diagnostic.fix("write `;`", vec![edit(at, ";")]);
    let plain = human(&file, &diagnostic, Style::default());
    let colored = human(
        &file,
        &diagnostic,
        Style {
            color: true,
            ..Style::default()
        },
    );
    assert!(!plain.contains('\x1B'));
    let mut stripped = String::new();
    for (number, part) in colored.split("\x1B[").enumerate() {
        let part = match number {
            0 => part,
            _ => part.split_once('m').expect("a colour").1,
        };
        stripped.push_str(part);
    }
    assert_eq!(stripped, plain);
    insta::assert_snapshot!(colored.replace('\x1B', "␛"));
}

#[test]
fn a_fix_is_shown_whoever_may_apply_it() {
    let (file, mut diagnostic) = marked("x ⟦⟧\n");
    diagnostic.fix = Some(Fix {
        title: "write `;`".to_owned(),
        applicability: Applicability::MaybeIncorrect,
        edits: vec![edit(diagnostic.primary.at, ";")],
    });
    let report = human(&file, &diagnostic, Style::default());
    assert!(report.contains("│ help: write `;` here\n"), "{report}");
}

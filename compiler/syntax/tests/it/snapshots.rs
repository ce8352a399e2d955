//! Snapshots: each holds its source and what came of it. The sources are
//! `tests/data/{tokens,trees,errors,format}/*.symbi`.

use std::fmt::Write as _;
use std::path::Path;

use symbi_diagnostics::{Applicability, SourceFile};
use symbi_syntax::{File, WalkEvent, lex};

/// Runs `show` over the sources of a folder; each result is a snapshot.
fn each(folder: &str, show: impl Fn(&str) -> String) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/data")
        .join(folder);
    let mut sources: Vec<_> = std::fs::read_dir(&path)
        .expect("the data folder")
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| symbi_syntax::is_symbi_file(path))
        .collect();
    sources.sort();
    assert!(sources.len() >= 3, "{folder} has sources");
    let mut settings = insta::Settings::clone_current();
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| {
        for path in sources {
            let name = path
                .file_stem()
                .expect("a name")
                .to_string_lossy()
                .into_owned();
            let source = std::fs::read_to_string(&path).expect("a readable source");
            let text = format!("{source}\n----- {folder}\n{}", show(&source));
            insta::assert_snapshot!(format!("{folder}-{name}"), text);
        }
    });
}

#[test]
fn tokens_are_as_the_reference_has_them() {
    each("tokens", |source| {
        let mut out = String::new();
        for (kind, span) in lex(source) {
            let _ = writeln!(out, "{} {:?}", kind.name(), &source[span.range()]);
        }
        out
    });
}

#[test]
fn trees_show_what_binds_to_what() {
    each("trees", |source| {
        let file = File::parse(source);
        let mut out = String::new();
        let mut depth = 0;
        for event in file.walk() {
            let indent = "  ".repeat(depth);
            match event {
                WalkEvent::Enter(kind, _) => {
                    let _ = writeln!(out, "{indent}{}", kind.name());
                    depth += 1;
                }
                WalkEvent::Token(kind, span) => {
                    if !kind.is_trivia() {
                        let _ = writeln!(out, "{indent}{:?}", &source[span.range()]);
                    }
                }
                WalkEvent::Leave => depth -= 1,
            }
        }
        out
    });
}

#[test]
fn reports_say_what_was_expected_and_what_to_write() {
    each("errors", |source| {
        let file = File::parse(source);
        let table = SourceFile::new("x", source);
        let mut out = String::new();
        for d in file.diagnostics() {
            let place = |span: symbi_diagnostics::Span| {
                let (from, to) = (table.line_column(span.start), table.line_column(span.end));
                format!("{}:{}-{}:{}", from.line, from.column, to.line, to.column)
            };
            let _ = writeln!(
                out,
                "{} {}[{}] {}",
                place(d.primary.at),
                d.code.level.word(),
                d.code.id,
                d.message
            );
            if !d.primary.text.is_empty() {
                let _ = writeln!(out, "    here: {}", d.primary.text);
            }
            for note in &d.notes {
                let _ = writeln!(out, "    {} {}", place(note.at), note.text);
            }
            if let Some(help) = &d.help {
                let _ = writeln!(out, "    help: {help}");
            }
            if let Some(fix) = &d.fix {
                let sure = match fix.applicability {
                    Applicability::MachineApplicable => "fix",
                    Applicability::MaybeIncorrect => "perhaps",
                };
                let _ = writeln!(out, "    {sure}: {}", fix.title);
                for edit in &fix.edits {
                    let _ = writeln!(out, "        {} {:?}", place(edit.at), edit.text);
                }
            }
        }
        out
    });
}

#[test]
fn formatted_sources_read_well() {
    each("format", |source| {
        symbi_syntax::format::format_text(source).expect("no errors")
    });
}

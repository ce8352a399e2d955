//! Whatever a file holds, reading it ends with places that lie in the file.

use symbi_diagnostics::{Diagnostic, Span};
use symbi_project::{CustomTypes, Manifest, ProjectFile};

use crate::{Kind, cases, types};

/// Reads a text as a kind of file, and checks every place.
fn read(kind: Kind, text: &str) {
    match kind {
        Kind::Project => read_project(text),
        Kind::Manifest => read_manifest(text),
        Kind::Types => check_reports(text, &CustomTypes::parse(text).diagnostics),
    }
}

fn read_project(text: &str) {
    let project = ProjectFile::parse(text);
    check_reports(text, &project.diagnostics);
    let data = project.data;
    for level in &data.check.levels {
        check_place(text, level.at);
        assert_ne!(level.code.level, symbi_diagnostics::Level::Error);
    }
    for waiver in &data.policy.waive {
        check_place(text, waiver.at);
        check_place(text, waiver.name.at);
    }
    for tier in [data.sandbox.tier, data.sandbox.minimum]
        .into_iter()
        .flatten()
    {
        check_place(text, tier.at);
    }
}

fn read_manifest(text: &str) {
    let manifest = Manifest::parse_with(text, "tools/a.clad.toml", types());
    check_reports(text, &manifest.diagnostics);
    for argument in &manifest.data.arguments {
        check_place(text, argument.name.at);
        let default = argument.default.iter().map(|default| default.at);
        let position = argument.position.iter().map(|position| position.at);
        default.chain(position).for_each(|at| check_place(text, at));
    }
}

fn check_reports(text: &str, reports: &[Diagnostic]) {
    assert!(
        reports.is_sorted_by_key(|report| report.primary.at),
        "{text}"
    );
    for report in reports {
        check_place(text, report.primary.at);
        for note in &report.notes {
            check_place(text, note.at);
        }
        for edit in report.fix.iter().flat_map(|fix| &fix.edits) {
            check_place(text, edit.at);
        }
        let message = &report.message;
        assert!(!message.is_empty() && !message.ends_with('.'), "{message}");
        assert!(!message.contains('\n'), "{message:?}");
    }
}

fn check_place(text: &str, at: Span) {
    assert!(text.get(at.range()).is_some(), "{at:?} in {text:?}");
}

#[test]
fn every_prefix_of_every_case() {
    for kind in Kind::ALL {
        for (_, text) in cases(kind) {
            for (end, _) in text.char_indices() {
                read(kind, &text[..end]);
            }
        }
    }
}

#[test]
fn every_case_without_one_of_its_characters_or_with_one_more() {
    for kind in Kind::ALL {
        for (_, text) in cases(kind) {
            // Of a long case every third: each is read whole.
            let step = if text.len() > 800 { 3 } else { 1 };
            for (at, c) in text.char_indices().step_by(step) {
                let (before, after) = (&text[..at], &text[at + c.len_utf8()..]);
                read(kind, &format!("{before}{after}"));
                // In turn, because all at each place take too long.
                let more = [
                    "\"", "[", "]", "{", "}", "=", ".", ",", "\n", "\r", "\0", "é", "\u{feff}",
                ];
                let more = more[at % more.len()];
                read(kind, &format!("{before}{more}{c}{after}"));
            }
        }
    }
}

/// Text of one kind, a lot of it: quadratic work would take minutes.
#[test]
fn large_files_are_read_in_time() {
    let size = symbi_project::MAX_SIZE / 4;
    let repeated = |line: &str| line.repeat(size / line.len());
    let numbered = |line: &dyn Fn(usize) -> String| {
        let mut text = String::new();
        let mut number = 0;
        while text.len() < size {
            text.push_str(&line(number));
            number += 1;
        }
        text.truncate(size);
        text
    };
    for text in [
        repeated("="),
        repeated("=\n"),
        repeated("[a]\n"),
        repeated("[[sandbox]]\n"),
        repeated("a.a.a.a = 1\n"),
        repeated("\""),
        repeated("{"),
        repeated("a={"),
        repeated("é"),
        format!("[policy]\nwaive = [{}]\n", "{},".repeat(size / 3 - 20)),
        format!(
            "[policy]\nwaive = [{}]\n",
            "\"B0703 x\",".repeat(size / 10 - 20)
        ),
        numbered(&|n| format!("[args.a{n}]\n")),
        numbered(&|n| format!("[types.a{n}]\nbase=\"a{}\"\n", n + 1)),
        numbered(&|n| format!("[types.a{n}]\nbase=\"b{n}\"\n")),
        format!("[sandbox]\n{}", numbered(&|n| format!("a{n}=1\n"))),
        format!("[tool]\n{}", numbered(&|n| format!("a{n}=1\n"))),
        numbered(&|n| {
            format!(
                "[args.a{n}]\ntype=\"string\"\n[types.a{n}]\nbase=\"string\"\npattern=\"\\\\w+\"\n"
            )
        }),
        format!(
            "[command]\nexec = [\"a\", {}]\n{}",
            "\"{x}\",".repeat(size / 12),
            numbered(&|n| format!("[args.a{n}]\n"))
        ),
        format!(
            "[command]\ntemplate = \"{}\"\n",
            "{x} ".repeat(size / 4 - 20)
        ),
        format!("[command]\ntemplate = \"{}\"\n", "}".repeat(size - 40)),
        format!(
            "[http]\nbody_template = '{}'\n",
            "{{x".repeat(size / 3 - 20)
        ),
        format!(
            "[http]\nsuccess_status = [{0}]\nerror_status = [{0}]\n",
            "200,".repeat(size / 8 - 20)
        ),
        format!(
            "[args.a]\ntype=\"enum\"\nallowed=[{}]\n",
            "\"a;\",".repeat(size / 5 - 20)
        ),
        format!(
            "[command.conditionals.a]\nwhen=\"{}\"\n",
            "a==b and ".repeat(size / 9 - 20)
        ),
        numbered(&|n| format!("[command.conditionals.a{n}]\nwhen=\"b == c\"\n")),
        numbered(&|n| format!("[command.mappings.a{n}]\nb=\"c\"\n")),
    ] {
        let text = &text[..text.floor_char_boundary(size)];
        let reports = [
            ProjectFile::parse(text).diagnostics,
            Manifest::parse(text, "tools/a.clad.toml").diagnostics,
            CustomTypes::parse(text).diagnostics,
        ];
        for reports in reports {
            assert!(reports.len() <= 200, "{}", reports.len());
        }
    }
}

#[test]
fn an_error_is_not_lost_behind_many_warnings() {
    let mut text = String::new();
    for number in 0..500 {
        text.push_str(&format!("[table_{number}_of_nobody]\n"));
    }
    let warnings = ProjectFile::parse(&text);
    assert_eq!(warnings.diagnostics.len(), 100);
    assert!(!warnings.has_errors());
    text.push_str("[sandbox]\nminumum = \"gvisor\"\n");
    let parsed = ProjectFile::parse(&text);
    assert_eq!(parsed.diagnostics.len(), 100);
    assert!(parsed.has_errors());
}

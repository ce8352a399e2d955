//! `tests/suites/<topic>/<name>.md`: what is reported about which source.
//!
//! A heading begins a case. Each fence of it is a file of one project:
//! ```` ```symbi ````, with `file=PATH` if its name matters, and
//! ```` ```toml file=PATH ```` for manifests. What is reported about a line
//! stands in a comment at its end:
//!
//! ```text
//! let x: int = "a";  //~ error T0301 "expected `int`" @"\"a\"", hint N0240
//! ```
//!
//! Level and code, then perhaps a part of the message in quotes, then perhaps
//! `@` and the text that is marked. All reports of a case must be announced.
//! Families in [`LATER`] are not checked yet, and not compared.

use std::fmt::Write;
use std::path::{Path, PathBuf};

use symbi_diagnostics::{Diagnostic, SourceFile};

use crate::support::{Given, check};

/// Families that come with a later step.
const LATER: &[char] = &['I'];

#[derive(Debug, Default)]
struct Case {
    heading: String,
    files: Vec<Given>,
}

#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Expected {
    level: String,
    code: String,
    message: Option<String>,
    marked: Option<String>,
}

fn cases(text: &str) -> Vec<Case> {
    let mut cases: Vec<Case> = Vec::new();
    let mut open: Option<bool> = None;
    for line in text.lines() {
        let fence = line.strip_prefix("```");
        match (open, fence) {
            (Some(_), Some(_)) => open = None,
            (Some(true), None) => {
                let file = cases.last_mut().and_then(|case| case.files.last_mut());
                let text = &mut file.expect("an open file").text;
                text.push_str(line);
                text.push('\n');
            }
            (Some(false), None) => {}
            (None, Some(info)) => {
                let mut words = info.split_whitespace();
                let wanted = matches!(words.next(), Some("symbi" | "toml"));
                open = Some(wanted);
                if wanted {
                    let path = words
                        .find_map(|word| word.strip_prefix("file="))
                        .unwrap_or("main.symbi");
                    let case = cases.last_mut().expect("a heading before the first fence");
                    case.files.push(Given {
                        path: path.to_owned(),
                        text: String::new(),
                    });
                }
            }
            (None, None) if line.starts_with('#') => cases.push(Case {
                heading: line.trim_start_matches(['#', ' ']).to_owned(),
                ..Case::default()
            }),
            (None, None) => {}
        }
    }
    assert_eq!(open, None, "a fence is not closed");
    cases.retain(|case| !case.files.is_empty());
    cases
}

/// What a line announces.
fn announced(line: &str) -> Vec<Expected> {
    let Some((_, mut rest)) = line.split_once("//~") else {
        return Vec::new();
    };
    let mut expected = Vec::new();
    loop {
        rest = rest.trim_start();
        if rest.is_empty() {
            return expected;
        }
        let mut word = || {
            rest = rest.trim_start();
            let end = rest.find([' ', ',']).unwrap_or(rest.len());
            let (word, after) = rest.split_at(end);
            rest = after;
            word.to_owned()
        };
        let (level, code) = (word(), word());
        let known = ["error", "warning", "hint"].contains(&&*level);
        assert!(known && code.len() == 5, "{line}");
        let mut one = Expected {
            level,
            code,
            message: None,
            marked: None,
        };
        loop {
            rest = rest.trim_start();
            let (into, quoted) = if let Some(quoted) = rest.strip_prefix("@\"") {
                (&mut one.marked, quoted)
            } else if let Some(quoted) = rest.strip_prefix('"') {
                (&mut one.message, quoted)
            } else {
                break;
            };
            let mut text = String::new();
            let mut chars = quoted.char_indices();
            let end = loop {
                match chars.next() {
                    Some((_, '\\')) => text.extend(chars.next().map(|(_, c)| c)),
                    Some((at, '"')) => break at,
                    Some((_, c)) => text.push(c),
                    None => panic!("a quote is not closed: {line}"),
                }
            };
            *into = Some(text);
            rest = &quoted[end + 1..];
        }
        expected.push(one);
        match rest.strip_prefix(',') {
            Some(after) => rest = after,
            None => assert!(rest.is_empty(), "`,` between two reports: {line}"),
        }
    }
}

fn is_met(expected: &Expected, report: &Diagnostic, text: &str) -> bool {
    let marked = || &text[report.primary.at.range()];
    report.code.id == expected.code
        && report.code.level.word() == expected.level
        && expected
            .message
            .as_ref()
            .is_none_or(|part| report.message.contains(&**part))
        && expected.marked.as_ref().is_none_or(|text| text == marked())
}

/// What is wrong with a case; empty if all is as announced.
fn compare(case: &Case) -> String {
    let mut wrong = String::new();
    for (given, reports) in check(&case.files) {
        let file = SourceFile::new(&given.path, given.text.clone());
        let mut by_line: Vec<Vec<&Diagnostic>> = vec![Vec::new(); given.text.lines().count() + 1];
        for report in &reports {
            if !LATER
                .iter()
                .any(|family| report.code.id.starts_with(*family))
            {
                let line = file.line_column(report.primary.at.start).line as usize;
                by_line[line.min(given.text.lines().count()) - 1].push(report);
            }
        }
        for (index, line) in given.text.lines().enumerate() {
            let mut left = by_line[index].clone();
            for expected in announced(line) {
                let met = left
                    .iter()
                    .position(|report| is_met(&expected, report, &given.text));
                match met {
                    Some(at) => {
                        left.remove(at);
                    }
                    None => {
                        let _ = writeln!(
                            wrong,
                            "  {}:{}: not met: {expected:?}",
                            given.path,
                            index + 1
                        );
                    }
                }
            }
            for report in left {
                let marked = &given.text[report.primary.at.range()];
                let _ = writeln!(
                    wrong,
                    "  {}:{}: not announced: {} {} \"{}\" @{marked:?}",
                    given.path,
                    index + 1,
                    report.code.level.word(),
                    report.code.id,
                    report.message
                );
            }
        }
    }
    wrong
}

fn suites() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/suites");
    let mut found = Vec::new();
    let mut waiting = vec![root];
    while let Some(folder) = waiting.pop() {
        for entry in std::fs::read_dir(&folder).expect("a readable folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                waiting.push(path);
            } else if path.extension().is_some_and(|extension| extension == "md") {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

#[test]
fn every_case_reports_what_it_announces() {
    let mut wrong = String::new();
    let mut count = 0;
    // `SUITE=types/` looks at the files with this in their path only.
    let only = std::env::var("SUITE").unwrap_or_default();
    for path in suites() {
        if !path.to_string_lossy().contains(&only) {
            continue;
        }
        let text = std::fs::read_to_string(&path).expect("a readable suite");
        for case in cases(&text) {
            count += 1;
            let found = compare(&case);
            if !found.is_empty() {
                let _ = writeln!(wrong, "{} # {}\n{found}", path.display(), case.heading);
            }
        }
    }
    assert!(wrong.is_empty(), "{count} cases\n{wrong}");
    assert!(count > 0);
}

#[test]
fn what_is_not_announced_and_what_is_not_met_are_told() {
    let text = "# a\n```symbi\nagent a { }\nagent a { } //~ error N0201 \"second\" @\"a\"\n```\n\
                # b\n```symbi\nagent a { }\nagent a { } //~ warning N0201\n```\n";
    let cases = cases(text);
    assert_eq!(cases.len(), 2);
    assert_eq!(compare(&cases[0]), "");
    let wrong = compare(&cases[1]);
    assert!(
        wrong.contains("main.symbi:2: not met: Expected { level: \"warning\""),
        "{wrong}"
    );
    assert!(
        wrong.contains("main.symbi:2: not announced: error N0201"),
        "{wrong}"
    );
}

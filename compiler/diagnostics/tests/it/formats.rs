//! GitHub's commands, GitLab's code quality and JUnit's XML.

use std::collections::HashSet;
use std::fmt::Write as _;
use std::io::Write as _;
use std::process::{Command, Stdio};

use serde_json::{Value, json};
use symbi_diagnostics::render::{
    GitlabFile, GitlabReport, JunitCase, JunitReport, Origin, github, github_unreadable, inert,
};
use symbi_diagnostics::{Diagnostic, SourceFile, Span, names, syntax};

use crate::cases::{self, Case};

fn commands(cases: &[Case]) -> String {
    let mut out = String::new();
    for case in cases {
        match &case.text {
            Ok((file, reports)) => {
                for report in reports {
                    out.push_str(&github(&case.origin, file, report));
                }
            }
            Err(reason) => out.push_str(&github_unreadable(&case.origin, reason)),
        }
    }
    out
}

fn gitlab(cases: &[Case]) -> String {
    let mut report = GitlabReport::default();
    let mut out = String::new();
    for case in cases {
        out.push_str(&report.push(match &case.text {
            Ok((file, reports)) => GitlabFile::checked(&case.origin, file, reports),
            Err(reason) => GitlabFile::unreadable(&case.origin, reason),
        }));
    }
    out + &report.finish()
}

fn junit(cases: &[Case], deny_warnings: bool) -> String {
    let mut report = JunitReport::new("symbi dsl --check");
    for case in cases {
        report.push(&match &case.text {
            Ok((file, reports)) => JunitCase::checked(&case.origin, file, reports, deny_warnings),
            Err(reason) => JunitCase::unreadable(&case.origin, reason),
        });
    }
    report.finish()
}

#[test]
fn the_documents_are_these() {
    let cases = cases::all();
    let mut all = String::new();
    for (name, document) in [
        ("github", commands(&cases)),
        ("gitlab", gitlab(&cases)),
        ("junit", junit(&cases, false)),
        ("junit, warnings denied", junit(&cases, true)),
    ] {
        writeln!(all, "== {name}\n{document}").unwrap();
    }
    insta::assert_snapshot!(all);
}

/// A command as the runner reads it: its name, its properties and its message.
fn read(line: &str) -> (String, Vec<(String, String)>, String) {
    let rest = line.strip_prefix("::").unwrap();
    let (head, message) = rest.split_once("::").unwrap();
    let (command, properties) = head.split_once(' ').unwrap();
    let unescape = |text: &str, signs: &[(&str, &str)]| {
        let text = signs.iter().fold(text.to_owned(), |text, (code, sign)| {
            text.replace(code, sign)
        });
        text.replace("%25", "%")
    };
    let ends = [("%0D", "\r"), ("%0A", "\n")];
    let signs = [("%0D", "\r"), ("%0A", "\n"), ("%3A", ":"), ("%2C", ",")];
    let properties = properties.split(',').map(|pair| {
        let (name, value) = pair.split_once('=').unwrap();
        (name.to_owned(), unescape(value, &signs))
    });
    (
        command.to_owned(),
        properties.collect(),
        unescape(message, &ends),
    )
}

#[test]
fn the_runner_reads_what_was_said() {
    let origin = Origin::file("./a, b: 100%\n.symbi");
    let file = SourceFile::new("x", "é🦀x\ny");
    let report = Diagnostic::new(&syntax::S0107, Span::new(2, 6), "a::b, 100%0A").help("say\nit");
    let line = github(&origin, &file, &report);
    assert_eq!(line.matches('\n').count(), 1);
    let (command, properties, message) = read(line.trim_end_matches('\n'));
    let pair = |name: &str, value: &str| (name.to_owned(), value.to_owned());
    assert_eq!(command, "error");
    assert_eq!(
        properties,
        [
            pair("file", "a, b: 100%\n.symbi"),
            pair("line", "1"),
            pair("col", "2"),
            pair("endLine", "1"),
            pair("endColumn", "3"),
            pair("title", "S0107: a missing `;`"),
        ]
    );
    assert_eq!(message, "a::b, 100%0A\nhelp: say\\nit");
    // The runner drops columns of several lines with a complaint.
    let report = Diagnostic::new(&names::N0240, Span::new(0, 9), "m");
    let (command, properties, _) = read(github(&origin, &file, &report).trim_end());
    let names: Vec<&str> = properties.iter().map(|(name, _)| &**name).collect();
    assert_eq!(
        (&*command, &*names),
        ("notice", &["file", "line", "endLine", "title"][..])
    );
    let warning = Diagnostic::new(&syntax::S0161, Span::at(0), "m");
    assert!(github(&origin, &file, &warning).starts_with("::warning "));
}

#[test]
fn a_line_that_is_no_command_cannot_be_taken_for_one() {
    let table = [
        ("agents/x.symbi  OK", "agents/x.symbi  OK"),
        ("a::b::c", "a::b::c"),
        ("::error::x.symbi  OK", "\\u{3a}:error::x.symbi  OK"),
        (" \t::stop-commands::x", " \t\\u{3a}:stop-commands::x"),
        ("a ##[group]b", "a #\\u{23}[group]b"),
        ("###[x", "##\\u{23}[x"),
        ("", ""),
    ];
    for (line, expected) in table {
        let inert = inert(line);
        assert_eq!(inert, expected);
        assert!(!inert.trim_start().starts_with("::") && !inert.contains("##["));
    }
}

#[test]
fn every_command_is_one_line() {
    for line in commands(&cases::odd()).split_terminator('\n') {
        let (command, ..) = read(line);
        assert_eq!(command, "error");
    }
}

#[test]
fn the_code_quality_of_nothing_is_an_empty_list() {
    assert_eq!(gitlab(&[]), "[]\n");
    assert_eq!(gitlab(&cases::all()[..1]), "[]\n");
}

#[test]
fn fingerprints_are_unique_and_outlive_lines_above() {
    let issues = |cases: &[Case]| -> Vec<Value> {
        let list: Value = serde_json::from_str(&gitlab(cases)).unwrap();
        list.as_array().unwrap().clone()
    };
    let prints = |cases: &[Case]| -> Vec<String> {
        let issues = issues(cases);
        let print = |issue: &Value| issue["fingerprint"].as_str().unwrap().to_owned();
        issues.iter().map(print).collect()
    };
    // The same path twice stands for two names that are printed alike.
    let many: Vec<Case> = [cases::all(), cases::all(), cases::odd()]
        .into_iter()
        .flatten()
        .collect();
    let all = prints(&many);
    assert_eq!(all.iter().collect::<HashSet<_>>().len(), all.len());
    assert!(all.iter().all(|print| print.len() == 32));

    let case = |path: &str, text: &str| {
        let report = |(at, _)| Diagnostic::new(&syntax::S0107, Span::at(at as u32), "m");
        Case::file(path, text, text.match_indices('x').map(report).collect())
    };
    let before = prints(&[case("a", "x\nx\n")]);
    assert_eq!(prints(&[case("./a", "// y\r\n x\n\nx\n")]), before);
    assert!(
        before
            .iter()
            .all(|print| !prints(&[case("b", "x\nx\n")]).contains(print))
    );
    let lines = issues(&[case("a", "\nx\n")]);
    assert_eq!(
        lines[0]["location"],
        json!({"path": "a", "lines": {"begin": 2, "end": 2}})
    );
}

/// What xmllint says of a document, with the schema of Jenkins: nothing if it
/// keeps to it.
fn xml_complaints(document: &str) -> String {
    let schema = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/schemas/junit-10.xsd");
    let mut child = Command::new("xmllint")
        .args(["--nonet", "--noout", "--schema", schema, "-"])
        .stdin(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("xmllint is there: tests/set-up installs it");
    let mut stdin = child.stdin.take().unwrap();
    stdin.write_all(document.as_bytes()).unwrap();
    drop(stdin);
    let output = child.wait_with_output().unwrap();
    let told = String::from_utf8_lossy(&output.stderr).into_owned();
    if output.status.success() {
        assert_eq!(told.trim(), "- validates");
        return String::new();
    }
    told
}

#[test]
fn xml_keeps_to_the_schema_of_jenkins() {
    for cases in [cases::all(), cases::odd(), Vec::new()] {
        for deny in [false, true] {
            assert_eq!(xml_complaints(&junit(&cases, deny)), "");
        }
    }
    let document = junit(&cases::all(), false);
    for (good, bad) in [
        (" tests=\"6\"", ""),
        ("<failure ", "<fault "),
        ("&lt;", "<"),
        ("name=\"agents/", "nam=\"agents/"),
    ] {
        assert_ne!(
            xml_complaints(&document.replacen(good, bad, 9)),
            "",
            "{good}"
        );
    }
}

#[test]
fn a_flood_of_reports_ends_with_their_number() {
    let file = SourceFile::new("x.symbi", "x".repeat(1005));
    let report = |at| Diagnostic::new(&syntax::S0107, Span::at(at), "m");
    let reports: Vec<Diagnostic> = (0..1005).map(report).collect();
    let mut document = JunitReport::new("x");
    let origin = Origin::file("x.symbi");
    document.push(&JunitCase::checked(&origin, &file, &reports, false));
    let document = document.finish();
    assert_eq!(document.matches("error[S0107]").count(), 1000);
    assert!(document.contains("message=\"m (and 1004 more)\""));
    assert!(document.contains("\n5 more; --format short prints them all\n</failure>"));
}

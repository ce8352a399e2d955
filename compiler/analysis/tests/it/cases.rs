//! `tests/cases/*.txt`: one construct a case, with the verdict of the
//! reference. A letter stands for a family of codes: with a count in brackets
//! for so many reports, else for at least one, and for exactly one in the
//! family S. A verdict of `error` lists the errors only.

use std::collections::BTreeMap;

use symbi_diagnostics::Diagnostic;

use crate::support::{check_text, repository};

/// Families that come with a later step, and are not compared.
const LATER: &[char] = &['I'];

/// How many cases each file has, so that none gets lost.
const FILES: &[(&str, usize)] = &[
    ("constructs.txt", 98),
    ("forms.txt", 122),
    ("policies.txt", 19),
    ("public-forms.txt", 132),
];

struct Case {
    name: String,
    source: String,
    /// `ok`, `warn` or `error`.
    level: String,
    families: Vec<String>,
}

fn read(file: &str) -> Vec<Case> {
    let path = repository().join("tests/cases").join(file);
    let text = std::fs::read_to_string(path).expect("a readable case file");
    text.split("\n=== ")
        .skip(1)
        .map(|case| {
            let (head, source) = case.split_once('\n').expect("a head line");
            let (name, verdict) = head.rsplit_once("| ours: ").expect("a verdict");
            let mut words = verdict.split_whitespace();
            Case {
                name: format!("{file}: {}", name.trim_end_matches(['|', ' '])),
                source: source.to_owned(),
                level: words.next().expect("a level").to_owned(),
                families: words.map(str::to_owned).collect(),
            }
        })
        .collect()
}

fn told(reports: &[Diagnostic]) -> String {
    let lines: Vec<String> = reports
        .iter()
        .filter(|report| !report.is_hint())
        .map(|report| format!("    {} {}", report.code.id, report.message))
        .collect();
    lines.join("\n")
}

/// What is wrong with the reports of a case, if anything is.
fn complaint(case: &Case, reports: &[Diagnostic]) -> Option<String> {
    let family = |report: &Diagnostic| report.code.id.chars().next().unwrap_or('?');
    let compared: Vec<&Diagnostic> = reports
        .iter()
        .filter(|report| !report.is_hint() && !LATER.contains(&family(report)))
        .collect();
    let expected: Vec<(char, Option<usize>)> = case
        .families
        .iter()
        .map(|word| {
            let (letter, count) = word.split_at(1);
            let count = count.trim_matches(['[', ']']).parse().ok();
            (letter.chars().next().unwrap_or('?'), count)
        })
        .filter(|(family, _)| !LATER.contains(family))
        .collect();
    let errors = compared.iter().filter(|report| report.is_error()).count();
    // An error of a later family cannot be seen today.
    let level_is_later = expected.is_empty() && !case.families.is_empty();
    match &*case.level {
        "error" if errors == 0 && !level_is_later => return Some("has no error".to_owned()),
        "ok" | "warn" if errors > 0 => return Some("has an error".to_owned()),
        "ok" if !compared.is_empty() => return Some("has a report".to_owned()),
        _ => {}
    }
    let mut found: BTreeMap<char, usize> = BTreeMap::new();
    for report in compared {
        if case.level != "error" || report.is_error() {
            *found.entry(family(report)).or_default() += 1;
        }
    }
    for (family, count) in &expected {
        let found = found.remove(family).unwrap_or(0);
        let right = match count {
            Some(count) => found == *count,
            None if *family == 'S' => found == 1,
            None => found >= 1,
        };
        if !right {
            return Some(format!("has {found} reports of the family {family}"));
        }
    }
    (!found.is_empty()).then(|| format!("has reports of {:?} that are not listed", found.keys()))
}

#[test]
fn every_case_has_its_verdict() {
    let mut wrong = Vec::new();
    for (file, count) in FILES {
        let cases = read(file);
        assert_eq!(cases.len(), *count, "{file}");
        for case in cases {
            let reports = check_text(&case.source);
            if let Some(complaint) = complaint(&case, &reports) {
                wrong.push(format!(
                    "{} {complaint}, expected {} {}\n{}\n{}",
                    case.name,
                    case.level,
                    case.families.join(" "),
                    case.source.trim_end(),
                    told(&reports)
                ));
            }
        }
    }
    assert!(
        wrong.is_empty(),
        "{} cases\n{}",
        wrong.len(),
        wrong.join("\n\n")
    );
}

#[test]
fn a_wrong_verdict_is_noticed() {
    let case = |level: &str, families: &str, source: &str| {
        let case = Case {
            name: String::new(),
            source: source.to_owned(),
            level: level.to_owned(),
            families: families.split_whitespace().map(str::to_owned).collect(),
        };
        complaint(&case, &check_text(source)).is_some()
    };
    assert!(!case("ok", "", "agent a { }"));
    assert!(!case("error", "N", "agent a { } agent a { }"));
    assert!(!case(
        "error",
        "N[2]",
        "agent a { } agent a { } agent a { }"
    ));
    assert!(case("ok", "", "agent a { } agent a { }"));
    assert!(case("warn", "N", "agent a { } agent a { }"));
    assert!(case("error", "N", "agent a { }"));
    assert!(case("error", "N S", "agent a { } agent a { }"));
    assert!(case("error", "S", "agent a { } agent a { }"));
    assert!(case("error", "N[3]", "agent a { } agent a { }"));
}

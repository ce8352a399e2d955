//! `tests/cases/*.txt`: one construct a case, with the verdict of the
//! reference. Here the parser's own reports (family S) are compared;
//! `compiler/analysis` compares the others.

use symbi_syntax::File;

use crate::support::{assert_places, assert_tiles, repository};

/// How many cases each file has, so that none gets lost.
const FILES: &[(&str, usize)] = &[
    ("constructs.txt", 98),
    ("forms.txt", 122),
    ("policies.txt", 19),
    ("public-forms.txt", 132),
];

pub struct Case {
    pub name: String,
    pub source: String,
    /// `ok`, `warn` or `error`.
    level: String,
    /// Family and how many reports of it.
    families: Vec<(char, usize)>,
}

pub fn all() -> Vec<Case> {
    FILES.iter().flat_map(|(file, _)| read(file)).collect()
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
            let level = words.next().expect("a level").to_owned();
            assert!(["ok", "warn", "error"].contains(&&*level), "{head}");
            let families: Vec<_> = words
                .map(|word| {
                    let (letter, count) = word.split_at(1);
                    let count = match count.strip_prefix('[').and_then(|n| n.strip_suffix(']')) {
                        Some(n) => n.parse().expect("a count"),
                        None if count.is_empty() => 1,
                        None => panic!("{head}"),
                    };
                    (letter.chars().next().expect("a letter"), count)
                })
                .collect();
            assert_eq!(level == "ok", families.is_empty(), "{head}");
            Case {
                name: format!("{file}: {}", name.trim_end_matches(['|', ' '])),
                source: source.to_owned(),
                level,
                families,
            }
        })
        .collect()
}

#[test]
fn every_case_has_its_syntax_verdict() {
    let mut wrong = Vec::new();
    for case in all() {
        let file = File::parse(&*case.source);
        let diagnostics = file.diagnostics();
        let errors = diagnostics.iter().filter(|d| d.is_error()).count();
        let warnings = diagnostics.len() - errors;
        let expected = case
            .families
            .iter()
            .find(|(family, _)| *family == 'S')
            .map_or(0, |(_, count)| *count);
        // An error verdict lists the errors only.
        let right = match &*case.level {
            "error" => errors == expected,
            _ => errors == 0 && warnings == expected,
        };
        if !right {
            wrong.push(format!(
                "{}: expected {} S{expected}, got {:?}",
                case.name,
                case.level,
                diagnostics
                    .iter()
                    .map(|d| format!("{} {}", d.code.id, d.message))
                    .collect::<Vec<_>>()
            ));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_case_is_lossless_and_can_be_shown() {
    for case in all() {
        let file = File::parse(&*case.source);
        assert_tiles(&file);
        assert_places(&case.source, &file.diagnostics());
    }
}

#[test]
fn no_case_is_lost() {
    for (file, count) in FILES {
        assert_eq!(read(file).len(), *count, "{file}");
    }
}

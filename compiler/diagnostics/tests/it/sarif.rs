//! SARIF: the log as a whole against the schema of the standard, and that a
//! reader who knows nothing but the standard finds the places, applies the
//! edits and recognizes a report again.

use serde_json::{Value, json};
use symbi_diagnostics::render::{Origin, SarifFile, SarifReport};
use symbi_diagnostics::{Diagnostic, Edit, SourceFile, Span, names, syntax};

use crate::cases::{self, Case};
use crate::json::tool;

const SCHEMA: &str = include_str!("../schemas/sarif-2.1.0.json");

fn part(case: &Case) -> SarifFile {
    match &case.text {
        Ok((file, diagnostics)) => SarifFile::checked(&case.origin, file, diagnostics),
        Err(reason) => SarifFile::unreadable(&case.origin, reason),
    }
}

fn log(cases: &[Case], exit_code: u8) -> String {
    let mut report = SarifReport::new(tool());
    let mut log = String::new();
    for case in cases {
        log.push_str(&report.push(part(case)));
    }
    log + &report.finish(exit_code)
}

fn parsed(log: &str) -> Value {
    serde_json::from_str(log).unwrap()
}

/// The run about one file's reports.
fn run(origin: &Origin, file: &SourceFile, diagnostics: &[Diagnostic]) -> Value {
    let mut report = SarifReport::new(tool());
    let log = report.push(SarifFile::checked(origin, file, diagnostics)) + &report.finish(1);
    parsed(&log)["runs"][0].take()
}

/// Its results.
pub fn results(origin: &Origin, file: &SourceFile, diagnostics: &[Diagnostic]) -> Vec<Value> {
    let run = run(origin, file, diagnostics);
    run["results"].as_array().unwrap().clone()
}

/// What the standard has against a log.
fn complaints(log: &str) -> Vec<String> {
    let schema: Value = serde_json::from_str(SCHEMA).unwrap();
    // It says draft 4, and uses the format `uri-reference` of a later one.
    let validator = jsonschema::draft7::options()
        .should_validate_formats(true)
        .build(&schema)
        .unwrap();
    validator
        .iter_errors(&parsed(log))
        .map(|error| format!("{}: {error}", error.instance_path()))
        .collect()
}

#[test]
fn the_log_is_this() {
    // The rules stand in the last lines and are pages of others.
    let log = log(&cases::all(), 2);
    let (results, tail) = log.split_once("\n],\n").unwrap();
    let run = parsed(&log);
    let run = &run["runs"][0];
    let rules = run["tool"]["driver"]["rules"].as_array().unwrap();
    let ids: Vec<&Value> = rules.iter().map(|rule| &rule["id"]).collect();
    assert!(tail.starts_with("\"tool\":"));
    insta::assert_snapshot!(format!(
        "{results}\n\nrules: {}\n\n{}",
        json!(ids),
        run["invocations"]
    ));
}

#[test]
fn a_rule_is_the_page_of_its_code() {
    let log = parsed(&log(&cases::all(), 2));
    let driver = &log["runs"][0]["tool"]["driver"];
    assert_eq!(driver["name"], "symbi");
    assert_eq!(driver["semanticVersion"], "0.1.0");
    assert_eq!(driver["properties"], json!({"edition": "2026"}));
    let rule = &driver["rules"][0];
    let page = syntax::S0107.page.trim_end();
    assert_eq!(rule["id"], "S0107");
    assert_eq!(rule["shortDescription"]["text"], "a missing `;`");
    assert_eq!(rule["help"]["markdown"], page);
    let uri = rule["helpUri"].as_str().unwrap();
    assert!(
        uri.ends_with("/compiler/diagnostics/docs/S0107.md"),
        "{uri}"
    );
    assert_eq!(rule["defaultConfiguration"], json!({"level": "error"}));
    assert_eq!(rule["properties"], json!({"tags": ["syntax"]}));
    let meaning = rule["fullDescription"]["text"].as_str().unwrap();
    assert!(meaning.starts_with("A statement ends with `;`. "));
    assert!(meaning.ends_with("is the value of its block."));
}

#[test]
fn each_result_has_the_index_of_its_rule() {
    let log = parsed(&log(&cases::all(), 2));
    let run = &log["runs"][0];
    let results = run["results"].as_array().unwrap();
    for result in results {
        let index = result["ruleIndex"].as_u64().unwrap() as usize;
        let rule = &run["tool"]["driver"]["rules"][index];
        assert_eq!(rule["id"], result["ruleId"]);
        assert_eq!(rule["defaultConfiguration"]["level"], result["level"]);
    }
    assert!(results.len() >= 6);
}

#[test]
fn every_log_keeps_to_the_schema() {
    for cases in [cases::all(), cases::odd(), Vec::new()] {
        assert_eq!(complaints(&log(&cases, 0)), [""; 0]);
    }
    // Every code of the registry as a rule.
    let file = SourceFile::new("x.symbi", "x");
    let reports: Vec<Diagnostic> = symbi_diagnostics::all()
        .map(|code| Diagnostic::new(code, Span::at(0), "m"))
        .collect();
    let mut report = SarifReport::new(tool());
    let log = report.push(SarifFile::checked(&Origin::file("x"), &file, &reports));
    assert_eq!(complaints(&(log + &report.finish(1))), [""; 0]);
}

#[test]
fn the_schema_refuses_what_is_wrong() {
    let wrong: &[(&str, Value)] = &[
        ("/version", json!("2.0.0")),
        ("/runs/0/columnKind", json!("bytes")),
        ("/runs/0/newlineSequences", json!([])),
        ("/runs/0/results/0/level", json!("hint")),
        ("/runs/0/results/0/message", json!({})),
        ("/runs/0/results/0/ruleIndex", json!(-2)),
        (
            "/runs/0/results/0/locations/0/physicalLocation/region/startLine",
            json!(0),
        ),
        (
            "/runs/0/results/0/locations/0/physicalLocation/artifactLocation/uri",
            json!("a b"),
        ),
        ("/runs/0/results/0/fixes/0/artifactChanges", json!([])),
        ("/runs/0/tool/driver/rules/0/helpUri", json!("no uri")),
        ("/runs/0/invocations/0/executionSuccessful", json!(1)),
    ];
    for (pointer, value) in wrong {
        let mut log = parsed(&log(&cases::all(), 2));
        *log.pointer_mut(pointer).unwrap() = value.clone();
        assert!(!complaints(&log.to_string()).is_empty(), "{pointer}");
    }
}

#[test]
fn a_log_without_results_is_a_log() {
    let log = parsed(&log(&[], 0));
    assert_eq!(log["runs"][0]["results"], json!([]));
    assert_eq!(log["runs"][0]["tool"]["driver"]["rules"], json!([]));
    assert_eq!(
        log["runs"][0]["invocations"],
        json!([{"executionSuccessful": true, "exitCode": 0}])
    );
}

/// The bytes of a region, found as the standard has it: lines end with the
/// first of the sequences that matches, columns are code points from 1, and a
/// byte order mark is no character.
fn bytes(text: &str, run: &Value, region: &Value) -> (usize, usize) {
    assert_eq!(run["columnKind"], "unicodeCodePoints");
    let sequences = run["newlineSequences"].as_array().unwrap();
    let sequences: Vec<&str> = sequences.iter().map(|end| end.as_str().unwrap()).collect();
    let bom = if text.starts_with('\u{FEFF}') { 3 } else { 0 };
    let mut starts = vec![bom];
    let mut at = bom;
    while at < text.len() {
        match sequences.iter().find(|end| text[at..].starts_with(**end)) {
            Some(end) => {
                at += end.len();
                starts.push(at);
            }
            None => at += text[at..].chars().next().unwrap().len_utf8(),
        }
    }
    let place = |line: &str, column: &str| {
        let number = |name: &str| region[name].as_u64().unwrap() as usize;
        let start = starts[number(line) - 1];
        let before: String = text[start..].chars().take(number(column) - 1).collect();
        start + before.len()
    };
    (
        place("startLine", "startColumn"),
        place("endLine", "endColumn"),
    )
}

#[test]
fn a_reader_of_the_standard_finds_every_place() {
    let texts = [
        "",
        "\u{FEFF}",
        "\u{FEFF}é\r\n\t🦀漢\re\u{301}\n",
        "a\n\nb\u{2028}c\u{85}d\r\r\n",
        "no end",
    ];
    for text in texts {
        let file = SourceFile::new("x.symbi", text);
        let places: Vec<usize> = (0..=text.len())
            .filter(|&at| text.is_char_boundary(at))
            // Before a byte order mark is where its line begins; within CRLF
            // there is no place.
            .filter(|&at| at >= 3 || !text.starts_with('\u{FEFF}'))
            .filter(|&at| !text[..at].ends_with('\r') || !text[at..].starts_with('\n'))
            .collect();
        for (index, &start) in places.iter().enumerate() {
            for &end in &places[index..] {
                let span = Span::new(start as u32, end as u32);
                let report = Diagnostic::new(&syntax::S0107, span, "m");
                let run = run(&Origin::file("x.symbi"), &file, &[report]);
                let region = &run["results"][0]["locations"][0]["physicalLocation"]["region"];
                assert_eq!(bytes(text, &run, region), (start, end), "{text:?} {region}");
            }
        }
    }
}

#[test]
fn edits_applied_by_their_regions_give_the_mended_text() {
    let text = "\u{FEFF}// é🦀\r\n\tx = not y\r== z\ngone;;\r\n";
    let at = |what: &str| text.find(what).unwrap() as u32;
    let edit = |at, text: &str| Edit {
        at,
        text: text.to_owned(),
    };
    let report = Diagnostic::new(&syntax::S0161, Span::at(at(";;")), "m").fix(
        "mend it",
        vec![
            edit(Span::at(at("y\r")), "("),
            edit(Span::at(at("\ngone")), ")"),
            edit(Span::new(at("gone"), at(";;") + 1), "🦀\r\n"),
            edit(Span::new(at(";\r\n"), text.len() as u32), ""),
        ],
    );
    let file = SourceFile::new("x.symbi", text);
    let run = run(&Origin::file("x.symbi"), &file, &[report]);
    let fixes = run["results"][0]["fixes"].as_array().unwrap();
    assert_eq!(fixes.len(), 1);
    assert_eq!(fixes[0]["description"]["text"], "mend it");
    let change = &fixes[0]["artifactChanges"][0];
    assert_eq!(change["artifactLocation"]["uri"], "x.symbi");
    let mut mended = text.to_owned();
    for replacement in change["replacements"].as_array().unwrap().iter().rev() {
        let (start, end) = bytes(text, &run, &replacement["deletedRegion"]);
        let inserted = &replacement["insertedContent"]["text"];
        mended.replace_range(start..end, inserted.as_str().unwrap_or_default());
    }
    assert_eq!(mended, "\u{FEFF}// é🦀\r\n\tx = not (y\r== z)\n🦀\r\n");
}

#[test]
fn only_edits_that_may_be_applied_unasked_are_fixes() {
    let file = SourceFile::new("x.symbi", "x");
    let edit = || {
        vec![Edit {
            at: Span::at(0),
            text: "y".to_owned(),
        }]
    };
    let report = || Diagnostic::new(&syntax::S0107, Span::at(0), "m");
    let table = [
        (report(), "m", false),
        (
            report().maybe_fix("write `y`", edit()),
            "m\nhelp: write `y`",
            false,
        ),
        (
            report().fix("write `y`", edit()),
            "m\nhelp: write `y`",
            true,
        ),
        (
            report().help("try y").fix("write", edit()),
            "m\nhelp: try y\nhelp: write",
            true,
        ),
    ];
    for (report, message, fixed) in table {
        let results = results(&Origin::file("x"), &file, &[report]);
        assert_eq!(results[0]["message"]["text"], message);
        assert_eq!(results[0].get("fixes").is_some(), fixed, "{message}");
    }
}

fn fingerprints(text: &str, whats: &[&str]) -> Vec<String> {
    let file = SourceFile::new("x.symbi", text);
    let reports: Vec<Diagnostic> = whats
        .iter()
        .flat_map(|what| text.match_indices(what))
        .map(|(at, _)| Diagnostic::new(&syntax::S0107, Span::at(at as u32), "m"))
        .collect();
    results(&Origin::file("x.symbi"), &file, &reports)
        .iter()
        .map(|result| {
            let fingerprints = result["partialFingerprints"].as_object().unwrap();
            assert_eq!(fingerprints.len(), 1);
            fingerprints["symbiLine/v1"].as_str().unwrap().to_owned()
        })
        .collect()
}

#[test]
fn a_fingerprint_outlives_lines_above_and_tells_equal_reports_apart() {
    let text = "function f() {\n  let a = 1\n  let b = 1\n  let a = 1\n}\n";
    let before = fingerprints(text, &["a = 1", "b = 1"]);
    let moved = format!("// new\r\n\n{}", text.replace("  ", "\t"));
    assert_eq!(fingerprints(&moved, &["a = 1", "b = 1"]), before);
    let [a, again, b] = before.as_slice() else {
        panic!("{before:?}");
    };
    let (line, ordinal) = a.split_once(':').unwrap();
    assert_eq!((line.len(), ordinal), (32, "0"));
    assert_eq!(again, &format!("{line}:1"));
    assert!(!b.starts_with(line));
}

#[test]
fn a_stored_fingerprint_is_found_again_by_every_later_version() {
    // Never to be changed: with another value the name must be another.
    assert_eq!(
        fingerprints("let é = 🦀\n", &["🦀"]),
        ["aa0516b6c0a9fdc19477f8c8163e154f:0"]
    );
}

#[test]
fn hints_are_notes_and_labels_stand_at_their_places() {
    let file = SourceFile::new("x.symbi", "let a = 1;");
    let report = Diagnostic::new(&names::N0240, Span::new(4, 5), "never read")
        .label("here")
        .note(Span::new(0, 3), "")
        .note(Span::new(8, 9), "its value");
    let results = results(&Origin::file("x.symbi"), &file, &[report]);
    assert_eq!(results[0]["level"], "note");
    assert_eq!(results[0]["locations"][0]["message"]["text"], "here");
    let related = results[0]["relatedLocations"].as_array().unwrap();
    assert_eq!(related.len(), 2);
    assert_eq!(
        (&related[0]["id"], related[0].get("message")),
        (&json!(0), None)
    );
    assert_eq!(related[1]["message"]["text"], "its value");
    let region = &related[1]["physicalLocation"]["region"];
    assert_eq!(
        (&region["startColumn"], &region["endColumn"]),
        (&json!(9), &json!(10))
    );
}

#[test]
fn what_a_source_says_becomes_no_link_and_hides_nothing() {
    let file = SourceFile::new("x.symbi", "x");
    let message = "unknown `[click](http://x)`\n\u{202E}\x1B[2J";
    let report = Diagnostic::new(&syntax::S0102, Span::at(0), message);
    let results = results(&Origin::file("x"), &file, &[report]);
    assert_eq!(
        results[0]["message"]["text"],
        "unknown `[click] (http://x)`\\n\\u{202e}\\u{1b}[2J"
    );
}

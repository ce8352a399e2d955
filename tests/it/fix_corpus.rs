//! What `--fix` does to all the wrong programs of the repository: each parses
//! at least as well as before, is taken by the formatter, has no report that it
//! had not before, and is left alone by a second run.

use std::collections::{BTreeMap, HashSet};
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::support::{Place, Run};

fn repository() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// All files below a folder whose names end so, sorted.
fn below(folder: &str, ending: &str) -> Vec<PathBuf> {
    let mut waiting = vec![repository().join(folder)];
    let mut found = Vec::new();
    while let Some(folder) = waiting.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                waiting.push(path);
            } else if path.to_string_lossy().ends_with(ending) {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

/// The `symbi` blocks of a page.
fn blocks(page: &str) -> Vec<String> {
    let mut blocks = Vec::new();
    let mut open: Option<String> = None;
    for line in page.lines() {
        match (&mut open, line.strip_prefix("```")) {
            (Some(block), None) => *block += &format!("{line}\n"),
            (Some(_), Some(_)) => blocks.extend(open.take()),
            (None, Some(info)) if info.starts_with("symbi") => open = Some(String::new()),
            _ => {}
        }
    }
    blocks
}

/// The texts between lines that begin with `=== `.
fn cases(text: &str) -> Vec<String> {
    let mut cases: Vec<String> = Vec::new();
    for line in text.lines() {
        match (line.starts_with("=== "), cases.last_mut()) {
            (true, _) => cases.push(String::new()),
            (false, Some(case)) => *case += &format!("{line}\n"),
            (false, None) => {}
        }
    }
    cases
}

/// Programs to be mended, with names for them.
fn corpus() -> Vec<(String, Vec<u8>)> {
    let mut corpus = Vec::new();
    let mut add = |path: &Path, texts: Vec<String>| {
        let name = path.strip_prefix(repository()).unwrap();
        let name = name.to_string_lossy().replace(['/', '.'], "-");
        for (index, text) in texts.into_iter().enumerate() {
            corpus.push((format!("{name}-{index}"), text.into_bytes()));
        }
    };
    let text = |path: &PathBuf| fs::read_to_string(path).unwrap();
    for folder in [
        "compiler/diagnostics/docs",
        "compiler/analysis/tests/suites",
        "grammar/reference",
    ] {
        for path in below(folder, ".md") {
            add(&path, blocks(&text(&path)));
        }
    }
    for path in below("tests/cases", ".txt") {
        add(&path, cases(&text(&path)));
    }
    for folder in [
        "examples",
        "grammar/conformance/cases",
        "compiler/syntax/tests",
        // The peer's agents, which `tests/set-up` fetches.
        "tests/peer-sources/vendor/symbi/agents",
    ] {
        for ending in [".symbi", ".dsl"] {
            for path in below(folder, ending) {
                let bytes = fs::read(&path).unwrap();
                add(&path, vec![String::from_utf8_lossy(&bytes).into_owned()]);
            }
        }
    }
    corpus
}

/// Each in a project of its own, so that none knows of the others.
fn written(corpus: &[(String, Vec<u8>)]) -> Place {
    let place = Place::new();
    for (name, bytes) in corpus {
        place.write(format!("{name}/symbiont.toml"), "");
        place.write(format!("{name}/x.symbi"), bytes);
    }
    place
}

/// Those of them that have anything to be fixed.
fn with_fixes(mut corpus: Vec<(String, Vec<u8>)>) -> Vec<(String, Vec<u8>)> {
    let document = written(&corpus).line("dsl --check --json .").json();
    let files = document["files"].as_array().unwrap().iter();
    let names: HashSet<&str> = files
        .filter(|file| {
            let mut reports = file["diagnostics"].as_array().unwrap().iter();
            reports.any(|report| report["fix"]["applicability"] == "machine-applicable")
        })
        .map(|file| file["path"].as_str().unwrap().split('/').next().unwrap())
        .collect();
    corpus.retain(|(name, _)| names.contains(&**name));
    corpus
}

/// What a check says about each file: whether it is an error of syntax, and for
/// each report its code, its message and what it marks.
fn reports(
    place: &Place,
    document: &Value,
) -> BTreeMap<String, Vec<(bool, String, String, String)>> {
    let files = document["files"].as_array().unwrap().iter();
    files
        .map(|file| {
            let path = file["path"].as_str().unwrap();
            let text = place.read(path);
            let of = |report: &Value| {
                let offset = |end: &str| report["span"][end]["offset"].as_u64().unwrap() as usize;
                let code = report["code"].as_str().unwrap().to_owned();
                let marked = &text[offset("start")..offset("end")];
                (
                    code.starts_with('S') && report["level"] == "error",
                    code,
                    report["message"].as_str().unwrap().to_owned(),
                    String::from_utf8(marked.to_vec()).unwrap(),
                )
            };
            let reports = file["diagnostics"].as_array().unwrap().iter().map(of);
            (path.to_owned(), reports.collect())
        })
        .collect()
}

/// The files that the formatter would damage: a fault of its own.
fn refused(place: &Place) -> Vec<String> {
    let run = place.line("fmt --check -q .");
    let lines = run
        .stdout
        .lines()
        .filter(|line| line.contains("  REFUSED "));
    lines
        .map(|line| line.split("  ").next().unwrap().to_owned())
        .collect()
}

/// Each fix that could still be applied has been left out for a reason.
fn nothing_is_forgotten(document: &Value, notes: &str) {
    for file in document["files"].as_array().unwrap() {
        for report in file["diagnostics"].as_array().unwrap() {
            let code = report["code"].as_str().unwrap();
            if report["fix"]["applicability"] != "machine-applicable" {
                continue;
            }
            let (start, path) = (&report["span"]["start"], file["path"].as_str().unwrap());
            let told = format!(
                "note: {path}:{}:{}: the fix of {} ",
                start["line"], start["column"], code
            );
            assert!(notes.contains(&told), "{told}{report}");
        }
    }
}

fn fix(place: &Place) -> Run {
    place.line("dsl --check --fix --format short .")
}

#[test]
fn no_fix_makes_anything_worse_and_a_second_run_does_nothing() {
    let corpus = corpus();
    assert!(corpus.len() > 2_000, "{}", corpus.len());
    let corpus = with_fixes(corpus);
    let place = written(&corpus);
    let check = || place.line("dsl --check --json .").json();
    let (before, refused_before) = (reports(&place, &check()), refused(&place));
    let run = fix(&place);
    let fixed = run.stdout.lines().filter(|line| line.contains("  FIXED "));
    let fixed = fixed.count();
    assert!(fixed > 250, "{fixed}");
    let document = check();
    nothing_is_forgotten(&document, &run.stderr);
    let (after, refused_after) = (reports(&place, &document), refused(&place));
    for file in &refused_after {
        assert!(
            refused_before.contains(file),
            "the formatter refuses {file}"
        );
    }
    for (file, after) in &after {
        let text = || String::from_utf8_lossy(&place.read(file)).into_owned();
        let before = &before[file];
        let syntax = |reports: &[(bool, _, _, _)]| reports.iter().filter(|it| it.0).count();
        assert!(
            syntax(after) <= syntax(before),
            "{file} parses worse:\n{}",
            text()
        );
        let mut left: Vec<_> = before.iter().collect();
        for (_, code, message, marked) in after {
            let known = left
                .iter()
                .position(|it| it.1 == *code && it.2 == *message)
                .or_else(|| left.iter().position(|it| it.1 == *code && it.3 == *marked));
            let Some(known) = known else {
                panic!("{file}: {code} {message} is new in\n{}", text());
            };
            left.remove(known);
        }
    }
    let texts = |place: &Place| -> Vec<Vec<u8>> {
        let names = corpus.iter().map(|(name, _)| format!("{name}/x.symbi"));
        names.map(|name| place.read(name)).collect()
    };
    let once = texts(&place);
    let again = fix(&place);
    assert!(
        again.stderr.ends_with("fixed nothing\n"),
        "{}",
        again.stderr
    );
    assert_eq!(once, texts(&place));
}

//! The repository's examples are formatted, and the pages of the formatter's
//! codes show what happens.

use std::path::Path;

use crate::support::{Place, run};

/// Files that show other spellings than the formatter's, and why.
const OTHER_SPELLINGS: [(&str, &str); 6] = [
    ("blocks", "each block on one line, as a list of all of them"),
    ("policies", "a policy on one line, rules over several"),
    (
        "public-forms",
        "blocks without signs, as public files have them",
    ),
    ("separators", "every sign between a key and its value"),
    ("statements", "a comma after a last argument"),
    ("values", "a comma after a last element"),
];

fn repository() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

#[test]
fn the_examples_are_formatted() {
    let place = Place::new();
    let mut command = place.command();
    command
        .current_dir(repository())
        .args(["fmt", "--check", "-q", "examples"]);
    let run = run(&mut command);
    let expected: Vec<String> = OTHER_SPELLINGS
        .iter()
        .map(|(name, _)| format!("examples/quick-reference/{name}.symbi"))
        .collect();
    let found: Vec<&str> = run
        .stdout
        .lines()
        .map(|line| line.split_once("  ").unwrap())
        .inspect(|(name, verdict)| {
            assert!(verdict.trim_start().starts_with("WOULD CHANGE "), "{name}");
        })
        .map(|(name, _)| name)
        .collect();
    assert_eq!(found, expected);
}

/// The blocks of a page: what its fence says, and the text.
fn blocks(page: &str) -> Vec<(String, String)> {
    let mut blocks: Vec<(String, String)> = Vec::new();
    let mut open = false;
    for line in page.lines() {
        match line.strip_prefix("```") {
            Some(_) if open => open = false,
            Some(info) => {
                open = true;
                blocks.push((info.to_owned(), String::new()));
            }
            None if open => blocks.last_mut().unwrap().1 += &format!("{line}\n"),
            None => {}
        }
    }
    assert!(!open, "a block is not closed");
    blocks
}

/// What a check of a text finds.
fn codes(text: &str) -> Vec<String> {
    let run = Place::new().fed("fmt --check --format json -", text.as_bytes());
    let reports = run.json()["files"][0]["diagnostics"].clone();
    let reports = reports.as_array().unwrap().iter();
    reports
        .map(|report| report["code"].as_str().unwrap().to_owned())
        .collect()
}

#[test]
fn every_page_of_the_formatter_shows_what_happens() {
    let mut pages = 0;
    for entry in repository()
        .join("compiler/diagnostics/docs")
        .read_dir()
        .unwrap()
    {
        let path = entry.unwrap().path();
        let id = path.file_stem().unwrap().to_str().unwrap().to_owned();
        if !id.starts_with('F') {
            continue;
        }
        pages += 1;
        let page = std::fs::read_to_string(&path).unwrap();
        let shown = Place::new().line(&format!("explain {id}"));
        assert_eq!(shown.stdout, page);
        let blocks = blocks(&page);
        for (info, text) in &blocks {
            let expected: &[String] = match info.as_str() {
                "symbi fails" => std::slice::from_ref(&id),
                "symbi" => &[],
                other => panic!("{id}: the fence `{other}` is not known"),
            };
            assert_eq!(codes(text), expected, "{id}\n{text}");
        }
        // The second example is the first one, formatted.
        if let [(fails, before), (fine, after), ..] = &blocks[..] {
            assert_eq!((fails.as_str(), fine.as_str()), ("symbi fails", "symbi"));
            let run = Place::new().fed("fmt -", before.as_bytes());
            assert_eq!(run.stdout, *after);
        }
    }
    assert_eq!(pages, 2);
}

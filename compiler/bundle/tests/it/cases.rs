//! A table of bundles and keys that are wrong, each with what is said about it.

use crate::recipe::follow;

/// The cases of `tests/data/cases.txt`: kind of error, heading, recipe and
/// message.
fn cases() -> Vec<(&'static str, &'static str, String, String)> {
    let text = include_str!("../data/cases.txt");
    let mut cases: Vec<(&str, &str, String, String)> = Vec::new();
    for line in text.lines() {
        if let Some(heading) = line.strip_prefix("=== ") {
            let (kind, title) = heading.split_once(": ").unwrap();
            cases.push((kind, title, String::new(), String::new()));
        } else if let Some((_, _, recipe, message)) = cases.last_mut() {
            match line.strip_prefix("--- ") {
                Some(expected) => *message = expected.to_owned(),
                None => *recipe += &format!("{line}\n"),
            }
        }
    }
    cases
}

#[test]
fn each_fault_has_its_kind_and_its_message() {
    let mut wrong = Vec::new();
    for (kind, title, recipe, message) in cases() {
        let (found_kind, found) = match follow(&recipe) {
            Ok(()) => ("fine", String::new()),
            Err(error) => (error.kind(), error.to_string()),
        };
        if (found_kind, &*found) != (kind, &*message) {
            wrong.push(format!("=== {found_kind}: {title}\n{recipe}--- {found}\n"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_kind_of_fault_of_a_bundle_has_a_case() {
    let kinds: Vec<&str> = cases().iter().map(|(kind, ..)| *kind).collect();
    // Those of files and folders have tests of their own: files.rs, extract.rs.
    for kind in "truncated not-a-bundle unknown-version too-large too-many-entries duplicate-entry \
         file-and-folder bad-path unlisted-entry missing-entry size-differs hash-differs \
         bad-manifest unreadable-signature wrong-algorithm damaged not-a-file not-canonical \
         unreadable-key wrong-key private-key public-key encrypted-key unsigned unknown-signer \
         bad-signature fine"
        .split_whitespace()
    {
        assert!(kinds.contains(&kind), "{kind}");
    }
}

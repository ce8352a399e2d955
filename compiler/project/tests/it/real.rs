//! Files that others wrote.

use std::fs;
use std::path::{Path, PathBuf};

use symbi_diagnostics::Diagnostic;
use symbi_project::{Manifest, ProjectFile};

use crate::repository;

/// All files below a folder whose name ends so, sorted.
fn files(folder: &Path, end: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut open = vec![folder.to_owned()];
    while let Some(folder) = open.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                open.push(path);
            } else if path.to_str().is_some_and(|path| path.ends_with(end)) {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

fn messages(diagnostics: &[Diagnostic]) -> Vec<String> {
    let line = |d: &Diagnostic| format!("{} {}", d.code.id, d.message);
    diagnostics.iter().map(line).collect()
}

#[test]
fn examples_have_no_reports() {
    let examples = repository().join("examples");
    let projects = files(&examples, "symbiont.toml");
    assert!(projects.len() >= 10, "{projects:?}");
    for path in projects {
        let parsed = ProjectFile::parse(&fs::read_to_string(&path).unwrap());
        assert_eq!(messages(&parsed.diagnostics), [""; 0], "{}", path.display());
    }
    for path in files(&examples, ".clad.toml") {
        let name = path.to_str().unwrap();
        let parsed = Manifest::parse(&fs::read_to_string(&path).unwrap(), name);
        assert_eq!(messages(&parsed.diagnostics), [""; 0], "{name}");
    }
}

/// What is reported about a manifest of the peer, and rightly.
const REPORTED: [(&str, &str); 1] = [(
    "submit_triage",
    "K0871 nothing uses the argument `rationale`",
)];

#[test]
fn the_peers_manifests_are_accepted() {
    let vendor = repository().join("tests/peer-sources/vendor/symbi");
    assert!(
        vendor.is_dir(),
        "the peer's sources are missing: tests/set-up fetches them"
    );
    let manifests = files(&vendor, ".clad.toml");
    assert_eq!(manifests.len(), 13);
    for path in manifests {
        let name = path.to_str().unwrap();
        let stem = path.file_name().unwrap().to_str().unwrap();
        let stem = stem.strip_suffix(".clad.toml").unwrap();
        let parsed = Manifest::parse(&fs::read_to_string(&path).unwrap(), name);
        let expected = REPORTED.iter().filter(|(reported, _)| *reported == stem);
        let expected: Vec<&str> = expected.map(|(_, message)| *message).collect();
        assert_eq!(messages(&parsed.diagnostics), expected, "{name}");
        assert!(!parsed.has_errors());
        assert_eq!(parsed.data.name.unwrap().value, stem);
        assert!(!parsed.data.description.is_empty(), "{name}");
        assert!(parsed.data.backend.is_some(), "{name}");
    }
}

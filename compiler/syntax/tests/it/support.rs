//! What the tests share.

use std::path::{Path, PathBuf};

use symbi_diagnostics::Diagnostic;
use symbi_syntax::File;
pub use symbi_syntax::fuzzing::parser::{assert_places, assert_tiles};

/// The root of the repository.
pub fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .ancestors()
        .nth(2)
        .expect("the crate is two folders below the root")
        .to_owned()
}

/// The codes of all reports, in order.
pub fn codes(source: &str) -> Vec<&'static str> {
    File::parse(source)
        .diagnostics()
        .iter()
        .map(|diagnostic| diagnostic.code.id)
        .collect()
}

/// The names of the top-level declarations, `kind name`.
pub fn declared(source: &str) -> Vec<String> {
    File::parse(source)
        .outline()
        .into_iter()
        .map(|entry| match entry.name {
            Some(name) => format!("{} {name}", entry.kind),
            None => entry.kind.to_owned(),
        })
        .collect()
}

/// All sources the tests have: the examples and every case.
pub fn sources() -> Vec<(String, String)> {
    let mut sources = Vec::new();
    collect(&repository().join("examples"), &mut sources);
    assert!(sources.len() >= 4, "the examples are missing");
    for case in super::cases::all() {
        sources.push((case.name, case.source));
    }
    sources
}

fn collect(folder: &Path, sources: &mut Vec<(String, String)>) {
    let mut paths: Vec<_> = std::fs::read_dir(folder)
        .expect("a folder")
        .map(|entry| entry.expect("an entry").path())
        .collect();
    paths.sort();
    for path in paths {
        if path.is_dir() {
            collect(&path, sources);
        } else if symbi_syntax::is_symbi_file(&path) {
            let text = std::fs::read_to_string(&path).expect("a readable example");
            sources.push((path.display().to_string(), text));
        }
    }
}

/// The source with the edits of a fix applied.
pub fn apply(source: &str, diagnostic: &Diagnostic) -> String {
    let fix = diagnostic.fix.as_ref().expect("a fix");
    let mut text = String::new();
    let mut at = 0;
    for edit in &fix.edits {
        let range = edit.at.range();
        assert!(range.start >= at, "edits overlap or are out of order");
        text.push_str(&source[at..range.start]);
        text.push_str(&edit.text);
        at = range.end;
    }
    text.push_str(&source[at..]);
    text
}

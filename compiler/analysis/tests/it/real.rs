//! What people write: the examples of this repository, checked as the projects
//! that they are, and the example agents of the peer.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;

use crate::support::{Given, check, is_planned, repository};

/// Families that are not checked yet.
const LATER: &[char] = &['I'];

/// The folder that shows what is odd, and so has warnings.
const ODD: &str = "quick-reference";

/// All files below a folder that are sources, manifests or project files.
fn files(folder: &Path) -> Vec<Given> {
    let mut found = Vec::new();
    let mut waiting = vec![folder.to_owned()];
    while let Some(next) = waiting.pop() {
        for entry in std::fs::read_dir(&next).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                waiting.push(path);
            } else if symbi_syntax::is_symbi_file(&path)
                || path
                    .extension()
                    .is_some_and(|extension| extension == "toml")
            {
                found.push(Given {
                    path: path
                        .strip_prefix(folder)
                        .expect("a path below")
                        .to_string_lossy()
                        .into_owned(),
                    text: std::fs::read_to_string(&path).expect("a text"),
                });
            }
        }
    }
    found.sort_by(|a, b| a.path.cmp(&b.path));
    found
}

#[test]
fn examples_have_no_errors_and_projects_no_warnings() {
    let mut wrong = String::new();
    let mut projects = 0;
    for entry in std::fs::read_dir(repository().join("examples")).expect("the examples") {
        let folder = entry.expect("an entry").path();
        if !folder.is_dir() {
            continue;
        }
        projects += 1;
        for (given, reports) in check(&files(&folder)) {
            for report in reports {
                let later = report.code.id.starts_with(LATER);
                let odd = folder.ends_with(ODD) && !report.is_error();
                let odd = odd || is_planned(&report);
                if !report.is_hint() && !later && !odd {
                    let _ = writeln!(
                        wrong,
                        "{} {}: {} {} @{:?}",
                        folder.display(),
                        given.path,
                        report.code.id,
                        report.message,
                        &given.text[report.primary.at.range()]
                    );
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
    assert!(projects >= 15, "{projects}");
}

/// Each agent of the peer is a project: they share names.
#[test]
fn the_peers_fifteen_agents_have_no_errors() {
    let folder = repository().join("tests/peer-sources/vendor/symbi/agents");
    let mut agents = files(&folder);
    agents.retain(|file| symbi_syntax::is_symbi_file(Path::new(&file.path)));
    assert_eq!(agents.len(), 15, "tests/set-up fetches them");
    let mut wrong = String::new();
    let mut warnings: BTreeMap<&str, usize> = BTreeMap::new();
    for agent in agents {
        for (given, reports) in check(&[agent]) {
            for report in reports {
                if report.is_error() {
                    let _ = writeln!(
                        wrong,
                        "{}: {} {}",
                        given.path, report.code.id, report.message
                    );
                } else if !report.is_hint() {
                    *warnings.entry(report.code.id).or_default() += 1;
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
    // All 15 wrote milliseconds where the language has seconds.
    assert!(!warnings.is_empty());
}

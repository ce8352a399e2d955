//! On which routes agents may run: `tests/routes/*.md`, a page a topic, and the
//! example agents of the peer.
//!
//! On a page each heading begins a case: a `symbi` fence, `toml` fences for what
//! stands beside it, and a `text` fence with what is expected: for each agent
//! its name, the routes on which it is admitted, and for each reason the routes
//! that it refuses, its code, and the text that it marks.

use std::fmt::Write;
use std::path::Path;

use symbi_analysis::{Admission, Reason, Route};

use crate::support::{Given, admissions, repository};

fn names(holds: impl Fn(Route) -> bool) -> String {
    let (yes, no): (Vec<Route>, Vec<Route>) =
        Route::ALL.into_iter().partition(|route| holds(*route));
    let names = |routes: &[Route]| {
        let names: Vec<&str> = routes.iter().map(|route| route.as_str()).collect();
        names.join(" ")
    };
    match (&*yes, &*no) {
        ([], _) => "nowhere".to_owned(),
        (_, []) => "everywhere".to_owned(),
        (_, [but]) => format!("everywhere but {}", but.as_str()),
        (yes, _) => names(yes),
    }
}

fn reason(text: &str, reason: &Reason) -> String {
    let routes = names(|route| reason.routes.has(route));
    if let Some(elsewhere) = &reason.elsewhere {
        assert!(reason.waived_as.is_some());
        let (path, at) = (&elsewhere.path, elsewhere.block.start);
        let id = reason.report.code.id;
        return format!("  {routes}: {id} {path}:{}:{}\n", at.line, at.column);
    }
    let marked = &text[reason.report.primary.at.range()];
    let first = marked.lines().next().unwrap_or_default();
    let waiver = match &reason.waived_as {
        Some(name) if *name == first.trim_matches('"') => "",
        Some(_) => ", to be waived by another name",
        None => ", not to be waived",
    };
    format!("  {routes}: {} `{first}`{waiver}\n", reason.report.code.id)
}

fn told(text: &str, admission: &Admission) -> String {
    let mut out = String::new();
    for agent in &admission.agents {
        let admitted = names(|route| agent.is_admitted(route));
        let _ = writeln!(out, "{}: {admitted}", agent.name);
        for one in &agent.reasons {
            out.push_str(&reason(text, one));
        }
    }
    if !admission.triggers.is_empty() {
        out.push_str("no agent:\n");
        for one in &admission.triggers {
            out.push_str(&reason(text, one));
        }
    }
    out
}

/// The cases of a page: heading, files, what is expected, and where that stands.
fn cases(page: &str) -> Vec<(String, Vec<Given>, String)> {
    let mut cases = Vec::new();
    for part in page.split("\n## ").skip(1) {
        let (heading, rest) = part.split_once('\n').expect("a heading");
        let mut files = Vec::new();
        let mut expected = None;
        for fence in rest.split("\n```").skip(1).step_by(2) {
            let (info, text) = fence.split_once('\n').expect("a fence");
            let text = format!("{text}\n");
            let mut words = info.split_whitespace();
            let language = words.next().expect("a language");
            let path = words.find_map(|word| word.strip_prefix("file="));
            match language {
                "text" => expected = Some(text),
                _ => files.push(Given {
                    path: path.unwrap_or("main.symbi").to_owned(),
                    text,
                }),
            }
        }
        let expected = expected.unwrap_or_else(|| panic!("{heading}: nothing is expected"));
        cases.push((heading.to_owned(), files, expected));
    }
    cases
}

#[test]
fn agents_are_admitted_and_refused_as_the_pages_say() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/routes");
    let mut count = 0;
    let mut wrong = String::new();
    for entry in std::fs::read_dir(folder).expect("the pages") {
        let path = entry.expect("an entry").path();
        let page = std::fs::read_to_string(&path).expect("a page");
        for (heading, files, expected) in cases(&page) {
            count += 1;
            let mut found = String::new();
            for (file, admission) in admissions(&files) {
                found.push_str(&told(&file.text, &admission));
            }
            if found.trim_end() != expected.trim_end() {
                let _ = writeln!(wrong, "{}: {heading}\n{found}", path.display());
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
    assert!(count >= 19, "{count} cases");
}

#[test]
fn the_peers_agents_are_refused_for_what_nothing_enforces() {
    let folder = repository().join("tests/peer-sources/vendor/symbi/agents");
    let mut paths: Vec<_> = std::fs::read_dir(folder)
        .expect("tests/set-up fetches them")
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| symbi_syntax::is_symbi_file(path))
        .collect();
    paths.sort();
    assert_eq!(paths.len(), 15);
    let mut out = String::new();
    for path in paths {
        let name = path
            .file_name()
            .expect("a name")
            .to_string_lossy()
            .into_owned();
        let text = std::fs::read_to_string(&path).expect("a text");
        for (file, admission) in admissions(&[Given { path: name, text }]) {
            // What holds of each: it has no managed driver, and is no agent of
            // a chat.
            let mut admission = admission;
            for agent in &mut admission.agents {
                agent
                    .reasons
                    .retain(|reason| !["R1102", "R1105"].contains(&reason.report.code.id));
            }
            out.push_str(&told(&file.text, &admission));
        }
    }
    insta::assert_snapshot!(out);
}

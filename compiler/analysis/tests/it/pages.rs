//! The pages of the codes: what a page shows is what a whole check says.
//!
//! - `symbi fails`: gives exactly the code of the page, and nothing else;
//! - `symbi`: the same mended, gives nothing;
//! - `symbi beside`: stands beside each of the others;
//!
//! each with `file=NAME` if the name matters, and `toml` for what stands beside
//! sources. Hints are compared only on the pages of hints. The pages of the
//! parser's codes have a test of their own as well, which knows their shortened
//! examples.

use symbi_analysis::Route;
use symbi_diagnostics::{Applicability, Code, Diagnostic, Fix, Level, all, bundles, programs};

use crate::support::{Given, check_on, is_planned};

/// Families that come with a later step.
const LATER: &[char] = &['I'];

/// Codes that need more than a page can hold, or that no check gives: those of
/// bundles are held to their pages by the crate of bundles.
fn is_apart(code: &Code) -> bool {
    bundles::ALL.contains(&code)
        || programs::ALL.contains(&code)
        || code.id.starts_with('F')
        || ["S0101", "S0114", "S0115", "S0116"].contains(&code.id)
}

struct Block {
    /// The route that the check is asked for: then only what refuses on it is
    /// compared.
    route: Option<Route>,
    /// `fails`, `beside` or nothing.
    role: &'static str,
    file: Given,
}

fn blocks(page: &str) -> Vec<Block> {
    let mut blocks: Vec<Block> = Vec::new();
    let mut open = None;
    for line in page.lines() {
        match (line.strip_prefix("```"), open) {
            (Some(_), Some(_)) => open = None,
            (Some(info), None) => {
                let mut words = info.split_whitespace();
                let language = words.next().unwrap_or("");
                let known = matches!(language, "symbi" | "toml" | "cedar");
                open = Some(known);
                if !known {
                    continue;
                }
                let mut block = Block {
                    route: None,
                    role: "",
                    file: Given {
                        path: "main.symbi".to_owned(),
                        text: String::new(),
                    },
                };
                for word in words {
                    if let Some(name) = word.strip_prefix("route=") {
                        let mut routes = Route::ALL.into_iter();
                        block.route = routes.find(|route| route.as_str() == name);
                        assert!(block.route.is_some(), "{word}");
                        continue;
                    }
                    match (word, word.strip_prefix("file=")) {
                        (_, Some(path)) => block.file.path = path.to_owned(),
                        ("fails", _) => block.role = "fails",
                        ("beside", _) => block.role = "beside",
                        _ => panic!("the fence `{info}` is not known"),
                    }
                }
                blocks.push(block);
            }
            (None, Some(true)) => {
                let block = blocks.last_mut().expect("an open block");
                block.file.text.push_str(line);
                block.file.text.push('\n');
            }
            (None, _) => {}
        }
    }
    blocks
}

/// What is reported about one file of a project.
fn reports(code: &Code, file: &Given, beside: &[Given], route: Option<Route>) -> Vec<Diagnostic> {
    let mut files = vec![file.clone()];
    files.extend(beside.iter().cloned());
    let hints = code.level == Level::Hint;
    check_on(&files, route)
        .into_iter()
        .filter(|(given, _)| given.path == file.path)
        .flat_map(|(_, reports)| reports)
        .filter(|report| hints || !report.is_hint())
        .filter(|report| route.is_none() || report.code.id.starts_with('R'))
        // What is planned is no fault of the example.
        .filter(|report| !is_planned(report))
        .filter(|report| !report.code.id.starts_with(LATER) || code.id.starts_with(LATER))
        .collect()
}

fn apply(text: &str, fix: &Fix) -> Option<String> {
    let mut out = String::new();
    let mut at = 0;
    for edit in &fix.edits {
        out.push_str(text.get(at..edit.at.start as usize)?);
        text.get(edit.at.range())?;
        out.push_str(&edit.text);
        at = edit.at.end as usize;
    }
    out.push_str(text.get(at..)?);
    Some(out)
}

fn lines(reports: &[Diagnostic]) -> Vec<String> {
    reports
        .iter()
        .map(|report| format!("{} {}", report.code.id, report.message))
        .collect()
}

fn complaints(code: &Code) -> Vec<String> {
    let mut complaints = Vec::new();
    let all = blocks(code.page);
    let beside: Vec<Given> = all
        .iter()
        .filter(|block| block.role == "beside")
        .map(|block| block.file.clone())
        .collect();
    let roles: Vec<&str> = all
        .iter()
        .map(|block| block.role)
        .filter(|role| *role != "beside")
        .collect();
    if !roles.starts_with(&["fails", ""]) {
        complaints.push(format!("{}: the blocks are {roles:?}", code.id));
    }
    for block in all.iter().filter(|block| block.role != "beside") {
        let found = reports(code, &block.file, &beside, block.route);
        let ids: Vec<&str> = found.iter().map(|report| report.code.id).collect();
        let expected: &[&str] = if block.role == "fails" {
            &[code.id]
        } else {
            &[]
        };
        if ids != expected {
            complaints.push(format!(
                "{}: gives {:#?}, expected {expected:?}\n{}",
                code.id,
                lines(&found),
                block.file.text
            ));
            continue;
        }
        for fix in found.iter().filter_map(|report| report.fix.as_ref()) {
            let Some(text) = apply(&block.file.text, fix) else {
                complaints.push(format!(
                    "{}: the fix `{}` is out of order",
                    code.id, fix.title
                ));
                continue;
            };
            let mended = Given {
                path: block.file.path.clone(),
                text,
            };
            let left = reports(code, &mended, &beside, block.route);
            let mends = match fix.applicability {
                Applicability::MachineApplicable => left.is_empty(),
                Applicability::MaybeIncorrect => left.iter().all(|report| report.code != code),
            };
            if !mends {
                complaints.push(format!(
                    "{}: the fix `{}` leaves {:?}\n{}",
                    code.id,
                    fix.title,
                    lines(&left),
                    mended.text
                ));
            }
        }
    }
    complaints
}

#[test]
fn every_page_shows_what_happens() {
    let complaints: Vec<String> = all()
        .filter(|code| !is_apart(code))
        .flat_map(complaints)
        .collect();
    assert!(
        complaints.is_empty(),
        "{} complaints\n{}",
        complaints.len(),
        complaints.join("\n\n")
    );
}

#[test]
fn lines_of_pages_fit_and_have_no_blanks_at_their_ends() {
    let mut wrong = Vec::new();
    for code in all() {
        for line in code.page.lines() {
            if line.chars().count() > 110 || line.ends_with([' ', '\t']) {
                wrong.push(format!("{}: {line}", code.id));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

//! `tests/suites/*.md`: what constructs of the language give, a page a topic.
//!
//! A heading begins a case, and each `symbi` fence of it is a program. Behind a
//! function or agent that needs no arguments stands what it gives, at the end of its last
//! line or in the lines below it:
//!
//! ```text
//! function t() -> int { return 1 + 2; } // => 3
//! function u() -> float { return 1 / 0; } // raises division_by_zero: a division
//! function v() { print("a"); return null; } // => null
//! // asks print(["a"])
//! ```
//!
//! A value is written as `show` writes it, but that texts have quotes. Behind
//! the kind of an error stands a part of its message, if it matters. What was
//! asked of the world is compared where a page says it; `support::answer` says
//! what it answers. The program must have no errors, unless the fence says
//! `unchecked`.
//!
//! Each function runs in both machines.

use std::fmt::Write;
use std::path::Path;
use std::sync::Arc;

use symbi_ir::Program;

use crate::fast::{self, Turns};
use crate::naive::{self, End, Runs};
use crate::support::{answer, asked, compile, written};

/// A function of a page, and what it has to do.
#[derive(Debug, Default)]
struct Case {
    name: String,
    agent: bool,
    line: usize,
    expected: Option<Expected>,
    asks: Option<String>,
}

#[derive(Debug)]
enum Expected {
    Value(String),
    Raises(String),
}

/// The programs of a page: the line before it, whether it is unchecked, its
/// text.
fn programs(page: &str) -> Vec<(usize, bool, String)> {
    let mut found = Vec::new();
    let mut open: Option<(usize, bool, String)> = None;
    let mut other = false;
    for (number, line) in page.lines().enumerate() {
        match (&mut open, line.strip_prefix("```")) {
            (Some(_), Some(_)) => found.extend(open.take()),
            (Some((_, _, text)), None) => {
                text.push_str(line);
                text.push('\n');
            }
            (None, Some(_)) if other => other = false,
            (None, Some(info)) => match info.strip_prefix("symbi") {
                Some(rest) => {
                    let unchecked = rest.trim() == "unchecked";
                    open = Some((number + 1, unchecked, String::new()));
                }
                None => other = true,
            },
            (None, None) => {}
        }
    }
    assert!(open.is_none() && !other, "a fence is not closed");
    found
}

/// The functions of a program, and what is expected of them.
fn cases(text: &str) -> Vec<Case> {
    let mut cases: Vec<Case> = Vec::new();
    for (number, line) in text.lines().enumerate() {
        let function = line.strip_prefix("function ");
        let agent = line.strip_prefix("agent ");
        if let Some(rest) = function.or(agent) {
            let name = rest.split(['(', ' ']).next().unwrap_or_default();
            cases.push(Case {
                name: name.to_owned(),
                agent: agent.is_some(),
                line: number + 1,
                ..Case::default()
            });
        }
        let Some(case) = cases.last_mut() else {
            continue;
        };
        if let Some((_, value)) = line.rsplit_once("// => ") {
            case.expected = Some(Expected::Value(value.to_owned()));
        } else if let Some((_, error)) = line.rsplit_once("// raises ") {
            case.expected = Some(Expected::Raises(error.to_owned()));
        } else if let Some((_, asks)) = line.rsplit_once("// asks ") {
            case.asks = Some(asks.to_owned());
        }
    }
    cases.retain(|case| case.expected.is_some());
    cases
}

/// What a run came to, and what it asked.
#[derive(Debug, PartialEq)]
pub struct Outcome {
    pub end: String,
    pub asks: String,
}

/// What the naive machine comes to.
pub fn walked(program: &Program, runs: Runs<'_>) -> Outcome {
    let mut asks = Vec::new();
    let mut world = |what: naive::Asked| {
        asks.push(asked(&what));
        answer(&what)
    };
    let end = naive::run(program, runs, Vec::new(), 1_000_000, &mut world);
    outcome(end, &asks)
}

/// What the machine comes to.
pub fn ran(program: &Arc<Program>, runs: Runs<'_>, turns: Turns) -> Outcome {
    let mut asks = Vec::new();
    let mut world = |what: naive::Asked| {
        asks.push(asked(&what));
        answer(&what)
    };
    let end = fast::run(program, runs, Vec::new(), turns, &mut world);
    outcome(end, &asks)
}

fn outcome(end: End, asks: &[String]) -> Outcome {
    let end = match end {
        End::Value(value) => written(&value),
        End::Raised(problem) => {
            let (kind, message) = (problem.kind.as_str(), problem.message.as_str());
            format!("raises {kind}: {message}")
        }
        End::Exhausted => "takes too much".to_owned(),
        End::Broken(error) => format!("broke: {error}"),
    };
    let asks = asks.join(", ");
    Outcome { end, asks }
}

/// Whether it came to what is expected.
fn meets(outcome: &Outcome, case: &Case) -> bool {
    let asks = case.asks.as_ref().is_none_or(|asks| *asks == outcome.asks);
    let end = match case.expected.as_ref().expect("an expectation") {
        Expected::Value(value) => *value == outcome.end,
        Expected::Raises(error) => {
            let raised = outcome.end.strip_prefix("raises ");
            raised.is_some_and(|raised| match error.split_once(": ") {
                Some((kind, part)) => match raised.split_once(": ") {
                    Some((found, message)) => kind == found && message.contains(part),
                    None => false,
                },
                None => raised.split(": ").next() == Some(error),
            })
        }
    };
    asks && end
}

/// What is wrong with a page, and how many functions it has.
fn page(path: &str, text: &str) -> (String, usize) {
    let (mut wrong, mut count) = (String::new(), 0);
    for (before, unchecked, text) in programs(text) {
        let (program, errors) = compile(&text);
        if unchecked == errors.is_empty() {
            let _ = writeln!(wrong, "{path}:{before}: errors: {errors:?}");
        }
        for case in cases(&text) {
            count += 1;
            let runs = match case.agent {
                true => Runs::Agent(&case.name),
                false => Runs::Function(&case.name),
            };
            let outcomes = [
                ("naive", walked(&program, runs)),
                ("machine", ran(&program, runs, Turns::Long)),
                ("turns", ran(&program, runs, Turns::Short(3))),
            ];
            for (machine, outcome) in outcomes {
                if !meets(&outcome, &case) {
                    let Outcome { end, asks } = outcome;
                    let line = before + case.line;
                    let _ = writeln!(
                        wrong,
                        "{path}:{line}: {} ({machine}): {end}\n    asks {asks}",
                        case.name
                    );
                }
            }
        }
    }
    (wrong, count)
}

#[test]
fn constructs_give_what_the_pages_say() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/suites");
    // `SUITE=lists` looks at the pages with this in their name only.
    let only = std::env::var("SUITE").unwrap_or_default();
    let mut pages = Vec::new();
    for entry in std::fs::read_dir(folder).expect("the pages") {
        let path = entry.expect("an entry").path();
        let name = path.file_name().expect("a name").to_string_lossy();
        if name.ends_with(".md") && name.contains(&only) {
            let text = std::fs::read_to_string(&path).expect("a page");
            pages.push((name.into_owned(), text));
        }
    }
    pages.sort();
    let (wrong, count) = naive::with_room(|| {
        let (mut wrong, mut count) = (String::new(), 0);
        for (name, text) in &pages {
            let (found, cases) = page(name, text);
            wrong.push_str(&found);
            count += cases;
        }
        (wrong, count)
    });
    assert!(wrong.is_empty(), "{count} functions\n{wrong}");
    assert!(!only.is_empty() || count > 300, "{count} functions");
}

#[test]
fn what_is_not_met_is_told() {
    let text = "```symbi\nfunction t() -> int { return 3; } // => 4\n\
                function u() -> int { return 3; } // raises overflow\n\
                function v() { fail(\"a\"); } // raises a: against\n// asks fail(\"a\")\n\
                function w() { fail(\"a\"); } // raises a: for\n\
                function x() { echo(1); } // => null\n// asks echo(2)\n```\n";
    let (wrong, count) = page("p.md", text);
    assert_eq!(count, 5);
    let lines: Vec<&str> = wrong.lines().filter(|line| line.starts_with('p')).collect();
    let start = |line: &&str| line.split(" (").next().unwrap_or_default().to_owned();
    let mut starts: Vec<String> = lines.iter().map(start).collect();
    starts.dedup();
    assert_eq!(starts, ["p.md:2: t", "p.md:3: u", "p.md:6: w", "p.md:7: x"]);
    assert!(
        page("p.md", "```symbi unchecked\n```\n")
            .0
            .contains("errors")
    );
    assert!(
        page("p.md", "```symbi\nfunction t() { return 1 + [] }\n```\n")
            .0
            .contains("S0107")
    );
}

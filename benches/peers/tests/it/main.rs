//! What both sides make of the peer's own agents and of our examples, and what
//! Cedar and we decide.
//!
//! The agents are not in this repository. `cargo vendor` brings them, as
//! `tests/peer-sources/README.md` says; a test that finds none fails.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use symbi_peers::cedar::Cedar;
use symbi_peers::decisions::{Ours, QUESTIONS, Question, Situation};
use symbi_peers::{common, decide, measure, ours, peer};

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The sources below a folder, sorted, each with its path.
fn sources(folder: &str) -> Vec<(String, String)> {
    fn find(folder: &Path, found: &mut Vec<PathBuf>) {
        let entries = std::fs::read_dir(folder).unwrap_or_else(|error| {
            panic!(
                "{}: {error}; see tests/peer-sources/README.md",
                folder.display()
            )
        });
        for entry in entries {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                find(&path, found);
            } else if symbi_syntax::is_symbi_file(&path) {
                found.push(path);
            }
        }
    }
    let mut paths = Vec::new();
    find(&repository().join(folder), &mut paths);
    paths.sort();
    paths
        .into_iter()
        .map(|path| {
            let text = std::fs::read_to_string(&path).expect("a readable source");
            (path.display().to_string(), text)
        })
        .collect()
}

fn agents() -> Vec<(String, String)> {
    let agents = sources("tests/peer-sources/vendor/symbi/agents");
    assert_eq!(agents.len(), 15, "the peer ships 15 agents");
    agents
}

/// Our formatting of a text.
fn formatted(name: &str, text: &str) -> String {
    ours::format(&text.into()).unwrap_or_else(|problem| panic!("{name}: {problem}"))
}

#[test]
fn the_peer_accepts_our_formatting_of_its_agents() {
    for (name, text) in agents() {
        assert!(peer::accepts(&text), "{name} as it is shipped");
        let formatted = formatted(&name, &text);
        assert!(peer::accepts(&formatted), "{name} is now:\n{formatted}");
    }
}

#[test]
fn the_peer_accepts_our_formatting_wherever_it_accepted_the_source() {
    let mut accepted = 0;
    for (name, text) in sources("examples") {
        // The files that it accepts as they are, and of the others the part
        // that it accepts.
        for text in [common::common(&text), text] {
            if peer::accepts(&text) {
                accepted += 1;
                let formatted = formatted(&name, &text);
                assert!(peer::accepts(&formatted), "{name} is now:\n{formatted}");
            }
        }
    }
    assert!(accepted > sources("examples").len(), "{accepted}");
}

#[test]
fn we_keep_every_comment_where_the_peer_loses_some_in_seven_of_its_agents() {
    let mut lost = Vec::new();
    for (name, text) in agents() {
        let before = ours::comments(&text);
        assert!(!before.is_empty(), "{name} has comments");
        assert_eq!(ours::comments(&formatted(&name, &text)), before, "{name}");
        if ours::comments(&peer::format(&text).expect("the peer formats it")) != before {
            lost.push(name);
        }
    }
    assert_eq!(lost.len(), 7, "{lost:#?}");
}

#[test]
fn what_both_read_is_read_by_both_and_most_of_the_examples() {
    let (mut all, mut kept) = (0, 0);
    for (name, text) in sources("examples") {
        let common = common::common(&text);
        assert!(peer::accepts(&common), "{name}:\n{common}");
        let errors = ours::parse(&common.as_str().into()).1;
        // One file shows forms that are read with a warning.
        assert!(
            errors == 0 || name.ends_with("odd-forms.symbi"),
            "{name}:\n{common}"
        );
        all += text.len();
        kept += common.len();
    }
    assert!(kept * 2 > all, "{kept} of {all} bytes");
}

#[test]
fn as_little_as_possible_is_taken_out_of_a_text() {
    let source = r#"// The agent below has a default that the peer does not know.
agent a(n: int = 1) {
    // Stays.
    with timeout = 30s {
        let x: int = 1;
        // Goes with the loop.
        while true { step(); }
        if n > 1 {
            let y = 2;
            let z = n in list and true;
        }
        return x;
    }
}

// Goes with its item.
type Items = Array<int>?

metadata { author = "a", version "1", license = "b" }

/* Goes alone. */
function g() -> int { return 1; }
"#;
    let common = r#"// The agent below has a default that the peer does not know.
agent a(n: int ) {
    // Stays.
    with timeout = 30s {
        let x = 1;

        if n > 1 {
            let y = 2;

        }
        return x;
    }
}

metadata { author = "a",  license = "b" }

function g() -> int { return 1; }
"#;
    assert!(!peer::accepts(source));
    assert_eq!(common::common(source), common);
    let (_, whole) = &sources("examples/delegating-coordinator")[0];
    assert_eq!(&common::common(whole), whole);
}

#[test]
fn a_text_that_one_side_rejects_is_not_measured() {
    assert!(measure::measure("agent a {\n    capabilities = [\"read\"]\n}\n", 1).is_ok());
    let of_ours = measure::measure("agent a {", 1);
    assert!(of_ours.is_err_and(|why| why.contains("our parser")));
    let of_the_peer = measure::measure("metadata { version \"1\" }\n", 1);
    assert!(of_the_peer.is_err_and(|why| why.contains("the peer")));
}

#[test]
fn measured_times_are_of_real_work() {
    let text: Arc<str> = agents()[0].1.repeat(20).into();
    let measured = measure::measure(&text, 2).expect("both read it");
    assert_eq!(measured.bytes, text.len());
    // Nobody reads a byte in less than a hundredth of a nanosecond.
    let least = text.len() as u64 / 100;
    assert!(measured.parse_ours > least, "{measured:?}");
    assert!(
        measured.parse_peer_with_errors > measured.parse_ours,
        "{measured:?}"
    );
}

#[test]
fn each_question_is_decided_by_the_same_rule_on_both_sides() {
    Ours::default().check().expect("ours");
    let cedar = Cedar::new().expect("policies that Cedar reads");
    cedar.check().expect("Cedar's");
}

#[test]
fn cedar_and_we_give_the_same_answers_in_every_situation() {
    let (ours, cedar) = (
        Ours::default(),
        Cedar::new().expect("policies that Cedar reads"),
    );
    let mut permitted = 0;
    let mut asked = 0;
    for (like, question) in QUESTIONS.iter().enumerate() {
        for bits in 0..32 {
            let bit = |at: u8| bits & (1 << at) != 0;
            let situation = Situation {
                role: if bit(0) { "admin" } else { "guest" },
                environment: if bit(1) { "production" } else { "staging" },
                risk: if bit(2) { 8 } else { 7 },
                approved: bit(3),
                suspended: bit(4),
            };
            let question = Question {
                situation,
                ..*question
            };
            let answer = ours.permits(like, &question);
            let other = cedar.permits(like, &question).expect("an answer");
            assert_eq!(answer, other, "{question:?}");
            permitted += usize::from(answer);
            asked += 1;
        }
    }
    assert_eq!((asked, permitted), (384, 58));
}

#[test]
fn measured_decisions_are_of_real_work() {
    let decided = decide::measure(2).expect("both sides decide as they should");
    // Nobody decides in less than ten instructions.
    assert!(
        decided.ours > 3.0 && decided.cedar > decided.ours,
        "{decided:?}"
    );
}

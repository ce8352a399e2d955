//! Section 4 of the reference as tables: each file of `tests/data` says at its
//! top what its columns are, and [`crate::notation`] how they are written.

use symbi_policy::{
    Approval, Because, Block, Decider, Decision, Outcome, Policies, Requirement, Rule, Selector,
    Verb,
};

use crate::notation::{Asked, Known, read};
use crate::reference;

/// The rows of a file: its lines by their numbers, but for comments and empty
/// ones, in cells.
fn rows(text: &'static str) -> impl Iterator<Item = (usize, Vec<&'static str>)> {
    let lines = text.lines().enumerate();
    let lines = lines.filter(|(_, line)| !line.is_empty() && !line.starts_with('#'));
    // No operator of a guard stands between spaces and is a single bar.
    lines.map(|(at, line)| (at + 1, line.split(" | ").map(str::trim).collect()))
}

/// Fails with every row that is wrong, and if there are fewer than there were.
fn check(file: &str, checked: impl Iterator<Item = (usize, Vec<String>)>, expected: usize) {
    let mut wrong = Vec::new();
    let mut count = 0;
    for (line, faults) in checked {
        count += 1;
        wrong.extend(
            faults
                .into_iter()
                .map(|fault| format!("{file}:{line}: {fault}")),
        );
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert_eq!(count, expected, "rows of {file}");
}

/// The reason in a word, with the rule's block and place.
fn word(because: Because) -> String {
    match because {
        Because::Ceiling => "ceiling".to_owned(),
        Because::Denied(id) => format!("denied:{}.{}", id.block, id.rule),
        Because::Undecidable(id) => format!("undecidable:{}.{}", id.block, id.rule),
        Because::NoAllow(block) => format!("no-allow:{block}"),
        Because::Unmet(id) => format!("unmet:{}.{}", id.block, id.requirement),
        Because::UndecidableRequirement(id) => format!("untold:{}.{}", id.block, id.requirement),
        Because::CedarForbids => "forbidden".to_owned(),
        Because::CedarSilent => "silent".to_owned(),
        Because::CedarError => "error".to_owned(),
        Because::NobodyGranted => "nobody".to_owned(),
        Because::Refused => "refused".to_owned(),
        Because::Asked => "asked".to_owned(),
        Because::Allowed(id) => format!("allowed:{}.{}", id.block, id.rule),
        Because::CedarPermits => "permitted".to_owned(),
        Because::Dev => "dev".to_owned(),
        Because::Answer => "answer".to_owned(),
    }
}

/// The outcome that goes with a reason.
fn outcome(word: &str) -> Outcome {
    match word.split(':').next() {
        Some("allowed" | "permitted" | "dev" | "answer") => Outcome::Permit,
        Some("asked") => Outcome::Pending,
        _ => Outcome::Deny,
    }
}

/// What is wrong about a decision, for which this reason is expected.
fn decided(policies: &Policies, asked: &Asked, known: &Known, expected: &str) -> Option<String> {
    let effect = asked.effect();
    known.ask(|facts| {
        let decision = Decider::new(policies.clone()).decide(&effect, facts);
        let Decision {
            outcome: found,
            because,
        } = decision;
        let naive = reference::decide(policies, &effect, facts);
        if (found, &*word(because)) != (outcome(expected), expected) {
            Some(format!("{found:?} {}, and not {expected}", word(because)))
        } else if naive != found {
            Some(format!("{found:?}, and {naive:?} by the naive reading"))
        } else {
            None
        }
    })
}

#[test]
fn the_table_of_the_reference() {
    let text = include_str!("../data/decision.txt");
    let rows = rows(text).map(|(line, cells)| {
        let [policies, effect, cedar, plain, dev] = *cells else {
            panic!("line {line} has other columns");
        };
        let policies = read(policies, |reader| reader.policies());
        let asked = read(effect, |reader| reader.effect());
        let mut known = read("", |reader| reader.facts());
        known.cedar = read(cedar, |reader| reader.cedar());
        let mut faults = Vec::new();
        for (dev, cells) in [(false, plain), (true, dev)] {
            let mut cells = cells.split_whitespace();
            for approval in [Approval::Unasked, Approval::Given, Approval::Refused] {
                (known.dev, known.approval) = (dev, approval);
                let expected = cells.next().unwrap_or("a word is missing");
                let fault = decided(&policies, &asked, &known, expected);
                faults.extend(fault.map(|fault| format!("{approval:?}, dev {dev}: {fault}")));
            }
            assert_eq!(cells.next(), None, "line {line}");
        }
        (line, faults)
    });
    check("decision.txt", rows, 78);
}

#[test]
fn rules_ceilings_and_obligations() {
    let text = include_str!("../data/rules.txt");
    let rows = rows(text).map(|(line, cells)| {
        let [policies, effect, facts, expected] = *cells else {
            panic!("line {line} has other columns");
        };
        let policies = read(policies, |reader| reader.policies());
        let asked = read(effect, |reader| reader.effect());
        let known = read(facts, |reader| reader.facts());
        let fault = decided(&policies, &asked, &known, expected);
        (line, Vec::from_iter(fault))
    });
    check("rules.txt", rows, 117);
}

/// A rule without a guard.
fn rule(verb: Verb, selector: Selector) -> Rule {
    Rule {
        verb,
        selector,
        guard: None,
        tail: false,
    }
}

fn policies(rules: Vec<Rule>, requirements: Vec<Requirement>) -> Policies {
    let mut policies = Policies::default();
    policies.blocks.push(Block {
        rules,
        requirements,
    });
    policies
}

#[test]
fn selectors_in_an_allow_a_deny_and_a_requirement() {
    let text = include_str!("../data/selectors.txt");
    let rows = rows(text).map(|(line, cells)| {
        let [selector, effect, allow, deny] = *cells else {
            panic!("line {line} has other columns");
        };
        let selector = read(selector, |reader| reader.selector());
        let asked = read(effect, |reader| reader.effect());
        let known = read("", |reader| reader.facts());
        let yes = |cell: &str| match cell {
            "yes" => true,
            "no" => false,
            other => panic!("line {line}: yes or no, and not {other}"),
        };
        let (allow, deny) = (yes(allow), yes(deny));

        let allowing = policies(vec![rule(Verb::Allow, selector.clone())], Vec::new());
        let all = rule(Verb::Allow, Selector::All);
        let denying = policies(
            vec![all.clone(), rule(Verb::Deny, selector.clone())],
            Vec::new(),
        );
        let asks = Requirement {
            selectors: vec![selector.clone()],
            condition: None,
            demand: symbi_policy::Demand::Approval,
        };
        let asking = policies(vec![all], vec![asks]);
        let mut faults = Vec::new();
        for (what, policies, expected) in [
            (
                "allow",
                allowing,
                if allow { "allowed:0.0" } else { "no-allow:0" },
            ),
            (
                "deny",
                denying,
                if deny { "denied:0.1" } else { "allowed:0.0" },
            ),
            // What is required is for whatever a deny would mean.
            (
                "require",
                asking,
                if deny { "asked" } else { "allowed:0.0" },
            ),
        ] {
            let fault = decided(&policies, &asked, &known, expected);
            faults.extend(fault.map(|fault| format!("{what}: {fault}")));
        }
        (line, faults)
    });
    check("selectors.txt", rows, 88);
}

#[test]
fn guards_hold_or_do_not_or_cannot_be_decided() {
    let text = include_str!("../data/guards.txt");
    let mut given = None;
    let rows = rows(text).filter_map(|(line, cells)| {
        if let ["given", effect, facts] = *cells {
            let asked = read(effect, |reader| reader.effect());
            given = Some((asked, read(facts, |reader| reader.facts())));
            return None;
        }
        let [guard, expected] = *cells else {
            panic!("line {line} has other columns");
        };
        let (asked, known) = given.as_ref().expect("what is given, before the first row");
        let found = told(guard, asked, known);
        let fault = (found != expected).then(|| format!("{found}, and not {expected}"));
        Some((line, Vec::from_iter(fault)))
    });
    check("guards.txt", rows, 356);
}

/// What a guard comes to, in a word.
fn told(text: &str, asked: &Asked, known: &Known) -> &'static str {
    let guard = read(text, |reader| reader.guard());
    let effect = asked.effect();
    let (found, naive) = known.ask(|facts| {
        let naive = reference::truth(&guard, &effect, facts);
        (guard.holds(&effect, facts).ok(), naive)
    });
    match found {
        // The naive reading knows of no zone that changes its clocks.
        found if found != naive && !text.contains("America/") => "not by the naive reading",
        Some(true) => "holds",
        Some(false) => "fails",
        None => "undecidable",
    }
}

#[test]
fn each_kind_of_value_with_each_operator() {
    let text = include_str!("../data/kinds.txt");
    let (mut given, mut columns) = (None, Vec::new());
    let rows = rows(text).filter_map(|(line, cells)| {
        match *cells {
            ["given", effect, facts] => {
                let asked = read(effect, |reader| reader.effect());
                given = Some((asked, read(facts, |reader| reader.facts())));
                return None;
            }
            ["column", guard] => {
                columns.push(guard);
                return None;
            }
            _ => {}
        }
        let [value, letters] = *cells else {
            panic!("line {line} has other columns");
        };
        let letters: Vec<&str> = letters.split(' ').collect();
        assert_eq!(letters.len(), columns.len(), "letters of line {line}");
        let (asked, known) = given.as_ref().expect("what is given, before the first row");
        let mut faults = Vec::new();
        for (column, letter) in columns.iter().zip(letters) {
            let guard = column.replace('X', &format!("({value})"));
            let found = told(&guard, asked, known);
            if !found.starts_with(letter) {
                faults.push(format!("`{guard}` {found}, and not {letter}"));
            }
        }
        Some((line, faults))
    });
    check("kinds.txt", rows, 19);
    assert_eq!(columns.len(), 18);
}

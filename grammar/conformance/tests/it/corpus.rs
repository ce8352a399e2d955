//! The compiler against the corpus.
//!
//! `UPDATE_CONFORMANCE=1` rewrites codes and outlines, and writes the
//! expectation of a new case; `UPDATE_CONFORMANCE=verdicts` also lets a case
//! go from accepted to refused or back.

use std::collections::BTreeSet;

use symbi_conformance::cases::{Case, Expect, read};
use symbi_conformance::ebnf::Grammar;
use symbi_conformance::recognise::{Derived, derives, with_room};
use symbi_conformance::verdict::compiler;
use symbi_conformance::{folder, grammar_text};

fn corpus() -> Vec<Case> {
    read(&folder().join("cases")).expect("a readable corpus")
}

#[test]
fn the_compiler_says_what_each_case_expects() {
    let update = std::env::var("UPDATE_CONFORMANCE").unwrap_or_default();
    let mut wrong = Vec::new();
    for case in corpus() {
        let answer = compiler(&case.text, case.stdlib);
        let mut found = Expect::of(&case.text, &answer);
        let Some(expect) = &case.expect else {
            if update.is_empty() {
                wrong.push(format!("{}: no expectation", case.name));
            } else {
                std::fs::write(&case.expect_path, found.print()).expect("a written expectation");
            }
            continue;
        };
        found.textmate_invalid = expect.textmate_invalid;
        found.tree_sitter.clone_from(&expect.tree_sitter);
        if found == *expect {
            continue;
        }
        let same_level = found.level() == expect.level();
        if update == "verdicts" || (update == "1" && same_level) {
            std::fs::write(&case.expect_path, found.print()).expect("a written expectation");
            continue;
        }
        wrong.push(format!(
            "{}:\n{}found\n{}",
            case.name,
            expect.print(),
            found.print()
        ));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn the_corpus_is_as_large_as_it_was() {
    let cases = corpus();
    let topics: BTreeSet<_> = cases
        .iter()
        .filter_map(|case| case.name.split('/').next())
        .collect();
    assert_eq!((cases.len(), topics.len()), (1002, 15));
}

#[test]
fn each_code_of_the_syntax_has_a_case() {
    let seen: BTreeSet<String> = corpus()
        .iter()
        .filter_map(|case| case.expect.as_ref())
        .flat_map(|expect| {
            expect
                .verdict
                .split(' ')
                .skip(1)
                .map(str::to_owned)
                .collect::<Vec<_>>()
        })
        .collect();
    // S0101 is about bytes that are no text, S0115 and S0116 about files too
    // large to keep.
    let elsewhere = ["S0101", "S0115", "S0116"];
    let missing: Vec<_> = symbi_diagnostics::syntax::ALL
        .iter()
        .map(|code| code.id)
        .filter(|id| !seen.contains(*id) && !elsewhere.contains(id))
        .collect();
    assert_eq!(missing, Vec::<&str>::new());
}

#[test]
fn a_case_of_textmate_is_an_error() {
    for case in corpus() {
        if let Some(expect) = &case.expect {
            assert!(
                !expect.textmate_invalid || expect.level() == "error",
                "{}",
                case.name
            );
        }
    }
}

/// Where the grammar says more or less than the compiler, and why.
const NOT_DERIVED: &[&str] = &[
    // Limits, and brackets that only a comment without its end closes.
    "bounds/nesting-blocks",
    "bounds/nesting-parentheses",
    "bounds/nesting-types",
    // `if` alone on its line is a value.
    "entries/value-if-word",
    // `.await` behind a call; behind anything else it is a field.
    "expressions/await-member",
    // A call of `raise` is a statement of another language.
    "foreign/raise-call",
    // `policy` on the next line is a value unless its item follows.
    "layout/item-word-value-next-line",
    "lexical/comment-nested-open",
    "lexical/comment-open",
    "lexical/duration-too-long",
    "lexical/float-too-large",
    "lexical/int-too-large",
    "lexical/size-too-large",
    // Words that the grammar does not have as variables.
    "odd/word-as-variable",
    // A string must not touch the word behind it.
    "policies/tail-glued-to-string",
    // The compiler takes any sign on the line into a tail.
    "policies/tail-operator",
    // A statement word later in the braces makes them a body.
    "with/attribute-then-return",
    "with/attribute-then-statement",
];

#[test]
fn the_grammar_derives_each_accepted_case() {
    let wrong = with_room(|| {
        let grammar = Grammar::read(grammar_text()).expect("the grammar file");
        let differs = |case: &Case| {
            let start = if case.stdlib { "stdlib-file" } else { "file" };
            let derived = derives(&grammar, start, &case.text) == Derived::Yes;
            derived != compiler(&case.text, case.stdlib).verdict.accepted
        };
        let wrong = corpus().into_iter().filter(differs);
        wrong.map(|case| case.name).collect::<Vec<_>>()
    });
    assert_eq!(wrong.expect("a finished thread"), NOT_DERIVED);
}

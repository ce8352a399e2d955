//! The tree-sitter grammar against the compiler: on the corpus, on a fixed
//! series of programs, and where the two are meant to differ.

use std::collections::BTreeSet;

use symbi_conformance::cases::read;
use symbi_conformance::compare::{Outcome, Readers};
use symbi_conformance::differences::{DIFFERENCES, MOST, explains};
use symbi_conformance::ebnf::Grammar;
use symbi_conformance::generate::Generator;
use symbi_conformance::programs::program;
use symbi_conformance::shrink::shrink;
use symbi_conformance::tree_sitter::TreeSitter;
use symbi_conformance::verdict::{compiler, outline_text};
use symbi_conformance::{folder, grammar_text};

fn tree_sitter() -> TreeSitter {
    TreeSitter::new().expect("a parser of an interface that the library knows")
}

#[test]
fn tree_sitter_says_what_each_case_expects() {
    let mut tree_sitter = tree_sitter();
    let mut wrong = Vec::new();
    for case in read(&folder().join("cases")).expect("a readable corpus") {
        let expect = case.expect.as_ref().expect("an expectation");
        let answer = compiler(&case.text, case.stdlib);
        let seen = tree_sitter.verdict(&case.text).expect("a tree");
        let accepted = expect.level() != "error";
        let meant = expect.tree_sitter.as_deref();
        let found = (seen.accepted != accepted).then(|| match explains(&answer) {
            Some(difference) => format!("accepts because of {}", difference.name),
            None if seen.accepted => format!("accepts, and the compiler says {:?}", answer.errors),
            None => "rejects".to_owned(),
        });
        if found.as_deref() != meant {
            wrong.push(format!(
                "{}: expected {meant:?}, found {found:?}",
                case.name
            ));
        } else if seen.accepted && accepted {
            let outline = outline_text(&case.text, &seen.outline);
            if outline != expect.outline {
                wrong.push(format!(
                    "{}:\n{}found\n{outline}",
                    case.name, expect.outline
                ));
            }
        }
    }
    assert!(
        wrong.is_empty(),
        "{} cases:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
}

/// Programs from 2,000 on are looked at by hand: `symbi-conformance compare`.
#[test]
fn tree_sitter_and_the_compiler_agree_on_a_series_of_programs() {
    let grammar = Grammar::read(grammar_text()).expect("the grammar file");
    let mut generator = Generator::new(&grammar);
    let mut readers = Readers {
        grammar: None,
        tree_sitter: tree_sitter(),
    };
    let (mut accepted, mut refused) = (0, 0);
    for number in 0..2_000 {
        let program = program(&mut generator, 7, number, true).expect("a program");
        let (answer, outcome) = readers.compare(&program.text, program.stdlib);
        if answer.verdict.accepted {
            accepted += 1;
        } else {
            refused += 1;
        }
        if let Outcome::Differ(how) = outcome {
            let same = Outcome::Differ(how.clone());
            let smallest = shrink(&program.text, &mut |text| {
                readers.compare(text, program.stdlib).1 == same
            });
            panic!("number {number}: {how}\n{smallest}");
        }
    }
    assert!(
        accepted > 1_200 && refused > 400,
        "{accepted} accepted, {refused} refused"
    );
}

#[test]
fn each_meant_difference_has_its_reason_and_shows() {
    assert!(DIFFERENCES.len() <= MOST);
    let mut tree_sitter = tree_sitter();
    for difference in DIFFERENCES {
        assert!(!difference.reason.is_empty(), "{}", difference.name);
        if difference.input.is_empty() {
            continue;
        }
        let answer = compiler(difference.input, false);
        let name = explains(&answer).map(|known| known.name);
        assert_eq!(name, Some(difference.name), "{:?}", answer.errors);
        let seen = tree_sitter.verdict(difference.input).expect("a tree");
        assert!(
            seen.accepted,
            "{} is no difference any more",
            difference.name
        );
    }
    // Each is shown by a case of the corpus, too, and told in the README.
    let cases = read(&folder().join("cases")).expect("a readable corpus");
    let shown: BTreeSet<&str> = cases
        .iter()
        .filter_map(|case| case.expect.as_ref()?.tree_sitter.as_deref())
        .filter_map(|reason| reason.strip_prefix("accepts because of "))
        .collect();
    let known: BTreeSet<&str> = DIFFERENCES.iter().map(|known| known.name).collect();
    assert_eq!(shown, known);
    let readme = std::fs::read_to_string(folder().join("README.md")).expect("the README");
    for difference in DIFFERENCES {
        let row = format!("| `{}` | {} |", difference.name, difference.reason);
        assert!(readme.contains(&row), "the README lacks\n{row}");
    }
}

#[test]
fn errors_with_one_that_is_not_meant_are_not_explained() {
    let answer = compiler("metadata { n = 9223372036854775808 m = }", false);
    assert_eq!(answer.errors, ["S0108", "S0130"]);
    assert!(explains(&answer).is_none());
    assert!(explains(&compiler("agent a { }", false)).is_none());
}

/// Queries and programs name what they want by its field.
#[test]
fn each_child_with_a_name_has_a_field() {
    let mut parser = tree_sitter::Parser::new();
    parser
        .set_language(&tree_sitter_symbi::LANGUAGE.into())
        .expect("a known interface");
    let mut without = BTreeSet::new();
    let mut children = 0;
    for case in read(&folder().join("cases")).expect("a readable corpus") {
        let tree = parser.parse(&case.text, None).expect("a tree");
        if tree.root_node().has_error() {
            continue;
        }
        let mut cursor = tree.walk();
        'tree: loop {
            let node = cursor.node();
            if node.is_named() && !node.is_extra() && node.parent().is_some() {
                children += 1;
                if cursor.field_name().is_none() {
                    let parent = node.parent().map_or("", |parent| parent.kind());
                    without.insert(format!("{} in {parent}", node.kind()));
                }
            }
            if cursor.goto_first_child() || cursor.goto_next_sibling() {
                continue;
            }
            loop {
                if !cursor.goto_parent() {
                    break 'tree;
                }
                if cursor.goto_next_sibling() {
                    break;
                }
            }
        }
    }
    assert!(children > 5_000, "{children}");
    assert_eq!(without, BTreeSet::new());
}

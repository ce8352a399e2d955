//! Reading the grammar file, and what can be wrong with one.

use symbi_conformance::ebnf::{EbnfError, Grammar};
use symbi_conformance::grammar_text;
use symbi_conformance::recognise::{Derived, derives};

fn error(text: &str) -> EbnfError {
    match Grammar::read(text) {
        Ok(_) => panic!("`{text}` is in the notation"),
        Err(error) => error,
    }
}

fn derived(grammar: &str, text: &str) -> bool {
    let grammar = Grammar::read(grammar).expect("a grammar");
    derives(&grammar, "s", text) == Derived::Yes
}

#[test]
fn mistakes_are_told_with_their_line() {
    assert_eq!(
        error("a ::= \"x\"\nb ::= c").to_string(),
        "line 2: `c` is not defined"
    );
    assert_eq!(
        error("a ::= \"x\"\n\na ::= \"y\"").to_string(),
        "line 3: `a` is defined twice"
    );
    assert_eq!(
        error("a ::= ( \"x\" | \"y\"\n").to_string(),
        "line 2: expected ), found the end"
    );
    assert_eq!(
        error("a ::= x@nowhere x ::= \"x\"").to_string(),
        "line 1: expected a place, found `nowhere`"
    );
    assert_eq!(
        error("a ::= b \"x\"\nb ::= \"y\"? a").to_string(),
        "line 1: `a` begins with itself"
    );
    assert_eq!(
        error("a ::= !{ b } \"x\"\nb ::= \"y\"").to_string(),
        "line 1: expected a token or a set of tokens, found `b`"
    );
}

#[test]
fn marks_are_about_the_tokens_that_follow() {
    let same = "s ::= \"x\" ~ \"y\"";
    assert!(derived(same, "x y"));
    assert!(!derived(same, "x\ny"));
    assert!(!derived(same, "x // note\ny"));
    let first = "s ::= \"x\" ^ \"y\"";
    assert!(derived(first, "x\ny"));
    assert!(derived(first, "x /* \n */ y"));
    assert!(!derived(first, "x y"));
    let glued = "s ::= \"x\" ~~ \".\" \"y\"";
    assert!(derived(glued, "x. y"));
    assert!(!derived(glued, "x .y"));
    let not = "s ::= !{ W \"=\" } W+ \"=\"? W ::= \"x\" | \"y\"";
    assert!(derived(not, "x y ="));
    assert!(!derived(not, "x ="));
    let some = "s ::= \"x\" ~{ \"y\" } ( \"y\" | \"z\" )";
    assert!(derived(some, "x\nz"));
    assert!(!derived(some, "x\ny"));
}

#[test]
fn places_reach_down_to_the_next_place() {
    let grammar = "s ::= e@head e ::= \"(\" e@plain \")\" | \"x\" | <!head> \"y\"";
    assert!(derived(grammar, "(y)"));
    assert!(derived(grammar, "x"));
    assert!(!derived(grammar, "y"));
}

#[test]
fn each_rule_is_used() {
    let grammar = Grammar::read(grammar_text()).expect("the grammar file");
    let text = grammar_text();
    for production in &grammar.productions {
        let name = &production.name;
        let word = |c: char| c.is_ascii_alphanumeric() || c == '-';
        let uses = text
            .match_indices(name.as_str())
            .filter(|(at, _)| {
                !text[..*at].ends_with(word) && !text[at + name.len()..].starts_with(word)
            })
            .count();
        let start = ["file", "stdlib-file", "SPACE"].contains(&name.as_str());
        assert!(uses > 1 || start, "`{name}` is defined and never used");
    }
}

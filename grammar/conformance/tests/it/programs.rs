//! The grammar and the compiler agree on a fixed series of programs.

use symbi_conformance::ebnf::Grammar;
use symbi_conformance::generate::Generator;
use symbi_conformance::grammar_text;
use symbi_conformance::programs::program;
use symbi_conformance::recognise::{Derived, derives};
use symbi_conformance::shrink::shrink;
use symbi_conformance::terminal::tokens;
use symbi_conformance::verdict::{compiler, line_column};

const SEED: u64 = 1;
const COUNT: u64 = 2_000;

fn grammar() -> Grammar {
    Grammar::read(grammar_text()).expect("the grammar file is in its notation")
}

#[test]
fn programs_of_the_grammar_are_accepted_and_use_all_of_it() {
    let grammar = grammar();
    let mut generator = Generator::new(&grammar);
    for number in 0..COUNT {
        let program = program(&mut generator, SEED, number, false).expect("a program");
        let seen: Vec<_> = tokens(&program.text)
            .into_iter()
            .map(|token| token.text)
            .collect();
        let made: Vec<_> = program
            .tokens
            .iter()
            .map(|token| token.text.as_str())
            .collect();
        // `>=` is two tokens, and white space joins none.
        assert_eq!(seen, made, "number {number}\n{}", program.text);
        let answer = compiler(&program.text, program.stdlib);
        if let Some((at, message)) = answer.first_error {
            let (line, column) = line_column(&program.text, at);
            panic!(
                "number {number} is refused: {:?}\n{line}:{column}: {message}\n{}",
                answer.codes, program.text
            );
        }
    }
    assert_eq!(generator.unused(), Vec::<String>::new());
}

#[test]
fn the_same_number_gives_the_same_program() {
    let grammar = grammar();
    let texts = |numbers: &[u64]| -> Vec<String> {
        let mut generator = Generator::new(&grammar);
        let made = numbers
            .iter()
            .map(|&number| program(&mut generator, SEED, number, true));
        made.map(|program| program.expect("a program").text)
            .collect()
    };
    let mut backwards = texts(&[29, 17, 5]);
    backwards.reverse();
    assert_eq!(texts(&[5, 17, 29]), backwards);
}

#[test]
fn a_third_is_mutated_and_some_of_those_are_refused() {
    let grammar = grammar();
    let mut generator = Generator::new(&grammar);
    let (mut mutated, mut refused) = (0, 0);
    for number in 0..300 {
        let program = program(&mut generator, SEED, number, true).expect("a program");
        let accepted = compiler(&program.text, program.stdlib).verdict.accepted;
        assert!(
            accepted || program.mutated,
            "number {number}\n{}",
            program.text
        );
        mutated += u32::from(program.mutated);
        refused += u32::from(!accepted);
    }
    assert_eq!(mutated, 100);
    assert!((60..100).contains(&refused), "{refused} refused");
}

/// What the grammar leaves out on purpose: the head comment of section 12 says
/// that these words are names of nothing that is read.
const LEFT_OUT: &[&str] = &["in", "not", "and", "or", "else", "catch"];

#[test]
fn the_recogniser_derives_what_the_generator_made() {
    let grammar = grammar();
    let mut generator = Generator::new(&grammar);
    for number in 0..150 {
        let program = program(&mut generator, SEED, number, false).expect("a program");
        let start = if program.stdlib {
            "stdlib-file"
        } else {
            "file"
        };
        let derived = derives(&grammar, start, &program.text);
        assert_eq!(derived, Derived::Yes, "number {number}\n{}", program.text);
    }
}

#[test]
fn mutants_are_derived_exactly_when_they_are_accepted() {
    let grammar = grammar();
    let mut generator = Generator::new(&grammar);
    let mut differences = Vec::new();
    for number in (2..600).step_by(3) {
        let program = program(&mut generator, SEED, number, true).expect("a program");
        let start = if program.stdlib {
            "stdlib-file"
        } else {
            "file"
        };
        let differs = |text: &str| {
            let accepted = compiler(text, program.stdlib).verdict.accepted;
            accepted != (derives(&grammar, start, text) == Derived::Yes)
        };
        let words = tokens(&program.text);
        let left_out = words.iter().any(|token| LEFT_OUT.contains(&token.text));
        if !left_out && differs(&program.text) {
            differences.push(format!(
                "{number}: {}",
                shrink(&program.text, &mut { differs })
            ));
        }
    }
    assert_eq!(differences, Vec::<String>::new());
}

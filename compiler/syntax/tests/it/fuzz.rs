//! A smoke run of the fuzz targets: a fixed number of fixed seeds, over
//! mutants of all sources. Longer runs: `fuzz/README.md`.

use symbi_syntax::fuzzing::mutate::{Random, bytes, spacing, tokens};
use symbi_syntax::fuzzing::{format, lexer, parser};

use crate::support::sources;

fn corpus() -> Vec<String> {
    sources().into_iter().map(|(_, text)| text).collect()
}

/// A mutant of some source, by its seed.
fn mutant(corpus: &[String], seed: u64) -> String {
    let mut random = Random(seed);
    let text = &corpus[random.below(corpus.len())];
    let other = &corpus[random.below(corpus.len())];
    match random.below(4) {
        0 | 1 => spacing(text, &mut random),
        2 => tokens(text, other, &mut random),
        _ => spacing(&tokens(text, other, &mut random), &mut random),
    }
}

#[test]
fn lexer() {
    let corpus = corpus();
    for seed in 0..2_000 {
        lexer::fuzz_one(mutant(&corpus, seed).as_bytes());
        let mut random = Random(seed);
        let text = &corpus[random.below(corpus.len())];
        lexer::fuzz_one(&bytes(text.as_bytes(), &mut random));
    }
}

#[test]
fn parser() {
    let corpus = corpus();
    for seed in 0..1_500 {
        parser::fuzz_one(mutant(&corpus, seed).as_bytes());
        let mut random = Random(seed);
        let text = &corpus[random.below(corpus.len())];
        parser::fuzz_one(&bytes(text.as_bytes(), &mut random));
    }
}

#[test]
fn format() {
    let corpus = corpus();
    let formatted = (0..1_500)
        .filter(|&seed| format::check(&mutant(&corpus, seed)))
        .count();
    assert!(formatted > 400, "{formatted} mutants without errors");
    for seed in 0..300 {
        let mut random = Random(seed);
        let text = &corpus[random.below(corpus.len())];
        format::fuzz_one(&bytes(text.as_bytes(), &mut random));
    }
}

/// What a fuzzer found once, as small as it gets.
#[test]
fn found_once() {
    let texts = [
        // A text without its end behind another: where it ends depended on
        // the first.
        "\"\"\" a\n} \\\"\"\" b\nc\n} d",
        // A range from the middle of a character.
        "// \u{feff}",
        // A line end between a text and what stands before it alone.
        "metadata { a = \"x\ny\" }",
        // A bracket that closes nothing, among the words after a rule.
        "policy p { allow: read sam] if x }",
        "policy p { deny: write without Some(Ok(_) + = export }",
        "policy p { deny: write without ( [ ) }",
    ];
    for text in texts {
        lexer::fuzz_one(text.as_bytes());
        parser::fuzz_one(text.as_bytes());
        format::fuzz_one(text.as_bytes());
    }
}

//! Tests of the generator tool: the committed parser is what the grammar says.

use std::path::PathBuf;

use symbi_grammar::{Error, Files, differing, generate, grammar_folder, write};

#[test]
fn the_committed_parser_is_what_the_grammar_generates() {
    let folder = grammar_folder();
    let files = generate(&folder).unwrap();
    let names: Vec<_> = files
        .keys()
        .map(|name| name.display().to_string())
        .collect();
    assert!(names.contains(&"parser.c".to_owned()), "{names:?}");
    assert!(names.contains(&"node-types.json".to_owned()), "{names:?}");
    let stale = differing(&folder, &files).unwrap();
    assert!(
        stale.is_empty(),
        "out of date: {stale:?}; run `cargo run -p symbi-grammar -- generate`"
    );
    let parser = String::from_utf8(files[&PathBuf::from("parser.c")].clone()).unwrap();
    assert!(parser.contains("#define LANGUAGE_VERSION 14"));
}

#[test]
fn what_differs_is_named_and_written_whole() {
    let folder = tempfile::tempdir().unwrap();
    let files = Files::from([
        (PathBuf::from("parser.c"), b"new".to_vec()),
        (PathBuf::from("tree_sitter/parser.h"), b"same".to_vec()),
    ]);
    let all: Vec<PathBuf> = files.keys().cloned().collect();
    assert_eq!(differing(folder.path(), &files).unwrap(), all);
    write(folder.path(), &files).unwrap();
    assert_eq!(
        differing(folder.path(), &files).unwrap(),
        Vec::<PathBuf>::new()
    );
    std::fs::write(folder.path().join("src/parser.c"), "old").unwrap();
    assert_eq!(
        differing(folder.path(), &files).unwrap(),
        [PathBuf::from("parser.c")]
    );
    let left: Vec<_> = std::fs::read_dir(folder.path().join("src"))
        .unwrap()
        .map(|entry| entry.unwrap().file_name())
        .collect();
    assert_eq!(left.len(), 2, "{left:?}");
}

#[test]
fn a_grammar_that_is_wrong_or_wasteful_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let grammar = |rules: &str, more: &str| {
        std::fs::write(
            folder.path().join("grammar.js"),
            format!("module.exports = grammar({{ name: 'x', {more} rules: {{ {rules} }} }});"),
        )
        .unwrap();
        generate(folder.path())
    };
    assert!(grammar("file: ($) => repeat('a')", "").is_ok());
    let ambiguous = grammar(
        "file: ($) => choice($.a, 'n'), a: ($) => seq($.file, '+', $.file)",
        "",
    );
    assert!(
        matches!(&ambiguous, Err(Error::Grammar(why)) if why.contains("conflict")),
        "{ambiguous:?}"
    );
    let wasteful = grammar(
        "file: ($) => choice($.a, $.b), a: ($) => seq('a', 'x'), b: ($) => seq('a', 'y')",
        "conflicts: ($) => [[$.a, $.b]],",
    );
    assert!(matches!(&wasteful, Err(Error::Unneeded(_))), "{wasteful:?}");
}

//! `symbi dsl` without `--check`: outline, tree and tokens.

use serde_json::Value;

use crate::support::{GOOD, Place};

const TWO: &str = "// first\nagent greet(name: String) {\n  policy safe { allow: read }\n}\n\nfunction helper() { return 1; }\n";

/// The texts of the tokens below this value, in order.
fn texts(value: &Value, found: &mut String) {
    match value {
        Value::Array(items) => items.iter().for_each(|item| texts(item, found)),
        Value::Object(fields) => match fields.get("text") {
            Some(text) => found.push_str(text.as_str().unwrap()),
            None => texts(&fields["children"], found),
        },
        _ => {}
    }
}

#[test]
fn an_outline_then_the_whole_tree() {
    let place = Place::new();
    let run = place.write("x.symbi", TWO).line("dsl -f x.symbi");
    assert_eq!((run.stderr.as_str(), run.code), ("", 0));
    let (outline, tree) = run.stdout.split_once("\n\ntree of x.symbi\n").unwrap();
    assert_eq!(
        outline,
        "outline of x.symbi\n\
         agent greet(name: String)  2:1\n  \
           policy safe  3:3\n    \
             rule allow read  3:17\n\
         function helper()  6:1"
    );
    // Comments, spaces and line ends are there too.
    for part in [
        "\"// first\" 0..8",
        "\"greet\" 15..20",
        "\"policy\" 39..45",
        "\"\\n",
    ] {
        assert!(tree.contains(part), "{part} in {tree}");
    }
}

#[test]
fn one_section_of_one_source_has_no_heading() {
    let place = Place::new();
    place.write("x.symbi", GOOD).write("y.symbi", GOOD);
    let run = place.line("dsl --tokens x.symbi");
    assert!(
        run.stdout
            .lines()
            .next()
            .unwrap()
            .ends_with(" \"function\" 0..8"),
        "{run:?}"
    );
    let both = place.line("dsl --tokens x.symbi y.symbi");
    assert_eq!(
        both.stdout,
        format!("tokens of x.symbi\n{}\ntokens of y.symbi\n{0}", run.stdout)
    );
}

#[test]
fn the_sections_of_the_document_are_those_asked_for() {
    let place = Place::new();
    place.write("x.symbi", TWO);
    let keys = |line: &str| -> Vec<String> {
        let json = place.line(line).json();
        json["sources"][0]
            .as_object()
            .unwrap()
            .keys()
            .cloned()
            .collect()
    };
    // In the order in which they are written.
    assert_eq!(
        keys("dsl --json x.symbi"),
        ["path", "error", "outline", "tree", "diagnostics"]
    );
    assert_eq!(
        keys("dsl --tokens --json x.symbi"),
        ["path", "error", "tokens", "diagnostics"]
    );
    assert_eq!(
        keys("dsl --tokens --tree --outline --format json x.symbi"),
        ["path", "error", "outline", "tree", "tokens", "diagnostics"]
    );
}

#[test]
fn tree_and_tokens_are_lossless() {
    let place = Place::new();
    let text = format!("\u{feff}{TWO}agent é {{ \"a\\n\u{7}\r\n");
    place.write("x.symbi", &text);
    let json = place.line("dsl --tree --tokens --json x.symbi").json();
    for section in ["tree", "tokens"] {
        let mut found = String::new();
        texts(&json["sources"][0][section], &mut found);
        assert_eq!(found, text, "{section}");
    }
}

#[test]
fn the_outline_of_the_document_nests() {
    let place = Place::new();
    place.write("x.symbi", TWO);
    let json = place.line("dsl --outline --json x.symbi").json();
    let outline = &json["sources"][0]["outline"];
    assert_eq!(outline[0]["kind"], "agent");
    assert_eq!(outline[0]["name"], "greet");
    assert_eq!(outline[0]["start"], 9);
    assert_eq!(outline[0]["children"][0]["name"], "safe");
    assert_eq!(outline[1]["name"], "helper");
}

#[test]
fn errors_are_reported_here_too() {
    let place = Place::new();
    place.write("x.symbi", "function f() { let a = 1 }\n");
    let run = place.line("dsl --format short --outline x.symbi");
    assert!(
        run.stderr.starts_with("x.symbi:1:") && run.stderr.contains("error[S0107]"),
        "{run:?}"
    );
    assert!(run.stdout.starts_with("function f"), "{run:?}");
    assert_eq!(run.code, 1);
    let run = place.line("dsl -q --outline x.symbi");
    assert_eq!((run.stderr.as_str(), run.code), ("", 1));
    let run = place.line("dsl --json --outline x.symbi");
    assert_eq!(run.json()["sources"][0]["diagnostics"][0]["code"], "S0107");
    assert_eq!((run.stderr.as_str(), run.code), ("", 1));
}

#[test]
fn a_tree_of_any_depth_is_printed_in_linear_space() {
    let place = Place::new();
    for format in ["human", "json"] {
        let size = |operators: usize| {
            let chain = vec!["1"; operators + 1].join(" + ");
            place.write("x.symbi", format!("function f() {{ return {chain}; }}\n"));
            let run = place.line(&format!("dsl --tree --format {format} x.symbi"));
            let tokens = match format {
                "human" => run.stdout.matches(" \"+\" ").count(),
                _ => run.stdout.matches("\"text\":\"+\"").count(),
            };
            assert_eq!(
                (tokens, run.stderr.as_str(), run.code),
                (operators, "", 0),
                "{format}"
            );
            run.stdout.len()
        };
        let (half, whole) = (size(4_500), size(9_000));
        assert!(whole < half * 23 / 10, "{format}: {half}, {whole}");
    }
}

//! Texts that are cut, deep or large: an answer, and no abort.

use std::fmt::Write as _;

use tree_sitter::{Query, QueryCursor, StreamingIterator};

use crate::highlights::spans;
use crate::support::{QUERIES, data, parse, query};

/// Runs every query over a text; how many captures there were.
fn run_all(text: &str) -> usize {
    let queries: Vec<Query> = QUERIES.iter().map(|(name, _)| query(name)).collect();
    run(&queries, text)
}

fn run(queries: &[Query], text: &str) -> usize {
    let tree = parse(text);
    assert_eq!(tree.root_node().end_byte(), text.len());
    let mut count = 0;
    for query in queries {
        let mut cursor = QueryCursor::new();
        let mut captures = cursor.captures(query, tree.root_node(), text.as_bytes());
        while captures.next().is_some() {
            count += 1;
        }
    }
    count
}

#[test]
fn every_prefix_of_a_file_has_captures() {
    let queries: Vec<Query> = QUERIES.iter().map(|(name, _)| query(name)).collect();
    let text = data("desk.symbi");
    for end in (0..=text.len()).filter(|&end| text.is_char_boundary(end)) {
        let count = run(&queries, &text[..end]);
        assert!(end == 0 || count > 0, "{end}");
    }
}

#[test]
fn every_prefix_of_a_file_is_coloured_whole() {
    let text = data("every-construct.symbi");
    // Each fifth one: the engine takes a while for each.
    for end in (0..=text.len())
        .step_by(5)
        .filter(|&end| text.is_char_boundary(end))
    {
        let spans = spans(&text[..end]);
        assert_eq!(spans.last().map_or(0, |(span, _)| span.end), end);
    }
}

/// A function with this value.
fn function(value: &str) -> String {
    format!("function f() {{ return {value}; }}")
}

/// A text of a size.
type Shape = fn(usize) -> String;

/// The shapes that have brought readers down: name, text of a size.
const SHAPES: &[(&str, Shape)] = &[
    ("parentheses", |size| {
        function(&format!("{}1{}", "(".repeat(size), ")".repeat(size)))
    }),
    ("open comments", |size| "/* ".repeat(size)),
    ("open parentheses", |size| {
        format!("function f() {{ return {}", "(".repeat(size))
    }),
    ("lists", |size| {
        function(&format!("{}{}", "[".repeat(size), "]".repeat(size)))
    }),
    ("chain of operators", |size| {
        function(&format!("1{}", " + 1".repeat(size)))
    }),
    ("chain of calls", |size| {
        function(&format!("a{}", ".b()".repeat(size)))
    }),
    ("signs", |size| function(&format!("{}1", "!".repeat(size)))),
    ("else if", |size| {
        format!(
            "function f() {{ if a {{ }}{} }}",
            " else if a { }".repeat(size)
        )
    }),
    ("one line list", |size| {
        format!("metadata {{ a = [{}] }}", "1, ".repeat(size))
    }),
    ("statements", |size| {
        format!("function f() {{ {} }}", "let a = 1; ".repeat(size))
    }),
    ("arms", |size| {
        format!(
            "function f() {{ match a {{ {} }} }}",
            "1 => 2, ".repeat(size)
        )
    }),
    ("rules", |size| {
        format!("policy p {{ {} }}", "allow: a(b) if b == 1\n".repeat(size))
    }),
    // Their time in tags.scm grows with the square.
    ("comments", |size| {
        format!("{}agent a {{ }}", "/// Of a.\n".repeat(size / 4))
    }),
    ("string", |size| {
        format!("metadata {{ a = \"{}\" }}", "long ".repeat(size * 5))
    }),
    ("raw string", |size| {
        format!(
            "metadata {{ a = \"\"\"{}\"\"\" }}",
            "long\n".repeat(size * 5)
        )
    }),
    ("escapes", |size| {
        format!("metadata {{ a = \"{}\" }}", "\\n\\q".repeat(size))
    }),
    ("comment", |size| {
        format!("/* {} */ agent a {{ }}", "long ".repeat(size * 5))
    }),
    ("nested comment", |size| {
        format!("{}{} agent a {{ }}", "/*".repeat(size), "*/".repeat(size))
    }),
    ("items", |size| {
        (0..size).fold(String::new(), |mut text, number| {
            let _ = writeln!(text, "agent a{number} {{ }}");
            text
        })
    }),
];

#[test]
fn deep_and_large_texts_have_captures() {
    for (name, make) in SHAPES {
        let text = make(2_000);
        let count = run_all(&text);
        assert!(count > 1, "{name}: {count}");
    }
}

/// The parser alone has no trouble with any depth: its stack is on the heap.
#[test]
fn a_hundred_times_as_deep_parses_all_the_same() {
    let mut parser = tree_sitter::Parser::new();
    parser
        .set_language(&tree_sitter_symbi::LANGUAGE.into())
        .expect("a known interface");
    for (name, make) in SHAPES {
        let text = make(200_000);
        let tree = parser.parse(&text, None).expect("a tree");
        assert_eq!(tree.root_node().end_byte(), text.len(), "{name}");
        let open = name.starts_with("open ");
        assert_eq!(tree.root_node().has_error(), open, "{name}");
    }
}

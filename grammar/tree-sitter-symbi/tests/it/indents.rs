//! The indents that an editor computes are those that the formatter writes.

use std::collections::BTreeSet;

use tree_sitter::{QueryCursor, StreamingIterator};

use crate::support::{data, examples, parse_clean, query};

/// Spaces a level.
const WIDTH: usize = 4;

/// The level of each line as Neovim reckons it: one more for each node with
/// `indent.begin` that began in an earlier line and goes on in this one, those
/// of one line counted once; one less if an `indent.branch` begins the line. None where `indent.ignore` says so.
fn levels(text: &str) -> Vec<Option<usize>> {
    let tree = parse_clean("the source", text);
    let query = query("indents");
    let names = query.capture_names();
    let lines: Vec<&str> = text.lines().collect();
    let starts: Vec<usize> = lines
        .iter()
        .map(|line| line.len() - line.trim_start().len())
        .collect();
    let mut begun: Vec<BTreeSet<usize>> = vec![BTreeSet::new(); lines.len()];
    let mut ignored = vec![false; lines.len()];
    let mut branches = vec![false; lines.len()];
    let mut cursor = QueryCursor::new();
    let mut matches = cursor.matches(&query, tree.root_node(), text.as_bytes());
    while let Some(found) = matches.next() {
        for capture in found.captures() {
            let (node, name) = (capture.node, names[capture.index as usize]);
            let (first, last) = (node.start_position().row, node.end_position().row);
            match name {
                "indent.ignore" => ignored[first + 1..=last].fill(true),
                "indent.begin" => {
                    for rows in &mut begun[first + 1..=last] {
                        rows.insert(first);
                    }
                }
                "indent.branch" => branches[first] |= node.start_position().column == starts[first],
                _ => {}
            }
        }
    }
    (0..lines.len())
        .map(|row| {
            (!ignored[row] && !lines[row].trim().is_empty())
                .then(|| begun[row].len() - usize::from(branches[row]))
        })
        .collect()
}

#[test]
fn examples_are_indented_as_the_formatter_does() {
    let mut problems = Vec::new();
    for (name, text) in sources() {
        for (row, (line, level)) in text.lines().zip(levels(&text)).enumerate() {
            let found = line.len() - line.trim_start().len();
            if let Some(level) = level.filter(|level| level * WIDTH != found) {
                problems.push(format!("{name}:{}: {level} levels: {line}", row + 1));
            }
        }
    }
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

fn sources() -> Vec<(String, String)> {
    let mut sources = examples();
    // Laid out by hand, in a way that the formatter would change.
    sources.retain(|(name, _)| name != "quick-reference/policies.symbi");
    for name in ["desk.symbi", "long-lines.symbi"] {
        sources.push((name.to_owned(), data(name)));
    }
    sources
}

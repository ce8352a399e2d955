//! The queries as such: they compile, and leave nothing out.

use std::collections::BTreeSet;

use tree_sitter::Query;

use crate::support::{QUERIES, language};

/// The captures of the queries for trees that every reader of them knows,
/// apart from those of highlights, which fall back from the end: `keyword.x`
/// is a `keyword` to those who do not know it.
const GROUPS: &[&str] = &[
    "attribute",
    "boolean",
    "comment",
    "constant",
    "constructor",
    "function",
    "keyword",
    "label",
    "module",
    "number",
    "operator",
    "property",
    "punctuation",
    "string",
    "type",
    "variable",
];

/// The predicates that Neovim, Helix, Zed and tree-sitter itself know.
const PREDICATES: &[&str] = &["eq?", "match?", "any-of?", "set!"];

/// Those of tags.scm besides, which tree-sitter-tags alone reads.
const TAG_PREDICATES: &[&str] = &["strip!", "select-adjacent!", "is-not?"];

/// Named nodes that no query needs to mention, and why.
const UNMENTIONED: &[(&str, &str)] = &[
    ("statement", "a supertype: its kinds are mentioned"),
    ("pattern", "a supertype: its kinds are mentioned"),
    ("type", "a supertype: its kinds are mentioned"),
    (
        "metadata_block",
        "its word, its block and the entries in it are coloured, folded and indented",
    ),
    ("constraints_block", "as metadata_block"),
    ("executor_block", "as metadata_block"),
    ("attribute_list", "its entries are"),
    ("arm_guard", "its word and its condition are"),
    ("let_condition", "its word and its pattern are"),
    ("literal_pattern", "its value is"),
    ("optional_type", "its type and its sign are"),
    ("\"true\"", "the token of a boolean, which is"),
    ("\"false\"", "the token of a boolean, which is"),
    ("\"\"\"", "the quote of a string, which is"),
    ("\"\"\"\"\"", "the quotes of a raw string, which is"),
];

#[test]
fn every_query_compiles() {
    for (name, text) in QUERIES {
        let query =
            Query::new(&language(), text).unwrap_or_else(|error| panic!("{name}.scm: {error}"));
        assert!(query.pattern_count() > 0, "{name}.scm is empty");
    }
}

#[test]
fn highlights_use_groups_that_all_editors_know() {
    let query = crate::support::query("highlights");
    for name in query.capture_names() {
        let group = name.split('.').next().unwrap_or_default();
        assert!(GROUPS.contains(&group), "@{name}");
    }
}

#[test]
fn predicates_are_those_that_all_readers_know() {
    for (name, text) in QUERIES {
        for line in text
            .lines()
            .filter(|line| !line.trim_start().starts_with(';'))
        {
            let Some((_, rest)) = line.split_once("(#") else {
                continue;
            };
            let predicate = rest.split([' ', ')']).next().unwrap_or_default();
            let known = PREDICATES.contains(&predicate)
                || *name == "tags" && TAG_PREDICATES.contains(&predicate);
            assert!(known, "{name}.scm: #{predicate}");
        }
    }
}

/// The words of all queries: names of nodes, and quoted tokens.
fn mentioned() -> BTreeSet<String> {
    let mut words = BTreeSet::new();
    for (_, text) in QUERIES {
        for line in text.lines().map(str::trim) {
            if line.starts_with(';')
                || line.starts_with("(#")
                || line.starts_with('"') && line.ends_with("))")
            {
                continue;
            }
            let mut rest = line;
            while let Some(at) = rest.find(['(', '"', '/']) {
                let open = rest[at..].starts_with('"');
                rest = &rest[at + 1..];
                let end = if open {
                    rest.find('"').unwrap_or(rest.len())
                } else {
                    rest.find(|c: char| !(c.is_alphanumeric() || c == '_'))
                        .unwrap_or(rest.len())
                };
                words.insert(if open {
                    format!("\"{}\"", &rest[..end])
                } else {
                    rest[..end].to_owned()
                });
                rest = rest.get(end + usize::from(open)..).unwrap_or_default();
            }
        }
    }
    words
}

/// The kinds of nodes of the grammar that have a name or a text, quoted.
fn kinds() -> BTreeSet<String> {
    let language = language();
    (0..language.node_kind_count())
        .filter_map(|id| u16::try_from(id).ok())
        .filter(|&id| language.node_kind_is_visible(id) || language.node_kind_is_supertype(id))
        .filter_map(|id| {
            let kind = language.node_kind_for_id(id)?;
            Some(
                if language.node_kind_is_named(id) || language.node_kind_is_supertype(id) {
                    kind.to_owned()
                } else {
                    format!("\"{kind}\"")
                },
            )
        })
        .collect()
}

#[test]
fn every_kind_of_node_is_mentioned_or_has_a_reason_not_to_be() {
    let mentioned = mentioned();
    let kinds = kinds();
    assert!(
        kinds.contains("rule_tail") && kinds.contains("\"not in\""),
        "{kinds:?}"
    );
    let expected: BTreeSet<String> = UNMENTIONED
        .iter()
        .map(|(kind, _)| (*kind).to_owned())
        .collect();
    let missing: BTreeSet<String> = kinds.difference(&mentioned).cloned().collect();
    assert_eq!(missing, expected);
    for (kind, reason) in UNMENTIONED {
        assert!(kinds.contains(*kind) && !reason.is_empty(), "{kind}");
    }
}

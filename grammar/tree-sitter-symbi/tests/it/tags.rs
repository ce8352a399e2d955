//! Symbols, by the engine that `tree-sitter tags` runs.

use std::fmt::Write as _;

use tree_sitter_tags::{TagsConfiguration, TagsContext};

use crate::support::{crate_folder, data, examples, expect_file, language};

fn configuration() -> TagsConfiguration {
    TagsConfiguration::new(
        language(),
        tree_sitter_symbi::TAGS_QUERY,
        tree_sitter_symbi::LOCALS_QUERY,
    )
    .expect("queries that the engine takes")
}

fn listing(configuration: &TagsConfiguration, text: &str) -> String {
    let mut context = TagsContext::new();
    let (tags, has_error) = context
        .generate_tags(configuration, text.as_bytes(), None)
        .expect("a language that loads");
    assert!(!has_error);
    let mut listing = String::new();
    for tag in tags {
        let tag = tag.expect("nothing cancels it");
        let what = if tag.is_definition {
            "definition"
        } else {
            "reference"
        };
        let kind = configuration.syntax_type_name(tag.syntax_type_id);
        let (line, column) = (tag.span.start.row + 1, tag.span.start.column + 1);
        let name = &text[tag.name_range];
        let _ = write!(listing, "{line}:{column} {what} {kind} {name}");
        if let Some(docs) = tag.docs {
            let _ = write!(listing, "  {docs:?}");
        }
        listing.push('\n');
    }
    listing
}

#[test]
fn tags_are_what_their_snapshot_says() {
    let found = listing(&configuration(), &data("desk.symbi"));
    let path = crate_folder().join("tests/snapshots/tags.txt");
    assert_eq!(expect_file(&path, &found), Ok(()));
}

/// By hand, apart from the snapshots: only what is right above counts.
#[test]
fn docs_are_the_lines_right_above() {
    let table = [
        ("/// One.\n/// Two.\nagent a {}", Some("One.\nTwo.")),
        ("// A file.\n\n/// Doc.\nagent a {}", Some("Doc.")),
        ("/// Of nothing.\n\nagent a {}", None),
        ("// No doc.\nagent a {}", None),
        ("///Tight.\nagent a {}", Some("Tight.")),
        ("# No doc.\nagent a {}", None),
    ];
    let configuration = configuration();
    for (text, docs) in table {
        let expected = match docs {
            Some(docs) => format!(" definition class a  {docs:?}\n"),
            None => " definition class a\n".to_owned(),
        };
        let found = listing(&configuration, text);
        assert!(
            found.ends_with(&expected) && found.lines().count() == 1,
            "{text}\n{found}"
        );
    }
}

#[test]
fn every_example_has_tags() {
    let configuration = configuration();
    for (name, text) in examples() {
        let expected = ["agent ", "policy ", "function "]
            .iter()
            .any(|word| text.lines().any(|line| line.starts_with(word)));
        let found = listing(&configuration, &text);
        assert!(
            !expected || found.contains(" definition "),
            "{name}:\n{found}"
        );
    }
}

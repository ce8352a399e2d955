//! Colours, by the engine of the command line of tree-sitter.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::ops::Range;
use std::sync::LazyLock;

use tree_sitter_highlight::{HighlightConfiguration, HighlightEvent, Highlighter};

use crate::support::{
    crate_folder, data, examples, expect_file, files, language, parse, parse_clean, query,
    repository,
};

/// The queries as the engine takes them, and the names of their captures.
/// They take longer to compile than an example to colour.
static CONFIGURATION: LazyLock<(HighlightConfiguration, Vec<String>)> = LazyLock::new(|| {
    let mut configuration = HighlightConfiguration::new(
        language(),
        "symbi",
        tree_sitter_symbi::HIGHLIGHTS_QUERY,
        tree_sitter_symbi::INJECTIONS_QUERY,
        tree_sitter_symbi::LOCALS_QUERY,
    )
    .expect("queries that compile");
    let names: Vec<String> = query("highlights")
        .capture_names()
        .iter()
        .map(|name| (*name).to_owned())
        .collect();
    configuration.configure(&names);
    (configuration, names)
});

/// A text's pieces with the innermost capture of each; none for white space
/// between tokens.
pub fn spans(text: &str) -> Vec<(Range<usize>, Option<String>)> {
    let (configuration, names) = &*CONFIGURATION;
    let mut highlighter = Highlighter::new();
    let events = highlighter
        .highlight(configuration, text.as_bytes(), None, None, |_| None)
        .expect("a language that loads");
    let mut open = Vec::new();
    let mut spans: Vec<(Range<usize>, Option<String>)> = Vec::new();
    for event in events {
        match event.expect("nothing cancels it") {
            HighlightEvent::HighlightStart(highlight) => open.push(highlight.0),
            HighlightEvent::HighlightEnd => {
                open.pop();
            }
            HighlightEvent::Source { start, end } => {
                let name = open.last().map(|&index| names[index].clone());
                match spans.last_mut() {
                    Some((before, same)) if before.end == start && *same == name => {
                        before.end = end
                    }
                    _ => spans.push((start..end, name)),
                }
            }
        }
    }
    spans
}

/// Each line, and below it `text capture` of its pieces. Brackets, commas and
/// the like are left out: [`nothing_is_without_a_capture`] looks at them.
fn listing(text: &str) -> String {
    let spans = spans(text);
    let mut out = String::new();
    let mut start = 0;
    let mut first = 0;
    for (number, line) in text.split('\n').enumerate() {
        let end = start + line.len();
        if !line.trim().is_empty() {
            let _ = writeln!(out, "{:>3}| {line}", number + 1);
            while spans.get(first).is_some_and(|(span, _)| span.end <= start) {
                first += 1;
            }
            let pieces: Vec<String> = spans[first..]
                .iter()
                .take_while(|(span, _)| span.start < end)
                .filter_map(|(span, name)| {
                    let name = name.as_deref()?;
                    let piece = text[span.start.max(start)..span.end.min(end)].trim();
                    let plain = name.starts_with("punctuation") || piece.is_empty();
                    (!plain).then(|| format!("{} {name}", clipped(piece)))
                })
                .collect();
            if !pieces.is_empty() {
                let _ = writeln!(out, "     {}", pieces.join(" | "));
            }
        }
        start = end + 1;
    }
    out
}

/// The start of a text: the line above has all of it.
fn clipped(text: &str) -> String {
    if text.chars().count() <= 24 {
        return text.to_owned();
    }
    let head: String = text.chars().take(20).collect();
    format!("{head}…")
}

#[test]
fn examples_are_coloured_as_their_snapshots_say() {
    let folder = crate_folder().join("tests/snapshots/highlights");
    let mut problems = Vec::new();
    let mut expected = Vec::new();
    let mut sources = examples();
    sources.push((
        "every-construct.symbi".to_owned(),
        data("every-construct.symbi"),
    ));
    for (name, text) in sources {
        let path = folder.join(format!("{}.txt", name.replace('/', "-")));
        problems.extend(expect_file(&path, &listing(&text)).err());
        expected.push(path);
    }
    for path in files(&folder, "txt") {
        if !expected.contains(&path) {
            problems.push(format!("{}: its source is gone", path.display()));
        }
    }
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

/// Examples, what has every construct, and what of the corpus has no error.
fn sources() -> Vec<(String, String)> {
    let every = data("every-construct.symbi");
    parse_clean("every-construct.symbi", &every);
    let mut sources = examples();
    sources.push(("every-construct.symbi".to_owned(), every));
    for path in files(&repository().join("grammar/conformance/cases"), "symbi") {
        let text = std::fs::read(&path).expect("a file that can be read");
        if let Ok(text) = String::from_utf8(text)
            && !parse(&text).root_node().has_error()
        {
            sources.push((path.display().to_string(), text));
        }
    }
    sources
}

/// White space as the language has it, and the mark at the start of a file.
fn is_space(letter: char) -> bool {
    letter.is_whitespace() || letter == '\u{FEFF}'
}

#[test]
fn nothing_is_without_a_capture() {
    for (name, text) in sources() {
        for (span, capture) in spans(&text) {
            let piece = &text[span];
            match capture.as_deref() {
                None => assert!(
                    piece.chars().all(is_space),
                    "{name}: `{piece}` has no capture"
                ),
                Some("punctuation.bracket") => {
                    let signs = piece
                        .chars()
                        .all(|sign| "()[]{}<>".contains(sign) || is_space(sign));
                    assert!(signs, "{name}: `{piece}` is no bracket");
                }
                Some("punctuation.delimiter") => {
                    let signs = piece
                        .chars()
                        .all(|sign| ",;:.".contains(sign) || is_space(sign));
                    assert!(signs, "{name}: `{piece}` is no delimiter");
                }
                Some(_) => {}
            }
        }
    }
}

/// The data has every kind of token, so that none goes unseen above.
#[test]
fn the_data_has_every_token() {
    let language = language();
    let mut unseen: BTreeMap<u16, String> = (1..language.node_kind_count())
        .filter_map(|id| u16::try_from(id).ok())
        .filter(|&id| language.node_kind_is_visible(id))
        .filter_map(|id| Some((id, language.node_kind_for_id(id)?.to_owned())))
        .collect();
    for (_, text) in sources() {
        let tree = parse(&text);
        let mut cursor = tree.walk();
        'tree: loop {
            unseen.retain(|_, kind| *kind != cursor.node().kind());
            if cursor.goto_first_child() {
                continue;
            }
            while !cursor.goto_next_sibling() {
                if !cursor.goto_parent() {
                    break 'tree;
                }
            }
        }
    }
    assert_eq!(unseen, BTreeMap::new());
}

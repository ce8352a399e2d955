//! What the tests share: files, trees, captures as text, expectations on disk.

use std::fs;
use std::path::{Path, PathBuf};

use tree_sitter::{Language, Node, Parser, Query, QueryCursor, StreamingIterator, Tree};

/// The folder of this crate.
pub fn crate_folder() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The root of the repository.
pub fn repository() -> PathBuf {
    crate_folder().join("../..")
}

pub fn language() -> Language {
    tree_sitter_symbi::LANGUAGE.into()
}

pub fn parse(text: &str) -> Tree {
    let mut parser = Parser::new();
    parser
        .set_language(&language())
        .expect("an ABI that the library loads");
    parser.parse(text, None).expect("no limit was set")
}

/// The tree of a text that must have no error.
pub fn parse_clean(name: &str, text: &str) -> Tree {
    let tree = parse(text);
    assert!(
        !tree.root_node().has_error(),
        "{name} has errors:\n{}",
        tree.root_node().to_sexp()
    );
    tree
}

/// All queries, by the names of their files.
pub const QUERIES: &[(&str, &str)] = &[
    ("highlights", tree_sitter_symbi::HIGHLIGHTS_QUERY),
    ("locals", tree_sitter_symbi::LOCALS_QUERY),
    ("folds", tree_sitter_symbi::FOLDS_QUERY),
    ("indents", tree_sitter_symbi::INDENTS_QUERY),
    ("injections", tree_sitter_symbi::INJECTIONS_QUERY),
    ("tags", tree_sitter_symbi::TAGS_QUERY),
    ("textobjects", tree_sitter_symbi::TEXTOBJECTS_QUERY),
];

pub fn query(name: &str) -> Query {
    let (_, text) = QUERIES
        .iter()
        .find(|(query, _)| *query == name)
        .expect("a query of that name");
    Query::new(&language(), text).unwrap_or_else(|error| panic!("{name}.scm: {error}"))
}

/// What the captures of one name in a match took, from the first to the last.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Capture {
    pub start: usize,
    /// Minus the end, so that the larger of two that begin together is first.
    pub minus_end: isize,
    pub name: String,
    /// What `#set!` says in the pattern.
    pub settings: String,
}

impl Capture {
    pub fn text<'t>(&self, text: &'t str) -> &'t str {
        &text[self.start..self.end()]
    }

    pub fn end(&self) -> usize {
        self.minus_end.unsigned_abs()
    }
}

/// All captures of a query, by where they begin; those that only serve a
/// predicate (`_name`) are left out.
pub fn captures(query: &Query, tree: &Tree, text: &str) -> Vec<Capture> {
    let mut cursor = QueryCursor::new();
    let mut matches = cursor.matches(query, tree.root_node(), text.as_bytes());
    let mut all = Vec::new();
    while let Some(found) = matches.next() {
        let settings: Vec<String> = query
            .property_settings(found.pattern_index)
            .iter()
            .map(|setting| {
                format!(
                    " {}={}",
                    setting.key,
                    setting.value.as_deref().unwrap_or_default()
                )
            })
            .collect();
        for (index, name) in query.capture_names().iter().enumerate() {
            let nodes: Vec<Node<'_>> = found.nodes_for_capture_index(index as u32).collect();
            let (Some(first), Some(last)) = (nodes.first(), nodes.last()) else {
                continue;
            };
            if !name.starts_with('_') {
                all.push(Capture {
                    start: first.start_byte(),
                    minus_end: -(last.end_byte() as isize),
                    name: (*name).to_owned(),
                    settings: settings.concat(),
                });
            }
        }
    }
    all.sort();
    all.dedup();
    all
}

/// A text in one line, cut in the middle if it is long.
pub fn short(text: &str) -> String {
    let line: Vec<&str> = text.split_whitespace().collect();
    let line = line.join(" ");
    if line.chars().count() <= 60 {
        return line;
    }
    let letters: Vec<char> = line.chars().collect();
    let head: String = letters[..36].iter().collect();
    let tail: String = letters[letters.len() - 20..].iter().collect();
    format!("{head} … {tail}")
}

/// `line:column` from 1, in bytes.
pub fn place(text: &str, at: usize) -> String {
    let line = text[..at].matches('\n').count() + 1;
    let column = at - text[..at].rfind('\n').map_or(0, |end| end + 1) + 1;
    format!("{line}:{column}")
}

/// Compares with the file that holds what is expected; with
/// `UPDATE_SNAPSHOTS=1` writes it. A file that is missing is a failure.
pub fn expect_file(path: &Path, found: &str) -> Result<(), String> {
    if std::env::var_os("UPDATE_SNAPSHOTS").is_some_and(|value| value == "1") {
        let folder = path.parent().ok_or("no folder")?;
        fs::create_dir_all(folder).map_err(|error| error.to_string())?;
        return fs::write(path, found).map_err(|error| error.to_string());
    }
    let expected = fs::read_to_string(path)
        .map_err(|error| format!("{}: {error}\nUPDATE_SNAPSHOTS=1 writes it", path.display()))?;
    if expected == found {
        return Ok(());
    }
    let line = expected
        .lines()
        .zip(found.lines())
        .position(|(old, new)| old != new)
        .unwrap_or_else(|| expected.lines().count().min(found.lines().count()));
    Err(format!(
        "{}:{}\n  expected: {}\n  found:    {}\nUPDATE_SNAPSHOTS=1 writes what is found",
        path.display(),
        line + 1,
        expected.lines().nth(line).unwrap_or("(nothing)"),
        found.lines().nth(line).unwrap_or("(nothing)"),
    ))
}

/// The files with an ending in a folder and those below, sorted.
pub fn files(folder: &Path, ending: &str) -> Vec<PathBuf> {
    let mut all = Vec::new();
    let mut open = vec![folder.to_owned()];
    while let Some(folder) = open.pop() {
        let Ok(entries) = fs::read_dir(&folder) else {
            continue;
        };
        for entry in entries {
            let path = entry.expect("a folder that can be read").path();
            if path.is_dir() {
                open.push(path);
            } else if path.extension().is_some_and(|found| found == ending) {
                all.push(path);
            }
        }
    }
    all.sort();
    all
}

/// All examples of the repository: path below `examples/` with `/`, text.
pub fn examples() -> Vec<(String, String)> {
    let folder = repository().join("examples");
    let examples: Vec<(String, String)> = files(&folder, "symbi")
        .into_iter()
        .map(|path| {
            let name = path.strip_prefix(&folder).expect("below the folder");
            let name = name.to_string_lossy().replace('\\', "/");
            (
                name,
                fs::read_to_string(path).expect("an example that can be read"),
            )
        })
        .collect();
    assert!(
        examples.len() > 20,
        "the examples are not where they should be"
    );
    examples
}

/// A text of tests/data.
pub fn data(name: &str) -> String {
    let path = crate_folder().join("tests/data").join(name);
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

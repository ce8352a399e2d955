//! STUB while the parser is being written: the signatures below are final.

use std::path::Path;
use std::sync::Arc;
use symbi_diagnostics::{Diagnostic, Span};

/// The largest file the language allows, in bytes.
pub const MAX_FILE_BYTES: u64 = 64 << 20;

/// Whether a path names a source file: extension `symbi` or `dsl`.
pub fn is_symbi_file(path: &Path) -> bool {
    matches!(path.extension().and_then(|e| e.to_str()), Some("symbi" | "dsl"))
}

/// Bytes as text.
pub struct Decoded {
    /// The text; each run of bytes that is not UTF-8 is one U+FFFD.
    pub text: Arc<str>,
    /// Places in `text` of those runs.
    pub invalid: Vec<Span>,
}

/// Decodes a file's bytes.
pub fn decode(bytes: Vec<u8>) -> Decoded {
    Decoded { text: String::from_utf8_lossy(&bytes).into(), invalid: Vec::new() }
}

/// A parsed file.
pub struct File { text: Arc<str> }

impl File {
    /// Parses.
    pub fn parse(text: impl Into<Arc<str>>) -> File { File { text: text.into() } }
    /// Parses what `decode` gave, with one S0101 report where bytes were not UTF-8.
    pub fn parse_decoded(decoded: Decoded) -> File { File { text: decoded.text } }
    /// The text.
    pub fn text(&self) -> &Arc<str> { &self.text }
    /// All reports in the order of their places.
    pub fn diagnostics(&self) -> Vec<Diagnostic> { Vec::new() }
    /// The tree in document order, trivia included: printing the tokens gives the text.
    pub fn walk(&self) -> Vec<WalkEvent> { Vec::new() }
    /// What the file declares.
    pub fn outline(&self) -> Vec<OutlineEntry> { Vec::new() }
}

/// A step through a tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WalkEvent {
    /// A node begins.
    Enter(SyntaxKind, Span),
    /// A token or a piece of trivia.
    Token(SyntaxKind, Span),
    /// The node that began last ends.
    Leave,
}

/// One declaration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OutlineEntry {
    /// `agent`, `policy`, `function`, ...
    pub kind: &'static str,
    /// Its name, if it has one.
    pub name: Option<String>,
    /// The rest of its first line in short: parameters, types, attributes. May be empty.
    pub detail: String,
    /// All of it.
    pub span: Span,
    /// What it holds.
    pub children: Vec<OutlineEntry>,
}

/// Kinds of tokens and nodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum SyntaxKind {
    /// Placeholder.
    Error,
}

impl SyntaxKind {
    /// Its name in dumps, e.g. `AgentDef`, `Whitespace`.
    pub fn name(self) -> &'static str { "Error" }
    /// Whether it is white space or a comment.
    pub fn is_trivia(self) -> bool { false }
}

/// All tokens of a text with trivia: they tile it.
pub fn lex(text: &str) -> Vec<(SyntaxKind, Span)> { let _ = text; Vec::new() }

//! Tests of the whole crate, one module a subject. `marked` turns a source
//! with brackets around its places into a file and a diagnostic.

#![allow(
    clippy::unwrap_used,
    reason = "clippy spares only functions marked as tests"
)]

mod cases;
mod columns;
mod formats;
mod human;
mod json;
mod registry;
mod sarif;
mod short;
mod sweep;

use symbi_diagnostics::{Diagnostic, SourceFile, Span, syntax};

/// A file and a diagnostic from a source in which `⟦…⟧` encloses the primary
/// place and `⟪…⟫` each note, in the order of the notes.
pub fn marked(source: &str) -> (SourceFile, Diagnostic) {
    let mut text = String::new();
    let mut primary = None;
    let mut notes = Vec::new();
    let mut open = Vec::new();
    for c in source.chars() {
        let at = text.len() as u32;
        match c {
            '⟦' | '⟪' => open.push(at),
            '⟧' => primary = Some(Span::new(open.pop().unwrap(), at)),
            '⟫' => notes.push(Span::new(open.pop().unwrap(), at)),
            c => text.push(c),
        }
    }
    let primary = primary.expect("the source marks a place with ⟦⟧");
    let mut diagnostic =
        Diagnostic::new(&syntax::S0107, primary, "expected `;` after this statement");
    for (number, note) in notes.into_iter().enumerate() {
        diagnostic = diagnostic.note(note, format!("note {}", number + 1));
    }
    (SourceFile::new("agents/review.symbi", text), diagnostic)
}

/// The source with its line ends and tabs made visible, to stand above what
/// is printed for it.
pub fn visible(source: &str) -> String {
    let mut out = String::new();
    for c in source.chars() {
        match c {
            '\n' => out.push_str("␊\n"),
            '\r' => out.push('␍'),
            '\t' => out.push('␉'),
            c if c.is_control() => out.extend(c.escape_default()),
            '\u{200B}'..='\u{206F}' | '\u{FEFF}' => out.extend(c.escape_default()),
            c => out.push(c),
        }
    }
    out
}

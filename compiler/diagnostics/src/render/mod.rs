//! One renderer a format. Each is a plain function from a file and a
//! diagnostic to text; the formats that are one document have a report to be
//! filled file by file, in two steps: what is to be said about a file is made
//! of the file alone, so that many can be made at once, and then pushed in
//! order.
//!
//! All of them take lines and columns from [`crate::LineTable`] alone, so a
//! place is the same in every format.

mod excerpt;
mod fingerprint;
mod github;
mod gitlab;
mod human;
pub mod json;
mod junit;
mod origin;
mod sarif;
mod short;
mod text;

pub use github::{github, github_unreadable, inert};
pub use gitlab::{GitlabFile, GitlabReport};
pub use human::{Style, human};
pub use json::JsonReport;
pub use junit::{JunitCase, JunitReport};
pub use origin::Origin;
pub use sarif::{SarifFile, SarifReport};
pub use short::short;
pub use text::one_line;

use crate::{Diagnostic, LineColumn, SourceFile, Span};

/// What to do about it, for formats that show no fixes: one line each.
fn advice(diagnostic: &Diagnostic) -> impl Iterator<Item = String> {
    let fix = diagnostic.fix.as_ref().map(|fix| &*fix.title);
    let texts = diagnostic.help.as_deref().into_iter().chain(fix);
    texts.map(|text| format!("help: {}", one_line(text)))
}

/// Where a place starts and ends for formats that show whole lines: one that
/// ends with a line end does not reach the next line.
fn shown_lines(file: &SourceFile, span: Span) -> (LineColumn, LineColumn) {
    let span = file.clamp(span);
    let start = file.line_column(span.start);
    let mut end = file.line_column(span.end);
    if end.line > start.line && end.column == 1 {
        let before = file.line_range(end.line - 2).end;
        end = file.line_column(before as u32);
    }
    (start, end)
}

/// JSON on one line, without a line feed.
fn json_line(value: &impl serde::Serialize) -> String {
    match serde_json::to_string(value) {
        Ok(line) => line,
        // INVARIANT: only maps with keys that are no strings and failing
        // `Serialize`s of our own end here, and no document has either.
        Err(error) => unreachable!("a document is always JSON: {error}"),
    }
}

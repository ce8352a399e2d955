//! The report for programs: one JSON document for a whole run. Its shape is a
//! promise, written down in `docs/json-format.md` and in the JSON Schema
//! beside it; a test holds the output to both.
//!
//! Within version 1, fields and values of `level`, `status` and
//! `applicability` keep their meaning and fields may be added; anything else
//! is another version.

use serde::Serialize;

use crate::{Applicability, Diagnostic, Edit, LineColumn, SourceFile, Span};

/// The version of the shape that [`JsonReport`] writes.
pub const VERSION: u32 = 1;

/// The whole document. Make one with [`JsonReport::new`], push every file in
/// the order it is to appear, then print it.
#[derive(Clone, Debug, Serialize)]
pub struct JsonReport {
    /// [`VERSION`].
    pub version: u32,
    /// Who wrote the document.
    pub tool: Tool,
    /// In the order they were pushed.
    pub files: Vec<JsonFile>,
    /// Counts over all files.
    pub summary: Summary,
    /// What was mended; missing if nobody asked for it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fixes: Option<Vec<JsonFixes>>,
}

/// What was mended in one file.
#[derive(Clone, Debug, Serialize)]
pub struct JsonFixes {
    /// As in [`JsonFile::path`].
    pub path: String,
    /// Whether the new text stands in the file.
    pub written: bool,
    /// Why it does not although it was to; null otherwise.
    pub error: Option<String>,
    /// What was mended. All places are of the text as it was before.
    pub fixed: Vec<JsonFixed>,
    /// What leads from the old text to the new one, in ascending order.
    pub edits: Vec<JsonEdit>,
}

/// A problem that was mended.
#[derive(Clone, Debug, Serialize)]
pub struct JsonFixed {
    /// As in [`JsonDiagnostic::code`].
    pub code: &'static str,
    /// What was wrong.
    pub message: String,
    /// What was done.
    pub title: String,
    /// Where the report was. What only the mending of something else brought to
    /// light stands where that was mended.
    pub span: JsonSpan,
}

/// Who wrote the document.
#[derive(Clone, Debug, Serialize)]
pub struct Tool {
    /// The name of the program.
    pub name: String,
    /// Its version.
    pub version: String,
    /// The edition of the language it checks.
    pub edition: String,
}

/// One file of the run.
#[derive(Clone, Debug, Serialize)]
pub struct JsonFile {
    /// As the user wrote it or as it was found; `<stdin>` for standard input.
    pub path: String,
    /// The verdict.
    pub status: Status,
    /// How many of `diagnostics` are errors.
    pub errors: usize,
    /// How many of `diagnostics` are warnings.
    pub warnings: usize,
    /// Why the file could not be read; null if it was.
    pub error: Option<String>,
    /// In the order they were given.
    pub diagnostics: Vec<JsonDiagnostic>,
    /// On which routes its agents may run, if that was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub agents: Option<Vec<JsonAgent>>,
}

/// An agent, and on which routes it may run.
#[derive(Clone, Debug, Serialize)]
pub struct JsonAgent {
    /// Its name.
    pub name: String,
    /// The routes on which it may run.
    pub admitted: Vec<&'static str>,
    /// Why it may not on the others.
    pub reasons: Vec<JsonReason>,
}

/// Why an agent is refused.
#[derive(Clone, Debug, Serialize)]
pub struct JsonReason {
    /// The routes on which it is.
    pub routes: Vec<&'static str>,
    /// The stable code of what refuses it.
    pub code: &'static str,
    /// What is wrong.
    pub message: String,
    /// Where.
    pub span: JsonSpan,
    /// The name by which the project may waive it; null if it cannot.
    pub waived_as: Option<String>,
    /// What it is about, where that stands in another file: `span` is the name
    /// of the agent then.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub elsewhere: Option<JsonElsewhere>,
}

/// A place in another file.
#[derive(Clone, Debug, Serialize)]
pub struct JsonElsewhere {
    /// The path of the file, as messages call it.
    pub path: String,
    /// Where in it.
    pub span: JsonSpan,
}

/// The verdict on one file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Status {
    /// Nothing to say.
    Ok,
    /// Warnings, no errors.
    Warnings,
    /// At least one error.
    Failed,
    /// It could not be read, so it was not checked.
    Unreadable,
}

/// Counts over all files.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Summary {
    /// Files in the document.
    pub files: usize,
    /// Errors in all of them. A file that cannot be read is not one.
    pub errors: usize,
    /// Warnings in all of them.
    pub warnings: usize,
    /// Files that could not be read.
    pub unreadable: usize,
}

/// One diagnostic.
#[derive(Clone, Debug, Serialize)]
pub struct JsonDiagnostic {
    /// The stable code, e.g. `S0107`.
    pub code: &'static str,
    /// `error` or `warning`.
    pub level: &'static str,
    /// What every report of this code is called.
    pub title: &'static str,
    /// What is wrong here.
    pub message: String,
    /// A few words for the mark; may be empty.
    pub label: String,
    /// What to do about it; null if the message or the fix says it.
    pub help: Option<String>,
    /// Where.
    pub span: JsonSpan,
    /// Other places that explain the first.
    pub notes: Vec<JsonNote>,
    /// An edit that mends it, or null.
    pub fix: Option<JsonFix>,
}

/// From one place to another, end exclusive; equal for a place between two
/// characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct JsonSpan {
    /// The first place inside.
    pub start: JsonPlace,
    /// The first place behind.
    pub end: JsonPlace,
}

/// A place, counted in every way an editor may need.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct JsonPlace {
    /// Bytes from the start of the file, from 0. A BOM counts.
    pub offset: u32,
    /// The line, from 1.
    pub line: u32,
    /// Unicode scalar values in the line, from 1. A BOM does not count.
    pub column: u32,
    /// UTF-16 code units in the line, from 0. A BOM does not count.
    pub utf16: u32,
}

/// A place and what there is to say about it.
#[derive(Clone, Debug, Serialize)]
pub struct JsonNote {
    /// Where.
    pub span: JsonSpan,
    /// What.
    pub message: String,
}

/// Edits that belong together.
#[derive(Clone, Debug, Serialize)]
pub struct JsonFix {
    /// What they do, for a menu.
    pub title: String,
    /// `machine-applicable` or `maybe-incorrect`.
    pub applicability: &'static str,
    /// In ascending order, not overlapping; all places are of the file as it
    /// was checked.
    pub edits: Vec<JsonEdit>,
}

/// Replace what is in `span` with `text`.
#[derive(Clone, Debug, Serialize)]
pub struct JsonEdit {
    /// What is replaced; empty to insert.
    pub span: JsonSpan,
    /// What is written there; empty to delete.
    pub text: String,
}

impl JsonReport {
    /// A report without files yet.
    pub fn new(tool: Tool) -> Self {
        Self {
            version: VERSION,
            tool,
            files: Vec::new(),
            summary: Summary::default(),
            fixes: None,
        }
    }

    /// Adds a file that was checked.
    pub fn push(&mut self, file: &SourceFile, diagnostics: &[Diagnostic]) {
        self.push_file(JsonFile::checked(file, diagnostics));
    }

    /// Adds a file that could not be read, and why.
    pub fn push_unreadable(&mut self, path: impl Into<String>, error: impl Into<String>) {
        self.push_file(JsonFile::unreadable(path, error));
    }

    /// Adds a file made elsewhere, e.g. in another thread.
    pub fn push_file(&mut self, file: JsonFile) {
        self.summary.files += 1;
        self.summary.errors += file.errors;
        self.summary.warnings += file.warnings;
        self.summary.unreadable += usize::from(file.status == Status::Unreadable);
        self.files.push(file);
    }

    /// The document, indented, with a line feed at its end.
    pub fn to_string_pretty(&self) -> String {
        let mut out = match serde_json::to_string_pretty(self) {
            Ok(out) => out,
            // INVARIANT: only maps with keys that are no strings and failing
            // `Serialize`s of our own end here, and the report has neither.
            Err(error) => unreachable!("a report is always JSON: {error}"),
        };
        out.push('\n');
        out
    }
}

impl JsonFile {
    /// A file that was checked.
    pub fn checked(file: &SourceFile, diagnostics: &[Diagnostic]) -> Self {
        let errors = diagnostics.iter().filter(|d| d.is_error()).count();
        let hints = diagnostics.iter().filter(|d| d.is_hint()).count();
        let warnings = diagnostics.len() - errors - hints;
        Self {
            path: file.name.clone(),
            status: match (errors, warnings) {
                (0, 0) => Status::Ok,
                (0, _) => Status::Warnings,
                _ => Status::Failed,
            },
            errors,
            warnings,
            error: None,
            diagnostics: diagnostics.iter().map(|d| entry(file, d)).collect(),
            agents: None,
        }
    }

    /// A file that could not be read, and why.
    pub fn unreadable(path: impl Into<String>, error: impl Into<String>) -> Self {
        Self {
            path: path.into(),
            status: Status::Unreadable,
            errors: 0,
            warnings: 0,
            error: Some(error.into()),
            diagnostics: Vec::new(),
            agents: None,
        }
    }
}

fn entry(file: &SourceFile, diagnostic: &Diagnostic) -> JsonDiagnostic {
    JsonDiagnostic {
        code: diagnostic.code.id,
        level: diagnostic.code.level.word(),
        title: diagnostic.code.title,
        message: diagnostic.message.clone(),
        label: diagnostic.primary.text.clone(),
        help: diagnostic.help.clone(),
        span: span(file, diagnostic.primary.at),
        notes: diagnostic
            .notes
            .iter()
            .map(|note| JsonNote {
                span: span(file, note.at),
                message: note.text.clone(),
            })
            .collect(),
        fix: diagnostic.fix.as_ref().map(|fix| JsonFix {
            title: fix.title.clone(),
            applicability: match fix.applicability {
                Applicability::MachineApplicable => "machine-applicable",
                Applicability::MaybeIncorrect => "maybe-incorrect",
            },
            edits: fix.edits.iter().map(|it| edit(file, it)).collect(),
        }),
    }
}

/// An edit of a file.
pub fn edit(file: &SourceFile, edit: &Edit) -> JsonEdit {
    JsonEdit {
        span: span(file, edit.at),
        text: edit.text.clone(),
    }
}

/// A place in a file.
pub fn span(file: &SourceFile, span: Span) -> JsonSpan {
    let span = file.clamp(span);
    JsonSpan {
        start: place(file, span.start),
        end: place(file, span.end),
    }
}

fn place(file: &SourceFile, offset: u32) -> JsonPlace {
    place_of(offset, file.line_column(offset))
}

/// A place whose line and column are known.
pub fn place_of(offset: u32, at: LineColumn) -> JsonPlace {
    JsonPlace {
        offset,
        line: at.line,
        column: at.column,
        utf16: at.utf16,
    }
}

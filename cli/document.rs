//! Formats in which a whole run is one document on stdout. What each source adds
//! to it is made beside others, then put in its place in order.

use symbi_diagnostics::render::json::{JsonFile, JsonFixes, JsonReport, Tool};
use symbi_diagnostics::render::{
    GitlabFile, GitlabReport, JunitCase, JunitReport, Origin, SarifFile, SarifReport,
};
use symbi_diagnostics::{Diagnostic, SourceFile};

use crate::args;
use crate::exit::Exit;
use crate::report::Format;

/// The document of a run, to be filled source by source.
pub enum Document {
    /// See `docs/json-format.md`.
    Json(JsonReport),
    /// SARIF.
    Sarif(SarifReport),
    /// GitLab's code quality.
    Gitlab(GitlabReport),
    /// JUnit's XML.
    Junit(JunitReport),
}

/// What one source adds to the document.
pub enum Part {
    /// To a document of the same name, as the others are.
    Json(JsonFile),
    /// One run's results.
    Sarif(SarifFile),
    /// Some issues.
    Gitlab(GitlabFile),
    /// A test case.
    Junit(JunitCase),
}

impl Document {
    /// The document of a format, if it has one. `command` is what runs.
    pub fn new(format: Format, command: &str) -> Option<Self> {
        let tool = || Tool {
            name: "symbi".to_owned(),
            version: args::VERSION.to_owned(),
            edition: args::EDITION.to_owned(),
        };
        Some(match format {
            Format::Human | Format::Short | Format::Github => return None,
            Format::Json => Self::Json(JsonReport::new(tool())),
            Format::Sarif => Self::Sarif(SarifReport::new(tool())),
            Format::Gitlab => Self::Gitlab(GitlabReport::default()),
            Format::Junit => Self::Junit(JunitReport::new(command)),
        })
    }

    /// Says what was mended, where the format has a place for it.
    pub fn set_fixes(&mut self, fixes: Option<Vec<JsonFixes>>) {
        if let Self::Json(document) = self {
            document.fixes = fixes;
        }
    }

    /// Adds what a source has to add; gives the piece that can be written.
    pub fn push(&mut self, part: Part) -> String {
        match (self, part) {
            (Self::Json(document), Part::Json(file)) => document.push_file(file),
            (Self::Sarif(document), Part::Sarif(file)) => return document.push(file),
            (Self::Gitlab(document), Part::Gitlab(file)) => return document.push(file),
            (Self::Junit(document), Part::Junit(case)) => document.push(&case),
            // INVARIANT: a run has one format, and parts and document are both
            // made of it.
            _ => unreachable!("a part of another document"),
        }
        String::new()
    }

    /// The last piece.
    pub fn finish(self, exit: Exit) -> String {
        match self {
            Self::Json(document) => document.to_string_pretty(),
            Self::Sarif(document) => document.finish(exit.code()),
            Self::Gitlab(document) => document.finish(),
            Self::Junit(document) => document.finish(),
        }
    }
}

impl Part {
    /// Of a source that was checked; `None` for a format without a document.
    ///
    /// `file` is named as its reports are to name it.
    pub fn checked(
        format: Format,
        origin: &Origin,
        file: &SourceFile,
        diagnostics: &[Diagnostic],
        deny_warnings: bool,
    ) -> Option<Self> {
        Some(match format {
            Format::Human | Format::Short | Format::Github => return None,
            Format::Json => Self::Json(JsonFile::checked(file, diagnostics)),
            Format::Sarif => Self::Sarif(SarifFile::checked(origin, file, diagnostics)),
            Format::Gitlab => Self::Gitlab(GitlabFile::checked(origin, file, diagnostics)),
            Format::Junit => {
                let case = JunitCase::checked(origin, file, diagnostics, deny_warnings);
                Self::Junit(case)
            }
        })
    }

    /// Of a source that could not be read. `path` is as the user wrote it.
    pub fn unreadable(format: Format, origin: &Origin, path: &str, reason: &str) -> Option<Self> {
        Some(match format {
            Format::Human | Format::Short | Format::Github => return None,
            Format::Json => Self::Json(JsonFile::unreadable(path, reason)),
            Format::Sarif => Self::Sarif(SarifFile::unreadable(origin, reason)),
            Format::Gitlab => Self::Gitlab(GitlabFile::unreadable(origin, reason)),
            Format::Junit => Self::Junit(JunitCase::unreadable(origin, reason)),
        })
    }
}

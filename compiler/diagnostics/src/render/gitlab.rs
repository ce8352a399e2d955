//! GitLab's code quality report: the list that a merge request compares with
//! the one of the branch it goes to. Its fingerprints are what it compares.

use serde::Serialize;

use super::fingerprint::{Ordinals, fingerprint, hash};
use super::text::one_line;
use super::{Origin, shown_lines};
use crate::{Diagnostic, Level, SourceFile};

/// The document, written piece by piece: [`GitlabReport::push`] each file in
/// the order it is to appear, then [`GitlabReport::finish`].
#[derive(Debug, Default)]
pub struct GitlabReport {
    issues: usize,
    ordinals: Ordinals,
}

/// What there is to say about one file.
#[derive(Debug)]
pub struct GitlabFile(Vec<(u128, Issue)>);

#[derive(Debug, Serialize)]
struct Issue {
    description: String,
    check_name: &'static str,
    fingerprint: String,
    severity: &'static str,
    location: Location,
}

#[derive(Debug, Serialize)]
struct Location {
    path: String,
    lines: Lines,
}

#[derive(Debug, Serialize)]
struct Lines {
    begin: u32,
    end: u32,
}

impl GitlabFile {
    /// A file that was checked.
    pub fn checked(origin: &Origin, file: &SourceFile, diagnostics: &[Diagnostic]) -> Self {
        let issue = |diagnostic: &Diagnostic| {
            let (start, end) = shown_lines(file, diagnostic.primary.at);
            let issue = Issue {
                description: format!("{}: {}", diagnostic.code.id, one_line(&diagnostic.message)),
                check_name: diagnostic.code.id,
                fingerprint: String::new(),
                severity: match diagnostic.code.level {
                    Level::Error => "major",
                    Level::Warning => "minor",
                    Level::Hint => "info",
                },
                location: Location {
                    path: origin.name().to_owned(),
                    lines: Lines {
                        begin: start.line,
                        end: end.line,
                    },
                },
            };
            (fingerprint(file, diagnostic), issue)
        };
        Self(diagnostics.iter().map(issue).collect())
    }

    /// A file that could not be read, and why. The list has no other place for
    /// it, and a file that is missing in it would pass for a file without
    /// faults.
    pub fn unreadable(origin: &Origin, reason: &str) -> Self {
        let issue = Issue {
            description: format!("it could not be read: {reason}"),
            check_name: "unreadable",
            fingerprint: String::new(),
            severity: "blocker",
            location: Location {
                path: origin.name().to_owned(),
                lines: Lines { begin: 1, end: 1 },
            },
        };
        Self(vec![(0, issue)])
    }
}

impl GitlabReport {
    /// The next piece of the document.
    pub fn push(&mut self, file: GitlabFile) -> String {
        let mut out = String::new();
        for (fingerprint, mut issue) in file.0 {
            out.push_str(if self.issues == 0 { "[\n" } else { ",\n" });
            self.issues += 1;
            // Two issues of one fingerprint would be one.
            let text = format!("{fingerprint:032x}");
            let base = hash([&*issue.location.path, issue.check_name, &*text]);
            let ordinal = self.ordinals.next(base).to_string();
            let told_apart = hash([&*format!("{base:032x}"), &*ordinal]);
            issue.fingerprint = format!("{told_apart:032x}");
            out.push_str(&super::json_line(&issue));
        }
        out
    }

    /// The last piece.
    pub fn finish(self) -> String {
        let end = if self.issues == 0 { "[]\n" } else { "\n]\n" };
        end.to_owned()
    }
}

//! SARIF 2.1.0 (OASIS, with errata 01): one log with one run, as code scanning
//! services read it. Numbers in comments are sections of the standard.
//!
//! Two of its rules are bent. 3.11.5 wants braces doubled in messages with and
//! without placeholders; ours have none, and readers show such messages as they
//! are, so braces stay. And what a program under check says must not become a
//! link in a message about it (3.11.6), so no `](` is left in one.

mod model;
mod rules;

use std::collections::HashMap;

use model::{
    Artifact, Change, Content, Fix, Invocation, Location, Message, Notification, Physical, Region,
    Replacement, Result, Run,
};

use super::fingerprint::{Ordinals, fingerprint};
use super::json::Tool;
use super::text::one_line;
use super::{Origin, advice, json_line};
use crate::{Applicability, Code, Diagnostic, Level, SourceFile, Span};

/// The name of the folder that paths are relative to. Where it is, the log does
/// not say: that differs from machine to machine, and may hold the name of a
/// user.
const ROOT: &str = "%SRCROOT%";

/// Our fingerprint (3.27.17). A different way to make it has another number.
const FINGERPRINT: &str = "symbiLine/v1";

/// The log, written piece by piece: [`SarifReport::push`] each file in the
/// order it is to appear, then [`SarifReport::finish`]. Results come before the
/// tool in it, so that they need not wait until all rules are known.
#[derive(Debug)]
pub struct SarifReport {
    tool: Tool,
    /// The codes of the results so far, by their index.
    rules: Vec<&'static Code>,
    indices: HashMap<&'static str, usize>,
    results: usize,
    notifications: Vec<Notification>,
}

/// What there is to say about one file.
#[derive(Debug, Default)]
pub struct SarifFile {
    results: Vec<(&'static Code, Result)>,
    notification: Option<Notification>,
}

impl SarifFile {
    /// A file that was checked.
    pub fn checked(origin: &Origin, file: &SourceFile, diagnostics: &[Diagnostic]) -> Self {
        let mut ordinals = Ordinals::default();
        let results = diagnostics.iter().map(|diagnostic| {
            let fingerprint = fingerprint(file, diagnostic);
            let ordinal = ordinals.next(fingerprint);
            let fingerprint = format!("{fingerprint:032x}:{ordinal}");
            (
                diagnostic.code,
                result(origin, file, diagnostic, fingerprint),
            )
        });
        Self {
            results: results.collect(),
            notification: None,
        }
    }

    /// A file that could not be read, and why: the tool's trouble, not a result.
    pub fn unreadable(origin: &Origin, reason: &str) -> Self {
        let name = one_line(origin.name());
        Self {
            results: Vec::new(),
            notification: Some(Notification {
                level: "error",
                message: message(&format!("{name}: {reason}")),
                locations: [Location {
                    id: None,
                    physical_location: Physical {
                        artifact_location: artifact(origin),
                        region: None,
                    },
                    message: None,
                }],
            }),
        }
    }
}

impl SarifReport {
    /// A log without results yet.
    pub fn new(tool: Tool) -> Self {
        Self {
            tool,
            rules: Vec::new(),
            indices: HashMap::new(),
            results: 0,
            notifications: Vec::new(),
        }
    }

    /// The next piece of the log: a line a result.
    pub fn push(&mut self, file: SarifFile) -> String {
        let mut out = String::new();
        for (code, mut result) in file.results {
            result.rule_index = *self.indices.entry(code.id).or_insert_with(|| {
                self.rules.push(code);
                self.rules.len() - 1
            });
            out.push_str(&match self.results {
                0 => head(),
                _ => ",\n".to_owned(),
            });
            self.results += 1;
            out.push_str(&json_line(&result));
        }
        self.notifications.extend(file.notification);
        out
    }

    /// The last piece, and the code that the process ends with.
    pub fn finish(self, exit_code: u8) -> String {
        let mut out = match self.results {
            0 => head(),
            _ => "\n".to_owned(),
        };
        let run = Run {
            tool: rules::tool(&self.tool, &self.rules),
            invocations: [Invocation {
                // Something that could not be read was not checked; errors that
                // were found are what the run is for.
                execution_successful: self.notifications.is_empty(),
                exit_code,
                tool_execution_notifications: self.notifications,
            }],
        };
        out.push_str("],\n");
        // Without its opening brace: the run began with the head.
        out.push_str(json_line(&run).trim_start_matches('{'));
        out.push_str("]}\n");
        out
    }
}

/// The beginning of every log. Lines end as the language has it; the order says
/// that CRLF is one end (3.14.26).
fn head() -> String {
    let schema = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";
    format!(
        "{{\"$schema\":\"{schema}\",\"version\":\"2.1.0\",\"runs\":[{{\
         \"columnKind\":\"unicodeCodePoints\",\"newlineSequences\":[\"\\r\\n\",\"\\n\",\"\\r\"],\
         \"defaultEncoding\":\"utf-8\",\"originalUriBaseIds\":{{\"{ROOT}\":{{\"description\":\
         {{\"text\":\"the folder that the check was started in\"}}}}}},\"results\":[\n"
    )
}

fn result(
    origin: &Origin,
    file: &SourceFile,
    diagnostic: &Diagnostic,
    fingerprint: String,
) -> Result {
    let location = |id, at, text: &str| Location {
        id,
        physical_location: Physical {
            artifact_location: artifact(origin),
            region: Some(region(file, at)),
        },
        message: (!text.is_empty()).then(|| message(text)),
    };
    let primary = &diagnostic.primary;
    let mut text = one_line(&diagnostic.message).into_owned();
    for line in advice(diagnostic) {
        text.push('\n');
        text.push_str(&line);
    }
    let notes = diagnostic.notes.iter().enumerate();
    Result {
        rule_id: diagnostic.code.id,
        rule_index: 0,
        level: level(diagnostic.code.level),
        message: message(&text),
        locations: [location(None, primary.at, &primary.text)],
        related_locations: notes
            .map(|(number, note)| location(Some(number), note.at, &note.text))
            .collect(),
        partial_fingerprints: [(FINGERPRINT, fingerprint)].into(),
        fixes: fix(origin, file, diagnostic).into_iter().collect(),
    }
}

/// Only what may be applied unasked: who reads the log applies it so.
fn fix(origin: &Origin, file: &SourceFile, diagnostic: &Diagnostic) -> Option<Fix> {
    let fix = diagnostic.fix.as_ref()?;
    if fix.applicability != Applicability::MachineApplicable || fix.edits.is_empty() {
        return None;
    }
    let replacements = fix.edits.iter().map(|edit| Replacement {
        deleted_region: region(file, edit.at),
        inserted_content: (!edit.text.is_empty()).then(|| Content {
            text: edit.text.clone(),
        }),
    });
    Some(Fix {
        description: message(&one_line(&fix.title)),
        artifact_changes: [Change {
            artifact_location: artifact(origin),
            replacements: replacements.collect(),
        }],
    })
}

fn level(level: Level) -> &'static str {
    match level {
        Level::Error => "error",
        Level::Warning => "warning",
        Level::Hint => "note",
    }
}

fn message(text: &str) -> Message {
    Message {
        text: text.replace("](", "] ("),
    }
}

fn artifact(origin: &Origin) -> Artifact {
    Artifact {
        uri: origin.uri(),
        uri_base_id: origin.is_relative().then_some(ROOT),
        description: match origin {
            Origin::File(_) => None,
            Origin::Text(label) => Some(message(&format!("{label}, a text that is no file"))),
        },
    }
}

/// Lines and columns: unlike offsets, they do not depend on a byte order mark.
fn region(file: &SourceFile, span: Span) -> Region {
    let span = file.clamp(span);
    let (start, end) = (file.line_column(span.start), file.line_column(span.end));
    Region {
        start_line: start.line,
        start_column: start.column,
        end_line: end.line,
        end_column: end.column,
    }
}

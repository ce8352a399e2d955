//! What becomes of one source: read, formatted, and written, compared or
//! printed. Runs beside others; what it has to say waits for its turn.

use symbi_diagnostics::{Diagnostic, Edit, SourceFile, Span, format as codes};
use symbi_syntax::File;
use symbi_syntax::format::{FormatError, edits, range_edits};

use super::lines::Lines;
use super::verdict::{REPORT_IT, Verdict};
use crate::diff;
use crate::document::Part;
use crate::report::{self, Format};
use crate::sources::{self, Original, Source, Written};
use crate::verdict::Failure;

/// What is wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Goal {
    /// Files in place; a text to stdout.
    Write,
    /// To know what would change.
    Check,
    /// To see what would change.
    Diff,
}

/// What is wanted of each source.
pub struct Task {
    /// What for.
    pub goal: Goal,
    /// Only these lines.
    pub lines: Option<Lines>,
    /// What reports look like.
    pub format: Format,
    /// No reports.
    pub quiet: bool,
    /// Whether diffs are coloured.
    pub diff_colour: bool,
    /// Whether reports are coloured.
    pub report_colour: bool,
}

/// What came of one source.
pub struct Outcome<'s> {
    /// Which.
    pub source: &'s Source,
    /// In a word.
    pub verdict: Verdict,
    /// For stdout: a diff, or the formatted text of stdin.
    pub text: String,
    /// Its reports as text.
    pub reports: String,
    /// For the document, if there is one.
    pub part: Option<Part>,
}

/// What is to be changed in a text.
struct Change {
    /// Empty if nobody asked for them.
    edits: Vec<Edit>,
    new: String,
}

impl Task {
    fn wants_edits(&self) -> bool {
        self.goal == Goal::Diff || self.format.is_document()
    }
}

/// Formats one source.
pub fn format<'s>(source: &'s Source, task: &Task) -> Outcome<'s> {
    let origin = source.reported();
    let (bytes, original) = match source.read_to_write() {
        Ok(read) => read,
        Err(problem) => {
            let reason = problem.to_string();
            return Outcome {
                source,
                text: String::new(),
                reports: match task.quiet {
                    true => String::new(),
                    false => report::unreadable(task.format, &origin, &reason),
                },
                part: Part::unreadable(task.format, &origin, &source.path, &reason),
                verdict: Verdict::Unreadable(problem),
            };
        }
    };
    let parsed = File::parse_decoded(symbi_syntax::decode(bytes));
    let name = match task.format {
        Format::Json => &source.path,
        _ => &source.name,
    };
    let file = SourceFile::new(name, parsed.text().clone());
    let mut text = String::new();
    let (verdict, diagnostics) = match change(&parsed, &file, task) {
        Err(FormatError::Errors) => failed(&file, parsed.diagnostics()),
        Err(FormatError::Changed { at }) => refused(&file, at),
        Ok(None) => {
            if task.goal == Goal::Write && original.is_none() {
                text = file.text.to_string();
            }
            (Verdict::Fine, Vec::new())
        }
        Ok(Some(change)) => {
            let at = first_difference(&file.text, &change.new);
            let verdict = match (task.goal, &original) {
                (Goal::Write, Some(original)) => write(original, &file.text, &change.new),
                (Goal::Write, None) => Verdict::Formatted,
                (Goal::Check | Goal::Diff, _) => Verdict::WouldChange(file.line_column(at)),
            };
            let diagnostic = not_formatted(&verdict, at, change.edits);
            text = match (task.goal, &original) {
                (Goal::Diff, _) => {
                    let edits = diagnostic.fix.iter().flat_map(|fix| &fix.edits);
                    let name = &source.name;
                    diff::unified(name, &file.text, edits, &change.new, task.diff_colour)
                }
                (Goal::Write, None) => change.new,
                _ => text,
            };
            (verdict, vec![diagnostic])
        }
    };
    // That a file is not formatted is told by its line; a program that reads
    // reports wants it among them.
    let told = match verdict {
        Verdict::Failed(_) => true,
        Verdict::WouldChange(_) | Verdict::Refused(_) => {
            matches!(task.format, Format::Short | Format::Github)
        }
        _ => false,
    };
    Outcome {
        source,
        verdict,
        text,
        reports: if told && !task.quiet {
            report::text(
                task.format,
                &origin,
                &file,
                &diagnostics,
                task.report_colour,
            )
        } else {
            String::new()
        },
        part: Part::checked(task.format, &origin, &file, &diagnostics, false),
    }
}

/// What formatting changes in a text, if anything.
fn change(parsed: &File, file: &SourceFile, task: &Task) -> Result<Option<Change>, FormatError> {
    let change = match task.lines {
        None if !task.wants_edits() => Change {
            edits: Vec::new(),
            new: symbi_syntax::format::format(parsed)?,
        },
        None => Change::of(file, edits(parsed)?),
        Some(lines) => match lines.bytes(file) {
            Some(bytes) => Change::of(file, range_edits(parsed, bytes)?),
            // Whether the file has errors is told all the same.
            None if parsed.has_errors() => return Err(FormatError::Errors),
            None => return Ok(None),
        },
    };
    Ok((change.new != *file.text).then_some(change))
}

impl Change {
    fn of(file: &SourceFile, edits: Vec<Edit>) -> Self {
        let old: &str = &file.text;
        let mut new = String::with_capacity(old.len());
        let mut at = 0;
        for edit in &edits {
            let range = edit.at.range();
            new.push_str(&old[at..range.start]);
            new.push_str(&edit.text);
            at = range.end;
        }
        new.push_str(&old[at..]);
        Self { edits, new }
    }
}

fn write(original: &Original, old: &str, new: &str) -> Verdict {
    match sources::replace(
        original,
        old.as_bytes(),
        new.as_bytes(),
        "symbi fmt --stdin",
    ) {
        Ok(Written::Here) => Verdict::Formatted,
        Ok(Written::ByAnother) => Verdict::Fine,
        Err(why) => Verdict::Unwritable(why),
    }
}

/// Where two texts begin to differ, between two characters of both.
fn first_difference(old: &str, new: &str) -> u32 {
    let pairs = old.bytes().zip(new.bytes());
    let mut at = pairs.take_while(|(old, new)| old == new).count();
    while !old.is_char_boundary(at) {
        at -= 1;
    }
    at as u32
}

fn failed(file: &SourceFile, diagnostics: Vec<Diagnostic>) -> (Verdict, Vec<Diagnostic>) {
    let errors = diagnostics.iter().filter(|d| d.is_error());
    let verdict = match Failure::of(file, errors) {
        Some(failure) => Verdict::Failed(failure),
        // INVARIANT: the formatter finds errors where the parser reports them.
        None => unreachable!("a file with errors has none"),
    };
    (verdict, diagnostics)
}

fn refused(file: &SourceFile, at: Span) -> (Verdict, Vec<Diagnostic>) {
    let message = "the formatter would have changed more than the layout";
    let diagnostic = Diagnostic::new(&codes::F1002, at, message)
        .label("what is here would not have stayed the same")
        .help(format!(
            "the file is left as it is; please report this with the file: {REPORT_IT}"
        ));
    (
        Verdict::Refused(file.line_column(at.start)),
        vec![diagnostic],
    )
}

fn not_formatted(verdict: &Verdict, at: u32, edits: Vec<Edit>) -> Diagnostic {
    let message = match verdict {
        Verdict::WouldChange(_) => "this file is not formatted".to_owned(),
        Verdict::Unwritable(why) => {
            format!("this file is not formatted, and it was not written: {why}")
        }
        _ => "this file was not formatted and is now".to_owned(),
    };
    let report =
        Diagnostic::new(&codes::F1001, Span::at(at), message).label("the first difference");
    if edits.is_empty() {
        report
    } else {
        report.fix("format the file", edits)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_difference_is_between_characters() {
        let table = [
            ("ab", "ac", 1),
            ("é", "è", 0),
            ("a", "ab", 1),
            ("ab", "a", 1),
            ("", "", 0),
        ];
        for (old, new, expected) in table {
            assert_eq!(first_difference(old, new), expected, "{old} {new}");
        }
    }

    #[test]
    fn what_the_formatter_gets_wrong_is_a_report_and_not_a_text() {
        let file = SourceFile::new(
            "x.symbi",
            "agent a {
  b = 1
}
",
        );
        let (verdict, diagnostics) = refused(&file, Span::new(12, 13));
        assert_eq!(
            verdict.line(false).as_deref(),
            Some("REFUSED 2:3 F1002 the formatter would have changed more than the layout")
        );
        let origin = symbi_diagnostics::render::Origin::file("x.symbi");
        let text = report::text(Format::Short, &origin, &file, &diagnostics, false);
        assert!(text.starts_with("x.symbi:2:3: error[F1002]: "), "{text}");
        assert!(diagnostics[0].help.as_deref().unwrap().contains("/issues"));
    }
}

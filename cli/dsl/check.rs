//! `symbi dsl --check`: one verdict a source, in the order of the arguments.
//!
//! Sources are read, checked and their reports rendered in parallel; only text
//! waits for its turn, so memory holds as many files as there are threads.

use std::io::Write;

use symbi_diagnostics::render::json::JsonFile;
use symbi_diagnostics::{Diagnostic, SourceFile};

use super::{Args, parallel};
use crate::Stop;
use crate::exit::Exit;
use crate::output::{GREEN, Output, RED_BOLD, YELLOW, paint};
use crate::report::{self, Format};
use crate::sources::{Problem, Source};
use symbi_diagnostics::render::one_line;

/// Names are padded to the longest, but not beyond this many characters: one
/// long path shall not push all verdicts out of sight.
const NAME_WIDTH: usize = 40;

/// What came of one source.
struct Outcome<'s> {
    source: &'s Source,
    verdict: Verdict,
    /// For stderr.
    text: String,
    /// For the document, if there is one.
    json: Option<JsonFile>,
}

#[derive(Debug, PartialEq, Eq)]
enum Verdict {
    Ok {
        warnings: usize,
    },
    Failed {
        line: u32,
        column: u32,
        code: &'static str,
        message: String,
        more: usize,
    },
    Unreadable(Problem),
}

/// Checks everything and prints it.
pub fn run(sources: &[Source], args: &Args, output: &mut Output) -> Result<Exit, Stop> {
    let lengths = sources.iter().map(|source| source.name.chars().count());
    let width = lengths.max().unwrap_or(0).min(NAME_WIDTH);
    let colour = output.stderr_colour;
    let mut document = (args.format == Format::Json).then(report::document);
    let mut exit = Exit::Fine;
    parallel::in_order(
        sources,
        |source| check(source, args, colour),
        |outcome| {
            exit = exit.max(outcome.verdict.exit());
            match (&mut document, outcome.json) {
                (Some(document), Some(file)) => document.push_file(file),
                _ => {
                    let verdict = outcome.verdict.line(output.stdout_colour);
                    output.line(&format!("{:width$}  {verdict}", outcome.source.name))?;
                }
            }
            if let Verdict::Unreadable(problem) = &outcome.verdict {
                output.error(&format!("{}: {problem}", outcome.source.name))?;
            }
            output.report(&outcome.text)
        },
    )?;
    if let Some(document) = document {
        output
            .stdout()
            .write_all(document.to_string_pretty().as_bytes())?;
    }
    Ok(exit)
}

fn check<'s>(source: &'s Source, args: &Args, colour: bool) -> Outcome<'s> {
    let as_json = args.format == Format::Json;
    let bytes = match source.read() {
        Ok(bytes) => bytes,
        Err(problem) => {
            return Outcome {
                source,
                json: as_json.then(|| JsonFile::unreadable(&source.path, problem.to_string())),
                text: String::new(),
                verdict: Verdict::Unreadable(problem),
            };
        }
    };
    let parsed = symbi_syntax::File::parse_decoded(symbi_syntax::decode(bytes));
    let diagnostics = parsed.diagnostics();
    if diagnostics.is_empty() && !as_json {
        return Outcome {
            source,
            verdict: Verdict::Ok { warnings: 0 },
            text: String::new(),
            json: None,
        };
    }
    let name = if as_json { &source.path } else { &source.name };
    let file = SourceFile::new(name, parsed.text().clone());
    let text = if args.quiet {
        String::new()
    } else {
        report::text(args.format, &file, &diagnostics, colour)
    };
    Outcome {
        source,
        verdict: Verdict::of(&file, &diagnostics, args.deny_warnings),
        text,
        json: as_json.then(|| report::json(&file, &diagnostics)),
    }
}

impl Verdict {
    fn of(file: &SourceFile, diagnostics: &[Diagnostic], deny_warnings: bool) -> Self {
        let mut fatal = diagnostics.iter().filter(|d| d.is_error()).peekable();
        let mut warnings = diagnostics.iter().filter(|d| !d.is_error());
        let (first, more) = match fatal.next() {
            Some(first) => (first, fatal.count()),
            None if deny_warnings => match warnings.next() {
                Some(first) => (first, warnings.count()),
                None => return Verdict::Ok { warnings: 0 },
            },
            None => {
                return Verdict::Ok {
                    warnings: warnings.count(),
                };
            }
        };
        let place = file.line_column(first.primary.at.start);
        Verdict::Failed {
            line: place.line,
            column: place.column,
            code: first.code.id,
            message: first.message.clone(),
            more,
        }
    }

    fn exit(&self) -> Exit {
        match self {
            Verdict::Ok { .. } => Exit::Fine,
            Verdict::Failed { .. } => Exit::Errors,
            Verdict::Unreadable(_) => Exit::Unusable,
        }
    }

    /// What stands behind the name.
    fn line(&self, colour: bool) -> String {
        match self {
            Verdict::Ok { warnings: 0 } => paint("OK", GREEN, colour),
            Verdict::Ok { warnings: 1 } => {
                format!("{} (1 warning)", paint("OK", YELLOW, colour))
            }
            Verdict::Ok { warnings } => {
                format!("{} ({warnings} warnings)", paint("OK", YELLOW, colour))
            }
            Verdict::Failed {
                line,
                column,
                code,
                message,
                more,
            } => {
                let word = paint("FAILED", RED_BOLD, colour);
                let message = one_line(message);
                let more = match more {
                    0 => String::new(),
                    more => format!(" (and {more} more)"),
                };
                format!("{word} {line}:{column} {code} {message}{more}")
            }
            Verdict::Unreadable(problem) => {
                format!("{} {problem}", paint("UNREADABLE", RED_BOLD, colour))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use symbi_diagnostics::{Span, syntax};

    fn verdict(letters: &str, deny_warnings: bool) -> String {
        let file = SourceFile::new("x.symbi", "\u{e9}\n".repeat(letters.len()));
        let report = |(at, letter): (usize, char)| {
            let code = if letter == 'e' {
                &syntax::S0107
            } else {
                &syntax::S0161
            };
            // The place after the letter of line `at`, in a text of 3 bytes a line.
            Diagnostic::new(code, Span::at(at as u32 * 3 + 2), format!("report {at}"))
        };
        let reports: Vec<_> = letters.chars().enumerate().map(report).collect();
        Verdict::of(&file, &reports, deny_warnings).line(false)
    }

    #[test]
    fn a_verdict_names_the_first_error_and_counts_the_others() {
        let table = [
            ("", false, "OK"),
            ("w", false, "OK (1 warning)"),
            ("ww", false, "OK (2 warnings)"),
            ("e", false, "FAILED 1:2 S0107 report 0"),
            ("wewe", false, "FAILED 2:2 S0107 report 1 (and 1 more)"),
            ("", true, "OK"),
            ("ww", true, "FAILED 1:2 S0161 report 0 (and 1 more)"),
            ("we", true, "FAILED 2:2 S0107 report 1"),
        ];
        for (letters, deny, expected) in table {
            assert_eq!(verdict(letters, deny), expected, "{letters} {deny}");
        }
    }

    #[test]
    fn a_verdict_is_one_line_whatever_the_message_quotes() {
        let verdict = Verdict::Failed {
            line: 1,
            column: 2,
            code: "S0102",
            message: "a\n\u{1b}[2Jb".to_owned(),
            more: 0,
        };
        assert_eq!(verdict.line(false), r"FAILED 1:2 S0102 a\n\u{1b}[2Jb");
    }
}

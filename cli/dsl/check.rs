//! `symbi dsl --check`: one verdict a source, in the order of the arguments.
//!
//! Sources are read, checked and their reports rendered in parallel; only text
//! waits for its turn, so memory holds as many files as there are threads.

use std::io::Write;

use symbi_diagnostics::render::json::JsonFile;
use symbi_diagnostics::{Diagnostic, SourceFile};

use super::Args;
use crate::exit::Exit;
use crate::output::{GREEN, Output, RED_BOLD, YELLOW, paint};
use crate::report::{self, Format};
use crate::sources::{Problem, Source};
use crate::verdict::{self, Failure};
use crate::{Stop, parallel};

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
    Ok { warnings: usize },
    Failed(Failure),
    Unreadable(Problem),
}

/// Checks everything and prints it.
pub fn run(sources: &[Source], args: &Args, output: &mut Output) -> Result<Exit, Stop> {
    let width = verdict::name_width(sources);
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
        let errors = diagnostics.iter().filter(|d| d.is_error());
        let warnings = diagnostics.iter().filter(|d| !d.is_error());
        let count = warnings.clone().count();
        let failure = Failure::of(file, errors)
            .or_else(|| Failure::of(file, warnings.filter(|_| deny_warnings)));
        match failure {
            Some(failure) => Verdict::Failed(failure),
            None => Verdict::Ok { warnings: count },
        }
    }

    fn exit(&self) -> Exit {
        match self {
            Verdict::Ok { .. } => Exit::Fine,
            Verdict::Failed(_) => Exit::Errors,
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
            Verdict::Failed(failure) => failure.verdict(colour),
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
}

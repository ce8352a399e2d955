//! `symbi dsl --check`: one verdict a source, in the order of the arguments.
//!
//! Sources are read once for what they declare, then checked and their reports
//! rendered in parallel; bodies are freed as this goes on, and only text waits
//! for its turn.

use std::io::Write;
use std::sync::Arc;

use symbi_diagnostics::render::Origin;
use symbi_diagnostics::render::json::JsonFixes;
use symbi_diagnostics::{Diagnostic, SourceFile};

use super::stats::Stats;
use super::{Args, routes};
use crate::document::{Document, Part};
use crate::exit::Exit;
use crate::output::{GREEN, Output, RED_BOLD, YELLOW, paint};
use crate::project::{Beside, Projects};
use crate::report::{self, Format};
use crate::sources::{self, Problem, Source};
use crate::verdict::{self, Failure};
use crate::{Stop, parallel};

/// What came of one file.
pub(super) struct Outcome<'s> {
    pub name: &'s str,
    pub verdict: Verdict,
    /// Its reports as text.
    pub text: String,
    /// On which routes its agents may run, as text for stdout.
    table: String,
    /// For the document, if there is one.
    part: Option<Part>,
    bytes: usize,
}

#[derive(Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    Ok { warnings: usize },
    Failed(Failure),
    Unreadable(Problem),
}

/// Checks everything and prints it.
///
/// `fixes` is what was mended before, for the document.
pub fn run(
    sources: &[Source],
    args: &Args,
    fixes: Option<Vec<JsonFixes>>,
    output: &mut Output,
) -> Result<Exit, Stop> {
    let mut stats = Stats::begin();
    let projects = Projects::load(sources, args.hints)?;
    stats.read(projects.read_besides);
    let width = verdict::name_width(sources);
    let colour = output.stderr_colour;
    let stdout_colour = output.stdout_colour;
    let mut document = Document::new(args.format, "symbi dsl --check");
    if let Some(document) = &mut document {
        document.set_fixes(fixes);
    }
    let mut exit = Exit::Fine;
    let mut tell = |outcome: Outcome<'_>| -> Result<(), Stop> {
        exit = exit.max(outcome.verdict.exit());
        stats.checked(outcome.bytes);
        match (&mut document, outcome.part) {
            (Some(document), Some(part)) => {
                let piece = document.push(part);
                output.stdout().write_all(piece.as_bytes())?;
            }
            _ => {
                let verdict = outcome.verdict.line(output.stdout_colour);
                let line = format!("{:width$}  {verdict}", outcome.name);
                output.line(&args.format.line(line))?;
                output.stdout().write_all(outcome.table.as_bytes())?;
            }
        }
        if let Verdict::Unreadable(problem) = &outcome.verdict {
            output.error(&args.format.line(format!("{}: {problem}", outcome.name)))?;
        }
        if args.format.reports_on_stdout() {
            output.stdout().write_all(outcome.text.as_bytes())?;
            return Ok(());
        }
        Ok(output.report(&outcome.text)?)
    };
    // Of the files beside, only those with something to say get a line.
    for beside in &projects.beside {
        if let Some(outcome) = look_beside(beside, args, colour) {
            tell(outcome)?;
        }
    }
    let numbered: Vec<usize> = (0..sources.len()).collect();
    parallel::in_order(
        &numbered,
        |&index| check(&projects, sources, index, args, (colour, stdout_colour)),
        &mut tell,
    )?;
    if let Some(document) = document {
        let piece = document.finish(exit);
        output.stdout().write_all(piece.as_bytes())?;
    }
    if args.stats {
        output.report(&stats.end())?;
    }
    Ok(exit)
}

fn check<'s>(
    projects: &Projects,
    sources: &'s [Source],
    index: usize,
    args: &Args,
    colours: (bool, bool),
) -> Outcome<'s> {
    let asks = args.route.is_some() || args.explain_routes;
    let checked = projects.check(index, asks);
    let mut admitted = None;
    let checked = checked.map(|mut checked| {
        if let (Some(route), Some(admission)) = (args.route, &checked.admission) {
            checked.reports.extend(admission.errors(route.0));
            checked.reports.sort_by_key(|report| report.primary.at);
        }
        let text = checked.summary.text().clone();
        if args.explain_routes {
            admitted = checked.admission.map(|admission| (text.clone(), admission));
        }
        (text, checked.reports)
    });
    let mut outcome = outcome_of(&sources[index], checked, args, colours.0);
    if let Some((text, admission)) = admitted {
        let file = SourceFile::new(outcome.name, text);
        match &mut outcome.part {
            Some(Part::Json(json)) => json.agents = Some(routes::json(&file, &admission)),
            _ => outcome.table = routes::table(&file, &admission, colours.1),
        }
    }
    outcome
}

/// What comes of a source, whoever checked it.
pub(super) fn outcome_of<'s>(
    source: &'s Source,
    checked: Result<(Arc<str>, Vec<Diagnostic>), Problem>,
    args: &Args,
    colour: bool,
) -> Outcome<'s> {
    let named = Named::source(source);
    match checked {
        Err(problem) => unreadable(&named, problem, args),
        Ok((text, reports)) => outcome(&named, &text, &reports, args, colour),
    }
}

pub(super) fn look_beside<'s>(
    beside: &'s Beside,
    args: &Args,
    colour: bool,
) -> Option<Outcome<'s>> {
    match &beside.text {
        Err(problem) => Some(unreadable(&Named::beside(beside), problem.clone(), args)),
        Ok(_) if beside.reports.is_empty() => None,
        Ok(text) => Some(outcome(
            &Named::beside(beside),
            &text.as_str().into(),
            &beside.reports,
            args,
            colour,
        )),
    }
}

/// What something is called: in lines, in our own document, and in those of
/// others.
struct Named<'s> {
    name: &'s str,
    path: &'s str,
    origin: Origin,
}

impl<'s> Named<'s> {
    fn source(source: &'s Source) -> Self {
        Self {
            name: &source.name,
            path: &source.path,
            origin: source.reported(),
        }
    }

    fn beside(beside: &'s Beside) -> Self {
        Self {
            name: &beside.name,
            path: &beside.path,
            origin: sources::from_here(&beside.path),
        }
    }
}

fn unreadable<'s>(named: &Named<'s>, problem: Problem, args: &Args) -> Outcome<'s> {
    let Named { name, path, origin } = named;
    let reason = problem.to_string();
    Outcome {
        name,
        part: Part::unreadable(args.format, origin, path, &reason),
        text: match args.quiet {
            true => String::new(),
            false => report::unreadable(args.format, origin, &reason),
        },
        table: String::new(),
        verdict: Verdict::Unreadable(problem),
        bytes: 0,
    }
}

fn outcome<'s>(
    named: &Named<'s>,
    text: &Arc<str>,
    reports: &[Diagnostic],
    args: &Args,
    colour: bool,
) -> Outcome<'s> {
    let Named { name, path, origin } = named;
    let bytes = text.len();
    if reports.is_empty() && !args.format.is_document() {
        return Outcome {
            name,
            verdict: Verdict::Ok { warnings: 0 },
            text: String::new(),
            table: String::new(),
            part: None,
            bytes,
        };
    }
    let name_in_reports = if args.format == Format::Json {
        path
    } else {
        name
    };
    let file = SourceFile::new(*name_in_reports, text.clone());
    Outcome {
        name,
        text: match args.quiet {
            true => String::new(),
            false => report::text(args.format, origin, &file, reports, colour),
        },
        table: String::new(),
        verdict: Verdict::of(&file, reports, args.deny_warnings),
        part: Part::checked(args.format, origin, &file, reports, args.deny_warnings),
        bytes,
    }
}

impl Verdict {
    fn of(file: &SourceFile, diagnostics: &[Diagnostic], deny_warnings: bool) -> Self {
        let errors = diagnostics.iter().filter(|d| d.is_error());
        let warnings = diagnostics.iter().filter(|d| !d.is_error() && !d.is_hint());
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
    pub fn line(&self, colour: bool) -> String {
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

//! `symbi fmt`: lays files out, or tells which would change.
//!
//! In: paths or stdin (`crate::sources`). Out: files in place, a text, a diff,
//! or a line a source. What the layout is, `symbi-syntax` knows; here is what
//! is done with it. Begin reading at `work.rs`: what becomes of one source.

mod lines;
mod verdict;
mod work;

use std::ffi::OsString;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use clap::ValueHint;
use clap::error::ErrorKind;

use crate::args::usage_error;
use crate::document::Document;
use crate::exit::Exit;
use crate::output::Output;
use crate::report::Format;
use crate::sources::{self, Input, Source};
use crate::verdict::name_width;
use crate::{Stop, parallel};
use lines::Lines;
use verdict::Summary;
use work::{Goal, Outcome, Task};

/// What `symbi fmt` takes.
#[derive(Debug, clap::Args)]
#[command(arg_required_else_help = true, after_help = EXAMPLES, after_long_help = notes())]
pub struct Args {
    /// Files, and folders to search; `-` is stdin
    #[arg(value_name = "PATH", value_hint = ValueHint::AnyPath)]
    paths: Vec<PathBuf>,

    /// Write nothing; list what would change, and fail if anything would
    #[arg(long)]
    check: bool,

    /// Write nothing; print what would change as a unified diff, and fail if
    /// anything would
    #[arg(long)]
    diff: bool,

    /// Read a text from stdin and write it formatted to stdout
    #[arg(long)]
    stdin: bool,

    /// What the text of stdin is called in messages
    #[arg(long, value_name = "NAME", value_hint = ValueHint::FilePath)]
    stdin_name: Option<OsString>,

    /// Format only what stands on these lines, such as 10-25
    #[arg(long, value_name = "FROM-TO", value_parser = Lines::parse)]
    lines: Option<Lines>,

    /// No reports and no summary on stderr
    #[arg(short, long)]
    quiet: bool,

    /// What reports look like
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT")]
    format: Format,
}

/// The beginning of the long help.
pub const ABOUT: &str = "\
Format .symbi files, or tell which are not formatted

Files are written in place. Each source that is not fine already gets one line
on stdout:

  agents/deploy.symbi  FORMATTED
  agents/review.symbi  WOULD CHANGE 12:5
  agents/triage.symbi  FAILED 14:9 S0107 expected `;` after this statement (and 1 more)
  agents/secret.symbi  UNREADABLE permission denied
  agents/frozen.symbi  UNWRITABLE it is read-only
  agents/puzzle.symbi  REFUSED 3:7 F1002 the formatter would have changed more than the layout

WOULD CHANGE comes with --check and names the first difference. FAILED is a file
with syntax errors: it is left alone. REFUSED is a fault of the formatter, which
reads its own text again before it gives it out: the file is left alone.";

const EXAMPLES: &str = "\
Examples:
  symbi fmt agents/           format a folder
  symbi fmt --check .         fail if anything would change, and list it
  symbi fmt --diff x.symbi    show what would change";

const NOTES: &str = "\
Folders are searched as by `symbi dsl`: .symbi and .dsl files, without what
.gitignore files name and what is hidden. What an argument names is always
taken.

A file is replaced as a whole or not at all. It keeps its permissions and its
owner; a symbolic link stays one. A file that is read-only, that has several
names (hard links), or that was changed meanwhile is not written, and is told.

With --stdin, stdout holds the formatted text and nothing else; it holds nothing
when the text has errors.

What would change, or was changed, is a report F1001, in documents with the
edits. The formats github, sarif, gitlab and junit come with --check.";

const MORE: &str = "\
Examples:
  symbi fmt agents/ policies/x.symbi
  symbi fmt --check -q .
  symbi fmt --diff agents/ > layout.patch
  symbi fmt --check --format json agents/
  symbi fmt --stdin --stdin-name agents/deploy.symbi
  symbi fmt --lines 10-25 agents/deploy.symbi

Exit codes: 0 fine, 1 something would change or has errors, 2 wrong usage or
something could not be read or written (2 wins over 1).";

fn notes() -> String {
    format!("{NOTES}\n\n{}\n{MORE}", Format::list())
}

/// Runs it.
pub fn run(mut args: Args, output: &mut Output) -> Result<Exit, Stop> {
    let paths = std::mem::take(&mut args.paths);
    let sources = sources(paths, &mut args)
        .map_err(|(kind, message)| Stop::Usage(usage_error("fmt", kind, message)))?;
    let task = Task {
        goal: match (args.diff, args.check) {
            (true, _) => Goal::Diff,
            (false, true) => Goal::Check,
            (false, false) => Goal::Write,
        },
        lines: args.lines,
        format: args.format,
        quiet: args.quiet,
        diff_colour: output.stdout_colour,
        report_colour: output.stderr_colour,
    };
    let width = name_width(&sources);
    let mut document = Document::new(args.format, "symbi fmt --check");
    let mut summary = Summary::new(task.goal);
    let mut exit = Exit::Fine;
    parallel::in_order(
        &sources,
        |source| work::format(source, &task),
        |mut outcome| {
            exit = exit.max(outcome.verdict.exit());
            summary.count(&outcome.verdict);
            match (&mut document, outcome.part.take()) {
                (Some(document), Some(part)) => {
                    let piece = document.push(part);
                    output.stdout().write_all(piece.as_bytes())?;
                }
                _ => print_verdict(&outcome, &task, args.stdin, width, output)?,
            }
            output.stdout().write_all(outcome.text.as_bytes())?;
            if let Some(message) = outcome.verdict.trouble() {
                let line = format!("{}: {message}", outcome.source.name);
                output.error(&args.format.line(line))?;
            }
            if args.format.reports_on_stdout() {
                return output.stdout().write_all(outcome.reports.as_bytes());
            }
            output.report(&outcome.reports)
        },
    )?;
    if let Some(document) = document {
        let piece = document.finish(exit);
        output.stdout().write_all(piece.as_bytes())?;
    } else if !args.quiet && !args.stdin {
        output.report(&format!("{summary}\n"))?;
    }
    Ok(exit)
}

/// The line about a source that is not fine.
fn print_verdict(
    outcome: &Outcome<'_>,
    task: &Task,
    stdin: bool,
    width: usize,
    output: &mut Output,
) -> io::Result<()> {
    let name = &outcome.source.name;
    let verdict = &outcome.verdict;
    // Stdout is for a diff or a text: lines about sources would spoil it.
    let taken = task.goal == Goal::Diff || stdin && task.goal == Goal::Write;
    if !taken {
        return match verdict.line(output.stdout_colour) {
            Some(line) => output.line(&task.format.line(format!("{name:width$}  {line}"))),
            None => Ok(()),
        };
    }
    // The reports say more, if they may be printed.
    match verdict.failure() {
        Some(failure) if task.quiet => {
            let line = failure.verdict(output.stderr_colour);
            output.report(&format!("{name}  {line}\n"))
        }
        _ => Ok(()),
    }
}

/// What is to be formatted, or what is wrong with asking for it.
fn sources(paths: Vec<PathBuf>, args: &mut Args) -> Result<Vec<Source>, (ErrorKind, &'static str)> {
    let dash = Path::new("-");
    let dashes = paths.iter().filter(|path| *path == dash).count();
    args.stdin |= dashes > 0;
    let conflict = |message| Err((ErrorKind::ArgumentConflict, message));
    if args.format == Format::Json && args.diff {
        return conflict("--diff and --format json both want stdout: the document has the edits");
    }
    if args.format.is_for_checks() && (!args.check || args.diff) {
        return conflict("this format says what a check finds: add --check, and no --diff");
    }
    if !args.stdin {
        if args.stdin_name.is_some() {
            return conflict("--stdin-name names the text of stdin: add --stdin");
        }
        if paths.is_empty() {
            return Err((
                ErrorKind::MissingRequiredArgument,
                "nothing to format: name files or folders, or `-` for stdin",
            ));
        }
        if args.lines.is_some() && (paths.len() > 1 || paths.iter().any(|path| path.is_dir())) {
            return conflict("--lines is about the lines of one file: name one, and no folder");
        }
        return Ok(sources::discover(
            paths.into_iter().map(Input::Path).collect(),
        ));
    }
    if paths.len() > dashes {
        return conflict("stdin goes to stdout and files stay in place: name files or stdin");
    }
    if args.format == Format::Json && !args.check {
        return conflict("the formatted text and --format json both want stdout: add --check");
    }
    Ok(vec![Source::stdin(args.stdin_name.as_deref())])
}

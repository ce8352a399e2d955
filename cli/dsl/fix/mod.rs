//! `symbi dsl --check --fix`: mends what reports say how to mend, then checks.
//!
//! In: the sources that the arguments name, and what they belong to. Out: files
//! in place, each written once and as a whole, or a diff. Which fixes are
//! applied, and how it is made sure that nothing gets worse, stands in
//! `rounds.rs`.

mod choose;
mod compare;
mod patch;
mod rounds;

use std::path::{Path, PathBuf};

use clap::error::ErrorKind;
use symbi_diagnostics::SourceFile;
use symbi_diagnostics::render::json::{self, JsonFixed, JsonFixes};
use symbi_diagnostics::render::one_line;

use super::{Args, check};
use crate::args::usage_error;
use crate::exit::Exit;
use crate::output::{GREEN, Output, RED_BOLD, paint};
use crate::project::{Program, Resident};
use crate::report::{self, Format};
use crate::sources::{self, Input, Source, Unwritable};
use crate::{Stop, diff, parallel, verdict};
use rounds::{Ended, Place, ROUNDS, Sheet};

/// What makes the new text of a file that is not to be replaced.
const COMMAND: &str = "symbi dsl --check --fix -";

/// Mends everything that was named, and prints it.
pub fn run(inputs: Vec<Input>, args: &Args, output: &mut Output) -> Result<Exit, Stop> {
    if let Some(message) = impossible(&inputs, args) {
        let kind = ErrorKind::ArgumentConflict;
        return Err(Stop::Usage(usage_error("dsl", kind, message)));
    }
    let folders = folders(&inputs);
    let mut sources = sources::discover(inputs);
    for source in &mut sources {
        source.hold();
    }
    let mut resident = Resident::default();
    resident.read(&sources, args.hints, &|_| false);
    let asked = |program: &Program, place| asked(program, place, &folders);
    let mut files: Vec<File> = Vec::new();
    let mut ended = Ended::Done;
    for program in resident.programs_mut() {
        let (sheets, how) = rounds::fix(program, asked);
        ended = ended.max(how);
        let touched = |sheet: &Sheet| sheet.old != sheet.text || !sheet.refused.is_empty();
        let sheets = sheets.into_iter().filter(touched);
        files.extend(sheets.map(|sheet| File::new(program, &sources, sheet)));
    }
    // As they are checked: what stands beside first, then by the arguments.
    files.sort_by_key(|file| file.source);
    tell_refused(&files, args, output)?;
    if ended == Ended::TooManyRounds && !args.quiet {
        output.report(&format!(
            "note: stopped after {ROUNDS} rounds; there may be more to fix, so please run again\n"
        ))?;
    }
    files.retain(|file| file.sheet.old != file.sheet.text);
    let taken = sources.len() == 1 && sources[0].is_stdin();
    match (args.dry_run, taken) {
        (true, _) => show(&sources, &resident, &files, args, output),
        (false, true) => print(&resident, &sources[0], &files, args, output),
        (false, false) => write(&sources, &files, args, output),
    }
}

/// What is wrong with asking for this.
fn impossible(inputs: &[Input], args: &Args) -> Option<&'static str> {
    if args.dry_run {
        return None;
    }
    let stdin = inputs.contains(&Input::Stdin);
    if inputs.iter().any(|input| matches!(input, Input::Text(_))) {
        return Some(
            "--fix writes files, and a text from -c is none: \
             add --dry-run to see what would change, or pipe the text in with `-`",
        );
    }
    if stdin && inputs.iter().any(|input| *input != Input::Stdin) {
        return Some("stdin goes to stdout and files stay in place: name files or stdin");
    }
    if stdin && !matches!(args.format, Format::Human | Format::Short) {
        return Some("the fixed text and --format both want stdout: add --dry-run");
    }
    None
}

/// The folders that are named, by their real paths.
fn folders(inputs: &[Input]) -> Vec<PathBuf> {
    let folder = |input: &Input| match input {
        Input::Path(path) if path.is_dir() => Some(sources::real(path)),
        _ => None,
    };
    inputs.iter().filter_map(folder).collect()
}

/// Whether a file may be changed: sources if they are named or found, others
/// if they lie in a folder that is named.
fn asked(program: &Program, place: Place, folders: &[PathBuf]) -> bool {
    match place {
        Place::Source(member) => program.members()[member].source.is_some(),
        Place::Beside(beside) => {
            let real = sources::real(&program.beside()[beside].file);
            folders.iter().any(|folder| real.starts_with(folder))
        }
    }
}

/// A file that was mended, or where something was left out.
struct File {
    /// Which of the sources; `None` if it stands beside them.
    source: Option<usize>,
    /// The name on one line, safe to print.
    name: String,
    /// The name for programs.
    path: String,
    /// Where it lies, if it is a file.
    file: Option<PathBuf>,
    sheet: Sheet,
}

impl File {
    fn new(program: &Program, sources: &[Source], sheet: Sheet) -> Self {
        match sheet.place {
            Place::Source(member) => {
                let member = &program.members()[member];
                let source = member.source.map(|index| &sources[index]);
                File {
                    source: member.source,
                    name: source.map_or_else(String::new, |source| source.name.clone()),
                    path: source.map_or_else(String::new, |source| source.path.clone()),
                    file: member.file.clone(),
                    sheet,
                }
            }
            Place::Beside(beside) => {
                let beside = &program.beside()[beside];
                File {
                    source: None,
                    name: beside.name.clone(),
                    path: beside.path.clone(),
                    file: Some(beside.file.clone()),
                    sheet,
                }
            }
        }
    }

    /// For the document.
    fn json(&self, written: bool, error: Option<&Unwritable>) -> JsonFixes {
        let Sheet {
            old, patch, fixed, ..
        } = &self.sheet;
        let file = SourceFile::new(&*self.path, old.as_str());
        let entry = |it: &rounds::Fixed| JsonFixed {
            code: it.code.id,
            message: it.message.clone(),
            title: it.title.clone(),
            span: json::span(&file, it.at),
        };
        JsonFixes {
            path: self.path.clone(),
            written,
            error: error.map(Unwritable::to_string),
            fixed: fixed.iter().map(entry).collect(),
            edits: patch
                .edits()
                .iter()
                .map(|it| json::edit(&file, it))
                .collect(),
        }
    }
}

/// Says which fixes were left out because they do harm, by the places that
/// their reports have in the new text.
fn tell_refused(files: &[File], args: &Args, output: &mut Output) -> Result<(), Stop> {
    if args.quiet {
        return Ok(());
    }
    for File { name, sheet, .. } in files {
        let file = SourceFile::new(&**name, sheet.text.as_str());
        for refused in &sheet.refused {
            let at = file.line_column(refused.at.start);
            let told = refused.told();
            let told = one_line(&told);
            output.report(&format!("note: {name}:{}:{}: {told}\n", at.line, at.column))?;
        }
    }
    Ok(())
}

/// How much was mended, without the verb.
fn amount<'f>(files: impl ExactSizeIterator<Item = &'f File>) -> String {
    let number = files.len();
    let problems: usize = files.map(|file| file.sheet.fixed.len()).sum();
    format!(
        "{} in {}",
        count(problems, "problem"),
        count(number, "file")
    )
}

fn count(number: usize, what: &str) -> String {
    match number {
        1 => format!("1 {what}"),
        number => format!("{number} {what}s"),
    }
}

/// Prints what would change.
fn show(
    sources: &[Source],
    resident: &Resident,
    files: &[File],
    args: &Args,
    output: &mut Output,
) -> Result<Exit, Stop> {
    let exit = match files {
        [] => Exit::Fine,
        _ => Exit::Errors,
    };
    if !matches!(args.format, Format::Human | Format::Short) {
        let fixes = files.iter().map(|file| file.json(false, None)).collect();
        return Ok(exit.max(check::run(sources, args, Some(fixes), output)?));
    }
    for File { name, sheet, .. } in files {
        let edits = sheet.patch.edits();
        let colour = output.stdout_colour;
        let text = diff::unified(name, &sheet.old, edits, &sheet.text, colour);
        std::io::Write::write_all(output.stdout(), text.as_bytes())?;
    }
    let left = Left::of(resident, sources, args, output)?;
    if !args.quiet {
        let would = match files {
            [] => "nothing to fix".to_owned(),
            files => format!("would fix {}", amount(files.iter())),
        };
        output.report(&format!("{would}{}\n", left.told()))?;
    }
    Ok(exit.max(left.exit))
}

/// What there is still to say.
struct Left {
    errors: usize,
    warnings: usize,
    exit: Exit,
}

impl Left {
    /// About all that would be checked, with the texts as they are in memory.
    fn of(
        resident: &Resident,
        sources: &[Source],
        args: &Args,
        output: &mut Output,
    ) -> Result<Self, Stop> {
        let mut left = Left {
            errors: 0,
            warnings: 0,
            exit: Exit::Fine,
        };
        for program in resident.programs() {
            for beside in program.beside() {
                match &beside.text {
                    Ok(_) => left.count(&beside.reports),
                    Err(problem) => {
                        output.error(&format!("{}: {problem}", beside.name))?;
                        left.exit = Exit::Unusable;
                    }
                }
            }
        }
        for (index, source) in sources.iter().enumerate() {
            match resident.check(index) {
                Ok((_, reports)) => left.count(&reports),
                Err(problem) => {
                    output.error(&format!("{}: {problem}", source.name))?;
                    left.exit = Exit::Unusable;
                }
            }
        }
        if left.errors > 0 || args.deny_warnings && left.warnings > 0 {
            left.exit = left.exit.max(Exit::Errors);
        }
        Ok(left)
    }

    fn count(&mut self, reports: &[symbi_diagnostics::Diagnostic]) {
        let hints = reports.iter().filter(|report| report.is_hint()).count();
        let errors = reports.iter().filter(|report| report.is_error()).count();
        self.errors += errors;
        self.warnings += reports.len() - errors - hints;
    }

    fn told(&self) -> String {
        let counts = [(self.errors, "error"), (self.warnings, "warning")];
        let told: Vec<String> = counts
            .into_iter()
            .filter(|(number, _)| *number > 0)
            .map(|(number, what)| count(number, what))
            .collect();
        match &*told {
            [] => String::new(),
            told => format!("; {} left", told.join(" and ")),
        }
    }
}

/// Prints the new text of stdin, and what there is still to say about it.
fn print(
    resident: &Resident,
    source: &Source,
    files: &[File],
    args: &Args,
    output: &mut Output,
) -> Result<Exit, Stop> {
    let (text, reports) = match resident.check(0) {
        Ok(checked) => checked,
        Err(problem) => {
            output.error(&format!("{}: {problem}", source.name))?;
            return Ok(Exit::Unusable);
        }
    };
    // As it was read, if bytes of it are no text.
    let bytes = match files {
        [] => source.read().unwrap_or_default(),
        _ => text.as_bytes().to_vec(),
    };
    std::io::Write::write_all(output.stdout(), &bytes)?;
    if !args.quiet {
        let file = SourceFile::new(&*source.name, text);
        let colour = output.stderr_colour;
        output.report(&report::text(
            args.format,
            &source.reported(),
            &file,
            &reports,
            colour,
        ))?;
    }
    let fatal = reports
        .iter()
        .any(|report| report.is_error() || args.deny_warnings && !report.is_hint());
    Ok(match fatal {
        true => Exit::Errors,
        false => Exit::Fine,
    })
}

/// Writes what was mended, and checks everything as it lies there now.
fn write(
    sources: &[Source],
    files: &[File],
    args: &Args,
    output: &mut Output,
) -> Result<Exit, Stop> {
    let width = verdict::name_width(sources);
    let told = !args.format.is_document();
    let mut exit = Exit::Fine;
    let mut fixes = Vec::new();
    let mut written: Vec<&File> = Vec::new();
    parallel::in_order(
        files,
        |file| (file, replace(file)),
        |(file, result)| -> Result<(), Stop> {
            fixes.push(file.json(result.is_ok(), result.as_ref().err()));
            let verdict = match &result {
                Ok(()) => {
                    let word = paint("FIXED", GREEN, output.stdout_colour);
                    format!("{word} {}", count(file.sheet.fixed.len(), "problem"))
                }
                Err(why) => {
                    let word = paint("UNWRITABLE", RED_BOLD, output.stdout_colour);
                    format!("{word} {why}")
                }
            };
            if told {
                let line = format!("{:width$}  {verdict}", file.name);
                output.line(&args.format.line(line))?;
            }
            match result {
                Ok(()) => written.push(file),
                Err(why) => {
                    exit = Exit::Unusable;
                    output.error(&format!("{}: not written: {why}", file.name))?;
                }
            }
            Ok(())
        },
    )?;
    exit = exit.max(check::run(sources, args, Some(fixes), output)?);
    if !args.quiet {
        output.report(&match &*written {
            [] => "fixed nothing\n".to_owned(),
            files => format!("fixed {}\n", amount(files.iter().copied())),
        })?;
    }
    Ok(exit)
}

fn replace(file: &File) -> Result<(), Unwritable> {
    let Sheet { old, text, .. } = &file.sheet;
    let path = file.file.as_deref().unwrap_or(Path::new(""));
    sources::rewrite(path, old.as_bytes(), text.as_bytes(), COMMAND).map(|_| ())
}

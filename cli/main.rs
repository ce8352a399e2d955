//! The `symbi` binary: arguments in; text on stdout and stderr and an exit code
//! out.
//!
//! This room knows arguments, files, terminals and exit codes, and nothing
//! about the language: what a file means is asked of `symbi-syntax`, how a
//! report looks of `symbi-diagnostics`. One file a subcommand; begin reading at
//! `args.rs`, then `dsl/` and `fmt/`.

mod args;
mod audit;
mod build;
mod bundle;
mod compile;
mod completions;
mod cron;
mod diff;
mod doc;
mod document;
mod dsl;
mod exit;
mod explain;
mod fmt;
mod load;
mod output;
mod parallel;
mod policy;
mod project;
mod report;
mod run;
mod sources;
mod verdict;

use std::ffi::OsString;
use std::io;
use std::process::ExitCode;

use args::Command;
use exit::Exit;
use output::Output;

fn main() -> ExitCode {
    let arguments: Vec<OsString> = std::env::args_os().collect();
    let mut output = Output::new(args::color_choice(&arguments));
    let result = command(&arguments, &mut output);
    let exit = match result {
        Ok(exit) => output.flush().map(|()| exit).or_else(unwritable),
        Err(Stop::Usage(error)) => usage(&error, &mut output).or_else(unwritable),
        Err(Stop::Output(error)) => unwritable(error),
    };
    exit.unwrap_or_else(|error| {
        output.last_words(&format!(
            "cannot write the output: {}",
            sources::io_words(&error)
        ));
        Exit::Unusable
    })
    .into()
}

/// Why a command ends before it is done.
enum Stop {
    /// The command line asks for something that cannot be done, or for help.
    Usage(clap::Error),
    /// Nobody takes the output.
    Output(io::Error),
}

impl From<io::Error> for Stop {
    fn from(error: io::Error) -> Self {
        Stop::Output(error)
    }
}

fn command(arguments: &[OsString], output: &mut Output) -> Result<Exit, Stop> {
    match args::parse(arguments).map_err(Stop::Usage)?.command {
        Command::Dsl(args) => dsl::run(args, output),
        Command::Fmt(args) => fmt::run(args, output),
        Command::Build(args) => build::run(&args, output),
        Command::Bundle(args) => bundle::run(&args, output),
        Command::Policy(args) => policy::run(&args, output),
        Command::Run(args) => run::run(&args, output),
        Command::Audit(args) => audit::run(&args, output),
        Command::Cron(args) => cron::run(&args, output),
        Command::Doc(args) => doc::run(&args, output),
        Command::Explain(args) => explain::run(&args, output),
        Command::Completions(args) => completions::run(&args, output),
    }
}

/// Prints help and the version on stdout, usage errors on stderr.
fn usage(error: &clap::Error, output: &mut Output) -> io::Result<Exit> {
    let text = error.render();
    if error.use_stderr() {
        let colour = output.stderr_colour;
        output.report(&styled(&text, colour))?;
        Ok(Exit::Unusable)
    } else {
        let colour = output.stdout_colour;
        output.line(styled(&text, colour).trim_end())?;
        output.flush()?;
        Ok(Exit::Fine)
    }
}

fn styled(text: &clap::builder::StyledStr, colour: bool) -> String {
    if colour {
        text.ansi().to_string()
    } else {
        text.to_string()
    }
}

/// A reader that went away ends the process without a word; any other failure
/// to write is told.
fn unwritable(error: io::Error) -> io::Result<Exit> {
    if error.kind() == io::ErrorKind::BrokenPipe {
        Ok(Exit::ReaderGone)
    } else {
        Err(error)
    }
}

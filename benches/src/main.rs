//! The `symbi-bench` binary: arguments in, generated files and the table out.

use std::ffi::OsString;
use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use clap::builder::PossibleValuesParser;
use clap::{Parser, Subcommand};
use symbi_bench::corpus::{self, Corpus};
use symbi_bench::{Error, one_run, report, soak};

/// Measures the toolchain against its goals
#[derive(Debug, Parser)]
#[command(name = "symbi-bench", version)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Write a file of agents, made from examples with a fixed seed
    Generate {
        /// About how large it becomes, in bytes
        #[arg(long, default_value_t = report::BYTES)]
        bytes: usize,
        /// Where the random choices begin; the same seed gives the same file
        #[arg(long, default_value_t = corpus::SEED)]
        seed: u64,
        /// A folder of sources, instead of this repository's examples
        #[arg(long)]
        from: Option<PathBuf>,
        /// The file to write
        file: PathBuf,
    },
    /// Check a file in a program that stays: its memory is what is measured
    #[command(hide = true)]
    Resident {
        /// The file
        file: PathBuf,
    },
    /// Run scripts of random edits, each compared with a fresh check
    Soak {
        /// How many scripts
        #[arg(long, default_value_t = 10_000)]
        scripts: u64,
        /// The first seed; each script has the next one
        #[arg(long, default_value_t = 0)]
        seed: u64,
        /// Edits in a script
        #[arg(long, default_value_t = 12)]
        edits: usize,
    },
    /// Measure, and print goals, figures and ratios as one table
    Report {
        /// Print one JSON document instead of the table
        #[arg(long)]
        json: bool,
        /// Measure one group of rows only
        #[arg(long, value_name = "GROUP", value_parser = PossibleValuesParser::new(report::group_names()))]
        only: Option<String>,
        /// The release build of `symbi`, instead of the one beside this program
        #[arg(long, value_name = "FILE")]
        symbi: Option<PathBuf>,
        /// The peers' harness, instead of the one in benches/peers
        #[arg(long, value_name = "FILE")]
        peers: Option<PathBuf>,
    },
}

fn main() -> ExitCode {
    let mut arguments = std::env::args_os().skip(1);
    // Not one of clap's commands: that process must stay small.
    let result = if arguments.next().is_some_and(|first| first == one_run::WORD) {
        run_once(&arguments.collect::<Vec<_>>())
    } else {
        run(Cli::parse().command)
    };
    match result {
        Ok(code) => code,
        Err(error) => {
            // With no stderr there is nobody to tell.
            let _ = writeln!(io::stderr(), "symbi-bench: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run(command: Command) -> Result<ExitCode, Error> {
    match command {
        Command::Generate {
            bytes,
            seed,
            from,
            file,
        } => {
            let folder = from.unwrap_or_else(corpus::examples_folder);
            let made = Corpus::read(&folder)?.generate(bytes, seed);
            std::fs::write(&file, &made.text).map_err(Error::io(&file))?;
            print(&format!(
                "{}: {} bytes, {} items\n",
                file.display(),
                made.text.len(),
                made.items
            ))
        }
        Command::Resident { file } => {
            let text = std::fs::read_to_string(&file).map_err(Error::io(&file))?;
            let mut analysis = symbi_analysis::Analysis::new();
            analysis.set_settings(corpus::settings());
            analysis.set_file("x.symbi", symbi_syntax::decode(text.into_bytes()));
            let reports = analysis.diagnostics("x.symbi").unwrap_or_default();
            print(&format!("{} reports\n", reports.len()))
        }
        Command::Soak {
            scripts,
            seed,
            edits,
        } => {
            let done = soak::run(seed..seed.saturating_add(scripts), edits)?;
            print(&format!(
                "{scripts} scripts from seed {seed}: {} edits, {} questions unwound, {} reports \
                 compared, no difference\n",
                done.edits, done.cancelled, done.reports
            ))
        }
        Command::Report {
            json,
            only,
            symbi,
            peers,
        } => {
            let report = report::run(&report::Options { only, symbi, peers })?;
            print(&if json {
                report.to_json()
            } else {
                report.to_text()
            })?;
            Ok(ExitCode::from(u8::from(!report.failures.is_empty())))
        }
    }
}

fn run_once(program: &[OsString]) -> Result<ExitCode, Error> {
    let run = one_run::here(program)?;
    let line = serde_json::to_string(&run).map_err(|error| Error::program(one_run::WORD, error))?;
    print(&line)
}

fn print(text: &str) -> Result<ExitCode, Error> {
    io::stdout()
        .write_all(text.as_bytes())
        .map_err(Error::io("stdout"))?;
    Ok(ExitCode::SUCCESS)
}

//! `symbi build`: a project as one checked bundle.

use std::path::PathBuf;

use symbi_bundle::SigningKey;
use symbi_package::SOURCES;

use crate::Stop;
use crate::args::VERSION;
use crate::bundle::tell;
use crate::compile::{Compiled, Telling, compile};
use crate::exit::Exit;
use crate::output::Output;
use crate::report::Format;
use crate::sources::{self, Input};

/// What `symbi build` takes.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Sources, or folders with them
    #[arg(value_name = "PATH", default_value = ".")]
    paths: Vec<PathBuf>,

    /// Where the bundle goes
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,

    /// Sign it with this private key: P-256, as PEM or JWK
    #[arg(long, value_name = "KEY")]
    sign: Option<PathBuf>,

    /// Put the sources into it too
    #[arg(long)]
    include_source: bool,

    /// Fail on warnings too
    #[arg(long)]
    deny_warnings: bool,

    /// Only errors
    #[arg(short, long)]
    quiet: bool,
}

/// The beginning of the long help.
pub const ABOUT: &str = "\
Build one checked bundle of a project

A bundle holds all that a host needs to run the agents of a project: the checked
program, the manifests of its tools and its policies of Cedar. Of the sources it
holds the declarations of agents that talk to a model, and no more unless it is
asked for. What has an error is not built, and nothing is written then.

The same sources give the same bytes, on any machine, in any folder and at any
time.";

/// The end of the help.
pub const EXAMPLES: &str = "\
Examples:
  symbi build -o fleet.symbib                       the project of this folder
  symbi build agents/ -o fleet.symbib --sign key.pem
  symbi build -o fleet.symbib --include-source

Exit codes: 0 it is built, 1 errors in the sources, 2 wrong usage or something
could not be read or written.";

/// Runs it.
pub fn run(args: &Args, output: &mut Output) -> Result<Exit, Stop> {
    let key = match args.sign.as_deref().map(SigningKey::read_file) {
        None => None,
        Some(Ok(key)) => Some(key),
        Some(Err(error)) => return tell(args.sign.as_deref(), &error.into(), output),
    };
    let inputs = args.paths.iter().cloned().map(Input::Path).collect();
    let found = sources::discover(inputs);
    if found.is_empty() {
        output.error("there is no .symbi or .dsl file here to build")?;
        return Ok(Exit::Unusable);
    }
    let telling = Telling {
        quiet: args.quiet,
        format: Format::Human,
        deny_warnings: args.deny_warnings,
    };
    let compiled = match compile(&found, telling, output)? {
        Ok(compiled) => compiled,
        Err(exit) => {
            output.error(&format!(
                "{} is not written: mend what is said above",
                sources::printable(args.output.as_os_str())
            ))?;
            return Ok(exit);
        }
    };
    let toolchain = format!("symbi {VERSION}");
    let files = files(&compiled, args.include_source);
    let bytes = symbi_package::write(&compiled.program, &files, &toolchain, key.as_ref());
    let bytes = match bytes {
        Ok(bytes) => bytes,
        Err(error) => return tell(None, &error, output),
    };
    if let Err(problem) = sources::create(&args.output, &bytes) {
        let name = sources::printable(args.output.as_os_str());
        output.error(&format!("{name}: {problem}"))?;
        return Ok(Exit::Unusable);
    }
    if !args.quiet {
        output.line(&summary(args, &compiled, &bytes, key.is_some()))?;
    }
    Ok(Exit::Fine)
}

/// What stands beside the program in a bundle.
fn files(compiled: &Compiled, with_sources: bool) -> Vec<(String, Vec<u8>)> {
    let mut files = compiled.beside.clone();
    if with_sources {
        let sources = compiled.sources.iter();
        files.extend(sources.map(|(path, text)| {
            let path = format!("{SOURCES}{path}");
            (path, text.as_bytes().to_vec())
        }));
    }
    files
}

fn summary(args: &Args, compiled: &Compiled, bytes: &[u8], signed: bool) -> String {
    let program = &compiled.program;
    let count = |count: usize, one: &str| match count {
        1 => format!("1 {one}"),
        count => format!("{count} {one}s"),
    };
    let mut parts = vec![count(program.agents().count(), "agent")];
    if !program.tools.is_empty() {
        parts.push(count(program.tools.len(), "tool"));
    }
    let schedules = program.modules.iter().map(|module| module.schedules.len());
    let schedules: usize = schedules.sum();
    if schedules > 0 {
        parts.push(count(schedules, "schedule"));
    }
    let warnings = match compiled.warnings {
        0 => String::new(),
        found => format!(
            " ({}: `symbi dsl --check` shows them)",
            count(found, "warning")
        ),
    };
    format!(
        "{}: {}, {} bytes{}{warnings}",
        sources::printable(args.output.as_os_str()),
        parts.join(", "),
        bytes.len(),
        if signed { ", signed" } else { "" },
    )
}

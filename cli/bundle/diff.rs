//! `symbi bundle diff`: what agents may do that they could not.

use std::path::PathBuf;

use super::open;
use crate::Stop;
use crate::exit::Exit;
use crate::output::Output;

/// What `symbi bundle diff` takes.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The bundle before
    old: PathBuf,

    /// The bundle after
    new: PathBuf,

    /// One JSON document on stdout
    #[arg(long)]
    json: bool,
}

/// The beginning of the long help.
pub const ABOUT: &str = "Say what agents may do that they could not before";

/// The end of the help.
pub const EXAMPLES: &str = "";

/// Runs it.
pub fn run(args: &Args, output: &mut Output) -> Result<Exit, Stop> {
    let _old = open(&args.old, output)?;
    let _new = open(&args.new, output)?;
    let _ = args.json;
    Ok(Exit::Fine)
}

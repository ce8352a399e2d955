//! `symbi bundle extract`: the files of a bundle in a new folder.

use std::path::PathBuf;

use super::{open, tell};
use crate::Stop;
use crate::exit::Exit;
use crate::output::Output;
use crate::sources;

/// What `symbi bundle extract` takes.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The bundle
    bundle: PathBuf,

    /// A folder that is not there yet, or is empty
    folder: PathBuf,
}

/// Runs it.
pub fn run(args: &Args, output: &mut Output) -> Result<Exit, Stop> {
    let package = match open(&args.bundle, output)? {
        Ok(package) => package,
        Err(exit) => return Ok(exit),
    };
    if let Err(error) = symbi_bundle::extract(&package.bundle, &args.folder) {
        return tell(Some(&args.bundle), &error.into(), output);
    }
    let count = package.bundle.entries().len();
    let files = if count == 1 { "file" } else { "files" };
    let folder = sources::printable(args.folder.as_os_str());
    output.line(&format!("{folder}: {count} {files}"))?;
    Ok(Exit::Fine)
}

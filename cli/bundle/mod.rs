//! `symbi bundle`: looks into bundles, verifies them, compares them, unpacks
//! them.

mod diff;
mod extract;
mod inspect;
mod verify;

use std::path::Path;

use symbi_bundle::{BundleError, Limits};
use symbi_package::{Package, PackageError};

use crate::Stop;
use crate::exit::Exit;
use crate::output::{Output, RED_BOLD, paint};
use crate::sources;

/// What `symbi bundle` takes.
#[derive(Debug, clap::Args)]
#[command(arg_required_else_help = true)]
pub struct Args {
    #[command(subcommand)]
    command: Command,
}

/// What can be done with bundles.
#[derive(Debug, clap::Subcommand)]
enum Command {
    /// Show what is in a bundle
    Inspect(inspect::Args),
    /// Check that a bundle is whole, and who signed it
    #[command(long_about = verify::ABOUT)]
    Verify(verify::Args),
    /// Say what agents may do that they could not before, and the other way round
    #[command(long_about = diff::ABOUT, after_help = diff::EXAMPLES)]
    Diff(diff::Args),
    /// Write the files of a bundle into a new folder
    Extract(extract::Args),
}

/// Runs it.
pub fn run(args: &Args, output: &mut Output) -> Result<Exit, Stop> {
    match &args.command {
        Command::Inspect(args) => inspect::run(args, output),
        Command::Verify(args) => verify::run(args, output),
        Command::Diff(args) => diff::run(args, output),
        Command::Extract(args) => extract::run(args, output),
    }
}

/// The program of a bundle; what is wrong is told.
pub fn open(path: &Path, output: &mut Output) -> Result<Result<Package, Exit>, Stop> {
    let read = symbi_bundle::read_file(path, &Limits::default());
    match read
        .map_err(PackageError::from)
        .and_then(symbi_package::read)
    {
        Ok(package) => Ok(Ok(package)),
        Err(error) => tell(Some(path), &error, output).map(Err),
    }
}

/// Tells what is wrong with a bundle or a key.
pub fn tell(path: Option<&Path>, error: &PackageError, output: &mut Output) -> Result<Exit, Stop> {
    let exit = match error {
        PackageError::Bundle(BundleError::File { .. } | BundleError::Extract { .. }) => {
            Exit::Unusable
        }
        _ => Exit::Errors,
    };
    // These name the file themselves.
    let names_it = exit == Exit::Unusable;
    let place = path.filter(|_| !names_it);
    let place = place.map(|path| format!("{}: ", sources::printable(path.as_os_str())));
    let word = paint(
        &format!("error[{}]", error.code().id),
        RED_BOLD,
        output.stderr_colour,
    );
    output.report(&format!("{}{word}: {error}\n", place.unwrap_or_default()))?;
    Ok(exit)
}

//! `symbi audit`: verifies journals, shows them, runs them once more, and removes
//! them in time.

mod inspect;
mod list;
mod prune;
mod replay;
mod verify;
mod which;

pub use inspect::steers;
pub use which::find;

use crate::Stop;
use crate::exit::Exit;
use crate::output::Output;

/// What `symbi audit` takes.
#[derive(Debug, clap::Args)]
#[command(arg_required_else_help = true, after_help = EXAMPLES)]
pub struct Args {
    #[command(subcommand)]
    command: Command,
}

const EXAMPLES: &str = "\
A RUN is the name of a run, the beginning of it, `last`, or a journal file.

Examples:
  symbi audit list                what has run in this project
  symbi audit verify              every journal of this project
  symbi audit verify last         the newest one
  symbi audit inspect last        what it did, and why it might
  symbi audit replay last         once more, with no effect at all
  symbi audit prune --dry-run     which journals were kept long enough";

/// What can be done with journals.
#[derive(Debug, clap::Subcommand)]
enum Command {
    /// List the runs of this project
    List(list::Args),
    /// Check that journals are as they were written
    #[command(long_about = verify::ABOUT)]
    Verify(verify::Args),
    /// Show what a run did
    Inspect(inspect::Args),
    /// Show the end of a journal
    Tail(inspect::TailArgs),
    /// Run a run once more from its journal, and say where it would differ
    #[command(long_about = replay::ABOUT)]
    Replay(replay::Args),
    /// Remove the journals that were kept long enough
    #[command(long_about = prune::ABOUT)]
    Prune(prune::Args),
}

/// Runs it.
pub fn run(args: &Args, output: &mut Output) -> Result<Exit, Stop> {
    match &args.command {
        Command::List(args) => list::run(args, output),
        Command::Verify(args) => verify::run(args, output),
        Command::Inspect(args) => inspect::run(args, output),
        Command::Tail(args) => inspect::tail(args, output),
        Command::Replay(args) => replay::run(args, output),
        Command::Prune(args) => prune::run(args, output),
    }
}

/// Something could not be done.
fn cannot(problem: &str, output: &mut Output) -> Result<Exit, Stop> {
    output.error(problem)?;
    Ok(Exit::Unusable)
}

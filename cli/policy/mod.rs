//! `symbi policy`: questions about policies.

pub mod facts;
pub mod why;

pub use facts::plain;

use crate::Stop;
use crate::exit::Exit;
use crate::output::Output;

/// What `symbi policy` takes.
#[derive(Debug, clap::Args)]
#[command(arg_required_else_help = true)]
pub struct Args {
    #[command(subcommand)]
    command: Command,
}

/// What can be asked.
#[derive(Debug, clap::Subcommand)]
enum Command {
    /// Say whether an agent may do something, and why
    #[command(long_about = why::ABOUT, after_help = why::EXAMPLES, after_long_help = why::NOTES)]
    Why(Box<why::Args>),
}

/// Runs it.
pub fn run(args: &Args, output: &mut Output) -> Result<Exit, Stop> {
    match &args.command {
        Command::Why(args) => why::run(args, output),
    }
}

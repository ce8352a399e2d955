//! `symbi completions`: a script that teaches a shell the command line.

use clap::CommandFactory;
use clap_complete::Shell;

use crate::Stop;
use crate::args::Cli;
use crate::exit::Exit;
use crate::output::Output;

/// What `symbi completions` takes.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// The shell to print the script for
    #[arg(value_enum)]
    shell: Shell,
}

const EXAMPLES: &str = "\
Examples:
  bash   symbi completions bash > ~/.local/share/bash-completion/completions/symbi
  zsh    symbi completions zsh > ~/.zfunc/_symbi       (~/.zfunc in $fpath)
  fish   symbi completions fish > ~/.config/fish/completions/symbi.fish
  elvish     symbi completions elvish >> ~/.config/elvish/rc.elv
  powershell symbi completions powershell >> $PROFILE";

/// Runs it.
pub fn run(args: &Args, output: &mut Output) -> Result<Exit, Stop> {
    // The generator panics when it cannot write, so it writes into memory.
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "symbi", &mut script);
    output.line(String::from_utf8_lossy(&script).trim_end())?;
    Ok(Exit::Fine)
}

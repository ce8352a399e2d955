//! `symbi audit prune`: removes journals that were kept long enough.

use std::time::SystemTime;

use serde_json::json;
use symbi_host::run::retention_days;
use symbi_journal::{Retention, Time};

use super::cannot;
use super::inspect::harmless;
use super::which::Where;
use crate::Stop;
use crate::exit::Exit;
use crate::output::{GREEN, Output, YELLOW, paint};

/// What `symbi audit prune` takes.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// Only say what would be removed
    #[arg(long)]
    dry_run: bool,

    #[command(flatten)]
    place: Where,

    /// One line of JSON a run
    #[arg(long)]
    json: bool,
}

/// The beginning of the long help.
pub const ABOUT: &str = "\
Remove the journals that were kept long enough

A journal is kept for as many days after its end as `audit: { retention_days: … }`
asked for when it began, and for ever where nothing did. `symbi run` does the same
once a day. What was changed, never closed, or has an effect that nobody knows the
end of, is kept and named.

Exit codes: 0 done, 1 somebody should look at what was kept, 2 it cannot be done.";

const EXAMPLES: &str = "\
Examples:
  symbi audit prune --dry-run     what would go
  symbi audit prune               remove it";

/// Runs it.
pub fn run(args: &Args, output: &mut Output) -> Result<Exit, Stop> {
    let key = match args.place.key() {
        Ok(key) => key,
        Err(problem) => return cannot(&problem, output),
    };
    let retention = Retention {
        key,
        now: Time::of(SystemTime::now()),
        days: retention_days,
    };
    let journals = args.place.journals();
    let pruned = match args.dry_run {
        true => retention.look(&journals),
        false => retention.prune(&journals),
    };
    let pruned = match pruned {
        Ok(pruned) => pruned,
        Err(error) => return cannot(&error.to_string(), output),
    };
    let (removed, word) = match args.dry_run {
        true => ("would_be_removed", "would be removed"),
        false => ("removed", "removed"),
    };
    let colour = output.stdout_colour;
    for run in &pruned.removed {
        match args.json {
            true => output.line(&json!({"run": run.as_str(), "done": removed}).to_string())?,
            false => output.line(&format!("{run}  {}", paint(word, GREEN, colour)))?,
        }
    }
    for (run, why) in &pruned.kept {
        let why = harmless(why);
        match args.json {
            true => {
                let line = json!({"run": run.as_str(), "done": "kept", "why": why});
                output.line(&line.to_string())?;
            }
            false => {
                let kept = paint("kept", YELLOW, colour);
                output.line(&format!("{run}  {kept}: {why}"))?;
            }
        }
    }
    if !args.json && pruned.removed.is_empty() && pruned.kept.is_empty() {
        output.line("no journal was kept long enough")?;
    }
    Ok(match pruned.kept.is_empty() {
        true => Exit::Fine,
        false => Exit::Errors,
    })
}

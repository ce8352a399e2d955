//! `symbi audit replay`: a run once more, with no effect at all.

use serde_json::json;
use symbi_host::run::{Host, Replayed, Setup, source_of};

use super::cannot;
use super::inspect::harmless;
use super::which::Where;
use crate::Stop;
use crate::exit::Exit;
use crate::output::{GREEN, Output, YELLOW, paint};

/// What `symbi audit replay` takes.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The run
    run: String,

    /// A bundle, or the folder or file of the program; else what the journal
    /// names
    program: Option<std::path::PathBuf>,

    #[command(flatten)]
    place: Where,

    /// One JSON document on stdout
    #[arg(long)]
    json: bool,
}

/// The beginning of the long help.
pub const ABOUT: &str = "\
Run a run once more from its journal, and say where it would differ

Whatever was answered then is answered again: effects, the time, chance. Nothing
happens outside. Of an answer that is not on record, because it held a secret or
was too long, the state behind it is taken.

Exit codes: 0 the same, 1 it goes another way, 2 it cannot be replayed.";

/// Runs it.
pub fn run(args: &Args, output: &mut Output) -> Result<Exit, Stop> {
    let found = args.place.which(&args.run);
    let found = found.and_then(|which| Ok((which, args.place.key()?)));
    let (which, key) = match found {
        Ok(found) => found,
        Err(problem) => return cannot(&problem, output),
    };
    let project = args.place.project();
    let program = match &args.program {
        Some(program) => program.clone(),
        None => match source_of(&which.journals, &which.run, key) {
            Ok(source) => project.join(source),
            Err(error) => return cannot(&error.to_string(), output),
        },
    };
    let loaded = match crate::load::load(&program, output)? {
        Ok(loaded) => loaded,
        Err(exit) => return Ok(exit),
    };
    let host = match Host::new(loaded.program, Setup::new(&project)) {
        Ok(host) => host,
        Err(error) => return cannot(&error.to_string(), output),
    };
    match host.replay_of(&which.journals, &which.run, key) {
        Ok(replayed) => tell(&replayed, args.json, output),
        Err(error) => cannot(&error.to_string(), output),
    }
}

fn tell(replayed: &Replayed, json: bool, output: &mut Output) -> Result<Exit, Stop> {
    let same = replayed.differences.is_empty();
    let exit = match same {
        true => Exit::Fine,
        false => Exit::Errors,
    };
    if json {
        let differences = replayed.differences.iter();
        let differences = differences.map(|one| json!({"number": one.number, "what": one.what}));
        let document = json!({
            "version": 1,
            "same": same,
            "recorded": replayed.recorded,
            "outcome": replayed.outcome,
            "value": replayed.value,
            "answered": replayed.answered,
            "states_taken": replayed.jumps,
            "differences": differences.collect::<Vec<_>>(),
        });
        output.line(&document.to_string())?;
        return Ok(exit);
    }
    let colour = output.stdout_colour;
    let answered = match replayed.answered {
        1 => "1 answer from its journal".to_owned(),
        count => format!("{count} answers from its journal"),
    };
    let word = match same {
        true => paint("the same", GREEN, colour),
        false => paint("another way", YELLOW, colour),
    };
    output.line(&format!(
        "{word} · {} · {answered}",
        harmless(&replayed.outcome)
    ))?;
    for number in &replayed.jumps {
        output.line(&format!(
            "  request {number}: its answer is not on record, the state behind it was taken"
        ))?;
    }
    for difference in &replayed.differences {
        let place = difference.number;
        let place = place.map_or_else(String::new, |number| format!("request {number}: "));
        output.line(&format!("  {place}{}", harmless(&difference.what)))?;
    }
    if replayed.recorded.is_none() {
        output.line("  the journal does not say how the run ended")?;
    }
    Ok(exit)
}

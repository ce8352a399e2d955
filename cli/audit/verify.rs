//! `symbi audit verify`: whether journals are as they were written.

use serde_json::{Value as Json, json};
use symbi_journal::{Standing, Verdict};

use super::cannot;
use super::inspect::harmless;
use super::which::{Where, Which};
use crate::Stop;
use crate::exit::Exit;
use crate::output::{GREEN, Output, RED_BOLD, YELLOW, paint};

/// What `symbi audit verify` takes.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The runs; all of the project, if none is named
    runs: Vec<String>,

    #[command(flatten)]
    place: Where,

    /// One line of JSON a run
    #[arg(long)]
    json: bool,
}

/// The beginning of the long help.
pub const ABOUT: &str = "\
Check that journals are as they were written

Every line, its place in the chain, every signature, and the anchor that shows
whether the end is missing. What a run was killed in the middle of is named: a
line that is half there, records without a signature, effects that began and did
not end.

Exit codes: 0 as they were written, 1 changed, or signed by another key, 2 one
cannot be read, 3 an effect began and did not end: see what became of it.";

/// Runs it.
pub fn run(args: &Args, output: &mut Output) -> Result<Exit, Stop> {
    let mut exit = Exit::Fine;
    let mut found = Vec::new();
    if args.runs.is_empty() {
        match args.place.runs() {
            Ok(runs) => found.extend(runs.into_iter().map(|run| Which {
                journals: args.place.journals(),
                run,
            })),
            Err(problem) => return cannot(&problem, output),
        }
        if found.is_empty() {
            return cannot("there is no run in this project yet", output);
        }
    }
    for run in &args.runs {
        match args.place.which(run) {
            Ok(which) => found.push(which),
            Err(problem) => exit = exit.max(cannot(&problem, output)?),
        }
    }
    if found.is_empty() {
        return Ok(exit);
    }
    let key = match args.place.key() {
        Ok(key) => key,
        Err(problem) => return cannot(&problem, output),
    };
    for which in found {
        match symbi_journal::verify(&which.journals, &which.run, key) {
            Ok(verdict) => {
                exit = exit.max(exit_of(&verdict));
                tell(&verdict, args.json, output)?;
            }
            Err(error) => {
                exit = exit.max(Exit::Unusable);
                output.error(&format!("{}: {error}", which.run))?;
            }
        }
    }
    Ok(exit)
}

fn exit_of(verdict: &Verdict) -> Exit {
    match verdict.standing() {
        Standing::Tampered | Standing::Foreign => Exit::Errors,
        Standing::Intact if verdict.needs_reconciliation() => Exit::Unresolved,
        Standing::Intact => Exit::Fine,
    }
}

fn tell(verdict: &Verdict, json: bool, output: &mut Output) -> Result<(), Stop> {
    let (word, style) = match verdict.standing() {
        Standing::Tampered => ("tampered", RED_BOLD),
        Standing::Foreign => ("foreign", RED_BOLD),
        Standing::Intact if verdict.needs_reconciliation() => ("needs reconciliation", YELLOW),
        Standing::Intact if verdict.being_written => ("running", GREEN),
        Standing::Intact => ("intact", GREEN),
    };
    let problems = verdict.problems.iter();
    let mut notes: Vec<String> = problems.map(|one| harmless(&one.to_string())).collect();
    if verdict.more_problems > 0 {
        notes.push(format!("and {} more", verdict.more_problems));
    }
    if let Some(unsigned) = verdict.tail.unsigned {
        notes.push(format!(
            "not signed yet: {} from record {} on, at byte {}",
            count(unsigned.records, "record"),
            unsigned.seq,
            unsigned.offset
        ));
    }
    if let Some(torn) = verdict.tail.torn {
        notes.push(format!(
            "half written: {} at byte {}, which nothing verifies",
            count(torn.bytes, "byte"),
            torn.offset
        ));
    }
    let effects = &verdict.effects;
    let groups = [
        (&effects.unfinished, "began and did not end"),
        (&effects.started_twice, "began twice"),
        (&effects.finished_twice, "ended twice"),
        (&effects.never_started, "ended without a beginning"),
        (&effects.without_id, "has no identity"),
    ];
    for (effects, what) in groups {
        for effect in effects.iter().filter(|_| !verdict.being_written) {
            notes.push(format!(
                "the effect {} {what}, line {}",
                effect.id, effect.line
            ));
        }
    }
    if json {
        let ids = |effects: &[symbi_journal::Effect]| -> Json {
            let all = effects.iter();
            all.map(|one| json!({"id": one.id, "line": one.line}))
                .collect()
        };
        let line = json!({
            "run": verdict.run.as_str(),
            "verdict": word.replace(' ', "_"),
            "records": verdict.head.records,
            "closed": verdict.head.closed,
            "unfinished": ids(&effects.unfinished),
            "notes": notes,
        });
        return Ok(output.line(&line.to_string())?);
    }
    let closed = match verdict.head.closed {
        true => "closed",
        false => "not closed",
    };
    let records = count(verdict.head.records, "record");
    let word = paint(word, style, output.stdout_colour);
    output.line(&format!("{}  {word} · {records}, {closed}", verdict.run))?;
    for note in notes {
        output.line(&format!("  {note}"))?;
    }
    Ok(())
}

fn count(number: u64, of: &str) -> String {
    match number {
        1 => format!("1 {of}"),
        number => format!("{number} {of}s"),
    }
}

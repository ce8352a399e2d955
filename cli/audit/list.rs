//! `symbi audit list`: the runs of a project.

use serde_json::{Value as Json, json};
use symbi_journal::{Entry, Journal, Standing};

use super::cannot;
use super::inspect::harmless;
use super::which::Where;
use crate::Stop;
use crate::exit::Exit;
use crate::output::Output;

/// What `symbi audit list` takes.
#[derive(Debug, clap::Args)]
pub struct Args {
    #[command(flatten)]
    place: Where,

    /// One line of JSON a run
    #[arg(long)]
    json: bool,
}

/// Runs it.
pub fn run(args: &Args, output: &mut Output) -> Result<Exit, Stop> {
    let runs = match args.place.runs() {
        Ok(runs) => runs,
        Err(problem) => return cannot(&problem, output),
    };
    if runs.is_empty() {
        return Ok(Exit::Fine);
    }
    let key = match args.place.key() {
        Ok(key) => key,
        Err(problem) => return cannot(&problem, output),
    };
    let mut exit = Exit::Fine;
    for run in runs {
        match symbi_journal::read(&args.place.journals(), &run, key) {
            Ok(journal) => {
                let row = Row::of(&journal);
                if !journal.verdict.problems.is_empty() {
                    exit = exit.max(Exit::Errors);
                }
                let line = match args.json {
                    true => json!({
                        "run": run.as_str(), "agent": row.agent, "route": row.route,
                        "began": row.began, "outcome": row.outcome,
                    })
                    .to_string(),
                    false => format!("{run}  {}  {:<12} {}", row.began, row.outcome, row.agent),
                };
                output.line(&line)?;
            }
            Err(error) => {
                exit = exit.max(Exit::Unusable);
                output.error(&format!("{run}: {error}"))?;
            }
        }
    }
    Ok(exit)
}

/// What a journal says of its run.
struct Row {
    agent: String,
    route: String,
    began: String,
    outcome: String,
}

impl Row {
    fn of(journal: &Journal) -> Self {
        let mut row = Row {
            agent: String::new(),
            route: String::new(),
            began: String::new(),
            outcome: match journal.verdict.being_written {
                true => "running".to_owned(),
                false => "broken off".to_owned(),
            },
        };
        for record in journal.records() {
            match record.entry {
                Entry::Opened { about, .. } => {
                    let text =
                        |name: &str| about.get(name).and_then(Json::as_str).unwrap_or_default();
                    row.agent = harmless(&format!("{}#{}", text("file"), text("agent")));
                    row.route = harmless(text("route"));
                    row.began = record.time.to_string();
                }
                Entry::Event(event) if event.get("type") == Some(&Json::from("ended")) => {
                    let outcome = event.get("outcome").and_then(Json::as_str);
                    row.outcome = harmless(outcome.unwrap_or_default());
                }
                _ => {}
            }
        }
        // What a journal claims that somebody has changed is worth nothing.
        match journal.verdict.standing() {
            Standing::Tampered => row.outcome = "tampered".to_owned(),
            Standing::Foreign => row.outcome = "foreign".to_owned(),
            Standing::Intact if journal.verdict.needs_reconciliation() => {
                row.outcome = "unresolved".to_owned();
            }
            Standing::Intact => {}
        }
        row
    }
}

//! `symbi audit inspect` and `tail`: what a run did, record by record.

use std::time::Duration;

use serde_json::{Value as Json, json};
use symbi_journal::{Entry, Journal, Record};

use super::cannot;
use super::which::Where;
use crate::Stop;
use crate::exit::Exit;
use crate::output::{GREEN, Output, RED_BOLD, paint};

/// What `symbi audit inspect` takes.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The run
    run: String,

    #[command(flatten)]
    place: Where,

    /// One line of JSON a record
    #[arg(long)]
    json: bool,
}

/// What `symbi audit tail` takes.
#[derive(Debug, clap::Args)]
pub struct TailArgs {
    /// The run
    run: String,

    /// How many records
    #[arg(short = 'n', long, value_name = "NUMBER", default_value_t = 10)]
    records: usize,

    /// Go on until the run ends
    #[arg(long)]
    follow: bool,

    #[command(flatten)]
    place: Where,

    /// One line of JSON a record
    #[arg(long)]
    json: bool,
}

/// How often it is looked for more.
const NAP: Duration = Duration::from_millis(200);

/// Shows all of it.
pub fn run(args: &Args, output: &mut Output) -> Result<Exit, Stop> {
    let journal = match journal(&args.place, &args.run) {
        Ok(journal) => journal,
        Err(problem) => return cannot(&problem, output),
    };
    for record in journal.records() {
        show(&record, args.json, output)?;
    }
    verdict(&journal, args.json, output)
}

/// Shows the end of it.
pub fn tail(args: &TailArgs, output: &mut Output) -> Result<Exit, Stop> {
    let mut shown: Option<u64> = None;
    loop {
        let journal = match journal(&args.place, &args.run) {
            Ok(journal) => journal,
            Err(problem) => return cannot(&problem, output),
        };
        let shows = |record: &Record| args.json || said(&record.entry, false).is_some();
        let all: Vec<Record> = journal.records().filter(shows).collect();
        let skipped = match shown {
            None => all.len().saturating_sub(args.records),
            Some(_) => 0,
        };
        let rest = all.iter().skip(skipped);
        for record in rest.filter(|record| shown.is_none_or(|seq| record.seq > seq)) {
            show(record, args.json, output)?;
        }
        shown = all.last().map(|record| record.seq).or(shown);
        if !args.follow || !journal.verdict.being_written {
            return verdict(&journal, args.json, output);
        }
        output.flush()?;
        std::thread::sleep(NAP);
    }
}

/// What is wrong with it is told behind it.
fn verdict(journal: &Journal, json: bool, output: &mut Output) -> Result<Exit, Stop> {
    if journal.verdict.problems.is_empty() {
        return Ok(Exit::Fine);
    }
    let problem = harmless(&journal.verdict.summary());
    match json {
        true => output.line(&json!({"problem": problem}).to_string())?,
        false => output.error(&format!("it is not as it was written: {problem}"))?,
    }
    Ok(Exit::Errors)
}

fn journal(place: &Where, run: &str) -> Result<Journal, String> {
    let which = place.which(run)?;
    let key = place.key()?;
    symbi_journal::read(&which.journals, &which.run, key).map_err(|error| error.to_string())
}

/// A text on a terminal: characters that would steer it are shown.
pub fn harmless(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for char in text.chars() {
        match steers(char) {
            true => out.extend(char.escape_default()),
            false => out.push(char),
        }
    }
    out
}

/// Control characters, and those that turn the direction of what follows.
pub fn steers(char: char) -> bool {
    char.is_control()
        || matches!(char, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

fn show(record: &Record, json: bool, output: &mut Output) -> Result<(), Stop> {
    if json {
        let entry = match &record.entry {
            Entry::Opened { run, key, about } => {
                json!({"opened": {"run": run, "key": key, "about": about}})
            }
            Entry::Event(event) => json!({"event": event}),
            Entry::Signed => json!({"signature": true}),
            Entry::Resumed { unsigned, cut } => json!({"resumed": {
                "unsigned": unsigned, "cut": cut.map(|cut| cut.bytes),
            }}),
            Entry::Closed => json!({"closed": true}),
        };
        let time = record.time.to_string();
        let mut line = json!({"seq": record.seq, "time": time, "signed": record.signed});
        if let (Some(line), Json::Object(entry)) = (line.as_object_mut(), entry) {
            line.extend(entry);
        }
        return Ok(output.line(&line.to_string())?);
    }
    let colour = output.stdout_colour;
    let Some(what) = said(&record.entry, colour) else {
        return Ok(());
    };
    let time = record.time.to_string();
    let time = time.split('T').nth(1).unwrap_or(&time);
    Ok(output.line(&format!("{:>4} {time} {what}", record.seq))?)
}

/// A record in words; `None` for what only serves to verify.
fn said(entry: &Entry, colour: bool) -> Option<String> {
    Some(match entry {
        Entry::Opened { about, .. } => {
            let input = about.get("input").map(short).unwrap_or_default();
            let (file, agent) = (text(about, "file"), text(about, "agent"));
            format!("{file}#{agent} on {} with {input}", text(about, "route"))
        }
        Entry::Event(event) => event_said(event, colour)?,
        Entry::Signed => return None,
        Entry::Resumed { cut, .. } => match cut {
            Some(cut) => format!(
                "resumed; {} bytes of a half written line were cut off",
                cut.bytes
            ),
            None => "resumed".to_owned(),
        },
        Entry::Closed => "closed".to_owned(),
    })
}

fn text(of: &Json, name: &str) -> String {
    harmless(of.get(name).and_then(Json::as_str).unwrap_or_default())
}

fn event_said(event: &Json, colour: bool) -> Option<String> {
    let own = |name: &str| text(event, name);
    Some(match &*own("type") {
        "snapshot" | "sleeping" => return None,
        "value" => format!("{} {}", own("function"), answer(event)),
        "log" if event.get("kept") == Some(&json!(false)) => {
            format!("log {}, which is below what is kept", own("level"))
        }
        "log" => format!("log {} {}", own("level"), own("text")),
        "print" | "audit_log" => format!("{} {}", own("type"), own("text")),
        "decided" => {
            let (word, style) = match &*own("decision") {
                "granted" => ("granted", GREEN),
                _ => ("denied", RED_BOLD),
            };
            let rule = event.get("rule").filter(|rule| !rule.is_null());
            let rule = rule.map_or_else(String::new, |rule| {
                let number = |name: &str| rule.get(name).and_then(Json::as_u64).unwrap_or(0);
                format!(
                    ", {}:{}:{}",
                    text(rule, "file"),
                    number("line"),
                    number("column")
                )
            });
            format!(
                "{} {} {} · {}{rule}",
                paint(word, style, colour),
                own("effect"),
                event.get("arguments").map(short).unwrap_or_default(),
                own("message"),
            )
        }
        "effect_started" => format!("{} starts, by {}", own("effect"), own("provider")),
        "effect_finished" => format!("{} {}", own("effect"), answer(event)),
        "raised" => answer(event),
        "unresolved" => format!(
            "unresolved: {} began, and nobody knows whether it happened",
            own("effect")
        ),
        "ended" => {
            let error = event.get("error").filter(|error| !error.is_null());
            let error = error.map_or_else(String::new, |error| {
                format!(": {}: {}", text(error, "kind"), text(error, "message"))
            });
            let value = event.get("value").filter(|value| !value.is_null());
            let value = value.map_or_else(String::new, |value| format!(" with {}", short(value)));
            let usage = |name: &str| event["usage"][name].as_u64().unwrap_or(0);
            format!(
                "{}{value}{error}; {} steps, {} effects, {} denied, {} ms",
                own("outcome"),
                usage("steps"),
                usage("effects"),
                usage("denied"),
                usage("elapsed_ms")
            )
        }
        other => other.to_owned(),
    })
}

fn answer(event: &Json) -> String {
    let Some(answer) = event.get("answer") else {
        return String::new();
    };
    match (answer.get("value"), answer.get("error")) {
        (_, Some(error)) => format!("raises {}: {}", text(error, "kind"), text(error, "message")),
        (Some(_), _) if answer.get("kept") == Some(&json!(false)) => {
            "gives what is not kept".to_owned()
        }
        (Some(value), _) => format!("gives {}", short(value)),
        (None, None) => String::new(),
    }
}

/// A value on one line, as far as there is room.
fn short(value: &Json) -> String {
    const MOST: usize = 200;
    let text = harmless(&value.to_string());
    match text.char_indices().nth(MOST) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
        None => text,
    }
}

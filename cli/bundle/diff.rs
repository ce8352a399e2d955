//! `symbi bundle diff`: what agents may do that they could not.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::io::Write;
use std::path::PathBuf;
use std::sync::Arc;

use serde_json::{Value, json};
use symbi_ir::Program;
use symbi_ir::privileges::{Change, compare};
use symbi_policy::Record;

use crate::Stop;
use crate::exit::Exit;
use crate::load;
use crate::output::{GREEN, Output, RED_BOLD, YELLOW, paint};
use crate::policy::plain;

/// What `symbi bundle diff` takes.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The bundle before, or the folder or file of a project
    old: PathBuf,

    /// The bundle after, likewise
    new: PathBuf,

    /// One JSON document on stdout
    #[arg(long)]
    json: bool,
}

/// The beginning of the long help.
pub const ABOUT: &str = "\
Say what agents may do that they could not before, and the other way round

What is compared are privileges: routes, what policies permit, what bodies call,
sandboxes, networks, secrets, limits, schedules, webhooks, channels, tools. A
line that begins with `+` is something that may be done now and could not, with
facts for which it is so; `?` is something of which that cannot be told; `-` is
something that was lost. Nothing that grew is left out.

Exit codes: 0 nothing grew, 1 one of the two is no program, 2 wrong usage or
something could not be read, 5 privileges grew, or may have grown.";

/// The end of the help.
pub const EXAMPLES: &str = "\
Examples:
  symbi bundle diff released.symbib fleet.symbib     a gate for CI: 5 if privileges grew
  symbi bundle diff released.symbib .                before anything is built";

/// Runs it.
pub fn run(args: &Args, output: &mut Output) -> Result<Exit, Stop> {
    let old = match load::load(&args.old, output)? {
        Ok(loaded) => loaded.program,
        Err(exit) => return Ok(exit),
    };
    let new = match load::load(&args.new, output)? {
        Ok(loaded) => loaded.program,
        Err(exit) => return Ok(exit),
    };
    let privileges = compare(&old, &new);
    let text = match args.json {
        true => format!(
            "{}\n",
            json!({
                "version": 1,
                "grown": documents(&privileges.grown, &new),
                "lost": documents(&privileges.lost, &old),
            })
        ),
        false => {
            let colour = output.stdout_colour;
            let mut text = String::new();
            for change in &privileges.grown {
                let (mark, style) = match change.certain {
                    true => ("+", RED_BOLD),
                    false => ("?", YELLOW),
                };
                let _ = writeln!(
                    text,
                    "{} {}{}",
                    paint(mark, style, colour),
                    change.words,
                    place(change, &new)
                );
            }
            for change in &privileges.lost {
                let mark = paint("-", GREEN, colour);
                let _ = writeln!(text, "{mark} {}{}", change.words, place(change, &old));
            }
            if text.is_empty() {
                text.push_str("nothing grew, and nothing was lost\n");
            }
            text
        }
    };
    output.stdout().write_all(text.as_bytes())?;
    Ok(match privileges.grown.is_empty() {
        true => Exit::Fine,
        false => Exit::Grew,
    })
}

/// Where a change is, at the end of its line.
fn place(change: &Change, program: &Program) -> String {
    match position(change, program) {
        Some((path, line, column)) => format!(" ({path}:{line}:{column})"),
        None => String::new(),
    }
}

fn position(change: &Change, program: &Program) -> Option<(Arc<str>, usize, usize)> {
    let (path, at) = change.at.as_ref()?;
    let (line, column) = program.module(path)?.position(at.start);
    Some((path.clone(), line, column))
}

fn documents(changes: &[Change], program: &Program) -> Vec<Value> {
    let record = |record: &Record| -> Value {
        let fields: HashMap<String, Value> = record
            .fields()
            .map(|(name, value)| (name.to_string(), plain(value)))
            .collect();
        json!(std::collections::BTreeMap::from_iter(fields))
    };
    let each = changes.iter().map(|change| {
        let place = position(change, program)
            .map(|(path, line, column)| json!({"path": &*path, "line": line, "column": column}));
        let witness = change.witness.as_ref().filter(|_| change.certain);
        json!({
            "about": change.kind.as_str(),
            "agent": change.agent.as_deref(),
            "message": change.words,
            "certain": change.certain,
            "at": place,
            "witness": witness.map(|witness| json!({
                "arguments": record(&witness.arguments),
                "parameters": record(&witness.parameters),
                "context": record(&witness.context),
            })),
        })
    });
    each.collect()
}

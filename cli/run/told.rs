//! How a run ended, for people and for programs.

use std::path::Path;

use symbi_host::run::{Outcome, Report};

use super::console::harmless;
use crate::Stop;
use crate::output::{GREEN, Output, RED_BOLD, YELLOW, paint};

/// Tells how a run ended.
pub fn told(report: &Report, json: bool, dry: bool, output: &mut Output) -> Result<(), Stop> {
    if json {
        let line = serde_json::to_string(report).unwrap_or_default();
        return Ok(output.line(&line)?);
    }
    if report.outcome == Outcome::Completed && !report.value.is_null() {
        let value = match &report.value {
            serde_json::Value::String(text) => text.clone(),
            other => format!("{other:#}"),
        };
        output.line(&harmless(&value))?;
    }
    let style = match report.outcome {
        Outcome::Completed => GREEN,
        Outcome::Cancelled | Outcome::BudgetExhausted | Outcome::TimedOut => YELLOW,
        _ => RED_BOLD,
    };
    let word = report.outcome.as_str().replace('_', " ");
    let usage = &report.usage;
    let effects = match usage.effects {
        1 => "1 effect".to_owned(),
        count => format!("{count} effects"),
    };
    let denied = match usage.denied {
        0 => String::new(),
        count => format!(", {count} denied"),
    };
    let colour = output.stdout_colour;
    let mut line = format!("{} · {effects}{denied}", paint(&word, style, colour));
    if let Some(error) = &report.error {
        let place = error.at.as_ref().map_or_else(String::new, |at| {
            format!("{}:{}:{} ", at.file, at.line, at.column)
        });
        line.push_str(&format!(
            "\n{place}{}: {}",
            error.kind,
            harmless(&error.message)
        ));
    }
    output.line(&line)?;
    match &report.journal {
        Some(path) => output.line(&format!("journal: {}", from_here(path)))?,
        None if dry => output.line("dry run: nothing has happened, and no journal is kept")?,
        None => output.line("no journal: it did not begin")?,
    }
    Ok(())
}

/// A path as it is from this folder.
fn from_here(path: &str) -> String {
    let here = std::env::current_dir().unwrap_or_default();
    let inside = Path::new(path).strip_prefix(&here);
    inside.map_or_else(|_| path.to_owned(), |inside| inside.display().to_string())
}

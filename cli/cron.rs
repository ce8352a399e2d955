//! `symbi cron next`: when an expression fires, before it stands in a file.
//!
//! In: a cron expression, a zone, an instant. Out: its firings, one a line on
//! stdout; what clocks and other tools make of it on stderr. What it means is
//! `symbi-mini`'s, as in a schedule.

use std::io::Write;
use std::ops::Range;

use serde_json::json;
use symbi_mini::cron::{Cron, Firing};
use symbi_mini::jiff::Timestamp;
use symbi_mini::jiff::civil::DateTime;
use symbi_mini::zone::Zone;
use symbi_mini::{MiniError, cron, zone};
use unicode_width::UnicodeWidthStr;

use crate::Stop;
use crate::exit::Exit;
use crate::output::Output;
use symbi_diagnostics::render::one_line;

/// How many firings may be asked for.
const MOST: u16 = 10_000;

/// What `symbi cron` takes.
#[derive(Debug, clap::Args)]
#[command(arg_required_else_help = true)]
pub struct Args {
    #[command(subcommand)]
    command: Command,
}

/// What can be done with schedules.
#[derive(Debug, clap::Subcommand)]
enum Command {
    /// Show when a cron expression fires next
    #[command(long_about = NEXT_ABOUT, after_help = EXAMPLES)]
    Next(Next),
}

const NEXT_ABOUT: &str = "\
Show when a cron expression fires next

Stdout has one firing a line, with the zone's offset from UTC. Stderr says the
expression in words, and what happens to it when clocks change within a year.

An expression has five fields (minute first), six (second first) or seven (year
last), with names, lists, ranges, steps, L, W and #, or is @daily and the like.
It means here what it means in a schedule.";

const EXAMPLES: &str = "\
Examples:
  symbi cron next '0 9 * * MON-FRI' --timezone Europe/Berlin
  symbi cron next '30 2 L * *' -n 12 --after 2026-01-01T00:00
  symbi cron next @hourly --json

Exit codes: 0 fine, 1 not an expression or it never fires, 2 wrong usage.";

#[derive(Debug, clap::Args)]
struct Next {
    /// The expression, in quotes
    expression: String,

    /// The zone whose clocks count, such as Europe/Berlin
    #[arg(short = 'z', long, value_name = "ZONE", default_value = "UTC")]
    timezone: String,

    /// How many firings to show
    #[arg(short = 'n', long, value_name = "N", default_value_t = 5,
          value_parser = clap::value_parser!(u16).range(1..=i64::from(MOST)))]
    count: u16,

    /// The instant to begin after, with an offset or by the zone's clocks (of
    /// a time that comes twice the first, of one that is skipped the one an
    /// hour later) [default: now]
    #[arg(long, value_name = "TIME")]
    after: Option<String>,

    /// One JSON document on stdout, of an error too, and nothing on stderr
    #[arg(long)]
    json: bool,
}

/// Runs it.
pub fn run(args: &Args, output: &mut Output) -> Result<Exit, Stop> {
    let Command::Next(next) = &args.command;
    let zone = match zone::parse(&next.timezone) {
        Ok(zone) => zone,
        Err(error) => return refuse(output, next, &next.timezone, &error, Exit::Unusable),
    };
    let after = match next.after.as_deref().map(|text| instant(text, &zone)) {
        None => Timestamp::now(),
        Some(Some(after)) => after,
        Some(None) => {
            let text = next.after.as_deref().unwrap_or_default();
            let message = format!("`{text}` is not a time");
            let help = "write `2026-03-27T12:00`, or `2026-03-27T12:00:00Z` with an offset";
            let error = MiniError {
                span: 0..text.len(),
                message,
                help: Some(help.to_owned()),
            };
            return refuse(output, next, text, &error, Exit::Unusable);
        }
    };
    let cron = match cron::parse(&next.expression) {
        Ok(cron) => cron,
        Err(error) => return refuse(output, next, &next.expression, &error, Exit::Errors),
    };
    if let Some(error) = cron.never_fires(Some(after)) {
        return refuse(output, next, &next.expression, &error, Exit::Errors);
    }
    let firings: Vec<Firing> = cron.firings(&zone, after).take(next.count.into()).collect();
    let notes = notes(&cron, &zone, after);
    if next.json {
        document(next, &cron, &zone, &firings, &notes, output)?;
        return Ok(Exit::Fine);
    }
    let mut told = format!("{}, {}\n", cron.describe(), zone.name());
    for note in notes {
        told.push_str(&format!("note: {note}\n"));
    }
    output.report(&told)?;
    for firing in firings {
        output.line(&firing.to_string())?;
    }
    Ok(Exit::Fine)
}

/// An instant: with an offset, or what the clocks of the zone show.
fn instant(text: &str, zone: &Zone) -> Option<Timestamp> {
    let text = text.trim();
    let by_clock = || {
        let wall: DateTime = text.parse().ok()?;
        zone.rules().to_timestamp(wall).ok()
    };
    text.parse().ok().or_else(by_clock)
}

/// What clocks and the public toolchain make of it.
fn notes(cron: &Cron, zone: &Zone, after: Timestamp) -> Vec<String> {
    let clocks = cron.clock_notes(zone, after);
    let peers = cron.peer_notes();
    let mut notes: Vec<String> = clocks.iter().map(ToString::to_string).collect();
    notes.extend(peers.into_iter().map(|note| match note.help {
        Some(help) => format!("{}; {help}", note.message),
        None => note.message,
    }));
    notes
}

fn document(
    next: &Next,
    cron: &Cron,
    zone: &Zone,
    firings: &[Firing],
    notes: &[String],
    output: &mut Output,
) -> std::io::Result<()> {
    let firings: Vec<_> = firings
        .iter()
        .map(|firing| {
            json!({
                "at": firing.at.to_string(),
                "local": firing.to_string(),
                "moved": firing.is_moved(),
            })
        })
        .collect();
    let document = json!({
        "version": 1,
        "expression": next.expression,
        "timezone": zone.name(),
        "words": cron.describe(),
        "firings": firings,
        "notes": notes,
    });
    writeln!(output.stdout(), "{document:#}")
}

/// Says what is wrong with an argument, and marks the place in it.
fn refuse(
    output: &mut Output,
    next: &Next,
    text: &str,
    error: &MiniError,
    exit: Exit,
) -> Result<Exit, Stop> {
    if next.json {
        let document = json!({
            "version": 1,
            "expression": next.expression,
            "error": {
                "argument": text,
                "start": error.span.start,
                "end": error.span.end,
                "message": error.message,
                "help": error.help,
            },
        });
        writeln!(output.stdout(), "{document:#}")?;
        return Ok(exit);
    }
    output.error(&one_line(&error.message))?;
    output.report(&excerpt(text, &error.span))?;
    if let Some(help) = &error.help {
        output.report(&format!("  help: {}\n", one_line(help)))?;
    }
    Ok(exit)
}

/// The text with its wrong part underlined, if it is short enough for a line.
fn excerpt(text: &str, span: &Range<usize>) -> String {
    let shown = one_line(text);
    if shown.width() > 120 {
        return String::new();
    }
    let width = |part: Option<&str>| one_line(part.unwrap_or_default()).width();
    let before = width(text.get(..span.start));
    let marks = width(text.get(span.clone())).max(1);
    format!("  {shown}\n  {}{}\n", " ".repeat(before), "^".repeat(marks))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_has_an_offset_or_is_the_zones() {
        let berlin = zone::parse("Europe/Berlin").unwrap();
        let table = [
            ("2026-03-27T12:00:00Z", Some("2026-03-27T12:00:00Z")),
            ("2026-03-27T12:00:00+05:30", Some("2026-03-27T06:30:00Z")),
            (" 2026-03-27T12:00 ", Some("2026-03-27T11:00:00Z")),
            ("2026-07-01", Some("2026-06-30T22:00:00Z")),
            ("tomorrow", None),
            ("", None),
        ];
        for (text, expected) in table {
            let found = instant(text, &berlin).map(|at| at.to_string());
            assert_eq!(found.as_deref(), expected, "{text}");
        }
    }

    #[test]
    fn the_wrong_part_is_underlined() {
        let table = [
            ("0 9 * * MUN", 8..11, "  0 9 * * MUN\n          ^^^\n"),
            ("ü x", 3..4, "  ü x\n    ^\n"),
            ("0 9", 3..3, "  0 9\n     ^\n"),
            ("a\nb", 2..3, "  a\\nb\n     ^\n"),
        ];
        for (text, span, expected) in table {
            assert_eq!(excerpt(text, &span), expected, "{text}");
        }
        assert_eq!(excerpt(&"x".repeat(200), &(0..1)), "");
    }
}

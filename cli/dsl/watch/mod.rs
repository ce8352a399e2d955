//! `symbi dsl --check --watch`: checks again when something changes, until it
//! is ended.
//!
//! In: the same sources as for a check, found anew each time. Out: on a
//! terminal the whole picture, drawn anew; elsewhere a line for each verdict
//! that is another one, and a line at the end of each round. What is heard of
//! the disk stands in `changes.rs`; which verdict a file has is decided as for
//! any check, by programs that stay in memory.

mod changes;

use std::collections::BTreeMap;
use std::time::{Instant, SystemTime};

use clap::error::ErrorKind;

use super::check::{Outcome, Verdict};
use super::{Args, check};
use crate::args::usage_error;
use crate::exit::Exit;
use crate::output::{BOLD, GREEN, Output, paint};
use crate::project::Resident;
use crate::report::Format;
use crate::sources::{self, Input, Source};
use crate::{Stop, verdict};
use changes::{Changes, Places, Watch};

/// How often folders are looked for again because new ones were found.
const ATTEMPTS: usize = 5;

/// Checks until nobody reads any more, or until it is ended.
pub fn run(inputs: &[Input], args: &Args, output: &mut Output) -> Result<Exit, Stop> {
    if let Some(message) = impossible(inputs, args) {
        let kind = ErrorKind::ArgumentConflict;
        return Err(Stop::Usage(usage_error("dsl", kind, message)));
    }
    let mut watch = Watch::new();
    let mut changes = Changes::default();
    let mut resident = Resident::default();
    let mut picture = Picture::default();
    let mut told = Vec::new();
    loop {
        let start = Instant::now();
        let sources = match find(inputs, &mut watch) {
            Ok(sources) => sources,
            Err(error) => {
                output.error(&format!(
                    "cannot watch anything: {}",
                    changes::words(&error)
                ))?;
                return Ok(Exit::Unusable);
            }
        };
        let unwatched: Vec<_> = watch.unwatched().cloned().collect();
        if unwatched != told {
            for (folder, why) in &unwatched {
                let folder = sources::printable(folder.as_os_str());
                output.report(&format!(
                    "note: {folder} cannot be watched and is looked at every 2 seconds: {why}\n"
                ))?;
            }
            told = unwatched;
        }
        resident.read(&sources, args.hints, &|file| changes.concern(file));
        let round = Round::of(&resident, &sources, args, output);
        picture.show(round, start, output)?;
        changes = watch.wait();
    }
}

/// What is wrong with asking for this.
fn impossible(inputs: &[Input], args: &Args) -> Option<&'static str> {
    if inputs
        .iter()
        .any(|input| matches!(input, Input::Text(_) | Input::Stdin))
    {
        return Some("--watch waits for files to change: a text from -c or stdin never does");
    }
    if !matches!(args.format, Format::Human | Format::Short) {
        return Some(
            "--watch never ends, and this format is for a check that does: \
             use --format human or short",
        );
    }
    None
}

/// The sources as they are now, with all places watched where they may change.
fn find(inputs: &[Input], watch: &mut Watch) -> notify::Result<Vec<Source>> {
    let mut sources = sources::discover(inputs.to_vec());
    for _ in 0..ATTEMPTS {
        // What came into a folder before it was watched is not heard of.
        if !watch.set(Places::of(inputs, &sources))? {
            break;
        }
        sources = sources::discover(inputs.to_vec());
    }
    Ok(sources)
}

/// What is shown of a file.
#[derive(Clone, PartialEq, Eq)]
struct Line {
    verdict: String,
    reports: String,
}

/// How many files have which verdict.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
struct Counts {
    files: usize,
    failed: usize,
    unreadable: usize,
    warned: usize,
}

/// One look at everything.
struct Round {
    /// By the names, in the order of a check.
    lines: Vec<(String, Line)>,
    /// The names of those that were read again.
    fresh: Vec<bool>,
    counts: Counts,
    width: usize,
}

impl Round {
    fn of(resident: &Resident, sources: &[Source], args: &Args, output: &Output) -> Self {
        let colour = match output.is_screen() {
            true => output.stdout_colour,
            false => output.stderr_colour,
        };
        let mut round = Round {
            lines: Vec::new(),
            fresh: Vec::new(),
            counts: Counts::default(),
            width: verdict::name_width(sources),
        };
        for beside in resident.programs().flat_map(|program| program.beside()) {
            if let Some(outcome) = check::look_beside(beside, args, colour) {
                round.add(outcome, false, output);
            }
        }
        for (index, source) in sources.iter().enumerate() {
            let outcome = check::outcome_of(source, resident.check(index), args, colour);
            round.counts.files += 1;
            round.add(outcome, resident.is_fresh(index), output);
        }
        round
    }

    fn add(&mut self, outcome: Outcome<'_>, fresh: bool, output: &Output) {
        match &outcome.verdict {
            Verdict::Ok { warnings: 0 } => {}
            Verdict::Ok { .. } => self.counts.warned += 1,
            Verdict::Failed(_) => self.counts.failed += 1,
            Verdict::Unreadable(_) => self.counts.unreadable += 1,
        }
        let line = Line {
            verdict: outcome.verdict.line(output.stdout_colour),
            reports: outcome.text,
        };
        self.lines.push((outcome.name.to_owned(), line));
        self.fresh.push(fresh);
    }
}

impl Counts {
    /// `1 failed, 2 with warnings`; what is zero is not told.
    fn told(self) -> String {
        let counts = [
            (self.failed, "failed"),
            (self.unreadable, "unreadable"),
            (self.warned, "with warnings"),
        ];
        let told: Vec<String> = counts
            .into_iter()
            .filter(|(count, _)| *count > 0)
            .map(|(count, what)| format!("{count} {what}"))
            .collect();
        match &*told {
            [] => "all fine".to_owned(),
            told => told.join(", "),
        }
    }
}

/// What was shown last.
#[derive(Default)]
struct Picture {
    lines: BTreeMap<String, Line>,
    rounds: usize,
}

impl Picture {
    /// Shows what has changed.
    fn show(&mut self, round: Round, start: Instant, output: &mut Output) -> Result<(), Stop> {
        let new: Vec<bool> = round
            .lines
            .iter()
            .zip(&round.fresh)
            .map(|((name, line), fresh)| *fresh || self.lines.get(name) != Some(line))
            .collect();
        let names: BTreeMap<&str, ()> = round.lines.iter().map(|(name, _)| (&**name, ())).collect();
        let gone: Vec<String> = self
            .lines
            .keys()
            .filter(|name| !names.contains_key(&***name))
            .cloned()
            .collect();
        let quiet = self.rounds > 0 && gone.is_empty() && !new.contains(&true);
        self.rounds += 1;
        if quiet {
            return Ok(());
        }
        match output.is_screen() {
            true => draw(&round, start, output)?,
            false => tell(&round, &new, &gone, output)?,
        }
        self.lines = round.lines.into_iter().collect();
        Ok(())
    }
}

fn files(count: usize) -> String {
    match count {
        1 => "1 file".to_owned(),
        count => format!("{count} files"),
    }
}

/// For a program: the lines that are new, and one that ends the round.
fn tell(round: &Round, new: &[bool], gone: &[String], output: &mut Output) -> Result<(), Stop> {
    let width = round.width;
    for name in gone {
        output.line(&format!("{name:width$}  GONE"))?;
    }
    for ((name, line), _) in round.lines.iter().zip(new).filter(|(_, new)| **new) {
        output.line(&format!("{name:width$}  {}", line.verdict))?;
        output.report(&line.reports)?;
    }
    let Counts { files: count, .. } = round.counts;
    output.line(&format!(
        "checked {}: {}",
        files(count),
        round.counts.told()
    ))?;
    output.flush()?;
    Ok(())
}

/// For a person: the whole picture in one piece, so that nothing flickers. It
/// ends with what is wanted first, which stays in sight if the rest does not;
/// the screen is not taken over, so there is nothing to be given back.
fn draw(round: &Round, start: Instant, output: &mut Output) -> Result<(), Stop> {
    let mut frame = "\x1b[2J\x1b[H".to_owned();
    for (_, line) in &round.lines {
        frame.push_str(&line.reports);
    }
    let width = round.width;
    let fine = paint("OK", GREEN, output.stdout_colour);
    for (name, line) in &round.lines {
        if line.verdict != fine {
            frame.push_str(&format!("{name:width$}  {}\n", line.verdict));
        }
    }
    let summary = format!(
        "checked {} in {} ms at {}: {}",
        files(round.counts.files),
        start.elapsed().as_millis(),
        clock(SystemTime::now()),
        round.counts.told()
    );
    frame.push_str(&paint(&summary, BOLD, output.stdout_colour));
    frame.push_str("\nwaiting for changes; Ctrl-C ends\n");
    std::io::Write::write_all(output.stdout(), frame.as_bytes())?;
    output.flush()?;
    Ok(())
}

/// The time of day, in UTC: which zone we are in is the system's affair.
fn clock(now: SystemTime) -> String {
    let seconds = now
        .duration_since(SystemTime::UNIX_EPOCH)
        .map_or(0, |since| since.as_secs());
    let (hours, minutes) = (seconds / 3600 % 24, seconds / 60 % 60);
    format!("{hours:02}:{minutes:02}:{:02} UTC", seconds % 60)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn the_clock_is_that_of_the_day() {
        for (seconds, expected) in [
            (0, "00:00:00 UTC"),
            (86_399, "23:59:59 UTC"),
            (1_780_000_000, "20:26:40 UTC"),
        ] {
            let now = SystemTime::UNIX_EPOCH + Duration::from_secs(seconds);
            assert_eq!(clock(now), expected);
        }
    }

    #[test]
    fn a_round_is_told_in_a_few_words() {
        let counts = |failed, unreadable, warned| Counts {
            files: 9,
            failed,
            unreadable,
            warned,
        };
        assert_eq!(counts(0, 0, 0).told(), "all fine");
        assert_eq!(counts(1, 0, 2).told(), "1 failed, 2 with warnings");
        assert_eq!(counts(0, 3, 0).told(), "3 unreadable");
    }
}

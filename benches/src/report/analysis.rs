//! The checks of names, types and blocks: once over many files, and after a
//! keystroke in a program that stays.

use std::time::Duration;

use symbi_analysis::{Analysis, OneShot, Summary, Tools};
use symbi_syntax::decode;

use super::{Inputs, Limit, On, Report, Row};
use crate::Error;
use crate::clock::{best, mb_per_second, timed};
use crate::corpus::{self, SEED};

const FILES: usize = 1_000;
const BYTES: usize = 5_000;
const BYTES_OF_ONE: usize = 5_000_000;
const RUNS: usize = 5;
const KEYSTROKES: usize = 200;

pub(super) fn rows(inputs: &Inputs, report: &mut Report) -> Result<(), Error> {
    let files: Vec<(String, String)> = (0..FILES)
        .map(|number| {
            let text = inputs.corpus.generate_part(BYTES, SEED, number).text;
            (format!("agents/file{number:04}.symbi"), text)
        })
        .collect();
    let bytes: usize = files.iter().map(|(_, text)| text.len()).sum();
    let tools = corpus::read(&corpus::tools(&corpus::examples_folder())?);
    one_shot(&files, bytes, &tools, report)?;
    scaling(inputs, &tools, report)?;
    let (cold, mut analysis) = timed(|| resident(&files, &tools));
    count_reports(&files, |path| analysis.diagnostics(path))?;
    report.rows.push(
        Row::new(
            "check of 1,000 files, resident, first time, one thread",
            mb_per_second(bytes, cold),
            "MB/s",
        )
        .detail(format!("{:.1} ms", cold.as_secs_f64() * 1e3)),
    );
    // One from the middle that has bodies.
    let (path, text) = files[FILES / 2..]
        .iter()
        .find(|(_, text)| text.contains("return "))
        .ok_or_else(|| Error::Wrong("no generated file has a body".to_owned()))?;
    keystrokes(
        "a keystroke in a workspace of 1,000 files",
        &mut analysis,
        path,
        text,
        3.0,
        report,
    )?;
    let large = inputs.corpus.generate_part(1_000_000, SEED, FILES).text;
    analysis.set_file("agents/large.symbi", decode(large.clone().into_bytes()));
    let _ = analysis.diagnostics("agents/large.symbi");
    keystrokes(
        "a keystroke in a file of 1 MB of that workspace",
        &mut analysis,
        "agents/large.symbi",
        &large,
        20.0,
        report,
    )
}

fn one_shot(
    files: &[(String, String)],
    bytes: usize,
    tools: &Tools,
    report: &mut Report,
) -> Result<(), Error> {
    let work = || {
        let summaries = files
            .iter()
            .map(|(path, text)| Summary::new(&**path, decode(text.clone().into_bytes()), false))
            .collect();
        let program = OneShot::new(summaries, tools.clone(), corpus::settings());
        (0..files.len())
            .map(|index| program.check(index).len())
            .sum::<usize>()
    };
    let time = best(RUNS, work, |reports| match reports {
        0 => Ok(()),
        reports => Err(Error::Wrong(format!(
            "{reports} reports about generated files"
        ))),
    })?;
    report.rows.push(
        Row::new(
            "check of 1,000 files, one-shot, bodies freed, one thread",
            mb_per_second(bytes, time),
            "MB/s",
        )
        .detail(format!("{:.1} ms", time.as_secs_f64() * 1e3))
        .goal(On::Ours, Limit::AtLeast(20.0)),
    );
    Ok(())
}

/// One file of 1.25, 2.5 and 5 MB: what is linear doubles.
fn scaling(inputs: &Inputs, tools: &Tools, report: &mut Report) -> Result<(), Error> {
    let mut per_byte = Vec::new();
    for bytes in [BYTES_OF_ONE / 4, BYTES_OF_ONE / 2, BYTES_OF_ONE] {
        let text = inputs.corpus.generate(bytes, SEED).text;
        let work = || {
            let source = decode(text.clone().into_bytes());
            let files = vec![Summary::new("one.symbi", source, true)];
            let program = OneShot::new(files, tools.clone(), corpus::settings());
            program.check(0).len()
        };
        let time = best(RUNS, work, |reports| match reports {
            0 => Ok(()),
            reports => Err(Error::Wrong(format!("{reports} reports about one file"))),
        })?;
        per_byte.push(time.as_secs_f64() / text.len() as f64);
    }
    let ratios: Vec<f64> = per_byte
        .windows(2)
        .map(|pair| 2.0 * pair[1] / pair[0])
        .collect();
    report.rows.push(
        Row::new(
            "check of one file, twice the input (1.25, 2.5, 5 MB)",
            ratios.iter().copied().fold(0.0, f64::max),
            "×",
        )
        .detail(format!("{:.2}, {:.2}", ratios[0], ratios[1]))
        .goal(On::Ours, Limit::AtMost(2.3)),
    );
    Ok(())
}

/// A program that stays, with all its files checked.
pub(crate) fn resident(files: &[(String, String)], tools: &Tools) -> Analysis {
    let mut analysis = Analysis::new();
    analysis.set_tools(tools.clone());
    analysis.set_settings(corpus::settings());
    for (path, text) in files {
        analysis.set_file(path, decode(text.clone().into_bytes()));
    }
    for (path, _) in files {
        let _ = analysis.diagnostics(path);
    }
    analysis
}

fn count_reports(
    files: &[(String, String)],
    diagnostics: impl Fn(&str) -> Option<Vec<symbi_diagnostics::Diagnostic>>,
) -> Result<(), Error> {
    let all = files
        .iter()
        .map(|(path, _)| diagnostics(path).map_or(1, |reports| reports.len()))
        .sum::<usize>();
    match all {
        0 => Ok(()),
        all => Err(Error::Wrong(format!("{all} reports about generated files"))),
    }
}

/// Types a digit into bodies, one edit each time, and asks for the reports of
/// the file.
fn keystrokes(
    what: &str,
    analysis: &mut Analysis,
    path: &str,
    text: &str,
    goal: f64,
    report: &mut Report,
) -> Result<(), Error> {
    let places: Vec<usize> = text
        .match_indices("return ")
        .map(|(at, word)| at + word.len())
        .collect();
    if places.is_empty() {
        return Err(Error::Wrong(format!("{path} has no body to type in")));
    }
    let mut times: Vec<Duration> = Vec::with_capacity(KEYSTROKES);
    let mut most = 0;
    // As an editor does.
    analysis.open_file(path);
    let _ = analysis.diagnostics(path);
    analysis.record_work();
    for stroke in 0..KEYSTROKES {
        let place = places[stroke * 7 % places.len()];
        let mut edited = text.to_owned();
        edited.insert_str(place, if stroke % 2 == 0 { "1 + " } else { "(2) + " });
        let decoded = decode(edited.into_bytes());
        let _ = analysis.take_work();
        let (time, reports) = timed(|| {
            analysis.set_file(path, decoded);
            analysis.diagnostics(path)
        });
        if reports.is_none() {
            return Err(Error::Wrong(format!("{path} is gone")));
        }
        // The edit before is undone by this one: two items have changed.
        most = most.max(analysis.take_work().executed.len());
        times.push(time);
    }
    times.sort();
    let at = |share: usize| times[(times.len() - 1) * share / 100].as_secs_f64() * 1e3;
    report.rows.push(
        Row::new(format!("{what}, 95 of 100 within"), at(95), "ms")
            .detail(format!(
                "half within {:.2} ms; at most {most} queries for an edit here and one undone there",
                at(50)
            ))
            .goal(On::Ours, Limit::AtMost(goal)),
    );
    analysis.set_file(path, decode(text.as_bytes().to_vec()));
    let _ = analysis.diagnostics(path);
    Ok(())
}

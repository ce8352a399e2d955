//! Our stages and the peer's in one process: the harness in `benches/peers`,
//! which is built apart so that the peer's crates stay out of this build.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use serde::Deserialize;

use super::{BYTES, Inputs, Limit, On, Report, Row, folder, write};
use crate::Error;
use crate::clock::mb_per_second;
use crate::corpus::{self, Corpus, SEED};

const NAME: &str = "symbi-dsl 3.0.0";
const BUILD: &str = "cargo build --release --manifest-path benches/peers/Cargo.toml";

/// What the harness says about one file, in nanoseconds of CPU time.
#[derive(Debug, Deserialize)]
struct Measured {
    bytes: usize,
    /// Tokens, tree and reports.
    parse_ours: u64,
    /// The tree alone.
    parse_peer: u64,
    /// Tree and reports.
    parse_peer_with_errors: u64,
    /// The tree of our grammar for editors.
    grammar_ours: u64,
    /// Text to formatted text.
    format_ours: u64,
    /// The same.
    format_peer: u64,
}

pub(super) fn rows(inputs: &Inputs, report: &mut Report) -> Result<(), Error> {
    let Some(harness) = harness(inputs, report, "the rows with the peer") else {
        return Ok(());
    };
    let folder = folder()?;

    // The peer's grammar lacks much of the language: both get what both read.
    let sources = corpus::source_paths(&corpus::examples_folder())?;
    let texts: Vec<String> = ask(Command::new(&harness).arg("common").args(sources))?;
    let common = Corpus::new(texts)
        .ok_or_else(|| Error::Wrong("the peer reads nothing of our examples".to_owned()))?;
    let file = folder.path().join("common.symbi");
    write(&file, &common.generate(BYTES, SEED).text)?;
    let measured = ask(Command::new(&harness).arg("measure").arg(&file))?;
    push(report, "generated", &measured);

    let agents =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/peer-sources/vendor/symbi/agents");
    if !agents.exists() {
        report.notes.push(
            "the peer's own agents, which are not here. Please run: cargo vendor --locked \
             --manifest-path tests/peer-sources/Cargo.toml tests/peer-sources/vendor"
                .to_owned(),
        );
        return Ok(());
    }
    let file = folder.path().join("agents.symbi");
    write(&file, &over_and_over(&agents)?)?;
    let measured = ask(Command::new(&harness).arg("measure").arg(&file))?;
    push(report, "the peer's agents", &measured);
    Ok(())
}

fn push(report: &mut Report, input: &str, measured: &Measured) {
    let speed = |nanoseconds| mb_per_second(measured.bytes, Duration::from_nanos(nanoseconds));
    let size = measured.bytes as f64 / 1e6;
    let ours = speed(measured.parse_ours);
    let what = |stage| format!("{stage}, {size:.1} MB, {input}");
    report.rows.push(
        Row::new(what("parse and reports beside the peer's"), ours, "MB/s")
            .peer(NAME, speed(measured.parse_peer_with_errors))
            .goal(On::Ratio, Limit::AtLeast(20.0)),
    );
    report.rows.push(
        Row::new(
            what("parse and reports beside the peer's tree alone"),
            ours,
            "MB/s",
        )
        .peer(NAME, speed(measured.parse_peer)),
    );
    report.rows.push(
        Row::new(
            what("tree-sitter grammar beside the peer's"),
            speed(measured.grammar_ours),
            "MB/s",
        )
        .peer(NAME, speed(measured.parse_peer))
        .goal(On::Ratio, Limit::AtLeast(1.0)),
    );
    report.rows.push(
        Row::new(
            what("format beside the peer's"),
            speed(measured.format_ours),
            "MB/s",
        )
        .peer(NAME, speed(measured.format_peer)),
    );
}

/// The harness; without it, a note says which rows are not measured.
pub(super) fn harness(inputs: &Inputs, report: &mut Report, rows: &str) -> Option<PathBuf> {
    let harness = match &inputs.options.peers {
        Some(path) => path.clone(),
        None => default_place(),
    };
    if harness.exists() {
        return Some(harness);
    }
    report.notes.push(format!(
        "{rows}, because {} does not exist. Please run: {BUILD}",
        harness.display()
    ));
    None
}

/// Where cargo puts the harness.
fn default_place() -> PathBuf {
    let target = match std::env::var_os("CARGO_TARGET_DIR") {
        Some(target) => PathBuf::from(target),
        None => Path::new(env!("CARGO_MANIFEST_DIR")).join("peers/target"),
    };
    target.join("release/symbi-peers")
}

/// What the harness prints, read as JSON.
pub(super) fn ask<T: for<'de> Deserialize<'de>>(command: &mut Command) -> Result<T, Error> {
    let output = command
        .output()
        .map_err(|error| Error::program("symbi-peers", error))?;
    if !output.status.success() {
        return Err(Error::program(
            "symbi-peers",
            String::from_utf8_lossy(&output.stderr).trim(),
        ));
    }
    serde_json::from_slice(&output.stdout).map_err(|error| {
        Error::program(
            "symbi-peers",
            format!("{error}; is it older than this program? {BUILD}"),
        )
    })
}

/// The files of a folder one after the other, again and again.
fn over_and_over(folder: &Path) -> Result<String, Error> {
    let mut round = String::new();
    for path in corpus::source_paths(folder)? {
        round.push_str(&std::fs::read_to_string(&path).map_err(Error::io(&path))?);
        round.push('\n');
    }
    if round.is_empty() {
        return Err(Error::NoExamples(folder.to_owned()));
    }
    Ok(round.repeat(BYTES.div_ceil(round.len())))
}

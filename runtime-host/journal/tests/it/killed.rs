//! A writer that is killed at any instant, and one that may not write further.

use std::env;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::json;
use symbi_journal::{Durability, Entry, Journals, Options, Standing, Writer, read};

use crate::{RUN, key, keys};

const PROJECT: &str = "SYMBI_JOURNAL_TEST_PROJECT";

/// Writes until it is ended, if it was started by one of the tests below; as a
/// test of its own it has nothing to do.
#[test]
fn writes_until_it_is_ended() {
    let Ok(project) = env::var(PROJECT) else {
        return;
    };
    let journals = Journals::in_project(Path::new(&project));
    let run = RUN.parse().unwrap();
    let options = Options {
        durability: Durability::NoSync,
        sign_every: 5,
        ..Options::default()
    };
    let mut writer = match journals.journal(&run).exists() {
        false => Writer::create(&journals, &run, keys(), &json!({}), options).unwrap(),
        true => Writer::reopen(&journals, &run, keys(), options).unwrap().0,
    };
    let mut out = std::io::stdout();
    for number in 0..20_000 {
        match writer.append_synced(&json!({"type": "n", "n": number, "x": "x".repeat(300)})) {
            Ok(seq) => writeln!(out, "wrote {seq} {number}").unwrap(),
            Err(error) => {
                writeln!(out, "failed {error}").unwrap();
                return;
            }
        }
    }
}

fn child(project: &Path) -> Command {
    let mut command = Command::new(env::current_exe().unwrap());
    command
        .args(["--exact", "killed::writes_until_it_is_ended", "--nocapture"])
        .env(PROJECT, project)
        .stdout(Stdio::piped());
    command
}

#[test]
fn killed_at_any_instant_it_loses_nothing() {
    let project = tempfile::tempdir().unwrap();
    let journals = Journals::in_project(project.path());
    let run = RUN.parse().unwrap();
    // Resumed each time. The instants are where this many lines were heard, and
    // however far the writer got meanwhile.
    let mut seed: u64 = 42;
    for round in 0..50 {
        seed = seed
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        let lines = 1 + (seed >> 33) % 40;
        let mut process = child(project.path()).spawn().unwrap();
        let mut heard = BufReader::new(process.stdout.take().unwrap())
            .lines()
            .map_while(Result::ok)
            .filter(|line| line.starts_with("wrote") || line.contains("failed"));
        let mut last = heard.by_ref().take(lines as usize).last().unwrap();
        process.kill().unwrap();
        process.wait().unwrap();
        // What was said is in the journal, also what came after the last we waited for.
        last = heard
            .filter(|line| line.split(' ').count() == 3)
            .last()
            .unwrap_or(last);
        let words: Vec<&str> = last.split(' ').collect();
        let number: u64 = words[2].parse().unwrap();
        let journal = read(&journals, &run, key()).unwrap();
        let verdict = &journal.verdict;
        assert_eq!(
            verdict.standing(),
            Standing::Intact,
            "{round}: {}",
            verdict.summary()
        );
        // Since it went on: each once, none missing, and all that was said.
        let mut since = Vec::new();
        for record in journal.records() {
            match record.entry {
                Entry::Event(event) => since.push(event["n"].as_u64().unwrap()),
                Entry::Opened { .. } | Entry::Resumed { .. } => since.clear(),
                Entry::Signed | Entry::Closed => {}
            }
        }
        let all: Vec<u64> = (0..since.len() as u64).collect();
        assert_eq!(since, all, "{round}");
        assert!(since.len() as u64 > number, "{round}: {last}");
    }
    let verdict = read(&journals, &run, key()).unwrap().verdict;
    assert_eq!(verdict.resumptions.len(), 49);
}

#[test]
fn a_file_that_may_not_grow_stops_it() {
    let project = tempfile::tempdir().unwrap();
    let me = env::current_exe().unwrap();
    // In blocks of 512 bytes; without the signal that would end the process.
    let limited = "trap '' XFSZ; ulimit -f 20; exec \"$0\" \"$@\"";
    let done = Command::new("sh")
        .args(["-c", limited])
        .arg(me)
        .args(["--exact", "killed::writes_until_it_is_ended", "--nocapture"])
        .env(PROJECT, project.path())
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&done.stdout);
    assert!(
        said.contains("a file of this process may not be that large"),
        "{said}"
    );
    let run = RUN.parse().unwrap();
    let verdict = read(&Journals::in_project(project.path()), &run, key())
        .unwrap()
        .verdict;
    assert_eq!(verdict.standing(), Standing::Intact);
    assert!(verdict.tail.torn.is_some());
    assert_eq!(
        verdict.head.length + verdict.tail.torn.unwrap().bytes,
        20 * 512
    );
}

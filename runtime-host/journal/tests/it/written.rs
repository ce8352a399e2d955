//! What is written, byte by byte, and read again.

use std::os::unix::fs::PermissionsExt;
use std::process::Command;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, UNIX_EPOCH};

use serde_json::json;
use symbi_journal::{
    Clock, Entry, Error, Hash, Head, Journals, Keys, Options, Standing, Unsigned, Writer, read,
    verify,
};

use crate::{Project, RUN, events, key, keys, quick};

#[test]
fn lines_are_as_documented() {
    let project = Project::small(true);
    let text = project.text();
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines.len(), 10);
    let time = "2027-01-01T00:00:00.000000Z";
    assert_eq!(
        lines[0],
        format!(
            "{{\"seq\":0,\"time\":\"{time}\",\"previous\":\"{}\",\"opened\":{{\"version\":1,\
             \"run\":\"{RUN}\",\"key\":\"{}\",\"about\":{{\"agent\":\"deploy\"}}}}}}",
            "0".repeat(64),
            key()
        )
    );
    let signed = format!(
        "{{\"seq\":1,\"time\":\"{time}\",\"previous\":\"{}\",\"signed\":{{\"ed25519\":\"",
        Hash::of(format!("{}\n", lines[0]).as_bytes())
    );
    assert_eq!(lines[1].strip_prefix(&signed).map(str::len), Some(88 + 3));
    assert_eq!(
        lines[2],
        format!(
            "{{\"seq\":2,\"time\":\"{time}\",\"previous\":\"{}\",\"event\":{{\"type\":\
             \"effect_started\",\"id\":\"1\",\"tool\":\"send\"}}}}",
            Hash::of(format!("{}\n", lines[1]).as_bytes())
        )
    );
    let kinds = [5, 9].map(|line| lines[line].contains("\"ed25519\""));
    assert_eq!(kinds, [true, true]);
    assert!(lines[9].contains("\"closed\":{"));
}

#[test]
fn what_is_read_is_what_was_written() {
    let project = Project::small(true);
    let journal = read(&project.journals, &project.run, key()).unwrap();
    assert!(journal.verdict.is_complete());
    assert_eq!(journal.verdict.signed_upto, Some(9));
    assert_eq!(journal.verdict.head.records, 10);
    assert_eq!(journal.verdict.head.length, project.text().len() as u64);
    assert_eq!(journal.verdict.effects.started, 2);
    assert!(journal.verdict.effects.are_settled());
    let records: Vec<_> = journal.records().collect();
    let found: Vec<_> = records
        .iter()
        .filter_map(|record| match &record.entry {
            Entry::Event(event) => Some(event.clone()),
            _ => None,
        })
        .collect();
    assert_eq!(found, events());
    assert!(records.iter().all(|record| record.signed));
    assert_eq!(
        records[0].entry,
        Entry::Opened {
            run: RUN.to_owned(),
            key: key().to_string(),
            about: json!({"agent": "deploy"}),
        }
    );
    assert_eq!(records[5].entry, Entry::Signed);
    assert_eq!(records[9].entry, Entry::Closed);
}

#[test]
fn an_open_journal_names_what_is_not_signed() {
    let project = Project::small(false);
    let verdict = verify(&project.journals, &project.run, key()).unwrap();
    assert_eq!(verdict.standing(), Standing::Intact);
    assert!(!verdict.is_complete());
    let text = project.text();
    let offset: usize = text.split_inclusive('\n').take(6).map(str::len).sum();
    assert_eq!(
        verdict.tail.unsigned,
        Some(Unsigned {
            seq: 6,
            records: 3,
            offset: offset as u64,
        })
    );
    assert_eq!(verdict.tail.torn, None);
}

#[test]
fn every_so_many_records_are_signed() {
    let project = Project::new();
    let mut writer = project.create(quick());
    for number in 0..200 {
        let seq = writer.append(&json!({"type": "n", "n": number})).unwrap();
        // One signature behind the opening, and one behind each 64 events.
        assert_eq!(seq, 2 + number + number / 64);
    }
    drop(writer);
    let verdict = verify(&project.journals, &project.run, key()).unwrap();
    assert_eq!(verdict.signed_upto, Some(1 + 3 * 65));
    assert_eq!(verdict.tail.unsigned.map(|tail| tail.records), Some(8));
}

#[test]
fn times_never_go_back_and_the_clock_is_told() {
    let seconds = std::sync::Arc::new(AtomicU64::new(1_000));
    let read_by = seconds.clone();
    let project = Project::new();
    let mut writer = project.create(Options {
        clock: Clock::new(move || {
            UNIX_EPOCH + Duration::from_secs(read_by.load(Ordering::Relaxed))
        }),
        ..quick()
    });
    for now in [2_000, 500, 2_001, 0, u64::from(u32::MAX) * 1_000, 1] {
        seconds.store(now, Ordering::Relaxed);
        writer.append(&json!({"type": "tick"})).unwrap();
    }
    writer.close().unwrap();
    let journal = read(&project.journals, &project.run, key()).unwrap();
    assert!(journal.verdict.is_complete());
    let times: Vec<_> = journal
        .records()
        .skip(2)
        .map(|record| {
            let clock = record.clock.map(|clock| clock.micros() / 1_000_000);
            (record.time.micros() / 1_000_000, clock)
        })
        .collect();
    let far = 253_402_207_199; // the last that can be written, in the year 9999
    assert_eq!(
        times,
        [
            (2_000, None),
            (2_000, Some(500)),
            (2_001, None),
            (2_001, Some(0)),
            (far, None),
            (far, Some(1)),
            (far, Some(1)),
        ]
    );
}

#[test]
fn files_and_folders_are_their_owners_alone() {
    let project = Project::small(true);
    let mode = |path: &std::path::Path| path.metadata().unwrap().permissions().mode() & 0o7777;
    assert_eq!(mode(project.journals.folder()), 0o700);
    assert_eq!(mode(project.journals.anchors()), 0o700);
    assert_eq!(mode(&project.path()), 0o600);
    assert_eq!(mode(&project.journals.anchor(&project.run)), 0o600);
}

#[test]
fn a_run_has_one_journal_and_one_writer() {
    let project = Project::new();
    let mut writer = project.create(quick());
    let second = Writer::create(&project.journals, &project.run, keys(), &json!({}), quick());
    assert!(matches!(second, Err(Error::RunExists { .. })), "{second:?}");
    let second = Writer::reopen(&project.journals, &project.run, keys(), quick());
    assert!(matches!(second, Err(Error::InUse { .. })));
    // Neither did any harm, and who verifies it sees that it is being written.
    writer
        .append(&json!({"type": "effect_started", "id": "1"}))
        .unwrap();
    let verdict = verify(&project.journals, &project.run, key()).unwrap();
    assert_eq!(verdict.problems, []);
    assert!(verdict.being_written && !verdict.needs_reconciliation());
    drop(writer);
    let verdict = verify(&project.journals, &project.run, key()).unwrap();
    assert!(!verdict.being_written && verdict.needs_reconciliation());
    assert_eq!(verdict.effects.unfinished[0].line, 3);
}

#[test]
fn of_many_that_begin_one_run_one_does() {
    let project = Project::new();
    let begun: Vec<bool> = std::thread::scope(|scope| {
        let begin =
            || Writer::create(&project.journals, &project.run, keys(), &json!({}), quick()).is_ok();
        let threads: Vec<_> = (0..8).map(|_| scope.spawn(begin)).collect();
        threads.into_iter().map(|t| t.join().unwrap()).collect()
    });
    assert_eq!(begun.iter().filter(|ok| **ok).count(), 1, "{begun:?}");
    let verdict = verify(&project.journals, &project.run, key()).unwrap();
    assert_eq!((verdict.problems, verdict.head.records), (vec![], 2));
}

#[test]
fn effects_are_paired() {
    let started = |id: &str| json!({"type": "effect_started", "id": id});
    let finished = |id: &str| json!({"type": "effect_finished", "id": id});
    let project = Project::new();
    let mut writer = project.create(quick());
    for event in [
        started("a"),
        started("b"),
        finished("b"),
        finished("b"),
        started("b"),
        finished("c"),
        json!({"type": "effect_started", "id": 7}),
    ] {
        writer.append(&event).unwrap();
    }
    writer.close().unwrap();
    let verdict = verify(&project.journals, &project.run, key()).unwrap();
    assert!(verdict.is_complete() && verdict.needs_reconciliation());
    let named = |effects: &[symbi_journal::Effect]| -> Vec<(String, u64)> {
        let of = |effect: &symbi_journal::Effect| (effect.id.clone(), effect.line);
        effects.iter().map(of).collect()
    };
    let effects = verdict.effects;
    assert_eq!(named(&effects.unfinished), [("a".to_owned(), 3)]);
    assert_eq!(named(&effects.finished_twice), [("b".to_owned(), 6)]);
    assert_eq!(named(&effects.started_twice), [("b".to_owned(), 7)]);
    assert_eq!(named(&effects.never_started), [("c".to_owned(), 8)]);
    assert_eq!(named(&effects.without_id), [(String::new(), 9)]);
}

/// A program that knows only docs/journal.md comes to the same verdict.
#[test]
fn a_stranger_verifies_it_too() {
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/verify_journal.py");
    let judge = |project: &Project, key: &str| {
        let done = Command::new("python3")
            .args([script, project.path().to_str().unwrap(), key])
            .output()
            .unwrap();
        let said = String::from_utf8_lossy(&done.stdout).into_owned();
        let told = format!("{said}{}", String::from_utf8_lossy(&done.stderr));
        (done.status.code(), told)
    };
    let good = key().to_string();
    let project = Project::small(true);
    let (code, said) = judge(&project, &good);
    assert_eq!((code, said.as_str()), (Some(0), "10 records, closed\n"));

    let other = Keys::from_bytes(&[8; 32]).public().to_string();
    let (code, said) = judge(&project, &other);
    assert_eq!(code, Some(1), "{said}");
    let text = project.text();
    for (from, to) in [
        ("größe", "große"),
        ("\"2\"", "\"3\""),
        ("\"closed\"", "\"signed\""),
    ] {
        std::fs::write(project.path(), text.replace(from, to)).unwrap();
        let (code, said) = judge(&project, &good);
        assert_eq!(code, Some(1), "{from}: {said}");
    }
}

#[test]
fn runs_are_listed_and_found_by_their_files() {
    let project = Project::small(true);
    let listed = project.journals.runs().unwrap();
    assert_eq!(listed, std::slice::from_ref(&project.run));
    std::fs::remove_file(project.path()).unwrap();
    let listed = project.journals.runs().unwrap();
    assert_eq!(listed, std::slice::from_ref(&project.run));
    assert_eq!(Project::new().journals.runs().unwrap(), []);

    let (journals, run) = Journals::of_file(&project.path()).unwrap();
    assert_eq!(
        (journals, run),
        (project.journals.clone(), project.run.clone())
    );
    for bad in ["", "A", "-a", "a/b", "..", "a b", "é", &"a".repeat(65)] {
        assert!(bad.parse::<symbi_journal::RunId>().is_err(), "{bad}");
    }
    assert_eq!(Head::NOTHING.records, 0);
}

#[test]
fn clocks_that_show_impossible_times_are_bounded() {
    let shown = |seconds: u64| symbi_journal::Time::of(UNIX_EPOCH + Duration::from_secs(seconds));
    let before = UNIX_EPOCH - Duration::from_secs(1);
    assert_eq!(symbi_journal::Time::of(before).micros(), 0);
    assert_eq!(shown(0).to_string(), "1970-01-01T00:00:00.000000Z");
    let last = "9999-12-30T21:59:59.000000Z";
    for seconds in [
        253_402_300_800,
        1 << 41,
        u64::from(u32::MAX) * 1_000,
        1 << 60,
    ] {
        assert_eq!(shown(seconds).to_string(), last, "{seconds}");
    }
}

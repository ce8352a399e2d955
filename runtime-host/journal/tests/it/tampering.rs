//! A journal that was changed is never taken for the one that was written.

use std::fs;
use std::io;

use symbi_journal::{Error, Hash, Keys, Problem, Sink, Standing, Verdict, Writer, read, verify};

use crate::{Project, RUN, key, keys, quick};

fn judge(project: &Project) -> Result<Verdict, Error> {
    verify(&project.journals, &project.run, key())
}

#[test]
fn no_byte_of_a_closed_journal_can_be_another() {
    let project = Project::small(true);
    assert!(judge(&project).unwrap().is_complete());
    for path in [project.path(), project.journals.anchor(&project.run)] {
        let good = fs::read(&path).unwrap();
        for place in 0..good.len() {
            // One bit in turn, among them the one between capitals and small letters.
            let bit = [0x01, 0x20][place % 2];
            let mut bytes = good.clone();
            bytes[place] ^= bit;
            fs::write(&path, &bytes).unwrap();
            // A version that is not known is said to be that.
            match judge(&project) {
                Ok(verdict) => {
                    let standing = verdict.standing();
                    assert_eq!(standing, Standing::Tampered, "{path:?}: {place}, {bit}");
                }
                Err(error) => {
                    assert!(matches!(error, Error::UnknownVersion { .. }), "{error}");
                }
            }
        }
        fs::write(&path, &good).unwrap();
    }
}

#[test]
fn lines_cannot_be_removed_repeated_or_moved() {
    let project = Project::small(true);
    let text = project.text();
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    let try_lines = |changed: &[&str], what: &str| {
        fs::write(project.path(), changed.concat()).unwrap();
        let verdict = judge(&project).unwrap();
        assert_eq!(verdict.standing(), Standing::Tampered, "{what}");
    };
    for at in 0..lines.len() {
        let mut changed = lines.clone();
        changed.remove(at);
        try_lines(&changed, &format!("without line {at}"));
        changed.insert(at, lines[at]);
        changed.insert(at, lines[at]);
        try_lines(&changed, &format!("line {at} twice"));
        for other in 0..at {
            let mut changed = lines.clone();
            changed.swap(at, other);
            try_lines(&changed, &format!("lines {other} and {at} swapped"));
        }
    }
}

#[test]
fn a_cut_end_shows() {
    for closed in [true, false] {
        let project = Project::small(closed);
        let text = project.text();
        // The anchor of the open one stands behind its sixth line.
        let anchored: usize = match closed {
            true => text.len(),
            false => text.split_inclusive('\n').take(6).map(str::len).sum(),
        };
        for length in 0..text.len() {
            fs::write(project.path(), &text.as_bytes()[..length]).unwrap();
            let verdict = judge(&project).unwrap();
            if length < anchored {
                let cut = |problem: &Problem| matches!(problem, Problem::Cut { found, .. } if *found == length as u64);
                assert!(
                    verdict.problems.iter().any(cut),
                    "{length}: {}",
                    verdict.summary()
                );
                continue;
            }
            assert_eq!(verdict.problems, [], "{length}");
            let bytes = &text.as_bytes()[..length];
            let whole = bytes
                .iter()
                .rposition(|b| *b == b'\n')
                .map_or(0, |end| end + 1);
            let torn = verdict.tail.torn.map(|torn| (torn.offset, torn.bytes));
            let expected = (whole < length).then_some((whole as u64, (length - whole) as u64));
            assert_eq!(torn, expected, "{length}");
        }
    }
}

#[test]
fn each_problem_is_named_with_its_line() {
    let project = Project::small(true);
    let text = project.text();
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    let one_less = [&lines[..3], &lines[4..]].concat().concat();
    let doubled = text.replacen("\"tool\":\"send\"", "\"tool\":\"a\",\"tool\":\"b\"", 1);
    let shape = |from: &str, to: &str| text.replacen(from, to, 1);
    let table: [(String, &str); 12] = [
        (
            one_less,
            "line 4: expected record 3, found record 4: lines were removed, added or moved",
        ),
        (shape("größe", "grosse"), "line 6: expected `previous` "),
        (doubled, "line 3: expected JSON as it is written here"),
        (
            shape("{\"seq\":2,", "{\"seq\":2, "),
            "line 3: expected JSON as it is written here",
        ),
        (
            shape("{\"seq\":2,", "seq:2,"),
            "line 3: expected a record, found no JSON: expected value",
        ),
        (
            shape("{\"seq\":2,\"time\"", "{\"seq\":2,\"more\":1,\"time\""),
            "line 3: expected `time`, as in",
        ),
        (
            shape(
                "\"event\":{\"type\":\"note\"",
                "\"event\":{\"kind\":\"note\"",
            ),
            "line 5: expected an event with a text `type`, found `{\"kind\":\"note\"",
        ),
        (
            shape("\"event\"", "\"effect\""),
            "line 3: expected one of `opened`, `event`",
        ),
        (
            shape(RUN, "other"),
            &format!("line 1: expected run `{RUN}`, as the name of the file says, found `other`"),
        ),
        (
            shape("\"ed25519\":\"", "\"ed25519\":\"AAAA"),
            "line 2: expected `ed25519`, 64 bytes in Base64",
        ),
        (
            format!("{text}{text}"),
            "line 11: expected nothing behind the line that closes",
        ),
        (
            lines[1..].concat(),
            "line 1: expected the record that opens a journal",
        ),
    ]
    .map(|(text, told)| (text, &*told.to_owned().leak()));
    for (changed, told) in table {
        fs::write(project.path(), changed).unwrap();
        let verdict = judge(&project).unwrap();
        let said: Vec<_> = verdict.problems.iter().map(ToString::to_string).collect();
        assert!(
            said.iter().any(|problem| problem.starts_with(told)),
            "{told}: {said:#?}"
        );
    }
}

/// The lines, each with the hash of the one before it, as a forger would write
/// them.
fn chained(lines: &[String]) -> String {
    let mut text = String::new();
    let mut previous = Hash::NONE;
    for line in lines {
        let at = line.find("\"previous\":\"").unwrap() + 12;
        let line = format!("{}{previous}{}\n", &line[..at], &line[at + 64..]);
        previous = Hash::of(line.as_bytes());
        text += &line;
    }
    text
}

/// The anchor of a run that has recorded nothing yet, kept by somebody.
fn first_anchor() -> Vec<u8> {
    let project = Project::new();
    let broken = |_| -> Box<dyn Sink> { Box::new(Broken) };
    let about = serde_json::json!({});
    let begun = Writer::create_on(
        &project.journals,
        &project.run,
        keys(),
        &about,
        quick(),
        broken,
    );
    assert!(begun.is_err());
    fs::read(project.journals.anchor(&project.run)).unwrap()
}

struct Broken;

impl Sink for Broken {
    fn write(&mut self, _: &[u8]) -> io::Result<usize> {
        Err(io::Error::other("broken"))
    }

    fn sync(&mut self) -> io::Result<()> {
        Ok(())
    }

    fn state(&self) -> io::Result<(u64, u64)> {
        Ok((0, 1))
    }
}

#[test]
fn who_has_no_key_signs_nothing() {
    let project = Project::small(true);
    let text = project.text();
    let lines: Vec<String> = text.lines().map(str::to_owned).collect();
    assert_eq!(chained(&lines), text);
    fs::write(project.journals.anchor(&project.run), first_anchor()).unwrap();
    assert!(judge(&project).unwrap().is_complete());

    let time = "\"time\":\"2027-01-01T00:00:00.000000Z\"";
    let clock = format!("{time},\"clock\":\"2027-01-01T00:00:00.000000Z\"");
    // A change of a line, and all that is wrong then: the chain is not.
    let table = [
        (
            4,
            "größe",
            "große",
            vec![
                "line 6: expected a signature",
                "line 10: expected a signature",
            ],
        ),
        (
            2,
            "\"id\":\"1\"",
            "\"id\":\"7\"",
            vec![
                "line 6: expected a signature",
                "line 10: expected a signature",
            ],
        ),
        (
            9,
            "\"closed\"",
            "\"signed\"",
            vec!["line 10: expected a signature"],
        ),
        (
            8,
            time,
            &clock,
            vec![
                "line 9: expected a `clock` before `time`",
                "line 10: expected a signature",
            ],
        ),
        (
            8,
            "\"2027",
            "\"2026",
            vec![
                "line 9: expected a time from 2027-01-01T00:00:00.000000Z on",
                "line 10: expected a signature",
            ],
        ),
    ];
    for (line, from, to, told) in table {
        let mut changed = lines.clone();
        changed[line] = changed[line].replace(from, to);
        fs::write(project.path(), chained(&changed)).unwrap();
        let said: Vec<_> = judge(&project)
            .unwrap()
            .problems
            .iter()
            .map(ToString::to_string)
            .collect();
        assert_eq!(said.len(), told.len(), "{to}: {said:#?}");
        for (said, told) in said.iter().zip(told) {
            assert!(said.starts_with(told), "{said}: {told}");
        }
    }
}

#[test]
fn a_journal_by_another_key_is_foreign() {
    let project = Project::small(true);
    let other = Keys::from_bytes(&[8; 32]).public();
    let journal = read(&project.journals, &project.run, other).unwrap();
    assert_eq!(journal.verdict.standing(), Standing::Foreign);
    assert_eq!(
        journal.verdict.summary(),
        format!(
            "expected the key {other}, found {}: the journal is foreign, another project signed it",
            key()
        )
    );
    assert_eq!(journal.records().count(), 10);

    // Whoever changes it and names a key of their own has not signed with it.
    let forged = project
        .text()
        .replace(&key().to_string(), &other.to_string());
    fs::write(project.path(), forged).unwrap();
    let verdict = verify(&project.journals, &project.run, other).unwrap();
    assert_eq!(verdict.standing(), Standing::Tampered);

    // And what another signs anew is at odds with the anchor.
    let forged = Project::new();
    let keys = Keys::from_bytes(&[8; 32]);
    let about = serde_json::json!({});
    let writer = Writer::create(&forged.journals, &forged.run, keys, &about, quick()).unwrap();
    writer.close().unwrap();
    fs::write(project.path(), forged.text()).unwrap();
    assert_eq!(judge(&project).unwrap().standing(), Standing::Tampered);
}

#[test]
fn a_journal_under_the_name_of_another_run_shows() {
    let project = Project::small(true);
    let other = "other".parse().unwrap();
    fs::copy(project.path(), project.journals.journal(&other)).unwrap();
    fs::copy(
        project.journals.anchor(&project.run),
        project.journals.anchor(&other),
    )
    .unwrap();
    let verdict = verify(&project.journals, &other, key()).unwrap();
    let said: Vec<_> = verdict.problems.iter().map(ToString::to_string).collect();
    assert_eq!(
        said,
        [
            format!("line 1: expected run `other`, as the name of the file says, found `{RUN}`"),
            "expected the anchor of this journal, found another: it is that of another run"
                .to_owned(),
        ]
    );
}

#[test]
fn what_is_missing_is_told() {
    let project = Project::small(true);
    let (journal, anchor) = (project.path(), project.journals.anchor(&project.run));
    let (text, anchored) = (fs::read(&journal).unwrap(), fs::read(&anchor).unwrap());

    fs::remove_file(&journal).unwrap();
    let verdict = judge(&project).unwrap();
    assert!(
        matches!(verdict.problems[..], [Problem::Gone { .. }]),
        "{:?}",
        verdict.problems
    );
    fs::remove_file(&anchor).unwrap();
    assert!(matches!(judge(&project), Err(Error::NoJournal { .. })));
    fs::write(&journal, &text).unwrap();
    assert_eq!(judge(&project).unwrap().problems, [Problem::NoAnchor]);
    fs::write(&journal, "").unwrap();
    assert_eq!(judge(&project).unwrap().problems, [Problem::NoAnchor]);
    // A link to the right bytes is none of ours.
    let elsewhere = project.folder.path().join("elsewhere");
    fs::write(&elsewhere, &text).unwrap();
    fs::write(&anchor, &anchored).unwrap();
    fs::remove_file(&journal).unwrap();
    std::os::unix::fs::symlink(&elsewhere, &journal).unwrap();
    assert!(matches!(judge(&project), Err(Error::Link { .. })));
    fs::remove_file(&journal).unwrap();
    fs::create_dir(&journal).unwrap();
    assert!(matches!(judge(&project), Err(Error::Kind { .. })));
}

#[test]
fn endless_lines_and_files_are_bounded() {
    let project = Project::small(false);
    let text = project.text();
    fs::write(
        project.path(),
        format!("{text}{}\n{text}", "x".repeat(3 << 20)),
    )
    .unwrap();
    let verdict = judge(&project).unwrap();
    assert!(matches!(
        verdict.problems[..],
        [Problem::LineTooLong { line: 10, .. }]
    ));
    let file = fs::File::create(project.path()).unwrap();
    file.set_len((64 << 20) + 1).unwrap();
    let verdict = judge(&project).unwrap();
    assert!(matches!(verdict.problems[..], [Problem::TooLong { .. }]));
    // Many problems are counted, not listed.
    fs::write(project.path(), "x\n".repeat(5_000)).unwrap();
    let verdict = judge(&project).unwrap();
    assert_eq!(verdict.problems.len(), 100);
    assert!(verdict.more_problems >= 4_900);
}

//! A run that was broken off goes on.

use std::fs;

use serde_json::json;
use symbi_journal::{Cut, Entry, Error, Hash, Keys, Standing, Writer, read, verify};

use crate::{Project, events, key, keys, quick};

fn reopen(project: &Project) -> Result<(Writer, symbi_journal::Journal), Error> {
    Writer::reopen(&project.journals, &project.run, keys(), quick())
}

#[test]
fn it_goes_on_after_any_cut_or_is_refused() {
    let original = Project::small(false);
    let text = original.text();
    let anchored: usize = text.split_inclusive('\n').take(6).map(str::len).sum();
    for length in 0..=text.len() {
        fs::write(original.path(), &text.as_bytes()[..length]).unwrap();
        let anchor = original.journals.anchor(&original.run);
        let anchor_text = fs::read(&anchor).unwrap();
        let bytes = &text.as_bytes()[..length];
        let whole = bytes
            .iter()
            .rposition(|b| *b == b'\n')
            .map_or(0, |end| end + 1);
        match reopen(&original) {
            Err(error) => {
                assert!(length < anchored, "{length}: {error}");
                assert!(matches!(error, Error::NotIntact { .. }), "{error}");
                // Refused, and left as it was.
                assert_eq!(
                    fs::read(original.path()).unwrap(),
                    &text.as_bytes()[..length]
                );
            }
            Ok((mut writer, journal)) => {
                assert!(length >= anchored);
                let found = text[..whole].lines().count();
                assert_eq!(journal.records().count(), found);
                writer.append(&json!({"type": "after"})).unwrap();
                writer.close().unwrap();
                let now = read(&original.journals, &original.run, key()).unwrap();
                assert!(now.verdict.is_complete(), "{}", now.verdict.summary());
                assert!(original.text().starts_with(&text[..whole]));
                let rest = &text.as_bytes()[whole..length];
                let cut = (!rest.is_empty()).then(|| Cut {
                    bytes: rest.len() as u64,
                    sha256: Hash::of(rest),
                });
                let resumed = now.records().nth(found).unwrap().entry;
                let unsigned = found as u64 - 6;
                assert_eq!(resumed, Entry::Resumed { unsigned, cut }, "{length}");
                assert_eq!(now.verdict.resumptions.len(), 1);
            }
        }
        fs::write(anchor, anchor_text).unwrap();
    }
}

#[test]
fn what_cannot_go_on_is_told() {
    let closed = Project::small(true);
    assert!(matches!(reopen(&closed), Err(Error::Closed { .. })));
    assert!(matches!(
        reopen(&Project::new()),
        Err(Error::NoJournal { .. })
    ));

    let project = Project::small(false);
    let other = Keys::from_bytes(&[8; 32]);
    let foreign = Writer::reopen(&project.journals, &project.run, other, quick());
    match foreign {
        Err(Error::NotIntact { verdict, .. }) => {
            assert_eq!(verdict.standing(), Standing::Foreign);
        }
        other => panic!("{other:?}"),
    }

    // Killed before its first record was whole: it has done nothing.
    let project = Project::new();
    let anchor = project.journals.anchor(&project.run);
    drop(project.create(quick()));
    let first = project.text().into_bytes();
    let nothing = {
        // The anchor of a run that was ended before anything was recorded.
        let other = Project::new();
        let full = |_| -> Box<dyn symbi_journal::Sink> { Box::new(Full) };
        let about = json!({});
        let begun = Writer::create_on(&other.journals, &other.run, keys(), &about, quick(), full);
        assert!(begun.is_err());
        fs::read(other.journals.anchor(&other.run)).unwrap()
    };
    fs::write(&anchor, nothing).unwrap();
    for length in [0, 1, 100] {
        fs::write(project.path(), &first[..length]).unwrap();
        let error = reopen(&project).map(|_| ()).unwrap_err();
        assert!(matches!(error, Error::NothingToResume { .. }), "{error}");
        let verdict = verify(&project.journals, &project.run, key()).unwrap();
        assert_eq!((verdict.problems, verdict.head.records), (vec![], 0));
    }
}

/// A disk without room.
struct Full;

impl symbi_journal::Sink for Full {
    fn write(&mut self, _: &[u8]) -> std::io::Result<usize> {
        Err(std::io::ErrorKind::StorageFull.into())
    }

    fn sync(&mut self) -> std::io::Result<()> {
        Ok(())
    }

    fn state(&self) -> std::io::Result<(u64, u64)> {
        Ok((0, 1))
    }
}

#[test]
fn killed_between_its_end_and_the_anchor_it_is_closed() {
    let project = Project::small(false);
    let anchor = project.journals.anchor(&project.run);
    let before = fs::read(&anchor).unwrap();
    reopen(&project).unwrap().0.close().unwrap();
    fs::write(&anchor, before).unwrap();
    let verdict = verify(&project.journals, &project.run, key()).unwrap();
    assert!(verdict.is_complete(), "{}", verdict.summary());
    assert!(matches!(reopen(&project), Err(Error::Closed { .. })));
}

#[test]
fn it_may_be_broken_off_again_and_again() {
    let project = Project::small(false);
    for round in 0..20 {
        let (mut writer, journal) = reopen(&project).unwrap();
        assert_eq!(journal.verdict.resumptions.len(), round);
        for event in events() {
            writer.append(&event).unwrap();
        }
    }
    let verdict = verify(&project.journals, &project.run, key()).unwrap();
    assert_eq!(verdict.standing(), Standing::Intact);
    assert_eq!(verdict.tail.unsigned.map(|tail| tail.records), Some(6));
    // What nobody had signed until then is named.
    let unsigned: Vec<u64> = verdict.resumptions.iter().map(|r| r.unsigned).collect();
    assert_eq!(unsigned[..2], [3, 6]);
}

//! Disks that are full or fail, and others who meddle: nothing more is written,
//! and what failed is said again.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write as _};
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use serde_json::{Value, json};
use symbi_journal::{Durability, Error, Limits, Options, Sink, Standing, Writer, verify};

use crate::{Project, key, keys, quick};

/// A file on a disk that has room for so many bytes more, or that breaks when it
/// is to be waited for.
struct Failing {
    file: File,
    room: Arc<AtomicI64>,
    sync: bool,
}

impl Sink for Failing {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let room = usize::try_from(self.room.load(Ordering::Relaxed)).unwrap_or(0);
        if room == 0 {
            return Err(io::ErrorKind::StorageFull.into());
        }
        let count = io::Write::write(&mut self.file, &bytes[..bytes.len().min(room)])?;
        self.room.fetch_sub(count as i64, Ordering::Relaxed);
        Ok(count)
    }

    fn sync(&mut self) -> io::Result<()> {
        match self.sync {
            true => Err(io::Error::other("broken")),
            false => self.file.sync(),
        }
    }

    fn state(&self) -> io::Result<(u64, u64)> {
        self.file.state()
    }
}

fn failing(project: &Project, room: &Arc<AtomicI64>, sync: bool) -> Result<Writer, Error> {
    let room = room.clone();
    let options = Options {
        durability: if sync {
            Durability::Sync
        } else {
            Durability::NoSync
        },
        ..quick()
    };
    let around = |file| -> Box<dyn Sink> { Box::new(Failing { file, room, sync }) };
    Writer::create_on(
        &project.journals,
        &project.run,
        keys(),
        &json!({}),
        options,
        around,
    )
}

#[test]
fn a_full_disk_stops_it_at_any_byte() {
    let event = json!({"type": "effect_started", "id": "1"});
    let whole = {
        let project = Project::new();
        let mut writer = failing(&project, &Arc::new(AtomicI64::new(1 << 20)), false).unwrap();
        writer.append(&event).unwrap();
        writer.head().length as usize
    };
    for room in 0..whole {
        let project = Project::new();
        let left = Arc::new(AtomicI64::new(room as i64));
        if let Ok(mut writer) = failing(&project, &left, false) {
            let first = writer.append(&event).unwrap_err();
            // There is room again, and still nothing more is written.
            left.store(1 << 20, Ordering::Relaxed);
            let length = project.text().len();
            for error in [
                writer.append(&event).unwrap_err(),
                writer.append_synced(&event).unwrap_err(),
                writer.sign().unwrap_err(),
            ] {
                assert_eq!(error.to_string(), first.to_string());
            }
            let told = format!(
                "`{}` cannot be written: the disk is full",
                writer.path().display()
            );
            assert_eq!(first.to_string(), told);
            assert!(writer.failure().is_some() && writer.close().is_err());
            assert_eq!(project.text().len(), length);
        }
        // The line that was half written began no effect.
        let verdict = verify(&project.journals, &project.run, key()).unwrap();
        assert_eq!(verdict.standing(), Standing::Intact, "{room}");
        assert_eq!(verdict.effects.started, 0, "{room}");
        let torn = verdict.tail.torn.map_or(0, |torn| torn.bytes);
        assert_eq!(verdict.head.length + torn, room as u64);
    }
}

#[test]
fn a_system_that_says_so_is_understood() {
    let full = OpenOptions::new().write(true).open("/dev/full").unwrap();
    let project = Project::new();
    struct Full(File, File);
    impl Sink for Full {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            io::Write::write(&mut self.1, bytes)
        }
        fn sync(&mut self) -> io::Result<()> {
            Ok(())
        }
        fn state(&self) -> io::Result<(u64, u64)> {
            self.0.state()
        }
    }
    let around = |file| -> Box<dyn Sink> { Box::new(Full(file, full)) };
    let begun = Writer::create_on(
        &project.journals,
        &project.run,
        keys(),
        &json!({}),
        quick(),
        around,
    );
    let kind = match begun {
        Err(Error::Io { kind, .. }) => kind,
        other => panic!("{other:?}"),
    };
    assert_eq!(kind, io::ErrorKind::StorageFull);
}

#[test]
fn a_disk_that_cannot_be_waited_for_stops_it() {
    let project = Project::new();
    let begun = failing(&project, &Arc::new(AtomicI64::new(1 << 20)), true);
    let error = begun.unwrap_err().to_string();
    assert!(error.contains("cannot be written to disk"), "{error}");
}

/// What is done to a journal while it is written, and the error that follows.
type Row = (&'static str, fn(&Project), fn(&Error) -> bool);

#[test]
fn others_who_meddle_are_noticed() {
    let table: &[Row] = &[
        (
            "longer",
            |p| {
                let mut file = OpenOptions::new().append(true).open(p.path()).unwrap();
                file.write_all(b"x").unwrap();
            },
            |e| matches!(e, Error::Changed { .. }),
        ),
        (
            "shorter",
            |p| {
                let file = OpenOptions::new().write(true).open(p.path()).unwrap();
                file.set_len(10).unwrap();
            },
            |e| matches!(e, Error::Changed { found: 10, .. }),
        ),
        (
            "removed",
            |p| fs::remove_file(p.path()).unwrap(),
            |e| matches!(e, Error::Unlinked { links: 0, .. }),
        ),
        (
            "linked",
            |p| fs::hard_link(p.path(), p.folder.path().join("x")).unwrap(),
            |e| matches!(e, Error::Unlinked { links: 2, .. }),
        ),
        (
            "no anchors",
            |p| fs::remove_dir_all(p.journals.anchors()).unwrap(),
            |e| {
                matches!(
                    e,
                    Error::Io {
                        kind: io::ErrorKind::NotFound,
                        ..
                    }
                )
            },
        ),
        (
            "an anchor that is a link",
            |p| {
                let new = p.journals.anchor(&p.run).with_extension("json.new");
                std::os::unix::fs::symlink(p.folder.path().join("x"), new).unwrap();
            },
            |e| matches!(e, Error::Link { .. }),
        ),
    ];
    for (what, meddle, expected) in table {
        let project = Project::new();
        let mut writer = project.create(quick());
        writer.append(&json!({"type": "a"})).unwrap();
        meddle(&project);
        let error = match writer.append(&json!({"type": "b"})) {
            Ok(_) => writer.sign().unwrap_err(),
            Err(error) => error,
        };
        assert!(expected(&error), "{what}: {error}");
        assert!(writer.append(&json!({"type": "c"})).is_err(), "{what}");
    }
}

#[test]
fn events_that_are_none_are_refused() {
    let mut deep = json!(1);
    for _ in 0..200 {
        deep = json!([deep]);
    }
    let table: [(Value, &str); 6] = [
        (json!([1]), "an object with a text `type`"),
        (json!({}), "an object with a text `type`"),
        (json!({"type": 1}), "an object with a text `type`"),
        (json!("type"), "an object with a text `type`"),
        (
            json!({"type": "a", "deep": deep}),
            "nested deeper than 96 levels",
        ),
        (
            json!({"type": "a", "long": "x".repeat(1 << 20)}),
            "1048576 is the limit",
        ),
    ];
    for (event, told) in table {
        let project = Project::new();
        let mut writer = project.create(quick());
        let error = writer.append(&event).unwrap_err().to_string();
        assert!(error.contains(told), "{error}");
        drop(writer);
        let verdict = verify(&project.journals, &project.run, key()).unwrap();
        assert_eq!((verdict.problems, verdict.head.records), (vec![], 2));
    }
    let project = Project::new();
    let about = Writer::create(&project.journals, &project.run, keys(), &json!([]), quick());
    assert!(matches!(about, Err(Error::Event { .. })));
}

#[test]
fn what_has_begun_finds_room_for_its_end() {
    let project = Project::new();
    let limits = Limits {
        record: 1_000,
        journal: 8_000,
    };
    let mut writer = project.create(Options { limits, ..quick() });
    let long = "x".repeat(750);
    let start = |id: u32| json!({"type": "effect_started", "id": id.to_string()});
    // So many may begin at once, and one more may not.
    let begun = 5;
    for id in 0..begun {
        writer.append(&start(id)).unwrap();
    }
    let one_more = |limits: Limits| {
        let project = Project::new();
        let mut writer = project.create(Options { limits, ..quick() });
        (0..=begun).try_for_each(|id| writer.append(&start(id)).map(|_| ()))
    };
    let error = one_more(limits).unwrap_err();
    assert!(matches!(error, Error::Full { limit: 8_000, .. }), "{error}");
    // All of them find room for their end.
    for id in 0..begun {
        let id = id.to_string();
        let end = json!({"type": "effect_finished", "id": id, "result": long});
        writer.append(&end).unwrap();
    }
    writer.sign().unwrap();
    drop(writer);
    let verdict = verify(&project.journals, &project.run, key()).unwrap();
    assert!(verdict.effects.are_settled());
    assert!(verdict.head.length <= 8_000 - 1_024);
}

//! Tests of the whole crate, one module a subject.

#![allow(
    clippy::unwrap_used,
    reason = "clippy spares only functions marked as tests"
)]

mod failures;
mod keys;
mod killed;
mod prune;
mod redact;
mod resume;
mod tampering;
mod values;
mod written;

use std::path::PathBuf;
use std::time::{Duration, UNIX_EPOCH};

use serde_json::{Value, json};
use symbi_journal::{Clock, Durability, Journals, Keys, Options, PublicKey, RunId, Writer};
use tempfile::TempDir;

pub(crate) const RUN: &str = "0190d2c8-75f0-7a31-8000-5ac7f9a6d7e2";

/// A project with the same key each time.
pub(crate) struct Project {
    pub(crate) folder: TempDir,
    pub(crate) journals: Journals,
    pub(crate) run: RunId,
}

impl Project {
    pub(crate) fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        Self {
            journals: Journals::in_project(folder.path()),
            run: RUN.parse().unwrap(),
            folder,
        }
    }

    pub(crate) fn create(&self, options: Options) -> Writer {
        let about = json!({"agent": "deploy"});
        Writer::create(&self.journals, &self.run, keys(), &about, options).unwrap()
    }

    /// A journal of ten records: opened, signed, six events with a signature
    /// behind the third, and closed unless it is left open.
    pub(crate) fn small(close: bool) -> Self {
        let project = Self::new();
        let mut writer = project.create(quick());
        for event in events() {
            writer.append(&event).unwrap();
            if event["type"] == "note" {
                writer.sign().unwrap();
            }
        }
        if close {
            writer.close().unwrap();
        }
        project
    }

    pub(crate) fn path(&self) -> PathBuf {
        self.journals.journal(&self.run)
    }

    pub(crate) fn text(&self) -> String {
        std::fs::read_to_string(self.path()).unwrap()
    }
}

pub(crate) fn events() -> [Value; 6] {
    [
        json!({"type": "effect_started", "id": "1", "tool": "send"}),
        json!({"type": "effect_finished", "id": "1", "cost": 0.1}),
        json!({"type": "note", "text": "größe\n"}),
        json!({"type": "effect_started", "id": "2"}),
        json!({"type": "effect_finished", "id": "2", "result": [1, {"b": 1, "a": null}]}),
        json!({"type": "completed"}),
    ]
}

pub(crate) fn keys() -> Keys {
    Keys::from_bytes(&[7; 32])
}

pub(crate) fn key() -> PublicKey {
    keys().public()
}

/// Without waiting for the disk, on 1 January 2027.
pub(crate) fn quick() -> Options {
    Options {
        durability: Durability::NoSync,
        clock: Clock::new(|| UNIX_EPOCH + Duration::from_secs(1_798_761_600)),
        ..Options::default()
    }
}

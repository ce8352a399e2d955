//! The state of a run in files beside its journal, so that it can go on.
//!
//! A file holds one state in a compact form; the journal has its SHA-256, so one
//! that was changed is not taken. A state holds no text of a secret.

use std::fs;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use serde_json::{Value as Json, json};
use symbi_ir::Sha256;
use symbi_journal::RunId;
use symbi_vm::{Machine, State};

use super::Host;
use super::drive::{Run, Trouble};

/// The most bytes that a state may have. A larger one is not kept, and the run
/// goes on from an earlier one.
const MAX_BYTES: u64 = 256 << 20;

impl Run<'_> {
    /// Keeps the state before anything happens.
    pub(super) fn first_snapshot(&mut self) -> Result<(), Trouble> {
        match self.record.writes()
            && !self.replays
            && self.usage.effects == 0
            && self.recorded.is_new()
        {
            true => self.snapshot(0),
            false => Ok(()),
        }
    }

    /// Keeps the state if there was much since the last time, or if what was
    /// answered is not all on record.
    pub(super) fn maybe_snapshot(&mut self, next: u64) -> Result<(), Trouble> {
        let due = self.record.inexact || self.since_snapshot >= self.host.setup.snapshot_every;
        match self.record.writes() && due {
            true => self.snapshot(next),
            false => Ok(()),
        }
    }

    fn snapshot(&mut self, next: u64) -> Result<(), Trouble> {
        let Some(state) = self.machine.save_state() else {
            return Ok(());
        };
        let inexact = std::mem::take(&mut self.record.inexact);
        self.since_snapshot = 0;
        let bytes = postcard::to_allocvec(&state).map_err(|error| Trouble::Journal {
            problem: format!("the state cannot be written: {error}"),
            happened: false,
        })?;
        let name = format!("{}.{next}.state", self.id);
        if bytes.len() as u64 > MAX_BYTES {
            return self.note(&json!({
                "type": "snapshot_left_out", "next": next, "bytes": bytes.len(),
            }));
        }
        let path = self.host.folder().join(&name);
        write(&path, &bytes).map_err(|error| Trouble::Journal {
            problem: format!("the state cannot be kept in {}: {error}", path.display()),
            happened: false,
        })?;
        self.before(&json!({
            "type": "snapshot",
            "next": next,
            "file": name,
            "sha256": Sha256::of(&bytes).to_string(),
            "bytes": bytes.len(),
            "needed": inexact,
        }))?;
        // One behind an answer that is not on record is needed for a replay.
        let earlier = self.last_snapshot.take();
        if !inexact {
            self.last_snapshot = Some(path);
        }
        if let Some(earlier) = earlier {
            forget(&earlier);
        }
        Ok(())
    }

    /// The run is over: what only served to go on is not needed any more.
    pub(super) fn forget_snapshot(&mut self) {
        if let Some(path) = self.last_snapshot.take() {
            forget(&path);
        }
    }
}

/// A file that cannot be removed takes room, and harms nobody.
fn forget(path: &Path) {
    let _ = fs::remove_file(path);
}

/// Writes a file that only its owner reads, whole or not at all.
fn write(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let folder = path.parent().unwrap_or(Path::new("."));
    // Made with mode 0600.
    let mut file = tempfile::NamedTempFile::new_in(folder)?;
    file.write_all(bytes)?;
    file.as_file().sync_data()?;
    file.persist(path).map_err(|error| error.error)?;
    Ok(())
}

/// The machine of a snapshot, as an event of the journal tells of it; `None` if
/// the file is gone or is another one.
pub(super) fn load(host: &Host, run: &RunId, event: &Json) -> Option<(u64, Machine, PathBuf)> {
    let next = event.get("next")?.as_u64()?;
    // Never a path that the journal names: it is the same for every snapshot.
    let path = host.folder().join(format!("{run}.{next}.state"));
    let mut bytes = Vec::new();
    let file = fs::File::open(&path).ok()?;
    file.take(MAX_BYTES + 1).read_to_end(&mut bytes).ok()?;
    if bytes.len() as u64 > MAX_BYTES
        || Some(&*Sha256::of(&bytes).to_string()) != event.get("sha256")?.as_str()
    {
        return None;
    }
    let state: State = postcard::from_bytes(&bytes).ok()?;
    let machine = Machine::load_state(&host.image, &state).ok()?;
    Some((next, machine, path))
}

//! Removing journals that were kept long enough.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, BufRead, BufReader, Read, Seek, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::line::{self, Kind};
use crate::read::Entry;
use crate::{Error, Journals, Limits, PublicKey, RunId, Time, folder, read};

/// A day in microseconds.
const DAY: i64 = 24 * 60 * 60 * 1_000_000;

/// What pruning did.
#[derive(Debug, Default)]
pub struct Pruned {
    /// The runs whose journals were removed.
    pub removed: Vec<RunId>,
    /// The runs whose journals are kept though they are old or unreadable, and
    /// why: somebody should look at them.
    pub kept: Vec<(RunId, String)>,
}

/// Which journals were kept long enough, and who has to have signed them.
#[derive(Debug, Clone, Copy)]
pub struct Retention<D> {
    /// The key of the project.
    pub key: PublicKey,
    /// What time it is.
    pub now: Time,
    /// For how many days after its end a journal is kept, from what its first
    /// record is about; `None` is for ever.
    pub days: D,
}

impl<D: Fn(&Value) -> Option<u64>> Retention<D> {
    /// Removes the journals that were closed more days ago than they are kept.
    /// One that is not closed, not intact, or has an effect that needs
    /// reconciliation, is never removed.
    ///
    /// # Errors
    /// The folder cannot be read or written, or somebody else is removing.
    pub fn prune(&self, journals: &Journals) -> Result<Pruned, Error> {
        let Some(mut marker) = Marker::lock(journals)? else {
            return Ok(Pruned::default());
        };
        match marker.locked {
            true => self.with(journals, &mut marker),
            false => Err(Error::Pruning { path: marker.path }),
        }
    }

    /// The same, unless it was done in the last 24 hours or is being done: then
    /// it does nothing.
    ///
    /// # Errors
    /// The folder cannot be read or written.
    pub fn prune_daily(&self, journals: &Journals) -> Result<Pruned, Error> {
        let Some(mut marker) = Marker::lock(journals)? else {
            return Ok(Pruned::default());
        };
        // A clock that has gone back is no reason to wait for it.
        let since = marker.done.map(|done| self.now.micros() - done.micros());
        let is_due = since.is_none_or(|since| !(0..DAY).contains(&since));
        match marker.locked && is_due {
            true => self.with(journals, &mut marker),
            false => Ok(Pruned::default()),
        }
    }

    /// What [`Retention::prune`] would do; nothing is removed.
    ///
    /// # Errors
    /// The folder cannot be read.
    pub fn look(&self, journals: &Journals) -> Result<Pruned, Error> {
        let mut found = Pruned::default();
        for run in journals.runs()? {
            match self.due(journals, &run) {
                Due::No => {}
                Due::Yes => found.removed.push(run),
                Due::Kept(why) => found.kept.push((run, why)),
            }
        }
        Ok(found)
    }

    fn with(&self, journals: &Journals, marker: &mut Marker) -> Result<Pruned, Error> {
        // Who was killed between the journal and its anchor left the anchor.
        if let Some(run) = marker.removing.take()
            && !journals.journal(&run).exists()
        {
            gone(&journals.anchor(&run))?;
        }
        let mut pruned = Pruned::default();
        for run in journals.runs()? {
            match self.due(journals, &run) {
                Due::No => {}
                Due::Kept(why) => pruned.kept.push((run, why)),
                Due::Yes => {
                    marker.write(None, Some(&run))?;
                    gone(&journals.journal(&run))?;
                    gone(&journals.anchor(&run))?;
                    // What is left of a writer that was killed, if anything.
                    gone(&journals.anchor(&run).with_extension("json.new"))?;
                    pruned.removed.push(run);
                }
            }
        }
        if !pruned.removed.is_empty() {
            folder::sync(journals.folder())?;
        }
        marker.write(Some(self.now), None)?;
        Ok(pruned)
    }

    fn due(&self, journals: &Journals, run: &RunId) -> Due {
        // It cannot have ended before it began: most need no more than a look at
        // their first line.
        if let Some((time, about)) = first(&journals.journal(run))
            && !(self.days)(&about).is_some_and(|days| self.is_over(time, days))
        {
            return Due::No;
        }
        let journal = match read(journals, run, self.key) {
            Ok(journal) => journal,
            // Somebody else has removed it.
            Err(Error::NoJournal { .. }) => return Due::No,
            Err(error) => return Due::Kept(error.to_string()),
        };
        let verdict = &journal.verdict;
        if verdict.being_written {
            return Due::No;
        }
        if !verdict.problems.is_empty() {
            return Due::Kept(verdict.summary());
        }
        let mut records = journal.records();
        let Some(Entry::Opened { about, .. }) = records.next().map(|record| record.entry) else {
            return Due::No;
        };
        let last = records.last().map(|record| record.time);
        let is_over = |days| last.is_some_and(|last| self.is_over(last, days));
        if !(self.days)(&about).is_some_and(is_over) {
            return Due::No;
        }
        if !verdict.head.closed {
            let why = "it was never closed: resume the run, or find out what became of it";
            return Due::Kept(why.to_owned());
        }
        match verdict.needs_reconciliation() {
            true => Due::Kept("an effect began, and nothing says how it ended".to_owned()),
            false => Due::Yes,
        }
    }

    fn is_over(&self, since: Time, days: u64) -> bool {
        let days = i64::try_from(days).unwrap_or(i64::MAX);
        self.now.micros().saturating_sub(since.micros()) > days.saturating_mul(DAY)
    }
}

/// Whether a journal is to be removed.
enum Due {
    No,
    Yes,
    Kept(String),
}

/// When a journal was begun and what it is about, as its first line says, which
/// nobody has verified; `None` if that cannot be read.
fn first(path: &Path) -> Option<(Time, Value)> {
    let (file, _) = folder::open(path, OpenOptions::new().read(true), "a file").ok()?;
    let mut line = Vec::new();
    let mut reader = BufReader::new(file).take(Limits::default().record);
    reader.read_until(b'\n', &mut line).ok()?;
    match line::parse(line.strip_suffix(b"\n")?).ok()? {
        (start, Kind::Opened { about, .. }) => Some((start.time, about)),
        _ => None,
    }
}

/// Removes a file unless it is gone already.
fn gone(path: &Path) -> Result<(), Error> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => {
            Err(Error::io(path, "removed", &error))
        }
        _ => Ok(()),
    }
}

/// `prune.json` beside the journals: locked by who removes, it says when that
/// was done last, and which journal was about to go.
struct Marker {
    file: File,
    path: PathBuf,
    locked: bool,
    done: Option<Time>,
    removing: Option<RunId>,
}

impl Marker {
    /// `None` if there is no folder of journals yet.
    fn lock(journals: &Journals) -> Result<Option<Self>, Error> {
        let path = journals.folder().join("prune.json");
        let mut options = OpenOptions::new();
        let options = options.read(true).write(true).create(true).mode(0o600);
        let mut file = match folder::open(&path, options, "a file") {
            Ok((file, _)) => file,
            Err(Error::Io {
                kind: io::ErrorKind::NotFound,
                ..
            }) => return Ok(None),
            Err(error) => return Err(error),
        };
        let locked = match file.try_lock() {
            Ok(()) => true,
            Err(TryLockError::WouldBlock) => false,
            Err(TryLockError::Error(error)) => return Err(Error::io(&path, "locked", &error)),
        };
        let mut text = String::new();
        // What cannot be read says nothing.
        let read = (&mut file).take(4096).read_to_string(&mut text);
        let said: Value = match read {
            Ok(_) => serde_json::from_str(&text).unwrap_or_default(),
            Err(_) => Value::Null,
        };
        let field = |name: &str| said.get(name).and_then(Value::as_str);
        Ok(Some(Marker {
            done: field("done").and_then(Time::parse),
            removing: field("removing").and_then(|run| run.parse().ok()),
            file,
            path,
            locked,
        }))
    }

    fn write(&mut self, done: Option<Time>, removing: Option<&RunId>) -> Result<(), Error> {
        self.done = done.or(self.done);
        let done = self.done.map(|done| done.to_string());
        let said = serde_json::json!({"done": done, "removing": removing.map(RunId::as_str)});
        let mut text = said.to_string();
        text.push('\n');
        // Not replaced by renaming: the lock is on this very file.
        let written = self
            .file
            .set_len(0)
            .and_then(|()| self.file.rewind())
            .and_then(|()| self.file.write_all(text.as_bytes()));
        written.map_err(|error| Error::io(&self.path, "written", &error))
    }
}

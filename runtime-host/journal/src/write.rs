//! Writing a journal.

use std::fmt;
use std::fs::{File, OpenOptions, TryLockError};
use std::io;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::effects::{Step, step};
use crate::line::{self, Start};
use crate::run::FOLDER;
use crate::sink::Sink;
use crate::verify::scan;
use crate::{Clock, Cut, Error, Hash, Head, Journal, Keys, RunId, Standing, Time, anchor, folder};
use crate::{Journals, Limits};

/// What is kept free in a journal, so that it can always be signed and closed.
const RESERVE: u64 = 1024;

/// How a journal is written.
#[derive(Debug, Clone)]
pub struct Options {
    /// Whether anything waits for the disk.
    pub durability: Durability,
    /// After how many records a signature stands, at most.
    pub sign_every: u64,
    /// How large records and journals may become.
    pub limits: Limits,
    /// What tells the time.
    pub clock: Clock,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            durability: Durability::Sync,
            sign_every: 64,
            limits: Limits::default(),
            clock: Clock::default(),
        }
    }
}

/// Whether records that must be on disk are waited for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Durability {
    /// They are: they outlast a loss of power.
    Sync,
    /// They are not: they outlast the end of the process, and no more.
    NoSync,
}

/// The one process that writes the journal of a run. After a failure, which may
/// have left half a line, nothing more is written: each call gives that failure.
///
/// Dropped without [`Writer::close`], it leaves a journal that can be resumed.
pub struct Writer {
    sink: Box<dyn Sink>,
    path: PathBuf,
    journals: Journals,
    run: RunId,
    keys: Keys,
    options: Options,
    head: Head,
    time: Option<Time>,
    /// Records since the last signature.
    unsigned: u64,
    /// Effects that began and did not end.
    open: u64,
    failed: Option<Error>,
    line: Vec<u8>,
}

impl Writer {
    /// Begins the journal of a run, which must be new. `about`, an object, is
    /// what a reader should know of the run. It is on disk, signed and anchored,
    /// before this returns.
    pub fn create(
        journals: &Journals,
        run: &RunId,
        keys: Keys,
        about: &Value,
        options: Options,
    ) -> Result<Self, Error> {
        Self::create_on(journals, run, keys, about, options, |file| Box::new(file))
    }

    /// The same, through something that a test puts around the file.
    #[doc(hidden)]
    pub fn create_on(
        journals: &Journals,
        run: &RunId,
        keys: Keys,
        about: &Value,
        options: Options,
        around: impl FnOnce(File) -> Box<dyn Sink>,
    ) -> Result<Self, Error> {
        if !about.is_object() {
            return Err(Error::Event {
                problem: "what a journal is about must be an object",
            });
        }
        let durable = options.durability == Durability::Sync;
        if let Some(parent) = journals.folder().parent()
            && parent.ends_with(FOLDER)
        {
            folder::make(parent, durable)?;
        }
        folder::private(journals.folder(), durable)?;
        folder::private(journals.anchors(), durable)?;

        let path = journals.journal(run);
        let exists = || Error::RunExists {
            run: run.to_string(),
            path: path.clone(),
        };
        // The anchor is first: from here on, a journal without one was tampered
        // with, and of two processes one gets the run.
        if !anchor::create(journals, run, &keys)? {
            return Err(exists());
        }
        let opened = folder::open(
            &path,
            OpenOptions::new().append(true).create_new(true).mode(0o600),
            "a journal",
        );
        let (file, _) = opened.map_err(|error| match error {
            Error::Io {
                kind: io::ErrorKind::AlreadyExists,
                ..
            } => exists(),
            error => error,
        })?;
        lock(&file, &path)?;
        if durable {
            folder::sync(journals.folder())?;
        }

        let mut writer = Self {
            sink: around(file),
            path: path.clone(),
            journals: journals.clone(),
            run: run.clone(),
            keys,
            options,
            head: Head::NOTHING,
            time: None,
            unsigned: 0,
            open: 0,
            failed: None,
            line: Vec::new(),
        };
        writer.latched(|writer| {
            let start = writer.start();
            let mut line = writer.take_line();
            let key = writer.keys.public();
            let whole = line::opened(&mut line, &start, &writer.run, key, about);
            writer.put(line, whole, &start, 0)?;
            writer.put_signature(false)
        })?;
        Ok(writer)
    }

    /// Goes on with the journal of a run that was broken off, and gives what
    /// stood in it. It must be intact and by this key. A last line without its
    /// end is cut off, and a record tells of that.
    pub fn reopen(
        journals: &Journals,
        run: &RunId,
        keys: Keys,
        options: Options,
    ) -> Result<(Self, Journal), Error> {
        folder::private(journals.folder(), false)?;
        folder::private(journals.anchors(), false)?;
        let path = journals.journal(run);
        let anchor = anchor::read(journals, run)?;
        let opened = folder::open(
            &path,
            OpenOptions::new().read(true).append(true),
            "a journal",
        );
        let (file, metadata) = opened.map_err(|error| match error {
            Error::Io {
                kind: io::ErrorKind::NotFound,
                ..
            } if anchor.is_none() => Error::NoJournal {
                run: run.to_string(),
                path: path.clone(),
            },
            error => error,
        })?;
        folder::secret(&path, &metadata)?;
        lock(&file, &path)?;
        // Again, now that nobody else can write it.
        let anchor = anchor::read(journals, run)?;

        let mut bytes = Vec::new();
        let scanned = scan(&file, &path, run, keys.public(), anchor, Some(&mut bytes))?;
        let verdict = scanned.verdict;
        let name = || run.to_string();
        if verdict.standing() != Standing::Intact {
            let verdict = Box::new(verdict);
            return Err(Error::NotIntact { path, verdict });
        }
        if verdict.head.closed {
            return Err(Error::Closed { run: name() });
        }
        if verdict.head.records == 0 {
            return Err(Error::NothingToResume { run: name() });
        }
        let told = |error: io::Error| Error::io(&path, "cut to its last whole line", &error);
        let cut = verdict.tail.torn.map(|torn| Cut {
            bytes: torn.bytes,
            sha256: torn.sha256,
        });
        if cut.is_some() {
            file.set_len(verdict.head.length).map_err(told)?;
            if options.durability == Durability::Sync {
                file.sync_all().map_err(told)?;
            }
        }
        let unsigned = verdict.tail.unsigned.map_or(0, |tail| tail.records);
        let mut writer = Self {
            sink: Box::new(file),
            path: path.clone(),
            journals: journals.clone(),
            run: run.clone(),
            keys,
            options,
            head: verdict.head,
            time: scanned.time,
            unsigned,
            open: verdict.effects.unfinished.len() as u64,
            failed: None,
            line: Vec::new(),
        };
        writer.latched(|writer| {
            let start = writer.start();
            let mut line = writer.take_line();
            line::resumed(&mut line, &start, unsigned, cut);
            writer.put(line, true, &start, 0)?;
            writer.put_signature(false)
        })?;
        Ok((writer, Journal::new(bytes, scanned.sound, verdict)))
    }

    /// Records an event, an object with a text `type`, and gives the number of
    /// its record. It outlasts the end of the process, not yet that of power.
    pub fn append(&mut self, event: &Value) -> Result<u64, Error> {
        self.latched(|writer| writer.put_event(event, false))
    }

    /// Records an event, and returns when it is on disk, as is wanted before an
    /// effect (with [`Durability::NoSync`], it does not wait).
    pub fn append_synced(&mut self, event: &Value) -> Result<u64, Error> {
        self.latched(|writer| writer.put_event(event, true))
    }

    /// Signs and anchors what has no signature yet; nothing if all has one.
    pub fn sign(&mut self) -> Result<(), Error> {
        self.latched(|writer| match writer.unsigned {
            0 => Ok(()),
            _ => writer.put_signature(false),
        })
    }

    /// Signs the journal for the last time: nothing can follow. What its head is
    /// then.
    pub fn close(mut self) -> Result<Head, Error> {
        self.latched(|writer| writer.put_signature(true))?;
        Ok(self.head)
    }

    /// How much was written.
    pub fn head(&self) -> Head {
        self.head
    }

    /// The run.
    pub fn run(&self) -> &RunId {
        &self.run
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The failure after which nothing is written any more.
    pub fn failure(&self) -> Option<&Error> {
        self.failed.as_ref()
    }

    /// Does something unless an earlier step has failed; and no later one if this
    /// fails.
    fn latched<T>(&mut self, step: impl FnOnce(&mut Self) -> Result<T, Error>) -> Result<T, Error> {
        if let Some(error) = &self.failed {
            return Err(error.clone());
        }
        let result = step(self);
        if let Err(error) = &result {
            self.failed = Some(error.clone());
        }
        result
    }

    fn put_event(&mut self, event: &Value, synced: bool) -> Result<u64, Error> {
        if !event.get("type").is_some_and(Value::is_string) {
            return Err(Error::Event {
                problem: "it must be an object with a text `type`",
            });
        }
        let open = match step(event) {
            Step::Starts => self.open.saturating_add(1),
            Step::Finishes => self.open.saturating_sub(1),
            Step::Neither => self.open,
        };
        let start = self.start();
        let mut line = self.take_line();
        let whole = line::event(&mut line, &start, event);
        // Each effect that has begun must find room for its end.
        let kept = open.saturating_mul(self.options.limits.record);
        self.put(line, whole, &start, RESERVE.saturating_add(kept))?;
        self.open = open;
        if self.unsigned >= self.options.sign_every {
            self.put_signature(false)?;
        } else if synced {
            self.sync()?;
        }
        Ok(start.seq)
    }

    fn put_signature(&mut self, last: bool) -> Result<(), Error> {
        let start = self.start();
        let mut line = self.take_line();
        line::signed(&mut line, &start, last, |message| self.keys.sign(message));
        self.put(line, true, &start, 0)?;
        self.unsigned = 0;
        self.head.closed = last;
        // The journal before its anchor: else a loss of power between the two
        // would leave an anchor that accuses somebody.
        self.sync()?;
        let durable = self.options.durability == Durability::Sync;
        anchor::replace(&self.journals, &self.run, &self.keys, &self.head, durable)
    }

    fn start(&self) -> Start {
        let now = self.options.clock.now();
        let time = self.time.map_or(now, |last| last.max(now));
        Start {
            seq: self.head.records,
            time,
            clock: (now < time).then_some(now),
            previous: self.head.hash,
        }
    }

    /// The room for a line, which is given back when it was put.
    fn take_line(&mut self) -> Vec<u8> {
        let mut line = std::mem::take(&mut self.line);
        line.clear();
        line
    }

    /// Writes a line, unless it is too large or less than `kept` bytes would be
    /// free behind it.
    fn put(
        &mut self,
        mut line: Vec<u8>,
        whole: bool,
        start: &Start,
        kept: u64,
    ) -> Result<(), Error> {
        if !whole {
            return Err(Error::Event {
                problem: "its values are nested deeper than 96 levels",
            });
        }
        line.push(b'\n');
        let bytes = line.len() as u64;
        let limits = self.options.limits;
        if bytes > limits.record {
            let limit = limits.record;
            return Err(Error::RecordTooLarge { bytes, limit });
        }
        let length = self.head.length.saturating_add(bytes);
        if length.saturating_add(kept) > limits.journal {
            return Err(Error::Full {
                path: self.path.clone(),
                limit: limits.journal,
            });
        }
        self.unchanged()?;
        let mut rest = line.as_slice();
        while !rest.is_empty() {
            match self.sink.write(rest) {
                // A line that was half written is written to its end, and so the
                // system says why it could not.
                Ok(count) if count > 0 => rest = rest.get(count..).unwrap_or_default(),
                Ok(_) => return Err(self.told("written", &io::ErrorKind::WriteZero.into())),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(self.told("written", &error)),
            }
        }
        self.head.records = self.head.records.saturating_add(1);
        self.head.length = length;
        self.head.hash = Hash::of(&line);
        self.time = Some(start.time);
        self.unsigned = self.unsigned.saturating_add(1);
        self.line = line;
        Ok(())
    }

    /// Whether the file is as this writer left it.
    fn unchanged(&self) -> Result<(), Error> {
        let state = self.sink.state();
        let (found, links) = state.map_err(|error| self.told("looked at", &error))?;
        if found != self.head.length {
            return Err(Error::Changed {
                path: self.path.clone(),
                expected: self.head.length,
                found,
            });
        }
        match links {
            1 => Ok(()),
            links => Err(Error::Unlinked {
                path: self.path.clone(),
                links,
            }),
        }
    }

    fn sync(&mut self) -> Result<(), Error> {
        if self.options.durability == Durability::NoSync {
            return Ok(());
        }
        let synced = self.sink.sync();
        synced.map_err(|error| self.told("written to disk", &error))
    }

    fn told(&self, action: &'static str, error: &io::Error) -> Error {
        Error::io(&self.path, action, error)
    }
}

impl fmt::Debug for Writer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Writer({}, {:?})", self.path.display(), self.head)
    }
}

/// Locks a journal for as long as it is written.
fn lock(file: &File, path: &Path) -> Result<(), Error> {
    // Who verifies it holds the lock for a moment, to see whether it is written.
    for _ in 0..1000 {
        match file.try_lock() {
            Ok(()) => return Ok(()),
            Err(TryLockError::WouldBlock) => std::thread::yield_now(),
            Err(TryLockError::Error(error)) => return Err(Error::io(path, "locked", &error)),
        }
    }
    Err(Error::InUse {
        path: path.to_owned(),
    })
}

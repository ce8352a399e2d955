//! Verification: a journal is read once, line by line, and held against its
//! chain, its signatures and its anchor.

use std::fs::{File, Metadata, OpenOptions, TryLockError};
use std::io::{self, BufRead, BufReader, Read};
use std::os::unix::fs::MetadataExt;
use std::path::Path;

use crate::anchor::{self, Anchor};
use crate::effects::Pairing;
use crate::line::{self, Kind, Start, shown};
use crate::verdict::{MOST_PROBLEMS, Problem, Resumption, Tail, Torn, Unsigned, Verdict};
use crate::{Error, Hash, Head, Journals, Limits, PublicKey, RunId, Time, folder};

/// Verifies the journal of a run: every line of it, and whether the key signed
/// it. `Err` if it cannot be read; whatever can be read gets a verdict.
pub fn verify(journals: &Journals, run: &RunId, key: PublicKey) -> Result<Verdict, Error> {
    scan_path(journals, run, key, None).map(|scanned| scanned.verdict)
}

/// A verdict, and what of the bytes may be shown.
pub(crate) struct Scanned {
    pub(crate) verdict: Verdict,
    /// Where the first line with a problem begins, or the end of the last line.
    pub(crate) sound: u64,
    /// The time of the last record.
    pub(crate) time: Option<Time>,
}

/// Verifies a journal by its path; its bytes are put into `keep`.
pub(crate) fn scan_path(
    journals: &Journals,
    run: &RunId,
    key: PublicKey,
    keep: Option<&mut Vec<u8>>,
) -> Result<Scanned, Error> {
    let path = journals.journal(run);
    // Before the journal, which may grow: it was never shorter than its anchor.
    let anchor = anchor::read(journals, run)?;
    let opened = folder::open(&path, OpenOptions::new().read(true), "a file");
    let (file, _) = match opened {
        Err(Error::Io {
            kind: io::ErrorKind::NotFound,
            ..
        }) => return missing(&path, run, key, anchor),
        opened => opened?,
    };
    scan(&file, &path, run, key, anchor, keep)
}

/// A run without a journal: gone if the anchor knows of one, else a run that was
/// killed before its first record, or that nobody knows.
fn missing(
    path: &Path,
    run: &RunId,
    key: PublicKey,
    anchor: Option<Result<Anchor, &'static str>>,
) -> Result<Scanned, Error> {
    let gone = match &anchor {
        None => {
            return Err(Error::NoJournal {
                run: run.to_string(),
                path: path.to_owned(),
            });
        }
        Some(Ok(anchor)) if anchor.head != Head::NOTHING => Some(Problem::Gone {
            expected: anchor.head,
        }),
        Some(_) => None,
    };
    let mut checker = Checker::new(run, key);
    gone.into_iter()
        .for_each(|problem| checker.problem(problem));
    Ok(checker.done(anchor, None, 0))
}

/// Verifies an open journal, from its beginning.
pub(crate) fn scan(
    file: &File,
    path: &Path,
    run: &RunId,
    key: PublicKey,
    anchor: Option<Result<Anchor, &'static str>>,
    mut keep: Option<&mut Vec<u8>>,
) -> Result<Scanned, Error> {
    let limits = Limits::default();
    let told = |error: io::Error| Error::io(path, "read", &error);
    let changed = || Error::ChangedWhileRead {
        path: path.to_owned(),
    };
    let before = file.metadata().map_err(told)?;
    let mut checker = Checker::new(run, key);
    if before.len() > limits.journal {
        checker.problem(Problem::TooLong {
            bytes: before.len(),
            limit: limits.journal,
        });
        return Ok(checker.done(anchor, None, before.len()));
    }
    if let Some(Ok(anchor)) = &anchor {
        checker.anchored = Some(anchor.head);
    }

    let mut reader = BufReader::with_capacity(1 << 16, file).take(before.len());
    let mut line = Vec::new();
    let mut read: u64 = 0;
    let mut torn = None;
    let mut too_long = false;
    loop {
        line.clear();
        let count = (&mut reader)
            .take(limits.record)
            .read_until(b'\n', &mut line)
            .map_err(told)?;
        let offset = read;
        read = read.saturating_add(count as u64);
        if let Some(keep) = &mut keep {
            keep.extend_from_slice(&line);
        }
        match line.split_last() {
            None => break,
            Some((b'\n', rest)) => {
                if let Some(found) = checker.line(rest, Hash::of(&line)) {
                    let path = path.to_owned();
                    return Err(Error::UnknownVersion { path, found });
                }
            }
            Some(_) if read < before.len() && count as u64 == limits.record => {
                checker.problem(Problem::LineTooLong {
                    line: checker.lines.saturating_add(1),
                    limit: limits.record,
                });
                too_long = true;
                break;
            }
            Some(_) => {
                torn = Some(Torn {
                    offset,
                    bytes: count as u64,
                    sha256: Hash::of(&line),
                });
                break;
            }
        }
    }
    if read != before.len() && !too_long {
        return Err(changed());
    }
    let after = file.metadata().map_err(told)?;
    checker.being_written = is_locked(file);
    let grew = after.len() >= before.len() && after.ino() == before.ino();
    if !(same(&before, &after) || checker.being_written && grew) {
        return Err(changed());
    }
    Ok(checker.done(anchor, torn, before.len()))
}

fn same(before: &Metadata, after: &Metadata) -> bool {
    let facts = |m: &Metadata| (m.len(), m.ino(), m.mtime(), m.mtime_nsec());
    facts(before) == facts(after)
}

/// Whether a writer holds the journal. Writers lock it until they end, however
/// they do; a process that locks it itself finds it free.
fn is_locked(file: &File) -> bool {
    match file.try_lock_shared() {
        Ok(()) => {
            // A lock that cannot be given back ends with the file.
            let _ = file.unlock();
            false
        }
        Err(TryLockError::WouldBlock) => true,
        Err(TryLockError::Error(_)) => false,
    }
}

struct Checker<'a> {
    run: &'a RunId,
    expected: PublicKey,
    /// The key that the first line names, if it is another one.
    foreign: Option<PublicKey>,
    anchored: Option<Head>,
    anchor_met: bool,
    lines: u64,
    next: u64,
    head: Head,
    time: Option<Time>,
    signed: Option<u64>,
    /// How many bytes and records the last good signature covers.
    signed_bytes: u64,
    signed_records: u64,
    sound: Option<u64>,
    being_written: bool,
    resumptions: Vec<Resumption>,
    pairing: Pairing,
    problems: Vec<Problem>,
    more: u64,
    /// Problems with what is written, whoever has signed it.
    faults: u64,
}

impl<'a> Checker<'a> {
    fn new(run: &'a RunId, expected: PublicKey) -> Self {
        Self {
            run,
            expected,
            foreign: None,
            anchored: None,
            anchor_met: false,
            lines: 0,
            next: 0,
            head: Head::NOTHING,
            time: None,
            signed: None,
            signed_bytes: 0,
            signed_records: 0,
            sound: None,
            being_written: false,
            resumptions: Vec::new(),
            pairing: Pairing::default(),
            problems: Vec::new(),
            more: 0,
            faults: 0,
        }
    }

    fn problem(&mut self, problem: Problem) {
        if !matches!(problem, Problem::Key { .. }) {
            self.faults = self.faults.saturating_add(1);
        }
        match self.problems.len() < MOST_PROBLEMS {
            true => self.problems.push(problem),
            false => self.more = self.more.saturating_add(1),
        }
    }

    /// Takes a line without its end, and the hash of it with its end. The version
    /// that it says if that is not known.
    fn line(&mut self, line: &[u8], hash: Hash) -> Option<u64> {
        let faults = self.faults;
        self.lines = self.lines.saturating_add(1);
        if self.head.closed {
            self.problem(Problem::AfterClosed { line: self.lines });
        }
        match line::parse(line) {
            Err(fault) => {
                self.problem(Problem::of(fault, self.lines));
                self.next = self.next.saturating_add(1);
            }
            Ok((_, Kind::Opened { version, .. })) if version != crate::VERSION => {
                return Some(version);
            }
            Ok((start, kind)) => {
                self.start(&start);
                self.kind(line, &start, kind);
            }
        }
        if self.faults > faults {
            self.sound.get_or_insert(self.head.length);
        }
        let length = (line.len() as u64).saturating_add(1);
        self.head.length = self.head.length.saturating_add(length);
        self.head.records = self.head.records.saturating_add(1);
        self.head.hash = hash;
        if self
            .signed
            .is_some_and(|seq| seq.saturating_add(1) == self.next)
        {
            self.signed_bytes = self.head.length;
            self.signed_records = self.head.records;
        }
        if let Some(anchored) = self.anchored
            && anchored.length == self.head.length
        {
            self.anchor_met = true;
            if anchored.hash != hash || anchored.records != self.head.records {
                self.problem(Problem::Replaced {
                    offset: anchored.length,
                    expected: anchored.hash,
                    found: Some(hash),
                });
            }
        }
        None
    }

    fn start(&mut self, start: &Start) {
        let line = self.lines;
        if start.seq != self.next {
            self.problem(Problem::Sequence {
                line,
                expected: self.next,
                found: start.seq,
            });
        }
        // From here on, so that one missing line is one problem.
        self.next = start.seq.saturating_add(1);
        if start.previous != self.head.hash {
            self.problem(Problem::Previous {
                line,
                expected: self.head.hash,
                found: start.previous,
            });
        }
        if let Some(previous) = self.time
            && start.time < previous
        {
            self.problem(Problem::TimeBack {
                line,
                previous,
                found: start.time,
            });
        }
        if start.clock.is_some_and(|clock| clock >= start.time) {
            self.problem(Problem::Clock { line });
        }
        self.time = self.time.max(Some(start.time));
    }

    fn kind(&mut self, bytes: &[u8], start: &Start, kind: Kind) {
        let line = self.lines;
        match (line, &kind) {
            (1, Kind::Opened { .. }) => {}
            (1, _) => self.problem(Problem::NotOpened),
            (_, Kind::Opened { .. }) => self.problem(Problem::OpenedAgain { line }),
            _ => {}
        }
        match kind {
            Kind::Opened { run, key, .. } => {
                if run != self.run.as_str() {
                    self.problem(Problem::Run {
                        expected: self.run.clone(),
                        found: shown(&run),
                    });
                }
                match key.parse::<PublicKey>() {
                    Ok(found) if found.to_string() != key => {
                        self.problem(Problem::NoKey { found: shown(&key) });
                    }
                    Ok(found) if found != self.expected => {
                        self.foreign = Some(found);
                        self.problem(Problem::Key {
                            expected: self.expected,
                            found,
                        });
                    }
                    Ok(_) => {}
                    Err(_) => self.problem(Problem::NoKey { found: shown(&key) }),
                }
            }
            Kind::Event(event) => self.pairing.event(&event, line),
            Kind::Signed { last, signature } => {
                let key = self.foreign.unwrap_or(self.expected);
                match key.verifies(line::signed_part(bytes), &signature) {
                    // Behind a problem, it vouches for nothing before that.
                    true if self.faults > 0 => {}
                    true => self.signed = Some(start.seq),
                    false => self.problem(Problem::Signature { line }),
                }
                self.head.closed |= last;
            }
            Kind::Resumed { unsigned, cut } => {
                let expected = self.head.records.saturating_sub(self.signed_records);
                if unsigned != expected {
                    self.problem(Problem::Resumed {
                        line,
                        expected,
                        found: unsigned,
                    });
                }
                self.resumptions.push(Resumption {
                    seq: start.seq,
                    unsigned,
                    cut,
                });
            }
        }
    }

    fn done(
        mut self,
        anchor: Option<Result<Anchor, &'static str>>,
        torn: Option<Torn>,
        length: u64,
    ) -> Scanned {
        self.sound.get_or_insert(self.head.length);
        if torn.is_some() && self.head.closed {
            self.problem(Problem::AfterClosed {
                line: self.lines.saturating_add(1),
            });
        }
        match anchor {
            None => self.problem(Problem::NoAnchor),
            Some(Err(problem)) => self.problem(Problem::Anchor { problem }),
            Some(Ok(anchor)) => self.anchor(&anchor, length),
        }
        let unsigned = self.head.records.saturating_sub(self.signed_records);
        let unsigned = (unsigned > 0).then(|| Unsigned {
            seq: self.signed.map_or(0, |seq| seq.saturating_add(1)),
            records: unsigned,
            offset: self.signed_bytes,
        });
        Scanned {
            sound: self.sound.unwrap_or(0),
            time: self.time,
            verdict: Verdict {
                run: self.run.clone(),
                head: self.head,
                signed_upto: self.signed,
                tail: Tail { unsigned, torn },
                resumptions: self.resumptions,
                effects: self.pairing.done(),
                problems: self.problems,
                more_problems: self.more,
                being_written: self.being_written,
            },
        }
    }

    fn anchor(&mut self, anchor: &Anchor, length: u64) {
        let by_other = |key| anchor.signed_by(key);
        if !anchor.signed_by(self.expected) && !self.foreign.is_some_and(by_other) {
            self.problem(Problem::Anchor {
                problem: "its signature does not fit",
            });
            return;
        }
        let told = |problem: &Problem| {
            let gone = matches!(problem, Problem::Gone { .. } | Problem::TooLong { .. });
            gone || matches!(problem, Problem::LineTooLong { .. })
        };
        let head = anchor.head;
        if self.problems.iter().any(told) {
        } else if length < head.length {
            self.problem(Problem::Cut {
                expected: head,
                found: length,
            });
        } else if head.length > 0 && !self.anchor_met {
            self.problem(Problem::Replaced {
                offset: head.length,
                expected: head.hash,
                found: None,
            });
        } else if head.closed && !(self.head.closed && length == head.length) {
            self.problem(Problem::NotClosed);
        }
    }
}

//! A journal that was verified, and its records.

use serde_json::Value;

use crate::line::{self, Kind};
use crate::verify::scan_path;
use crate::{Cut, Error, Journals, PublicKey, RunId, Time, Verdict};

/// Reads the journal of a run once, and verifies what was read.
pub fn read(journals: &Journals, run: &RunId, key: PublicKey) -> Result<Journal, Error> {
    let mut bytes = Vec::new();
    let scanned = scan_path(journals, run, key, Some(&mut bytes))?;
    Ok(Journal::new(bytes, scanned.sound, scanned.verdict))
}

/// A journal that was verified. Its records are those bytes that were.
#[derive(Debug, Clone)]
pub struct Journal {
    /// What verification tells about it.
    pub verdict: Verdict,
    bytes: Vec<u8>,
}

impl Journal {
    pub(crate) fn new(mut bytes: Vec<u8>, sound: u64, verdict: Verdict) -> Self {
        bytes.truncate(usize::try_from(sound).unwrap_or(usize::MAX));
        Self { verdict, bytes }
    }

    /// Its records, in order, as far as nothing is wrong with the lines. The
    /// verdict says whether these are all of them, and who has signed them.
    pub fn records(&self) -> impl Iterator<Item = Record> {
        let signed = self.verdict.signed_upto;
        let lines = self.bytes.split_inclusive(|byte| *byte == b'\n');
        let whole = lines.filter_map(|line| line.strip_suffix(b"\n"));
        // Each of these was read when it was verified.
        whole.map_while(move |line| {
            let (start, kind) = line::parse(line).ok()?;
            Some(Record {
                seq: start.seq,
                time: start.time,
                clock: start.clock,
                signed: signed.is_some_and(|upto| start.seq <= upto),
                entry: Entry::of(kind),
            })
        })
    }
}

/// A record of a journal.
#[derive(Debug, Clone, PartialEq)]
pub struct Record {
    /// How many records stand before it.
    pub seq: u64,
    /// When it was written; never before the time of the record before it.
    pub time: Time,
    /// What the clock showed then, if it had gone back behind that.
    pub clock: Option<Time>,
    /// Whether a good signature stands behind it.
    pub signed: bool,
    /// What it records.
    pub entry: Entry,
}

/// What a record says.
#[derive(Debug, Clone, PartialEq)]
pub enum Entry {
    /// The run began.
    Opened {
        /// The run.
        run: String,
        /// The public key of the project.
        key: String,
        /// What its host says about it.
        about: Value,
    },
    /// Something happened: an object with a text `type`.
    Event(Value),
    /// All before it was signed.
    Signed,
    /// The run went on after it was broken off.
    Resumed {
        /// How many records before it had no signature until then.
        unsigned: u64,
        /// The torn line that was cut off before it.
        cut: Option<Cut>,
    },
    /// The run ended, and all before it was signed.
    Closed,
}

impl Entry {
    fn of(kind: Kind) -> Self {
        match kind {
            Kind::Opened {
                run, key, about, ..
            } => Self::Opened { run, key, about },
            Kind::Event(event) => Self::Event(event),
            Kind::Signed { last: false, .. } => Self::Signed,
            Kind::Signed { last: true, .. } => Self::Closed,
            Kind::Resumed { unsigned, cut } => Self::Resumed { unsigned, cut },
        }
    }
}

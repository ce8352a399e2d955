//! What verification tells about a journal.

use std::fmt;

use crate::line::Fault;
use crate::{Cut, Effects, Hash, Head, PublicKey, RunId, Time};

/// The most problems that a verdict lists.
pub(crate) const MOST_PROBLEMS: usize = 100;

/// Whether the records are those that the run has written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Standing {
    /// They are. What has no signature yet is named in [`Tail`].
    Intact,
    /// Somebody changed, added or removed something, or a disk did.
    Tampered,
    /// They fit each other, but another key than the expected one signed them.
    Foreign,
}

/// What verification tells about the journal of a run.
#[derive(Debug, Clone)]
pub struct Verdict {
    /// The run.
    pub run: RunId,
    /// What is there, as far as whole lines go. Kept elsewhere, `head.hash` shows
    /// whether the journal is still the same.
    pub head: Head,
    /// The last record that a good signature covers, itself a signature.
    pub signed_upto: Option<u64>,
    /// What no signature covers.
    pub tail: Tail,
    /// Each time that the run was resumed.
    pub resumptions: Vec<Resumption>,
    /// What is odd about its effects.
    pub effects: Effects,
    /// What is wrong, at most a hundred of it.
    pub problems: Vec<Problem>,
    /// How many more problems there were.
    pub more_problems: u64,
    /// Whether a process writes it just now. Then effects may be under way, and a
    /// line may be half there.
    pub being_written: bool,
}

impl Verdict {
    /// Whether the records are those that the run has written.
    pub fn standing(&self) -> Standing {
        let foreign = |problem: &Problem| matches!(problem, Problem::Key { .. });
        match self.problems.as_slice() {
            [] => Standing::Intact,
            problems if problems.iter().all(foreign) => Standing::Foreign,
            _ => Standing::Tampered,
        }
    }

    /// Whether it is intact, closed, and signed to its last byte.
    pub fn is_complete(&self) -> bool {
        self.standing() == Standing::Intact && self.head.closed && self.tail == Tail::default()
    }

    /// Whether somebody must find out what happened to an effect.
    pub fn needs_reconciliation(&self) -> bool {
        !self.being_written && !self.effects.are_settled()
    }

    /// What is wrong, in one line.
    pub fn summary(&self) -> String {
        match (self.problems.as_slice(), self.more_problems) {
            ([], _) => "it is intact".to_owned(),
            ([one], 0) => one.to_string(),
            ([first, others @ ..], more) => {
                let others = more.saturating_add(others.len() as u64);
                format!("{first} (and {others} more)")
            }
        }
    }
}

/// What stands behind the last good signature of a journal. It is expected of a
/// run that was killed, and somebody without the key could have written it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Tail {
    /// Whole records without a signature behind them.
    pub unsigned: Option<Unsigned>,
    /// A last line without its end, which nothing verifies.
    pub torn: Option<Torn>,
}

/// Whole records that no signature covers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Unsigned {
    /// The first of them.
    pub seq: u64,
    /// How many there are.
    pub records: u64,
    /// Where in the file the first begins, in bytes.
    pub offset: u64,
}

/// A last line that was not written to its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Torn {
    /// Where in the file it begins, in bytes.
    pub offset: u64,
    /// How many bytes there are of it.
    pub bytes: u64,
    /// Their hash.
    pub sha256: Hash,
}

/// How a run was resumed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Resumption {
    /// The record that tells of it.
    pub seq: u64,
    /// How many records before it had no signature until then.
    pub unsigned: u64,
    /// The torn line that was cut off before it.
    pub cut: Option<Cut>,
}

/// What is wrong with a journal. Lines are counted from 1, records from 0.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Problem {
    /// A line that is not JSON.
    Json {
        /// The line.
        line: u64,
        /// What is wrong with it.
        problem: String,
    },
    /// A line with spaces, keys that stand twice, or the like.
    NotCanonical {
        /// The line.
        line: u64,
    },
    /// A line that is no record.
    Shape {
        /// The line.
        line: u64,
        /// What a record has.
        expected: &'static str,
        /// What it has.
        found: String,
    },
    /// More bytes than a record may have. What follows was not looked at.
    LineTooLong {
        /// The line.
        line: u64,
        /// What a record may have.
        limit: u64,
    },
    /// More bytes than a journal may have. Nothing was looked at.
    TooLong {
        /// What it has.
        bytes: u64,
        /// What it may have.
        limit: u64,
    },
    /// Another record than follows.
    Sequence {
        /// The line.
        line: u64,
        /// The record that follows.
        expected: u64,
        /// The one that stands there.
        found: u64,
    },
    /// The line before is not the one that this was written behind.
    Previous {
        /// The line.
        line: u64,
        /// The hash of the line before.
        expected: Hash,
        /// The hash that it names.
        found: Hash,
    },
    /// A time before that of the line before.
    TimeBack {
        /// The line.
        line: u64,
        /// The time of the line before.
        previous: Time,
        /// Its time.
        found: Time,
    },
    /// What the clock showed, though that was not before the time.
    Clock {
        /// The line.
        line: u64,
    },
    /// A first line that does not open a journal.
    NotOpened,
    /// A second opening.
    OpenedAgain {
        /// The line.
        line: u64,
    },
    /// The journal of another run than its name says.
    Run {
        /// The run that its name says.
        expected: RunId,
        /// The run that it says.
        found: String,
    },
    /// A text that is no key.
    NoKey {
        /// The text.
        found: String,
    },
    /// Another key signed it than the expected one: the journal is foreign.
    Key {
        /// The expected key.
        expected: PublicKey,
        /// The one that signed.
        found: PublicKey,
    },
    /// A signature that does not fit the line.
    Signature {
        /// The line.
        line: u64,
    },
    /// How many records had no signature when the run was resumed is not so.
    Resumed {
        /// The line.
        line: u64,
        /// How many there are.
        expected: u64,
        /// How many it says.
        found: u64,
    },
    /// A line, or a part of one, behind the last.
    AfterClosed {
        /// The line.
        line: u64,
    },
    /// No anchor, though each journal has one before its first line.
    NoAnchor,
    /// An anchor that is none, or that another key signed.
    Anchor {
        /// What is wrong with it.
        problem: &'static str,
    },
    /// Less of it than there was.
    Cut {
        /// How much there was, by the anchor.
        expected: Head,
        /// How many bytes there are, with a torn line.
        found: u64,
    },
    /// Another line than there was.
    Replaced {
        /// Where that line ended, by the anchor, in bytes.
        offset: u64,
        /// The line that was there, by its hash.
        expected: Hash,
        /// What is there: none if no line ends there.
        found: Option<Hash>,
    },
    /// More of it than there was when it was closed, or not closed any more.
    NotClosed,
    /// The whole journal is missing.
    Gone {
        /// How much there was, by the anchor.
        expected: Head,
    },
}

impl Problem {
    pub(crate) fn of(fault: Fault, line: u64) -> Self {
        match fault {
            Fault::Json(problem) => Self::Json { line, problem },
            Fault::NotCanonical => Self::NotCanonical { line },
            Fault::Shape { expected, found } => Self::Shape {
                line,
                expected,
                found,
            },
        }
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Json { line, problem } => {
                write!(
                    f,
                    "line {line}: expected a record, found no JSON: {problem}"
                )
            }
            Self::NotCanonical { line } => write!(
                f,
                "line {line}: expected JSON as it is written here, without spaces and with each \
                 key once, found another spelling"
            ),
            Self::Shape {
                line,
                expected,
                found,
            } => write!(f, "line {line}: expected {expected}, found {found}"),
            Self::LineTooLong { line, limit } => write!(
                f,
                "line {line}: expected at most {limit} bytes, found more; what follows was not \
                 looked at"
            ),
            Self::TooLong { bytes, limit } => write!(
                f,
                "expected at most {limit} bytes, found {bytes}; nothing was looked at"
            ),
            Self::Sequence {
                line,
                expected,
                found,
            } => write!(
                f,
                "line {line}: expected record {expected}, found record {found}: lines were \
                 removed, added or moved"
            ),
            Self::Previous {
                line,
                expected,
                found,
            } => write!(
                f,
                "line {line}: expected `previous` {expected}, found {found}: the line before is \
                 not the one that it was written behind"
            ),
            Self::TimeBack {
                line,
                previous,
                found,
            } => write!(
                f,
                "line {line}: expected a time from {previous} on, found {found}"
            ),
            Self::Clock { line } => write!(
                f,
                "line {line}: expected a `clock` before `time`, or none, found another one"
            ),
            Self::NotOpened => f.write_str(
                "line 1: expected the record that opens a journal, found another: the beginning \
                 is missing",
            ),
            Self::OpenedAgain { line } => write!(
                f,
                "line {line}: expected no second `opened`, found one: two journals were joined"
            ),
            Self::Run { expected, found } => write!(
                f,
                "line 1: expected run `{expected}`, as the name of the file says, found `{found}`"
            ),
            Self::NoKey { found } => {
                write!(f, "line 1: expected a public key, found `{found}`")
            }
            Self::Key { expected, found } => write!(
                f,
                "expected the key {expected}, found {found}: the journal is foreign, another \
                 project signed it"
            ),
            Self::Signature { line } => write!(
                f,
                "line {line}: expected a signature that fits the line, found another"
            ),
            Self::Resumed {
                line,
                expected,
                found,
            } => write!(
                f,
                "line {line}: expected {expected} unsigned records before it, found {found}"
            ),
            Self::AfterClosed { line } => write!(
                f,
                "line {line}: expected nothing behind the line that closes the journal, found more"
            ),
            Self::NoAnchor => f.write_str(
                "expected an anchor, found none: without it nobody can see whether the end is \
                 missing",
            ),
            Self::Anchor { problem } => {
                write!(
                    f,
                    "expected the anchor of this journal, found another: {problem}"
                )
            }
            Self::Cut { expected, found } => write!(
                f,
                "expected at least {} bytes with {} records, as the anchor says, found {found} \
                 bytes: the end was cut off",
                expected.length, expected.records
            ),
            Self::Replaced {
                offset,
                expected,
                found,
            } => {
                write!(
                    f,
                    "expected a line that ends at byte {offset} and has the hash {expected}, as the anchor says, found "
                )?;
                match found {
                    Some(found) => write!(f, "{found}: lines were replaced"),
                    None => f.write_str("no end of a line there: lines were replaced"),
                }
            }
            Self::NotClosed => f.write_str(
                "expected the journal to end where the anchor says that it was closed, found \
                 another end",
            ),
            Self::Gone { expected } => write!(
                f,
                "expected {} bytes with {} records, as the anchor says, found no journal",
                expected.length, expected.records
            ),
        }
    }
}

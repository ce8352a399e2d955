//! The journal of a run: chained, signed, verified (docs/journal.md).
//!
//! In: events, each a JSON object with a text `type`, and the key of a project.
//! Out: a file a run, of which nobody without the key can change, add or remove
//! anything unseen; and back, its records with a [`Verdict`] on all of them.
//!
//! This crate knows files, keys and hashes. It must never know what an event
//! means: programs, policies and tools are for others. Only the starts and ends
//! of effects it pairs, so that what was left half done is named.
//!
//! A line of a journal is a JSON object without spaces, and one line feed:
//!
//! ```json
//! {"seq":0,"time":"…","previous":"0…0","opened":{"version":1,"run":"…","key":"…","about":{…}}}
//! {"seq":1,"time":"…","previous":"…","signed":{"ed25519":"…"}}
//! {"seq":2,"time":"…","previous":"…","event":{"type":"…",…}}
//! {"seq":3,"time":"…","previous":"…","closed":{"ed25519":"…"}}
//! ```
//!
//! Begin reading at `write.rs`; `line.rs` is the form of the lines, `verify.rs`
//! what they must be, `anchor.rs` what shows that the end is missing. [`redact`]
//! is for what must not be recorded.
//!
//! ```
//! use serde_json::json;
//! use symbi_journal::{Journals, Keys, Options, Writer, verify};
//!
//! let project = tempfile::tempdir()?;
//! let journals = Journals::in_project(project.path());
//! let keys = Keys::open(project.path())?;
//! let key = keys.public();
//! let run = "0190d2c8-75f0-7a31-8000-5ac7f9a6d7e2".parse()?;
//!
//! let mut journal = Writer::create(&journals, &run, keys, &json!({}), Options::default())?;
//! journal.append_synced(&json!({"type": "effect_started", "id": "1"}))?;
//! drop(journal); // as if the process had been killed
//!
//! let verdict = verify(&journals, &run, key)?;
//! assert!(verdict.problems.is_empty());
//! assert!(verdict.needs_reconciliation());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod anchor;
mod effects;
mod error;
mod folder;
mod hash;
mod json;
mod key;
mod line;
mod prune;
mod read;
pub mod redact;
mod run;
mod sink;
mod time;
mod verdict;
mod verify;
mod write;

pub use anchor::Head;
pub use effects::{EFFECT_FINISHED, EFFECT_STARTED, Effect, Effects};
pub use error::Error;
pub use hash::Hash;
pub use json::{MAX_DEPTH, canonical, fingerprint};
pub use key::{Keys, PublicKey};
pub use line::Cut;
pub use prune::{Pruned, Retention};
pub use read::{Entry, Journal, Record, read};
pub use run::{Journals, RunId};
#[doc(hidden)]
pub use sink::Sink;
pub use time::{Clock, Time};
pub use verdict::{Problem, Resumption, Standing, Tail, Torn, Unsigned, Verdict};
pub use verify::verify;
pub use write::{Durability, Options, Writer};

/// The version of the format that is written, and the only one that is read.
pub const VERSION: u64 = 1;

/// How large a journal may become. What is verified is held to the default,
/// which is the most.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// The bytes of a record, with its line feed.
    pub record: u64,
    /// The bytes of a journal.
    pub journal: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            record: 1 << 20,
            journal: 64 << 20,
        }
    }
}

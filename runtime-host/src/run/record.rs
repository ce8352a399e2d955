//! What a run puts on record: the events of its journal.
//!
//! | type | says |
//! |---|---|
//! | `snapshot` | the state of the machine was kept in a file, so that a run can go on from there |
//! | `value` | what a function gave that is not the same each time: `now`, `random` |
//! | `log`, `print`, `audit_log` | what the program said |
//! | `decided` | what the gate decided about an effect, and why |
//! | `effect_started` | an effect is about to happen |
//! | `effect_finished` | it has happened, and what it gave |
//! | `raised` | an effect could not be carried out |
//! | `unresolved` | an effect began, and nobody knows whether it happened |
//! | `ended` | how the run ended |
//!
//! `number` is that of the request of the machine, and `answer` is what it was
//! answered: with these, a run is replayed. Where `exact` is `false`, the answer
//! is not what is on record: a secret was taken out of it, or it was too long,
//! or the policies do not let it be kept. A snapshot follows then.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use serde_json::{Value as Json, json};
use symbi_journal::redact::{Rules, redact};
use symbi_journal::{Error, Writer, canonical};
use symbi_vm::{Raise, Value};

use super::secrets::Secrets;
use crate::values;

/// Writes the journal of a run; of one that only looks, nothing.
pub(super) struct Recorder {
    writer: Option<Writer>,
    /// Whether everything was taken: the gate looks at it.
    open: Arc<AtomicBool>,
    secrets: Arc<Secrets>,
    /// Something was left out of the last answer: the next may not be reached
    /// from the journal alone.
    pub inexact: bool,
    observer: Arc<dyn Fn(&Json) + Send + Sync>,
}

/// What becomes of an answer on record.
pub(super) struct Kept {
    /// It, without secrets and no longer than it may be.
    pub json: Json,
    /// Nothing was left out of it.
    pub exact: bool,
    /// The hash of the whole.
    pub fingerprint: String,
    /// The bytes of the whole.
    pub bytes: u64,
}

impl Recorder {
    pub fn new(
        writer: Option<Writer>,
        open: Arc<AtomicBool>,
        secrets: Arc<Secrets>,
        observer: Arc<dyn Fn(&Json) + Send + Sync>,
    ) -> Self {
        open.store(writer.is_some(), Ordering::SeqCst);
        Recorder {
            writer,
            open,
            secrets,
            inexact: false,
            observer,
        }
    }

    /// Whether there is a journal.
    pub fn writes(&self) -> bool {
        self.writer.is_some()
    }

    /// Puts an event on record.
    pub fn event(&mut self, event: &Json) -> Result<(), Error> {
        self.write(event, false)
    }

    /// The same, and it is on disk when this returns.
    pub fn synced(&mut self, event: &Json) -> Result<(), Error> {
        self.write(event, true)
    }

    fn write(&mut self, event: &Json, synced: bool) -> Result<(), Error> {
        (self.observer)(event);
        let Some(writer) = &mut self.writer else {
            return Ok(());
        };
        let written = match synced {
            true => writer.append_synced(event),
            false => writer.append(event),
        };
        written
            .map(|_| ())
            .inspect_err(|_| self.open.store(false, Ordering::SeqCst))
    }

    /// Signs and closes the journal.
    pub fn close(&mut self) -> Result<(), Error> {
        self.open.store(false, Ordering::SeqCst);
        match self.writer.take() {
            Some(writer) => writer.close().map(|_| ()),
            None => Ok(()),
        }
    }

    /// The text of a value that may be said.
    pub fn clean(&self, json: &Json) -> Kept {
        let bytes = canonical(json).len() as u64;
        let rules = Rules {
            known: self.secrets.known(),
            ..Rules::default()
        };
        let redacted = redact(json, &rules);
        Kept {
            exact: redacted.value == *json,
            json: redacted.value,
            fingerprint: redacted.fingerprint,
            bytes,
        }
    }

    /// An answer as it is kept: `{"value": …}` or `{"error": …}`.
    pub fn answer(&mut self, answer: &Result<Value, Raise>, keep: bool) -> Kept {
        let json = match answer {
            Ok(value) => json!({"value": values::tagged(value)}),
            Err(raise) => json!({"error": {
                "kind": raise.kind,
                "message": raise.message,
                "details": raise.details.as_ref().map_or(json!({}), values::tagged),
            }}),
        };
        let mut kept = self.clean(&json);
        // Errors are kept: what the program does next cannot be told without.
        if !keep && answer.is_ok() {
            kept.exact = false;
            kept.json = json!({"value": null, "kept": false});
        }
        self.inexact |= !kept.exact;
        kept
    }
}

/// What an event answers to which request; `None` if it is no answer.
pub(super) fn answered(event: &Json) -> Option<(u64, Option<Result<Value, Raise>>)> {
    let number = event.get("number")?.as_u64()?;
    let answer = event.get("answer")?;
    if event.get("exact") == Some(&json!(false)) {
        return Some((number, None));
    }
    if let Some(value) = answer.get("value") {
        return Some((number, values::untagged(value).map(Ok)));
    }
    let error = answer.get("error")?;
    let mut raise = Raise::new("error", error.get("message")?.as_str()?);
    raise.kind = error.get("kind")?.as_str()?.to_owned().into();
    let details = error.get("details").and_then(values::untagged);
    raise.details = details.filter(|details| !matches!(details, Value::Map(map) if map.is_empty()));
    Some((number, Some(Err(raise))))
}

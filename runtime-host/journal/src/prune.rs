//! Removing journals that were kept long enough.

use std::fs;

use serde_json::Value;

use crate::read::Entry;
use crate::{Error, Journals, PublicKey, RunId, Time, folder, read};

/// What pruning did.
#[derive(Debug, Default)]
pub struct Pruned {
    /// The runs whose journals were removed.
    pub removed: Vec<RunId>,
    /// The runs whose journals are kept though they are old or unreadable, and
    /// why: somebody should look at them.
    pub kept: Vec<(RunId, String)>,
}

/// Removes the journals that were closed more than so many days before `now`.
/// `days` says how many, from what the first record is about; none keeps the
/// journal for ever. One that is not closed, not intact, or has an effect that
/// needs reconciliation, is never removed.
pub fn prune(
    journals: &Journals,
    key: PublicKey,
    now: Time,
    days: impl Fn(&RunId, &Value) -> Option<u32>,
) -> Result<Pruned, Error> {
    const DAY: i64 = 24 * 60 * 60 * 1_000_000;
    let mut pruned = Pruned::default();
    for run in journals.runs()? {
        let journal = match read(journals, &run, key) {
            Ok(journal) => journal,
            Err(error) => {
                pruned.kept.push((run, error.to_string()));
                continue;
            }
        };
        let verdict = &journal.verdict;
        if !verdict.problems.is_empty() {
            pruned.kept.push((run, verdict.summary()));
            continue;
        }
        let mut records = journal.records();
        let Some(Entry::Opened { about, .. }) = records.next().map(|record| record.entry) else {
            continue;
        };
        let (Some(days), Some(last)) = (days(&run, &about), records.last()) else {
            continue;
        };
        let end = last.time.micros();
        let age = now.micros().saturating_sub(end);
        if age <= i64::from(days).saturating_mul(DAY) {
            continue;
        }
        if !verdict.head.closed {
            let why = "it was never closed: resume the run, or find out what became of it";
            pruned.kept.push((run, why.to_owned()));
        } else if verdict.needs_reconciliation() {
            let why = "an effect began, and nothing says how it ended";
            pruned.kept.push((run, why.to_owned()));
        } else {
            remove(journals, &run)?;
            pruned.removed.push(run);
        }
    }
    Ok(pruned)
}

fn remove(journals: &Journals, run: &RunId) -> Result<(), Error> {
    // An anchor without a journal is told by the next call; a journal without an
    // anchor would look tampered with.
    for path in [journals.journal(run), journals.anchor(run)] {
        fs::remove_file(&path).map_err(|error| Error::io(&path, "removed", &error))?;
    }
    folder::sync(journals.folder())
}

//! How long the journals of runs are kept.

use serde_json::Value as Json;
use symbi_journal::{PublicKey, Retention};

use super::{Host, Report};

/// For how many days after its end a journal is kept, from what its first record
/// is about; `None` is for ever.
pub fn retention_days(about: &Json) -> Option<u64> {
    about.get("retention_days")?.as_u64()
}

impl Host {
    /// Removes the journals that were kept long enough, at most once a day, after
    /// a run that has written one. It is not changed by what goes wrong here, so
    /// that is told.
    pub(super) fn prune(&self, report: &Report) {
        if report.journal.is_none() {
            return;
        }
        let pruned = PublicKey::of_project(&self.setup.project).and_then(|key| {
            let now = (self.options().clock).now();
            let retention = Retention {
                key,
                now,
                days: retention_days,
            };
            retention.prune_daily(&self.journals)
        });
        if let Err(problem) = pruned {
            let text = format!("journals that were kept long enough cannot be removed: {problem}");
            self.setup.console.log("WARNING", &text);
        }
    }
}

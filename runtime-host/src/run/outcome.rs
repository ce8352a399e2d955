//! How a run ends.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value as Json;

/// How a run ended (docs/running.md).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// It gave a value.
    Completed,
    /// It may not run, or may not give its answer.
    Refused,
    /// An error was raised that nothing caught, or the host could not go on.
    Failed,
    /// It has used the steps, the memory or the tokens that it may.
    BudgetExhausted,
    /// It took longer than it may.
    TimedOut,
    /// Somebody ended it.
    Cancelled,
    /// An effect began, and nobody knows whether it happened.
    Unresolved,
}

impl Outcome {
    /// Its name.
    pub fn as_str(self) -> &'static str {
        match self {
            Outcome::Completed => "completed",
            Outcome::Refused => "refused",
            Outcome::Failed => "failed",
            Outcome::BudgetExhausted => "budget_exhausted",
            Outcome::TimedOut => "timed_out",
            Outcome::Cancelled => "cancelled",
            Outcome::Unresolved => "unresolved",
        }
    }
}

/// What a run gave, and what it took.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Report {
    /// The run: a UUID of version 7.
    pub run: String,
    /// How it ended.
    pub outcome: Outcome,
    /// What it gave; `null` if it did not complete. A secret is `"***"`.
    pub value: Json,
    /// Why it did not complete; `null` if it did.
    pub error: Option<Failure>,
    /// Where its journal is; `null` for a run that only looked.
    pub journal: Option<String>,
    /// What it used.
    pub usage: Usage,
}

/// Why a run did not complete.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Failure {
    /// The kind of the error.
    pub kind: String,
    /// What it says.
    pub message: String,
    /// Where in the source it was raised.
    pub at: Option<Place>,
    /// More about it.
    pub details: Json,
}

/// A place in the source.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Place {
    /// The file, from the root of the project.
    pub file: String,
    /// The line, from 1.
    pub line: usize,
    /// The column, from 1, in bytes.
    pub column: usize,
}

/// What a run used.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Usage {
    /// The steps of the machine.
    pub steps: u64,
    /// The effects that were carried out.
    pub effects: u64,
    /// The effects that were denied.
    pub denied: u64,
    /// How long it took, in milliseconds.
    pub elapsed_ms: u64,
}

impl Report {
    /// The JSON Schema of a report.
    pub fn schema() -> Json {
        let mut schema = schemars::schema_for!(Report);
        schema.insert(
            "title".to_owned(),
            "The last line of symbi run --json".into(),
        );
        schema.to_value()
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    #[test]
    fn the_schema_is_the_one_on_record() {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/schemas/run-v1.schema.json");
        let mut written = serde_json::to_string_pretty(&Report::schema()).expect("a text");
        written.push('\n');
        if std::env::var_os("UPDATE_SCHEMA").is_some() {
            std::fs::write(&path, &written).expect("the schema");
        }
        let on_record = std::fs::read_to_string(&path).expect("the schema");
        assert!(
            on_record == written,
            "UPDATE_SCHEMA=1 writes it; look at what changed"
        );
    }
}

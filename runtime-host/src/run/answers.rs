//! Scripted answers: what effects give, read from a file instead of the world.
//! For tests, examples and trying things out; a journal says where it was used.
//!
//! A line is one answer, as a JSON object:
//!
//! ```json
//! {"effect": "deploy", "arguments": {"service": "api"}, "result": {"ok": true}}
//! {"effect": "Mail::send", "error": {"kind": "timeout", "message": "no answer"}}
//! {"effect": "watch_health", "result": {"healthy": 3}, "repeat": true}
//! {"secret": "vault://team/key", "value": "…"}
//! ```
//!
//! An effect takes the first line that fits it and was not used yet. Arguments
//! that a line does not name may be anything. Blank lines, and lines that begin
//! with `#` or `//`, say nothing.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use serde::Deserialize;
use serde_json::Value as Json;
use symbi_vm::{Raise, Value};

use crate::gate::Call;
use crate::values;

/// How many bytes a file of answers may have.
pub const MAX_BYTES: u64 = 16 << 20;

/// Answers that are given in the place of the world's.
#[derive(Debug, Default)]
pub struct Answers {
    lines: Vec<Answer>,
    used: Mutex<Vec<bool>>,
    secrets: HashMap<String, String>,
}

#[derive(Debug)]
struct Answer {
    effect: String,
    arguments: serde_json::Map<String, Json>,
    gives: Gives,
    repeat: bool,
}

#[derive(Debug, Clone)]
enum Gives {
    Result(Json),
    Error {
        kind: String,
        message: String,
        details: Option<Json>,
    },
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Line {
    effect: Option<String>,
    #[serde(default)]
    arguments: serde_json::Map<String, Json>,
    #[serde(default, deserialize_with = "given")]
    result: Option<Json>,
    error: Option<ErrorLine>,
    #[serde(default)]
    repeat: bool,
    secret: Option<String>,
    value: Option<String>,
}

/// A `null` that is written is a result.
fn given<'de, D: serde::Deserializer<'de>>(from: D) -> Result<Option<Json>, D::Error> {
    Json::deserialize(from).map(Some)
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ErrorLine {
    #[serde(default = "error_kind")]
    kind: String,
    message: String,
    details: Option<Json>,
}

fn error_kind() -> String {
    "error".to_owned()
}

/// What is wrong with a file of answers.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {problem}")]
pub struct AnswersError {
    /// The line, from 1.
    pub line: usize,
    /// What is wrong with it, and what may stand there.
    pub problem: String,
}

impl Answers {
    /// The answers of a file's text.
    ///
    /// # Errors
    /// The first line that is none.
    pub fn parse(text: &str) -> Result<Self, AnswersError> {
        let mut answers = Answers::default();
        for (at, line) in text.lines().enumerate() {
            let line = line.trim();
            if line.is_empty() || line.starts_with('#') || line.starts_with("//") {
                continue;
            }
            answers.add(line).map_err(|problem| AnswersError {
                line: at + 1,
                problem,
            })?;
        }
        answers.used = Mutex::new(vec![false; answers.lines.len()]);
        Ok(answers)
    }

    fn add(&mut self, line: &str) -> Result<(), String> {
        let read: Line = serde_json::from_str(line).map_err(|error| problem(&error))?;
        if let Some(secret) = read.secret {
            let Some(value) = read.value else {
                return Err(
                    "a secret needs its text: {\"secret\": \"env://NAME\", \"value\": \"…\"}"
                        .to_owned(),
                );
            };
            if read.effect.is_some() || read.result.is_some() || read.error.is_some() {
                return Err("a line is either about a secret or about an effect".to_owned());
            }
            self.secrets.insert(secret, value);
            return Ok(());
        }
        let Some(effect) = read.effect else {
            return Err("an `effect` is missing: {\"effect\": \"NAME\", \"result\": …}".to_owned());
        };
        let gives = match (read.result, read.error) {
            (Some(result), None) => Gives::Result(result),
            (None, Some(error)) => Gives::Error {
                kind: error.kind,
                message: error.message,
                details: error.details,
            },
            (None, None) => return Err(format!("`{effect}` needs a `result` or an `error`")),
            (Some(_), Some(_)) => {
                return Err(format!(
                    "`{effect}` has a `result` and an `error`: leave one of them out"
                ));
            }
        };
        self.lines.push(Answer {
            effect,
            arguments: read.arguments,
            gives,
            repeat: read.repeat,
        });
        Ok(())
    }

    /// Whether there is an answer to a call.
    pub fn has(&self, call: &Call) -> bool {
        let used = self.used.lock().unwrap_or_else(PoisonError::into_inner);
        let mut lines = self.lines.iter().zip(used.iter());
        lines.any(|(answer, used)| (answer.repeat || !used) && answer.fits(call))
    }

    /// The answer to a call; `None` if no line fits.
    pub fn take(&self, call: &Call) -> Option<Result<Value, Raise>> {
        let mut used = self.used.lock().unwrap_or_else(PoisonError::into_inner);
        let mut lines = self.lines.iter().enumerate();
        let (at, answer) = lines.find(|(at, answer)| {
            let spent = used.get(*at).copied().unwrap_or(true) && !answer.repeat;
            !spent && answer.fits(call)
        })?;
        if let Some(used) = used.get_mut(at) {
            *used = true;
        }
        Some(answer.gives.clone().value())
    }

    /// Marks the answer to a call as used, for a run that goes on behind it.
    pub fn skip(&self, effect: &str) {
        let mut used = self.used.lock().unwrap_or_else(PoisonError::into_inner);
        let mut lines = self.lines.iter().zip(used.iter_mut());
        if let Some((_, used)) = lines.find(|(line, used)| line.effect == effect && !**used) {
            *used = true;
        }
    }

    /// The text of a secret.
    pub fn secret(&self, address: &str) -> Option<&str> {
        self.secrets.get(address).map(String::as_str)
    }

    /// The texts of all secrets.
    pub fn secrets(&self) -> impl Iterator<Item = &str> {
        self.secrets.values().map(String::as_str)
    }
}

impl Answer {
    fn fits(&self, call: &Call) -> bool {
        self.effect == **call.name()
            && self.arguments.iter().all(|(name, wanted)| {
                let given = call
                    .arguments()
                    .get(name)
                    .and_then(|fact| values::value(fact).ok());
                given.is_some_and(|given| values::plain(&given) == *wanted)
            })
    }
}

impl Gives {
    fn value(self) -> Result<Value, Raise> {
        match self {
            Gives::Result(json) => values::from_json(&json),
            Gives::Error {
                kind,
                message,
                details,
            } => {
                let mut raise = Raise::new("error", message);
                raise.kind = kind.into();
                raise.details = details
                    .map(|details| values::from_json(&details))
                    .transpose()?;
                Err(raise)
            }
        }
    }
}

/// What is wrong with a line, in words of ours.
fn problem(error: &serde_json::Error) -> String {
    let text = error.to_string();
    let text = text.split(" at line ").next().unwrap_or_default();
    match error.classify() {
        serde_json::error::Category::Data => match text.strip_prefix("unknown field ") {
            Some(rest) => {
                let name = rest.split(',').next().unwrap_or(rest);
                format!(
                    "there is no key {name}: a line has `effect`, `arguments`, `result` or `error`, \
                     `repeat`, or `secret` and `value`"
                )
            }
            None => format!("it is no answer: {text}"),
        },
        _ => format!("it is no JSON object, from column {} on", error.column()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_that_are_no_answers_are_told_with_their_number() {
        let table = [
            ("{\"effect\": \"a\", \"result\": null}", None),
            (
                "# nothing\n\n// nothing\n{\"effect\": \"a\"}",
                Some((4, "`a` needs a `result` or an `error`")),
            ),
            (
                "{\"result\": 1}",
                Some((
                    1,
                    "an `effect` is missing: {\"effect\": \"NAME\", \"result\": …}",
                )),
            ),
            (
                "{\"effect\": \"a\", \"result\": 1, \"error\": {\"message\": \"m\"}}",
                Some((
                    1,
                    "`a` has a `result` and an `error`: leave one of them out",
                )),
            ),
            (
                "{\"effect\": \"a\", \"result\": 1, \"repeats\": true}",
                Some((
                    1,
                    "there is no key `repeats`: a line has `effect`, `arguments`, `result` or `error`, `repeat`, or `secret` and `value`",
                )),
            ),
            (
                "{\"effect\": ",
                Some((1, "it is no JSON object, from column 10 on")),
            ),
            ("[]", Some((1, "it is no answer: "))),
            (
                "{\"secret\": \"env://A\"}",
                Some((
                    1,
                    "a secret needs its text: {\"secret\": \"env://NAME\", \"value\": \"…\"}",
                )),
            ),
        ];
        for (text, expected) in table {
            let found = Answers::parse(text).err();
            match (found, expected) {
                (None, None) => {}
                (Some(found), Some((line, problem))) => {
                    assert_eq!(found.line, line, "{text}");
                    assert!(
                        found.problem.starts_with(problem),
                        "{text}: {}",
                        found.problem
                    );
                }
                (found, _) => panic!("{text}: {found:?}"),
            }
        }
    }
}

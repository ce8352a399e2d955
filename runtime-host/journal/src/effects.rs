//! Effects that began, and whether they ended.

use std::collections::BTreeMap;

use serde_json::Value;

/// The type of an event that stands before an effect, with its `id`.
pub const EFFECT_STARTED: &str = "effect_started";
/// The type of an event that stands behind it, with the same `id`.
pub const EFFECT_FINISHED: &str = "effect_finished";

/// What an event means for an effect.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Step {
    Starts,
    Finishes,
    Neither,
}

pub(crate) fn step(event: &Value) -> Step {
    match event.get("type").and_then(Value::as_str) {
        Some(EFFECT_STARTED) => Step::Starts,
        Some(EFFECT_FINISHED) => Step::Finishes,
        _ => Step::Neither,
    }
}

/// The effect that an event is about.
pub(crate) fn id(event: &Value) -> Option<&str> {
    event.get("id").and_then(Value::as_str)
}

/// An effect that a journal tells of, and where.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Effect {
    /// Its identity; empty if the event has none.
    pub id: String,
    /// The line that tells of it, from 1.
    pub line: u64,
}

/// What is odd about the effects of a run: each has one start and then one end.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Effects {
    /// How many began.
    pub started: u64,
    /// They began, and nothing says how they ended: each happened or did not.
    pub unfinished: Vec<Effect>,
    /// They began a second time under the same identity.
    pub started_twice: Vec<Effect>,
    /// They ended a second time.
    pub finished_twice: Vec<Effect>,
    /// They ended without a beginning.
    pub never_started: Vec<Effect>,
    /// Starts and ends that do not say of what.
    pub without_id: Vec<Effect>,
}

impl Effects {
    /// Whether each effect that began also ended, once.
    pub fn are_settled(&self) -> bool {
        let odd = [
            &self.unfinished,
            &self.started_twice,
            &self.finished_twice,
            &self.never_started,
            &self.without_id,
        ];
        odd.iter().all(|effects| effects.is_empty())
    }
}

/// Pairs the starts and ends of effects.
#[derive(Default)]
pub(crate) struct Pairing {
    /// The line of its start; none once it has ended.
    open: BTreeMap<String, Option<u64>>,
    found: Effects,
}

impl Pairing {
    pub(crate) fn event(&mut self, event: &Value, line: u64) {
        let step = step(event);
        if step == Step::Neither {
            return;
        }
        let effect = Effect {
            id: id(event).unwrap_or_default().to_owned(),
            line,
        };
        if id(event).is_none() {
            self.found.without_id.push(effect);
        } else if step == Step::Starts {
            self.found.started = self.found.started.saturating_add(1);
            if self.open.contains_key(&effect.id) {
                self.found.started_twice.push(effect);
            } else {
                self.open.insert(effect.id, Some(line));
            }
        } else {
            match self.open.get_mut(&effect.id) {
                Some(start) if start.is_some() => *start = None,
                Some(_) => self.found.finished_twice.push(effect),
                None => self.found.never_started.push(effect),
            }
        }
    }

    pub(crate) fn done(mut self) -> Effects {
        let open = self.open.into_iter();
        self.found.unfinished = open
            .filter_map(|(id, line)| line.map(|line| Effect { id, line }))
            .collect();
        self.found.unfinished.sort_by_key(|effect| effect.line);
        self.found
    }
}

//! How often effects happened: one counter for each agent, identity and
//! requirement, taken when an effect is granted.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use symbi_ir::Agent;
use symbi_mini::rate::Rate;
use symbi_policy::{RequirementId, Timestamp};

/// The most entries of one counter. Beyond, neighbours are counted as of the
/// later one's instant: they are let go later, never earlier.
const MOST: usize = 1024;

/// Counters that all runs of a host share.
#[derive(Debug, Default)]
pub struct Counters(Mutex<Counted>);

/// Counters that nobody else can change as long as this is held.
#[derive(Debug, Default)]
pub(crate) struct Counted(HashMap<Key, VecDeque<(Timestamp, u64)>>);

/// What is counted for itself.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Key {
    file: Arc<str>,
    agent: Arc<str>,
    principal: Arc<str>,
    requirement: RequirementId,
}

impl Key {
    pub(crate) fn new(file: &Arc<str>, agent: &Agent, requirement: RequirementId) -> Self {
        Key {
            file: file.clone(),
            agent: agent.name().clone(),
            principal: agent.principal.clone(),
            requirement,
        }
    }
}

impl Counters {
    /// Held from the decision to the grant, so that two cannot take one place.
    pub(crate) fn hold(&self) -> MutexGuard<'_, Counted> {
        // A panic elsewhere leaves counts that are whole: each is one entry.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Whether an instant is over for a window that ends now. One that is still to
/// come, because a clock was set back, is not.
fn is_over(at: Timestamp, window: i64, now: Timestamp) -> bool {
    now.duration_since(at).as_nanos() >= i128::from(window)
}

impl Counted {
    /// Whether one more is within the rate.
    pub(crate) fn has_room(&self, key: &Key, rate: Rate, now: Timestamp) -> bool {
        let entries = self.0.get(key).into_iter().flatten();
        let within = entries.filter(|(at, _)| !is_over(*at, rate.window, now));
        let count = within.fold(0u64, |sum, (_, count)| sum.saturating_add(*count));
        count < rate.count
    }

    /// Counts one.
    pub(crate) fn take(&mut self, key: &Key, rate: Rate, now: Timestamp) {
        let entries = match self.0.get_mut(key) {
            Some(entries) => entries,
            None => self.0.entry(key.clone()).or_default(),
        };
        while entries
            .front()
            .is_some_and(|(at, _)| is_over(*at, rate.window, now))
        {
            entries.pop_front();
        }
        if entries.len() >= MOST {
            let pairs: Vec<(Timestamp, u64)> = entries.drain(..).collect();
            entries.extend(pairs.chunks(2).map(|pair| {
                let at = pair.iter().map(|(at, _)| *at).max().unwrap_or(now);
                let count = pair.iter().fold(0u64, |sum, (_, n)| sum.saturating_add(*n));
                (at, count)
            }));
        }
        entries.push_back((now, 1));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(seconds: i64) -> Timestamp {
        Timestamp::from_second(seconds).expect("an instant")
    }

    fn key() -> Key {
        Key {
            file: "a.symbi".into(),
            agent: "a".into(),
            principal: "p".into(),
            requirement: RequirementId {
                block: 0,
                requirement: 0,
            },
        }
    }

    #[test]
    fn a_window_slides_and_a_clock_that_is_set_back_frees_nothing() {
        let rate = symbi_mini::rate::parse("2/minute").expect("a rate");
        let (mut counted, key) = (Counted::default(), key());
        counted.take(&key, rate, at(100));
        counted.take(&key, rate, at(130));
        for (now, room) in [(131, false), (159, false), (160, true), (50, false)] {
            assert_eq!(counted.has_room(&key, rate, at(now)), room, "{now}");
        }
    }

    #[test]
    fn a_counter_stays_bounded_and_lets_go_no_earlier() {
        let rate = symbi_mini::rate::parse("5000/hour").expect("a rate");
        let (mut counted, key) = (Counted::default(), key());
        let mut granted = 0;
        for second in 0..3000 {
            for _ in 0..2 {
                if counted.has_room(&key, rate, at(second)) {
                    counted.take(&key, rate, at(second));
                    granted += 1;
                }
            }
        }
        assert_eq!(granted, 5000);
        assert!(counted.0[&key].len() <= MOST);
        assert!(!counted.has_room(&key, rate, at(3599)));
    }
}

//! How long a decision takes here and with Cedar, in CPU time of this thread.
//!
//! In turns, as everything here; batches of about a millisecond, since one
//! decision is shorter than what a clock costs. Before anything is measured
//! both sides give each question the same answer, for the same rule.

use crate::cedar::Cedar;
use crate::decisions::{Ours, QUESTIONS, permitted};
use crate::measure::timed;

/// How often ours asks each question in a batch, and Cedar.
const ROUNDS: (usize, usize) = (400, 10);

/// Nanoseconds of CPU time for one decision.
#[derive(Clone, Copy, Debug)]
pub struct Decided {
    /// Ours, of what is there.
    pub ours: f64,
    /// Cedar's.
    pub cedar: f64,
    /// Ours, with arguments and facts that are built for it.
    pub ours_built: f64,
    /// Cedar's, with a context and a request that are built for it.
    pub cedar_built: f64,
}

/// Measures so many batches of each.
///
/// # Errors
/// A side does not decide as it should.
pub fn measure(batches: usize) -> Result<Decided, String> {
    let ours = Ours::default();
    ours.check()?;
    let cedar = Cedar::new().map_err(|error| error.to_string())?;
    cedar.check()?;

    let mut best = [u64::MAX; 4];
    for _ in 0..batches {
        let (time, found) = timed(|| ours.decide(ROUNDS.0));
        best[0] = best[0].min(time);
        right("we", found, ROUNDS.0)?;

        let (time, responses) = timed(|| cedar.decide(ROUNDS.1));
        best[1] = best[1].min(time);
        right("Cedar", Cedar::permitted(&responses), ROUNDS.1)?;

        let (time, found) = timed(|| ours.build_and_decide(ROUNDS.0));
        best[2] = best[2].min(time);
        right("we", found, ROUNDS.0)?;

        let (time, found) = timed(|| cedar.build_and_decide(ROUNDS.1));
        best[3] = best[3].min(time);
        let found = found.map_err(|error| error.to_string())?;
        right("Cedar", found, ROUNDS.1)?;
    }
    let each = |time: u64, rounds: usize| time as f64 / (rounds * QUESTIONS.len()) as f64;
    Ok(Decided {
        ours: each(best[0], ROUNDS.0),
        cedar: each(best[1], ROUNDS.1),
        ours_built: each(best[2], ROUNDS.0),
        cedar_built: each(best[3], ROUNDS.1),
    })
}

fn right(who: &str, found: usize, rounds: usize) -> Result<(), String> {
    let expected = permitted() * rounds;
    match found == expected {
        true => Ok(()),
        false => Err(format!("{who} permit {found} calls of {expected}")),
    }
}

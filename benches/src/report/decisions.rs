//! Decisions about effects: ours alone, and beside Cedar's in the peers' harness.

use std::process::Command;
use std::time::Duration;

use serde::Deserialize;

use super::{Inputs, Limit, On, Report, Row, peers};
use crate::Error;
use crate::clock::best;
use crate::decisions::{Ours, QUESTIONS, permitted};

const NAME: &str = "cedar-policy 4.14.1";

/// How often each question is asked in a run, of which there are many: a run
/// takes about a millisecond.
const ROUNDS: usize = 400;
const RUNS: usize = 300;

/// What the harness says about one decision, in nanoseconds of CPU time.
#[derive(Debug, Deserialize)]
struct Decided {
    /// Of what is there.
    ours: f64,
    cedar: f64,
    /// With what is built for it.
    ours_built: f64,
    cedar_built: f64,
}

pub(super) fn rows(inputs: &Inputs, report: &mut Report) -> Result<(), Error> {
    let ours = Ours::default();
    ours.check().map_err(Error::Wrong)?;
    let expected = permitted() * ROUNDS;
    let time = best(
        RUNS,
        || ours.decide(ROUNDS),
        |found| match *found == expected {
            true => Ok(()),
            false => Err(Error::Wrong(format!(
                "{found} calls of {expected} are permitted"
            ))),
        },
    )?;
    let each = nanoseconds(time) / (ROUNDS * QUESTIONS.len()) as f64;
    report.rows.push(
        Row::new("a decision, 10 rules, one thread", millions(each), "M/s")
            .detail(format!("{each:.0} ns"))
            .goal(On::Ours, Limit::AtLeast(3.0)),
    );

    let Some(harness) = peers::harness(inputs, report, "the decisions beside Cedar's") else {
        return Ok(());
    };
    let decided: Decided = peers::ask(Command::new(harness).arg("decide"))?;
    report.rows.push(
        Row::new(
            "a decision beside Cedar's, 10 rules",
            millions(decided.ours),
            "M/s",
        )
        .peer(NAME, millions(decided.cedar))
        .goal(On::Ratio, Limit::AtLeast(20.0)),
    );
    report.rows.push(
        Row::new(
            "the same, with arguments and facts built for each",
            millions(decided.ours_built),
            "M/s",
        )
        .peer(NAME, millions(decided.cedar_built)),
    );
    Ok(())
}

fn nanoseconds(time: Duration) -> f64 {
    time.as_secs_f64() * 1e9
}

/// How many millions a second.
fn millions(nanoseconds: f64) -> f64 {
    1e3 / nanoseconds
}

//! Small programs in our machine, beside rhai in the peers' harness.

use std::process::Command;

use serde::Deserialize;

use super::{Inputs, Limit, On, Report, Row, peers};
use crate::Error;

const NAME: &str = "rhai 1";

/// What the harness says about one program, in nanoseconds of CPU time.
#[derive(Debug, Deserialize)]
struct Ran {
    name: String,
    ours: f64,
    rhai: f64,
}

pub(super) fn rows(inputs: &Inputs, report: &mut Report) -> Result<(), Error> {
    let Some(harness) = peers::harness(inputs, report, "the programs beside rhai") else {
        return Ok(());
    };
    let all: Vec<Ran> = peers::ask(Command::new(harness).arg("programs"))?;
    // As runs a second, so that more is better as in the other rows.
    let each = |nanoseconds: f64| 1e9 / nanoseconds;
    for ran in all {
        report.rows.push(
            Row::new(format!("a program: {}", ran.name), each(ran.ours), "/s")
                .detail(format!("{:.2} ms", ran.ours / 1e6))
                .peer(NAME, each(ran.rhai))
                .goal(On::Ratio, Limit::AtLeast(2.0)),
        );
    }
    Ok(())
}

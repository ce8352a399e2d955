//! `symbi dsl --check` of one file as a whole process, beside a program that
//! does nothing.

use std::ffi::OsString;
use std::time::Duration;

use super::{Inputs, Limit, On, Report, Row, project, write};
use crate::Error;
use crate::corpus::SEED;
use crate::one_run::measure;

const RUNS: usize = 40;

pub(super) fn rows(inputs: &Inputs, report: &mut Report) -> Result<(), Error> {
    let folder = project()?;
    let file = folder.path().join("one.symbi");
    write(&file, &inputs.corpus.generate(5_000, SEED).text)?;
    let symbi = [
        inputs.symbi()?.into_os_string(),
        "dsl".into(),
        "--check".into(),
        file.into_os_string(),
    ];
    let nothing = [OsString::from("/bin/true")];

    // One after the other, so that what disturbs one disturbs the other.
    let (mut ours, mut theirs) = (Duration::MAX, Duration::MAX);
    for _ in 0..RUNS {
        theirs = theirs.min(measure(&nothing)?.wall);
        let run = measure(&symbi)?;
        if !run.stdout.trim_end().ends_with("  OK") {
            return Err(Error::Wrong(format!(
                "the verdict is `{}`",
                run.stdout.trim()
            )));
        }
        ours = ours.min(run.wall);
    }
    let milliseconds = |time: Duration| time.as_secs_f64() * 1e3;
    let limit = 1.5 * milliseconds(theirs) + 2.0;
    report.rows.push(
        Row::new(
            format!("`symbi dsl --check` of one file, process, minimum of {RUNS} runs"),
            milliseconds(ours),
            "ms",
        )
        .peer("`/bin/true`", milliseconds(theirs))
        .goal(On::Ours, Limit::AtMost(limit))
        .in_words("≤ 1.5 × `/bin/true` + 2 ms"),
    );
    Ok(())
}

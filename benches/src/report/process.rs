//! `symbi dsl --check` of one file as a whole process, beside a program that
//! does nothing.

use std::ffi::OsString;
use std::time::Duration;

use super::{Inputs, Limit, On, Report, Row, folder, project, write};
use crate::Error;
use crate::corpus::SEED;
use crate::one_run::measure;

const RUNS: usize = 40;

pub(super) fn rows(inputs: &Inputs, report: &mut Report) -> Result<(), Error> {
    let text = inputs.corpus.generate(5_000, SEED).text;
    // A file of its own, of which the calls of tools are external actions; and
    // the same in a project, whose tools are read.
    let (own_folder, project_folder) = (folder()?, project()?);
    let command = |folder: &tempfile::TempDir| -> Result<[OsString; 5], Error> {
        let file = folder.path().join("one.symbi");
        write(&file, &text)?;
        Ok([
            inputs.symbi()?.into_os_string(),
            "dsl".into(),
            "--check".into(),
            "-q".into(),
            file.into_os_string(),
        ])
    };
    let (alone, project) = (command(&own_folder)?, command(&project_folder)?);
    let nothing = [OsString::from("/bin/true")];

    // One after the other, so that what disturbs one disturbs the others.
    let (mut ours, mut theirs) = (Duration::MAX, Duration::MAX);
    let mut with_tools = Duration::MAX;
    for _ in 0..RUNS {
        theirs = theirs.min(measure(&nothing)?.wall);
        for (command, least) in [(&alone, &mut ours), (&project, &mut with_tools)] {
            let run = measure(command)?;
            if !run.stdout.contains("  OK") {
                return Err(Error::Wrong(format!(
                    "the verdict is `{}`",
                    run.stdout.trim()
                )));
            }
            *least = (*least).min(run.wall);
        }
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
    report.rows.push(Row::new(
        "the same file in a project with the tools of our examples",
        milliseconds(with_tools),
        "ms",
    ));
    Ok(())
}

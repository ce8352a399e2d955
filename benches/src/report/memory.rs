//! Memory of a check of 5 MB, above that of a run with nothing to do: once, and
//! in a program that stays.

use std::ffi::OsString;
use std::path::Path;

use super::{Inputs, Limit, On, Report, Row, project, write};
use crate::Error;
use crate::one_run::measure;

const RUNS: usize = 3;

pub(super) fn rows(inputs: &Inputs, report: &mut Report) -> Result<(), Error> {
    let symbi = inputs.symbi()?;
    // A folder each: the other file must not be a part of the project.
    let folders = [project()?, project()?];
    let files = [
        ("small.symbi", "agent a {}\n"),
        ("large.symbi", &*inputs.large.text),
    ];
    for (folder, (name, text)) in folders.iter().zip(files) {
        write(&folder.path().join(name), text)?;
    }
    let bench = std::env::current_exe().map_err(|error| Error::program("symbi-bench", error))?;
    let check: [OsString; 3] = [symbi.into(), "dsl".into(), "--check".into()];
    let resident: [OsString; 2] = [bench.into(), "resident".into()];
    let programs: [(&str, &[OsString], f64); 2] = [
        ("check of 5 MB", &check, 6.0),
        ("a program that stays, 5 MB", &resident, 12.0),
    ];
    for (what, program, goal) in programs {
        let peak = |file: usize| {
            let (name, _) = files[file];
            least_peak(program, &folders[file].path().join(name))
        };
        let (small, large) = (peak(0)?, peak(1)?);
        let times = large.saturating_sub(small) as f64 / inputs.large.text.len() as f64;
        let mb = |bytes: u64| bytes as f64 / 1e6;
        report.rows.push(
            Row::new(
                format!("{what}, peak memory above a run on one line"),
                times,
                "×",
            )
            .detail(format!(
                "{:.1} MB; on one line {:.1} MB",
                mb(large),
                mb(small)
            ))
            .goal(On::Ours, Limit::AtMost(goal)),
        );
    }
    Ok(())
}

/// The least of a few runs: where the system lays a program out differs by
/// some pages each time.
fn least_peak(program: &[OsString], file: &Path) -> Result<u64, Error> {
    let mut command = program.to_vec();
    command.push(file.as_os_str().to_owned());
    let mut least = u64::MAX;
    for _ in 0..RUNS {
        let run = measure(&command)?;
        if run.peak <= run.floor {
            return Err(Error::Wrong(format!(
                "a peak of {} bytes cannot be told from its parent's",
                run.peak
            )));
        }
        least = least.min(run.peak);
    }
    Ok(least)
}

//! Memory of a one-shot check of 5 MB, above that of a run with nothing to do.

use std::path::Path;

use super::{Inputs, Limit, On, Report, Row, project, write};
use crate::Error;
use crate::one_run::measure;

const RUNS: usize = 3;

pub(super) fn rows(inputs: &Inputs, report: &mut Report) -> Result<(), Error> {
    let symbi = inputs.symbi()?;
    let folder = project()?;
    let peak = |name: &str, text: &str| {
        let file = folder.path().join(name);
        write(&file, text)?;
        least_peak(&symbi, &file)
    };
    let small = peak("small.symbi", "agent a {}\n")?;
    let large = peak("large.symbi", &inputs.large.text)?;
    let times = large.saturating_sub(small) as f64 / inputs.large.text.len() as f64;
    let mb = |bytes: u64| bytes as f64 / 1e6;
    report.rows.push(
        Row::new(
            "check of 5 MB, peak memory above a run on one line",
            times,
            "×",
        )
        .detail(format!(
            "{:.1} MB; on one line {:.1} MB",
            mb(large),
            mb(small)
        ))
        .goal(On::Ours, Limit::AtMost(6.0)),
    );
    Ok(())
}

/// The least of a few runs: where the system lays a program out differs by
/// some pages each time.
fn least_peak(symbi: &Path, file: &Path) -> Result<u64, Error> {
    let command = [
        symbi.as_os_str().to_owned(),
        "dsl".into(),
        "--check".into(),
        file.as_os_str().to_owned(),
    ];
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

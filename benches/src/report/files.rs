//! A check of many small files in one run, beside the program that only counts
//! their words. The files are in the system's cache for both.

use std::ffi::OsString;
use std::time::Duration;

use super::{Inputs, Limit, On, Report, Row, project, write};
use crate::Error;
use crate::clock::mb_per_second;
use crate::corpus::SEED;
use crate::one_run::measure;

const FILES: usize = 1_000;
const BYTES: usize = 5_000;
const RUNS: usize = 15;

pub(super) fn rows(inputs: &Inputs, report: &mut Report) -> Result<(), Error> {
    let folder = project()?;
    let mut bytes = 0;
    let mut wc = vec![OsString::from("wc")];
    for number in 0..FILES {
        let text = inputs.corpus.generate_part(BYTES, SEED, number).text;
        let path = folder.path().join(format!("{number:04}.symbi"));
        write(&path, &text)?;
        bytes += text.len();
        wc.push(path.into_os_string());
    }
    let symbi = [
        inputs.symbi()?.into_os_string(),
        "dsl".into(),
        "--check".into(),
        folder.path().as_os_str().to_owned(),
    ];

    let (mut wall, mut cpu, mut wc_wall) = (Duration::MAX, Duration::MAX, Duration::MAX);
    for _ in 0..RUNS {
        let run = measure(&wc)?;
        let counted = run.stdout.lines().last().unwrap_or("");
        if !counted
            .split_whitespace()
            .any(|word| word == bytes.to_string())
        {
            return Err(Error::Wrong(format!(
                "wc says `{counted}` of {bytes} bytes"
            )));
        }
        wc_wall = wc_wall.min(run.wall);

        let run = measure(&symbi)?;
        let fine = run
            .stdout
            .lines()
            .filter(|line| line.ends_with("  OK"))
            .count();
        if fine != FILES {
            return Err(Error::Wrong(format!("{fine} of {FILES} files are OK")));
        }
        wall = wall.min(run.wall);
        cpu = cpu.min(run.cpu);
    }
    let size = bytes as f64 / 1e6;
    let milliseconds = |time: Duration| time.as_secs_f64() * 1e3;
    report.rows.push(
        Row::new(
            format!("check of {FILES} files, {size:.1} MB, process, wall"),
            milliseconds(wall),
            "ms",
        )
        .peer("`wc`", milliseconds(wc_wall))
        .goal(On::Ratio, Limit::AtMost(5.0)),
    );
    report.rows.push(
        Row::new(
            format!("check of {FILES} files, {size:.1} MB, process, CPU of all threads"),
            mb_per_second(bytes, cpu),
            "MB/s",
        )
        .detail(format!("{:.1} ms", milliseconds(cpu)))
        .goal(On::Ours, Limit::AtLeast(20.0)),
    );
    Ok(())
}

//! How the time of each stage grows: n, 2n and 4n bytes of the same kind. What
//! is linear doubles; a ratio a little over 2 is the memory behind the caches.

use super::stages::Stage;
use super::{BYTES, Inputs, Limit, On, RUNS, Report, Row};
use crate::Error;
use crate::corpus::SEED;

pub(super) fn rows(inputs: &Inputs, report: &mut Report) -> Result<(), Error> {
    let made = [BYTES / 4, BYTES / 2, BYTES].map(|bytes| inputs.corpus.generate(bytes, SEED));
    for stage in Stage::ALL {
        // Seconds a byte of what was really generated, times 2: exactly twice
        // the input cannot be had of whole files.
        let mut per_byte = Vec::new();
        for made in &made {
            let time = stage.best(made, RUNS)?;
            per_byte.push(time.as_secs_f64() / made.text.len() as f64);
        }
        let ratios: Vec<f64> = per_byte
            .windows(2)
            .map(|pair| 2.0 * pair[1] / pair[0])
            .collect();
        let worst = ratios.iter().copied().fold(0.0, f64::max);
        let all: Vec<String> = ratios.iter().map(|ratio| format!("{ratio:.2}")).collect();
        report.rows.push(
            Row::new(
                format!("{}, twice the input (1.25, 2.5, 5 MB)", stage.words()),
                worst,
                "×",
            )
            .detail(all.join(", "))
            .goal(On::Ours, Limit::AtMost(2.3)),
        );
    }
    Ok(())
}

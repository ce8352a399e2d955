//! Scripts of random edits, on all processors: after each of them the resident
//! program says what a fresh one says.

use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};

use symbi_analysis::fuzzing::edits::{self, Done};

use crate::Error;
use crate::corpus;

/// Runs the scripts of these seeds over our examples.
pub fn run(seeds: Range<u64>, edits: usize) -> Result<Done, Error> {
    let texts = corpus::texts(&corpus::examples_folder())?;
    let next = AtomicU64::new(seeds.start);
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let worker = || -> Result<Done, String> {
        let mut total = Done::default();
        loop {
            let seed = next.fetch_add(1, Ordering::Relaxed);
            if seed >= seeds.end {
                return Ok(total);
            }
            let done = edits::run(seed, edits, &texts)?;
            total.edits += done.edits;
            total.cancelled += done.cancelled;
            total.reports += done.reports;
        }
    };
    std::thread::scope(|scope| {
        let workers: Vec<_> = (0..threads).map(|_| scope.spawn(worker)).collect();
        let mut total = Done::default();
        for worker in workers {
            let done = worker
                .join()
                .map_err(|_| Error::Wrong("a script panicked".to_owned()))?
                .map_err(Error::Wrong)?;
            total.edits += done.edits;
            total.cancelled += done.cancelled;
            total.reports += done.reports;
        }
        Ok(total)
    })
}

//! Time as the measurements count it.
//!
//! In-process work is counted in CPU time of its own thread: other work on the
//! machine then only costs what it evicts from the caches. Of several runs the
//! shortest counts, because disturbance only ever adds.

use std::time::Duration;

use nix::time::{ClockId, clock_gettime};

/// CPU time that this thread has used so far.
pub fn thread_cpu() -> Duration {
    clock_gettime(ClockId::CLOCK_THREAD_CPUTIME_ID)
        .map(Duration::from)
        // INVARIANT: Linux has this clock for every thread.
        .expect("a clock of this thread's CPU time")
}

/// CPU time of one call, and its result. Dropping the result is not part of it.
pub fn timed<T>(work: impl FnOnce() -> T) -> (Duration, T) {
    let start = thread_cpu();
    let result = std::hint::black_box(work());
    (thread_cpu().saturating_sub(start), result)
}

/// The shortest of several runs; `check` looks at each result, outside the
/// time.
pub fn best<T, E>(
    runs: usize,
    mut work: impl FnMut() -> T,
    mut check: impl FnMut(&T) -> Result<(), E>,
) -> Result<Duration, E> {
    let mut best = Duration::MAX;
    for _ in 0..runs {
        let (time, result) = timed(&mut work);
        check(&result)?;
        best = best.min(time);
    }
    Ok(best)
}

/// Millions of bytes a second.
pub fn mb_per_second(bytes: usize, time: Duration) -> f64 {
    bytes as f64 / 1e6 / time.as_secs_f64()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_clock_counts_work_and_not_waiting() {
        let (time, sum) =
            timed(|| (0..3_000_000u64).fold(0, |sum, n| sum ^ n.wrapping_mul(sum | 1)));
        assert_ne!(sum, 0);
        assert!(time > Duration::ZERO);
        // Another thread's work is waited for here, not done here.
        let (waited, inner) = timed(|| {
            std::thread::spawn(|| {
                timed(|| (0..20_000_000u64).fold(1, |a, n| a ^ n.rotate_left(a as u32 & 63))).0
            })
            .join()
            .expect("the other thread ends")
        });
        assert!(waited < inner, "{waited:?} of waiting for {inner:?}");
    }

    #[test]
    fn the_shortest_run_counts_and_every_result_is_checked() {
        let mut seen = 0;
        let best: Result<Duration, ()> = best(
            5,
            || 1,
            |result| {
                seen += result;
                Ok(())
            },
        );
        assert_eq!(seen, 5);
        assert!(best.is_ok_and(|time| time < Duration::from_secs(1)));
        assert_eq!(super::best(5, || 1, |_| Err("no")), Err("no"));
    }

    #[test]
    fn megabytes_are_millions_of_bytes() {
        assert_eq!(mb_per_second(5_000_000, Duration::from_millis(100)), 50.0);
    }
}

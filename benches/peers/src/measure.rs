//! How long each side takes for one text, in CPU time of this thread.
//!
//! The two run in turns, so that what disturbs one disturbs the other; of
//! several runs the shortest counts. Freeing the result is not counted for
//! either side. Every result is checked.

use std::sync::Arc;
use std::time::Duration;

use nix::time::{ClockId, clock_gettime};

use crate::{ours, peer};

/// Nanoseconds of CPU time.
#[derive(Clone, Copy, Debug)]
pub struct Measured {
    /// How long the text is.
    pub bytes: usize,
    /// Our tokens, tree and reports.
    pub parse_ours: u64,
    /// The peer's tree alone.
    pub parse_peer: u64,
    /// The peer's tree and its list of errors.
    pub parse_peer_with_errors: u64,
    /// The tree of our grammar for editors.
    pub grammar_ours: u64,
    /// Our text to formatted text.
    pub format_ours: u64,
    /// The peer's.
    pub format_peer: u64,
}

/// Measures both sides on a text that both read without an error.
pub fn measure(text: &str, runs: usize) -> Result<Measured, String> {
    let text: Arc<str> = text.into();
    let mut best = [u64::MAX; 4];
    for _ in 0..runs {
        // Ours takes a small part of the peer's time: more runs make it even.
        for _ in 0..3 {
            let (time, (file, reports)) = timed(|| ours::parse(&text));
            if reports > 0 || file.items().is_empty() {
                return Err(format!("our parser has {reports} reports"));
            }
            best[0] = best[0].min(time);
        }
        let (time, tree) = timed(|| peer::tree(&text));
        if tree
            .map_err(|error| error.to_string())?
            .root_node()
            .has_error()
        {
            return Err("the peer's parser finds an error".to_owned());
        }
        best[1] = best[1].min(time);
        let (time, tree) = timed(|| ours::grammar(&text));
        if tree?.root_node().has_error() {
            return Err("our grammar finds an error".to_owned());
        }
        best[3] = best[3].min(time);
        let (time, parsed) = timed(|| peer::parse(&text));
        let errors = parsed.map_err(|error| error.to_string())?.1.len();
        if errors > 0 {
            return Err(format!("the peer's parser finds {errors} errors"));
        }
        best[2] = best[2].min(time);
    }
    let (format_ours, format_peer) = format(&text, runs)?;
    Ok(Measured {
        bytes: text.len(),
        parse_ours: best[0],
        parse_peer: best[1],
        parse_peer_with_errors: best[2],
        grammar_ours: best[3],
        format_ours,
        format_peer,
    })
}

fn format(text: &Arc<str>, runs: usize) -> Result<(u64, u64), String> {
    let mut best = (u64::MAX, u64::MAX);
    for _ in 0..runs {
        for _ in 0..3 {
            let (time, formatted) = timed(|| ours::format(text));
            let formatted = formatted?;
            if ours::comments(&formatted) != ours::comments(text) {
                return Err("our formatter changes comments".to_owned());
            }
            best.0 = best.0.min(time);
        }
        let (time, formatted) = timed(|| peer::format(text));
        if formatted.map_err(|error| error.to_string())?.is_empty() {
            return Err("the peer's formatter gives nothing".to_owned());
        }
        best.1 = best.1.min(time);
    }
    Ok(best)
}

pub(crate) fn timed<T>(work: impl FnOnce() -> T) -> (u64, T) {
    let start = thread_cpu();
    let result = std::hint::black_box(work());
    let time = thread_cpu().saturating_sub(start);
    (u64::try_from(time.as_nanos()).unwrap_or(u64::MAX), result)
}

fn thread_cpu() -> Duration {
    clock_gettime(ClockId::CLOCK_THREAD_CPUTIME_ID)
        .map(Duration::from)
        // INVARIANT: Linux has this clock for every thread.
        .expect("a clock of this thread's CPU time")
}

//! Work on many things at once whose results are wanted in order.

use rayon::prelude::*;

/// How many results may wait for their turn. Large enough to keep every core
/// busy, small enough that the first lines come soon and memory stays bounded.
const WAITING: usize = 256;

/// Does `work` on every item, several at a time, and hands the results to
/// `done` in the order of the items, until `done` fails.
pub fn in_order<'t, T: Sync, R: Send, E>(
    items: &'t [T],
    work: impl Fn(&'t T) -> R + Sync,
    mut done: impl FnMut(R) -> Result<(), E>,
) -> Result<(), E> {
    // Starting threads takes longer than reading one file. And a machine that
    // gives us no threads gives the same answer later.
    let pool = if items.len() > 1 {
        rayon::ThreadPoolBuilder::new().build().ok()
    } else {
        None
    };
    let Some(pool) = pool else {
        return items.iter().map(work).try_for_each(done);
    };
    for batch in items.chunks(WAITING) {
        let results: Vec<R> =
            pool.install(|| batch.par_iter().with_max_len(1).map(&work).collect());
        results.into_iter().try_for_each(&mut done)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_come_in_order_and_stop_with_the_first_failure() {
        let items: Vec<usize> = (0..3 * WAITING).collect();
        let mut seen = Vec::new();
        let stopped = in_order(
            &items,
            |item| item * 2,
            |result| {
                seen.push(result);
                if result == 1000 { Err(result) } else { Ok(()) }
            },
        );
        assert_eq!(stopped, Err(1000));
        assert_eq!(seen, (0..=500).map(|item| item * 2).collect::<Vec<_>>());
    }
}

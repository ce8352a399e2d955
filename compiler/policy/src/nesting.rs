//! How deep data may nest that is read from outside.
//!
//! A reader follows nested data by recursion, so what comes from outside is
//! bounded before the stack is: each level is counted while it is read.

use std::cell::Cell;

/// The most levels that are read: more than the parser lets a program nest.
pub const MAX_NESTING: u32 = 320;

thread_local! {
    static LEVELS: Cell<u32> = const { Cell::new(0) };
}

/// One level of what is being read, until it is dropped.
#[derive(Debug)]
pub struct Level(());

impl Level {
    /// One more level.
    ///
    /// # Errors
    /// There are [`MAX_NESTING`] already.
    pub fn enter<E: serde::de::Error>() -> Result<Level, E> {
        LEVELS.with(|levels| match levels.get() {
            MAX_NESTING => Err(E::custom(format_args!(
                "it nests deeper than {MAX_NESTING} levels"
            ))),
            open => {
                levels.set(open + 1);
                Ok(Level(()))
            }
        })
    }
}

impl Drop for Level {
    fn drop(&mut self) {
        LEVELS.with(|levels| levels.set(levels.get().saturating_sub(1)));
    }
}

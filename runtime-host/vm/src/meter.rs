//! What a run may use: steps and memory.

use crate::raise::Failure;

/// What is left.
#[derive(Clone, Debug, serde::Serialize, serde::Deserialize)]
pub struct Meter {
    /// Steps that are left.
    pub fuel: u64,
    /// The most bytes that values may take.
    pub limit: usize,
    /// The bytes in use when they were last counted.
    pub live: usize,
    /// The bytes that were asked for since.
    pub since: usize,
}

impl Meter {
    /// A full one.
    pub fn new(fuel: u64, limit: usize) -> Self {
        Meter {
            fuel,
            limit,
            live: 0,
            since: 0,
        }
    }

    /// Takes steps for work that is more than one.
    ///
    /// # Errors
    /// There are not as many left.
    pub fn work(&mut self, steps: usize) -> Result<(), Failure> {
        match self.fuel.checked_sub(steps as u64) {
            Some(left) => {
                self.fuel = left;
                Ok(())
            }
            None => {
                self.fuel = 0;
                Err(Failure::Fuel)
            }
        }
    }

    /// Asks for memory. It has to be asked for before anything is changed: on
    /// failure the whole step may be done once more.
    ///
    /// # Errors
    /// There may be not as much left.
    pub fn allocate(&mut self, bytes: usize) -> Result<(), Failure> {
        let since = self.since.saturating_add(bytes);
        if self.live.saturating_add(since) > self.limit {
            return Err(Failure::Memory);
        }
        self.since = since;
        Ok(())
    }

    /// Asks for the memory of a result that takes time in its size to make.
    ///
    /// # Errors
    /// There is not enough memory or fuel.
    pub fn make(&mut self, bytes: usize) -> Result<(), Failure> {
        self.allocate(bytes)?;
        self.work(bytes / 64)
    }
}

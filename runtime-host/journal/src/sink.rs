//! What a writer writes to: a file, or in tests one that fails.

use std::fs::File;
use std::io::{self, Write};
use std::os::unix::fs::MetadataExt;

/// The file behind a writer.
pub trait Sink: Send {
    /// Writes some of the bytes at the end: how many.
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize>;
    /// Waits until all that was written is on disk.
    fn sync(&mut self) -> io::Result<()>;
    /// The length in bytes, and how many names the file has.
    fn state(&self) -> io::Result<(u64, u64)>;
}

impl Sink for File {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        Write::write(self, bytes)
    }

    fn sync(&mut self) -> io::Result<()> {
        self.sync_data()
    }

    fn state(&self) -> io::Result<(u64, u64)> {
        let metadata = self.metadata()?;
        Ok((metadata.len(), metadata.nlink()))
    }
}

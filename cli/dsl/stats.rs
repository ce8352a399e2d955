//! `--stats`: how much was checked, and in what time.

use std::time::{Duration, Instant};

/// What a run did.
pub struct Stats {
    start: Instant,
    /// When all was read.
    read: Duration,
    besides: usize,
    files: usize,
    bytes: usize,
}

impl Stats {
    /// A run begins.
    pub fn begin() -> Self {
        Self {
            start: Instant::now(),
            read: Duration::ZERO,
            besides: 0,
            files: 0,
            bytes: 0,
        }
    }

    /// All sources are read, and so many others of their projects.
    pub fn read(&mut self, besides: usize) {
        self.read = self.start.elapsed();
        self.besides = besides;
    }

    /// One more file of so many bytes has its verdict.
    pub fn checked(&mut self, bytes: usize) {
        self.files += 1;
        self.bytes += bytes;
    }

    /// The lines that tell it.
    pub fn end(&self) -> String {
        let total = self.start.elapsed();
        let seconds = total.as_secs_f64().max(1e-9);
        format!(
            "checked {} files, {} bytes, and read {} more of their projects\n\
             reading {:.1} ms, checking {:.1} ms, in all {:.1} ms ({:.1} MB/s)\n",
            self.files,
            self.bytes,
            self.besides,
            self.read.as_secs_f64() * 1e3,
            (total - self.read).as_secs_f64() * 1e3,
            seconds * 1e3,
            self.bytes as f64 / seconds / 1e6,
        )
    }
}

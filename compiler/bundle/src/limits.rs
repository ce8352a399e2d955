//! How much of a bundle is read.

/// How large a bundle may be. What [`crate::write`] makes is within the default
/// ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Bytes of the file.
    pub file: u64,
    /// How many entries, without the manifest and the signature.
    pub entries: usize,
    /// Bytes of one entry.
    pub entry: u64,
    /// Bytes of all entries together.
    pub total: u64,
    /// Bytes of the manifest.
    pub manifest: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            file: 64 << 20,
            entries: 4096,
            entry: 32 << 20,
            total: 64 << 20,
            manifest: 2 << 20,
        }
    }
}

/// Bytes of a signature: it is 250 bytes long.
pub(crate) const SIGNATURE_BYTES: u64 = 4096;

/// Bytes of a file with a key.
pub(crate) const KEY_BYTES: u64 = 64 << 10;

impl Limits {
    /// The bytes of an archive that is within the limits: each file has a header
    /// of 512 bytes and up to 511 behind it, and the end is 1,024 more.
    pub(crate) fn archive(&self) -> u64 {
        let files = (self.entries as u64).saturating_add(2);
        files
            .saturating_mul(1024)
            .saturating_add(1024)
            .saturating_add(SIGNATURE_BYTES)
            .saturating_add(self.manifest)
            .saturating_add(self.total)
    }
}

//! The manifest: what a bundle holds. Its bytes are fixed by what they say, and
//! their SHA-256 is the identity of the bundle.

use serde::{Deserialize, Serialize};

use crate::limits::Limits;
use crate::path::Paths;
use crate::{BundleError, Digest, VERSION};

const FORMAT: &str = "symbi-bundle";

/// The longest name of a toolchain.
const TOOLCHAIN: usize = 64;

/// The fields in the order in which they are written.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Written<'a> {
    format: &'a str,
    version: u64,
    toolchain: &'a str,
    entries: Vec<Line<'a>>,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Line<'a> {
    path: &'a str,
    size: u64,
    sha256: &'a str,
}

/// What all versions have in common.
#[derive(Deserialize)]
struct Head {
    format: String,
    version: u64,
}

/// What a bundle holds, without the bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Manifest {
    pub(crate) toolchain: String,
    /// In the order of the bytes of their paths.
    pub(crate) entries: Vec<Listed>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Listed {
    pub(crate) path: String,
    pub(crate) size: u64,
    pub(crate) sha256: Digest,
}

impl Manifest {
    /// The bytes, which say the same on any machine.
    pub(crate) fn to_bytes(&self) -> Vec<u8> {
        let hashes: Vec<String> = self.entries.iter().map(|e| e.sha256.to_string()).collect();
        let lines = self.entries.iter().zip(&hashes);
        let written = Written {
            format: FORMAT,
            version: VERSION,
            toolchain: &self.toolchain,
            entries: lines
                .map(|(entry, hash)| Line {
                    path: &entry.path,
                    size: entry.size,
                    sha256: hash,
                })
                .collect(),
        };
        // INVARIANT: strings and numbers are JSON whatever they are, and writing
        // into memory does not fail.
        #[expect(clippy::expect_used, reason = "the invariant above")]
        serde_json::to_vec(&written).expect("a manifest is JSON")
    }

    /// What these bytes say, if they are what [`Self::to_bytes`] makes of it.
    pub(crate) fn parse(bytes: &[u8], limits: &Limits) -> Result<Self, BundleError> {
        let head: Head = serde_json::from_slice(bytes).map_err(unreadable)?;
        if head.format != FORMAT {
            return Err(BundleError::NotABundle {
                problem: "its manifest is that of another format",
            });
        }
        if head.version != VERSION {
            return Err(BundleError::UnknownVersion {
                found: head.version,
            });
        }
        let written: Written<'_> = serde_json::from_slice(bytes).map_err(unreadable)?;
        if !names_a_toolchain(written.toolchain) {
            return Err(problem("its `toolchain` is no name of one"));
        }
        let mut entries = Vec::with_capacity(written.entries.len());
        for line in &written.entries {
            entries.push(Listed {
                path: line.path.to_owned(),
                size: line.size,
                sha256: line
                    .sha256
                    .parse()
                    .map_err(|_| problem("a `sha256` is not 64 lowercase hexadecimal digits"))?,
            });
        }
        let manifest = Self {
            toolchain: written.toolchain.to_owned(),
            entries,
        };
        manifest.check(limits)?;
        if manifest.to_bytes() != bytes {
            return Err(problem("it is not in the one form that it has"));
        }
        Ok(manifest)
    }

    /// Paths, order and sizes.
    pub(crate) fn check(&self, limits: &Limits) -> Result<(), BundleError> {
        if self.entries.len() > limits.entries {
            return Err(BundleError::TooManyEntries {
                limit: limits.entries,
            });
        }
        let mut paths = Paths::default();
        let mut total = 0_u64;
        for entry in &self.entries {
            paths.add(&entry.path)?;
            if entry.size > limits.entry {
                return Err(BundleError::TooLarge {
                    what: format!("`{}`", entry.path),
                    limit: limits.entry,
                });
            }
            total = total.saturating_add(entry.size);
        }
        if total > limits.total {
            return Err(BundleError::TooLarge {
                what: "the bundle, all entries together,".to_owned(),
                limit: limits.total,
            });
        }
        if !self.entries.is_sorted_by(|a, b| a.path < b.path) {
            return Err(problem("its entries are not in the order of their paths"));
        }
        Ok(())
    }
}

/// Visible ASCII that JSON writes as it is.
pub(crate) fn names_a_toolchain(name: &str) -> bool {
    let visible = |b: u8| matches!(b, b' '..=b'~') && b != b'"' && b != b'\\';
    (1..=TOOLCHAIN).contains(&name.len()) && name.bytes().all(visible)
}

fn problem(problem: &str) -> BundleError {
    BundleError::Manifest {
        problem: problem.to_owned(),
    }
}

fn unreadable(error: serde_json::Error) -> BundleError {
    let what = match error.classify() {
        serde_json::error::Category::Data => "it says something else than a manifest does",
        _ => "it is no JSON",
    };
    BundleError::Manifest {
        problem: format!("{what} (line {}, column {})", error.line(), error.column()),
    }
}

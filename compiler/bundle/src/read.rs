//! From the bytes of a bundle to its entries.

use std::io::Read;
use std::ops::Range;
use std::path::Path;

use crate::archive::{self, Stored};
use crate::compression::decompress;
use crate::limits::{Limits, SIGNATURE_BYTES};
use crate::manifest::Manifest;
use crate::path::{PathProblem, check_stored};
use crate::signature::Signature;
use crate::write::files;
use crate::{BundleError, Digest, MANIFEST, SIGNATURE, file};

/// A bundle whose every byte was checked. Whether it is signed by a key that one
/// trusts is another question: see [`crate::verify`].
#[derive(Clone, Debug)]
pub struct Bundle {
    archive: Vec<u8>,
    manifest: Manifest,
    digest: Digest,
    /// Where the files are in the archive.
    manifest_at: Range<usize>,
    signature: Option<(Range<usize>, Signature)>,
    /// One for each entry of the manifest.
    entries_at: Vec<Range<usize>>,
}

/// A file of a bundle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry<'a> {
    /// Below the bundle, with `/` between folders.
    pub path: &'a str,
    /// Its content.
    pub bytes: &'a [u8],
    /// The SHA-256 of the content.
    pub sha256: Digest,
}

impl Bundle {
    /// The identity of the bundle: the SHA-256 of its manifest, which names the
    /// SHA-256 of each entry. It says nothing of compression and signatures.
    pub fn digest(&self) -> Digest {
        self.digest
    }

    /// What wrote it, as in `symbi 0.1.0`. Anybody may say so.
    pub fn toolchain(&self) -> &str {
        &self.manifest.toolchain
    }

    /// The entries, in the order of the bytes of their paths.
    pub fn entries(&self) -> impl ExactSizeIterator<Item = Entry<'_>> {
        let listed = self.manifest.entries.iter().zip(&self.entries_at);
        listed.map(|(listed, at)| Entry {
            path: &listed.path,
            bytes: self.part(at),
            sha256: listed.sha256,
        })
    }

    /// The content of an entry.
    pub fn get(&self, path: &str) -> Option<&[u8]> {
        let place = self
            .manifest
            .entries
            .binary_search_by(|e| (*e.path).cmp(path));
        self.entries_at.get(place.ok()?).map(|at| self.part(at))
    }

    /// The bytes of the manifest: what is hashed and signed.
    pub fn manifest(&self) -> &[u8] {
        self.part(&self.manifest_at)
    }

    /// The thumbprint (RFC 7638) of the key that signed it, if it is signed. It
    /// is no proof of anything: see [`crate::verify`].
    pub fn kid(&self) -> Option<&str> {
        self.signature().map(|signature| &*signature.kid)
    }

    pub(crate) fn signature(&self) -> Option<&Signature> {
        self.signature.as_ref().map(|(_, signature)| signature)
    }

    /// Manifest, signature and entries, as an archive holds them.
    pub(crate) fn files(&self) -> impl Iterator<Item = (&str, &[u8])> {
        let signature = self.signature.as_ref().map(|(at, _)| self.part(at));
        let entries = self.entries().map(|entry| (entry.path, entry.bytes));
        files(self.manifest(), signature, entries)
    }

    fn part(&self, at: &Range<usize>) -> &[u8] {
        // Each of them was looked up when the archive was read.
        self.archive.get(at.clone()).unwrap_or_default()
    }
}

/// The bundle that a file holds. Only an ordinary file is opened, and never
/// more is read of it than the limit.
///
/// # Errors
/// If it cannot be read, or is no bundle: see [`read`].
pub fn read_file(path: impl AsRef<Path>, limits: &Limits) -> Result<Bundle, BundleError> {
    let (bytes, _) = file::bounded(path.as_ref(), "the file", limits.file)?;
    read(&bytes, limits)
}

/// The bundle that a reader gives, of which never more is taken than the limit.
///
/// # Errors
/// If it cannot be read, or is no bundle: see [`read`].
pub fn read_from(reader: impl Read, limits: &Limits) -> Result<Bundle, BundleError> {
    let bytes = file::take(reader, 0, "the bundle", limits.file)?;
    read(
        &bytes.map_err(|error| file::told(Path::new("the bundle"), error))?,
        limits,
    )
}

/// The bundle that these bytes are.
///
/// # Errors
/// If they are anything else than what [`crate::write`] makes of some entries,
/// compression aside, or if something is beyond the limits.
pub fn read(bytes: &[u8], limits: &Limits) -> Result<Bundle, BundleError> {
    if bytes.len() as u64 > limits.file {
        return Err(BundleError::TooLarge {
            what: "the file".to_owned(),
            limit: limits.file,
        });
    }
    let archive = decompress(bytes, limits.archive())?;
    let mut reading = Reading::new(&archive, limits);
    archive::files(&archive, |stored| reading.take(stored))?;
    let parts = reading.finish()?;
    let bundle = Bundle {
        digest: Digest::of(archive.get(parts.manifest_at.clone()).unwrap_or_default()),
        archive,
        ..parts
    };
    archive::compare(&bundle.archive, bundle.files())?;
    Ok(bundle)
}

/// What was found of a bundle so far.
struct Reading<'a> {
    archive: &'a [u8],
    limits: &'a Limits,
    manifest: Option<(Range<usize>, Manifest)>,
    signature: Option<(Range<usize>, Signature)>,
    /// For each entry of the manifest, where it was found.
    found: Vec<Option<Range<usize>>>,
    /// Whether an entry stood before one that must come first.
    last: Option<usize>,
    shuffled: bool,
}

impl<'a> Reading<'a> {
    fn new(archive: &'a [u8], limits: &'a Limits) -> Self {
        Self {
            archive,
            limits,
            manifest: None,
            signature: None,
            found: Vec::new(),
            last: None,
            shuffled: false,
        }
    }

    /// Takes the next file of the archive.
    fn take(&mut self, stored: Stored) -> Result<(), BundleError> {
        let bytes = self.archive.get(stored.at.clone()).unwrap_or_default();
        if self.manifest.is_none() {
            return self.take_manifest(stored, bytes);
        }
        let shown = || String::from_utf8_lossy(&stored.path).into_owned();
        if let Some(kind) = stored.other {
            return Err(BundleError::NotAFile {
                path: shown(),
                kind,
            });
        }
        let bad = |problem| BundleError::Path {
            path: shown(),
            problem,
        };
        let path = str::from_utf8(&stored.path).map_err(|_| bad(PathProblem::NotText))?;
        check_stored(path).map_err(bad)?;
        match path {
            SIGNATURE if self.signature.is_none() => self.take_signature(&stored, bytes),
            MANIFEST | SIGNATURE => Err(BundleError::Duplicate {
                path: path.to_owned(),
                other: path.to_owned(),
            }),
            _ => self.take_entry(path, &stored.at, bytes),
        }
    }

    fn take_manifest(&mut self, stored: Stored, bytes: &[u8]) -> Result<(), BundleError> {
        if stored.path != MANIFEST.as_bytes() || stored.other.is_some() {
            return Err(BundleError::NotABundle {
                problem: "its first file is no manifest",
            });
        }
        if bytes.len() as u64 > self.limits.manifest {
            return Err(BundleError::TooLarge {
                what: "the manifest".to_owned(),
                limit: self.limits.manifest,
            });
        }
        let manifest = Manifest::parse(bytes, self.limits)?;
        self.found = vec![None; manifest.entries.len()];
        self.manifest = Some((stored.at, manifest));
        Ok(())
    }

    fn take_signature(&mut self, stored: &Stored, bytes: &[u8]) -> Result<(), BundleError> {
        if bytes.len() as u64 > SIGNATURE_BYTES {
            return Err(BundleError::TooLarge {
                what: "the signature".to_owned(),
                limit: SIGNATURE_BYTES,
            });
        }
        self.shuffled |= self.last.is_some();
        self.signature = Some((stored.at.clone(), Signature::parse(bytes)?));
        Ok(())
    }

    fn take_entry(
        &mut self,
        path: &str,
        at: &Range<usize>,
        bytes: &[u8],
    ) -> Result<(), BundleError> {
        let unlisted = || BundleError::Unlisted {
            path: path.to_owned(),
        };
        let listed = self
            .manifest
            .as_ref()
            .map(|(_, manifest)| &*manifest.entries);
        let listed = listed.unwrap_or_default();
        let place = listed
            .binary_search_by(|entry| (*entry.path).cmp(path))
            .map_err(|_| unlisted())?;
        let (Some(entry), Some(found)) = (listed.get(place), self.found.get_mut(place)) else {
            return Err(unlisted());
        };
        if found.is_some() {
            return Err(BundleError::Duplicate {
                path: path.to_owned(),
                other: path.to_owned(),
            });
        }
        let size = bytes.len() as u64;
        if size != entry.size {
            return Err(BundleError::SizeDiffers {
                path: path.to_owned(),
                listed: entry.size,
                found: size,
            });
        }
        if Digest::of(bytes) != entry.sha256 {
            return Err(BundleError::HashDiffers {
                path: path.to_owned(),
            });
        }
        *found = Some(at.clone());
        self.shuffled |= self.last.is_some_and(|last| place < last);
        self.last = Some(place);
        Ok(())
    }

    fn finish(self) -> Result<Bundle, BundleError> {
        let Some((manifest_at, manifest)) = self.manifest else {
            return Err(BundleError::NotABundle {
                problem: "it holds no manifest",
            });
        };
        let mut entries_at = Vec::with_capacity(self.found.len());
        for (found, entry) in self.found.into_iter().zip(&manifest.entries) {
            entries_at.push(found.ok_or_else(|| BundleError::Missing {
                path: entry.path.clone(),
            })?);
        }
        if self.shuffled {
            return Err(BundleError::NotCanonical {
                problem: "its files are not in the order of their paths",
            });
        }
        Ok(Bundle {
            archive: Vec::new(),
            manifest,
            digest: Digest([0; 32]),
            manifest_at,
            signature: self.signature,
            entries_at,
        })
    }
}

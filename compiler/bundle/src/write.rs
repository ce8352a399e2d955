//! From entries to the bytes of a bundle.

use crate::archive;
use crate::compression::compress;
use crate::limits::Limits;
use crate::manifest::{Listed, Manifest, names_a_toolchain};
use crate::signature::sign;
use crate::{BundleError, Digest, MANIFEST, SIGNATURE, SigningKey};

/// The bytes of a bundle with these entries, each a path and its content, in
/// whatever order. `toolchain` names what wrote it, as in `symbi 0.1.0`. The
/// same arguments give the same bytes on any machine.
///
/// # Errors
/// If a path cannot stand in a bundle or two are one, if something is beyond the
/// default [`Limits`], or if `toolchain` is not up to 64 visible ASCII characters.
pub fn write<P: AsRef<str>, B: AsRef<[u8]>>(
    entries: &[(P, B)],
    toolchain: &str,
    key: Option<&SigningKey>,
) -> Result<Vec<u8>, BundleError> {
    let limits = Limits::default();
    if !names_a_toolchain(toolchain) {
        return Err(BundleError::Toolchain {
            given: toolchain.to_owned(),
        });
    }
    let mut sorted: Vec<(&str, &[u8])> = entries
        .iter()
        .map(|(path, content)| (path.as_ref(), content.as_ref()))
        .collect();
    sorted.sort_by_key(|(path, _)| *path);
    let manifest = manifest(&sorted, toolchain);
    manifest.check(&limits)?;
    let manifest = manifest.to_bytes();
    if manifest.len() as u64 > limits.manifest {
        return Err(BundleError::TooLarge {
            what: "the manifest".to_owned(),
            limit: limits.manifest,
        });
    }
    let signature = key.map(|key| sign(&manifest, key));

    let mut out = Vec::new();
    let files = files(&manifest, signature.as_deref(), sorted.into_iter());
    // INVARIANT: writing into memory does not fail, and all paths fit into a
    // header: they were checked.
    #[expect(clippy::expect_used, reason = "the invariant above")]
    archive::put(files, &mut out).expect("checked paths fit");
    let bytes = compress(&out);
    if bytes.len() as u64 > limits.file {
        return Err(BundleError::TooLarge {
            what: "the bundle".to_owned(),
            limit: limits.file,
        });
    }
    Ok(bytes)
}

fn manifest(sorted: &[(&str, &[u8])], toolchain: &str) -> Manifest {
    Manifest {
        toolchain: toolchain.to_owned(),
        entries: sorted
            .iter()
            .map(|(path, content)| Listed {
                path: (*path).to_owned(),
                size: content.len() as u64,
                sha256: Digest::of(content),
            })
            .collect(),
    }
}

/// All files of a bundle, in order.
pub(crate) fn files<'a>(
    manifest: &'a [u8],
    signature: Option<&'a [u8]>,
    entries: impl Iterator<Item = (&'a str, &'a [u8])>,
) -> impl Iterator<Item = (&'a str, &'a [u8])> {
    let signature = signature.map(|signature| (SIGNATURE, signature));
    std::iter::once((MANIFEST, manifest))
        .chain(signature)
        .chain(entries)
}

//! For tests and fuzzers only: what must hold of any bytes that are read as a
//! bundle or as a key, as a function that panics where it does not.

use crate::{Bundle, BundleError, Limits, PublicKey, SigningKey, Verdict, read, verify, write};

/// Small, so that a fuzzer comes to them.
const LIMITS: Limits = Limits {
    file: 64 << 10,
    entries: 64,
    entry: 64 << 10,
    total: 128 << 10,
    manifest: 32 << 10,
};

/// Reads bytes as a bundle, as an archive that is packed first, and as keys.
/// What is read is written again, and is the same.
///
/// # Panics
/// If it is not the same, or an error says nothing.
pub fn fuzz_one(data: &[u8]) {
    for bytes in [data.to_vec(), pack(data)] {
        match read(&bytes, &LIMITS) {
            Ok(bundle) => same_again(&bundle),
            Err(error) => told(&error),
        }
    }
    if let Err(error) = SigningKey::parse(data) {
        told(&error);
    }
    if let Err(error) = PublicKey::parse(data) {
        told(&error);
    }
}

/// Any bytes in place of an archive, as a bundle has it.
pub fn pack(archive: &[u8]) -> Vec<u8> {
    crate::compression::compress(archive)
}

/// The archive of a bundle, whatever it is.
///
/// # Errors
/// If it cannot be unpacked.
pub fn unpack(bytes: &[u8]) -> Result<Vec<u8>, BundleError> {
    crate::compression::decompress(bytes, Limits::default().archive())
}

/// The code of an error is one of ours, and its message is a sentence.
fn told(error: &BundleError) {
    let message = error.to_string();
    assert!(error.code().id.starts_with("I09"), "{error:?}");
    assert!(!error.kind().is_empty() && message.len() > 20, "{error:?}");
    assert!(message.len() < 2000, "{message}");
    assert!(!message.chars().any(char::is_control), "{message:?}");
}

fn same_again(bundle: &Bundle) {
    let entries: Vec<(&str, &[u8])> = bundle.entries().map(|e| (e.path, e.bytes)).collect();
    let again = write(&entries, bundle.toolchain(), None).and_then(|bytes| read(&bytes, &LIMITS));
    match again {
        Ok(again) => {
            assert_eq!(again.digest(), bundle.digest());
            assert_eq!(again.manifest(), bundle.manifest());
            assert!(again.entries().eq(bundle.entries()));
        }
        Err(error) => panic!("what was read cannot be written: {error}"),
    }
    let verdict = verify(bundle, None);
    let signed = bundle.kid().is_some();
    assert_eq!(matches!(verdict, Verdict::Unsigned), !signed);
    assert_ne!(verdict, Verdict::Valid);
}

//! A small bundle with anything cut off or turned over.

use symbi_bundle::fuzzing::unpack;
use symbi_bundle::{Bundle, Limits, Verdict, read, verify, write};

use crate::{TOOLCHAIN, public_key, signing_key};

fn small(signed: bool) -> Vec<u8> {
    let key = signing_key();
    let entries = [("a", "one"), ("b/c", "two"), ("d", "")];
    write(&entries, TOOLCHAIN, signed.then_some(&key)).unwrap()
}

fn opened(bytes: &[u8]) -> Bundle {
    read(bytes, &Limits::default()).unwrap()
}

/// How it is compressed does not matter, and this is fast.
fn pack(archive: &[u8]) -> Vec<u8> {
    zstd::bulk::compress(archive, -5).unwrap()
}

/// Digest, manifest and entries.
type Seen = (String, Vec<u8>, Vec<(String, Vec<u8>)>);

/// All that somebody sees of a bundle but who signed it.
fn seen(bundle: &Bundle) -> Seen {
    let entries = bundle
        .entries()
        .map(|entry| (entry.path.to_owned(), entry.bytes.to_vec()));
    let digest = bundle.digest().to_string();
    (digest, bundle.manifest().to_vec(), entries.collect())
}

#[test]
fn a_bundle_that_ends_anywhere_is_refused() {
    for signed in [false, true] {
        let bytes = small(signed);
        for length in 0..bytes.len() {
            let error = read(&bytes[..length], &Limits::default()).unwrap_err();
            let expected = if length == 0 {
                "not-a-bundle"
            } else {
                "truncated"
            };
            assert_eq!(error.kind(), expected, "{length}: {error}");
        }
    }
}

#[test]
fn an_archive_that_ends_anywhere_is_refused() {
    let archive = unpack(&small(true)).unwrap();
    let mut kinds = std::collections::BTreeMap::new();
    for length in 0..archive.len() {
        let error = read(&pack(&archive[..length]), &Limits::default()).unwrap_err();
        *kinds.entry(error.kind()).or_insert(0) += 1;
    }
    let names: Vec<&str> = kinds.keys().copied().collect();
    // Nothing is there, or it ends between two files.
    assert_eq!(
        names,
        ["missing-entry", "not-a-bundle", "truncated"],
        "{kinds:?}"
    );
}

#[test]
fn a_bit_that_is_turned_over_is_noticed_or_says_nothing() {
    for signed in [false, true] {
        let bytes = small(signed);
        let original = seen(&opened(&bytes));
        let mut accepted = 0;
        for bit in 0..bytes.len() * 8 {
            let mut bytes = bytes.clone();
            bytes[bit / 8] ^= 1 << (bit % 8);
            if let Ok(bundle) = read(&bytes, &Limits::default()) {
                accepted += 1;
                assert_eq!(seen(&bundle), original, "bit {bit}");
                assert_eq!(unpack(&bytes).unwrap(), unpack(&small(signed)).unwrap());
            }
        }
        // There is more than one way to compress the same.
        assert!(accepted < 40, "{accepted}");
    }
}

#[test]
fn a_bit_of_the_archive_that_is_turned_over_is_noticed() {
    let archive = unpack(&small(true)).unwrap();
    let original = seen(&opened(&small(true)));
    let mut verdicts = Vec::new();
    for bit in 0..archive.len() * 8 {
        let mut archive = archive.clone();
        archive[bit / 8] ^= 1 << (bit % 8);
        if let Ok(bundle) = read(&pack(&archive), &Limits::default()) {
            // It was one of the signature, or of the name of the toolchain, which
            // makes another bundle that nobody has signed.
            let same = seen(&bundle) == original;
            assert_eq!(same, bundle.digest().to_string() == original.0, "bit {bit}");
            let verdict = verify(&bundle, Some(&public_key()));
            assert!(same || verdict == Verdict::Invalid, "bit {bit}");
            verdicts.push(verdict);
        }
    }
    assert!(verdicts.len() > 100, "{}", verdicts.len());
    assert!(!verdicts.contains(&Verdict::Valid));
    assert!(!verdicts.contains(&Verdict::Unsigned));
}

#[test]
fn a_byte_more_or_less_in_the_archive_is_noticed() {
    let archive = unpack(&small(true)).unwrap();
    for at in 0..=archive.len() {
        let mut more = archive.clone();
        more.insert(at, 0);
        let found = read(&pack(&more), &Limits::default()).map(|bundle| seen(&bundle));
        assert!(found.is_err(), "{at}: {found:?}");
    }
}

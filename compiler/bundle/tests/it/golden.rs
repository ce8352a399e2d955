//! Bundles that are kept: they can be read for ever, and what is in them is
//! written in the same way for ever. How it is compressed may change.

use symbi_bundle::fuzzing::unpack;
use symbi_bundle::{Limits, Verdict, read, read_file, verify, write};

use crate::{TOOLCHAIN, data, public_key, signing_key};

const DIGEST: &str = "8059e699348904b71485880434c223e74e4f2a146ea6ddf1e1d52bec4f0b3218";

/// What stands in them.
fn kept() -> Vec<(String, Vec<u8>)> {
    let mut entries = crate::entries();
    entries.truncate(4);
    entries
}

#[test]
fn bundles_of_version_1_are_read_and_written_as_ever() {
    for (name, key) in [
        ("v1.symbib", None),
        ("v1-signed.symbib", Some(signing_key())),
    ] {
        let written = write(&kept(), TOOLCHAIN, key.as_ref()).unwrap();
        let bytes = std::fs::read(data(name)).unwrap();
        assert_eq!(unpack(&bytes).unwrap(), unpack(&written).unwrap(), "{name}");
        let bundle = read_file(data(name), &Limits::default()).unwrap();
        assert_eq!(bundle.digest().to_string(), DIGEST, "{name}");
        let verdict = verify(&bundle, Some(&public_key()));
        let expected = match key {
            None => Verdict::Unsigned,
            Some(_) => Verdict::Valid,
        };
        assert_eq!(verdict, expected, "{name}");
        for (path, content) in kept() {
            assert_eq!(bundle.get(&path), Some(&*content), "{name}: {path}");
        }
    }
}

#[test]
fn another_compression_is_the_same_bundle() {
    let bytes = std::fs::read(data("v1.symbib")).unwrap();
    let archive = unpack(&bytes).unwrap();
    for level in [1, 19] {
        let other = zstd::encode_all(&archive[..], level).unwrap();
        let bundle = read(&other, &Limits::default()).unwrap();
        assert_eq!(bundle.digest().to_string(), DIGEST);
    }
}

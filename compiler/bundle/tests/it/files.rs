//! Bundles and keys in files.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;

use symbi_bundle::{BundleError, Limits, PublicKey, SigningKey, read_file, write};

use crate::{TOOLCHAIN, entries, key_text, public_key};

fn problem<T: std::fmt::Debug>(found: Result<T, BundleError>) -> (&'static str, String) {
    let error = found.unwrap_err();
    let problem = match &error {
        BundleError::File { problem, .. } => problem.clone(),
        other => other.to_string(),
    };
    (error.kind(), problem)
}

#[test]
fn a_bundle_is_read_from_an_ordinary_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.symbib");
    let bytes = write(&entries(), TOOLCHAIN, None).unwrap();
    fs::write(&path, &bytes).unwrap();
    let length = bytes.len() as u64;
    for (limit, fine) in [(length, true), (length - 1, false), (u64::MAX, true)] {
        let limits = Limits {
            file: limit,
            ..Limits::default()
        };
        let found = read_file(&path, &limits).map_err(|error| error.kind());
        assert_eq!(found.err(), (!fine).then_some("too-large"), "{limit}");
    }
}

#[test]
fn what_is_no_file_is_not_opened() {
    let folder = tempfile::tempdir().unwrap();
    let pipe = folder.path().join("pipe");
    let made = std::process::Command::new("mkfifo").arg(&pipe).status();
    assert!(made.unwrap().success());
    let not_a_file = "it is a device or a pipe, and only an ordinary file is read";
    for (path, message) in [
        (folder.path(), "it is a folder; name a file in it"),
        (&folder.path().join("missing"), "there is no such file"),
        (&pipe, not_a_file),
        (Path::new("/dev/zero"), not_a_file),
        (Path::new("/dev/null"), not_a_file),
    ] {
        let expected = ("unreadable-file", message.to_owned());
        assert_eq!(problem(read_file(path, &Limits::default())), expected);
        assert_eq!(problem(SigningKey::read_file(path)), expected);
        assert_eq!(problem(PublicKey::read_file(path)), expected);
    }
}

#[test]
fn a_private_key_is_for_its_owner_alone() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("key.pem");
    fs::write(&path, key_text("p256.pem")).unwrap();
    for (mode, fine) in [
        (0o600, true),
        (0o400, true),
        (0o700, true),
        (0o644, false),
        (0o640, false),
        (0o604, false),
        (0o610, false),
        (0o602, false),
        (0o666, false),
    ] {
        fs::set_permissions(&path, fs::Permissions::from_mode(mode)).unwrap();
        match SigningKey::read_file(&path) {
            Ok(key) => {
                assert!(fine, "{mode:o}");
                assert_eq!(key.public(), &public_key());
            }
            Err(error) => {
                assert!(!fine, "{mode:o}");
                let message = format!(
                    "others may read the private key (its mode is {mode:o}): run `chmod 600 {}`",
                    path.display()
                );
                assert_eq!((error.kind(), error.to_string()), ("exposed-key", message));
            }
        }
    }
    // A public key is for everybody.
    fs::write(&path, key_text("p256.pub.pem")).unwrap();
    assert_eq!(PublicKey::read_file(&path).unwrap(), public_key());
    // What is no private key need not be hidden.
    assert_eq!(problem(SigningKey::read_file(&path)).0, "public-key");
}

#[test]
fn a_key_is_small() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("key.pem");
    let mut text = key_text("p256.pub.pem");
    text.resize(64 << 10, b'\n');
    fs::write(&path, &text).unwrap();
    assert_eq!(PublicKey::read_file(&path).unwrap(), public_key());
    text.push(b'\n');
    fs::write(&path, &text).unwrap();
    assert_eq!(problem(PublicKey::read_file(&path)).0, "too-large");
    assert_eq!(problem(PublicKey::parse(&text)).0, "too-large");
}

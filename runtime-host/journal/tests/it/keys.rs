//! Keys of a project.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;

use symbi_journal::{Error, Keys, PublicKey};

fn chmod(path: &Path, mode: u32) {
    fs::set_permissions(path, PermissionsExt::from_mode(mode)).unwrap();
}

#[test]
fn the_first_use_makes_a_key_and_the_second_takes_it() {
    let project = tempfile::tempdir().unwrap();
    let none = PublicKey::of_project(project.path());
    assert!(matches!(none, Err(Error::NoKey { .. })), "{none:?}");
    let first = Keys::open(project.path()).unwrap().public();
    assert_eq!(Keys::open(project.path()).unwrap().public(), first);
    assert_eq!(PublicKey::of_project(project.path()).unwrap(), first);

    let folder = project.path().join(".symbiont/keys");
    let mode = |path: &Path| path.metadata().unwrap().permissions().mode() & 0o7777;
    assert_eq!(mode(&folder), 0o700);
    assert_eq!(mode(&folder.join("audit-signing.key")), 0o600);
    assert_eq!(mode(&folder.join("audit-signing.pub")), 0o644);
    assert_eq!(
        fs::read(folder.join("audit-signing.key")).unwrap().len(),
        32
    );
    let published = fs::read_to_string(folder.join("audit-signing.pub")).unwrap();
    assert_eq!(published, format!("{first}\n"));
    // And nothing else is left there.
    assert_eq!(fs::read_dir(&folder).unwrap().count(), 2);

    let other = tempfile::tempdir().unwrap();
    assert_ne!(Keys::open(other.path()).unwrap().public(), first);
}

#[test]
fn those_who_make_it_at_once_agree() {
    for _ in 0..20 {
        let project = tempfile::tempdir().unwrap();
        let found: Vec<String> = std::thread::scope(|scope| {
            let open = || Keys::open(project.path()).unwrap().public().to_string();
            let threads: Vec<_> = (0..8).map(|_| scope.spawn(open)).collect();
            threads.into_iter().map(|t| t.join().unwrap()).collect()
        });
        assert!(found.iter().all(|key| *key == found[0]), "{found:?}");
    }
}

/// What is done to the folder of the keys, and the error that follows.
type Row = (&'static str, fn(&Path), fn(&Error) -> bool);

#[test]
fn a_key_that_is_not_safe_is_refused() {
    let table: &[Row] = &[
        (
            "group may read",
            |keys| chmod(&keys.join("audit-signing.key"), 0o640),
            |e| {
                matches!(
                    e,
                    Error::Exposed {
                        mode: 0o640,
                        right: 0o600,
                        ..
                    }
                )
            },
        ),
        (
            "others may write",
            |keys| chmod(&keys.join("audit-signing.key"), 0o602),
            |e| matches!(e, Error::Exposed { mode: 0o602, .. }),
        ),
        (
            "others may enter",
            |keys| chmod(keys, 0o755),
            |e| {
                matches!(
                    e,
                    Error::Exposed {
                        mode: 0o755,
                        right: 0o700,
                        ..
                    }
                )
            },
        ),
        (
            "too short",
            |keys| fs::write(keys.join("audit-signing.key"), [1; 31]).unwrap(),
            |e| matches!(e, Error::KeyLength { bytes: 31, .. }),
        ),
        (
            "too long",
            |keys| fs::write(keys.join("audit-signing.key"), [1; 33]).unwrap(),
            |e| matches!(e, Error::KeyLength { bytes: 33, .. }),
        ),
        (
            "empty",
            |keys| fs::write(keys.join("audit-signing.key"), []).unwrap(),
            |e| matches!(e, Error::KeyLength { bytes: 0, .. }),
        ),
        (
            "another key",
            |keys| fs::write(keys.join("audit-signing.key"), [1; 32]).unwrap(),
            |e| matches!(e, Error::PublicKeyDiffers { .. }),
        ),
        (
            "no public key",
            |keys| fs::write(keys.join("audit-signing.pub"), "key").unwrap(),
            |e| matches!(e, Error::PublicKey { .. }),
        ),
        (
            "two names",
            |keys| {
                fs::hard_link(keys.join("audit-signing.key"), keys.join("copy")).unwrap();
            },
            |e| matches!(e, Error::Links { links: 2, .. }),
        ),
        (
            "a link",
            |keys| {
                fs::rename(keys.join("audit-signing.key"), keys.join("real")).unwrap();
                symlink(keys.join("real"), keys.join("audit-signing.key")).unwrap();
            },
            |e| matches!(e, Error::Link { .. }),
        ),
        (
            "a linked folder",
            |keys| {
                fs::rename(keys, keys.with_file_name("real")).unwrap();
                symlink(keys.with_file_name("real"), keys).unwrap();
            },
            |e| matches!(e, Error::Link { .. }),
        ),
        (
            "a folder",
            |keys| {
                fs::remove_file(keys.join("audit-signing.key")).unwrap();
                fs::create_dir(keys.join("audit-signing.key")).unwrap();
            },
            |e| matches!(e, Error::Kind { .. }),
        ),
        (
            "somebody else's",
            |keys| {
                // Only root may give a file away, so only root sees this row.
                let key = keys.join("audit-signing.key");
                if std::os::unix::fs::chown(&key, Some(12345), None).is_err() {
                    fs::write(key, []).unwrap();
                }
            },
            |e| {
                matches!(
                    e,
                    Error::Owner { owner: 12345, .. } | Error::KeyLength { .. }
                )
            },
        ),
    ];
    for (what, change, expected) in table {
        let project = tempfile::tempdir().unwrap();
        Keys::open(project.path()).unwrap();
        change(&project.path().join(".symbiont/keys"));
        let error = Keys::open(project.path()).unwrap_err();
        assert!(expected(&error), "{what}: {error}");
    }
}

#[test]
fn public_keys_are_read_and_weak_ones_refused() {
    let good = Keys::from_bytes(&[7; 32]).public();
    assert_eq!(good.to_string().parse::<PublicKey>().unwrap(), good);
    assert_eq!(
        good.to_string()
            .to_uppercase()
            .parse::<PublicKey>()
            .unwrap(),
        good
    );
    let weak = format!("01{}", "0".repeat(62));
    let none = format!("02{}", "0".repeat(62)); // on no point of the curve
    for bad in ["", "00", &weak, &none, &"g".repeat(64), &format!("{good}0")] {
        assert!(bad.parse::<PublicKey>().is_err(), "{bad}");
    }
}

#[test]
fn a_private_key_is_never_printed() {
    let keys = Keys::from_bytes(&[7; 32]);
    assert_eq!(format!("{keys:?}"), format!("Keys({})", keys.public()));
}

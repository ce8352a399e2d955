//! From a bundle to a folder.

use std::collections::BTreeMap;
use std::fs;
use std::io::Write as _;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::Path;

use symbi_bundle::{Bundle, BundleError, Limits, extract, read, write};

use crate::{TOOLCHAIN, entries, signing_key};

pub(crate) fn bundle() -> Bundle {
    let bytes = write(&entries(), TOOLCHAIN, Some(&signing_key())).unwrap();
    read(&bytes, &Limits::default()).unwrap()
}

/// What is below a folder: files with mode and content, folders with mode.
pub(crate) fn below(folder: &Path) -> BTreeMap<String, (u32, Option<Vec<u8>>)> {
    fn walk(root: &Path, at: &Path, into: &mut BTreeMap<String, (u32, Option<Vec<u8>>)>) {
        for entry in fs::read_dir(at).unwrap() {
            let path = entry.unwrap().path();
            let metadata = fs::symlink_metadata(&path).unwrap();
            let name = path
                .strip_prefix(root)
                .unwrap()
                .to_str()
                .unwrap()
                .to_owned();
            let content = metadata.is_file().then(|| fs::read(&path).unwrap());
            into.insert(name, (metadata.permissions().mode() & 0o7777, content));
            if metadata.is_dir() {
                walk(root, &path, into);
            }
        }
    }
    let mut found = BTreeMap::new();
    walk(folder, folder, &mut found);
    found
}

/// What must be there.
pub(crate) fn expected(bundle: &Bundle) -> BTreeMap<String, (u32, Option<Vec<u8>>)> {
    let mut expected = BTreeMap::new();
    for entry in bundle.entries() {
        expected.insert(entry.path.to_owned(), (0o644, Some(entry.bytes.to_vec())));
        for (at, _) in entry.path.match_indices('/') {
            expected.insert(entry.path[..at].to_owned(), (0o755, None));
        }
    }
    let manifest = (0o644, Some(bundle.manifest().to_vec()));
    expected.insert("manifest.json".to_owned(), manifest);
    let bytes = write(&entries(), TOOLCHAIN, Some(&signing_key())).unwrap();
    let signature = (0o644, Some(crate::signatures::of(&bytes)));
    expected.insert("signature.json".to_owned(), signature);
    expected
}

fn problem(found: Result<(), BundleError>) -> String {
    match found.unwrap_err() {
        BundleError::Extract { problem, .. } => problem,
        other => panic!("{other:?}"),
    }
}

#[test]
fn all_of_a_bundle_is_written() {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("empty")).unwrap();
    for name in ["new", "empty", "slash/", "dot/."] {
        extract(&bundle(), folder.path().join(name)).unwrap();
    }
    let names: Vec<String> = fs::read_dir(folder.path())
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    assert_eq!(names.len(), 4, "{names:?}");
    for name in names {
        let target = folder.path().join(name);
        assert_eq!(below(&target), expected(&bundle()));
        let mode = fs::metadata(&target).unwrap().permissions().mode();
        assert_eq!(mode & 0o7777, 0o755);
    }
}

#[test]
fn what_is_there_is_not_touched() {
    let outside = tempfile::tempdir().unwrap();
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    fs::create_dir(at("full")).unwrap();
    fs::write(at("full/mine.txt"), "mine").unwrap();
    fs::write(at("file"), "mine").unwrap();
    symlink(outside.path(), at("link")).unwrap();
    symlink("nowhere", at("dangling")).unwrap();
    let before = below(folder.path());
    for (name, message) in [
        ("full", "it is not empty; give the name of a new folder"),
        ("file", "it is a file; give the name of a new folder"),
        ("link", "it is a link; give the folder that it leads to"),
        ("dangling", "it is a link; give the folder that it leads to"),
        ("missing/out", "the folder that it would be in is not there"),
        ("..", "give the name of a new folder"),
        ("full/..", "give the name of a new folder"),
    ] {
        assert_eq!(problem(extract(&bundle(), at(name))), message, "{name}");
        assert_eq!(below(folder.path()), before, "{name}");
    }
    assert_eq!(
        problem(extract(&bundle(), "/")),
        "give the name of a new folder"
    );
    assert_eq!(
        problem(extract(&bundle(), "")),
        "give the name of a new folder"
    );
    assert_eq!(below(outside.path()), BTreeMap::new());
}

/// Unpacks where the variable says, in a process of its own that a shell has set
/// to something first: `None` in the process itself, which is done then.
fn in_a_process(name: &str, setting: &str, target: &Path) -> Option<String> {
    const TARGET: &str = "SYMBI_TEST_UNPACK_INTO";
    if let Some(target) = std::env::var_os(TARGET) {
        let told = match extract(&bundle(), target) {
            Ok(()) => "unpacked".to_owned(),
            Err(error) => format!("failed: {error}"),
        };
        let mut out = std::io::stdout();
        out.write_all(format!("{told}\n").as_bytes()).unwrap();
        return None;
    }
    let output = std::process::Command::new("sh")
        .args(["-c", &format!("{setting}; exec \"$@\""), "sh"])
        .arg(std::env::current_exe().unwrap())
        .args([name, "--exact", "--nocapture"])
        .env(TARGET, target)
        .output()
        .unwrap();
    Some(String::from_utf8(output.stdout).unwrap())
}

#[test]
fn a_failure_leaves_nothing_behind() {
    let folder = tempfile::tempdir().unwrap();
    let target = folder.path().join("out");
    // No file may have a byte, so the first that is written fails.
    let name = "extract::a_failure_leaves_nothing_behind";
    let Some(told) = in_a_process(name, "trap '' XFSZ; ulimit -f 0", &target) else {
        return;
    };
    let message = format!(
        "cannot be unpacked into {}: file too large",
        target.display()
    );
    assert!(told.contains(&message), "{told}");
    assert_eq!(below(folder.path()), BTreeMap::new());
}

#[test]
fn what_the_process_is_set_to_does_not_matter() {
    for mask in ["077", "0777", "000"] {
        let folder = tempfile::tempdir().unwrap();
        let target = folder.path().join("out");
        let name = "extract::what_the_process_is_set_to_does_not_matter";
        let Some(told) = in_a_process(name, &format!("umask {mask}"), &target) else {
            return;
        };
        assert!(told.contains("unpacked"), "{mask}: {told}");
        assert_eq!(below(&target), expected(&bundle()), "{mask}");
    }
}

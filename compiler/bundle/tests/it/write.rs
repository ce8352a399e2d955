//! What is written: the same for the same entries, and what the document says.

use symbi_bundle::fuzzing::unpack;
use symbi_bundle::{Digest, Limits, read, write};

use crate::naive::{self, File};
use crate::{TOOLCHAIN, entries, signing_key};

#[test]
fn the_order_of_entries_says_nothing() {
    let mut entries = entries();
    let bytes = write(&entries, TOOLCHAIN, Some(&signing_key())).unwrap();
    for _ in 0..entries.len() {
        entries.rotate_left(1);
        let again = write(&entries, TOOLCHAIN, Some(&signing_key())).unwrap();
        assert_eq!(again, bytes);
        entries.swap(0, 2);
        let again = write(&entries, TOOLCHAIN, Some(&signing_key())).unwrap();
        assert_eq!(again, bytes);
    }
}

#[test]
fn the_archive_is_what_the_document_says() {
    let mut sorted = entries();
    sorted.sort();
    let manifest = naive::manifest("1", &sorted);
    let mut files = vec![File::new("manifest.json", manifest.as_bytes())];
    files.extend(sorted.iter().map(|(path, text)| File::new(path, text)));
    let bytes = write(&entries(), TOOLCHAIN, None).unwrap();
    assert_eq!(unpack(&bytes).unwrap(), naive::archive(&files));

    let bundle = read(&bytes, &Limits::default()).unwrap();
    assert_eq!(bundle.manifest(), manifest.as_bytes());
    assert_eq!(bundle.digest(), Digest::of(manifest.as_bytes()));
    assert_eq!(bundle.toolchain(), TOOLCHAIN);
    let found: Vec<(String, Vec<u8>)> = bundle
        .entries()
        .map(|entry| (entry.path.to_owned(), entry.bytes.to_vec()))
        .collect();
    assert_eq!(found, sorted);
    for (path, text) in &sorted {
        assert_eq!(bundle.get(path), Some(&**text));
    }
    for none in ["", "program", "manifest.json", "signature.json", "sources"] {
        assert_eq!(bundle.get(none), None, "{none}");
    }
}

#[test]
fn a_bundle_may_hold_nothing() {
    let none: [(&str, &[u8]); 0] = [];
    let bundle = read(&write(&none, "x", None).unwrap(), &Limits::default()).unwrap();
    assert_eq!(bundle.entries().len(), 0);
    let manifest = r#"{"format":"symbi-bundle","version":1,"toolchain":"x","entries":[]}"#;
    assert_eq!(bundle.manifest(), manifest.as_bytes());
}

#[test]
fn a_toolchain_is_named_in_visible_letters() {
    let most = "x".repeat(64);
    let more = "x".repeat(65);
    for (name, fine) in [
        (TOOLCHAIN, true),
        (&*most, true),
        (&*more, false),
        ("", false),
        ("symbi\n", false),
        ("sýmbi", false),
        ("\"", false),
        ("a\\b", false),
    ] {
        let found = write(&[("a", "")], name, None).map_err(|error| error.kind());
        assert_eq!(found.is_ok(), fine, "{name}");
        assert!(fine || found == Err("bad-toolchain"), "{found:?}");
    }
}

#[test]
fn no_more_is_written_than_is_read() {
    let many: Vec<(String, &str)> = (0..=4096).map(|n| (n.to_string(), "")).collect();
    let kind = |entries: &[(String, &str)]| write(entries, TOOLCHAIN, None).map_err(|e| e.kind());
    let most = kind(&many[1..]).unwrap();
    assert_eq!(
        read(&most, &Limits::default()).unwrap().entries().len(),
        4096
    );
    assert_eq!(kind(&many), Err("too-many-entries"));
    let large = vec![0; (32 << 20) + 1];
    let found = write(&[("large", &large)], TOOLCHAIN, None).map_err(|error| error.to_string());
    let message = "`large` has more than 33554432 bytes, which is the limit: bundle less, or \
                   smaller files";
    assert_eq!(found, Err(message.to_owned()));
}

#[test]
fn a_digest_is_read_as_it_is_printed() {
    let digest = Digest::of(b"");
    let text = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
    assert_eq!(digest.to_string(), text);
    assert_eq!(text.parse(), Ok(digest));
    for wrong in [
        "",
        &text[1..],
        &text.to_uppercase(),
        &format!("{text}00"),
        "é",
    ] {
        assert!(wrong.parse::<Digest>().is_err(), "{wrong}");
    }
}

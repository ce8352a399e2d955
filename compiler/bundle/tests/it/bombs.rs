//! Little that becomes much: refused before it takes memory.

use std::io::{self, Read, Write};

use symbi_bundle::fuzzing::{pack, unpack};
use symbi_bundle::{BundleError, Limits, read, read_from, write};
use zstd::stream::write::Encoder;

use crate::naive::{self, File};
use crate::{TOOLCHAIN, entries};

/// What the reading of some bytes says.
fn kind(bytes: &[u8]) -> (&'static str, String) {
    match read(bytes, &Limits::default()) {
        Ok(_) => ("fine", String::new()),
        Err(error) => (error.kind(), error.to_string()),
    }
}

/// A gigabyte of zeros, with or without a word about its size.
fn zeros(promised: Option<u64>) -> Vec<u8> {
    let mut encoder = Encoder::new(Vec::new(), 1).unwrap();
    encoder.set_pledged_src_size(promised).unwrap();
    io::copy(&mut io::repeat(0).take(1 << 30), &mut encoder).unwrap();
    encoder.finish().unwrap()
}

#[test]
fn a_gigabyte_of_zeros_is_refused() {
    for promised in [None, Some(1 << 30)] {
        let bomb = zeros(promised);
        assert!(bomb.len() < 200_000, "{}", bomb.len());
        let (kind, message) = kind(&bomb);
        assert_eq!(kind, "too-large");
        assert!(
            message.starts_with("the unpacked bundle has more"),
            "{message}"
        );
    }
}

#[test]
fn a_file_with_a_size_that_is_not_there_takes_no_memory() {
    let mut file = File::new("manifest.json", b"{}");
    let mut archive = naive::archive(&[file.clone()]);
    // 8 GiB by the header.
    archive[124..136].copy_from_slice(b"77777777777\0");
    let sum: u32 = (0..512)
        .map(|at| {
            u32::from(if (148..156).contains(&at) {
                b' '
            } else {
                archive[at]
            })
        })
        .sum();
    archive[148..156].copy_from_slice(format!("{sum:07o}\0").as_bytes());
    assert_eq!(kind(&pack(&archive)).0, "truncated");

    file.path = b"other".to_vec();
    assert_eq!(kind(&pack(&naive::archive(&[file]))).0, "not-a-bundle");
}

#[test]
fn a_wide_window_is_refused() {
    let archive = unpack(&write(&entries(), TOOLCHAIN, None).unwrap()).unwrap();
    for (log, expected) in [
        (10, "fine"),
        (23, "fine"),
        (24, "too-large"),
        (27, "too-large"),
    ] {
        let mut encoder = Encoder::new(Vec::new(), 3).unwrap();
        encoder.window_log(log).unwrap();
        encoder.include_contentsize(false).unwrap();
        encoder.write_all(&archive).unwrap();
        let (kind, message) = kind(&encoder.finish().unwrap());
        assert_eq!(kind, expected, "{log}: {message}");
    }
    // The window that a frame of one segment has is its content.
    let mut encoder = Encoder::new(Vec::new(), 3).unwrap();
    encoder.window_log(27).unwrap();
    encoder.set_pledged_src_size(Some(9 << 20)).unwrap();
    encoder.write_all(&vec![7; 9 << 20]).unwrap();
    let bytes = encoder.finish().unwrap();
    assert_ne!(bytes[4] & 0x20, 0);
    assert!(kind(&bytes).1.starts_with("the window of"));
}

#[test]
fn many_entries_and_a_long_manifest_are_refused() {
    let many: Vec<(String, Vec<u8>)> = (0..5000).map(|n| (format!("{n:04}"), vec![])).collect();
    let manifest = naive::manifest("1", &many);
    let archive = naive::archive(&[File::new("manifest.json", manifest.as_bytes())]);
    assert_eq!(kind(&pack(&archive)).0, "too-many-entries");

    let long = format!("{manifest}{}", " ".repeat(2 << 20));
    let archive = naive::archive(&[File::new("manifest.json", long.as_bytes())]);
    let (kind, message) = kind(&pack(&archive));
    assert_eq!(kind, "too-large");
    assert!(
        message.starts_with("the manifest has more than"),
        "{message}"
    );
}

#[test]
fn a_reader_without_end_is_cut_off_at_the_limit() {
    let limits = Limits {
        file: 1000,
        ..Limits::default()
    };
    let found = read_from(io::repeat(0x28), &limits).map_err(|error| error.to_string());
    let message = "the bundle has more than 1000 bytes, which is the limit: bundle less, or smaller \
                   files";
    assert_eq!(found.err().as_deref(), Some(message));

    struct Broken;
    impl Read for Broken {
        fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
            Err(io::ErrorKind::ConnectionReset.into())
        }
    }
    let found = read_from(Broken, &limits).unwrap_err();
    assert!(matches!(found, BundleError::File { .. }), "{found:?}");
}

#[test]
fn deep_json_is_refused() {
    for text in ["[".repeat(1 << 20), "{\"a\":".repeat(200_000)] {
        let file = File::new("manifest.json", text.as_bytes());
        assert_eq!(kind(&pack(&naive::archive(&[file]))).0, "bad-manifest");
    }
}

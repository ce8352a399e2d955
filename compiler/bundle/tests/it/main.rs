//! Tests of the whole crate, one module a subject. `recipe.rs` reads the notation
//! for bundles that are wrong, which the pages of the codes use too; `naive.rs`
//! writes archives from docs/bundles.md alone.

#![allow(
    clippy::unwrap_used,
    reason = "clippy spares only functions marked as tests"
)]

mod bombs;
mod cases;
mod damage;
mod extract;
mod files;
mod golden;
mod keys;
mod naive;
mod oracles;
mod pages;
mod paths;
mod random;
mod recipe;
mod signatures;
mod write;

use std::fs;
use std::path::PathBuf;

use symbi_bundle::{PublicKey, SigningKey};

pub(crate) const TOOLCHAIN: &str = "symbi 0.1.0";

pub(crate) fn data(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
        .join("tests/data")
        .join(name)
}

/// The text of a key in `tests/data/keys`.
pub(crate) fn key_text(name: &str) -> Vec<u8> {
    fs::read(data("keys").join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

pub(crate) fn signing_key() -> SigningKey {
    SigningKey::parse(&key_text("p256.pem")).unwrap()
}

pub(crate) fn public_key() -> PublicKey {
    PublicKey::parse(&key_text("p256.pub.pem")).unwrap()
}

/// A few entries, one of them empty, one of several blocks, one with a long path.
pub(crate) fn entries() -> Vec<(String, Vec<u8>)> {
    let long = format!("sources/{}/{}.symbi", "a".repeat(120), "b".repeat(80));
    vec![
        ("program.symbir".to_owned(), b"\x00\x01program".to_vec()),
        ("sources/leer.symbi".to_owned(), Vec::new()),
        (
            "sources/größe.symbi".to_owned(),
            "agent größe {}\n".repeat(80).into_bytes(),
        ),
        ("tools/wc.clad.toml".to_owned(), vec![b'#'; 512]),
        (long, b"long".to_vec()),
    ]
}

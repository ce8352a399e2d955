//! The container of bundles: `.symbib` files (docs/bundles.md).
//!
//! In: named entries of bytes, and perhaps a key. Out: the bytes of a bundle,
//! the same on any machine; and back, every byte of it checked before anybody
//! sees an entry. A bundle is known by its [`Digest`], which covers its entries
//! and neither how they are compressed nor who signed them.
//!
//! This crate must never know what an entry means: programs, agents and
//! policies are for others. Begin reading at [`write`] and [`read`]; `archive.rs`
//! is the form of the bytes, `manifest.rs` what they must be, `signature.rs`
//! who says so.
//!
//! ```
//! use symbi_bundle::{Limits, read, write};
//!
//! let entries = [("program.symbir", b"...".as_slice()), ("tools/wc.clad.toml", b"[tool]")];
//! let bytes = write(&entries, "symbi 0.1.0", None)?;
//! let bundle = read(&bytes, &Limits::default())?;
//! assert_eq!(bundle.get("program.symbir"), Some(b"...".as_slice()));
//! println!("{}", bundle.digest());
//! # Ok::<(), symbi_bundle::BundleError>(())
//! ```

mod archive;
mod compression;
mod digest;
mod error;
mod extract;
mod file;
#[doc(hidden)]
pub mod fuzzing;
mod key;
mod limits;
mod manifest;
mod path;
mod read;
mod signature;
mod write;

pub use digest::{Digest, NotADigest};
pub use error::BundleError;
pub use extract::extract;
pub use key::{PublicKey, SigningKey};
pub use limits::Limits;
pub use path::{MAX_PATH, PathProblem, check_path};
pub use read::{Bundle, Entry, read, read_file, read_from};
pub use signature::{Verdict, require, verify};
pub use write::write;

/// The version of the container that is written, and the only one that is read.
pub const VERSION: u64 = 1;

/// The path of the manifest, which is the first of a bundle.
pub const MANIFEST: &str = "manifest.json";

/// The path of the signature, which is the second of a bundle that has one.
pub const SIGNATURE: &str = "signature.json";

//! What can be wrong, with a code and a kind for each.

use std::fmt;
use std::io;
use std::path::PathBuf;

use symbi_diagnostics::{Code, bundles as codes};

use crate::path::PathProblem;

/// Why a bundle cannot be written, read, verified or unpacked. Nothing of a
/// bundle with an error is given out.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum BundleError {
    /// Its end is missing.
    #[error("the bundle is cut short: copy it again, or build it again")]
    Truncated,
    /// Something else altogether.
    #[error("this is no bundle: {problem}; give the `.symbib` file that a build has written")]
    NotABundle {
        /// What it lacks.
        problem: &'static str,
    },
    /// Written in another way.
    #[error(
        "the bundle has version {found} of the format, and this `symbi` knows version {}: \
         use the `symbi` that built it, or build it again",
        crate::VERSION
    )]
    UnknownVersion {
        /// The version that it says.
        found: u64,
    },
    /// Something has more bytes than it may.
    #[error(
        "{what} has more than {limit} bytes, which is the limit: bundle less, or smaller files"
    )]
    TooLarge {
        /// What, with an article.
        what: String,
        /// Its limit in bytes.
        limit: u64,
    },
    /// More entries than there may be.
    #[error("the bundle has more than {limit} entries, which is the limit: bundle fewer files")]
    TooManyEntries {
        /// The limit.
        limit: usize,
    },
    /// Two entries that are one file, at least somewhere.
    #[error("{}", twice(path, other))]
    Duplicate {
        /// The second.
        path: String,
        /// The first.
        other: String,
    },
    /// A file that is a folder as well.
    #[error(
        "{} is a file, and {} needs a folder of that name: rename one",
        Shown(file),
        Shown(inner)
    )]
    InFile {
        /// The file.
        file: String,
        /// What would stand below it.
        inner: String,
    },
    /// A path that an entry cannot have.
    #[error("{} cannot be the path of an entry: {problem}", Shown(path))]
    Path {
        /// The path.
        path: String,
        /// Why.
        problem: PathProblem,
    },
    /// An entry that the manifest does not know.
    #[error(
        "the bundle holds {}, which its manifest does not name: build it again",
        Shown(path)
    )]
    Unlisted {
        /// Its path.
        path: String,
    },
    /// An entry that is not there.
    #[error(
        "the manifest names {}, which the bundle does not hold: build it again",
        Shown(path)
    )]
    Missing {
        /// Its path.
        path: String,
    },
    /// An entry of another size.
    #[error(
        "{} has {found} bytes, and {listed} by the manifest: it was changed; build the bundle again",
        Shown(path)
    )]
    SizeDiffers {
        /// Its path.
        path: String,
        /// What the manifest says.
        listed: u64,
        /// What is there.
        found: u64,
    },
    /// An entry of other bytes.
    #[error(
        "the bytes of {} are not those that the manifest names: they were changed; \
         build the bundle again",
        Shown(path)
    )]
    HashDiffers {
        /// Its path.
        path: String,
    },
    /// The manifest is not one.
    #[error("the manifest of the bundle cannot be read: {problem}; build the bundle again")]
    Manifest {
        /// What is wrong with it.
        problem: String,
    },
    /// The name of the toolchain, when a bundle is written.
    #[error(
        "{} cannot name the toolchain: write up to 64 visible ASCII characters, as in `symbi 0.1.0`",
        Shown(given)
    )]
    Toolchain {
        /// What was given.
        given: String,
    },
    /// The signature is not one.
    #[error("the signature of the bundle cannot be read: {problem}; sign the bundle again")]
    Signature {
        /// What is wrong with it.
        problem: &'static str,
    },
    /// Signed, but not as bundles are.
    #[error(
        "the bundle is signed by {}, and only `ES256` is known: sign it again",
        Shown(found)
    )]
    Algorithm {
        /// What `alg` says.
        found: String,
    },
    /// Bytes that no longer are what they were.
    #[error("the bundle is damaged: {problem}; copy it again, or build it again")]
    Damaged {
        /// What does not fit.
        problem: &'static str,
    },
    /// Entries that are no files.
    #[error(
        "{} is {kind}, and a bundle holds files alone: build it again",
        Shown(path)
    )]
    NotAFile {
        /// Its path.
        path: String,
        /// What it is, with an article.
        kind: &'static str,
    },
    /// Bytes that nothing accounts for.
    #[error("the bundle is not as `symbi` writes it: {problem}; build it again")]
    NotCanonical {
        /// What is different.
        problem: &'static str,
    },
    /// A key that cannot be read.
    #[error("the key cannot be read: {problem}; give one key as PEM or JWK")]
    Key {
        /// What is wrong with it.
        problem: &'static str,
    },
    /// A key for something else.
    #[error(
        "this is {found}, and bundles are signed with a P-256 key for ES256: `symbi explain I0916` tells how to make one"
    )]
    KeyKind {
        /// What it is.
        found: String,
    },
    /// A private key where everybody may look.
    #[error(
        "this is a private key, and a public one is wanted here: keep it where it signs, and give its public half"
    )]
    PrivateKey,
    /// A public key where something is signed.
    #[error(
        "this is a public key, and signing takes the private one: give the file that it was made from"
    )]
    PublicKey,
    /// A key behind a password.
    #[error(
        "the private key is encrypted: `openssl pkey -in FILE -out signing-key.pem` writes it without its password"
    )]
    KeyEncrypted,
    /// A private key that is not private.
    #[error("others may read the private key (its mode is {mode:03o}): run `chmod 600 {}`", file.display())]
    KeyExposed {
        /// The file.
        file: PathBuf,
        /// Its permissions.
        mode: u32,
    },
    /// No signature where one is wanted.
    #[error("the bundle is not signed, and a signature is wanted: sign it")]
    Unsigned,
    /// Signed by someone else.
    #[error(
        "the bundle is signed with another key ({kid}) than is trusted ({trusted}): sign it with that one, or trust the other"
    )]
    UnknownSigner {
        /// The thumbprint of the key that signed.
        kid: String,
        /// That of the key that was given.
        trusted: String,
    },
    /// The key is the right one and the signature is not.
    #[error(
        "the signature does not fit the bundle: one of them was changed; do not use the bundle"
    )]
    BadSignature,
    /// A file that cannot be read.
    #[error("{} cannot be read: {problem}", file.display())]
    File {
        /// The file.
        file: PathBuf,
        /// Why.
        problem: String,
        /// What the system said, if it was that.
        source: Option<io::Error>,
    },
    /// A folder that cannot be made.
    #[error("the bundle cannot be unpacked into {}: {problem}", folder.display())]
    Extract {
        /// The folder.
        folder: PathBuf,
        /// Why.
        problem: String,
        /// What the system said, if it was that.
        source: Option<io::Error>,
    },
}

impl BundleError {
    /// The code, whose page tells more.
    pub fn code(&self) -> &'static Code {
        self.kind_and_code().1
    }

    /// A word for the kind of fault, for programs; it never changes.
    pub fn kind(&self) -> &'static str {
        self.kind_and_code().0
    }

    fn kind_and_code(&self) -> (&'static str, &'static Code) {
        match self {
            Self::Truncated => ("truncated", &codes::I0901),
            Self::NotABundle { .. } => ("not-a-bundle", &codes::I0902),
            Self::UnknownVersion { .. } => ("unknown-version", &codes::I0903),
            Self::TooLarge { .. } => ("too-large", &codes::I0904),
            Self::TooManyEntries { .. } => ("too-many-entries", &codes::I0905),
            Self::Duplicate { .. } => ("duplicate-entry", &codes::I0906),
            Self::InFile { .. } => ("file-and-folder", &codes::I0906),
            Self::Path { .. } => ("bad-path", &codes::I0907),
            Self::Unlisted { .. } => ("unlisted-entry", &codes::I0908),
            Self::Missing { .. } => ("missing-entry", &codes::I0908),
            Self::SizeDiffers { .. } => ("size-differs", &codes::I0909),
            Self::HashDiffers { .. } => ("hash-differs", &codes::I0909),
            Self::Manifest { .. } => ("bad-manifest", &codes::I0910),
            Self::Toolchain { .. } => ("bad-toolchain", &codes::I0910),
            Self::Signature { .. } => ("unreadable-signature", &codes::I0911),
            Self::Algorithm { .. } => ("wrong-algorithm", &codes::I0912),
            Self::Damaged { .. } => ("damaged", &codes::I0913),
            Self::NotAFile { .. } => ("not-a-file", &codes::I0914),
            Self::NotCanonical { .. } => ("not-canonical", &codes::I0914),
            Self::Key { .. } => ("unreadable-key", &codes::I0915),
            Self::KeyKind { .. } => ("wrong-key", &codes::I0916),
            Self::PrivateKey => ("private-key", &codes::I0917),
            Self::PublicKey => ("public-key", &codes::I0917),
            Self::KeyEncrypted => ("encrypted-key", &codes::I0918),
            Self::KeyExposed { .. } => ("exposed-key", &codes::I0919),
            Self::Unsigned => ("unsigned", &codes::I0920),
            Self::UnknownSigner { .. } => ("unknown-signer", &codes::I0921),
            Self::BadSignature => ("bad-signature", &codes::I0922),
            Self::File { .. } => ("unreadable-file", &codes::I0923),
            Self::Extract { .. } => ("not-unpacked", &codes::I0924),
        }
    }
}

fn twice(path: &str, other: &str) -> String {
    let (path, first) = (Shown(path), Shown(other));
    if path.0 == first.0 {
        return format!("the bundle has two files {path}: give each path once");
    }
    format!(
        "{first} and {path} are one file on a system that does not tell capitals from small \
         letters: rename one, or leave it out"
    )
}

/// A name from outside, for a message: in backquotes, with its unseen
/// characters spelt out, and not endless.
struct Shown<'a>(&'a str);

impl fmt::Display for Shown<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const MOST: usize = 80;
        f.write_str("`")?;
        for c in self.0.chars().take(MOST) {
            match c {
                '"' | '\'' | '\\' => write!(f, "{c}")?,
                c => write!(f, "{}", c.escape_debug())?,
            }
        }
        let more = self.0.chars().nth(MOST).is_some();
        f.write_str(if more { "…`" } else { "`" })
    }
}

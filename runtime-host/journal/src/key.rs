//! The key that signs the journals of a project.

use std::fmt;
use std::fs::{File, OpenOptions};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::str::FromStr;

use ed25519_dalek::{Signature, Signer, SigningKey, VerifyingKey};

use crate::hash::{bytes_of_hex, hex};
use crate::run::FOLDER;
use crate::{Error, folder};

const PRIVATE: &str = "audit-signing.key";
const PUBLIC: &str = "audit-signing.pub";

/// The pair of keys of a project, which signs its journals. Ed25519 (RFC 8032),
/// and nothing else is signed with it. The private half is never printed, and
/// overwritten when this is dropped.
pub struct Keys {
    signing: SigningKey,
}

impl Keys {
    /// The keys of a project, in `.symbiont/keys/`; made if there are none yet.
    /// Processes that make them at the same time agree on one pair.
    pub fn open(project: &Path) -> Result<Self, Error> {
        let keys = folder_of(project);
        folder::make(&project.join(FOLDER), true)?;
        folder::private(&keys, true)?;
        let path = keys.join(PRIVATE);
        let keys = match Self::read(&path)? {
            Some(keys) => keys,
            None => Self::create(&path)?,
        };
        // Missing if whoever made the key was killed before this line.
        publish(&path.with_file_name(PUBLIC), keys.public())?;
        Ok(keys)
    }

    /// Keys from the 32 bytes of a private one.
    pub fn from_bytes(bytes: &[u8; 32]) -> Self {
        Self {
            signing: SigningKey::from_bytes(bytes),
        }
    }

    /// The half that verifies.
    pub fn public(&self) -> PublicKey {
        PublicKey(self.signing.verifying_key())
    }

    pub(crate) fn sign(&self, message: &[u8]) -> [u8; 64] {
        self.signing.sign(message).to_bytes()
    }

    fn read(path: &Path) -> Result<Option<Self>, Error> {
        let opened = folder::open(path, OpenOptions::new().read(true), "a file with a key");
        let (file, metadata) = match opened {
            Err(Error::Io {
                kind: io::ErrorKind::NotFound,
                ..
            }) => return Ok(None),
            opened => opened?,
        };
        folder::secret(path, &metadata)?;
        let wrong = Error::KeyLength {
            path: path.to_owned(),
            bytes: metadata.len(),
        };
        if metadata.len() != 32 {
            return Err(wrong);
        }
        let mut bytes = [0; 32];
        match (&file).read_exact(&mut bytes) {
            Ok(()) => {}
            Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => return Err(wrong),
            Err(error) => return Err(Error::io(path, "read", &error)),
        }
        let keys = Self::from_bytes(&bytes);
        bytes.fill(0);
        Ok(Some(keys))
    }

    fn create(path: &Path) -> Result<Self, Error> {
        let mut bytes = [0; 32];
        getrandom::fill(&mut bytes).map_err(|error| Error::Random {
            problem: error.to_string(),
        })?;
        let written = write_new(path, &bytes, 0o600);
        let keys = Self::from_bytes(&bytes);
        bytes.fill(0);
        if written? {
            return Ok(keys);
        }
        // Another process was first: its key is the one.
        Self::read(path)?.ok_or_else(|| Error::NoKey {
            path: path.to_owned(),
        })
    }
}

impl fmt::Debug for Keys {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Keys({})", self.public())
    }
}

fn folder_of(project: &Path) -> PathBuf {
    project.join(FOLDER).join("keys")
}

/// Writes a file whole, unless there is one of that name: whether it did.
pub(crate) fn write_new(path: &Path, bytes: &[u8], mode: u32) -> Result<bool, Error> {
    let told = |error: &io::Error| Error::io(path, "written", error);
    let parent = path.parent().unwrap_or(Path::new("."));
    let mut file = tempfile::Builder::new()
        .prefix(".new-")
        .permissions(std::os::unix::fs::PermissionsExt::from_mode(mode))
        .tempfile_in(parent)
        .map_err(|error| told(&error))?;
    file.write_all(bytes).map_err(|error| told(&error))?;
    file.as_file().sync_all().map_err(|error| told(&error))?;
    match file.persist_noclobber(path) {
        Ok(_) => folder::sync(parent).map(|()| true),
        Err(failed) if failed.error.kind() == io::ErrorKind::AlreadyExists => Ok(false),
        Err(failed) => Err(told(&failed.error)),
    }
}

/// Puts the public half beside the private one, or sees that it is that one.
fn publish(path: &Path, key: PublicKey) -> Result<(), Error> {
    let mut found = read_public(path)?;
    if found.is_none() {
        if write_new(path, format!("{key}\n").as_bytes(), 0o644)? {
            return Ok(());
        }
        found = read_public(path)?;
    }
    match found {
        Some(found) if found == key => Ok(()),
        _ => Err(Error::PublicKeyDiffers {
            path: path.to_owned(),
        }),
    }
}

fn read_public(path: &Path) -> Result<Option<PublicKey>, Error> {
    let what = "a file with a public key";
    let opened = folder::open(path, OpenOptions::new().read(true), what);
    let file: File = match opened {
        Err(Error::Io {
            kind: io::ErrorKind::NotFound,
            ..
        }) => return Ok(None),
        opened => opened?.0,
    };
    let mut text = Vec::new();
    file.take(1024)
        .read_to_end(&mut text)
        .map_err(|error| Error::io(path, "read", &error))?;
    String::from_utf8_lossy(&text).trim().parse().map(Some)
}

/// The half of a key that verifies. Printed as 64 lowercase hexadecimal digits.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct PublicKey(VerifyingKey);

impl PublicKey {
    /// The one that verifies the journals of a project. The private half decides
    /// which that is, where it can be read: its owner alone can change it. What is
    /// beside it must then agree.
    pub fn of_project(project: &Path) -> Result<Self, Error> {
        let keys = folder_of(project);
        let path = keys.join(PUBLIC);
        let published = read_public(&path);
        match (Keys::read(&keys.join(PRIVATE)), published) {
            (Ok(Some(private)), Ok(Some(published))) if private.public() != published => {
                Err(Error::PublicKeyDiffers { path })
            }
            (Ok(Some(private)), Ok(_)) => Ok(private.public()),
            // Somebody who may verify but not sign has only this one.
            (
                Ok(None)
                | Err(Error::Io {
                    kind: io::ErrorKind::PermissionDenied,
                    ..
                })
                | Err(Error::Owner { .. }),
                Ok(Some(published)),
            ) => Ok(published),
            (Err(error), _) | (_, Err(error)) => Err(error),
            (Ok(None), Ok(None)) => Err(Error::NoKey { path }),
        }
    }

    pub(crate) fn verifies(&self, message: &[u8], signature: &[u8; 64]) -> bool {
        let signature = Signature::from_bytes(signature);
        self.0.verify_strict(message, &signature).is_ok()
    }
}

impl FromStr for PublicKey {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        let wrong = |problem| Error::PublicKey { problem };
        let bytes = bytes_of_hex(&text.to_ascii_lowercase())
            .ok_or(wrong("it is not 64 hexadecimal digits"))?;
        let key = VerifyingKey::from_bytes(&bytes).map_err(|_| wrong("no key has these digits"))?;
        match key.is_weak() {
            // Anything can be signed for such a key.
            true => Err(wrong("it is a weak one")),
            false => Ok(Self(key)),
        }
    }
}

impl fmt::Display for PublicKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&hex(self.0.as_bytes()))
    }
}

impl fmt::Debug for PublicKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "PublicKey({self})")
    }
}

//! Keys: P-256 alone, from PEM or JWK, private ones from files that nobody else
//! may read.

mod jwk;
mod pem;

use std::fmt;
use std::path::Path;

use base64ct::{Base64UrlUnpadded, Encoding as _};
use p256::SecretKey;
use p256::ecdsa;
use p256::elliptic_curve::zeroize::Zeroizing;

use crate::limits::KEY_BYTES;
use crate::{BundleError, Digest, file};

/// A private key. Its bytes are overwritten when it is dropped, and are never
/// printed.
#[derive(Clone)]
pub struct SigningKey {
    key: ecdsa::SigningKey,
    public: PublicKey,
}

/// A public key.
#[derive(Clone, PartialEq, Eq)]
pub struct PublicKey {
    key: ecdsa::VerifyingKey,
    kid: String,
}

/// What a text holds.
enum Parsed {
    Private(SecretKey),
    Public(p256::PublicKey),
}

impl SigningKey {
    /// The key of a text: PEM (`PRIVATE KEY`, PKCS #8, or `EC PRIVATE KEY`,
    /// SEC 1) or a JWK with `d`.
    ///
    /// # Errors
    /// If it is another kind of key, a public or an encrypted one, or none.
    pub fn parse(text: &[u8]) -> Result<Self, BundleError> {
        match parse(text)? {
            Parsed::Private(secret) => Ok(Self {
                public: PublicKey::new(&secret.public_key()),
                key: secret.into(),
            }),
            Parsed::Public(_) => Err(BundleError::PublicKey),
        }
    }

    /// The key of a file of at most 64 KiB that nobody else may read.
    ///
    /// # Errors
    /// Those of [`Self::parse`]; if the file cannot be read; on Unix, if its
    /// group or others have any right to it.
    pub fn read_file(path: impl AsRef<Path>) -> Result<Self, BundleError> {
        let path = path.as_ref();
        let (text, metadata) = file::bounded(path, "the key", KEY_BYTES)?;
        let text = Zeroizing::new(text);
        let key = Self::parse(&text)?;
        #[cfg(unix)]
        {
            let mode = std::os::unix::fs::PermissionsExt::mode(&metadata.permissions()) & 0o777;
            if mode & 0o077 != 0 {
                return Err(BundleError::KeyExposed {
                    file: path.to_owned(),
                    mode,
                });
            }
        }
        #[cfg(not(unix))]
        let _ = metadata;
        Ok(key)
    }

    /// Its public half.
    pub fn public(&self) -> &PublicKey {
        &self.public
    }

    pub(crate) fn ecdsa(&self) -> &ecdsa::SigningKey {
        &self.key
    }
}

impl PublicKey {
    /// The key of a text: PEM (`PUBLIC KEY`) or a JWK without `d`.
    ///
    /// # Errors
    /// If it is another kind of key, a private one, or none.
    pub fn parse(text: &[u8]) -> Result<Self, BundleError> {
        match parse(text)? {
            Parsed::Public(key) => Ok(Self::new(&key)),
            Parsed::Private(_) => Err(BundleError::PrivateKey),
        }
    }

    /// The key of a file of at most 64 KiB.
    ///
    /// # Errors
    /// Those of [`Self::parse`]; if the file cannot be read.
    pub fn read_file(path: impl AsRef<Path>) -> Result<Self, BundleError> {
        let (text, _) = file::bounded(path.as_ref(), "the key", KEY_BYTES)?;
        Self::parse(&Zeroizing::new(text))
    }

    /// Its thumbprint (RFC 7638, SHA-256), by which signatures name it.
    pub fn kid(&self) -> &str {
        &self.kid
    }

    fn new(key: &p256::PublicKey) -> Self {
        let (x, y) = coordinates(key);
        // Section 3 of RFC 7638: the members that are needed, in the order of
        // their names, without white space.
        let members = format!(r#"{{"crv":"P-256","kty":"EC","x":"{x}","y":"{y}"}}"#);
        Self {
            kid: Base64UrlUnpadded::encode_string(&Digest::of(members.as_bytes()).0),
            key: key.into(),
        }
    }

    pub(crate) fn ecdsa(&self) -> &ecdsa::VerifyingKey {
        &self.key
    }
}

impl fmt::Debug for SigningKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "SigningKey({})", self.public.kid)
    }
}

impl fmt::Debug for PublicKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "PublicKey({})", self.kid)
    }
}

fn parse(text: &[u8]) -> Result<Parsed, BundleError> {
    if text.len() as u64 > KEY_BYTES {
        return Err(BundleError::TooLarge {
            what: "the key".to_owned(),
            limit: KEY_BYTES,
        });
    }
    let Ok(text) = str::from_utf8(text) else {
        return Err(problem(
            "it is no text; DER becomes PEM with `openssl pkey -inform der`",
        ));
    };
    match text.trim_start().starts_with('{') {
        true => jwk::parse(text),
        false => pem::parse(text),
    }
}

/// The point of a key, as JWK writes it.
fn coordinates(key: &p256::PublicKey) -> (String, String) {
    use p256::elliptic_curve::sec1::ToSec1Point as _;
    let point = key.to_sec1_point(false);
    let text = |bytes: Option<&[u8]>| Base64UrlUnpadded::encode_string(bytes.unwrap_or_default());
    (text(point.x().map(|x| &**x)), text(point.y().map(|y| &**y)))
}

fn problem(problem: &'static str) -> BundleError {
    BundleError::Key { problem }
}

fn kind(found: impl Into<String>) -> BundleError {
    BundleError::KeyKind {
        found: found.into(),
    }
}

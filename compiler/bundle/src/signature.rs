//! Signatures: a JWS (RFC 7515) by ES256 over the manifest, flattened, with the
//! manifest itself left out (its appendix F).

use base64ct::{Base64UrlUnpadded, Encoding as _};
use p256::ecdsa;
use p256::ecdsa::signature::{Signer as _, Verifier as _};
use serde::Deserialize;

use crate::{Bundle, BundleError, PublicKey, SigningKey};

const ALGORITHM: &str = "ES256";
const TYPE: &str = "symbi-bundle";

/// What is known of who signed a bundle.
#[derive(Clone, Debug, PartialEq, Eq)]
#[must_use = "only `Valid` says that the key signed this bundle"]
pub enum Verdict {
    /// Nobody did.
    Unsigned,
    /// Somebody with another key, by its thumbprint, or any if none was given.
    /// Whether the signature fits is not known.
    UnknownKey {
        /// The thumbprint that the signature names.
        kid: String,
    },
    /// This key signed this bundle.
    Valid,
    /// The signature names this key, and does not fit.
    Invalid,
}

/// A signature that was read, and not yet verified.
#[derive(Clone, Debug)]
pub(crate) struct Signature {
    pub(crate) kid: String,
    signature: ecdsa::Signature,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Written<'a> {
    #[serde(borrow)]
    protected: &'a str,
    signature: &'a str,
}

#[derive(Deserialize)]
struct Header {
    alg: String,
    kid: Option<String>,
}

/// Whether a key signed a bundle.
pub fn verify(bundle: &Bundle, key: Option<&PublicKey>) -> Verdict {
    let Some(signature) = bundle.signature() else {
        return Verdict::Unsigned;
    };
    let Some(key) = key.filter(|key| key.kid() == signature.kid) else {
        return Verdict::UnknownKey {
            kid: signature.kid.clone(),
        };
    };
    let signed = signed(&protected(&signature.kid), bundle.manifest());
    match key.ecdsa().verify(signed.as_bytes(), &signature.signature) {
        Ok(()) => Verdict::Valid,
        Err(_) => Verdict::Invalid,
    }
}

/// Refuses a bundle that this key did not sign.
///
/// # Errors
/// For each [`Verdict`] but `Valid`, one.
pub fn require(bundle: &Bundle, key: &PublicKey) -> Result<(), BundleError> {
    match verify(bundle, Some(key)) {
        Verdict::Valid => Ok(()),
        Verdict::Unsigned => Err(BundleError::Unsigned),
        Verdict::Invalid => Err(BundleError::BadSignature),
        Verdict::UnknownKey { kid } => Err(BundleError::UnknownSigner {
            kid,
            trusted: key.kid().to_owned(),
        }),
    }
}

/// The bytes of the signature of a manifest. The same key and manifest give the
/// same bytes: the nonce is that of RFC 6979.
pub(crate) fn sign(manifest: &[u8], key: &SigningKey) -> Vec<u8> {
    let protected = protected(key.public().kid());
    let signature: ecdsa::Signature = key.ecdsa().sign(signed(&protected, manifest).as_bytes());
    written(&protected, &signature)
}

impl Signature {
    /// What these bytes say, if they are those that [`sign`] writes.
    pub(crate) fn parse(bytes: &[u8]) -> Result<Self, BundleError> {
        let outer: Written<'_> = serde_json::from_slice(bytes)
            .map_err(|_| problem("it is no JWS in the flattened form without its payload"))?;
        let header = Base64UrlUnpadded::decode_vec(outer.protected)
            .map_err(|_| problem("its header is not in Base64url"))?;
        let header: Header = serde_json::from_slice(&header)
            .map_err(|_| problem("its header is no JSON with an `alg`"))?;
        if header.alg != ALGORITHM {
            return Err(BundleError::Algorithm { found: header.alg });
        }
        let kid = header
            .kid
            .ok_or_else(|| problem("its header has no `kid`"))?;
        let mut thumbprint = [0; 32];
        if !matches!(Base64UrlUnpadded::decode(&kid, &mut thumbprint), Ok(bytes) if bytes.len() == 32)
        {
            return Err(problem("its `kid` is no thumbprint of a key"));
        }
        let mut numbers = [0; 64];
        let numbers = Base64UrlUnpadded::decode(outer.signature, &mut numbers)
            .map_err(|_| problem("its value is not 64 bytes in Base64url"))?;
        let signature = ecdsa::Signature::from_slice(numbers)
            .map_err(|_| problem("its value is no signature of the curve"))?;
        if written(&protected(&kid), &signature) != bytes {
            return Err(problem("it is not in the one form that it has"));
        }
        Ok(Self { kid, signature })
    }
}

/// The header, as it is signed.
fn protected(kid: &str) -> String {
    let header = format!(r#"{{"alg":"{ALGORITHM}","kid":"{kid}","typ":"{TYPE}"}}"#);
    Base64UrlUnpadded::encode_string(header.as_bytes())
}

/// What is signed (section 5.1 of RFC 7515).
fn signed(protected: &str, manifest: &[u8]) -> String {
    format!("{protected}.{}", Base64UrlUnpadded::encode_string(manifest))
}

fn written(protected: &str, signature: &ecdsa::Signature) -> Vec<u8> {
    let value = Base64UrlUnpadded::encode_string(&signature.to_bytes());
    format!(r#"{{"protected":"{protected}","signature":"{value}"}}"#).into_bytes()
}

fn problem(problem: &'static str) -> BundleError {
    BundleError::Signature { problem }
}

//! PEM (RFC 7468): one key in a text that may hold other blocks of parameters.

use p256::SecretKey;
use p256::pkcs8::der::Decode as _;
use p256::pkcs8::{
    Document, ObjectIdentifier, PrivateKeyInfoRef, SecretDocument, SubjectPublicKeyInfoRef,
};
use sec1::EcPrivateKey;

use super::{Parsed, kind, problem};
use crate::BundleError;

const BEGIN: &str = "-----BEGIN ";

/// What keys of other kinds are called, by their algorithm or curve.
const KINDS: &[(&str, &str)] = &[
    ("1.3.132.0.34", "a key for the curve P-384"),
    ("1.3.132.0.35", "a key for the curve P-521"),
    ("1.3.132.0.33", "a key for the curve P-224"),
    ("1.3.132.0.10", "a key for the curve secp256k1"),
    ("1.3.101.112", "an Ed25519 key"),
    ("1.3.101.113", "an Ed448 key"),
    ("1.3.101.110", "an X25519 key"),
    ("1.3.101.111", "an X448 key"),
    ("1.2.840.113549.1.1.1", "an RSA key"),
    ("1.2.840.113549.1.1.10", "an RSA key"),
    ("1.2.840.10040.4.1", "a DSA key"),
];

const EC: ObjectIdentifier = ObjectIdentifier::new_unwrap("1.2.840.10045.2.1");
const P256: ObjectIdentifier = ObjectIdentifier::new_unwrap("1.2.840.10045.3.1.7");

pub(super) fn parse(text: &str) -> Result<Parsed, BundleError> {
    let (label, block) = only_block(text)?;
    match label {
        "PRIVATE KEY" => pkcs8(block),
        "EC PRIVATE KEY" if block.contains("ENCRYPTED") => Err(BundleError::KeyEncrypted),
        "EC PRIVATE KEY" => sec1(block),
        "ENCRYPTED PRIVATE KEY" => Err(BundleError::KeyEncrypted),
        "PUBLIC KEY" => spki(block),
        "RSA PRIVATE KEY" | "RSA PUBLIC KEY" => Err(kind("an RSA key")),
        "DSA PRIVATE KEY" => Err(kind("a DSA key")),
        "OPENSSH PRIVATE KEY" => Err(kind("a key of OpenSSH")),
        "CERTIFICATE" | "CERTIFICATE REQUEST" => Err(kind("a certificate")),
        _ => Err(problem("its block is of an unknown kind")),
    }
}

/// The label and the text of the only block with a key.
fn only_block(text: &str) -> Result<(&str, &str), BundleError> {
    let mut found = None;
    let mut rest = text;
    while let Some(begin) = rest.find(BEGIN) {
        let block = rest.get(begin..).unwrap_or_default();
        let label = block.get(BEGIN.len()..).unwrap_or_default();
        let label = label.split("-----").next().unwrap_or_default();
        let end = format!("-----END {label}-----");
        let Some(length) = block.find(&end).map(|at| at + end.len()) else {
            return Err(problem("a `BEGIN` has no `END` of the same name"));
        };
        let (block, after) = block.split_at(length);
        // What `openssl ecparam -genkey` writes before the key.
        if label != "EC PARAMETERS" && found.replace((label, block)).is_some() {
            return Err(problem("it holds more than one"));
        }
        rest = after;
    }
    found.ok_or_else(|| problem("it is neither PEM nor JWK"))
}

fn pkcs8(block: &str) -> Result<Parsed, BundleError> {
    let (_, der) = SecretDocument::from_pem(block).map_err(|_| broken())?;
    let info = PrivateKeyInfoRef::from_der(der.as_bytes()).map_err(|_| broken())?;
    let algorithm = &info.algorithm;
    check(algorithm.oid, algorithm.parameters_oid().ok())?;
    SecretKey::try_from(info)
        .map(Parsed::Private)
        .map_err(|_| broken())
}

fn sec1(block: &str) -> Result<Parsed, BundleError> {
    let (_, der) = SecretDocument::from_pem(block).map_err(|_| broken())?;
    let key = EcPrivateKey::from_der(der.as_bytes()).map_err(|_| broken())?;
    check(EC, key.parameters.and_then(|named| named.named_curve()))?;
    SecretKey::try_from(key)
        .map(Parsed::Private)
        .map_err(|_| broken())
}

fn spki(block: &str) -> Result<Parsed, BundleError> {
    let (_, der) = Document::from_pem(block).map_err(|_| broken())?;
    let info = SubjectPublicKeyInfoRef::from_der(der.as_bytes()).map_err(|_| broken())?;
    let algorithm = &info.algorithm;
    check(algorithm.oid, algorithm.parameters_oid().ok())?;
    p256::PublicKey::try_from(info)
        .map(Parsed::Public)
        .map_err(|_| broken())
}

/// Whether a key is what we sign with, by its algorithm and its curve.
fn check(algorithm: ObjectIdentifier, curve: Option<ObjectIdentifier>) -> Result<(), BundleError> {
    let deciding = match (algorithm == EC, curve) {
        (true, Some(P256)) => return Ok(()),
        (true, Some(curve)) => curve,
        (true, None) => return Err(kind("a key that does not name its curve")),
        (false, _) => algorithm,
    };
    let oid = deciding.to_string();
    let known = KINDS.iter().find(|(known, _)| *known == oid);
    Err(match known {
        Some((_, name)) => kind(*name),
        None => kind(format!("a key of an unknown kind ({oid})")),
    })
}

fn broken() -> BundleError {
    problem("what stands between `BEGIN` and `END` is no such key")
}

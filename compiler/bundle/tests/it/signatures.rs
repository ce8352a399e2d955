//! Signatures: who signed, what fits, what does not.

use base64ct::{Base64UrlUnpadded, Encoding as _};
use symbi_bundle::fuzzing::{pack, unpack};
use symbi_bundle::{Bundle, Limits, PublicKey, SigningKey, Verdict, read, require, verify, write};

use crate::{TOOLCHAIN, entries, key_text, public_key, signing_key};

/// The bytes of the signature of a bundle.
pub(crate) fn of(bundle: &[u8]) -> Vec<u8> {
    let archive = unpack(bundle).unwrap();
    let mut archive = tar::Archive::new(&archive[..]);
    let mut entry = archive.entries().unwrap().nth(1).unwrap().unwrap();
    assert_eq!(&*entry.path_bytes(), b"signature.json");
    let mut bytes = Vec::new();
    std::io::Read::read_to_end(&mut entry, &mut bytes).unwrap();
    bytes
}

fn members(signature: &[u8]) -> (String, String) {
    let json: serde_json::Value = serde_json::from_slice(signature).unwrap();
    let text = |name: &str| json[name].as_str().unwrap().to_owned();
    (text("protected"), text("signature"))
}

/// The header of a signature, as text.
pub(crate) fn header(signature: &[u8]) -> String {
    let decoded = Base64UrlUnpadded::decode_vec(&members(signature).0).unwrap();
    String::from_utf8(decoded).unwrap()
}

/// The same signature with another header.
pub(crate) fn with_header(signature: &[u8], header: &str) -> Vec<u8> {
    let header = Base64UrlUnpadded::encode_string(header.as_bytes());
    let value = members(signature).1;
    format!(r#"{{"protected":"{header}","signature":"{value}"}}"#).into_bytes()
}

/// What is signed, and r and s beside each other.
pub(crate) fn signed(bundle: &[u8]) -> (String, Vec<u8>) {
    let (protected, value) = members(&of(bundle));
    let manifest = Base64UrlUnpadded::encode_string(opened(bundle).manifest());
    let value = Base64UrlUnpadded::decode_vec(&value).unwrap();
    (format!("{protected}.{manifest}"), value)
}

/// A bundle with this value as r and s in its signature.
pub(crate) fn with_value(bundle: &[u8], value: &[u8]) -> Vec<u8> {
    let old = members(&of(bundle)).1;
    let new = Base64UrlUnpadded::encode_string(value);
    assert_eq!(old.len(), new.len());
    let mut archive = unpack(bundle).unwrap();
    let at = archive
        .windows(old.len())
        .position(|window| window == old.as_bytes())
        .unwrap();
    archive[at..at + new.len()].copy_from_slice(new.as_bytes());
    pack(&archive)
}

pub(crate) fn opened(bytes: &[u8]) -> Bundle {
    read(bytes, &Limits::default()).unwrap()
}

#[test]
fn a_verdict_says_who_signed_and_whether_it_fits() {
    let unsigned = opened(&write(&entries(), TOOLCHAIN, None).unwrap());
    let bytes = write(&entries(), TOOLCHAIN, Some(&signing_key())).unwrap();
    let signed = opened(&bytes);
    let other = PublicKey::parse(&key_text("other.pub.pem")).unwrap();
    let kid = public_key().kid().to_owned();
    let unknown = || Verdict::UnknownKey { kid: kid.clone() };
    assert_eq!(verify(&unsigned, None), Verdict::Unsigned);
    assert_eq!(verify(&unsigned, Some(&other)), Verdict::Unsigned);
    assert_eq!(verify(&signed, None), unknown());
    assert_eq!(verify(&signed, Some(&other)), unknown());
    assert_eq!(verify(&signed, Some(&public_key())), Verdict::Valid);
    assert_eq!(unsigned.kid(), None);
    assert_eq!(signed.kid(), Some(&*kid));

    // Who signed says nothing about what it is.
    assert_eq!(signed.digest(), unsigned.digest());
    assert_eq!(signed.manifest(), unsigned.manifest());

    let mut value = self::signed(&bytes).1;
    value[63] ^= 1;
    let changed = opened(&with_value(&bytes, &value));
    assert_eq!(verify(&changed, Some(&public_key())), Verdict::Invalid);
    assert_eq!(verify(&changed, None), unknown());
}

#[test]
fn only_a_valid_signature_is_enough() {
    let unsigned = write(&entries(), TOOLCHAIN, None).unwrap();
    let signed = write(&entries(), TOOLCHAIN, Some(&signing_key())).unwrap();
    let other = SigningKey::parse(&key_text("other.pem")).unwrap();
    let signed_by_other = write(&entries(), TOOLCHAIN, Some(&other)).unwrap();
    let (_, value) = self::signed(&signed_by_other);
    let forged = with_value(&signed, &value);
    for (bytes, kind) in [
        (unsigned, Some("unsigned")),
        (signed, None),
        (signed_by_other, Some("unknown-signer")),
        (forged, Some("bad-signature")),
    ] {
        let found = require(&opened(&bytes), &public_key());
        assert_eq!(found.err().map(|error| error.kind()), kind);
    }
}

#[test]
fn a_signature_of_other_entries_does_not_fit() {
    let one = write(&[("a", "1")], TOOLCHAIN, Some(&signing_key())).unwrap();
    let two = write(&[("a", "2")], TOOLCHAIN, Some(&signing_key())).unwrap();
    let moved = opened(&with_value(&two, &signed(&one).1));
    assert_eq!(verify(&moved, Some(&public_key())), Verdict::Invalid);
}

#[test]
fn the_same_key_signs_the_same_bytes_in_the_same_way() {
    let bytes = || write(&entries(), TOOLCHAIN, Some(&signing_key())).unwrap();
    assert_eq!(bytes(), bytes());
    // Not the smaller of the two numbers that fit: the one of RFC 6979.
    let header = header(&of(&bytes()));
    let kid = public_key().kid().to_owned();
    assert_eq!(
        header,
        format!(r#"{{"alg":"ES256","kid":"{kid}","typ":"symbi-bundle"}}"#)
    );
}

#[test]
fn both_numbers_that_fit_are_accepted() {
    // n - s fits where s does (section 4.1.4 of SEC 1): JOSE asks for neither.
    const N: &str = "ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551";
    let order: Vec<u8> = (0..32)
        .map(|at| u8::from_str_radix(&N[at * 2..at * 2 + 2], 16).unwrap())
        .collect();
    let bytes = write(&entries(), TOOLCHAIN, Some(&signing_key())).unwrap();
    let (_, mut value) = signed(&bytes);
    let mut borrow = 0;
    for at in (0..32).rev() {
        let difference = i32::from(order[at]) - i32::from(value[32 + at]) - borrow;
        borrow = i32::from(difference < 0);
        value[32 + at] = difference.rem_euclid(256) as u8;
    }
    let other = with_value(&bytes, &value);
    assert_ne!(unpack(&other).unwrap(), unpack(&bytes).unwrap());
    assert_eq!(verify(&opened(&other), Some(&public_key())), Verdict::Valid);
    assert_eq!(opened(&other).digest(), opened(&bytes).digest());
}

//! SHA-2 and HMAC. What needs the text of a secret is for the host, which alone
//! has it.

use std::fmt::Write as _;

use hmac::{Hmac, KeyInit as _, Mac as _};
use sha2::{Digest as _, Sha256, Sha512};

use super::arguments::{TEXT, unfit};
use super::{Cx, Given};
use crate::raise::Failure;
use crate::value::Value;

fn hex(bytes: &[u8]) -> String {
    let mut out = String::with_capacity(bytes.len() * 2);
    for byte in bytes {
        // Writing to a String does not fail.
        let _ = write!(out, "{byte:02x}");
    }
    out
}

fn ask(cx: &mut Cx<'_>, text: &str) -> Result<(), Failure> {
    cx.meter.work(8 + text.len() / 16)?;
    cx.meter.allocate(128 + TEXT)
}

pub(super) fn sha256(cx: &mut Cx<'_>, args: &mut [Value]) -> Given {
    let [Value::Text(text)] = args else {
        return Err(unfit("hash_sha256", args));
    };
    ask(cx, text)?;
    Ok(Value::from(hex(&Sha256::digest(text.as_bytes()))))
}

pub(super) fn sha512(cx: &mut Cx<'_>, args: &mut [Value]) -> Given {
    let [Value::Text(text)] = args else {
        return Err(unfit("hash_sha512", args));
    };
    ask(cx, text)?;
    Ok(Value::from(hex(&Sha512::digest(text.as_bytes()))))
}

fn mac(text: &str, key: &[u8]) -> Option<Hmac<Sha256>> {
    // It takes keys of any length.
    let mut mac = Hmac::<Sha256>::new_from_slice(key).ok()?;
    mac.update(text.as_bytes());
    Some(mac)
}

/// `hmac_sha256`: the HMAC of a text with SHA-256 in small hexadecimal digits.
pub fn hmac_sha256_hex(text: &str, key: &[u8]) -> String {
    mac(text, key).map_or_else(String::new, |mac| hex(&mac.finalize().into_bytes()))
}

/// `verify_hmac_sha256`: whether a signature is the HMAC of a text, in
/// hexadecimal digits of any case, with or without `sha256=` before them. The
/// time it takes does not depend on where it is wrong.
pub fn is_hmac_sha256(text: &str, key: &[u8], signature: &str) -> bool {
    let digits = signature.strip_prefix("sha256=").unwrap_or(signature);
    let bytes = digits.as_bytes();
    if bytes.len() != 64 {
        return false;
    }
    let mut given = [0_u8; 32];
    for (byte, pair) in given.iter_mut().zip(bytes.chunks_exact(2)) {
        let [Some(high), Some(low)] = [digit(pair, 0), digit(pair, 1)] else {
            return false;
        };
        *byte = high << 4 | low;
    }
    mac(text, key).is_some_and(|mac| mac.verify_slice(&given).is_ok())
}

pub(super) fn digit(bytes: &[u8], at: usize) -> Option<u8> {
    let digit = char::from(*bytes.get(at)?).to_digit(16)?;
    u8::try_from(digit).ok()
}

/// `verify_secret`: whether a text is equal to a secret. The time it takes does
/// not depend on where they differ: the hashes of both are compared, under a key
/// of their own, in constant time.
pub fn is_same_secret(secret: &[u8], given: &[u8]) -> bool {
    let of = |bytes: &[u8]| {
        let mut mac = Hmac::<Sha256>::new_from_slice(b"verify_secret").ok()?;
        mac.update(bytes);
        Some(mac)
    };
    match (of(secret), of(given)) {
        (Some(secret), Some(given)) => given.verify(&secret.finalize().into_bytes()).is_ok(),
        _ => false,
    }
}

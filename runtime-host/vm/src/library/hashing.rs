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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::library::Native;
    use crate::library::testing::*;

    #[test]
    fn hashes_are_those_of_their_standards() {
        let abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        assert_eq!(shown(Native::HashSha256, [t("abc")]), format!("\"{abc}\""));
        let long = shown(Native::HashSha512, [t("abc")]);
        assert!(
            long.starts_with("\"ddaf35a193617aba") && long.len() == 130,
            "{long}"
        );
    }

    #[test]
    fn signatures_are_told_from_others() {
        // RFC 4231, the second case.
        let text = "what do ya want for nothing?";
        let hex = "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843";
        assert_eq!(hmac_sha256_hex(text, b"Jefe"), hex);
        let table = [
            (hex.to_owned(), true),
            (hex.to_uppercase(), true),
            (format!("sha256={hex}"), true),
            (format!("sha1={hex}"), false),
            (hex.replacen('5', "6", 1), false),
            (hex[..62].to_owned(), false),
            ("é".repeat(32), false),
            (String::new(), false),
        ];
        for (signature, expected) in table {
            assert_eq!(
                is_hmac_sha256(text, b"Jefe", &signature),
                expected,
                "{signature}"
            );
        }
        assert!(!is_hmac_sha256(text, b"jefe", hex));
    }

    #[test]
    fn secrets_are_told_from_other_texts() {
        assert!(is_same_secret(b"", b""));
        assert!(is_same_secret(b"hunter2", b"hunter2"));
        assert!(!is_same_secret(b"hunter2", b"hunter"));
        assert!(!is_same_secret(b"hunter2", b"hunter3"));
    }
}

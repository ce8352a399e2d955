//! Keys, and what is none of ours: the rest of it is in `tests/data/cases.txt`.

use symbi_bundle::{PublicKey, SigningKey};

use crate::{key_text, public_key, signing_key};

#[test]
fn one_key_is_read_from_each_form() {
    for name in ["p256.pem", "p256-sec1.pem", "p256-ecparam.pem", "p256.jwk"] {
        let key = SigningKey::parse(&key_text(name)).unwrap();
        assert_eq!(key.public(), &public_key(), "{name}");
    }
    for name in [
        "p256.pub.pem",
        "p256.pub.jwk",
        "crlf.pub.pem",
        "commented.pub.pem",
    ] {
        let key = PublicKey::parse(&key_text(name)).unwrap();
        assert_eq!(key, public_key(), "{name}");
    }
}

#[test]
fn a_thumbprint_is_that_of_the_rfc() {
    // The key of RFC 7515, appendix A.3, and its thumbprint by `jose jwk thp`.
    let jwk = br#"{"kty":"EC","crv":"P-256",
        "x":"f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU",
        "y":"x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0"}"#;
    let key = PublicKey::parse(jwk).unwrap();
    assert_eq!(key.kid(), "oKIywvGUpTVTyxMQ3bwIIeQUudfr_CkLMjCE19ECD-U");
}

#[test]
fn a_private_key_is_never_printed() {
    let key = signing_key();
    let printed = format!("{key:?} {key:#?}");
    assert_eq!(
        printed,
        format!("SigningKey({0}) SigningKey({0})", key.public().kid())
    );

    // Not in what is said about a bad one either.
    let text = String::from_utf8(key_text("p256.jwk")).unwrap();
    let secret: serde_json::Value = serde_json::from_str(&text).unwrap();
    let secret = secret["d"].as_str().unwrap();
    for bad in [
        text.replace("\"d\"", "\"d\":1,\"e\""),
        text.replace("\"kty\": \"EC\"", &format!("\"kty\": \"{secret}\"")),
        text.replace("\"crv\": \"P-256\"", &format!("\"crv\": \"{secret}\"")),
        text.replace("\"d\"", "\"alg\""),
        text.replace("\"d\": \"", "\"d\": \"\\u0041"),
    ] {
        assert_ne!(bad, text);
        if let Err(error) = SigningKey::parse(bad.as_bytes()) {
            let told = format!("{error} {error:?}");
            assert!(!told.contains(secret), "{told}");
        }
    }
}

#[test]
fn every_part_of_a_key_is_refused() {
    for name in ["p256.pem", "p256-sec1.pem", "p256.jwk"] {
        let text = key_text(name);
        let end = text.trim_ascii_end().len();
        for length in 0..end {
            assert!(
                SigningKey::parse(&text[..length]).is_err(),
                "{name}: {length}"
            );
            assert!(
                PublicKey::parse(&text[..length]).is_err(),
                "{name}: {length}"
            );
        }
    }
}

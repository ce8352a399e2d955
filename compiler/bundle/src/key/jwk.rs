//! JWK (RFC 7517 and section 6.2 of RFC 7518): one key, its members beside each
//! other. The library that knows the curve no longer reads them.

use base64ct::{Base64UrlUnpadded, Encoding as _};
use p256::SecretKey;
use p256::elliptic_curve::zeroize::Zeroizing;
use serde::Deserialize;

use super::{Parsed, kind, problem};
use crate::BundleError;

/// Borrowed from the text, so that nothing of a private key is copied to where
/// it is not overwritten.
#[derive(Deserialize)]
struct Jwk<'a> {
    kty: &'a str,
    crv: Option<&'a str>,
    x: Option<&'a str>,
    y: Option<&'a str>,
    d: Option<&'a str>,
    alg: Option<&'a str>,
    #[serde(rename = "use")]
    usage: Option<&'a str>,
    key_ops: Option<Vec<&'a str>>,
}

pub(super) fn parse(text: &str) -> Result<Parsed, BundleError> {
    // The reader's message may quote the text: it is not passed on.
    let jwk: Jwk<'_> =
        serde_json::from_str(text).map_err(|_| problem("it is no JSON of one JWK with a `kty`"))?;
    check(&jwk)?;
    let (Some(x), Some(y)) = (jwk.x, jwk.y) else {
        return Err(problem("its `x` or `y` is missing"));
    };
    let mut point = [0; 65];
    // The mark of a point with both coordinates (SEC 1, section 2.3.3).
    let [mark, rest @ ..] = &mut point;
    *mark = 4;
    let (into_x, into_y) = rest.split_at_mut(32);
    decode(x, into_x)?;
    decode(y, into_y)?;
    let public = p256::PublicKey::from_sec1_bytes(&point)
        .map_err(|_| problem("its `x` and `y` are no point of the curve"))?;
    let Some(d) = jwk.d else {
        return Ok(Parsed::Public(public));
    };
    let mut secret = Zeroizing::new([0; 32]);
    decode(d, &mut *secret)?;
    let secret = SecretKey::from_slice(&*secret)
        .map_err(|_| problem("its `d` is no private key of the curve"))?;
    if secret.public_key() != public {
        return Err(problem("its `d` is not that of `x` and `y`"));
    }
    Ok(Parsed::Private(secret))
}

fn check(jwk: &Jwk<'_>) -> Result<(), BundleError> {
    match jwk.kty {
        "EC" => {}
        "RSA" => return Err(kind("an RSA key")),
        "oct" => return Err(kind("a secret that is shared")),
        "OKP" => return Err(kind(format!("a key for {}", short(jwk.crv)))),
        _ => return Err(kind("a key of an unknown kind")),
    }
    if jwk.crv != Some("P-256") {
        return Err(kind(format!("a key for the curve {}", short(jwk.crv))));
    }
    if jwk.alg.is_some_and(|alg| alg != "ES256") {
        return Err(kind(format!("a key for the algorithm {}", short(jwk.alg))));
    }
    if jwk.usage.is_some_and(|usage| usage != "sig") {
        return Err(kind("a key whose `use` is not `sig`"));
    }
    let wanted = match jwk.d {
        Some(_) => "sign",
        None => "verify",
    };
    if jwk
        .key_ops
        .as_ref()
        .is_some_and(|ops| !ops.contains(&wanted))
    {
        return Err(kind(format!("a key whose `key_ops` has no `{wanted}`")));
    }
    Ok(())
}

/// What stands there, if it could be a name.
fn short(text: Option<&str>) -> &str {
    let name = |text: &&str| {
        let plain = |b: u8| b.is_ascii_alphanumeric() || b == b'-' || b == b'+';
        text.len() <= 20 && text.bytes().all(plain)
    };
    text.filter(name).unwrap_or("of another name")
}

/// A number of 32 bytes: all of them are written, whatever the number is.
fn decode(text: &str, into: &mut [u8]) -> Result<(), BundleError> {
    let length = into.len();
    match Base64UrlUnpadded::decode(text, into) {
        Ok(bytes) if bytes.len() == length => Ok(()),
        _ => Err(problem("`x`, `y` or `d` is not 32 bytes in Base64url")),
    }
}

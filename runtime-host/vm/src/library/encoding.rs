//! Base64, and parts of addresses.

use base64ct::{Base64, Base64Unpadded, Encoding as _};

use super::arguments::{TEXT, invalid, unfit};
use super::hashing::digit;
use super::{Cx, Given};
use crate::value::Value;

pub(super) fn base64_encode(cx: &mut Cx<'_>, args: &mut [Value]) -> Given {
    let [Value::Text(text)] = args else {
        return Err(unfit("base64_encode", args));
    };
    cx.meter
        .make((text.len() / 3 + 1).saturating_mul(4) + TEXT)?;
    Ok(Value::from(Base64::encode_string(text.as_bytes())))
}

pub(super) fn base64_decode(cx: &mut Cx<'_>, args: &mut [Value]) -> Given {
    let [Value::Text(text)] = args else {
        return Err(unfit("base64_decode", args));
    };
    // The text in one alphabet, and what it stands for.
    cx.meter.make(text.len().saturating_mul(2) + TEXT)?;
    let digits = text.trim_end_matches('=');
    let padding = text.len() - digits.len();
    let none = || invalid("the text is no Base64");
    if padding > 2 || (padding > 0 && text.len() % 4 != 0) {
        return Err(none());
    }
    let usual = |byte: u8| match byte {
        b'-' => b'+',
        b'_' => b'/',
        other => other,
    };
    let digits: Vec<u8> = digits.bytes().map(usual).collect();
    let digits = str::from_utf8(&digits).map_err(|_| none())?;
    let bytes = Base64Unpadded::decode_vec(digits).map_err(|_| none())?;
    match String::from_utf8(bytes) {
        Ok(text) => Ok(Value::from(text)),
        Err(_) => Err(invalid("the Base64 is that of bytes which are no text")),
    }
}

fn stays(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"-._~".contains(&byte)
}

pub(super) fn url_encode(cx: &mut Cx<'_>, args: &mut [Value]) -> Given {
    const DIGITS: &[u8; 16] = b"0123456789ABCDEF";
    let [Value::Text(text)] = args else {
        return Err(unfit("url_encode", args));
    };
    cx.meter.work(text.len() / 32)?;
    let changed = text.as_str().bytes().filter(|byte| !stays(*byte)).count();
    if changed == 0 {
        return Ok(Value::Text(text.clone()));
    }
    let bytes = text.len().saturating_add(changed.saturating_mul(2));
    cx.meter.make(bytes.saturating_add(TEXT))?;
    let mut out = String::with_capacity(bytes);
    for byte in text.as_str().bytes() {
        if stays(byte) {
            out.push(char::from(byte));
        } else {
            out.push('%');
            out.push(char::from(DIGITS[usize::from(byte >> 4)]));
            out.push(char::from(DIGITS[usize::from(byte & 15)]));
        }
    }
    Ok(Value::from(out))
}

pub(super) fn url_decode(cx: &mut Cx<'_>, args: &mut [Value]) -> Given {
    let [Value::Text(text)] = args else {
        return Err(unfit("url_decode", args));
    };
    cx.meter.make(text.len() + TEXT)?;
    let bytes = text.as_bytes();
    let mut out = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while let Some(byte) = bytes.get(at) {
        if *byte != b'%' {
            out.push(*byte);
            at += 1;
            continue;
        }
        let (Some(high), Some(low)) = (digit(bytes, at + 1), digit(bytes, at + 2)) else {
            return Err(invalid(
                "a `%` has two hexadecimal digits behind it, and here it does not; \
                 the sign itself is `%25`",
            ));
        };
        out.push(high << 4 | low);
        at += 3;
    }
    match String::from_utf8(out) {
        Ok(text) => Ok(Value::from(text)),
        Err(_) => Err(invalid("it stands for bytes which are no text")),
    }
}

#[cfg(test)]
mod tests {
    use crate::library::Native;
    use crate::library::testing::*;

    #[test]
    fn texts_are_written_and_read_back() {
        let table = [
            (Native::Base64Encode, "hé", r#""aMOp""#),
            (Native::Base64Encode, "a", r#""YQ==""#),
            (Native::Base64Encode, "", r#""""#),
            (Native::Base64Decode, "aMOp", r#""hé""#),
            (Native::Base64Decode, "YQ==", r#""a""#),
            (Native::Base64Decode, "YQ", r#""a""#),
            (Native::Base64Decode, "YQ=", "invalid_value"),
            (Native::Base64Decode, "Y===", "invalid_value"),
            (Native::Base64Decode, "8J-RjQ", r#""👍""#),
            (Native::Base64Decode, "8J+RjQ==", r#""👍""#),
            (Native::Base64Decode, "/w==", "invalid_value"),
            (Native::Base64Decode, "a b", "invalid_value"),
            (Native::Base64Decode, "é", "invalid_value"),
            (Native::UrlEncode, "a b&c", r#""a%20b%26c""#),
            (Native::UrlEncode, "-._~é", r#""-._~%C3%A9""#),
            (Native::UrlDecode, "a%20b+", r#""a b+""#),
            (Native::UrlDecode, "%c3%A9", r#""é""#),
            (Native::UrlDecode, "%ff", "invalid_value"),
            (Native::UrlDecode, "50%", "invalid_value"),
            (Native::UrlDecode, "%é", "invalid_value"),
        ];
        for (native, text, expected) in table {
            assert_eq!(shown(native, [t(text)]), expected, "{native:?} {text}");
        }
    }
}

//! Secrets that stand in a file in clear (language.md section 3).

use symbi_diagnostics::blocks as codes;
use symbi_syntax::ast::{BlockItem, Expr, NestedBlock};

use super::cx::{Cx, at_value, instead, quoted};
use super::plain::{Plain, plain};

/// Words that say that a value is a secret: a whole key, or what it ends in
/// after a `_`.
const WORDS: [&str; 9] = [
    "secret",
    "token",
    "password",
    "passwd",
    "passphrase",
    "api_key",
    "apikey",
    "private_key",
    "access_key",
];

fn is_secret(key: &str) -> bool {
    let plain = |byte: u8| match byte {
        b'-' => b'_',
        byte => byte.to_ascii_lowercase(),
    };
    WORDS.iter().any(|word| {
        let Some(start) = key.len().checked_sub(word.len()) else {
            return false;
        };
        let (rest, end) = key.as_bytes().split_at(start);
        let mut pairs = end.iter().zip(word.bytes());
        pairs.all(|(byte, wanted)| plain(*byte) == wanted)
            && rest.last().is_none_or(|byte| plain(*byte) == b'_')
    })
}

/// Reports texts that stand under a key for secrets, in records too. Records
/// nest as deep as the parser lets them, so this recursion is bounded.
pub(super) fn in_clear(cx: &mut Cx<'_>, block: &str, key: &str, value: Expr<'_>) {
    // Few keys are for secrets, and of the other texts none has to be read.
    if matches!(value, Expr::Literal(_)) && !is_secret(key) {
        return;
    }
    match plain(value) {
        Plain::Text(text) if is_secret(key) && !text.is_empty() => {
            told_in_clear(cx, block, key, value, &text);
        }
        Plain::Record(record) => {
            for field in record.fields() {
                if let (Some(key), Some(value)) = (field.key(), field.value()) {
                    in_clear(cx, block, &key, value);
                }
            }
        }
        Plain::Array(array) => {
            for element in array.elements() {
                in_clear(cx, block, key, element);
            }
        }
        _ => {}
    }
}

/// The same in a block that nothing reads. Blocks nest as deep as the parser
/// lets them.
pub(super) fn in_block(cx: &mut Cx<'_>, block: NestedBlock<'_>) {
    let name = block.key().unwrap_or_default();
    for item in block.entries() {
        match item {
            BlockItem::Entry(entry) => {
                if let (Some(key), Some(value)) = (entry.key(), entry.value()) {
                    in_clear(cx, &name, &key, value);
                }
            }
            BlockItem::Block(block) => in_block(cx, block),
            BlockItem::Policy(_) => {}
        }
    }
}

/// The value of a key that takes a secret.
pub(super) fn secret_value(cx: &mut Cx<'_>, name: &str, value: Expr<'_>, found: &Plain<'_>) {
    match found {
        Plain::Secret(_) => {}
        // Nothing in quotes is no secret: the block says that it lacks one.
        Plain::Text(text) if text.trim().is_empty() => {}
        Plain::Word(word) if word.bytes().all(is_upper) => cx.report(
            at_value(
                &codes::B0750,
                value,
                format!("{} is this very text, not the variable", quoted(word)),
            )
            .fix(
                format!("write `env://{word}`"),
                instead(value, format!("env://{word}")),
            ),
        ),
        Plain::Text(text) | Plain::Word(text) => told_in_clear(cx, "webhook", name, value, text),
        _ => {
            let wanted = "a secret, such as `vault://hooks/secret` or `env://HOOK_SECRET`";
            cx.wrong_type(name, value, found, wanted);
        }
    }
}

/// What the names of variables of the environment consist of.
fn is_upper(byte: u8) -> bool {
    byte == b'_' || byte.is_ascii_uppercase() || byte.is_ascii_digit()
}

fn told_in_clear(cx: &mut Cx<'_>, block: &str, key: &str, value: Expr<'_>, text: &str) {
    if let Some(name) = variable(text) {
        cx.report(
            at_value(
                &codes::B0750,
                value,
                format!(
                    "{} in quotes is this very text, not the variable",
                    quoted(text)
                ),
            )
            .fix(
                format!("write `env://{name}`"),
                instead(value, format!("env://{name}")),
            ),
        );
        return;
    }
    let upper = key.to_ascii_uppercase().replace('-', "_");
    let name = match upper.contains('_') {
        true => upper,
        false => format!(
            "{}_{upper}",
            variable(&format!("${block}")).unwrap_or("THE")
        )
        .to_ascii_uppercase(),
    };
    cx.report(
        at_value(
            &codes::B0750,
            value,
            format!("the {} stands in the file in clear", quoted(key)),
        )
        .help(
            "who can read the file can use it: keep it in the vault or in the environment, and \
             change it if it was shared",
        )
        .maybe_fix(
            format!("write `env://{name}`, and set the variable"),
            instead(value, format!("env://{name}")),
        ),
    );
}

/// `NAME` of `$NAME`, `${NAME}` and `env:NAME`.
fn variable(text: &str) -> Option<&str> {
    let name = text
        .strip_prefix("${")
        .and_then(|rest| rest.strip_suffix('}'))
        .or_else(|| text.strip_prefix('$'))
        .or_else(|| text.strip_prefix("env:"))?;
    let fits = name
        .bytes()
        .enumerate()
        .all(|(at, b)| b == b'_' || b.is_ascii_alphabetic() || (at > 0 && b.is_ascii_digit()));
    (fits && !name.is_empty()).then_some(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_that_end_in_a_word_for_secrets_name_one() {
        for key in [
            "secret",
            "api_key",
            "github_token",
            "API_KEY",
            "db-password",
        ] {
            assert!(is_secret(key), "{key}");
        }
        for key in [
            "max_tokens",
            "tokenizer",
            "secretary",
            "keys",
            "passwords",
            "mytoken",
        ] {
            assert!(!is_secret(key), "{key}");
        }
    }

    #[test]
    fn a_variable_is_told_from_a_text() {
        assert_eq!(variable("$KEY"), Some("KEY"));
        assert_eq!(variable("${KEY_2}"), Some("KEY_2"));
        assert_eq!(variable("env:KEY"), Some("KEY"));
        for text in ["KEY", "$", "$2", "${KEY", "$a b", "env://KEY"] {
            assert_eq!(variable(text), None, "{text}");
        }
    }
}

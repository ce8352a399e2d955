//! Keys that say that their value is a secret.

/// Words, or words in a row, that name a secret. `api_key`, `api-key`, `apiKey`,
/// `API KEY` and `x-api-key` all hold `apikey`.
const SECRET: &[&str] = &[
    "accesskey",
    "apikey",
    "apikeys",
    "auth",
    "authorization",
    "bearer",
    "clientsecret",
    "connectionstring",
    "cookie",
    "cookies",
    "credential",
    "credentials",
    "csrf",
    "encryptionkey",
    "jwt",
    "oauth",
    "otp",
    "passcode",
    "passphrase",
    "passwd",
    "password",
    "passwords",
    "pin",
    "privatekey",
    "pwd",
    "secret",
    "secretkey",
    "secrets",
    "session",
    "sessionid",
    "signature",
    "signingkey",
    "sshkey",
    "token",
];

/// Ends of words that are run together, as in `DBPASSWORD` and `authtoken`.
const ENDS: &[&str] = &[
    "apikey",
    "credential",
    "credentials",
    "passphrase",
    "passwd",
    "password",
    "privatekey",
    "secret",
    "token",
];

/// Words behind such a one that make it a fact about the secret.
const ABOUT: &[&str] = &[
    "algorithm",
    "budget",
    "count",
    "counts",
    "endpoint",
    "expires",
    "expiry",
    "length",
    "limit",
    "limits",
    "method",
    "policy",
    "required",
    "timeout",
    "ttl",
    "type",
    "uri",
    "url",
    "usage",
    "used",
];

/// Words before `token` that make it a measure.
const MEASURES: &[&str] = &["max", "min", "per", "total"];

/// Whether a key says that its value is a secret. Case, and what stands between
/// words, make no difference; words count as a whole, so that `author`,
/// `secretary` and `max_tokens` are none.
pub fn is_secret(key: &str) -> bool {
    let words = words(key);
    let secret = |from: usize, to: usize| {
        let row = words.get(from..to).unwrap_or_default().concat();
        let ends = to.saturating_sub(from) == 1 && ENDS.iter().any(|end| row.ends_with(end));
        let about = words
            .get(to)
            .is_some_and(|next| ABOUT.contains(&next.as_str()));
        let before = from.checked_sub(1).and_then(|before| words.get(before));
        let measure =
            row == "token" && before.is_some_and(|word| MEASURES.contains(&word.as_str()));
        (ends || SECRET.contains(&row.as_str())) && !about && !measure
    };
    (0..words.len()).any(|from| {
        (1..=3).any(|many| {
            let to = from.saturating_add(many);
            to <= words.len() && secret(from, to)
        })
    })
}

/// Whether a key is about several tokens, which may be a number of them.
pub(super) fn is_plural_token(key: &str) -> bool {
    words(key).last().is_some_and(|word| word == "tokens")
}

/// The words of a key, in small letters: it is parted at whatever is no letter
/// or digit, and before a capital behind a small letter. Of a very long key, the
/// first.
fn words(key: &str) -> Vec<String> {
    const MOST: usize = 32;
    let mut words: Vec<String> = Vec::new();
    let mut before = ' ';
    let mut chars = key.chars().take(512).peekable();
    while let Some(c) = chars.next() {
        let ends_capitals = before.is_uppercase()
            && c.is_uppercase()
            && chars.peek().is_some_and(|next| next.is_lowercase());
        let begins = !before.is_alphanumeric()
            || (before.is_lowercase() || before.is_numeric()) && c.is_uppercase()
            || ends_capitals;
        if c.is_alphanumeric() {
            match words.last_mut() {
                Some(word) if !begins => word.extend(c.to_lowercase()),
                _ if words.len() == MOST => break,
                _ => words.push(c.to_lowercase().collect()),
            }
        }
        before = c;
    }
    words
}

//! Secrets inside texts: `--password=…`, `Authorization: Bearer …`, JSON in a
//! string, addresses with a password.

use super::REDACTED;
use super::names::is_secret;

/// A text without the secrets that it shows, and without the known ones.
pub(super) fn without_secrets(text: &str, known: &[String]) -> String {
    let text = without_known(text, known);
    let mut out = String::with_capacity(text.len());
    let mut rest = text.as_str();
    // Each step takes a word and what stands before it: linear in the text.
    while let Some(from) = rest.find(is_word) {
        let (before, word) = rest.split_at(from);
        let (word, after) = word.split_at(word.find(|c| !is_word(c)).unwrap_or(word.len()));
        out.push_str(before);
        out.push_str(word);
        rest = after;
        let scheme = ["bearer", "basic"]
            .iter()
            .any(|s| word.eq_ignore_ascii_case(s));
        let skipped = if scheme && after.starts_with(' ') {
            Some(" ")
        } else if is_secret(word) {
            assignment(after)
        } else if word.len() < after.len() && after.starts_with("://") {
            rest = user_info(after, &mut out);
            None
        } else {
            None
        };
        let Some(skipped) = skipped else { continue };
        let value = after.get(skipped.len()..).unwrap_or_default();
        let length = secret_length(value, scheme);
        // A scheme is no secret: what follows it is.
        let head = value.get(..length).unwrap_or_default();
        let is_scheme = ["bearer", "basic"]
            .iter()
            .any(|s| head.eq_ignore_ascii_case(s));
        if length == 0 || is_scheme || scheme && length < 8 {
            continue;
        }
        out.push_str(skipped);
        out.push_str(REDACTED);
        rest = value.get(length..).unwrap_or_default();
    }
    out.push_str(rest);
    out
}

/// A text without the secrets whose values are known.
pub(super) fn without_known(text: &str, known: &[String]) -> String {
    let mut text = text.to_owned();
    for secret in known.iter().filter(|secret| secret.len() >= 4) {
        if text.contains(secret.as_str()) {
            text = text.replace(secret.as_str(), REDACTED);
        }
    }
    text
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_' || c == '-'
}

/// What stands between a key and its value: quotes, spaces and `=` or `:`.
fn assignment(text: &str) -> Option<&str> {
    let after = text.trim_start_matches(['"', '\'', '\\']);
    let after = after.trim_start_matches(' ');
    let after = after.strip_prefix(['=', ':'])?;
    let after = after.trim_start_matches(' ');
    let after = after.trim_start_matches(['"', '\'', '\\']);
    text.get(..text.len().saturating_sub(after.len()))
}

/// How long a secret is that begins a text: up to a quote, or what else ends it.
fn secret_length(text: &str, scheme: bool) -> usize {
    let ends = |c: char| {
        c.is_whitespace()
            || matches!(c, '"' | '\'' | '\\' | '&' | ',' | ';' | '}' | ')' | ']')
            || scheme && matches!(c, '<' | '>')
    };
    text.find(ends).unwrap_or(text.len())
}

/// Behind `://`: takes a password before `@`, and gives what follows.
fn user_info<'a>(after: &'a str, out: &mut String) -> &'a str {
    const MOST: usize = 512;
    let place = after.get(3..).unwrap_or_default();
    let place = place
        .get(..place.floor_char_boundary(MOST))
        .unwrap_or_default();
    let host = place.find(|c: char| matches!(c, '/' | '?' | '#' | '"') || c.is_whitespace());
    let place = place.get(..host.unwrap_or(place.len())).unwrap_or_default();
    let parts = place
        .rsplit_once('@')
        .and_then(|(user, _)| user.split_once(':'));
    let Some((user, password)) = parts else {
        return after;
    };
    out.push_str("://");
    out.push_str(user);
    out.push(':');
    out.push_str(REDACTED);
    let taken = 3_usize.saturating_add(user.len()).saturating_add(1);
    after
        .get(taken.saturating_add(password.len())..)
        .unwrap_or_default()
}

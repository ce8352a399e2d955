//! Secrets inside texts: `--password=…`, `Authorization: Bearer …`, JSON in a
//! string, addresses with a password.

use super::REDACTED;
use super::names::is_secret;

/// What is shorter behind `Bearer` or `Basic` is a word of a sentence.
const SHORTEST: usize = 8;

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
        if after.starts_with("://") {
            rest = user_info(after, &mut out);
            continue;
        }
        let mut skipped = match is_scheme(word) {
            true if after.starts_with(' ') => 1,
            true => continue,
            false if is_secret(word) => assignment(after),
            false => continue,
        };
        // Before the rest is looked at: else a text of such words would be looked
        // at once for each.
        if skipped == 0 {
            continue;
        }
        let mut length = secret_length(after.get(skipped..).unwrap_or_default());
        // `Authorization: Basic …`: the scheme is no secret, what follows it is.
        let end = skipped.saturating_add(length);
        if is_scheme(after.get(skipped..end).unwrap_or_default()) {
            skipped = end.saturating_add(1);
            length = secret_length(after.get(skipped..).unwrap_or_default());
        } else if is_scheme(word) && length < SHORTEST {
            continue;
        }
        if length == 0 {
            continue;
        }
        out.push_str(after.get(..skipped).unwrap_or_default());
        out.push_str(REDACTED);
        rest = after
            .get(skipped.saturating_add(length)..)
            .unwrap_or_default();
    }
    out.push_str(rest);
    out
}

/// A text without the secrets whose values are known.
pub(super) fn without_known(text: &str, known: &[String]) -> String {
    let mut text = text.to_owned();
    let mut known: Vec<_> = known.iter().filter(|secret| secret.len() >= 4).collect();
    // One may hold another.
    known.sort_by_key(|secret| std::cmp::Reverse(secret.len()));
    for secret in known {
        if text.contains(secret.as_str()) {
            text = text.replace(secret.as_str(), REDACTED);
        }
    }
    text
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_' || c == '-'
}

fn is_scheme(word: &str) -> bool {
    let schemes = ["bearer", "basic"];
    schemes.iter().any(|name| word.eq_ignore_ascii_case(name))
}

/// How many bytes stand between a key and its value: quotes, spaces and `=` or
/// `:`. None if it has no value.
fn assignment(text: &str) -> usize {
    let quotes = ['"', '\'', '\\'];
    let after = text.trim_start_matches(quotes).trim_start_matches(' ');
    let Some(after) = after.strip_prefix(['=', ':']) else {
        return 0;
    };
    let after = after.trim_start_matches(' ').trim_start_matches(quotes);
    text.len().saturating_sub(after.len())
}

/// How long a secret is that begins a text: up to a quote, or what else ends it.
fn secret_length(text: &str) -> usize {
    let ends = |c: char| {
        let mark = matches!(c, '"' | '\'' | '\\' | '&' | ',' | ';' | '}' | ')' | ']');
        mark || c.is_whitespace()
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

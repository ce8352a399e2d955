//! The quick part of the lexer: what the first byte of a token says, and which
//! words are more than names.
//!
//! logos finds the same (a test compares the two on every word and on random
//! ones), at twice the cost: white space, names and single signs are nine in
//! ten tokens.

use crate::kind::SyntaxKind::{self, self as K};

/// What a token may be, by its first byte.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Class {
    /// Anything else: logos decides.
    Other,
    Space,
    Word,
    Digit,
    Quote,
    /// A sign that no other sign begins with.
    Sign(SyntaxKind),
    /// A sign of one byte, unless one of these two follows.
    SignUnless(SyntaxKind, u8, u8),
}

/// By byte.
pub(crate) static CLASSES: [Class; 256] = classes();

const fn classes() -> [Class; 256] {
    let mut classes = [Class::Other; 256];
    let mut byte = 0;
    while byte < 128 {
        classes[byte] = match byte as u8 {
            b' ' | b'\t' | b'\r' | b'\n' | 0x0B | 0x0C => Class::Space,
            b'A'..=b'Z' | b'a'..=b'z' | b'_' => Class::Word,
            b'0'..=b'9' => Class::Digit,
            b'"' => Class::Quote,
            b'{' => Class::Sign(K::LBrace),
            b'}' => Class::Sign(K::RBrace),
            b'(' => Class::Sign(K::LParen),
            b')' => Class::Sign(K::RParen),
            b'[' => Class::Sign(K::LBracket),
            b']' => Class::Sign(K::RBracket),
            b',' => Class::Sign(K::Comma),
            b';' => Class::Sign(K::Semicolon),
            b':' => Class::SignUnless(K::Colon, b':', b':'),
            b'.' => Class::SignUnless(K::Dot, b'.', b'.'),
            b'=' => Class::SignUnless(K::Eq, b'=', b'>'),
            _ => Class::Other,
        };
        byte += 1;
    }
    classes
}

/// Bytes that a name goes on with.
pub(crate) static IN_WORD: [bool; 256] = in_word();

const fn in_word() -> [bool; 256] {
    let mut table = [false; 256];
    let mut byte = 0;
    while byte < 128 {
        table[byte] = (byte as u8).is_ascii_alphanumeric() || byte as u8 == b'_';
        byte += 1;
    }
    table
}

/// Every word that is more than a name.
const WORDS: &[&str] = &[
    "Err",
    "None",
    "Ok",
    "Some",
    "_",
    "agent",
    "allow",
    "and",
    "audit",
    "break",
    "capabilities",
    "catch",
    "channel",
    "constraints",
    "continue",
    "deny",
    "else",
    "executor",
    "extern",
    "false",
    "for",
    "function",
    "if",
    "in",
    "let",
    "match",
    "memory",
    "metadata",
    "not",
    "null",
    "or",
    "policy",
    "require",
    "return",
    "schedule",
    "true",
    "try",
    "type",
    "webhook",
    "while",
    "with",
];

/// By first byte: the lengths, as bits, of the words that begin with it and
/// are more than names.
static LENGTHS: [u16; 256] = lengths();

const fn lengths() -> [u16; 256] {
    let mut lengths = [0; 256];
    let mut at = 0;
    while at < WORDS.len() {
        let word = WORDS[at].as_bytes();
        lengths[word[0] as usize] |= 1 << word.len();
        at += 1;
    }
    lengths
}

/// The kind of a word, which is not empty.
#[inline]
pub(crate) fn kind_of(word: &[u8]) -> SyntaxKind {
    // Most names are told by their first byte and their length.
    let [first, ..] = word else { return K::Name };
    if word.len() > 15 || LENGTHS[*first as usize] & (1 << word.len()) == 0 {
        return K::Name;
    }
    known(word)
}

fn known(word: &[u8]) -> SyntaxKind {
    match word.len() {
        1 if word == b"_" => K::Underscore,
        2 => match word {
            b"Ok" => K::OkKw,
            b"if" => K::IfKw,
            b"in" => K::InKw,
            b"or" => K::OrKw,
            _ => K::Name,
        },
        3 => match word {
            b"Err" => K::ErrKw,
            b"and" => K::AndKw,
            b"for" => K::ForKw,
            b"let" => K::LetKw,
            b"not" => K::NotKw,
            b"try" => K::TryKw,
            _ => K::Name,
        },
        4 => match word {
            b"None" => K::NoneKw,
            b"Some" => K::SomeKw,
            b"deny" => K::DenyKw,
            b"else" => K::ElseKw,
            b"null" => K::NullKw,
            b"true" => K::TrueKw,
            b"type" => K::TypeKw,
            b"with" => K::WithKw,
            _ => K::Name,
        },
        5 => match word {
            b"agent" => K::AgentKw,
            b"allow" => K::AllowKw,
            b"audit" => K::AuditKw,
            b"break" => K::BreakKw,
            b"catch" => K::CatchKw,
            b"false" => K::FalseKw,
            b"match" => K::MatchKw,
            b"while" => K::WhileKw,
            _ => K::Name,
        },
        6 => match word {
            b"extern" => K::ExternKw,
            b"memory" => K::MemoryKw,
            b"policy" => K::PolicyKw,
            b"return" => K::ReturnKw,
            _ => K::Name,
        },
        7 => match word {
            b"channel" => K::ChannelKw,
            b"require" => K::RequireKw,
            b"webhook" => K::WebhookKw,
            _ => K::Name,
        },
        8 => match word {
            b"continue" => K::ContinueKw,
            b"executor" => K::ExecutorKw,
            b"function" => K::FunctionKw,
            b"metadata" => K::MetadataKw,
            b"schedule" => K::ScheduleKw,
            _ => K::Name,
        },
        11 => match word {
            b"constraints" => K::ConstraintsKw,
            _ => K::Name,
        },
        12 => match word {
            b"capabilities" => K::CapabilitiesKw,
            _ => K::Name,
        },
        _ => K::Name,
    }
}

#[cfg(test)]
mod tests {
    use logos::Logos;

    use super::*;
    use crate::fuzzing::mutate::Random;

    fn by_logos(text: &str) -> Vec<(SyntaxKind, usize)> {
        let mut lexer = SyntaxKind::lexer(text);
        let mut found = Vec::new();
        while let Some(kind) = lexer.next() {
            found.push((kind.unwrap_or(K::Unknown), lexer.span().end));
        }
        found
    }

    fn by_lexer(text: &str) -> Vec<(SyntaxKind, usize)> {
        crate::lex(text)
            .into_iter()
            .map(|(kind, span)| (kind, span.end as usize))
            .collect()
    }

    #[test]
    fn words_and_signs_are_what_logos_says() {
        let letters = b"abcdefghijklmnopqrstuvwxyzABCSOENk_0123456789";
        let mut seen = 0;
        let mut random = Random(1);
        for number in 0..=255u8 {
            let kind = SyntaxKind::from_u8(number);
            let Some(text) = kind.fixed_text() else {
                continue;
            };
            assert_eq!(by_lexer(text), by_logos(text), "{text}");
            assert_eq!(by_lexer(text), [(kind, text.len())], "{text}");
            seen += 1;
            // Words that are nearly this one.
            for _ in 0..40 {
                let mut near = text.to_owned().into_bytes();
                let at = random.below(near.len());
                let letter = letters[random.below(letters.len())];
                match random.below(3) {
                    0 => near[at] = letter,
                    1 => near.insert(at, letter),
                    _ => near.push(letter),
                }
                let near = String::from_utf8_lossy(&near);
                // Numbers are extended by hand.
                if !near.starts_with(|c: char| c.is_ascii_digit()) && text.is_ascii() {
                    let plain = near.bytes().all(|byte| IN_WORD[byte as usize]);
                    if plain {
                        assert_eq!(by_lexer(&near), by_logos(&near), "{near}");
                    }
                }
            }
        }
        assert!(seen > 80, "{seen} kinds with a text");
    }

    #[test]
    fn signs_in_a_row_are_what_logos_says() {
        let signs = b"{}()[],;:.=<>! \t\n-+*%&|^~?a";
        let mut random = Random(2);
        for _ in 0..4_000 {
            let text: String = (0..1 + random.below(8))
                .map(|_| signs[random.below(signs.len())] as char)
                .collect();
            assert_eq!(by_lexer(&text), by_logos(&text), "{text:?}");
        }
    }
}

//! Tokens in words, for messages.

use super::core::Parser;
use crate::kind::SyntaxKind::{self, self as K};

impl Parser<'_> {
    /// What stands here, in words.
    #[cold]
    pub(super) fn found(&self) -> String {
        if self.at_end() {
            return match self.toks.get(self.end) {
                Some(tok) if tok.kind.fixed_text().is_some() => {
                    format!("`{}`", self.token_text(self.end))
                }
                _ => "the end".to_owned(),
            };
        }
        describe(self.kind(), self.here())
    }
}

/// A token in words: its text if it is short, what it is otherwise.
#[cold]
pub(super) fn describe(kind: SyntaxKind, text: &str) -> String {
    match kind {
        K::String | K::TripleString | K::CutString | K::CutTripleString if text.len() > 24 => {
            "a string".to_owned()
        }
        K::Unknown => match text.chars().next() {
            Some(c) if c.is_control() || c.is_whitespace() || is_invisible(c) => {
                format!("the invisible character U+{:04X}", c as u32)
            }
            Some(c) => format!("`{c}`"),
            None => "nothing".to_owned(),
        },
        _ if text.chars().count() > 40 => {
            let short: String = text.chars().take(37).collect();
            format!("`{}…`", short.replace(['\n', '\r'], " "))
        }
        _ => format!("`{}`", text.replace(['\n', '\r'], " ")),
    }
}

fn is_invisible(c: char) -> bool {
    matches!(c, '\u{200B}'..='\u{200F}' | '\u{2028}'..='\u{202E}' | '\u{2060}'..='\u{2069}' | '\u{FEFF}')
}

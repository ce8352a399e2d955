//! What the headers of items share: their names, the signs before their
//! braces, and the braces that are missing.

use symbi_diagnostics::{Diagnostic, Edit, syntax as codes};

use super::core::Parser;
use crate::kind::SyntaxKind::{self, self as K};

impl Parser<'_> {
    /// The name of an item, after its word.
    pub(super) fn item_name(&mut self, word: usize) {
        if self.kind().is_word() && !(self.line_start(0) && self.starts_item()) {
            self.declared_name();
        } else if matches!(self.kind(), K::String | K::OtherString | K::CutString) {
            self.quoted_name();
        } else {
            let what = self.token_text(word);
            self.name_missing(word, what);
        }
    }

    #[cold]
    fn quoted_name(&mut self) {
        let text = self.here();
        let inner = text.trim_matches(['"', '\'', '`']);
        let plain: String = inner
            .chars()
            .map(|c| if c.is_ascii_alphanumeric() { c } else { '_' })
            .collect();
        let place = self.at_token(self.pos);
        let diagnostic = Diagnostic::new(
            &codes::S0124,
            place,
            "the name of an item is written without quotes",
        );
        self.report(if plain.is_empty() {
            diagnostic
        } else {
            let plain = if plain.starts_with(|c: char| c.is_ascii_digit()) {
                format!("_{plain}")
            } else {
                plain
            };
            diagnostic.fix(
                format!("write `{plain}`"),
                vec![Edit {
                    at: place,
                    text: plain,
                }],
            )
        });
        self.bump();
    }

    #[cold]
    pub(super) fn name_missing(&mut self, word: usize, what: &str) {
        if self.at(K::Unknown) || self.kind().is_literal() {
            self.expected(&codes::S0124, &format!("the name of the {what}"));
            self.bump();
            if self.kind().is_word() && self.glued(0) {
                self.bump();
            }
            return;
        }
        let at = self.after_last();
        let place = self.at_token(word);
        self.report(
            Diagnostic::new(&codes::S0124, place, format!("this {what} has no name"))
                .note(at, "a name is expected here"),
        );
    }

    /// `metadata = {`, `agent x: {`: a sign that does not belong there.
    pub(super) fn sign_before_braces(&mut self, word: usize) {
        if matches!(self.kind(), K::Eq | K::Colon | K::FatArrow) && self.nth(1) == K::LBrace {
            self.bump();
            self.sign_is_odd(word);
        }
    }

    /// Reports the sign that has just been read.
    #[cold]
    pub(super) fn sign_is_odd(&mut self, word: usize) {
        let place = self.at_token(self.pos - 1);
        let (what, sign) = (self.token_text(word), self.token_text(self.pos - 1));
        self.report(
            Diagnostic::new(
                &codes::S0128,
                place,
                format!("the braces of `{what}` stand without `{sign}` before them"),
            )
            .fix("remove it", self.removal(self.pos - 1, self.pos - 1)),
        );
    }

    /// Reports that an item has no braces. If some follow on its line, what
    /// stands before them is reported instead.
    #[cold]
    pub(super) fn body_missing(
        &mut self,
        word: usize,
        node: SyntaxKind,
        content: impl FnOnce(&mut Self),
    ) {
        let what = self.token_text(word);
        if self.line_start(0)
            && !self.starts_top_item()
            && let Some(close) = self.stray_brace_ahead()
        {
            let at = self.after_last();
            self.report(
                Diagnostic::new(
                    &codes::S0165,
                    at,
                    format!("the `{{` of this {what} is missing"),
                )
                .fix(
                    "write `{`",
                    vec![Edit {
                        at,
                        text: " {".to_owned(),
                    }],
                ),
            );
            let start = self.start();
            let outer = self.enter_without_brace(close);
            content(self);
            self.leave_without_brace(outer);
            self.close(node, start);
            return;
        }
        if !self.at_end() && !self.line_start(0) && !self.starts_item() {
            let start = self.start();
            if self.at(K::FatArrow) {
                let place = self.at_token(self.pos);
                self.report(
                    Diagnostic::new(
                        &codes::S0165,
                        place,
                        format!("the body of this {what} stands in braces"),
                    )
                    .help("write `{ return …; }`; only a lambda is written with `=>`"),
                );
            } else {
                self.expected(&codes::S0165, &format!("the `{{` of this {what}"));
            }
            while !self.at_end() && !self.line_start(0) && !self.at(K::LBrace) {
                self.skip_one();
            }
            self.close(K::Error, start);
            if self.at(K::LBrace) && !self.line_start(0) {
                let start = self.start();
                self.skip_one();
                self.close(K::Error, start);
            }
            return;
        }
        let at = self.after_last();
        let place = self.at_token(word);
        self.report(
            Diagnostic::new(&codes::S0123, place, format!("this {what} has no body"))
                .note(at, "`{` and `}` are expected here")
                .maybe_fix(
                    "write ` {}`",
                    vec![Edit {
                        at,
                        text: " {}".to_owned(),
                    }],
                ),
        );
    }

    /// The word at hand begins an item that no agent holds.
    fn starts_top_item(&self) -> bool {
        self.at(K::AgentKw) && self.nth(1).is_word()
    }

    /// The word at hand begins an item.
    pub(super) fn starts_item(&self) -> bool {
        let named = self.nth(1).is_word();
        match self.kind() {
            K::TypeKw => named && matches!(self.nth(2), K::Eq | K::LBrace),
            K::FunctionKw => named && self.nth(2) == K::LParen,
            K::AgentKw | K::ExternKw => named || self.nth(1) == K::String,
            K::MetadataKw
            | K::CapabilitiesKw
            | K::PolicyKw
            | K::ScheduleKw
            | K::ChannelKw
            | K::MemoryKw
            | K::WebhookKw
            | K::WithKw => named || matches!(self.nth(1), K::LBrace | K::Eq | K::Colon | K::String),
            _ => false,
        }
    }

    /// After an error: up to the end of the line.
    pub(super) fn recover_line(&mut self) {
        let start = self.start();
        let from = self.pos;
        while !self.at_end() && (self.pos == from || !self.line_start(0)) {
            if self.at(K::RBrace) || (self.pos > from && self.starts_item()) {
                break;
            }
            self.skip_one();
        }
        if self.pos > from {
            self.close(K::Error, start);
        }
    }
}

//! `with`: header attributes and a body, or a block of attributes
//! (language.md 2.2).

use symbi_diagnostics::{Diagnostic, Edit, syntax as codes};

use super::core::Parser;
use super::entries::{BlockKind, ValueKind};
use crate::kind::SyntaxKind as K;

/// Attributes of language.md section 3, and the words of public files that
/// only warn there.
const ATTRIBUTES: &[&str] = &[
    "sandbox",
    "timeout",
    "memory",
    "max_memory_mb",
    "max_memory",
    "max_cpu_cores",
    "network_policy",
    "max_iterations",
    "max_tokens",
    "budget_tokens",
    "model",
    "temperature",
    "retry",
    "retry_policy",
    "max_concurrent",
    "privacy",
    "security",
    "encryption",
    "requires",
    "storage",
    "coordination",
    "cleanup",
    "epsilon",
    "tags",
    "context",
];

impl Parser<'_> {
    /// A with block; at top level its braces always hold attributes.
    pub(super) fn with_block(&mut self, top_level: bool) {
        let start = self.start();
        let word = self.pos;
        self.bump();
        self.sign_before_braces(word);
        let header = !self.at(K::LBrace);
        if header {
            self.header_attributes();
        }
        let junk = !self.at(K::LBrace) && !self.at_end() && !self.line_start(0);
        if junk {
            // Something that is no attribute, and the body behind it.
            self.expected(&codes::S0165, "an attribute, or `{` and the body of `with`");
            let error = self.start();
            while !self.at_end() && !self.at(K::LBrace) && !self.line_start(0) {
                self.skip_one();
            }
            self.close(K::Error, error);
        }
        if !self.at(K::LBrace) {
            if !junk {
                self.with_body_missing();
            }
            // A `{` that was lost, and its body.
            if self.line_start(0)
                && let Some(close) = self.stray_brace_ahead()
            {
                let body = self.start();
                let outer = self.enter_without_brace(close);
                self.statements();
                self.leave_without_brace(outer);
                self.close(K::Block, body);
            }
        } else if !header && (top_level || self.attribute_block_follows()) {
            if self.tok(self.pos).mate as usize == self.pos + 1 {
                self.block();
            } else {
                self.entry_block(K::AttributeBlock, BlockKind::Plain);
            }
        } else {
            self.block();
        }
        self.close(K::WithBlock, start);
    }

    /// `k = v, k = v` up to the `{` of the body.
    fn header_attributes(&mut self) {
        while !self.at_end() && !self.at(K::LBrace) {
            if self.at(K::Comma) {
                self.extra_commas();
                continue;
            }
            if self.at(K::Semicolon) {
                self.stray_semicolons();
                continue;
            }
            if !self.kind().is_word() && !self.at(K::String) {
                return;
            }
            // `with x = 1` ends before the next item of the agent; a known
            // attribute that lacks its sign is still one.
            if self.line_start(0)
                && !matches!(self.nth(1), K::Eq | K::Colon)
                && (self.block_shape() || !ATTRIBUTES.contains(&self.here()))
            {
                return;
            }
            let start = self.start();
            let key = self.pos;
            self.declared_name();
            if matches!(self.kind(), K::Eq | K::Colon) {
                self.bump();
                if self.header_value_missing() {
                    self.value_is_missing();
                } else if self.at(K::LBrace) {
                    self.header_record();
                } else {
                    self.entry_value(ValueKind::Header);
                }
            } else if self.starts_value() {
                self.header_sign_missing(key);
                self.entry_value(ValueKind::Header);
            } else {
                self.value_is_missing();
            }
            self.close(K::Entry, start);
            if !self.eat(K::Comma) {
                self.eat(K::Semicolon);
            }
        }
    }

    fn header_value_missing(&self) -> bool {
        if self.at(K::LBrace) {
            // A record, unless it is the body.
            return !(self.record_follows() && self.kind_after_pair() != K::Eof)
                && self.kind_after_pair() != K::LBrace;
        }
        self.value_missing()
    }

    fn header_record(&mut self) {
        self.whole(|p| {
            let start = p.start();
            p.record_fields();
            p.close(K::RecordExpr, start);
        });
    }

    fn starts_value(&self) -> bool {
        let kind = self.kind();
        !self.line_start(0)
            && (kind.is_word() || kind.is_literal() || matches!(kind, K::Minus | K::LBracket))
    }

    #[cold]
    fn header_sign_missing(&mut self, key: usize) {
        let at = self.after_last();
        let text = self.token_text(key);
        let place = self.at_token(key);
        self.report(
            Diagnostic::new(
                &codes::S0134,
                place,
                format!("the attribute `{text}` needs a `=` before its value"),
            )
            .help("only inside `with { … }` may the `=` be missing")
            .fix(
                "write `=`",
                vec![Edit {
                    at,
                    text: " =".to_owned(),
                }],
            ),
        );
    }

    #[cold]
    fn with_body_missing(&mut self) {
        // A string that lost its closing quote took the `{` along.
        let last = self.pos.saturating_sub(1);
        if matches!(self.tok(last).kind, K::CutString | K::CutTripleString)
            && self.token_text(last).contains('{')
        {
            return;
        }
        let at = self.after_last();
        self.report(
            Diagnostic::new(
                &codes::S0123,
                at,
                "expected `{` and a body after the attributes of `with`",
            )
            .label("a body is missing, even if it is empty")
            .fix(
                "write `{}`",
                vec![Edit {
                    at,
                    text: " {}".to_owned(),
                }],
            ),
        );
    }

    /// Whether the braces at hand hold attributes: the first token is a known
    /// attribute with a value, and no entry starts with a statement word.
    fn attribute_block_follows(&self) -> bool {
        let open = self.pos;
        let end = (self.tok(open).mate as usize).min(self.end);
        let first = open + 1;
        if first >= end || !self.tok(first).kind.is_word() || first + 1 >= end {
            return false;
        }
        if !ATTRIBUTES.contains(&self.token_text(first)) {
            return false;
        }
        let value = self.tok(first + 1);
        let simple = value.kind.is_word()
            || value.kind.is_literal()
            || matches!(value.kind, K::Minus | K::LBracket);
        if !matches!(value.kind, K::Eq | K::Colon) && (!simple || value.line_start()) {
            return false;
        }
        let mut at = first;
        let mut entry_start = true;
        while at < end {
            let tok = self.tok(at);
            if (entry_start || tok.line_start()) && self.statement_word_at(at, end) {
                return false;
            }
            entry_start = matches!(tok.kind, K::Comma | K::Semicolon);
            at = match tok.kind {
                K::LBrace | K::LParen | K::LBracket => self.after_pair(at).max(at + 1),
                _ => at + 1,
            };
        }
        true
    }

    fn statement_word_at(&self, at: usize, end: usize) -> bool {
        if !self.tok(at).kind.begins_statement() {
            return false;
        }
        let next = if at + 1 < end {
            self.tok(at + 1).kind
        } else {
            K::Eof
        };
        !matches!(next, K::Eq | K::Dot | K::Comma | K::Colon | K::RParen)
    }
}

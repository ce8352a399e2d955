//! `with`: header attributes and a body, or a block of attributes
//! (language.md 2.2).

use symbi_diagnostics::{Diagnostic, Edit, syntax as codes};

use super::core::Parser;
use super::entries::{BlockKind, ValueKind};
use super::foreign_items::distance_at_most_two;
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
        } else if !header && let Some(body) = self.attributes_before_statements() {
            self.attributes_in_body(body);
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
        let value = self.tok(first + 1);
        let simple = value.kind.is_word()
            || value.kind.is_literal()
            || matches!(value.kind, K::Minus | K::LBracket);
        let sign = matches!(value.kind, K::Eq | K::Colon);
        if !sign && (!simple || value.line_start()) {
            return false;
        }
        let word = self.token_text(first);
        if !ATTRIBUTES.contains(&word) {
            // A statement needs a `;`: without one a misspelt attribute is
            // what this is.
            let behind = self.after_entry(first, end);
            if !sign
                || word.len() < 6
                || !self.entry_ends(behind, end)
                || !ATTRIBUTES
                    .iter()
                    .any(|known| distance_at_most_two(word, known))
            {
                return false;
            }
        }
        let mut at = first;
        while at < end {
            if self.statement_word_at(at, end) {
                return false;
            }
            let (value, behind) = self.entry_at(at, end);
            let later = |value: usize| self.tok(value).line_start();
            if value.is_some_and(|value| later(value) && self.statement_word_at(value, end)) {
                return false;
            }
            at = self.after_separators(behind, end);
        }
        true
    }

    fn after_entry(&self, first: usize, end: usize) -> usize {
        self.entry_at(first, end).1
    }

    /// Where the value of the entry that begins here begins, and the token behind
    /// the entry, as far as it can be told without reading it: a key, perhaps a
    /// sign, and one value.
    fn entry_at(&self, first: usize, end: usize) -> (Option<usize>, usize) {
        let after = |at: usize| match self.tok(at).kind {
            K::LBrace | K::LParen | K::LBracket => self.after_pair(at).max(at + 1),
            _ => at + 1,
        };
        let mut at = after(first);
        let mut sign = false;
        while at < end && matches!(self.tok(at).kind, K::Eq | K::Colon) {
            sign = true;
            at += 1;
        }
        let none = at >= end
            || matches!(self.tok(at).kind, K::Comma | K::Semicolon)
            || (!sign && self.tok(at).line_start());
        if none {
            return (None, at.min(end));
        }
        let value = at;
        if self.tok(at).kind == K::Minus {
            at += 1;
        }
        at = after(at.min(end.saturating_sub(1)));
        while at + 1 < end && matches!(self.tok(at).kind, K::Dot | K::ColonColon) {
            at += 2;
        }
        (Some(value), at.min(end))
    }

    /// Whether an entry, and no statement, ends before this token.
    fn entry_ends(&self, behind: usize, end: usize) -> bool {
        if behind >= end {
            return true;
        }
        let tok = self.tok(behind);
        let next = match behind + 1 < end {
            true => self.tok(behind + 1).kind,
            false => K::Eof,
        };
        tok.kind == K::Comma
            || (tok.kind.is_word()
                && (tok.line_start()
                    || matches!(next, K::Eq | K::Colon)
                    || self.statement_word_at(behind, end)))
    }

    fn after_separators(&self, at: usize, end: usize) -> usize {
        let mut at = at;
        while at < end && matches!(self.tok(at).kind, K::Comma | K::Semicolon) {
            at += 1;
        }
        at
    }

    /// Where the statements begin if the braces at hand begin with attributes
    /// that are no statements: no `;` ends the first of them.
    fn attributes_before_statements(&self) -> Option<usize> {
        let end = (self.tok(self.pos).mate as usize).min(self.end);
        let mut at = self.pos + 1;
        while at + 1 < end
            && ATTRIBUTES.contains(&self.token_text(at))
            && matches!(self.tok(at + 1).kind, K::Eq | K::Colon)
        {
            let behind = self.after_entry(at, end);
            if !self.entry_ends(behind, end) {
                break;
            }
            at = self.after_separators(behind, end);
        }
        (at > self.pos + 1 && at < end).then_some(at)
    }

    /// `with { sandbox = "docker" return 1; }`: a body with the attributes
    /// inside its braces. One report.
    #[cold]
    fn attributes_in_body(&mut self, statements: usize) {
        let start = self.start();
        let open = self.at_token(self.pos);
        if let Some(region) = self.enter() {
            let first = self.pos;
            let error = self.start();
            while self.pos < statements && !self.at_end() {
                self.skip_one();
            }
            self.close(K::Error, error);
            let mut last = self.pos.saturating_sub(1).max(first);
            while last > first && self.tok(last).kind == K::Comma {
                last -= 1;
            }
            let place = self.tokens(first, last);
            let mut edits = vec![Edit {
                at: open,
                text: String::new(),
            }];
            match self.pos.saturating_sub(1) {
                behind if behind > last => edits.push(Edit {
                    at: self.tokens(last + 1, behind),
                    text: " {".to_owned(),
                }),
                _ => edits.push(Edit {
                    at: self.after_last(),
                    text: " {".to_owned(),
                }),
            }
            self.report(
                Diagnostic::new(
                    &codes::S0137,
                    place,
                    "attributes stand before the braces of a body, not in them",
                )
                .help("write `with sandbox = \"docker\", timeout = 5m { … }`")
                .maybe_fix("put them before the `{`", edits),
            );
            self.statements();
            self.leave(region);
        }
        self.close(K::Block, start);
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

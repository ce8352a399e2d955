//! Entries of blocks: `key = v`, `key: v`, `key v`, and nested blocks
//! (language.md section 2).

use symbi_diagnostics::{Diagnostic, Edit, syntax as codes};

use super::core::Parser;
use super::foreign_items::near_item;
use super::recovery::shorten;
use crate::kind::SyntaxKind as K;
use crate::place::Place;

/// What the value of an entry may be.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum ValueKind {
    /// Written out: most values.
    Plain,
    /// The same in the header of a with block, where `{` starts the body.
    Header,
    /// Any expression: `capabilities` and `input`.
    Any,
}

/// Which block the entries are of, as far as reading them needs it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum BlockKind {
    /// A block whose nested blocks are all plain.
    Plain,
    /// A channel: `policy` in it holds rules.
    Channel,
    /// A policy: `agent x { … }` in it is a nested block.
    Policy,
}

impl Parser<'_> {
    /// `{ entries }` as a node of its own.
    pub(super) fn entry_block(&mut self, node: K, kind: BlockKind) {
        let start = self.start();
        if let Some(region) = self.enter() {
            self.entries(kind);
            self.leave(region);
        }
        self.close(node, start);
    }

    /// Entries up to the end of the region.
    pub(super) fn entries(&mut self, kind: BlockKind) {
        self.separated(|p| p.entry(kind));
    }

    /// `allow: a, "b", c`: a list without its brackets. One report.
    #[cold]
    fn selector_without_brackets(&mut self, start: super::core::Start) {
        let first = self.token_of(start);
        while self.at(K::Comma)
            && (self.nth(1).is_word() || self.nth(1) == K::String)
            && (self.nth(2) == K::Comma || self.nth(2) == K::Eof || self.line_start(2))
        {
            self.bump();
            self.bump();
        }
        let place = self.tokens(first, self.pos - 1);
        self.report(
            Diagnostic::new(&codes::S0143, place, "a rule has one selector")
                .help("write several as a list: `allow: [\"a\", \"b\"]`"),
        );
        self.close(K::Error, start);
    }

    /// One entry without its separator.
    pub(super) fn entry(&mut self, kind: BlockKind) {
        let start = self.start();
        let word = self.kind();
        if matches!(word, K::CutString | K::CutTripleString) {
            self.string_token();
            self.close(K::Error, start);
            return;
        }
        if matches!(word, K::String | K::OtherString) {
            self.string_token();
        } else if word == K::PolicyKw
            && kind == BlockKind::Channel
            && (self.nth(1) == K::LBrace || (self.nth(1).is_word() && self.nth(2) == K::LBrace))
        {
            self.policy(true);
            return;
        } else if kind == BlockKind::Channel
            && word == K::Name
            && self.nth(1).is_word()
            && self.nth(2) == K::LBrace
            && (self.here() == "policies" || near_item(self.here()) == Some("policy"))
        {
            self.misspelt_item("policy");
            self.bump();
            self.bump();
            self.skip_one();
            self.close(K::Error, start);
            return;
        } else if word.is_word() {
            self.declared_name();
        } else {
            self.expected(&codes::S0132, "a key");
            self.recover_entry();
            return;
        }
        self.entry_after_key(start, kind);
    }

    /// What follows a key that has been read.
    pub(super) fn entry_after_key(&mut self, start: super::core::Start, kind: BlockKind) {
        match self.kind() {
            K::LBrace => {
                self.nested_braces();
                self.close(K::NestedBlock, start);
            }
            K::String if self.nth(1) == K::LBrace && !self.line_start(0) => {
                self.string_token();
                self.nested_braces();
                self.close(K::NestedBlock, start);
            }
            kind_of_name
                if kind == BlockKind::Policy
                    && kind_of_name.is_word()
                    && self.nth(1) == K::LBrace
                    && !self.line_start(0) =>
            {
                self.name_text();
                self.nested_braces();
                self.close(K::NestedBlock, start);
            }
            K::Eq | K::Colon => {
                self.bump();
                if self.value_missing() {
                    self.value_is_missing();
                } else {
                    self.entry_value(match self.token_text(self.token_of(start)) {
                        "input" | "capabilities" => ValueKind::Any,
                        _ => ValueKind::Plain,
                    });
                }
                self.close(K::Entry, start);
            }
            _ if self.at_end()
                || self.line_start(0)
                || matches!(self.kind(), K::Comma | K::Semicolon) =>
            {
                let first = self.token_of(start);
                if kind == BlockKind::Policy
                    && first > 0
                    && self.tok(first - 1).kind == K::Comma
                    && !self.tok(first).line_start()
                {
                    self.selector_without_brackets(start);
                    return;
                }
                if first > 0 && self.tok(first - 1).kind == K::Name && !self.tok(first).line_start()
                {
                    self.words_without_quotes(first);
                } else {
                    self.value_is_missing();
                }
                self.close(K::Entry, start);
            }
            _ => {
                self.entry_value(ValueKind::Plain);
                self.close(K::Entry, start);
            }
        }
    }

    /// `author: Jane Doe`: the last word reads as a key without a value.
    #[cold]
    fn words_without_quotes(&mut self, word: usize) {
        let place = self.tokens(word - 1, word);
        let (first, second) = (self.token_text(word - 1), self.token_text(word));
        self.report(
            Diagnostic::new(
                &codes::S0130,
                place,
                format!("`{}` has no value", shorten(second)),
            )
            .help(format!(
                "text with spaces is written in quotes: `\"{} {}\"`",
                shorten(first),
                shorten(second)
            )),
        );
    }

    fn nested_braces(&mut self) {
        self.entry_block(K::EntryBlock, BlockKind::Plain);
    }

    /// After `key:` or `key =`: the end, a separator, or a later line that
    /// begins with the next key.
    pub(super) fn value_missing(&self) -> bool {
        self.at_end()
            || matches!(self.kind(), K::Comma | K::Semicolon)
            || (self.line_start(0)
                && (self.kind().is_word() || self.at(K::String))
                && (matches!(self.nth(1), K::Colon | K::Eq) || self.starts_item()))
    }

    #[cold]
    pub(super) fn value_is_missing(&mut self) {
        let last = self.pos.saturating_sub(1);
        let key = if matches!(self.tok(last).kind, K::Eq | K::Colon) {
            last.saturating_sub(1)
        } else {
            last
        };
        let text = self.token_text(key);
        let at = self.after_last();
        let place = self.tokens(key, last);
        let mut diagnostic = Diagnostic::new(
            &codes::S0130,
            place,
            format!("`{}` has no value", shorten(text.trim_matches('"'))),
        )
        .note(at, "a value is expected here");
        if text == "policy" || text == "agent" {
            diagnostic = diagnostic.help("write `key: value`, or braces for a block");
        }
        self.report(diagnostic);
    }

    /// The value of an entry.
    pub(super) fn entry_value(&mut self, kind: ValueKind) {
        if kind == ValueKind::Any {
            if !self.whole_expression() {
                self.recover_entry();
            }
            return;
        }
        let first = self.pos;
        if !self.plain_value() {
            self.recover_entry();
            return;
        }
        self.after_value(first, kind);
    }

    /// A literal, a signed number, a dotted or `::` name, an array, a record
    /// or a secret address.
    pub(super) fn plain_value(&mut self) -> bool {
        let start = self.start();
        match self.kind() {
            K::IfKw | K::MatchKw | K::TryKw if self.computed_value_follows() => {
                let place = self.at_token(self.pos);
                self.report(
                    Diagnostic::new(
                        &codes::S0131,
                        place,
                        "a value in a block is written out, not computed",
                    )
                    .help("compute it in a body"),
                );
                return false;
            }
            K::Minus => {
                self.bump();
                if !matches!(
                    self.kind(),
                    K::Int | K::Float | K::Duration | K::Size | K::BadNumber
                ) {
                    self.expected(&codes::S0131, "a number after `-`");
                    self.close(K::PrefixExpr, start);
                    return false;
                }
                self.literal(true);
                self.close(K::PrefixExpr, start);
            }
            K::LBracket => self.whole(Self::array),
            K::LBrace => {
                let fields = self.record_follows()
                    || self.nth(2) == K::Eq
                    || self.after_pair(self.pos) <= self.pos + 2;
                if fields {
                    self.whole(|p| {
                        let start = p.start();
                        p.record_fields();
                        p.close(K::RecordExpr, start);
                    });
                } else {
                    self.bare_braces_value();
                }
            }
            K::TrueKw | K::FalseKw | K::NullKw | K::NoneKw => {
                self.bump();
                self.close(K::Literal, start);
            }
            kind if kind.is_literal() => self.literal(false),
            kind if kind.is_word() || kind == K::Underscore => self.dotted_name(),
            K::Star => {
                let place = self.place();
                self.report(
                    Diagnostic::new(&codes::S0131, place, "expected a value, found `*`")
                        .help("text such as a cron expression is written in quotes"),
                );
                return false;
            }
            _ => {
                self.expected(&codes::S0131, "a value");
                return false;
            }
        }
        true
    }

    /// Whether `if`, `match` or `try` is not the name it would be as a value.
    fn computed_value_follows(&self) -> bool {
        !self.line_start(1)
            && !matches!(
                self.nth(1),
                K::Eof | K::Comma | K::Semicolon | K::Eq | K::Colon
            )
    }

    /// Reads with the odd operators of what is read reported at its end.
    pub(super) fn whole(&mut self, read: impl FnOnce(&mut Self)) {
        let outer = std::mem::take(&mut self.odd);
        read(self);
        self.report_odd();
        self.odd = outer;
    }

    #[cold]
    fn bare_braces_value(&mut self) {
        let start = self.start();
        let place = self.at_token(self.pos);
        self.report(
            Diagnostic::new(
                &codes::S0164,
                place,
                "expected a value, found braces that hold no `key: value` fields",
            )
            .help("write `[a, b]` for a list, `{ key: value }` for a record"),
        );
        self.skip_one();
        self.close(K::Error, start);
    }

    /// `a`, `a.b`, `A::b`.
    fn dotted_name(&mut self) {
        let start = self.start();
        self.name_text();
        let mut path = false;
        while self.at(K::ColonColon) && self.nth(1).is_word() {
            path = true;
            self.bump();
            self.name_text();
        }
        self.close(if path { K::PathExpr } else { K::NameExpr }, start);
        let mut links = 0;
        while self.at(K::Dot) && self.nth(1).is_word() && self.glued(0) {
            self.bump();
            self.name_text();
            self.close(K::MemberExpr, start);
            links += 1;
            if links >= super::core::MAX_CHAIN {
                self.limit_reached(
                    &codes::S0115,
                    "this name has too many parts".to_owned(),
                    "no tool or agent has such a name",
                );
                self.skip_behind_limit();
                return;
            }
        }
    }

    /// After a plain value: its entry is over. Anything that would go on with
    /// the value is reported as a whole.
    fn after_value(&mut self, first: usize, value: ValueKind) {
        if self.at_end()
            || matches!(self.kind(), K::Comma | K::Semicolon)
            || (value == ValueKind::Header && self.at(K::LBrace))
        {
            return;
        }
        let kind = self.kind();
        // The next key.
        if kind.is_word() || matches!(kind, K::String | K::CutString) {
            return;
        }
        if self.line_start(0) && kind.is_literal() {
            return;
        }
        if self.almost_a_unit(first) || self.stray_rule(first, value) {
            return;
        }
        let dashed = kind == K::Minus && self.glued(0) && self.glued(1);
        let from = self.pos;
        let start = self.start();
        while !self.at_end() && !matches!(self.kind(), K::Comma | K::Semicolon) {
            if self.pos > from && self.line_start(0) {
                break;
            }
            if self.pos > from && value == ValueKind::Header && self.at(K::LBrace) {
                break;
            }
            if dashed && self.tok(self.pos).spaced() && self.pos > from {
                break;
            }
            self.skip_one();
        }
        self.close(K::Error, start);
        let last = self.pos - 1;
        let text = &self.text()[self.tok(first).start as usize..self.tok(last).end as usize];
        let place = self.tokens(first, last);
        let rest = self.tokens(from, last);
        if dashed {
            self.report(
                Diagnostic::new(
                    &codes::S0131,
                    place,
                    format!(
                        "`{}` is no name: text with dashes is written in quotes",
                        shorten(text)
                    ),
                )
                .maybe_fix(
                    "put it in quotes",
                    vec![Edit {
                        at: place,
                        text: format!("\"{text}\""),
                    }],
                ),
            );
            return;
        }
        self.unplain_value(
            place,
            rest,
            from,
            (text.contains('*') || self.colon_in_text(first, from, last)).then(|| text.to_owned()),
        );
    }

    /// Whether a comment begins right behind `env:` or `vault:`.
    fn begins_comment(&self, behind: usize) -> bool {
        let at = self.tok(behind - 1).end as usize;
        let scheme = matches!(self.token_text(behind.saturating_sub(2)), "env" | "vault");
        scheme && self.text()[at..].starts_with("//")
    }

    /// `webhook:name`: text that lacks its quotes.
    fn colon_in_text(&self, first: usize, colon: usize, last: usize) -> bool {
        let glued = |at: usize| self.tok(at - 1).end == self.tok(at).start;
        last > colon
            && first + 1 == colon
            && self.tok(colon).kind == K::Colon
            && (colon..=last).all(glued)
            && self.tok(first).kind.is_word()
    }

    /// `deny: invoke("x")` outside a policy, whose selector has been read.
    fn stray_rule(&mut self, selector: usize, value: ValueKind) -> bool {
        let sign = selector.saturating_sub(1);
        let key = selector.saturating_sub(2);
        let rule = value == ValueKind::Plain
            && self.at(K::LParen)
            && self.glued(0)
            && self.tok(selector).kind.is_word()
            && matches!(self.tok(sign).kind, K::Eq | K::Colon)
            && matches!(
                self.tok(key).kind,
                K::AllowKw | K::DenyKw | K::RequireKw | K::AuditKw
            );
        if !rule {
            return false;
        }
        self.rule_outside(key);
        true
    }

    /// Skips the rest of a rule that stands outside a policy, and reports the
    /// whole from its word.
    #[cold]
    pub(super) fn rule_outside(&mut self, word: usize) {
        let start = self.start();
        while !self.at_end()
            && !self.line_start(0)
            && !matches!(self.kind(), K::Comma | K::Semicolon)
        {
            self.skip_one();
        }
        let place = self.tokens(word, self.pos - 1);
        self.report(
            Diagnostic::new(&codes::S0120, place, "a rule stands outside a policy")
                .help("write `policy name { … }` around the rules"),
        );
        self.close(K::Error, start);
    }

    /// `5.minute`, `30.secs`: reports and reads what stands behind the number.
    fn almost_a_unit(&mut self, number: usize) -> bool {
        let shape = self.pos == number + 1
            && self.at(K::Dot)
            && self.nth(1).is_word()
            && self.glued(0)
            && self.glued(1)
            && matches!(self.tok(number).kind, K::Int | K::Float);
        let Some(unit) = shape
            .then(|| super::literals::dotted_unit(self.token_text(self.pos + 1)))
            .flatten()
        else {
            return false;
        };
        let start = self.start();
        self.bump();
        let place = self.tokens(number, self.pos);
        self.report(
            Diagnostic::new(
                &codes::S0131,
                place,
                format!("`{}` is not a unit: this is no length of time", self.here()),
            )
            .fix(
                format!("write `{}.{unit}`", self.token_text(number)),
                vec![Edit {
                    at: self.at_token(self.pos),
                    text: unit.to_owned(),
                }],
            ),
        );
        self.bump();
        self.close(K::Error, start);
        true
    }

    #[cold]
    fn unplain_value(&mut self, value: Place, rest: Place, from: usize, text: Option<String>) {
        let found = super::describe::describe(self.tok(from).kind, self.token_text(from));
        let diagnostic = match self.tok(from).kind {
            K::Eq | K::Colon if self.begins_comment(from + 1) => Diagnostic::new(
                &codes::S0132,
                rest,
                "the name of the secret is missing, and `//` begins a comment",
            )
            .help("write `env://NAME` or `vault://path`"),
            K::Eq | K::Colon => Diagnostic::new(
                &codes::S0132,
                rest,
                format!("expected the next entry, found {found}"),
            ),
            K::RBrace | K::RParen | K::RBracket => {
                Diagnostic::new(&codes::S0113, rest, format!("this {found} closes nothing"))
            }
            K::LBrace => Diagnostic::new(
                &codes::S0132,
                rest,
                "expected the next entry, found a block".to_owned(),
            )
            .help("a nested block is written `key { … }` or `key \"name\" { … }`"),
            K::Unknown => Diagnostic::new(
                &codes::S0102,
                rest,
                format!("{found} is not used in the language"),
            ),
            _ => Diagnostic::new(
                &codes::S0131,
                value,
                "a value in a block is written out, not computed",
            )
            .label("a literal, a name, a list or a record is expected")
            .help("put text in quotes"),
        };
        self.report(match text {
            Some(text) if !text.contains('"') => diagnostic.maybe_fix(
                "put it in quotes",
                vec![Edit {
                    at: value,
                    text: format!("\"{text}\""),
                }],
            ),
            _ => diagnostic,
        });
    }
}

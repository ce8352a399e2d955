//! Where to go on after an error. Each function here is silent or reports
//! once; none leaves the region at hand.

use symbi_diagnostics::{Code, Diagnostic, Edit, syntax as codes};

use super::core::Parser;
use super::describe::describe;
use crate::kind::SyntaxKind as K;

impl Parser<'_> {
    /// Reports that something else was expected here. A character or a quote
    /// the language does not have is reported as that.
    #[cold]
    pub(super) fn expected(&mut self, code: &'static Code, what: &str) {
        if matches!(self.kind(), K::CutString | K::CutTripleString) {
            self.cut_string();
            return;
        }
        let place = self.place();
        let diagnostic = match self.kind() {
            K::Unknown => {
                let diagnostic = Diagnostic::new(
                    &codes::S0102,
                    place,
                    format!(
                        "{} is not used in the language; expected {what}",
                        describe(K::Unknown, self.here())
                    ),
                );
                match look_alike(self.here()) {
                    Some(sign) => diagnostic.maybe_fix(
                        format!("write `{sign}`"),
                        vec![Edit {
                            at: place,
                            text: sign.to_owned(),
                        }],
                    ),
                    None => diagnostic,
                }
            }
            K::OtherString => self.other_string(self.pos),
            K::RBrace | K::RParen | K::RBracket => Diagnostic::new(
                &codes::S0113,
                place,
                format!("this `{}` closes nothing", self.here()),
            )
            .maybe_fix(
                "remove it",
                vec![Edit {
                    at: place,
                    text: String::new(),
                }],
            ),
            _ => {
                let found = self.found();
                Diagnostic::new(code, place, format!("expected {what}, found {found}"))
            }
        };
        self.report(diagnostic);
    }

    /// Reports what is left in a region and makes an error of it.
    #[cold]
    pub(super) fn leftover(&mut self, code: &'static Code, what: &str) {
        if self.at_end() {
            return;
        }
        if self.lost_end {
            self.skip_lost_end();
            return;
        }
        self.expected(code, what);
        self.error_to(self.end);
    }

    /// Skips the rest of a region that lacks its closing bracket: what seems
    /// odd there follows from that, but for a string that lost its quote.
    #[cold]
    pub(super) fn skip_lost_end(&mut self) {
        let start = self.start();
        let mut cut = false;
        while !self.at_end() {
            if !cut && matches!(self.kind(), K::CutString | K::CutTripleString) {
                self.cut_string();
                cut = true;
            }
            self.bump();
        }
        self.close(K::Error, start);
    }

    /// A loop over the parts of a region ends with this: whatever went wrong,
    /// the next round starts further on.
    pub(super) fn must_advance(&mut self, before: usize) {
        if self.pos == before && !self.at_end() {
            let start = self.start();
            self.skip_one();
            self.close(K::Error, start);
        }
    }

    /// Whether the region goes on. A loop over it calls this with the place of
    /// its last round, and starts each round further on than the one before.
    pub(super) fn more(&mut self, last: &mut Option<usize>) -> bool {
        if *last == Some(self.pos) {
            self.must_advance(self.pos);
        }
        *last = Some(self.pos);
        !self.at_end()
    }

    /// Parts up to the end of the region, each with a comma, a semicolon or
    /// nothing behind it.
    pub(super) fn separated(&mut self, mut part: impl FnMut(&mut Self)) {
        let mut last = None;
        while self.more(&mut last) {
            match self.kind() {
                K::Comma => self.extra_commas(),
                K::Semicolon => self.stray_semicolons(),
                _ => {
                    part(self);
                    if !self.eat(K::Comma) {
                        self.eat(K::Semicolon);
                    }
                }
            }
        }
    }

    /// After an error in a statement: goes on after the next `;`, or before a
    /// line that starts a statement, or at the end of the block.
    pub(super) fn recover_statement(&mut self) {
        let start = self.start();
        let from = self.pos;
        while !self.at_end() {
            if self.at(K::Semicolon) {
                if self.pos > from {
                    self.close(K::Error, start);
                }
                self.bump();
                return;
            }
            if self.pos > from && self.line_start(0) && self.starts_statement() {
                break;
            }
            self.skip_one();
        }
        if self.pos > from {
            self.close(K::Error, start);
        }
    }

    /// Whether the token at hand, the first on its line, may start a statement
    /// rather than go on with one.
    fn starts_statement(&self) -> bool {
        let kind = self.kind();
        kind.is_word() && !matches!(kind, K::InKw | K::AndKw | K::OrKw | K::ElseKw | K::CatchKw)
    }

    /// After an error in an entry: goes on at its end, which is a comma, a
    /// semicolon or the end of its line.
    pub(super) fn recover_entry(&mut self) {
        let start = self.start();
        let from = self.pos;
        while !self.at_end() && !matches!(self.kind(), K::Comma | K::Semicolon) {
            if self.pos > from && self.line_start(0) {
                break;
            }
            self.skip_one();
        }
        if self.pos > from {
            self.close(K::Error, start);
        }
    }

    /// After an error in a list: goes on before the next comma.
    pub(super) fn recover_element(&mut self) {
        let start = self.start();
        let from = self.pos;
        while !self.at_end() && !self.at(K::Comma) {
            self.skip_one();
        }
        if self.pos > from {
            self.close(K::Error, start);
        }
    }

    /// A text in other quotes than `"`.
    #[cold]
    pub(super) fn other_string(&self, token: usize) -> Diagnostic<crate::place::Place> {
        let text = self.token_text(token);
        let place = self.at_token(token);
        let inner: String = {
            let mut chars = text.chars();
            chars.next();
            chars.next_back();
            chars.collect()
        };
        let inner = requote(&inner);
        let diagnostic =
            Diagnostic::new(&codes::S0105, place, "strings are written in double quotes");
        let edits = vec![Edit {
            at: place,
            text: format!("\"{inner}\""),
        }];
        if text.contains("${") {
            return diagnostic
                .help("a string is not filled in: join its parts with `+`")
                .maybe_fix(format!("write `\"{}\"`", shorten(&inner)), edits);
        }
        diagnostic.fix(format!("write `\"{}\"`", shorten(&inner)), edits)
    }
}

/// The text between other quotes as it stands between double ones.
fn requote(inner: &str) -> String {
    let mut out = String::with_capacity(inner.len());
    let mut chars = inner.chars();
    while let Some(c) = chars.next() {
        match c {
            '\\' => match chars.next() {
                Some(quote @ ('\'' | '`')) => out.push(quote),
                Some(other) => {
                    out.push('\\');
                    out.push(other);
                }
                None => out.push_str("\\\\"),
            },
            '"' => out.push_str("\\\""),
            other => out.push(other),
        }
    }
    out
}

/// The sign of the language that a character looks like.
fn look_alike(text: &str) -> Option<&'static str> {
    Some(match text {
        "–" | "—" | "−" | "‐" => "-",
        "×" => "*",
        "÷" => "/",
        "≠" => "!=",
        "≤" => "<=",
        "≥" => ">=",
        "→" => "->",
        "⇒" => "=>",
        "，" => ",",
        "；" => ";",
        "：" => ":",
        "（" => "(",
        "）" => ")",
        "｛" => "{",
        "｝" => "}",
        _ => return None,
    })
}

pub(super) fn shorten(text: &str) -> String {
    if text.chars().count() <= 30 {
        text.to_owned()
    } else {
        text.chars().take(27).chain("…".chars()).collect()
    }
}

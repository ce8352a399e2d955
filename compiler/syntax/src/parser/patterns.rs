//! Patterns, match and its arms (language.md 2.3).

use symbi_diagnostics::{Diagnostic, Edit, syntax as codes};

use super::core::Parser;
use crate::kind::SyntaxKind as K;

impl Parser<'_> {
    /// One pattern without `|`. `false` if none stands here (reported).
    pub(super) fn pattern(&mut self) -> bool {
        let start = self.start();
        match self.kind() {
            K::Underscore => {
                self.bump();
                self.close(K::WildcardPattern, start);
            }
            K::TrueKw | K::FalseKw | K::NullKw | K::NoneKw => {
                self.bump();
                self.close(K::LiteralPattern, start);
            }
            K::Minus => {
                self.bump();
                if matches!(
                    self.kind(),
                    K::Int | K::Float | K::Duration | K::Size | K::BadNumber
                ) {
                    self.literal(true);
                } else {
                    self.expected(&codes::S0166, "a number after `-`");
                }
                self.close(K::LiteralPattern, start);
            }
            kind if kind.is_literal() => {
                self.literal(false);
                self.close(K::LiteralPattern, start);
            }
            kind if kind.is_word() => {
                self.name_text();
                while self.at(K::ColonColon) && self.nth(1).is_word() {
                    self.bump();
                    self.name_text();
                }
                if self.at(K::LParen) {
                    if let Some(region) = self.enter() {
                        self.sub_patterns();
                        self.leave(region);
                    }
                    self.close(K::CallPattern, start);
                } else {
                    self.close(K::NamePattern, start);
                }
            }
            _ => {
                self.expected(&codes::S0166, "a pattern");
                return false;
            }
        }
        true
    }

    fn sub_patterns(&mut self) {
        let mut last = None;
        while self.more(&mut last) {
            if self.at(K::Comma) {
                self.extra_commas();
                continue;
            }
            if !self.pattern() {
                self.recover_element();
            }
            if !self.eat(K::Comma)
                && !self.at_end()
                && !self.kind().is_word()
                && !self.at(K::Underscore)
            {
                self.leftover(&codes::S0167, "`,` or `)` in the pattern");
            }
        }
    }

    /// `match e { arms }`, as a statement or a value.
    pub(super) fn match_expression(&mut self) -> bool {
        self.guarded_in_head(Self::match_arms)
    }

    fn match_arms(&mut self) -> bool {
        let start = self.start();
        self.bump();
        let ok = self.head_expression();
        if self.at(K::LBrace) {
            let body = self.start();
            if let Some(region) = self.enter() {
                self.arms();
                self.leave(region);
            }
            self.close(K::MatchBody, body);
        } else if ok {
            self.block_missing("the arms of `match`");
        }
        self.close(K::MatchExpr, start);
        ok
    }

    fn arms(&mut self) {
        while !self.at_end() {
            let before = self.pos;
            if self.at(K::Comma) {
                self.extra_commas();
                continue;
            }
            if self.at(K::Semicolon) {
                self.stray_semicolons();
                continue;
            }
            self.arm();
            self.must_advance(before);
        }
    }

    fn arm(&mut self) {
        let start = self.start();
        let mut ok = self.pattern();
        while ok && self.eat(K::Pipe) {
            ok = self.pattern();
        }
        if ok && self.at(K::IfKw) {
            let guard = self.start();
            self.bump();
            let outer = self.mode;
            self.mode.arm = true;
            ok = self.whole_expression();
            self.mode = outer;
            self.close(K::ArmGuard, guard);
        }
        if ok && !self.at(K::FatArrow) {
            self.expected(&codes::S0166, "`=>` after the pattern");
            ok = false;
            // `pat -> e`, `pat: e`: the arm goes on behind the sign.
            if matches!(self.kind(), K::Arrow | K::Colon) {
                self.bump();
                self.arm_body();
                self.close(K::MatchArm, start);
                self.eat(K::Comma);
                return;
            }
        }
        if !ok {
            self.recover_arm();
            self.close(K::MatchArm, start);
            self.eat(K::Comma);
            return;
        }
        self.bump();
        if !self.arm_body() {
            self.recover_arm();
        }
        self.close(K::MatchArm, start);
        if !self.eat(K::Comma) && self.at(K::Semicolon) {
            self.semicolon_after_arm();
        }
    }

    #[cold]
    fn semicolon_after_arm(&mut self) {
        let start = self.start();
        let place = self.at_token(self.pos);
        self.report(
            Diagnostic::new(&codes::S0166, place, "arms are separated by commas").fix(
                "write `,`",
                vec![Edit {
                    at: place,
                    text: ",".to_owned(),
                }],
            ),
        );
        self.bump();
        self.close(K::Error, start);
    }

    /// An expression, a block or an assignment.
    fn arm_body(&mut self) -> bool {
        if self.at(K::LBrace) && (self.nth(1) == K::RBrace || !self.record_follows()) {
            self.block();
            return true;
        }
        if matches!(
            self.kind(),
            K::ReturnKw | K::BreakKw | K::ContinueKw | K::LetKw | K::ForKw | K::WhileKw
        ) && self.is_keyword()
        {
            return self.statement_as_arm();
        }
        let start = self.start();
        if !self.whole_expression() {
            return false;
        }
        if self.at_assignment() {
            let place = self.last_node();
            self.assignment_target(place, self.pos);
            self.bump();
            let ok = self.whole_expression();
            self.close(K::AssignStmt, start);
            return ok;
        }
        true
    }

    /// `=> return x`: a statement needs braces here.
    #[cold]
    fn statement_as_arm(&mut self) -> bool {
        let word = self.here();
        let start = self.start();
        if let Some(close) = self.stray_brace_ahead() {
            let at = self.after_last();
            self.report(
                Diagnostic::new(&codes::S0165, at, "the `{` of this arm is missing").fix(
                    "write `{`",
                    vec![Edit {
                        at,
                        text: " {".to_owned(),
                    }],
                ),
            );
            let outer = self.enter_without_brace(close);
            self.statements();
            self.leave_without_brace(outer);
            self.close(K::Block, start);
            return true;
        }
        let first = self.pos;
        self.bump();
        let mut ok = true;
        if !self.at_end() && !matches!(self.kind(), K::Comma | K::Semicolon) && !self.line_start(0)
        {
            ok = self.whole_expression();
        }
        self.close(K::Error, start);
        let place = self.tokens(first, self.pos - 1);
        let (before, after) = (self.before(first), self.after_last());
        let semicolon = if self.eat(K::Semicolon) { "" } else { ";" };
        self.report(
            Diagnostic::new(
                &codes::S0166,
                place,
                format!("`{word}` needs braces in an arm"),
            )
            .maybe_fix(
                "put it in braces",
                vec![
                    Edit {
                        at: before,
                        text: "{ ".to_owned(),
                    },
                    Edit {
                        at: after,
                        text: format!("{semicolon} }}"),
                    },
                ],
            ),
        );
        ok
    }

    /// After an error in an arm: goes on after the next comma, or before a
    /// later line.
    fn recover_arm(&mut self) {
        let start = self.start();
        let from = self.pos;
        while !self.at_end() && !self.at(K::Comma) {
            if self.pos > from && self.line_start(0) && !self.at(K::LBrace) {
                break;
            }
            self.skip_one();
        }
        if self.pos > from {
            self.close(K::Error, start);
        }
    }
}

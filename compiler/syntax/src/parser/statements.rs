//! Statements and blocks (language.md 2.3).

use symbi_diagnostics::{Diagnostic, Edit, syntax as codes};

use super::core::{MAX_CHAIN, Parser, Start};
use crate::kind::SyntaxKind::{self, self as K};

impl Parser<'_> {
    /// Whether the statement word at hand is one, and not a name: it is a name
    /// before `= . , : )` and the assignment signs, and before `;` unless it
    /// is return, break or continue.
    pub(super) fn is_keyword(&self) -> bool {
        match self.nth_or_closer(1) {
            K::Eq
            | K::Dot
            | K::Comma
            | K::Colon
            | K::RParen
            | K::PlusEq
            | K::MinusEq
            | K::StarEq
            | K::SlashEq
            | K::PercentEq => false,
            K::Semicolon => matches!(self.kind(), K::ReturnKw | K::BreakKw | K::ContinueKw),
            _ => true,
        }
    }

    /// `{ statements }`.
    pub(super) fn block(&mut self) {
        let start = self.start();
        if let Some(region) = self.enter() {
            self.statements();
            self.leave(region);
        }
        self.close(K::Block, start);
    }

    /// Statements up to the end of the region.
    pub(super) fn statements(&mut self) {
        while !self.at_end() {
            self.statement();
        }
    }

    /// A block, or a report that it is missing.
    pub(super) fn block_or_report(&mut self, what: &str) {
        if self.at(K::LBrace) {
            self.block();
        } else {
            self.block_missing(what);
        }
    }

    #[cold]
    pub(super) fn block_missing(&mut self, what: &str) {
        self.expected(&codes::S0165, &format!("`{{` and {what}"));
        self.recover_statement();
    }

    fn statement(&mut self) {
        let before = self.pos;
        let kind = self.kind();
        let start = self.start();
        match kind {
            K::Semicolon => self.stray_semicolons(),
            K::LetKw if self.is_keyword() => self.let_statement(start),
            K::IfKw if self.is_keyword() => {
                self.if_expression();
            }
            K::MatchKw if self.is_keyword() => {
                self.match_expression();
            }
            K::TryKw if self.is_keyword() => {
                self.try_expression();
            }
            K::ForKw if self.is_keyword() => self.for_statement(start),
            K::WhileKw if self.is_keyword() => self.while_statement(start),
            K::ReturnKw if self.is_keyword() => self.return_statement(start),
            K::BreakKw | K::ContinueKw if self.is_keyword() => {
                self.bump();
                self.statement_end();
                let kind = if kind == K::BreakKw {
                    K::BreakStmt
                } else {
                    K::ContinueStmt
                };
                self.close(kind, start);
            }
            K::FunctionKw if self.nth(1).is_word() && self.nth(2) == K::LParen => {
                self.nested_function(start);
            }
            K::LBrace if !self.record_follows() => self.bare_block(start),
            K::Name | K::ElseKw | K::CatchKw if self.foreign_statement(start) => {}
            _ => self.expression_statement(start),
        }
        self.must_advance(before);
    }

    /// One or more `;` that end nothing: one warning.
    pub(super) fn stray_semicolons(&mut self) {
        let start = self.start();
        let first = self.pos;
        while self.at(K::Semicolon) {
            self.bump();
        }
        self.close(K::EmptyStmt, start);
        let place = self.tokens(first, self.pos - 1);
        self.report(
            Diagnostic::new(&codes::S0161, place, "this `;` ends nothing")
                .fix("remove it", self.removal(first, self.pos - 1)),
        );
    }

    fn let_statement(&mut self, start: Start) {
        self.bump();
        if self.kind().is_word() && self.here() == "mut" && self.nth(1).is_word() {
            let place = self.at_token(self.pos);
            self.report(
                Diagnostic::new(&codes::S0163, place, "every name can be assigned again")
                    .fix("remove `mut`", self.removal(self.pos, self.pos)),
            );
            self.bump();
        }
        self.let_rest(start);
    }

    /// `name: T = e;`, after the `let`.
    fn let_rest(&mut self, start: Start) {
        let mut ok = true;
        if self.kind().is_word() || self.at(K::Underscore) {
            self.declared_name();
        } else {
            self.expected(&codes::S0167, "a name after `let`");
            ok = false;
        }
        if ok && self.eat(K::Colon) {
            self.type_();
        }
        if ok {
            if self.eat(K::Eq) {
                ok = self.whole_expression();
            } else {
                self.expected(&codes::S0167, "`=` and a value");
                ok = false;
            }
        }
        self.end_of(ok);
        self.close(K::LetStmt, start);
    }

    /// Ends a statement: with its `;`, or after an error with a recovery.
    fn end_of(&mut self, ok: bool) {
        if ok {
            self.statement_end();
        } else {
            self.recover_statement();
        }
    }

    /// `;`, or a report that it is missing. Swallows nothing of the next line.
    pub(super) fn statement_end(&mut self) {
        if self.eat(K::Semicolon) {
            return;
        }
        // A string that lost its closing quote took the `;` along.
        if self.pos > 0
            && matches!(
                self.tok(self.pos - 1).kind,
                K::CutString | K::CutTripleString
            )
        {
            return;
        }
        if !self.at_end() && !self.line_start(0) && !self.statement_may_start() {
            self.expected(&codes::S0107, "`;` after this statement");
            self.recover_statement();
            return;
        }
        let at = self.after_last();
        let missing = Diagnostic::new(&codes::S0107, at, "expected `;` after this statement");
        // Braces glued to what is no statement belong to it: the word before
        // it is lost, and a `;` would not mend it.
        if self.at(K::LBrace) && !self.line_start(0) {
            self.report(missing.help("a block follows `if`, `for`, `while`, `match` or `try`"));
            let start = self.start();
            self.skip_one();
            self.close(K::Error, start);
            return;
        }
        let edits = vec![Edit {
            at,
            text: ";".to_owned(),
        }];
        if self.at_end() || self.line_start(0) {
            self.report(missing.fix("write `;`", edits));
            return;
        }
        // Two things on one line: a `;` may be missing, or something else.
        if self.glued(0) && self.pos > 0 && self.tok(self.pos - 1).kind == K::String {
            self.glued_to_string();
            self.recover_statement();
            return;
        }
        self.report(missing.maybe_fix("write `;`", edits));
    }

    fn statement_may_start(&self) -> bool {
        let kind = self.kind();
        kind.is_word()
            || kind.is_literal()
            || matches!(
                kind,
                K::LBrace | K::LParen | K::LBracket | K::Minus | K::Bang | K::Underscore
            )
    }

    fn return_statement(&mut self, start: Start) {
        self.bump();
        let mut ok = true;
        let ends = self.at(K::Semicolon)
            || self.at_end()
            || (self.line_start(0) && self.starts_new_statement());
        if !ends {
            ok = self.whole_expression();
        }
        self.end_of(ok);
        self.close(K::ReturnStmt, start);
    }

    /// After a bare `return`, a line that begins with a statement word or an
    /// assignment is no value of it.
    fn starts_new_statement(&self) -> bool {
        matches!(
            self.kind(),
            K::LetKw | K::ForKw | K::WhileKw | K::ReturnKw | K::BreakKw | K::ContinueKw
        )
    }

    fn for_statement(&mut self, start: Start) {
        self.bump();
        // `for (x in xs)`: the parentheses of other languages.
        if self.at(K::LParen) && self.nth(1).is_word() && self.nth(2) == K::InKw {
            self.parenthesised_for();
            self.close(K::ForStmt, start);
            return;
        }
        if self.kind().is_word() || self.at(K::Underscore) {
            self.declared_name();
        } else {
            self.expected(&codes::S0167, "a name after `for`");
            self.recover_statement();
            self.close(K::ForStmt, start);
            return;
        }
        if self.at(K::Comma) {
            let place = self.at_token(self.pos);
            self.report(
                Diagnostic::new(&codes::S0163, place, "`for` has one name").help(
                    "write `for entry in map.entries()` and use `entry.key` and `entry.value`",
                ),
            );
            while !self.at_end() && !matches!(self.kind(), K::InKw | K::LBrace | K::Semicolon) {
                self.bump();
            }
        }
        let ok = if self.eat(K::InKw) {
            self.head_expression()
        } else {
            self.expected(&codes::S0167, "`in` after the name");
            false
        };
        self.loop_body(ok, "the body of `for`");
        self.close(K::ForStmt, start);
    }

    #[cold]
    fn parenthesised_for(&mut self) {
        let place = self.at_token(self.pos);
        let close = self.after_pair(self.pos) - 1;
        let mut edits = vec![Edit {
            at: place,
            text: String::new(),
        }];
        if !self.tok(self.pos).unclosed() {
            edits.push(Edit {
                at: self.at_token(close),
                text: String::new(),
            });
        }
        self.report(
            Diagnostic::new(&codes::S0163, place, "`for` is written without parentheses")
                .fix("remove them", edits),
        );
        if let Some(region) = self.enter() {
            self.name_text();
            self.bump();
            if self.whole_expression() {
                self.leftover(&codes::S0167, "`)`");
            } else {
                self.error_to(self.end);
            }
            self.leave(region);
        }
        self.loop_body(true, "the body of `for`");
    }

    fn while_statement(&mut self, start: Start) {
        self.bump();
        let ok = self.head_expression();
        self.loop_body(ok, "the body of `while`");
        self.close(K::WhileStmt, start);
    }

    /// The block after a head; after an error in the head, the block if one
    /// can be found on the way.
    fn loop_body(&mut self, ok: bool, what: &str) {
        if !ok {
            self.skip_to_block();
            if !self.at(K::LBrace) {
                self.recover_statement();
                return;
            }
        }
        self.block_or_report(what);
    }

    /// After an error in a head: up to the `{` on the same line, if any.
    fn skip_to_block(&mut self) {
        let start = self.start();
        let from = self.pos;
        while !self.at_end() && !matches!(self.kind(), K::LBrace | K::Semicolon) {
            if self.pos > from && self.line_start(0) {
                break;
            }
            self.skip_one();
        }
        if self.pos > from {
            self.close(K::Error, start);
        }
    }

    /// `if c { … } else if let p = e { … } else { … }`, in a loop: the nodes
    /// nest, the calls do not.
    pub(super) fn if_expression(&mut self) -> bool {
        self.guarded_in_head(Self::if_chain)
    }

    /// In a head, `if if if …` nests without a bracket.
    pub(super) fn guarded_in_head(&mut self, read: fn(&mut Self) -> bool) -> bool {
        if !self.mode.head {
            return read(self);
        }
        if !self.deeper() {
            self.skip_behind_limit();
            return true;
        }
        let ok = read(self);
        self.shallower();
        ok
    }

    fn if_chain(&mut self) -> bool {
        let mut starts = Vec::new();
        let mut ok;
        loop {
            starts.push(self.start());
            self.bump();
            ok = self.if_head();
            self.loop_body(ok, "the body of `if`");
            if self.at(K::Name) && matches!(self.here(), "elif" | "elsif" | "elseif") {
                self.else_if_word();
                continue;
            }
            if !self.at(K::ElseKw) {
                break;
            }
            if self.nth(1) != K::IfKw {
                self.bump();
                self.block_or_report("the body of `else`");
                break;
            }
            if starts.len() as u32 >= MAX_CHAIN {
                self.else_chain_too_long();
                break;
            }
            self.bump();
        }
        for start in starts.into_iter().rev() {
            self.close(K::IfExpr, start);
        }
        ok
    }

    #[cold]
    fn else_if_word(&mut self) {
        let place = self.at_token(self.pos);
        self.report(
            Diagnostic::new(
                &codes::S0163,
                place,
                format!("`{}` is written `else if`", self.here()),
            )
            .fix(
                "write `else if`",
                vec![Edit {
                    at: place,
                    text: "else if".to_owned(),
                }],
            ),
        );
    }

    #[cold]
    fn else_chain_too_long(&mut self) {
        self.limit_reached(
            &codes::S0115,
            format!("this `if` has more than {MAX_CHAIN} `else if` parts"),
            "write a `match`",
        );
        let start = self.start();
        while self.at(K::ElseKw) {
            self.bump();
            while !self.at_end() && !matches!(self.kind(), K::LBrace | K::Semicolon) {
                self.bump();
            }
            if self.at(K::LBrace) {
                self.skip_one();
            }
        }
        self.close(K::Error, start);
    }

    fn if_head(&mut self) -> bool {
        if !self.at(K::LetKw) || !self.is_keyword() {
            return self.head_expression();
        }
        let start = self.start();
        self.bump();
        let mut ok = self.pattern();
        if ok {
            if self.eat(K::Eq) {
                ok = self.head_expression();
            } else {
                self.expected(&codes::S0167, "`=` after the pattern");
                ok = false;
            }
        }
        self.close(K::LetCondition, start);
        ok
    }

    /// `try { … } catch (e) { … }`.
    pub(super) fn try_expression(&mut self) -> bool {
        let start = self.start();
        self.bump();
        self.block_or_report("the body of `try`");
        while self.at(K::CatchKw) {
            self.catch_clause();
        }
        if self.at(K::Name) && matches!(self.here(), "except" | "rescue") {
            let clause = self.start();
            self.foreign_statement(clause);
        }
        if self.at(K::Name) && self.here() == "finally" {
            let finally = self.start();
            let place = self.at_token(self.pos);
            self.report(
                Diagnostic::new(&codes::S0163, place, "the language has no `finally`")
                    .help("write what must always happen after the `try`"),
            );
            self.bump();
            if self.at(K::LBrace) {
                self.block();
            }
            self.close(K::Error, finally);
        }
        self.close(K::TryExpr, start);
        true
    }

    fn catch_clause(&mut self) {
        let start = self.start();
        self.bump();
        if self.at(K::LParen) {
            if let Some(region) = self.enter() {
                self.catch_names();
                self.leftover(&codes::S0167, "`)` after the name of the error");
                self.leave(region);
            }
        } else if self.kind().is_word() || self.at(K::Underscore) {
            self.catch_names();
        } else {
            self.expected(&codes::S0167, "a name for the error: `catch (e) { … }`");
            if !self.at(K::LBrace) {
                self.skip_to_block();
            }
        }
        self.block_or_report("the body of `catch`");
        self.close(K::CatchClause, start);
    }

    /// `e` or `Type e`.
    fn catch_names(&mut self) {
        for _ in 0..2 {
            if self.kind().is_word() || self.at(K::Underscore) {
                self.name_text();
                while self.at(K::ColonColon) && self.nth(1).is_word() {
                    self.bump();
                    self.name_text();
                }
            }
        }
    }

    fn expression_statement(&mut self, start: Start) {
        if !self.whole_expression() {
            self.recover_statement();
            self.close(K::ExprStmt, start);
            return;
        }
        if self.at_assignment() {
            let target = self.last_node();
            self.assignment_target(target, self.pos);
            self.bump();
            let ok = self.whole_expression();
            self.end_of(ok);
            self.close(K::AssignStmt, start);
            return;
        }
        if self.at_end() {
            // The value of the block.
            return;
        }
        self.statement_end();
        self.close(K::ExprStmt, start);
    }

    pub(super) fn at_assignment(&self) -> bool {
        matches!(
            self.kind(),
            K::Eq | K::PlusEq | K::MinusEq | K::StarEq | K::SlashEq | K::PercentEq
        )
    }

    /// Reports an assignment to something that cannot be assigned; `sign` is
    /// the token of the assignment sign.
    pub(super) fn assignment_target(&mut self, target: SyntaxKind, sign: usize) {
        if matches!(
            target,
            K::NameExpr | K::MemberExpr | K::IndexExpr | K::Error
        ) {
            return;
        }
        let place = self.at_token(sign);
        let what = match target {
            K::CallExpr => "the result of a call",
            K::Literal => "a literal",
            K::PathExpr => "a path",
            _ => "this expression",
        };
        self.report(
            Diagnostic::new(
                &codes::S0160,
                place,
                format!("{what} cannot be assigned to"),
            )
            .help("a name, a field or an index can: `x = …`, `x.f = …`, `x[i] = …`; write `==` to compare"),
        );
    }
}

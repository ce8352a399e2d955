//! Operands: literals, names, lists, records, parentheses and lambdas.

use symbi_diagnostics::{Diagnostic, Edit, syntax as codes};

use super::core::{Parser, Start};
use crate::kind::SyntaxKind::{self, self as K};

impl Parser<'_> {
    /// An operand without its prefix and postfix operators.
    pub(super) fn primary(&mut self) -> bool {
        let kind = self.kind();
        if kind.is_word() {
            return self.word_expression();
        }
        if kind.is_literal() {
            // The sign decides whether 2^63 is in range.
            let negative = self.pos > 0
                && self.tok(self.pos - 1).kind == K::Minus
                && self
                    .operators
                    .last()
                    .is_some_and(|operator| operator.prefix.is_some());
            self.literal(negative);
            return true;
        }
        match kind {
            K::LParen => self.parenthesised(),
            K::LBracket => {
                self.array();
                true
            }
            K::LBrace => self.record_or_error(),
            K::Pipe | K::PipePipe => self.bar_lambda(),
            _ => {
                self.expected(&codes::S0159, "an expression");
                false
            }
        }
    }

    /// An expression that starts with a word.
    fn word_expression(&mut self) -> bool {
        if self.mode.rule && self.line_start(0) && self.next_starts() {
            // An operator that lacks its operand must not eat the next rule.
            let at = self.after_last();
            self.report(Diagnostic::new(
                &codes::S0159,
                at,
                "expected an expression before the next rule",
            ));
            return false;
        }
        let start = self.start();
        // A statement word before `=>` is one: it is a name before few signs.
        if matches!(self.nth(1), K::FatArrow | K::Arrow)
            && !self.mode.arm
            && !self.kind().begins_statement()
        {
            return self.lambda(start);
        }
        match self.kind() {
            K::TrueKw | K::FalseKw | K::NullKw | K::NoneKw => {
                self.bump();
                self.close(K::Literal, start);
                return true;
            }
            K::IfKw if self.is_keyword() => return self.if_expression(),
            K::MatchKw if self.is_keyword() => return self.match_expression(),
            K::TryKw if self.is_keyword() => return self.try_expression(),
            K::LetKw | K::ForKw | K::WhileKw | K::ReturnKw | K::BreakKw | K::ContinueKw
                if self.is_keyword() =>
            {
                let word = self.here();
                self.report_here(
                    &codes::S0159,
                    format!("expected an expression, found the statement word `{word}`"),
                );
                return false;
            }
            K::Name
                if self.here().len() == 1
                    && self.nth(1) == K::String
                    && self.glued(1)
                    && matches!(self.here(), "f" | "r" | "b" | "u" | "F" | "R") =>
            {
                let place = self.at_token(self.pos);
                self.report(
                    Diagnostic::new(
                        &codes::S0105,
                        place,
                        "a string has no letter before its quote",
                    )
                    .help("a string is not filled in: join its parts with `+`"),
                );
                self.bump();
                self.literal(false);
                return true;
            }
            K::Name if self.here() == "new" && self.nth(1).is_word() && !self.line_start(1) => {
                self.new_expression();
                return true;
            }
            _ => {}
        }
        self.name_text();
        let mut kind = K::NameExpr;
        while self.at(K::ColonColon) && self.nth(1).is_word() {
            kind = K::PathExpr;
            self.bump();
            self.name_text();
        }
        self.close(kind, start);
        if self.at(K::LBrace) && self.struct_literal_follows() {
            self.record_fields();
            self.close(K::StructExpr, start);
        }
        true
    }

    /// `new Foo(…)`: other languages make values so.
    #[cold]
    fn new_expression(&mut self) {
        let start = self.start();
        let place = self.at_token(self.pos);
        self.report(
            Diagnostic::new(&codes::S0150, place, "the language has no operator `new`")
                .help("write `T { field: value }` for a value of type T"),
        );
        self.bump();
        self.close(K::Error, start);
        let inner = self.start();
        self.name_text();
        self.close(K::NameExpr, inner);
    }

    /// Whether the `{` after a name starts a struct literal.
    fn struct_literal_follows(&mut self) -> bool {
        if self.mode.rule && self.line_start(0) {
            return false;
        }
        if !self.record_follows() {
            return false;
        }
        if !self.mode.head {
            return true;
        }
        // In a head `{` starts the block, unless a second `{ … }` shows that
        // the first one was meant as a literal.
        if self.nth(1) != K::RBrace && self.kind_after_pair() == K::LBrace {
            let place = self.tokens(self.pos.saturating_sub(1), self.after_pair(self.pos) - 1);
            let first = self.before(self.pos.saturating_sub(1));
            let last = self.tokens(self.after_pair(self.pos) - 1, self.after_pair(self.pos) - 1);
            let after = match last {
                crate::place::Place::Tokens(_, last) => crate::place::Place::After(last),
                other => other,
            };
            self.report(
                Diagnostic::new(
                    &codes::S0158,
                    place,
                    "a struct literal here must stand in parentheses",
                )
                .label("`{` after a name starts the block")
                .fix(
                    "put it in parentheses",
                    vec![
                        Edit {
                            at: first,
                            text: "(".to_owned(),
                        },
                        Edit {
                            at: after,
                            text: ")".to_owned(),
                        },
                    ],
                ),
            );
            return true;
        }
        false
    }

    /// Whether the `{` at hand starts a record: `{}`, or a key and a colon.
    pub(super) fn record_follows(&self) -> bool {
        self.nth(1) == K::RBrace
            || ((self.nth(1).is_word() || matches!(self.nth(1), K::String | K::OtherString))
                && self.nth(2) == K::Colon)
    }

    fn record_or_error(&mut self) -> bool {
        let start = self.start();
        if self.record_follows() || self.kind_in_braces() == K::Eof {
            self.record_fields();
            self.close(K::RecordExpr, start);
            return true;
        }
        if (self.nth(1).is_word() || self.nth(1) == K::String) && self.nth(2) == K::Eq {
            self.record_fields();
            self.close(K::RecordExpr, start);
            return true;
        }
        if self.mode.head {
            // The block of an `if` whose condition is missing.
            let place = self.at_token(self.pos);
            self.report(Diagnostic::new(
                &codes::S0159,
                place,
                "expected an expression before this block",
            ));
            return false;
        }
        self.braces_as_value();
        true
    }

    /// The kind right after the `{` at hand, `Eof` if its region is empty.
    fn kind_in_braces(&self) -> SyntaxKind {
        if self.tok(self.pos).mate as usize == self.pos + 1 {
            K::Eof
        } else {
            self.nth(1)
        }
    }

    /// Braces that hold neither fields nor may hold statements.
    #[cold]
    fn braces_as_value(&mut self) {
        let start = self.start();
        let place = self.at_token(self.pos);
        let message = if matches!(self.nth(2), K::Comma) {
            "the language has no set literals: `{` starts a record here"
        } else {
            "expected a value, found `{`: a record holds `key: value` fields"
        };
        self.report(
            Diagnostic::new(&codes::S0164, place, message)
                .help("write `[a, b]` for a list, `{ key: value }` for a record"),
        );
        self.skip_one();
        self.close(K::Error, start);
    }

    /// `{ k: v, … }`; the node is closed by the caller.
    pub(super) fn record_fields(&mut self) {
        let Some(region) = self.enter() else {
            return;
        };
        let mut equals = None;
        let mut semicolons = None;
        let mut last = None;
        while self.more(&mut last) {
            if self.at(K::Comma) {
                self.extra_commas();
                continue;
            }
            if self.at(K::Semicolon) {
                semicolons = Some(self.semicolon_in_record(semicolons));
                continue;
            }
            let field = self.start();
            if self.kind().is_word() {
                self.name_text();
            } else if matches!(self.kind(), K::String | K::CutString | K::OtherString) {
                self.string_token();
            } else {
                self.expected(&codes::S0132, "a field name");
                self.recover_entry();
                self.eat(K::Comma);
                continue;
            }
            if self.at(K::Eq) {
                equals = Some(self.equals_for_colon(equals));
            } else if !self.at(K::Colon) {
                self.expected(&codes::S0167, "`:` and a value after the field name");
                self.close(K::RecordField, field);
                self.recover_entry();
                self.eat(K::Comma);
                continue;
            }
            self.bump();
            if self.field_value_missing() {
                self.report_here(&codes::S0130, "this field has no value");
                self.eat(K::Semicolon);
            } else if !self.expression() {
                self.recover_entry();
            }
            self.close(K::RecordField, field);
            if !self.eat(K::Comma)
                && !self.at_end()
                && !self.at(K::Semicolon)
                && !self.field_starts()
            {
                self.expected(&codes::S0167, "`,` after the field");
                self.recover_entry();
                self.eat(K::Comma);
            }
        }
        self.leave(region);
    }

    /// `;` for `,` in a record: one report for the record.
    #[cold]
    fn semicolon_in_record(&mut self, reported: Option<usize>) -> usize {
        let start = self.start();
        let at = self.at_token(self.pos);
        self.bump();
        self.close(K::Error, start);
        let edit = Edit {
            at,
            text: if self.at_end() { "" } else { "," }.to_owned(),
        };
        if let Some(number) = reported {
            self.add_edit(number, edit);
            return number;
        }
        self.report(
            Diagnostic::new(
                &codes::S0135,
                at,
                "fields of a record are separated by commas",
            )
            .fix("write `,`", vec![edit]),
        );
        self.report_count() - 1
    }

    fn field_starts(&self) -> bool {
        (self.kind().is_word() || matches!(self.kind(), K::String | K::CutString | K::OtherString))
            && matches!(self.nth(1), K::Colon | K::Eq)
    }

    /// After `key:`, the end, a comma, or the next field on a later line.
    fn field_value_missing(&self) -> bool {
        self.at_end()
            || matches!(self.kind(), K::Comma | K::Semicolon)
            || (self.line_start(0) && self.kind().is_word() && self.nth(1) == K::Colon)
    }

    /// `=` for `:` in a record: one report for the record.
    #[cold]
    fn equals_for_colon(&mut self, reported: Option<usize>) -> usize {
        let at = self.at_token(self.pos);
        let edit = Edit {
            at,
            text: ":".to_owned(),
        };
        if let Some(number) = reported {
            self.add_edit(number, edit);
            return number;
        }
        self.report(
            Diagnostic::new(
                &codes::S0136,
                at,
                "fields of a record are written `key: value`",
            )
            .fix("write `:`", vec![edit]),
        );
        self.report_count() - 1
    }

    /// `(e)` or `(a, b) => e`.
    fn parenthesised(&mut self) -> bool {
        let start = self.start();
        if matches!(self.kind_after_pair(), K::FatArrow | K::Arrow)
            && !self.mode.arm
            && !self.tok(self.pos).unclosed()
        {
            return self.lambda(start);
        }
        let Some(region) = self.enter() else {
            return true;
        };
        if self.at_end() {
            self.report_here(&codes::S0159, "expected an expression between `(` and `)`");
        } else if self.expression() {
            if self.at(K::Comma) {
                self.report_here(
                    &codes::S0159,
                    "the language has no tuples: write a list `[a, b]` or a record",
                );
                self.error_to(self.end);
            }
            self.leftover(&codes::S0167, "`)`");
        } else {
            self.error_to(self.end);
        }
        self.leave(region);
        self.close(K::ParenExpr, start);
        true
    }

    /// `x => e`, `(a, b) => e`; the body may be a block.
    fn lambda(&mut self, start: Start) -> bool {
        if self.at(K::LParen) {
            let params = self.start();
            if let Some(region) = self.enter() {
                self.comma_list(&mut |p: &mut Self| {
                    if !p.kind().is_word() {
                        p.expected(&codes::S0167, "a parameter name");
                        return false;
                    }
                    p.name_text();
                    true
                });
                self.leave(region);
            }
            self.close(K::LambdaParams, params);
        } else {
            self.name_text();
        }
        if self.at(K::Arrow) {
            self.thin_arrow();
        }
        self.bump();
        self.lambda_body(start);
        true
    }

    #[cold]
    fn thin_arrow(&mut self) {
        let at = self.at_token(self.pos);
        self.report(
            Diagnostic::new(&codes::S0150, at, "the arrow of a lambda is `=>`").fix(
                "write `=>`",
                vec![Edit {
                    at,
                    text: "=>".to_owned(),
                }],
            ),
        );
    }

    fn lambda_body(&mut self, start: Start) {
        if !self.deeper() {
            self.skip_behind_limit();
        } else {
            if self.at(K::LBrace) && !self.record_follows() {
                self.block();
            } else {
                self.expression();
            }
            self.shallower();
        }
        self.close(K::LambdaExpr, start);
    }

    /// `|x| e`.
    #[cold]
    fn bar_lambda(&mut self) -> bool {
        let start = self.start();
        let first = self.pos;
        let bars = if self.at(K::PipePipe) {
            self.bump();
            true
        } else {
            self.bump();
            while self.kind().is_word() || matches!(self.kind(), K::Comma | K::Colon) {
                self.bump();
            }
            self.eat(K::Pipe)
        };
        if !bars {
            self.pos = first;
            self.expected(&codes::S0159, "an expression");
            return false;
        }
        let names = (first..self.pos)
            .filter(|&at| self.tok(at).kind.is_word() && self.tok(at - 1).kind != K::Colon)
            .map(|at| self.token_text(at))
            .collect::<Vec<_>>();
        let params = match names.as_slice() {
            [name] => (*name).to_owned(),
            names => format!("({})", names.join(", ")),
        };
        self.odd.bars.push((first, self.pos - 1, params));
        self.lambda_body(start);
        true
    }
}

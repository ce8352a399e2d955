//! Expressions. Operators are read in a loop with stacks of their own, so a
//! bracket level costs few stack frames and a chain none (language.md 2.3).

use symbi_diagnostics::{Diagnostic, Edit, syntax as codes};

use super::core::{MAX_CHAIN, Mode, Parser, Start};
use super::operators::{Binding, Oddity, Operand, Operator, Shape};
use crate::kind::SyntaxKind as K;

impl Parser<'_> {
    /// An expression that is complete by itself: its odd operators are
    /// reported together. `false` if none stands here (reported too).
    pub(super) fn whole_expression(&mut self) -> bool {
        let outer = std::mem::take(&mut self.odd);
        let ok = self.expression();
        self.report_odd();
        self.odd = outer;
        ok
    }

    /// A whole expression in the head of if, for, while or match, where `{`
    /// starts the block.
    pub(super) fn head_expression(&mut self) -> bool {
        let outer = self.mode;
        self.mode = Mode {
            head: true,
            ..Mode::default()
        };
        let mut ok = self.whole_expression();
        if ok && self.at(K::Eq) {
            self.assignment_in_head();
            ok = self.whole_expression();
        }
        self.mode = outer;
        ok
    }

    /// `if a = 1 { … }`. The sign is at hand.
    #[cold]
    fn assignment_in_head(&mut self) {
        let place = self.at_token(self.pos);
        self.report(
            Diagnostic::new(&codes::S0160, place, "an assignment is no condition").maybe_fix(
                "write `==` to compare",
                vec![Edit {
                    at: place,
                    text: "==".to_owned(),
                }],
            ),
        );
        self.bump();
    }

    /// An expression. `false` if none stands here, which has been reported.
    pub(super) fn expression(&mut self) -> bool {
        let operators = self.operators.len();
        let operands = self.operands.len();
        let mut links = 0;
        let ok = loop {
            self.prefixes(&mut links);
            let start = self.start();
            let first_token = self.pos;
            if links < MAX_CHAIN {
                if !self.primary() {
                    break false;
                }
                self.postfix(start, &mut links);
            }
            self.operands.push(Operand {
                start,
                first_token,
                shape: Shape::Other,
            });
            if links >= MAX_CHAIN {
                self.chain_too_long();
                break true;
            }
            let Some(infix) = self.infix() else {
                break true;
            };
            if self.mode.rule && self.ends_rule(infix.binding) {
                break true;
            }
            links += 1;
            self.reduce(operators, infix.binding);
            if let (Binding::Equality | Binding::Comparison, Some(&left)) =
                (infix.binding, self.operands.last())
            {
                self.note_comparison(infix.binding, left);
            }
            if let Some(oddity) = infix.oddity {
                if oddity == Oddity::Conditional {
                    if self.conditional() {
                        continue;
                    }
                    break true;
                }
                self.note_odd(oddity, self.pos, infix.tokens);
            }
            self.pos += infix.tokens;
            self.operators.push(Operator {
                binding: infix.binding,
                not_word: false,
                prefix: None,
            });
        };
        if ok {
            self.reduce(operators, Binding::Conditional);
        } else {
            // The node of what was read stays: the right operand is missing.
            self.operands.push(Operand {
                start: self.start(),
                first_token: self.pos,
                shape: Shape::Other,
            });
            self.reduce(operators, Binding::Conditional);
        }
        self.operands.truncate(operands);
        self.operators.truncate(operators);
        ok
    }

    /// In a rule, a line that starts with `-` begins something else.
    fn ends_rule(&self, binding: Binding) -> bool {
        binding == Binding::Additive && self.at(K::Minus) && self.line_start(0)
    }

    /// `!`, `not`, `-`.
    fn prefixes(&mut self, links: &mut u32) {
        loop {
            let not_word = match self.kind() {
                K::NotKw
                    if !matches!(
                        self.nth_or_closer(1),
                        K::Eq | K::Dot | K::Comma | K::Colon | K::RParen
                    ) =>
                {
                    true
                }
                K::Bang | K::Minus => false,
                K::Plus | K::Tilde => {
                    self.note_odd(Oddity::Unsupported, self.pos, 1);
                    false
                }
                K::Name if self.here() == "await" && self.await_follows() => {
                    self.odd.awaits.push((self.pos, self.pos));
                    false
                }
                _ => return,
            };
            if *links >= MAX_CHAIN {
                return;
            }
            *links += 1;
            self.operators.push(Operator {
                binding: Binding::Prefix,
                not_word,
                prefix: Some(self.start()),
            });
            self.bump();
        }
    }

    fn await_follows(&self) -> bool {
        (self.nth(1).is_word() || self.nth(1) == K::LParen)
            && !self.line_start(1)
            && !matches!(self.nth(1), K::InKw | K::AndKw | K::OrKw)
            && !(self.nth(1) == K::LParen && self.glued(1))
    }

    /// Closes the nodes of operators that bind at least as tightly as
    /// `binding`, down to `base`.
    fn reduce(&mut self, base: usize, binding: Binding) {
        while self.operators.len() > base {
            let Some(&operator) = self.operators.last() else {
                return;
            };
            if operator.binding < binding {
                return;
            }
            self.operators.pop();
            let Some(right) = self.operands.pop() else {
                return;
            };
            if let Some(start) = operator.prefix {
                self.close(K::PrefixExpr, start);
                self.operands.push(Operand {
                    start,
                    first_token: right.first_token.saturating_sub(1),
                    shape: if operator.not_word {
                        Shape::NotWord
                    } else {
                        Shape::Other
                    },
                });
                continue;
            }
            let Some(left) = self.operands.pop() else {
                return;
            };
            self.close(K::BinaryExpr, left.start);
            let shape = match operator.binding {
                Binding::Equality | Binding::Comparison => Shape::Compared(operator.binding),
                _ => Shape::Other,
            };
            self.operands.push(Operand { shape, ..left });
        }
    }

    #[cold]
    fn chain_too_long(&mut self) {
        self.limit_reached(
            &codes::S0115,
            format!(
                "this expression has more than {MAX_CHAIN} operators, calls and fields in a chain"
            ),
            "name parts of it with `let`",
        );
        self.skip_behind_limit();
    }

    /// `? a : b` after a condition that has been read: one odd operator. Its
    /// operands stay in the tree. `false` when nothing can follow it.
    #[cold]
    fn conditional(&mut self) -> bool {
        let Some(&condition) = self.operands.last() else {
            return false;
        };
        let from = condition.first_token;
        self.bump();
        if self.deeper() {
            let ok = self.expression();
            if ok && self.eat(K::Colon) {
                self.expression();
            }
            self.shallower();
        } else {
            self.skip_behind_limit();
        }
        self.close(K::Error, condition.start);
        self.note_conditional(from, self.pos - 1);
        false
    }

    /// `.name`, `(args)`, `[index]` after an operand.
    fn postfix(&mut self, start: Start, links: &mut u32) {
        loop {
            if *links >= MAX_CHAIN || (self.mode.rule && self.line_start(0)) {
                return;
            }
            match self.kind() {
                K::Dot => self.member(start),
                K::LParen => {
                    self.arguments();
                    self.close(K::CallExpr, start);
                }
                K::LBracket => {
                    self.index();
                    self.close(K::IndexExpr, start);
                }
                K::Question if self.infix().is_none() => {
                    let tokens = 1 + usize::from(self.nth(1) == K::Dot);
                    self.note_odd(Oddity::Unsupported, self.pos, tokens);
                    self.bump();
                    self.close(K::Error, start);
                }
                K::Bang if self.glued(0) && !self.operand_follows(1) => {
                    self.note_odd(Oddity::Unsupported, self.pos, 1);
                    self.bump();
                    self.close(K::Error, start);
                }
                K::PlusPlus if self.infix().is_none() => {
                    self.note_odd(Oddity::Unsupported, self.pos, 1);
                    self.bump();
                    self.close(K::Error, start);
                }
                K::Minus
                    if self.nth(1) == K::Minus
                        && self.glued(1)
                        && matches!(self.nth(2), K::Semicolon | K::RParen | K::Eof) =>
                {
                    self.note_odd(Oddity::Unsupported, self.pos, 2);
                    self.bump();
                    self.bump();
                    self.close(K::Error, start);
                }
                _ => return,
            }
            *links += 1;
        }
    }

    fn member(&mut self, start: Start) {
        let dot = self.pos;
        self.bump();
        if !self.kind().is_word() {
            if self.at(K::Star) && self.glued(0) {
                self.report_here(
                    &codes::S0167,
                    "expected a field name after `.`, found `*`: names are written whole",
                );
                self.bump();
            } else if matches!(self.kind(), K::Int | K::Float) {
                self.report_here(
                    &codes::S0167,
                    format!("expected a field name after `.`, found `{}`", self.here()),
                );
                self.bump();
            } else {
                self.expected(&codes::S0167, "a field name after `.`");
            }
            self.close(K::MemberExpr, start);
            return;
        }
        if self.here() == "await" && self.nth(1) != K::LParen && self.last_node() == K::CallExpr {
            self.odd.awaits.push((dot, self.pos));
            self.bump();
            self.close(K::Error, start);
            return;
        }
        if self.last_node() == K::Literal {
            self.number_member(dot);
        }
        self.name_text();
        self.close(K::MemberExpr, start);
    }

    /// `1.foo`: a field of a number, which has none.
    #[cold]
    fn number_member(&mut self, dot: usize) {
        let number = dot.saturating_sub(1);
        if !matches!(self.tok(number).kind, K::Int | K::Float) {
            return;
        }
        let place = self.tokens(number, self.pos);
        if super::literals::dotted_unit(self.here()) == Some(self.here()) {
            return self.unit_of_no_duration(number);
        }
        let report = Diagnostic::new(
            &codes::S0162,
            place,
            format!(
                "`{}` is not a unit, so this is a field of a number, and numbers have none",
                self.here()
            ),
        );
        self.report(match super::literals::dotted_unit(self.here()) {
            Some(unit) => report.fix(
                format!("write `{}.{unit}`", self.token_text(number)),
                vec![Edit {
                    at: self.at_token(self.pos),
                    text: unit.to_owned(),
                }],
            ),
            None => report.help(
                "durations end in `milliseconds`, `seconds`, `minutes`, `hours`, `days` or `weeks`",
            ),
        });
    }

    /// `30.seconds()` and `30 .seconds`: what stands around the unit hides it.
    #[cold]
    fn unit_of_no_duration(&mut self, number: usize) {
        let place = self.tokens(number, self.pos);
        let text = format!("{}.{}", self.token_text(number), self.here());
        let message = format!("`{text}` is a length of time only if it stands on its own");
        let report = Diagnostic::new(&codes::S0162, place, message);
        let call = self.nth(1) == K::LParen;
        let title = format!("write `{text}`");
        self.report(match (call, self.nth(2) == K::RParen) {
            (true, true) => report.fix(
                title,
                vec![Edit {
                    at: self.tokens(self.pos + 1, self.pos + 2),
                    text: String::new(),
                }],
            ),
            (true, false) => report.help(format!("write `{text}` without arguments")),
            (false, _) => report.maybe_fix(title, vec![Edit { at: place, text }]),
        });
    }

    /// `(a, k = v, k: v)`.
    pub(super) fn arguments(&mut self) {
        let start = self.start();
        let Some(region) = self.enter() else {
            self.close(K::ArgList, start);
            return;
        };
        self.comma_list(&mut |p: &mut Self| {
            if p.kind().is_word() && matches!(p.nth(1), K::Eq | K::Colon) {
                let arg = p.start();
                p.name_text();
                p.bump();
                let ok = p.expression();
                p.close(K::NamedArg, arg);
                ok
            } else {
                p.expression()
            }
        });
        self.leave(region);
        self.close(K::ArgList, start);
    }

    fn index(&mut self) {
        let Some(region) = self.enter() else {
            return;
        };
        if self.expression() {
            self.leftover(&codes::S0167, "`]` after the index");
        } else {
            self.error_to(self.end);
        }
        self.leave(region);
    }

    pub(super) fn array(&mut self) {
        let start = self.start();
        let Some(region) = self.enter() else {
            return;
        };
        self.comma_list(&mut Self::expression);
        self.leave(region);
        self.close(K::ArrayExpr, start);
    }

    /// Elements with commas between them, up to the end of the region.
    /// `element` says whether it read one without an error.
    pub(super) fn comma_list(&mut self, element: &mut dyn FnMut(&mut Self) -> bool) {
        let mut missing = None;
        let mut last = None;
        while self.more(&mut last) {
            if self.at(K::Comma) {
                self.extra_commas();
                continue;
            }
            let before = self.pos;
            if !element(self) {
                self.recover_element();
            }
            if self.eat(K::Comma) || self.at_end() {
                continue;
            }
            if self.at(K::Eq) {
                self.equals_in_list();
                self.eat(K::Comma);
                continue;
            }
            if self.pos > before && self.just_lost_end() {
                continue;
            }
            if self.pos > before && self.starts_expression() && !self.lost_end {
                // Two elements without a comma: one report for the list.
                missing = Some(self.missing_comma(missing));
                continue;
            }
            self.unexpected_element();
        }
    }

    #[cold]
    fn unexpected_element(&mut self) {
        if self.lost_end {
            self.skip_lost_end();
            return;
        }
        self.expected(&codes::S0167, "`,` between two elements");
        self.recover_element();
        self.eat(K::Comma);
    }

    fn starts_expression(&self) -> bool {
        let kind = self.kind();
        kind.is_word()
            || kind.is_literal()
            || matches!(
                kind,
                K::LParen | K::LBracket | K::LBrace | K::Bang | K::Minus
            )
    }

    /// One report for the commas that have no element before them.
    #[cold]
    pub(super) fn extra_commas(&mut self) {
        let start = self.start();
        let first = self.pos;
        while self.at(K::Comma) {
            self.bump();
        }
        self.close(K::Error, start);
        let place = self.tokens(first, self.pos - 1);
        self.report(
            Diagnostic::new(&codes::S0133, place, "there is nothing before this comma")
                .fix("remove it", self.removal(first, self.pos - 1)),
        );
    }

    /// Reports a missing comma, or adds its edit to the report that was made
    /// for this list. Returns the number of that report.
    #[cold]
    fn missing_comma(&mut self, reported: Option<usize>) -> usize {
        let at = self.after_last();
        let edit = Edit {
            at,
            text: ",".to_owned(),
        };
        if let Some(number) = reported {
            self.add_edit(number, edit);
            return number;
        }
        self.report(
            Diagnostic::new(&codes::S0135, at, "a comma is missing between two elements")
                .fix("write `,`", vec![edit]),
        );
        self.report_count() - 1
    }

    /// `a = v` where only a value may stand.
    #[cold]
    fn equals_in_list(&mut self) {
        let start = self.start();
        self.report_here(
            &codes::S0136,
            "a list holds values, not `key = value` entries",
        );
        self.bump();
        self.expression();
        self.recover_element();
        self.close(K::Error, start);
    }
}

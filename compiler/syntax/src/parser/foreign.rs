//! Statements that other languages have: one report each, and what was meant
//! is read on.

use symbi_diagnostics::{Diagnostic, Edit, syntax as codes};

use super::core::{Parser, Start};
use super::foreign_items::distance_at_most_two;
use crate::kind::SyntaxKind as K;
use crate::place::Place;

impl Parser<'_> {
    /// Reads a statement that starts with a word of another language. `false`
    /// if none does.
    pub(super) fn foreign_statement(&mut self, start: Start) -> bool {
        let next = self.nth(1);
        let same_line = !self.line_start(1);
        // A word after `in`, `and`, `or` or `not` goes on with an expression.
        let word = next.is_word() && !matches!(next, K::InKw | K::AndKw | K::OrKw | K::NotKw);
        let operand = same_line && (word || next.is_literal());
        let follows = operand || (same_line && matches!(next, K::LBrace | K::LBracket));
        match (self.here(), next) {
            ("const" | "var" | "val" | "final", next) if next.is_word() && same_line => {
                self.foreign_let(start);
            }
            ("throw" | "raise", K::LParen) | ("throw" | "raise", _)
                if follows || next == K::LParen =>
            {
                self.foreign_throw(start);
            }
            ("emit" | "assert" | "yield" | "print" | "echo" | "defer" | "goto" | "use", _)
                if operand =>
            {
                self.foreign_word(start);
            }
            ("import", _) if operand => {
                self.foreign_word(start);
            }
            ("unless" | "until", next) if next != K::Semicolon && follows => {
                self.foreign_block(start, "write `if !(…) { … }` or `while !(…) { … }`");
            }
            ("loop" | "do" | "finally", K::LBrace) if !self.record_behind_word() => {
                let hint = match self.here() {
                    "finally" => "write what must always happen after the `try`",
                    _ => "write `while true { … }`",
                };
                self.foreign_block(start, hint);
            }
            ("switch", next) if next.is_word() || next == K::LParen => {
                if !self.braces_before_line_end() {
                    return false;
                }
                self.foreign_block(start, "write `match x { pattern => value }`");
            }
            ("else" | "catch", K::LBrace | K::LParen | K::IfKw) => {
                let word = self.here();
                let hint = if word == "else" {
                    "`else` stands right after the `}` of an `if`"
                } else {
                    "`catch` stands right after the `}` of a `try`"
                };
                self.foreign_block(start, hint);
            }
            ("fn" | "func" | "def" | "fun", next) if next.is_word() && same_line => {
                self.nested_function(start);
            }
            ("except" | "rescue", _) if self.braces_before_line_end() => {
                self.foreign_block(
                    start,
                    "write `catch (Error e) { … }` after the `}` of the `try`",
                );
            }
            _ if self.at(K::Name) && word && same_line && self.nth(2) == K::Eq => {
                self.typed_declaration(start);
            }
            (text, _) if self.at(K::Name) && operand => {
                let Some(meant) = near_statement_word(text) else {
                    return false;
                };
                self.misspelt_statement(start, meant);
            }
            _ => return false,
        }
        true
    }

    /// `int y = 2;`.
    #[cold]
    fn typed_declaration(&mut self, start: Start) {
        let written = format!("let {}: {} =", self.token_text(self.pos + 1), self.here());
        let place = self.tokens(self.pos, self.pos + 2);
        self.report(
            Diagnostic::new(
                &codes::S0163,
                place,
                "names are declared with `let`, and the type stands after the name",
            )
            .maybe_fix(
                format!("write `{}`", super::recovery::shorten(&written)),
                vec![Edit {
                    at: place,
                    text: written.clone(),
                }],
            ),
        );
        self.foreign_rest(start);
    }

    /// `retrun x;`.
    #[cold]
    fn misspelt_statement(&mut self, start: Start, meant: &str) {
        let place = self.at_token(self.pos);
        self.report(
            Diagnostic::new(
                &codes::S0163,
                place,
                format!("`{}` is no statement of the language", self.here()),
            )
            .fix(
                format!("write `{meant}`"),
                vec![Edit {
                    at: place,
                    text: meant.to_owned(),
                }],
            ),
        );
        self.foreign_rest(start);
    }

    /// `{` after the word at hand starts a record.
    fn record_behind_word(&self) -> bool {
        self.nth(2) == K::RBrace || (self.nth(2).is_word() && self.nth(3) == K::Colon)
    }

    fn braces_before_line_end(&self) -> bool {
        (1..)
            .map(|n| (n, self.nth(n)))
            .take_while(|&(n, kind)| kind != K::Eof && !self.line_start(n))
            .any(|(_, kind)| kind == K::LBrace)
    }

    #[cold]
    fn foreign_let(&mut self, start: Start) {
        let word = self.here();
        let place = self.at_token(self.pos);
        self.report(
            Diagnostic::new(
                &codes::S0163,
                place,
                format!("names are declared with `let`, not with `{word}`"),
            )
            .fix(
                "write `let`",
                vec![Edit {
                    at: place,
                    text: "let".to_owned(),
                }],
            ),
        );
        self.foreign_rest(start);
    }

    #[cold]
    fn foreign_throw(&mut self, start: Start) {
        let word = self.here();
        let place = self.at_token(self.pos);
        self.report(
            Diagnostic::new(
                &codes::S0163,
                place,
                format!("the language has no `{word}`"),
            )
            .help("write `error(\"…\");` to raise an error"),
        );
        self.foreign_rest(start);
    }

    #[cold]
    fn foreign_word(&mut self, start: Start) {
        let word = self.here();
        let hint = match word {
            "emit" => "write `publish(topic, value);`",
            "print" | "echo" => "write `print(value);`",
            "import" | "use" => "agents of a project see each other without an import",
            "assert" => "write `if !condition { error(\"…\"); }`",
            _ => "see the statements in the reference, section 2.3",
        };
        let place = self.at_token(self.pos);
        self.report(
            Diagnostic::new(
                &codes::S0163,
                place,
                format!("the language has no statement `{word}`"),
            )
            .help(hint),
        );
        self.foreign_rest(start);
    }

    /// Skips the rest of a statement of another language, in silence.
    #[cold]
    fn foreign_rest(&mut self, start: Start) {
        self.bump();
        while !self.at_end() && !self.at(K::Semicolon) && !self.line_start(0) {
            self.skip_one();
        }
        self.eat(K::Semicolon);
        self.close(K::Error, start);
    }

    /// Skips a statement of another language up to its block, and reads that.
    #[cold]
    fn foreign_block(&mut self, start: Start, hint: &str) {
        let word = self.here();
        let place = self.at_token(self.pos);
        self.report(
            Diagnostic::new(
                &codes::S0163,
                place,
                match word {
                    "else" | "catch" => format!("this `{word}` belongs to nothing"),
                    _ => format!("the language has no `{word}`"),
                },
            )
            .help(hint),
        );
        self.bump();
        while !self.at_end() && !matches!(self.kind(), K::LBrace | K::Semicolon) {
            self.skip_one();
        }
        if self.at(K::LBrace) {
            if word == "switch" {
                self.skip_one();
            } else {
                self.block();
            }
        } else {
            self.eat(K::Semicolon);
        }
        self.close(K::Error, start);
    }

    /// A function inside a body.
    #[cold]
    pub(super) fn nested_function(&mut self, start: Start) {
        let place = self.tokens(self.pos, self.pos + 1);
        self.report_misplaced(
            Diagnostic::new(
                &codes::S0127,
                place,
                "a function cannot stand inside another body",
            )
            .help(
                "move it to the top level or into the agent, or write a lambda: `let f = x => …;`",
            ),
        );
        self.bump();
        while !self.at_end() && !matches!(self.kind(), K::LBrace | K::Semicolon) {
            self.skip_one();
        }
        if self.at(K::LBrace) {
            self.misplaced_block();
        }
        self.close(K::Error, start);
    }

    /// `{ … }` as a statement that is no record.
    #[cold]
    pub(super) fn bare_block(&mut self, start: Start) {
        let place = self.at_token(self.pos);
        self.report_misplaced(
            Diagnostic::new(&codes::S0164, place, "a block cannot stand by itself")
                .help("remove the braces, or put an `if`, `for`, `while` or `try` before them"),
        );
        self.misplaced_block();
        self.close(K::Error, start);
    }

    fn report_misplaced(&mut self, diagnostic: Diagnostic<Place>) {
        if !self.misplaced {
            self.report(diagnostic);
        }
    }

    fn misplaced_block(&mut self) {
        let outer = std::mem::replace(&mut self.misplaced, true);
        self.block();
        self.misplaced = outer;
    }
}

/// The statement word that a word is a misspelling of.
fn near_statement_word(word: &str) -> Option<&'static str> {
    [
        "let", "return", "while", "match", "break", "continue", "for",
    ]
    .into_iter()
    .find(|meant| word.len() > 2 && distance_at_most_two(word, meant))
}

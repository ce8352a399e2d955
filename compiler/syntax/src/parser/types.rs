//! Types, parameters and fields (language.md 2.2, 2.5).

use symbi_diagnostics::{Diagnostic, Edit, syntax as codes};

use super::core::{Parser, Start};
use crate::kind::SyntaxKind::{self, self as K};

impl<'t> Parser<'t> {
    /// A type. Always makes one node; reports what is none.
    pub(super) fn type_(&mut self) {
        let start = self.start();
        match self.kind() {
            K::LParen => self.function_type(start),
            K::LBracket => {
                self.bracket_type(start);
            }
            K::LBrace => {
                let place = self.at_token(self.pos);
                self.report(
                    Diagnostic::new(&codes::S0170, place, "a struct type must have a name")
                        .help("declare it with `type Name = { … }` and write the name here"),
                );
                self.skip_one();
                self.close(K::Error, start);
            }
            K::String => {
                self.bump();
                self.close(K::Error, start);
                if !self.at(K::Pipe) {
                    let place = self.at_token(self.pos - 1);
                    self.report(Diagnostic::new(
                        &codes::S0170,
                        place,
                        "a string is no type: write `String`",
                    ));
                }
            }
            kind if kind.is_word() => self.named_type(start),
            _ => {
                self.expected(&codes::S0172, "a type");
                self.close(K::Error, start);
                return;
            }
        }
        self.type_suffixes(start);
    }

    fn named_type(&mut self, start: Start) {
        self.name_text();
        while self.at(K::ColonColon) && self.nth(1).is_word() {
            self.bump();
            self.name_text();
        }
        if self.at(K::Lt) {
            self.type_arguments();
        }
        self.close(K::NamedType, start);
    }

    fn type_arguments(&mut self) {
        let start = self.start();
        self.bump();
        if self.deeper() {
            loop {
                if self.at(K::Gt) || self.at_end() {
                    break;
                }
                let before = self.pos;
                self.type_();
                if !self.eat(K::Comma) && (!self.at(K::Gt) || self.pos == before) {
                    break;
                }
            }
            self.shallower();
            if !self.eat(K::Gt) {
                self.expected(&codes::S0167, "`>` after the arguments of the type");
            }
        } else {
            self.skip_type();
        }
        self.close(K::TypeArgs, start);
    }

    /// Skips what is too deep: names, signs and brackets a type is made of.
    #[cold]
    fn skip_type(&mut self) {
        let start = self.start();
        while !self.at_end()
            && (self.kind().is_word()
                || matches!(
                    self.kind(),
                    K::Lt | K::Gt | K::Comma | K::Question | K::Arrow | K::ColonColon | K::LParen
                ))
            && !(self.line_start(0) && self.kind().is_word())
        {
            self.skip_one();
        }
        self.close(K::Error, start);
    }

    /// `(A, B) -> C`.
    fn function_type(&mut self, start: Start) {
        if let Some(region) = self.enter() {
            while !self.at_end() {
                let before = self.pos;
                self.type_();
                if !self.eat(K::Comma) && !self.at_end() {
                    if self.pos == before || !self.kind().is_word() {
                        self.leftover(&codes::S0167, "`,` or `)` after the type");
                    } else {
                        self.expected(&codes::S0135, "`,` between two types");
                        self.error_to(self.end);
                    }
                }
            }
            self.leave(region);
        }
        if self.eat(K::Arrow) {
            if self.deeper() {
                self.type_();
                self.shallower();
            } else {
                self.skip_type();
            }
        } else {
            self.expected(
                &codes::S0167,
                "`->` and a result: a function type is `(A) -> B`",
            );
        }
        self.close(K::FunctionType, start);
    }

    /// `[T]`: a list in other languages.
    #[cold]
    fn bracket_type(&mut self, start: Start) {
        let first = self.pos;
        if let Some(region) = self.enter() {
            let inner_first = self.pos;
            if !self.at_end() {
                self.type_();
            }
            let inner = self.between(inner_first, self.pos);
            self.error_to(self.end);
            self.leave(region);
            // What is wrong inside the brackets is reported with them.
            if inner.contains('[') {
                self.list_type(first, "Array<…>");
            } else {
                let inner = if inner.is_empty() { "Any" } else { inner };
                self.list_type(first, &format!("Array<{inner}>"));
            }
        }
        self.close(K::Error, start);
    }

    fn list_type(&mut self, first: usize, written: &str) {
        let place = self.tokens(first, self.pos - 1);
        let shown = super::recovery::shorten(written);
        let diagnostic = Diagnostic::new(
            &codes::S0170,
            place,
            format!("a list type is written `{shown}`"),
        );
        if written.contains('…') {
            self.report(diagnostic);
            return;
        }
        self.report(diagnostic.fix(
            format!("write `{shown}`"),
            vec![Edit {
                at: place,
                text: written.to_owned(),
            }],
        ));
    }

    /// `?`, and what other languages put after a type.
    fn type_suffixes(&mut self, start: Start) {
        let first = self.token_of(start);
        let mut links = 0;
        loop {
            if self.at(K::Question) {
                self.bump();
                self.close(K::OptionalType, start);
            } else if self.at(K::LBracket)
                && self.glued(0)
                && self.after_pair(self.pos) > self.pos + 2
            {
                self.square_arguments();
                self.close(K::Error, start);
            } else if self.at(K::LBracket) && self.glued(0) {
                let inner = self.between(first, self.pos);
                let mut lists = 0;
                while self.at(K::LBracket) && self.glued(0) {
                    self.skip_one();
                    lists += 1;
                }
                if lists <= 4 {
                    let written = format!("{}{inner}{}", "Array<".repeat(lists), ">".repeat(lists));
                    self.list_type(first, &written);
                } else {
                    self.list_type(first, "Array<…>");
                }
                self.close(K::Error, start);
            } else if self.at(K::Pipe) {
                self.union_type(start, first);
            } else {
                return;
            }
            links += 1;
            if links >= super::core::MAX_CHAIN {
                self.limit_reached(
                    &codes::S0115,
                    "this type has too many `?` signs".to_owned(),
                    "one `?` says that a value may be missing",
                );
                self.skip_type();
                return;
            }
        }
    }

    /// `List[int]`: the arguments of a type in other languages.
    #[cold]
    fn square_arguments(&mut self) {
        let open = self.pos;
        let last = self.after_pair(open) - 1;
        let place = self.tokens(open, last);
        let mut diagnostic = Diagnostic::new(
            &codes::S0170,
            place,
            "the arguments of a type stand in `< >`",
        );
        if !self.tok(open).unclosed() {
            let edit = |at, text: &str| Edit {
                at,
                text: text.to_owned(),
            };
            diagnostic = diagnostic.fix(
                "write `<` and `>`",
                vec![
                    edit(self.at_token(open), "<"),
                    edit(self.at_token(last), ">"),
                ],
            );
        }
        self.report(diagnostic);
        self.skip_one();
    }

    #[cold]
    fn union_type(&mut self, start: Start, first: usize) {
        while self.eat(K::Pipe) {
            if self.kind().is_word() || self.at(K::String) {
                self.bump();
                if self.at(K::Lt) {
                    self.type_arguments();
                }
            }
        }
        let place = self.tokens(first, self.pos - 1);
        self.report(
            Diagnostic::new(&codes::S0170, place, "the language has no union types")
                .help("write `String` for a choice of strings, `T?` for a value that may be missing, `Any` for anything"),
        );
        self.close(K::Error, start);
    }

    /// The text from one token up to another, which is not included.
    fn between(&self, first: usize, end: usize) -> &'t str {
        if first >= end {
            return "";
        }
        &self.text()[self.tok(first).start as usize..self.tok(end - 1).end as usize]
    }

    /// `-> Type`, if it stands here.
    pub(super) fn return_type(&mut self) {
        if !self.at(K::Arrow) {
            return;
        }
        let start = self.start();
        self.bump();
        if self.at(K::LBrace) {
            self.report_here(&codes::S0172, "expected a type after `->`, found `{`");
        } else {
            self.type_();
        }
        self.close(K::ReturnType, start);
    }

    /// `(p: T = default, …)`.
    pub(super) fn parameters(&mut self) {
        let start = self.start();
        if let Some(region) = self.enter() {
            self.typed_names(K::Param, "a parameter name");
            self.leave(region);
        }
        self.close(K::ParamList, start);
    }

    /// `{ field: T, … }`.
    pub(super) fn struct_type(&mut self) {
        let start = self.start();
        if let Some(region) = self.enter() {
            self.typed_names(K::Field, "a field name");
            self.leave(region);
        }
        self.close(K::StructType, start);
    }

    /// `name: Type = default` up to the end of the region. Commas may be
    /// missing, as the peer's grammar has it.
    fn typed_names(&mut self, kind: SyntaxKind, what: &str) {
        let mut last = None;
        while self.more(&mut last) {
            if self.at(K::Comma) {
                self.extra_commas();
                continue;
            }
            let start = self.start();
            let quoted = kind == K::Field && self.at(K::String);
            if !self.kind().is_word() && !quoted {
                self.expected(&codes::S0167, what);
                self.recover_element();
                self.eat(K::Comma);
                continue;
            }
            if quoted {
                self.bump();
            } else {
                self.declared_name();
            }
            let name = self.pos - 1;
            let optional = self.at(K::Question) && self.nth(1) == K::Colon;
            if optional {
                let place = self.at_token(self.pos);
                self.report(
                    Diagnostic::new(
                        &codes::S0170,
                        place,
                        "the `?` of an optional value stands after its type",
                    )
                    .help("write `name: Type?`"),
                );
                self.bump();
            }
            if self.eat(K::Colon) {
                self.type_();
            } else {
                self.type_missing(name);
            }
            let mut ok = true;
            if self.eat(K::Eq) {
                ok = self.whole_expression();
            }
            self.close(kind, start);
            if !ok {
                self.recover_element();
            }
            if self.eat(K::Comma) || self.at_end() {
                continue;
            }
            if kind == K::Field && self.at(K::Semicolon) {
                self.bump();
                continue;
            }
            if !self.kind().is_word() && !self.at(K::String) {
                self.expected(&codes::S0167, "`,`");
                self.recover_element();
                self.eat(K::Comma);
            }
        }
    }

    #[cold]
    fn type_missing(&mut self, name: usize) {
        let text = self.token_text(name);
        let at = self.after_last();
        let place = self.at_token(name);
        // `x Type`: the type is there, the colon is not.
        let typed = self.kind().is_word() && !self.line_start(0) && self.nth(1) != K::Colon;
        if typed && is_type_name(text) {
            let type_token = self.pos;
            let written = format!("{}: {text}", self.here());
            let place = self.tokens(name, type_token);
            self.type_();
            self.report(
                Diagnostic::new(&codes::S0171, place, "the type stands after the name").fix(
                    format!("write `{written}`"),
                    vec![Edit {
                        at: place,
                        text: written.clone(),
                    }],
                ),
            );
            return;
        }
        let (label, insert) = if typed {
            ("a `:` is missing", ":")
        } else {
            ("a `:` and a type are missing", ": Any")
        };
        self.report(
            Diagnostic::new(
                &codes::S0171,
                place,
                format!("`{}` has no type", super::recovery::shorten(text)),
            )
            .label(label)
            .fix(
                format!("write `{insert}`"),
                vec![Edit {
                    at,
                    text: insert.to_owned(),
                }],
            ),
        );
        if typed {
            self.type_();
        }
    }
}

/// A word that other languages put before a name.
fn is_type_name(word: &str) -> bool {
    matches!(
        word,
        "int" | "float" | "bool" | "string" | "String" | "number" | "boolean" | "JSON" | "Any"
    )
}

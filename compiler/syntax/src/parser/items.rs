//! What may stand at the top level and in an agent (language.md 2.2).

use symbi_diagnostics::{Diagnostic, Edit, syntax as codes};

use super::core::Parser;
use super::entries::BlockKind;
use super::foreign_items::near_item;
use super::recovery::shorten;
use crate::kind::SyntaxKind::{self, self as K};

impl Parser<'_> {
    /// One item at the top level, as one root node.
    pub(super) fn top_level_item(&mut self) {
        let start = self.start();
        match self.kind() {
            K::MetadataKw => self.named_block(K::MetadataBlock),
            K::AgentKw => self.agent(),
            K::CapabilitiesKw => self.capabilities(),
            K::PolicyKw => self.policy(false),
            K::TypeKw => self.type_definition(),
            K::FunctionKw => self.function(),
            K::ScheduleKw => self.named_block(K::ScheduleDef),
            K::ChannelKw => self.named_block(K::ChannelDef),
            K::MemoryKw => self.named_block(K::MemoryDef),
            K::WebhookKw => self.named_block(K::WebhookDef),
            K::WithKw => self.with_block(true),
            K::ExternKw if self.nth(1).is_word() => self.extern_definition(),
            K::Semicolon => self.stray_semicolons(),
            _ => self.not_an_item(start),
        }
    }

    /// `agent name(params) -> Type { items }`.
    fn agent(&mut self) {
        let start = self.start();
        let word = self.pos;
        self.bump();
        if self.at(K::LBrace) || self.at(K::LParen) {
            self.name_missing(word, "agent");
        } else {
            self.item_name(word);
        }
        self.signature(word);
        if self.at(K::LBrace) {
            self.agent_body();
        } else {
            self.body_missing(word, K::AgentBody, Self::agent_items);
        }
        self.close(K::AgentDef, start);
    }

    /// `(params) -> Type`, both optional.
    fn signature(&mut self, word: usize) {
        if self.at(K::LParen) {
            self.parameters();
        }
        self.result_behind_colon();
        self.return_type();
        self.sign_before_braces(word);
    }

    /// `f(x: T): U`, as other languages write a result.
    fn result_behind_colon(&mut self) {
        if !self.at(K::Colon) || !self.nth(1).is_word() || self.line_start(1) {
            return;
        }
        let place = self.at_token(self.pos);
        self.report(
            Diagnostic::new(
                &codes::S0167,
                place,
                "the type of a result stands behind `->`",
            )
            .fix(
                "write ` ->`",
                vec![Edit {
                    at: place,
                    text: " ->".to_owned(),
                }],
            ),
        );
        let start = self.start();
        self.bump();
        self.type_();
        self.close(K::ReturnType, start);
    }

    fn agent_body(&mut self) {
        let start = self.start();
        if let Some(region) = self.enter() {
            self.agent_items();
            self.leave(region);
        }
        self.close(K::AgentBody, start);
    }

    /// Items of an agent up to the end of the region.
    fn agent_items(&mut self) {
        self.separated(Self::agent_item);
    }

    /// One item of an agent, or a stray entry of it.
    fn agent_item(&mut self) {
        let next = self.nth(1);
        let item = match self.kind() {
            K::CapabilitiesKw | K::WithKw => true,
            K::TypeKw | K::FunctionKw | K::AgentKw => {
                let named = next.is_word() && !self.line_start(1);
                named || next == K::LParen || self.starts_item()
            }
            K::MetadataKw
            | K::PolicyKw
            | K::ScheduleKw
            | K::ChannelKw
            | K::MemoryKw
            | K::WebhookKw
            | K::ConstraintsKw
            | K::ExecutorKw => self.block_shape(),
            _ => false,
        };
        if !item {
            if matches!(
                self.kind(),
                K::Name
                    | K::IfKw
                    | K::ForKw
                    | K::LetKw
                    | K::WhileKw
                    | K::TryKw
                    | K::ReturnKw
                    | K::MatchKw
            ) && self.foreign_in_agent()
            {
                return;
            }
            let rule = matches!(
                self.kind(),
                K::AllowKw | K::DenyKw | K::RequireKw | K::AuditKw
            );
            let first = self.pos;
            self.entry(BlockKind::Plain);
            if rule {
                self.rest_of_stray_rule(first);
            }
            return;
        }
        match self.kind() {
            K::CapabilitiesKw => self.capabilities(),
            K::WithKw => self.with_block(false),
            K::TypeKw => self.type_definition(),
            K::FunctionKw => self.function(),
            K::AgentKw => self.agent_in_agent(),
            K::MetadataKw => self.named_block(K::MetadataBlock),
            K::PolicyKw => self.policy(true),
            K::ScheduleKw => self.named_block(K::ScheduleDef),
            K::ChannelKw => self.named_block(K::ChannelDef),
            K::MemoryKw => self.named_block(K::MemoryDef),
            K::WebhookKw => self.named_block(K::WebhookDef),
            K::ConstraintsKw => self.named_block(K::ConstraintsBlock),
            _ => self.named_block(K::ExecutorBlock),
        }
    }

    /// `allow: read if …` right in an agent, whose entry begins at a token and
    /// has been read: one report for the rule, none for what follows on its line.
    fn rest_of_stray_rule(&mut self, first: usize) {
        if !self.at(K::IfKw) || self.line_start(0) || !self.is_keyword() {
            return;
        }
        self.rule_outside(first);
    }

    /// The word at hand is followed by what its item has, not by a value.
    pub(super) fn block_shape(&self) -> bool {
        let braces = |n: usize| {
            self.nth(n) == K::LBrace
                || (matches!(self.nth(n), K::Eq | K::Colon) && self.nth(n + 1) == K::LBrace)
        };
        if braces(1) {
            return true;
        }
        if !self.nth(1).is_word() && self.nth(1) != K::String {
            return false;
        }
        // The name may stand on the next line, unless it is an item itself.
        let named = !self.line_start(1) || (self.nth(1) == K::Name && self.nth(2) == K::LBrace);
        let verb = matches!(
            self.nth(2),
            K::AllowKw | K::DenyKw | K::RequireKw | K::AuditKw
        );
        named
            && (braces(2)
                || (self.nth(2) == K::Minus && self.dashed_name_then_brace(2))
                // A policy that lacks its `{`.
                || (self.at(K::PolicyKw) && verb))
    }

    /// `name-with-dashes {`.
    fn dashed_name_then_brace(&self, mut n: usize) -> bool {
        while self.nth(n) == K::Minus && self.nth(n + 1).is_word() && self.glued(n) {
            n += 2;
        }
        self.nth(n) == K::LBrace
    }

    #[cold]
    fn agent_in_agent(&mut self) {
        let start = self.start();
        let place = self.tokens(self.pos, self.pos + 1);
        // Where the outer agent's `}` is missing, that is what is reported.
        if !self.lost_end {
            self.report(
                Diagnostic::new(
                    &codes::S0120,
                    place,
                    "an agent cannot stand inside an agent",
                )
                .help("close the outer agent with `}` before it"),
            );
        }
        while !self.at_end() && !self.at(K::LBrace) {
            self.skip_one();
        }
        if self.at(K::LBrace) {
            self.skip_one();
        }
        self.close(K::Error, start);
    }

    /// A statement, or a function of another language, right in an agent.
    #[cold]
    fn foreign_in_agent(&mut self) -> bool {
        let start = self.start();
        let statement = matches!(
            self.kind(),
            K::IfKw | K::ForKw | K::LetKw | K::WhileKw | K::TryKw | K::ReturnKw | K::MatchKw
        );
        if statement {
            if !self.is_keyword() || self.nth(1) == K::LBrace && !self.at(K::TryKw) {
                return false;
            }
            let place = self.at_token(self.pos);
            let word = self.here();
            self.report(
                Diagnostic::new(
                    &codes::S0121,
                    place,
                    format!("the statement `{word}` stands outside a body"),
                )
                .help("statements belong into the braces of `with … { }` or of a function"),
            );
            self.skip_statement();
            self.close(K::Error, start);
            return true;
        }
        if matches!(self.nth(1), K::LParen | K::Dot | K::ColonColon) && self.at(K::Name) {
            let place = self.at_token(self.pos);
            self.report(
                Diagnostic::new(&codes::S0121, place, "a statement stands outside a body")
                    .help("statements belong into the braces of `with … { }` or of a function"),
            );
            self.skip_statement();
            self.close(K::Error, start);
            return true;
        }
        if self.at(K::Name) && self.nth(1).is_word() && self.nth(2) == K::LBrace {
            let Some(item) = near_item(self.here()) else {
                return false;
            };
            self.misspelt_item(item);
            self.skip_item();
            self.close(K::Error, start);
            return true;
        }
        if matches!(self.here(), "fn" | "func" | "def" | "fun")
            && self.nth(1).is_word()
            && self.nth(2) == K::LParen
        {
            self.foreign_function();
            self.close(K::Error, start);
            return true;
        }
        false
    }

    /// Reports the word at hand, which is meant to begin an item.
    #[cold]
    pub(super) fn misspelt_item(&mut self, item: &str) {
        let place = self.at_token(self.pos);
        self.report(
            Diagnostic::new(
                &codes::S0120,
                place,
                format!("`{}` is not an item of the language", shorten(self.here())),
            )
            .fix(
                format!("write `{item}`"),
                vec![Edit {
                    at: place,
                    text: item.to_owned(),
                }],
            ),
        );
    }

    /// `capabilities = […]`, `capabilities { … }`.
    fn capabilities(&mut self) {
        let start = self.start();
        let word = self.pos;
        self.bump();
        if self.at(K::LBrace) {
            self.capability_block();
            self.close(K::CapabilitiesDef, start);
            return;
        }
        let signed = matches!(self.kind(), K::Eq | K::Colon);
        if signed {
            self.bump();
        }
        if self.value_missing() || (!signed && self.line_start(0)) {
            self.value_is_missing();
        } else if self.at(K::LBrace) {
            self.sign_is_odd(word);
            self.capability_block();
        } else {
            let first = self.pos;
            let list = self.at(K::LBracket);
            if self.whole_expression() {
                if !list {
                    self.capabilities_not_a_list(first);
                }
            } else {
                self.recover_entry();
            }
        }
        self.close(K::CapabilitiesDef, start);
    }

    #[cold]
    fn capabilities_not_a_list(&mut self, first: usize) {
        while self.at(K::Comma)
            && (self.nth(1).is_word() || self.nth(1) == K::String)
            && !matches!(self.nth(2), K::Eq | K::Colon)
        {
            let rest = self.start();
            self.bump();
            self.bump();
            self.close(K::Error, rest);
        }
        let place = self.tokens(first, self.pos - 1);
        self.report(
            Diagnostic::new(&codes::S0131, place, "capabilities are a list").fix(
                "put it in `[ ]`",
                vec![
                    Edit {
                        at: self.before(first),
                        text: "[".to_owned(),
                    },
                    Edit {
                        at: self.after_last(),
                        text: "]".to_owned(),
                    },
                ],
            ),
        );
    }

    /// `{ tool "x" y }`: `tool` is a prefix only if a name follows on its line.
    fn capability_block(&mut self) {
        let start = self.start();
        if let Some(region) = self.enter() {
            self.separated(Self::capability);
            self.leave(region);
        }
        self.close(K::EntryBlock, start);
    }

    fn capability(&mut self) {
        let start = self.start();
        let prefix = self.at(K::Name)
            && self.here() == "tool"
            && !self.line_start(1)
            && (self.nth(1).is_word() || self.nth(1) == K::String);
        if prefix {
            self.bump();
        }
        if self.kind().is_word() {
            self.declared_name();
            while self.at(K::ColonColon) && self.nth(1).is_word() {
                self.bump();
                self.name_text();
            }
        } else if matches!(self.kind(), K::String | K::CutString | K::OtherString) {
            self.string_token();
        } else {
            self.expected(&codes::S0132, "the name of a capability");
            self.recover_entry();
        }
        self.close(K::CapabilityEntry, start);
    }

    /// `word name { entries }`, the name optional.
    fn named_block(&mut self, node: SyntaxKind) {
        let start = self.start();
        let word = self.pos;
        self.bump();
        let nameless = matches!(
            node,
            K::MetadataBlock | K::ConstraintsBlock | K::ExecutorBlock
        );
        if !matches!(self.kind(), K::LBrace | K::Eq | K::Colon) && !nameless {
            self.item_name(word);
        }
        self.sign_before_braces(word);
        let kind = if node == K::ChannelDef {
            BlockKind::Channel
        } else {
            BlockKind::Plain
        };
        if self.at(K::LBrace) {
            self.entry_block(K::EntryBlock, kind);
        } else {
            self.body_missing(word, K::EntryBlock, |p| p.entries(kind));
        }
        self.close(node, start);
    }

    /// `type Name = T`.
    fn type_definition(&mut self) {
        let start = self.start();
        let word = self.pos;
        self.bump();
        self.item_name(word);
        if self.at(K::Lt) {
            self.generic_item(word);
        }
        if self.eat(K::Eq) {
            if self.at(K::LBrace) {
                self.struct_type();
            } else if self.line_start(0) && self.starts_item() {
                self.value_is_missing();
            } else {
                self.type_();
            }
        } else if self.at(K::LBrace) {
            let at = self.after_last();
            self.report(
                Diagnostic::new(&codes::S0167, at, "expected `=` after the name of the type").fix(
                    "write `=`",
                    vec![Edit {
                        at,
                        text: " =".to_owned(),
                    }],
                ),
            );
            self.struct_type();
        } else {
            self.expected(&codes::S0167, "`=` and a type");
            self.recover_line();
        }
        if self.at(K::Semicolon) {
            self.bump();
        }
        self.close(K::TypeDef, start);
    }

    #[cold]
    fn generic_item(&mut self, word: usize) {
        let start = self.start();
        let place = self.at_token(self.pos);
        let what = self.token_text(word);
        self.report(
            Diagnostic::new(
                &codes::S0170,
                place,
                format!("a {what} of a project has no type parameters"),
            )
            .help("write `Any` where any type may stand"),
        );
        while !self.at_end() && !matches!(self.kind(), K::LParen | K::Eq | K::LBrace) {
            self.bump();
        }
        self.close(K::Error, start);
    }

    /// `function f(p: T) -> T { … }`.
    fn function(&mut self) {
        let start = self.start();
        let word = self.pos;
        self.bump();
        self.item_name(word);
        if self.at(K::Lt) {
            self.generic_item(word);
        }
        if !self.at(K::LParen) {
            self.expected(&codes::S0167, "`(` and parameters");
            if !self.at(K::LBrace) {
                self.recover_line();
                self.close(K::FunctionDef, start);
                return;
            }
        }
        self.signature(word);
        if self.at(K::LBrace) {
            self.block();
        } else {
            self.body_missing(word, K::Block, Self::statements);
        }
        self.close(K::FunctionDef, start);
    }

    /// `extern function …;`, `extern effect|guard|obligation|group …;`.
    fn extern_definition(&mut self) {
        let start = self.start();
        if !self.options.stdlib {
            let place = self.at_token(self.pos);
            self.report(
                Diagnostic::new(
                    &codes::S0126,
                    place,
                    "`extern` declarations belong to the standard library",
                )
                .help("tools are declared in `tools/*.clad.toml`; functions have a body"),
            );
        }
        self.bump();
        let word = self.pos;
        self.bump();
        if self.kind().is_word() {
            self.name_text();
            while self.at(K::ColonColon) && self.nth(1).is_word() {
                self.bump();
                self.name_text();
            }
        } else {
            self.name_missing(word, "declaration");
        }
        if self.at(K::Lt) {
            let params = self.start();
            self.bump();
            while self.kind().is_word() {
                self.bump();
                if !self.eat(K::Comma) {
                    break;
                }
            }
            if !self.eat(K::Gt) {
                self.expected(&codes::S0167, "`>` after the type parameters");
            }
            self.close(K::TypeParams, params);
        }
        if self.at(K::LParen) {
            self.parameters();
        }
        self.return_type();
        if self.eat(K::Colon) {
            self.type_();
        }
        if self.eat(K::Eq) {
            let ok = self.whole_expression();
            if !ok {
                self.recover_line();
            }
            self.statement_end();
        } else if self.at(K::LBrace) {
            self.entry_block(K::EntryBlock, BlockKind::Plain);
            self.eat(K::Semicolon);
        } else {
            self.statement_end();
        }
        self.close(K::ExternDef, start);
    }
}

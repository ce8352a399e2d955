//! Policies and their rules (language.md section 4).

use symbi_diagnostics::{Diagnostic, Edit, syntax as codes};

use super::core::{Mode, Parser};
use super::entries::BlockKind;
use crate::kind::SyntaxKind as K;

impl Parser<'_> {
    /// `policy name { rules }`. A nameless one is odd inside an agent.
    pub(super) fn policy(&mut self, in_agent: bool) {
        let start = self.start();
        let word = self.pos;
        self.bump();
        if self.at(K::LBrace) {
            if in_agent {
                self.nameless_policy(word);
            } else {
                self.name_missing(word, "policy");
            }
        } else {
            self.item_name(word);
        }
        self.sign_before_braces(word);
        if self.at(K::LBrace) {
            self.policy_body();
        } else {
            self.body_missing(word, K::PolicyBody, Self::rules);
        }
        self.close(K::PolicyDef, start);
    }

    #[cold]
    fn nameless_policy(&mut self, word: usize) {
        let at = self.after_last();
        let place = self.at_token(word);
        self.report(
            Diagnostic::new(&codes::S0129, place, "this policy has no name")
                .label("reports and decisions cannot name it")
                .maybe_fix(
                    "give it a name",
                    vec![Edit {
                        at,
                        text: " rules".to_owned(),
                    }],
                ),
        );
    }

    fn policy_body(&mut self) {
        let start = self.start();
        if let Some(region) = self.enter() {
            self.rules();
            self.leave(region);
        }
        self.close(K::PolicyBody, start);
    }

    /// Rules and entries up to the end of the region.
    fn rules(&mut self) {
        self.separated(Self::rule_or_entry);
    }

    fn rule_or_entry(&mut self) {
        match self.kind() {
            K::AllowKw | K::DenyKw | K::RequireKw | K::AuditKw => self.rule(),
            K::Name
                if matches!(
                    self.here(),
                    "permit" | "forbid" | "grant" | "block" | "refuse"
                ) && self.nth(1) != K::LBrace =>
            {
                let call = self.nth(1) == K::LParen;
                self.foreign_verb(call);
                if call {
                    self.recover_entry();
                } else {
                    self.rule();
                }
            }
            // `allow: x; if y`: a guard that lost its rule must not be taken
            // for a setting.
            K::IfKw if self.is_keyword() => {
                let place = self.place();
                self.report(
                    Diagnostic::new(&codes::S0143, place, "this `if` belongs to no rule")
                        .help("a guard stands right behind the selector: `allow: x if y`"),
                );
                self.recover_entry();
            }
            _ => self.entry(BlockKind::Policy),
        }
    }

    #[cold]
    fn foreign_verb(&mut self, call: bool) {
        let word = self.here();
        let verb = match word {
            "permit" | "grant" => "allow",
            _ => "deny",
        };
        let place = self.at_token(self.pos);
        let diagnostic = Diagnostic::new(
            &codes::S0140,
            place,
            format!("rules are written with `{verb}`, not with `{word}`"),
        );
        self.report(if call {
            diagnostic.help(format!(
                "write `{verb}: selector if guard`; Cedar policies stand in files of their own"
            ))
        } else {
            diagnostic.fix(
                format!("write `{verb}`"),
                vec![Edit {
                    at: place,
                    text: verb.to_owned(),
                }],
            )
        });
    }

    /// `verb: selector tail if guard`. The verb is at hand.
    fn rule(&mut self) {
        let start = self.start();
        let verb = self.kind();
        let verb_token = self.pos;
        self.bump();
        if self.at(K::LBrace) {
            // `audit { log: true }`: settings, not a rule.
            self.entry_block(K::EntryBlock, BlockKind::Plain);
            self.close(K::NestedBlock, start);
            return;
        }
        let signed = matches!(self.kind(), K::Colon | K::Eq);
        if signed {
            self.bump();
        }
        if self.selector_missing(signed) {
            self.report_selector_missing(verb_token);
            if self.at(K::IfKw) {
                self.recover_entry();
            }
            self.close(K::Rule, start);
            return;
        }
        if self.at(K::Star) {
            self.star_selector();
            self.guard();
            self.close(K::Rule, start);
            return;
        }
        let outer = self.mode;
        self.mode = Mode {
            rule: true,
            ..Mode::default()
        };
        let ok = self.selector(verb);
        if !ok {
            self.recover_entry();
        }
        if ok {
            self.tail();
            self.guard();
            self.tail();
        }
        self.mode = outer;
        self.close(K::Rule, start);
        if ok {
            self.rule_end();
        }
    }

    fn selector_missing(&self, signed: bool) -> bool {
        self.at_end()
            || matches!(self.kind(), K::Comma | K::Semicolon)
            || (self.at(K::IfKw) && self.is_keyword())
            || (self.line_start(0) && (!signed || matches!(self.nth(1), K::Colon | K::Eq)))
    }

    /// `deny: *`.
    #[cold]
    fn star_selector(&mut self) {
        let star = self.start();
        let place = self.at_token(self.pos);
        self.report(
            Diagnostic::new(
                &codes::S0142,
                place,
                "`*` is no selector: `true` stands for every effect",
            )
            .maybe_fix(
                "write `true`",
                vec![Edit {
                    at: place,
                    text: "true".to_owned(),
                }],
            ),
        );
        self.recover_entry();
        self.close(K::Error, star);
    }

    #[cold]
    fn report_selector_missing(&mut self, verb: usize) {
        let text = self.token_text(verb);
        let place = self.at_token(verb);
        let what = if matches!(self.tok(verb).kind, K::RequireKw | K::AuditKw) {
            "what it asks for"
        } else {
            "the effects it is about"
        };
        self.report(
            Diagnostic::new(
                &codes::S0142,
                place,
                format!("this `{text}` does not say {what}"),
            )
            .help(format!("write `{text}: \"tool_name\"`, or a list of names")),
        );
    }

    /// What the rule is about. Outside `require`, `in` begins a tail.
    fn selector(&mut self, verb: K) -> bool {
        if verb != K::RequireKw && self.kind().is_word() && self.tail_follows_name() {
            let start = self.start();
            self.name_text();
            if self.at(K::ColonColon) {
                self.bump();
                self.name_text();
                self.close(K::PathExpr, start);
            } else {
                self.close(K::NameExpr, start);
            }
            return true;
        }
        self.whole_expression()
    }

    /// `read in workspace`: the words after the name are a tail.
    fn tail_follows_name(&self) -> bool {
        let path = self.nth(1) == K::ColonColon && self.nth(2).is_word();
        let after = if path { 3 } else { 1 };
        self.nth(after) == K::InKw && self.nth(after + 1).is_word() && !self.line_start(after)
    }

    /// `if guard`.
    fn guard(&mut self) {
        if self.at(K::Name) && self.here() == "unless" {
            self.unless();
            return;
        }
        if !self.at(K::IfKw) {
            return;
        }
        let start = self.start();
        self.bump();
        if !self.whole_expression() {
            self.recover_entry();
        }
        self.close(K::RuleGuard, start);
    }

    #[cold]
    fn unless(&mut self) {
        let start = self.start();
        let place = self.at_token(self.pos);
        self.bump();
        let first = self.pos;
        let ok = self.whole_expression();
        if !ok {
            self.recover_entry();
        }
        let mut diagnostic = Diagnostic::new(
            &codes::S0141,
            place,
            "a guard is written with `if`, not with `unless`",
        );
        if ok {
            diagnostic = diagnostic.fix(
                "write `if not (…)`",
                vec![
                    Edit {
                        at: place,
                        text: "if not".to_owned(),
                    },
                    Edit {
                        at: self.before(first),
                        text: "(".to_owned(),
                    },
                    Edit {
                        at: self.after_last(),
                        text: ")".to_owned(),
                    },
                ],
            );
        }
        self.report(diagnostic);
        self.close(K::RuleGuard, start);
    }

    /// Words after a selector or value on its line.
    fn tail(&mut self) {
        if self.line_start(0) || !self.tail_starts() {
            return;
        }
        let start = self.start();
        // `"a if x == "b"`: a lost quote must not pass for a tail.
        let mut lost_quote = self.glued(0) && self.tok(self.pos - 1).kind == K::String;
        if lost_quote {
            self.glued_to_string();
        }
        while !self.at_end()
            && !self.line_start(0)
            && !matches!(self.kind(), K::Comma | K::Semicolon | K::IfKw)
            && !self.next_starts()
            && self.here() != "unless"
        {
            if !lost_quote && matches!(self.kind(), K::CutString | K::CutTripleString) {
                self.cut_string();
                lost_quote = true;
            }
            if matches!(self.kind(), K::RBrace | K::RParen | K::RBracket) {
                self.expected(&codes::S0143, "the end of the rule");
            }
            self.skip_one();
        }
        self.close(K::RuleTail, start);
    }

    fn tail_starts(&self) -> bool {
        self.kind().is_word() && !self.at(K::IfKw) && !self.next_starts() && self.here() != "unless"
    }

    /// A verb or a key that begins the next rule or entry.
    pub(super) fn next_starts(&self) -> bool {
        if self.kind().is_word() && matches!(self.nth(1), K::Colon | K::Eq) {
            return true;
        }
        let verb = matches!(
            self.kind(),
            K::AllowKw | K::DenyKw | K::RequireKw | K::AuditKw
        );
        verb && match self.nth(1) {
            K::Colon | K::Eq | K::String | K::LBracket | K::LBrace => true,
            K::IfKw | K::InKw => false,
            next => next.is_word(),
        }
    }

    /// A rule must be over now: at a separator, a new line, or the next verb.
    fn rule_end(&mut self) {
        if self.at_end()
            || self.line_start(0)
            || matches!(self.kind(), K::Comma | K::Semicolon)
            || self.next_starts()
        {
            return;
        }
        if self.at(K::String) {
            let place = self.place();
            self.report(
                Diagnostic::new(&codes::S0143, place, "a rule has one selector")
                    .help("write several as a list: `allow: [\"a\", \"b\"]`"),
            );
        } else {
            self.expected(&codes::S0143, "the end of the rule");
        }
        self.recover_entry();
    }
}

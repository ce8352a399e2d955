//! What stands at the top level and is no item: one report for it, and the
//! next item is found.

use symbi_diagnostics::{Diagnostic, Edit, syntax as codes};

use super::core::{Parser, Start};
use crate::kind::SyntaxKind as K;

/// Item words, for a suggestion when one is misspelt.
const ITEM_WORDS: &[&str] = &[
    "metadata",
    "agent",
    "capabilities",
    "policy",
    "type",
    "function",
    "schedule",
    "channel",
    "memory",
    "webhook",
    "with",
];

impl Parser<'_> {
    /// Makes one `Error` item of what is no item, with one report.
    #[cold]
    pub(super) fn not_an_item(&mut self, start: Start) {
        match self.kind() {
            K::RBrace | K::RParen | K::RBracket => self.stray_closers(),
            K::LetKw | K::IfKw | K::ForKw | K::WhileKw | K::MatchKw | K::TryKw | K::ReturnKw => {
                self.top_level_statement();
            }
            K::AllowKw | K::DenyKw | K::RequireKw | K::AuditKw if self.nth(1) == K::Colon => {
                let place = self.at_token(self.pos);
                self.report(
                    Diagnostic::new(&codes::S0120, place, "a rule stands outside a policy")
                        .help("write `policy name { … }` around the rules"),
                );
                self.skip_entries();
            }
            K::ConstraintsKw | K::ExecutorKw => {
                let place = self.at_token(self.pos);
                let word = self.here();
                self.report(
                    Diagnostic::new(
                        &codes::S0120,
                        place,
                        format!("`{word}` stands outside an agent"),
                    )
                    .help("move it into the braces of the agent it is about"),
                );
                self.skip_item();
            }
            kind if kind.is_word() => self.unknown_item(),
            K::Comma => {
                self.extra_commas();
                return;
            }
            K::OtherString if self.here() == "``" && self.line_start(0) => {
                let first = self.pos;
                self.bump();
                while !self.at_end() && !self.line_start(0) {
                    self.bump();
                }
                let place = self.tokens(first, self.pos - 1);
                self.report(
                    Diagnostic::new(
                        &codes::S0120,
                        place,
                        "this line of a Markdown fence is no part of the file",
                    )
                    .fix(
                        "remove it",
                        vec![Edit {
                            at: place,
                            text: String::new(),
                        }],
                    ),
                );
            }
            _ => {
                self.expected(
                    &codes::S0120,
                    "an item such as `agent`, `policy` or `schedule`",
                );
                self.skip_item();
            }
        }
        self.close(K::Error, start);
    }

    fn stray_closers(&mut self) {
        let first = self.pos;
        while matches!(self.kind(), K::RBrace | K::RParen | K::RBracket) {
            self.bump();
        }
        let place = self.tokens(first, self.pos - 1);
        let text = self.token_text(first);
        let message = if self.pos - first == 1 {
            format!("this `{text}` closes nothing")
        } else {
            "these brackets close nothing".to_owned()
        };
        self.report(Diagnostic::new(&codes::S0113, place, message).maybe_fix(
            "remove it",
            vec![Edit {
                at: place,
                text: String::new(),
            }],
        ));
    }

    fn top_level_statement(&mut self) {
        let place = self.at_token(self.pos);
        let word = self.here();
        self.report(
            Diagnostic::new(
                &codes::S0121,
                place,
                format!("the statement `{word}` stands outside a body"),
            )
            .help(
                "statements belong into the braces of `with … { }` in an agent, or of a function",
            ),
        );
        self.skip_statement();
    }

    fn unknown_item(&mut self) {
        let word = self.here();
        let place = self.at_token(self.pos);
        let next = self.nth(1);
        match word {
            "async" | "pub" | "public" | "private" | "export" | "default" | "static"
            | "abstract"
                if self.word_starts_item(1) =>
            {
                self.report(
                    Diagnostic::new(
                        &codes::S0125,
                        place,
                        format!("items have no `{word}` before them"),
                    )
                    .fix(
                        "remove it",
                        // The space behind it belongs to no item.
                        vec![Edit {
                            at: place,
                            text: String::new(),
                        }],
                    ),
                );
                self.bump();
                return;
            }
            "fn" | "func" | "def" | "fun" if next.is_word() => {
                self.foreign_function();
                return;
            }
            _ => {}
        }
        let hint = match word {
            "struct" | "record" | "interface" | "class" => {
                Some("write `type Name = { field: Type }`")
            }
            "enum" => Some("write `type Name = String` and check the value where it is used"),
            "import" | "use" | "include" | "require" => Some(
                "agents of a project see each other without an import; a function is seen in its own file",
            ),
            "const" | "var" | "final" | "static" => {
                Some("there are no global values: write a `let` in the body that needs it")
            }
            "macro" | "mod" | "module" | "namespace" | "package" => {
                Some("the language has no modules: a file holds items")
            }
            "behavior" => Some("write an `agent` with a `with … { }` body"),
            "trait" | "impl" => Some("write functions"),
            _ => None,
        };
        if let Some(hint) = hint
            && (next.is_word() || next == K::String || next == K::LBrace)
        {
            self.report(
                Diagnostic::new(
                    &codes::S0122,
                    place,
                    format!("the language has no `{word}`"),
                )
                .help(hint),
            );
            self.skip_item();
            return;
        }
        if matches!(next, K::LParen | K::Eq | K::Dot | K::PlusEq | K::ColonColon)
            && !(next == K::Eq && self.nth(2) == K::LBrace)
        {
            self.report(
                Diagnostic::new(
                    &codes::S0121,
                    place,
                    "a statement stands outside a body",
                )
                .help("statements belong into the braces of `with … { }` in an agent, or of a function"),
            );
            self.skip_statement();
            return;
        }
        let near = near_item(word);
        let shaped = next == K::LBrace || next.is_word() || next == K::Eq;
        let diagnostic = Diagnostic::new(
            &codes::S0120,
            place,
            format!(
                "`{}` is not an item of the language",
                super::recovery::shorten(word)
            ),
        );
        self.report(match near {
            Some(item) if shaped => diagnostic.fix(
                format!("write `{item}`"),
                vec![Edit {
                    at: place,
                    text: item.to_owned(),
                }],
            ),
            _ => diagnostic.help(
                "items are metadata, agent, policy, type, function, schedule, channel, memory, webhook, with and capabilities",
            ),
        });
        self.skip_item();
    }

    /// `fn f(…) { … }`.
    #[cold]
    pub(super) fn foreign_function(&mut self) {
        let place = self.at_token(self.pos);
        let word = self.here();
        self.report(
            Diagnostic::new(
                &codes::S0122,
                place,
                format!("functions are declared with `function`, not with `{word}`"),
            )
            .fix(
                "write `function`",
                vec![Edit {
                    at: place,
                    text: "function".to_owned(),
                }],
            ),
        );
        self.skip_item();
    }

    fn word_starts_item(&self, n: usize) -> bool {
        matches!(
            self.nth(n),
            K::AgentKw
                | K::FunctionKw
                | K::PolicyKw
                | K::TypeKw
                | K::ScheduleKw
                | K::ChannelKw
                | K::MemoryKw
                | K::WebhookKw
        ) && self.nth(n + 1).is_word()
    }

    /// Skips what is no item: up to and with its braces or its `;`, or up to
    /// the next item on a line of its own.
    pub(super) fn skip_item(&mut self) {
        let from = self.pos;
        while !self.at_end() {
            match self.kind() {
                K::LBrace => {
                    self.skip_one();
                    return;
                }
                K::Semicolon => {
                    self.bump();
                    return;
                }
                K::RBrace if self.pos > from => return,
                _ => {
                    if self.pos > from && self.line_start(0) && self.starts_item() {
                        return;
                    }
                    self.skip_one();
                }
            }
        }
    }

    /// Skips a statement: up to its `;`, its last `}` or the next item.
    pub(super) fn skip_statement(&mut self) {
        let from = self.pos;
        while !self.at_end() {
            match self.kind() {
                K::Semicolon => {
                    self.bump();
                    return;
                }
                K::LBrace => {
                    self.skip_one();
                    if !matches!(self.kind(), K::ElseKw | K::CatchKw | K::Dot | K::Semicolon) {
                        return;
                    }
                }
                K::RBrace => return,
                _ => {
                    if self.pos > from && self.line_start(0) && self.starts_item() {
                        return;
                    }
                    self.skip_one();
                }
            }
        }
    }

    /// Skips entries that have lost their block.
    fn skip_entries(&mut self) {
        let from = self.pos;
        while !self.at_end() {
            if self.pos > from && self.line_start(0) && self.starts_item() {
                return;
            }
            self.skip_one();
        }
    }
}

/// The item word that a word is a misspelling of.
pub(super) fn near_item(word: &str) -> Option<&'static str> {
    ITEM_WORDS
        .iter()
        .copied()
        .find(|item| distance_at_most_two(&word.to_ascii_lowercase(), item))
}

/// Whether two words are at most two edits apart (an edit is a letter more,
/// less, changed, or two swapped).
pub(super) fn distance_at_most_two(a: &str, b: &str) -> bool {
    if a.len() > 20 || a.len().abs_diff(b.len()) > 2 || a.len() < 3 {
        return false;
    }
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    let mut rows = vec![(0..=b.len()).collect::<Vec<_>>()];
    for (i, left) in a.iter().enumerate() {
        let mut row = vec![i + 1];
        for (j, right) in b.iter().enumerate() {
            let mut best = (rows[i][j] + usize::from(left != right))
                .min(rows[i][j + 1] + 1)
                .min(row[j] + 1);
            if i > 0 && j > 0 && *left == b[j - 1] && a[i - 1] == *right {
                best = best.min(rows[i - 1][j - 1] + 1);
            }
            row.push(best);
        }
        rows.push(row);
    }
    let distance = rows[a.len()][b.len()];
    distance <= if b.len() >= 6 { 2 } else { 1 }
}

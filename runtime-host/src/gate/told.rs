//! What decided, in words: for the journal, for a refusal that a program
//! catches, and for `symbi policy why`, which tells the same.

use std::borrow::Cow;
use std::sync::Arc;

use symbi_ir::{Agent, Module, Program, Route, Span};
use symbi_policy::{Because, Look, Outcome};

/// Where something that decided is written, and what it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rule {
    /// The file.
    pub path: Arc<str>,
    /// From 1.
    pub line: usize,
    /// In bytes, from 1.
    pub column: usize,
    /// The same place in bytes.
    pub at: Span,
    /// As it is written, on one line, or as the program has it. Empty where
    /// only the place was asked for.
    pub text: String,
}

/// Why something was decided.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Told {
    /// One word for programs: `denied`, `nobody_granted`.
    pub because: &'static str,
    /// A sentence for people.
    pub message: Cow<'static, str>,
    /// The rule, requirement or list that decided.
    pub rule: Option<Rule>,
}

impl Told {
    /// Something that no rule decided.
    pub(crate) fn plain(because: &'static str, message: impl Into<Cow<'static, str>>) -> Self {
        Told {
            because,
            message: message.into(),
            rule: None,
        }
    }
}

/// What an outcome is called.
pub fn outcome(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Permit => "permit",
        Outcome::Deny => "deny",
        Outcome::Pending => "pending",
    }
}

/// What is asked about.
#[derive(Clone, Copy)]
pub struct Asked<'p> {
    /// The program.
    pub program: &'p Program,
    /// The file of the agent.
    pub module: &'p Module,
    /// The agent.
    pub agent: &'p Agent,
    /// The name of the effect.
    pub effect: &'p str,
    /// How the agent was started.
    pub route: Route,
    /// The source of the file, if it is at hand.
    pub source: Option<&'p str>,
    /// The text of what decided is wanted, and not its place alone.
    pub texts: bool,
}

impl Asked<'_> {
    /// Why it was decided.
    pub fn told(&self, because: Because) -> Told {
        let effect = self.effect;
        let (because, message, rule): (_, Cow<'static, str>, _) = match because {
            Because::Ceiling => (
                "ceiling",
                format!("no capability of the agent covers `{effect}`").into(),
                self.agent.capabilities.as_ref().map(|list| {
                    self.rule(list.at, || {
                        format!("capabilities {}", list.entries.join(", "))
                    })
                }),
            ),
            Because::Denied(id) => (
                "denied",
                "this deny matches".into(),
                self.allow_or_deny(id.block, id.rule),
            ),
            Because::Undecidable(id) => (
                "undecidable",
                "whether this rule holds cannot be told, and then it denies".into(),
                self.allow_or_deny(id.block, id.rule),
            ),
            Because::NoAllow(block) => (
                "no_allow",
                format!("this policy allows some things, and `{effect}` is none of them").into(),
                Program::policy_of(self.module, self.agent, block).map(|policy| {
                    let name = policy.name.as_deref().unwrap_or("without a name");
                    let mut rule = self.place(policy.at);
                    rule.text = format!("policy {name}");
                    rule
                }),
            ),
            Because::Unmet(id) => (
                "unmet",
                "this requirement does not hold".into(),
                self.requirement(id.block, id.requirement),
            ),
            Because::UndecidableRequirement(id) => (
                "undecidable_requirement",
                "whether this requirement holds cannot be told, and then it denies".into(),
                self.requirement(id.block, id.requirement),
            ),
            Because::CedarForbids => ("cedar_forbids", "Cedar forbids it".into(), None),
            Because::CedarSilent => ("cedar_silent", "no policy of Cedar permits it".into(), None),
            Because::CedarError => (
                "cedar_error",
                "a policy of Cedar cannot be evaluated, and then it denies".into(),
                None,
            ),
            Because::NobodyGranted => (
                "nobody_granted",
                format!(
                    "nobody grants `{effect}`: no allow matches, no Cedar for the route {}",
                    self.route.as_str()
                )
                .into(),
                None,
            ),
            Because::Refused => ("refused", "a person was asked and refused".into(), None),
            Because::Asked => (
                "asked",
                "all else permits it, and a person has to agree".into(),
                None,
            ),
            Because::Allowed(id) => (
                "allowed",
                "this allow matches".into(),
                self.allow_or_deny(id.block, id.rule),
            ),
            Because::CedarPermits => ("cedar_permits", "Cedar permits it".into(), None),
            Because::Dev => ("dev", "nobody grants it, which `--dev` grants".into(), None),
            Because::Answer => (
                "answer",
                "it is the answer or the end of a run, of which no rule is asked".into(),
                None,
            ),
        };
        Told {
            because,
            message,
            rule,
        }
    }

    /// Why it was decided, with the facts that the deciding guard looks at
    /// ([`symbi_policy::Decider::looks_of`]): what cannot be decided is mostly
    /// a fact that is missing, and then the sentence names it. No values: they
    /// may be what must not be shown.
    pub fn told_of(&self, because: Because, looks: &[Look]) -> Told {
        let mut told = self.told(because);
        let missing: Vec<&Look> = looks.iter().filter(|look| look.value.is_none()).collect();
        let (named, end) = match (&*missing, looks) {
            ([], []) => return told,
            ([], all) => (
                all.iter().collect(),
                match all.len() {
                    1 => "is not of the type that it is held against",
                    _ => "are not of the types that they are held against",
                },
            ),
            ([_], _) => (missing, "is missing"),
            (_, _) => (missing, "are missing"),
        };
        let names: Vec<String> = named.iter().map(|one| format!("`{}`", one.path)).collect();
        let names = match &*names {
            [first @ .., last] if !first.is_empty() => format!("{} and {last}", first.join(", ")),
            names => names.join(""),
        };
        told.message = format!("{}: {names} {end}", told.message).into();
        told
    }

    fn allow_or_deny(&self, block: usize, rule: usize) -> Option<Rule> {
        let policy = Program::policy_of(self.module, self.agent, block)?;
        let (at, data) = (policy.rules.get(rule)?, policy.block.rules.get(rule)?);
        Some(self.rule(at.at, || self.program.rule_to_text(data)))
    }

    fn requirement(&self, block: usize, requirement: usize) -> Option<Rule> {
        let policy = Program::policy_of(self.module, self.agent, block)?;
        let at = policy.requirements.get(requirement)?;
        let data = policy.block.requirements.get(requirement)?;
        Some(self.rule(*at, || self.program.requirement_to_text(data)))
    }

    /// What stands at a place: its source on one line, else this text.
    fn rule(&self, at: Span, otherwise: impl FnOnce() -> String) -> Rule {
        let mut rule = self.place(at);
        if self.texts {
            let range = at.start as usize..at.start.saturating_add(at.length) as usize;
            let written = self.source.and_then(|source| source.get(range));
            rule.text = match written {
                Some(text) => text.split_whitespace().collect::<Vec<_>>().join(" "),
                None => otherwise(),
            };
        }
        rule
    }

    fn place(&self, at: Span) -> Rule {
        let (line, column) = self.module.position(at.start);
        Rule {
            path: self.module.path.clone(),
            line,
            column,
            at,
            text: String::new(),
        }
    }
}

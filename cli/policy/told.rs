//! What decided, in words.

use symbi_ir::{Agent, Module, Program, Route, Span};
use symbi_policy::{Because, Outcome};

/// Where something that decided is written, and what it is.
pub struct Rule {
    /// The file.
    pub path: String,
    /// From 1.
    pub line: usize,
    /// In bytes, from 1.
    pub column: usize,
    /// As it is written, on one line, or as the program has it.
    pub text: String,
}

/// Why something was decided.
pub struct Told {
    /// For programs.
    pub because: &'static str,
    /// For people.
    pub words: String,
    /// The rule, requirement or list that decided.
    pub rule: Option<Rule>,
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
pub struct Asked<'p> {
    pub program: &'p Program,
    pub module: &'p Module,
    pub agent: &'p Agent,
    pub effect: &'p str,
    pub route: Route,
    /// The source of the module, if it is at hand.
    pub source: Option<&'p str>,
}

impl Asked<'_> {
    /// Why it was decided.
    pub fn told(&self, because: Because) -> Told {
        let effect = self.effect;
        let (because, words, rule) = match because {
            Because::Ceiling => (
                "ceiling",
                format!("no capability of the agent covers `{effect}`"),
                self.agent.capabilities.as_ref().map(|list| {
                    self.rule(list.at, format!("capabilities {}", list.entries.join(", ")))
                }),
            ),
            Because::Denied(id) => (
                "denied",
                "this deny matches".to_owned(),
                self.allow_or_deny(id.block, id.rule),
            ),
            Because::Undecidable(id) => (
                "undecidable",
                "whether this rule holds cannot be told, and then it denies".to_owned(),
                self.allow_or_deny(id.block, id.rule),
            ),
            Because::NoAllow(block) => (
                "no_allow",
                format!("this policy allows some things, and `{effect}` is none of them"),
                Program::policy_of(self.module, self.agent, block).map(|policy| {
                    let name = policy.name.as_deref().unwrap_or("without a name");
                    let mut rule = self.rule(policy.at, String::new());
                    rule.text = format!("policy {name}");
                    rule
                }),
            ),
            Because::Unmet(id) => (
                "unmet",
                "this requirement does not hold".to_owned(),
                self.requirement(id.block, id.requirement),
            ),
            Because::UndecidableRequirement(id) => (
                "undecidable_requirement",
                "whether this requirement holds cannot be told, and then it denies".to_owned(),
                self.requirement(id.block, id.requirement),
            ),
            Because::CedarForbids => ("cedar_forbids", "Cedar forbids it".to_owned(), None),
            Because::CedarSilent => (
                "cedar_silent",
                "no policy of Cedar permits it".to_owned(),
                None,
            ),
            Because::CedarError => (
                "cedar_error",
                "a policy of Cedar cannot be evaluated, and then it denies".to_owned(),
                None,
            ),
            Because::NobodyGranted => (
                "nobody_granted",
                format!(
                    "nobody grants `{effect}`: no allow matches, no Cedar for the route {}",
                    self.route.as_str()
                ),
                None,
            ),
            Because::Refused => ("refused", "a person was asked and refused".to_owned(), None),
            Because::Asked => (
                "asked",
                "all else permits it, and a person has to agree".to_owned(),
                None,
            ),
            Because::Allowed(id) => (
                "allowed",
                "this allow matches".to_owned(),
                self.allow_or_deny(id.block, id.rule),
            ),
            Because::CedarPermits => ("cedar_permits", "Cedar permits it".to_owned(), None),
            Because::Dev => (
                "dev",
                "nobody grants it, which `--dev` grants".to_owned(),
                None,
            ),
            Because::Answer => (
                "answer",
                "it is the answer or the end of a run, of which no rule is asked".to_owned(),
                None,
            ),
        };
        Told {
            because,
            words,
            rule,
        }
    }

    fn allow_or_deny(&self, block: usize, rule: usize) -> Option<Rule> {
        let policy = Program::policy_of(self.module, self.agent, block)?;
        let (at, data) = (policy.rules.get(rule)?, policy.block.rules.get(rule)?);
        Some(self.rule(at.at, self.program.rule_to_text(data)))
    }

    fn requirement(&self, block: usize, requirement: usize) -> Option<Rule> {
        let policy = Program::policy_of(self.module, self.agent, block)?;
        let at = policy.requirements.get(requirement)?;
        let data = policy.block.requirements.get(requirement)?;
        Some(self.rule(*at, self.program.requirement_to_text(data)))
    }

    /// What stands at a place: its source on one line, else this text.
    fn rule(&self, at: Span, otherwise: String) -> Rule {
        let (line, column) = self.module.position(at.start);
        let range = at.start as usize..at.start.saturating_add(at.length) as usize;
        let written = self.source.and_then(|source| source.get(range));
        let written = written.map(|text| text.split_whitespace().collect::<Vec<_>>().join(" "));
        Rule {
            path: self.module.path.to_string(),
            line,
            column,
            text: written.unwrap_or(otherwise),
        }
    }
}

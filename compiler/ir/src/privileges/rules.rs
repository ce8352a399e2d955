//! Effects: which policies permit, and which bodies call.

use std::collections::{BTreeMap, BTreeSet};

use symbi_policy::compare::{Candidate, Grown, Setting, Witness, compare};
use symbi_policy::{Cedar, Ceiling, Kind, Outcome, Policies, Record, Selector};

use crate::agent::{Agent, Route};
use crate::code::{Callee, Code, Node};
use crate::privileges::{Change, Found, Tense, Topic, listed, routes};
use crate::program::{Module, Program};

/// How many effects are told one by one.
const TOLD: usize = 8;

/// A delegation to an agent that no program has.
const OTHER_AGENT: &str = "delegate::\u{0}";

/// Names that no program has, one of a kind.
const OTHERS: [(&str, Kind, &str); 4] = [
    ("\u{0}tool", Kind::Tool, "any other tool"),
    ("\u{0}action", Kind::Action, "any other external action"),
    (OTHER_AGENT, Kind::Delegate, "any other agent"),
    ("\u{0}driver", Kind::Driver, "any other driver"),
];

impl Found<'_> {
    /// The effects that the policies of an agent permit and did not. Without an
    /// agent before, nothing was permitted.
    pub(super) fn rules(&mut self, old: Option<(&Module, &Agent)>, module: &Module, agent: &Agent) {
        let new = self.after.policies(module, agent);
        let before = match old {
            Some((module, old)) => self.before.policies(module, old),
            None => nothing(),
        };
        let candidates = self.candidates([&before, &new]);
        let mut told: BTreeSet<(usize, bool)> = BTreeSet::new();
        let mut all: Vec<Grown> = Vec::new();
        for cedar in answers(self.after, agent) {
            let setting = Setting {
                candidates: &candidates,
                principal: &agent.principal,
                cedar,
            };
            for grown in compare(&before, &new, setting) {
                if told.insert((grown.candidate, grown.to == Outcome::Permit)) {
                    all.push(grown);
                }
            }
        }
        let certain = |grown: &Grown| is_certain(grown.witness.as_ref());
        let some = |wanted: bool| all.iter().filter(move |grown| certain(grown) == wanted);
        if some(true).count() > TOLD {
            let names: Vec<String> = some(true)
                .filter_map(|grown| Some(shown(candidates.get(grown.candidate)?)))
                .collect();
            let first = names.iter().take(TOLD).map(String::as_str);
            let words = format!(
                "`{}` {} do {} things: {} and {} more",
                agent.name(),
                self.tense.may(),
                names.len(),
                first.collect::<Vec<&str>>().join(", "),
                names.len() - TOLD
            );
            self.add(Topic::Rule, Some(agent.name()), words)
                .at(module, agent.entry.at);
        } else {
            let each: Vec<Grown> = some(true).cloned().collect();
            for grown in each {
                self.permitted(&grown, &candidates, module, agent);
            }
        }
        let each: Vec<Grown> = some(false).cloned().collect();
        for grown in each.iter().take(TOLD) {
            self.permitted(grown, &candidates, module, agent);
        }
        if let Some(more) = each.len().checked_sub(TOLD).filter(|more| *more > 0) {
            let words = format!(
                "`{}` may do {more} more things than told here",
                agent.name()
            );
            self.add(Topic::Rule, Some(agent.name()), words).perhaps();
        }
    }

    fn permitted(
        &mut self,
        grown: &Grown,
        candidates: &[Candidate],
        module: &Module,
        agent: &Agent,
    ) {
        let Some(candidate) = candidates.get(grown.candidate) else {
            return;
        };
        let certain = is_certain(grown.witness.as_ref());
        let name = agent.name();
        let effect = shown(candidate);
        let may = match (self.tense, grown.to) {
            (Tense::Now, Outcome::Pending) => "may now, once a person agrees,",
            (Tense::Before, Outcome::Pending) => "may no longer ask a person to",
            (tense, _) => tense.may(),
        };
        let without = match grown.from {
            Outcome::Pending => ", and no person is asked",
            _ => "",
        };
        let facts = grown.witness.as_ref().map(told).unwrap_or_default();
        let words = match certain {
            true => format!("`{name}` {may} {effect}{facts}{without}"),
            false => format!(
                "`{name}` {may} {effect}, as far as can be told without running it{without}"
            ),
        };
        let at = agent.entry.at;
        let change: &mut Change = self.add(Topic::Rule, Some(name), words);
        change.at(module, at);
        change.certain = certain;
        change.witness = grown.witness.clone();
    }

    /// Effects that a body calls and did not, of those that may be permitted.
    pub(super) fn calls(
        &mut self,
        (old_module, old): (&Module, &Agent),
        module: &Module,
        agent: &Agent,
    ) {
        if !agent.is_executable() || !old.is_executable() {
            return;
        }
        let before = called(self.before, old_module, old);
        let new: Vec<String> = called(self.after, module, agent)
            .into_iter()
            .filter(|name| !before.contains(name))
            .collect();
        let policies = self.after.policies(module, agent);
        let candidates: Vec<Candidate> =
            new.iter().map(|name| candidate(self.after, name)).collect();
        let mut permitted: BTreeSet<usize> = BTreeSet::new();
        for cedar in answers(self.after, agent) {
            let setting = Setting {
                candidates: &candidates,
                principal: &agent.principal,
                cedar,
            };
            let found = compare(&nothing(), &policies, setting);
            permitted.extend(found.iter().map(|grown| grown.candidate));
        }
        let names: Vec<&String> = permitted.iter().filter_map(|at| new.get(*at)).collect();
        if !names.is_empty() {
            let words = match self.tense {
                Tense::Now => {
                    format!(
                        "`{}` now calls {}, which it may",
                        agent.name(),
                        listed(&names)
                    )
                }
                Tense::Before => {
                    format!("`{}` no longer calls {}", agent.name(), listed(&names))
                }
            };
            self.add(Topic::Call, Some(agent.name()), words)
                .at(module, agent.entry.at);
        }
    }

    /// All effects that these policies or the programs can tell from others.
    fn candidates(&self, policies: [&Policies; 2]) -> Vec<Candidate> {
        let mut names: BTreeSet<String> = BTreeSet::new();
        for policies in policies {
            let entries = policies.ceiling.iter().flat_map(|ceiling| &ceiling.entries);
            for entry in entries {
                // A group is no effect; what is called by its name is below.
                if entry.kinds.is_empty() {
                    names.insert(entry.name.to_string());
                }
            }
            for block in &policies.blocks {
                let rules = block.rules.iter().map(|rule| &rule.selector);
                let requirements = block.requirements.iter().flat_map(|one| &one.selectors);
                for selector in rules.chain(requirements) {
                    if let Selector::Action(action) = selector
                        && action.kinds.is_empty()
                    {
                        names.insert(action.name.to_string());
                    }
                }
            }
        }
        for program in [self.before, self.after] {
            names.extend(program.effects.iter().map(|row| row.name.to_string()));
            names.extend(program.drivers.iter().map(|name| name.to_string()));
            names.extend(program.tools.iter().map(|tool| tool.name.to_string()));
            for (module, agent) in program.agents() {
                names.insert(format!("delegate::{}", agent.name()));
                names.extend(called(program, module, agent));
            }
        }
        let mut all: Vec<Candidate> = names
            .iter()
            .map(|name| {
                let (old, new) = (candidate(self.before, name), candidate(self.after, name));
                match old == new {
                    true => new,
                    false => Candidate {
                        was: Some(Box::new(old)),
                        ..new
                    },
                }
            })
            .collect();
        all.extend(OTHERS.iter().map(|(name, kind, _)| Candidate {
            name: (*name).to_owned(),
            kind: Some(*kind),
            ..Candidate::default()
        }));
        all
    }
}

/// What permits nothing.
fn nothing() -> Policies {
    Policies {
        ceiling: Some(Ceiling::default()),
        blocks: Vec::new(),
    }
}

fn candidate(program: &Program, name: &str) -> Candidate {
    let (kind, params) = program.effect(name);
    let tool = program.tool(name);
    Candidate {
        name: name.to_owned(),
        kind: Some(kind),
        params,
        resource: tool.and_then(|tool| tool.resource.as_deref().map(str::to_owned)),
        version: tool.and_then(|tool| tool.version.as_deref().map(str::to_owned)),
        was: None,
    }
}

/// What Cedar may answer on the routes of an agent: nothing where it has no
/// policies, and a permit where it has some.
fn answers(program: &Program, agent: &Agent) -> Vec<Cedar> {
    let (mut absent, mut present) = (false, false);
    for route in routes(agent) {
        match has_cedar(program, route) {
            true => present = true,
            false => absent = true,
        }
    }
    let absent = absent.then_some(Cedar::Absent);
    let present = present.then_some(Cedar::Permit { asks: false });
    absent.into_iter().chain(present).collect()
}

/// Whether a program has policies of Cedar for a route: those of the folder
/// `policies`, and those of the folder of the route.
pub fn has_cedar(program: &Program, route: Route) -> bool {
    let folder = match route {
        Route::Run => "run",
        Route::Http => "http-input",
        Route::Schedule => "schedule",
        Route::Delegate | Route::Chat => "coordinator",
        Route::Mcp => "mcp-server",
        Route::Managed => "managed-cli",
    };
    program.cedar.iter().any(|file| {
        let inner = file.path.strip_prefix("policies/").unwrap_or(&file.path);
        inner.split_once('/').is_none_or(|(own, _)| own == folder)
    })
}

/// It is so whatever obligations say: which of two is stricter is not known
/// here.
fn is_certain(witness: Option<&Witness>) -> bool {
    witness.is_some_and(|witness| witness.obligations.iter().all(|(_, _, holds)| *holds))
}

/// An effect in words.
fn shown(candidate: &Candidate) -> String {
    let other = OTHERS.iter().find(|(name, ..)| **name == *candidate.name);
    match other {
        Some((_, _, words)) => (*words).to_owned(),
        None => format!("`{}`", candidate.name),
    }
}

/// The facts of a witness in words.
fn told(witness: &Witness) -> String {
    let fields = |record: &Record, before: &str| -> Vec<String> {
        let fields = record.fields().filter(|(_, value)| value.is_small());
        fields
            .map(|(name, value)| format!("{before}{name} = {}", crate::print::value(value)))
            .collect()
    };
    let mut facts = fields(&witness.arguments, "");
    // Those of an external action without names are numbered.
    for fact in &mut facts {
        let (name, rest) = fact.split_once(' ').unwrap_or((fact, ""));
        if let Ok(place) = name.parse::<u32>() {
            *fact = format!("argument {} {rest}", place.saturating_add(1));
        }
    }
    facts.extend(fields(&witness.parameters, "parameter "));
    facts.extend(fields(&witness.context, "context."));
    match facts.is_empty() {
        true => String::new(),
        false => format!(" with {}", facts.join(", ")),
    }
}

/// The effects that an agent calls, its functions and those of its file that
/// they lead to included.
fn called(program: &Program, module: &Module, agent: &Agent) -> BTreeSet<String> {
    let mut functions: BTreeMap<(bool, &str), &Code> = BTreeMap::new();
    for function in &module.functions {
        functions
            .entry((false, &function.name))
            .or_insert(&function.code);
    }
    for function in &agent.functions {
        functions
            .entry((true, &function.name))
            .or_insert(&function.code);
    }
    let mut found = BTreeSet::new();
    let mut seen: BTreeSet<(bool, &str)> = BTreeSet::new();
    let mut open: Vec<&Code> = vec![&agent.entry.code];
    while let Some(code) = open.pop() {
        for node in &code.nodes {
            let function = match node {
                Node::Call { callee, .. } => match callee {
                    Callee::Tool(name) | Callee::External(name) => {
                        found.insert(name.to_string());
                        continue;
                    }
                    Callee::Library(name) => {
                        // Which agent it is given is told when it runs.
                        if program.delegating.binary_search(name).is_ok() {
                            found.insert(OTHER_AGENT.to_owned());
                        } else if matches!(program.effect(name).0, Kind::Builtin(_)) {
                            found.insert(name.to_string());
                        }
                        continue;
                    }
                    Callee::Agent(agent) => {
                        found.insert(format!("delegate::{}", agent.name));
                        continue;
                    }
                    Callee::Function { agent, name } => Some((agent.is_some(), &**name)),
                    Callee::Value(_) | Callee::Ambiguous(_) => None,
                },
                Node::Function { agent, name } => Some((agent.is_some(), &**name)),
                _ => None,
            };
            if let Some(key) = function
                && let Some(code) = functions.get(&key)
                && seen.insert(key)
            {
                open.push(code);
            }
        }
    }
    found
}

//! The items of a file as a module.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use symbi_diagnostics::Span as Bytes;
use symbi_ir::{Admission as Admitted, Agent, Declaration, Module, Reason, Route, Sha256, Span};
use symbi_syntax::token_spans;

use super::item::Lowered;
use super::metadata::Metadata;
use super::{implicit, metadata, policies};
use crate::admission::{self, Admission};

/// How many functions of a file are followed from an agent to the secrets that
/// they read.
const FOLLOWED: usize = 10_000;

/// What there is of a file.
pub(crate) struct File<'f> {
    pub path: &'f str,
    /// Its text. One that is not all UTF-8 is an error, and never a program's.
    pub text: &'f str,
    /// Its items, each with its place.
    pub items: Vec<(&'f Lowered, Bytes)>,
    /// On which routes its agents may run.
    pub admission: &'f Admission,
}

/// The module of a file.
pub(crate) fn module(file: &File<'_>) -> Module {
    let sha256 = Sha256::of(file.text.as_bytes());
    let mut functions: Functions<'_> = HashMap::new();
    for (lowered, _) in &file.items {
        for function in &lowered.functions {
            functions.entry(&function.name).or_insert(lowered);
        }
    }
    let mut module = Module {
        path: file.path.replace('\\', "/").into(),
        sha256,
        length: length(file.text),
        lines: lines(file.text),
        structs: Vec::new(),
        functions: Vec::new(),
        policies: Vec::new(),
        agents: Vec::new(),
        schedules: Vec::new(),
        webhooks: Vec::new(),
        channels: Vec::new(),
        memories: Vec::new(),
    };
    let metadata = shared(file);
    let mut capabilities = None;
    for (lowered, at) in &file.items {
        let placed = lowered.placed(&token_spans(file.text, *at));
        module.structs.extend(placed.structs);
        module.functions.extend(placed.functions);
        module.policies.extend(placed.policies);
        for mut agent in placed.agents {
            agent.span = span(*at);
            agent.secrets = secrets(&functions, lowered);
            agent.metadata = metadata::together(&agent.metadata, &metadata);
            module.agents.push(agent);
        }
        module.schedules.extend(placed.schedules);
        module.webhooks.extend(placed.webhooks);
        module.channels.extend(placed.channels);
        module.memories.extend(placed.memories);
        capabilities = capabilities.or(placed.capabilities);
    }
    module.policies = policies::together(module.policies);
    // A file without the word `agent` declares one by what it says about it.
    if module.agents.is_empty()
        && let Some(named) = file.admission.agents.first()
    {
        let items = file.items.iter().map(|(lowered, _)| *lowered);
        let (name, at) = (&named.name, span(named.at));
        let agent = implicit::agent(name, at, items, capabilities, &metadata);
        module.agents.extend(agent.map(|agent| Agent {
            metadata: metadata::together(&[], &metadata),
            span: Span {
                start: 0,
                length: module.length,
            },
            ..agent
        }));
    }
    let triggers = &file.admission.triggers;
    for one in &mut module.schedules {
        one.refused = refusing(triggers, one.at);
    }
    for one in &mut module.webhooks {
        one.refused = refusing(triggers, one.at);
    }
    for one in &mut module.channels {
        one.refused = refusing(triggers, one.at);
    }
    for (number, agent) in module.agents.iter_mut().enumerate() {
        if !agent.is_executable() {
            agent.declaration = declaration(file, sha256, agent);
        }
        agent.admission = admitted(file.admission.agents.get(number));
    }
    module
}

/// What a file says about all its agents: of two values of a key the first.
fn shared(file: &File<'_>) -> Metadata {
    let mut shared = Metadata::new();
    for (lowered, _) in &file.items {
        for (key, value) in &lowered.metadata {
            if !shared.contains_key(key) {
                shared.insert(key.clone(), value.clone());
            }
        }
    }
    shared
}

/// The functions of a file, each with its item.
type Functions<'f> = HashMap<&'f str, &'f Lowered>;

/// The secrets that stand in an agent and in the functions of the file that it
/// calls, directly or not.
fn secrets(functions: &Functions<'_>, agent: &Lowered) -> Vec<Arc<str>> {
    let mut found: BTreeSet<Arc<str>> = agent.secrets.clone();
    let mut seen: BTreeSet<&str> = BTreeSet::new();
    let mut open: Vec<&str> = agent.calls.iter().map(|name| &**name).collect();
    while let Some(name) = open.pop() {
        let Some(called) = functions.get(name) else {
            continue;
        };
        if seen.len() < FOLLOWED && seen.insert(name) {
            found.extend(called.secrets.iter().cloned());
            open.extend(called.calls.iter().map(|name| &**name));
        }
    }
    found.into_iter().collect()
}

/// The text of an agent that talks to a model.
fn declaration(file: &File<'_>, file_sha256: Sha256, agent: &Agent) -> Option<Declaration> {
    let start = agent.span.start as usize;
    let text = file.text.get(start..start + agent.span.length as usize)?;
    Some(Declaration {
        text: text.into(),
        sha256: Sha256::of(text.as_bytes()),
        file_sha256,
    })
}

/// What admission says of an agent, a route after the other. What it says
/// nothing of is refused.
fn admitted(agent: Option<&admission::AgentAdmission>) -> Vec<Admitted> {
    let routes = admission::Route::ALL.into_iter().zip(Route::ALL);
    let admissions = routes.map(|(route, named)| {
        let refused = match agent {
            Some(agent) => agent.refused(route).map(reason).collect(),
            None => vec![Reason {
                code: "R1101".into(),
                message: "nothing is known of this agent".into(),
                at: Span::default(),
            }],
        };
        Admitted {
            route: named,
            refused,
        }
    });
    admissions.collect()
}

/// What refuses a block that starts no agent of the file, by its place.
fn refusing(triggers: &[admission::Reason], at: Span) -> Vec<Reason> {
    let end = at.start.saturating_add(at.length);
    let inside = |reason: &&admission::Reason| {
        let start = reason.report.primary.at.start;
        at.start <= start && start < end
    };
    triggers.iter().filter(inside).map(reason).collect()
}

fn reason(reason: &admission::Reason) -> Reason {
    Reason {
        code: reason.report.code.id.into(),
        message: reason.report.message.as_str().into(),
        at: span(reason.report.primary.at),
    }
}

fn span(at: Bytes) -> Span {
    Span {
        start: at.start,
        length: at.end.saturating_sub(at.start),
    }
}

/// Files are at most 64 MiB.
fn length(text: &str) -> u32 {
    u32::try_from(text.len()).unwrap_or(u32::MAX)
}

/// Where each line begins: behind each line feed, and behind each carriage
/// return that no line feed follows.
fn lines(text: &str) -> Vec<u32> {
    let bytes = text.as_bytes();
    let ends = bytes.iter().enumerate().filter(|(at, byte)| match byte {
        b'\n' => true,
        b'\r' => bytes.get(at + 1) != Some(&b'\n'),
        _ => false,
    });
    std::iter::once(0)
        .chain(ends.map(|(at, _)| at as u32 + 1))
        .collect()
}

//! On which routes an agent may run, and if not, why (language.md section 6).
//!
//! What cannot be enforced has its report already. Here such reports are put
//! to the agents that they concern: those in an agent to it, those in a policy,
//! in metadata or in a setting of the file to all its agents, those in a
//! schedule, webhook or channel to the agent that it starts, on its route. What
//! comments and `[check]` hide counts too; only `[policy] waive` does not.

mod agents;
mod named;
mod refusals;
mod routes;

use std::sync::Arc;

use symbi_diagnostics::{Diagnostic, Span, policies, routes as codes};
use symbi_syntax::ast::{AgentItem, AstNode, BlockItem, Name, TopItem};
use symbi_syntax::{NodeRef, token_spans};

use crate::assemble::Checked;
use crate::declaration::word;
use crate::policies::AgentBlock;
use crate::program::{FileAgents, Program};
use crate::settings::Settings;

pub use routes::{Route, Routes};

/// The agents of a file, and what there is to say about each.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Admission {
    /// In the order of the file.
    pub agents: Vec<AgentAdmission>,
    /// Reasons in schedules, webhooks and channels that start no agent of the
    /// file.
    pub triggers: Vec<Reason>,
}

/// An agent, and why it is refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AgentAdmission {
    /// Its name.
    pub name: Arc<str>,
    /// Where its name stands.
    pub at: Span,
    /// Why it is refused, in the order of their places.
    pub reasons: Vec<Reason>,
}

/// Why an agent is refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reason {
    /// On which routes.
    pub routes: Routes,
    /// The report about it.
    pub report: Diagnostic,
    /// The name by which the project may waive it; `None` if it cannot be.
    pub waived_as: Option<String>,
    /// What it is about, where that stands in another file: the report is about
    /// the name of the agent then.
    pub elsewhere: Option<Elsewhere>,
}

/// A block of another file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Elsewhere {
    /// The path of the file, as messages call it.
    pub path: Arc<str>,
    /// The block in a policy that names the agent.
    pub block: AgentBlock,
}

impl Admission {
    /// The errors of a file for those who ask for a route: one for each agent
    /// that is refused on it, and what refuses it.
    pub fn errors(&self, route: Route) -> Vec<Diagnostic> {
        errors(self, route)
    }
}

impl AgentAdmission {
    /// Why it is refused on a route; nothing if it is admitted.
    pub fn refused(&self, route: Route) -> impl Iterator<Item = &Reason> {
        self.reasons
            .iter()
            .filter(move |reason| reason.routes.has(route))
    }

    /// Whether it may run on a route.
    pub fn is_admitted(&self, route: Route) -> bool {
        self.refused(route).next().is_none()
    }
}

/// Which agents a part of a file concerns.
enum Concerns {
    /// All.
    All,
    /// The one of this number.
    One(usize),
    /// None of the file.
    Nobody,
}

/// A part of a file and what it concerns.
struct Part {
    at: Span,
    concerns: Concerns,
    /// The routes that it is about.
    routes: Routes,
}

/// What there is to say about the agents of a file. `reports` are all of the
/// file, those that are hidden included.
pub(crate) fn admission(
    program: &dyn Program,
    path: &str,
    text: &str,
    items: &[Checked<'_>],
    reports: &[Diagnostic],
    settings: &Settings,
) -> Admission {
    let mut found = Admission::default();
    let mut own: Vec<(usize, Diagnostic, Routes)> = Vec::new();
    for checked in items {
        let Some(TopItem::Agent(agent)) = checked.item.top_item() else {
            continue;
        };
        let spans = token_spans(text, checked.span);
        let number = found.agents.len();
        let first = agent.node().tokens().start;
        let at = agent.name().map(Name::tokens);
        let at = at.and_then(|tokens| spans.get(tokens.start as usize));
        let at = at.or_else(|| spans.get(first as usize)).copied();
        found.agents.push(AgentAdmission {
            name: agent
                .name()
                .map_or_else(|| "".into(), |name| Arc::from(&*name.text())),
            at: at.unwrap_or(Span::at(checked.span.start)),
            reasons: Vec::new(),
        });
        for (routes, report) in agents::reasons(program, agent) {
            own.push((number, report.map(|place| place.resolve(&spans)), routes));
        }
    }
    if program.file_agents() == FileAgents::Unnamed
        && let (Some(name), Some(first)) = (crate::exports::stem(path), items.first())
    {
        let spans = token_spans(text, first.span);
        let at = spans.first().copied().unwrap_or(Span::at(0));
        for (routes, report) in agents::implicit(program, crate::findings::at_token(0), &name) {
            own.push((0, report.map(|place| place.resolve(&spans)), routes));
        }
        found.agents.push(AgentAdmission {
            name,
            at,
            reasons: Vec::new(),
        });
    }
    for (number, report, routes) in own {
        found.agents[number].reasons.push(Reason {
            routes,
            report,
            waived_as: None,
            elsewhere: None,
        });
    }
    let count = found.agents.len();
    let names: Vec<Vec<Arc<str>>> = found
        .agents
        .iter()
        .map(|agent| named::names(program, path, agent, count))
        .collect();
    for (agent, names) in found.agents.iter_mut().zip(&names) {
        let reasons = named::elsewhere(program, names, agent.at, settings);
        agent.reasons.extend(reasons);
    }
    let blocks = named::own(text, items);
    let parts = parts(text, items, &found.agents);
    for report in reports {
        let refused = refusals::refused_by(report.code);
        if refused == Routes::NONE {
            continue;
        }
        let marked = text.get(report.primary.at.range()).unwrap_or_default();
        let waived_as = refusals::name_of(report, marked);
        if waived_as.is_some_and(|name| settings.waives(report.code, name)) {
            continue;
        }
        let waived_as = waived_as.map(str::to_owned);
        // The last part that holds it is the innermost.
        let part = parts.iter().rev().find(|part| {
            part.at.start <= report.primary.at.start && report.primary.at.start <= part.at.end
        });
        let (concerns, routes) = match part {
            // A file with an error is refused as a whole.
            _ if report.is_error() => (&Concerns::All, refused),
            Some(part) => (&part.concerns, refused.both(part.routes)),
            None => (&Concerns::All, refused),
        };
        let reason = Reason {
            routes,
            report: report.clone(),
            waived_as,
            elsewhere: None,
        };
        // Whom a block names is refused too, whether its policy governs it or not.
        if report.code == &policies::P0405 {
            let named = blocks.get(&report.primary.at.start);
            for (number, agent) in found.agents.iter_mut().enumerate() {
                let is_named = named.is_some_and(|named| names[number].contains(&named.name));
                let governed = match concerns {
                    Concerns::All => true,
                    Concerns::One(one) => *one == number,
                    Concerns::Nobody => false,
                };
                if let (Some(named), true, false) = (named, is_named, governed) {
                    agent.reasons.push(Reason {
                        routes: named.routes(),
                        ..reason.clone()
                    });
                }
            }
        }
        match concerns {
            Concerns::All => {
                for agent in &mut found.agents {
                    agent.reasons.push(reason.clone());
                }
            }
            Concerns::One(number) => {
                if let Some(agent) = found.agents.get_mut(*number) {
                    agent.reasons.push(reason);
                }
            }
            Concerns::Nobody => found.triggers.push(reason),
        }
    }
    for agent in &mut found.agents {
        agent
            .reasons
            .sort_by_key(|reason| (reason.report.primary.at, reason.report.code.id));
    }
    found
}

/// The parts of a file, the inner ones behind those that hold them.
fn parts(text: &str, items: &[Checked<'_>], agents: &[AgentAdmission]) -> Vec<Part> {
    let mut parts = Vec::new();
    let mut number = 0;
    for checked in items {
        let concerns = match checked.item.top_item() {
            Some(TopItem::Agent(agent)) => {
                let own = number;
                number += 1;
                parts.push(Part {
                    at: checked.span,
                    concerns: Concerns::One(own),
                    routes: Routes::ALL,
                });
                let spans = token_spans(text, checked.span);
                for item in agent.items() {
                    let (node, route) = match item {
                        AgentItem::Schedule(schedule) => (schedule.node(), Route::Schedule),
                        AgentItem::Webhook(webhook) => (webhook.node(), Route::Http),
                        AgentItem::Channel(channel) => (channel.node(), Route::Chat),
                        _ => continue,
                    };
                    if let Some(at) = span_of(node, &spans) {
                        parts.push(Part {
                            at,
                            concerns: Concerns::One(own),
                            routes: Routes::of(&[route]),
                        });
                    }
                }
                continue;
            }
            Some(TopItem::Schedule(block)) => started(agents, Route::Schedule, block.entries()),
            Some(TopItem::Webhook(block)) => started(agents, Route::Http, block.entries()),
            Some(TopItem::Channel(block)) => started(agents, Route::Chat, block.entries()),
            _ => (Concerns::All, Routes::ALL),
        };
        parts.push(Part {
            at: checked.span,
            concerns: concerns.0,
            routes: concerns.1,
        });
    }
    parts
}

/// The bytes of a node.
fn span_of(node: NodeRef<'_>, spans: &[Span]) -> Option<Span> {
    let tokens = node.tokens();
    let first = spans.get(tokens.start as usize)?;
    let last = spans.get(tokens.end.checked_sub(1)? as usize)?;
    Some(Span::new(first.start, last.end))
}

/// The agent of the file that a block starts.
fn started<'i>(
    agents: &[AgentAdmission],
    route: Route,
    entries: impl Iterator<Item = BlockItem<'i>>,
) -> (Concerns, Routes) {
    let mut named = None;
    for entry in entries {
        if let BlockItem::Entry(entry) = entry
            && let Some("agent" | "default_agent") = entry.key().as_deref()
        {
            named = entry.value().and_then(word);
        }
    }
    let number = match named {
        Some(name) => agents.iter().position(|agent| *agent.name == *name),
        None if agents.len() == 1 => Some(0),
        None => None,
    };
    let concerns = number.map_or(Concerns::Nobody, Concerns::One);
    (concerns, Routes::of(&[route]))
}

/// The errors of a file for those who ask for a route: one for each of its
/// agents that is refused on it, and what refuses it.
fn errors(admission: &Admission, route: Route) -> Vec<Diagnostic> {
    let mut errors = Vec::new();
    for agent in &admission.agents {
        let mut reasons: Vec<&Reason> = Vec::new();
        for reason in agent.refused(route) {
            match reason.report.code.id.starts_with('R') {
                true => errors.push(reason.report.clone()),
                // An error makes the check fail by itself.
                false if reason.report.is_error() => {}
                false => reasons.push(reason),
            }
        }
        if !reasons.is_empty() {
            errors.push(refused(agent, route, &reasons));
        }
    }
    for reason in &admission.triggers {
        if reason.routes.has(route) && !reason.report.is_error() {
            let report = &reason.report;
            let message = format!(
                "this is refused on the route `{}`: {}",
                route.as_str(),
                report.message
            );
            let mut error = Diagnostic::new(&codes::R1106, report.primary.at, message);
            error.help = report.help.clone();
            errors.push(error);
        }
    }
    errors
}

/// How many reasons a report shows.
const SHOWN: usize = 6;

/// The error about an agent that warnings refuse.
fn refused(agent: &AgentAdmission, route: Route, reasons: &[&Reason]) -> Diagnostic {
    let (name, route) = (&agent.name, route.as_str());
    let message = format!("`{name}` is refused on the route `{route}`");
    let mut error = Diagnostic::new(&codes::R1101, agent.at, message);
    for Reason { report, .. } in reasons.iter().take(SHOWN) {
        let text = format!("{}: {}", report.code.id, report.message);
        error = error.note(report.primary.at, text);
    }
    let mut help = "mend what the notes show".to_owned();
    if reasons.iter().any(|reason| reason.waived_as.is_some()) {
        help.push_str(", or waive it in `[policy]` of `symbiont.toml`");
    }
    if let Some(more) = reasons.len().checked_sub(SHOWN).filter(|more| *more > 0) {
        help.push_str(&format!("; there are {more} more"));
    }
    error.help(help)
}

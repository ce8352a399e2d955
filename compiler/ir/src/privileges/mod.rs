//! What agents of one program may do that those of another could not: the gate
//! for changes of a fleet (docs/privileges.md says what counts).
//!
//! Sound: what may have grown is told. Where it cannot be told for certain, the
//! change says so ([`Change::certain`]).

mod agents;
mod around;
mod rules;

pub use rules::has_cedar;

use std::sync::Arc;

use symbi_policy::compare::Witness;

use crate::agent::{Agent, Route};
use crate::program::{Module, Program, Span};

/// What grew and what was lost from one program to another.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Privileges {
    /// What may be done now and could not before.
    pub grown: Vec<Change>,
    /// What could be done before and may not now.
    pub lost: Vec<Change>,
}

/// One thing that may be done in one of two programs.
#[derive(Clone, Debug, PartialEq)]
pub struct Change {
    /// What it is about.
    pub kind: Topic,
    /// The agent, by its name; `None` if it is about the whole program.
    pub agent: Option<Arc<str>>,
    /// What it is, as a sentence without its end.
    pub words: String,
    /// It is so. Else it cannot be told apart from what would be so.
    pub certain: bool,
    /// Facts for which it is so, for a rule.
    pub witness: Option<Witness>,
    /// The file, and where in it, of the program that may do more.
    pub at: Option<(Arc<str>, Span)>,
}

/// What a change is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Topic {
    /// An agent that was not there, or could not run.
    Agent,
    /// A route that an agent runs on.
    Route,
    /// An effect that policies permit.
    Rule,
    /// An effect that a body calls.
    Call,
    /// How an agent is isolated.
    Sandbox,
    /// Where an agent may connect to.
    Network,
    /// A secret that an agent reads.
    Secret,
    /// How much an agent may use.
    Limit,
    /// What an agent remembers.
    Memory,
    /// The driver or the model's tools of an agent.
    Driver,
    /// What starts an agent by the clock.
    Schedule,
    /// What starts an agent over HTTP.
    Webhook,
    /// A channel for chats.
    Channel,
    /// A tool.
    Tool,
    /// Policies of Cedar.
    Cedar,
    /// What the project decides.
    Project,
}

impl Topic {
    /// Its name for programs.
    pub fn as_str(self) -> &'static str {
        match self {
            Topic::Agent => "agent",
            Topic::Route => "route",
            Topic::Rule => "rule",
            Topic::Call => "call",
            Topic::Sandbox => "sandbox",
            Topic::Network => "network",
            Topic::Secret => "secret",
            Topic::Limit => "limit",
            Topic::Memory => "memory",
            Topic::Driver => "driver",
            Topic::Schedule => "schedule",
            Topic::Webhook => "webhook",
            Topic::Channel => "channel",
            Topic::Tool => "tool",
            Topic::Cedar => "cedar",
            Topic::Project => "project",
        }
    }
}

/// What grew and what was lost from `old` to `new`.
pub fn compare(old: &Program, new: &Program) -> Privileges {
    Privileges {
        grown: more(old, new, Tense::Now),
        lost: more(new, old, Tense::Before),
    }
}

/// From which of the two a change is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Tense {
    /// The one that may do more is the new one.
    Now,
    /// It is the old one.
    Before,
}

impl Tense {
    /// `may now` or `may no longer`.
    fn may(self) -> &'static str {
        match self {
            Tense::Now => "may now",
            Tense::Before => "may no longer",
        }
    }

    /// `is new` or `is gone`.
    fn is_new(self) -> &'static str {
        match self {
            Tense::Now => "is new",
            Tense::Before => "is gone",
        }
    }

    /// What something was and is, from the one that may do less to the one
    /// that may do more.
    fn change(self, less: &str, more: &str) -> String {
        match self {
            Tense::Now => format!("went from {less} to {more}"),
            Tense::Before => format!("went from {more} to {less}"),
        }
    }
}

/// What `after` may do and `before` may not.
fn more(before: &Program, after: &Program, tense: Tense) -> Vec<Change> {
    let mut found = Found {
        before,
        after,
        tense,
        changes: Vec::new(),
    };
    found.agents();
    found.around();
    found.changes
}

/// What was found so far.
struct Found<'p> {
    before: &'p Program,
    after: &'p Program,
    tense: Tense,
    changes: Vec<Change>,
}

impl Found<'_> {
    fn add(&mut self, kind: Topic, agent: Option<&Arc<str>>, words: String) -> &mut Change {
        self.changes.push(Change {
            kind,
            agent: agent.cloned(),
            words,
            certain: true,
            witness: None,
            at: None,
        });
        let last = self.changes.len() - 1;
        &mut self.changes[last]
    }
}

impl Change {
    /// It is only possible.
    fn perhaps(&mut self) -> &mut Self {
        self.certain = false;
        self
    }

    fn at(&mut self, module: &Module, span: Span) -> &mut Self {
        self.at = Some((module.path.clone(), span));
        self
    }
}

/// The routes on which an agent may run.
fn routes(agent: &Agent) -> impl Iterator<Item = Route> + '_ {
    Route::ALL
        .into_iter()
        .filter(|route| agent.is_admitted(*route))
}

/// An agent that can run somewhere.
fn runs(agent: &Agent) -> bool {
    routes(agent).next().is_some()
}

/// `a`, `b` and `c`.
fn listed<T: AsRef<str>>(names: &[T]) -> String {
    const SHOWN: usize = 6;
    let shown: Vec<String> = names
        .iter()
        .take(SHOWN)
        .map(|name| format!("`{}`", name.as_ref()))
        .collect();
    match (&*shown, names.len().saturating_sub(SHOWN)) {
        ([], _) => String::new(),
        ([one], 0) => one.clone(),
        ([first @ .., last], 0) => format!("{} and {last}", first.join(", ")),
        (all, more) => format!("{} and {more} more", all.join(", ")),
    }
}

//! What a project decides about its checks, and its tools.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use symbi_diagnostics::{Code, Diagnostic, Level};
use symbi_project::Tier;

use crate::program::Tool;

/// What is shown of what was found. Levels lower warnings and hints, never
/// errors (language.md section 7).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Settings {
    /// The ids of codes that are switched off.
    pub off: BTreeSet<Arc<str>>,
    /// Show hints too.
    pub hints: bool,
    /// How agents are isolated.
    pub sandbox: Sandbox,
    /// What may run although nothing enforces it: codes with names.
    pub waived: BTreeSet<(Arc<str>, Arc<str>)>,
}

/// What a project says about the isolation of its agents.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sandbox {
    /// The tier of agents that state none.
    pub tier: Option<Tier>,
    /// What every agent must have at least.
    pub minimum: Option<Tier>,
}

impl Sandbox {
    /// The tier of an agent that states this one, or none.
    pub fn effective(self, stated: Option<Tier>) -> Tier {
        stated.or(self.tier).unwrap_or(Tier::DEFAULT)
    }
}

impl Settings {
    /// Whether the project waives a report of this code about a thing of this
    /// name.
    pub fn waives(&self, code: &Code, name: &str) -> bool {
        let mut waived = self.waived.iter();
        waived.any(|(id, own)| **id == *code.id && **own == *name)
    }

    /// Whether a report is shown.
    pub fn shows<P>(&self, report: &Diagnostic<P>) -> bool {
        self.shows_code(report.code)
    }

    /// Whether reports of a code are shown.
    pub fn shows_code(&self, code: &Code) -> bool {
        match code.level {
            Level::Error => true,
            Level::Warning => !self.off.contains(code.id),
            Level::Hint => self.hints && !self.off.contains(code.id),
        }
    }
}

/// The tools of a project by name.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tools(BTreeMap<Arc<str>, Arc<Tool>>);

impl Tools {
    /// A table of tools. Of two of one name the first is kept; the second is
    /// reported where manifests are read.
    pub fn new(tools: impl IntoIterator<Item = Tool>) -> Self {
        let mut table = BTreeMap::new();
        for tool in tools {
            table
                .entry(tool.name.clone())
                .or_insert_with(|| Arc::new(tool));
        }
        Tools(table)
    }

    /// A tool.
    pub fn get(&self, name: &str) -> Option<Arc<Tool>> {
        self.0.get(name).cloned()
    }

    /// The names, sorted.
    pub fn names(&self) -> Vec<Arc<str>> {
        self.0.keys().cloned().collect()
    }
}

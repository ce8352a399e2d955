//! What `require` demands besides a grant, and what `audit` asks for
//! (language.md section 4).
//!
//! A decision is pure: it asks whether an obligation holds, and is told by
//! counters and states that were taken before. What this build does not
//! enforce, and what cannot be read, never holds.

mod audit;
mod counters;
mod sandbox;

use std::collections::HashMap;
use std::sync::Arc;

use symbi_ir::{Agent, Tier, Waived};
use symbi_mini::rate::{self, Rate};
use symbi_policy::{Decider, Demand, Kind, RequirementId, Timestamp, Value};

pub(crate) use audit::AuditTable;
pub use audit::{AuditRules, LogLevel};
pub use counters::Counters;
pub(crate) use counters::{Counted, Key};
pub use sandbox::{ALLOW_UNISOLATED, satisfies, unisolated};

/// The obligations that this crate enforces.
pub const ENFORCED: [&str; 8] = [
    "approval_expiry",
    "audit_logging",
    "human_approval",
    "input_validation",
    "max_data_size",
    "max_tool_calls",
    "rate_limiting",
    "sandbox_tier",
];

/// The keys of `audit` that this crate keeps to.
pub const ENFORCED_AUDIT: [&str; 4] = [
    "include_input",
    "include_output",
    "log_level",
    "retention_days",
];

/// What one requirement demands, read once.
#[derive(Clone, Debug)]
enum Demanded {
    Rate(Rate, Key),
    ToolCalls(u64),
    Validation,
    Journal,
    DataSize(u64),
    /// Whether the agent's tier is enough: it does not change in a run.
    Tier(bool),
    /// In nanoseconds.
    Expiry(i64),
    /// Nothing enforces it, and the project has said that it may run so.
    Waived,
}

/// What the checker says of an obligation that nothing enforces.
const UNENFORCED: [&str; 2] = ["P0440", "P0441"];

/// The obligations of one agent.
#[derive(Debug)]
pub(crate) struct Obligations {
    demanded: HashMap<RequirementId, Demanded>,
    /// There is a rate, so counters that others share are needed.
    pub(crate) counts: bool,
}

/// What is known of a call before it is decided about.
#[derive(Clone, Copy)]
pub(crate) struct State {
    pub(crate) kind: Kind,
    pub(crate) now: Timestamp,
    /// Its arguments were held against declared types.
    pub(crate) checked: bool,
    /// The bytes of its arguments.
    pub(crate) bytes: u64,
    /// The calls of tools and external actions that were granted in this run.
    pub(crate) tool_calls: u64,
    /// The journal is open, and took all that it was given.
    pub(crate) journal: bool,
}

/// What applies to one call besides that it holds.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Limits {
    /// The most bytes of the result.
    pub(crate) data: Option<u64>,
    /// How long an approval waits, in nanoseconds.
    pub(crate) expiry: Option<i64>,
}

impl Obligations {
    /// Reads what policies demand of an agent. What cannot be read is left out,
    /// and does not hold.
    pub(crate) fn new(
        decider: &Decider,
        file: &Arc<str>,
        agent: &Agent,
        unisolated: bool,
        waived: &[Waived],
    ) -> Self {
        let mut demanded = HashMap::new();
        let mut counts = false;
        for (block, own) in decider.policies().blocks.iter().enumerate() {
            for (requirement, own) in own.requirements.iter().enumerate() {
                let id = RequirementId { block, requirement };
                let Demand::Obligation(name, value) = &own.demand else {
                    continue;
                };
                let key = || Key::new(file, agent, id);
                let is_waived = waived
                    .iter()
                    .any(|waived| *waived.name == **name && UNENFORCED.contains(&&*waived.code));
                let read = read(name, value, key, agent.attributes.sandbox, unisolated);
                if let Some(read) = read.or(is_waived.then_some(Demanded::Waived)) {
                    counts |= matches!(read, Demanded::Rate(..));
                    demanded.insert(id, read);
                }
            }
        }
        Obligations { demanded, counts }
    }

    /// Whether the obligation of a requirement holds.
    pub(crate) fn holds(
        &self,
        id: RequirementId,
        state: &State,
        counted: Option<&Counted>,
    ) -> bool {
        match self.demanded.get(&id) {
            None => false,
            Some(Demanded::Rate(rate, key)) => {
                counted.is_some_and(|counted| counted.has_room(key, *rate, state.now))
            }
            Some(Demanded::ToolCalls(most)) => !is_tool(state.kind) || state.tool_calls < *most,
            Some(Demanded::Validation) => state.checked,
            Some(Demanded::Journal) => state.journal,
            Some(Demanded::DataSize(most)) => state.bytes <= *most,
            Some(Demanded::Tier(is_enough)) => *is_enough,
            // It says how long somebody is waited for, if somebody is.
            Some(Demanded::Expiry(_) | Demanded::Waived) => true,
        }
    }

    /// Counts a call that is granted, where these requirements apply.
    pub(crate) fn count(&self, applied: &[RequirementId], now: Timestamp, counted: &mut Counted) {
        for id in applied {
            if let Some(Demanded::Rate(rate, key)) = self.demanded.get(id) {
                counted.take(key, *rate, now);
            }
        }
    }

    /// The limits of these requirements: the lowest of each.
    pub(crate) fn limits(&self, applied: &[RequirementId]) -> Limits {
        let mut limits = Limits::default();
        for id in applied {
            match self.demanded.get(id) {
                Some(Demanded::DataSize(most)) => {
                    limits.data = Some(limits.data.map_or(*most, |own| own.min(*most)));
                }
                Some(Demanded::Expiry(nanos)) => {
                    limits.expiry = Some(limits.expiry.map_or(*nanos, |own| own.min(*nanos)));
                }
                _ => {}
            }
        }
        limits
    }
}

/// What `max_tool_calls` counts: what leaves for a tool or an action.
pub(crate) fn is_tool(kind: Kind) -> bool {
    matches!(kind, Kind::Tool | Kind::Action)
}

fn read(
    name: &str,
    value: &Value,
    key: impl FnOnce() -> Key,
    tier: Tier,
    allowed: bool,
) -> Option<Demanded> {
    let positive = |number: &i64| u64::try_from(*number).ok().filter(|number| *number > 0);
    Some(match (name, value) {
        ("rate_limiting", Value::String(text)) => Demanded::Rate(rate::parse(text).ok()?, key()),
        ("max_tool_calls", Value::Int(most)) => Demanded::ToolCalls(positive(most)?),
        ("input_validation", Value::Bool(true)) => Demanded::Validation,
        ("audit_logging", Value::Bool(true)) => Demanded::Journal,
        ("max_data_size", Value::Size(most)) => Demanded::DataSize(positive(most)?),
        ("approval_expiry", Value::Duration(nanos)) => {
            Demanded::Expiry(Some(*nanos).filter(|nanos| *nanos > 0)?)
        }
        ("sandbox_tier", Value::String(text)) => {
            let minimum = sandbox::parse(text)?;
            let isolated = tier != Tier::None || allowed;
            Demanded::Tier(isolated && satisfies(tier, minimum))
        }
        _ => return None,
    })
}

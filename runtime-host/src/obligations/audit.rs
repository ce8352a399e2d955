//! What `audit` asks to be put on record about an effect.

use symbi_ir::{Agent, Constant, Module};
use symbi_policy::{Effect, Facts, Guard};

/// From which level on messages are kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum LogLevel {
    /// All of them.
    Debug,
    /// What happens.
    Info,
    /// What may be wrong.
    Warn,
    /// What is wrong.
    Error,
    /// What ends a run.
    Critical,
}

impl LogLevel {
    /// That of a message of `log`, by the word that it begins with.
    pub(crate) fn of_message(word: &str) -> Option<Self> {
        Some(match word {
            "DEBUG" => LogLevel::Debug,
            "INFO" => LogLevel::Info,
            "WARNING" => LogLevel::Warn,
            "ERROR" => LogLevel::Error,
            "CRITICAL" => LogLevel::Critical,
            _ => return None,
        })
    }

    /// The word that a message of this level begins with.
    pub(crate) fn as_message(self) -> &'static str {
        match self {
            LogLevel::Debug => "DEBUG",
            LogLevel::Info => "INFO",
            LogLevel::Warn => "WARNING",
            LogLevel::Error => "ERROR",
            LogLevel::Critical => "CRITICAL",
        }
    }
}

/// What is put on record about one effect.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AuditRules {
    /// The lowest level that a rule asks for; `None` if none does.
    pub log_level: Option<LogLevel>,
    /// Its arguments are kept, besides their hash: no rule says `false`.
    pub include_input: bool,
    /// Its result is kept, likewise.
    pub include_output: bool,
    /// For how many days: the most that a rule asks for.
    pub retention_days: Option<u64>,
}

impl Default for AuditRules {
    fn default() -> Self {
        AuditRules {
            log_level: None,
            include_input: true,
            include_output: true,
            retention_days: None,
        }
    }
}

#[derive(Clone, Copy, Debug)]
enum Asked {
    Level(LogLevel),
    Input(bool),
    Output(bool),
    Days(u64),
}

/// What the policies of an agent ask for, read once.
#[derive(Debug)]
pub(crate) struct AuditTable(Vec<(Option<Guard>, Asked)>);

impl AuditTable {
    /// Of an agent: what its file says, and what it says itself.
    pub(crate) fn new(module: &Module, agent: &Agent) -> Self {
        let params = &agent.entry.params;
        let is_param = |name: &str| params.iter().any(|param| *param.name == *name);
        let shared = module.policies.iter().flat_map(|policy| &policy.audit);
        let own = agent.policies.iter().flat_map(|policy| &policy.audit);
        let all = shared.chain(own).filter_map(|audit| {
            let asked = read(&audit.key, audit.value.as_ref()?)?;
            let mut condition = audit.condition.clone();
            if let Some(guard) = &mut condition {
                guard.keep_parameters(&is_param);
            }
            Some((condition, asked))
        });
        AuditTable(all.collect())
    }

    /// From which level on messages are kept: the lowest that a rule asks for,
    /// and all where none does. A rule whose condition cannot be decided may
    /// lower what others ask for, and never takes a message away by itself.
    pub(crate) fn log_level(&self, effect: &Effect<'_>, facts: &Facts<'_>) -> LogLevel {
        let mut decided: Option<LogLevel> = None;
        let mut lowest = LogLevel::Critical;
        for (condition, asked) in &self.0 {
            let Asked::Level(level) = *asked else {
                continue;
            };
            match condition.as_ref().map(|guard| guard.holds(effect, facts)) {
                Some(Ok(false)) => continue,
                Some(Err(_)) => {}
                None | Some(Ok(true)) => decided = Some(level),
            }
            lowest = lowest.min(level);
        }
        decided.map_or(LogLevel::Debug, |_| lowest)
    }

    /// For how many days the journal of a run is kept: the most that any rule
    /// asks for, whatever its condition, since a run has one journal.
    pub(crate) fn retention_days(&self) -> Option<u64> {
        let days = self.0.iter().filter_map(|(_, asked)| match asked {
            Asked::Days(days) => Some(*days),
            _ => None,
        });
        days.max()
    }

    /// What applies to an effect. A rule whose condition cannot be decided
    /// applies: it keeps less in clear, and keeps it longer.
    pub(crate) fn rules(&self, effect: &Effect<'_>, facts: &Facts<'_>) -> AuditRules {
        let mut rules = AuditRules::default();
        for (condition, asked) in &self.0 {
            let applies = condition
                .as_ref()
                .is_none_or(|guard| guard.holds(effect, facts).unwrap_or(true));
            if !applies {
                continue;
            }
            match asked {
                Asked::Level(level) => {
                    rules.log_level = Some(rules.log_level.map_or(*level, |own| own.min(*level)));
                }
                Asked::Input(kept) => rules.include_input &= kept,
                Asked::Output(kept) => rules.include_output &= kept,
                Asked::Days(days) => rules.retention_days = rules.retention_days.max(Some(*days)),
            }
        }
        rules
    }
}

fn read(key: &str, value: &Constant) -> Option<Asked> {
    let text = match value {
        Constant::Text(text) | Constant::Name(text) => Some(&**text),
        _ => None,
    };
    let flag = || match value {
        Constant::Bool(flag) => Some(*flag),
        _ => text?.parse().ok(),
    };
    Some(match key {
        "log_level" => Asked::Level(match text? {
            "debug" => LogLevel::Debug,
            "info" => LogLevel::Info,
            "warn" | "warning" => LogLevel::Warn,
            "error" => LogLevel::Error,
            "critical" => LogLevel::Critical,
            _ => return None,
        }),
        "include_input" => Asked::Input(flag()?),
        "include_output" => Asked::Output(flag()?),
        "retention_days" => {
            let days = match value {
                Constant::Int(days) => u64::try_from(*days).ok(),
                _ => text?.parse().ok(),
            };
            Asked::Days(days.filter(|days| *days > 0)?)
        }
        _ => return None,
    })
}

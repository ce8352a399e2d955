//! Schedules, webhooks, channels and memories.

use std::sync::Arc;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use symbi_mini::cron::Numbers;

use crate::code::Code;
use crate::constant::Constant;
use crate::policy::Policy;
use crate::program::{AgentName, Span};

/// A schedule.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Schedule {
    /// Its name.
    pub name: Arc<str>,
    /// Where it stands.
    pub at: Span,
    /// The agent that it starts; `None` if it names none, and is refused.
    pub agent: Option<AgentName>,
    /// When it fires.
    pub when: When,
    /// The zone that it fires in, an IANA name.
    pub timezone: Arc<str>,
    /// What it gives to the agent: a record.
    pub input: Option<Code>,
    /// The policy that governs its runs besides.
    pub policy: Option<Arc<str>>,
    /// It fires once.
    pub one_shot: bool,
    /// Where results go, in order.
    pub deliver: Vec<Arc<str>>,
    /// What is put on record: `none`, `errors_only` or `all_operations`.
    pub audit: Option<Arc<str>>,
    /// What becomes of firings that were missed: `skip`, `run_once` or
    /// `run_all`.
    pub missed: Arc<str>,
    /// What becomes of a firing during a run: `skip`, `queue` or `allow`.
    pub overlap: Arc<str>,
    /// By how much a firing may be late at random, in nanoseconds.
    pub jitter: Option<i64>,
    /// How often a failed run is tried again.
    pub retries: Option<i64>,
    /// Why it is refused.
    pub refused: Vec<crate::agent::Reason>,
}

/// When a schedule fires.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum When {
    /// Again and again.
    Cron {
        /// As it is written.
        text: Arc<str>,
        /// What it says.
        fields: CronFields,
    },
    /// At an instant or a local time, in RFC 3339 or without its offset. Empty
    /// for one that cannot be read: never.
    At(Arc<str>),
}

/// The numbers that each field of a cron expression names, sorted.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CronFields {
    /// 0 to 59.
    pub seconds: Vec<u32>,
    /// 0 to 59.
    pub minutes: Vec<u32>,
    /// 0 to 23.
    pub hours: Vec<u32>,
    /// The field of the days of the month: its numbers, and `L`, `L-2`, `15W`
    /// or `LW` where it has them.
    pub days: Vec<Arc<str>>,
    /// 1 to 12.
    pub months: Vec<u32>,
    /// The field of the days of the week, 0 is Sunday, and `5L` or `5#2` where
    /// it has them.
    pub weekdays: Vec<Arc<str>>,
    /// `None` for every year.
    pub years: Option<Vec<u32>>,
    /// Both fields of days restrict: either may match.
    pub either_day: bool,
    /// Its hours are plain numbers: a change of clocks neither skips nor
    /// repeats a firing.
    pub fixed: bool,
}

impl From<Numbers> for CronFields {
    fn from(numbers: Numbers) -> Self {
        let texts = |texts: Vec<String>| texts.into_iter().map(Arc::from).collect();
        CronFields {
            seconds: numbers.seconds,
            minutes: numbers.minutes,
            hours: numbers.hours,
            days: texts(numbers.days),
            months: numbers.months,
            weekdays: texts(numbers.weekdays),
            years: numbers.years,
            either_day: numbers.either_day,
            fixed: numbers.fixed,
        }
    }
}

/// A webhook.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Webhook {
    /// Its name.
    pub name: Arc<str>,
    /// Where it stands.
    pub at: Span,
    /// The path that it listens on.
    pub path: Arc<str>,
    /// Who calls: `github`, `stripe`, `slack` or `custom`.
    pub provider: Arc<str>,
    /// The secret that a call is signed with: a reference, or a text in clear.
    pub secret: Option<Constant>,
    /// The agent that it starts; `None` if it names none, and is refused.
    pub agent: Option<AgentName>,
    /// The calls that it takes; none for all.
    pub filter: Option<Filter>,
    /// Why it is refused.
    pub refused: Vec<crate::agent::Reason>,
}

/// Which calls a webhook takes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Filter {
    /// Of these events, in order.
    Events(Vec<Arc<str>>),
    /// With this value at a JSON path.
    Equals {
        /// The path.
        json_path: Arc<str>,
        /// The value.
        value: Constant,
    },
    /// With this in the value at a JSON path.
    Contains {
        /// The path.
        json_path: Arc<str>,
        /// What is contained.
        value: Constant,
    },
}

/// A channel.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Channel {
    /// Its name.
    pub name: Arc<str>,
    /// Where it stands.
    pub at: Span,
    /// `slack`, `teams` or `mattermost`.
    pub platform: Arc<str>,
    /// The agent that answers where a message names none.
    pub default_agent: Option<AgentName>,
    /// Whether an agent answers only where a policy allows it.
    pub default_deny: bool,
    /// Its other settings, sorted by key.
    pub settings: Vec<(Arc<str>, Constant)>,
    /// What becomes of data of a category: `redact`, `block` or `allow`; sorted
    /// by category.
    pub data_classification: Vec<(Arc<str>, Arc<str>)>,
    /// The policies of the chats through it, with the action `invoke(agent)`.
    pub policies: Vec<Policy>,
    /// Why it is refused.
    pub refused: Vec<crate::agent::Reason>,
}

/// A memory.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Store {
    /// Its name.
    pub name: Arc<str>,
    /// Where it stands.
    pub at: Span,
    /// The agent whose memory it is; `None` at the top level of the file.
    pub agent: Option<Arc<str>>,
    /// How it is kept: `markdown`.
    pub store: Arc<str>,
    /// The folder in the project; `None` for the one that the host chooses.
    pub path: Option<Arc<str>>,
    /// How long what is in it is kept, in nanoseconds.
    pub retention: i64,
    /// How what is found is ranked.
    pub search: Search,
}

/// The weights of what a search finds, each from 0 to 1.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Search {
    /// Of likeness.
    pub vector_weight: f64,
    /// Of words.
    pub keyword_weight: f64,
}

impl Default for Search {
    fn default() -> Self {
        Search {
            vector_weight: 0.7,
            keyword_weight: 0.3,
        }
    }
}

//! Agents: what they are, how they are run, and on which routes.

use std::sync::Arc;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use symbi_policy::Ceiling;

use crate::constant::Constant;
use crate::hash::Sha256;
use crate::policy::Policy;
use crate::program::{Function, Span, Struct};

/// An agent.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Agent {
    /// Its name, parameters and body. One without a body talks to a model.
    pub entry: Function,
    /// Who it is to policies: [`principal`] of its name.
    pub principal: Arc<str>,
    /// Where it is declared.
    pub span: Span,
    /// Its own functions, in order.
    pub functions: Vec<Function>,
    /// Its own structs, in order.
    pub structs: Vec<Struct>,
    /// Its metadata, with that of its file, sorted by key.
    pub metadata: Vec<(Arc<str>, Constant)>,
    /// The managed driver that runs it, if one does.
    pub driver: Option<Arc<str>>,
    /// What its capabilities say.
    pub capabilities: Option<Capabilities>,
    /// Its own policies and constraints, beside those of its file. Those of one
    /// name are one.
    pub policies: Vec<Policy>,
    /// How it is isolated and limited.
    pub attributes: Attributes,
    /// The references to secrets that it and what it calls in its file may
    /// read, sorted.
    pub secrets: Vec<Arc<str>>,
    /// For one without a body: its text, and what it is known by.
    pub declaration: Option<Declaration>,
    /// One for each route, in the order of [`Route::ALL`].
    pub admission: Vec<Admission>,
}

/// A list of capabilities.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Capabilities {
    /// Where it stands.
    pub at: Span,
    /// Its entries as they are written.
    pub entries: Vec<Arc<str>>,
    /// The ceiling that it is; `None` if it only describes.
    pub ceiling: Option<Ceiling>,
}

/// The text of an agent that talks to a model.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Declaration {
    /// From its first byte to its last.
    pub text: Arc<str>,
    /// The hash of the text.
    pub sha256: Sha256,
    /// The hash of its file.
    pub file_sha256: Sha256,
}

/// The attributes of an agent (language.md section 3). What is `None` is not
/// stated.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Attributes {
    /// The tier that it runs in: its own, else that of the project, else
    /// `docker`.
    pub sandbox: Tier,
    /// The agent states it.
    pub sandbox_stated: bool,
    /// How long a run may take, in nanoseconds.
    pub timeout: Option<i64>,
    /// What it remembers.
    pub memory: Memory,
    /// How much memory it may use, in bytes.
    pub max_memory: Option<i64>,
    /// How many processors it may use.
    pub max_cpu_cores: Option<f64>,
    /// Where it may connect to.
    pub network: Network,
    /// How often its loop may turn.
    pub max_iterations: Option<i64>,
    /// How many tokens one reply may have.
    pub max_tokens: Option<i64>,
    /// How many tokens a run may use.
    pub budget_tokens: Option<i64>,
    /// How many of its runs there may be at a time.
    pub max_concurrent: Option<i64>,
    /// The model that it talks to.
    pub model: Option<Arc<str>>,
    /// How it is sampled.
    pub temperature: Option<f64>,
    /// All others, sorted by key. Nothing enforces them but what says so.
    pub others: Vec<(Arc<str>, Constant)>,
}

/// A way of isolating what an agent does (language.md section 5).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Tier {
    /// Not at all.
    None,
    /// On somebody else's machines.
    E2b,
    /// By the kernel's rules for one process.
    Landlock,
    /// In a container.
    #[default]
    Docker,
    /// In a container with a kernel of its own.
    Gvisor,
    /// In a small virtual machine.
    Firecracker,
}

/// What a project says about isolation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Sandbox {
    /// The tier of agents that state none.
    pub tier: Option<Tier>,
    /// What every agent must have at least.
    pub minimum: Option<Tier>,
}

/// What an agent remembers.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Memory {
    /// Nothing after a run.
    #[default]
    Ephemeral,
    /// What it is told, between runs.
    Persistent,
    /// A memory of the program.
    Block(Arc<str>),
}

/// Where an agent may connect to.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Network {
    /// Nowhere.
    #[default]
    DenyAll,
    /// Anywhere.
    AllowAll,
    /// To these `host:port`, in order.
    Hosts(Vec<Arc<str>>),
}

/// A way in which an agent comes to run (language.md section 6).
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum Route {
    /// From the command line.
    Run,
    /// For a request over HTTP.
    Http,
    /// When a schedule fires.
    Schedule,
    /// For another agent.
    Delegate,
    /// For a message in a channel.
    Chat,
    /// For a client of the Model Context Protocol.
    Mcp,
    /// In a managed driver.
    Managed,
}

/// Whether an agent may run on a route.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Admission {
    /// The route.
    pub route: Route,
    /// Why it is refused; it is admitted if there is nothing.
    pub refused: Vec<Reason>,
}

/// Why an agent is refused on a route.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Reason {
    /// The code of the diagnostic.
    pub code: Arc<str>,
    /// What it says.
    pub message: Arc<str>,
    /// Where.
    pub at: Span,
}

/// The namespace of the identities of agents.
const PRINCIPALS: uuid::Uuid = uuid::uuid!("9f1a4b2c-7d3e-4f50-8a6b-1c2d3e4f5061");

/// The identity of the agent of a name: a UUID of version 5 (RFC 9562) of its
/// declared name, the same in every run.
pub fn principal(name: &str) -> String {
    uuid::Uuid::new_v5(&PRINCIPALS, name.as_bytes()).to_string()
}

impl Route {
    /// All of them, in the order in which they are shown.
    pub const ALL: [Route; 7] = [
        Route::Run,
        Route::Http,
        Route::Schedule,
        Route::Delegate,
        Route::Chat,
        Route::Mcp,
        Route::Managed,
    ];

    /// Its name.
    pub fn as_str(self) -> &'static str {
        match self {
            Route::Run => "run",
            Route::Http => "http",
            Route::Schedule => "schedule",
            Route::Delegate => "delegate",
            Route::Chat => "chat",
            Route::Mcp => "mcp",
            Route::Managed => "managed",
        }
    }
}

impl Tier {
    /// Its name.
    pub fn as_str(self) -> &'static str {
        match self {
            Tier::None => "none",
            Tier::E2b => "e2b",
            Tier::Landlock => "landlock",
            Tier::Docker => "docker",
            Tier::Gvisor => "gvisor",
            Tier::Firecracker => "firecracker",
        }
    }
}

impl Agent {
    /// Its name.
    pub fn name(&self) -> &Arc<str> {
        &self.entry.name
    }

    /// It has a body that runs; else it talks to a model.
    pub fn is_executable(&self) -> bool {
        let frame = self.entry.code.frames.first();
        frame.is_some_and(|frame| frame.body.is_some())
    }

    /// Whether it may run on a route. A route that the program does not know is
    /// refused.
    pub fn is_admitted(&self, route: Route) -> bool {
        let mut known = self.admission.iter();
        known
            .find(|admission| admission.route == route)
            .is_some_and(|admission| admission.refused.is_empty())
    }
}

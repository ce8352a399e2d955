//! The tables of keys. The page of the reference has the same rows; a test
//! compares the two.

use super::keys::{Key, Least, Needed, Table, Unknown, Value};

const fn key(
    name: &'static str,
    value: Value,
    default: Option<&'static str>,
    meaning: &'static str,
) -> Key {
    Key {
        name,
        value,
        default,
        needed: Needed::Never,
        meaning,
    }
}

const fn table(name: &'static str, keys: &'static [Key]) -> Table {
    Table {
        name,
        keys,
        blocks: &[],
        unknown: Unknown::Warning,
    }
}

/// `metadata`.
pub static METADATA: Table = Table {
    unknown: Unknown::Documentation,
    ..table("metadata", METADATA_KEYS)
};
/// `executor`, in an agent.
pub static EXECUTOR: Table = table("executor", EXECUTOR_KEYS);
/// The attributes of `with`.
pub static WITH: Table = table("with", WITH_KEYS);
/// `schedule`.
pub static SCHEDULE: Table = table("schedule", SCHEDULE_KEYS);
/// `channel`.
pub static CHANNEL: Table = Table {
    blocks: &["policy", "data_classification"],
    ..table("channel", CHANNEL_KEYS)
};
/// `data_classification`, in a channel: each key is a category.
pub static DATA_CLASSIFICATION: Table = Table {
    unknown: Unknown::Names,
    ..table("data_classification", &[])
};
/// `webhook`.
pub static WEBHOOK: Table = table("webhook", WEBHOOK_KEYS);
/// `filter`, in a webhook.
pub static FILTER: Table = table("filter", FILTER_KEYS);
/// `memory`.
pub static MEMORY: Table = table("memory", MEMORY_KEYS);
/// `search`, in a memory.
pub static SEARCH: Table = table("search", SEARCH_KEYS);
/// `constraints`, in an agent.
pub static CONSTRAINTS: Table = table("constraints", CONSTRAINTS_KEYS);

/// Every block, in the order of the reference.
pub static TABLES: &[&Table] = &[
    &METADATA,
    &EXECUTOR,
    &WITH,
    &SCHEDULE,
    &CHANNEL,
    &WEBHOOK,
    &FILTER,
    &MEMORY,
    &SEARCH,
    &CONSTRAINTS,
];

/// The blocks and items that an agent may hold.
pub static AGENT_BLOCKS: &[&str] = &[
    "capabilities",
    "policy",
    "function",
    "with",
    "memory",
    "webhook",
    "schedule",
    "channel",
    "metadata",
    "constraints",
    "executor",
    "type",
];

#[rustfmt::skip]
static METADATA_KEYS: &[Key] = &[
    key("version", Value::Version, None, "the version of the agent"),
    key("author", Value::String, None, "who wrote it"),
    key("description", Value::String, None, "what it does"),
    key("license", Value::String, None, "under which terms"),
    key("name", Value::String, None, "what it is called"),
    key("tags", Value::Array, None, "words to find it by"),
    key("executor", Value::Executor, Some("orga"), "who runs it: `orga`, or a managed driver `claude_code`, `codex`, `kimi`, `grok`, `hermes`"),
    key("model", Value::String, None, "the model that answers"),
    key("system_prompt", Value::String, None, "what the model is told first"),
    key("allowed_tools", Value::Tools, None, "the tools of a managed driver, in a list or with commas between them"),
    key("permission_mode", Value::String, None, "the mode of a managed driver"),
    key("human_approval", Value::Bool, None, "whether a person has to agree first"),
];

#[rustfmt::skip]
static EXECUTOR_KEYS: &[Key] = &[
    key("type", Value::Executor, Some("orga"), "who runs it: `orga`, or a managed driver `claude_code`, `codex`, `kimi`, `grok`, `hermes`"),
    key("model", Value::String, None, "the model that answers"),
    key("system_prompt", Value::String, None, "what the model is told first"),
    key("allowed_tools", Value::Tools, None, "the tools of a managed driver, in a list or with commas between them"),
    key("permission_mode", Value::String, None, "the mode of a managed driver"),
    key("human_approval", Value::Bool, None, "whether a person has to agree first"),
];

#[rustfmt::skip]
static WITH_KEYS: &[Key] = &[
    key("sandbox", Value::Tier, Some("that of the project, else docker"), "how the agent is isolated"),
    key("timeout", Value::Timeout, None, "how long a run may take"),
    key("memory", Value::Memory, Some("ephemeral"), "`ephemeral`, `persistent`, or the name of a memory block"),
    key("max_memory_mb", Value::Int(Least::One), None, "memory in MB"),
    key("max_memory", Value::Size, None, "memory"),
    key("max_cpu_cores", Value::Float, None, "processors"),
    key("network_policy", Value::Network, Some("deny_all"), "`deny_all`, `allow_all`, or a list of `host:port`"),
    key("max_iterations", Value::Int(Least::One), None, "turns of the loop"),
    key("max_tokens", Value::Int(Least::One), None, "tokens of an answer"),
    key("budget_tokens", Value::Int(Least::One), None, "tokens of a run"),
    key("model", Value::String, None, "the model that answers"),
    key("temperature", Value::Number, None, "how freely the model answers"),
    key("retry", Value::Any, None, "how a failed run is tried again"),
    key("retry_policy", Value::Any, None, "how a failed run is tried again"),
    key("max_concurrent", Value::Int(Least::One), None, "how many runs at the same time"),
    key("privacy", Value::Unenforced, None, "not enforced"),
    key("security", Value::Unenforced, None, "not enforced"),
    key("encryption", Value::Unenforced, None, "not enforced"),
    key("requires", Value::Unenforced, None, "not enforced"),
    key("storage", Value::Unenforced, None, "not enforced"),
    key("coordination", Value::Unenforced, None, "not enforced"),
    key("cleanup", Value::Unenforced, None, "not enforced"),
    key("epsilon", Value::Unenforced, None, "not enforced"),
    key("tags", Value::Unenforced, None, "not enforced"),
    key("context", Value::Unenforced, None, "not enforced"),
];

#[rustfmt::skip]
static SCHEDULE_KEYS: &[Key] = &[
    key("cron", Value::Cron, None, "when it fires, again and again"),
    key("at", Value::Time, None, "when it fires"),
    key("timezone", Value::Zone, Some("UTC"), "by which clock"),
    key("agent", Value::Agent, Some("the file's only one"), "who runs"),
    key("input", Value::Input, None, "the parameters"),
    key("policy", Value::Policy, None, "a policy block that holds besides"),
    key("one_shot", Value::Bool, None, "whether it fires once only"),
    key("deliver", Value::Deliver, None, "where the result goes: `stdout`, `log`, `\"slack://…\"`, `webhook:name`, `\"https://…\"`"),
    key("audit", Value::Words(&["none", "errors_only", "all_operations"]), None, "which runs are recorded: `none`, `errors_only`, `all_operations`"),
    key("missed", Value::Words(&["skip", "run_once", "run_all"]), Some("run_once"), "after a time without a host: `skip`, `run_once`, `run_all`"),
    key("overlap", Value::Words(&["skip", "queue", "allow"]), Some("skip"), "while the run before still goes on: `skip`, `queue`, `allow`"),
    key("jitter", Value::Duration, None, "a random delay"),
    key("max_jitter", Value::Duration, None, "the longest delay"),
    key("retries", Value::Int(Least::Zero), None, "how often a failed run is tried again"),
];

#[rustfmt::skip]
static CHANNEL_KEYS: &[Key] = &[
    Key { needed: Needed::OnRoutes, ..key("platform", Value::Words(&["slack", "teams", "mattermost"]), None, "where it is: `slack`, `teams`, `mattermost`") },
    key("workspace", Value::String, None, "the workspace there"),
    key("default_agent", Value::Agent, None, "who answers"),
    key("channels", Value::Array, None, "the channels there that it listens to"),
    key("default_deny", Value::Bool, Some("true"), "whether what no rule allows is refused"),
    key("dlp_profile", Value::String, None, "a profile for the protection of data"),
    key("audit_level", Value::String, None, "how much is recorded"),
];

#[rustfmt::skip]
static WEBHOOK_KEYS: &[Key] = &[
    Key { needed: Needed::Always, ..key("path", Value::Address, None, "where it listens") },
    key("provider", Value::Words(&["github", "stripe", "slack", "custom"]), None, "who calls, and so how it signs: `github`, `stripe`, `slack`, `custom`"),
    Key { needed: Needed::OnRoutes, ..key("secret", Value::Secret, None, "what the calls are signed with") },
    Key { needed: Needed::OnRoutes, ..key("agent", Value::Agent, None, "who runs") },
    key("filter", Value::BlockOrArray, None, "which calls count: a block, or a list of names of events"),
];

#[rustfmt::skip]
static FILTER_KEYS: &[Key] = &[
    key("json_path", Value::JsonPath, None, "the part of the call that is looked at"),
    key("equals", Value::Any, None, "what that part has to be equal to"),
    key("contains", Value::Any, None, "what that part has to hold"),
];

#[rustfmt::skip]
static MEMORY_KEYS: &[Key] = &[
    key("store", Value::Words(&["markdown"]), Some("markdown"), "how it is kept: `markdown`"),
    key("path", Value::Folder, None, "the folder, in the project"),
    key("retention", Value::Duration, Some("90d"), "how long things are kept"),
    key("search", Value::Block, None, "how what is found is weighed"),
];

#[rustfmt::skip]
static SEARCH_KEYS: &[Key] = &[
    key("vector_weight", Value::Weight, Some("0.7"), "the weight of likeness"),
    key("keyword_weight", Value::Weight, Some("0.3"), "the weight of words"),
];

#[rustfmt::skip]
static CONSTRAINTS_KEYS: &[Key] = &[
    key("deny_capabilities", Value::Array, None, "what the agent may not use"),
];

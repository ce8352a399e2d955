//! The keys of the blocks of entries, as data: what the checks, the editor
//! and the page of the reference (`grammar/reference/blocks.md`) go by.

use symbi_project::Tier;

/// A block that holds entries.
#[derive(Debug)]
pub struct Table {
    /// Its word: `schedule`.
    pub name: &'static str,
    /// The keys it knows.
    pub keys: &'static [Key],
    /// Nested blocks it knows beside those that are keys.
    pub blocks: &'static [&'static str],
    /// What is said about a key it does not know.
    pub unknown: Unknown,
}

/// What is said about a key that a block does not know.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unknown {
    /// A warning.
    Warning,
    /// Nothing: it is documentation. A slip in a known one is a warning.
    Documentation,
    /// Nothing: its keys are names that the author chooses.
    Names,
}

/// A key.
#[derive(Debug)]
pub struct Key {
    /// As it is written.
    pub name: &'static str,
    /// What its value may be.
    pub value: Value,
    /// What holds where the key is missing, in words.
    pub default: Option<&'static str>,
    /// Whether it may be missing.
    pub needed: Needed,
    /// What it says, as Markdown without a full stop.
    pub meaning: &'static str,
}

/// Whether a key may be missing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Needed {
    /// It may.
    Never,
    /// The block is refused on routes without it.
    OnRoutes,
    /// It is an error without it.
    Always,
}

/// The least useful value of a whole number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Least {
    /// 0.
    Zero,
    /// 1.
    One,
}

/// What the value of a key may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Value {
    /// Text.
    String,
    /// `true` or `false`.
    Bool,
    /// A whole number.
    Int(Least),
    /// A number of processors: more than 0.
    Float,
    /// A number that is not negative.
    Number,
    /// A number from 0 to 1.
    Weight,
    /// A length of time.
    Duration,
    /// A length of time from 1 s to 24 h.
    Timeout,
    /// An amount of memory.
    Size,
    /// One of these words.
    Words(&'static [&'static str]),
    /// A list.
    Array,
    /// Tools, in a list or with commas between them.
    Tools,
    /// Numbers with dots between them.
    Version,
    /// `orga` or a managed driver.
    Executor,
    /// A sandbox tier.
    Tier,
    /// `ephemeral`, `persistent` or a memory block.
    Memory,
    /// `deny_all`, `allow_all` or a list of `host:port`.
    Network,
    /// A cron expression.
    Cron,
    /// An instant.
    Time,
    /// A time zone.
    Zone,
    /// The name of an agent.
    Agent,
    /// The name of a policy.
    Policy,
    /// The parameters of a run.
    Input,
    /// Where a result goes.
    Deliver,
    /// A path that a server listens on.
    Address,
    /// A folder of the project.
    Folder,
    /// A secret.
    Secret,
    /// A JSON path.
    JsonPath,
    /// A nested block.
    Block,
    /// A nested block or a list.
    BlockOrArray,
    /// Anything that is written out.
    Any,
    /// The same, and nothing enforces it.
    Unenforced,
}

impl Value {
    /// The type in a word or two, as the reference calls it.
    pub fn word(self) -> &'static str {
        match self {
            Value::String | Value::Version | Value::Address | Value::Folder => "string",
            Value::Bool => "bool",
            Value::Int(_) => "int",
            Value::Float | Value::Weight => "float",
            Value::Number => "number",
            Value::Duration | Value::Timeout => "duration",
            Value::Size => "size",
            Value::Words(_) | Value::Executor | Value::Memory => "name",
            Value::Array => "array",
            Value::Tools => "string or array",
            Value::Tier => "tier",
            Value::Network => "name or array",
            Value::Cron => "cron",
            Value::Time => "time",
            Value::Zone => "name of a zone",
            Value::Agent => "agent",
            Value::Policy => "policy",
            Value::Input => "record",
            Value::Deliver => "name or string",
            Value::Secret => "secret",
            Value::JsonPath => "JSON path",
            Value::Block => "block",
            Value::BlockOrArray => "block or array",
            Value::Any | Value::Unenforced => "any",
        }
    }

    /// The words that it may be, if it is one of a few.
    pub fn words(self) -> &'static [&'static str] {
        match self {
            Value::Words(words) => words,
            Value::Executor => EXECUTORS,
            Value::Tier => &Tier::WORDS,
            Value::Memory => MEMORY_WORDS,
            Value::Network => NETWORK_WORDS,
            Value::Bool => &["true", "false"],
            _ => &[],
        }
    }
}

impl Table {
    /// The key of this name.
    pub fn key(&self, name: &str) -> Option<&'static Key> {
        self.keys.iter().find(|key| key.name == name)
    }

    /// Whether `name { … }` in it is a block it knows.
    pub fn has_block(&self, name: &str) -> bool {
        self.blocks.contains(&name) || self.key(name).is_some_and(Key::is_block)
    }

    /// The words of all blocks it knows.
    pub fn block_words(&self) -> impl Iterator<Item = &'static str> {
        let keys = self.keys.iter().filter(|key| key.is_block());
        keys.map(|key| key.name).chain(self.blocks.iter().copied())
    }
}

impl Key {
    /// Whether it is written `name { … }`.
    pub fn is_block(&self) -> bool {
        matches!(self.value, Value::Block | Value::BlockOrArray)
    }
}

/// The program that runs an agent by default, and those that run one with a
/// loop of their own.
pub static EXECUTORS: &[&str] = &["orga", "claude_code", "codex", "kimi", "grok", "hermes"];

/// Whether an executor is a managed driver.
pub fn is_managed(executor: &str) -> bool {
    executor != "orga" && EXECUTORS.contains(&executor)
}

static MEMORY_WORDS: &[&str] = &["ephemeral", "persistent"];
static NETWORK_WORDS: &[&str] = &["deny_all", "allow_all"];

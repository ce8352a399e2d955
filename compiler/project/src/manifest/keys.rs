//! Every section of a manifest and of `toolclad.toml`, and every key of each:
//! its kind, its default, what to write for it. What is read, what "did you
//! mean" knows and the tables of `docs/tools.md` are all held to this list.
//!
//! What else is true of a value (a pattern that compiles, a name that exists)
//! the module of its section says.

use super::terms::{
    Connect, Dispatch, Engine, ExtractMode, Format, Hash, Method, Mode, Operation, RiskTier,
    Sanitize,
};

/// What a key holds.
#[derive(Clone, Copy, Debug)]
pub enum Kind {
    /// A text.
    Text,
    /// A list of texts.
    Texts,
    /// `true` or `false`.
    Boolean,
    /// A whole number from one to another.
    Whole(u64, u64),
    /// A whole number of 64 bits.
    Integer,
    /// A number, whole or not.
    Number,
    /// A list of whole numbers from one to another.
    Wholes(u64, u64),
    /// One of some words.
    Word(&'static [&'static str]),
    /// A list of some words.
    Words(&'static [&'static str]),
    /// A text, a number, `true` or `false`.
    Scalar,
    /// A table, which has a section of its own here.
    Table,
    /// A table whose keys the author chooses.
    Open,
}

/// A key of a section.
#[derive(Clone, Copy, Debug)]
pub struct Key {
    /// As it is written.
    pub name: &'static str,
    /// What it holds.
    pub kind: Kind,
    /// What holds without it, as documents write it; empty if nothing does.
    pub default: &'static str,
    /// A value that could stand behind it.
    pub example: &'static str,
}

impl Key {
    /// Whether it holds a value, and no table.
    pub fn is_value(&self) -> bool {
        !matches!(self.kind, Open | Kind::Table)
    }
}

/// A section.
#[derive(Debug)]
pub struct Table {
    /// Its header without brackets, `NAME` for names that the author chooses.
    pub header: &'static str,
    /// Its keys, in the order of the documents.
    pub keys: &'static [Key],
}

impl Table {
    /// The key of a name.
    pub fn key(&self, name: &str) -> Option<&'static Key> {
        self.keys.iter().find(|key| key.name == name)
    }
}

const fn key(name: &'static str, kind: Kind, default: &'static str, example: &'static str) -> Key {
    Key {
        name,
        kind,
        default,
        example,
    }
}

/// Seconds, bytes and counts end here.
const MOST: u64 = u32::MAX as u64;
/// A size in bytes ends here: 2^63 - 1, the largest whole number of TOML.
const MOST_BYTES: u64 = i64::MAX as u64;
/// The most that a capture of output may hold: 1 GiB.
pub const MOST_OUTPUT: u64 = 1 << 30;
/// The most that a file of a call may hold: 16 MiB.
const MOST_FILE: u64 = 16 << 20;

use Kind::{Boolean, Integer, Number, Open, Scalar, Text, Texts, Whole, Wholes, Word, Words};

/// A manifest as a whole.
pub static ROOT: Table = Table {
    header: "",
    keys: &[
        key("tool", Kind::Table, "", "[tool]"),
        key("args", Kind::Table, "", "[args.path]"),
        key("command", Kind::Table, "", "[command]"),
        key("http", Kind::Table, "", "[http]"),
        key("mcp", Kind::Table, "", "[mcp]"),
        key("session", Kind::Table, "", "[session]"),
        key("browser", Kind::Table, "", "[browser]"),
        key("source", Kind::Table, "", "[source]"),
        key("filesystem", Kind::Table, "", "[filesystem]"),
        key("output", Kind::Table, "", "[output]"),
    ],
};

/// `[tool]`.
pub static TOOL: Table = Table {
    header: "tool",
    keys: &[
        key("name", Text, "", "\"read_file\""),
        key("version", Text, "", "\"1.0.0\""),
        key("binary", Text, "the first word of the command", "\"nmap\""),
        key("description", Text, "\"\"", "\"what it does\""),
        key("mode", Word(Mode::WORDS), "\"oneshot\"", "\"oneshot\""),
        key("timeout_seconds", Whole(1, MOST), "30", "60"),
        key("risk_tier", Word(RiskTier::WORDS), "\"low\"", "\"medium\""),
        key("human_approval", Boolean, "false", "true"),
        key("network_egress", Boolean, "false", "true"),
        key("allow_interpreter", Boolean, "false", "true"),
        key("output_dir", Text, "", "\"reports\""),
        key("dispatch", Word(Dispatch::WORDS), "\"exec\"", "\"exec\""),
        key("cedar", Kind::Table, "", "[tool.cedar]"),
        key("evidence", Kind::Table, "", "[tool.evidence]"),
        key("limits", Kind::Table, "", "[tool.limits]"),
    ],
};

/// `[tool.cedar]`.
pub static CEDAR: Table = Table {
    header: "tool.cedar",
    keys: &[
        key(
            "resource",
            Text,
            "`Tool::` and the name",
            "\"Tool::NmapScan\"",
        ),
        key("action", Text, "\"execute_tool\"", "\"execute_tool\""),
    ],
};

/// `[tool.evidence]`.
pub static EVIDENCE: Table = Table {
    header: "tool.evidence",
    keys: &[
        key("output_dir", Text, "", "\"{evidence_dir}/{scan_id}-nmap\""),
        key("capture", Boolean, "true", "true"),
        key("hash", Word(Hash::WORDS), "\"sha256\"", "\"sha256\""),
    ],
};

/// `[tool.limits]`.
pub static LIMITS: Table = Table {
    header: "tool.limits",
    keys: &[
        key("nproc", Whole(1, MOST), "", "64"),
        key("nofile", Whole(1, MOST), "", "256"),
        key("fsize_bytes", Whole(1, MOST_BYTES), "", "10485760"),
        key("address_space_bytes", Whole(1, MOST_BYTES), "", "536870912"),
        key("cpu_seconds", Whole(1, MOST), "", "120"),
    ],
};

/// `[args.NAME]`.
pub static ARGUMENT: Table = Table {
    header: "args.NAME",
    keys: &[
        key("type", Text, "", "\"string\""),
        key("position", Whole(1, MOST), "", "1"),
        key("required", Boolean, "false", "true"),
        key("default", Scalar, "", "\"fast\""),
        key("description", Text, "\"\"", "\"what it is for\""),
        key("allowed", Texts, "", "[\"fast\", \"slow\"]"),
        key("pattern", Text, "", "\"[a-z]+\""),
        key("min", Integer, "", "1"),
        key("max", Integer, "", "100"),
        key("min_float", Number, "", "0.5"),
        key("max_float", Number, "", "2.5"),
        key("clamp", Boolean, "false", "true"),
        key("schemes", Texts, "[\"http\", \"https\"]", "[\"https\"]"),
        key("scope_check", Boolean, "false", "true"),
        key("block_internal", Boolean, "false", "true"),
        key("allow_whitespace", Boolean, "false", "true"),
        key("allow_leading_dash", Boolean, "false", "true"),
        key(
            "sanitize",
            Words(&["injection"]),
            "[\"injection\"]",
            "[\"injection\"]",
        ),
        key("feeds_decision", Boolean, "false", "true"),
    ],
};

/// `[types.NAME]`.
pub static CUSTOM_TYPE: Table = Table {
    header: "types.NAME",
    keys: &[
        key("base", Text, "", "\"string\""),
        key("description", Text, "\"\"", "\"what it is for\""),
        key("allowed", Texts, "", "[\"fast\", \"slow\"]"),
        key("pattern", Text, "", "\"[a-z]+\""),
        key("min", Integer, "", "1"),
        key("max", Integer, "", "100"),
        key("min_float", Number, "", "0.5"),
        key("max_float", Number, "", "2.5"),
        key("clamp", Boolean, "false", "true"),
        key("schemes", Texts, "[\"http\", \"https\"]", "[\"https\"]"),
        key("scope_check", Boolean, "false", "true"),
        key("block_internal", Boolean, "false", "true"),
        key("allow_whitespace", Boolean, "false", "true"),
        key("allow_leading_dash", Boolean, "false", "true"),
    ],
};

/// `toolclad.toml` as a whole.
pub static TYPES_ROOT: Table = Table {
    header: "",
    keys: &[key("types", Kind::Table, "", "[types.protocol]")],
};

/// `[command]`.
pub static COMMAND: Table = Table {
    header: "command",
    keys: &[
        key("exec", Texts, "", "[\"wc\", \"-l\", \"{path}\"]"),
        key("template", Text, "", "\"wc -l {path}\""),
        key("executor", Text, "", "\"scripts/scan\""),
        key("end_of_options", Word(&["--"]), "", "\"--\""),
        key("defaults", Open, "", "[command.defaults]"),
        key("mappings", Open, "", "[command.mappings.mode]"),
        key("conditionals", Open, "", "[command.conditionals.rate]"),
    ],
};

/// `[command.conditionals.NAME]`.
pub static CONDITIONAL: Table = Table {
    header: "command.conditionals.NAME",
    keys: &[
        key("when", Text, "", "\"rate != ''\""),
        key("template", Text, "", "\"--rate {rate}\""),
    ],
};

/// `[http]`.
pub static HTTP: Table = Table {
    header: "http",
    keys: &[
        key("method", Word(Method::WORDS), "", "\"GET\""),
        key(
            "url",
            Text,
            "",
            "\"https://api.example.com/lookup?q={name}\"",
        ),
        key("headers", Open, "", "{ Accept = \"application/json\" }"),
        key("body_template", Text, "", "'{\"name\": \"{name}\"}'"),
        key("success_status", Wholes(100, 599), "2xx", "[200]"),
        key("error_status", Wholes(100, 599), "", "[404, 429]"),
    ],
};

/// `[mcp]`.
pub static MCP: Table = Table {
    header: "mcp",
    keys: &[
        key("server", Text, "", "\"github\""),
        key("tool", Text, "", "\"create_issue\""),
        key("field_map", Open, "", "{ name = \"title\" }"),
    ],
};

/// `[session]`.
pub static SESSION: Table = Table {
    header: "session",
    keys: &[
        key("startup_command", Text, "", "\"psql -q\""),
        key("ready_pattern", Text, "", "\"[a-z]+=> \""),
        key("startup_timeout_seconds", Whole(1, MOST), "30", "10"),
        key("idle_timeout_seconds", Whole(1, MOST), "300", "120"),
        key("session_timeout_seconds", Whole(1, MOST), "1800", "600"),
        key("max_interactions", Whole(1, MOST), "100", "50"),
        key("sentinel_command", Text, "", "\"\\\\echo {sentinel}\""),
        key("interaction", Kind::Table, "", "[session.interaction]"),
        key("commands", Kind::Table, "", "[session.commands.query]"),
    ],
};

/// `[session.interaction]`.
pub static INTERACTION: Table = Table {
    header: "session.interaction",
    keys: &[
        key(
            "input_sanitize",
            Words(Sanitize::WORDS),
            "[]",
            "[\"injection\"]",
        ),
        key(
            "output_max_bytes",
            Whole(1, MOST_OUTPUT),
            "1048576",
            "65536",
        ),
        key("output_wait_ms", Whole(1, MOST), "2000", "500"),
    ],
};

/// `[session.commands.NAME]`.
pub static SESSION_COMMAND: Table = Table {
    header: "session.commands.NAME",
    keys: &[
        key("pattern", Text, "", "\"SELECT .+\""),
        key("description", Text, "", "\"Runs a query\""),
        key("risk_tier", Word(RiskTier::WORDS), "\"low\"", "\"medium\""),
        key("human_approval", Boolean, "false", "true"),
        key("extract_target", Boolean, "false", "true"),
        key("finalize", Boolean, "false", "true"),
        key(
            "args",
            Kind::Table,
            "",
            "[session.commands.query.args.table]",
        ),
    ],
};

/// `[browser]`.
pub static BROWSER: Table = Table {
    header: "browser",
    keys: &[
        key("engine", Word(Engine::WORDS), "\"cdp\"", "\"cdp\""),
        key("headless", Boolean, "true", "false"),
        key("connect", Word(Connect::WORDS), "\"launch\"", "\"launch\""),
        key(
            "extract_mode",
            Word(ExtractMode::WORDS),
            "\"accessibility_tree\"",
            "\"text\"",
        ),
        key("startup_timeout_seconds", Whole(1, MOST), "10", "20"),
        key("idle_timeout_seconds", Whole(1, MOST), "120", "60"),
        key("session_timeout_seconds", Whole(1, MOST), "600", "300"),
        key("max_interactions", Whole(1, MOST), "200", "50"),
        key("scope", Kind::Table, "", "[browser.scope]"),
        key("network", Kind::Table, "", "[browser.network]"),
        key("commands", Kind::Table, "", "[browser.commands.navigate]"),
        key("state", Kind::Table, "", "[browser.state]"),
    ],
};

/// `[browser.scope]`.
pub static BROWSER_SCOPE: Table = Table {
    header: "browser.scope",
    keys: &[
        key("allowed_domains", Texts, "[]", "[\"example.com\"]"),
        key("blocked_domains", Texts, "[]", "[\"admin.example.com\"]"),
        key("allow_external", Boolean, "false", "true"),
    ],
};

/// `[browser.network]`.
pub static BROWSER_NETWORK: Table = Table {
    header: "browser.network",
    keys: &[
        key(
            "allowed_methods",
            Words(Method::WORDS),
            "[\"GET\", \"HEAD\"]",
            "[\"GET\"]",
        ),
        key(
            "private_origins",
            Texts,
            "[]",
            "[\"http://127.0.0.1:8080\"]",
        ),
    ],
};

/// `[browser.commands.NAME]`.
pub static BROWSER_COMMAND: Table = Table {
    header: "browser.commands.NAME",
    keys: &[
        key("description", Text, "", "\"Opens a page\""),
        key("risk_tier", Word(RiskTier::WORDS), "\"low\"", "\"medium\""),
        key("human_approval", Boolean, "false", "true"),
        key(
            "args",
            Kind::Table,
            "",
            "[browser.commands.navigate.args.url]",
        ),
    ],
};

/// `[browser.state]`.
pub static BROWSER_STATE: Table = Table {
    header: "browser.state",
    keys: &[key("fields", Texts, "[]", "[\"url\", \"title\"]")],
};

/// `[source]`.
pub static SOURCE: Table = Table {
    header: "source",
    keys: &[key(
        "operation",
        Word(Operation::WORDS),
        "",
        "\"read_file\"",
    )],
};

/// `[filesystem]`.
pub static FILESYSTEM: Table = Table {
    header: "filesystem",
    keys: &[
        key("read", Texts, "[]", "[\"{input}\"]"),
        key("create", Texts, "[]", "[\"{output}\"]"),
        key("max_file_bytes", Whole(1, MOST_FILE), "8388608", "65536"),
    ],
};

/// `[output]`.
pub static OUTPUT: Table = Table {
    header: "output",
    keys: &[
        key("format", Word(Format::WORDS), "\"text\"", "\"json\""),
        key(
            "parser",
            Text,
            "the built-in one of the format",
            "\"builtin:json\"",
        ),
        key("envelope", Boolean, "true", "false"),
        key("max_bytes", Whole(1, MOST_OUTPUT), "8388608", "65536"),
        key("schema", Open, "", "[output.schema]"),
    ],
};

/// Every section, in the order of the documents.
pub static ALL: &[&Table] = &[
    &TOOL,
    &CEDAR,
    &EVIDENCE,
    &LIMITS,
    &ARGUMENT,
    &COMMAND,
    &CONDITIONAL,
    &HTTP,
    &MCP,
    &SESSION,
    &INTERACTION,
    &SESSION_COMMAND,
    &BROWSER,
    &BROWSER_SCOPE,
    &BROWSER_NETWORK,
    &BROWSER_COMMAND,
    &BROWSER_STATE,
    &SOURCE,
    &FILESYSTEM,
    &OUTPUT,
    &CUSTOM_TYPE,
];

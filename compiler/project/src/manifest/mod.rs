//! `tools/NAME.clad.toml`: what a tool is, what it takes and how it is run.
//!
//! A manifest is a contract, so it is read strictly: what nothing reads is an
//! error, and so is what contradicts itself. The result is whole, with its
//! defaults, for the checks of calls and for the host.

pub(crate) mod argument;
mod backend;
mod browser;
mod command;
mod condition;
mod egress;
mod expansion;
mod http;
pub mod keys;
pub(crate) mod limits;
mod output;
mod placeholder;
pub(crate) mod section;
mod session;
mod source;
mod split;
mod terms;
mod tool;

use symbi_diagnostics::project as codes;

use crate::custom_types::CustomTypes;
use crate::reader::{self, Codes};
use crate::{Parsed, Spanned};
use section::Section;

pub use argument::{Argument, ArgumentType, DefaultValue};
pub use backend::Backend;
pub use browser::{Browser, BrowserCommand};
pub use command::{Command, Launch};
pub use condition::{Condition, Test};
pub use expansion::{Conditional, Mapping};
pub use http::Http;
pub use output::{Output, Parser};
pub use placeholder::{Part, Template};
pub use session::{Mcp, Session, SessionCommand};
pub use source::{Filesystem, FilesystemEntry, Source};
pub use terms::{
    Connect, Dispatch, Engine, ExtractMode, Format, Hash, Method, Mode, Operation, RiskTier,
    Sanitize,
};
pub use tool::{Cedar, Evidence, Limits, Tool};

/// A manifest.
#[derive(Clone, Debug, PartialEq)]
pub struct Manifest {
    /// `[tool] name`; `None` after an error.
    pub name: Option<Spanned<String>>,
    /// `[tool] description`; empty if not given.
    pub description: String,
    /// The rest of `[tool]`.
    pub tool: Tool,
    /// The arguments in the order of their positions, then of the file.
    pub arguments: Vec<Argument>,
    /// How it is run; `None` after an error.
    pub backend: Option<Backend>,
    /// The files of a call.
    pub filesystem: Filesystem,
    /// What it prints.
    pub output: Output,
}

pub(crate) static CODES: Codes = Codes {
    unreadable: &codes::K0850,
    twice: &codes::K0860,
    wrong_type: &codes::K0851,
};

impl Manifest {
    /// Reads the text of a manifest in a project without custom types.
    pub fn parse(text: &str, file_name: &str) -> Parsed<Self> {
        Self::parse_with(text, file_name, &CustomTypes::default())
    }

    /// Reads the text of a manifest whose arguments may have custom types.
    pub fn parse_with(text: &str, file_name: &str, types: &CustomTypes) -> Parsed<Self> {
        reader::parse(text, "the manifest", &CODES, |reader| {
            let root = Section::root(reader, &keys::ROOT, "a manifest");
            let (name, description, tool) = tool::read(reader, &root, file_name);
            let entries = root.open(reader, "args");
            let arguments = argument::read_all(reader, entries, "args", types);
            let filesystem = source::filesystem(reader, &root, &arguments);
            let output = output::read(reader, &root);
            let backend = backend::read(reader, &root, &tool, &arguments, &filesystem, types);
            egress::check(reader, &tool, &arguments, backend.as_ref());
            Self {
                name,
                description,
                tool,
                arguments,
                backend,
                filesystem,
                output,
            }
        })
    }
}

fn spelt_like_a_name(text: &str) -> bool {
    let mut bytes = text.bytes();
    bytes
        .next()
        .is_some_and(|b| b.is_ascii_alphabetic() || b == b'_')
        && bytes.all(|b| b.is_ascii_alphanumeric() || b == b'_')
}

//! The program: its modules, one a file, and what stands beside them.

use std::sync::Arc;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use symbi_policy::Kind;

use crate::agent::{Agent, Sandbox};
use crate::blocks::{Channel, Schedule, Store, Webhook};
use crate::code::{Code, NodeId};
use crate::hash::Sha256;
use crate::policy::Policy;
use crate::types::Type;

/// The version that this crate writes. A host refuses what it does not know.
pub const IR_VERSION: u32 = 1;

/// A checked program.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Program {
    /// [`IR_VERSION`].
    pub version: u32,
    /// The hash of the standard library that it was checked against.
    pub stdlib: Sha256,
    /// The effects of the standard library by their numbers in
    /// [`symbi_policy::Kind::Builtin`].
    pub effects: Vec<EffectRow>,
    /// The names of the managed drivers, sorted.
    pub drivers: Vec<Arc<str>>,
    /// The functions of the standard library that delegate to the agent that
    /// they are given, sorted.
    pub delegating: Vec<Arc<str>>,
    /// What the project says about the isolation of its agents.
    pub sandbox: Sandbox,
    /// What the project lets run although nothing enforces it, sorted.
    pub waived: Vec<Waived>,
    /// One a file, sorted by path.
    pub modules: Vec<Arc<Module>>,
    /// The tools of the project, sorted by name.
    pub tools: Vec<Tool>,
    /// The policies of Cedar of the project, sorted by path.
    pub cedar: Vec<CedarFile>,
}

/// An effect of the standard library.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct EffectRow {
    /// Its name.
    pub name: Arc<str>,
    /// The names of its arguments, in order.
    pub params: Vec<Arc<str>>,
}

/// Something that may run although nothing enforces it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Waived {
    /// The code of the diagnostic.
    pub code: Arc<str>,
    /// The name of what it is about.
    pub name: Arc<str>,
}

/// A part of a file, in bytes.
#[derive(
    Clone,
    Copy,
    Debug,
    Default,
    PartialEq,
    Eq,
    Hash,
    PartialOrd,
    Ord,
    Serialize,
    Deserialize,
    JsonSchema,
)]
#[serde(deny_unknown_fields)]
pub struct Span {
    /// Where it begins.
    pub start: u32,
    /// How long it is.
    pub length: u32,
}

/// What a file says.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Module {
    /// Its path from the root of the project, with `/` between its parts.
    pub path: Arc<str>,
    /// The hash of its bytes.
    pub sha256: Sha256,
    /// How many bytes it has.
    pub length: u32,
    /// Where each of its lines begins, in bytes.
    pub lines: Vec<u32>,
    /// The structs at its top level, in order.
    pub structs: Vec<Struct>,
    /// The functions at its top level, in order.
    pub functions: Vec<Function>,
    /// The policies at its top level, which govern all its agents. Those of one
    /// name are one.
    pub policies: Vec<Policy>,
    /// Its agents, in order.
    pub agents: Vec<Agent>,
    /// Its schedules, in order, those of its agents included; so for the rest.
    pub schedules: Vec<Schedule>,
    /// Its webhooks.
    pub webhooks: Vec<Webhook>,
    /// Its channels.
    pub channels: Vec<Channel>,
    /// Its memories.
    pub memories: Vec<Store>,
}

/// An agent by its file and name.
#[derive(
    Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(deny_unknown_fields)]
pub struct AgentName {
    /// The path of its file.
    pub file: Arc<str>,
    /// Its name.
    pub name: Arc<str>,
}

/// A struct.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Struct {
    /// Its name.
    pub name: Arc<str>,
    /// Where its name stands.
    pub at: Span,
    /// Its fields, in order.
    pub fields: Vec<Param>,
    /// The defaults of its fields.
    pub code: Code,
}

/// A parameter or a field of a struct.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Param {
    /// Its name.
    pub name: Arc<str>,
    /// Its type.
    pub ty: Type,
    /// Its value where none is given.
    pub default: Option<NodeId>,
    /// It may be left out.
    pub optional: bool,
}

/// A function: parameters, and a body that runs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Function {
    /// Its name.
    pub name: Arc<str>,
    /// Where its name stands.
    pub at: Span,
    /// What it takes. The variable of a parameter has the same number in the
    /// first frame.
    pub params: Vec<Param>,
    /// What it gives.
    pub result: Type,
    /// Its body, in the first frame, and the defaults of its parameters.
    pub code: Code,
}

/// A tool, by the manifest that says how it is run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Tool {
    /// Its name.
    pub name: Arc<str>,
    /// Its version.
    pub version: Option<Arc<str>>,
    /// The path of its manifest from the root of the project.
    pub manifest: Arc<str>,
    /// The hash of the bytes of its manifest: what the host runs is this, or
    /// nothing.
    pub sha256: Sha256,
    /// Its Cedar resource.
    pub resource: Option<Arc<str>>,
    /// A person is asked before each call.
    pub asks: bool,
    /// Its arguments, in order.
    pub params: Vec<ToolParam>,
}

/// An argument of a tool.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ToolParam {
    /// Its name.
    pub name: Arc<str>,
    /// Its type.
    pub ty: Type,
    /// It must be given.
    pub required: bool,
}

/// A file of Cedar policies.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CedarFile {
    /// Its path from the root of the project.
    pub path: Arc<str>,
    /// The hash of its bytes.
    pub sha256: Sha256,
}

impl Program {
    /// The module of a file.
    pub fn module(&self, path: &str) -> Option<&Arc<Module>> {
        let at = self
            .modules
            .binary_search_by(|module| (*module.path).cmp(path))
            .ok()?;
        self.modules.get(at)
    }

    /// The tool of a name.
    pub fn tool(&self, name: &str) -> Option<&Tool> {
        let at = self
            .tools
            .binary_search_by(|tool| (*tool.name).cmp(name))
            .ok()?;
        self.tools.get(at)
    }

    /// The kind of the effect of a name, and the names of its arguments in
    /// order; what nothing declares is an external action.
    pub fn effect(&self, name: &str) -> (Kind, Vec<Box<str>>) {
        let boxed = |name: &Arc<str>| Box::from(&**name);
        if let Ok(number) = self.effects.binary_search_by(|row| (*row.name).cmp(name))
            && let (Some(row), Ok(number)) = (self.effects.get(number), u8::try_from(number))
        {
            let params = row.params.iter().map(boxed).collect();
            return (Kind::Builtin(number), params);
        }
        if let Some(tool) = self.tool(name) {
            let params = tool.params.iter().map(|param| boxed(&param.name));
            return (Kind::Tool, params.collect());
        }
        if let Some(agent) = name.strip_prefix("delegate::") {
            let mut named = self.agents().filter(|(_, own)| **own.name() == *agent);
            let params = match (named.next(), named.next()) {
                (Some((_, own)), None) => own.entry.params.iter(),
                _ => [].iter(),
            };
            return (
                Kind::Delegate,
                params.map(|param| boxed(&param.name)).collect(),
            );
        }
        match self.drivers.binary_search_by(|driver| (**driver).cmp(name)) {
            Ok(_) => (Kind::Driver, Vec::new()),
            Err(_) => (Kind::Action, Vec::new()),
        }
    }

    /// All agents, with their files.
    pub fn agents(&self) -> impl Iterator<Item = (&Arc<Module>, &Agent)> {
        self.modules
            .iter()
            .flat_map(|module| module.agents.iter().map(move |agent| (module, agent)))
    }
}

impl Module {
    /// The line and column of a byte, both from 1; columns count bytes.
    pub fn position(&self, byte: u32) -> (usize, usize) {
        let line = self.lines.partition_point(|start| *start <= byte);
        let start = line.checked_sub(1).and_then(|line| self.lines.get(line));
        let column = byte.saturating_sub(start.copied().unwrap_or(0)) as usize + 1;
        (line.max(1), column)
    }
}

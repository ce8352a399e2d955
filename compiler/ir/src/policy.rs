//! Policies: the data that decides, and where each part of it is written.

use std::sync::Arc;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use symbi_policy::{Block, Guard, Policies};

use crate::agent::Agent;
use crate::constant::Constant;
use crate::program::{Module, Program, Span};

/// A policy, several of one name in one scope, or the constraints of an agent.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Policy {
    /// Its name; `None` if it has none, and for constraints.
    pub name: Option<Arc<str>>,
    /// Where it stands.
    pub at: Span,
    /// What decides. A guard at the top level of a file may name the parameters
    /// of any of its agents: [`Program::policies`] has it for one of them.
    pub block: Block,
    /// The place of each rule of the block, in the same order.
    pub rules: Vec<RuleAt>,
    /// The place of each requirement, likewise.
    pub requirements: Vec<Span>,
    /// What `audit` asks for, in order.
    pub audit: Vec<Audit>,
}

/// Where a rule is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RuleAt {
    /// The whole rule.
    pub at: Span,
    /// Its selector: an element, where it has a list of them.
    pub selector: Span,
}

/// What a policy asks to be put on record.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Audit {
    /// A key of `stdlib/audit.symbi`, or a description.
    pub key: Arc<str>,
    /// Its value; `None` for a description.
    pub value: Option<Constant>,
    /// When it is asked for; `None` for always.
    pub condition: Option<Guard>,
    /// Where it stands.
    pub at: Span,
}

impl Program {
    /// All that restricts an agent: the policies of its file in their order,
    /// then its own.
    pub fn policies(&self, module: &Module, agent: &Agent) -> Policies {
        let params = &agent.entry.params;
        let is_param = |name: &str| params.iter().any(|param| *param.name == *name);
        let shared = module.policies.iter().map(|policy| {
            let mut block = policy.block.clone();
            block.keep_parameters(&is_param);
            block
        });
        let own = agent.policies.iter().map(|policy| policy.block.clone());
        let capabilities = agent.capabilities.as_ref();
        Policies {
            ceiling: capabilities.and_then(|list| list.ceiling.clone()),
            blocks: shared.chain(own).collect(),
        }
    }

    /// The policy that is the block of a number in [`Program::policies`].
    pub fn policy_of<'p>(module: &'p Module, agent: &'p Agent, block: usize) -> Option<&'p Policy> {
        match block.checked_sub(module.policies.len()) {
            None => module.policies.get(block),
            Some(own) => agent.policies.get(own),
        }
    }
}

//! Agents.

use std::sync::Arc;

use symbi_ir::Agent;
use symbi_syntax::ast::{AgentDef, AgentItem, AstNode};

use super::cx::{Lowering, Owner};
use super::functions::Scope;
use super::{attributes, metadata, policies};
use crate::bodies::Inference;
use crate::findings::at_node;
use crate::policies::driver;

/// An agent, without what only its file tells: its admission, and its text.
pub(super) fn agent(
    cx: &Lowering<'_>,
    inference: &Inference,
    agent: AgentDef<'_>,
    owner: &Owner,
) -> Agent {
    let name: Option<Arc<str>> = agent.name().map(|name| Arc::from(&*name.text()));
    let scope = Scope {
        cx,
        inference,
        agent: name.as_deref(),
    };
    let mut functions = Vec::new();
    let mut structs = Vec::new();
    for item in agent.items() {
        match item {
            AgentItem::Function(function) => functions.push(scope.function(function)),
            AgentItem::Type(type_) => structs.extend(scope.structure(type_)),
            _ => {}
        }
    }
    Agent {
        principal: symbi_ir::principal(name.as_deref().unwrap_or_default()).into(),
        entry: scope.entry(agent),
        span: (cx.span)(at_node(agent.node())),
        functions,
        structs,
        metadata: metadata::of_agent(agent).into_iter().collect(),
        driver: driver(cx.program, Some(agent)),
        capabilities: policies::capabilities(cx, agent),
        policies: policies::of_agent(cx, agent, owner),
        attributes: attributes::of_agent(cx, agent),
        secrets: Vec::new(),
        declaration: None,
        admission: Vec::new(),
    }
}

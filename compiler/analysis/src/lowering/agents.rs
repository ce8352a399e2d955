//! Agents.

use std::sync::Arc;

use symbi_ir::{Agent, Attributes};
use symbi_syntax::ast::{AgentDef, AgentItem, AstNode};

use super::cx::Lowering;
use super::functions::Scope;
use crate::bodies::Inference;
use crate::findings::at_node;

/// An agent, without what only its file tells: its admission, and its text.
pub(super) fn agent(cx: &Lowering<'_>, inference: &Inference, agent: AgentDef<'_>) -> Agent {
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
        metadata: Vec::new(),
        driver: None,
        capabilities: None,
        policies: Vec::new(),
        attributes: Attributes::default(),
        secrets: Vec::new(),
        declaration: None,
        admission: Vec::new(),
    }
}

//! Policies and capabilities (language.md sections 2.2 and 4).

use std::sync::Arc;

use symbi_ir::{Audit, Capabilities, Policy, RuleAt};
use symbi_syntax::ast::{
    self, AgentDef, AgentItem, AstNode, BlockItem, CapabilitiesDef, ChannelDef, PolicyDef,
};
use symbi_syntax::{NodeRef, Place};

use super::constants::{constant, of_value};
use super::cx::{Lowering, Owner};
use crate::findings::at_node;
use crate::policies::{
    Audited, Guards, Scope, audits, ceiling_of, ceiling_of_file, constraints, merged_by_name,
    policy as rules_of,
};

/// A policy, whose guards may name these parameters.
pub(crate) fn policy(
    cx: &Lowering<'_>,
    is_param: &dyn Fn(&str) -> bool,
    written: PolicyDef<'_>,
) -> Policy {
    let scope = Scope {
        program: cx.program,
        is_param,
    };
    let mut policy = placed(cx, written.node(), rules_of(scope, written));
    let audited = written.rules();
    let audited = audited.filter(|rule| rule.verb() == Some(ast::Verb::Audit));
    policy.audit = audited
        .flat_map(|rule| {
            let bound = Default::default();
            let guards = Guards {
                bound: &bound,
                is_param,
            };
            let condition = rule.guard().map(|guard| guards.guard(guard));
            let asked = audits(rule).into_iter();
            asked.map(move |one| audit(cx, &one, condition.clone()))
        })
        .collect();
    policy
}

fn audit(cx: &Lowering<'_>, asked: &Audited<'_>, condition: Option<symbi_policy::Guard>) -> Audit {
    let read = asked.read.as_ref().map(of_value);
    Audit {
        key: asked.key.as_str().into(),
        value: read.or_else(|| asked.written.map(constant)),
        condition,
        at: (cx.span)(asked.at),
    }
}

fn placed(cx: &Lowering<'_>, node: NodeRef<'_>, lowered: crate::policies::Lowered) -> Policy {
    let span = |place: &Place| (cx.span)(*place);
    Policy {
        name: lowered.name,
        at: (cx.span)(at_node(node)),
        block: lowered.block,
        rules: lowered
            .rules
            .iter()
            .zip(&lowered.selectors)
            .map(|(at, selector)| RuleAt {
                at: span(at),
                selector: span(selector),
            })
            .collect(),
        requirements: lowered.requirements.iter().map(span).collect(),
        audit: Vec::new(),
    }
}

/// The policies and constraints of an agent.
pub(crate) fn of_agent(cx: &Lowering<'_>, agent: AgentDef<'_>, owner: &Owner) -> Vec<Policy> {
    let is_param = &|name: &str| owner.has_param(name);
    let scope = Scope {
        program: cx.program,
        is_param,
    };
    let own = agent.items().filter_map(|item| match item {
        AgentItem::Policy(written) => Some(policy(cx, is_param, written)),
        AgentItem::Constraints(block) => Some(placed(cx, block.node(), constraints(scope, block))),
        _ => None,
    });
    together(own)
}

/// A policy at the top level: its guards may name the parameters of any agent
/// of the file.
pub(crate) fn of_file(cx: &Lowering<'_>, written: PolicyDef<'_>) -> Policy {
    let params = cx.program.agent_params();
    policy(cx, &|name| params.contains_key(name), written)
}

/// The policies of a channel.
pub(crate) fn of_channel(
    cx: &Lowering<'_>,
    channel: ChannelDef<'_>,
    owner: Option<&Owner>,
) -> Vec<Policy> {
    let is_param = &|name: &str| owner.is_some_and(|owner| owner.has_param(name));
    let own = channel.entries().filter_map(|item| match item {
        BlockItem::Policy(written) => Some(policy(cx, is_param, written)),
        _ => None,
    });
    together(own)
}

/// The policies of a scope: those of one name are one.
pub(crate) fn together(policies: impl IntoIterator<Item = Policy>) -> Vec<Policy> {
    merged_by_name(
        policies,
        |policy| policy.name.as_ref(),
        |first, more| {
            first.block.rules.extend(more.block.rules);
            first.block.requirements.extend(more.block.requirements);
            first.rules.extend(more.rules);
            first.requirements.extend(more.requirements);
            first.audit.extend(more.audit);
        },
    )
}

/// The capabilities of an agent: its first list.
pub(crate) fn capabilities(cx: &Lowering<'_>, agent: AgentDef<'_>) -> Option<Capabilities> {
    let list = agent.items().find_map(|item| match item {
        AgentItem::Capabilities(list) => Some(list),
        _ => None,
    })?;
    let ceiling = ceiling_of(cx.program, agent, list);
    Some(listed(cx, list, ceiling))
}

/// The capabilities of the agent without the word `agent`.
pub(crate) fn capabilities_of_file(cx: &Lowering<'_>, list: CapabilitiesDef<'_>) -> Capabilities {
    listed(cx, list, ceiling_of_file(cx.program, list))
}

fn listed(
    cx: &Lowering<'_>,
    list: CapabilitiesDef<'_>,
    ceiling: Option<symbi_policy::Ceiling>,
) -> Capabilities {
    let entries = list.entries().into_iter();
    Capabilities {
        at: (cx.span)(at_node(list.node())),
        entries: entries
            .filter_map(|entry| entry.text().map(Arc::from))
            .collect(),
        ceiling,
    }
}

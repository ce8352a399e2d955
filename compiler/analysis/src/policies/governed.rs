//! All that governs one agent of a file.

use std::sync::Arc;

use symbi_policy::{Block, Policies};
use symbi_syntax::ast::{AgentDef, AgentItem, AstNode, CapabilitiesDef, TopItem};
use symbi_syntax::{Item, Place};

use super::called::called;
use super::lower::{Lowered, Scope, ceiling, constraints, policy};
use crate::program::Program;

/// The policies of one agent, and where their parts are written.
#[derive(Clone, Debug, Default)]
pub struct Governed {
    /// The data.
    pub policies: Policies,
    /// Where each block is from, in the same order.
    pub sources: Vec<Source>,
}

/// Where the parts of a block are written.
#[derive(Clone, Debug, Default)]
pub struct Source {
    /// The name of the policy.
    pub name: Option<Arc<str>>,
    /// Each rule: the number of its item, and its place there.
    pub rules: Vec<(usize, Place)>,
    /// Each requirement, likewise.
    pub requirements: Vec<(usize, Place)>,
}

/// What governs an agent of these items of a file: the policies at the top
/// level, and its own. `None` if no item declares it.
pub fn governed(program: &dyn Program, items: &[&Item], agent: &str) -> Option<Governed> {
    let of_name =
        |agent: &AgentDef<'_>, name: &str| agent.name().is_some_and(|own| own.text() == name);
    let tops = || {
        let tops = items.iter().enumerate();
        tops.filter_map(|(at, item)| Some((at, item.top_item()?)))
    };
    let (number, own) = tops().find_map(|(at, top)| match top {
        TopItem::Agent(found) if of_name(&found, agent) => Some((at, found)),
        _ => None,
    })?;
    let params: Vec<Arc<str>> = own
        .params()
        .map(|params| {
            params
                .filter_map(|param| Some(Arc::from(&*param.name()?.text())))
                .collect()
        })
        .unwrap_or_default();
    let scope = Scope {
        program,
        is_param: &|name| params.iter().any(|param| **param == *name),
    };
    let mut found = Governed::default();
    // Policies of one name in one scope are one.
    let mut merged = Merging::default();
    for (at, top) in tops() {
        if let TopItem::Policy(written) = top {
            merged.add(&mut found, policy(scope, written), at);
        }
    }
    merged = Merging::default();
    let mut capabilities: Option<CapabilitiesDef<'_>> = None;
    for item in own.items() {
        match item {
            AgentItem::Policy(written) => merged.add(&mut found, policy(scope, written), number),
            AgentItem::Constraints(block) => {
                merged.add(&mut found, constraints(scope, block), number);
            }
            AgentItem::Capabilities(list) => {
                capabilities.get_or_insert(list);
            }
            _ => {}
        }
    }
    let uses = called(own.node());
    found.policies.ceiling =
        capabilities.and_then(|list| ceiling(scope, list, &|name| uses.contains(name)));
    if let Some(ceiling) = &mut found.policies.ceiling {
        ceiling.driver = crate::declaration::executor(own);
    }
    Some(found)
}

/// Which block of a scope has which name.
#[derive(Default)]
struct Merging(Vec<(Arc<str>, usize)>);

impl Merging {
    fn add(&mut self, found: &mut Governed, lowered: Lowered, item: usize) {
        let known = lowered.name.as_ref().and_then(|name| {
            let same = self.0.iter().find(|(known, _)| known == name);
            same.map(|(_, at)| *at)
        });
        let at = known.unwrap_or_else(|| {
            let at = found.sources.len();
            if let Some(name) = &lowered.name {
                self.0.push((name.clone(), at));
            }
            found.policies.blocks.push(Block::default());
            found.sources.push(Source {
                name: lowered.name.clone(),
                ..Source::default()
            });
            at
        });
        let (block, source) = (&mut found.policies.blocks[at], &mut found.sources[at]);
        block.rules.extend(lowered.block.rules);
        block.requirements.extend(lowered.block.requirements);
        let placed = |place| (item, place);
        source.rules.extend(lowered.rules.into_iter().map(placed));
        source
            .requirements
            .extend(lowered.requirements.into_iter().map(placed));
    }
}

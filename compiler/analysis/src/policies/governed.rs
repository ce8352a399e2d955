//! All that governs one agent of a file.

use std::sync::Arc;

use symbi_policy::{Block, Ceiling, Policies};
use symbi_syntax::ast::{AgentDef, AgentItem, AstNode, CapabilitiesDef, TopItem};
use symbi_syntax::{Item, Place};

use super::called::called;
use super::lower::{Lowered, Scope, ceiling, constraints, policy};
use super::merged::merged;
use crate::blocks::is_managed;
use crate::declaration::executor;
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
    let shared = tops().filter_map(|(at, top)| match top {
        TopItem::Policy(written) => Some(sourced(policy(scope, written), at)),
        _ => None,
    });
    let shared = scoped(shared.collect());
    let mut blocks = Vec::new();
    let mut capabilities: Option<CapabilitiesDef<'_>> = None;
    for item in own.items() {
        match item {
            AgentItem::Policy(written) => blocks.push(sourced(policy(scope, written), number)),
            AgentItem::Constraints(block) => {
                blocks.push(sourced(constraints(scope, block), number));
            }
            AgentItem::Capabilities(list) => {
                capabilities.get_or_insert(list);
            }
            _ => {}
        }
    }
    let (blocks, sources) = shared.into_iter().chain(scoped(blocks)).unzip();
    Some(Governed {
        policies: Policies {
            ceiling: capabilities.and_then(|list| ceiling_of(program, own, list)),
            blocks,
        },
        sources,
    })
}

/// The ceiling that an agent's list of capabilities is; `None` if it only
/// describes.
pub(crate) fn ceiling_of(
    program: &dyn Program,
    agent: AgentDef<'_>,
    list: CapabilitiesDef<'_>,
) -> Option<Ceiling> {
    let uses = called(agent.node());
    let mut ceiling = ceiling(program, list, &|name| uses.contains(name))?;
    ceiling.driver = driver(program, Some(agent));
    Some(ceiling)
}

/// The same for the agent without the word `agent`, which calls nothing.
pub(crate) fn ceiling_of_file(program: &dyn Program, list: CapabilitiesDef<'_>) -> Option<Ceiling> {
    let mut ceiling = ceiling(program, list, &|_| false)?;
    ceiling.driver = driver(program, None);
    Some(ceiling)
}

/// The managed driver that runs an agent: the one that it names, else the one
/// that its file names.
pub(crate) fn driver(program: &dyn Program, agent: Option<AgentDef<'_>>) -> Option<Arc<str>> {
    let own = agent.and_then(executor);
    let named = own.or_else(|| program.file_metadata("executor"));
    named.filter(|driver| is_managed(driver))
}

/// A block with where it is from: of an item, by its number.
fn sourced(lowered: Lowered, item: usize) -> (Block, Source) {
    let placed = |places: Vec<Place>| places.into_iter().map(|place| (item, place)).collect();
    let source = Source {
        name: lowered.name,
        rules: placed(lowered.rules),
        requirements: placed(lowered.requirements),
    };
    (lowered.block, source)
}

/// The blocks of one scope.
fn scoped(blocks: Vec<(Block, Source)>) -> Vec<(Block, Source)> {
    merged(
        blocks,
        |(_, source)| source.name.as_ref(),
        |(block, source), (more, of)| {
            block.rules.extend(more.rules);
            block.requirements.extend(more.requirements);
            source.rules.extend(of.rules);
            source.requirements.extend(of.requirements);
        },
    )
}

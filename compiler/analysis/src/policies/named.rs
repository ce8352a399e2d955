//! Agents that a block in a policy names: `agent x { … }` (language.md section
//! 4). Nothing enforces such a block, so the agent is refused, wherever it
//! stands in the project.

use std::sync::Arc;

use symbi_diagnostics::{LineColumn, LineTable, Span};
use symbi_syntax::ast::{
    AgentItem, AstNode, BlockItem, ChannelDef, PolicyDef, PolicyMember, TopItem,
};
use symbi_syntax::{Item, token_spans};

/// An agent that a block in a policy names.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct NamedAgent {
    /// Its name, as the block has it.
    pub name: Arc<str>,
    /// The policy is one of a channel, which is about chats only.
    pub in_channel: bool,
}

/// Where such a block stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AgentBlock {
    /// Whom it names.
    pub named: NamedAgent,
    /// Its first word.
    pub at: Span,
    /// Where that begins.
    pub start: LineColumn,
    /// Where that ends.
    pub end: LineColumn,
}

/// The agents that blocks in the policies of an item name, each with the first
/// token of its block.
pub(crate) fn named_agents(top: TopItem<'_>) -> Vec<(NamedAgent, u32)> {
    let mut found = Vec::new();
    match top {
        TopItem::Policy(policy) => in_policy(policy, false, &mut found),
        TopItem::Channel(channel) => in_channel(channel, &mut found),
        TopItem::Agent(agent) => {
            for item in agent.items() {
                match item {
                    AgentItem::Policy(policy) => in_policy(policy, false, &mut found),
                    AgentItem::Channel(channel) => in_channel(channel, &mut found),
                    _ => {}
                }
            }
        }
        _ => {}
    }
    found
}

fn in_channel(channel: ChannelDef<'_>, found: &mut Vec<(NamedAgent, u32)>) {
    for entry in channel.entries() {
        if let BlockItem::Policy(policy) = entry {
            in_policy(policy, true, found);
        }
    }
}

fn in_policy(policy: PolicyDef<'_>, in_channel: bool, found: &mut Vec<(NamedAgent, u32)>) {
    for member in policy.members() {
        let PolicyMember::Block(block) = member else {
            continue;
        };
        if block.key().as_deref() == Some("agent")
            && let Some(name) = block.label()
        {
            let named = NamedAgent {
                name: name.into(),
                in_channel,
            };
            found.push((named, block.node().tokens().start));
        }
    }
}

/// Where the blocks of a file stand that name agents: of each name the first.
pub(crate) fn agent_blocks<'i>(
    text: &str,
    items: impl Iterator<Item = (&'i Item, Span)>,
) -> Vec<AgentBlock> {
    let mut lines = None;
    let mut found: Vec<AgentBlock> = Vec::new();
    for (item, place) in items {
        let named = item.top_item().map(named_agents).unwrap_or_default();
        if named.is_empty() {
            continue;
        }
        let spans = token_spans(text, place);
        let lines = lines.get_or_insert_with(|| LineTable::new(text));
        for (named, token) in named {
            let Some(at) = spans.get(token as usize).copied() else {
                continue;
            };
            found.push(AgentBlock {
                named,
                at,
                start: lines.line_column(text, at.start),
                end: lines.line_column(text, at.end),
            });
        }
    }
    found.sort_by(|a, b| (&a.named, a.at).cmp(&(&b.named, b.at)));
    found.dedup_by(|second, first| second.named == first.named);
    found
}

/// The first block of a list that names an agent in this way.
pub(crate) fn first_block(blocks: &[AgentBlock], named: &NamedAgent) -> Option<AgentBlock> {
    let found = blocks.binary_search_by(|block| block.named.cmp(named)).ok();
    found.map(|at| blocks[at].clone())
}

//! The blocks of an item: keys, types, ranges, relations and references
//! (language.md sections 2.1, 2.2 and 3).
//!
//! Which keys there are is data ([`TABLES`]): the editor, the documents and
//! the reference read the same tables. `entries` reads a block by its table,
//! `values` checks one value against its type, and one module a block knows
//! what its keys mean together.

pub(crate) mod agents;
pub(crate) mod channels;
mod cx;
pub(crate) mod durations;
pub(crate) mod entries;
mod inputs;
mod keys;
pub(crate) mod memories;
pub(crate) mod metadata;
pub(crate) mod naming;
pub(crate) mod numbers;
pub(crate) mod plain;
pub(crate) mod references;
mod sandboxes;
pub(crate) mod schedules;
mod secrets;
mod tables;
pub(crate) mod values;
pub(crate) mod webhooks;

pub(crate) use durations::bare_in_body;
pub(crate) use inputs::holds;
pub use keys::{EXECUTORS, Key, Least, Needed, Table, Unknown, Value, is_managed};
pub use tables::{
    AGENT_BLOCKS, CHANNEL, CONSTRAINTS, DATA_CLASSIFICATION, EXECUTOR, FILTER, MEMORY, METADATA,
    SCHEDULE, SEARCH, TABLES, WEBHOOK, WITH,
};

use symbi_syntax::ast::{AstNode, TopItem};

use crate::findings::{Findings, at_node};
use crate::program::Program;
use cx::Cx;
use entries::Given;
pub(crate) use sandboxes::not_isolated;

/// Checks the blocks that an item is or holds.
pub fn check(program: &dyn Program, top: TopItem<'_>, findings: &mut Findings) {
    let cx = &mut Cx { program, findings };
    match top {
        TopItem::Agent(agent) => agents::check(cx, agent),
        TopItem::Metadata(metadata) => metadata::of_file(cx, metadata),
        TopItem::With(with) => {
            let mut given = Given::default();
            agents::with_block(cx, with, &mut given);
            if let Some(value) = given.value("sandbox") {
                sandboxes::stands(cx, at_node(value.node()), "", Some(value));
            }
        }
        TopItem::Schedule(schedule) => schedules::check(cx, schedule, None),
        TopItem::Channel(channel) => channels::check(cx, channel, false),
        TopItem::Memory(memory) => memories::check(cx, memory, false),
        TopItem::Webhook(webhook) => webhooks::check(cx, webhook, None),
        TopItem::Capabilities(list) => agents::capabilities(cx, list),
        TopItem::Policy(_) | TopItem::Type(_) | TopItem::Function(_) | TopItem::Extern(_) => {}
    }
}

//! Channels (language.md section 3).

use std::collections::BTreeMap;
use std::sync::Arc;

use symbi_ir::{Channel, Constant};
use symbi_syntax::ast::{AstNode, BlockItem, ChannelDef};

use super::constants::{constant, of_key};
use super::cx::{Lowering, Owner};
use super::named::{block, one_of};
use super::policies;
use crate::blocks::channels::{ACTIONS, classified};
use crate::blocks::entries::Given;
use crate::blocks::numbers::as_bool;
use crate::blocks::plain::plain;
use crate::blocks::references::agent_of;
use crate::blocks::values::as_word_of;
use crate::blocks::{CHANNEL, DATA_CLASSIFICATION};
use crate::findings::at_node;

/// The keys that have a field of their own in [`Channel`].
const OWN: [&str; 3] = ["platform", "default_agent", "default_deny"];

/// What becomes of data of a category that says so in no word that there is.
const UNREAD: &str = "block";

/// A channel, in an agent if `owner` is there. Why it is refused is told where
/// all reports are.
pub(crate) fn channel(
    cx: &Lowering<'_>,
    channel: ChannelDef<'_>,
    owner: Option<&Owner>,
) -> Channel {
    let (name, given) = block(&CHANNEL, channel.name(), channel.entries(), owner);
    let agent = given.value("default_agent");
    let target = agent.and_then(|value| agent_of(cx.program, value));
    let deny = given.value("default_deny");
    Channel {
        name,
        at: (cx.span)(at_node(channel.node())),
        platform: match one_of(&CHANNEL, &given, "platform") {
            Ok(Some(word)) => word.into(),
            Ok(None) | Err(()) => "".into(),
        },
        // One in an agent is that agent's, unless it names another.
        default_agent: match (target, given.has("default_agent"), owner) {
            (Some(target), ..) => Some(cx.agent(&target)),
            (None, false, Some(owner)) => Some(cx.own(owner)),
            (None, ..) => None,
        },
        default_deny: deny.is_none_or(|value| as_bool(&plain(value)).unwrap_or(true)),
        settings: settings(&given),
        data_classification: categories(&given),
        policies: policies::of_channel(cx, channel, owner),
        refused: Vec::new(),
    }
}

fn settings(given: &Given<'_>) -> Vec<(Arc<str>, Constant)> {
    let others = given.values().filter(|(key, _)| !OWN.contains(key));
    others
        .map(|(key, value)| {
            let value = match CHANNEL.key(key) {
                Some(known) => of_key(known, value),
                None => constant(value),
            };
            (key.into(), value)
        })
        .collect()
}

fn categories(given: &Given<'_>) -> Vec<(Arc<str>, Arc<str>)> {
    let mut categories: BTreeMap<Arc<str>, Arc<str>> = BTreeMap::new();
    for block in classified(given) {
        let entries = block
            .entries()
            .filter(|item| matches!(item, BlockItem::Entry(_)));
        let block = Given::of(&DATA_CLASSIFICATION, entries);
        for (category, value) in block.values() {
            let action = as_word_of(&plain(value), ACTIONS).unwrap_or(UNREAD);
            categories
                .entry(category.into())
                .or_insert_with(|| action.into());
        }
    }
    categories.into_iter().collect()
}

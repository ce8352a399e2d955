//! Channels (language.md section 3). Their policies are checked with the
//! others.

use symbi_diagnostics::{Diagnostic, blocks as codes};
use symbi_syntax::ast::{AstNode, BlockItem, ChannelDef, NestedBlock};

use super::cx::Cx;
use super::entries::{Given, read};
use super::plain::plain;
use super::tables::{CHANNEL, DATA_CLASSIFICATION};
use super::{naming, references, values};
use crate::findings::at_token;

/// What becomes of data of a category.
pub(crate) const ACTIONS: &[&str] = &["redact", "block", "allow"];

/// The blocks that say what becomes of data.
pub(crate) fn classified<'g, 'i>(
    given: &'g Given<'i>,
) -> impl Iterator<Item = NestedBlock<'i>> + use<'g, 'i> {
    let blocks = given.blocks.iter().copied();
    blocks.filter(|block| block.key().as_deref() == Some("data_classification"))
}

/// A channel, in an agent or at the top level.
pub(super) fn check(cx: &mut Cx<'_>, channel: ChannelDef<'_>, in_agent: bool) {
    let mut given = Given::default();
    let items = naming::entries(
        cx,
        channel.node(),
        channel.name(),
        channel.entries(),
        in_agent,
    );
    read(cx, &CHANNEL, items.into_iter(), &mut given);
    if !given.has("platform") {
        let node = channel.node();
        cx.missing(
            node,
            Diagnostic::new(
                &codes::B0770,
                at_token(node.tokens().start),
                "this channel does not say where it is, and so it reaches nobody",
            )
            .help("write `platform: slack`, `teams` or `mattermost`"),
        );
    }
    if let Some(value) = given.value("default_agent") {
        references::agent(cx, value, "what is asked there is refused");
    }
    if let Some(value) = given.value("channels")
        && let super::plain::Plain::Array(array) = plain(value)
    {
        for element in array.elements() {
            let found = plain(element);
            if found.word().is_none() {
                cx.wrong_type("channels", element, &found, "the names of channels");
            }
        }
    }
    for block in classified(&given) {
        let mut categories = Given::default();
        read(cx, &DATA_CLASSIFICATION, block.entries(), &mut categories);
        for item in block.entries() {
            let BlockItem::Entry(entry) = item else {
                continue;
            };
            if let (Some(category), Some(value)) = (entry.key(), entry.value()) {
                let found = plain(value);
                values::word_of(cx, &category, value, &found, ACTIONS);
            }
        }
    }
}

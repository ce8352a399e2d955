//! Webhooks (language.md section 3).

use symbi_ir::{AgentName, Constant, Filter, Webhook};
use symbi_syntax::ast::{AstNode, WebhookDef};

use super::constants::data;
use super::cx::{Lowering, Owner};
use super::named::{block, one_of, text, texts};
use crate::blocks::entries::Given;
use crate::blocks::plain::{Plain, plain};
use crate::blocks::references::agent_of;
use crate::blocks::webhooks::is_path;
use crate::blocks::{FILTER, WEBHOOK};
use crate::findings::at_node;
use symbi_mini::json_path;

/// A webhook, in an agent if `owner` is there. Why it is refused is told where
/// all reports are.
pub(crate) fn webhook(
    cx: &Lowering<'_>,
    webhook: WebhookDef<'_>,
    owner: Option<&Owner>,
) -> Webhook {
    let (name, given) = block(&WEBHOOK, webhook.name(), webhook.entries(), owner);
    Webhook {
        name,
        at: (cx.span)(at_node(webhook.node())),
        path: text(&given, "path")
            .filter(|path| is_path(path))
            .unwrap_or_default(),
        provider: match one_of(&WEBHOOK, &given, "provider") {
            Ok(Some(word)) => word.into(),
            Ok(None) | Err(()) => "custom".into(),
        },
        secret: secret(&given),
        agent: agent(cx, &given, owner),
        filter: filter(&given),
        refused: Vec::new(),
    }
}

/// A reference, or a text in clear. An empty one is none.
fn secret(given: &Given<'_>) -> Option<Constant> {
    match plain(given.value("secret")?) {
        Plain::Secret(reference) => Some(Constant::Secret(reference.into())),
        Plain::Text(text) | Plain::Word(text) => {
            (!text.trim().is_empty()).then(|| Constant::Text(text.into()))
        }
        _ => None,
    }
}

fn agent(cx: &Lowering<'_>, given: &Given<'_>, owner: Option<&Owner>) -> Option<AgentName> {
    if given.has("agent") {
        let target = agent_of(cx.program, given.value("agent")?)?;
        return Some(cx.agent(&target));
    }
    owner.map(|owner| cx.own(owner))
}

/// The calls that it takes. A filter that cannot be read takes none: no event
/// is one of no events.
fn filter(given: &Given<'_>) -> Option<Filter> {
    if let Some(value) = given.value("filter") {
        return Some(Filter::Events(texts(&plain(value))));
    }
    if !given.has("filter") {
        return None;
    }
    let block = given.blocks.first();
    let read = block.and_then(|block| {
        let filter = Given::of(&FILTER, block.entries());
        let json_path = text(&filter, "json_path").filter(|path| json_path::parse(path).is_ok())?;
        let (equals, contains) = (filter.value("equals"), filter.value("contains"));
        match (equals, contains) {
            (Some(value), None) if !filter.has("contains") => Some(Filter::Equals {
                json_path,
                value: data(value),
            }),
            (None, Some(value)) if !filter.has("equals") => Some(Filter::Contains {
                json_path,
                value: data(value),
            }),
            _ => None,
        }
    });
    Some(read.unwrap_or_else(|| Filter::Events(Vec::new())))
}

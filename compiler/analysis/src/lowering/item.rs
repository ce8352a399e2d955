//! One item as parts of a program. Nothing here knows where the item stands:
//! its places are told by tokens, and [`Item::placed`] turns them into bytes.

use std::collections::BTreeSet;
use std::sync::Arc;

use symbi_diagnostics::Span as Bytes;
use symbi_ir::spans::Places;
use symbi_ir::{
    Agent, Attributes, Capabilities, Channel, Function, Policy, Schedule, Span, Store, Struct,
    Webhook,
};
use symbi_syntax::Place;
use symbi_syntax::ast::{AgentDef, AgentItem, TopItem};

use super::cx::{Lowering, Owner};
use super::functions::Scope;
use super::metadata::Metadata;
use super::secrets::secrets_in;
use super::{attributes, channels, memories, metadata, policies, schedules, webhooks};
use crate::bodies::infer;
use crate::policies::called;
use crate::program::Program;

/// The parts of a program that an item is.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Lowered {
    pub structs: Vec<Struct>,
    pub functions: Vec<Function>,
    pub policies: Vec<Policy>,
    pub agents: Vec<Agent>,
    pub schedules: Vec<Schedule>,
    pub webhooks: Vec<Webhook>,
    pub channels: Vec<Channel>,
    pub memories: Vec<Store>,
    /// What it says about all agents of its file.
    pub metadata: Metadata,
    /// The attributes of the agent without the word `agent`, in an item that
    /// declares one.
    pub attributes: Option<Attributes>,
    /// The capabilities of that agent.
    pub capabilities: Option<Capabilities>,
    /// What it calls by name: functions of the file among them.
    pub calls: BTreeSet<Arc<str>>,
    /// The secrets that stand in it.
    pub secrets: BTreeSet<Arc<str>>,
}

/// Lowers an item.
pub(crate) fn lower(program: &dyn Program, item: &symbi_syntax::Item) -> Lowered {
    let mut found = Lowered::default();
    let Some(top) = item.top_item() else {
        return found;
    };
    let cx = Lowering {
        program,
        span: &by_tokens,
    };
    let inference = infer(program, top);
    let scope = |agent| Scope {
        cx: &cx,
        inference: &inference,
        agent,
    };
    found.calls = called(item.root());
    found.secrets = secrets_in(item.root());
    match top {
        TopItem::Function(function) => found.functions.push(scope(None).function(function)),
        TopItem::Agent(agent) => {
            let owner = Owner::of(agent);
            let lowered = super::agents::agent(&cx, &inference, agent, &owner);
            found.agents.push(lowered);
            found.blocks_of(&cx, agent, &owner);
        }
        TopItem::Type(type_) => found.structs.extend(scope(None).structure(type_)),
        TopItem::Policy(policy) => found.policies.push(policies::of_file(&cx, policy)),
        TopItem::Metadata(block) => {
            found.metadata = metadata::of_file(block);
            found.attributes = Some(attributes::unstated(&cx));
        }
        TopItem::With(with) => found.attributes = Some(attributes::of_file(&cx, with)),
        TopItem::Capabilities(list) => {
            found.capabilities = Some(policies::capabilities_of_file(&cx, list));
            found.attributes = Some(attributes::unstated(&cx));
        }
        TopItem::Schedule(one) => found.schedules.push(schedules::schedule(&cx, one, None)),
        TopItem::Webhook(one) => found.webhooks.push(webhooks::webhook(&cx, one, None)),
        TopItem::Channel(one) => found.channels.push(channels::channel(&cx, one, None)),
        TopItem::Memory(one) => found.memories.push(memories::memory(&cx, one, None)),
        TopItem::Extern(_) => {}
    }
    found
}

/// A place as tokens: the number of the first, and how many are behind it.
fn by_tokens(place: Place) -> Span {
    let (first, last) = match place {
        Place::Tokens(first, last) => (first, last),
        Place::After(token) | Place::Before(token) | Place::Within(token, ..) => (token, token),
        Place::Between(first, last) => (first, last),
    };
    Span {
        start: first,
        length: last.saturating_sub(first),
    }
}

impl Lowered {
    /// The schedules, webhooks, channels and memories of an agent.
    fn blocks_of(&mut self, cx: &Lowering<'_>, agent: AgentDef<'_>, owner: &Owner) {
        let owner = Some(owner);
        for item in agent.items() {
            match item {
                AgentItem::Schedule(one) => {
                    self.schedules.push(schedules::schedule(cx, one, owner));
                }
                AgentItem::Webhook(one) => self.webhooks.push(webhooks::webhook(cx, one, owner)),
                AgentItem::Channel(one) => self.channels.push(channels::channel(cx, one, owner)),
                AgentItem::Memory(one) => self.memories.push(memories::memory(cx, one, owner)),
                _ => {}
            }
        }
    }

    /// The same with places in bytes, given where each token of the item
    /// stands.
    pub(crate) fn placed(&self, tokens: &[Bytes]) -> Lowered {
        let mut placed = self.clone();
        let at = |token: u32| tokens.get(token as usize).or(tokens.last()).copied();
        let each = &mut |span: &mut Span| {
            let first = at(span.start);
            let last = at(span.start.saturating_add(span.length));
            *span = match first.zip(last) {
                Some((first, last)) => Span {
                    start: first.start,
                    length: last.end.saturating_sub(first.start),
                },
                None => Span::default(),
            };
        };
        placed.structs.each_span(each);
        placed.functions.each_span(each);
        placed.policies.each_span(each);
        placed.agents.each_span(each);
        if let Some(list) = &mut placed.capabilities {
            each(&mut list.at);
        }
        placed.schedules.each_span(each);
        placed.webhooks.each_span(each);
        placed.channels.each_span(each);
        placed.memories.each_span(each);
        placed
    }
}

//! The blocks of an agent, and what several of them mean together.

use std::collections::HashMap;
use std::collections::hash_map::Entry::{Occupied, Vacant};
use std::sync::Arc;

use symbi_diagnostics::across::N0250;
use symbi_diagnostics::{Diagnostic, Edit, blocks as codes};
use symbi_syntax::ast::{
    AgentDef, AgentItem, AstNode, Block, BlockItem, CapabilitiesDef, Capability, Entry, Expr, Name,
    Stmt, WithBlock, WithBody,
};
use symbi_syntax::{NodeRef, Place, SyntaxKind};

use super::cx::{Cx, misspelt, quoted};
use super::entries::{self, Given, key_place, second};
use super::keys::{Table, Unknown};
use super::metadata::Own;
use super::plain::{computed_part, plain};
use super::references::Target;
use super::tables::{AGENT_BLOCKS, CONSTRAINTS, WITH};
use super::{channels, memories, schedules, values, webhooks};
use crate::declaration::{Declaration, Kind, Param, named_block, param};
use crate::findings::{at_name, at_node, at_token};
use crate::suggest::nearest;

/// An agent, for messages.
static AGENT: Table = Table {
    name: "agent",
    keys: &[],
    blocks: &[],
    unknown: Unknown::Warning,
};

/// Checks an agent's blocks.
pub(super) fn check(cx: &mut Cx<'_>, agent: AgentDef<'_>) {
    let params: Vec<Param> = agent
        .params()
        .map(|params| params.filter_map(param).collect())
        .unwrap_or_default();
    let executable = agent.items().any(|item| match item {
        AgentItem::With(with) => body_of(with).is_some(),
        _ => false,
    });
    let name = agent.name();
    let owner = Target {
        name: name.map_or_else(Default::default, |name| (&*name.text()).into()),
        talks: !executable && params.is_empty(),
        params: params.into(),
        file: cx.program.file(),
    };
    let mut attributes = Given::default();
    let mut constraints = Given::default();
    let mut own = Own::default();
    let mut body: Option<Place> = None;
    let mut capabilities: Option<CapabilitiesDef<'_>> = None;
    let mut named = Named::default();
    for item in agent.items() {
        match item {
            AgentItem::With(with) => {
                with_block(cx, with, &mut attributes);
                second_body(cx, with, &mut body);
            }
            AgentItem::Entry(entry) => stray(cx, entry, &mut attributes),
            AgentItem::Block(block) => {
                if let Some(report) = entries::agent_block(&AGENT, AGENT_BLOCKS, block) {
                    cx.report(report);
                }
                super::secrets::in_block(cx, block);
            }
            AgentItem::Metadata(metadata) => own.metadata(cx, metadata),
            AgentItem::Executor(executor) => own.executor(cx, executor),
            AgentItem::Constraints(block) => {
                entries::read(cx, &CONSTRAINTS, block.entries(), &mut constraints);
            }
            AgentItem::Schedule(schedule) => {
                let (name, entries) = (schedule.name(), Box::new(schedule.entries()));
                named.second(cx, Kind::Schedule, schedule.node(), name, entries);
                schedules::check(cx, schedule, Some(&owner));
            }
            AgentItem::Webhook(webhook) => {
                let (name, entries) = (webhook.name(), Box::new(webhook.entries()));
                named.second(cx, Kind::Webhook, webhook.node(), name, entries);
                webhooks::check(cx, webhook, Some(&owner));
            }
            AgentItem::Memory(memory) => {
                let (name, entries) = (memory.name(), Box::new(memory.entries()));
                named.second(cx, Kind::Memory, memory.node(), name, entries);
                memories::check(cx, memory, true);
            }
            AgentItem::Channel(channel) => {
                let (name, entries) = (channel.name(), Box::new(channel.entries()));
                named.second(cx, Kind::Channel, channel.node(), name, entries);
                channels::check(cx, channel, true);
            }
            AgentItem::Capabilities(list) => {
                self::capabilities(cx, list);
                match capabilities {
                    None => capabilities = Some(list),
                    Some(first) => second_list(cx, list, first),
                }
            }
            AgentItem::Policy(_) | AgentItem::Function(_) | AgentItem::Type(_) => {}
        }
    }
    own.check(cx, agent.name().map(at_name));
    super::sandboxes::of_agent(cx, agent, attributes.value("sandbox"));
}

/// The blocks of an agent by their kind and name; one without a name has the
/// agent's.
#[derive(Default)]
struct Named(HashMap<(Kind, Option<Arc<str>>), Place>);

impl Named {
    /// Notes a block; reports it if there is one of its kind and name already.
    fn second<'i>(
        &mut self,
        cx: &mut Cx<'_>,
        kind: Kind,
        node: NodeRef<'i>,
        name: Option<Name<'i>>,
        entries: Box<dyn Iterator<Item = BlockItem<'i>> + 'i>,
    ) {
        let at = name.map_or_else(|| at_token(node.tokens().start), at_name);
        let own = match named_block(kind, name, entries) {
            Declaration::Block { name, .. } => name,
            _ => None,
        };
        let word = kind.word();
        let called = match &own {
            Some(name) => quoted(name),
            None => "without a name".to_owned(),
        };
        match self.0.entry((kind, own)) {
            Vacant(entry) => {
                entry.insert(at);
            }
            Occupied(first) => cx.report(
                Diagnostic::new(
                    &N0250,
                    at,
                    format!("there is a second {word} {called} in this agent"),
                )
                .note(*first.get(), "the first one is here")
                .help(format!("give each {word} a name of its own")),
            ),
        }
    }
}

/// The attributes of an agent, those outside of `with` too, without a word about
/// them.
pub(crate) fn attributes_of(agent: AgentDef<'_>) -> Given<'_> {
    let mut given = Given::default();
    for item in agent.items() {
        match item {
            AgentItem::With(with) => given.add(&WITH, entries_of(with)),
            AgentItem::Entry(entry) if is_attribute(entry) => {
                given.add(&WITH, std::iter::once(BlockItem::Entry(entry)));
            }
            _ => {}
        }
    }
    given
}

/// The attributes of a block at the top level, without a word about them.
pub(crate) fn attributes_in(with: WithBlock<'_>) -> Given<'_> {
    Given::of(&WITH, entries_of(with))
}

fn entries_of(with: WithBlock<'_>) -> impl Iterator<Item = BlockItem<'_>> {
    with.attributes().map(BlockItem::Entry)
}

/// Whether an entry of an agent is an attribute outside of `with`.
fn is_attribute(entry: Entry<'_>) -> bool {
    entry.key().is_some_and(|name| WITH.key(&name).is_some())
}

/// The attributes of a with block, which join those of others.
pub(super) fn with_block<'i>(cx: &mut Cx<'_>, with: WithBlock<'i>, given: &mut Given<'i>) {
    let mut header = false;
    for attribute in with.attributes() {
        header = true;
        entries::entry(cx, &WITH, attribute, given);
    }
    let blocks = with.blocks().map(BlockItem::Block);
    entries::read(cx, &WITH, blocks, given);
    if let (false, Some(WithBody::Statements(block))) = (header, with.body()) {
        attribute_in_body(cx, block);
    }
}

/// `with { timeout = 5s; return 1; }`: what looks like an attribute is an
/// assignment there.
fn attribute_in_body(cx: &mut Cx<'_>, body: Block<'_>) {
    let mut statements = body.statements();
    let Some((name, _)) = statements.next().and_then(assignment) else {
        return;
    };
    let text = name.text();
    if WITH.key(&text).is_some() {
        cx.report(
            Diagnostic::new(
                &codes::B0727,
                at_name(name),
                format!(
                    "`{text}` is a variable here, not an attribute: these braces hold statements"
                ),
            )
            .help(format!(
                "write `with {text} = … {{ … }}` for the attribute, or give the variable another \
                 name"
            )),
        );
        return;
    }
    // `with { sandbx = "gvisor"; }` is no body that anybody wants.
    let keys = WITH.keys.iter().map(|key| key.name);
    let Some(known) = nearest(&text, keys) else {
        return;
    };
    let plain_value = |value| computed_part(value).is_none();
    let settings = body.value().is_none()
        && body
            .statements()
            .all(|statement| assignment(statement).is_some_and(|(_, value)| plain_value(value)));
    if settings {
        let at = at_name(name);
        let message = format!("{} is no attribute of `with`", quoted(&text));
        cx.report(misspelt(&codes::B0701, at, message, known));
    }
}

/// `name = value;`.
fn assignment(statement: Stmt<'_>) -> Option<(Name<'_>, Expr<'_>)> {
    let Stmt::Assign(assign) = statement else {
        return None;
    };
    let Some(Expr::Name(target)) = assign.target() else {
        return None;
    };
    let plain = assign.sign() == Some(SyntaxKind::Eq);
    Some((target.name().filter(|_| plain)?, assign.value()?))
}

/// Its body, if there is something in it.
fn body_of(with: WithBlock<'_>) -> Option<Block<'_>> {
    match with.body() {
        Some(WithBody::Statements(block)) if !block.is_empty() => Some(block),
        _ => None,
    }
}

/// A second body that is not empty.
fn second_body(cx: &mut Cx<'_>, with: WithBlock<'_>, body: &mut Option<Place>) {
    if body_of(with).is_none() {
        return;
    }
    let at = at_token(with.node().tokens().start);
    match body {
        None => *body = Some(at),
        Some(first) => cx.report(
            Diagnostic::new(
                &codes::B0729,
                at,
                "an agent has one body, and this is a second one: it is refused on every route \
                 that runs it",
            )
            .note(*first, "the first body stands here")
            .help("join the two, or make one of them a function"),
        ),
    }
}

/// `key = v` in an agent: an attribute outside of `with`.
fn stray<'i>(cx: &mut Cx<'_>, entry: Entry<'i>, attributes: &mut Given<'i>) {
    let Some(name) = entry.key() else { return };
    let tokens = entry.node().tokens();
    let whole = at_node(entry.node());
    if ["allow", "deny", "require", "audit"].contains(&&*name) {
        let report = Diagnostic::new(
            &codes::B0705,
            whole,
            format!(
                "{} is a rule, and rules hold in a policy only",
                quoted(&name)
            ),
        );
        // `if` and what follows it have not been read as a part of the rule.
        let read = entry.node().item().token_kind(tokens.end) != SyntaxKind::IfKw;
        cx.report(match read {
            false => report.help("put it in a `policy name { … }`"),
            true => report.fix(
                "put it in a policy",
                vec![
                    Edit {
                        at: Place::Before(tokens.start),
                        text: "policy rules { ".to_owned(),
                    },
                    Edit {
                        at: Place::After(tokens.end.saturating_sub(1)),
                        text: " }".to_owned(),
                    },
                ],
            ),
        });
        return;
    }
    if is_attribute(entry) {
        entries::entry(cx, &WITH, entry, attributes);
        let item = entry.node().item();
        let sign = entry.sign().map_or(Place::After(tokens.start), at_token);
        let sign_text = match entry.sign() {
            Some(token) if item.token_kind(token) == SyntaxKind::Eq => None,
            Some(_) => Some("="),
            None => Some(" ="),
        };
        let mut edits = vec![Edit {
            at: Place::Before(tokens.start),
            text: "with { ".to_owned(),
        }];
        edits.extend(sign_text.map(|text| Edit {
            at: sign,
            text: text.to_owned(),
        }));
        edits.push(Edit {
            at: Place::After(tokens.end.saturating_sub(1)),
            text: " }".to_owned(),
        });
        cx.report(
            Diagnostic::new(
                &codes::B0728,
                key_place(entry),
                format!("`{name}` is an attribute, and those stand in `with`"),
            )
            .label("read as if it stood there")
            .fix("put it in a `with`", edits),
        );
        return;
    }
    let names = WITH.keys.iter().map(|key| key.name);
    let at = key_place(entry);
    if let Some(known) = nearest(&name, names.chain(AGENT_BLOCKS.iter().copied())) {
        let message = format!("{} is nothing that an agent has", quoted(&name));
        cx.report(misspelt(&codes::B0701, at, message, known));
        return;
    }
    if let Some(value) = entry.value()
        && values::written_out(cx, value)
    {
        super::secrets::in_clear(cx, "agent", &name, value);
    }
    cx.report(
        Diagnostic::new(
            &codes::B0703,
            at,
            format!("nothing reads {} in an agent", quoted(&name)),
        )
        .help("leave it out, or write it in the agent's `metadata` as documentation"),
    );
}

/// The elements of a list of capabilities.
pub(super) fn capabilities(cx: &mut Cx<'_>, list: CapabilitiesDef<'_>) {
    for capability in list.entries() {
        let Capability::Listed(value) = capability else {
            continue;
        };
        let found = plain(value);
        if found.word().is_none() && values::written_out(cx, value) {
            cx.wrong_type("capabilities", value, &found, "the names of capabilities");
        }
    }
}

/// A second list of capabilities.
fn second_list(cx: &mut Cx<'_>, list: CapabilitiesDef<'_>, first: CapabilitiesDef<'_>) {
    let texts = |list: CapabilitiesDef<'_>| {
        let mut texts: Vec<String> = list
            .entries()
            .into_iter()
            .map(|entry| entry.text().unwrap_or_default())
            .collect();
        texts.sort();
        texts
    };
    let (at, before) = (at_node(list.node()), at_node(first.node()));
    if texts(list) == texts(first) {
        cx.report(second("capabilities", "", at, before, true));
        return;
    }
    cx.report(
        Diagnostic::new(
            &codes::B0730,
            at,
            "an agent has one list of capabilities, and this is another one",
        )
        .note(before, "the first list stands here")
        .help("join the two lists"),
    );
}

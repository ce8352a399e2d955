//! How agents are isolated and limited (language.md sections 3 and 5).

use std::collections::BTreeMap;
use std::sync::Arc;

use symbi_ir::{Attributes, Constant, Memory, Network, Tier};
use symbi_syntax::ast::{AgentDef, WithBlock};

use super::constants::{constant, int, of_key};
use super::cx::Lowering;
use super::program::tier;
use crate::blocks::agents::{attributes_in, attributes_of};
use crate::blocks::entries::Given;
use crate::blocks::numbers::{as_int, as_number, as_size};
use crate::blocks::plain::plain;
use crate::blocks::values::{Reached, as_network, as_tier};
use crate::blocks::{WITH, durations, references};

/// The keys that have a field of their own in [`Attributes`].
const OWN: [&str; 13] = [
    "sandbox",
    "timeout",
    "memory",
    "max_memory_mb",
    "max_memory",
    "max_cpu_cores",
    "network_policy",
    "max_iterations",
    "max_tokens",
    "budget_tokens",
    "max_concurrent",
    "model",
    "temperature",
];

/// The attributes of an agent.
pub(crate) fn of_agent(cx: &Lowering<'_>, agent: AgentDef<'_>) -> Attributes {
    attributes(cx, &attributes_of(agent))
}

/// Those of an agent that states none.
pub(crate) fn unstated(cx: &Lowering<'_>) -> Attributes {
    attributes(cx, &Given::default())
}

/// Attributes at the top level, of the agent without the word `agent`.
pub(crate) fn of_file(cx: &Lowering<'_>, with: WithBlock<'_>) -> Attributes {
    attributes(cx, &attributes_in(with))
}

/// Attributes of several blocks at the top level. Of two that are stated the
/// first counts; of two limits to memory the lower one holds.
pub(crate) fn together(first: Attributes, more: Attributes) -> Attributes {
    let mut others: BTreeMap<_, _> = more.others.into_iter().collect();
    others.extend(first.others);
    let (stated, sandbox) = match first.sandbox_stated || !more.sandbox_stated {
        true => (first.sandbox_stated, first.sandbox),
        false => (true, more.sandbox),
    };
    Attributes {
        sandbox,
        sandbox_stated: stated,
        timeout: first.timeout.or(more.timeout),
        memory: match first.memory {
            Memory::Ephemeral => more.memory,
            stated => stated,
        },
        max_memory: first.max_memory.into_iter().chain(more.max_memory).min(),
        max_cpu_cores: first.max_cpu_cores.or(more.max_cpu_cores),
        network: match first.network {
            Network::DenyAll => more.network,
            stated => stated,
        },
        max_iterations: first.max_iterations.or(more.max_iterations),
        max_tokens: first.max_tokens.or(more.max_tokens),
        budget_tokens: first.budget_tokens.or(more.budget_tokens),
        max_concurrent: first.max_concurrent.or(more.max_concurrent),
        model: first.model.or(more.model),
        temperature: first.temperature.or(more.temperature),
        others: others.into_iter().collect(),
    }
}

fn attributes(cx: &Lowering<'_>, given: &Given<'_>) -> Attributes {
    let found = |key| given.value(key).map(plain);
    let count = |key| found(key).and_then(|found| int(as_int(&found)?));
    let number = |key| found(key).and_then(|found| as_number(&found));
    let stated = found("sandbox");
    let sandbox = match stated.as_ref().map(as_tier) {
        // A word that is no tier is an error; nothing is stronger than this.
        Some(None) => Tier::Firecracker,
        Some(Some(stated)) => tier(stated),
        None => tier(cx.program.sandbox().effective(None)),
    };
    Attributes {
        sandbox,
        sandbox_stated: stated.is_some(),
        timeout: found("timeout").and_then(|found| int(durations::nanos(&found)?)),
        memory: memory(cx, given),
        max_memory: max_memory(given),
        max_cpu_cores: number("max_cpu_cores"),
        network: found("network_policy").map_or(Network::DenyAll, |found| {
            match as_network(&found) {
                Some(Reached::Everything) => Network::AllowAll,
                Some(Reached::Places(places)) => {
                    let texts = places.iter().map(|place| place.to_string().into());
                    Network::Hosts(texts.collect())
                }
                Some(Reached::Nothing) | None => Network::DenyAll,
            }
        }),
        max_iterations: count("max_iterations"),
        max_tokens: count("max_tokens"),
        budget_tokens: count("budget_tokens"),
        max_concurrent: count("max_concurrent"),
        model: found("model").and_then(|found| Some(found.word()?.into())),
        temperature: number("temperature"),
        others: others(given),
    }
}

/// Of two limits the lower one holds.
fn max_memory(given: &Given<'_>) -> Option<i64> {
    let bytes = given.value("max_memory");
    let bytes = bytes.and_then(|value| as_size(&plain(value)));
    let megabytes = given.value("max_memory_mb");
    let megabytes = megabytes.and_then(|value| as_int(&plain(value))?.checked_mul(1 << 20));
    int(bytes.into_iter().chain(megabytes).min()?)
}

/// An agent that names a memory which is not there keeps nothing.
fn memory(cx: &Lowering<'_>, given: &Given<'_>) -> Memory {
    let found = given.value("memory").map(plain);
    match found.as_ref().and_then(|found| found.word()) {
        Some("persistent") => Memory::Persistent,
        Some("ephemeral") | None => Memory::Ephemeral,
        Some(name) if references::is_memory(cx.program, name) => Memory::Block(name.into()),
        Some(_) => Memory::Ephemeral,
    }
}

fn others(given: &Given<'_>) -> Vec<(Arc<str>, Constant)> {
    let others = given.values().filter(|(key, _)| !OWN.contains(key));
    others
        .map(|(key, value)| {
            let value = match WITH.key(key) {
                Some(known) => of_key(known, value),
                None => constant(value),
            };
            (key.into(), value)
        })
        .collect()
}

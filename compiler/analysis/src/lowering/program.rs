//! Modules and what stands beside them as a program.

use std::sync::Arc;

use symbi_ir::{
    CedarFile, EffectRow, IR_VERSION, Module, Program, Sandbox, Sha256, Tier, Tool, Waived,
};
use symbi_project::Tier as Written;

use crate::policies::{builtins, params_of};
use crate::settings::Settings;
use crate::stdlib::{FunctionFacts, SOURCES, Stdlib};

/// The checked program of these modules: files that have no errors, with the
/// tools and the Cedar policies of their project. The order in which they are
/// given does not matter.
pub fn program(
    settings: &Settings,
    mut modules: Vec<Arc<Module>>,
    mut tools: Vec<Tool>,
    mut cedar: Vec<CedarFile>,
) -> Program {
    modules.sort_by(|a, b| a.path.cmp(&b.path));
    tools.sort_by(|a, b| a.name.cmp(&b.name));
    cedar.sort_by(|a, b| a.path.cmp(&b.path));
    let waived = settings.waived.iter().map(|(code, name)| Waived {
        code: code.clone(),
        name: name.clone(),
    });
    let effects = builtins().map(|(name, _)| EffectRow {
        name: name.into(),
        params: params_of(name).into_iter().map(Arc::from).collect(),
    });
    let driver = Stdlib::get().effects.get("driver");
    let mut drivers = driver
        .map(|driver| driver.one_of.clone())
        .unwrap_or_default();
    drivers.sort();
    let functions = Stdlib::get().functions.iter();
    let delegates = |facts: &FunctionFacts| {
        let effect = facts.effect.as_deref();
        effect.is_some_and(|effect| effect.starts_with("delegate::"))
    };
    let delegating = functions
        .filter(|(_, all)| all.iter().any(|one| delegates(&one.facts)))
        .map(|(name, _)| Arc::from(name));
    let mut delegating: Vec<Arc<str>> = delegating.collect();
    delegating.sort();
    Program {
        version: IR_VERSION,
        stdlib: stdlib(),
        effects: effects.collect(),
        drivers,
        delegating,
        sandbox: Sandbox {
            tier: settings.sandbox.tier.map(tier),
            minimum: settings.sandbox.minimum.map(tier),
        },
        waived: waived.collect(),
        modules,
        tools,
        cedar,
    }
}

/// The hash of the standard library: of each file its name, its length and its
/// text, in the order of their names.
fn stdlib() -> Sha256 {
    let mut sources: Vec<_> = SOURCES.iter().collect();
    sources.sort_by_key(|source| source.name);
    let mut bytes = Vec::new();
    for source in sources {
        bytes.extend_from_slice(source.name.as_bytes());
        bytes.push(0);
        bytes.extend_from_slice(&(source.text.len() as u64).to_le_bytes());
        bytes.extend_from_slice(source.text.as_bytes());
    }
    Sha256::of(&bytes)
}

/// A tier as the host knows it.
pub(super) fn tier(tier: Written) -> Tier {
    match tier {
        Written::None => Tier::None,
        Written::E2b => Tier::E2b,
        Written::Landlock => Tier::Landlock,
        Written::Docker => Tier::Docker,
        Written::Gvisor => Tier::Gvisor,
        Written::Firecracker => Tier::Firecracker,
    }
}

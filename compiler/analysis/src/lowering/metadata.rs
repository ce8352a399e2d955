//! What agents say about themselves (language.md sections 2.2 and 3).

use std::collections::BTreeMap;
use std::sync::Arc;

use symbi_ir::Constant;
use symbi_syntax::ast::{AgentDef, Expr, MetadataBlock};

use super::constants::{constant, of_key};
use crate::blocks::entries::Given;
use crate::blocks::metadata::Own;
use crate::blocks::{METADATA, is_managed};

/// Metadata by its keys.
pub(crate) type Metadata = BTreeMap<Arc<str>, Constant>;

/// What a block at the top level says about all agents of its file.
pub(crate) fn of_file(block: MetadataBlock<'_>) -> Metadata {
    let given = Given::of(&METADATA, block.entries());
    let mut metadata = Metadata::new();
    add(&mut metadata, given.values());
    metadata
}

/// What an agent says about itself, in its metadata and its executor.
pub(crate) fn of_agent(agent: AgentDef<'_>) -> Metadata {
    let own = Own::of(agent);
    let mut metadata = Metadata::new();
    add(&mut metadata, own.values());
    metadata
}

fn add<'k, 'i>(metadata: &mut Metadata, values: impl Iterator<Item = (&'k str, Expr<'i>)>) {
    for (key, value) in values {
        metadata
            .entry(key.into())
            .or_insert_with(|| match METADATA.key(key) {
                Some(known) => of_key(known, value),
                None => constant(value),
            });
    }
}

/// The metadata of an agent: its own, then that of its file.
pub(crate) fn together(own: &[(Arc<str>, Constant)], file: &Metadata) -> Vec<(Arc<str>, Constant)> {
    let mut all = file.clone();
    all.extend(own.iter().cloned());
    all.into_iter().collect()
}

/// The managed driver that metadata names.
pub(crate) fn driver(metadata: &Metadata) -> Option<Arc<str>> {
    match metadata.get("executor")? {
        Constant::Text(name) if is_managed(name) => Some(name.clone()),
        _ => None,
    }
}

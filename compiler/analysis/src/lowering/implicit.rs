//! The agent of a file without the word `agent` (language.md section 2.2).

use std::collections::BTreeSet;
use std::sync::Arc;

use symbi_ir::{Agent, Capabilities, Function, Span, Type, principal};

use super::attributes;
use super::item::Lowered;
use super::metadata::{Metadata, driver};

/// The agent that these items of a file declare together, of this name; `None`
/// if they declare none. Its metadata is that of its file.
pub(super) fn agent<'f>(
    name: &Arc<str>,
    at: Span,
    items: impl Iterator<Item = &'f Lowered>,
    capabilities: Option<Capabilities>,
    metadata: &Metadata,
) -> Option<Agent> {
    let mut own = None;
    let mut secrets: BTreeSet<Arc<str>> = BTreeSet::new();
    for item in items {
        let Some(more) = item.attributes.clone() else {
            continue;
        };
        secrets.extend(item.secrets.iter().cloned());
        own = Some(match own {
            None => more,
            Some(first) => attributes::together(first, more),
        });
    }
    Some(Agent {
        principal: principal(name).into(),
        entry: Function {
            name: name.clone(),
            at,
            params: Vec::new(),
            result: Type::Any,
            code: Default::default(),
        },
        span: Span::default(),
        functions: Vec::new(),
        structs: Vec::new(),
        metadata: Vec::new(),
        driver: driver(metadata),
        capabilities,
        policies: Vec::new(),
        attributes: own?,
        secrets: secrets.into_iter().collect(),
        declaration: None,
        admission: Vec::new(),
    })
}

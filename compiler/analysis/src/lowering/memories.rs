//! Memories (language.md section 3).

use symbi_ir::{Search, Store};
use symbi_syntax::ast::{AstNode, MemoryDef};

use super::constants::int;
use super::cx::{Lowering, Owner};
use super::named::{block, text};
use crate::blocks::entries::Given;
use crate::blocks::memories::weight_of;
use crate::blocks::plain::plain;
use crate::blocks::{MEMORY, SEARCH, durations};
use crate::findings::at_node;

/// 90 days in nanoseconds.
const RETENTION: i64 = 90 * 86_400 * 1_000_000_000;

/// A memory, in an agent if `owner` is there.
pub(crate) fn memory(cx: &Lowering<'_>, memory: MemoryDef<'_>, owner: Option<&Owner>) -> Store {
    let (name, given) = block(&MEMORY, memory.name(), memory.entries(), owner);
    let retention = given.value("retention");
    let retention = retention.and_then(|value| int(durations::nanos(&plain(value))?));
    let search = given.blocks.first();
    Store {
        name,
        at: (cx.span)(at_node(memory.node())),
        agent: owner.map(|owner| owner.name.clone()),
        // The only one that there is.
        store: "markdown".into(),
        path: text(&given, "path"),
        retention: retention.unwrap_or(RETENTION),
        search: search.map_or_else(Search::default, |block| {
            let search = Given::of(&SEARCH, block.entries());
            let default = Search::default();
            let weight = |key, default| weight_of(&search, key, default).unwrap_or(default);
            Search {
                vector_weight: weight("vector_weight", default.vector_weight),
                keyword_weight: weight("keyword_weight", default.keyword_weight),
            }
        }),
    }
}

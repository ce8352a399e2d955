//! Memories (language.md section 3).

use symbi_diagnostics::blocks as codes;
use symbi_syntax::ast::{AstNode, Expr, MemoryDef};

use super::cx::{Cx, at_value, quoted};
use super::entries::{Given, head_place, read};
use super::naming;
use super::numbers::as_number;
use super::plain::plain;
use super::tables::{MEMORY, SEARCH};

/// A memory, in an agent or at the top level.
pub(super) fn check(cx: &mut Cx<'_>, memory: MemoryDef<'_>, in_agent: bool) {
    let mut given = Given::default();
    let items = naming::entries(cx, memory.node(), memory.name(), memory.entries(), in_agent);
    read(cx, &MEMORY, items.into_iter(), &mut given);
    if let Some(value) = given.value("path") {
        folder(cx, value);
    }
    for block in &given.blocks {
        let mut search = Given::default();
        read(cx, &SEARCH, block.entries(), &mut search);
        let vector = weight_of(&search, "vector_weight", 0.7);
        let keyword = weight_of(&search, "keyword_weight", 0.3);
        let (Some(vector), Some(keyword)) = (vector, keyword) else {
            continue;
        };
        let in_range = |weight: f64| (0.0..=1.0).contains(&weight);
        if in_range(vector) && in_range(keyword) && (vector + keyword - 1.0).abs() > 1e-6 {
            let sum = format!("{:.3}", vector + keyword);
            let sum = sum.trim_end_matches('0').trim_end_matches('.');
            cx.report(
                symbi_diagnostics::Diagnostic::new(
                    &codes::B0762,
                    head_place(*block),
                    format!("the weights of this search add up to {sum}, not to 1"),
                )
                .help(
                    "`vector_weight` is 0.7 and `keyword_weight` 0.3 where they are left out; \
                     what is found is ranked by their relation",
                ),
            );
        }
    }
}

/// A weight of a search; `None` for one that cannot be read.
pub(crate) fn weight_of(search: &Given<'_>, key: &str, default: f64) -> Option<f64> {
    match search.value(key) {
        Some(value) => as_number(&plain(value)),
        None if search.has(key) => None,
        None => Some(default),
    }
}

/// Where the folder of a memory leads.
fn folder(cx: &mut Cx<'_>, value: Expr<'_>) {
    let found = plain(value);
    let Some(path) = found.word() else { return };
    let drive = path.as_bytes().get(1) == Some(&b':');
    if path.starts_with(['/', '\\', '~']) || drive {
        cx.report(
            at_value(
                &codes::B0761,
                value,
                format!(
                    "{} is not under the project: the agent is refused where it runs",
                    quoted(path)
                ),
            )
            .help("write a path in the project, such as `\"data/notes\"`"),
        );
        return;
    }
    let mut depth: i64 = 0;
    for part in path.split(['/', '\\']) {
        match part {
            "" | "." => {}
            ".." => depth -= 1,
            _ => depth += 1,
        }
        if depth < 0 {
            cx.report(
                at_value(
                    &codes::B0760,
                    value,
                    format!("{} leads out of the project", quoted(path)),
                )
                .help("write a path in the project, such as `\"data/notes\"`"),
            );
            return;
        }
    }
}

//! Agents that are refused because a block in a policy names them: `agent x { … }`.
//!
//! Which agent a name means: one that the file of the policy declares by it, else
//! all that the project does. A second agent of a name must not admit the first.
//! What a file calls its only agent counts where it leads to that one alone
//! (language.md section 2.1).

use std::collections::HashMap;
use std::sync::Arc;

use symbi_diagnostics::{Diagnostic, Span, policies};
use symbi_syntax::token_spans;

use super::routes::{Route, Routes};
use super::{AgentAdmission, Elsewhere, Reason};
use crate::assemble::Checked;
use crate::policies::{NamedAgent, named_agents};
use crate::program::Program;
use crate::settings::Settings;

/// What a waiver of such a block is called.
const WORD: &str = "agent";

impl NamedAgent {
    /// The routes that a block refuses.
    pub(super) fn routes(&self) -> Routes {
        match self.in_channel {
            true => Routes::of(&[Route::Chat]),
            false => Routes::ALL,
        }
    }
}

/// The names that lead to an agent of a file with so many.
pub(super) fn names(
    program: &dyn Program,
    path: &str,
    agent: &AgentAdmission,
    count: usize,
) -> Vec<Arc<str>> {
    let mut names = vec![agent.name.clone()];
    if let (1, Some(stem)) = (count, crate::exports::stem(path))
        && stem != agent.name
        && program.agent_entries(&stem).count == 1
    {
        names.push(stem);
    }
    names
}

/// The blocks of a file that name agents, each by where it begins.
pub(super) fn own(text: &str, items: &[Checked<'_>]) -> HashMap<u32, NamedAgent> {
    let mut found = HashMap::new();
    for checked in items {
        let named = checked.item.top_item().map(named_agents);
        let named = named.filter(|named| !named.is_empty());
        let Some(named) = named else { continue };
        let spans = token_spans(text, checked.span);
        found.extend(named.into_iter().filter_map(|(named, token)| {
            let at = spans.get(token as usize)?;
            Some((at.start, named))
        }));
    }
    found
}

/// The reasons that lie in policies of other files.
pub(super) fn elsewhere(
    program: &dyn Program,
    names: &[Arc<str>],
    at: Span,
    settings: &Settings,
) -> Vec<Reason> {
    let mut reasons = Vec::new();
    if settings.waives(&policies::P0405, WORD) {
        return reasons;
    }
    let own = program.file();
    for name in names {
        for in_channel in [false, true] {
            let named = NamedAgent {
                name: name.clone(),
                in_channel,
            };
            let files = program.naming_files(&named).first;
            for file in files.into_iter().filter(|file| *file != own) {
                let Some(block) = program.agent_block(file, &named) else {
                    continue;
                };
                let path = program.file_name(file);
                let message = format!(
                    "nothing enforces the block `agent {name}` in a policy at \
                     {path}:{}:{}",
                    block.start.line, block.start.column
                );
                reasons.push(Reason {
                    routes: named.routes(),
                    report: Diagnostic::new(&policies::P0405, at, message)
                        .help("write the rules in a policy of this agent"),
                    waived_as: Some(WORD.to_owned()),
                    elsewhere: Some(Elsewhere { path, block }),
                });
            }
        }
    }
    reasons
}

//! What a file offers to the others of its project: names without places.

use std::path::Path;
use std::sync::Arc;

use crate::declaration::{Declaration, Kind};
use crate::policies::NamedAgent;
use crate::program::FileAgents;

/// A name by which others can reach an agent of a file.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct AgentExport {
    /// The name.
    pub name: Arc<str>,
    /// The declared name of the agent that it leads to; `None` for the one
    /// that a file without the word `agent` declares.
    pub declared: Option<Arc<str>>,
}

/// What a file offers. Sorted, so that moving a declaration changes nothing.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Exports {
    /// Names of agents: declared ones, and the stem of a file with one agent.
    pub agents: Vec<AgentExport>,
    /// Policies, memories, channels, webhooks and schedules, at the top level
    /// and in agents.
    pub blocks: Vec<(Kind, Arc<str>)>,
    /// Paths of webhooks, each as often as it is declared.
    pub webhook_paths: Vec<Arc<str>>,
    /// Agents that blocks in its policies name, apart from its own.
    pub named_agents: Vec<NamedAgent>,
    /// How many agents the file has.
    pub file_agents: FileAgents,
}

/// The name that a file gives its only agent: its stem, `-` written as `_`.
pub fn stem(path: &str) -> Option<Arc<str>> {
    let stem = Path::new(path).file_stem()?.to_str()?.replace('-', "_");
    let mut chars = stem.chars();
    let first = chars.next()?;
    let name = (first.is_ascii_alphabetic() || first == '_')
        && chars.all(|c| c.is_ascii_alphanumeric() || c == '_');
    name.then(|| stem.into())
}

impl Exports {
    /// Whether it has a block of this kind and name.
    pub fn has_block(&self, kind: Kind, name: &str) -> bool {
        let found = self
            .blocks
            .binary_search_by(|(known, own)| (*known, &**own).cmp(&(kind, name)));
        found.is_ok()
    }
}

/// What a file of this path with these declarations offers.
pub fn exports<'d>(path: &str, declarations: impl Iterator<Item = &'d Declaration>) -> Exports {
    let mut exports = Exports::default();
    let mut agents = 0;
    let mut implicit = false;
    for declaration in declarations {
        match declaration {
            Declaration::Agent(agent) => {
                agents += 1;
                exports
                    .named_agents
                    .extend(agent.named_agents.iter().cloned());
                exports
                    .agents
                    .extend(agent.name.clone().map(|name| AgentExport {
                        declared: Some(name.clone()),
                        name,
                    }));
                exports.blocks.extend(agent.blocks.iter().cloned());
                exports
                    .webhook_paths
                    .extend(agent.webhook_paths.iter().cloned());
            }
            Declaration::Block {
                kind,
                name,
                path,
                named_agents,
            } => {
                exports.named_agents.extend(named_agents.iter().cloned());
                exports
                    .blocks
                    .extend(name.clone().map(|name| (*kind, name)));
                exports.webhook_paths.extend(path.clone());
            }
            Declaration::Metadata(_) | Declaration::With(_) | Declaration::Implicit => {
                implicit = true;
            }
            Declaration::Function(_) | Declaration::Type(_) | Declaration::Other => {}
        }
    }
    exports.agents.sort();
    exports.agents.dedup();
    let is_own = |name: &str| {
        let found = exports
            .agents
            .binary_search_by(|agent| (*agent.name).cmp(name));
        found.is_ok()
    };
    exports.named_agents.retain(|named| !is_own(&named.name));
    exports.named_agents.sort();
    exports.named_agents.dedup();
    exports.file_agents = match (agents, &*exports.agents) {
        (0, _) if implicit => FileAgents::Unnamed,
        (0, _) => FileAgents::None,
        (1, [only]) => FileAgents::One(only.name.clone()),
        _ => FileAgents::Several,
    };
    if let Some(stem) = stem(path) {
        match (agents, &*exports.agents) {
            (1, [only]) if only.name != stem => {
                let declared = only.declared.clone();
                exports.agents.push(AgentExport {
                    name: stem,
                    declared,
                });
            }
            (0, _) if implicit => exports.agents.push(AgentExport {
                name: stem,
                declared: None,
            }),
            _ => {}
        }
    }
    exports.agents.sort();
    exports.blocks.sort();
    exports.blocks.dedup();
    exports.webhook_paths.sort();
    exports
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::declaration::declare;
    use symbi_syntax::File;

    fn agents(path: &str, text: &str) -> Vec<String> {
        let file = File::parse(text);
        let declarations: Vec<_> = file
            .items()
            .iter()
            .map(|placed| declare(&placed.item))
            .collect();
        exports(path, declarations.iter())
            .agents
            .iter()
            .map(|agent| match &agent.declared {
                Some(declared) if *declared == agent.name => agent.name.to_string(),
                Some(declared) => format!("{}->{declared}", agent.name),
                None => format!("{}->()", agent.name),
            })
            .collect()
    }

    #[test]
    fn a_file_with_one_agent_gives_it_its_own_name() {
        let table = [
            ("deploy.symbi", "agent deploy { }", "deploy"),
            ("agents/web-deploy.symbi", "agent d { }", "d web_deploy->d"),
            ("x.symbi", "agent a { } agent b { }", "a b"),
            ("x.symbi", "agent a { } agent a { }", "a"),
            ("x.dsl", "metadata { author = \"me\" }", "x->()"),
            ("x.symbi", "function f() { }", ""),
            ("1x.symbi", "agent a { }", "a"),
            ("<inline>", "agent a { }", "a"),
        ];
        for (path, text, expected) in table {
            assert_eq!(agents(path, text).join(" "), expected, "{path} {text}");
        }
    }
}

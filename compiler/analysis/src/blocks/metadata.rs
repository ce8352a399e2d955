//! Metadata and executors (language.md sections 2.2 and 3).

use symbi_diagnostics::{Diagnostic, blocks as codes};
use symbi_syntax::Place;
use symbi_syntax::ast::{AgentDef, AgentItem, ExecutorBlock, Expr, MetadataBlock};

use super::cx::{Cx, at_value, quoted};
use super::entries::{Given, key_place, read, second};
use super::keys::is_managed;
use super::plain::plain;
use super::tables::{EXECUTOR, METADATA};
use super::values::{names_no_tool, typed_meaning};
use crate::findings::at_node;
use crate::program::FileAgents;
use symbi_syntax::ast::AstNode;

/// Metadata at the top level.
pub(super) fn of_file(cx: &mut Cx<'_>, metadata: MetadataBlock<'_>) {
    let mut given = Given::default();
    read(cx, &METADATA, metadata.entries(), &mut given);
    empty_tools(cx, &given, "executor");
    if !given.has("executor") && !given.has("permission_mode") {
        return;
    }
    // Agents that the file declares are checked with what they add.
    if matches!(
        cx.program.file_agents(),
        FileAgents::One(_) | FileAgents::Several
    ) {
        return;
    }
    let agent = Own {
        metadata: given,
        executor: Given::default(),
    };
    agent.managed(cx, None);
}

/// What an agent says about itself.
#[derive(Default)]
pub(crate) struct Own<'i> {
    metadata: Given<'i>,
    executor: Given<'i>,
}

impl<'i> Own<'i> {
    /// What an agent says, without a word about it.
    pub fn of(agent: AgentDef<'i>) -> Self {
        let mut own = Own::default();
        for item in agent.items() {
            match item {
                AgentItem::Metadata(block) => own.metadata.add(&METADATA, block.entries()),
                AgentItem::Executor(block) => own.executor.add(&EXECUTOR, block.entries()),
                _ => {}
            }
        }
        own
    }

    /// All that it says by the keys of metadata. What the executor says stands
    /// before what the metadata says.
    pub fn values(&self) -> impl Iterator<Item = (&str, Expr<'i>)> {
        let executor = self.executor.values().map(|(key, value)| match key {
            "type" => ("executor", value),
            key => (key, value),
        });
        executor.chain(self.metadata.values())
    }

    /// Reads a metadata block of the agent.
    pub(super) fn metadata(&mut self, cx: &mut Cx<'_>, metadata: MetadataBlock<'i>) {
        read(cx, &METADATA, metadata.entries(), &mut self.metadata);
    }

    /// Reads the agent's executor.
    pub(super) fn executor(&mut self, cx: &mut Cx<'_>, executor: ExecutorBlock<'i>) {
        read(cx, &EXECUTOR, executor.entries(), &mut self.executor);
    }

    fn value(&self, key: &str) -> Option<Expr<'i>> {
        let in_executor = match key {
            "executor" => "type",
            other => other,
        };
        self.executor
            .value(in_executor)
            .or_else(|| self.metadata.value(key))
    }

    fn has(&self, key: &str) -> bool {
        let in_executor = match key {
            "executor" => "type",
            other => other,
        };
        self.executor.has(in_executor) || self.metadata.has(key)
    }

    /// What the agent's metadata means together with the file's. `name` is
    /// where the agent is named.
    pub(super) fn check(&self, cx: &mut Cx<'_>, name: Option<Place>) {
        for key in EXECUTOR.keys {
            let in_metadata = match key.name {
                "type" => "executor",
                other => other,
            };
            let (Some(one), Some(other)) = (
                self.metadata.entry(in_metadata),
                self.executor.entry(key.name),
            ) else {
                continue;
            };
            if let (Some(a), Some(b)) = (one.value(), other.value()) {
                let same = typed_meaning(key, a) == typed_meaning(key, b);
                let (first, last) = (at_node(one.node()), at_node(other.node()));
                cx.report(second(in_metadata, " for this agent", last, first, same));
            }
        }
        empty_tools(cx, &self.metadata, "executor");
        empty_tools(cx, &self.executor, "type");
        self.managed(cx, name);
    }

    /// What a managed driver needs, and what only it reads.
    fn managed(&self, cx: &mut Cx<'_>, name: Option<Place>) {
        let own = self.value("executor");
        let executor = match own.map(plain) {
            Some(found) => match found.word() {
                Some(word) => Some(word.to_owned()),
                None => return,
            },
            None if self.has("executor") => return,
            None => cx
                .program
                .file_metadata("executor")
                .map(|word| word.to_string()),
        };
        let managed = executor.as_deref().is_some_and(is_managed);
        if let (false, Some(mode)) = (managed, self.mode()) {
            cx.report(
                Diagnostic::new(
                    &codes::B0715,
                    mode,
                    "only a managed driver reads `permission_mode`, and this agent has none",
                )
                .help("leave it out, or name a driver such as `executor = \"claude_code\"`"),
            );
        }
        let (true, Some(executor)) = (managed, executor) else {
            return;
        };
        if self.has("allowed_tools") || cx.program.file_metadata("allowed_tools").is_some() {
            return;
        }
        let message = format!(
            "the managed driver {} needs `allowed_tools`, which says what it may use",
            quoted(&executor)
        );
        let help = "write for example `allowed_tools = \"Read, Grep\"`";
        match (own, name) {
            (Some(value), _) => cx.report(at_value(&codes::B0713, value, message).help(help)),
            (None, Some(at)) => {
                cx.report(Diagnostic::new(&codes::B0713, at, message).help(help));
            }
            (None, None) => {}
        }
    }

    fn mode(&self) -> Option<Place> {
        let entry = self
            .executor
            .entry("permission_mode")
            .or_else(|| self.metadata.entry("permission_mode"))?;
        Some(key_place(entry))
    }
}

/// `allowed_tools` that names none, for a managed driver of the same block.
fn empty_tools(cx: &mut Cx<'_>, given: &Given<'_>, executor: &str) {
    let Some(value) = given.value("allowed_tools") else {
        return;
    };
    let managed = given
        .value(executor)
        .is_some_and(|value| plain(value).word().is_some_and(is_managed));
    if managed && names_no_tool(&plain(value)) {
        cx.report(
            at_value(
                &codes::B0713,
                value,
                "a managed driver needs at least one tool that it may use",
            )
            .help("write for example `allowed_tools = \"Read, Grep\"`"),
        );
    }
}

//! The database: inputs and the questions that are remembered.
//!
//! An edit asks again only what depends on it. What makes that so:
//!
//! - an item's tree does not know where the item stands, and no query but
//!   printing reads where it does: what moves is not checked again;
//! - a comment is no part of a tree;
//! - what an item declares does not know its bodies, and is a question of its
//!   own: users of a name depend on its declaration, and on nothing else of it;
//! - tables of names are cut into shards, each remembered by itself: a new name
//!   asks again only those who asked for names of its shard;
//! - inputs are never freed, so they are slots that are used again.

use std::collections::{BTreeMap, BTreeSet};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;

use symbi_diagnostics::{Diagnostic, Span};
use symbi_syntax::{Decoded, File, SyntaxKind};

use crate::across::across;
use crate::admission::{Admission, admission};
use crate::assemble::{Checked, FilePlace};
use crate::check::check_item;
use crate::declaration::{Declaration, Kind, declare, metadata};
use crate::exports::{Exports, exports};
use crate::findings::Findings;
use crate::lowering::{Lowered, lower};
use crate::policies::{
    AgentBlock, NamedAgent, Scopes, Together, agent_blocks, called, first_block,
};
use crate::program::{
    AgentEntry, AgentParams, Entries, FileAgents, FileId, Program, SUGGESTIONS, Tool, agent_params,
};
use crate::settings::{Sandbox, Settings, Tools};

/// The database as queries see it.
#[salsa::db]
pub(crate) trait Db: salsa::Database {
    /// The slot with a number. A slot keeps its number for ever, so this need
    /// not be remembered.
    fn slot(&self, file: FileId) -> Option<SourceText>;
}

/// A slot for the text of a file. An empty path means that it is free.
#[salsa::input]
pub(crate) struct SourceText {
    #[returns(copy)]
    pub number: u32,
    #[returns(ref)]
    pub path: Arc<str>,
    #[returns(ref)]
    pub source: Decoded,
}

/// All that is not in a file.
#[salsa::input(singleton)]
pub(crate) struct Workspace {
    /// In the order of their paths.
    #[returns(ref)]
    pub files: Vec<SourceText>,
    #[returns(ref)]
    pub tools: Tools,
    #[returns(copy)]
    pub sandbox: Sandbox,
}

/// An item of a file. Two edits later it is the same one as long as its kind
/// and name are.
#[salsa::tracked]
pub(crate) struct Item<'db> {
    #[returns(copy)]
    pub file: SourceText,
    #[returns(copy)]
    pub kind: SyntaxKind,
    #[returns(ref)]
    pub name: Option<Arc<str>>,
    #[tracked]
    #[returns(ref)]
    pub tree: Arc<symbi_syntax::Item>,
    /// Where it stands. Only printing reads it.
    #[tracked]
    #[returns(copy)]
    pub place: Span,
}

/// The items of a file, and what is wrong with the file as a whole.
#[derive(Clone, PartialEq, Eq, salsa::SalsaValue)]
pub(crate) struct Parsed<'db> {
    pub items: Vec<Item<'db>>,
    pub problems: Vec<Diagnostic>,
}

#[salsa::tracked(returns(ref))]
pub(crate) fn parsed(db: &dyn Db, file: SourceText) -> Parsed<'_> {
    let parsed = File::parse_decoded(file.source(db).clone());
    let items = parsed
        .items()
        .iter()
        .map(|placed| {
            let root = placed.item.root();
            // The word after the first is the name, if there is one; for
            // identity anything will do that seldom changes.
            let name = placed.item.token_kind(1).is_word();
            let name = name.then(|| Arc::from(placed.item.token_text(1)));
            Item::new(
                db,
                file,
                root.kind(),
                name,
                placed.item.clone(),
                placed.span,
            )
        })
        .collect();
    Parsed {
        items,
        problems: parsed.problems().to_vec(),
    }
}

/// What an item declares.
#[salsa::tracked(returns(ref))]
pub(crate) fn declaration<'db>(db: &'db dyn Db, item: Item<'db>) -> Arc<Declaration> {
    Arc::new(declare(item.tree(db)))
}

/// A part of the names that a file declares.
#[salsa::tracked]
pub(crate) struct NameShard<'db> {
    #[returns(copy)]
    pub number: u32,
    #[tracked]
    #[returns(ref)]
    pub names: Vec<(Kind, Arc<str>, Item<'db>)>,
}

/// The names that a file declares at its top level, in shards.
#[salsa::tracked(returns(ref))]
pub(crate) fn names(db: &dyn Db, file: SourceText) -> Vec<NameShard<'_>> {
    let items = &parsed(db, file).items;
    let count = (items.len() / 8).next_power_of_two().clamp(1, 64);
    let mut shards = vec![Vec::new(); count];
    for item in items {
        if let Some((kind, name)) = declaration(db, *item).named() {
            shards[shard_of(kind, name, count)].push((kind, name.clone(), *item));
        }
    }
    let numbered = (0u32..).zip(shards);
    numbered
        .map(|(number, names)| NameShard::new(db, number, names))
        .collect()
}

fn shard_of(kind: Kind, name: &str, count: usize) -> usize {
    let mut hasher = DefaultHasher::new();
    (kind, name).hash(&mut hasher);
    (hasher.finish() % count as u64) as usize
}

/// What a file offers to the others.
#[salsa::tracked(returns(ref))]
pub(crate) fn exported(db: &dyn Db, file: SourceText) -> Arc<Exports> {
    let items = &parsed(db, file).items;
    let declarations = items.iter().map(|item| &**declaration(db, *item));
    Arc::new(exports(file.path(db), declarations))
}

/// The metadata at the top level of a file.
#[salsa::tracked(returns(ref))]
pub(crate) fn file_metadata(db: &dyn Db, file: SourceText) -> BTreeMap<Arc<str>, Arc<str>> {
    let items = parsed(db, file).items.iter();
    // Declarations of other kinds may change as they like.
    let blocks = items.filter(|item| item.kind(db) == SyntaxKind::MetadataBlock);
    metadata(blocks.map(|item| &**declaration(db, *item)))
}

/// The parameters of the agents of a file. Only policies ask.
#[salsa::tracked(returns(ref))]
pub(crate) fn file_params(db: &dyn Db, file: SourceText) -> Arc<AgentParams> {
    let agents = parsed(db, file).items.iter();
    let agents = agents.filter(|item| item.kind(db) == SyntaxKind::AgentDef);
    Arc::new(agent_params(agents.map(|item| &**declaration(db, *item))))
}

/// What an item calls by name.
#[salsa::tracked(returns(ref))]
pub(crate) fn item_calls<'db>(db: &'db dyn Db, item: Item<'db>) -> BTreeSet<Arc<str>> {
    called(item.tree(db).root())
}

/// What a file calls by name. Only policies ask.
#[salsa::tracked(returns(ref))]
pub(crate) fn file_calls(db: &dyn Db, file: SourceText) -> BTreeSet<Arc<str>> {
    let items = parsed(db, file).items.iter();
    items
        .flat_map(|item| item_calls(db, *item).iter().cloned())
        .collect()
}

/// Where the blocks of a file stand that name agents. Only those ask who want to
/// see what refuses an agent.
#[salsa::tracked(returns(ref))]
pub(crate) fn file_agent_blocks(db: &dyn Db, file: SourceText) -> Vec<AgentBlock> {
    let items = parsed(db, file).items.iter();
    let items = items.map(|item| (&**item.tree(db), item.place(db)));
    agent_blocks(&file.source(db).text, items)
}

/// A part of the names of the project.
#[salsa::tracked]
pub(crate) struct IndexShard<'db> {
    #[returns(copy)]
    pub number: u32,
    #[tracked]
    #[returns(ref)]
    pub entries: Shard,
    /// By agent that a policy names, each in the order of paths. Apart from the
    /// others: no check asks for it.
    #[tracked]
    #[returns(ref)]
    pub named_agents: NamedIn,
}

/// The files whose policies name an agent.
type NamedIn = BTreeMap<NamedAgent, Entries<FileId>>;

/// Names of the project, sorted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Shard {
    /// By name, each in the order of paths.
    pub agents: BTreeMap<Arc<str>, Entries<AgentEntry>>,
    pub blocks: Vec<(Kind, Arc<str>)>,
    /// By path of the webhook, each in the order of paths of the files.
    pub webhook_paths: BTreeMap<Arc<str>, Entries<FileId>>,
}

const SHARDS: usize = 64;

/// The names of the project, in shards.
#[salsa::tracked(returns(ref))]
pub(crate) fn index(db: &dyn Db) -> Vec<IndexShard<'_>> {
    let mut shards = vec![Shard::default(); SHARDS];
    let mut named_agents = vec![NamedIn::new(); SHARDS];
    for file in Workspace::get(db).files(db) {
        let id = FileId(file.number(db));
        let exports = exported(db, *file);
        for agent in &exports.agents {
            shards[shard_of(Kind::Agent, &agent.name, SHARDS)]
                .agents
                .entry(agent.name.clone())
                .or_default()
                .add(AgentEntry {
                    file: id,
                    declared: agent.declared.clone(),
                });
        }
        for (kind, name) in &exports.blocks {
            shards[shard_of(*kind, name, SHARDS)]
                .blocks
                .push((*kind, name.clone()));
        }
        for named in &exports.named_agents {
            named_agents[shard_of(Kind::Agent, &named.name, SHARDS)]
                .entry(named.clone())
                .or_default()
                .add(id);
        }
        for path in &exports.webhook_paths {
            shards[shard_of(Kind::Webhook, path, SHARDS)]
                .webhook_paths
                .entry(path.clone())
                .or_default()
                .add(id);
        }
    }
    let numbered = (0u32..).zip(shards.into_iter().zip(named_agents));
    numbered
        .map(|(number, (mut entries, named_agents))| {
            entries.blocks.sort();
            entries.blocks.dedup();
            IndexShard::new(db, number, entries, named_agents)
        })
        .collect()
}

/// What the checks of an item found.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct Found {
    /// What there is to say about it, apart from its syntax.
    pub findings: Findings,
    /// What its policies may permit, if it has some that hold for agents.
    scopes: Option<Arc<Scopes>>,
}

/// An item as parts of a program.
#[salsa::tracked(returns(ref))]
pub(crate) fn lowered<'db>(db: &'db dyn Db, item: Item<'db>) -> Arc<Lowered> {
    let view = View {
        db,
        file: item.file(db),
    };
    Arc::new(lower(&view, item.tree(db)))
}

/// What the checks of an item find.
#[salsa::tracked(returns(ref))]
pub(crate) fn checked<'db>(db: &'db dyn Db, item: Item<'db>) -> Found {
    let view = View {
        db,
        file: item.file(db),
    };
    let (findings, scopes) = check_item(&view, item.tree(db));
    Found {
        findings,
        scopes: scopes.map(Arc::new),
    }
}

/// What the policies of an item may permit. Reports about it may come and go
/// without that another item is compared with it.
#[salsa::tracked(returns(ref))]
pub(crate) fn item_scopes<'db>(db: &'db dyn Db, item: Item<'db>) -> Option<Arc<Scopes>> {
    checked(db, item).scopes.clone()
}

/// What is found by comparing the items of a file with each other and with the
/// other files.
#[salsa::tracked(returns(ref))]
pub(crate) fn compared(db: &dyn Db, file: SourceText) -> Vec<Diagnostic<FilePlace>> {
    let declarations: Vec<Arc<Declaration>> = parsed(db, file)
        .items
        .iter()
        .map(|item| declaration(db, *item).clone())
        .collect();
    let view = View { db, file };
    let mut found = across(&view, file.path(db), &declarations);
    let numbered = (0u32..).zip(&parsed(db, file).items);
    let policies = numbered
        .filter(|(_, item)| matches!(item.kind(db), SyntaxKind::PolicyDef | SyntaxKind::AgentDef));
    let scopes: Vec<(u32, &Scopes)> = policies
        .filter_map(|(at, item)| Some((at, &**item_scopes(db, *item).as_ref()?)))
        .collect();
    let mut together = Together::new(scopes.iter().copied());
    let agents = scopes.iter();
    found.extend(agents.filter_map(|(at, scope)| together.agent(&view, *at, scope)));
    found
}

/// On which routes the agents of a file may run. Asked for when someone wants to
/// see it, so it is not remembered.
pub(crate) fn admitted(
    db: &dyn Db,
    file: SourceText,
    items: &[Checked<'_>],
    reports: &[Diagnostic],
    settings: &Settings,
) -> Admission {
    let text = &file.source(db).text;
    admission(
        &View { db, file },
        file.path(db),
        text,
        items,
        reports,
        settings,
    )
}

/// The program as one of its files sees it.
struct View<'db> {
    db: &'db dyn Db,
    file: SourceText,
}

impl<'db> View<'db> {
    /// The first item of a file that declares a name at its top level. Looks only
    /// into the shard of the name, so other names may come and go.
    fn item(&self, file: SourceText, kind: Kind, name: &str) -> Option<Item<'db>> {
        let shards = names(self.db, file);
        let shard = shards.get(shard_of(kind, name, shards.len()))?;
        let mut names = shard.names(self.db).iter();
        let (_, _, item) = names.find(|(known, own, _)| *known == kind && **own == *name)?;
        Some(*item)
    }

    fn entries(&self, kind: Kind, name: &str) -> Option<&'db Shard> {
        let shard = index(self.db).get(shard_of(kind, name, SHARDS))?;
        Some(shard.entries(self.db))
    }
}

impl Program for View<'_> {
    fn file(&self) -> FileId {
        FileId(self.file.number(self.db))
    }

    fn file_name(&self, file: FileId) -> Arc<str> {
        match self.db.slot(file) {
            Some(file) => file.path(self.db).clone(),
            None => "".into(),
        }
    }

    fn declared_in(&self, file: FileId, kind: Kind, name: &str) -> Option<Arc<Declaration>> {
        let item = self.item(self.db.slot(file)?, kind, name)?;
        Some(declaration(self.db, item).clone())
    }

    fn names_in(&self, file: FileId, kind: Kind) -> Vec<Arc<str>> {
        let Some(file) = self.db.slot(file) else {
            return Vec::new();
        };
        let mut found: Vec<Arc<str>> = Vec::new();
        let counts = names(self.db, file).iter().map(|shard| {
            let names = shard.names(self.db).iter();
            names.filter(|(known, _, _)| *known == kind).count()
        });
        if counts.sum::<usize>() > SUGGESTIONS {
            return found;
        }
        for shard in names(self.db, file) {
            let of_kind = shard
                .names(self.db)
                .iter()
                .filter(|(known, _, _)| *known == kind);
            found.extend(of_kind.map(|(_, name, _)| name.clone()));
        }
        found.sort();
        found.dedup();
        found
    }

    fn has_block(&self, file: FileId, kind: Kind, name: &str) -> bool {
        let file = self.db.slot(file);
        file.is_some_and(|file| exported(self.db, file).has_block(kind, name))
    }

    fn file_agents(&self) -> FileAgents {
        exported(self.db, self.file).file_agents.clone()
    }

    fn agent_entries(&self, name: &str) -> Entries<AgentEntry> {
        let shard = self.entries(Kind::Agent, name);
        let found = shard.and_then(|shard| shard.agents.get(name));
        found.cloned().unwrap_or_default()
    }

    fn webhook_files(&self, path: &str) -> Entries<FileId> {
        let shard = self.entries(Kind::Webhook, path);
        let found = shard.and_then(|shard| shard.webhook_paths.get(path));
        found.cloned().unwrap_or_default()
    }

    fn naming_files(&self, named: &NamedAgent) -> Entries<FileId> {
        let shard = index(self.db).get(shard_of(Kind::Agent, &named.name, SHARDS));
        let found = shard.and_then(|shard| shard.named_agents(self.db).get(named));
        found.cloned().unwrap_or_default()
    }

    fn agent_block(&self, file: FileId, named: &NamedAgent) -> Option<AgentBlock> {
        let file = self.db.slot(file)?;
        first_block(file_agent_blocks(self.db, file), named)
    }

    fn project_has(&self, kind: Kind, name: &str) -> bool {
        let entries = self.entries(kind, name);
        entries.is_some_and(|entries| {
            let found = entries
                .blocks
                .binary_search_by(|(known, own)| (*known, &**own).cmp(&(kind, name)));
            found.is_ok()
        })
    }

    fn project_names(&self, kind: Kind) -> Vec<Arc<str>> {
        let mut found: Vec<Arc<str>> = Vec::new();
        // A name is in one shard only, so none is counted twice.
        let counts = index(self.db).iter().map(|shard| {
            let entries = shard.entries(self.db);
            match kind {
                Kind::Agent => entries.agents.len(),
                _ => entries
                    .blocks
                    .iter()
                    .filter(|(known, _)| *known == kind)
                    .count(),
            }
        });
        if counts.sum::<usize>() > SUGGESTIONS {
            return found;
        }
        for shard in index(self.db) {
            let entries = shard.entries(self.db);
            match kind {
                Kind::Agent => found.extend(entries.agents.keys().cloned()),
                _ => {
                    let of_kind = entries.blocks.iter().filter(|(known, _)| *known == kind);
                    found.extend(of_kind.map(|(_, name)| name.clone()));
                }
            }
        }
        found.sort();
        found.dedup();
        found
    }

    fn file_metadata(&self, key: &str) -> Option<Arc<str>> {
        file_metadata(self.db, self.file).get(key).cloned()
    }

    fn sandbox(&self) -> Sandbox {
        Workspace::get(self.db).sandbox(self.db)
    }

    fn agent_params(&self) -> Arc<AgentParams> {
        file_params(self.db, self.file).clone()
    }

    fn calls(&self, name: &str) -> bool {
        file_calls(self.db, self.file).contains(name)
    }

    fn function_calls(&self, name: &str) -> Vec<Arc<str>> {
        let item = self.item(self.file, Kind::Function, name);
        let calls = item.map(|item| item_calls(self.db, item).iter().cloned());
        calls.into_iter().flatten().collect()
    }

    fn called(&self) -> Vec<Arc<str>> {
        let called = file_calls(self.db, self.file);
        match called.len() <= SUGGESTIONS {
            true => called.iter().cloned().collect(),
            false => Vec::new(),
        }
    }

    fn tool(&self, name: &str) -> Option<Arc<Tool>> {
        Workspace::get(self.db).tools(self.db).get(name)
    }

    fn tool_names(&self) -> Vec<Arc<str>> {
        Workspace::get(self.db).tools(self.db).names()
    }
}

//! The rest of the program, as the checks of one item see it.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::sync::Arc;

use symbi_diagnostics::Code;
use symbi_project::Rules;

use crate::declaration::{Declaration, Kind, TypeDeclaration, TypeRef};
use crate::policies::{AgentBlock, NamedAgent};
use crate::settings::Sandbox;
use crate::stdlib::Stdlib;
use crate::ty::TypeId;

/// A file of the program. Numbers are given once and mean nothing; they never
/// decide an order in the output.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FileId(pub u32);

/// A declaration and where it is.
#[derive(Clone, Debug)]
pub struct Found {
    /// The file.
    pub file: FileId,
    /// What it declares.
    pub declaration: Arc<Declaration>,
}

/// The first few of several, in the order of the paths of their files, and how
/// many there are: a name that thousands of files share costs no more than one
/// that two share.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entries<T> {
    /// At most [`ENTRIES`].
    pub first: Vec<T>,
    /// All of them.
    pub count: usize,
}

impl<T> Default for Entries<T> {
    fn default() -> Self {
        Entries {
            first: Vec::new(),
            count: 0,
        }
    }
}

impl<T> Entries<T> {
    /// One more. They must come in order.
    pub fn add(&mut self, entry: T) {
        if self.first.len() < ENTRIES {
            self.first.push(entry);
        }
        self.count += 1;
    }
}

/// The parameters of several agents by name, each with its type if all agents
/// that have it write the same one.
pub type AgentParams = BTreeMap<Arc<str>, Option<TypeRef>>;

/// The parameters of the agents among these declarations.
pub(crate) fn agent_params<'d>(declarations: impl Iterator<Item = &'d Declaration>) -> AgentParams {
    let mut all = AgentParams::new();
    for declaration in declarations {
        let Declaration::Agent(agent) = declaration else {
            continue;
        };
        for param in &agent.params {
            match all.entry(param.name.clone()) {
                Entry::Vacant(entry) => {
                    entry.insert(param.ty.clone());
                }
                Entry::Occupied(mut entry) if *entry.get() != param.ty => {
                    entry.insert(None);
                }
                Entry::Occupied(_) => {}
            }
        }
    }
    all
}

/// How many of several are told apart.
pub const ENTRIES: usize = 4;

/// An agent that a name leads to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AgentEntry {
    /// Its file.
    pub file: FileId,
    /// Its declared name; `None` for one without the word `agent`.
    pub declared: Option<Arc<str>>,
}

/// Among how many names a nearest one is looked for. More would cost a file
/// with many unknown names their product.
pub const SUGGESTIONS: usize = 2_000;

/// The agents of a file.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub enum FileAgents {
    /// There is none.
    #[default]
    None,
    /// One without the word `agent`, which has the name of the file.
    Unnamed,
    /// One.
    One(Arc<str>),
    /// Several, or one without a name.
    Several,
}

/// What the name of an agent leads to.
#[derive(Clone, Debug)]
pub enum AgentLookup {
    /// Nothing.
    Unknown,
    /// One agent.
    Found(Found),
    /// Agents of several files: a selection by this name is refused. The
    /// names of the first few files, sorted.
    Ambiguous(Vec<Arc<str>>),
}

/// A tool, from its manifest.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tool {
    /// Its name.
    pub name: Arc<str>,
    /// What it does.
    pub description: Arc<str>,
    /// Its arguments in the order of the manifest.
    pub params: Vec<ToolParam>,
}

/// An argument of a tool.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ToolParam {
    /// Its name.
    pub name: Arc<str>,
    /// Its type.
    pub ty: crate::ty::Ty,
    /// It must be given.
    pub required: bool,
    /// What the manifest says about its values, to which literals are held.
    pub rules: Option<Arc<Rules>>,
}

/// Questions about the program that the item at hand belongs to.
///
/// Ask as late and as little as possible: the resident program remembers each
/// question, and asks it again when the answer may have changed.
pub trait Program {
    /// The file of the item at hand.
    fn file(&self) -> FileId;

    /// How messages call a file: its path as the user knows it.
    fn file_name(&self, file: FileId) -> Arc<str>;

    /// Whether a report of this code may be shown. One that is made all the same
    /// is dropped later: this is for those that are many.
    fn may_show(&self, _code: &Code) -> bool {
        true
    }

    /// What the language has built in.
    fn stdlib(&self) -> &'static Stdlib {
        Stdlib::get()
    }

    /// The first top-level declaration of a name in a file.
    fn declared_in(&self, file: FileId, kind: Kind, name: &str) -> Option<Arc<Declaration>>;

    /// Names of a kind that stand at the top level of a file, sorted: for "did
    /// you mean". Nothing if they are more than [`SUGGESTIONS`].
    fn names_in(&self, file: FileId, kind: Kind) -> Vec<Arc<str>>;

    /// Whether a file has a block of this kind and name, at its top level or in
    /// one of its agents.
    fn has_block(&self, file: FileId, kind: Kind, name: &str) -> bool;

    /// How many agents the own file has, and which if it is one.
    fn file_agents(&self) -> FileAgents;

    /// The agents of the project that a name leads to, by their declared name
    /// or by the stem of a file that has one agent.
    fn agent_entries(&self, name: &str) -> Entries<AgentEntry>;

    /// The files with a webhook of this path, each as often as it has one.
    fn webhook_files(&self, path: &str) -> Entries<FileId>;

    /// The files with a policy that names an agent in this way, apart from those
    /// that declare one of the name themselves.
    fn naming_files(&self, named: &NamedAgent) -> Entries<FileId>;

    /// Where the first block of a file stands that names an agent in this way.
    fn agent_block(&self, file: FileId, named: &NamedAgent) -> Option<AgentBlock>;

    /// The one agent that a name leads to: one that its own file declares by
    /// this name, else the only one of the project.
    fn agent(&self, name: &str) -> AgentLookup {
        let own = self.file();
        if let Some(declaration) = self.declared_in(own, Kind::Agent, name) {
            return AgentLookup::Found(Found {
                file: own,
                declaration,
            });
        }
        let entries = self.agent_entries(name);
        match &*entries.first {
            [] => AgentLookup::Unknown,
            [entry] => {
                let declaration = match &entry.declared {
                    Some(declared) => self.declared_in(entry.file, Kind::Agent, declared),
                    None => Some(Arc::new(Declaration::Implicit)),
                };
                match declaration {
                    Some(declaration) => AgentLookup::Found(Found {
                        file: entry.file,
                        declaration,
                    }),
                    None => AgentLookup::Unknown,
                }
            }
            several => {
                let files = several.iter().map(|entry| self.file_name(entry.file));
                AgentLookup::Ambiguous(files.collect())
            }
        }
    }

    /// Whether any file of the project declares a block of this kind and name.
    fn project_has(&self, kind: Kind, name: &str) -> bool;

    /// All names of a kind in the project, sorted: for "did you mean". Nothing
    /// if they are more than [`SUGGESTIONS`].
    fn project_names(&self, kind: Kind) -> Vec<Arc<str>>;

    /// The value of a key of the metadata at the top level of the own file, if
    /// it is text; of a list, its texts with commas between them.
    fn file_metadata(&self, key: &str) -> Option<Arc<str>>;

    /// What the project says about the isolation of agents.
    fn sandbox(&self) -> Sandbox;

    /// The parameters of the agents of the own file by name, which policies at
    /// its top level may name.
    fn agent_params(&self) -> Arc<AgentParams>;

    /// Whether a body of the own file calls something by this name or path.
    fn calls(&self, name: &str) -> bool;

    /// What a function at the top level of the own file calls by name.
    fn function_calls(&self, name: &str) -> Vec<Arc<str>>;

    /// What bodies of the own file call by name, sorted: for "did you mean".
    /// Nothing if they are more than [`SUGGESTIONS`].
    fn called(&self) -> Vec<Arc<str>>;

    /// A tool of the project.
    fn tool(&self, name: &str) -> Option<Arc<Tool>>;

    /// The names of all tools, sorted.
    fn tool_names(&self) -> Vec<Arc<str>>;

    /// The declaration of a struct or alias.
    fn type_declaration(&self, id: &TypeId) -> Option<TypeDeclaration> {
        let found = match &id.agent {
            None => self.declared_in(id.file, Kind::Type, &id.name)?,
            Some(agent) => self.declared_in(id.file, Kind::Agent, agent)?,
        };
        match &*found {
            Declaration::Type(type_) => Some(type_.clone()),
            Declaration::Agent(agent) => agent
                .types
                .iter()
                .find(|type_| type_.name == id.name)
                .cloned(),
            _ => None,
        }
    }
}

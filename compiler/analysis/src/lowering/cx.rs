//! What lowering has at hand.

use std::sync::Arc;

use symbi_ir::{AgentName, Span};
use symbi_syntax::Place;
use symbi_syntax::ast::AgentDef;

use crate::blocks::references::Target;
use crate::program::Program;

/// The program around an item, and how its places are written down. An item is
/// lowered without knowing where it stands, so a place in it is told by tokens
/// until its file is put together.
#[derive(Clone, Copy)]
pub(crate) struct Lowering<'p> {
    /// The program.
    pub program: &'p dyn Program,
    /// A place of the item.
    pub span: &'p dyn Fn(Place) -> Span,
}

/// The agent that a block stands in.
pub(crate) struct Owner {
    /// Its name.
    pub name: Arc<str>,
    /// The names of its parameters, which guards of its policies may name.
    pub params: Vec<Arc<str>>,
}

impl Owner {
    /// An agent. One without a name has an empty one.
    pub fn of(agent: AgentDef<'_>) -> Self {
        let name = agent.name().map(|name| Arc::from(&*name.text()));
        let params = agent.params().into_iter().flatten();
        Owner {
            name: name.unwrap_or_default(),
            params: params
                .filter_map(|param| Some(Arc::from(&*param.name()?.text())))
                .collect(),
        }
    }

    /// Whether a name is one of its parameters.
    pub fn has_param(&self, name: &str) -> bool {
        self.params.iter().any(|param| **param == *name)
    }
}

impl Lowering<'_> {
    /// An agent of the own file by its name.
    pub fn own(&self, owner: &Owner) -> AgentName {
        self.named(self.program.file(), owner.name.clone())
    }

    /// An agent that a block starts.
    pub fn agent(&self, target: &Target) -> AgentName {
        self.named(target.file, target.name.clone())
    }

    fn named(&self, file: crate::program::FileId, name: Arc<str>) -> AgentName {
        AgentName {
            // As modules write their paths.
            file: self.program.file_name(file).replace('\\', "/").into(),
            name,
        }
    }
}

//! What the host is asked for.

use std::sync::Arc;

use symbi_ir::AgentName;

use crate::library::Function;
use crate::value::{At, Value};

/// What the host is asked for.
#[derive(Clone, Debug)]
pub struct Request {
    /// Its number in the run, from 0.
    pub number: u64,
    /// What it is.
    pub what: What,
    /// Where it stands in the source.
    pub at: Option<At>,
}

/// What the host is asked for.
#[derive(Clone, Debug)]
pub enum What {
    /// A function of the library that is an effect, that is journalled, or that
    /// needs the text of a secret: its arguments in the order of its
    /// parameters, with what was left out.
    Library {
        /// Which.
        function: &'static Function,
        /// Its arguments.
        arguments: Vec<Value>,
    },
    /// A tool of the project.
    Tool {
        /// Its name.
        name: Arc<str>,
        /// Its arguments.
        arguments: Vec<Given>,
    },
    /// Another agent of the project, by its own parameters.
    Agent {
        /// Which.
        agent: AgentName,
        /// Its arguments.
        arguments: Vec<Given>,
    },
    /// A name that several agents have: it is refused.
    Ambiguous {
        /// The name.
        name: Arc<str>,
    },
    /// An external action.
    Action {
        /// Its name.
        name: Arc<str>,
        /// Its arguments.
        arguments: Vec<Given>,
    },
    /// A secret by its address. The answer is a [`Value::Secret`] of it.
    Secret {
        /// `vault://path` or `env://NAME`.
        address: Arc<str>,
    },
}

/// An argument.
#[derive(Clone, Debug)]
pub struct Given {
    /// Its name, if it is written.
    pub name: Option<Arc<str>>,
    /// The number of the parameter that it is for, where that is known.
    pub parameter: Option<u32>,
    /// Its value.
    pub value: Value,
}

//! Bodies: a flat list of nodes, each behind those that it is made of, so that
//! no chain is too long and no nesting too deep to be read or freed.

use std::sync::Arc;

use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use symbi_policy::nesting::Level;

use crate::program::{AgentName, Span};
use crate::types::Type;

/// The number of a node of its [`Code`].
pub type NodeId = u32;

/// The number of a variable of its [`Frame`].
pub type Slot = u32;

/// The expressions and statements of one function, agent or value.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Code {
    /// Each behind the nodes that it refers to.
    pub nodes: Vec<Node>,
    /// The place of each node in the file.
    pub spans: Vec<Span>,
    /// The function itself, then its lambdas.
    pub frames: Vec<Frame>,
}

/// The variables of a function or lambda, and what it runs.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Frame {
    /// The names of its variables, the parameters first. A variable has no
    /// value until one is given to it; reading it before raises
    /// `unbound_name`.
    pub slots: Vec<Arc<str>>,
    /// How many of them are parameters.
    pub params: u32,
    /// What a lambda takes along, by value, from the frame around it when it is
    /// made.
    pub captures: Vec<Capture>,
    /// What it runs; `None` if there is nothing.
    pub body: Option<NodeId>,
}

/// A variable that a lambda takes along.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Capture {
    /// The variable of the frame around it.
    pub from: Slot,
    /// The variable of the lambda.
    pub to: Slot,
}

/// An expression or statement (language.md sections 2.3 and 2.6). Parts run in
/// the order in which they are written here.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Node {
    /// `null`.
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// A whole number.
    Int(i64),
    /// Any other number.
    Float(f64),
    /// A text.
    Text(Arc<str>),
    /// A length of time, in nanoseconds.
    Duration(i64),
    /// An amount of memory, in bytes.
    Size(i64),
    /// A reference to a secret: `vault://path` or `env://NAME`.
    Secret(Arc<str>),
    /// A variable.
    Local(Slot),
    /// A name that nothing declares: raises `unbound_name`.
    Unbound(Arc<str>),
    /// A function of the file or agent as a value.
    Function {
        /// The agent that declares it; `None` at the top level of the file.
        agent: Option<Arc<str>>,
        /// Its name.
        name: Arc<str>,
    },
    /// A function of the standard library as a value.
    Library(Arc<str>),
    /// The name of an agent, a tool, a block or a type as a value.
    Name(Arc<str>),
    /// `[a, b]`.
    List(Vec<NodeId>),
    /// `{ a: b }`, in order.
    Record(Vec<(Arc<str>, NodeId)>),
    /// `T { a: b }`, in order.
    Struct {
        /// The agent that declares the type; `None` at the top level of the
        /// file, and for a type that nothing declares.
        agent: Option<Arc<str>>,
        /// The type.
        name: Arc<str>,
        /// The fields.
        fields: Vec<(Arc<str>, NodeId)>,
    },
    /// `T::new()`: an empty value.
    New(Type),
    /// `a.b`.
    Field {
        /// Of what.
        object: NodeId,
        /// Which.
        name: Arc<str>,
        /// A missing one is `null`, because it is compared with `null`; else it
        /// raises `missing_field`.
        or_null: bool,
    },
    /// `a[b]`.
    Index {
        /// Of what.
        object: NodeId,
        /// Which.
        index: NodeId,
    },
    /// `!a`.
    Not(NodeId),
    /// `-a`.
    Minus(NodeId),
    /// `a && b`: `b` does not run where `a` decides.
    And(NodeId, NodeId),
    /// `a || b`, likewise.
    Or(NodeId, NodeId),
    /// An operator between two values.
    Binary {
        /// Which.
        op: Op,
        /// On its left.
        left: NodeId,
        /// On its right.
        right: NodeId,
    },
    /// `f(a, b)`.
    Call {
        /// What is called.
        callee: Callee,
        /// In the order in which they are written and run.
        arguments: Vec<Argument>,
    },
    /// `a.m(b)`: a method of the standard library, else a lambda in the field
    /// `m`, else raises `no_method`.
    Method {
        /// On what.
        receiver: NodeId,
        /// Which.
        name: Arc<str>,
        /// In the order in which they are written and run.
        arguments: Vec<Argument>,
        /// The receiver is a place that the method may change.
        place: bool,
    },
    /// `Err(e)`.
    Raise(NodeId),
    /// `x => …`: the frame of this number.
    Lambda(u32),
    /// `if a { } else { }`.
    If {
        /// A boolean.
        condition: NodeId,
        /// If it is true.
        then: NodeId,
        /// If it is false.
        otherwise: Option<NodeId>,
    },
    /// `if let p = a { } else { }`.
    IfLet {
        /// What is compared.
        value: NodeId,
        /// With what.
        case: Case,
        /// If it fits.
        then: NodeId,
        /// If not.
        otherwise: Option<NodeId>,
    },
    /// `match a { }`.
    Match {
        /// What is compared.
        subject: NodeId,
        /// In order; the first that fits runs.
        arms: Vec<Arm>,
        /// It is a value: where no arm fits it raises `no_match`, else it does
        /// nothing.
        value: bool,
    },
    /// `try { } catch e { }`.
    Try {
        /// What may raise.
        body: NodeId,
        /// In order; the first that catches runs. None raises on.
        catches: Vec<Catch>,
    },
    /// `for x in a { }`.
    For {
        /// The variable.
        slot: Slot,
        /// Over what.
        over: NodeId,
        /// For each.
        body: NodeId,
    },
    /// `while a { }`.
    While {
        /// A boolean, before each turn.
        condition: NodeId,
        /// For each.
        body: NodeId,
    },
    /// `break`.
    Break,
    /// `continue`.
    Continue,
    /// `return a`.
    Return(Option<NodeId>),
    /// `let x: T = a`.
    Let {
        /// The variable.
        slot: Slot,
        /// Its type, if it is written.
        ty: Option<Type>,
        /// Its value; without one it has none yet.
        value: Option<NodeId>,
    },
    /// `a = b`, `a += b`.
    Assign {
        /// The place: a variable, or fields and indices of one.
        place: Assigned,
        /// The operator of `+=` and its like.
        op: Option<Op>,
        /// The value.
        value: NodeId,
    },
    /// `{ a; b }`.
    Block {
        /// In order.
        statements: Vec<NodeId>,
        /// The last statement is its value; else it gives `null`.
        value: bool,
    },
}

/// What is assigned to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Assigned {
    /// A variable.
    Slot(Slot),
    /// A name that `+=` finds unbound: raises `unbound_name`.
    Unbound(Arc<str>),
    /// A [`Node::Field`] or [`Node::Index`].
    Node(NodeId),
}

/// An operator between two values that both run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Op {
    /// `==`.
    Equal,
    /// `!=`.
    Unequal,
    /// `<`.
    Less,
    /// `<=`.
    AtMost,
    /// `>`.
    Greater,
    /// `>=`.
    AtLeast,
    /// `in`.
    In,
    /// `not in`.
    NotIn,
    /// `+`.
    Add,
    /// `-`.
    Subtract,
    /// `*`.
    Multiply,
    /// `/`.
    Divide,
    /// `%`.
    Remainder,
}

/// What a call calls (language.md section 2.6).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Callee {
    /// A value: a lambda, or a function in a variable.
    Value(NodeId),
    /// A function of the agent or file.
    Function {
        /// The agent that declares it; `None` at the top level of the file.
        agent: Option<Arc<str>>,
        /// Its name.
        name: Arc<str>,
    },
    /// A function of the standard library.
    Library(Arc<str>),
    /// A tool of the project.
    Tool(Arc<str>),
    /// Another agent: a delegation.
    Agent(AgentName),
    /// A name that several agents of the project have: it is refused.
    Ambiguous(Arc<str>),
    /// An external action: the gate decides, then a provider answers.
    External(Arc<str>),
}

/// An argument.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Argument {
    /// Its name, if it is written.
    pub name: Option<Arc<str>>,
    /// The number of the parameter that it is for, where what is called is
    /// known.
    pub parameter: Option<u32>,
    /// Its value.
    pub value: NodeId,
}

/// An arm of a `match`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Arm {
    /// One of these has to fit.
    pub cases: Vec<Case>,
    /// And this has to be true.
    pub guard: Option<NodeId>,
    /// What it runs.
    pub body: NodeId,
}

/// A pattern.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(remote = "Self", rename_all = "snake_case")]
#[schemars(rename_all = "snake_case")]
pub enum Case {
    /// `_`: everything.
    Any,
    /// A name: everything, which it is given.
    Bind(Slot),
    /// `null`.
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// An equal number.
    Int(i64),
    /// An equal number.
    Float(f64),
    /// An equal text.
    Text(Arc<str>),
    /// An equal length of time, in nanoseconds.
    Duration(i64),
    /// An equal amount of memory, in bytes.
    Size(i64),
    /// `Some(p)`: what is not null.
    Some(Box<Case>),
    /// `Ok(p)`: what is no error.
    Ok(Box<Case>),
    /// `Err(p)`: an error that was raised while the subject ran.
    Err(Box<Case>),
}

// `remote` gives the two functions that these call, so that each level can be
// counted before it is read.
impl Serialize for Case {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        Case::serialize(self, serializer)
    }
}

impl<'de> Deserialize<'de> for Case {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let _level = Level::enter()?;
        Case::deserialize(deserializer)
    }
}

/// A `catch`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Catch {
    /// The kind of error; `None` for every one.
    pub kind: Option<Arc<str>>,
    /// The variable that is given the error.
    pub slot: Option<Slot>,
    /// What it runs.
    pub body: NodeId,
}

impl Code {
    /// The node of a number.
    pub fn node(&self, id: NodeId) -> Option<&Node> {
        self.nodes.get(id as usize)
    }

    /// The place of a node.
    pub fn span(&self, id: NodeId) -> Span {
        self.spans.get(id as usize).copied().unwrap_or_default()
    }
}

impl Node {
    /// The nodes that it refers to, in the order in which they run.
    pub fn each_part(&self, mut part: impl FnMut(NodeId)) {
        match self {
            Node::Null
            | Node::Bool(_)
            | Node::Int(_)
            | Node::Float(_)
            | Node::Text(_)
            | Node::Duration(_)
            | Node::Size(_)
            | Node::Secret(_)
            | Node::Local(_)
            | Node::Unbound(_)
            | Node::Function { .. }
            | Node::Library(_)
            | Node::Name(_)
            | Node::New(_)
            | Node::Lambda(_)
            | Node::Break
            | Node::Continue => {}
            Node::List(parts)
            | Node::Block {
                statements: parts, ..
            } => parts.iter().copied().for_each(part),
            Node::Record(fields) | Node::Struct { fields, .. } => {
                fields.iter().for_each(|(_, id)| part(*id));
            }
            Node::Field { object: id, .. } | Node::Not(id) | Node::Minus(id) | Node::Raise(id) => {
                part(*id);
            }
            Node::Index {
                object: one,
                index: two,
            }
            | Node::And(one, two)
            | Node::Or(one, two)
            | Node::Binary {
                left: one,
                right: two,
                ..
            }
            | Node::For {
                over: one,
                body: two,
                ..
            }
            | Node::While {
                condition: one,
                body: two,
            } => {
                part(*one);
                part(*two);
            }
            Node::Call { callee, arguments } => {
                if let Callee::Value(id) = callee {
                    part(*id);
                }
                arguments.iter().for_each(|argument| part(argument.value));
            }
            Node::Method {
                receiver,
                arguments,
                ..
            } => {
                part(*receiver);
                arguments.iter().for_each(|argument| part(argument.value));
            }
            Node::If {
                condition: first,
                then,
                otherwise,
            }
            | Node::IfLet {
                value: first,
                then,
                otherwise,
                ..
            } => {
                part(*first);
                part(*then);
                otherwise.iter().copied().for_each(part);
            }
            Node::Match { subject, arms, .. } => {
                part(*subject);
                for arm in arms {
                    arm.guard.iter().copied().for_each(&mut part);
                    part(arm.body);
                }
            }
            Node::Try { body, catches } => {
                part(*body);
                catches.iter().for_each(|catch| part(catch.body));
            }
            Node::Return(value) | Node::Let { value, .. } => value.iter().copied().for_each(part),
            Node::Assign { place, value, .. } => {
                if let Assigned::Node(id) = place {
                    part(*id);
                }
                part(*value);
            }
        }
    }
}

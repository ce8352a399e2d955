//! Programs made ready to run: bytecode with explicit registers.
//!
//! Each function, lambda, agent body and default of a struct is a [`Chunk`].
//! Its registers are its variables, then what it needs on its way. Which
//! variable is which was resolved by the compiler; here only the order of work
//! is laid down. Loading is linear in the program and refuses one whose nodes
//! are no tree or nest too deep: bundles come from outside.

mod build;
mod calls;
mod expressions;
mod flow;
mod load;
mod places;
mod shape;

use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;

use symbi_ir::{Case, Op, Program, Span, Type};

use crate::library::Site;
use crate::text::Text;
use crate::value::{At, Value};

/// A register of a chunk.
pub type Reg = u32;

/// A register, or a constant if [`CONST`] is set.
pub type Opd = u32;

/// Marks an operand that is a constant.
pub const CONST: u32 = 1 << 31;

/// A program that is ready to run.
#[derive(Debug)]
pub struct Image {
    pub(crate) program: Arc<Program>,
    pub(crate) chunks: Vec<Chunk>,
    /// The chunk of each function by its module, agent and name.
    pub(crate) functions: HashMap<Named, u32>,
    /// The body of each agent by its module and name.
    pub(crate) agents: HashMap<(u32, Arc<str>), u32>,
}

/// Something by its module, the agent that it stands in, and its name.
pub(crate) type Named = (u32, Option<Arc<str>>, Arc<str>);

/// What runs.
#[derive(Debug, Default)]
pub(crate) struct Chunk {
    pub name: Text,
    pub module: u32,
    pub code: Vec<Instr>,
    /// The place of each instruction.
    pub places: Vec<Span>,
    pub consts: Vec<Value>,
    /// How many registers it has.
    pub registers: u32,
    /// How many of them are variables, which come first.
    pub slots: u32,
    /// How many of them are parameters.
    pub params: u32,
    /// How many of those have to be given.
    pub required: u32,
    /// The names of its parameters.
    pub names: Vec<Text>,
    /// The variables of a lambda that take what it took along, in order.
    pub captures: Vec<Reg>,
    /// What errors that leave it are to whoever called it.
    pub errors: Errors,
    /// Where errors go, the innermost first.
    pub handlers: Vec<Handler>,
    pub paths: Vec<Path>,
    pub sites: Vec<Site>,
    pub types: Vec<Bound>,
    /// The fields of records, by their names.
    pub shapes: Vec<Fields>,
    pub cases: Vec<Case>,
    pub lambdas: Vec<LambdaAt>,
    pub calls: Vec<Target>,
    /// The structs that its code may name.
    pub structs: Structs,
}

/// The fields of a record that is made.
#[derive(Debug)]
pub(crate) struct Fields {
    pub of: Option<Text>,
    pub names: Vec<Value>,
}

/// A lambda that is made, and what it takes along.
#[derive(Debug)]
pub(crate) struct LambdaAt {
    pub chunk: u32,
    pub from: Vec<Reg>,
}

/// What is asked of the host.
#[derive(Debug)]
pub(crate) struct Target {
    pub what: TargetKind,
    pub arguments: Vec<TargetArgument>,
}

/// An argument of what is asked: its name, and its parameter where that is
/// known.
#[derive(Clone, Debug)]
pub(crate) struct TargetArgument {
    pub name: Option<Arc<str>>,
    pub parameter: Option<u32>,
}

#[derive(Clone, Debug)]
pub(crate) enum TargetKind {
    Tool(Arc<str>),
    Agent(symbi_ir::AgentName),
    Ambiguous(Arc<str>),
    Action(Arc<str>),
    Secret(Arc<str>),
}

/// A type at a border, and what stands there.
#[derive(Debug)]
pub(crate) struct Bound {
    pub ty: Type,
    /// `the parameter "n" of "f"`.
    pub what: Box<str>,
}

/// What errors that leave a function are to whoever called it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Errors {
    /// What they were given as.
    #[default]
    Given,
    /// Errors, as `Result<T>` has it.
    Whole,
    /// Texts, as `Result<T, String>` has it.
    Texts,
}

/// Where an error goes that is raised in a part of the code.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Handler {
    pub start: u32,
    pub end: u32,
    pub target: u32,
    /// The register that gets it.
    pub error: Reg,
}

/// A place that is assigned to.
#[derive(Debug)]
pub(crate) struct Path {
    pub root: Reg,
    pub steps: Vec<PathStep>,
}

#[derive(Clone, Debug)]
pub(crate) enum PathStep {
    /// A field, by its name.
    Field(Value),
    /// An index, in a register or constant.
    Index(Opd),
}

/// Structs by their names.
pub(crate) type StructTable = HashMap<Text, Arc<Structure>>;

/// The structs that code may name: those of its agent, and those of its file.
#[derive(Clone, Debug, Default)]
pub(crate) struct Structs {
    pub agent: Arc<StructTable>,
    pub file: Arc<StructTable>,
}

impl Structs {
    /// The struct of a name; those of the agent hide those of the file.
    pub fn find(&self, name: &str) -> Option<&Arc<Structure>> {
        self.agent.get(name).or_else(|| self.file.get(name))
    }
}

/// A struct of the program.
#[derive(Debug)]
pub(crate) struct Structure {
    pub name: Text,
    pub fields: Vec<StructureField>,
}

impl Structure {
    /// A field by its name.
    pub fn field(&self, name: &str) -> Option<&StructureField> {
        self.fields.iter().find(|field| &*field.name == name)
    }
}

#[derive(Debug)]
pub(crate) struct StructureField {
    pub name: Text,
    pub ty: Type,
    /// The chunk that gives its default.
    pub default: Option<u32>,
}

/// A field of a struct, as messages call it.
pub(crate) struct FieldOf<'s>(pub &'s Structure, pub &'s StructureField);

impl fmt::Display for FieldOf<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let FieldOf(of, field) = self;
        write!(f, "the field `{}` of `{}`", &*field.name, &*of.name)
    }
}

/// An instruction. Operands are read before `dst` is written.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Instr {
    Move {
        dst: Reg,
        from: Opd,
    },
    /// The same, and `from` has no value any more.
    Take {
        dst: Reg,
        from: Reg,
    },
    Unset {
        dst: Reg,
    },
    /// Raises `unbound_name` if a variable has no value.
    IsBound {
        reg: Reg,
        name: u32,
    },
    Unbound {
        name: u32,
    },
    Add {
        dst: Reg,
        a: Opd,
        b: Opd,
    },
    Subtract {
        dst: Reg,
        a: Opd,
        b: Opd,
    },
    Multiply {
        dst: Reg,
        a: Opd,
        b: Opd,
    },
    Binary {
        op: Op,
        dst: Reg,
        a: Opd,
        b: Opd,
    },
    Not {
        dst: Reg,
        from: Opd,
    },
    Minus {
        dst: Reg,
        from: Opd,
    },
    Jump {
        to: u32,
    },
    /// Both raise if it is no boolean.
    JumpIf {
        cond: Opd,
        to: u32,
    },
    JumpUnless {
        cond: Opd,
        to: u32,
    },
    /// Jumps unless the comparison holds.
    JumpUnlessCompared {
        op: Op,
        a: Opd,
        b: Opd,
        to: u32,
    },
    /// Raises unless it is a boolean.
    IsBool {
        reg: Reg,
    },
    /// Jumps if a parameter was given.
    JumpIfSet {
        reg: Reg,
        to: u32,
    },
    /// Holds a register to a type.
    Check {
        reg: Reg,
        ty: u32,
    },
    List {
        dst: Reg,
        start: Reg,
        count: u32,
    },
    /// Puts more elements into a list that is being made.
    Extend {
        dst: Reg,
        start: Reg,
        count: u32,
    },
    Record {
        dst: Reg,
        start: Reg,
        shape: u32,
    },
    /// Raises `missing_field` for a struct that is made without one.
    Lacks {
        name: u32,
    },
    New {
        dst: Reg,
        ty: u32,
    },
    Lambda {
        dst: Reg,
        lambda: u32,
    },
    Field {
        dst: Reg,
        object: Opd,
        name: u32,
    },
    FieldOrNull {
        dst: Reg,
        object: Opd,
        name: u32,
    },
    Index {
        dst: Reg,
        object: Opd,
        index: Opd,
    },
    /// Sets a place to what a register holds.
    Set {
        path: u32,
        from: Reg,
    },
    /// Reads a place.
    Get {
        dst: Reg,
        path: u32,
    },
    Call {
        dst: Reg,
        chunk: u32,
        base: Reg,
    },
    /// Raises: a function does not take these arguments.
    WrongCall {
        chunk: u32,
    },
    /// Its site knows where its arguments stand.
    CallValue {
        dst: Reg,
        callee: Opd,
        site: u32,
    },
    Library {
        dst: Reg,
        site: u32,
        base: Reg,
    },
    Method {
        dst: Reg,
        site: u32,
        base: Reg,
    },
    /// A method on a place, which it may change.
    MethodAt {
        dst: Reg,
        site: u32,
    },
    Ask {
        dst: Reg,
        target: u32,
        base: Reg,
    },
    /// Jumps unless a pattern fits; whether the subject was raised stands in the
    /// next register.
    JumpUnlessFits {
        subject: Reg,
        case: u32,
        to: u32,
    },
    JumpUnlessKind {
        error: Reg,
        kind: u32,
        to: u32,
    },
    /// What `Err(…)` does.
    Raise {
        from: Opd,
    },
    Rethrow {
        error: Reg,
    },
    NoMatch,
    /// Makes `iter` ready to go through: `iter + 1` is where it is.
    Begin {
        iter: Reg,
    },
    /// The next element, or on with `to`.
    Next {
        iter: Reg,
        dst: Reg,
        to: u32,
    },
    Return {
        from: Opd,
    },
}

/// Why a program cannot be run.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LoadError {
    /// Its code is of no shape that the compiler makes.
    #[error("`{name}` is not made by this compiler: {what}")]
    Shape {
        /// The function or agent.
        name: String,
        /// What is wrong.
        what: &'static str,
    },
    /// It is too large.
    #[error("`{0}` is too large to run")]
    Large(String),
    /// Its standard library is another one.
    #[error("it calls `{0}`, which this standard library does not have")]
    Library(String),
}

impl Image {
    /// The program.
    pub fn program(&self) -> &Arc<Program> {
        &self.program
    }

    /// The place of a chunk's instruction.
    pub(crate) fn at(&self, chunk: &Chunk, pc: usize) -> Option<At> {
        let span = chunk.places.get(pc)?;
        Some(At {
            module: chunk.module,
            start: span.start,
            length: span.length,
        })
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn instructions_are_small() {
        assert_eq!(size_of::<super::Instr>(), 16);
        assert_eq!(size_of::<crate::Value>(), 16);
    }
}

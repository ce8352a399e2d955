//! Bodies: names, types and control flow of functions and agents (language.md
//! sections 2.3, 2.5 and 2.6).
//!
//! One walk through a body finds what each name stands for, the type of each
//! expression, and which statements are reached. Types are gradual: where one
//! is not known it is `Any`, and nothing is said; an error is a contradiction
//! between two types that are known. A variable without a written type is of
//! all types that are assigned to it; where that turns out to be more than one,
//! the body is walked again, three times at most.
//!
//! Chains of operators, calls and `else if` are walked in loops, everything
//! else by recursion, which the parser's limit on nesting bounds. Begin reading
//! at `statements` and `expressions`; `scope` has what is known on the way.

mod assign;
mod calls;
mod declarations;
mod expect;
mod expressions;
mod generics;
mod literals;
mod matches;
mod members;
mod operators;
mod overloads;
mod relate;
mod scope;
mod signatures;
mod statements;
#[cfg(test)]
mod tests;
mod tool_values;
mod types;

use std::collections::{HashMap, HashSet};
use std::ops::Range;
use std::sync::Arc;

use symbi_diagnostics::Diagnostic;
use symbi_syntax::Place;
use symbi_syntax::ast::{Expr, TopItem};

use crate::findings::Findings;
use crate::program::{FileId, Program};
use crate::ty::Ty;
use expect::{Use, Why};
use scope::{Checker, Run};

pub use signatures::signature_of_agent;
pub use types::resolve_type;

/// What the walk through the bodies of an item found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Inference {
    /// The reports.
    pub findings: Findings,
    /// The types of expressions by the number of their node, in ascending
    /// order.
    pub types: Vec<(u32, Ty)>,
    /// The variables and parameters.
    pub locals: Vec<Local>,
    /// What names in bodies stand for, by the token of each, or the first of
    /// a path, in ascending order: what is read, called or assigned, and the
    /// kinds of errors that are caught.
    pub names: Vec<(u32, Resolution)>,
    /// The number of the parameter that an argument is for, by the number of
    /// the node of its value, in ascending order: where what is called is a
    /// function, a tool or an agent.
    pub arguments: Vec<(u32, u32)>,
}

/// What a name in a body stands for (language.md section 2.6).
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Resolution {
    /// The variable of this number in [`Inference::locals`].
    Local(u32),
    /// A function of the agent.
    OwnFunction,
    /// A function of the file.
    Function,
    /// A function of the standard library.
    Library,
    /// A tool.
    Tool,
    /// An agent of this file, by its declared name or that of the file.
    Agent(FileId, Arc<str>),
    /// Several agents of the project.
    Ambiguous,
    /// Called, and nothing declares it: an external action.
    External,
    /// The name of a type, a block, a tool or an agent, as a value.
    Named,
    /// The kind of error that a `catch` is for.
    ErrorKind,
    /// Nothing.
    Unbound,
}

impl Inference {
    /// The type of the expression with this node number.
    pub fn type_of(&self, node: u32) -> Option<&Ty> {
        let at = self.types.binary_search_by_key(&node, |(node, _)| *node);
        at.ok().map(|at| &self.types[at].1)
    }

    /// What the name at this token stands for.
    pub fn name_at(&self, token: u32) -> Option<&Resolution> {
        let at = self.names.binary_search_by_key(&token, |(token, _)| *token);
        at.ok().map(|at| &self.names[at].1)
    }

    /// The parameter that the argument with this node is for.
    pub fn parameter_of(&self, node: u32) -> Option<u32> {
        let arguments = &self.arguments;
        let at = arguments.binary_search_by_key(&node, |(node, _)| *node);
        at.ok().map(|at| arguments[at].1)
    }
}

/// A variable or parameter of a body.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Local {
    /// Its name.
    pub name: Arc<str>,
    /// The tokens of the name where it is declared.
    pub tokens: Range<u32>,
    /// How it is declared.
    pub kind: LocalKind,
    /// Its type.
    pub ty: Ty,
    /// The tokens at which it is read, in ascending order.
    pub uses: Vec<u32>,
}

/// How a variable is declared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LocalKind {
    /// A parameter of a function.
    Parameter,
    /// A parameter of an agent, which its policies may name too.
    AgentParameter,
    /// `x => …`.
    LambdaParameter,
    /// `let`.
    Variable,
    /// An assignment to a name that nothing declares.
    Assigned,
    /// `for x in …`.
    Loop,
    /// `catch (e)`.
    Caught,
    /// A name in a pattern.
    Pattern,
}

/// Checks the types, functions and bodies that an item is or holds.
pub fn check(program: &dyn Program, top: TopItem<'_>, findings: &mut Findings) {
    let found = walk(program, top, false).findings;
    findings.reports.extend(found.reports);
    findings.repeated.extend(found.repeated);
}

/// The types of all expressions and variables of an item, and the reports.
pub fn infer(program: &dyn Program, top: TopItem<'_>) -> Inference {
    walk(program, top, true)
}

/// What is wrong with a value of a block, such as a schedule's input, of which
/// this type is expected. Names in it are not looked up.
pub fn value_problems(
    program: &dyn Program,
    value: Expr<'_>,
    expected: &Ty,
) -> Vec<Diagnostic<Place>> {
    let mut checker = Checker::new(program, false);
    checker.expr(value, Use::of(expected, Why::Block));
    checker.run.reports
}

/// What is known of a value of a block that has to be computed, such as a
/// schedule's input.
pub(crate) fn infer_value(program: &dyn Program, value: Expr<'_>) -> Inference {
    let mut checker = Checker::new(program, true);
    checker.expr(value, Use::of(&Ty::Any, Why::Block));
    checker.told()
}

fn walk(program: &dyn Program, top: TopItem<'_>, recording: bool) -> Inference {
    let mut checker = Checker::new(program, recording);
    match top {
        TopItem::Agent(agent) => checker.agent(agent),
        TopItem::Function(function) => checker.function(function),
        TopItem::Type(type_) => checker.type_declaration(type_),
        _ => return Inference::default(),
    }
    checker.told()
}

impl<'i> Checker<'i> {
    /// What it found.
    fn told(self) -> Inference {
        let checker = self;
        let mut types = checker.types;
        types.sort_unstable_by_key(|(node, _)| *node);
        let (mut names, mut arguments) = (checker.names, checker.arguments);
        // Of two bodies the first counts, of two walks over a part the last.
        let last_of = |names: &mut Vec<(u32, Resolution)>| {
            names.reverse();
            names.sort_by_key(|(token, _)| *token);
            names.dedup_by_key(|(token, _)| *token);
        };
        last_of(&mut names);
        arguments.sort_unstable();
        arguments.dedup_by_key(|(node, _)| *node);
        Inference {
            names,
            arguments,
            findings: Findings {
                reports: checker.reports,
                repeated: checker.repeated,
            },
            types,
            locals: checker.locals,
        }
    }

    fn new(program: &'i dyn Program, recording: bool) -> Self {
        Checker {
            program,
            file: program.file(),
            agent: None,
            own_types: Vec::new(),
            own_names: Vec::new(),
            own_functions: HashMap::new(),
            called: HashSet::new(),
            in_function: false,
            callees: HashMap::new(),
            globals: HashMap::new(),
            structs: HashMap::new(),
            reports: Vec::new(),
            repeated: Vec::new(),
            repeats: HashMap::new(),
            searches: 0,
            callable: None,
            recording,
            types: Vec::new(),
            locals: Vec::new(),
            names: Vec::new(),
            arguments: Vec::new(),
            run: Run::default(),
        }
    }
}

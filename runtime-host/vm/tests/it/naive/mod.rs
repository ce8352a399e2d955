//! A second machine: walks through the program as it stands, and is slow,
//! short and plain. What the fast one gives is compared with what this one
//! gives; where they differ, one of them is wrong.
//!
//! It shares with the fast one what values are, and the functions of the
//! standard library. All else it has of its own.

mod borders;
mod calls;
mod expressions;
mod library;
mod natives;
mod operators;
mod places;
mod statements;

use std::sync::Arc;

use symbi_ir::{Code, Frame, Function, Module, NodeId, Program, Struct, Type};
use symbi_vm::{At, Meter, Problem, Raise, Value, kinds};

/// What the world is asked for.
#[derive(Clone, Debug)]
pub struct Asked {
    /// The function, tool, agent, action, or `secret`.
    pub name: String,
    /// In order, with the names that they have there.
    pub arguments: Vec<(Option<String>, Value)>,
}

/// Answers what is asked.
pub type World<'w> = dyn FnMut(Asked) -> Result<Value, Raise> + 'w;

/// How a program ends.
#[derive(Debug)]
pub enum End {
    /// With a value.
    Value(Value),
    /// With an error that nobody caught.
    Raised(Arc<Problem>),
    /// It took more steps or memory than it may.
    Exhausted,
    /// The machine itself failed.
    Broken(String),
}

/// Why no value is given.
#[derive(Debug)]
enum Stop {
    Raise(Arc<Problem>),
    Return(Value),
    Break,
    Continue,
    Exhausted,
}

type Run<T = Value> = Result<T, Stop>;

/// How deep calls may nest.
const MAX_CALLS: usize = 1500;

/// What the calls of a test may need of the stack: a test build uses some
/// kilobytes for each level.
const STACK: usize = 1 << 30;

/// Where code stands.
#[derive(Clone, Copy)]
struct Place<'p> {
    module: u32,
    agent: Option<&'p str>,
    code: &'p Code,
}

/// The variables of a call.
struct Scope<'p> {
    place: Place<'p>,
    frame: Option<&'p Frame>,
    /// What it gives, and what it is called; `None` for lambdas.
    result: Option<(&'p Type, String)>,
    slots: Vec<Value>,
}

impl Scope<'_> {
    /// The name of a variable.
    fn name(&self, slot: u32) -> String {
        let names = self.frame.map(|frame| &frame.slots);
        names.map_or(String::new(), |names| names[slot as usize].to_string())
    }
}

struct Naive<'p, 'w> {
    program: &'p Program,
    /// All functions: `Function::Own` has a number of one.
    functions: Vec<(Place<'p>, &'p Function)>,
    /// The lambdas that were made: their `chunk` is a number of one.
    lambdas: Vec<(Place<'p>, &'p Frame)>,
    world: &'w mut World<'w>,
    meter: Meter,
    steps: u64,
    calls: usize,
}

/// What is run, of the first file.
#[derive(Clone, Copy, Debug)]
pub enum Runs<'n> {
    /// A function at its top level.
    Function(&'n str),
    /// The body of an agent.
    Agent(&'n str),
}

/// Runs a function or an agent.
pub fn run<'w>(
    program: &Program,
    runs: Runs<'_>,
    arguments: Vec<Value>,
    steps: u64,
    world: &'w mut World<'w>,
) -> End {
    let mut naive = Naive::new(program, steps, world);
    let number = match runs {
        Runs::Function(name) => naive.number(0, None, name),
        Runs::Agent(name) => naive.entry(name),
    };
    let number = number.unwrap_or_else(|| panic!("there is no {runs:?}"));
    match naive.function(number, arguments) {
        Ok(value) => End::Value(value),
        Err(Stop::Raise(problem)) => End::Raised(problem),
        Err(_) => End::Exhausted,
    }
}

/// Runs something that recurses with room to do so.
pub fn with_room<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(STACK);
        let thread = thread.spawn_scoped(scope, work).expect("a thread");
        match thread.join() {
            Ok(value) => value,
            Err(panic) => std::panic::resume_unwind(panic),
        }
    })
}

impl<'p, 'w> Naive<'p, 'w> {
    fn new(program: &'p Program, steps: u64, world: &'w mut World<'w>) -> Self {
        let mut functions = Vec::new();
        for (number, module) in program.modules.iter().enumerate() {
            let mut add = |agent, all: &'p [Function]| {
                for function in all {
                    let place = Place {
                        module: number as u32,
                        agent,
                        code: &function.code,
                    };
                    functions.push((place, function));
                }
            };
            add(None, &module.functions);
            for agent in &module.agents {
                add(Some(&**agent.name()), &agent.functions);
            }
        }
        Naive {
            program,
            functions,
            lambdas: Vec::new(),
            world,
            meter: Meter::new(u64::MAX / 2, 1 << 28),
            steps,
            calls: 0,
        }
    }

    fn module(&self, number: u32) -> &'p Module {
        &self.program.modules[number as usize]
    }

    /// The number of a function.
    fn number(&self, module: u32, agent: Option<&str>, name: &str) -> Option<u32> {
        let mut all = self.functions.iter();
        let number = all.position(|(place, function)| {
            place.module == module && place.agent == agent && *function.name == *name
        })?;
        Some(number as u32)
    }

    /// The body of an agent of the first file, among the functions.
    fn entry(&mut self, name: &str) -> Option<u32> {
        let mut agents = self.module(0).agents.iter();
        let agent = agents.find(|agent| **agent.name() == *name)?;
        let place = Place {
            module: 0,
            agent: Some(agent.name()),
            code: &agent.entry.code,
        };
        // Behind all others: a function of the agent that has its name is found first.
        self.functions.push((place, &agent.entry));
        Some(self.functions.len() as u32 - 1)
    }

    fn structure(&self, place: Place<'p>, agent: Option<&str>, name: &str) -> Option<&'p Struct> {
        let module = self.module(place.module);
        let all = match agent {
            None => &module.structs,
            Some(agent) => {
                let mut agents = module.agents.iter();
                &agents.find(|one| **one.name() == *agent)?.structs
            }
        };
        all.iter().find(|one| *one.name == *name)
    }

    /// The struct that a name means in code: one of the agent, else of the file.
    fn named(&self, place: Place<'p>, name: &str) -> Option<&'p Struct> {
        let own = place
            .agent
            .and_then(|agent| self.structure(place, Some(agent), name));
        own.or_else(|| self.structure(place, None, name))
    }

    /// One step more.
    fn step(&mut self) -> Run<()> {
        if self.steps == 0 {
            return Err(Stop::Exhausted);
        }
        self.steps -= 1;
        Ok(())
    }

    /// Calls a function of the program; what is `Unset` has its default.
    fn function(&mut self, number: u32, arguments: Vec<Value>) -> Run {
        self.deeper()?;
        let (place, function) = self.functions[number as usize];
        let given = self.body(place, function, arguments);
        self.calls -= 1;
        given.map_err(|stop| match stop {
            Stop::Raise(problem) => Stop::Raise(outside(&function.result, problem)),
            other => other,
        })
    }

    fn deeper(&mut self) -> Run<()> {
        if self.calls >= MAX_CALLS {
            let raise = Raise::new(kinds::TOO_DEEP, "calls nest too deep");
            return Err(Stop::Raise(Arc::new(problem(raise, None))));
        }
        self.calls += 1;
        Ok(())
    }

    fn body(&mut self, place: Place<'p>, function: &'p Function, mut slots: Vec<Value>) -> Run {
        let frame = place.code.frames.first();
        let count = frame.map_or(0, |frame| frame.slots.len());
        slots.resize(count.max(function.params.len()), Value::Unset);
        let ty = match &function.result {
            Type::Result(inner, _) => inner,
            ty => ty,
        };
        let mut scope = Scope {
            place,
            frame,
            result: Some((ty, format!("what `{}` gives", function.name))),
            slots,
        };
        match self.parameters(&mut scope, function) {
            Ok(()) => self.frame(&mut scope),
            // A default may hold a `return`.
            Err(Stop::Return(value)) => Ok(value),
            Err(other) => Err(other),
        }
    }

    /// What a function gives, by its end or by `return`, is held to its type
    /// there: a `try` around a `return` catches that it does not fit.
    fn given(&self, scope: &Scope<'p>, id: NodeId, value: Value) -> Run {
        match &scope.result {
            Some((ty, what)) => self.held(scope, Some(id), value, ty, what),
            None => Ok(value),
        }
    }

    /// Gives the parameters that are left out their defaults, and holds all to
    /// their types.
    fn parameters(&mut self, scope: &mut Scope<'p>, function: &'p Function) -> Run<()> {
        for (at, param) in function.params.iter().enumerate() {
            if let (Value::Unset, Some(default)) = (&scope.slots[at], param.default) {
                scope.slots[at] = self.eval(scope, default)?;
            }
            let what = format!("the parameter `{}` of `{}`", param.name, function.name);
            let value = std::mem::take(&mut scope.slots[at]);
            scope.slots[at] = self.held(scope, None, value, &param.ty, &what)?;
        }
        Ok(())
    }

    /// Runs what a frame runs.
    fn frame(&mut self, scope: &mut Scope<'p>) -> Run {
        let Some(body) = scope.frame.and_then(|frame| frame.body) else {
            return Ok(Value::Null);
        };
        match self.eval(scope, body) {
            Ok(value) => self.given(scope, body, value),
            Err(Stop::Return(value)) => Ok(value),
            other => other,
        }
    }

    /// Raises at a place.
    fn raise<T>(&self, scope: &Scope<'p>, id: NodeId, raise: Raise) -> Run<T> {
        // One that was caught before is raised as it was.
        if let Some(Value::Error(problem)) = raise.given {
            return Err(Stop::Raise(problem));
        }
        let span = scope.place.code.span(id);
        let at = At {
            module: scope.place.module,
            start: span.start,
            length: span.length,
        };
        Err(Stop::Raise(Arc::new(problem(raise, Some(at)))))
    }

    /// What was done with values only, at a place.
    fn at<T>(&self, scope: &Scope<'p>, id: NodeId, done: Result<T, Raise>) -> Run<T> {
        match done {
            Ok(value) => Ok(value),
            Err(raise) => self.raise(scope, id, raise),
        }
    }
}

/// What is raised, as a value.
fn problem(raise: Raise, at: Option<At>) -> Problem {
    Problem {
        kind: symbi_vm::Text::new(&*raise.kind),
        message: raise.message.into(),
        at,
        details: raise
            .details
            .unwrap_or_else(|| Value::record([]).expect("flat")),
        given: raise.given,
    }
}

/// An error, as it is to whoever called a function that gives this: what an
/// `Err(e)` there gets is what the type says.
fn outside(result: &Type, problem: Arc<Problem>) -> Arc<Problem> {
    let Type::Result(_, error) = result else {
        return problem;
    };
    let mut problem = Problem::clone(&problem);
    match **error {
        Type::Error => problem.given = None,
        Type::String if problem.given.is_none() => {
            problem.given = Some(Value::Text(problem.message.clone()));
        }
        _ => {}
    }
    Arc::new(problem)
}

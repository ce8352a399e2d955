//! From a program to its chunks.

use std::cell::Cell;
use std::collections::HashMap;
use std::sync::Arc;

use symbi_ir::{Code, Function, Module, Node, NodeId, Param, Program, Struct, Type};

use super::build::{Builder, Waiting, changes};
use super::shape;
use super::{
    Chunk, Errors, Image, Instr, LoadError, Named, StructTable, Structs, Structure, StructureField,
};
use crate::text::Text;

/// What names of the program stand for.
pub(super) struct Names<'p> {
    pub functions: HashMap<Named, u32>,
    /// The parameters of each function, to put arguments in their places.
    pub params: HashMap<Named, &'p [Param]>,
    /// By the module and the agent that declares them.
    structs: HashMap<(u32, Option<Arc<str>>), Arc<StructTable>>,
    /// The number of the next chunk.
    next: Cell<u32>,
}

impl Names<'_> {
    fn number(&self) -> u32 {
        let number = self.next.get();
        self.next.set(number + 1);
        number
    }

    /// What code of an agent may name, or of no agent.
    fn structs(&self, module: u32, agent: Option<&Arc<str>>) -> Structs {
        let table = |agent: Option<&Arc<str>>| {
            let table = self.structs.get(&(module, agent.cloned()));
            table.cloned().unwrap_or_default()
        };
        Structs {
            agent: match agent {
                Some(_) => table(agent),
                None => Arc::default(),
            },
            file: table(None),
        }
    }

    /// A struct of a module or of one of its agents.
    pub(super) fn structure(
        &self,
        module: u32,
        agent: Option<&Arc<str>>,
        name: &str,
    ) -> Option<Arc<Structure>> {
        let table = self.structs.get(&(module, agent.cloned()))?;
        table.get(name).cloned()
    }
}

/// A function whose chunk is to be made.
struct Job<'p> {
    chunk: u32,
    module: u32,
    agent: Option<&'p Arc<str>>,
    name: &'p Arc<str>,
    work: Work<'p>,
}

enum Work<'p> {
    Function(&'p Function),
    Default(&'p Struct, NodeId),
}

impl Image {
    /// Makes a program ready to run.
    ///
    /// # Errors
    /// Its code is of no shape that the compiler makes, or calls a function
    /// that this library does not have.
    pub fn load(program: Arc<Program>) -> Result<Self, LoadError> {
        let mut names = Names {
            functions: HashMap::new(),
            params: HashMap::new(),
            structs: HashMap::new(),
            next: Cell::new(0),
        };
        let mut jobs = Vec::new();
        let mut agents = HashMap::new();
        for (number, module) in program.modules.iter().enumerate() {
            declare(&mut names, &mut jobs, &mut agents, number as u32, module)?;
        }
        let mut chunks: Vec<(u32, Chunk)> = Vec::new();
        for job in &jobs {
            make(&names, job, &mut chunks)?;
        }
        chunks.sort_by_key(|(number, _)| *number);
        let functions = names.functions;
        Ok(Image {
            chunks: chunks.into_iter().map(|(_, chunk)| chunk).collect(),
            functions,
            agents,
            program,
        })
    }
}

fn declare<'p>(
    names: &mut Names<'p>,
    jobs: &mut Vec<Job<'p>>,
    agents: &mut HashMap<(u32, Arc<str>), u32>,
    number: u32,
    module: &'p Module,
) -> Result<(), LoadError> {
    structures(names, jobs, number, None, &module.structs)?;
    functions(names, jobs, number, None, &module.functions)?;
    for agent in &module.agents {
        structures(names, jobs, number, Some(agent.name()), &agent.structs)?;
        functions(names, jobs, number, Some(agent.name()), &agent.functions)?;
        let chunk = job(names, jobs, number, Some(agent.name()), &agent.entry)?;
        agents
            .entry((number, agent.name().clone()))
            .or_insert(chunk);
    }
    Ok(())
}

fn functions<'p>(
    names: &mut Names<'p>,
    jobs: &mut Vec<Job<'p>>,
    module: u32,
    agent: Option<&'p Arc<str>>,
    functions: &'p [Function],
) -> Result<(), LoadError> {
    for function in functions {
        let chunk = job(names, jobs, module, agent, function)?;
        let named = (module, agent.cloned(), function.name.clone());
        // Of two with one name, which the checker refuses, the first counts.
        names.functions.entry(named.clone()).or_insert(chunk);
        names.params.entry(named).or_insert(&function.params);
    }
    Ok(())
}

fn job<'p>(
    names: &Names<'p>,
    jobs: &mut Vec<Job<'p>>,
    module: u32,
    agent: Option<&'p Arc<str>>,
    function: &'p Function,
) -> Result<u32, LoadError> {
    let roots: Vec<NodeId> = function
        .params
        .iter()
        .filter_map(|param| param.default)
        .collect();
    well_shaped(&function.name, &function.code, &roots)?;
    let chunk = names.number();
    jobs.push(Job {
        chunk,
        module,
        agent,
        name: &function.name,
        work: Work::Function(function),
    });
    Ok(chunk)
}

fn structures<'p>(
    names: &mut Names<'p>,
    jobs: &mut Vec<Job<'p>>,
    module: u32,
    agent: Option<&'p Arc<str>>,
    structs: &'p [Struct],
) -> Result<(), LoadError> {
    for one in structs {
        let roots: Vec<NodeId> = one
            .fields
            .iter()
            .filter_map(|field| field.default)
            .collect();
        well_shaped(&one.name, &one.code, &roots)?;
        let fields = one.fields.iter().map(|field| StructureField {
            name: Text::new(&*field.name),
            ty: field.ty.clone(),
            default: field.default.map(|default| {
                let chunk = names.number();
                jobs.push(Job {
                    chunk,
                    module,
                    agent,
                    name: &one.name,
                    work: Work::Default(one, default),
                });
                chunk
            }),
        });
        let structure = Structure {
            name: Text::new(&*one.name),
            fields: fields.collect(),
        };
        let table = names.structs.entry((module, agent.cloned())).or_default();
        // Of two with one name, which the checker refuses, the first counts.
        Arc::make_mut(table)
            .entry(structure.name.clone())
            .or_insert_with(|| Arc::new(structure));
    }
    Ok(())
}

fn well_shaped(name: &str, code: &Code, roots: &[NodeId]) -> Result<(), LoadError> {
    shape::check(code, roots).map_err(|what| LoadError::Shape {
        name: name.to_owned(),
        what,
    })
}

fn make(names: &Names<'_>, job: &Job<'_>, chunks: &mut Vec<(u32, Chunk)>) -> Result<(), LoadError> {
    let code = match job.work {
        Work::Function(function) => &function.code,
        Work::Default(of, _) => &of.code,
    };
    let changes = changes(code);
    let first = code.frames.first();
    let mut builder = Builder::new(names, code, changes.clone(), job.module, first);
    builder.chunk.name = Text::new(&**job.name);
    builder.chunk.structs = names.structs(job.module, job.agent);
    match job.work {
        Work::Function(function) => builder.function(function),
        Work::Default(_, node) => {
            let result = builder.fresh();
            builder.expr(node, result);
            builder.emit(node, Instr::Return { from: result });
        }
    }
    let mut waiting = finish(builder, job.chunk, chunks)?;
    while let Some(Waiting {
        frame,
        chunk,
        definite,
    }) = waiting.pop()
    {
        let own = code.frames.get(frame as usize);
        let mut builder = Builder::new(names, code, changes.clone(), job.module, own);
        builder.chunk.name = Text::new(format!("a lambda in {}", job.name));
        builder.chunk.structs = names.structs(job.module, job.agent);
        builder.lambda_body(frame, &definite);
        waiting.extend(finish(builder, chunk, chunks)?);
    }
    Ok(())
}

fn finish(
    builder: Builder<'_>,
    number: u32,
    chunks: &mut Vec<(u32, Chunk)>,
) -> Result<Vec<Waiting>, LoadError> {
    if let Some(failed) = builder.failed {
        return Err(failed);
    }
    chunks.push((number, builder.chunk));
    Ok(builder.lambdas)
}

impl<'p> Builder<'p> {
    /// The body of a function or agent, with what stands before it.
    fn function(&mut self, function: &Function) {
        self.chunk.params = function.params.len() as u32;
        self.chunk.names = function
            .params
            .iter()
            .map(|param| Text::new(&*param.name))
            .collect();
        let required = function.params.iter().take_while(|param| !param.optional);
        self.chunk.required = required.count() as u32;
        self.chunk.errors = match &function.result {
            Type::Result(_, error) => match **error {
                Type::Error => Errors::Whole,
                Type::String => Errors::Texts,
                _ => Errors::Given,
            },
            _ => Errors::Given,
        };
        for (slot, param) in function.params.iter().enumerate() {
            let slot = slot as u32;
            if let Some(default) = param.default {
                let jump = self.emit(default, Instr::JumpIfSet { reg: slot, to: 0 });
                self.expr(default, slot);
                self.land(jump);
            }
            let what = || format!("the parameter `{}` of `{}`", param.name, function.name);
            if let Some(ty) = self.bound(&param.ty, what) {
                self.emit_at(function.at, Instr::Check { reg: slot, ty });
            }
            self.assigned(slot);
        }
        let what = || format!("what `{}` gives", function.name);
        let result = match &function.result {
            Type::Result(inner, _) => self.bound(inner, what),
            other => self.bound(other, what),
        };
        self.result = result;
        let body = self.code.frames.first().and_then(|frame| frame.body);
        self.run_body(body, function.at);
    }

    /// The body of a lambda.
    fn lambda_body(&mut self, frame: u32, definite: &[u32]) {
        let Some(own) = self.code.frames.get(frame as usize) else {
            return;
        };
        self.chunk.params = own.params;
        self.chunk.required = own.params;
        let names = own.slots.iter().take(own.params as usize);
        self.chunk.names = names.map(|name| Text::new(&**name)).collect();
        self.chunk.captures = own.captures.iter().map(|capture| capture.to).collect();
        for slot in 0..own.params {
            self.assigned(slot);
        }
        for slot in definite {
            self.assigned(*slot);
        }
        self.run_body(own.body, Default::default());
    }

    fn run_body(&mut self, body: Option<NodeId>, at: symbi_ir::Span) {
        let Some(body) = body else {
            let null = self.constant(crate::Value::Null);
            self.emit_at(at, Instr::Return { from: null });
            return;
        };
        let at = match self.node(body) {
            Node::Block { statements, .. } => statements.last().copied().unwrap_or(body),
            _ => body,
        };
        let result = self.fresh();
        self.expr(body, result);
        self.return_(at, result);
    }
}

impl Names<'_> {
    /// The number of a chunk for a lambda.
    pub(super) fn lambda(&self) -> u32 {
        self.number()
    }
}

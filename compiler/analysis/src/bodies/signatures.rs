//! What a name leads to when it is called or read, and what types the other
//! side of a call or field has.

use std::collections::HashMap;
use std::rc::Rc;
use std::sync::Arc;

use symbi_diagnostics::{Diagnostic, names as codes};

use super::Resolution;
use super::expect::did_you_mean;
use super::scope::{Checker, Unknown};
use super::types::{is_builtin, resolve_type};
use crate::declaration::{
    AgentDeclaration, Declaration, FunctionDeclaration, Kind, Param, TypeBody,
};
use crate::program::{AgentLookup, FileId, Found, Program, Tool};
use crate::ty::{FunctionTy, ParamTy, Signature, Ty, TypeId};

/// What a call by a name calls (language.md section 2.6), apart from lambdas.
#[derive(Clone)]
pub(super) enum Callee {
    /// A function of the agent or the file.
    Function(Rc<Signature>),
    /// One of the standard library's of this name.
    Library,
    /// A tool.
    Tool(Rc<Signature>, Arc<Tool>),
    /// An agent of a file, by its name there: a delegation.
    Agent(Rc<Signature>, FileId, Arc<str>),
    /// A declaration of this name that cannot be read.
    Unclear,
    /// Agents of several files.
    Ambiguous,
    /// Nothing of the program.
    External,
}

/// The fields of a struct.
pub(super) struct Fields {
    pub list: Vec<ParamTy>,
    pub by_name: HashMap<Arc<str>, usize>,
}

impl Fields {
    pub(super) fn get(&self, name: &str) -> Option<&ParamTy> {
        self.by_name.get(name).map(|at| &self.list[*at])
    }
}

/// What an agent takes and gives, with its types as its own file sees them.
pub fn signature_of_agent(program: &dyn Program, found: &Found) -> Signature {
    match &*found.declaration {
        Declaration::Agent(agent) => agent_signature(program, found.file, agent),
        _ => Signature {
            name: "".into(),
            type_params: Vec::new(),
            params: Vec::new(),
            rest: Some(Ty::Any),
            result: Ty::Any,
        },
    }
}

/// A conversational agent has no parameters, and takes whatever it is told.
fn agent_signature(program: &dyn Program, file: FileId, agent: &AgentDeclaration) -> Signature {
    let scope = agent.name.as_deref();
    Signature {
        name: agent.name.clone().unwrap_or_default(),
        type_params: Vec::new(),
        params: params(program, file, scope, &agent.params),
        rest: (!agent.executable && agent.params.is_empty()).then_some(Ty::Any),
        result: match &agent.result {
            Some(result) => resolve_type(program, file, scope, result),
            None => Ty::Any,
        },
    }
}

/// What a function takes and gives.
pub(super) fn function_signature(
    program: &dyn Program,
    file: FileId,
    agent: Option<&str>,
    function: &FunctionDeclaration,
) -> Signature {
    Signature {
        name: function.name.clone(),
        type_params: Vec::new(),
        params: params(program, file, agent, &function.params),
        rest: None,
        result: match &function.result {
            Some(result) => resolve_type(program, file, agent, result),
            None => Ty::Any,
        },
    }
}

fn params(
    program: &dyn Program,
    file: FileId,
    agent: Option<&str>,
    params: &[Param],
) -> Vec<ParamTy> {
    let resolved = params.iter().map(|param| ParamTy {
        name: param.name.clone(),
        ty: match &param.ty {
            Some(ty) => resolve_type(program, file, agent, ty),
            None => Ty::Any,
        },
        optional: param.optional,
    });
    resolved.collect()
}

fn tool_signature(tool: &Tool) -> Signature {
    let params = tool.params.iter().map(|param| ParamTy {
        name: param.name.clone(),
        ty: param.ty.clone(),
        optional: !param.required,
    });
    Signature {
        name: tool.name.clone(),
        type_params: Vec::new(),
        params: params.collect(),
        rest: None,
        result: Ty::Any,
    }
}

impl<'i> Checker<'i> {
    /// What a call by this name calls, if no local of that name is in the way.
    pub(super) fn callee(&mut self, name: &str) -> Callee {
        if let Some(known) = self.callees.get(name) {
            return known.clone();
        }
        let found = self.find_callee(name);
        self.callees.insert(name.to_owned(), found.clone());
        found
    }

    fn find_callee(&self, name: &str) -> Callee {
        if let Some(own) = self.own_functions.get(name) {
            return Callee::Function(own.clone());
        }
        if !name.contains("::") {
            match self
                .program
                .declared_in(self.file, Kind::Function, name)
                .as_deref()
            {
                Some(Declaration::Function(function)) => {
                    let signature = function_signature(self.program, self.file, None, function);
                    return Callee::Function(Rc::new(signature));
                }
                Some(_) => return Callee::Unclear,
                None => {}
            }
            if self.program.stdlib().functions.contains_key(name) {
                return Callee::Library;
            }
        }
        if let Some(tool) = self.program.tool(name) {
            return Callee::Tool(Rc::new(tool_signature(&tool)), tool);
        }
        if name.contains("::") {
            return Callee::External;
        }
        match self.program.agent(name) {
            AgentLookup::Found(found) => {
                let signature = signature_of_agent(self.program, &found);
                let declared = match &*found.declaration {
                    Declaration::Agent(agent) => agent.name.clone(),
                    _ => None,
                };
                let declared = declared.unwrap_or_else(|| name.into());
                Callee::Agent(Rc::new(signature), found.file, declared)
            }
            AgentLookup::Ambiguous(_) => Callee::Ambiguous,
            AgentLookup::Unknown => Callee::External,
        }
    }

    /// The fields of a struct; `None` if it has none that can be read.
    pub(super) fn fields(&mut self, id: &TypeId) -> Option<Rc<Fields>> {
        if let Some(known) = self.structs.get(id) {
            return Some(known.clone());
        }
        let TypeBody::Struct(written) = self.program.type_declaration(id)?.body else {
            return None;
        };
        let list = params(self.program, id.file, id.agent.as_deref(), &written);
        let mut by_name = HashMap::new();
        for (at, field) in list.iter().enumerate() {
            by_name.entry(field.name.clone()).or_insert(at);
        }
        let fields = Rc::new(Fields { list, by_name });
        self.structs.insert(id.clone(), fields.clone());
        Some(fields)
    }

    /// The type of a name that is read and is no variable; `None` if nothing
    /// declares it.
    pub(super) fn global(&mut self, name: &str) -> Option<Ty> {
        if !self.is_global(name) {
            return None;
        }
        let Callee::Function(signature) = self.callee(name) else {
            return Some(Ty::Any);
        };
        if signature.params.iter().any(|param| param.optional) {
            return Some(Ty::Any);
        }
        Some(Ty::Function(Arc::new(FunctionTy {
            params: signature
                .params
                .iter()
                .map(|param| param.ty.clone())
                .collect(),
            result: signature.result.clone(),
        })))
    }

    /// What a name is that is read, and that the program declares.
    pub(super) fn read_as(&mut self, name: &str) -> Resolution {
        if self.own_functions.contains_key(name) {
            return Resolution::OwnFunction;
        }
        match self.callee(name) {
            Callee::Function(_) => Resolution::Function,
            Callee::Library => Resolution::Library,
            _ => Resolution::Named,
        }
    }

    /// What a name is that is called and is no variable.
    pub(super) fn called_as(&self, name: &str, callee: &Callee) -> Resolution {
        match callee {
            Callee::Function(_) if self.own_functions.contains_key(name) => Resolution::OwnFunction,
            Callee::Function(_) | Callee::Unclear => Resolution::Function,
            Callee::Library => Resolution::Library,
            Callee::Tool(..) => Resolution::Tool,
            Callee::Agent(_, file, name) => Resolution::Agent(*file, name.clone()),
            Callee::Ambiguous => Resolution::Ambiguous,
            Callee::External => Resolution::External,
        }
    }

    /// Whether a name that is read stands for something of the program: a
    /// function, a type, and outside functions a block, tool or agent.
    pub(super) fn is_global(&mut self, name: &str) -> bool {
        if self.own_functions.contains_key(name) {
            self.run.called.push(name.into());
            return true;
        }
        if let Some(known) = self.globals.get(name) {
            return *known;
        }
        let is = !matches!(self.callee(name), Callee::External)
            || self.declared_type(name).is_some()
            || is_builtin(name)
            || (!self.in_function && self.block_named(name).is_some());
        self.globals.insert(name.to_owned(), is);
        is
    }

    /// The kind of the block that has this name in the file.
    fn block_named(&self, name: &str) -> Option<Kind> {
        [
            Kind::Memory,
            Kind::Policy,
            Kind::Channel,
            Kind::Webhook,
            Kind::Schedule,
        ]
        .into_iter()
        .find(|kind| self.program.has_block(self.file, *kind, name))
    }

    /// All names that can be called, for "did you mean".
    fn callable(&mut self) -> Rc<[Arc<str>]> {
        if let Some(known) = &self.callable {
            return known.clone();
        }
        let mut names: Vec<Arc<str>> = self.program.names_in(self.file, Kind::Function);
        names.extend(self.own_names.iter().cloned());
        names.extend(self.program.stdlib().functions.keys().cloned());
        names.extend(self.program.tool_names());
        names.extend(self.program.project_names(Kind::Agent));
        let names: Rc<[Arc<str>]> = names.into();
        self.callable = Some(names.clone());
        names
    }

    /// Reports a name that nothing declares, once an item.
    pub(super) fn report_unknown(&mut self, unknown: &Unknown, variables: &[Arc<str>]) {
        let name = &unknown.name;
        let key = format!("{} {name}", if unknown.call { "call" } else { "name" });
        if self.repeats(&key, unknown.at) {
            return;
        }
        let callable = self.callable();
        let constant = match &**name {
            "nil" | "undefined" | "NULL" | "Null" | "NONE" | "none" => Some("null"),
            "True" | "TRUE" => Some("true"),
            "False" | "FALSE" => Some("false"),
            _ => None,
        };
        let near = match unknown.call {
            false if constant.is_some() => constant.map(str::to_owned),
            true => self.near(name, &callable),
            false => {
                let mut known = variables.to_vec();
                known.extend(callable.iter().cloned());
                self.near(name, &known)
            }
        };
        let report = match unknown.call {
            true => Diagnostic::new(
                &codes::N0203,
                unknown.at,
                format!("nothing declares `{name}`, so this is an external action"),
            )
            .label("policies decide on it, and what the host provides answers it"),
            false => Diagnostic::new(
                &codes::N0202,
                unknown.at,
                format!("nothing declares `{name}`"),
            )
            .label("reading it raises `unbound_name`"),
        };
        let hidden = match self.in_function && !unknown.call {
            true => self.block_named(name),
            false => None,
        };
        let report = match (near, hidden) {
            (_, Some(kind)) => report.help(format!(
                "`{name}` is a {} of the file; a function sees the functions and types of its \
                 file and its own parameters only: give it as an argument",
                kind.word()
            )),
            (Some(near), None) => did_you_mean(report, near),
            (None, None) if unknown.call => report.help(format!(
                "if it is a tool, declare it in `tools/{}.clad.toml`, so that its arguments are \
                 checked",
                name.replace("::", "-")
            )),
            (None, None) => report,
        };
        self.report_repeated(key, false, report);
    }
}

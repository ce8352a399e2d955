//! Calls: of functions, values, methods, the library, and of what the host is
//! asked for.

use std::sync::Arc;

use symbi_ir::{Argument, Callee, Node, NodeId};

use super::build::Builder;
use super::{CONST, Instr, Opd, Reg, Target, TargetArgument, TargetKind};
use crate::library::Site;
use crate::text::Text;

impl<'p> Builder<'p> {
    #[inline(never)]
    pub fn call(&mut self, id: NodeId, callee: &'p Callee, arguments: &'p [Argument], dst: Reg) {
        let mark = self.top;
        match callee {
            Callee::Function { agent, name } => {
                self.own(id, agent.as_ref(), name, arguments, dst);
            }
            Callee::Library(name) => {
                let base = self.values(arguments.iter().map(|argument| argument.value));
                if let Some(site) = self.site(name, arguments, false) {
                    self.emit(id, Instr::Library { dst, site, base });
                }
            }
            Callee::Tool(name) => self.ask(id, TargetKind::Tool(name.clone()), arguments, dst),
            Callee::Agent(name) => self.ask(id, TargetKind::Agent(name.clone()), arguments, dst),
            Callee::Ambiguous(name) => {
                self.ask(id, TargetKind::Ambiguous(name.clone()), arguments, dst);
            }
            Callee::External(name) => {
                self.ask(id, TargetKind::Action(name.clone()), arguments, dst);
            }
            // INVARIANT: a link of a chain.
            Callee::Value(_) => {}
        }
        self.top = mark;
    }

    /// A function of the program: each argument is put where its parameter is.
    fn own(
        &mut self,
        id: NodeId,
        agent: Option<&Arc<str>>,
        name: &'p Arc<str>,
        arguments: &'p [Argument],
        dst: Reg,
    ) {
        let named = (self.module, agent.cloned(), name.clone());
        let (Some(chunk), Some(params)) = (
            self.names.functions.get(&named).copied(),
            self.names.params.get(&named).copied(),
        ) else {
            let name = self.text(name);
            self.emit(id, Instr::Unbound { name });
            return;
        };
        let base = self.fresh_many(params.len());
        let mut given = vec![false; params.len()];
        let places = places(params, arguments);
        for (argument, place) in arguments.iter().zip(&places) {
            match place {
                Some(place) => {
                    let target = base + *place as Reg;
                    self.expr(argument.value, target);
                    if let Some(given) = given.get_mut(*place) {
                        *given = true;
                    }
                }
                None => {
                    let unused = self.fresh();
                    self.expr(argument.value, unused);
                }
            }
        }
        let surplus = places.iter().any(Option::is_none);
        let mut lacks = false;
        for (at, param) in params.iter().enumerate() {
            if !given.get(at).copied().unwrap_or(false) {
                lacks |= param.default.is_none();
                self.emit(
                    id,
                    Instr::Unset {
                        dst: base + at as Reg,
                    },
                );
            }
        }
        if surplus || lacks {
            // The checker refuses it; what is not checked raises.
            self.emit(id, Instr::WrongCall { chunk });
            return;
        }
        self.emit(id, Instr::Call { dst, chunk, base });
    }

    fn ask(&mut self, id: NodeId, what: TargetKind, arguments: &'p [Argument], dst: Reg) {
        let base = self.values(arguments.iter().map(|argument| argument.value));
        let target = self.chunk.calls.len() as u32;
        let arguments = arguments.iter().map(|argument| TargetArgument {
            name: argument.name.clone(),
            parameter: argument.parameter,
        });
        self.chunk.calls.push(Target {
            what,
            arguments: arguments.collect(),
        });
        self.emit(id, Instr::Ask { dst, target, base });
    }

    /// Where a function of the library is called; `None` if there is none of the
    /// name, which is noted.
    fn site(&mut self, name: &Arc<str>, arguments: &[Argument], method: bool) -> Option<u32> {
        let names = arguments
            .iter()
            .map(|argument| argument.name.clone())
            .collect();
        let site = Site::new(Text::new(&**name), names, method);
        if !method && site.is_empty() {
            self.failed = Some(super::LoadError::Library(name.to_string()));
            return None;
        }
        let number = self.chunk.sites.len() as u32;
        self.chunk.sites.push(site);
        Some(number)
    }

    #[inline(never)]
    #[allow(
        clippy::too_many_arguments,
        reason = "one link of a chain, as it is taken apart"
    )]
    pub fn method(
        &mut self,
        id: NodeId,
        name: &Arc<str>,
        arguments: &'p [Argument],
        place: bool,
        first: Option<NodeId>,
        so_far: Opd,
        dst: Reg,
    ) {
        let Some(site) = self.site(name, arguments, true) else {
            return;
        };
        if let Node::Method { receiver, .. } = self.node(id)
            && place
            // A chain that was walked up to here has run its receiver; places
            // are short, and are walked again from their variable.
            && let Some(path) = self.place_of(*receiver, first, arguments)
        {
            let base = self.fresh_many(arguments.len() + 1);
            for (at, argument) in arguments.iter().enumerate() {
                self.expr(argument.value, base + 1 + at as Reg);
            }
            if let Some(site) = self.chunk.sites.get_mut(site as usize) {
                site.base = base;
                site.path = path;
            }
            self.emit(id, Instr::MethodAt { dst, site });
            return;
        }
        let base = self.fresh_many(arguments.len() + 1);
        match first {
            Some(first) => self.expr(first, base),
            None => {
                self.emit(
                    id,
                    Instr::Move {
                        dst: base,
                        from: so_far,
                    },
                );
            }
        }
        for (at, argument) in arguments.iter().enumerate() {
            self.expr(argument.value, base + 1 + at as Reg);
        }
        self.emit(id, Instr::Method { dst, site, base });
    }

    fn place_of(
        &mut self,
        receiver: NodeId,
        first: Option<NodeId>,
        arguments: &[Argument],
    ) -> Option<u32> {
        first?;
        let changing = arguments
            .iter()
            .find(|argument| self.changes(argument.value));
        let next = changing
            .or(arguments.first())
            .map(|argument| argument.value);
        self.path(receiver, next.or(Some(receiver)))
    }

    #[inline(never)]
    pub fn call_value(
        &mut self,
        id: NodeId,
        arguments: &'p [Argument],
        first: Option<NodeId>,
        so_far: Opd,
        dst: Reg,
    ) {
        let mark = self.top;
        // Arguments may change the variable that holds what is called.
        let changing = arguments
            .iter()
            .any(|argument| self.changes(argument.value));
        let mut callee = self.first(first, so_far);
        if changing && callee & CONST == 0 && self.is_slot(callee) {
            let dst = self.fresh();
            self.emit(id, Instr::Move { dst, from: callee });
            callee = dst;
        }
        let base = self.values(arguments.iter().map(|argument| argument.value));
        let names = arguments
            .iter()
            .map(|argument| argument.name.clone())
            .collect();
        let site = self.chunk.sites.len() as u32;
        let mut called = Site::value(Text::new("a value"), names);
        called.base = base;
        self.chunk.sites.push(called);
        self.emit(id, Instr::CallValue { dst, callee, site });
        self.top = mark;
    }
}

/// The parameter of each argument: what the compiler resolved, else by name and
/// order.
fn places(params: &[symbi_ir::Param], arguments: &[Argument]) -> Vec<Option<usize>> {
    let mut taken = vec![false; params.len()];
    let mut places: Vec<Option<usize>> = arguments
        .iter()
        .map(|argument| {
            let named = || {
                let name = argument.name.as_ref()?;
                params.iter().position(|param| param.name == *name)
            };
            let place = argument.parameter.map(|at| at as usize).or_else(named)?;
            let free = taken.get_mut(place)?;
            (!std::mem::replace(free, true)).then_some(place)
        })
        .collect();
    for (argument, place) in arguments.iter().zip(&mut places) {
        if place.is_none() && argument.name.is_none() && argument.parameter.is_none() {
            *place = taken.iter().position(|taken| !taken);
            if let Some(taken) = place.and_then(|at| taken.get_mut(at)) {
                *taken = true;
            }
        }
    }
    places
}

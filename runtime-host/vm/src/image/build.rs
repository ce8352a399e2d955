//! What a chunk is made with: registers, constants, jumps, and which variables
//! surely have a value.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use symbi_ir::{Code, Frame, Node, NodeId, Span, Type};

use super::load::Names;
use super::{Bound, CONST, Chunk, Instr, LoadError, Opd, Reg};
use crate::text::Text;
use crate::value::Value;

/// The most instructions, constants and registers of a chunk.
const MOST: usize = 1 << 28;

/// A chunk that is being made.
pub(super) struct Builder<'p> {
    pub names: &'p Names<'p>,
    pub code: &'p Code,
    /// The names of its variables.
    pub slots: &'p [Arc<str>],
    pub module: u32,
    pub chunk: Chunk,
    /// The first register that is free.
    pub top: Reg,
    texts: HashMap<Arc<str>, u32>,
    /// Whether each variable surely has a value here.
    definite: Vec<bool>,
    /// Which variables got one, in order.
    log: Vec<u32>,
    /// The loops around what is made.
    pub loops: Vec<Loop>,
    /// Nodes whose running may change a variable of their frame.
    pub changes: Arc<[bool]>,
    /// Lambdas that are to be made: their frames, their numbers, and which of
    /// their variables surely have a value.
    pub lambdas: Vec<Waiting>,
    /// How many `try` and `match` are around that catch what is raised.
    pub catching: u32,
    pub failed: Option<LoadError>,
    /// What it gives has to fit this type.
    pub result: Option<u32>,
}

/// A lambda whose chunk is still to be made.
pub(super) struct Waiting {
    pub frame: u32,
    pub chunk: u32,
    pub definite: Vec<u32>,
}

/// A loop around what is made.
pub(super) struct Loop {
    pub start: u32,
    /// Jumps behind its end.
    pub ends: Vec<usize>,
}

impl<'p> Builder<'p> {
    pub fn new(
        names: &'p Names<'p>,
        code: &'p Code,
        changes: Arc<[bool]>,
        module: u32,
        frame: Option<&'p Frame>,
    ) -> Self {
        let names_of: &[Arc<str>] = frame.map_or(&[], |frame| &frame.slots);
        let slots = names_of.len();
        let mut builder = Builder {
            names,
            code,
            slots: names_of,
            module,
            chunk: Chunk {
                module,
                ..Chunk::default()
            },
            top: slots as Reg,
            texts: HashMap::new(),
            definite: vec![false; slots],
            log: Vec::new(),
            loops: Vec::new(),
            changes,
            lambdas: Vec::new(),
            catching: 0,
            failed: None,
            result: None,
        };
        builder.chunk.registers = slots as Reg;
        builder.chunk.slots = slots as Reg;
        builder
    }

    // Registers.

    /// The next free register.
    pub fn fresh(&mut self) -> Reg {
        self.fresh_many(1)
    }

    /// The next free registers.
    pub fn fresh_many(&mut self, count: usize) -> Reg {
        let first = self.top;
        let end = (first as usize).saturating_add(count);
        if end > MOST {
            self.failed = Some(LoadError::Large(self.chunk.name.to_string()));
            return first;
        }
        self.top = end as Reg;
        self.chunk.registers = self.chunk.registers.max(self.top);
        first
    }

    /// Whether it is a variable, which others read.
    pub fn is_slot(&self, reg: Reg) -> bool {
        (reg as usize) < self.definite.len()
    }

    // Instructions.

    pub fn emit(&mut self, at: NodeId, instr: Instr) -> usize {
        self.emit_at(self.code.span(at), instr)
    }

    pub fn emit_at(&mut self, at: Span, instr: Instr) -> usize {
        let place = self.chunk.code.len();
        if place > MOST {
            self.failed = Some(LoadError::Large(self.chunk.name.to_string()));
            return 0;
        }
        self.chunk.code.push(instr);
        self.chunk.places.push(at);
        place
    }

    /// Where the next instruction will stand.
    pub fn here(&self) -> u32 {
        self.chunk.code.len() as u32
    }

    /// Lets a jump lead here.
    pub fn land(&mut self, jump: usize) {
        let here = self.here();
        if let Some(
            Instr::Jump { to }
            | Instr::JumpIf { to, .. }
            | Instr::JumpUnless { to, .. }
            | Instr::JumpUnlessCompared { to, .. }
            | Instr::JumpIfSet { to, .. }
            | Instr::JumpUnlessFits { to, .. }
            | Instr::JumpUnlessKind { to, .. }
            | Instr::Next { to, .. },
        ) = self.chunk.code.get_mut(jump)
        {
            *to = here;
        }
    }

    // Constants.

    pub fn constant(&mut self, value: Value) -> Opd {
        let number = self.chunk.consts.len() as u32;
        self.chunk.consts.push(value);
        number | CONST
    }

    /// The number of a text among the constants.
    pub fn text(&mut self, text: &Arc<str>) -> u32 {
        if let Some(number) = self.texts.get(text) {
            return *number;
        }
        let number = self.chunk.consts.len() as u32;
        self.chunk.consts.push(Value::Text(Text::new(&**text)));
        self.texts.insert(text.clone(), number);
        number
    }

    /// The number of a type at a border; `None` if everything fits it.
    pub fn bound(&mut self, ty: &Type, what: impl FnOnce() -> String) -> Option<u32> {
        if matches!(ty, Type::Any | Type::Json | Type::Opaque(_)) {
            return None;
        }
        Some(self.any_bound(ty, what().into()))
    }

    /// The number of a type, whatever it is.
    pub fn any_bound(&mut self, ty: &Type, what: Box<str>) -> u32 {
        let number = self.chunk.types.len() as u32;
        let ty = ty.clone();
        self.chunk.types.push(Bound { ty, what });
        number
    }

    // Which variables surely have a value.

    pub fn is_definite(&self, slot: u32) -> bool {
        self.definite.get(slot as usize).copied().unwrap_or(false)
    }

    pub fn assigned(&mut self, slot: u32) {
        if let Some(definite) = self.definite.get_mut(slot as usize)
            && !*definite
        {
            *definite = true;
            self.log.push(slot);
        }
    }

    /// A variable that has no value any more. It is forgotten for good, since
    /// what got one before may stand in the log.
    pub fn unassigned(&mut self, slot: u32) {
        if let Some(definite) = self.definite.get_mut(slot as usize) {
            *definite = false;
        }
    }

    pub fn mark(&self) -> usize {
        self.log.len()
    }

    /// Forgets the variables that got a value since, and tells which did.
    pub fn forget(&mut self, mark: usize) -> Vec<u32> {
        let since = self.log.split_off(mark.min(self.log.len()));
        let kept = since.into_iter().filter(|slot| {
            let definite = self.definite.get_mut(*slot as usize);
            definite.is_some_and(std::mem::take)
        });
        kept.collect()
    }

    /// What got a value on both of two ways has one.
    pub fn both(&mut self, one: Vec<u32>, two: Vec<u32>) {
        let one: HashSet<u32> = one.into_iter().collect();
        for slot in two {
            if one.contains(&slot) {
                self.assigned(slot);
            }
        }
    }

    // Nodes.

    pub fn node(&self, id: NodeId) -> &'p Node {
        // INVARIANT: `shape::check` has seen every node that is part of another.
        self.code.node(id).unwrap_or(&Node::Null)
    }

    /// Whether running it may change a variable.
    pub fn changes(&self, id: NodeId) -> bool {
        self.changes.get(id as usize).copied().unwrap_or(true)
    }
}

/// For each node, whether running it may change a variable of its frame.
pub(super) fn changes(code: &Code) -> Arc<[bool]> {
    let mut found = vec![false; code.nodes.len()];
    for (at, node) in code.nodes.iter().enumerate() {
        let own = match node {
            Node::Assign { .. }
            | Node::Let { .. }
            | Node::For { .. }
            | Node::IfLet { .. }
            | Node::Match { .. }
            | Node::Try { .. }
            | Node::Method { place: true, .. } => true,
            node => {
                let mut any = false;
                node.each_part(|part| any |= found.get(part as usize).copied().unwrap_or(true));
                any
            }
        };
        if let Some(found) = found.get_mut(at) {
            *found = own;
        }
    }
    found.into()
}

//! Expressions: each puts its value into a register.

use std::sync::Arc;

use symbi_ir::{Callee, Node, NodeId, Op, Slot};

use super::build::{Builder, Waiting};
use super::shape::link;
use super::{
    CONST, FieldOf, Fields, Instr, LambdaAt, Opd, Reg, Structure, StructureField, Target,
    TargetKind,
};
use crate::fits::empty_field;
use crate::text::Text;
use crate::value::{Function, Value};

/// How many elements of a list are made before they are put into it.
const PORTION: usize = 64;

impl<'p> Builder<'p> {
    /// Puts the value of a node into a register.
    pub fn expr(&mut self, id: NodeId, dst: Reg) {
        match self.node(id) {
            Node::Null
            | Node::Bool(_)
            | Node::Int(_)
            | Node::Float(_)
            | Node::Text(_)
            | Node::Duration(_)
            | Node::Size(_)
            | Node::Function { .. }
            | Node::Library(_)
            | Node::Name(_)
            | Node::Local(_) => {
                let from = self.operand(id);
                self.emit(id, Instr::Move { dst, from });
            }
            Node::Unbound(name) => {
                let name = self.text(name);
                self.emit(id, Instr::Unbound { name });
            }
            Node::Secret(address) => self.secret(id, address, dst),
            Node::List(parts) => self.list(id, parts, dst),
            Node::Record(fields) => self.record(id, None, fields, dst),
            Node::Struct {
                agent,
                name,
                fields,
            } => self.structure(id, agent.as_ref(), name, fields, dst),
            Node::New(ty) => self.new_value(id, ty, dst),
            Node::Field { .. }
            | Node::Index { .. }
            | Node::Not(_)
            | Node::Minus(_)
            | Node::And(..)
            | Node::Or(..)
            | Node::Binary { .. }
            | Node::Method { .. }
            | Node::Call {
                callee: Callee::Value(_),
                ..
            } => self.chain(id, dst),
            Node::Call { callee, arguments } => self.call(id, callee, arguments, dst),
            Node::Raise(value) => {
                let mark = self.top;
                let from = self.operand(*value);
                self.emit(id, Instr::Raise { from });
                self.top = mark;
            }
            Node::Lambda(frame) => self.lambda(id, *frame, dst),
            Node::If { .. } | Node::IfLet { .. } => self.if_(id, Some(dst)),
            Node::Match { .. } => self.match_(id, Some(dst)),
            Node::Try { .. } => self.try_(id, Some(dst)),
            Node::Block { statements, value } => self.block(id, statements, *value, dst),
            Node::For { .. }
            | Node::While { .. }
            | Node::Break
            | Node::Continue
            | Node::Return(_)
            | Node::Let { .. }
            | Node::Assign { .. } => {
                self.statement(id);
                self.null(id, dst);
            }
        }
    }

    pub fn null(&mut self, at: NodeId, dst: Reg) {
        let from = self.constant(Value::Null);
        self.emit(at, Instr::Move { dst, from });
    }

    #[inline(never)]
    fn block(&mut self, id: NodeId, statements: &'p [NodeId], value: bool, dst: Reg) {
        let (last, before) = match (statements.split_last(), value) {
            (Some((last, before)), true) => (Some(*last), before),
            _ => (None, statements),
        };
        for statement in before {
            self.statement(*statement);
        }
        match last {
            Some(last) => self.expr(last, dst),
            None => self.null(id, dst),
        }
    }

    /// Where the value of a node stands: a variable, a constant, or a fresh
    /// register into which it is put.
    pub fn operand(&mut self, id: NodeId) -> Opd {
        match self.node(id) {
            Node::Local(slot) => {
                self.read(id, *slot);
                *slot
            }
            Node::Null => self.constant(Value::Null),
            Node::Bool(value) => self.constant(Value::Bool(*value)),
            Node::Int(value) => self.constant(Value::Int(*value)),
            Node::Float(value) => self.constant(Value::Float(*value)),
            Node::Duration(value) => self.constant(Value::Duration(*value)),
            Node::Size(value) => self.constant(Value::Size(*value)),
            // Agents, tools, blocks and types are their names.
            Node::Text(text) | Node::Name(text) => self.text(text) | CONST,
            Node::Function { agent, name } => {
                let named = (self.module, agent.clone(), name.clone());
                match self.names.functions.get(&named) {
                    Some(chunk) => self.constant(Value::Function(Function::Own(*chunk))),
                    None => self.missing(id, name),
                }
            }
            Node::Library(name) => match crate::library::number(name) {
                Some(number) => self.constant(Value::Function(Function::Library(number))),
                None => self.missing(id, name),
            },
            _ => {
                let dst = self.fresh();
                self.expr(id, dst);
                dst
            }
        }
    }

    /// The same, in a register that nothing else changes before it is used.
    pub fn operand_before(&mut self, id: NodeId, next: NodeId) -> Opd {
        let from = self.operand(id);
        match from & CONST == 0 && self.is_slot(from) && self.changes(next) {
            true => {
                let dst = self.fresh();
                self.emit(id, Instr::Move { dst, from });
                dst
            }
            false => from,
        }
    }

    fn missing(&mut self, id: NodeId, name: &Arc<str>) -> Opd {
        let text = self.text(name);
        self.emit(id, Instr::Unbound { name: text });
        text | CONST
    }

    pub fn read(&mut self, id: NodeId, slot: Slot) {
        if !self.is_definite(slot) {
            let name = self.slot_name(slot);
            let name = self.text(&name);
            self.emit(id, Instr::IsBound { reg: slot, name });
        }
    }

    fn slot_name(&self, slot: Slot) -> Arc<str> {
        let name = self.slots.get(slot as usize);
        name.cloned().unwrap_or_else(|| "".into())
    }

    #[inline(never)]
    fn secret(&mut self, id: NodeId, address: &Arc<str>, dst: Reg) {
        let target = self.chunk.calls.len() as u32;
        self.chunk.calls.push(Target {
            what: TargetKind::Secret(address.clone()),
            arguments: Vec::new(),
        });
        let base = self.top;
        self.emit(id, Instr::Ask { dst, target, base });
    }

    #[inline(never)]
    fn list(&mut self, id: NodeId, parts: &[NodeId], dst: Reg) {
        let mark = self.top;
        let mut portions = parts.chunks(PORTION);
        let first = portions.next().unwrap_or(&[]);
        // Others read a variable while the list is being made.
        let target = match parts.len() > PORTION {
            true => self.fresh(),
            false => dst,
        };
        let inner = self.top;
        let start = self.values(first.iter().copied());
        let count = first.len() as u32;
        self.emit(
            id,
            Instr::List {
                dst: target,
                start,
                count,
            },
        );
        for portion in portions {
            self.top = inner;
            let start = self.values(portion.iter().copied());
            let count = portion.len() as u32;
            self.emit(
                id,
                Instr::Extend {
                    dst: target,
                    start,
                    count,
                },
            );
        }
        if target != dst {
            self.emit(id, Instr::Take { dst, from: target });
        }
        self.top = mark;
    }

    /// Puts values into fresh registers, one behind the other.
    pub fn values(&mut self, parts: impl ExactSizeIterator<Item = NodeId>) -> Reg {
        let start = self.fresh_many(parts.len());
        for (at, part) in parts.enumerate() {
            self.expr(part, start + at as Reg);
        }
        start
    }

    #[inline(never)]
    fn record(&mut self, id: NodeId, of: Option<Text>, fields: &[(Arc<str>, NodeId)], dst: Reg) {
        let mark = self.top;
        let start = self.values(fields.iter().map(|(_, value)| *value));
        let names = fields
            .iter()
            .map(|(name, _)| Value::from(&**name))
            .collect();
        self.made(id, of, names, start, dst);
        self.top = mark;
    }

    fn made(&mut self, id: NodeId, of: Option<Text>, names: Vec<Value>, start: Reg, dst: Reg) {
        let shape = self.chunk.shapes.len() as u32;
        self.chunk.shapes.push(Fields { of, names });
        self.emit(id, Instr::Record { dst, start, shape });
    }

    /// A struct: what is written, in its order; then what is not.
    #[inline(never)]
    fn structure(
        &mut self,
        id: NodeId,
        agent: Option<&Arc<str>>,
        name: &Arc<str>,
        fields: &[(Arc<str>, NodeId)],
        dst: Reg,
    ) {
        let Some(structure) = self.names.structure(self.module, agent, name) else {
            return self.record(id, Some(Text::new(&**name)), fields, dst);
        };
        let mark = self.top;
        let declared = structure.fields.len();
        let places: std::collections::HashMap<&str, usize> = structure
            .fields
            .iter()
            .enumerate()
            .map(|(at, field)| (field.name.as_str(), at))
            .collect();
        let extra: Vec<&(Arc<str>, NodeId)> = fields
            .iter()
            .filter(|(name, _)| !places.contains_key(&**name))
            .collect();
        let start = self.fresh_many(declared + extra.len());
        let mut given = vec![false; declared];
        let mut next_extra = start + declared as Reg;
        let mut names: Vec<Value> = structure
            .fields
            .iter()
            .map(|field| Value::Text(field.name.clone()))
            .collect();
        for (field, value) in fields {
            match places.get(&**field) {
                Some(at) => {
                    let reg = start + *at as Reg;
                    self.expr(*value, reg);
                    if let Some(given) = given.get_mut(*at) {
                        *given = true;
                    }
                    if let Some(known) = structure.fields.get(*at) {
                        let what = || FieldOf(&structure, known).to_string();
                        if let Some(ty) = self.bound(&known.ty, what) {
                            self.emit(*value, Instr::Check { reg, ty });
                        }
                    }
                }
                None => {
                    self.expr(*value, next_extra);
                    next_extra += 1;
                    names.push(Value::from(&**field));
                }
            }
        }
        for (at, field) in structure.fields.iter().enumerate() {
            if given.get(at).copied().unwrap_or(false) {
                continue;
            }
            let reg = start + at as Reg;
            match (field.default, &field.ty) {
                (Some(chunk), _) => self.default_of(id, &structure, field, chunk, reg),
                (None, symbi_ir::Type::Option(_)) => self.null(id, reg),
                (None, _) => {
                    let name = self.text(&Arc::from(field.name.as_str()));
                    self.emit(id, Instr::Lacks { name });
                }
            }
        }
        self.made(id, Some(structure.name.clone()), names, start, dst);
        self.top = mark;
    }

    /// The default of a field.
    fn default_of(
        &mut self,
        id: NodeId,
        of: &Structure,
        field: &StructureField,
        chunk: u32,
        dst: Reg,
    ) {
        let base = self.top;
        self.emit(id, Instr::Call { dst, chunk, base });
        let what = || FieldOf(of, field).to_string();
        if let Some(ty) = self.bound(&field.ty, what) {
            self.emit(id, Instr::Check { reg: dst, ty });
        }
    }

    /// `T::new()`: of a struct, each field has its default, or the empty value
    /// of its type; one whose type has none is there once it is given a value.
    #[inline(never)]
    fn new_value(&mut self, id: NodeId, ty: &symbi_ir::Type, dst: Reg) {
        let structure = match ty {
            symbi_ir::Type::Struct { agent, name } => {
                self.names.structure(self.module, agent.as_ref(), name)
            }
            _ => None,
        };
        let Some(structure) = structure else {
            let ty = self.any_bound(ty, "a new value".into());
            self.emit(id, Instr::New { dst, ty });
            return;
        };
        let mark = self.top;
        let start = self.fresh_many(structure.fields.len());
        let mut names = Vec::new();
        for field in &structure.fields {
            let reg = start + names.len() as Reg;
            match (field.default, empty_field(&field.ty)) {
                (Some(chunk), _) => self.default_of(id, &structure, field, chunk, reg),
                (None, Ok(Some(value))) => {
                    let from = self.constant(value);
                    self.emit(id, Instr::Move { dst: reg, from });
                }
                (None, _) => continue,
            }
            names.push(Value::Text(field.name.clone()));
        }
        self.made(id, Some(structure.name.clone()), names, start, dst);
        self.top = mark;
    }

    #[inline(never)]
    fn lambda(&mut self, id: NodeId, frame: u32, dst: Reg) {
        let captures = match self.code.frames.get(frame as usize) {
            Some(frame) => &*frame.captures,
            None => &[],
        };
        let chunk = self.names.lambda();
        let definite = captures
            .iter()
            .filter(|capture| self.is_definite(capture.from))
            .map(|capture| capture.to)
            .collect();
        let lambda = self.chunk.lambdas.len() as u32;
        self.chunk.lambdas.push(LambdaAt {
            chunk,
            from: captures.iter().map(|capture| capture.from).collect(),
        });
        self.lambdas.push(Waiting {
            frame,
            chunk,
            definite,
        });
        self.emit(id, Instr::Lambda { dst, lambda });
    }

    /// A chain may have 10,000 links: down to its first value, and back up.
    #[inline(never)]
    fn chain(&mut self, id: NodeId, dst: Reg) {
        let mut links = vec![id];
        let mut innermost = link(self.node(id));
        let mut at = id;
        while let Some(part) = innermost {
            // A method changes the place itself, so it is not read before.
            let changes = match self.node(at) {
                Node::Method { place, .. } => *place && self.is_place(part),
                _ => false,
            };
            match link(self.node(part)) {
                Some(next) if !changes => {
                    links.push(part);
                    innermost = Some(next);
                    at = part;
                }
                _ => break,
            }
        }
        let mark = self.top;
        let mut first = innermost;
        let mut so_far: Opd = 0;
        let mut temporary = None;
        while let Some(at) = links.pop() {
            // Only the last link writes where the value goes: those before it
            // may read what stands there.
            let target = match links.is_empty() {
                true => dst,
                false => *temporary.get_or_insert_with(|| self.fresh()),
            };
            self.link(at, first.take(), so_far, target);
            so_far = target;
        }
        self.top = mark;
    }

    /// One link. Its first part is `first`, or stands in a register already.
    #[inline(never)]
    fn link(&mut self, id: NodeId, first: Option<NodeId>, so_far: Opd, dst: Reg) {
        let mark = self.top;
        match self.node(id) {
            Node::Binary { op, right, .. } => {
                let a = self.first_before(first, so_far, *right);
                let b = self.operand(*right);
                self.emit(id, binary(*op, dst, a, b));
            }
            Node::And(_, right) => self.shortcut(id, first, so_far, *right, true, dst),
            Node::Or(_, right) => self.shortcut(id, first, so_far, *right, false, dst),
            Node::Not(_) => {
                let from = self.first(first, so_far);
                self.emit(id, Instr::Not { dst, from });
            }
            Node::Minus(_) => {
                let from = self.first(first, so_far);
                self.emit(id, Instr::Minus { dst, from });
            }
            Node::Field { name, or_null, .. } => {
                let object = self.first(first, so_far);
                let name = self.text(name);
                self.emit(
                    id,
                    match or_null {
                        true => Instr::FieldOrNull { dst, object, name },
                        false => Instr::Field { dst, object, name },
                    },
                );
            }
            Node::Index { index, .. } => {
                let object = self.first_before(first, so_far, *index);
                let index = self.operand(*index);
                self.emit(id, Instr::Index { dst, object, index });
            }
            Node::Method {
                name,
                arguments,
                place,
                ..
            } => self.method(id, name, arguments, *place, first, so_far, dst),
            Node::Call { arguments, .. } => self.call_value(id, arguments, first, so_far, dst),
            // INVARIANT: `shape::link` names only these.
            _ => {}
        }
        self.top = mark;
    }

    pub fn first(&mut self, first: Option<NodeId>, so_far: Opd) -> Opd {
        match first {
            Some(first) => self.operand(first),
            None => so_far,
        }
    }

    pub fn first_before(&mut self, first: Option<NodeId>, so_far: Opd, next: NodeId) -> Opd {
        match first {
            Some(first) => self.operand_before(first, next),
            None => so_far,
        }
    }

    /// `&&` and `||`.
    fn shortcut(
        &mut self,
        id: NodeId,
        first: Option<NodeId>,
        so_far: Opd,
        right: NodeId,
        and: bool,
        dst: Reg,
    ) {
        // The right side may read the variable that the value goes to.
        let value = match self.is_slot(dst) {
            true => self.fresh(),
            false => dst,
        };
        match first {
            Some(first) => self.expr(first, value),
            None if so_far != value => {
                self.emit(
                    id,
                    Instr::Move {
                        dst: value,
                        from: so_far,
                    },
                );
            }
            None => {}
        }
        let jump = self.emit(
            id,
            match and {
                true => Instr::JumpUnless { cond: value, to: 0 },
                false => Instr::JumpIf { cond: value, to: 0 },
            },
        );
        let mark = self.mark();
        self.expr(right, value);
        self.forget(mark);
        self.emit(right, Instr::IsBool { reg: value });
        self.land(jump);
        if value != dst {
            self.emit(id, Instr::Move { dst, from: value });
        }
    }
}

pub(super) fn binary(op: Op, dst: Reg, a: Opd, b: Opd) -> Instr {
    match op {
        Op::Add => Instr::Add { dst, a, b },
        Op::Subtract => Instr::Subtract { dst, a, b },
        Op::Multiply => Instr::Multiply { dst, a, b },
        op => Instr::Binary { op, dst, a, b },
    }
}

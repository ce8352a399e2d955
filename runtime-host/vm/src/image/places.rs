//! What is assigned to: variables, and fields and indices of them.

use symbi_ir::{Assigned, Node, NodeId, Op};

use super::build::Builder;
use super::{CONST, Instr, Opd, Path, PathStep, Reg};
use crate::value::Value;

impl<'p> Builder<'p> {
    #[inline(never)]
    pub fn assign(&mut self, id: NodeId, place: &'p Assigned, op: Option<Op>, value: NodeId) {
        match place {
            Assigned::Slot(slot) => self.assign_slot(id, *slot, op, value),
            Assigned::Unbound(name) => {
                let name = self.text(name);
                self.emit(id, Instr::Unbound { name });
            }
            Assigned::Node(target) => self.assign_place(id, *target, op, value),
        }
    }

    fn assign_slot(&mut self, id: NodeId, slot: Reg, op: Option<Op>, value: NodeId) {
        let Some(op) = op else {
            if !self.append(id, slot, value) {
                self.expr(value, slot);
            }
            self.assigned(slot);
            return;
        };
        self.read(id, slot);
        // The variable is read before the right side runs.
        let a = match self.changes(value) {
            true => {
                let dst = self.fresh();
                self.emit(id, Instr::Move { dst, from: slot });
                dst
            }
            false => slot,
        };
        let b = self.operand(value);
        self.emit(id, super::expressions::binary(op, slot, a, b));
    }

    /// `x = x + a + b`, done in place: a text or list that is put together in a
    /// loop would be copied at each step else. Only where nobody could see `x`
    /// half done: nothing catches what is raised, and `a` and `b` do not read
    /// it.
    fn append(&mut self, id: NodeId, slot: Reg, value: NodeId) -> bool {
        if self.catching > 0 || !self.is_definite(slot) || self.changes(value) {
            return false;
        }
        let mut added = Vec::new();
        let mut at = value;
        loop {
            match self.node(at) {
                Node::Binary {
                    op: Op::Add,
                    left,
                    right,
                } if added.len() < 64 => {
                    added.push((at, *right));
                    at = *left;
                }
                Node::Local(own) if *own == slot && !added.is_empty() => break,
                _ => return false,
            }
        }
        if added.iter().any(|(_, part)| !self.is_simple(*part, slot)) {
            return false;
        }
        let _ = id;
        while let Some((at, part)) = added.pop() {
            let mark = self.top;
            let b = self.operand(part);
            self.emit(
                at,
                Instr::Add {
                    dst: slot,
                    a: slot,
                    b,
                },
            );
            self.top = mark;
        }
        true
    }

    /// Constants, other variables, and fields of them.
    fn is_simple(&self, id: NodeId, not: Reg) -> bool {
        let mut at = id;
        for _ in 0..64 {
            match self.node(at) {
                Node::Local(slot) => return *slot != not,
                Node::Text(_)
                | Node::Int(_)
                | Node::Float(_)
                | Node::Duration(_)
                | Node::Size(_) => {
                    return true;
                }
                Node::Field { object, .. } => at = *object,
                Node::Index { object, index } => {
                    if !matches!(self.node(*index), Node::Int(_))
                        && !matches!(self.node(*index), Node::Local(slot) if *slot != not)
                    {
                        return false;
                    }
                    at = *object;
                }
                _ => return false,
            }
        }
        false
    }

    fn assign_place(&mut self, id: NodeId, target: NodeId, op: Option<Op>, value: NodeId) {
        let Some(path) = self.path(target, Some(value)) else {
            // What is no place of a variable: it runs, and is refused.
            let unused = self.fresh();
            self.expr(target, unused);
            self.expr(value, unused);
            let name = self.text(&"this".into());
            self.emit(id, Instr::Unbound { name });
            return;
        };
        let from = match op {
            None => self.register(id, value),
            Some(op) => {
                let old = self.fresh();
                self.emit(target, Instr::Get { dst: old, path });
                let b = self.operand(value);
                self.emit(id, super::expressions::binary(op, old, old, b));
                old
            }
        };
        self.emit(id, Instr::Set { path, from });
    }

    /// The value of a node in a register that is no variable.
    fn register(&mut self, id: NodeId, value: NodeId) -> Reg {
        let from = self.operand(value);
        match from & CONST == 0 && !self.is_slot(from) {
            true => from,
            false => {
                let dst = self.fresh();
                self.emit(id, Instr::Move { dst, from });
                dst
            }
        }
    }

    /// Whether a node is a variable, or fields and indices of one.
    pub fn is_place(&self, id: NodeId) -> bool {
        let mut at = id;
        loop {
            match self.node(at) {
                Node::Local(_) => return true,
                Node::Field { object, .. } | Node::Index { object, .. } => at = *object,
                _ => return false,
            }
        }
    }

    /// A place: its indices run here, and stand in registers. `None` if it does
    /// not begin with a variable.
    pub fn path(&mut self, target: NodeId, next: Option<NodeId>) -> Option<u32> {
        let mut nodes = Vec::new();
        let mut at = target;
        let root = loop {
            match self.node(at) {
                Node::Local(slot) => break *slot,
                Node::Field { object, .. } | Node::Index { object, .. } => {
                    nodes.push(at);
                    at = *object;
                }
                _ => return None,
            }
        };
        self.read(at, root);
        nodes.reverse();
        let mut steps = Vec::with_capacity(nodes.len());
        for node in nodes {
            steps.push(match self.node(node) {
                Node::Index { index, .. } => {
                    let from = self.operand(*index);
                    PathStep::Index(self.kept(*index, from, next))
                }
                Node::Field { name, .. } => PathStep::Field(Value::from(&**name)),
                _ => continue,
            });
        }
        let number = self.chunk.paths.len() as u32;
        self.chunk.paths.push(Path { root, steps });
        Some(number)
    }

    /// An index in a variable, which what runs next may change.
    fn kept(&mut self, at: NodeId, from: Opd, next: Option<NodeId>) -> Opd {
        let may_change = next.is_none_or(|next| self.changes(next));
        match from & CONST == 0 && self.is_slot(from) && may_change {
            true => {
                let dst = self.fresh();
                self.emit(at, Instr::Move { dst, from });
                dst
            }
            false => from,
        }
    }
}

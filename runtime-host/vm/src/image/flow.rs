//! Statements, branches, loops and errors.

use symbi_ir::{Arm, Case, Catch, Node, NodeId, Op, Slot};

use super::build::{Builder, Loop};
use super::shape::bound;
use super::{Handler, Instr, Reg};
use crate::value::Value;

impl<'p> Builder<'p> {
    /// A node whose value nobody uses.
    pub fn statement(&mut self, id: NodeId) {
        let mark = self.top;
        match self.node(id) {
            Node::If { .. } | Node::IfLet { .. } => self.if_(id, None),
            Node::Match { .. } => self.match_(id, None),
            Node::Try { .. } => self.try_(id, None),
            Node::Block { statements, .. } => {
                for statement in statements {
                    self.statement(*statement);
                }
            }
            Node::For { slot, over, body } => self.for_(id, *slot, *over, *body),
            Node::While { condition, body } => self.while_(id, *condition, *body),
            Node::Break => {
                let jump = self.emit(id, Instr::Jump { to: 0 });
                if let Some(around) = self.loops.last_mut() {
                    around.ends.push(jump);
                }
            }
            Node::Continue => {
                let to = self.loops.last().map_or(0, |around| around.start);
                self.emit(id, Instr::Jump { to });
            }
            Node::Return(value) => match value {
                Some(value) => {
                    let from = self.operand(*value);
                    self.return_(id, from);
                }
                None => {
                    let null = self.constant(Value::Null);
                    self.return_(id, null);
                }
            },
            Node::Let { slot, ty, value } => match value {
                Some(value) => {
                    self.expr(*value, *slot);
                    if let Some(ty) = ty {
                        let name = self.slots.get(*slot as usize).cloned();
                        let what = || format!("the variable `{}`", name.as_deref().unwrap_or(""));
                        if let Some(ty) = self.bound(ty, what) {
                            self.emit(*value, Instr::Check { reg: *slot, ty });
                        }
                    }
                    self.assigned(*slot);
                }
                None => {
                    self.emit(id, Instr::Unset { dst: *slot });
                    self.unassigned(*slot);
                }
            },
            Node::Assign { place, op, value } => self.assign(id, place, *op, *value),
            _ => {
                let unused = self.fresh();
                self.expr(id, unused);
            }
        }
        self.top = mark;
    }

    /// Ends the function with a value.
    pub fn return_(&mut self, at: NodeId, from: super::Opd) {
        match self.result {
            Some(ty) => {
                let reg = self.fresh();
                self.emit(at, Instr::Move { dst: reg, from });
                self.emit(at, Instr::Check { reg, ty });
                self.emit(at, Instr::Return { from: reg });
            }
            None => {
                self.emit(at, Instr::Return { from });
            }
        }
    }

    /// A part whose value goes to a register, if anybody uses it.
    fn part(&mut self, id: NodeId, dst: Option<Reg>) {
        match dst {
            Some(dst) => self.expr(id, dst),
            None => self.statement(id),
        }
    }

    /// Jumps that are taken unless a condition holds.
    fn unless(&mut self, id: NodeId) -> Vec<usize> {
        let mut parts = vec![id];
        while let Some(Node::And(left, right)) = parts.last().map(|last| self.node(*last)) {
            parts.pop();
            parts.push(*right);
            parts.push(*left);
        }
        let mut jumps = Vec::new();
        while let Some(part) = parts.pop() {
            let mark = self.top;
            jumps.push(match self.node(part) {
                Node::Binary { op, left, right } if is_comparison(*op) => {
                    let a = self.operand_before(*left, *right);
                    let b = self.operand(*right);
                    let op = *op;
                    self.emit(part, Instr::JumpUnlessCompared { op, a, b, to: 0 })
                }
                _ => {
                    let cond = self.operand(part);
                    self.emit(part, Instr::JumpUnless { cond, to: 0 })
                }
            });
            self.top = mark;
        }
        jumps
    }

    /// `if` and `if let`. An `else if` is the next turn of the loop: there may
    /// be thousands.
    #[inline(never)]
    pub fn if_(&mut self, id: NodeId, dst: Option<Reg>) {
        let mut ends = Vec::new();
        let mut at = id;
        let mut first = true;
        let start = self.mark();
        let mut always: Option<Vec<u32>> = None;
        loop {
            let top = self.top;
            let (jumps, then, otherwise) = match self.node(at) {
                Node::If {
                    condition,
                    then,
                    otherwise,
                } => (self.unless(*condition), *then, *otherwise),
                Node::IfLet {
                    value,
                    case,
                    then,
                    otherwise,
                } => (self.if_let(at, *value, case), *then, *otherwise),
                _ => {
                    self.part(at, dst);
                    let got = self.forget(start);
                    if let Some(always) = always {
                        self.both(always, got);
                    }
                    break;
                }
            };
            // What the first condition did was done on all ways.
            let start = if first { self.mark() } else { start };
            first = false;
            self.part(then, dst);
            self.top = top;
            let got = self.forget(start);
            always = Some(match always.take() {
                None => got,
                Some(before) => before
                    .into_iter()
                    .filter(|slot| got.contains(slot))
                    .collect(),
            });
            match otherwise {
                Some(next) => {
                    ends.push(self.emit(at, Instr::Jump { to: 0 }));
                    jumps.into_iter().for_each(|jump| self.land(jump));
                    at = next;
                }
                None => {
                    match dst {
                        Some(dst) => {
                            ends.push(self.emit(at, Instr::Jump { to: 0 }));
                            jumps.into_iter().for_each(|jump| self.land(jump));
                            self.null(at, dst);
                        }
                        None => jumps.into_iter().for_each(|jump| self.land(jump)),
                    }
                    break;
                }
            }
        }
        ends.into_iter().for_each(|jump| self.land(jump));
    }

    fn if_let(&mut self, id: NodeId, value: NodeId, case: &Case) -> Vec<usize> {
        let subject = self.fresh_many(2);
        let raised = catches(case);
        self.subject(id, value, subject, raised);
        self.clear(id, [case].into_iter());
        let case_number = self.case(case);
        let jump = self.emit(
            id,
            Instr::JumpUnlessFits {
                subject,
                case: case_number,
                to: 0,
            },
        );
        if let Some(slot) = bound(case) {
            self.assigned(slot);
        }
        vec![jump]
    }

    /// Puts the value that patterns look at into a register, and whether it was
    /// raised into the next one.
    fn subject(&mut self, id: NodeId, value: NodeId, subject: Reg, raised: bool) {
        let flag = |builder: &mut Self, is: bool| {
            let from = builder.constant(Value::Bool(is));
            builder.emit(
                id,
                Instr::Move {
                    dst: subject + 1,
                    from,
                },
            );
        };
        if !raised {
            self.expr(value, subject);
            flag(self, false);
            return;
        }
        let mark = self.mark();
        let start = self.here();
        self.catching += 1;
        self.expr(value, subject);
        self.catching -= 1;
        self.forget(mark);
        flag(self, false);
        let end = self.here();
        let over = self.emit(id, Instr::Jump { to: 0 });
        let target = self.here();
        self.chunk.handlers.push(Handler {
            start,
            end,
            target,
            error: subject,
        });
        flag(self, true);
        self.land(over);
    }

    /// Patterns give their variables a value; what one had before is gone.
    fn clear<'c>(&mut self, id: NodeId, cases: impl Iterator<Item = &'c Case> + Clone) {
        for slot in cases.filter_map(bound) {
            self.emit(id, Instr::Unset { dst: slot });
            self.unassigned(slot);
        }
    }

    fn case(&mut self, case: &Case) -> u32 {
        let number = self.chunk.cases.len() as u32;
        self.chunk.cases.push(case.clone());
        number
    }

    #[inline(never)]
    pub fn match_(&mut self, id: NodeId, dst: Option<Reg>) {
        let Node::Match {
            subject,
            arms,
            value,
        } = self.node(id)
        else {
            return;
        };
        let top = self.top;
        let reg = self.fresh_many(2);
        let raised = arms.iter().any(|arm| arm.cases.iter().any(catches));
        self.subject(id, *subject, reg, raised);
        let mut ends = Vec::new();
        for arm in arms {
            self.arm(id, arm, reg, dst, &mut ends);
        }
        if raised {
            let jump = self.emit(
                id,
                Instr::JumpUnless {
                    cond: reg + 1,
                    to: 0,
                },
            );
            self.emit(id, Instr::Rethrow { error: reg });
            self.land(jump);
        }
        match (value, dst) {
            (true, _) => {
                self.emit(id, Instr::NoMatch);
            }
            (false, Some(dst)) => self.null(id, dst),
            (false, None) => {}
        }
        ends.into_iter().for_each(|jump| self.land(jump));
        self.top = top;
    }

    fn arm(
        &mut self,
        id: NodeId,
        arm: &'p Arm,
        subject: Reg,
        dst: Option<Reg>,
        ends: &mut Vec<usize>,
    ) {
        let mark = self.mark();
        let top = self.top;
        self.clear(id, arm.cases.iter());
        let mut fits = Vec::new();
        let mut misses = None;
        for case in &arm.cases {
            if let Some(jump) = misses.take() {
                self.land(jump);
            }
            let case = self.case(case);
            misses = Some(self.emit(
                id,
                Instr::JumpUnlessFits {
                    subject,
                    case,
                    to: 0,
                },
            ));
            fits.push(self.emit(id, Instr::Jump { to: 0 }));
        }
        fits.into_iter().for_each(|jump| self.land(jump));
        if let [case] = &*arm.cases
            && let Some(slot) = bound(case)
        {
            self.assigned(slot);
        }
        let mut next: Vec<usize> = misses.into_iter().collect();
        if let Some(guard) = arm.guard {
            next.extend(self.unless(guard));
        }
        self.part(arm.body, dst);
        ends.push(self.emit(id, Instr::Jump { to: 0 }));
        next.into_iter().for_each(|jump| self.land(jump));
        self.forget(mark);
        self.top = top;
    }

    #[inline(never)]
    pub fn try_(&mut self, id: NodeId, dst: Option<Reg>) {
        let Node::Try { body, catches } = self.node(id) else {
            return;
        };
        let top = self.top;
        let error = self.fresh();
        let mark = self.mark();
        let start = self.here();
        self.catching += 1;
        self.part(*body, dst);
        self.catching -= 1;
        self.forget(mark);
        let end = self.here();
        let mut ends = vec![self.emit(id, Instr::Jump { to: 0 })];
        let target = self.here();
        self.chunk.handlers.push(Handler {
            start,
            end,
            target,
            error,
        });
        let mut all = false;
        for catch in catches {
            let next = self.catch(id, catch, error, dst);
            ends.push(self.emit(id, Instr::Jump { to: 0 }));
            match next {
                Some(jump) => self.land(jump),
                None => {
                    all = true;
                    break;
                }
            }
        }
        if !all {
            self.emit(id, Instr::Rethrow { error });
        }
        ends.into_iter().for_each(|jump| self.land(jump));
        self.top = top;
    }

    /// The jump that is taken for an error of another kind.
    fn catch(&mut self, id: NodeId, catch: &Catch, error: Reg, dst: Option<Reg>) -> Option<usize> {
        let mark = self.mark();
        let jump = catch.kind.as_ref().map(|kind| {
            let kind = self.text(kind);
            self.emit(id, Instr::JumpUnlessKind { error, kind, to: 0 })
        });
        if let Some(slot) = catch.slot {
            self.emit(
                id,
                Instr::Move {
                    dst: slot,
                    from: error,
                },
            );
            self.assigned(slot);
        }
        self.part(catch.body, dst);
        self.forget(mark);
        jump
    }

    #[inline(never)]
    fn for_(&mut self, id: NodeId, slot: Slot, over: NodeId, body: NodeId) {
        let iter = self.fresh_many(2);
        self.expr(over, iter);
        self.emit(over, Instr::Begin { iter });
        let mark = self.mark();
        let start = self.here();
        let next = self.emit(
            id,
            Instr::Next {
                iter,
                dst: slot,
                to: 0,
            },
        );
        self.assigned(slot);
        self.loops.push(Loop {
            start,
            ends: vec![next],
        });
        self.statement(body);
        self.emit(id, Instr::Jump { to: start });
        self.leave();
        // What was gone through may be changed in place again.
        self.emit(id, Instr::Unset { dst: iter });
        self.forget(mark);
    }

    #[inline(never)]
    fn while_(&mut self, id: NodeId, condition: NodeId, body: NodeId) {
        let mark = self.mark();
        let start = self.here();
        let ends = self.unless(condition);
        self.loops.push(Loop { start, ends });
        self.statement(body);
        self.emit(id, Instr::Jump { to: start });
        self.leave();
        self.forget(mark);
    }

    fn leave(&mut self) {
        if let Some(around) = self.loops.pop() {
            around.ends.into_iter().for_each(|jump| self.land(jump));
        }
    }
}

fn is_comparison(op: Op) -> bool {
    matches!(
        op,
        Op::Equal | Op::Unequal | Op::Less | Op::AtMost | Op::Greater | Op::AtLeast
    )
}

/// Whether a pattern is about errors that were raised.
fn catches(case: &Case) -> bool {
    matches!(case, Case::Err(_) | Case::Ok(_))
}

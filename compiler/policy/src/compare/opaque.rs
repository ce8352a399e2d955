//! Guards whose parts cannot be told by values of single facts: such a part may
//! be true, false or undecidable.

use std::sync::Arc;

use crate::compare::Candidate;
use crate::compare::facts::{Conflicts, is_simple};
use crate::guard::{Expr, Guard, Op, Root};
use crate::rules::{Demand, Policies};

/// How facts that stand for such parts are called. No parameter of a program
/// has a name like this.
pub(super) const FREE: &str = "\u{0}free";

/// Both with a fact of its own in the place of each part that cannot be told;
/// equal parts have one fact.
pub(super) fn freed(old: &Policies, new: &Policies, candidate: &Candidate) -> (Policies, Policies) {
    let conflicts = Conflicts::of(old, new, candidate);
    let mut freeing = Freeing {
        candidate: candidate.old(),
        conflicts,
        known: Vec::new(),
    };
    let old = freeing.policies(old);
    freeing.candidate = candidate;
    (old, freeing.policies(new))
}

struct Freeing<'c> {
    candidate: &'c Candidate,
    conflicts: Conflicts,
    known: Vec<Expr>,
}

impl Freeing<'_> {
    fn policies(&mut self, policies: &Policies) -> Policies {
        let mut policies = policies.clone();
        for block in &mut policies.blocks {
            for rule in &mut block.rules {
                if let Some(guard) = &mut rule.guard {
                    *guard = self.guard(guard);
                }
            }
            for one in &mut block.requirements {
                if let Some(condition) = &mut one.condition {
                    *condition = self.guard(condition);
                }
                if let Demand::Guard(guard) = &mut one.demand {
                    *guard = self.guard(guard);
                }
            }
        }
        policies
    }

    fn guard(&mut self, guard: &Guard) -> Guard {
        match guard.fits() {
            true => Guard::new(self.expr(guard.expr())),
            false => guard.clone(),
        }
    }

    fn expr(&mut self, expr: &Expr) -> Expr {
        match expr {
            Expr::Binary(op @ (Op::And | Op::Or), one, two) => {
                Expr::Binary(*op, Box::new(self.expr(one)), Box::new(self.expr(two)))
            }
            Expr::Not(part) => Expr::Not(Box::new(self.expr(part))),
            Expr::Unknown => Expr::Unknown,
            part if is_simple(part, self.candidate, &self.conflicts) => part.clone(),
            part => {
                let known = self.known.iter().position(|known| known == part);
                let number = known.unwrap_or_else(|| {
                    self.known.push(part.clone());
                    self.known.len() - 1
                });
                let name: Arc<str> = format!("{FREE}{number}").into();
                Expr::Path(Root::Parameter(name), Box::default())
            }
        }
    }
}

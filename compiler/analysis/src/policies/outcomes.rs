//! What a guard can come to, found without the facts that it asks for: on the
//! finite domains of what is written in it, no solver is needed.

use std::cmp::Ordering;

use symbi_policy::{Cedar, Effect, Expr, Facts, Guard, Kind, Op, Record, Root, Timestamp, Value};

/// Which of the three answers a guard may have. Where this cannot tell, all.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Outcomes {
    yes: bool,
    no: bool,
    undecided: bool,
    /// What two parts of it say that cannot be at once.
    witness: Option<String>,
}

impl Outcomes {
    const ANY: Outcomes = Outcomes {
        yes: true,
        no: true,
        undecided: true,
        witness: None,
    };

    fn only(told: Option<bool>) -> Self {
        Outcomes {
            yes: told == Some(true),
            no: told == Some(false),
            undecided: told.is_none(),
            witness: None,
        }
    }

    /// It is true whatever happens.
    pub fn is_true(&self) -> bool {
        self.yes && !self.no && !self.undecided
    }

    /// It is false, or cannot be decided.
    pub fn is_never_true(&self) -> bool {
        !self.yes
    }

    /// It cannot be decided, whatever happens.
    pub fn is_undecided(&self) -> bool {
        self.undecided && !self.yes && !self.no
    }

    /// Why it is so, where two parts contradict each other.
    pub fn witness(&self) -> Option<String> {
        self.witness.clone()
    }
}

/// What a guard within its bounds can come to.
pub(super) fn outcomes(expr: &Expr) -> Outcomes {
    match expr {
        Expr::Binary(op @ (Op::And | Op::Or), ..) => chain(*op, expr),
        Expr::Not(part) => {
            let part = outcomes(part);
            Outcomes {
                yes: part.no,
                no: part.yes,
                undecided: part.undecided,
                witness: part.witness,
            }
        }
        Expr::Unknown => Outcomes::only(None),
        part if is_written_out(part) => Outcomes::only(evaluate(part)),
        // With a written null it is always told.
        Expr::Binary(Op::Equal | Op::Unequal, one, two)
            if (is_null(one) && is_path(two)) || (is_null(two) && is_path(one)) =>
        {
            Outcomes {
                undecided: false,
                ..Outcomes::ANY
            }
        }
        // `x in []` asks what no value can be.
        part => match (contradiction(&[part], true), contradiction(&[part], false)) {
            (None, None) => Outcomes::ANY,
            (never, always) => Outcomes {
                yes: never.is_none(),
                no: always.is_none(),
                undecided: true,
                witness: never.or(always),
            },
        },
    }
}

/// `a && b && c`, or the same with `||`: the operands are asked from the left
/// until one decides.
fn chain(op: Op, expr: &Expr) -> Outcomes {
    let parts = operands(op, expr);
    // What lets the next operand be asked, and what decides.
    let goes_on = |part: &Outcomes| match op {
        Op::And => part.yes,
        _ => part.no,
    };
    let mut found = Outcomes::default();
    let mut reached = true;
    for part in &parts {
        let part = outcomes(part);
        match op {
            Op::And => found.no |= part.no,
            _ => found.yes |= part.yes,
        }
        found.undecided |= part.undecided;
        if part.witness.is_some() {
            found.witness = part.witness.clone();
        }
        if !goes_on(&part) {
            reached = false;
            break;
        }
    }
    if reached {
        // All of a conjunction at once; none of a disjunction.
        match contradiction(&parts, op == Op::And) {
            Some(witness) => found.witness = Some(witness),
            None => match op {
                Op::And => found.yes = true,
                _ => found.no = true,
            },
        }
    }
    found
}

/// The operands of a chain of one operator.
pub(super) fn operands(op: Op, expr: &Expr) -> Vec<&Expr> {
    let mut found = Vec::new();
    let mut open = vec![expr];
    while let Some(part) = open.pop() {
        match part {
            Expr::Binary(own, one, two) if *own == op => {
                open.push(two);
                open.push(one);
            }
            part => found.push(part),
        }
    }
    found
}

fn is_null(expr: &Expr) -> bool {
    matches!(expr, Expr::Literal(Value::Null))
}

fn is_path(expr: &Expr) -> bool {
    matches!(expr, Expr::Path(..))
}

/// Whether nothing in it depends on facts.
fn is_written_out(expr: &Expr) -> bool {
    match expr {
        Expr::Literal(_) => true,
        Expr::Path(..) | Expr::Unknown => false,
        Expr::List(parts) | Expr::Call(_, parts) => parts.iter().all(is_written_out),
        Expr::Field(part, _) | Expr::Not(part) | Expr::Minus(part) => is_written_out(part),
        Expr::Index(one, two) | Expr::Binary(_, one, two) => {
            is_written_out(one) && is_written_out(two)
        }
    }
}

/// What a guard without facts comes to, by the function that decides.
fn evaluate(expr: &Expr) -> Option<bool> {
    let none = Record::default();
    let nothing = Value::Record(Record::default());
    let facts = Facts {
        principal: "",
        invocation: &nothing,
        context: &nothing,
        now: Timestamp::UNIX_EPOCH,
        parameters: &none,
        holds: &|_, _, _| false,
        cedar: Cedar::Absent,
        approval: Default::default(),
        dev: false,
    };
    let effect = Effect::new("", Kind::Action, &none);
    Guard::new(expr.clone()).holds(&effect, &facts).ok()
}

/// What is known of a path if several comparisons hold at once.
struct Domain<'e> {
    path: &'e Expr,
    /// The only values that it may have.
    only: Option<Vec<&'e Value>>,
    /// Values that it does not have.
    not: Vec<&'e Value>,
    /// It is above this, or at least this.
    above: Option<(&'e Value, bool)>,
    /// It is below this, or at most this.
    below: Option<(&'e Value, bool)>,
}

/// Why comparisons cannot all hold, or all fail, at once; `None` if they may.
fn contradiction(parts: &[&Expr], hold: bool) -> Option<String> {
    let mut domains: Vec<Domain<'_>> = Vec::new();
    for part in parts {
        let Some(fact) = fact(part, hold) else {
            continue;
        };
        let at = domains.iter().position(|known| known.path == fact.path);
        let domain = match at {
            Some(at) => &mut domains[at],
            None => {
                domains.push(Domain {
                    path: fact.path,
                    only: None,
                    not: Vec::new(),
                    above: None,
                    below: None,
                });
                domains.last_mut()?
            }
        };
        domain.add(fact.says);
        if domain.is_empty() {
            return Some(format!(
                "`{}` cannot be all that is asked of it here",
                shown(domain.path)
            ));
        }
    }
    None
}

struct Fact<'e> {
    path: &'e Expr,
    says: Says<'e>,
}

enum Says<'e> {
    OneOf(Vec<&'e Value>),
    NoneOf(Vec<&'e Value>),
    Above(&'e Value, bool),
    Below(&'e Value, bool),
}

const TRUE: &Value = &Value::Bool(true);
const FALSE: &Value = &Value::Bool(false);

/// What a comparison says of a path if it holds, or if it fails.
fn fact<'e>(part: &'e Expr, holds: bool) -> Option<Fact<'e>> {
    match part {
        Expr::Not(part) => fact(part, !holds),
        Expr::Path(..) => Some(Fact {
            path: part,
            says: Says::OneOf(vec![if holds { TRUE } else { FALSE }]),
        }),
        Expr::Binary(op, one, two) => {
            let (path, value, op) = match (&**one, &**two) {
                (path @ Expr::Path(..), Expr::Literal(value)) => (path, value, *op),
                (Expr::Literal(value), path @ Expr::Path(..)) => (path, value, mirrored(*op)?),
                _ => return None,
            };
            let says = match (op, holds) {
                (Op::Equal, true) | (Op::Unequal, false) => Says::OneOf(vec![value]),
                (Op::Equal, false) | (Op::Unequal, true) => Says::NoneOf(vec![value]),
                (Op::Greater, true) | (Op::AtMost, false) => Says::Above(value, true),
                (Op::AtLeast, true) | (Op::Less, false) => Says::Above(value, false),
                (Op::Less, true) | (Op::AtLeast, false) => Says::Below(value, true),
                (Op::AtMost, true) | (Op::Greater, false) => Says::Below(value, false),
                (Op::In | Op::NotIn, _) => {
                    let Value::Array(values) = value else {
                        return None;
                    };
                    let values = values.iter().collect();
                    match (op == Op::In) == holds {
                        true => Says::OneOf(values),
                        false => Says::NoneOf(values),
                    }
                }
                _ => return None,
            };
            Some(Fact { path, says })
        }
        _ => None,
    }
}

/// The operator with its sides exchanged.
fn mirrored(op: Op) -> Option<Op> {
    Some(match op {
        Op::Equal | Op::Unequal => op,
        Op::Less => Op::Greater,
        Op::AtMost => Op::AtLeast,
        Op::Greater => Op::Less,
        Op::AtLeast => Op::AtMost,
        _ => return None,
    })
}

impl<'e> Domain<'e> {
    fn add(&mut self, says: Says<'e>) {
        match says {
            Says::OneOf(values) => match &mut self.only {
                Some(only) => only.retain(|known| values.iter().any(|value| same(known, value))),
                None => self.only = Some(values),
            },
            Says::NoneOf(values) => self.not.extend(values),
            Says::Above(value, strictly) => {
                let tighter = self.above.is_none_or(|(known, was)| {
                    value.ordered(known, Ordering::is_gt) == Some(true)
                        || (strictly && !was && same(value, known))
                });
                if tighter {
                    self.above = Some((value, strictly));
                }
            }
            Says::Below(value, strictly) => {
                let tighter = self.below.is_none_or(|(known, was)| {
                    value.ordered(known, Ordering::is_lt) == Some(true)
                        || (strictly && !was && same(value, known))
                });
                if tighter {
                    self.below = Some((value, strictly));
                }
            }
        }
    }

    /// Whether no value is left.
    fn is_empty(&self) -> bool {
        if let Some(only) = &self.only {
            return !only.iter().any(|value| self.may_be(value));
        }
        match (self.above, self.below) {
            (Some((above, one)), Some((below, two))) => {
                let apart = above.ordered(below, Ordering::is_gt) == Some(true);
                apart || ((one || two) && same(above, below))
            }
            _ => false,
        }
    }

    fn may_be(&self, value: &Value) -> bool {
        let beyond = |bound: Option<(&Value, bool)>, side: Ordering| {
            bound.is_some_and(|(bound, strictly)| {
                let wanted = |order: Ordering| order == side || (!strictly && order.is_eq());
                // Of different types they have no order, and are never told.
                value.ordered(bound, wanted) != Some(true)
            })
        };
        !self.not.iter().any(|other| same(other, value))
            && !beyond(self.above, Ordering::Greater)
            && !beyond(self.below, Ordering::Less)
    }
}

/// Whether two written values are one.
fn same(one: &Value, two: &Value) -> bool {
    match (one, two) {
        (Value::Null, Value::Null) => true,
        _ => one.equals(two) == Some(true),
    }
}

/// A path as it is written.
fn shown(path: &Expr) -> String {
    let Expr::Path(root, fields) = path else {
        return String::new();
    };
    let mut text = match root {
        Root::Principal => "principal".to_owned(),
        Root::Invocation => "invocation".to_owned(),
        Root::Context => "context".to_owned(),
        Root::Now => "now".to_owned(),
        Root::Argument(name, _) | Root::Parameter(name) => name.to_string(),
        Root::Record(_) => "it".to_owned(),
    };
    for field in fields {
        text.push('.');
        text.push_str(field);
    }
    text
}

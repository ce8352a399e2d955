//! Statements, branches and loops.

use symbi_ir::{Arm, Assigned, Case, Node, NodeId};
use symbi_vm::{Raise, Value, kinds};

use super::expressions::given;
use super::operators::binary;
use super::{Naive, Run, Scope, Stop};

/// What patterns look at: a value, or the error that came instead.
enum Subject {
    Value(Value),
    Raised(std::sync::Arc<symbi_vm::Problem>),
}

impl<'p> Naive<'p, '_> {
    pub(super) fn statement(&mut self, scope: &mut Scope<'p>, id: NodeId) -> Run {
        let code = scope.place.code;
        match code.node(id).expect("a node") {
            Node::Block { statements, value } => {
                let mut last = Value::Null;
                for statement in statements {
                    last = self.eval(scope, *statement)?;
                }
                return Ok(if *value { last } else { Value::Null });
            }
            Node::If {
                condition,
                then,
                otherwise,
            } => {
                let branch = match self.condition(scope, *condition)? {
                    true => Some(*then),
                    false => *otherwise,
                };
                return self.perhaps(scope, branch);
            }
            Node::IfLet {
                value,
                case,
                then,
                otherwise,
            } => {
                let subject = self.subject(scope, *value)?;
                if let (Subject::Raised(problem), false) = (&subject, catches(case)) {
                    return Err(Stop::Raise(problem.clone()));
                }
                clear(scope, case);
                return match self.fits(scope, id, case, &subject)? {
                    true => self.eval(scope, *then),
                    false => self.perhaps(scope, *otherwise),
                };
            }
            Node::Match {
                subject,
                arms,
                value,
            } => return self.match_(scope, id, *subject, arms, *value),
            Node::Try { body, catches } => {
                let problem = match self.eval(scope, *body) {
                    Err(Stop::Raise(problem)) => problem,
                    other => return other,
                };
                let kind = problem.kind.to_string();
                let mut catches = catches.iter();
                let found = catches.find(|catch| {
                    catch
                        .kind
                        .as_ref()
                        .is_none_or(|of| kinds::catches(of, &kind))
                });
                let Some(catch) = found else {
                    return Err(Stop::Raise(problem));
                };
                if let Some(slot) = catch.slot {
                    scope.slots[slot as usize] = Value::Error(problem);
                }
                return self.eval(scope, catch.body);
            }
            Node::For { slot, over, body } => {
                let items = self.eval(scope, *over)?;
                let items = elements(&items);
                for item in self.at(scope, *over, items)? {
                    scope.slots[*slot as usize] = item;
                    self.step()?;
                    match self.eval(scope, *body) {
                        Err(Stop::Break) => break,
                        Err(Stop::Continue) | Ok(_) => {}
                        Err(other) => return Err(other),
                    }
                }
            }
            Node::While { condition, body } => {
                while self.condition(scope, *condition)? {
                    match self.eval(scope, *body) {
                        Err(Stop::Break) => break,
                        Err(Stop::Continue) | Ok(_) => {}
                        Err(other) => return Err(other),
                    }
                }
            }
            Node::Break => return Err(Stop::Break),
            Node::Continue => return Err(Stop::Continue),
            Node::Return(value) => {
                let value = self.perhaps(scope, *value)?;
                return Err(Stop::Return(self.given(scope, id, value)?));
            }
            Node::Let { slot, ty, value } => {
                let mut new = Value::Unset;
                if let Some(value) = value {
                    new = self.eval(scope, *value)?;
                    if let Some(ty) = ty {
                        let what = format!("the variable `{}`", scope.name(*slot));
                        new = self.held(scope, Some(*value), new, ty, &what)?;
                    }
                }
                scope.slots[*slot as usize] = new;
            }
            Node::Assign { place, op, value } => match place {
                Assigned::Slot(slot) => {
                    let new = match op {
                        None => self.eval(scope, *value)?,
                        Some(op) => {
                            let old = self.local(scope, id, *slot)?;
                            let by = self.eval(scope, *value)?;
                            self.at(scope, id, binary(*op, &old, &by))?
                        }
                    };
                    scope.slots[*slot as usize] = new;
                }
                Assigned::Unbound(name) => return self.unbound(scope, id, name),
                Assigned::Node(target) => self.assign(scope, id, *target, *op, *value)?,
            },
            other => panic!("an expression: {other:?}"),
        }
        Ok(Value::Null)
    }

    fn perhaps(&mut self, scope: &mut Scope<'p>, id: Option<NodeId>) -> Run {
        match id {
            Some(id) => self.eval(scope, id),
            None => Ok(Value::Null),
        }
    }

    fn subject(&mut self, scope: &mut Scope<'p>, id: NodeId) -> Run<Subject> {
        match self.eval(scope, id) {
            Ok(value) => Ok(Subject::Value(value)),
            Err(Stop::Raise(problem)) => Ok(Subject::Raised(problem)),
            Err(other) => Err(other),
        }
    }

    fn match_(
        &mut self,
        scope: &mut Scope<'p>,
        id: NodeId,
        subject: NodeId,
        arms: &'p [Arm],
        value: bool,
    ) -> Run {
        let subject = self.subject(scope, subject)?;
        let catches = arms.iter().flat_map(|arm| &arm.cases).any(catches);
        if let (Subject::Raised(problem), false) = (&subject, catches) {
            return Err(Stop::Raise(problem.clone()));
        }
        for arm in arms {
            for case in &arm.cases {
                clear(scope, case);
            }
            let mut fits = false;
            for case in &arm.cases {
                fits = fits || self.fits(scope, id, case, &subject)?;
            }
            if !fits {
                continue;
            }
            if let Some(guard) = arm.guard
                && !self.condition(scope, guard)?
            {
                continue;
            }
            return self.eval(scope, arm.body);
        }
        match (subject, value) {
            (Subject::Raised(problem), _) => Err(Stop::Raise(problem)),
            (_, false) => Ok(Value::Null),
            (_, true) => {
                let message = "no arm of this `match` fits";
                self.raise(scope, id, Raise::new(kinds::NO_MATCH, message))
            }
        }
    }

    /// Whether a pattern fits, and gives its variable a value.
    fn fits(&self, scope: &mut Scope<'p>, id: NodeId, case: &Case, subject: &Subject) -> Run<bool> {
        let value = match (case, subject) {
            (Case::Ok(inner), Subject::Value(_)) => return self.fits(scope, id, inner, subject),
            (Case::Err(inner), Subject::Raised(problem)) => {
                let error = Subject::Value(given(problem));
                return self.fits(scope, id, inner, &error);
            }
            (Case::Any, Subject::Raised(_)) => return Ok(true),
            (Case::Bind(slot), Subject::Raised(problem)) => {
                scope.slots[*slot as usize] = given(problem);
                return Ok(true);
            }
            (Case::Err(_), Subject::Value(_)) | (_, Subject::Raised(_)) => return Ok(false),
            (_, Subject::Value(value)) => value,
        };
        let equal = match case {
            Case::Any => return Ok(true),
            Case::Bind(slot) => {
                scope.slots[*slot as usize] = value.clone();
                return Ok(true);
            }
            Case::Some(inner) => {
                let is = !matches!(value, Value::Null);
                return Ok(is && self.fits(scope, id, inner, subject)?);
            }
            Case::Null => Value::Null,
            Case::Bool(value) => Value::Bool(*value),
            Case::Int(value) => Value::Int(*value),
            Case::Float(value) => Value::Float(*value),
            Case::Text(text) => Value::from(&**text),
            Case::Duration(value) => Value::Duration(*value),
            Case::Size(value) => Value::Size(*value),
            Case::Ok(_) | Case::Err(_) => unreachable!("looked at above"),
        };
        let is = value.equals(&equal);
        self.at(scope, id, is)
    }
}

/// The variable of a pattern has no value until it fits.
/// Whether a pattern is about errors that were raised.
fn catches(case: &Case) -> bool {
    matches!(case, Case::Ok(_) | Case::Err(_))
}

fn clear(scope: &mut Scope<'_>, case: &Case) {
    match case {
        Case::Bind(slot) => scope.slots[*slot as usize] = Value::Unset,
        Case::Some(inner) | Case::Ok(inner) | Case::Err(inner) => clear(scope, inner),
        _ => {}
    }
}

/// What a loop goes over.
fn elements(value: &Value) -> Result<Vec<Value>, Raise> {
    Ok(match value {
        Value::List(list) => list.items().to_vec(),
        Value::Set(set) => set.elements().cloned().collect(),
        Value::Map(map) => map.entries().map(|(key, _)| key.clone()).collect(),
        Value::Text(text) => {
            let chars = text.as_str().chars();
            chars.map(|char| Value::from(char.to_string())).collect()
        }
        other => {
            let other = other.with_article();
            return Err(Raise::new(
                kinds::WRONG_TYPE,
                format!("a loop goes over a list, and this is {other}"),
            ));
        }
    })
}

//! Expressions, as they stand in the program.

use std::sync::Arc;

use symbi_ir::{Node, NodeId, Param, Struct, Type};
use symbi_vm::{Function, Lambda, Map, Problem, Raise, Text, Value, kinds};

use super::operators::{binary, boolean, field, index, minus};
use super::{Naive, Place, Run, Scope, Stop};

impl<'p> Naive<'p, '_> {
    /// The value of a node. Statements give `null`.
    pub(super) fn eval(&mut self, scope: &mut Scope<'p>, id: NodeId) -> Run {
        self.step()?;
        let value = self.evaluated(scope, id)?;
        // Programs of chance grow fast.
        let is_large = match &value {
            Value::Text(text) => text.as_str().len() > 1 << 16,
            Value::List(list) => list.items().len() > 1 << 12,
            _ => false,
        };
        match is_large {
            true => Err(Stop::Exhausted),
            false => Ok(value),
        }
    }

    fn evaluated(&mut self, scope: &mut Scope<'p>, id: NodeId) -> Run {
        let code = scope.place.code;
        Ok(match code.node(id).expect("a node") {
            Node::Null => Value::Null,
            Node::Bool(value) => Value::Bool(*value),
            Node::Int(value) => Value::Int(*value),
            Node::Float(value) => Value::Float(*value),
            Node::Duration(value) => Value::Duration(*value),
            Node::Size(value) => Value::Size(*value),
            Node::Text(text) | Node::Name(text) => Value::from(&**text),
            Node::Secret(address) => return self.secret(scope, id, address),
            Node::Local(slot) => self.local(scope, id, *slot)?,
            Node::Unbound(name) => self.unbound(scope, id, name)?,
            Node::Function { agent, name } => {
                match self.number(scope.place.module, agent.as_deref(), name) {
                    Some(number) => Value::Function(Function::Own(number)),
                    None => self.unbound(scope, id, name)?,
                }
            }
            Node::Library(name) => match symbi_vm::library::number(name) {
                Some(number) => Value::Function(Function::Library(number)),
                None => self.unbound(scope, id, name)?,
            },
            Node::List(parts) => {
                let mut items = Vec::new();
                for part in parts {
                    items.push(self.eval(scope, *part)?);
                }
                self.at(scope, id, Value::list(items))?
            }
            Node::Record(fields) => self.record(scope, id, None, fields)?,
            Node::Struct {
                agent,
                name,
                fields,
            } => match self.structure(scope.place, agent.as_deref(), name) {
                Some(of) => self.structured(scope, id, agent.as_deref(), of, fields)?,
                None => self.record(scope, id, Some(Text::new(&**name)), fields)?,
            },
            Node::New(ty) => self.made(scope, id, ty)?,
            Node::Field {
                object,
                name,
                or_null,
            } => {
                let object = self.eval(scope, *object)?;
                match self.field(&object, name) {
                    Err(raise) if *or_null && raise.kind == kinds::MISSING_FIELD => Value::Null,
                    found => self.at(scope, id, found)?,
                }
            }
            Node::Index {
                object,
                index: place,
            } => {
                let object = self.eval(scope, *object)?;
                let place = self.eval(scope, *place)?;
                self.at(scope, id, index(&object, &place))?
            }
            Node::Not(value) => {
                let value = self.condition(scope, *value)?;
                Value::Bool(!value)
            }
            Node::Minus(value) => {
                let value = self.eval(scope, *value)?;
                self.at(scope, id, minus(&value))?
            }
            Node::And(one, two) => {
                Value::Bool(self.condition(scope, *one)? && self.condition(scope, *two)?)
            }
            Node::Or(one, two) => {
                Value::Bool(self.condition(scope, *one)? || self.condition(scope, *two)?)
            }
            Node::Binary { op, left, right } => {
                let left = self.eval(scope, *left)?;
                let right = self.eval(scope, *right)?;
                self.at(scope, id, binary(*op, &left, &right))?
            }
            Node::Call { callee, arguments } => self.call(scope, id, callee, arguments)?,
            Node::Method {
                receiver,
                name,
                arguments,
                place,
            } => self.method(scope, id, *receiver, name, arguments, *place)?,
            Node::Raise(value) => {
                let value = self.eval(scope, *value)?;
                match &value {
                    Value::Error(problem) => return Err(Stop::Raise(problem.clone())),
                    _ => return self.raise(scope, id, raised(value)),
                }
            }
            Node::Lambda(number) => {
                let frame = &code.frames[*number as usize];
                let taken = frame.captures.iter();
                let taken = taken.map(|capture| scope.slots[capture.from as usize].clone());
                self.lambdas.push((scope.place, frame));
                let lambda = Lambda::new(self.lambdas.len() as u32 - 1, taken.collect());
                Value::Lambda(Arc::new(self.at(scope, id, lambda)?))
            }
            _ => self.statement(scope, id)?,
        })
    }

    /// A node that has to be a boolean.
    pub(super) fn condition(&mut self, scope: &mut Scope<'p>, id: NodeId) -> Run<bool> {
        let value = self.eval(scope, id)?;
        self.at(scope, id, boolean(&value))
    }

    pub(super) fn local(&self, scope: &Scope<'p>, id: NodeId, slot: u32) -> Run {
        match &scope.slots[slot as usize] {
            Value::Unset => self.unbound(scope, id, &scope.name(slot)),
            value => Ok(value.clone()),
        }
    }

    pub(super) fn unbound<T>(&self, scope: &Scope<'p>, id: NodeId, name: &str) -> Run<T> {
        let message = format!("`{name}` has no value");
        self.raise(scope, id, Raise::new(kinds::UNBOUND_NAME, message))
    }

    /// A field of a value.
    pub(super) fn field(&self, object: &Value, name: &str) -> Result<Value, Raise> {
        let span = |at: symbi_vm::At| {
            let module = self.module(at.module);
            let (line, column) = module.position(at.start);
            let fields = [
                ("file", Value::from(&*module.path)),
                ("line", Value::Int(line as i64)),
                ("column", Value::Int(column as i64)),
            ];
            Value::record(fields).expect("flat")
        };
        field(object, name, &span)
    }

    fn record(
        &mut self,
        scope: &mut Scope<'p>,
        id: NodeId,
        of: Option<Text>,
        fields: &[(Arc<str>, NodeId)],
    ) -> Run {
        let mut entries = Vec::new();
        for (name, value) in fields {
            entries.push((Value::from(&**name), self.eval(scope, *value)?));
        }
        let mut map = self.at(scope, id, Map::new(entries))?;
        map.of = of;
        Ok(map.into())
    }

    /// A value of a struct of the program: what is written, then what is not.
    fn structured(
        &mut self,
        scope: &mut Scope<'p>,
        id: NodeId,
        agent: Option<&'p str>,
        of: &'p Struct,
        fields: &[(Arc<str>, NodeId)],
    ) -> Run {
        let mut given = Vec::new();
        for (name, value) in fields {
            let mut value_of = self.eval(scope, *value)?;
            if let Some(field) = of.fields.iter().find(|field| field.name == *name) {
                let what = format!("the field `{name}` of `{}`", of.name);
                value_of = self.held(scope, Some(*value), value_of, &field.ty, &what)?;
            }
            given.push((name.clone(), value_of));
        }
        let mut entries = Vec::new();
        for field in &of.fields {
            let value = match (
                given.iter().position(|(name, _)| *name == field.name),
                field.default,
            ) {
                (Some(at), _) => given.remove(at).1,
                (None, Some(default)) => self.default_of(scope, id, agent, of, field, default)?,
                (None, None) if matches!(field.ty, Type::Option(_)) => Value::Null,
                (None, None) => {
                    let message = format!("the field `{}` is given no value", field.name);
                    return self.raise(scope, id, Raise::new(kinds::MISSING_FIELD, message));
                }
            };
            entries.push((Value::from(&*field.name), value));
        }
        let others = given.into_iter();
        entries.extend(others.map(|(name, value)| (Value::from(&*name), value)));
        let mut map = self.at(scope, id, Map::new(entries))?;
        map.of = Some(Text::new(&*of.name));
        Ok(map.into())
    }

    /// The default of a field.
    pub(super) fn default_of(
        &mut self,
        scope: &Scope<'p>,
        id: NodeId,
        agent: Option<&str>,
        of: &'p Struct,
        field: &Param,
        default: NodeId,
    ) -> Run {
        // The program's own text of the name lives as long as the program.
        let mut agents = self.module(scope.place.module).agents.iter();
        let agent = agent.and_then(|agent| agents.find(|one| **one.name() == *agent));
        let place = Place {
            module: scope.place.module,
            agent: agent.map(|agent| &**agent.name()),
            code: &of.code,
        };
        let slots = of.code.frames.first().map_or(0, |frame| frame.slots.len());
        let mut own = Scope {
            place,
            frame: None,
            result: None,
            slots: vec![Value::Unset; slots],
        };
        let value = match self.eval(&mut own, default) {
            Err(Stop::Return(value)) => value,
            other => other?,
        };
        let what = format!("the field `{}` of `{}`", field.name, of.name);
        self.held(scope, Some(id), value, &field.ty, &what)
    }
}

/// What `Err(value)` raises.
fn raised(value: Value) -> Raise {
    let text = |name: &str| match &value {
        Value::Map(map) => match map.field(name) {
            Some(Value::Text(text)) => Some(text.to_string()),
            _ => None,
        },
        _ => None,
    };
    let (mut kind, mut details) = (kinds::ERROR.to_owned(), None);
    let message = match &value {
        Value::Text(text) => text.to_string(),
        other => symbi_vm::show(other, 1 << 20).expect("no longer"),
    };
    let mut message = message;
    if let Value::Map(map) = &value {
        details = Some(value.clone());
        if let Some(said) = text("message") {
            message = said;
            let of = map.of.as_ref().map(|of| of.to_string());
            kind = text("kind").or(of).unwrap_or(kind);
        }
    }
    Raise {
        kind: kind.into(),
        message,
        details,
        given: Some(value),
    }
}

/// An error as what `Err(p)` looks at.
pub(super) fn given(problem: &Arc<Problem>) -> Value {
    match &problem.given {
        Some(given) => given.clone(),
        None => Value::Error(problem.clone()),
    }
}

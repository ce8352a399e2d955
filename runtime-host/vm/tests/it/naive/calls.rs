//! Calls: of functions, values, methods, and of what the world is asked for.

use std::sync::Arc;

use symbi_ir::{Argument, Callee, NodeId};
use symbi_vm::{Function, Lambda, Map, Raise, Value, kinds, library::FUNCTIONS};

use super::library::is_method;
use super::{Asked, Naive, Run, Scope};

/// A call, where it stands.
#[derive(Clone, Copy)]
pub(super) struct Call<'s, 'p> {
    pub scope: &'s Scope<'p>,
    pub id: NodeId,
}

impl<'p> Naive<'p, '_> {
    /// Arguments, in the order in which they are written.
    fn arguments(
        &mut self,
        scope: &mut Scope<'p>,
        arguments: &[Argument],
    ) -> Run<Vec<(Option<Arc<str>>, Value)>> {
        let mut values = Vec::new();
        for argument in arguments {
            let value = self.eval(scope, argument.value)?;
            values.push((argument.name.clone(), value));
        }
        Ok(values)
    }

    pub(super) fn call(
        &mut self,
        scope: &mut Scope<'p>,
        id: NodeId,
        callee: &Callee,
        arguments: &[Argument],
    ) -> Run {
        // What is called is known before its arguments.
        let value = match callee {
            Callee::Value(value) => Some(self.eval(scope, *value)?),
            _ => None,
        };
        let mut values = self.arguments(scope, arguments)?;
        let asked = match callee {
            Callee::Function { agent, name } => {
                let module = scope.place.module;
                let Some(number) = self.number(module, agent.as_deref(), name) else {
                    return self.unbound(scope, id, name);
                };
                // The checks know the parameter of each argument.
                let params = &self.functions[number as usize].1.params;
                for (argument, (name, _)) in arguments.iter().zip(&mut values) {
                    if let Some(parameter) = argument.parameter {
                        *name = Some(params[parameter as usize].name.clone());
                    }
                }
                return self.own(Call { scope, id }, number, values);
            }
            Callee::Library(name) => {
                let call = Call { scope, id };
                return Ok(self.library(call, name, values, None)?.0);
            }
            Callee::Value(_) => {
                let callee = value.expect("it was evaluated");
                return self.call_value(Call { scope, id }, &callee, values);
            }
            Callee::Tool(name) | Callee::External(name) => name.to_string(),
            Callee::Agent(name) => format!("delegate::{}", name.name),
            Callee::Ambiguous(name) => {
                values.clear();
                format!("ambiguous::{name}")
            }
        };
        let named = values.into_iter();
        let named = named.map(|(name, value)| (name.map(|name| name.to_string()), value));
        let arguments: Vec<(Option<String>, Value)> = named.collect();
        let name = asked;
        if arguments.iter().any(|(_, value)| value.holds_secret()) {
            return self.raise(scope, id, leak(&name));
        }
        self.ask(Call { scope, id }, Asked { name, arguments })
    }

    pub(super) fn ask(&mut self, call: Call<'_, 'p>, asked: Asked) -> Run {
        let given = (self.world)(asked);
        self.at(call.scope, call.id, given)
    }

    pub(super) fn secret(&mut self, scope: &Scope<'p>, id: NodeId, address: &str) -> Run {
        let asked = Asked {
            name: "secret_read".to_owned(),
            arguments: vec![(Some("path".to_owned()), Value::from(address))],
        };
        self.ask(Call { scope, id }, asked)
    }

    /// A function of the program: those with names first, the others fill what
    /// is left.
    fn own(
        &mut self,
        call: Call<'_, 'p>,
        number: u32,
        values: Vec<(Option<Arc<str>>, Value)>,
    ) -> Run {
        let function = self.functions[number as usize].1;
        let mut slots = vec![Value::Unset; function.params.len()];
        let mut right = true;
        let (named, plain): (Vec<_>, Vec<_>) =
            values.into_iter().partition(|(name, _)| name.is_some());
        for (name, value) in named {
            let mut params = function.params.iter();
            match params.position(|param| Some(&param.name) == name.as_ref()) {
                Some(at) if matches!(slots[at], Value::Unset) => slots[at] = value,
                _ => right = false,
            }
        }
        for (_, value) in plain {
            match slots.iter().position(|slot| matches!(slot, Value::Unset)) {
                Some(free) => slots[free] = value,
                None => right = false,
            }
        }
        let mut params = function.params.iter().zip(&slots);
        right &=
            params.all(|(param, slot)| param.default.is_some() || !matches!(slot, Value::Unset));
        if !right {
            return self.wrong(call, &format!("`{}`", function.name));
        }
        self.function(number, slots)
    }

    fn wrong(&self, call: Call<'_, 'p>, what: &str) -> Run {
        let message = format!("{what} does not take these arguments");
        let raise = Raise::new(kinds::WRONG_ARGUMENTS, message);
        self.raise(call.scope, call.id, raise)
    }

    /// Calls a value.
    pub(super) fn call_value(
        &mut self,
        call: Call<'_, 'p>,
        callee: &Value,
        values: Vec<(Option<Arc<str>>, Value)>,
    ) -> Run {
        match callee {
            Value::Lambda(lambda) => self.lambda(call, lambda, values),
            Value::Function(Function::Own(number)) => self.own(call, *number, values),
            Value::Function(Function::Library(number)) => {
                let name = FUNCTIONS[*number as usize].name;
                Ok(self.library(call, name, values, None)?.0)
            }
            other => {
                let message = format!(
                    "{} is no function, and cannot be called",
                    other.with_article()
                );
                let raise = Raise::new(kinds::WRONG_TYPE, message);
                self.raise(call.scope, call.id, raise)
            }
        }
    }

    fn lambda(
        &mut self,
        call: Call<'_, 'p>,
        lambda: &Lambda,
        values: Vec<(Option<Arc<str>>, Value)>,
    ) -> Run {
        let (place, frame) = self.lambdas[lambda.chunk as usize];
        let mut slots = vec![Value::Unset; frame.slots.len()];
        let count = frame.params as usize;
        if values.len() != count {
            return self.wrong(call, "a lambda");
        }
        for (at, (name, value)) in values.into_iter().enumerate() {
            let mut names = frame.slots[..count].iter();
            let at = match name {
                Some(name) => names.position(|one| *one == name),
                None => Some(at),
            };
            match at {
                Some(at) => slots[at] = value,
                None => return self.wrong(call, "a lambda"),
            }
        }
        for (capture, value) in frame.captures.iter().zip(&lambda.captured) {
            slots[capture.to as usize] = value.clone();
        }
        self.deeper()?;
        let given = self.frame(&mut Scope {
            place,
            frame: Some(frame),
            result: None,
            slots,
        });
        self.calls -= 1;
        given
    }

    /// `a.m(b)`: a method of the library, else the lambda in the field `m`.
    pub(super) fn method(
        &mut self,
        scope: &mut Scope<'p>,
        id: NodeId,
        receiver: NodeId,
        name: &str,
        arguments: &[Argument],
        place: bool,
    ) -> Run {
        let target = match place {
            true => self.target(scope, receiver)?,
            false => None,
        };
        let (object, values) = match &target {
            // What it changes is there when it begins, not before.
            Some(target) => {
                let values = self.arguments(scope, arguments)?;
                (self.read(scope, id, target)?, values)
            }
            None => {
                let object = self.eval(scope, receiver)?;
                (object, self.arguments(scope, arguments)?)
            }
        };
        let mut all = vec![(None, object.clone())];
        all.extend(values.iter().cloned());
        if !is_method(name, &object)
            && let Value::Map(map) = &object
            && let Some(own @ (Value::Lambda(_) | Value::Function(_))) = Map::field(map, name)
        {
            let own = own.clone();
            return self.call_value(Call { scope, id }, &own, values);
        }
        let call = Call { scope, id };
        let (given, changed) = self.library(call, name, all, Some(target.is_some()))?;
        if let (Some(target), Some(changed)) = (target, changed) {
            self.write(scope, id, &target, changed)?;
        }
        Ok(given)
    }
}

/// A secret may go only where one is declared.
pub(super) fn leak(name: &str) -> Raise {
    Raise::new(
        kinds::SECRET_LEAK,
        format!("a secret was given to `{name}`, which is not declared to take one"),
    )
}

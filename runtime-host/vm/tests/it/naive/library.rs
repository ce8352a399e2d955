//! Which function of the standard library is meant, and what it is given.

use std::sync::Arc;

use symbi_vm::library::{Default, Does, Function, Native, Param, Ty, named};
use symbi_vm::{Map, Raise, Value, kinds};

use super::calls::{Call, leak};
use super::{Asked, Naive, Run};

type Values = Vec<(Option<Arc<str>>, Value)>;

/// Whether the library has a method of this name for such a receiver.
pub(super) fn is_method(name: &str, receiver: &Value) -> bool {
    candidates(name, true).any(|function| takes(function.params[0].ty, receiver))
}

impl<'p> Naive<'p, '_> {
    /// Calls a function of the library, or a method, which stands behind a place
    /// or not; gives its value, and what the place has become if it changes it.
    pub(super) fn library(
        &mut self,
        call: Call<'_, 'p>,
        name: &str,
        values: Values,
        method: Option<bool>,
    ) -> Run<(Value, Option<Value>)> {
        let mut chosen = candidates(name, method.is_some()).filter_map(|function| {
            let arguments = arranged(function, &values)?;
            fits(function, &arguments).then_some((function, arguments))
        });
        let Some((function, arguments)) = chosen.next() else {
            let refused = refused(name, &values, method.is_some());
            return self.raise(call.scope, call.id, refused);
        };
        if function.updates && method != Some(true) {
            let message = format!(
                "`{}` changes what stands on its left, and that is no variable",
                function.name
            );
            let raise = Raise::new(kinds::WRONG_ARGUMENTS, message);
            return self.raise(call.scope, call.id, raise);
        }
        if function.updates
            && let Value::Map(map) = &arguments[0]
            && let Some(of) = &map.of
            && self.named(call.scope.place, of).is_some()
        {
            let message = format!(
                "`{name}` would change which fields a `{}` has; they are as its type says",
                of.as_str()
            );
            return self.raise(call.scope, call.id, Raise::new(kinds::WRONG_TYPE, message));
        }
        let pairs = function.params.iter().zip(arguments);
        let mut arguments: Vec<Value> = pairs.map(|(param, value)| widened(param, value)).collect();
        let secret = [
            Native::HmacSha256,
            Native::VerifyHmacSha256,
            Native::VerifySecret,
        ];
        if function.does != Does::Value || secret.contains(&function.native) {
            let mut pairs = function.params.iter().zip(&arguments);
            let leaks = |(param, value): (&Param, &Value)| {
                let declared = matches!(param.ty, Ty::Secret(_)) || param.may_hold_secrets;
                !declared && value.holds_secret()
            };
            if pairs.any(leaks) {
                return self.raise(call.scope, call.id, leak(name));
            }
            let names = function.params.iter();
            let names = names.map(|param| Some(param.name.to_owned()));
            let asked = Asked {
                name: name.to_owned(),
                arguments: names.zip(arguments).collect(),
            };
            return Ok((self.ask(call, asked)?, None));
        }
        let given = self.native(call, function.native, &mut arguments)?;
        let receiver = arguments.into_iter().next();
        Ok((given, receiver.filter(|_| function.updates)))
    }
}

fn candidates(name: &str, method: bool) -> impl Iterator<Item = &'static Function> {
    let all = named(name).iter();
    all.filter(move |function| !method || function.method)
}

/// Whether a value may be read as `value.name` without parentheses.
pub(super) fn is_property(name: &str, value: &Value) -> bool {
    let mut all = named(name).iter();
    all.any(|function| function.property && takes(function.params[0].ty, value))
}

/// A value for each parameter: those with names first, the others fill what is
/// left. `None` if the function does not take so many of these names.
fn arranged(function: &Function, values: &Values) -> Option<Vec<Value>> {
    let params = function.params;
    let mut given: Vec<Option<Value>> = vec![None; params.len()];
    let mut rest = Vec::new();
    for (name, value) in values {
        if let Some(name) = name {
            let at = params.iter().position(|param| *param.name == **name)?;
            if params[at].rest || given[at].is_some() {
                return None;
            }
            given[at] = Some(value.clone());
        }
    }
    for (name, value) in values {
        if name.is_none() {
            let free = (0..params.len()).find(|at| given[*at].is_none())?;
            match params[free].rest {
                true => rest.push(value.clone()),
                false => given[free] = Some(value.clone()),
            }
        }
    }
    let all = params.iter().zip(given);
    let all = all.map(|(param, value)| match (value, param.rest) {
        (_, true) => Value::list(rest.clone()).ok(),
        (Some(value), _) => Some(value),
        (None, _) => param.default.map(default),
    });
    all.collect()
}

fn fits(function: &Function, values: &[Value]) -> bool {
    let mut pairs = function.params.iter().zip(values);
    pairs.all(|(param, value)| match value {
        Value::List(rest) if param.rest => rest.items().iter().all(|one| takes(param.ty, one)),
        value => takes(param.ty, value),
    })
}

fn default(default: Default) -> Value {
    match default {
        Default::Null => Value::Null,
        Default::Int(value) => Value::Int(value),
        Default::Text(text) => Value::from(text),
        Default::Record => Map::with_capacity(0).into(),
    }
}

fn widened(param: &Param, value: Value) -> Value {
    match (param.ty, value) {
        (Ty::Float | Ty::Option(Ty::Float), Value::Int(int)) => Value::Float(int as f64),
        (_, value) => value,
    }
}

fn takes(ty: &Ty, value: &Value) -> bool {
    match ty {
        Ty::Any | Ty::Param(_) | Ty::Json => true,
        Ty::Never => false,
        Ty::Null => matches!(value, Value::Null),
        Ty::String => matches!(value, Value::Text(_)),
        Ty::Int => matches!(value, Value::Int(_)),
        Ty::Float => matches!(value, Value::Int(_) | Value::Float(_)),
        Ty::Bool => matches!(value, Value::Bool(_)),
        Ty::Duration => matches!(value, Value::Duration(_)),
        Ty::Size => matches!(value, Value::Size(_)),
        Ty::Time => matches!(value, Value::Time(_)),
        Ty::Error => matches!(value, Value::Error(_)),
        Ty::Map(..) => matches!(value, Value::Map(_)),
        Ty::Set(_) => matches!(value, Value::Set(_)),
        Ty::Function { .. } => matches!(value, Value::Lambda(_) | Value::Function(_)),
        Ty::Option(inner) => matches!(value, Value::Null) || takes(inner, value),
        Ty::Secret(inner) => matches!(value, Value::Secret(_)) || takes(inner, value),
        // Functions of one name differ in what the elements are.
        Ty::Array(element @ (Ty::Int | Ty::Float | Ty::Duration)) => match value {
            Value::List(list) => list.items().iter().all(|item| takes(element, item)),
            _ => false,
        },
        Ty::Array(_) => matches!(value, Value::List(_)),
    }
}

/// Why no function takes these.
fn refused(name: &str, values: &Values, method: bool) -> Raise {
    let given: Vec<String> = values
        .iter()
        .map(|(_, value)| value.with_article())
        .collect();
    if method && !is_method(name, &values[0].1) {
        let message = format!("{} has no method `{name}`", given[0]);
        return Raise::new(kinds::NO_METHOD, message);
    }
    let given = match given.is_empty() {
        true => "nothing".to_owned(),
        false => given.join(", "),
    };
    let mut by_count = candidates(name, method)
        .filter_map(|function| Some((function, arranged(function, values)?)))
        .peekable();
    if by_count.peek().is_none() {
        let message = format!("`{name}` does not take these arguments: {given}");
        return Raise::new(kinds::WRONG_ARGUMENTS, message);
    }
    for (function, values) in by_count {
        for (param, value) in function.params.iter().zip(values) {
            if matches!(value, Value::Secret(_)) && !takes(param.ty, &value) {
                let message = format!("`{}` of `{name}` is not for secrets", param.name);
                return Raise::new(kinds::SECRET_LEAK, message);
            }
        }
    }
    Raise::new(kinds::WRONG_TYPE, format!("`{name}` does not take {given}"))
}

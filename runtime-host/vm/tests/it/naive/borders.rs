//! What stands at a border is held to the type that is written there.

use std::sync::Arc;

use symbi_ir::{NodeId, Type};
use symbi_vm::{Map, Raise, Set, Text, Value, kinds};

use super::{Naive, Run, Scope, Stop, problem};

impl<'p> Naive<'p, '_> {
    /// A value, where one of a type is wanted.
    pub(super) fn held(
        &self,
        scope: &Scope<'p>,
        at: Option<NodeId>,
        value: Value,
        ty: &Type,
        what: &str,
    ) -> Run {
        match (hold(value, ty, what), at) {
            (Ok(value), _) => Ok(value),
            (Err(raise), Some(id)) => self.raise(scope, id, raise),
            (Err(raise), None) => Err(Stop::Raise(Arc::new(problem(raise, None)))),
        }
    }
}

/// # Errors
/// It does not fit.
pub(super) fn hold(value: Value, ty: &Type, what: &str) -> Result<Value, Raise> {
    match fit(value.clone(), ty) {
        Some(value) => Ok(value),
        None if matches!(value, Value::Secret(_)) => Err(Raise::new(
            kinds::SECRET_LEAK,
            format!("{what} is not declared for secrets"),
        )),
        None => Err(Raise::new(
            kinds::WRONG_TYPE,
            format!(
                "{what} is `{}`, and this is {}",
                ty.to_text(),
                value.with_article()
            ),
        )),
    }
}

/// The value as one of the type; `None` if it is none.
fn fit(value: Value, ty: &Type) -> Option<Value> {
    let is = match (ty, &value) {
        (Type::Any | Type::Json | Type::Opaque(_), _) => true,
        (Type::Float, Value::Int(int)) => return Some(Value::Float(*int as f64)),
        (Type::Option(_), Value::Null) => true,
        (Type::Secret(_), Value::Secret(_)) => true,
        (Type::Option(inner) | Type::Result(inner, _) | Type::Secret(inner), _) => {
            return fit(value, inner);
        }
        (Type::Null, value) => matches!(value, Value::Null),
        (Type::String, value) => matches!(value, Value::Text(_)),
        (Type::Int, value) => matches!(value, Value::Int(_)),
        (Type::Float, value) => matches!(value, Value::Float(_)),
        (Type::Bool, value) => matches!(value, Value::Bool(_)),
        (Type::Duration, value) => matches!(value, Value::Duration(_)),
        (Type::Size, value) => matches!(value, Value::Size(_)),
        (Type::Time, value) => matches!(value, Value::Time(_)),
        (Type::Array(_), value) => matches!(value, Value::List(_)),
        (Type::Set(_), value) => matches!(value, Value::Set(_)),
        // Errors have fields as records have.
        (Type::Map(..) | Type::Record { .. } | Type::Struct { .. } | Type::Error, value) => {
            matches!(value, Value::Map(_) | Value::Error(_))
        }
        (Type::Function { .. }, value) => matches!(value, Value::Lambda(_) | Value::Function(_)),
    };
    is.then_some(value)
}

/// `T::new()`; `None` if there is no such value. Structs are made by [`Naive::made`].
pub(super) fn empty(ty: &Type) -> Option<Value> {
    let map = |of: Option<&str>, entries: Vec<(Value, Value)>| {
        let mut map = Map::new(entries).expect("names of fields");
        map.of = of.map(Text::new);
        Some(map.into())
    };
    match ty {
        Type::Array(_) => Some(Value::list(Vec::new()).expect("empty")),
        Type::Set(_) => Some(Set::new([]).expect("empty").into()),
        Type::String => Some("".into()),
        Type::Int => Some(Value::Int(0)),
        Type::Float => Some(Value::Float(0.0)),
        Type::Bool => Some(Value::Bool(false)),
        Type::Duration => Some(Value::Duration(0)),
        Type::Size => Some(Value::Size(0)),
        Type::Option(_) | Type::Null => Some(Value::Null),
        Type::Map(..) | Type::Any | Type::Json => map(None, vec![]),
        Type::Struct { name, .. } | Type::Opaque(name) => map(Some(name), vec![]),
        Type::Record { fields, .. } => {
            let fields = fields
                .iter()
                .filter_map(|field| Some((Value::from(&*field.name), within(&field.ty)?)));
            map(None, fields.collect())
        }
        Type::Time | Type::Error | Type::Secret(_) | Type::Result(..) | Type::Function { .. } => {
            None
        }
    }
}

/// What a field of a new record has; `None` if it is not there yet.
fn within(ty: &Type) -> Option<Value> {
    match ty {
        Type::Any | Type::Json => Some(Value::Null),
        Type::Struct { .. } | Type::Opaque(_) => None,
        ty => empty(ty),
    }
}

impl<'p> Naive<'p, '_> {
    /// `T::new()`.
    pub(super) fn made(&mut self, scope: &mut Scope<'p>, id: NodeId, ty: &Type) -> Run {
        if let Type::Struct { agent, name } = ty
            && let Some(of) = self.structure(scope.place, agent.as_deref(), name)
        {
            let mut entries = Vec::new();
            for field in &of.fields {
                let value = match field.default {
                    Some(default) => {
                        Some(self.default_of(scope, id, agent.as_deref(), of, field, default)?)
                    }
                    None => within(&field.ty),
                };
                entries.extend(value.map(|value| (Value::from(&*field.name), value)));
            }
            let mut map = self.at(scope, id, Map::new(entries))?;
            map.of = Some(Text::new(&*of.name));
            return Ok(map.into());
        }
        empty(ty).map_or_else(
            || {
                let message = format!(
                    "`{}` has no empty value that `new` could give",
                    ty.to_text()
                );
                self.raise(scope, id, Raise::new(kinds::WRONG_TYPE, message))
            },
            Ok,
        )
    }
}

//! What stands at a border is held to the type that is written there.

use std::sync::Arc;

use symbi_ir::{NodeId, Type};
use symbi_vm::{Map, Raise, Set, Value, kinds};

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

/// `T::new()`.
pub(super) fn empty(ty: &Type) -> Result<Value, Raise> {
    Ok(match ty {
        Type::Array(_) => Value::list(Vec::new())?,
        Type::Set(_) => Set::new([])?.into(),
        Type::String => Value::from(""),
        Type::Int => Value::Int(0),
        Type::Float => Value::Float(0.0),
        Type::Bool => Value::Bool(false),
        Type::Duration => Value::Duration(0),
        Type::Size => Value::Size(0),
        Type::Option(_) | Type::Null => Value::Null,
        Type::Struct { name, .. } | Type::Opaque(name) => {
            let mut map = Map::with_capacity(0);
            map.of = Some(symbi_vm::Text::new(&**name));
            map.into()
        }
        _ => Map::with_capacity(0).into(),
    })
}

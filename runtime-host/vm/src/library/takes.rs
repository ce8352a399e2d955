//! Whether a value may be given for a parameter of the library.

use super::declared::Ty;
use crate::value::Value;

/// Whether a value fits a declared type on its surface; of lists of numbers and
/// durations, which tell functions of one name apart, each element.
pub fn takes(ty: &Ty, value: &Value) -> bool {
    match (ty, value) {
        (Ty::Any | Ty::Param(_) | Ty::Json, _) => true,
        (Ty::String, Value::Text(_))
        | (Ty::Int, Value::Int(_))
        | (Ty::Float, Value::Float(_) | Value::Int(_))
        | (Ty::Bool, Value::Bool(_))
        | (Ty::Duration, Value::Duration(_))
        | (Ty::Size, Value::Size(_))
        | (Ty::Time, Value::Time(_))
        | (Ty::Error, Value::Error(_))
        | (Ty::Map(..), Value::Map(_))
        | (Ty::Set(_), Value::Set(_))
        | (Ty::Null | Ty::Option(_), Value::Null)
        | (Ty::Function { .. }, Value::Lambda(_) | Value::Function(_))
        | (Ty::Secret(_), Value::Secret(_)) => true,
        (Ty::Array(element), Value::List(list)) => match element {
            Ty::Int | Ty::Float | Ty::Duration => {
                list.items().iter().all(|item| takes(element, item))
            }
            _ => true,
        },
        (Ty::Secret(inner) | Ty::Option(inner), value) => takes(inner, value),
        _ => false,
    }
}

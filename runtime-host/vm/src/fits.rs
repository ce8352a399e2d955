//! What stands at a border is held to the type that is written there: on its
//! surface, so that it takes no time in the size of a value.

use std::fmt::Display;

use symbi_ir::Type;

use crate::raise::{Raise, kinds};
use crate::value::{Map, Set, Value};

/// Holds a value to a type; a whole number becomes a float where one is
/// declared.
///
/// # Errors
/// It is of another type, or a secret where none belongs.
#[inline]
pub(crate) fn hold(value: &mut Value, ty: &Type, what: &dyn Display) -> Result<(), Raise> {
    match (ty, &*value) {
        (Type::Int, Value::Int(_)) | (Type::String, Value::Text(_)) => Ok(()),
        (Type::Float, Value::Int(int)) => {
            *value = Value::Float(*int as f64);
            Ok(())
        }
        _ => hold_others(value, ty, what),
    }
}

fn hold_others(value: &mut Value, ty: &Type, what: &dyn Display) -> Result<(), Raise> {
    let mut inner = ty;
    while let Type::Option(one) | Type::Result(one, _) | Type::Secret(one) = inner {
        if matches!(
            (inner, &*value),
            (Type::Option(_), Value::Null | Value::Unset)
        ) || matches!((inner, &*value), (Type::Secret(_), Value::Secret(_)))
        {
            return Ok(());
        }
        inner = one;
    }
    if let (Type::Float, Value::Int(int)) = (inner, &*value) {
        *value = Value::Float(*int as f64);
        return Ok(());
    }
    if fits(inner, value) {
        return Ok(());
    }
    if let Value::Secret(_) = value {
        return Err(Raise::new(
            kinds::SECRET_LEAK,
            format!("{what} is not declared for secrets"),
        ));
    }
    Err(Raise::new(
        kinds::WRONG_TYPE,
        format!(
            "{what} is `{}`, and this is {}",
            ty.to_text(),
            value.with_article()
        ),
    ))
}

fn fits(ty: &Type, value: &Value) -> bool {
    match (ty, value) {
        (Type::Any | Type::Json | Type::Opaque(_), _)
        | (Type::Null, Value::Null)
        | (Type::String, Value::Text(_))
        | (Type::Int, Value::Int(_))
        | (Type::Float, Value::Float(_) | Value::Int(_))
        | (Type::Bool, Value::Bool(_))
        | (Type::Duration, Value::Duration(_))
        | (Type::Size, Value::Size(_))
        | (Type::Time, Value::Time(_))
        | (Type::Error, Value::Error(_) | Value::Map(_))
        | (Type::Array(_), Value::List(_))
        | (Type::Set(_), Value::Set(_))
        | (
            Type::Map(..) | Type::Record { .. } | Type::Struct { .. },
            Value::Map(_) | Value::Error(_),
        )
        | (Type::Function { .. }, Value::Lambda(_) | Value::Function(_)) => true,
        (Type::Secret(inner) | Type::Option(inner) | Type::Result(inner, _), value) => {
            fits(inner, value)
        }
        _ => false,
    }
}

/// The empty value of a type, which `T::new()` gives; `None` if it has none.
/// That of a struct is made where the fields of the struct are known.
///
/// # Errors
/// It nests too deep.
pub(crate) fn empty(ty: &Type) -> Result<Option<Value>, Raise> {
    Ok(Some(match ty {
        Type::Array(_) => Value::list(Vec::new())?,
        Type::Set(_) => Set::new([])?.into(),
        Type::Map(..) | Type::Json | Type::Any => Map::with_capacity(0).into(),
        Type::String => Value::from(""),
        Type::Int => Value::Int(0),
        Type::Float => Value::Float(0.0),
        Type::Bool => Value::Bool(false),
        Type::Duration => Value::Duration(0),
        Type::Size => Value::Size(0),
        Type::Option(_) | Type::Null => Value::Null,
        Type::Record { fields, .. } => {
            let mut map = Map::with_capacity(fields.len());
            for field in fields {
                if let Some(value) = empty_field(&field.ty)? {
                    map.insert(Value::from(&*field.name), value)?;
                }
            }
            map.into()
        }
        // Nothing says what it has.
        Type::Opaque(name) | Type::Struct { name, .. } => {
            let mut map = Map::with_capacity(0);
            map.of = Some(crate::Text::new(&**name));
            map.into()
        }
        Type::Time | Type::Error | Type::Secret(_) | Type::Result(..) | Type::Function { .. } => {
            return Ok(None);
        }
    }))
}

/// What a field has that nothing is said of; `None` if it has no value until
/// it is given one.
///
/// # Errors
/// It nests too deep.
pub(crate) fn empty_field(ty: &Type) -> Result<Option<Value>, Raise> {
    match ty {
        Type::Any | Type::Json => Ok(Some(Value::Null)),
        // A struct may have fields of its own type.
        Type::Struct { .. } | Type::Opaque(_) => Ok(None),
        ty => empty(ty),
    }
}

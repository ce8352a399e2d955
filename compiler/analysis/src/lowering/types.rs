//! Types as the host needs them.

use symbi_ir::{Field, Type};

use crate::ty::Ty;

/// A type as data. What the checks alone know is anything to the host.
pub(crate) fn lower(ty: &Ty) -> Type {
    let boxed = |ty: &Ty| Box::new(lower(ty));
    match ty {
        Ty::Any | Ty::Never | Ty::Parameter(_) => Type::Any,
        Ty::Null => Type::Null,
        Ty::String => Type::String,
        Ty::Int => Type::Int,
        Ty::Float => Type::Float,
        Ty::Bool => Type::Bool,
        Ty::Duration => Type::Duration,
        Ty::Size => Type::Size,
        Ty::Time => Type::Time,
        Ty::Json => Type::Json,
        Ty::Error => Type::Error,
        Ty::Secret(inner) => Type::Secret(boxed(inner)),
        Ty::Array(element) => Type::Array(boxed(element)),
        Ty::Map(key, value) => Type::Map(boxed(key), boxed(value)),
        Ty::Set(element) => Type::Set(boxed(element)),
        Ty::Option(inner) => Type::Option(boxed(inner)),
        Ty::Result(value, error) => Type::Result(boxed(value), boxed(error)),
        Ty::Function(function) => Type::Function {
            params: function.params.iter().map(lower).collect(),
            result: boxed(&function.result),
        },
        Ty::Record(record) => {
            let fields = record.fields.iter().map(|(name, ty)| Field {
                name: name.clone(),
                ty: lower(ty),
            });
            Type::Record {
                fields: fields.collect(),
                open: record.open,
            }
        }
        Ty::Struct(id) => Type::Struct {
            agent: id.agent.clone(),
            name: id.name.clone(),
        },
        Ty::Opaque(name) => Type::Opaque(name.clone()),
    }
}

//! The types that declarations of the standard library may name: those that
//! the language has, and their own type parameters.

use std::sync::Arc;

use symbi_syntax::ast::Type;

use crate::ty::{FunctionTy, Ty};

/// A type; `None` if it names anything else.
pub(super) fn resolve(written: Type<'_>, params: &[Arc<str>]) -> Option<Ty> {
    match written {
        Type::Optional(optional) => Some(Ty::Option(Arc::new(resolve(optional.inner()?, params)?))),
        Type::Function(function) => {
            function.result()?;
            let mut types: Vec<Ty> = function
                .types()
                .map(|inner| resolve(inner, params))
                .collect::<Option<_>>()?;
            let result = types.pop()?;
            let params = types;
            Some(Ty::Function(Arc::new(FunctionTy { params, result })))
        }
        Type::Named(named) => {
            let name = named.name();
            let arguments: Vec<Arc<Ty>> = named
                .arguments()
                .map(|inner| resolve(inner, params).map(Arc::new))
                .collect::<Option<_>>()?;
            named_type(&name, arguments, params)
        }
    }
}

fn named_type(name: &str, arguments: Vec<Arc<Ty>>, params: &[Arc<str>]) -> Option<Ty> {
    let mut arguments = arguments.into_iter();
    let ty = match name {
        "Any" => Ty::Any,
        "Null" => Ty::Null,
        "Never" => Ty::Never,
        "String" => Ty::String,
        "int" => Ty::Int,
        "float" => Ty::Float,
        "bool" => Ty::Bool,
        "Duration" => Ty::Duration,
        "Size" => Ty::Size,
        "Time" => Ty::Time,
        "JSON" => Ty::Json,
        "Error" => Ty::Error,
        "Secret" => Ty::Secret(arguments.next()?),
        "Array" => Ty::Array(arguments.next()?),
        "Set" => Ty::Set(arguments.next()?),
        "Option" => Ty::Option(arguments.next()?),
        "Map" => Ty::Map(arguments.next()?, arguments.next()?),
        "Result" => Ty::Result(arguments.next()?, arguments.next()?),
        _ => Ty::Parameter(params.iter().find(|param| ***param == *name)?.clone()),
    };
    arguments.next().is_none().then_some(ty)
}

//! Types as the language writes them.

use crate::types::Type;

/// A type as the language writes it.
pub fn ty(of: &Type) -> String {
    match of {
        Type::Any => "Any".to_owned(),
        Type::Null => "null".to_owned(),
        Type::String => "String".to_owned(),
        Type::Int => "int".to_owned(),
        Type::Float => "float".to_owned(),
        Type::Bool => "bool".to_owned(),
        Type::Duration => "Duration".to_owned(),
        Type::Size => "Size".to_owned(),
        Type::Time => "Time".to_owned(),
        Type::Json => "JSON".to_owned(),
        Type::Error => "Error".to_owned(),
        Type::Secret(inner) => format!("Secret<{}>", ty(inner)),
        Type::Array(element) => format!("Array<{}>", ty(element)),
        Type::Map(key, value) => format!("Map<{}, {}>", ty(key), ty(value)),
        Type::Set(element) => format!("Set<{}>", ty(element)),
        Type::Option(inner) => format!("{}?", ty(inner)),
        Type::Result(value, error) => format!("Result<{}, {}>", ty(value), ty(error)),
        Type::Function { params, result } => {
            let params: Vec<String> = params.iter().map(ty).collect();
            format!("({}) -> {}", params.join(", "), ty(result))
        }
        Type::Record { fields, open } => {
            let mut parts: Vec<String> = fields
                .iter()
                .map(|field| format!("{}: {}", field.name, ty(&field.ty)))
                .collect();
            if *open {
                parts.push("…".to_owned());
            }
            format!("{{{}}}", parts.join(", "))
        }
        Type::Struct { agent, name } => match agent {
            Some(agent) => format!("{agent}.{name}"),
            None => name.to_string(),
        },
        Type::Opaque(name) => format!("{name} (undeclared)"),
    }
}

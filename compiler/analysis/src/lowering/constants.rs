//! Values of blocks as data.

use std::sync::Arc;

use symbi_ir::Constant;
use symbi_policy::Value;
use symbi_syntax::ast::Expr;

use crate::blocks::durations;
use crate::blocks::numbers::{as_bool, as_int, as_number, as_size};
use crate::blocks::plain::{Plain, plain, tokens_of};
use crate::blocks::values::as_tools;
use crate::blocks::{Key, Value as Wanted};

/// How names are read that stand where a value may.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Names {
    /// As names.
    Kept,
    /// As the texts that they could be written as.
    Texts,
}

/// A value as it is written. What would have to be computed is `null`.
pub(crate) fn constant(value: Expr<'_>) -> Constant {
    read(value, Names::Kept)
}

/// A value in which names are texts: data that comes from outside has no names.
pub(crate) fn data(value: Expr<'_>) -> Constant {
    read(value, Names::Texts)
}

/// Lists and records nest as deep as the parser lets them, so this recursion is
/// bounded.
fn read(value: Expr<'_>, names: Names) -> Constant {
    match plain(value) {
        Plain::Text(text) => Constant::Text(text.into()),
        Plain::Word(word) => match names {
            Names::Kept => Constant::Name(word.into()),
            Names::Texts => Constant::Text(word.into()),
        },
        Plain::Int(number) => match i64::try_from(number) {
            Ok(number) => Constant::Int(number),
            Err(_) => Constant::Null,
        },
        Plain::Float(number) => Constant::Float(number),
        Plain::Duration(nanos) => int(nanos).map_or(Constant::Null, Constant::Duration),
        Plain::Size(bytes) => int(bytes).map_or(Constant::Null, Constant::Size),
        Plain::Bool(value) => Constant::Bool(value),
        Plain::Secret(reference) => Constant::Secret(reference.into()),
        Plain::Array(array) => {
            let elements = array.elements();
            Constant::List(elements.map(|element| read(element, names)).collect())
        }
        Plain::Record(record) => {
            let mut fields: Vec<(Arc<str>, Constant)> = Vec::new();
            let mut known = std::collections::HashSet::new();
            for field in record.fields() {
                // Of a name that is given twice the first value counts.
                if let (Some(name), Some(value)) = (field.key(), field.value())
                    && known.insert(name.clone())
                {
                    fields.push((name.into(), read(value, names)));
                }
            }
            Constant::Record(fields)
        }
        Plain::Null | Plain::Unread | Plain::Computed => Constant::Null,
    }
}

/// A number that fits.
pub(crate) fn int(number: i128) -> Option<i64> {
    i64::try_from(number).ok()
}

/// The value of a key that the block knows: equal for all spellings that mean
/// the same. One of the wrong type is as it is written.
pub(crate) fn of_key(key: &Key, value: Expr<'_>) -> Constant {
    let found = plain(value);
    let typed = match key.value {
        Wanted::Bool => as_bool(&found).map(Constant::Bool),
        Wanted::Int(_) => as_int(&found).and_then(int).map(Constant::Int),
        Wanted::Float | Wanted::Number | Wanted::Weight => as_number(&found).map(Constant::Float),
        Wanted::Duration | Wanted::Timeout => {
            let nanos = durations::nanos(&found).and_then(int);
            nanos.map(Constant::Duration)
        }
        Wanted::Size => as_size(&found).and_then(int).map(Constant::Size),
        // As a number, 1.10 would be 1.1.
        Wanted::Version => match &found {
            Plain::Int(_) | Plain::Float(_) => Some(Constant::Text(tokens_of(value).into())),
            _ => word(&found),
        },
        Wanted::Tools => as_tools(&found).map(|tools| {
            let texts = tools.into_iter().map(|tool| Constant::Text(tool.into()));
            Constant::List(texts.collect())
        }),
        Wanted::Array => return data(value),
        Wanted::String | Wanted::Executor | Wanted::Words(_) | Wanted::Agent | Wanted::Policy => {
            word(&found)
        }
        _ => None,
    };
    typed.unwrap_or_else(|| constant(value))
}

fn word(found: &Plain<'_>) -> Option<Constant> {
    found.word().map(|word| Constant::Text(word.into()))
}

/// A value of a rule.
pub(crate) fn of_value(value: &Value) -> Constant {
    match value {
        Value::Null => Constant::Null,
        Value::Bool(value) => Constant::Bool(*value),
        Value::Int(number) => Constant::Int(*number),
        Value::Float(number) => Constant::Float(*number),
        Value::String(text) => Constant::Text(text.clone()),
        Value::Duration(nanos) => Constant::Duration(*nanos),
        Value::Size(bytes) => Constant::Size(*bytes),
        Value::Time(instant) => Constant::Text(instant.to_string().into()),
        Value::Array(elements) => Constant::List(elements.iter().map(of_value).collect()),
        Value::Record(record) => {
            let fields = record.fields();
            Constant::Record(
                fields
                    .map(|(name, value)| (name.clone(), of_value(value)))
                    .collect(),
            )
        }
    }
}

//! What a run is given, held to the parameters of its agent.

use serde_json::Value as Json;
use symbi_ir::{Agent, Code, Module, Node, NodeId, Param, Struct, Type};
use symbi_mini::{duration, size};
use symbi_vm::{Map, Set, Text, Value};

use crate::values;

/// How many levels input may have.
const LEVELS: usize = 200;

/// Where the types of an agent are declared.
#[derive(Clone, Copy)]
struct Types<'p> {
    module: &'p Module,
    agent: &'p Agent,
}

/// The parameters of an agent from JSON: an object by name, or the value of the
/// only one. What is left out and has a default is [`Value::Unset`].
///
/// # Errors
/// It does not fit: which parameter, what it is, and what was given.
pub fn parameters(
    module: &Module,
    agent: &Agent,
    input: Option<&Json>,
) -> Result<Vec<Value>, String> {
    let params = &agent.entry.params;
    let types = Types { module, agent };
    let none = serde_json::Map::new();
    let fields = match (input, &**params) {
        (None, _) => &none,
        (Some(Json::Object(fields)), [only])
            if !fields.contains_key(&*only.name) && takes_record(&only.ty) =>
        {
            let input = input.unwrap_or(&Json::Null);
            return Ok(vec![types.take(&only.ty, input, &only.name, LEVELS)?]);
        }
        (Some(Json::Object(fields)), _) => fields,
        (Some(Json::Null), []) => &none,
        (Some(bare), [only]) => return Ok(vec![types.take(&only.ty, bare, &only.name, LEVELS)?]),
        (Some(_), []) => return Err(format!("`{}` takes no input", agent.name())),
        (Some(bare), _) => {
            return Err(format!(
                "`{}` takes {}: give an object, and not {}",
                agent.name(),
                listed(params),
                kind(bare)
            ));
        }
    };
    if let Some(name) = fields
        .keys()
        .find(|name| !params.iter().any(|param| *param.name == ***name))
    {
        return Err(match &**params {
            [] => format!("`{}` takes no input, and is given `{name}`", agent.name()),
            params => format!(
                "`{}` has no parameter `{name}`: it takes {}",
                agent.name(),
                listed(params)
            ),
        });
    }
    params
        .iter()
        .map(|param| match fields.get(&*param.name) {
            Some(given) => types.take(&param.ty, given, &param.name, LEVELS),
            // Guards see what is written out; what is computed, the body alone.
            None if param.default.is_some() => {
                let code = &agent.entry.code;
                let default = constant(code, param.default, &param.ty, LEVELS);
                Ok(default.unwrap_or(Value::Unset))
            }
            None if matches!(param.ty, Type::Option(_)) => Ok(Value::Null),
            None => Err(format!(
                "the parameter `{}` is missing: `{}` takes {}",
                param.name,
                agent.name(),
                listed(params)
            )),
        })
        .collect()
}

fn takes_record(ty: &Type) -> bool {
    match ty {
        Type::Option(inner) | Type::Result(inner, _) => takes_record(inner),
        Type::Any
        | Type::Json
        | Type::Map(..)
        | Type::Record { .. }
        | Type::Struct { .. }
        | Type::Opaque(_) => true,
        _ => false,
    }
}

fn listed(params: &[Param]) -> String {
    let params: Vec<String> = params
        .iter()
        .map(|param| match param.default.is_some() {
            true => format!(
                "`{}: {}` (it has a default)",
                param.name,
                param.ty.to_text()
            ),
            false => format!("`{}: {}`", param.name, param.ty.to_text()),
        })
        .collect();
    params.join(", ")
}

fn kind(json: &Json) -> String {
    match json {
        Json::Null => "null".to_owned(),
        Json::Bool(value) => value.to_string(),
        Json::Number(number) => format!("the number {number}"),
        Json::String(text) if text.chars().count() <= 40 => {
            format!("the text {}", Json::from(&**text))
        }
        Json::String(_) => "a long text".to_owned(),
        Json::Array(_) => "a list".to_owned(),
        Json::Object(_) => "an object".to_owned(),
    }
}

impl Types<'_> {
    /// A value of a type from JSON. `place` leads to it, for messages.
    fn take(&self, ty: &Type, json: &Json, place: &str, levels: usize) -> Result<Value, String> {
        let wrong = || {
            Err(format!(
                "`{place}` is `{}`, and is given {}",
                ty.to_text(),
                kind(json)
            ))
        };
        let Some(levels) = levels.checked_sub(1) else {
            return Err(format!("`{place}` nests deeper than {LEVELS} levels"));
        };
        Ok(match (ty, json) {
            (Type::Option(_), Json::Null) | (Type::Null, Json::Null) => Value::Null,
            (Type::Option(inner) | Type::Result(inner, _), json) => {
                return self.take(inner, json, place, levels).or_else(
                    |inner_wrong| match inner_wrong.starts_with(&format!("`{place}` is ")) {
                        true => wrong(),
                        false => Err(inner_wrong),
                    },
                );
            }
            (Type::Any | Type::Json | Type::Opaque(_) | Type::Error, json) => {
                values::from_json(json).map_err(|raise| raise.message)?
            }
            (Type::Secret(_), Json::String(text)) => {
                match text.starts_with("vault://") || text.starts_with("env://") {
                    true => Value::Secret(std::sync::Arc::new(symbi_vm::Secret::of(text.clone()))),
                    false => {
                        return Err(format!(
                            "`{place}` is a secret: give its reference, such as \"env://NAME\", and not its text"
                        ));
                    }
                }
            }
            (Type::Bool, Json::Bool(value)) => Value::Bool(*value),
            (Type::String, Json::String(text)) => Value::from(text.as_str()),
            (Type::Int, Json::Number(number)) => match number.as_i64() {
                Some(int) => Value::Int(int),
                None => return wrong(),
            },
            (Type::Float, Json::Number(number)) => match number.as_f64() {
                Some(float) => Value::Float(float),
                None => return wrong(),
            },
            (Type::Duration, Json::String(text)) => match duration::parse(text) {
                Ok(read) => Value::Duration(read.value),
                Err(error) => return Err(format!("`{place}` is a Duration: {}", error.message)),
            },
            // A bare whole number is seconds, as everywhere.
            (Type::Duration, Json::Number(number)) => {
                match number
                    .as_i64()
                    .and_then(|seconds| seconds.checked_mul(1_000_000_000))
                {
                    Some(nanos) => Value::Duration(nanos),
                    None => return wrong(),
                }
            }
            (Type::Size, Json::String(text)) => match size::parse(text) {
                Ok(read) => Value::Size(read.value),
                Err(error) => return Err(format!("`{place}` is a Size: {}", error.message)),
            },
            (Type::Size, Json::Number(number)) => match number.as_i64() {
                Some(bytes) => Value::Size(bytes),
                None => return wrong(),
            },
            (Type::Time, Json::String(text)) => match text.parse::<symbi_mini::jiff::Timestamp>() {
                Ok(at) => match i64::try_from(at.as_nanosecond()) {
                    Ok(nanos) => Value::Time(nanos),
                    Err(_) => return wrong(),
                },
                Err(_) => {
                    return Err(format!(
                        "`{place}` is a Time: write it as in \"2026-03-01T12:00:00Z\""
                    ));
                }
            },
            (Type::Array(element), Json::Array(items)) => {
                let items = items.iter().enumerate();
                let items = items
                    .map(|(at, item)| self.take(element, item, &format!("{place}[{at}]"), levels));
                Value::list(items.collect::<Result<_, _>>()?).map_err(|raise| raise.message)?
            }
            (Type::Set(element), Json::Array(items)) => {
                let items = items.iter().enumerate();
                let items = items
                    .map(|(at, item)| self.take(element, item, &format!("{place}[{at}]"), levels));
                Set::new(items.collect::<Result<Vec<_>, _>>()?)
                    .map_err(|raise| raise.message)?
                    .into()
            }
            (Type::Map(key, value), Json::Object(fields)) => {
                let mut map = Map::with_capacity(fields.len());
                for (name, held) in fields {
                    let place = format!("{place}.{name}");
                    let own = match **key {
                        Type::Int => match name.parse() {
                            Ok(int) => Value::Int(int),
                            Err(_) => return Err(format!("`{place}`: the keys are whole numbers")),
                        },
                        _ => Value::from(name.as_str()),
                    };
                    let held = self.take(value, held, &place, levels)?;
                    map.insert(own, held).map_err(|raise| raise.message)?;
                }
                map.into()
            }
            (Type::Record { fields, open }, Json::Object(given)) => {
                let known = fields.iter().map(|field| (&*field.name, &field.ty));
                self.record(known.collect(), *open, given, place, levels)?
                    .into()
            }
            (Type::Struct { agent, name }, Json::Object(given)) => {
                let Some(declared) = self.structure(agent.as_deref(), name) else {
                    return values::from_json(json).map_err(|raise| raise.message);
                };
                self.of_struct(declared, given, place, levels)?.into()
            }
            _ => return wrong(),
        })
    }

    fn structure(&self, agent: Option<&str>, name: &str) -> Option<&Struct> {
        let structs = match agent {
            Some(_) => &self.agent.structs,
            None => &self.module.structs,
        };
        structs.iter().find(|one| *one.name == *name)
    }

    fn of_struct(
        &self,
        declared: &Struct,
        given: &serde_json::Map<String, Json>,
        place: &str,
        levels: usize,
    ) -> Result<Map, String> {
        let mut map = Map::with_capacity(declared.fields.len());
        map.of = Some(Text::new(&*declared.name));
        if let Some(name) = given
            .keys()
            .find(|name| !declared.fields.iter().any(|field| *field.name == ***name))
        {
            return Err(format!(
                "`{place}` is `{}`, which has no field `{name}`",
                declared.name
            ));
        }
        for field in &declared.fields {
            let value = match given.get(&*field.name) {
                Some(held) => {
                    self.take(&field.ty, held, &format!("{place}.{}", field.name), levels)?
                }
                None => match constant(&declared.code, field.default, &field.ty, LEVELS) {
                    Some(default) => default,
                    None if matches!(field.ty, Type::Option(_)) => Value::Null,
                    None => {
                        return Err(format!(
                            "`{place}.{}` is missing: it is `{}`",
                            field.name,
                            field.ty.to_text()
                        ));
                    }
                },
            };
            map.insert(Value::from(&*field.name), value)
                .map_err(|raise| raise.message)?;
        }
        Ok(map)
    }

    fn record(
        &self,
        known: Vec<(&str, &Type)>,
        open: bool,
        given: &serde_json::Map<String, Json>,
        place: &str,
        levels: usize,
    ) -> Result<Map, String> {
        let mut map = Map::with_capacity(given.len());
        for (name, held) in given {
            let place = format!("{place}.{name}");
            let ty = known.iter().find(|(own, _)| own == name).map(|(_, ty)| *ty);
            let value = match ty {
                Some(ty) => self.take(ty, held, &place, levels)?,
                None if open => values::from_json(held).map_err(|raise| raise.message)?,
                None => return Err(format!("`{place}` is no field of this record")),
            };
            map.insert(Value::from(name.as_str()), value)
                .map_err(|raise| raise.message)?;
        }
        Ok(map)
    }
}

/// A default that is written out; `None` for one that is computed, or is none.
fn constant(code: &Code, default: Option<NodeId>, ty: &Type, levels: usize) -> Option<Value> {
    let levels = levels.checked_sub(1)?;
    let inner = match ty {
        Type::Option(inner) | Type::Result(inner, _) => inner,
        ty => ty,
    };
    Some(match code.node(default?)? {
        Node::Null => Value::Null,
        Node::Bool(value) => Value::Bool(*value),
        Node::Int(value) if *inner == Type::Float => Value::Float(*value as f64),
        Node::Int(value) => Value::Int(*value),
        Node::Float(value) => Value::Float(*value),
        Node::Text(text) => Value::from(&**text),
        Node::Duration(nanos) => Value::Duration(*nanos),
        Node::Size(bytes) => Value::Size(*bytes),
        Node::List(items) => {
            let element = match inner {
                Type::Array(element) => element,
                _ => &Type::Any,
            };
            let items = items.iter();
            let items = items.map(|item| constant(code, Some(*item), element, levels));
            Value::list(items.collect::<Option<_>>()?).ok()?
        }
        Node::Record(fields) => {
            let mut map = Map::with_capacity(fields.len());
            for (name, value) in fields {
                let value = constant(code, Some(*value), &Type::Any, levels)?;
                map.insert(Value::from(&**name), value).ok()?;
            }
            map.into()
        }
        _ => return None,
    })
}

//! The first step: which effect is meant, and its arguments by name, held
//! against the types that are declared.

use std::sync::Arc;

use symbi_ir::{Agent, Module, Param, Program, Struct, Type};
use symbi_mini::tool_pattern::similar;
use symbi_mini::{duration, quote, size};
use symbi_policy::{Kind, MAX_LEVELS, Record, Value};

use super::call::{Call, Contract, Proposed};

/// A parameter, as far as a call has to know it.
struct Wanted<'p> {
    name: &'p str,
    ty: Option<&'p Type>,
    required: bool,
}

/// Why arguments cannot be taken.
pub(super) struct Invalid {
    /// What was meant.
    pub call: Call,
    /// A sentence for people.
    pub problem: String,
}

/// Puts the arguments of a call in order.
pub(super) fn normalise(program: &Program, proposed: Proposed) -> Result<Call, Box<Invalid>> {
    let answers = proposed.answers();
    let Proposed {
        id,
        name,
        positional,
        named,
        span,
        ..
    } = proposed;
    let target = match name.strip_prefix("delegate::") {
        Some(target) if !answers => delegate(program, target),
        _ => None,
    };
    let name = match target {
        Some((_, agent)) => format!("delegate::{}", agent.name()).into(),
        None => name,
    };
    let (kind, params) = match answers {
        true => (Kind::Answer, Vec::new()),
        false => program.effect(&name),
    };
    let tool = match kind {
        Kind::Tool => program.tool(&name),
        _ => None,
    };
    let mut call = Call {
        id,
        name,
        kind,
        arguments: Record::default(),
        input: None,
        params,
        tool: tool.map(|tool| Contract {
            sha256: tool.sha256,
            version: tool.version.clone(),
            resource: tool.resource.clone(),
            asks: tool.asks,
        }),
        span,
        checked: false,
    };
    if !positional.iter().all(|value| within(value, MAX_LEVELS))
        || !named.iter().all(|(_, value)| within(value, MAX_LEVELS))
    {
        let problem = format!(
            "an argument of `{}` nests deeper than {MAX_LEVELS}",
            call.name
        );
        return Err(Box::new(Invalid { call, problem }));
    }
    let types = Types {
        module: target.map(|(module, _)| module),
        agent: target.map(|(_, agent)| agent),
    };
    let taken = match (kind, tool, target) {
        (_, Some(tool), _) => {
            let wanted = tool.params.iter().map(|param| Wanted {
                name: &param.name,
                ty: Some(&param.ty),
                required: param.required,
            });
            types.declared(&call.name, &wanted.collect::<Vec<_>>(), positional, named)
        }
        (Kind::Delegate, _, Some((_, agent))) => {
            let params = &agent.entry.params;
            let wanted: Vec<Wanted<'_>> = params.iter().map(of_param).collect();
            let (positional, named) = spread(params, positional, named);
            types.declared(&call.name, &wanted, positional, named)
        }
        // Whom it is for is not known, so neither is what it takes.
        (Kind::Delegate, _, None) => match (&*positional, &*named) {
            ([_], []) => {
                call.input = positional.into_iter().next();
                return Ok(call);
            }
            _ => free(positional, named),
        },
        (Kind::Builtin(_), ..) => {
            // Their types were checked where the function is called.
            let wanted = call.params.iter().map(|name| Wanted {
                name,
                ty: None,
                required: false,
            });
            let wanted: Vec<Wanted<'_>> = wanted.collect();
            types.declared(&call.name, &wanted, positional, named)
        }
        (Kind::Driver, ..) => {
            let wanted = [Wanted {
                name: "prompt",
                ty: Some(&Type::String),
                required: false,
            }];
            types.declared(&call.name, &wanted, positional, named)
        }
        _ => free(positional, named),
    };
    match taken {
        Ok(arguments) => {
            call.arguments = arguments;
            call.checked = match kind {
                Kind::Tool | Kind::Builtin(_) | Kind::Driver | Kind::Answer => true,
                Kind::Delegate => target.is_some(),
                Kind::Action => false,
            };
            Ok(call)
        }
        Err(problem) => Err(Box::new(Invalid { call, problem })),
    }
}

/// The agent that a name means: the one that is declared under it, else the
/// only one of the only file of this name. `None` if that is not one agent.
fn delegate<'p>(program: &'p Program, name: &str) -> Option<(&'p Module, &'p Agent)> {
    let mut declared = program
        .agents()
        .filter(|(_, agent)| **agent.name() == *name);
    match (declared.next(), declared.next()) {
        (Some((module, agent)), None) => return Some((module, agent)),
        (Some(_), Some(_)) => return None,
        (None, _) => {}
    }
    let mut files = program.modules.iter().filter(|module| {
        let file = module.path.rsplit('/').next().unwrap_or(&module.path);
        file.split_once('.').map_or(file, |(stem, _)| stem) == name
    });
    let (module, None) = (files.next()?, files.next()) else {
        return None;
    };
    let [agent] = &*module.agents else {
        return None;
    };
    // Of two of one name none is meant.
    let mut alike = program
        .agents()
        .filter(|(_, own)| own.name() == agent.name());
    match (alike.next(), alike.next()) {
        (Some(_), None) => Some((module, agent)),
        _ => None,
    }
}

fn of_param(param: &Param) -> Wanted<'_> {
    Wanted {
        name: &param.name,
        ty: Some(&param.ty),
        required: !param.optional && param.default.is_none(),
    }
}

type Given = (Vec<Value>, Vec<(Arc<str>, Value)>);

/// A delegation may give one record of all arguments. With one parameter a bare
/// value is taken (language.md section 2.6), so there it has to have its name.
fn spread(params: &[Param], mut positional: Vec<Value>, named: Vec<(Arc<str>, Value)>) -> Given {
    let is_whole = |record: &Record| match params {
        [param] => record.get(&param.name).is_some(),
        _ => true,
    };
    match (&*positional, &*named) {
        ([Value::Record(record)], []) if is_whole(record) => {
            let fields = record.fields();
            let named = fields.map(|(name, value)| (name.clone(), value.clone()));
            let named = named.collect();
            positional.clear();
            (positional, named)
        }
        _ => (positional, named),
    }
}

/// Arguments that nothing declares: those without a name have their number.
fn free(positional: Vec<Value>, named: Vec<(Arc<str>, Value)>) -> Result<Record, String> {
    let count = positional.len() + named.len();
    let numbered = positional.into_iter().enumerate();
    let numbered = numbered.map(|(place, value)| (place.to_string().into(), value));
    let arguments = Record::new(numbered.chain(named));
    match arguments.len() == count {
        true => Ok(arguments),
        false => Err("an argument is given twice".to_owned()),
    }
}

/// Whether a value nests no deeper than this.
fn within(value: &Value, levels: usize) -> bool {
    match value {
        Value::Array(elements) => levels
            .checked_sub(1)
            .is_some_and(|levels| elements.iter().all(|one| within(one, levels))),
        Value::Record(record) => levels
            .checked_sub(1)
            .is_some_and(|levels| record.fields().all(|(_, one)| within(one, levels))),
        _ => true,
    }
}

/// Where the structs of types are declared.
struct Types<'p> {
    module: Option<&'p Module>,
    agent: Option<&'p Agent>,
}

impl<'p> Types<'p> {
    /// Arguments for parameters that are declared.
    fn declared(
        &self,
        name: &str,
        params: &[Wanted<'p>],
        positional: Vec<Value>,
        named: Vec<(Arc<str>, Value)>,
    ) -> Result<Record, String> {
        if positional.len() > params.len() {
            return Err(format!(
                "`{name}` takes {}, and {} are given",
                match params.len() {
                    0 => "no arguments".to_owned(),
                    1 => "one argument".to_owned(),
                    count => format!("{count} arguments"),
                },
                positional.len()
            ));
        }
        let places = params.iter().map(|param| Arc::from(param.name));
        let given = places.zip(positional).chain(named);
        let mut taken: Vec<(Arc<str>, Value)> = Vec::new();
        for (own, value) in given {
            let Some(param) = params.iter().find(|param| *param.name == *own) else {
                let near = similar(&own, params.iter().map(|param| param.name));
                return Err(match near {
                    Some(near) => format!(
                        "`{name}` has no argument {}: did you mean `{near}`?",
                        quote(&own)
                    ),
                    None => format!("`{name}` has no argument {}", quote(&own)),
                });
            };
            if taken.iter().any(|(other, _)| *other == own) {
                return Err(format!("the argument `{own}` of `{name}` is given twice"));
            }
            let value = match param.ty {
                Some(ty) => self.take(value, ty).map_err(|wanted| {
                    format!("the argument `{own}` of `{name}` has to be {wanted}")
                })?,
                None => value,
            };
            taken.push((own, value));
        }
        let missing = params
            .iter()
            .find(|param| param.required && taken.iter().all(|(own, _)| **own != *param.name));
        match missing {
            Some(param) => Err(format!("`{name}` needs the argument `{}`", param.name)),
            None => Ok(Record::new(taken)),
        }
    }

    /// A value as its type has it, or what would be one. A model writes a
    /// length of time as a text, and a whole number where a float is wanted.
    fn take(&self, value: Value, ty: &Type) -> Result<Value, String> {
        Ok(match (ty, value) {
            // A secret stands as its reference here; of the others no value of
            // a policy can be one, and who runs them checks them.
            (
                Type::Any
                | Type::Json
                | Type::Opaque(_)
                | Type::Secret(_)
                | Type::Function { .. }
                | Type::Result(..)
                | Type::Error,
                value,
            ) => value,
            (Type::Null, Value::Null) => Value::Null,
            (Type::String, value @ Value::String(_))
            | (Type::Bool, value @ Value::Bool(_))
            | (Type::Int, value @ Value::Int(_))
            | (Type::Float, value @ Value::Float(_))
            | (Type::Duration, value @ Value::Duration(_))
            | (Type::Size, value @ Value::Size(_))
            | (Type::Time, value @ Value::Time(_)) => value,
            (Type::Float, Value::Int(number)) => Value::Float(number as f64),
            // The whole numbers that a float has exactly.
            (Type::Int, Value::Float(number))
                if number.fract() == 0.0 && number.abs() <= 9_007_199_254_740_992.0 =>
            {
                Value::Int(number as i64)
            }
            (Type::Duration, Value::String(ref text)) => match duration::parse(text) {
                Ok(read) => Value::Duration(read.value),
                Err(_) => return Err("a length of time such as `5m`".to_owned()),
            },
            (Type::Size, Value::String(ref text)) => match size::parse(text) {
                Ok(read) => Value::Size(read.value),
                Err(_) => return Err("an amount of memory such as `10MB`".to_owned()),
            },
            (Type::Time, Value::String(ref text)) => match text.parse() {
                Ok(at) => Value::Time(at),
                Err(_) => return Err("an instant such as `2030-01-31T12:00:00Z`".to_owned()),
            },
            (Type::Option(_), Value::Null) => Value::Null,
            (Type::Option(inner), value) => return self.take(value, inner),
            (Type::Array(inner) | Type::Set(inner), Value::Array(ref elements)) => {
                let taken = elements.iter().map(|one| {
                    let taken = self.take(one.clone(), inner);
                    taken.map_err(|wanted| format!("a list in which each is {wanted}"))
                });
                Value::Array(taken.collect::<Result<_, _>>()?)
            }
            (Type::Map(_, inner), Value::Record(ref record)) => {
                let taken = record.fields().map(|(name, one)| {
                    let taken = self.take(one.clone(), inner);
                    let taken = taken.map(|taken| (name.clone(), taken));
                    taken.map_err(|wanted| format!("a map in which each value is {wanted}"))
                });
                Value::Record(Record::new(taken.collect::<Result<Vec<_>, _>>()?))
            }
            (Type::Record { fields, open }, Value::Record(ref record)) => {
                let wanted = fields.iter().map(|field| Wanted {
                    name: &field.name,
                    ty: Some(&field.ty),
                    required: true,
                });
                self.fields(record, &wanted.collect::<Vec<_>>(), *open)?
            }
            (Type::Struct { agent, name }, value) => match (self.declaration(agent, name), value) {
                // Whoever runs it knows it, or refuses.
                (None, value) => value,
                (Some(own), Value::Record(ref record)) => {
                    let wanted: Vec<Wanted<'_>> = own.fields.iter().map(of_param).collect();
                    self.fields(record, &wanted, false)?
                }
                (Some(_), _) => return Err(format!("a `{name}`")),
            },
            (wanted, _) => return Err(named(wanted).to_owned()),
        })
    }

    fn fields(&self, record: &Record, wanted: &[Wanted<'_>], open: bool) -> Result<Value, String> {
        let mut taken = Vec::with_capacity(record.len());
        for (name, value) in record.fields() {
            let field = wanted.iter().find(|field| *field.name == **name);
            let value = match field.map(|field| field.ty) {
                Some(Some(ty)) => self
                    .take(value.clone(), ty)
                    .map_err(|wanted| format!("a record whose `{name}` is {wanted}"))?,
                Some(None) => value.clone(),
                None if open => value.clone(),
                None => return Err(format!("a record without {}", quote(name))),
            };
            taken.push((name.clone(), value));
        }
        let missing = wanted
            .iter()
            .find(|field| field.required && record.get(field.name).is_none());
        match missing {
            Some(field) => Err(format!("a record with `{}`", field.name)),
            None => Ok(Value::Record(Record::new(taken))),
        }
    }

    fn declaration(&self, agent: &Option<Arc<str>>, name: &str) -> Option<&'p Struct> {
        let own = match agent {
            Some(_) => &self.agent?.structs,
            None => &self.module?.structs,
        };
        own.iter().find(|one| *one.name == *name)
    }
}

/// What a value of a type is called.
fn named(ty: &Type) -> &'static str {
    match ty {
        Type::Null => "`null`",
        Type::String => "a text",
        Type::Int => "a whole number",
        Type::Float => "a number",
        Type::Bool => "`true` or `false`",
        Type::Duration => "a length of time such as `5m`",
        Type::Size => "an amount of memory such as `10MB`",
        Type::Time => "an instant such as `2030-01-31T12:00:00Z`",
        Type::Array(_) | Type::Set(_) => "a list",
        Type::Map(..) | Type::Record { .. } | Type::Struct { .. } => "a record",
        _ => "of another type",
    }
}

//! A place where a function of the library, a method or a value is called: which
//! argument is for which parameter, worked out once for each function that the
//! name may mean.

use std::sync::Arc;

use super::declared::{Default, Function, Ty};
use super::{named, takes};
use crate::raise::{Raise, kinds};
use crate::text::Text;
use crate::value::{List, Map, Value};

/// A place where something is called.
#[derive(Debug)]
pub struct Site {
    /// What is called.
    pub name: Text,
    /// The names of its arguments, in order; those of a method without its
    /// receiver.
    pub names: Vec<Option<Arc<str>>>,
    /// The functions that take as many arguments of these names.
    candidates: Vec<Candidate>,
    /// The register of its first argument, where the instruction has no room
    /// for it.
    pub base: u32,
    /// Its place, likewise.
    pub path: u32,
}

/// A function that may be called here.
#[derive(Debug)]
pub struct Candidate {
    /// The function.
    pub function: &'static Function,
    /// What each parameter gets.
    places: Vec<Place>,
    /// Each argument is for the parameter at its own place.
    pub straight: bool,
}

#[derive(Clone, Debug, PartialEq)]
enum Place {
    Argument(u32),
    Default(Default),
    Rest(Vec<u32>),
}

impl Site {
    /// Where functions of a name are called. The receiver of a method is the
    /// first argument, and has no name.
    pub fn new(name: Text, names: Vec<Option<Arc<str>>>, method: bool) -> Self {
        let receiver = method.then_some(None);
        let all: Vec<Option<Arc<str>>> = receiver.into_iter().chain(names.clone()).collect();
        let candidates: Vec<Candidate> = named(&name)
            .iter()
            .filter(|function| !method || function.method)
            .filter_map(|function| candidate(function, &all))
            .collect();
        Site {
            base: 0,
            path: 0,
            name,
            names,
            candidates,
        }
    }

    /// Where a value is called.
    pub fn value(name: Text, names: Vec<Option<Arc<str>>>) -> Self {
        Site {
            name,
            names,
            candidates: Vec::new(),
            base: 0,
            path: 0,
        }
    }

    /// Whether the library has no such function at all.
    pub fn is_empty(&self) -> bool {
        named(&self.name).is_empty()
    }

    /// The first function that takes these arguments; `None` if none does.
    #[inline]
    pub fn choose(&self, arguments: &[Value]) -> Option<&Candidate> {
        self.candidates.iter().find(|one| one.takes(arguments))
    }

    /// Why no function takes these arguments.
    #[cold]
    pub fn refuse(&self, arguments: &[Value]) -> Raise {
        let name = self.name.as_str();
        for one in &self.candidates {
            for (place, param) in one.places.iter().zip(one.function.params) {
                let Place::Argument(at) = place else { continue };
                let Some(value) = arguments.get(*at as usize) else {
                    continue;
                };
                if matches!(value, Value::Secret(_)) && !takes(param.ty, value) {
                    return Raise::new(
                        kinds::SECRET_LEAK,
                        format!("`{}` of `{name}` is not for secrets", param.name),
                    );
                }
            }
        }
        let given: Vec<String> = arguments.iter().map(Value::with_article).collect();
        let given = match &*given {
            [] => "nothing".to_owned(),
            given => given.join(", "),
        };
        match self.candidates.is_empty() {
            true => Raise::new(
                kinds::WRONG_ARGUMENTS,
                format!("`{name}` does not take these arguments: {given}"),
            ),
            false => Raise::new(kinds::WRONG_TYPE, format!("`{name}` does not take {given}")),
        }
    }
}

impl Candidate {
    fn takes(&self, arguments: &[Value]) -> bool {
        if self.straight {
            let mut pairs = self.function.params.iter().zip(arguments);
            return pairs.all(|(param, value)| takes(param.ty, value));
        }
        let mut pairs = self.places.iter().zip(self.function.params);
        pairs.all(|(place, param)| match place {
            Place::Argument(at) => arguments
                .get(*at as usize)
                .is_some_and(|value| takes(param.ty, value)),
            Place::Default(_) => true,
            Place::Rest(all) => all.iter().all(|at| {
                let value = arguments.get(*at as usize);
                value.is_some_and(|value| takes(param.ty, value))
            }),
        })
    }

    /// Puts each argument where its parameter is, with what was left out.
    ///
    /// # Errors
    /// What is left nests too deep.
    pub fn arrange(&self, arguments: &[Value]) -> Result<Vec<Value>, Raise> {
        let value = |at: &u32| arguments.get(*at as usize).cloned().unwrap_or(Value::Null);
        let mut all = Vec::with_capacity(self.places.len());
        for place in &self.places {
            all.push(match place {
                Place::Argument(at) => value(at),
                Place::Default(default) => match default {
                    Default::Null => Value::Null,
                    Default::Int(int) => Value::Int(*int),
                    Default::Text(text) => Value::from(*text),
                    Default::Record => Map::with_capacity(0).into(),
                },
                Place::Rest(rest) => List::new(rest.iter().map(value).collect())?.into(),
            });
        }
        Ok(all)
    }

    /// Makes whole numbers floats where floats are declared.
    #[inline]
    pub fn widen(&self, arguments: &mut [Value]) {
        for (param, value) in self.function.params.iter().zip(arguments) {
            if let Value::Int(int) = value {
                let float = match param.ty {
                    Ty::Float => true,
                    Ty::Option(inner) => **inner == Ty::Float,
                    _ => false,
                };
                if float {
                    *value = Value::Float(*int as f64);
                }
            }
        }
    }
}

fn candidate(function: &'static Function, names: &[Option<Arc<str>>]) -> Option<Candidate> {
    let mut places: Vec<Option<Place>> = vec![None; function.params.len()];
    let mut rest = Vec::new();
    // Those with names are put first, the others fill what is left.
    for (at, name) in names.iter().enumerate() {
        let Some(name) = name else { continue };
        let param = function
            .params
            .iter()
            .position(|param| param.name == &**name)?;
        let place = places.get_mut(param)?;
        if place.is_some() || function.params.get(param)?.rest {
            return None;
        }
        *place = Some(Place::Argument(at as u32));
    }
    for (at, _) in names.iter().enumerate().filter(|(_, name)| name.is_none()) {
        let mut params = places.iter().zip(function.params);
        match params.position(|(place, param)| place.is_none() && !param.rest) {
            Some(free) => *places.get_mut(free)? = Some(Place::Argument(at as u32)),
            None if function.params.last().is_some_and(|last| last.rest) => rest.push(at as u32),
            None => return None,
        }
    }
    let places: Option<Vec<Place>> = places
        .into_iter()
        .zip(function.params)
        .map(|(place, param)| match (place, param.rest) {
            (_, true) => Some(Place::Rest(rest.clone())),
            (Some(place), false) => Some(place),
            (None, false) => param.default.map(Place::Default),
        })
        .collect();
    let places = places?;
    let straight = places.len() == names.len()
        && (0_u32..)
            .zip(&places)
            .all(|(at, place)| *place == Place::Argument(at));
    Some(Candidate {
        function,
        places,
        straight,
    })
}

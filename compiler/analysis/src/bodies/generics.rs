//! The type parameters of the standard library: what a call makes of them.

use std::sync::Arc;

use super::relate::{bounded, join};
use crate::ty::{FunctionTy, RecordTy, Ty};

/// What the type parameters of one call stand for.
#[derive(Clone, Debug, Default)]
pub(super) struct Bindings(Vec<(Arc<str>, Ty)>);

impl Bindings {
    pub(super) fn get(&self, name: &str) -> Option<&Ty> {
        let found = self.0.iter().find(|(known, _)| **known == *name);
        found.map(|(_, ty)| ty)
    }

    fn add(&mut self, name: &Arc<str>, ty: &Ty) {
        match self.0.iter_mut().find(|(known, _)| known == name) {
            Some((_, known)) => {
                *known = bounded(join(std::mem::replace(known, Ty::Any), ty.clone()));
            }
            None => self.0.push((name.clone(), ty.clone())),
        }
    }

    /// Learns from an argument of this type what the parameters in the
    /// declared one are. An argument that does not fit teaches nothing.
    pub(super) fn learn(&mut self, declared: &Ty, given: &Ty) {
        match (declared, given) {
            (_, Ty::Never) => {}
            (Ty::Parameter(name), given) => self.add(name, given),
            (Ty::Array(declared), Ty::Array(given))
            | (Ty::Set(declared), Ty::Set(given))
            | (Ty::Option(declared), Ty::Option(given))
            | (Ty::Secret(declared), Ty::Secret(given)) => self.learn(declared, given),
            (Ty::Map(key, value), Ty::Map(given_key, given_value)) => {
                self.learn(key, given_key);
                self.learn(value, given_value);
            }
            (Ty::Map(key, value), Ty::Record(given)) => {
                self.learn(key, &Ty::String);
                self.learn(value, &values(given));
            }
            (Ty::Result(value, error), Ty::Result(given, given_error)) => {
                self.learn(value, given);
                self.learn(error, given_error);
            }
            (Ty::Function(declared), Ty::Function(given)) => {
                self.learn(&declared.result, &given.result);
            }
            (declared, Ty::Option(given) | Ty::Result(given, _)) => self.learn(declared, given),
            (Ty::Option(declared) | Ty::Result(declared, _), given) if *given != Ty::Null => {
                self.learn(declared, given);
            }
            _ => {}
        }
    }

    /// The declared type with its parameters filled in: `Any` where nothing is
    /// known.
    pub(super) fn fill(&self, declared: &Ty) -> Ty {
        bounded(self.filled(declared))
    }

    fn filled(&self, declared: &Ty) -> Ty {
        let inner = |ty: &Arc<Ty>| Arc::new(self.filled(ty));
        match declared {
            Ty::Parameter(name) => self.get(name).cloned().unwrap_or(Ty::Any),
            Ty::Array(element) => Ty::Array(inner(element)),
            Ty::Set(element) => Ty::Set(inner(element)),
            Ty::Secret(content) => Ty::Secret(inner(content)),
            Ty::Option(content) => super::relate::option(self.filled(content)),
            Ty::Map(key, value) => Ty::Map(inner(key), inner(value)),
            Ty::Result(value, error) => Ty::Result(inner(value), inner(error)),
            Ty::Function(function) => Ty::Function(Arc::new(FunctionTy {
                params: function
                    .params
                    .iter()
                    .map(|param| self.filled(param))
                    .collect(),
                result: self.filled(&function.result),
            })),
            other => other.clone(),
        }
    }
}

fn values(record: &RecordTy) -> Ty {
    if record.open {
        return Ty::Any;
    }
    let mut all = Ty::Never;
    for (_, ty) in &record.fields {
        all = join(all, ty.clone());
    }
    bounded(all)
}

/// Whether a type parameter stands in a declared type.
pub(super) fn mentions(declared: &Ty, name: &str) -> bool {
    match declared {
        Ty::Parameter(known) => **known == *name,
        Ty::Array(inner) | Ty::Set(inner) | Ty::Secret(inner) | Ty::Option(inner) => {
            mentions(inner, name)
        }
        Ty::Map(one, two) | Ty::Result(one, two) => mentions(one, name) || mentions(two, name),
        Ty::Function(function) => {
            function.params.iter().any(|param| mentions(param, name))
                || mentions(&function.result, name)
        }
        _ => false,
    }
}

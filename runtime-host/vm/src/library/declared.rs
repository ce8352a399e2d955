//! The types of the table: a function as it is declared.

use super::Native;

/// A function of the standard library: one of those that have its name.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Function {
    /// Its name.
    pub name: &'static str,
    /// What does it. Another name of a function has that of the function.
    pub native: Native,
    /// What it takes. One that takes all that is left stands last.
    pub params: &'static [Param],
    /// What it gives.
    pub result: &'static Ty,
    /// It is a method too: its first parameter is `self`.
    pub method: bool,
    /// It may be read without parentheses: `list.length`.
    pub property: bool,
    /// It changes the place on its left.
    pub updates: bool,
    /// What it does besides giving a value.
    pub does: Does,
}

/// What a function does besides giving a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Does {
    /// Nothing: with the same arguments it gives the same. It may call the
    /// lambdas that it is given, which may do anything.
    Value,
    /// Its results are journalled. No policy is asked about it.
    Journalled,
    /// It is an effect of this name. In braces stands the parameter whose value
    /// is a part of the name, `delegate::{agent}`, or the field of each element
    /// of one, `delegate::{tasks.agent}`.
    Effect(&'static str),
}

/// A parameter.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Param {
    /// Its name.
    pub name: &'static str,
    /// Its type; of one that takes all that is left, the type of each.
    pub ty: &'static Ty,
    /// What it has if it is left out; `None` if it may not be.
    pub default: Option<Default>,
    /// It takes all positional arguments that are left.
    pub rest: bool,
    /// It may be given a Secret, or what holds one, though its type does not
    /// say so.
    pub may_hold_secrets: bool,
}

/// What a parameter has that is left out.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Default {
    /// `null`.
    Null,
    /// A whole number.
    Int(i64),
    /// A text.
    Text(&'static str),
    /// `{}`.
    Record,
}

/// A type as it is declared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Ty {
    /// `Any`.
    Any,
    /// The type of `null`.
    Null,
    /// The type of what always raises.
    Never,
    /// `String`.
    String,
    /// `int`.
    Int,
    /// `float`.
    Float,
    /// `bool`.
    Bool,
    /// `Duration`.
    Duration,
    /// `Size`.
    Size,
    /// `Time`.
    Time,
    /// `JSON`.
    Json,
    /// `Error`.
    Error,
    /// `Secret<T>`.
    Secret(&'static Ty),
    /// `Array<T>`.
    Array(&'static Ty),
    /// `Map<K, V>`.
    Map(&'static Ty, &'static Ty),
    /// `Set<T>`.
    Set(&'static Ty),
    /// `Option<T>`, `T?`.
    Option(&'static Ty),
    /// `(A, B) -> C`.
    Function {
        /// What it takes.
        params: &'static [&'static Ty],
        /// What it gives.
        result: &'static Ty,
    },
    /// A type parameter of the declaration.
    Param(&'static str),
}

impl Param {
    /// A parameter that has to be given.
    pub(super) const fn of(name: &'static str, ty: &'static Ty) -> Self {
        Self {
            name,
            ty,
            default: None,
            rest: false,
            may_hold_secrets: false,
        }
    }

    /// One that takes all that is left.
    pub(super) const fn rest(name: &'static str, ty: &'static Ty) -> Self {
        Self {
            rest: true,
            ..Self::of(name, ty)
        }
    }

    /// It may be left out.
    pub(super) const fn or(mut self, default: Default) -> Self {
        self.default = Some(default);
        self
    }

    /// It may be given what holds a Secret.
    pub(super) const fn holding_secrets(mut self) -> Self {
        self.may_hold_secrets = true;
        self
    }
}

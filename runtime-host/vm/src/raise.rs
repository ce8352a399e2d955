//! What a program may raise, and what ends it.

use std::fmt;

use crate::value::Value;

/// The kinds of errors that the language and its library raise. A program may
/// raise others of its own.
pub mod kinds {
    /// `error(…)` without a kind.
    pub const ERROR: &str = "error";
    /// A whole number, duration, size or instant that does not fit.
    pub const OVERFLOW: &str = "overflow";
    /// A division by zero.
    pub const DIVISION_BY_ZERO: &str = "division_by_zero";
    /// A value of a type that makes no sense here.
    pub const WRONG_TYPE: &str = "wrong_type";
    /// Arguments that what is called does not take.
    pub const WRONG_ARGUMENTS: &str = "wrong_arguments";
    /// A value of the right type that makes no sense here.
    pub const INVALID_VALUE: &str = "invalid_value";
    /// A place that is not there, or a number out of its bounds.
    pub const OUT_OF_RANGE: &str = "out_of_range";
    /// A field that is not there.
    pub const MISSING_FIELD: &str = "missing_field";
    /// A method that is not there.
    pub const NO_METHOD: &str = "no_method";
    /// No arm of a `match` fits.
    pub const NO_MATCH: &str = "no_match";
    /// A name without a value.
    pub const UNBOUND_NAME: &str = "unbound_name";
    /// Secrets and functions cannot be compared.
    pub const NOT_COMPARABLE: &str = "not_comparable";
    /// A secret would leave its place.
    pub const SECRET_LEAK: &str = "secret_leak";
    /// Values or calls nest too deep.
    pub const TOO_DEEP: &str = "too_deep";
    /// The gate refused an effect.
    pub const DENIED: &str = "denied";
    /// Nobody carries out an effect.
    pub const NO_PROVIDER: &str = "no_provider";
    /// What was asked for is not there.
    pub const NOT_FOUND: &str = "not_found";
    /// It took too long.
    pub const TIMEOUT: &str = "timeout";

    /// Whether `catch (WANTED e)` takes an error of a kind. Public programs
    /// write some kinds as types.
    pub fn catches(wanted: &str, kind: &str) -> bool {
        wanted == kind
            || matches!(
                (wanted, kind),
                ("NotFound", NOT_FOUND) | ("Timeout", TIMEOUT)
            )
    }
}

/// An error that is raised: `try` can catch it. What it lacks to be an error of
/// the program, its place, the machine adds.
#[derive(Clone, Debug)]
pub struct Raise {
    /// One of [`kinds`], or the program's own.
    pub kind: std::borrow::Cow<'static, str>,
    /// What it says: a sentence without a capital at its start and a full stop
    /// at its end.
    pub message: String,
    /// More about it.
    pub details: Option<Value>,
    /// What `Err(…)` was given.
    pub given: Option<Value>,
}

impl Raise {
    /// An error of a kind.
    pub fn new(kind: &'static str, message: impl Into<String>) -> Self {
        Raise {
            kind: kind.into(),
            message: message.into(),
            details: None,
            given: None,
        }
    }

    /// The same with details.
    #[must_use]
    pub fn with(mut self, details: Value) -> Self {
        self.details = Some(details);
        self
    }
}

impl fmt::Display for Raise {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.kind, self.message)
    }
}

/// Why an instruction or a function of the library does not give a value.
#[derive(Clone, Debug)]
pub enum Failure {
    /// It raises.
    Raise(Box<Raise>),
    /// There is not enough memory, unless some was given back: the machine
    /// counts what is in use, and tries once more.
    Memory,
    /// There is no fuel left.
    Fuel,
}

impl From<Raise> for Failure {
    fn from(raise: Raise) -> Self {
        Failure::Raise(Box::new(raise))
    }
}

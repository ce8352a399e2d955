//! Types, as the host needs them to check what comes from outside.

use std::sync::Arc;

use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use symbi_policy::nesting::Level;

/// A type (language.md section 2.5). Aliases are expanded.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(remote = "Self", rename_all = "snake_case")]
#[schemars(rename_all = "snake_case")]
pub enum Type {
    /// Anything.
    Any,
    /// `null`.
    Null,
    /// A text.
    String,
    /// A whole number.
    Int,
    /// A number.
    Float,
    /// `true` or `false`.
    Bool,
    /// A length of time.
    Duration,
    /// An amount of memory.
    Size,
    /// An instant.
    Time,
    /// Any value that JSON has.
    Json,
    /// What `catch` binds.
    Error,
    /// A value that is never shown.
    Secret(Box<Type>),
    /// A list.
    Array(Box<Type>),
    /// Keys and values.
    Map(Box<Type>, Box<Type>),
    /// Values without order, each once.
    Set(Box<Type>),
    /// The value or `null`.
    Option(Box<Type>),
    /// The value or an error.
    Result(Box<Type>, Box<Type>),
    /// A function.
    Function {
        /// What it takes.
        params: Vec<Type>,
        /// What it gives.
        result: Box<Type>,
    },
    /// A record of these fields.
    Record {
        /// In order.
        fields: Vec<Field>,
        /// It may have others.
        open: bool,
    },
    /// A struct that the file declares.
    Struct {
        /// The agent that declares it; `None` at the top level of the file.
        agent: Option<Arc<str>>,
        /// Its name.
        name: Arc<str>,
    },
    /// A type that nothing declares: anything fits.
    Opaque(Arc<str>),
}

/// A field of a record.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Field {
    /// Its name.
    pub name: Arc<str>,
    /// Its type.
    pub ty: Type,
}

impl Type {
    /// It as the language writes it.
    pub fn to_text(&self) -> String {
        crate::print::types::ty(self)
    }
}

// `remote` gives the two functions that these call, so that each level can be
// counted before it is read.
impl Serialize for Type {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        Type::serialize(self, serializer)
    }
}

impl<'de> Deserialize<'de> for Type {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let _level = Level::enter()?;
        Type::deserialize(deserializer)
    }
}

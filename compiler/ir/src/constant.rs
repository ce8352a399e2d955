//! Values that are written out in blocks.

use std::sync::Arc;

use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use symbi_policy::nesting::Level;

/// A value that is written out.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(remote = "Self", rename_all = "snake_case")]
#[schemars(rename_all = "snake_case")]
pub enum Constant {
    /// `null`.
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// A whole number.
    Int(i64),
    /// Any other number.
    Float(f64),
    /// A text.
    Text(Arc<str>),
    /// A length of time, in nanoseconds.
    Duration(i64),
    /// An amount of memory, in bytes.
    Size(i64),
    /// A name or a dotted name.
    Name(Arc<str>),
    /// A reference to a secret: `vault://path` or `env://NAME`.
    Secret(Arc<str>),
    /// A list.
    List(Vec<Constant>),
    /// A record, in the order in which it is written.
    Record(Vec<(Arc<str>, Constant)>),
}

// `remote` gives the two functions that these call, so that each level can be
// counted before it is read.
impl Serialize for Constant {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        Constant::serialize(self, serializer)
    }
}

impl<'de> Deserialize<'de> for Constant {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let _level = Level::enter()?;
        Constant::deserialize(deserializer)
    }
}

//! What is asked about: one effect, with the facts that the host knows.

use std::borrow::Cow;

use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::guard::Record as Shape;
use crate::value::{Record, Value};

/// What kind of effect it is: groups and some patterns match by kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// A call of a tool of the project.
    Tool,
    /// An action that neither the project nor the standard library declares.
    Action,
    /// A task for another agent, `delegate::NAME`.
    Delegate,
    /// The start of a managed command-line agent.
    Driver,
    /// An effect of the standard library, by its number there, below
    /// [`Kind::BUILTINS`].
    Builtin(u8),
    /// Answering, or ending the run. No rule of a file is asked about it.
    Answer,
}

impl Kind {
    /// How many effects of the standard library there may be.
    pub const BUILTINS: u8 = 56;
}

/// Some of the kinds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Kinds(u64);

/// Written as a list of kinds, in their order.
impl Serialize for Kinds {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.kinds().collect::<Vec<Kind>>())
    }
}

impl<'de> Deserialize<'de> for Kinds {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(Kinds::of(Vec::<Kind>::deserialize(deserializer)?))
    }
}

impl JsonSchema for Kinds {
    fn schema_name() -> Cow<'static, str> {
        "Kinds".into()
    }

    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        Vec::<Kind>::json_schema(generator)
    }
}

impl Kinds {
    /// No kind.
    pub const NONE: Kinds = Kinds(0);

    /// These kinds.
    pub fn of(kinds: impl IntoIterator<Item = Kind>) -> Self {
        Kinds(kinds.into_iter().fold(0, |bits, kind| bits | bit(kind)))
    }

    /// Whether a kind is among them.
    pub fn has(self, kind: Kind) -> bool {
        self.0 & bit(kind) != 0
    }

    /// Whether there is none.
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The kinds of either.
    #[must_use]
    pub fn and(self, other: Kinds) -> Self {
        Kinds(self.0 | other.0)
    }

    /// The kinds, in their order.
    pub fn kinds(self) -> impl Iterator<Item = Kind> {
        self.each().filter_map(kind_at)
    }

    /// All of them, in order.
    pub(crate) fn each(self) -> impl Iterator<Item = usize> {
        (0..64).filter(move |at| self.0 & (1 << at) != 0)
    }
}

/// The place of a kind in a table of all kinds.
pub(crate) fn slot(kind: Kind) -> usize {
    match kind {
        Kind::Answer => 0,
        Kind::Tool => 1,
        Kind::Action => 2,
        Kind::Delegate => 3,
        Kind::Driver => 4,
        // The rest of the 64 places; a number beyond is no effect of the
        // library, and no group has it.
        Kind::Builtin(number) if number < Kind::BUILTINS => 8 + usize::from(number),
        Kind::Builtin(_) => 5,
    }
}

/// The kind that has a place.
fn kind_at(slot: usize) -> Option<Kind> {
    Some(match slot {
        0 => Kind::Answer,
        1 => Kind::Tool,
        2 => Kind::Action,
        3 => Kind::Delegate,
        4 => Kind::Driver,
        8.. => Kind::Builtin(u8::try_from(slot - 8).ok()?),
        _ => return None,
    })
}

fn bit(kind: Kind) -> u64 {
    match slot(kind) {
        5 => 0,
        at => 1 << at,
    }
}

/// One effect that a run is about to have.
#[derive(Clone, Copy, Debug)]
pub struct Effect<'a> {
    /// Its name, which selectors name: `fetch`, `delegate::writer`.
    pub name: &'a str,
    /// Its kind.
    pub kind: Kind,
    /// Its arguments by name. Those of an external action that stand in no
    /// named place are `0`, `1`, ….
    pub arguments: &'a Record,
    /// The names of its parameters in the order in which they are declared;
    /// empty for an external action.
    pub params: &'a [Box<str>],
    /// The Cedar resource of a tool, such as `Files::home`.
    pub resource: Option<&'a str>,
    /// The version of a tool.
    pub version: Option<&'a str>,
    /// Whether the tool's schema has been verified.
    pub schema_verified: Option<bool>,
    /// Where a request over the network goes.
    pub network: Option<Network<'a>>,
    /// The input of a delegation, where it is no record of arguments.
    pub input: Option<&'a Value>,
    /// The tool asks for a person's approval each time.
    pub asks: bool,
}

/// Where a request over the network goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Network<'a> {
    /// The whole address.
    pub url: &'a str,
    /// Its host.
    pub host: &'a str,
    /// Whether this is an address of the machine or of a private network.
    pub internal: bool,
}

impl<'a> Effect<'a> {
    /// An effect of this name and kind with these arguments, and nothing else.
    pub fn new(name: &'a str, kind: Kind, arguments: &'a Record) -> Self {
        Effect {
            name,
            kind,
            arguments,
            params: &[],
            resource: None,
            version: None,
            schema_verified: None,
            network: None,
            input: None,
            asks: false,
        }
    }

    /// The argument at a place of a call pattern: of the parameter that is
    /// declared there or, for an effect without declared ones, of that number.
    pub(crate) fn at(&self, place: usize) -> Option<&'a Value> {
        match self.params.get(place) {
            Some(name) => self.arguments.get(name),
            None if self.params.is_empty() => {
                let mut digits = [0; 20];
                self.arguments.get(number(place, &mut digits))
            }
            None => None,
        }
    }

    /// The argument that a bare name of a call pattern binds: the one of that
    /// name, else the one at its place.
    pub(crate) fn bound(&self, name: &str, place: usize) -> Option<&'a Value> {
        self.arguments
            .get(name)
            .or_else(|| match self.is_param(name) {
                true => None,
                false => self.at(place),
            })
    }

    /// A parameter of this name is declared, whether it was given or not.
    fn is_param(&self, name: &str) -> bool {
        self.params.iter().any(|param| **param == *name)
    }

    /// A field of the record that patterns such as `invoke_tool(t)` bind.
    pub(crate) fn field(&self, shape: Shape, name: &str) -> Field<'a> {
        let text = |text: Option<&'a str>| text.map_or(Field::Missing, Field::Text);
        match (shape, name) {
            (Shape::Tool, "name") => Field::Text(self.name),
            (Shape::Tool, "arguments") => Field::Arguments,
            (Shape::Tool, "version") => text(self.version),
            (Shape::Tool, "schema_verified") => {
                self.schema_verified.map_or(Field::Missing, Field::Bool)
            }
            (Shape::Delegate, "name") => {
                Field::Text(self.name.strip_prefix("delegate::").unwrap_or(self.name))
            }
            (Shape::Delegate, "input") => match self.input {
                Some(input) => Field::Value(input),
                None => Field::Arguments,
            },
            (Shape::Network, "url") => text(self.network.map(|network| network.url)),
            (Shape::Network, "host") => text(self.network.map(|network| network.host)),
            (Shape::Network, "internal") => {
                let internal = self.network.map(|network| network.internal);
                internal.map_or(Field::Missing, Field::Bool)
            }
            _ => Field::Missing,
        }
    }
}

/// What a field of such a record holds.
pub(crate) enum Field<'a> {
    /// Nothing, or there is no such field.
    Missing,
    Text(&'a str),
    Bool(bool),
    Value(&'a Value),
    /// The record of the arguments.
    Arguments,
}

/// A number in digits, without an allocation.
fn number(mut value: usize, digits: &mut [u8; 20]) -> &str {
    let mut at = digits.len();
    loop {
        at -= 1;
        digits[at] = b'0' + (value % 10) as u8;
        value /= 10;
        if value == 0 {
            break;
        }
    }
    std::str::from_utf8(&digits[at..]).unwrap_or("")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_are_sets() {
        let some = Kinds::of([Kind::Tool, Kind::Builtin(0), Kind::Builtin(55)]);
        assert!(some.has(Kind::Tool) && some.has(Kind::Builtin(0)) && some.has(Kind::Builtin(55)));
        assert!(!some.has(Kind::Action) && !some.has(Kind::Builtin(1)));
        assert!(Kinds::of([Kind::Builtin(Kind::BUILTINS)]).is_empty());
        assert!(!some.has(Kind::Builtin(200)));
    }

    #[test]
    fn places_count_in_the_order_that_is_declared() {
        let arguments: Record = [("dst", "etc"), ("src", "x")]
            .map(|(name, text)| (name, Value::from(text)))
            .into_iter()
            .collect();
        let params: [Box<str>; 3] = ["src".into(), "dst".into(), "mode".into()];
        let effect = Effect {
            params: &params,
            ..Effect::new("move", Kind::Tool, &arguments)
        };
        assert_eq!(effect.at(0), Some(&Value::from("x")));
        assert_eq!(effect.at(1), Some(&Value::from("etc")));
        assert_eq!(effect.at(2), None);
        assert_eq!(effect.bound("dst", 0), Some(&Value::from("etc")));
        assert_eq!(effect.bound("anything", 0), Some(&Value::from("x")));
        // Declared and not given is missing, and not what stands at its place.
        assert_eq!(effect.bound("mode", 0), None);
    }

    #[test]
    fn an_external_action_has_numbers_for_names() {
        let arguments: Record = (0..12)
            .map(|at: i64| (at.to_string(), Value::Int(at)))
            .collect();
        let effect = Effect::new("Mail::post", Kind::Action, &arguments);
        assert_eq!(effect.at(11), Some(&Value::Int(11)));
        assert_eq!(effect.at(12), None);
    }
}

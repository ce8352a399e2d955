//! Rules as data: what policies, capabilities and constraints say about one
//! agent.

use std::sync::Arc;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::effect::{Effect, Kind, Kinds};
use crate::guard::{Guard, Record};
use crate::value::Value;

/// All that restricts one agent on one route.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Policies {
    /// Its capabilities, if they are a ceiling.
    pub ceiling: Option<Ceiling>,
    /// The policies that govern it, and its constraints, each by itself.
    pub blocks: Vec<Block>,
}

/// A list of capabilities that denies what none of its entries covers.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Ceiling {
    /// What is covered.
    pub entries: Vec<Capability>,
    /// Kinds that no ceiling hides: the tools that watch a program.
    pub exempt: Kinds,
    /// The agent's own managed driver, whose start is not hidden either.
    pub driver: Option<Arc<str>>,
}

/// An entry of a list of capabilities.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "snake_case")]
pub struct Capability {
    /// The effect of this name.
    pub name: Arc<str>,
    /// It is written `tool "x"`: a tool of this name only.
    pub tool: bool,
    /// The kinds of the group of this name.
    pub kinds: Kinds,
}

/// A policy, or several of one name in one scope.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Block {
    /// Its rules. Their order says nothing.
    pub rules: Vec<Rule>,
    /// What it requires.
    pub requirements: Vec<Requirement>,
}

/// `allow` or `deny`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Verb {
    /// `allow`.
    Allow,
    /// `deny`.
    Deny,
}

/// A rule about one selector; a list of selectors is several rules.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "snake_case")]
pub struct Rule {
    /// What it does.
    pub verb: Verb,
    /// Which effects it is about.
    pub selector: Selector,
    /// When it holds.
    pub guard: Option<Guard>,
    /// Words stand behind it that nothing enforces: an allow never matches, a
    /// deny holds whatever its guard says.
    pub tail: bool,
}

/// Which effects are meant.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "snake_case")]
pub enum Selector {
    /// `true`.
    All,
    /// `false` and `[]`.
    None,
    /// A name, with or without a call pattern.
    Action(Action),
    /// Anything else: nothing in an allow, everything in a deny.
    Other,
}

/// Effects by name or by kind, perhaps with certain arguments.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "snake_case")]
pub struct Action {
    /// The name that an effect has.
    pub name: Arc<str>,
    /// The kinds of the group or of the pattern of this name.
    pub kinds: Kinds,
    /// The record that a pattern over many effects compares with.
    pub record: Option<Record>,
    /// What the arguments have to be.
    pub tests: Vec<Test>,
}

/// What an argument has to be.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "snake_case")]
pub struct Test {
    /// Which argument.
    pub argument: Argument,
    /// What it is compared with.
    pub wanted: Wanted,
}

/// Which argument of a call a test is about.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "snake_case")]
pub enum Argument {
    /// The one at a place.
    At(usize),
    /// The one of a name.
    Named(Arc<str>),
}

/// What an argument is compared with.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "snake_case")]
pub enum Wanted {
    /// An equal value.
    Value(Value),
    /// `A::b`: a text, or the Cedar resource of the tool.
    Path(Arc<str>),
}

/// What has to hold besides a grant.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "snake_case")]
pub struct Requirement {
    /// For which effects; none for all.
    pub selectors: Vec<Selector>,
    /// When it applies.
    pub condition: Option<Guard>,
    /// What it demands.
    pub demand: Demand,
}

/// What a requirement demands.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "snake_case")]
pub enum Demand {
    /// That this holds.
    Guard(Guard),
    /// That a person agrees.
    Approval,
    /// An obligation of `stdlib/obligations.symbi` with its value.
    Obligation(Arc<str>, Value),
}

impl Block {
    /// Leaves the parameters in guards that an agent has. Another one is a name
    /// that nothing binds, which no guard can be decided with.
    pub fn keep_parameters(&mut self, is_param: &dyn Fn(&str) -> bool) {
        let rules = self.rules.iter_mut().map(|rule| &mut rule.guard);
        let requirements = self.requirements.iter_mut();
        let of_requirements = requirements.flat_map(|one| {
            let demanded = match &mut one.demand {
                Demand::Guard(guard) => Some(guard),
                _ => None,
            };
            one.condition.iter_mut().chain(demanded)
        });
        for guard in rules.flatten().chain(of_requirements) {
            guard.keep_parameters(is_param);
        }
    }
}

impl Action {
    /// Effects of this name, or of these kinds.
    pub fn new(name: impl Into<Arc<str>>, kinds: Kinds) -> Self {
        Action {
            name: name.into(),
            kinds,
            record: None,
            tests: Vec::new(),
        }
    }

    /// Whether a rule of this verb means an effect by it.
    pub fn matches(&self, verb: Verb, effect: &Effect<'_>) -> bool {
        (self.kinds.has(effect.kind) || *self.name == *effect.name) && self.fits(verb, effect)
    }

    /// Whether its arguments are as they have to be. What cannot be compared
    /// makes the pattern one of another shape: an allow matches nothing with
    /// it, a deny everything.
    pub(crate) fn fits(&self, verb: Verb, effect: &Effect<'_>) -> bool {
        self.tests.iter().all(|test| {
            let fits = match self.record {
                Some(record) => test.fits_record(record, effect),
                None => test.fits(effect),
            };
            fits.unwrap_or(verb == Verb::Deny)
        })
    }
}

impl Test {
    /// `None` if it cannot be told. A missing argument is equal to `null` alone.
    fn fits(&self, effect: &Effect<'_>) -> Option<bool> {
        let argument = match &self.argument {
            Argument::At(place) => effect.at(*place),
            Argument::Named(name) => effect.arguments.get(name),
        };
        match (&self.wanted, argument) {
            (Wanted::Value(wanted), Some(argument)) => wanted.is(argument),
            (Wanted::Value(wanted), None) => Some(matches!(wanted, Value::Null)),
            (Wanted::Path(path), argument) => {
                let argument = argument.is_some_and(|value| is_text(value, path));
                Some(argument || effect.resource == Some(&**path))
            }
        }
    }

    /// A literal in the place of a record is compared with what names it. Such
    /// a pattern has one argument: with another it is of no shape that is known.
    fn fits_record(&self, record: Record, effect: &Effect<'_>) -> Option<bool> {
        if self.argument != Argument::At(0) {
            return None;
        }
        let text = match &self.wanted {
            Wanted::Path(path) if effect.resource == Some(&**path) => return Some(true),
            Wanted::Path(text) | Wanted::Value(Value::String(text)) => text,
            // What names it is a text, and missing only without an address.
            Wanted::Value(wanted) => {
                let missing = record == Record::Network && effect.network.is_none();
                return Some(missing && matches!(wanted, Value::Null));
            }
        };
        let name = effect.name;
        Some(match record {
            Record::Tool => **text == *name,
            Record::Delegate => **text == *name.strip_prefix("delegate::").unwrap_or(name),
            Record::Network => effect
                .network
                .is_some_and(|network| **text == *network.url || **text == *network.host),
        })
    }
}

fn is_text(value: &Value, text: &str) -> bool {
    matches!(value, Value::String(own) if **own == *text)
}

impl Selector {
    /// Whether a rule of this verb is about an effect.
    pub fn matches(&self, verb: Verb, effect: &Effect<'_>) -> bool {
        match self {
            Selector::All => true,
            Selector::None => false,
            Selector::Other => verb == Verb::Deny,
            Selector::Action(action) => action.matches(verb, effect),
        }
    }
}

impl Ceiling {
    /// Whether an effect may be granted at all.
    pub fn covers(&self, effect: &Effect<'_>) -> bool {
        self.exempt.has(effect.kind)
            || (effect.kind == Kind::Driver && self.driver.as_deref() == Some(effect.name))
            || self.entries.iter().any(|entry| {
                let named = *entry.name == *effect.name;
                match entry.tool {
                    true => named && effect.kind == Kind::Tool,
                    false => named || entry.kinds.has(effect.kind),
                }
            })
    }
}

impl Block {
    /// Whether it has an allow, one of which must then match.
    pub fn allows(&self) -> bool {
        self.rules.iter().any(|rule| rule.verb == Verb::Allow)
    }
}

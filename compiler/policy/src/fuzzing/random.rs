//! Policies, effects and facts out of any bytes. Names and values come from
//! small sets, so that they meet.

use std::sync::Arc;

use symbi_mini::jiff::Timestamp;

use crate::{
    Action, Approval, Argument, Block, Capability, Cedar, Ceiling, Decider, Decision, Demand,
    Effect, Expr, Facts, Guard, Kind, Kinds, MAX_LEVELS, MAX_OPERAND, Network, Op, Policies,
    Predicate, Record, Requirement, Root, Rule, Selector, Shape, Test, Value, Verb, Wanted,
};

/// Choices out of bytes. Where they have ended, every choice is the first.
#[derive(Debug)]
pub struct Bytes<'d>(&'d [u8]);

impl<'d> Bytes<'d> {
    /// Choices out of these bytes.
    pub fn new(data: &'d [u8]) -> Self {
        Bytes(data)
    }

    /// A number below `end`, which is at most 256; 0 if there is none.
    pub fn below(&mut self, end: usize) -> usize {
        let Some((first, rest)) = self.0.split_first() else {
            return 0;
        };
        self.0 = rest;
        usize::from(*first).checked_rem(end).unwrap_or(0)
    }

    /// True once in so many, and never where the bytes have ended.
    fn one_in(&mut self, many: usize) -> bool {
        self.below(many) + 1 == many
    }

    fn pick<T: Clone>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())].clone()
    }

    fn some<T>(&mut self, most: usize, mut one: impl FnMut(&mut Self) -> T) -> Vec<T> {
        (0..self.below(most + 1)).map(|_| one(self)).collect()
    }
}

/// What is asked about, with all that it borrows.
#[derive(Clone, Debug)]
pub struct Question {
    /// What governs the agent.
    pub policies: Policies,
    /// The name of the effect.
    pub name: &'static str,
    /// Its kind.
    pub kind: Kind,
    /// The names of its parameters.
    pub params: Vec<Box<str>>,
    /// Its arguments.
    pub arguments: Record,
    /// Its Cedar resource, its version, and whether its schema is verified.
    pub tool: (Option<&'static str>, Option<&'static str>, Option<bool>),
    /// Where it goes.
    pub network: Option<Network<'static>>,
    /// The input of a delegation.
    pub input: Option<Value>,
    /// Whether the tool asks for approval.
    pub asks: bool,
    /// The record of the invocation.
    pub invocation: Value,
    /// The facts of the host.
    pub context: Value,
    /// The instant.
    pub now: Timestamp,
    /// The agent's parameters.
    pub parameters: Record,
    /// What Cedar says.
    pub cedar: Cedar,
    /// Whether a person was asked.
    pub approval: Approval,
    /// `--dev`.
    pub dev: bool,
}

impl Question {
    /// What these bytes ask.
    pub fn read(bytes: &mut Bytes<'_>) -> Self {
        let (name, kind, params) = bytes.pick(EFFECTS);
        let network = Network {
            url: "https://host/a",
            host: "host",
            internal: bytes.one_in(2),
        };
        Question {
            name,
            // Rarely one that an effect of its name has not.
            kind: match bytes.one_in(16) {
                true => bytes.pick(EFFECTS).1,
                false => kind,
            },
            params: params.iter().map(|param| (*param).into()).collect(),
            arguments: record(bytes, 1),
            tool: (
                bytes.pick(&[None, Some("Files::home")]),
                bytes.pick(&[None, Some("a")]),
                bytes.pick(&[None, Some(true), Some(false)]),
            ),
            network: bytes.one_in(2).then_some(network),
            input: bytes.one_in(3).then(|| value(bytes, 2)),
            asks: bytes.one_in(8),
            invocation: Value::Record(record(bytes, 1)),
            context: match bytes.one_in(16) {
                true => value(bytes, 1),
                false => Value::Record(record(bytes, 2)),
            },
            now: Timestamp::from_second(40_000 * bytes.below(20) as i64).unwrap_or_default(),
            parameters: record(bytes, 1),
            cedar: bytes.pick(CEDAR),
            approval: bytes.pick(&[Approval::Unasked, Approval::Given, Approval::Refused]),
            dev: bytes.one_in(4),
            policies: policies(bytes),
        }
    }

    /// Asks it.
    pub fn ask<T>(&self, ask: impl FnOnce(&Effect<'_>, &Facts<'_>) -> T) -> T {
        let (resource, version, schema_verified) = self.tool;
        let effect = Effect {
            name: self.name,
            kind: self.kind,
            arguments: &self.arguments,
            params: &self.params,
            resource,
            version,
            schema_verified,
            network: self.network,
            input: self.input.as_ref(),
            asks: self.asks,
        };
        let facts = Facts {
            principal: "a",
            invocation: &self.invocation,
            context: &self.context,
            now: self.now,
            parameters: &self.parameters,
            holds: &|_, name, _| name == "held",
            cedar: self.cedar,
            approval: self.approval,
            dev: self.dev,
        };
        ask(&effect, &facts)
    }

    /// The decision.
    pub fn decide(&self) -> Decision {
        let decider = Decider::new(self.policies.clone());
        self.ask(|effect, facts| decider.decide(effect, facts))
    }
}

const EFFECTS: &[(&str, Kind, &[&str])] = &[
    ("fetch", Kind::Tool, &["url", "n"]),
    ("move", Kind::Tool, &["src", "dst"]),
    ("Mail::post", Kind::Action, &[]),
    ("delegate::writer", Kind::Delegate, &["topic"]),
    ("claude_code", Kind::Driver, &["prompt"]),
    ("send", Kind::Builtin(0), &["to", "text"]),
    ("http_request", Kind::Builtin(1), &["url"]),
    ("agent_status", Kind::Builtin(2), &[]),
    ("later", Kind::Builtin(Kind::BUILTINS), &[]),
    ("respond", Kind::Answer, &[]),
];

const FIELDS: &[&str] = &[
    "a", "b", "url", "n", "src", "0", "name", "internal", "length",
];

const CEDAR: &[Cedar] = &[
    Cedar::Absent,
    Cedar::Absent,
    Cedar::Absent,
    Cedar::Permit { asks: false },
    Cedar::Permit { asks: true },
    Cedar::Forbid,
    Cedar::Silent,
    Cedar::Error,
];

const WORDS: &[&str] = &[
    "",
    "a",
    "ab",
    "A",
    " a ",
    "fetch",
    "writer",
    "host",
    "UTC",
    "Asia/Tokyo",
];

const INTS: &[i64] = &[0, 1, 2, -1, i64::MAX, i64::MIN, 9_007_199_254_740_993];

const FLOATS: &[f64] = &[
    1.0,
    0.0,
    1.5,
    -2.5,
    f64::NAN,
    9.3e18,
    9_007_199_254_740_992.0,
    // The first that no i64 has.
    9_223_372_036_854_775_808.0,
];

fn value(bytes: &mut Bytes<'_>, depth: usize) -> Value {
    let below = depth.saturating_sub(1);
    match bytes.below(if depth == 0 { 8 } else { 11 }) {
        0 => Value::Bool(true),
        1 => Value::Bool(bytes.one_in(2)),
        2 => Value::Int(bytes.pick(INTS)),
        3 => Value::Float(bytes.pick(FLOATS)),
        4 | 5 => Value::from(bytes.pick(WORDS)),
        6 => match bytes.below(8) {
            0 | 1 => Value::Size(bytes.pick(INTS)),
            2 | 3 => Value::Duration(bytes.pick(INTS)),
            4 => Value::Time(Timestamp::UNIX_EPOCH),
            // As much as an operand may have, and more.
            5 => Value::from(&*"k".repeat(MAX_OPERAND + bytes.below(2))),
            6 => (0..MAX_LEVELS + bytes.below(2))
                .fold(Value::Int(1), |value, _| Value::Array(vec![value])),
            _ => Value::from(&*"ŉ".repeat(MAX_OPERAND / 4)),
        },
        7 => Value::Null,
        8 | 9 => Value::Array(bytes.some(2, |bytes| value(bytes, below))),
        _ => Value::Record(record(bytes, below)),
    }
}

fn record(bytes: &mut Bytes<'_>, depth: usize) -> Record {
    let fields = bytes.some(4, |bytes| (bytes.pick(FIELDS), value(bytes, depth)));
    fields.into_iter().collect()
}

fn root(bytes: &mut Bytes<'_>) -> Root {
    match bytes.below(9) {
        0 | 1 => Root::Context,
        2 => Root::Principal,
        3 => Root::Invocation,
        4 => Root::Now,
        5 => Root::Parameter(bytes.pick(FIELDS).into()),
        6 => Root::Record(bytes.pick(&[Shape::Tool, Shape::Delegate, Shape::Network])),
        _ => Root::Argument(bytes.pick(FIELDS).into(), bytes.below(3)),
    }
}

const COMPARISONS: &[Op] = &[
    Op::Equal,
    Op::Unequal,
    Op::Less,
    Op::AtMost,
    Op::Greater,
    Op::AtLeast,
    Op::In,
    Op::NotIn,
];

const ARITHMETIC: &[Op] = &[
    Op::Add,
    Op::Subtract,
    Op::Multiply,
    Op::Divide,
    Op::Remainder,
];

fn binary(op: Op, one: Expr, two: Expr) -> Expr {
    Expr::Binary(op, Box::new(one), Box::new(two))
}

/// A part of any type.
fn part(bytes: &mut Bytes<'_>, depth: usize) -> Expr {
    const NAMES: &[&str] = &[
        "a",
        "b",
        "n",
        "name",
        "version",
        "arguments",
        "input",
        "url",
        "host",
        "internal",
        "length",
        "schema_verified",
    ];
    let below = depth.saturating_sub(1);
    match bytes.below(if depth == 0 { 6 } else { 11 }) {
        0 | 1 => Expr::Literal(value(bytes, 1)),
        2..=4 => {
            let root = root(bytes);
            let fields: Vec<Arc<str>> = bytes.some(2, |bytes| bytes.pick(NAMES).into());
            Expr::Path(root, fields.into())
        }
        5 if bytes.one_in(4) => Expr::Unknown,
        5 => Expr::Literal(Value::Bool(bytes.one_in(2))),
        6 => Expr::List(bytes.some(2, |bytes| part(bytes, below))),
        7 => match bytes.below(3) {
            0 => Expr::Field(Box::new(part(bytes, below)), bytes.pick(NAMES).into()),
            1 => Expr::Index(Box::new(part(bytes, below)), Box::new(part(bytes, below))),
            _ => Expr::Minus(Box::new(part(bytes, below))),
        },
        8 => {
            let (_, predicate) = bytes.pick(Predicate::NAMES);
            let mut parts = vec![match predicate {
                Predicate::Weekday | Predicate::Hour if !bytes.one_in(4) => {
                    Expr::Path(Root::Now, Box::default())
                }
                _ => part(bytes, below),
            }];
            parts.extend(bytes.some(1, |bytes| part(bytes, below)));
            Expr::Call(predicate, parts)
        }
        9 => {
            let op = bytes.pick(ARITHMETIC);
            binary(op, part(bytes, below), part(bytes, below))
        }
        _ => condition(bytes, below),
    }
}

/// Mostly a part that is true or false.
fn condition(bytes: &mut Bytes<'_>, depth: usize) -> Expr {
    let below = depth.saturating_sub(1);
    match bytes.below(if depth == 0 { 3 } else { 7 }) {
        0 => Expr::Literal(Value::Bool(bytes.one_in(2))),
        1 | 2 => {
            let op = bytes.pick(COMPARISONS);
            let one = part(bytes, below);
            let two = match bytes.one_in(4) {
                true => Expr::Literal(Value::Null),
                false => part(bytes, below),
            };
            binary(op, one, two)
        }
        3 | 4 => {
            let op = bytes.pick(&[Op::And, Op::Or]);
            binary(op, condition(bytes, below), condition(bytes, below))
        }
        5 => Expr::Not(Box::new(condition(bytes, below))),
        _ => part(bytes, below),
    }
}

/// A guard.
pub(super) fn guard(bytes: &mut Bytes<'_>) -> Guard {
    if bytes.one_in(40) {
        return Guard::beyond();
    }
    let depth = bytes.below(9).saturating_sub(4);
    Guard::new(condition(bytes, depth))
}

fn action(bytes: &mut Bytes<'_>) -> Action {
    let (name, kinds, record) = match bytes.below(10) {
        0 => (
            "network",
            Kinds::of([Kind::Builtin(0), Kind::Builtin(1)]),
            None,
        ),
        1 => (
            "execute",
            Kinds::of([Kind::Tool, Kind::Action, Kind::Driver]),
            None,
        ),
        2 => ("invoke_tool", Kinds::of([Kind::Tool]), Some(Shape::Tool)),
        3 => (
            "delegate",
            Kinds::of([Kind::Delegate]),
            Some(Shape::Delegate),
        ),
        4 => (
            "network_access",
            Kinds::of([Kind::Builtin(1)]),
            Some(Shape::Network),
        ),
        _ => (bytes.pick(EFFECTS).0, Kinds::NONE, None),
    };
    let mut action = Action::new(name, kinds);
    action.record = record;
    for _ in 0..bytes.below(5).saturating_sub(2) {
        let argument = match bytes.below(3) {
            2 => Argument::Named(bytes.pick(FIELDS).into()),
            _ => Argument::At(bytes.below(8) / 5),
        };
        let wanted = match bytes.below(4) {
            0 => Wanted::Value(Value::from(bytes.pick(WORDS))),
            1 => Wanted::Path("Files::home".into()),
            _ => Wanted::Value(value(bytes, 1)),
        };
        action.tests.push(Test { argument, wanted });
    }
    action
}

fn selector(bytes: &mut Bytes<'_>) -> Selector {
    match bytes.below(12) {
        0 | 1 => Selector::All,
        2 => Selector::None,
        3 if bytes.one_in(3) => Selector::Other,
        _ => Selector::Action(action(bytes)),
    }
}

/// A rule: more often an allow, since else nearly all is denied.
pub(super) fn rule(bytes: &mut Bytes<'_>) -> Rule {
    Rule {
        verb: bytes.pick(&[Verb::Allow, Verb::Allow, Verb::Deny]),
        selector: selector(bytes),
        guard: bytes.one_in(3).then(|| guard(bytes)),
        tail: bytes.one_in(6),
    }
}

/// A requirement.
pub(super) fn requirement(bytes: &mut Bytes<'_>) -> Requirement {
    Requirement {
        selectors: bytes.some(2, selector),
        condition: bytes.one_in(3).then(|| guard(bytes)),
        demand: match bytes.below(3) {
            0 => Demand::Approval,
            1 => Demand::Guard(guard(bytes)),
            _ => Demand::Obligation(bytes.pick(&["held", "broken"]).into(), Value::Bool(true)),
        },
    }
}

fn policies(bytes: &mut Bytes<'_>) -> Policies {
    let capability = |bytes: &mut Bytes<'_>| Capability {
        name: bytes.pick(EFFECTS).0.into(),
        tool: bytes.one_in(4),
        kinds: match bytes.one_in(3) {
            true => Kinds::of([Kind::Tool, Kind::Builtin(0)]),
            false => Kinds::NONE,
        },
    };
    let ceiling = bytes.one_in(4).then(|| Ceiling {
        entries: bytes.some(5, capability),
        exempt: Kinds::of([Kind::Builtin(2)]),
        driver: bytes.one_in(2).then(|| "claude_code".into()),
    });
    let blocks = bytes.some(3, |bytes| Block {
        rules: bytes.some(4, rule),
        requirements: match bytes.one_in(3) {
            true => bytes.some(2, requirement),
            false => Vec::new(),
        },
    });
    Policies { ceiling, blocks }
}

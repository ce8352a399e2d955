//! Policies, effects and facts from a seed. Names and values come from small
//! sets, so that they meet.

use std::sync::Arc;

use symbi_policy::{
    Action, Approval, Argument, Block, Capability, Cedar, Ceiling, Demand, Expr, Guard, Kind,
    Kinds, MAX_LEVELS, Op, Policies, Predicate, Record, Requirement, Root, Rule, Selector, Shape,
    Test, Value, Verb, Wanted,
};

/// Numbers that follow from a seed (xorshift).
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Self {
        Random(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    pub fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        ((self.0 >> 33) % end as u64) as usize
    }

    pub fn one_in(&mut self, chances: usize) -> bool {
        self.below(chances) == 0
    }

    fn pick<T: Clone>(&mut self, all: &[T]) -> T {
        all[self.below(all.len())].clone()
    }
}

/// Effects by their names, with their kinds and parameters.
pub const EFFECTS: &[(&str, Kind, &[&str])] = &[
    ("fetch", Kind::Tool, &["url", "n"]),
    ("move", Kind::Tool, &["src", "dst"]),
    ("Mail::post", Kind::Action, &[]),
    ("delegate::writer", Kind::Delegate, &["topic"]),
    ("claude_code", Kind::Driver, &["prompt"]),
    ("send", Kind::Builtin(0), &["to", "text"]),
    ("http_request", Kind::Builtin(1), &["url"]),
    ("agent_status", Kind::Builtin(2), &[]),
    ("respond", Kind::Answer, &[]),
];

const FIELDS: &[&str] = &[
    "a", "b", "url", "n", "src", "0", "name", "internal", "length",
];

pub fn value(random: &mut Random, depth: usize) -> Value {
    match random.below(if depth == 0 { 7 } else { 9 }) {
        0 => Value::Null,
        1 => Value::Bool(random.one_in(2)),
        2 => Value::Int(random.pick(&[-1, 0, 1, 2, i64::MIN, i64::MAX]) / 2),
        3 => Value::Float(random.pick(&[0.0, 1.0, 1.5, f64::NAN])),
        4 | 5 => Value::from(random.pick(&["", "a", "ab", "fetch", "x"])),
        6 if random.one_in(8) => {
            // One level too deep, or not.
            let levels = MAX_LEVELS + random.below(2);
            (0..levels).fold(Value::Int(1), |value, _| Value::Array(vec![value]))
        }
        6 => match random.below(2) {
            0 => Value::Size(1),
            _ => Value::Duration(1),
        },
        7 => Value::Array(
            (0..random.below(3))
                .map(|_| value(random, depth - 1))
                .collect(),
        ),
        _ => Value::Record(record(random, depth - 1)),
    }
}

pub fn record(random: &mut Random, depth: usize) -> Record {
    let fields = (0..random.below(5)).map(|_| (random.pick(FIELDS), value(random, depth)));
    fields.collect::<Vec<_>>().into_iter().collect()
}

fn root(random: &mut Random) -> Root {
    match random.below(8) {
        0 => Root::Principal,
        1 => Root::Invocation,
        2 => Root::Now,
        3 => Root::Parameter(random.pick(FIELDS).into()),
        4 => Root::Record(random.pick(&[Shape::Tool, Shape::Delegate, Shape::Network])),
        5 | 6 => Root::Argument(random.pick(FIELDS).into(), random.below(3)),
        _ => Root::Context,
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

fn part(random: &mut Random, depth: usize) -> Expr {
    let below = depth.saturating_sub(1);
    match random.below(if depth == 0 { 6 } else { 10 }) {
        0 | 1 => Expr::Literal(value(random, 1)),
        2..=4 => {
            let fields: Vec<Arc<str>> = (0..random.below(3))
                .map(|_| random.pick(FIELDS).into())
                .collect();
            Expr::Path(root(random), fields.into())
        }
        5 if random.one_in(4) => Expr::Unknown,
        5 => Expr::Literal(Value::Bool(random.one_in(2))),
        6 => Expr::List((0..random.below(3)).map(|_| part(random, below)).collect()),
        7 => match random.below(3) {
            0 => Expr::Field(Box::new(part(random, below)), random.pick(FIELDS).into()),
            1 => Expr::Index(Box::new(part(random, below)), Box::new(part(random, below))),
            _ => Expr::Minus(Box::new(part(random, below))),
        },
        8 => {
            // Zones and instants are tried by tables.
            let names = &Predicate::NAMES[..9];
            let arguments = 1 + random.below(2);
            let parts = (0..arguments).map(|_| part(random, below)).collect();
            Expr::Call(random.pick(names).1, parts)
        }
        _ => condition(random, below),
    }
}

pub fn condition(random: &mut Random, depth: usize) -> Expr {
    let below = depth.saturating_sub(1);
    match random.below(if depth == 0 { 3 } else { 7 }) {
        0 => Expr::Literal(Value::Bool(random.one_in(2))),
        1 | 2 => {
            let op = random.pick(COMPARISONS);
            Expr::Binary(
                op,
                Box::new(part(random, below)),
                Box::new(part(random, below)),
            )
        }
        3 | 4 => {
            let op = random.pick(&[Op::And, Op::Or]);
            let sides = (condition(random, below), condition(random, below));
            Expr::Binary(op, Box::new(sides.0), Box::new(sides.1))
        }
        5 => Expr::Not(Box::new(condition(random, below))),
        _ => part(random, below),
    }
}

pub fn guard(random: &mut Random) -> Guard {
    if random.one_in(40) {
        return Guard::beyond();
    }
    let depth = random.below(8).saturating_sub(4);
    Guard::new(condition(random, depth))
}

fn action(random: &mut Random) -> Action {
    let tool = Kinds::of([Kind::Tool]);
    let network = Kinds::of([Kind::Builtin(0), Kind::Builtin(1)]);
    let mut action = match random.below(8) {
        0 => Action::new("network", network),
        1 => Action::new(
            "execute",
            Kinds::of([Kind::Tool, Kind::Action, Kind::Driver]),
        ),
        2 => {
            let shape = random.pick(&[Shape::Tool, Shape::Delegate, Shape::Network]);
            let kinds = match shape {
                Shape::Tool => tool,
                Shape::Delegate => Kinds::of([Kind::Delegate]),
                Shape::Network => Kinds::of([Kind::Builtin(1)]),
            };
            let mut action = Action::new("pattern", kinds);
            action.record = Some(shape);
            action
        }
        _ => Action::new(random.pick(EFFECTS).0, Kinds::NONE),
    };
    for _ in 0..random.below(5).saturating_sub(2) {
        let argument = match random.below(3) {
            0 => Argument::Named(random.pick(FIELDS).into()),
            _ => Argument::At(random.below(2)),
        };
        let wanted = match random.below(4) {
            0 => Wanted::Path("Files::home".into()),
            1 => Wanted::Value(Value::from(random.pick(&["fetch", "writer", "host", "a"]))),
            _ => Wanted::Value(value(random, 1)),
        };
        action.tests.push(Test { argument, wanted });
    }
    action
}

pub fn selector(random: &mut Random) -> Selector {
    match random.below(12) {
        0 | 1 => Selector::All,
        2 => Selector::None,
        3 if random.one_in(3) => Selector::Other,
        _ => Selector::Action(action(random)),
    }
}

pub fn rule(random: &mut Random) -> Rule {
    Rule {
        verb: match random.one_in(3) {
            true => Verb::Deny,
            false => Verb::Allow,
        },
        selector: selector(random),
        guard: random.one_in(3).then(|| guard(random)),
        tail: random.one_in(6),
    }
}

pub fn requirement(random: &mut Random) -> Requirement {
    Requirement {
        selectors: (0..random.below(3)).map(|_| selector(random)).collect(),
        condition: random.one_in(3).then(|| guard(random)),
        demand: match random.below(3) {
            0 => Demand::Approval,
            1 => Demand::Guard(guard(random)),
            _ => Demand::Obligation(random.pick(&["held", "broken"]).into(), Value::Bool(true)),
        },
    }
}

pub fn policies(random: &mut Random) -> Policies {
    let capability = |random: &mut Random| Capability {
        name: random.pick(EFFECTS).0.into(),
        tool: random.one_in(4),
        kinds: match random.one_in(4) {
            true => Kinds::of([Kind::Tool, Kind::Builtin(0)]),
            false => Kinds::NONE,
        },
    };
    let ceiling = random.one_in(4).then(|| Ceiling {
        entries: (0..random.below(5)).map(|_| capability(random)).collect(),
        exempt: Kinds::of([Kind::Builtin(2)]),
        driver: random.one_in(2).then(|| "claude_code".into()),
    });
    let blocks = (0..random.below(4)).map(|_| Block {
        rules: (0..random.below(5)).map(|_| rule(random)).collect(),
        requirements: (0..random.below(6).saturating_sub(3))
            .map(|_| requirement(random))
            .collect(),
    });
    let blocks = blocks.collect();
    Policies { ceiling, blocks }
}

pub fn cedar(random: &mut Random) -> Cedar {
    match random.below(8) {
        0 => Cedar::Forbid,
        1 => Cedar::Silent,
        2 => Cedar::Error,
        3 | 4 => Cedar::Permit {
            asks: random.one_in(3),
        },
        _ => Cedar::Absent,
    }
}

pub fn approval(random: &mut Random) -> Approval {
    random.pick(&[Approval::Unasked, Approval::Given, Approval::Refused])
}

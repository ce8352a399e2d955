//! The facts that policies look at about one effect, and the values that make a
//! difference.

use std::collections::BTreeMap;
use std::sync::{Arc, LazyLock};

use crate::compare::opaque::FREE;
use crate::compare::{Candidate, Witness};
use crate::effect::Network;
use crate::guard::{Expr, Guard, Op, Record as Shape, Root};
use crate::rules::{Argument, Demand, Policies, Selector, Wanted};
use crate::value::{MAX_OPERAND, Record, Value};

/// Where a fact is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Place {
    Argument,
    Parameter,
    Context,
    Invocation,
    /// The address of a request over the network.
    Network,
}

/// A fact: where it is, its name, and fields behind it.
type Key = (Place, Vec<Arc<str>>);

/// What is asked of a fact.
#[derive(Clone, Debug, Default)]
struct Asked {
    /// What it is compared with.
    literals: Vec<Value>,
    /// Whether it is more or less than that.
    ordered: bool,
    /// Whether it is true.
    truth: bool,
    /// It is an argument that a call pattern asks for.
    pattern: bool,
}

/// Facts with the values that each of them may have.
pub(super) struct Variables {
    facts: Vec<(Key, Vec<Option<Value>>)>,
    obligations: Vec<(Arc<str>, Value)>,
}

/// Facts of which one is a field of another.
#[derive(Default)]
pub(super) struct Conflicts(Vec<Key>);

impl Conflicts {
    /// Those of two sets of policies.
    pub(super) fn of(old: &Policies, new: &Policies, candidate: &Candidate) -> Self {
        let mut asked = BTreeMap::new();
        ask(old, candidate.old(), &mut asked);
        ask(new, candidate, &mut asked);
        let keys: Vec<&Key> = asked.keys().collect();
        let within = |one: &Key, other: &Key| {
            one.0 == other.0 && one.1.len() != other.1.len() && {
                let shared = one.1.len().min(other.1.len());
                one.1.get(..shared) == other.1.get(..shared)
            }
        };
        let conflicting = keys
            .iter()
            .filter(|one| keys.iter().any(|other| within(one, other)));
        Conflicts(conflicting.map(|key| (*key).clone()).collect())
    }
}

impl Variables {
    /// Those of two sets of policies, and whether their values tell all that
    /// the policies can tell apart.
    pub(super) fn of(old: &Policies, new: &Policies, candidate: &Candidate) -> (Self, bool) {
        let mut asked: BTreeMap<Key, Asked> = BTreeMap::new();
        let mut obligations: Vec<(Arc<str>, Value)> = Vec::new();
        let conflicts = Conflicts::of(old, new, candidate);
        let mut is_complete = true;
        for (policies, candidate) in [(old, candidate.old()), (new, candidate)] {
            ask(policies, candidate, &mut asked);
            is_complete &= guards(policies).all(|guard| told(guard.expr(), candidate, &conflicts));
            let requirements = policies.blocks.iter().flat_map(|block| &block.requirements);
            for one in requirements {
                if let Demand::Obligation(name, value) = &one.demand {
                    let pair = (name.clone(), value.clone());
                    if !obligations.contains(&pair) {
                        obligations.push(pair);
                    }
                }
            }
        }
        let facts = asked.into_iter().map(|(key, asked)| {
            let values = values(&key, &asked);
            (key, values)
        });
        let variables = Variables {
            facts: facts.collect(),
            obligations,
        };
        (variables, is_complete)
    }

    /// How many combinations there are.
    pub(super) fn count(&self) -> usize {
        let facts = self.facts.iter().map(|(_, values)| values.len());
        let held = self.obligations.iter().map(|_| 2);
        facts.chain(held).fold(1, usize::saturating_mul)
    }

    /// Tries combinations, at most so many, until one is what is looked for.
    pub(super) fn each(&self, most: usize, mut is_found: impl FnMut(&Given) -> bool) {
        let held = self.obligations.len();
        let sizes: Vec<usize> = self.facts.iter().map(|(_, values)| values.len()).collect();
        let mut at = vec![0; sizes.len() + held];
        for _ in 0..most {
            if is_found(&self.given(&at)) {
                return;
            }
            // The next one: as a number whose digits have sizes of their own.
            let mut digit = 0;
            loop {
                let Some(place) = at.get_mut(digit) else {
                    return;
                };
                *place += 1;
                if *place < sizes.get(digit).copied().unwrap_or(2) {
                    break;
                }
                *place = 0;
                digit += 1;
            }
        }
    }

    fn given(&self, at: &[usize]) -> Given {
        let mut trees: BTreeMap<Place, Tree> = BTreeMap::new();
        let mut address = None;
        for ((key, values), at) in self.facts.iter().zip(at) {
            let Some(Some(value)) = values.get(*at) else {
                continue;
            };
            if key.0 == Place::Network {
                address = Some(value.clone());
                continue;
            }
            trees.entry(key.0).or_default().put(&key.1, value.clone());
        }
        let mut record = |place| trees.remove(&place).unwrap_or_default().record();
        let held = at.get(self.facts.len()..).unwrap_or_default();
        let obligations = self.obligations.iter().zip(held);
        Given {
            arguments: record(Place::Argument),
            parameters: record(Place::Parameter),
            context: Value::Record(record(Place::Context)),
            invocation: Value::Record(record(Place::Invocation)),
            address: address.and_then(|address| match &address {
                Value::String(text) => Some(text.clone()),
                _ => None,
            }),
            obligations: obligations
                .map(|((name, value), at)| (name.clone(), value.clone(), *at == 0))
                .collect(),
        }
    }
}

/// Facts, as a decision takes them.
pub(super) struct Given {
    arguments: Record,
    parameters: Record,
    context: Value,
    invocation: Value,
    address: Option<Arc<str>>,
    obligations: Vec<(Arc<str>, Value, bool)>,
}

impl Given {
    pub(super) fn arguments(&self) -> &Record {
        &self.arguments
    }

    pub(super) fn parameters(&self) -> &Record {
        &self.parameters
    }

    pub(super) fn context(&self) -> &Value {
        &self.context
    }

    pub(super) fn invocation(&self) -> &Value {
        &self.invocation
    }

    pub(super) fn network(&self) -> Option<Network<'_>> {
        let address = self.address.as_deref()?;
        Some(Network {
            url: address,
            host: address,
            internal: false,
        })
    }

    pub(super) fn holds(&self, name: &str, value: &Value) -> bool {
        let mut known = self.obligations.iter();
        known.any(|(own, wanted, holds)| **own == *name && wanted == value && *holds)
    }

    pub(super) fn witness(&self) -> Witness {
        let obligations = self.obligations.iter();
        Witness {
            arguments: self.arguments.clone(),
            parameters: self.parameters.clone(),
            context: match &self.context {
                Value::Record(context) => context.clone(),
                _ => Record::default(),
            },
            obligations: obligations
                .map(|(name, value, holds)| (name.to_string(), value.clone(), *holds))
                .collect(),
        }
    }
}

/// Fields, and fields of them.
#[derive(Default)]
struct Tree {
    value: Option<Value>,
    fields: BTreeMap<Arc<str>, Tree>,
}

impl Tree {
    fn put(&mut self, path: &[Arc<str>], value: Value) {
        match path {
            [] => self.value = Some(value),
            [first, rest @ ..] => {
                self.fields
                    .entry(first.clone())
                    .or_default()
                    .put(rest, value);
            }
        }
    }

    fn record(self) -> Record {
        Record::new(self.fields.into_iter().filter_map(|(name, tree)| {
            let value = match tree.fields.is_empty() {
                true => tree.value?,
                false => Value::Record(tree.record()),
            };
            Some((name, value))
        }))
    }
}

/// The guards of some policies.
fn guards(policies: &Policies) -> impl Iterator<Item = &Guard> {
    policies.blocks.iter().flat_map(|block| {
        let rules = block.rules.iter().filter_map(|rule| rule.guard.as_ref());
        let requirements = block.requirements.iter().flat_map(|one| {
            let demanded = match &one.demand {
                Demand::Guard(guard) => Some(guard),
                _ => None,
            };
            one.condition.iter().chain(demanded)
        });
        rules.chain(requirements).filter(|guard| guard.fits())
    })
}

/// Whether each part of a guard can be told by values of single facts.
fn told(expr: &Expr, candidate: &Candidate, conflicts: &Conflicts) -> bool {
    match expr {
        Expr::Binary(Op::And | Op::Or, one, two) => {
            told(one, candidate, conflicts) && told(two, candidate, conflicts)
        }
        Expr::Not(part) => told(part, candidate, conflicts),
        Expr::Unknown => true,
        part => is_simple(part, candidate, conflicts),
    }
}

/// Whether a part compares one fact with values that are written out, so that
/// the values next to those tell all that it can tell apart.
pub(super) fn is_simple(part: &Expr, candidate: &Candidate, conflicts: &Conflicts) -> bool {
    let is_fact = |expr: &Expr| match expr {
        Expr::Path(Root::Principal, fields) => fields.is_empty(),
        // Its name is known; what else it has is not a fact of its own.
        Expr::Path(Root::Record(Shape::Tool | Shape::Delegate), fields) => {
            matches!(&**fields, [only] if **only == *"name")
        }
        Expr::Path(Root::Now | Root::Record(Shape::Network), _) => false,
        Expr::Path(root, fields) => {
            let computed = fields.iter().any(|field| **field == *"length");
            let keys = keys(root, fields, candidate);
            // Of a name that is none of the parameters it depends how it was
            // called which argument is meant: two facts with the same values.
            !computed && !keys.is_empty() && keys.iter().all(|key| !conflicts.0.contains(key))
        }
        _ => false,
    };
    let is_list = |expr: &Expr| match expr {
        Expr::Literal(Value::Array(_)) => true,
        Expr::List(parts) => parts.iter().all(|part| matches!(part, Expr::Literal(_))),
        _ => false,
    };
    match part {
        Expr::Literal(_) => true,
        Expr::Binary(
            Op::Equal | Op::Unequal | Op::Less | Op::AtMost | Op::Greater | Op::AtLeast,
            one,
            two,
        ) => {
            (is_fact(one) && matches!(**two, Expr::Literal(_)))
                || (is_fact(two) && matches!(**one, Expr::Literal(_)))
        }
        // Of a text it would be asked for a part.
        Expr::Binary(Op::In | Op::NotIn, one, two) => is_fact(one) && is_list(two),
        path => is_fact(path),
    }
}

/// The facts that a path leads to.
fn keys(root: &Root, fields: &[Arc<str>], candidate: &Candidate) -> Vec<Key> {
    let key = |place, first: Option<Arc<str>>| {
        let path: Vec<Arc<str>> = first.into_iter().chain(fields.iter().cloned()).collect();
        (place, path)
    };
    match root {
        Root::Principal | Root::Now => Vec::new(),
        Root::Invocation => vec![key(Place::Invocation, None)],
        Root::Context => vec![key(Place::Context, None)],
        Root::Parameter(name) => vec![key(Place::Parameter, Some(name.clone()))],
        Root::Argument(name, place) => {
            let own = key(Place::Argument, Some(name.clone()));
            if candidate.params.iter().any(|param| **param == **name) {
                return vec![own];
            }
            let mut all = vec![own];
            all.extend(at(*place, candidate).map(|name| key(Place::Argument, Some(name))));
            all
        }
        Root::Record(Shape::Tool) => match fields {
            [first, rest @ ..] if **first == *"arguments" && !rest.is_empty() => {
                vec![(Place::Argument, rest.to_vec())]
            }
            _ => Vec::new(),
        },
        Root::Record(Shape::Network) => vec![(Place::Network, Vec::new())],
        Root::Record(Shape::Delegate) => Vec::new(),
    }
}

/// The name of the argument at a place.
fn at(place: usize, candidate: &Candidate) -> Option<Arc<str>> {
    match candidate.params.get(place) {
        Some(name) => Some((**name).into()),
        None if candidate.params.is_empty() => Some(place.to_string().into()),
        None => None,
    }
}

/// Adds what policies ask of facts.
fn ask(policies: &Policies, candidate: &Candidate, asked: &mut BTreeMap<Key, Asked>) {
    for guard in guards(policies) {
        ask_guard(guard.expr(), candidate, asked);
    }
    let rules = policies.blocks.iter().flat_map(|block| {
        let selectors = block.requirements.iter().flat_map(|one| &one.selectors);
        block
            .rules
            .iter()
            .map(|rule| &rule.selector)
            .chain(selectors)
    });
    for selector in rules {
        let Selector::Action(action) = selector else {
            continue;
        };
        for test in &action.tests {
            let wanted = match &test.wanted {
                Wanted::Value(value) => value.clone(),
                Wanted::Path(path) => Value::String(path.clone()),
            };
            let key = match (action.record, &test.argument) {
                (Some(Shape::Network), _) => Some((Place::Network, Vec::new())),
                // What names the others is their own name.
                (Some(_), _) => None,
                (None, Argument::Named(name)) => Some((Place::Argument, vec![name.clone()])),
                (None, Argument::At(place)) => {
                    at(*place, candidate).map(|name| (Place::Argument, vec![name]))
                }
            };
            if let Some(key) = key {
                let asked = asked.entry(key).or_default();
                asked.literals.push(wanted);
                asked.pattern = true;
            }
        }
    }
}

fn ask_guard(expr: &Expr, candidate: &Candidate, asked: &mut BTreeMap<Key, Asked>) {
    match expr {
        Expr::Binary(Op::And | Op::Or, one, two) => {
            ask_guard(one, candidate, asked);
            ask_guard(two, candidate, asked);
        }
        Expr::Not(part) => ask_guard(part, candidate, asked),
        part => {
            let mut found = Part::default();
            found.read(part, candidate);
            let truth = matches!(part, Expr::Path(..));
            for key in found.keys {
                let asked = asked.entry(key).or_default();
                asked.literals.extend(found.literals.iter().cloned());
                asked.ordered |= found.ordered;
                asked.truth |= truth;
            }
        }
    }
}

/// What stands in a part of a guard.
#[derive(Default)]
struct Part {
    keys: Vec<Key>,
    literals: Vec<Value>,
    ordered: bool,
}

impl Part {
    fn read(&mut self, expr: &Expr, candidate: &Candidate) {
        match expr {
            Expr::Literal(value) => self.literals.push(value.clone()),
            Expr::Path(root, fields) => self.keys.extend(keys(root, fields, candidate)),
            Expr::Unknown => {}
            Expr::List(parts) | Expr::Call(_, parts) => {
                parts.iter().for_each(|part| self.read(part, candidate));
            }
            Expr::Field(part, _) | Expr::Not(part) | Expr::Minus(part) => {
                self.read(part, candidate);
            }
            Expr::Index(one, two) | Expr::Binary(_, one, two) => {
                self.ordered |= matches!(
                    expr,
                    Expr::Binary(Op::Less | Op::AtMost | Op::Greater | Op::AtLeast, ..)
                );
                self.read(one, candidate);
                self.read(two, candidate);
            }
        }
    }
}

/// A text that nothing can be said about.
static TOO_LARGE: LazyLock<Arc<str>> = LazyLock::new(|| "x".repeat(MAX_OPERAND + 1).into());

/// The values of a fact that make a difference: those that it is compared with,
/// those next to them, one of another type, `null`, and none.
fn values((place, path): &Key, asked: &Asked) -> Vec<Option<Value>> {
    let mut values: Vec<Value> = Vec::new();
    let mut add = |value: Value| {
        if !values.contains(&value) {
            values.push(value);
        }
    };
    let is_free = path.first().is_some_and(|name| name.starts_with(FREE));
    if is_free {
        return vec![None, Some(Value::Bool(true)), Some(Value::Bool(false))];
    }
    let mut numbers: Vec<f64> = Vec::new();
    let mut fresh_text = "other".to_owned();
    for literal in &asked.literals {
        let parts: &[Value] = match literal {
            Value::Array(parts) => parts,
            _ => &[],
        };
        for value in std::iter::once(literal).chain(parts) {
            add(value.clone());
            match value {
                Value::Int(number) => {
                    add(Value::Int(number.saturating_add(1)));
                    if asked.ordered {
                        add(Value::Int(number.saturating_sub(1)));
                        numbers.push(*number as f64);
                    }
                }
                Value::Float(number) => {
                    add(Value::Float(number + 1.0));
                    if asked.ordered {
                        add(Value::Float(number - 1.0));
                        numbers.push(*number);
                    }
                }
                Value::Duration(nanos) => {
                    add(Value::Duration(nanos.saturating_add(1)));
                    add(Value::Duration(nanos.saturating_sub(1)));
                }
                Value::Size(bytes) => {
                    add(Value::Size(bytes.saturating_add(1)));
                    add(Value::Size(bytes.saturating_sub(1)));
                }
                Value::String(text) => {
                    if asked.ordered {
                        add(Value::from(""));
                        add(Value::from(&*format!("{text}\u{0}")));
                    }
                    if **text == *fresh_text {
                        fresh_text.push('_');
                    }
                }
                Value::Bool(value) => add(Value::Bool(!value)),
                _ => {}
            }
        }
    }
    numbers.sort_by(f64::total_cmp);
    for pair in numbers.windows(2) {
        if let [one, two] = pair {
            add(Value::Float((one + two) / 2.0));
        }
    }
    if asked.truth {
        add(Value::Bool(true));
        add(Value::Bool(false));
    }
    add(Value::from(&*fresh_text));
    if *place != Place::Network {
        add(Value::Null);
        // Of a type that nothing is compared with.
        add(Value::Array(Vec::new()));
    }
    if asked.pattern {
        // A pattern with one that is too large is of no shape that is known.
        add(Value::String(TOO_LARGE.clone()));
    }
    // None comes first, so that what is found first names few facts.
    std::iter::once(None)
        .chain(values.into_iter().map(Some))
        .collect()
}

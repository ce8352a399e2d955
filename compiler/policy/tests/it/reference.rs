//! Section 4 of the reference as a program that is as plain as possible. It
//! shares only the data with the crate: each question is asked of every rule,
//! and values are compared by their own words.

use std::cmp::Ordering;

use symbi_policy::{
    Action, Approval, Argument, Cedar, Demand, Effect, Expr, Facts, Guard, Kind, MAX_LEVELS,
    MAX_OPERAND, Op, Outcome, Policies, Predicate, Record, RequirementId, Root, Selector, Shape,
    Timestamp, Value, Verb, Wanted,
};

/// `None` is "cannot be decided"; inside, what is missing.
type Told<T> = Option<T>;

#[derive(Clone)]
enum Found {
    Missing,
    Value(Value),
    /// The record that a pattern binds, which is no value of its own.
    Shape(Shape),
}

pub fn decide(policies: &Policies, effect: &Effect<'_>, facts: &Facts<'_>) -> Outcome {
    let mut granted = false;
    let mut asks = effect.asks;
    if effect.kind != Kind::Answer {
        match inline(policies, effect, facts) {
            None => return Outcome::Deny,
            Some((allowed, asked)) => {
                granted = allowed;
                asks |= asked;
            }
        }
    }
    match facts.cedar {
        Cedar::Permit { asks: asked } => asks |= asked,
        Cedar::Absent if granted || effect.kind == Kind::Answer || facts.dev => {}
        _ => return Outcome::Deny,
    }
    match (asks, facts.approval) {
        (false, _) | (true, Approval::Given) => Outcome::Permit,
        (true, Approval::Refused) => Outcome::Deny,
        (true, Approval::Unasked) => Outcome::Pending,
    }
}

/// `None` if anything refuses; else whether an allow matched, and whether a
/// person is to be asked.
fn inline(policies: &Policies, effect: &Effect<'_>, facts: &Facts<'_>) -> Option<(bool, bool)> {
    if let Some(ceiling) = &policies.ceiling {
        let own = effect.kind == Kind::Driver && ceiling.driver.as_deref() == Some(effect.name);
        let covered = ceiling.entries.iter().any(|entry| {
            (*entry.name == *effect.name && (!entry.tool || effect.kind == Kind::Tool))
                || (!entry.tool && entry.kinds.has(effect.kind))
        });
        if !covered && !own && !ceiling.exempt.has(effect.kind) {
            return None;
        }
    }
    let (mut granted, mut asks) = (false, false);
    for block in &policies.blocks {
        let mut has_allow = false;
        let mut allowed = false;
        for rule in &block.rules {
            has_allow |= rule.verb == Verb::Allow;
            if (rule.verb == Verb::Allow && rule.tail)
                || !selects(&rule.selector, rule.verb, effect)
            {
                continue;
            }
            let holds = match &rule.guard {
                Some(guard) if !rule.tail => truth(guard, effect, facts)?,
                _ => true,
            };
            match rule.verb {
                Verb::Deny if holds => return None,
                Verb::Allow => allowed |= holds,
                Verb::Deny => {}
            }
        }
        if has_allow && !allowed {
            return None;
        }
        granted |= allowed;
    }
    let each = policies.blocks.iter().enumerate().flat_map(|(block, own)| {
        let numbered = own.requirements.iter().enumerate();
        numbered.map(move |(requirement, one)| (RequirementId { block, requirement }, one))
    });
    for (id, requirement) in each {
        let about = requirement.selectors.is_empty()
            || requirement
                .selectors
                .iter()
                .any(|one| selects(one, Verb::Deny, effect));
        let applies = about
            && match &requirement.condition {
                Some(condition) => truth(condition, effect, facts)?,
                None => true,
            };
        if !applies {
            continue;
        }
        match &requirement.demand {
            Demand::Approval => asks = true,
            Demand::Guard(guard) => {
                if !truth(guard, effect, facts)? {
                    return None;
                }
            }
            Demand::Obligation(name, value) => {
                if !(facts.holds)(id, name, value) {
                    return None;
                }
            }
        }
    }
    Some((granted, asks))
}

fn selects(selector: &Selector, verb: Verb, effect: &Effect<'_>) -> bool {
    match selector {
        Selector::All => true,
        Selector::None => false,
        Selector::Other => verb == Verb::Deny,
        Selector::Action(action) => {
            (*action.name == *effect.name || action.kinds.has(effect.kind))
                && action.tests.iter().all(|test| {
                    // A pattern about which nothing can be told is an odd one.
                    passes(action, test, effect).unwrap_or(verb == Verb::Deny)
                })
        }
    }
}

fn passes(action: &Action, test: &symbi_policy::Test, effect: &Effect<'_>) -> Told<bool> {
    let of_resource = |wanted: &Wanted| match wanted {
        Wanted::Path(path) => effect.resource == Some(&**path),
        Wanted::Value(_) => false,
    };
    let wanted = match &test.wanted {
        Wanted::Path(path) => Value::String(path.clone()),
        Wanted::Value(value) => value.clone(),
    };
    if let Some(shape) = action.record {
        if test.argument != Argument::At(0) {
            return None;
        }
        let names: Vec<Value> = match (shape, effect.network) {
            (Shape::Tool, _) => vec![effect.name.into()],
            (Shape::Delegate, _) => vec![effect.name.trim_start_matches("delegate::").into()],
            (Shape::Network, Some(network)) => vec![network.url.into(), network.host.into()],
            (Shape::Network, None) => vec![Value::Null],
        };
        return Some(of_resource(&test.wanted) || names.contains(&wanted));
    }
    let argument = match &test.argument {
        Argument::Named(name) => effect.arguments.get(name),
        Argument::At(place) => at(effect, *place),
    };
    // What is missing is as good as a null.
    let equal = written(&wanted, argument.unwrap_or(&Value::Null), MAX_LEVELS)?;
    Some(equal || of_resource(&test.wanted))
}

/// Whether a value is the one that is written in a pattern.
fn written(wanted: &Value, found: &Value, levels: usize) -> Told<bool> {
    let all = |pairs: Vec<(&Value, &Value)>| {
        let levels = levels.checked_sub(1)?;
        let told = pairs.into_iter().map(|(a, b)| written(a, b, levels));
        Some(told.collect::<Told<Vec<bool>>>()?.iter().all(|one| *one))
    };
    match (wanted, found) {
        (Value::Null, Value::Null) => Some(true),
        (Value::Array(a), Value::Array(b)) if a.len() == b.len() => all(a.iter().zip(b).collect()),
        (Value::Record(a), Value::Record(b)) => {
            match a
                .fields()
                .map(|(name, _)| name)
                .eq(b.fields().map(|(name, _)| name))
            {
                true => all(a
                    .fields()
                    .map(|(_, a)| a)
                    .zip(b.fields().map(|(_, b)| b))
                    .collect()),
                false => Some(false),
            }
        }
        (Value::Array(_) | Value::Record(_), _) => Some(false),
        (a, b) => Some(same(a, b) == Some(true)),
    }
}

fn at<'a>(effect: &Effect<'a>, place: usize) -> Option<&'a Value> {
    match effect.params.is_empty() {
        true => effect.arguments.get(&place.to_string()),
        false => effect.arguments.get(effect.params.get(place)?),
    }
}

pub fn truth(guard: &Guard, effect: &Effect<'_>, facts: &Facts<'_>) -> Told<bool> {
    match guard.fits() {
        true => asked(guard.expr(), effect, facts),
        false => None,
    }
}

fn asked(expr: &Expr, effect: &Effect<'_>, facts: &Facts<'_>) -> Told<bool> {
    match find(expr, effect, facts)? {
        Found::Value(Value::Bool(value)) => Some(value),
        _ => None,
    }
}

/// A value within the bounds of an operand.
fn operand(expr: &Expr, effect: &Effect<'_>, facts: &Facts<'_>) -> Told<Value> {
    match find(expr, effect, facts)? {
        Found::Value(value) if bounded(&value) => Some(value),
        _ => None,
    }
}

fn bounded(value: &Value) -> bool {
    levels(value) <= MAX_LEVELS && bytes(value) <= MAX_OPERAND
}

fn levels(value: &Value) -> usize {
    let most = |below: Option<usize>| 1 + below.unwrap_or(0);
    match value {
        Value::Array(elements) => most(elements.iter().map(levels).max()),
        Value::Record(record) => most(record.fields().map(|(_, value)| levels(value)).max()),
        _ => 0,
    }
}

fn bytes(value: &Value) -> usize {
    match value {
        Value::String(text) => text.len().max(1),
        Value::Array(elements) => 1 + elements.iter().map(bytes).sum::<usize>(),
        Value::Record(record) => {
            1 + record
                .fields()
                .map(|(name, value)| name.len() + bytes(value))
                .sum::<usize>()
        }
        _ => 1,
    }
}

fn find(expr: &Expr, effect: &Effect<'_>, facts: &Facts<'_>) -> Told<Found> {
    let value = |value: Value| Some(Found::Value(value));
    let bool = |told: bool| Some(Found::Value(Value::Bool(told)));
    match expr {
        Expr::Unknown => None,
        Expr::Literal(literal) => value(literal.clone()),
        Expr::List(parts) => {
            let values: Told<Vec<Value>> = parts
                .iter()
                .map(|part| operand(part, effect, facts))
                .collect();
            Some(Value::Array(values?))
                .filter(bounded)
                .map(Found::Value)
        }
        Expr::Path(root, fields) => {
            let mut found = start(root, effect, facts);
            for name in fields.iter() {
                found = field(found, name, effect)?;
            }
            Some(found)
        }
        Expr::Field(of, name) => field(find(of, effect, facts)?, name, effect),
        Expr::Index(of, index) => {
            let of = find(of, effect, facts)?;
            match (of, operand(index, effect, facts)?) {
                (of, Value::String(ref name)) => field(of, name, effect),
                (Found::Value(Value::Array(ref elements)), Value::Int(index)) => {
                    value(elements.get(usize::try_from(index).ok()?)?.clone())
                }
                _ => None,
            }
        }
        Expr::Not(part) => bool(!asked(part, effect, facts)?),
        Expr::Minus(part) => value(match operand(part, effect, facts)? {
            Value::Int(number) => Value::Int(number.checked_neg()?),
            Value::Float(number) => Value::Float(-number),
            Value::Duration(number) => Value::Duration(number.checked_neg()?),
            Value::Size(number) => Value::Size(number.checked_neg()?),
            _ => return None,
        }),
        Expr::Call(predicate, parts) => {
            let values: Told<Vec<Value>> = parts
                .iter()
                .map(|part| operand(part, effect, facts))
                .collect();
            value(call(*predicate, &values?)?)
        }
        Expr::Binary(Op::And, one, two) => {
            bool(asked(one, effect, facts)? && asked(two, effect, facts)?)
        }
        Expr::Binary(Op::Or, one, two) => {
            bool(asked(one, effect, facts)? || asked(two, effect, facts)?)
        }
        Expr::Binary(op @ (Op::Equal | Op::Unequal), one, two) => {
            let null = |part: &Expr| *part == Expr::Literal(Value::Null);
            let equal = if null(one) || null(two) {
                let other = if null(one) { two } else { one };
                match find(other, effect, facts)? {
                    Found::Missing | Found::Value(Value::Null) => true,
                    Found::Value(_) | Found::Shape(_) => false,
                }
            } else {
                let one = find(one, effect, facts)?;
                let two = find(two, effect, facts)?;
                match (one, two) {
                    (Found::Value(a), Found::Value(b)) if bounded(&a) && bounded(&b) => {
                        same(&a, &b)?
                    }
                    _ => return None,
                }
            };
            bool(equal == (*op == Op::Equal))
        }
        Expr::Binary(op @ (Op::In | Op::NotIn), one, two) => {
            let part = match find(one, effect, facts)? {
                Found::Value(value) if bounded(&value) => value,
                _ => return None,
            };
            let within = match &**two {
                Expr::List(elements) => {
                    let mut within = false;
                    let mut read = Vec::new();
                    for element in elements {
                        let element = operand(element, effect, facts)?;
                        read.push(element.clone());
                        // What has been read of the list is an operand too.
                        if !bounded(&Value::Array(read.clone())) {
                            return None;
                        }
                        if same(&part, &element)? {
                            within = true;
                            break;
                        }
                    }
                    within
                }
                whole => holds(&operand(whole, effect, facts)?, &part)?,
            };
            bool(within == (*op == Op::In))
        }
        Expr::Binary(op @ (Op::Less | Op::AtMost | Op::Greater | Op::AtLeast), one, two) => {
            let (one, two) = (operand(one, effect, facts)?, operand(two, effect, facts)?);
            bool(ordered(*op, &one, &two)?)
        }
        Expr::Binary(op, one, two) => value(arithmetic(
            *op,
            operand(one, effect, facts)?,
            operand(two, effect, facts)?,
        )?),
    }
}

fn start(root: &Root, effect: &Effect<'_>, facts: &Facts<'_>) -> Found {
    let maybe = |value: Option<&Value>| value.cloned().map_or(Found::Missing, Found::Value);
    match root {
        Root::Principal => Found::Value(Value::from(facts.principal)),
        Root::Invocation => Found::Value(facts.invocation.clone()),
        Root::Context => Found::Value(facts.context.clone()),
        Root::Now => Found::Value(Value::Time(facts.now)),
        Root::Parameter(name) => maybe(facts.parameters.get(name)),
        Root::Record(shape) => Found::Shape(*shape),
        Root::Argument(name, place) => match effect.arguments.get(name) {
            Some(value) => Found::Value(value.clone()),
            None if effect.params.iter().any(|param| **param == **name) => Found::Missing,
            None => maybe(at(effect, *place)),
        },
    }
}

fn field(of: Found, name: &str, effect: &Effect<'_>) -> Told<Found> {
    let maybe = |value: Option<Value>| Some(value.map_or(Found::Missing, Found::Value));
    let text = |text: Option<&str>| maybe(text.map(Value::from));
    match of {
        Found::Missing | Found::Value(Value::Null) => Some(Found::Missing),
        Found::Value(Value::Record(ref record)) => maybe(record.get(name).cloned()),
        Found::Value(whole @ (Value::String(_) | Value::Array(_))) if name == "length" => {
            match bounded(&whole) {
                true => maybe(Some(call(Predicate::Length, &[whole])?)),
                false => None,
            }
        }
        Found::Value(_) => Some(Found::Missing),
        Found::Shape(shape) => match (shape, name) {
            (Shape::Tool, "name") => text(Some(effect.name)),
            (Shape::Tool, "version") => text(effect.version),
            (Shape::Tool, "schema_verified") => maybe(effect.schema_verified.map(Value::Bool)),
            (Shape::Tool, "arguments") => maybe(Some(Value::Record(effect.arguments.clone()))),
            (Shape::Delegate, "name") => text(Some(effect.name.trim_start_matches("delegate::"))),
            (Shape::Delegate, "input") => maybe(Some(match effect.input {
                Some(input) => input.clone(),
                None => Value::Record(effect.arguments.clone()),
            })),
            (Shape::Network, "url") => text(effect.network.map(|network| network.url)),
            (Shape::Network, "host") => text(effect.network.map(|network| network.host)),
            (Shape::Network, "internal") => {
                maybe(effect.network.map(|network| Value::Bool(network.internal)))
            }
            _ => Some(Found::Missing),
        },
    }
}

fn same(one: &Value, two: &Value) -> Told<bool> {
    use Value::{Array, Bool, Duration, Float, Int, Size, String, Time};
    match (one, two) {
        (Bool(a), Bool(b)) => Some(a == b),
        (String(a), String(b)) => Some(a == b),
        (Int(a) | Size(a), Int(b) | Size(b)) | (Duration(a), Duration(b)) => Some(a == b),
        (Time(a), Time(b)) => Some(a == b),
        (Float(a), Float(b)) => Some(a == b),
        (Int(a), Float(b)) | (Float(b), Int(a)) => Some(place(*a, *b) == Some(Ordering::Equal)),
        (Array(a), Array(b)) if a.len() != b.len() => Some(false),
        (Array(a), Array(b)) => {
            let told: Told<Vec<bool>> = a.iter().zip(b).map(|(a, b)| same(a, b)).collect();
            Some(told?.into_iter().all(|equal| equal))
        }
        (Value::Record(a), Value::Record(b)) => {
            let names = |record: &Record| -> Vec<std::string::String> {
                record.fields().map(|(name, _)| name.to_string()).collect()
            };
            if names(a) != names(b) {
                return Some(false);
            }
            let pairs = a.fields().zip(b.fields());
            let told: Told<Vec<bool>> = pairs.map(|((_, a), (_, b))| same(a, b)).collect();
            Some(told?.into_iter().all(|equal| equal))
        }
        _ => None,
    }
}

/// Where a whole number stands, seen from a float: both are told exactly by more
/// bits than either has.
fn place(int: i64, float: f64) -> Option<Ordering> {
    if float.is_nan() {
        return None;
    }
    let floor = float.floor() as i128;
    let above = float > float.floor();
    Some(match i128::from(int).cmp(&floor) {
        Ordering::Equal if above => Ordering::Less,
        order => order,
    })
}

fn ordered(op: Op, one: &Value, two: &Value) -> Told<bool> {
    use Value::{Duration, Float, Int, Size, String, Time};
    fn ask<T: PartialOrd>(op: Op, a: T, b: T) -> bool {
        match op {
            Op::Less => a < b,
            Op::AtMost => a <= b,
            Op::Greater => a > b,
            _ => a >= b,
        }
    }
    Some(match (one, two) {
        (Int(a) | Size(a), Int(b) | Size(b)) | (Duration(a), Duration(b)) => ask(op, a, b),
        (Float(a), Float(b)) => ask(op, *a, *b),
        // Of NaN, which has no place, each of these is false.
        (Int(a), Float(b)) => place(*a, *b).is_some_and(|at| ask(op, at, Ordering::Equal)),
        (Float(a), Int(b)) => place(*b, *a).is_some_and(|at| ask(op, Ordering::Equal, at)),
        (String(a), String(b)) => ask(op, a, b),
        (Time(a), Time(b)) => ask(op, a, b),
        _ => return None,
    })
}

fn holds(whole: &Value, part: &Value) -> Told<bool> {
    match (whole, part) {
        (Value::Array(elements), part) => {
            for element in elements {
                if same(part, element)? {
                    return Some(true);
                }
            }
            Some(false)
        }
        (Value::Record(record), Value::String(name)) => Some(record.get(name).is_some()),
        (Value::String(text), Value::String(part)) => Some(text.contains(&**part)),
        _ => None,
    }
}

fn call(predicate: Predicate, values: &[Value]) -> Told<Value> {
    use Value::{Array, Bool, Int, String, Time};
    Some(match (predicate, values) {
        (Predicate::StartsWith, [String(text), String(part)]) => Bool(text.starts_with(&**part)),
        (Predicate::EndsWith, [String(text), String(part)]) => Bool(text.ends_with(&**part)),
        (Predicate::Contains, [whole, part]) => Bool(holds(whole, part)?),
        (Predicate::Length, [String(text)]) => Int(text.chars().count() as i64),
        (Predicate::Length, [Array(elements)]) => Int(elements.len() as i64),
        (Predicate::Length, [Value::Record(record)]) => Int(record.len() as i64),
        (Predicate::IsEmpty, [whole]) => {
            Bool(call(Predicate::Length, std::slice::from_ref(whole))? == Int(0))
        }
        (Predicate::Upper, [String(text)]) => small(text.to_uppercase())?,
        (Predicate::Lower, [String(text)]) => small(text.to_lowercase())?,
        (Predicate::Trim, [String(text)]) => Value::from(text.trim()),
        (Predicate::Weekday | Predicate::Hour, [Time(at), zone @ ..]) if zone.len() < 2 => {
            // Two zones, neither of which has ever changed its clocks since 1970.
            let ahead = match zone.first() {
                None => 0,
                Some(String(name)) if **name == *"UTC" => 0,
                Some(String(name)) if **name == *"Asia/Tokyo" => 9,
                _ => return None,
            };
            let hours = at.as_second().div_euclid(3600) + ahead;
            match predicate {
                Predicate::Hour => Int(hours.rem_euclid(24)),
                // The first day of all was a Thursday.
                _ => Int((hours.div_euclid(24) + 3).rem_euclid(7) + 1),
            }
        }
        _ => return None,
    })
}

fn small(text: String) -> Told<Value> {
    (text.len() <= MAX_OPERAND).then(|| Value::from(&*text))
}

fn arithmetic(op: Op, one: Value, two: Value) -> Told<Value> {
    use Value::{Array, Duration, Float, Int, Size, Time};
    let float = |value: &Value| match value {
        Int(value) => Some(*value as f64),
        Float(value) => Some(*value),
        _ => None,
    };
    let narrow = |wide: i128| i64::try_from(wide).ok();
    // Whole numbers with room for whatever two of them come to.
    let wide = |a: i64, b: i64| {
        let (a, b) = (i128::from(a), i128::from(b));
        narrow(match op {
            Op::Add => a + b,
            Op::Subtract => a - b,
            Op::Multiply => a * b,
            // What an i64 cannot be asked, a wider one cannot be either.
            Op::Remainder if b != 0 && (a, b) != (i128::from(i64::MIN), -1) => a % b,
            _ => return None,
        })
    };
    // An amount times or by a number.
    let scaled = |amount: i64, by: &Value, op: Op| match (op, by) {
        (Op::Multiply, Int(by)) => narrow(i128::from(amount) * i128::from(*by)),
        (Op::Divide, Int(0)) => None,
        (Op::Divide, Int(by)) => narrow(i128::from(amount) / i128::from(*by)),
        (Op::Multiply | Op::Divide, Float(by)) => {
            let found = match op {
                Op::Multiply => amount as f64 * by,
                _ if *by == 0.0 => return None,
                _ => amount as f64 / by,
            };
            let fits = found.abs() < 2f64.powi(63);
            fits.then_some(found as i64)
        }
        _ => None,
    };
    let divided = |a: f64, b: f64| (b != 0.0).then(|| Float(a / b));
    Some(match (op, &one, &two) {
        (Op::Divide, Duration(a), Duration(b)) | (Op::Divide, Size(a), Size(b)) => {
            divided(*a as f64, *b as f64)?
        }
        (Op::Divide, Int(_) | Float(_), Int(_) | Float(_)) => divided(float(&one)?, float(&two)?)?,
        (_, Int(a), Int(b)) => Int(wide(*a, *b)?),
        (_, Int(_) | Float(_), Int(_) | Float(_)) => {
            let (a, b) = (float(&one)?, float(&two)?);
            Float(match op {
                Op::Add => a + b,
                Op::Subtract => a - b,
                Op::Multiply => a * b,
                Op::Remainder if b != 0.0 => a % b,
                _ => return None,
            })
        }
        (Op::Add | Op::Subtract | Op::Remainder, Duration(a), Duration(b)) => {
            Duration(wide(*a, *b)?)
        }
        (Op::Add | Op::Subtract | Op::Remainder, Size(a), Size(b)) => Size(wide(*a, *b)?),
        (_, Duration(amount), by) if float(by).is_some() => Duration(scaled(*amount, by, op)?),
        (_, Size(amount), by) if float(by).is_some() => Size(scaled(*amount, by, op)?),
        (Op::Multiply, by, Duration(amount)) => Duration(scaled(*amount, by, op)?),
        (Op::Multiply, by, Size(amount)) => Size(scaled(*amount, by, op)?),
        (Op::Subtract, Time(a), Time(b)) => {
            Duration(narrow(a.as_nanosecond() - b.as_nanosecond())?)
        }
        (Op::Add, Time(at), Duration(by)) | (Op::Add, Duration(by), Time(at)) => {
            let at = at.as_nanosecond() + i128::from(*by);
            Time(Timestamp::from_nanosecond(at).ok()?)
        }
        (Op::Subtract, Time(at), Duration(by)) => {
            let at = at.as_nanosecond() - i128::from(*by);
            Time(Timestamp::from_nanosecond(at).ok()?)
        }
        (Op::Add, Value::String(a), Value::String(b)) => small(format!("{a}{b}"))?,
        (Op::Add, Array(a), Array(b)) => Array([a.clone(), b.clone()].concat()),
        _ => return None,
    })
}

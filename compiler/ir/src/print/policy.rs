//! Policies in a readable form.

use symbi_policy::{
    Action, Argument, Capability, Ceiling, Demand, Expr, Guard, Kind, Kinds, Op, Requirement, Root,
    Rule, Selector, Shape, Value, Verb, Wanted,
};

use crate::policy::Policy;
use crate::print::{Out, duration, quoted};
use crate::program::EffectRow;

/// Names of the effects of the standard library, by their numbers.
pub(super) type Effects<'p> = &'p [EffectRow];

/// Shows a policy.
pub(super) fn policy(out: &mut Out, effects: Effects<'_>, policy: &Policy) {
    match &policy.name {
        Some(name) => out.line(&format!("policy {name}")),
        None => out.line("policy"),
    }
    out.within(|out| {
        for one in &policy.block.rules {
            out.line(&rule(effects, one));
        }
        for one in &policy.block.requirements {
            out.line(&requirement(effects, one));
        }
        for audit in &policy.audit {
            let value = audit.value.as_ref().map(super::constant);
            let condition = audit.condition.as_ref().map(guard);
            out.line(&format!(
                "audit {}{}{}",
                audit.key,
                value.map(|value| format!(" = {value}")).unwrap_or_default(),
                condition
                    .map(|guard| format!(" if {guard}"))
                    .unwrap_or_default(),
            ));
        }
    });
}

/// A rule on one line.
pub(super) fn rule(effects: Effects<'_>, rule: &Rule) -> String {
    let verb = match rule.verb {
        Verb::Allow => "allow",
        Verb::Deny => "deny",
    };
    let guard = rule
        .guard
        .as_ref()
        .map(|guard| format!(" if {}", self::guard(guard)));
    let tail = match (rule.tail, rule.verb) {
        (false, _) => "",
        (true, Verb::Allow) => " (never: nothing enforces its tail)",
        (true, Verb::Deny) => " (always: nothing enforces its tail)",
    };
    format!(
        "{verb} {}{}{tail}",
        selector(effects, &rule.selector),
        guard.unwrap_or_default()
    )
}

/// A requirement on one line.
pub(super) fn requirement(effects: Effects<'_>, requirement: &Requirement) -> String {
    let demand = match &requirement.demand {
        Demand::Guard(one) => guard(one),
        Demand::Approval => "approval".to_owned(),
        Demand::Obligation(name, wanted) => format!("{name} = {}", value(wanted)),
    };
    let of = match requirement.selectors.is_empty() {
        true => String::new(),
        false => {
            let selectors: Vec<String> = requirement
                .selectors
                .iter()
                .map(|one| selector(effects, one))
                .collect();
            format!(" for {}", selectors.join(", "))
        }
    };
    let condition = requirement
        .condition
        .as_ref()
        .map(|one| format!(" if {}", guard(one)));
    format!("require {demand}{of}{}", condition.unwrap_or_default())
}

fn selector(effects: Effects<'_>, selector: &Selector) -> String {
    match selector {
        Selector::All => "all".to_owned(),
        Selector::None => "nothing".to_owned(),
        Selector::Other => "of a shape that no rule has".to_owned(),
        Selector::Action(one) => action(effects, one),
    }
}

fn action(effects: Effects<'_>, action: &Action) -> String {
    let mut text = action.name.to_string();
    if !action.tests.is_empty() {
        let tests: Vec<String> = action
            .tests
            .iter()
            .map(|test| {
                let argument = match &test.argument {
                    Argument::At(place) => format!("@{place}"),
                    Argument::Named(name) => name.to_string(),
                };
                let wanted = match &test.wanted {
                    Wanted::Value(wanted) => value(wanted),
                    Wanted::Path(path) => path.to_string(),
                };
                format!("{argument} is {wanted}")
            })
            .collect();
        text.push_str(&format!("({})", tests.join(", ")));
    }
    text.push_str(&kinds(effects, action.kinds));
    text
}

fn kinds(effects: Effects<'_>, of: Kinds) -> String {
    if of.is_empty() {
        return String::new();
    }
    let names: Vec<String> = of.kinds().map(|one| kind(effects, one)).collect();
    format!(" [{}]", names.join(", "))
}

fn kind(effects: Effects<'_>, kind: Kind) -> String {
    match kind {
        Kind::Tool => "tools".to_owned(),
        Kind::Action => "external actions".to_owned(),
        Kind::Delegate => "delegations".to_owned(),
        Kind::Driver => "drivers".to_owned(),
        Kind::Answer => "answers".to_owned(),
        Kind::Builtin(number) => {
            let known = effects.get(usize::from(number));
            known.map_or_else(|| format!("effect {number}"), |row| row.name.to_string())
        }
    }
}

/// A ceiling, an entry a line.
pub(super) fn ceiling(out: &mut Out, effects: Effects<'_>, ceiling: &Ceiling) {
    for Capability {
        name,
        tool,
        kinds: of,
    } in &ceiling.entries
    {
        let tool = if *tool { "tool " } else { "" };
        out.line(&format!("{tool}{name}{}", kinds(effects, *of)));
    }
    if !ceiling.exempt.is_empty() {
        out.line(&format!("exempt{}", kinds(effects, ceiling.exempt)));
    }
    if let Some(driver) = &ceiling.driver {
        out.line(&format!("driver {driver}"));
    }
}

/// A guard on one line.
pub(super) fn guard(guard: &Guard) -> String {
    match guard.fits() {
        true => expr(guard.expr()),
        false => "undecidable".to_owned(),
    }
}

/// Within its bounds a guard is 24 levels deep, but for chains of `&&` and `||`.
fn expr(of: &Expr) -> String {
    let list = |parts: &[Expr]| {
        let parts: Vec<String> = parts.iter().map(expr).collect();
        parts.join(", ")
    };
    match of {
        Expr::Literal(literal) => value(literal),
        Expr::List(parts) => format!("[{}]", list(parts)),
        Expr::Path(root, fields) => {
            let root = match root {
                Root::Principal => "principal".to_owned(),
                Root::Invocation => "invocation".to_owned(),
                Root::Context => "context".to_owned(),
                Root::Now => "now".to_owned(),
                Root::Argument(name, place) => format!("argument {name}@{place}"),
                Root::Record(Shape::Tool) => "the tool call".to_owned(),
                Root::Record(Shape::Delegate) => "the delegation".to_owned(),
                Root::Record(Shape::Network) => "the request".to_owned(),
                Root::Parameter(name) => format!("parameter {name}"),
            };
            let fields = fields.iter().map(|field| format!(".{field}"));
            format!("{root}{}", fields.collect::<String>())
        }
        Expr::Field(of, field) => format!("{}.{field}", expr(of)),
        Expr::Index(of, at) => format!("{}[{}]", expr(of), expr(at)),
        Expr::Not(part) => format!("!{}", expr(part)),
        Expr::Minus(part) => format!("-{}", expr(part)),
        Expr::Binary(op, one, two) => format!("({} {} {})", expr(one), sign(*op), expr(two)),
        Expr::Call(predicate, parts) => {
            let named = symbi_policy::Predicate::NAMES.iter();
            let mut named = named.filter(|(_, own)| own == predicate);
            format!(
                "{}({})",
                named.next().map_or("?", |(name, _)| name),
                list(parts)
            )
        }
        Expr::Unknown => "undecidable".to_owned(),
    }
}

fn sign(op: Op) -> &'static str {
    match op {
        Op::And => "&&",
        Op::Or => "||",
        Op::Equal => "==",
        Op::Unequal => "!=",
        Op::Less => "<",
        Op::AtMost => "<=",
        Op::Greater => ">",
        Op::AtLeast => ">=",
        Op::In => "in",
        Op::NotIn => "not in",
        Op::Add => "+",
        Op::Subtract => "-",
        Op::Multiply => "*",
        Op::Divide => "/",
        Op::Remainder => "%",
    }
}

/// A value as it is written.
pub(crate) fn value(of: &Value) -> String {
    match of {
        Value::Null => "null".to_owned(),
        Value::Bool(value) => value.to_string(),
        Value::Int(value) => value.to_string(),
        Value::Float(value) => format!("{value:?}"),
        Value::String(text) => quoted(text),
        Value::Duration(nanos) => duration(*nanos),
        Value::Size(bytes) => format!("{bytes} bytes"),
        Value::Time(at) => at.to_string(),
        Value::Array(parts) => {
            let parts: Vec<String> = parts.iter().map(value).collect();
            format!("[{}]", parts.join(", "))
        }
        Value::Record(record) => {
            let fields: Vec<String> = record
                .fields()
                .map(|(name, field)| format!("{}: {}", quoted(name), value(field)))
                .collect();
            format!("{{{}}}", fields.join(", "))
        }
    }
}

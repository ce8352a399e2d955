//! Policies, constraints and lists of capabilities as data.

use std::sync::Arc;

use symbi_policy::{
    Argument, Block, Capability, Ceiling, Demand, Guard, Kinds, Requirement, Rule, Selector, Test,
    Value, Verb, Wanted,
};
use symbi_syntax::Place;
use symbi_syntax::ast::{
    self, Argument as Written, AstNode, BlockItem, CallExpr, CapabilitiesDef, Capability as Listed,
    ConstraintsBlock, Expr, Name, PolicyDef, PrefixOp,
};

use super::guards::{Bound, Guards, literal_value};
use super::obligations::read;
use super::vocabulary::{action, exempt, group, is_effect};
use crate::findings::at_node;
use crate::program::{AgentLookup, Program};

/// Where a policy stands: the program, and the parameters that its guards see.
#[derive(Clone, Copy)]
pub struct Scope<'p> {
    /// The program.
    pub program: &'p dyn Program,
    /// Whether a name is a parameter of the agent that it governs.
    pub is_param: &'p dyn Fn(&str) -> bool,
}

/// A block as data, and where each part of it is written.
#[derive(Clone, Debug, Default)]
pub struct Lowered {
    /// The name of the policy.
    pub name: Option<Arc<str>>,
    /// The data.
    pub block: Block,
    /// The place of each rule.
    pub rules: Vec<Place>,
    /// The place of the selector of each rule: an element of a list.
    pub selectors: Vec<Place>,
    /// The place of each requirement.
    pub requirements: Vec<Place>,
}

/// A policy as data.
pub fn policy(scope: Scope<'_>, policy: PolicyDef<'_>) -> Lowered {
    let mut lowered = Lowered {
        name: policy.name().map(|name| Arc::from(&*name.text())),
        ..Lowered::default()
    };
    for written in policy.rules() {
        let at = at_node(written.node());
        match written.verb() {
            Some(ast::Verb::Allow) => rules(scope, Verb::Allow, written, at, &mut lowered),
            Some(ast::Verb::Deny) => rules(scope, Verb::Deny, written, at, &mut lowered),
            Some(ast::Verb::Require) => requirement(scope, written, at, &mut lowered),
            Some(ast::Verb::Audit) | None => {}
        }
    }
    lowered
}

/// One written rule: one for each of its selectors.
fn rules(scope: Scope<'_>, verb: Verb, written: ast::Rule<'_>, at: Place, into: &mut Lowered) {
    let tail = written.tails().next().is_some();
    // What could not be read was reported, and is a shape that no rule has.
    let selectors = match written.selector() {
        Some(selector) => selectors(scope, verb, selector),
        None => vec![Selected {
            selector: Selector::Other,
            bound: Bound::default(),
            at,
        }],
    };
    let guard = written.guard();
    if verb == Verb::Deny && !tail && guard.is_some_and(is_unless_approved) {
        let selectors = selectors
            .into_iter()
            .map(|selected| selected.selector)
            .collect();
        into.block.requirements.push(Requirement {
            selectors,
            condition: None,
            demand: Demand::Approval,
        });
        into.requirements.push(at);
        return;
    }
    for selected in selectors {
        let guards = Guards {
            bound: &selected.bound,
            is_param: scope.is_param,
        };
        into.block.rules.push(Rule {
            verb,
            selector: selected.selector,
            guard: guard.map(|guard| guards.guard(guard)),
            tail,
        });
        into.rules.push(at);
        into.selectors.push(selected.at);
    }
}

/// Exactly `not context.has_human_approval`.
pub(super) fn is_unless_approved(guard: Expr<'_>) -> bool {
    let mut guard = guard;
    while let Expr::Paren(paren) = guard
        && let Some(inner) = paren.inner()
    {
        guard = inner;
    }
    let Expr::Prefix(prefix) = guard else {
        return false;
    };
    let (Some(PrefixOp::Not), Some(Expr::Member(member))) = (prefix.operator(), prefix.operand())
    else {
        return false;
    };
    let Some(Expr::Name(root)) = member.object() else {
        return false;
    };
    let is = |name: Option<Name<'_>>, text: &str| name.is_some_and(|name| name.text() == text);
    is(root.name(), "context") && is(member.name(), "has_human_approval")
}

/// One selector of a rule.
struct Selected {
    selector: Selector,
    bound: Bound,
    at: Place,
}

/// The selectors of a rule, each with what it binds.
fn selectors(scope: Scope<'_>, verb: Verb, written: Expr<'_>) -> Vec<Selected> {
    let mut written = written;
    while let Expr::Paren(paren) = written
        && let Some(inner) = paren.inner()
    {
        written = inner;
    }
    let one = |written: Expr<'_>| {
        let (selector, bound) = selector(scope, verb, written);
        Selected {
            selector,
            bound,
            at: at_node(written.node()),
        }
    };
    match written {
        Expr::Array(array) => {
            let mut found: Vec<Selected> = array.elements().map(one).collect();
            if found.is_empty() {
                found.push(Selected {
                    selector: Selector::None,
                    bound: Bound::default(),
                    at: at_node(written.node()),
                });
            }
            found
        }
        written => vec![one(written)],
    }
}

/// One selector with what it binds.
fn selector(scope: Scope<'_>, verb: Verb, written: Expr<'_>) -> (Selector, Bound) {
    let mut bound = Bound::default();
    let named = |name: &str| Selector::Action(action(scope.program, verb, name));
    let selector = match written {
        Expr::Literal(literal) => match &literal_value(literal) {
            Some(Value::Bool(true)) => Selector::All,
            Some(Value::Bool(false)) => Selector::None,
            Some(Value::String(text)) if is_effect_name(text) => named(text),
            _ => Selector::Other,
        },
        Expr::Name(_) | Expr::Path(_) => match name_of(written) {
            Some(name) if !binds_nothing(&name) => named(&name),
            _ => Selector::Other,
        },
        Expr::Call(call) => call_pattern(scope, verb, call, &mut bound).unwrap_or(Selector::Other),
        _ => Selector::Other,
    };
    (selector, bound)
}

/// A call pattern as it is written.
pub(super) struct Pattern<'i> {
    /// The name of the action.
    pub name: String,
    /// Its arguments, each with where it stands.
    pub arguments: Vec<(Argument, Asked<'i>, Expr<'i>)>,
}

/// What a call pattern asks of an argument.
pub(super) enum Asked<'i> {
    /// Nothing, but binds it to a name.
    Binds(Name<'i>),
    /// Nothing.
    Nothing,
    /// To be this.
    ToBe(Wanted),
}

/// `action(p, …)`; `None` for another shape.
pub(super) fn pattern_of(call: CallExpr<'_>) -> Option<Pattern<'_>> {
    let name = name_of(call.callee()?).filter(|name| !binds_nothing(name))?;
    let mut arguments = Vec::new();
    for (place, argument) in call.arguments().enumerate() {
        let (argument, value) = match argument {
            Written::Positional(value) => (Argument::At(place), value),
            Written::Named(named) => {
                let name = Arc::from(&*named.name()?.text());
                (Argument::Named(name), named.value()?)
            }
        };
        let asked = match value {
            Expr::Name(name) => {
                let name = name.name()?;
                match (binds_nothing(&name.text()), &argument) {
                    (true, _) => Asked::Nothing,
                    (false, Argument::At(_)) => Asked::Binds(name),
                    // `name = other` is no shape that rules have.
                    (false, Argument::Named(_)) => return None,
                }
            }
            Expr::Path(path) => Asked::ToBe(Wanted::Path(path.text().into())),
            value => Asked::ToBe(Wanted::Value(written_value(value)?)),
        };
        arguments.push((argument, asked, value));
    }
    Some(Pattern { name, arguments })
}

/// `action(p, …)` as data; `None` for another shape.
fn call_pattern(
    scope: Scope<'_>,
    verb: Verb,
    call: CallExpr<'_>,
    bound: &mut Bound,
) -> Option<Selector> {
    let pattern = pattern_of(call)?;
    let mut action = action(scope.program, verb, &pattern.name);
    for (argument, asked, _) in pattern.arguments {
        match asked {
            Asked::Nothing => {}
            Asked::Binds(name) => {
                if let Argument::At(place) = argument {
                    bound.bind(&name.text(), place, action.record);
                }
            }
            Asked::ToBe(wanted) => action.tests.push(Test { argument, wanted }),
        }
    }
    Some(Selector::Action(action))
}

/// `any` and `_` stand for every argument.
pub(super) fn binds_nothing(name: &str) -> bool {
    ["any", "_"].contains(&name)
}

/// A value that is written out.
pub(super) fn written_value(value: Expr<'_>) -> Option<Value> {
    let bound = Bound::default();
    let guards = Guards {
        bound: &bound,
        is_param: &|_| false,
    };
    match guards.guard(value).expr() {
        symbi_policy::Expr::Literal(value) => Some(value.clone()),
        _ => None,
    }
}

/// The text of a name or of a path.
pub(super) fn name_of(value: Expr<'_>) -> Option<String> {
    match value {
        Expr::Name(name) => Some(name.name()?.text().into_owned()),
        Expr::Path(path) => Some(path.text()),
        _ => None,
    }
}

/// Whether a text may be the name of an effect: words with `::` between them.
pub(super) fn is_effect_name(text: &str) -> bool {
    let word = |word: &str| {
        let mut bytes = word.bytes();
        bytes
            .next()
            .is_some_and(|byte| byte == b'_' || byte.is_ascii_alphabetic())
            && bytes.all(|byte| byte.is_ascii_alphanumeric() || b"_-.".contains(&byte))
    };
    !binds_nothing(text) && text.split("::").all(word)
}

/// What a `require` demands.
fn requirement(scope: Scope<'_>, written: ast::Rule<'_>, at: Place, into: &mut Lowered) {
    let bound = Bound::default();
    let guards = Guards {
        bound: &bound,
        is_param: scope.is_param,
    };
    let condition = written.guard().map(|guard| guards.guard(guard));
    let mut demands = Vec::new();
    match written.selector() {
        None => demands.push((Vec::new(), Demand::Guard(Guard::beyond()))),
        Some(value) => demanded(scope, &guards, value, &mut demands),
    }
    for (selectors, demand) in demands {
        into.block.requirements.push(Requirement {
            selectors,
            condition: condition.clone(),
            demand,
        });
        into.requirements.push(at);
    }
}

type Demands = Vec<(Vec<Selector>, Demand)>;

/// A name, a list of names, a record, or a guard.
fn demanded(scope: Scope<'_>, guards: &Guards<'_>, value: Expr<'_>, into: &mut Demands) {
    match value {
        Expr::Name(_) | Expr::Path(_) => {
            if let Some(name) = name_of(value) {
                obligation(scope, &name, Some(Value::Bool(true)), into);
            }
        }
        Expr::Literal(literal) if matches!(literal_value(literal), Some(Value::String(_))) => {
            if let Some(Value::String(name)) = &literal_value(literal) {
                obligation(scope, name, Some(Value::Bool(true)), into);
            }
        }
        Expr::Array(array) => {
            for one in array.elements() {
                demanded(scope, guards, one, into);
            }
        }
        Expr::Record(record) => {
            for field in record.fields() {
                if let (Some(name), Some(value)) = (field.key(), field.value()) {
                    obligation(scope, &name, word_or_value(value), into);
                }
            }
        }
        guard => into.push((Vec::new(), Demand::Guard(guards.guard(guard)))),
    }
}

/// A value of an obligation, in which names are texts.
pub(super) fn word_or_value(value: Expr<'_>) -> Option<Value> {
    match value {
        Expr::Name(_) | Expr::Path(_) => name_of(value).map(|name| Value::String(name.into())),
        Expr::Array(array) => {
            let elements: Option<Vec<Value>> = array.elements().map(word_or_value).collect();
            Some(Value::Array(elements?))
        }
        other => written_value(other),
    }
}

/// An obligation of a name with a value; `None` for one that cannot be read,
/// which nothing can hold.
fn obligation(scope: Scope<'_>, name: &str, value: Option<Value>, into: &mut Demands) {
    let row = scope.program.stdlib().obligations.get(name);
    let read = |value: Value| row.and_then(|row| read(row, &value)).unwrap_or(value);
    let value = match (name, value.map(read)) {
        // What is not demanded demands nothing.
        (_, Some(Value::Bool(false))) => return,
        ("human_approval", Some(Value::Bool(true))) => {
            into.push((Vec::new(), Demand::Approval));
            return;
        }
        ("human_approval", Some(Value::Array(ref names))) => {
            let named = |value: &Value| match value {
                Value::String(name) if is_effect_name(name) => {
                    Selector::Action(action(scope.program, Verb::Deny, name))
                }
                _ => Selector::Other,
            };
            let mut selectors: Vec<Selector> = names.iter().map(named).collect();
            if selectors.is_empty() {
                selectors.push(Selector::None);
            }
            into.push((selectors, Demand::Approval));
            return;
        }
        (_, value) => value.unwrap_or(Value::Null),
    };
    into.push((Vec::new(), Demand::Obligation(name.into(), value)));
}

/// `constraints { deny_capabilities: […] }` as rules that deny.
pub fn constraints(scope: Scope<'_>, block: ConstraintsBlock<'_>) -> Lowered {
    let mut lowered = Lowered::default();
    let lists = block.entries().filter_map(|item| match item {
        BlockItem::Entry(entry) if entry.key().as_deref() == Some("deny_capabilities") => {
            entry.value()
        }
        _ => None,
    });
    for list in lists {
        for selected in selectors(scope, Verb::Deny, list) {
            lowered.block.rules.push(Rule {
                verb: Verb::Deny,
                selector: selected.selector,
                guard: None,
                tail: false,
            });
            lowered.rules.push(at_node(list.node()));
            lowered.selectors.push(selected.at);
        }
    }
    lowered
}

/// Whether a name is that of an effect of the library, of a managed driver, or
/// of a delegation to an agent of the project.
fn is_effect_of_any(program: &dyn Program, name: &str) -> bool {
    match name.strip_prefix("delegate::") {
        Some(agent) => !matches!(program.agent(agent), AgentLookup::Unknown),
        None => is_effect(program, name),
    }
}

/// A list of capabilities as a ceiling; `None` if it only describes.
pub(super) fn ceiling(
    program: &dyn Program,
    list: CapabilitiesDef<'_>,
    used: &dyn Fn(&str) -> bool,
) -> Option<Ceiling> {
    let stdlib = program.stdlib();
    let entries = list.entries();
    let mut known = entries.is_empty();
    let mut ceiling = Ceiling::default();
    for entry in &entries {
        let tool = matches!(entry, Listed::Entry { tool: true, .. });
        let Some(name) = entry.text() else { continue };
        let is_tool = program.tool(&name).is_some();
        let kinds = match tool || is_tool {
            true => Kinds::NONE,
            false => group(stdlib, &name),
        };
        known = known
            || tool
            || is_tool
            || !kinds.is_empty()
            || is_effect_of_any(program, &name)
            || used(&name);
        ceiling.entries.push(Capability {
            name: name.into(),
            tool,
            kinds,
        });
    }
    ceiling.exempt = exempt();
    known.then_some(ceiling)
}

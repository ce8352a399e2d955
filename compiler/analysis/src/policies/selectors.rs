//! Selectors: whether there is such an effect, and what they bind.

use std::collections::BTreeSet;
use std::sync::Arc;

use symbi_diagnostics::{Diagnostic, Edit, policies as codes};
use symbi_policy::{Argument, Shape, Value, Wanted};
use symbi_syntax::ast::{AstNode, Expr, Name, Verb};
use symbi_syntax::{NodeRef, SyntaxKind};

use super::check::Cx;
use super::guards::RESERVED;
use super::kinds::{Sort, record_of};
use super::lower::{Asked, Pattern, binds_nothing, is_effect_name, name_of, pattern_of};
use super::vocabulary::{builtin, kind_of_effect, pattern};
use crate::declaration::word;
use crate::findings::{at_name, at_node};
use crate::program::{AgentLookup, Program};
use crate::suggest::nearest;
use crate::ty::Ty;
use symbi_mini::quote as quoted;

/// A name that a selector binds.
pub(super) struct BoundName<'i> {
    /// Where it stands.
    pub name: Name<'i>,
    /// What it stands for.
    pub gives: Gives,
    /// The type of that, where it is known.
    pub ty: Option<Ty>,
}

/// What a name of a call pattern stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Gives {
    /// The argument of this name, else the one at this place.
    Argument(usize),
    /// The record of a pattern over many effects.
    Record(Shape),
    /// There is no such argument.
    Nothing,
}

/// Checks the selector of an allow or a deny. Gives the names that it binds.
pub(super) fn check<'i>(
    cx: &mut Cx<'_>,
    verb: Verb,
    selector: Expr<'i>,
    guard: Option<Expr<'_>>,
) -> Vec<BoundName<'i>> {
    let mut bound = Vec::new();
    let mut elements = Vec::new();
    one(cx, verb, selector, &mut bound, &mut elements);
    let read = guard
        .map(|guard| names_in(guard.node()))
        .unwrap_or_default();
    for one in &bound {
        if !read.contains(&*one.name.text()) {
            unused(cx, one.name);
        }
    }
    partly_bound(cx, &bound, &elements, &read);
    bound
}

/// A list of which one element binds a name and another does not: for that, the
/// guard is never decided.
fn partly_bound(
    cx: &mut Cx<'_>,
    bound: &[BoundName<'_>],
    elements: &[(Expr<'_>, usize)],
    read: &BTreeSet<String>,
) {
    if elements.len() < 2 || bound.is_empty() {
        return;
    }
    let mut first = 0;
    for (element, until) in elements {
        let own: BTreeSet<String> = bound
            .get(first..*until)
            .unwrap_or_default()
            .iter()
            .map(|one| one.name.text().into_owned())
            .collect();
        first = *until;
        let missing = bound.iter().find(|one| {
            let text = one.name.text();
            read.contains(&*text)
                && !own.contains(&*text)
                && !cx.params.has(&text)
                && !RESERVED.contains(&&*text)
        });
        if let Some(missing) = missing {
            let text = missing.name.text();
            let report = Diagnostic::new(
                &codes::P0421,
                at_node(element.node()),
                format!("nothing gives `{text}` a value for this one"),
            )
            .label("the guard is never decided for it, which denies")
            .help("write a rule of its own for it");
            cx.report(report);
        }
    }
}

fn one<'i>(
    cx: &mut Cx<'_>,
    verb: Verb,
    selector: Expr<'i>,
    bound: &mut Vec<BoundName<'i>>,
    elements: &mut Vec<(Expr<'i>, usize)>,
) {
    match selector {
        Expr::Paren(paren) => {
            if let Some(inner) = paren.inner() {
                return one(cx, verb, inner, bound, elements);
            }
        }
        Expr::Array(array) => {
            for element in array.elements() {
                match element {
                    // A list in a list is no selector.
                    Expr::Array(_) => other_shape(cx, verb, element),
                    element => one(cx, verb, element, bound, elements),
                }
            }
            return;
        }
        Expr::Literal(_) => match word(selector) {
            Some(text) if text == "true" || text == "false" => {}
            Some(text) if is_effect_name(&text) => named(cx, verb, selector, &text),
            _ => other_shape(cx, verb, selector),
        },
        Expr::Name(_) | Expr::Path(_) => match name_of(selector) {
            Some(name) if !binds_nothing(&name) => named(cx, verb, selector, &name),
            _ => other_shape(cx, verb, selector),
        },
        Expr::Call(call) => match pattern_of(call) {
            Some(found) => {
                if let Some(callee) = call.callee() {
                    named(cx, verb, callee, &found.name);
                }
                arguments(cx, verb, found, bound);
            }
            None => other_shape(cx, verb, selector),
        },
        _ => other_shape(cx, verb, selector),
    }
    elements.push((selector, bound.len()));
}

/// What is known of the arguments of an effect.
enum Params {
    /// A pattern over many effects, with one argument.
    Record(Shape),
    /// These, in this order.
    Declared(Vec<(Arc<str>, Ty)>),
    /// Any.
    Unknown,
}

fn params(program: &dyn Program, name: &str) -> Params {
    let stdlib = program.stdlib();
    if let Some((_, shape)) = pattern(name) {
        return Params::Record(shape);
    }
    // A name may be that of a group besides; then it has no one set of them.
    if stdlib.groups.contains_key(name) {
        return Params::Unknown;
    }
    if let Some(tool) = program.tool(name) {
        let params = tool.params.iter();
        return Params::Declared(
            params
                .map(|param| (param.name.clone(), param.ty.clone()))
                .collect(),
        );
    }
    match (builtin(name), stdlib.effects.get(name)) {
        (Some(_), Some(effect)) => Params::Declared(effect.params.clone()),
        _ => Params::Unknown,
    }
}

/// The arguments of a call pattern.
fn arguments<'i>(cx: &mut Cx<'_>, verb: Verb, found: Pattern<'i>, bound: &mut Vec<BoundName<'i>>) {
    let params = params(cx.program, &found.name);
    let invoked = cx.channel && found.name == "invoke" && cx.program.tool("invoke").is_none();
    for (argument, asked, at) in &found.arguments {
        let declared = match (&params, argument) {
            (Params::Declared(params), Argument::At(place)) => {
                Some(params.get(*place).map(|(_, ty)| ty.clone()))
            }
            (Params::Declared(params), Argument::Named(name)) => {
                let own = params.iter().find(|(own, _)| own == name);
                Some(own.map(|(_, ty)| ty.clone()))
            }
            (Params::Record(shape), Argument::At(0)) => Some(Some(record_of(*shape))),
            (Params::Record(_), _) => Some(None),
            (Params::Unknown, _) => None,
        };
        match asked {
            Asked::Nothing => {}
            Asked::Binds(name) => {
                let text = name.text();
                let own = match &params {
                    Params::Declared(params) => params.iter().find(|(own, _)| **own == *text),
                    _ => None,
                };
                let place = match argument {
                    Argument::At(place) => *place,
                    Argument::Named(_) => 0,
                };
                let (gives, ty) = match (own, &params, declared) {
                    (Some((_, ty)), _, _) => (Gives::Argument(place), Some(ty.clone())),
                    (None, Params::Record(shape), Some(Some(ty))) => {
                        (Gives::Record(*shape), Some(ty))
                    }
                    (None, _, Some(Some(ty))) => (Gives::Argument(place), Some(ty)),
                    (None, _, Some(None)) => (Gives::Nothing, None),
                    (None, _, None) => (Gives::Argument(place), None),
                };
                bound.push(BoundName {
                    name: *name,
                    gives,
                    ty,
                });
            }
            Asked::ToBe(Wanted::Value(Value::String(agent))) if invoked => {
                if matches!(cx.program.agent(agent), AgentLookup::Unknown) {
                    no_agent(cx, verb, agent, *at);
                }
            }
            Asked::ToBe(wanted) => {
                let problem = match declared {
                    None => continue,
                    Some(None) => match argument {
                        Argument::Named(name) => format!("has no argument `{name}`"),
                        Argument::At(_) => match &params {
                            Params::Declared(params) if params.is_empty() => {
                                "has no arguments".to_owned()
                            }
                            Params::Declared(params) => match params.len() {
                                1 => "has one argument".to_owned(),
                                count => format!("has {count} arguments"),
                            },
                            _ => "has one argument".to_owned(),
                        },
                    },
                    Some(Some(ty)) => match (never_equal(&params, &ty, wanted), argument) {
                        (None, _) => continue,
                        (Some(what), Argument::Named(name)) => {
                            format!("takes {what} as `{name}`")
                        }
                        (Some(what), Argument::At(_)) => format!("takes {what} here"),
                    },
                };
                let effect = match verb {
                    Verb::Allow => "allows",
                    _ => "denies",
                };
                let message = format!("`{}` {problem}, so this {effect} nothing", found.name);
                let report = Diagnostic::new(&codes::P0413, at_node(at.node()), message);
                cx.report(report.help("`_` stands for any argument; arguments that are not written are not asked about"));
            }
        }
    }
}

/// `invoke("x")` in the policy of a channel, where there is no agent `x`.
fn no_agent(cx: &mut Cx<'_>, verb: Verb, agent: &str, at: Expr<'_>) {
    let effect = match verb {
        Verb::Allow => "allows",
        _ => "denies",
    };
    let message = format!(
        "there is no agent {}, so this {effect} nothing",
        quoted(agent)
    );
    let report = Diagnostic::new(&codes::P0413, at_node(at.node()), message);
    let names = match cx.may_search() {
        true => cx.program.project_names(crate::declaration::Kind::Agent),
        false => Vec::new(),
    };
    cx.report(match nearest(agent, names.iter().map(|name| &**name)) {
        Some(near) => report.help(format!("did you mean `{near}`?")).maybe_fix(
            format!("write `\"{near}\"`"),
            vec![Edit {
                at: at_node(at.node()),
                text: format!("\"{near}\""),
            }],
        ),
        None => report.help("name an agent of the project"),
    });
}

/// What an argument takes, if it is never equal to what is wanted.
fn never_equal(params: &Params, ty: &Ty, wanted: &Wanted) -> Option<String> {
    if let Params::Record(_) = params {
        // Compared with the name, or with an address.
        return match wanted {
            Wanted::Value(Value::String(_)) | Wanted::Path(_) => None,
            Wanted::Value(_) => Some("a text".to_owned()),
        };
    }
    let Wanted::Value(value) = wanted else {
        return None;
    };
    let (takes, found) = (Sort::of_type(ty)?, Sort::of_value(value)?);
    (!takes.compares_with(found)).then(|| takes.name().to_owned())
}

/// A selector that is none of the shapes that rules have.
fn other_shape(cx: &mut Cx<'_>, verb: Verb, selector: Expr<'_>) {
    if selector
        .node()
        .item()
        .problems()
        .iter()
        .any(Diagnostic::is_error)
    {
        return;
    }
    let message = match verb {
        Verb::Allow => "this selector matches nothing",
        _ => "this selector matches every effect",
    };
    let report = Diagnostic::new(&codes::P0411, at_node(selector.node()), message)
        .label("no effect is named like this");
    let all = matches!(word(selector).as_deref(), Some("*" | "any" | "_" | "all"));
    cx.report(match (verb, all) {
        // What it means is what it does.
        (Verb::Deny, true) => report.fix(
            "write `true`",
            vec![Edit {
                at: at_node(selector.node()),
                text: "true".to_owned(),
            }],
        ),
        (_, true) => report.help("`true` stands for every effect; a name or a group permits less"),
        _ => report.help("write `true`, a name, a list of names, or a call such as `send(to)`"),
    });
}

/// A name that rules may be about; reports one of nothing.
fn named(cx: &mut Cx<'_>, verb: Verb, at: Expr<'_>, name: &str) {
    if is_known(cx, name) {
        return;
    }
    let near = match cx.may_search() {
        true => near(cx, name),
        false => None,
    };
    if verb == Verb::Deny && near.is_none() {
        // An action of a program that is still to come is denied already.
        return;
    }
    let message = match verb {
        Verb::Allow => format!(
            "there is no effect {}, so this allows nothing",
            quoted(name)
        ),
        _ => format!(
            "there is no effect {}, so this denies nothing",
            quoted(name)
        ),
    };
    let report = Diagnostic::new(&codes::P0410, at_node(at.node()), message);
    cx.report(match near {
        Some(near) => report.help(format!("did you mean `{near}`?")).maybe_fix(
            format!("write `{}`", as_written(at, &near)),
            vec![Edit {
                at: at_node(at.node()),
                text: as_written(at, &near),
            }],
        ),
        None => report.help(
            "name a tool of `tools/`, an action that a body calls, an effect such as `send`, or \
             a group such as `read`",
        ),
    });
}

/// A name in quotes if the one that it replaces is.
fn as_written(at: Expr<'_>, name: &str) -> String {
    let node = at.node();
    match node.item().token_kind(node.tokens().start) {
        SyntaxKind::String | SyntaxKind::TripleString => format!("\"{name}\""),
        _ => name.to_owned(),
    }
}

/// Whether a name is that of an effect of the program, of a group or of a
/// pattern.
pub(super) fn is_known(cx: &Cx<'_>, name: &str) -> bool {
    let stdlib = cx.program.stdlib();
    if builtin(name).is_some()
        || stdlib.groups.contains_key(name)
        || pattern(name).is_some()
        || cx.program.tool(name).is_some()
        || (cx.channel && name == "invoke")
    {
        return true;
    }
    if let Some(agent) = name.strip_prefix("delegate::") {
        return !matches!(cx.program.agent(agent), AgentLookup::Unknown);
    }
    kind_of_effect(name, false) == symbi_policy::Kind::Driver || cx.program.calls(name)
}

/// The nearest name of an effect, a group or a pattern.
pub(super) fn near(cx: &mut Cx<'_>, name: &str) -> Option<String> {
    let program = cx.program;
    if let Some(agent) = name.strip_prefix("delegate::") {
        let agents = program.project_names(crate::declaration::Kind::Agent);
        let near = nearest(agent, agents.iter().map(|name| &**name))?;
        return Some(format!("delegate::{near}"));
    }
    let known = cx.known.get_or_insert_with(|| {
        let mut known = program.tool_names();
        // Of what bodies call, that which is an effect.
        let called = program.called().into_iter();
        let stdlib = program.stdlib();
        known.extend(called.filter(|name| !stdlib.functions.contains_key(name)));
        known
    });
    let known = known.iter().chain(super::vocabulary::names());
    nearest(name, known.map(|name| &**name)).map(str::to_owned)
}

/// A bare name that the guard does not use.
fn unused(cx: &mut Cx<'_>, name: Name<'_>) {
    let text = name.text();
    cx.report(
        Diagnostic::new(
            &codes::P0412,
            at_name(name),
            format!("`{text}` stands for any argument here, and no guard asks for it"),
        )
        .help(format!(
            "write `_` if it may be anything, `\"{text}\"` if it has to be this text"
        ))
        .fix(
            "write `_`",
            vec![Edit {
                at: at_name(name),
                text: "_".to_owned(),
            }],
        ),
    );
}

/// The names that are read somewhere below a node.
fn names_in(node: NodeRef<'_>) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    node.visit(|node| {
        if let Some(Expr::Name(name)) = Expr::cast(node)
            && let Some(name) = name.name()
        {
            found.insert(name.text().into_owned());
        }
        true
    });
    found
}

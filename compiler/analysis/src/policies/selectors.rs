//! Selectors: whether there is such an effect, and what they bind.

use std::sync::Arc;

use symbi_diagnostics::{Diagnostic, Edit, policies as codes};
use symbi_syntax::ast::{Argument, AstNode, CallExpr, Expr, Name, Verb};
use symbi_syntax::{NodeRef, SyntaxKind};

use super::check::Cx;
use super::lower::{binds_nothing, is_effect_name, name_of};
use super::vocabulary::{builtin, kind_of_effect, pattern};
use crate::declaration::word;
use crate::findings::{at_name, at_node};
use crate::program::AgentLookup;
use crate::suggest::nearest;
use symbi_mini::quote as quoted;

/// Checks the selector of an allow or a deny. Gives the names that it binds.
pub(super) fn check<'i>(
    cx: &mut Cx<'_>,
    verb: Verb,
    selector: Expr<'i>,
    guard: Option<Expr<'_>>,
) -> Vec<Name<'i>> {
    let mut bound = Vec::new();
    one(cx, verb, selector, &mut bound);
    for name in &bound {
        let used = guard.is_some_and(|guard| reads(guard.node(), &name.text()));
        if !used {
            unused(cx, *name);
        }
    }
    bound
}

fn one<'i>(cx: &mut Cx<'_>, verb: Verb, selector: Expr<'i>, bound: &mut Vec<Name<'i>>) {
    match selector {
        Expr::Paren(paren) => {
            if let Some(inner) = paren.inner() {
                one(cx, verb, inner, bound);
            }
        }
        Expr::Array(array) => {
            for element in array.elements() {
                one(cx, verb, element, bound);
            }
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
            Some(name) => {
                if let Some(callee) = call.callee() {
                    named(cx, verb, callee, &name);
                }
                let names = call.arguments().filter_map(|argument| match argument {
                    Argument::Positional(Expr::Name(name)) => name.name(),
                    _ => None,
                });
                bound.extend(names.filter(|name| !binds_nothing(&name.text())));
            }
            None => other_shape(cx, verb, selector),
        },
        _ => other_shape(cx, verb, selector),
    }
}

/// The name of a call pattern; `None` for another shape.
fn pattern_of(call: CallExpr<'_>) -> Option<String> {
    let name = name_of(call.callee()?).filter(|name| !binds_nothing(name))?;
    let fits = call.arguments().all(|argument| {
        let value = match argument {
            Argument::Positional(Expr::Name(_)) => return true,
            Argument::Positional(value) => Some(value),
            Argument::Named(named) => named.value(),
        };
        match value {
            Some(Expr::Path(_)) => true,
            Some(Expr::Name(name)) => name.name().is_some_and(|name| binds_nothing(&name.text())),
            Some(value) => super::lower::written_value(value).is_some(),
            None => false,
        }
    });
    fits.then_some(name)
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
    let near = near(cx, name);
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
        Some(near) => report.help(format!("did you mean `{near}`?")).fix(
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
fn is_known(cx: &Cx<'_>, name: &str) -> bool {
    let stdlib = cx.program.stdlib();
    if builtin(name).is_some()
        || stdlib.groups.contains_key(name)
        || pattern(stdlib, name).is_some()
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
fn near(cx: &Cx<'_>, name: &str) -> Option<String> {
    let stdlib = cx.program.stdlib();
    let agents = cx.program.project_names(crate::declaration::Kind::Agent);
    if let Some(agent) = name.strip_prefix("delegate::") {
        let near = nearest(agent, agents.iter().map(|name| &**name))?;
        return Some(format!("delegate::{near}"));
    }
    let mut known: Vec<Arc<str>> = cx.program.tool_names();
    known.extend(stdlib.groups.keys().cloned());
    for (effect, row) in stdlib.effects.iter() {
        known.extend(row.selectors.iter().cloned());
        known.extend(row.one_of.iter().cloned());
        if builtin(effect).is_some() {
            known.push(effect.into());
        }
    }
    // Of what bodies call, that which is an effect.
    let called = cx.program.called().into_iter();
    known.extend(called.filter(|name| stdlib.overloads(name).next().is_none()));
    nearest(name, known.iter().map(|name| &**name)).map(str::to_owned)
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

/// Whether a name is read somewhere below a node.
pub(super) fn reads(node: NodeRef<'_>, name: &str) -> bool {
    let mut open = vec![node];
    while let Some(node) = open.pop() {
        if let Some(Expr::Name(found)) = Expr::cast(node)
            && found.name().is_some_and(|found| found.text() == name)
        {
            return true;
        }
        open.extend(node.children());
    }
    false
}

//! Lists of capabilities, and what `constraints` deny: whether they say
//! anything about the program (language.md sections 2.2 and 4).

use std::collections::BTreeSet;
use std::sync::Arc;

use symbi_diagnostics::{Diagnostic, Edit, policies as codes};
use symbi_policy::{Ceiling, Effect, Kind, Record};
use symbi_syntax::ast::{
    AgentDef, AgentItem, AstNode, BlockItem, CapabilitiesDef, Capability, ConstraintsBlock, Expr,
    WithBody,
};
use symbi_syntax::{NodeRef, Place, SyntaxKind};

use super::called::called;
use super::check::Cx;
use super::lower::{ceiling, is_effect_name};
use super::selectors::{is_known, near};
use super::together::Scopes;
use super::vocabulary::{builtin, group, kind_of_effect};
use crate::declaration::{Kind as Declared, word};
use crate::findings::{at_node, at_token};
use crate::program::{AgentLookup, Program};

/// How many effects or entries a message names.
const NAMED: usize = 4;

/// How many functions of the file are followed to what they call.
const FOLLOWED: usize = 500;

/// Checks the capabilities and constraints of an agent, and keeps what its
/// policies may permit to the first list that is a ceiling.
pub(super) fn in_agent(cx: &mut Cx<'_>, agent: AgentDef<'_>, mut scopes: Option<&mut Scopes>) {
    let mut uses: Option<BTreeSet<Arc<str>>> = None;
    for item in agent.items() {
        match item {
            AgentItem::Capabilities(list) => {
                let is_first = uses.is_none();
                let uses = uses.get_or_insert_with(|| called(agent.node()));
                let scopes = scopes.as_deref_mut().filter(|scopes| !scopes.is_covered());
                if !is_first && scopes.is_none() {
                    continue;
                }
                let ceiling = ceiling(cx.program, list, &|name| uses.contains(name));
                if let (Some(scopes), Some(ceiling)) = (scopes, &ceiling) {
                    scopes.cover(ceiling);
                }
                if is_first {
                    let effects = effects(cx.program, agent, uses);
                    let talks = !agent.items().any(|item| has_body(item));
                    check(cx, list, ceiling, uses, &effects, talks);
                }
            }
            AgentItem::Constraints(block) => denied(cx, block),
            _ => {}
        }
    }
}

/// Whether an agent runs statements rather than a model.
fn has_body(item: AgentItem<'_>) -> bool {
    match item {
        AgentItem::With(with) => {
            matches!(with.body(), Some(WithBody::Statements(block)) if !block.is_empty())
        }
        _ => false,
    }
}

/// Checks a list at the top level, of an agent that calls nothing.
pub(super) fn at_top(cx: &mut Cx<'_>, list: CapabilitiesDef<'_>) {
    let ceiling = ceiling(cx.program, list, &|_| false);
    check(cx, list, ceiling, &BTreeSet::new(), &[], true);
}

/// The effects that an agent may have, by name, as far as its calls tell.
fn effects(
    program: &dyn Program,
    agent: AgentDef<'_>,
    uses: &BTreeSet<Arc<str>>,
) -> Vec<(Arc<str>, Kind)> {
    let locals = locals(agent.node());
    let own: BTreeSet<Arc<str>> = agent
        .items()
        .filter_map(|item| match item {
            AgentItem::Function(function) => Some(Arc::from(&*function.name()?.text())),
            _ => None,
        })
        .collect();
    let mut found: BTreeSet<(Arc<str>, bool)> = BTreeSet::new();
    let mut seen: BTreeSet<Arc<str>> = BTreeSet::new();
    let mut open: Vec<Arc<str>> = uses
        .iter()
        .filter(|name| !locals.contains(&***name) && !own.contains(*name))
        .cloned()
        .collect();
    let stdlib = program.stdlib();
    while let Some(name) = open.pop() {
        if !seen.insert(name.clone()) || seen.len() > FOLLOWED {
            continue;
        }
        let function = program.declared_in(program.file(), Declared::Function, &name);
        if function.is_some() {
            open.extend(program.function_calls(&name));
            continue;
        }
        if let Some((_, facts)) = stdlib.overloads(&name).next() {
            if let Some(effect) = &facts.effect
                && !effect.contains('{')
            {
                found.insert((effect.clone(), false));
            }
            continue;
        }
        if program.tool(&name).is_some() {
            found.insert((name, true));
        } else if !matches!(program.agent(&name), AgentLookup::Unknown) {
            found.insert((format!("delegate::{name}").into(), false));
        } else if !name.ends_with("::new") {
            found.insert((name, false));
        }
    }
    let kinds = found.into_iter().map(|(name, tool)| {
        let kind = kind_of_effect(&name, tool);
        (name, kind)
    });
    kinds.collect()
}

/// The names that are declared or assigned somewhere below a node, which a call
/// may mean.
fn locals(node: NodeRef<'_>) -> BTreeSet<&str> {
    let mut found = BTreeSet::new();
    let item = node.item();
    node.visit(|node| {
        let tokens = node.tokens();
        match node.kind() {
            SyntaxKind::LetStmt | SyntaxKind::ForStmt => {
                let words = tokens.clone().skip(1).take(1);
                found.extend(words.map(|token| item.token_text(token)));
            }
            SyntaxKind::AssignStmt | SyntaxKind::Param | SyntaxKind::NamePattern => {
                let words = tokens.clone().take(1);
                found.extend(words.map(|token| item.token_text(token)));
            }
            SyntaxKind::LambdaExpr => {
                let words = tokens.clone().take(64);
                let words = words.filter(|token| item.token_kind(*token).is_word());
                found.extend(words.map(|token| item.token_text(token)));
            }
            _ => {}
        }
        true
    });
    found
}

fn check(
    cx: &mut Cx<'_>,
    list: CapabilitiesDef<'_>,
    ceiling: Option<Ceiling>,
    uses: &BTreeSet<Arc<str>>,
    effects: &[(Arc<str>, Kind)],
    talks: bool,
) {
    // What is no name has been reported.
    if list.entries().iter().any(|entry| entry.text().is_none()) {
        return;
    }
    let at = at_token(list.node().tokens().start);
    let Some(ceiling) = ceiling else {
        cx.report(
            Diagnostic::new(
                &codes::P0450,
                at,
                "these capabilities only describe the agent: none of them is an effect",
            )
            .label("nothing is allowed or denied by them")
            .help(
                "name tools, effects such as `send`, or the groups `read`, `write`, `execute` \
                 and `network` to keep the agent to them",
            ),
        );
        return;
    };
    let none = Record::default();
    let missing: Vec<&str> = effects
        .iter()
        .filter(|(name, kind)| !ceiling.covers(&Effect::new(name, *kind, &none)))
        .map(|(name, _)| &**name)
        .collect();
    let idle: Vec<(String, Place)> = list
        .entries()
        .iter()
        .filter_map(|entry| {
            let name = entry.text()?;
            let known = match entry {
                Capability::Entry { tool: true, .. } => cx.program.tool(&name).is_some(),
                _ => uses.contains(&*name) || covers(cx, &name, effects, talks),
            };
            let at = match entry {
                Capability::Listed(expr) => at_node(expr.node()),
                Capability::Entry { node, .. } => at_node(*node),
            };
            (!known).then_some((name, at))
        })
        .collect();
    if missing.is_empty() && idle.is_empty() {
        return;
    }
    let report = match (&*missing, &*idle) {
        ([], [(name, at)]) => Diagnostic::new(
            &codes::P0451,
            *at,
            format!("`{name}` covers nothing that the agent has"),
        ),
        ([], several) => Diagnostic::new(
            &codes::P0451,
            at,
            format!("{} of these capabilities cover nothing", several.len()),
        ),
        (missing, _) => Diagnostic::new(
            &codes::P0451,
            at,
            format!(
                "the agent calls {}, which these capabilities leave out",
                listed(missing)
            ),
        )
        .label("what no capability covers is denied"),
    };
    let mut report = report;
    if idle.len() + missing.len() > 1 {
        for (name, at) in idle.iter().take(NAMED) {
            report = report.note(*at, format!("`{name}` covers nothing"));
        }
    }
    report = match (&*missing, added(list, &missing)) {
        ([], _) => match idle.first().filter(|_| cx.may_search()) {
            Some((name, _)) => match near(cx, name) {
                Some(near) => report.help(format!("did you mean `{near}`?")),
                None => report.help("leave out what covers nothing"),
            },
            None => report.help("leave out what covers nothing"),
        },
        (missing, Some(edit)) => report.maybe_fix(format!("add {}", listed(missing)), vec![edit]),
        (missing, None) => report.help(format!("add {}", listed(missing))),
    };
    cx.report(report);
}

/// Whether an entry covers an effect that the agent may have: it is called, or
/// a model may choose it, as it may each tool and, where it leads the agent, each
/// effect that is named.
fn covers(cx: &Cx<'_>, name: &str, effects: &[(Arc<str>, Kind)], talks: bool) -> bool {
    let stdlib = cx.program.stdlib();
    if cx.program.tool(name).is_some() || name.strip_prefix("delegate::").is_some() {
        return is_known(cx, name);
    }
    let kinds = group(stdlib, name);
    let tools = kinds.has(Kind::Tool) && !cx.program.tool_names().is_empty();
    tools
        || (talks && builtin(name).is_some())
        || kind_of_effect(name, false) == Kind::Driver
        || effects
            .iter()
            .any(|(own, kind)| **own == *name || kinds.has(*kind))
}

fn listed(names: &[&str]) -> String {
    let mut shown: Vec<String> = names
        .iter()
        .take(NAMED)
        .map(|name| format!("`{name}`"))
        .collect();
    match (names.len(), shown.pop()) {
        (_, None) => String::new(),
        (1, Some(only)) => only,
        (count, Some(last)) if count <= NAMED => format!("{} and {last}", shown.join(", ")),
        (count, Some(last)) => {
            shown.push(last);
            format!("{} and {} more", shown.join(", "), count - NAMED)
        }
    }
}

/// The edit that adds names to the end of a list.
fn added(list: CapabilitiesDef<'_>, names: &[&str]) -> Option<Edit<Place>> {
    let last = list.entries().pop()?;
    let Capability::Listed(last) = last else {
        return None;
    };
    let quoted = |name: &&str| format!(", \"{name}\"");
    Some(Edit {
        at: Place::After(last.node().tokens().end.checked_sub(1)?),
        text: names.iter().map(quoted).collect(),
    })
}

/// `deny_capabilities` of constraints: each has to be an effect.
fn denied(cx: &mut Cx<'_>, block: ConstraintsBlock<'_>) {
    let lists = block.entries().filter_map(|item| match item {
        BlockItem::Entry(entry) if entry.key().as_deref() == Some("deny_capabilities") => {
            entry.value()
        }
        _ => None,
    });
    for list in lists {
        let elements: Vec<Expr<'_>> = match list {
            Expr::Array(array) => array.elements().collect(),
            one => vec![one],
        };
        for element in elements {
            let Some(name) = word(element) else { continue };
            if ["true", "false"].contains(&&*name) || (is_effect_name(&name) && is_known(cx, &name))
            {
                continue;
            }
            let at = at_node(element.node());
            let shown = symbi_mini::quote(&name);
            let report = Diagnostic::new(
                &codes::P0452,
                at,
                format!("there is no effect {shown}, so this denies nothing"),
            );
            let near = match cx.may_search() {
                true => near(cx, &name),
                false => None,
            };
            cx.report(match near {
                Some(near) => report.help(format!("did you mean `{near}`?")),
                None => report
                    .help("name a tool, an effect such as `send`, or a group such as `network`"),
            });
        }
    }
}

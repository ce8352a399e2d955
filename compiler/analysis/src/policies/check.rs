//! Policies: what stands in them, and what a rule says in vain (language.md
//! section 4).

use std::collections::HashMap;
use std::sync::Arc;

use symbi_diagnostics::{Diagnostic, Edit, policies as codes};
use symbi_syntax::Place;
use symbi_syntax::ast::{
    self, AgentDef, AgentItem, AstNode, BlockItem, ChannelDef, Entry, NestedBlock, PolicyDef,
    PolicyMember, TopItem, Verb,
};

use super::guard_checks::Asked;
use super::lower::{self, Scope, is_unless_approved};
use super::matters::{Ruled, ruled};
use super::together::Scopes;
use crate::bodies::resolve_type;
use crate::declaration::{Kind, Param, TypeRef, param};
use crate::findings::{Findings, at_name, at_node, at_token};
use crate::program::{AgentParams, FileAgents, Program, SUGGESTIONS};
use crate::stdlib::Stdlib;
use crate::ty::Ty;

/// A policy under check.
pub(super) struct Cx<'p> {
    pub program: &'p dyn Program,
    pub findings: &'p mut Findings,
    /// The parameters that guards may name.
    pub params: Params,
    /// The policy stands in a channel, where agents are invoked.
    pub channel: bool,
    /// How many near names were looked for in this item.
    pub searches: &'p mut u32,
    /// The names of tools and of what bodies call, once they were asked for.
    pub known: Option<Vec<Arc<str>>>,
}

/// The parameters that guards of a policy may name.
pub(super) enum Params {
    /// Those of an agent, and its name.
    Agent(Option<Arc<str>>, Vec<Param>),
    /// At the top level, those of any agent of the file.
    File(Arc<AgentParams>),
    /// There are none.
    None,
}

impl Params {
    pub fn of(agent: AgentDef<'_>) -> Self {
        let name = agent.name().map(|name| Arc::from(&*name.text()));
        let params = agent.params();
        let params = params.map(|params| params.filter_map(param).collect());
        Params::Agent(name, params.unwrap_or_default())
    }

    pub fn has(&self, name: &str) -> bool {
        match self {
            Params::Agent(_, params) => params.iter().any(|param| *param.name == *name),
            Params::File(params) => params.contains_key(name),
            Params::None => false,
        }
    }

    /// The type of one, if it is written and the same wherever it is meant.
    pub fn ty(&self, program: &dyn Program, name: &str) -> Option<Ty> {
        let (agent, written) = match self {
            Params::Agent(agent, params) => {
                let param = params.iter().find(|param| *param.name == *name)?;
                (agent.as_deref(), param.ty.as_ref()?)
            }
            Params::File(params) => {
                let written = params.get(name)?.as_ref()?;
                // Each agent may have a type of its own of a name that the file
                // has too, so only built-in ones are sure.
                let TypeRef::Named(ty, _) = written else {
                    return None;
                };
                if program
                    .declared_in(program.file(), Kind::Type, ty)
                    .is_some()
                {
                    return None;
                }
                (None, written)
            }
            Params::None => return None,
        };
        Some(resolve_type(program, program.file(), agent, written))
    }

    /// All names, for "did you mean"; none if they are too many to look at.
    pub fn names(&self) -> Vec<Arc<str>> {
        match self {
            Params::Agent(_, params) if params.len() <= SUGGESTIONS => {
                params.iter().map(|param| param.name.clone()).collect()
            }
            Params::File(params) if params.len() <= SUGGESTIONS => params.keys().cloned().collect(),
            _ => Vec::new(),
        }
    }
}

/// How many near names are looked for in one item: each is a walk through all
/// names of the program.
const SEARCHES: u32 = 40;

impl Cx<'_> {
    pub fn report(&mut self, report: Diagnostic<Place>) {
        self.findings.report(report);
    }

    /// Where its policies stand, with these parameters.
    pub fn scope<'s>(&self, is_param: &'s dyn Fn(&str) -> bool) -> Scope<'s>
    where
        Self: 's,
    {
        Scope {
            program: self.program,
            is_param,
        }
    }

    /// Whether there may be one more search for a near name in this item.
    pub fn may_search(&mut self) -> bool {
        *self.searches = self.searches.saturating_add(1);
        *self.searches <= SEARCHES
    }
}

/// Checks the policies that an item is or holds. Gives what they may permit, to
/// be held against those of other items.
pub(crate) fn check(
    program: &dyn Program,
    top: TopItem<'_>,
    findings: &mut Findings,
) -> Option<Scopes> {
    let searches = &mut 0;
    let cx = &mut Cx {
        params: Params::None,
        program,
        findings,
        channel: false,
        searches,
        known: None,
    };
    match top {
        TopItem::Policy(policy) => {
            cx.params = Params::File(program.agent_params());
            governs_nobody(cx, policy);
            let mut scopes = Scopes::default();
            check_policy(cx, policy, Some(&mut scopes));
            return Some(scopes);
        }
        TopItem::Agent(agent) => return in_agent(cx, agent),
        TopItem::Channel(channel) => in_channel(cx, channel),
        TopItem::Capabilities(list) => super::capabilities::at_top(cx, list),
        _ => {}
    }
    None
}

/// What its policies may permit, if it has some and a name.
fn in_agent(cx: &mut Cx<'_>, agent: AgentDef<'_>) -> Option<Scopes> {
    let mut names: HashMap<String, Place> = HashMap::new();
    let mut known = false;
    let is_policy = |item| matches!(item, AgentItem::Policy(_));
    let mut scopes = match agent.items().any(is_policy) {
        true => agent.name().map(Scopes::of_agent),
        false => None,
    };
    super::capabilities::in_agent(cx, agent, scopes.as_mut());
    for item in agent.items() {
        let of_policies = matches!(item, AgentItem::Policy(_) | AgentItem::Channel(_));
        if of_policies && !known {
            cx.params = Params::of(agent);
            known = true;
        }
        match item {
            AgentItem::Policy(policy) => {
                second(cx, policy, &mut names, "agent");
                check_policy(cx, policy, scopes.as_mut());
            }
            AgentItem::Channel(channel) => {
                in_channel(cx, channel);
                cx.channel = false;
            }
            AgentItem::Constraints(block) => {
                if let (Some(scopes), Some(name)) = (&mut scopes, agent.name()) {
                    let lowered = lower::constraints(cx.scope(&|_| false), block);
                    let rules: Vec<Ruled<'_>> = lowered.block.rules.iter().map(ruled).collect();
                    scopes.add(None, at_name(name), &rules);
                }
            }
            _ => {}
        }
    }
    scopes
}

fn in_channel(cx: &mut Cx<'_>, channel: ChannelDef<'_>) {
    cx.channel = true;
    let mut names: HashMap<String, Place> = HashMap::new();
    for item in channel.entries() {
        if let BlockItem::Policy(policy) = item {
            second(cx, policy, &mut names, "channel");
            check_policy(cx, policy, None);
        }
    }
}

/// The places of a policy's word, and of its name if it has one.
pub(super) fn head(policy: PolicyDef<'_>) -> Place {
    match policy.name() {
        Some(name) => at_name(name),
        None => at_token(policy.node().tokens().start),
    }
}

/// A policy at the top level of a file without agents.
fn governs_nobody(cx: &mut Cx<'_>, policy: PolicyDef<'_>) {
    if cx.program.file_agents() != FileAgents::None {
        return;
    }
    cx.report(
        Diagnostic::new(
            &codes::P0401,
            head(policy),
            "this file has no agent, so this policy governs only the schedules that name it",
        )
        .help("put it into the file of the agents that it is for, or into one of them"),
    );
}

/// The second of two policies of one name in one scope.
fn second(cx: &mut Cx<'_>, policy: PolicyDef<'_>, names: &mut HashMap<String, Place>, scope: &str) {
    let Some(name) = policy.name() else { return };
    let text = name.text().into_owned();
    let Some(first) = names.get(&text) else {
        names.insert(text, at_name(name));
        return;
    };
    let report = merged(&text, at_name(name), *first, scope);
    cx.report(report);
}

/// The report about the second of two policies of one name.
pub(crate) fn merged<P>(name: &str, second: P, first: P, scope: &str) -> Diagnostic<P> {
    Diagnostic::new(
        &codes::P0402,
        second,
        format!("there is a policy `{name}` in this {scope} already, and the two are read as one"),
    )
    .note(first, "the first one is here")
    .help("an allow of either is enough for both: give it another name if each has to permit")
}

/// Checks a policy, and adds to a scope what it may permit.
fn check_policy(cx: &mut Cx<'_>, policy: PolicyDef<'_>, scopes: Option<&mut Scopes>) {
    let lowered = lower::policy(cx.scope(&|name| cx.params.has(name)), policy);
    let rules: Vec<Ruled<'_>> = lowered.block.rules.iter().map(ruled).collect();
    let mut left = 0..rules.len();
    let mut empty = true;
    for member in policy.members() {
        empty = false;
        match member {
            PolicyMember::Rule(rule) => {
                // What a rule is lowered to stands side by side, in the same order.
                let at = at_node(rule.node());
                let first = left.start;
                while left.start < left.end && lowered.rules[left.start] == at {
                    left.start += 1;
                }
                check_rule(cx, rule, &rules[first..left.start]);
            }
            PolicyMember::Entry(entry) => setting(cx, entry),
            PolicyMember::Block(block) => nested(cx, block),
        }
    }
    if empty && policy.node().item().problems().is_empty() {
        cx.report(
            Diagnostic::new(
                &codes::P0403,
                head(policy),
                "this policy has no rules, so it neither permits nor denies anything",
            )
            .help("write rules such as `allow: read`, or leave it out"),
        );
    }
    super::matters::check(cx, policy, &lowered, &rules);
    if let Some(scopes) = scopes {
        scopes.add(lowered.name, head(policy), &rules);
    }
}

/// An entry that is no rule.
fn setting(cx: &mut Cx<'_>, entry: Entry<'_>) {
    let Some(name) = entry.key() else { return };
    let report = Diagnostic::new(
        &codes::P0404,
        at_node(entry.node()),
        format!("nothing enforces `{name}` in a policy"),
    );
    let word = entry.value().and_then(crate::declaration::word);
    let deny_by_default = ["default", "default_action", "default_policy"].contains(&&*name)
        && word.is_some_and(|word| ["deny", "forbid", "block"].contains(&&*word));
    cx.report(match deny_by_default {
        true => report.help(
            "leave it out: what nobody allows is denied, and a policy with an `allow` denies \
             what none of its rules allows",
        ),
        false => report.help("say it with rules, or leave it out"),
    });
}

/// A block that is no rule.
fn nested(cx: &mut Cx<'_>, block: NestedBlock<'_>) {
    let name = block.key().unwrap_or_default();
    // `audit { … }` and `require { … }` are rules without their sign.
    if ["audit", "require", "allow", "deny"].contains(&&*name) {
        let first = block.node().tokens().start;
        cx.report(
            Diagnostic::new(
                &codes::P0405,
                at_token(first),
                format!(
                    "this `{name}` has no sign, so it is read as a block, and nothing enforces it"
                ),
            )
            .fix(
                format!("write `{name}: {{ … }}`"),
                vec![Edit {
                    at: Place::After(first),
                    text: ":".to_owned(),
                }],
            ),
        );
        return;
    }
    let report = Diagnostic::new(
        &codes::P0405,
        at_token(block.node().tokens().start),
        format!("nothing enforces the block `{name}` in a policy"),
    );
    cx.report(match &*name {
        "agent" => {
            let unknown = block.label();
            let unknown = unknown.filter(|name| cx.program.agent_entries(name).count == 0);
            report.help(match unknown {
                Some(name) => format!(
                    "write the rules in a policy of that agent; there is no agent {}",
                    symbi_mini::quote(&name)
                ),
                None => "write the rules in a policy of that agent, which is refused as long as \
                         this block names it"
                    .to_owned(),
            })
        }
        _ => report.help("say it with rules, or leave it out"),
    });
}

/// Checks a rule, which was lowered to these.
fn check_rule(cx: &mut Cx<'_>, rule: ast::Rule<'_>, ruled: &[Ruled<'_>]) {
    let Some(verb) = rule.verb() else { return };
    for tail in rule.tails() {
        told_tail(cx, verb, at_node(tail));
    }
    let guard = rule.guard();
    match verb {
        Verb::Allow | Verb::Deny => {
            let bound = match rule.selector() {
                Some(selector) => super::selectors::check(cx, verb, selector, guard),
                None => Vec::new(),
            };
            if let Some(guard) = guard {
                if verb == Verb::Deny && is_unless_approved(guard) {
                    unless_approved(cx, rule, guard);
                } else {
                    super::guard_checks::of_rule(cx, guard, &bound, verb, ruled);
                }
            }
        }
        Verb::Require => {
            if let Some(guard) = guard {
                super::guard_checks::check(cx, guard, &[], Asked::Applies(verb));
            }
            super::guard_checks::required(cx, rule);
            super::obligations::required(cx, rule);
        }
        Verb::Audit => {
            if let Some(guard) = guard {
                super::guard_checks::check(cx, guard, &[], Asked::Applies(verb));
            }
            super::obligations::audited(cx, rule);
        }
    }
}

/// Words behind a rule that nothing enforces.
fn told_tail(cx: &mut Cx<'_>, verb: Verb, at: Place) {
    let (message, help) = match verb {
        Verb::Allow => (
            "nothing enforces these words, so this rule allows nothing",
            "say it with a guard: `if …`, or leave the words out",
        ),
        Verb::Deny => (
            "nothing enforces these words, so this rule denies in any case",
            "say it with a guard: `if …`, or leave the words out",
        ),
        Verb::Require | Verb::Audit => (
            "nothing enforces these words",
            "say it with `if …`, or leave the words out",
        ),
    };
    cx.report(Diagnostic::new(&codes::P0406, at, message).help(help));
}

/// `deny: S if not context.has_human_approval`.
fn unless_approved(cx: &mut Cx<'_>, rule: ast::Rule<'_>, guard: ast::Expr<'_>) {
    let selector = rule.selector();
    let names = selector.and_then(|selector| names_of(selector));
    let report = Diagnostic::new(
        &codes::P0425,
        at_node(guard.node()),
        "this is read as a demand that a person agrees: approvals are no facts of `context`",
    );
    let row = Stdlib::get().obligations.get("human_approval");
    let is_planned = row.is_none_or(|row| row.enforced.is_none());
    cx.report(match names {
        Some(names) => report.fix(
            "write it with `require`",
            vec![Edit {
                at: at_node(rule.node()),
                text: format!("require: {{ human_approval: {names} }}"),
            }],
        ),
        None => report.help("write `require: { human_approval: [\"name\"] }`"),
    });
    if is_planned {
        super::obligations::planned(cx, "human_approval", at_node(guard.node()));
    }
}

/// A selector as a list of names; `true` where it is every effect.
fn names_of(selector: ast::Expr<'_>) -> Option<String> {
    let name = |expr: ast::Expr<'_>| -> Option<String> {
        let text: Arc<str> = match expr {
            ast::Expr::Name(_) | ast::Expr::Path(_) | ast::Expr::Literal(_) => {
                crate::declaration::word(expr)?.into()
            }
            _ => return None,
        };
        lower::is_effect_name(&text).then(|| format!("\"{text}\""))
    };
    match selector {
        ast::Expr::Array(array) => {
            let names: Option<Vec<String>> = array.elements().map(name).collect();
            let names = names?;
            (!names.is_empty()).then(|| format!("[{}]", names.join(", ")))
        }
        ast::Expr::Literal(_) if crate::declaration::word(selector).as_deref() == Some("true") => {
            Some("true".to_owned())
        }
        one => Some(format!("[{}]", name(one)?)),
    }
}

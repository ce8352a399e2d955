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

use super::lower::is_unless_approved;
use crate::declaration::{Declaration, Kind, Param, param};
use crate::findings::{Findings, at_name, at_node, at_token};
use crate::program::{FileAgents, Program};

/// A policy under check.
pub(super) struct Cx<'p> {
    pub program: &'p dyn Program,
    pub findings: &'p mut Findings,
    /// The parameters that guards may name: those of the agent or, at the top
    /// level, of any agent of the file.
    pub params: Vec<Param>,
    /// The policy stands in a channel, where agents are invoked.
    pub channel: bool,
}

impl Cx<'_> {
    pub fn report(&mut self, report: Diagnostic<Place>) {
        self.findings.report(report);
    }
}

/// Checks the policies that an item is or holds.
pub(crate) fn check(program: &dyn Program, top: TopItem<'_>, findings: &mut Findings) {
    match top {
        TopItem::Policy(policy) => {
            let cx = &mut Cx {
                params: file_params(program),
                program,
                findings,
                channel: false,
            };
            governs_nobody(cx, policy);
            check_policy(cx, policy);
        }
        TopItem::Agent(agent) => in_agent(program, agent, findings),
        TopItem::Channel(channel) => in_channel(program, channel, Vec::new(), findings),
        _ => {}
    }
}

fn in_agent(program: &dyn Program, agent: AgentDef<'_>, findings: &mut Findings) {
    let params = || -> Vec<Param> {
        let params = agent.params();
        params
            .map(|params| params.filter_map(param).collect())
            .unwrap_or_default()
    };
    let mut names: HashMap<String, Place> = HashMap::new();
    for item in agent.items() {
        match item {
            AgentItem::Policy(policy) => {
                let cx = &mut Cx {
                    params: params(),
                    program,
                    findings,
                    channel: false,
                };
                second(cx, policy, &mut names, "agent");
                check_policy(cx, policy);
            }
            AgentItem::Channel(channel) => in_channel(program, channel, params(), findings),
            _ => {}
        }
    }
}

fn in_channel(
    program: &dyn Program,
    channel: ChannelDef<'_>,
    params: Vec<Param>,
    findings: &mut Findings,
) {
    let cx = &mut Cx {
        params,
        program,
        findings,
        channel: true,
    };
    let mut names: HashMap<String, Place> = HashMap::new();
    for item in channel.entries() {
        if let BlockItem::Policy(policy) = item {
            second(cx, policy, &mut names, "channel");
            check_policy(cx, policy);
        }
    }
}

/// The parameters of all agents of the file.
fn file_params(program: &dyn Program) -> Vec<Param> {
    let own = program.file();
    let names = match program.file_agents() {
        FileAgents::None | FileAgents::Unnamed => Vec::new(),
        FileAgents::One(name) => vec![name],
        FileAgents::Several => program.names_in(own, Kind::Agent),
    };
    let mut params: Vec<Param> = Vec::new();
    for name in names {
        if let Some(declaration) = program.declared_in(own, Kind::Agent, &name)
            && let Declaration::Agent(agent) = &*declaration
        {
            params.extend(agent.params.iter().cloned());
        }
    }
    params
}

/// The places of a policy's word, and of its name if it has one.
fn head(policy: PolicyDef<'_>) -> Place {
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

fn check_policy(cx: &mut Cx<'_>, policy: PolicyDef<'_>) {
    let mut empty = true;
    for member in policy.members() {
        empty = false;
        match member {
            PolicyMember::Rule(rule) => check_rule(cx, rule),
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
        "agent" => report.help("write the rules in a policy of that agent"),
        _ => report.help("say it with rules, or leave it out"),
    });
}

fn check_rule(cx: &mut Cx<'_>, rule: ast::Rule<'_>) {
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
                    super::guard_checks::check(cx, guard, &bound);
                }
            }
        }
        Verb::Require => {
            if let Some(guard) = guard {
                super::guard_checks::check(cx, guard, &[]);
            }
            super::guard_checks::required(cx, rule);
        }
        Verb::Audit => {
            if let Some(guard) = guard {
                super::guard_checks::check(cx, guard, &[]);
            }
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
        super::lower::is_effect_name(&text).then(|| format!("\"{text}\""))
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

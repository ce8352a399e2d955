//! How agents are isolated (language.md section 5).

use symbi_diagnostics::{Diagnostic, Edit, sandboxes as codes};
use symbi_project::Tier;
use symbi_syntax::Place;
use symbi_syntax::ast::{AgentDef, AgentItem, AstNode, Expr, RecordField};

use super::cx::Cx;
use super::plain::plain;
use super::values::as_tier;
use crate::findings::{at_name, at_node, at_token};

/// The report about a sandbox that isolates nothing.
pub(crate) fn not_isolated<P>(at: P) -> Diagnostic<P> {
    Diagnostic::new(
        &codes::X0601,
        at,
        "`none` isolates nothing, and the host refuses it unless it is told otherwise",
    )
    .help("choose `docker` or a stronger one, or start the host with `SYMBIONT_ALLOW_UNISOLATED=1`")
}

/// The sandbox that an attribute names; `None` for a word that is no tier,
/// which has been reported.
fn tier_of(value: Expr<'_>) -> Option<Tier> {
    as_tier(&plain(value))
}

/// The sandbox of an agent: what it states, against what the project demands
/// and what its policies demand.
pub(super) fn of_agent(cx: &mut Cx<'_>, agent: AgentDef<'_>, stated: Option<Expr<'_>>) {
    let at = match agent.name() {
        Some(name) => at_name(name),
        None => at_token(agent.node().tokens().start),
    };
    let name = agent.name().map(|name| name.text().into_owned());
    stands(cx, at, &name.unwrap_or_default(), stated);
    let demanded = agent.items().filter_map(|item| match item {
        AgentItem::Policy(policy) => Some(policy),
        _ => None,
    });
    let own = match stated {
        Some(value) => match tier_of(value) {
            Some(tier) => tier,
            None => return,
        },
        None => cx.program.sandbox().effective(None),
    };
    for policy in demanded {
        for rule in policy.rules() {
            if let Some(Expr::Record(record)) = rule.selector() {
                for field in record.fields() {
                    demands(cx, own, field);
                }
            }
        }
    }
}

/// `sandbox_tier: "gvisor"` in a `require`.
fn demands(cx: &mut Cx<'_>, own: Tier, field: RecordField<'_>) {
    if field.key().as_deref() != Some("sandbox_tier") {
        return;
    }
    let Some(value) = field.value() else { return };
    if let Some(demanded) = tier_of(value).filter(|demanded| !own.satisfies(*demanded)) {
        let (own, demanded) = (own.as_str(), demanded.as_str());
        cx.report(
            Diagnostic::new(
                &codes::X0603,
                at_node(value.node()),
                format!("the agent runs in `{own}`, which is not enough for `{demanded}`"),
            )
            .label("what is under this demand is denied")
            .help(format!("write `with sandbox = \"{demanded}\"`")),
        );
    }
}

/// A sandbox as it is stated, or not, for an agent of this name.
pub(super) fn stands(cx: &mut Cx<'_>, at: Place, name: &str, stated: Option<Expr<'_>>) {
    let sandbox = cx.program.sandbox();
    let Some(value) = stated else {
        let tier = sandbox.effective(None);
        // A default below the minimum has its report in the project file.
        if sandbox.tier.is_none()
            && let Some(minimum) = sandbox.minimum.filter(|minimum| !tier.satisfies(*minimum))
        {
            let (tier, minimum) = (tier.as_str(), minimum.as_str());
            let message = format!(
                "`{name}` states no sandbox and runs in `{tier}`, and the minimum of the project \
                 is `{minimum}`"
            );
            cx.report(Diagnostic::new(&codes::X0602, at, message).help(format!(
                "write `with sandbox = \"{minimum}\"`, or `tier = \"{minimum}\"` in `[sandbox]` of \
                 `symbiont.toml`"
            )));
        }
        return;
    };
    let Some(tier) = tier_of(value) else { return };
    let at = at_node(value.node());
    if let Some(minimum) = sandbox.minimum.filter(|minimum| !tier.satisfies(*minimum)) {
        let beside = [tier, minimum].contains(&Tier::Landlock);
        let message = format!(
            "`{}` is {} `{}`, the minimum of the project",
            tier.as_str(),
            match beside {
                true => "not comparable with",
                false => "weaker than",
            },
            minimum.as_str()
        );
        let text = format!("\"{}\"", minimum.as_str());
        cx.report(
            Diagnostic::new(&codes::X0602, at, message)
                .maybe_fix(format!("write `{text}`"), vec![Edit { at, text }]),
        );
    }
    if tier == Tier::None {
        cx.report(not_isolated(at));
    }
}

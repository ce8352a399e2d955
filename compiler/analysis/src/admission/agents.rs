//! What of an agent itself a route cannot run.

use symbi_diagnostics::{Diagnostic, routes as codes};
use symbi_syntax::Place;
use symbi_syntax::ast::{AgentDef, AgentItem, AstNode, WithBody};

use super::routes::{Route, Routes};
use crate::findings::{at_name, at_node, at_token};
use crate::policies::driver;
use crate::program::Program;

/// The attributes that an agent in a chat may have.
const CONVERSATIONAL: [&str; 2] = ["sandbox", "timeout"];

/// A reason, and the routes that it refuses.
pub(super) type Reason = (Routes, Diagnostic<Place>);

/// The reasons that lie in an agent.
pub(super) fn reasons(program: &dyn Program, agent: AgentDef<'_>) -> Vec<Reason> {
    let mut reasons = Vec::new();
    let at = match agent.name() {
        Some(name) => at_name(name),
        None => at_token(agent.node().tokens().start),
    };
    let name = agent.name().map(|name| name.text().into_owned());
    let name = name.unwrap_or_default();
    let managed = driver(program, Some(agent));
    driven(at, &name, managed.as_deref(), &mut reasons);
    let body = body_of(agent);
    if let (Some(driver), Some(body)) = (&managed, body) {
        let message = format!("`{name}` has a body, which the driver `{driver}` does not run");
        let report = Diagnostic::new(&codes::R1104, body, message);
        reasons.push((
            Routes::of(&[Route::Managed]),
            report.help("leave the body out, or the executor"),
        ));
    }
    in_chat(agent, &name, body, &mut reasons);
    reasons
}

/// The reasons that lie in an agent without the word, of what its file says.
pub(super) fn implicit(program: &dyn Program, at: Place, name: &str) -> Vec<Reason> {
    let mut reasons = Vec::new();
    let managed = driver(program, None);
    driven(at, name, managed.as_deref(), &mut reasons);
    reasons
}

/// An agent of a managed driver runs there, and no other does.
fn driven(at: Place, name: &str, driver: Option<&str>, reasons: &mut Vec<Reason>) {
    let managed = Routes::of(&[Route::Managed]);
    let others: Vec<Route> = Route::ALL
        .into_iter()
        .filter(|route| *route != Route::Managed)
        .collect();
    reasons.push(match driver {
        None => (
            managed,
            Diagnostic::new(&codes::R1102, at, format!("`{name}` has no managed driver"))
                .help("write `executor = \"claude_code\"`, or another driver, in its metadata"),
        ),
        Some(driver) => (
            Routes::of(&others),
            Diagnostic::new(
                &codes::R1103,
                at,
                format!("`{name}` runs in the driver `{driver}`, on the route `managed` alone"),
            )
            .help("leave `executor` out to run it on the others"),
        ),
    });
}

/// Where the body of an agent begins, if it has one that is not empty.
fn body_of(agent: AgentDef<'_>) -> Option<Place> {
    agent.items().find_map(|item| match item {
        AgentItem::With(with) => match with.body() {
            Some(WithBody::Statements(block)) if !block.is_empty() => {
                Some(at_token(with.node().tokens().start))
            }
            _ => None,
        },
        _ => None,
    })
}

/// Chats reach conversational agents only: no parameters, no body, and of the
/// attributes `sandbox` and `timeout` alone.
fn in_chat(agent: AgentDef<'_>, name: &str, body: Option<Place>, reasons: &mut Vec<Reason>) {
    let chat = Routes::of(&[Route::Chat]);
    let mut refuse = |at: Place, what: String| {
        let message = format!("chats reach conversational agents only, and `{name}` has {what}");
        let report = Diagnostic::new(&codes::R1105, at, message);
        let help = "a conversational agent has no parameters and no body, and of the attributes of \
                    `with` only `sandbox` and `timeout`";
        reasons.push((chat, report.help(help)));
    };
    if let Some(first) = agent.params().and_then(|mut params| params.next()) {
        refuse(at_node(first.node()), "parameters".to_owned());
    }
    if let Some(body) = body {
        refuse(body, "a body".to_owned());
    }
    for item in agent.items() {
        let AgentItem::With(with) = item else {
            continue;
        };
        for entry in with.attributes() {
            let Some(key) = entry.key() else { continue };
            if !CONVERSATIONAL.contains(&&*key) {
                refuse(at_node(entry.node()), format!("the attribute `{key}`"));
            }
        }
    }
}

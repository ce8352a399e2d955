//! Webhooks (language.md section 3).

use symbi_diagnostics::{Diagnostic, Edit, blocks as codes};
use symbi_syntax::Place;
use symbi_syntax::ast::{AstNode, WebhookDef};

use super::cx::{Cx, at_value, instead, quoted};
use super::entries::{Given, head_place, read};
use super::naming;
use super::plain::{Plain, plain};
use super::references::{self, Target};
use super::tables::{FILTER, WEBHOOK};
use crate::findings::at_token;

/// A webhook, in an agent if `owner` is there.
pub(super) fn check(cx: &mut Cx<'_>, webhook: WebhookDef<'_>, owner: Option<&Target>) {
    let mut given = Given::default();
    let name = webhook.name();
    let items = naming::entries(cx, webhook.node(), name, webhook.entries(), owner.is_some());
    read(cx, &WEBHOOK, items.into_iter(), &mut given);
    path(cx, webhook, &given);
    secret(cx, webhook, &given);
    match given.value("agent") {
        Some(value) => {
            references::agent(cx, value, "a call starts nothing");
        }
        None if given.has("agent") || owner.is_some() => {}
        None => no_agent(cx, webhook),
    }
    for block in &given.blocks {
        let mut filter = Given::default();
        read(cx, &FILTER, block.entries(), &mut filter);
        let missing = match (
            filter.has("json_path"),
            filter.has("equals"),
            filter.has("contains"),
        ) {
            (true, true, false) | (true, false, true) => continue,
            (_, true, true) => "a filter has either `equals` or `contains`, not both",
            (true, false, false) => "this filter does not say what it looks for",
            (false, false, false) => "this filter says nothing",
            (false, _, _) => "this filter does not say where it looks",
        };
        cx.report(
            Diagnostic::new(
                &codes::B0745,
                head_place(*block),
                format!("{missing}: the webhook is refused"),
            )
            .help("write `json_path \"$.action\"`, and `equals` or `contains` with a value"),
        );
    }
    if let Some(value) = given.value("filter")
        && let Plain::Array(array) = plain(value)
    {
        for element in array.elements() {
            let found = plain(element);
            if found.word().is_none() {
                cx.wrong_type("filter", element, &found, "the names of events");
            }
        }
    }
}

/// Whether a text is a path that a server can listen on.
pub(crate) fn is_path(path: &str) -> bool {
    path.starts_with('/') && !path.contains(char::is_whitespace)
}

fn path(cx: &mut Cx<'_>, webhook: WebhookDef<'_>, given: &Given<'_>) {
    let Some(value) = given.value("path") else {
        if !given.has("path") {
            cx.missing(
                webhook.node(),
                Diagnostic::new(
                    &codes::B0740,
                    head(webhook),
                    "this webhook does not say on which path it listens",
                )
                .help("write `path \"/hooks/name\"`"),
            );
        }
        return;
    };
    let found = plain(value);
    let Some(path) = found.word() else { return };
    if is_path(path) {
        return;
    }
    let report = at_value(
        &codes::B0741,
        value,
        match path.starts_with('/') {
            true => format!("{} has spaces, which no path has", quoted(path)),
            false => format!("{} does not begin with `/`", quoted(path)),
        },
    );
    let plain_path =
        !path.is_empty() && !path.contains("://") && !path.contains(char::is_whitespace);
    cx.report(match plain_path {
        true => report.fix(
            format!("write `\"/{path}\"`"),
            instead(value, format!("\"/{path}\"")),
        ),
        false => report.help("write only the path, such as `\"/hooks/name\"`"),
    });
}

fn secret(cx: &mut Cx<'_>, webhook: WebhookDef<'_>, given: &Given<'_>) {
    const HELP: &str = "write `secret vault://hooks/name` or `secret $HOOK_SECRET`: without one \
                        anybody could call it";
    match given.value("secret") {
        Some(value) => {
            if let Plain::Text(text) = plain(value)
                && text.trim().is_empty()
            {
                cx.report(
                    at_value(
                        &codes::B0742,
                        value,
                        "this secret is empty: the webhook is refused",
                    )
                    .help(HELP),
                );
            }
        }
        None if given.has("secret") => {}
        None => cx.missing(
            webhook.node(),
            Diagnostic::new(
                &codes::B0742,
                head(webhook),
                "this webhook has no secret, and is refused without one",
            )
            .help(HELP),
        ),
    }
}

/// Its word.
fn head(webhook: WebhookDef<'_>) -> Place {
    at_token(webhook.node().tokens().start)
}

fn no_agent(cx: &mut Cx<'_>, webhook: WebhookDef<'_>) {
    let report = Diagnostic::new(
        &codes::B0743,
        head(webhook),
        "this webhook does not say which agent it starts: a call starts nothing",
    );
    let last = webhook.node().tokens().end.saturating_sub(1);
    let report = match references::only_agent(cx.program) {
        Some(only) => report.fix(
            format!("write `agent {}`", only.name),
            vec![Edit {
                at: Place::Before(last),
                text: format!("agent {} ", only.name),
            }],
        ),
        None => report.help("write `agent` and the name of an agent"),
    };
    cx.missing(webhook.node(), report);
}

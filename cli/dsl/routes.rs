//! `--route` and `--explain-routes`: on which routes agents may run.

use clap::ValueEnum;
use clap::builder::PossibleValue;
use symbi_analysis::{Admission, AgentAdmission, Reason, Route};
use symbi_diagnostics::SourceFile;
use symbi_diagnostics::render::json::{JsonAgent, JsonElsewhere, JsonReason, JsonSpan, place_of};
use symbi_diagnostics::render::one_line;

use crate::output::{GREEN, RED_BOLD, paint};

/// What `--route` takes.
#[derive(Clone, Copy, Debug)]
pub struct RouteName(pub Route);

impl ValueEnum for RouteName {
    fn value_variants<'a>() -> &'a [Self] {
        const NAMES: [RouteName; Route::ALL.len()] = {
            let mut names = [RouteName(Route::Run); Route::ALL.len()];
            let mut at = 0;
            while at < names.len() {
                names[at] = RouteName(Route::ALL[at]);
                at += 1;
            }
            names
        };
        &NAMES
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        let help = match self.0 {
            Route::Run => "From the command line",
            Route::Http => "For a request over HTTP, such as that of a webhook",
            Route::Schedule => "When a schedule fires",
            Route::Delegate => "For another agent",
            Route::Chat => "For a message in a channel",
            Route::Mcp => "For a client of the Model Context Protocol",
            Route::Managed => "In a managed driver, such as `claude_code`",
        };
        Some(PossibleValue::new(self.0.as_str()).help(help))
    }
}

/// The table of the agents of a file, and why they are refused where they are.
/// Empty for a file without agents.
pub fn table(file: &SourceFile, admission: &Admission, colour: bool) -> String {
    let mut out = String::new();
    let width = admission
        .agents
        .iter()
        .map(|agent| agent.name.chars().count());
    let width = width.max().unwrap_or(0).max("agent".len());
    if !admission.agents.is_empty() {
        let heads: Vec<&str> = Route::ALL.into_iter().map(Route::as_str).collect();
        out.push_str(&format!("  {:width$}  {}\n", "agent", heads.join("  ")));
    }
    for agent in &admission.agents {
        out.push_str(&format!("  {:width$}", agent.name));
        for route in Route::ALL {
            let (word, paints) = match agent.is_admitted(route) {
                true => ("yes", GREEN),
                false => ("no", RED_BOLD),
            };
            let gap = " ".repeat(route.as_str().len() - word.len());
            out.push_str(&format!("  {}{gap}", paint(word, paints, colour)));
        }
        out.truncate(out.trim_end_matches(' ').len());
        out.push('\n');
    }
    for agent in &admission.agents {
        if agent.reasons.is_empty() {
            continue;
        }
        out.push_str(&format!("  `{}` is refused:\n", one_line(&agent.name)));
        for reason in &agent.reasons {
            out.push_str(&line(file, reason));
        }
    }
    if !admission.triggers.is_empty() {
        out.push_str("  refused, without an agent of this file:\n");
        for reason in &admission.triggers {
            out.push_str(&line(file, reason));
        }
    }
    out
}

fn line(file: &SourceFile, reason: &Reason) -> String {
    let at = file.line_column(reason.report.primary.at.start);
    let waiver = match &reason.waived_as {
        Some(name) => format!(
            "; to waive it: {{ code = \"{}\", name = {name:?} }}",
            reason.report.code.id
        ),
        None => String::new(),
    };
    format!(
        "    {}: {}:{} {} {}{}\n",
        routes(reason),
        at.line,
        at.column,
        reason.report.code.id,
        one_line(&reason.report.message),
        one_line(&waiver),
    )
}

/// The routes that a reason refuses, in words.
fn routes(reason: &Reason) -> String {
    let (refused, others): (Vec<Route>, Vec<Route>) = Route::ALL
        .into_iter()
        .partition(|route| reason.routes.has(*route));
    let names = |routes: &[Route]| -> String {
        let names: Vec<&str> = routes.iter().map(|route| route.as_str()).collect();
        names.join(", ")
    };
    match &*others {
        [] => "everywhere".to_owned(),
        [but] => format!("everywhere but {}", but.as_str()),
        _ => names(&refused),
    }
}

/// The agents of a file for the document.
pub fn json(file: &SourceFile, admission: &Admission) -> Vec<JsonAgent> {
    let agent = |agent: &AgentAdmission| JsonAgent {
        name: agent.name.to_string(),
        admitted: Route::ALL
            .into_iter()
            .filter(|route| agent.is_admitted(*route))
            .map(Route::as_str)
            .collect(),
        reasons: agent
            .reasons
            .iter()
            .map(|reason| entry(file, reason))
            .collect(),
    };
    admission.agents.iter().map(agent).collect()
}

fn entry(file: &SourceFile, reason: &Reason) -> JsonReason {
    JsonReason {
        routes: Route::ALL
            .into_iter()
            .filter(|route| reason.routes.has(*route))
            .map(Route::as_str)
            .collect(),
        code: reason.report.code.id,
        message: reason.report.message.clone(),
        span: symbi_diagnostics::render::json::span(file, reason.report.primary.at),
        waived_as: reason.waived_as.clone(),
        elsewhere: reason.elsewhere.as_ref().map(|elsewhere| {
            let block = &elsewhere.block;
            JsonElsewhere {
                path: elsewhere.path.to_string(),
                span: JsonSpan {
                    start: place_of(block.at.start, block.start),
                    end: place_of(block.at.end, block.end),
                },
            }
        }),
    }
}

//! What blocks name: agents, policies, webhooks and memories of the project.

use std::sync::Arc;

use symbi_diagnostics::{blocks as codes, references as reference_codes};
use symbi_syntax::ast::Expr;

use super::cx::{Cx, any_of, at_value, instead, quoted};
use super::plain::{Plain, plain};
use super::values::requoted;
use crate::declaration::{Declaration, Kind, Param};
use crate::exports::stem;
use crate::program::{AgentLookup, FileAgents, FileId, Found, Program};
use crate::suggest::nearest;

/// The agent that a block starts.
#[derive(Clone)]
pub(crate) struct Target {
    /// Its name.
    pub name: Arc<str>,
    /// What it takes.
    pub params: Arc<[Param]>,
    /// It talks, and takes whatever it is told.
    pub talks: bool,
    /// Where the types of its parameters are looked up.
    pub file: FileId,
}

impl Target {
    /// An agent that was found by a name.
    pub fn of(name: Arc<str>, found: &Found) -> Self {
        Target::new(name, found.file, &found.declaration)
    }

    fn new(name: Arc<str>, file: FileId, declaration: &Declaration) -> Self {
        match declaration {
            Declaration::Agent(agent) => Target {
                name: agent.name.clone().unwrap_or(name),
                params: agent.params.as_slice().into(),
                talks: !agent.executable && agent.params.is_empty(),
                file,
            },
            _ => Target {
                name,
                params: Arc::default(),
                talks: true,
                file,
            },
        }
    }
}

/// The agent that a value names, if it names one.
pub(crate) fn agent_of(program: &dyn Program, value: Expr<'_>) -> Option<Target> {
    let found = plain(value);
    let name = found.word()?;
    target(program.agent(name), name).ok()
}

/// The agent that a name leads to.
///
/// # Errors
/// It leads to none, or to several.
fn target(lookup: AgentLookup, name: &str) -> Result<Target, AgentLookup> {
    match lookup {
        AgentLookup::Found(found) => Ok(Target::of(name.into(), &found)),
        AgentLookup::Unknown | AgentLookup::Ambiguous(_) => Err(lookup),
    }
}

/// The agent that a value names; reports one that does not exist. `refused`
/// says what comes of that.
pub(super) fn agent(cx: &mut Cx<'_>, value: Expr<'_>, refused: &str) -> Option<Target> {
    let found = plain(value);
    let name = found.word()?;
    let lookup = match target(cx.program.agent(name), name) {
        Ok(target) => return Some(target),
        Err(lookup) => lookup,
    };
    match lookup {
        AgentLookup::Found(_) => None,
        AgentLookup::Unknown => {
            let known = cx.program.project_names(Kind::Agent);
            let report = at_value(
                &reference_codes::K0801,
                value,
                format!("there is no agent {}: {refused}", quoted(name)),
            );
            cx.report(match nearest(name, known.iter().map(|known| &**known)) {
                Some(known) => report.help(format!("did you mean `{known}`?")).maybe_fix(
                    format!("write `{}`", requoted(value, known)),
                    instead(value, requoted(value, known)),
                ),
                None => report.help("write the name of an agent of this project"),
            });
            None
        }
        AgentLookup::Ambiguous(files) => {
            let files: Vec<&str> = files.iter().map(|file| &**file).collect();
            cx.report(
                at_value(
                    &reference_codes::K0802,
                    value,
                    format!("{} leads to several agents: {refused}", quoted(name)),
                )
                .help(format!(
                    "rename all but one of those in {}",
                    any_of(&files).replace(" or ", " and ")
                )),
            );
            None
        }
    }
}

/// The only agent of the file at hand.
pub(crate) fn only_agent(program: &dyn Program) -> Option<Target> {
    let file = program.file();
    match program.file_agents() {
        FileAgents::One(name) => {
            let declared = program.declared_in(file, Kind::Agent, &name)?;
            Some(Target::new(name, file, &declared))
        }
        FileAgents::Unnamed => {
            let name = stem(&program.file_name(file))?;
            Some(Target::new(name, file, &Declaration::Implicit))
        }
        FileAgents::None | FileAgents::Several => None,
    }
}

/// The policy that a schedule names.
pub(super) fn policy(cx: &mut Cx<'_>, value: Expr<'_>) {
    let found = plain(value);
    let Some(name) = found.word() else { return };
    if cx.program.project_has(Kind::Policy, name) {
        return;
    }
    let known = cx.program.project_names(Kind::Policy);
    let report = at_value(
        &reference_codes::P0490,
        value,
        format!(
            "there is no policy {}: the schedule starts nothing",
            quoted(name)
        ),
    );
    cx.report(match nearest(name, known.iter().map(|known| &**known)) {
        Some(known) => report.help(format!("did you mean `{known}`?")).maybe_fix(
            format!("write `{}`", requoted(value, known)),
            instead(value, requoted(value, known)),
        ),
        None => report.help("write the name of a policy of this project"),
    });
}

/// The webhook in `webhook:name`.
pub(super) fn webhook(cx: &mut Cx<'_>, value: Expr<'_>, name: &str) {
    let file = cx.program.file();
    if cx.program.has_block(file, Kind::Webhook, name)
        || cx.program.project_has(Kind::Webhook, name)
    {
        return;
    }
    let known = cx.program.project_names(Kind::Webhook);
    let report = at_value(
        &reference_codes::K0804,
        value,
        format!(
            "there is no webhook {}: the result reaches nobody",
            quoted(name)
        ),
    );
    cx.report(match nearest(name, known.iter().map(|known| &**known)) {
        Some(known) => report.help(format!("did you mean `{known}`?")).maybe_fix(
            format!("write `webhook:{known}`"),
            instead(value, format!("\"webhook:{known}\"")),
        ),
        None => report.help("write `webhook:` and the name of a webhook of this project"),
    });
}

/// Whether a memory of the project has this name.
pub(crate) fn is_memory(program: &dyn Program, name: &str) -> bool {
    program.project_has(Kind::Memory, name)
}

/// The attribute `memory`.
pub(super) fn memory(cx: &mut Cx<'_>, name: &str, value: Expr<'_>, found: &Plain<'_>) {
    let Some(word) = found.word() else {
        cx.wrong_type(name, value, found, "the name of a memory");
        return;
    };
    let words = ["ephemeral", "persistent"];
    if words.contains(&word) || is_memory(cx.program, word) {
        return;
    }
    let known = cx.program.project_names(Kind::Memory);
    let near = nearest(
        word,
        words.into_iter().chain(known.iter().map(|known| &**known)),
    );
    let report = at_value(
        &codes::B0724,
        value,
        format!(
            "there is no memory {}: the agent keeps nothing",
            quoted(word)
        ),
    );
    cx.report(match near {
        Some(known) => report.help(format!("did you mean `{known}`?")).maybe_fix(
            format!("write `{}`", requoted(value, known)),
            instead(value, requoted(value, known)),
        ),
        None => report.help("write `ephemeral`, `persistent`, or the name of a memory block"),
    });
}

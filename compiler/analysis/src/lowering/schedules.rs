//! Schedules (language.md section 3).

use symbi_ir::{Schedule, When};
use symbi_syntax::ast::{AstNode, ScheduleDef};

use super::constants::int;
use super::cx::{Lowering, Owner};
use super::inputs::input;
use super::named::{block, one_of, text};
use crate::blocks::SCHEDULE;
use crate::blocks::entries::Given;
use crate::blocks::numbers::{as_bool, as_int};
use crate::blocks::plain::plain;
use crate::blocks::references::{Target, agent_of, only_agent};
use crate::blocks::schedules::{as_cron, as_moment, is_place, jitter_of, zone_of};
use crate::declaration::Kind;
use crate::findings::at_node;
use crate::program::Found;

/// A schedule, in an agent if `owner` is there. Why it is refused is told where
/// all reports are.
pub(crate) fn schedule(
    cx: &Lowering<'_>,
    schedule: ScheduleDef<'_>,
    owner: Option<&Owner>,
) -> Schedule {
    let (name, given) = block(&SCHEDULE, schedule.name(), schedule.entries(), owner);
    let found = |key| given.value(key).map(plain);
    let when = when(&given);
    let target = target(cx, &given, owner);
    let once = found("one_shot").and_then(|found| as_bool(&found));
    // What cannot be read starts nothing that the author may not want.
    let word = |key, default| match one_of(&SCHEDULE, &given, key) {
        Ok(word) => word.unwrap_or(default),
        Err(()) => "skip",
    };
    Schedule {
        name,
        at: (cx.span)(at_node(schedule.node())),
        agent: target.as_ref().map(|target| cx.agent(target)),
        timezone: match zone_of(&given) {
            Some(zone) => zone.name().into(),
            None => "UTC".into(),
        },
        input: given
            .value("input")
            .map(|value| input(cx, value, target.as_ref())),
        policy: text(&given, "policy"),
        one_shot: once.unwrap_or(false) || matches!(when, When::At(_)),
        when,
        deliver: text(&given, "deliver")
            .into_iter()
            .filter(|place| is_place(place))
            .collect(),
        audit: match one_of(&SCHEDULE, &given, "audit") {
            Ok(word) => word.map(Into::into),
            Err(()) => Some("all_operations".into()),
        },
        missed: word("missed", "run_once").into(),
        overlap: word("overlap", "skip").into(),
        jitter: jitter_of(&given).and_then(int),
        retries: found("retries").and_then(|found| int(as_int(&found)?)),
        refused: Vec::new(),
    }
}

/// When it fires; never, if that cannot be read.
fn when(given: &Given<'_>) -> When {
    let found = |key| given.value(key).map(plain);
    if let Some((text, cron)) = found("cron").and_then(|found| as_cron(&found)) {
        return When::Cron {
            text: text.into(),
            fields: cron.numbers().into(),
        };
    }
    let moment = found("at").and_then(|found| as_moment(&found));
    When::At(moment.map_or_else(Default::default, |moment| moment.to_string().into()))
}

/// The agent that it starts: the one that it names, else its own, else the only
/// one of the file.
fn target(cx: &Lowering<'_>, given: &Given<'_>, owner: Option<&Owner>) -> Option<Target> {
    if given.has("agent") {
        return agent_of(cx.program, given.value("agent")?);
    }
    let Some(owner) = owner else {
        return only_agent(cx.program);
    };
    let file = cx.program.file();
    let declaration = cx.program.declared_in(file, Kind::Agent, &owner.name)?;
    Some(Target::of(owner.name.clone(), &Found { file, declaration }))
}

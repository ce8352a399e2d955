//! What holds of every program that is read: numbers are in range, places lie
//! in their files, lists are sorted.

use std::fmt;

use symbi_mini::{cron, moment, zone};

use crate::agent::Agent;
use crate::blocks::{CronFields, Schedule, When};
use crate::code::{Assigned, Case, Code, Node};
use crate::error::IrError;
use crate::policy::Policy;
use crate::program::{Function, Module, Param, Program, Span, Struct};

type Checked = Result<(), IrError>;

fn invalid(place: impl fmt::Display, what: impl Into<String>) -> IrError {
    IrError::Invalid {
        place: place.to_string(),
        what: what.into(),
    }
}

impl Program {
    /// Whether its parts hold together. What is read is validated already.
    ///
    /// # Errors
    /// The first part that contradicts another.
    pub fn validate(&self) -> Checked {
        ascending(
            "the modules",
            self.modules.iter().map(|module| &*module.path),
        )?;
        ascending("the tools", self.tools.iter().map(|tool| &*tool.name))?;
        ascending("the Cedar files", self.cedar.iter().map(|file| &*file.path))?;
        ascending("what is waived", self.waived.iter())?;
        ascending("the effects", self.effects.iter().map(|row| &row.name))?;
        ascending("the drivers", self.drivers.iter())?;
        ascending("the functions that delegate", self.delegating.iter())?;
        for module in &self.modules {
            module.validate()?;
        }
        Ok(())
    }
}

/// Each is behind the one before it, and no two are the same.
fn ascending<T: Ord>(what: &str, all: impl Iterator<Item = T>) -> Checked {
    match all.is_sorted_by(|one, two| one < two) {
        true => Ok(()),
        false => Err(invalid(what, "they are not in order")),
    }
}

/// The file that places lie in.
#[derive(Clone, Copy)]
struct File<'m> {
    path: &'m str,
    length: u32,
}

impl File<'_> {
    fn span(self, span: Span) -> Checked {
        let end = span.start.checked_add(span.length);
        match end.is_some_and(|end| end <= self.length) {
            true => Ok(()),
            false => Err(invalid(self.path, "a place lies behind its end")),
        }
    }
}

impl Module {
    fn validate(&self) -> Checked {
        let file = File {
            path: &self.path,
            length: self.length,
        };
        if self.lines.first() != Some(&0)
            || !self.lines.is_sorted_by(|one, two| one < two)
            || self.lines.last().is_some_and(|last| *last > self.length)
        {
            return Err(invalid(&self.path, "its table of lines cannot be"));
        }
        self.structs
            .iter()
            .try_for_each(|one| structure(file, one))?;
        self.functions
            .iter()
            .try_for_each(|one| function(file, one))?;
        self.policies.iter().try_for_each(|one| policy(file, one))?;
        self.agents.iter().try_for_each(|one| agent(file, one))?;
        for schedule in &self.schedules {
            file.span(schedule.at)?;
            if let Some(input) = &schedule.input {
                code(file, &schedule.name, input, 0)?;
            }
            when(schedule)?;
        }
        self.webhooks.iter().try_for_each(|one| file.span(one.at))?;
        for channel in &self.channels {
            file.span(channel.at)?;
            ascending(&channel.name, channel.settings.iter().map(|(key, _)| key))?;
            ascending(
                &channel.name,
                channel.data_classification.iter().map(|(key, _)| key),
            )?;
            channel
                .policies
                .iter()
                .try_for_each(|one| policy(file, one))?;
        }
        self.memories.iter().try_for_each(|one| file.span(one.at))
    }
}

/// A schedule fires at the times that its text names, and at no others.
fn when(schedule: &Schedule) -> Checked {
    let name = &schedule.name;
    match &schedule.when {
        When::Cron { text, fields } => {
            let cron = cron::parse(text).map_err(|error| invalid(name, error.message))?;
            if CronFields::from(cron.numbers()) != *fields {
                return Err(invalid(name, "its fields are not what its text says"));
            }
        }
        When::At(text) if text.is_empty() => {}
        When::At(text) => {
            moment::parse(text).map_err(|error| invalid(name, error.message))?;
        }
    }
    zone::parse(&schedule.timezone).map_err(|error| invalid(name, error.message))?;
    Ok(())
}

fn agent(file: File<'_>, agent: &Agent) -> Checked {
    file.span(agent.span)?;
    if *agent.principal != *crate::agent::principal(agent.name()) {
        return Err(invalid(
            agent.name(),
            "its identity is that of another name",
        ));
    }
    function(file, &agent.entry)?;
    agent
        .functions
        .iter()
        .try_for_each(|one| function(file, one))?;
    agent
        .structs
        .iter()
        .try_for_each(|one| structure(file, one))?;
    agent
        .policies
        .iter()
        .try_for_each(|one| policy(file, one))?;
    if let Some(list) = &agent.capabilities {
        file.span(list.at)?;
    }
    ascending(agent.name(), agent.metadata.iter().map(|(key, _)| key))?;
    ascending(
        agent.name(),
        agent.attributes.others.iter().map(|(key, _)| key),
    )?;
    ascending(agent.name(), agent.secrets.iter())?;
    let routes = agent.admission.iter().map(|admission| admission.route);
    if !routes.eq(crate::agent::Route::ALL) {
        return Err(invalid(
            agent.name(),
            "its routes are not all told in order",
        ));
    }
    let mut reasons = agent
        .admission
        .iter()
        .flat_map(|admission| &admission.refused);
    reasons.try_for_each(|reason| file.span(reason.at))
}

fn policy(file: File<'_>, policy: &Policy) -> Checked {
    let name = policy.name.as_deref().unwrap_or("a policy");
    file.span(policy.at)?;
    if policy.rules.len() != policy.block.rules.len()
        || policy.requirements.len() != policy.block.requirements.len()
    {
        return Err(invalid(name, "its rules and their places are not as many"));
    }
    for rule in &policy.rules {
        file.span(rule.at)?;
        file.span(rule.selector)?;
    }
    policy
        .requirements
        .iter()
        .try_for_each(|at| file.span(*at))?;
    policy
        .audit
        .iter()
        .try_for_each(|audit| file.span(audit.at))
}

fn structure(file: File<'_>, structure: &Struct) -> Checked {
    file.span(structure.at)?;
    params(&structure.name, &structure.fields, &structure.code)?;
    code(file, &structure.name, &structure.code, 0)
}

fn function(file: File<'_>, function: &Function) -> Checked {
    file.span(function.at)?;
    params(&function.name, &function.params, &function.code)?;
    code(file, &function.name, &function.code, function.params.len())
}

fn params(name: &str, params: &[Param], code: &Code) -> Checked {
    let mut defaults = params.iter().filter_map(|param| param.default);
    match defaults.all(|id| code.node(id).is_some()) {
        true => Ok(()),
        false => Err(invalid(name, "a default is no part of it")),
    }
}

/// Parts stand before what they are part of, so that nothing is part of itself;
/// variables and lambdas exist.
fn code(file: File<'_>, name: &str, code: &Code, params: usize) -> Checked {
    let wrong = |what: &str| Err(invalid(name, what));
    if code.nodes.len() != code.spans.len() {
        return wrong("its nodes and their places are not as many");
    }
    code.spans.iter().try_for_each(|span| file.span(*span))?;
    let Some(first) = code.frames.first() else {
        return match (params, code.nodes.is_empty()) {
            (0, true) => Ok(()),
            _ => wrong("it has no variables of its own"),
        };
    };
    if (first.params as usize) < params {
        return wrong("a parameter has no variable");
    }
    // The widest frame: which variable belongs to which frame is for the one
    // that runs it to tell.
    let mut slots = 0;
    for frame in &code.frames {
        let own = frame.slots.len();
        slots = slots.max(own);
        if frame.params as usize > own
            || frame
                .captures
                .iter()
                .any(|capture| capture.to as usize >= own)
            || frame.body.is_some_and(|body| code.node(body).is_none())
        {
            return wrong("a frame is of no shape that frames have");
        }
    }
    let slot_is = |slot: u32| (slot as usize) < slots;
    for (at, node) in code.nodes.iter().enumerate() {
        let mut before = true;
        node.each_part(|part| before &= (part as usize) < at);
        if !before {
            return wrong("a part stands behind what it is part of");
        }
        let fits = match node {
            Node::Local(slot) | Node::For { slot, .. } | Node::Let { slot, .. } => slot_is(*slot),
            Node::Assign {
                place: Assigned::Slot(slot),
                ..
            } => slot_is(*slot),
            Node::Assign {
                place: Assigned::Node(id),
                ..
            } => matches!(
                code.node(*id),
                Some(Node::Field { .. } | Node::Index { .. })
            ),
            Node::Lambda(frame) => *frame > 0 && (*frame as usize) < code.frames.len(),
            Node::IfLet { case, .. } => binds(case, &slot_is),
            Node::Match { arms, .. } => {
                let mut cases = arms.iter().flat_map(|arm| &arm.cases);
                cases.all(|case| binds(case, &slot_is))
            }
            Node::Try { catches, .. } => {
                let mut slots = catches.iter().filter_map(|catch| catch.slot);
                slots.all(slot_is)
            }
            _ => true,
        };
        if !fits {
            return wrong("a node names something that is not there");
        }
    }
    Ok(())
}

/// Whether a pattern binds variables that exist.
fn binds(case: &Case, slot_is: &dyn Fn(u32) -> bool) -> bool {
    let mut case = case;
    loop {
        match case {
            Case::Bind(slot) => return slot_is(*slot),
            Case::Some(inner) | Case::Ok(inner) | Case::Err(inner) => case = inner,
            _ => return true,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn schedule(when: When) -> Schedule {
        Schedule {
            name: "nightly".into(),
            at: Span::default(),
            agent: None,
            when,
            timezone: "UTC".into(),
            input: None,
            policy: None,
            one_shot: false,
            deliver: Vec::new(),
            audit: None,
            missed: "run_once".into(),
            overlap: "skip".into(),
            jitter: None,
            retries: None,
            refused: Vec::new(),
        }
    }

    fn cron(text: &str, fields: &str) -> When {
        When::Cron {
            text: text.into(),
            fields: cron::parse(fields).unwrap().numbers().into(),
        }
    }

    #[test]
    fn a_schedule_fires_when_its_text_says_and_never_else() {
        let table = [
            (cron("0 9 * * *", "0 9 * * *"), None),
            (cron("@daily", "0 0 0 * * *"), None),
            (
                cron("0 9 * * *", "* * * * *"),
                Some("its fields are not what its text says"),
            ),
            (When::At("2027-01-01T09:00:00Z".into()), None),
            (When::At("".into()), None),
            (
                When::At("tomorrow".into()),
                Some("`tomorrow` is not a time"),
            ),
        ];
        for (when, expected) in table {
            let found = super::when(&schedule(when.clone())).err();
            let expected = expected.map(|what| invalid("nightly", what));
            let shown = |error: &Option<IrError>| error.as_ref().map(ToString::to_string);
            assert_eq!(shown(&found), shown(&expected), "{when:?}");
        }
    }
}

//! Runs that were broken off go on.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use serde_json::Value as Json;
use symbi_ir::Route;
use symbi_journal::{Entry, Journal, Keys, RunId, Writer};
use symbi_policy::Timestamp;
use symbi_vm::{Machine, Meter, Value};

use super::outcome::Report;
use super::record::answered;
use super::requests::Answer;
use super::{Host, HostError, Origin, Start, snapshots};
use crate::values;

/// What a journal says that was answered.
#[derive(Debug, Default)]
pub(super) struct Recorded {
    /// By the number of the request; `None` where the answer is not on record.
    answers: BTreeMap<u64, Option<Answer>>,
    /// Effects that began and did not end.
    started: HashMap<String, Started>,
    /// Until when is slept.
    sleeping: HashMap<u64, Timestamp>,
    /// It is of a run that was broken off.
    resumed: bool,
}

/// An effect that began.
#[derive(Clone, Debug)]
pub(super) struct Started {
    /// It may be done once more.
    pub repeatable: bool,
    /// The run that it started.
    pub child: Option<RunId>,
}

impl Recorded {
    /// What the events of a journal say.
    pub fn of<'e>(events: impl Iterator<Item = &'e Json>) -> Self {
        let mut recorded = Recorded {
            resumed: true,
            ..Recorded::default()
        };
        for event in events {
            let text = |name: &str| event.get(name).and_then(Json::as_str);
            if let Some((number, answer)) = answered(event) {
                recorded.answers.insert(number, answer);
            }
            match text("type") {
                Some("effect_started") => {
                    let started = Started {
                        repeatable: event.get("repeatable") == Some(&Json::Bool(true)),
                        child: text("child").and_then(|run| run.parse().ok()),
                    };
                    recorded
                        .started
                        .insert(text("id").unwrap_or_default().to_owned(), started);
                }
                Some("effect_finished") => {
                    recorded.started.remove(text("id").unwrap_or_default());
                }
                Some("sleeping") => {
                    let number = event.get("number").and_then(Json::as_u64);
                    let until = text("until").and_then(|until| until.parse().ok());
                    if let (Some(number), Some(until)) = (number, until) {
                        recorded.sleeping.insert(number, until);
                    }
                }
                _ => {}
            }
        }
        recorded
    }

    /// The answer to a request, if it is on record; an inner `None` if there was
    /// one that is not.
    pub fn take(&mut self, number: u64) -> Option<Answer> {
        self.answers.remove(&number).flatten()
    }

    /// There was an answer that is not on record.
    pub fn lost(&self, number: u64) -> bool {
        matches!(self.answers.get(&number), Some(None))
    }

    /// Whether answers are left.
    pub fn has_more(&self) -> bool {
        !self.answers.is_empty()
    }

    /// Nothing was broken off.
    pub fn is_new(&self) -> bool {
        !self.resumed
    }

    /// An effect that began and did not end.
    pub fn interrupted(&self, id: &str) -> Option<Started> {
        self.started.get(id).cloned()
    }

    /// Until when a request sleeps.
    pub fn sleeping(&self, number: u64) -> Option<Timestamp> {
        self.sleeping.get(&number).copied()
    }

    /// Forgets what stands before a request.
    pub fn from(&mut self, next: u64) {
        self.answers = self.answers.split_off(&next);
    }
}

/// What a journal holds, as a run needs it.
pub(super) struct Told {
    pub about: Json,
    pub events: Vec<Json>,
    /// How long the run took.
    pub elapsed: Duration,
}

impl Told {
    pub fn of(journal: &Journal) -> Option<Self> {
        let mut about = None;
        let mut events = Vec::new();
        let mut first = None;
        let mut last = None;
        let mut elapsed = 0;
        for record in journal.records() {
            let micros = record.time.micros();
            match record.entry {
                Entry::Opened { about: told, .. } => about = Some(told),
                Entry::Event(event) => events.push(event),
                // The time until a run goes on is none of its own.
                Entry::Resumed { .. } => {
                    elapsed += span(first, last);
                    first = Some(micros);
                }
                Entry::Signed | Entry::Closed => {}
            }
            first.get_or_insert(micros);
            last = Some(micros);
        }
        elapsed += span(first, last);
        Some(Told {
            about: about?,
            events,
            elapsed: Duration::from_micros(elapsed),
        })
    }

    pub fn text(&self, name: &str) -> &str {
        self.about
            .get(name)
            .and_then(Json::as_str)
            .unwrap_or_default()
    }

    pub fn route(&self) -> Route {
        let route = self.text("route");
        let mut all = Route::ALL.into_iter();
        all.find(|own| own.as_str() == route).unwrap_or(Route::Run)
    }

    /// The event that tells how the run ended.
    pub fn ended(&self) -> Option<&Json> {
        let mut events = self.events.iter().rev();
        events.find(|event| event.get("type") == Some(&Json::from("ended")))
    }

    /// The input, if all of it is on record.
    pub fn input(&self, agent: &symbi_ir::Agent) -> Option<Vec<Value>> {
        let given = self.about.get("input")?.as_object()?;
        if self.about.get("input_exact") != Some(&Json::Bool(true)) {
            return None;
        }
        let params = agent.entry.params.iter();
        let values = params.map(|param| match given.get(&*param.name) {
            Some(json) => values::untagged(json),
            None => Some(Value::Unset),
        });
        values.collect()
    }

    /// How many calls of tools and external actions were granted.
    fn tool_calls(&self, host: &Host) -> u64 {
        let granted = self.events.iter().filter(|event| {
            event.get("decision") == Some(&Json::from("granted"))
                && event
                    .get("effect")
                    .and_then(Json::as_str)
                    .is_some_and(|name| crate::obligations::is_tool(host.program.effect(name).0))
        });
        granted.count() as u64
    }
}

fn span(first: Option<i64>, last: Option<i64>) -> u64 {
    let span = last.unwrap_or(0).saturating_sub(first.unwrap_or(0));
    u64::try_from(span).unwrap_or(0)
}

impl Host {
    /// Goes on with a run that was broken off.
    ///
    /// # Errors
    /// It has ended, its journal is not as it was written, it is of another
    /// program, or its state is gone.
    pub fn resume(&self, run: &RunId) -> Result<Report, HostError> {
        let (report, _) = self.resume_as(run, Origin::default(), None)?;
        self.prune(&report);
        Ok(report)
    }

    /// `input` is what it was started with, where that is known apart from its
    /// journal.
    fn resume_as(
        &self,
        run: &RunId,
        origin: Origin,
        input: Option<Vec<Value>>,
    ) -> Result<(Report, Value), HostError> {
        let keys = Keys::open(&self.setup.project)?;
        let journal = symbi_journal::read(&self.journals, run, keys.public())?;
        let told = Told::of(&journal);
        let told =
            told.ok_or_else(|| HostError::Resume("its journal tells nothing about it".to_owned()))?;
        self.may_resume(run, &told)?;
        let (writer, journal) = Writer::reopen(&self.journals, run, keys, self.options())?;
        let told = Told::of(&journal).unwrap_or(told);
        let (number, module, agent) = self.find(told.text("file"), told.text("agent"))?;
        let is_snapshot = |event: &&Json| event.get("type") == Some(&Json::from("snapshot"));
        let mut snapshots = told.events.iter().rev().filter(is_snapshot);
        let found = snapshots.find_map(|event| snapshots::load(self, run, event));
        let input = told.input(agent).or(input);
        // Before its first state is kept nothing happens: it begins anew.
        let anew = || {
            let never = !told.events.iter().any(|event| is_snapshot(&event));
            let input = input.clone().filter(|_| never)?;
            let meter = Meter::new(self.setup.steps, super::memory(agent));
            let machine = Machine::agent(&self.image, number, agent.name(), input, meter)?;
            Some((0, machine, None))
        };
        let found = found.map(|(next, machine, path)| (next, machine, Some(path)));
        let (next, machine, path) = found.or_else(anew).ok_or_else(|| {
            HostError::Resume("none of its states is there any more, so it cannot go on".to_owned())
        })?;
        let open = Arc::new(AtomicBool::new(true));
        let parameters = match input {
            Some(input) => super::facts_of(agent, &input),
            None => super::facts_of(agent, &machine_input(&machine, agent)),
        };
        let gate = self.gate(
            module,
            agent,
            told.route(),
            parameters,
            &open,
            told.tool_calls(self),
        )?;
        let mut resumed =
            super::drive::Run::new(self, run.clone(), module, agent, machine, gate, origin);
        resumed.before = told.elapsed;
        resumed.recorded = Recorded::of(told.events.iter());
        resumed.recorded.from(next);
        resumed.last_snapshot = path;
        let count = |name: &str, word: &str| {
            let all = told.events.iter();
            all.filter(|event| event.get(name) == Some(&Json::from(word)))
                .count() as u64
        };
        resumed.usage.effects = count("type", "effect_finished");
        resumed.usage.denied = count("decision", "denied");
        for event in &told.events {
            if event.get("type") == Some(&Json::from("effect_started"))
                && event.get("provider") == Some(&Json::from("scripted"))
                && resumed
                    .recorded
                    .interrupted(event.get("id").and_then(Json::as_str).unwrap_or_default())
                    .is_none()
            {
                self.setup.answers.skip(
                    event
                        .get("effect")
                        .and_then(Json::as_str)
                        .unwrap_or_default(),
                );
            }
        }
        resumed.record_to(Some(writer), open);
        Ok(resumed.drive())
    }

    fn may_resume(&self, run: &RunId, told: &Told) -> Result<(), HostError> {
        if let Some(ended) = told.ended() {
            let outcome = ended
                .get("outcome")
                .and_then(Json::as_str)
                .unwrap_or("ended");
            return Err(HostError::Resume(match outcome {
                "unresolved" => format!(
                    "the run {run} is unresolved: see what became of the effect that it names, and start a new run"
                ),
                outcome => format!("the run {run} has ended already: {outcome}"),
            }));
        }
        if told.text("program") != self.identity {
            return Err(HostError::Resume(format!(
                "the run {run} is of another program: the sources have changed since it began"
            )));
        }
        Ok(())
    }

    /// Another run for one: started, or gone on with.
    pub(super) fn child(
        &self,
        run: &RunId,
        start: Start<'_>,
        origin: Origin,
    ) -> Result<(Report, Value), HostError> {
        if !self.journals.journal(run).exists() {
            return self.start_with(run, start, origin);
        }
        let key = Keys::open(&self.setup.project)?.public();
        let journal = symbi_journal::read(&self.journals, run, key);
        let ended = journal.as_ref().ok().and_then(Told::of);
        if ended.is_none() {
            // It was killed while its journal was made, so nothing has happened.
            let anew = super::new_run((self.setup.clock)());
            return self.start_with(&anew, start, origin);
        }
        if let Some(ended) = ended.as_ref().and_then(Told::ended)
            && ended.get("outcome") == Some(&Json::from("completed"))
            && let Some(value) = ended.get("value").and_then(values::untagged)
        {
            let report = Report {
                run: run.to_string(),
                outcome: super::Outcome::Completed,
                value: values::plain(&value),
                error: None,
                journal: None,
                usage: super::Usage::default(),
            };
            return Ok((report, value));
        }
        self.resume_as(run, origin, Some(start.input))
    }
}

/// What a journal says that its program was read from.
///
/// # Errors
/// The journal cannot be read.
pub fn source_of(
    journals: &symbi_journal::Journals,
    run: &RunId,
    key: symbi_journal::PublicKey,
) -> Result<String, HostError> {
    let journal = symbi_journal::read(journals, run, key)?;
    let told = Told::of(&journal);
    let told =
        told.ok_or_else(|| HostError::Resume("its journal tells nothing about it".to_owned()))?;
    Ok(told.text("source").to_owned())
}

/// The parameters of an agent whose first state this is: its first registers.
fn machine_input(machine: &Machine, agent: &symbi_ir::Agent) -> Vec<Value> {
    machine.first(agent.entry.params.len())
}

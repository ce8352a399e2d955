//! A run once more, from its journal alone: no effect happens, and where it
//! would go another way, that is told.

use std::sync::Arc;

use serde_json::{Value as Json, json};
use symbi_journal::{Journals, PublicKey, RunId};
use symbi_vm::{Ended, Machine, Meter, Request, Step, Value, What};

use super::drive::Run;
use super::record::answered;
use super::resume::{Recorded, Told};
use super::{Host, HostError, Origin, snapshots};
use crate::values;

/// What became of a replay.
#[derive(Clone, Debug, PartialEq)]
pub struct Replayed {
    /// How the run ended, as its journal tells; `None` if it did not end.
    pub recorded: Option<String>,
    /// How the replay ended.
    pub outcome: String,
    /// What it gave.
    pub value: Json,
    /// The requests that were answered from the journal.
    pub answered: u64,
    /// Where states were taken instead of answers, which are not on record.
    pub jumps: Vec<u64>,
    /// Where it goes another way.
    pub differences: Vec<Difference>,
}

/// Where a replay goes another way.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// The request; `None` for the program and the end.
    pub number: Option<u64>,
    /// What the journal says, and what happens now.
    pub what: String,
}

impl Host {
    /// Runs a run once more from its journal.
    ///
    /// # Errors
    /// The journal cannot be read or is not intact, or its program has no such
    /// agent.
    pub fn replay(&self, run: &RunId, key: PublicKey) -> Result<Replayed, HostError> {
        self.replay_of(&self.journals, run, key)
    }

    /// The same for a journal that lies elsewhere.
    ///
    /// # Errors
    /// As [`Host::replay`] has them.
    pub fn replay_of(
        &self,
        journals: &Journals,
        run: &RunId,
        key: PublicKey,
    ) -> Result<Replayed, HostError> {
        let journal = symbi_journal::read(journals, run, key)?;
        if journal.verdict.standing() != symbi_journal::Standing::Intact {
            return Err(HostError::Resume(format!(
                "its journal is not as it was written: {}",
                journal.verdict.summary()
            )));
        }
        let told = Told::of(&journal);
        let told =
            told.ok_or_else(|| HostError::Resume("its journal tells nothing about it".to_owned()))?;
        let (number, module, agent) = self.find(told.text("file"), told.text("agent"))?;
        let mut differences = Vec::new();
        let same = told.text("program") == self.identity;
        if !same {
            differences.push(Difference {
                number: None,
                what: "the program is another one than that of the run".to_owned(),
            });
        }
        let steps = told
            .about
            .get("steps")
            .and_then(Json::as_u64)
            .unwrap_or(self.setup.steps);
        let started = told.input(agent).and_then(|input| {
            let parameters = super::facts_of(agent, &input);
            let meter = Meter::new(steps, super::memory(agent));
            let machine = Machine::agent(&self.image, number, agent.name(), input, meter)?;
            Some((0, machine, parameters))
        });
        let started = started.or_else(|| {
            let first = told
                .events
                .iter()
                .find(|event| event.get("type") == Some(&Json::from("snapshot")))?;
            let (next, machine, _) = snapshots::load(self, run, first).filter(|_| same)?;
            let parameters = super::facts_of(agent, &machine.first(agent.entry.params.len()));
            Some((next, machine, parameters))
        });
        let Some((_, machine, parameters)) = started else {
            return Err(HostError::Resume(
                "its input is not on record, and its first state is gone".to_owned(),
            ));
        };
        let gate = self.gate(module, agent, told.route(), parameters, &Arc::default(), 0)?;
        let mut own = Run::new(
            self,
            run.clone(),
            module,
            agent,
            machine,
            gate,
            Origin::default(),
        );
        own.replays = true;
        own.recorded = Recorded::of(told.events.iter());
        let mut replay = Replay {
            host: self,
            run: own,
            told: &told,
            same,
            replayed: Replayed {
                recorded: None,
                outcome: String::new(),
                value: Json::Null,
                answered: 0,
                jumps: Vec::new(),
                differences,
            },
        };
        replay.follow();
        Ok(replay.replayed)
    }
}

struct Replay<'h> {
    host: &'h Host,
    run: Run<'h>,
    told: &'h Told,
    same: bool,
    replayed: Replayed,
}

impl Replay<'_> {
    fn follow(&mut self) {
        loop {
            match self.run.machine.run(1 << 20) {
                Step::Paused => {}
                Step::Ended(ended) => return self.end(ended),
                Step::Asked(request) => {
                    if !self.answer(&request) {
                        return;
                    }
                }
            }
        }
    }

    /// Answers a request from the journal; `false` if it cannot go on.
    fn answer(&mut self, request: &Request) -> bool {
        let number = request.number;
        self.compare(request);
        if let Some(answer) = self.run.recorded.take(number) {
            self.replayed.answered += 1;
            self.run.machine.answer(answer);
            return true;
        }
        let name = asked(request);
        let snapshot = self.told.events.iter().find(|event| {
            event.get("type") == Some(&Json::from("snapshot"))
                && event.get("next") == Some(&json!(number + 1))
        });
        let state = snapshot.filter(|_| self.same);
        let state = state.and_then(|event| snapshots::load(self.host, &self.run.id, event));
        if let Some((_, machine, _)) = state {
            self.replayed.jumps.push(number);
            self.run.machine = machine;
            return true;
        }
        let known = self
            .told
            .events
            .iter()
            .filter_map(answered)
            .any(|(own, _)| own == number);
        self.replayed.outcome = "unknown".to_owned();
        self.differ(
            Some(number),
            match known {
                true => {
                    format!("what `{name}` gave is not on record, so nothing can be told behind it")
                }
                false => format!("the run ended before it asked for `{name}`"),
            },
        );
        false
    }

    /// Whether the same is asked for as then.
    fn compare(&mut self, request: &Request) {
        let number = request.number;
        let name = asked(request);
        let mut events = self
            .told
            .events
            .iter()
            .filter(|event| event.get("number") == Some(&json!(number)));
        let recorded = events.find_map(|event| {
            let text = |key: &str| event.get(key).and_then(Json::as_str);
            match text("type")? {
                "decided" => Some((
                    text("effect")?.to_owned(),
                    text("arguments_sha256").map(str::to_owned),
                )),
                "value" if text("function") != Some("together") => {
                    Some((text("function")?.to_owned(), None))
                }
                "log" | "print" | "audit_log" => Some((text("type")?.to_owned(), None)),
                _ => None,
            }
        });
        let Some((recorded, hash)) = recorded else {
            return;
        };
        let (now, now_hash) = match self.run.proposed(request) {
            Some((effect, hash)) => (effect, Some(hash)),
            None => (name, None),
        };
        if now != recorded {
            self.differ(
                Some(number),
                format!("then it was `{recorded}`, and now it is `{now}`"),
            );
        } else if let (Some(then), Some(now_hash)) = (hash, now_hash)
            && then != now_hash
        {
            self.differ(
                Some(number),
                format!("`{now}` is called with other arguments than then"),
            );
        }
    }

    fn differ(&mut self, number: Option<u64>, what: String) {
        self.replayed.differences.push(Difference { number, what });
    }

    fn end(&mut self, ended: Ended) {
        let (outcome, value) = match ended {
            Ended::Value(value) => ("completed", value),
            Ended::Raised(_) => ("failed", Value::Null),
            Ended::Fuel | Ended::Memory => ("budget_exhausted", Value::Null),
        };
        self.replayed.outcome = outcome.to_owned();
        self.replayed.value = values::plain(&value);
        let Some(then) = self.told.ended() else {
            return;
        };
        let text = |key: &str| then.get(key).and_then(Json::as_str).unwrap_or_default();
        let recorded = text("outcome").to_owned();
        if recorded != outcome {
            self.differ(
                None,
                format!("then it ended as {recorded}, and now as {outcome}"),
            );
        } else if outcome == "completed" {
            let kept = self.run.record.clean(&values::tagged(&value));
            if kept.fingerprint != text("sha256") {
                self.differ(None, "it gives another value than then".to_owned());
            }
        }
        self.replayed.recorded = Some(recorded);
    }
}

/// What is asked for, by its name.
fn asked(request: &Request) -> String {
    match &request.what {
        What::Library { function, .. } => function.name.to_owned(),
        What::Tool { name, .. } | What::Action { name, .. } | What::Ambiguous { name } => {
            name.to_string()
        }
        What::Agent { agent, .. } => format!("delegate::{}", agent.name),
        What::Secret { .. } => "secret_read".to_owned(),
    }
}

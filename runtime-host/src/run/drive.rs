//! One run from its start to its end.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use serde_json::{Value as Json, json};
use symbi_ir::{Agent, Module};
use symbi_journal::{RunId, Writer};
use symbi_vm::{Ended, Machine, Problem, Step, Value};

use super::outcome::{Failure, Outcome, Place, Report, Usage};
use super::record::Recorder;
use super::resume::Recorded;
use super::{Host, Origin};
use crate::gate::{Gate, Proposed};
use crate::values;

/// The steps after which it is looked whether the run may go on.
const SLICE: u64 = 200_000;

/// Why a run cannot go on, which no program can catch.
#[derive(Debug)]
pub enum Trouble {
    /// The journal cannot be written.
    Journal {
        /// Why.
        problem: String,
        /// An effect has happened that it does not tell of.
        happened: bool,
    },
    /// It took longer than it may.
    Time,
    /// Somebody ended it.
    Cancelled,
    /// An effect began, and nobody knows whether it happened.
    Unresolved {
        /// The effect.
        id: String,
        /// Its name.
        effect: String,
    },
    /// A replay cannot go on.
    Replay(String),
}

/// A run.
pub(super) struct Run<'h> {
    pub host: &'h Host,
    pub id: RunId,
    pub module: &'h Arc<Module>,
    pub agent: &'h Agent,
    pub machine: Machine,
    pub gate: Gate,
    pub record: Recorder,
    pub origin: Origin,
    /// What was answered before the run was broken off.
    pub recorded: Recorded,
    /// It only follows its journal.
    pub replays: bool,
    pub usage: Usage,
    /// How long it took before it was broken off.
    pub before: Duration,
    began: Instant,
    /// Requests since the state was kept.
    pub since_snapshot: u64,
    /// The snapshot before the last one, which is not needed any more.
    pub last_snapshot: Option<std::path::PathBuf>,
}

impl<'h> Run<'h> {
    pub fn new(
        host: &'h Host,
        id: RunId,
        module: &'h Arc<Module>,
        agent: &'h Agent,
        machine: Machine,
        gate: Gate,
        origin: Origin,
    ) -> Self {
        let record = Recorder::new(
            None,
            Arc::default(),
            host.secrets.clone(),
            Arc::new(|_: &Json| ()),
        );
        Run {
            host,
            id,
            module,
            agent,
            machine,
            gate,
            record,
            origin,
            recorded: Recorded::default(),
            replays: false,
            usage: Usage::default(),
            before: Duration::ZERO,
            began: Instant::now(),
            since_snapshot: 0,
            last_snapshot: None,
        }
    }

    /// Lets it write a journal, and tell the console of its events.
    pub fn record_to(&mut self, writer: Option<Writer>, open: Arc<AtomicBool>) {
        let console = self.host.setup.console.clone();
        let run = self.id.to_string();
        self.record = Recorder::new(
            writer,
            open,
            self.host.secrets.clone(),
            Arc::new(move |event| console.event(&run, event)),
        );
    }

    /// How long it has taken.
    pub fn elapsed(&self) -> Duration {
        self.before + self.began.elapsed()
    }

    /// How long it may take; `None` for as long as it likes.
    fn limit(&self) -> Option<Duration> {
        let own = self.agent.attributes.timeout;
        let own = own
            .and_then(|nanos| u64::try_from(nanos).ok())
            .map(Duration::from_nanos);
        let all = [own, self.host.setup.timeout, self.origin.limit];
        all.into_iter().flatten().min()
    }

    /// How long it may still take.
    pub fn left(&self) -> Option<Duration> {
        self.limit()
            .map(|limit| limit.saturating_sub(self.elapsed()))
    }

    /// Whether it may go on.
    pub fn may_go_on(&self) -> Result<(), Trouble> {
        if self.replays {
            return Ok(());
        }
        if self.host.setup.cancel.load(Ordering::SeqCst) {
            return Err(Trouble::Cancelled);
        }
        match self.left() {
            Some(Duration::ZERO) => Err(Trouble::Time),
            _ => Ok(()),
        }
    }

    /// Runs to the end, and tells how it ended.
    pub fn drive(&mut self) -> (Report, Value) {
        let ended = self.first_snapshot().and_then(|()| self.until_it_ends());
        self.finish(ended)
    }

    /// Runs until the program ends.
    pub fn until_it_ends(&mut self) -> Result<Ended, Trouble> {
        loop {
            self.may_go_on()?;
            match self.machine.run(SLICE) {
                Step::Paused => {}
                Step::Ended(ended) => return Ok(ended),
                Step::Asked(request) => {
                    let answer = match self.recorded.take(request.number) {
                        Some(answer) => answer,
                        None if self.replays => {
                            return Err(Trouble::Replay(format!(
                                "the journal has no answer to request {}",
                                request.number
                            )));
                        }
                        // It was given, and is gone: what it was is not known.
                        None if self.recorded.lost(request.number) => {
                            return Err(Trouble::Unresolved {
                                id: request.number.to_string(),
                                effect: "its answer is not on record".to_owned(),
                            });
                        }
                        None => self.request(&request)?,
                    };
                    self.machine.answer(answer);
                    if !self.recorded.has_more() && !self.replays {
                        self.since_snapshot += 1;
                        self.maybe_snapshot(request.number + 1)?;
                    }
                }
            }
        }
    }

    /// How it ended, on record.
    fn finish(&mut self, ended: Result<Ended, Trouble>) -> (Report, Value) {
        let (mut outcome, mut value, mut error) = self.told(ended);
        if outcome == Outcome::Completed {
            let decided = self.gate.decide(Proposed::respond(u64::MAX));
            if !decided.is_granted() {
                outcome = Outcome::Refused;
                value = Value::Null;
                error = Some(Failure {
                    kind: "denied".to_owned(),
                    message: format!("the answer may not be given: {}", decided.told().message),
                    at: None,
                    details: json!({}),
                });
            }
        }
        self.usage.steps = self.host.setup.steps.saturating_sub(self.machine.fuel());
        self.usage.elapsed_ms = u64::try_from(self.elapsed().as_millis()).unwrap_or(u64::MAX);
        let journal = self
            .record
            .writes()
            .then(|| self.host.journals.journal(&self.id));
        let kept = self.record.clean(&values::tagged(&value));
        let event = json!({
            "type": "ended",
            "outcome": outcome.as_str(),
            "value": kept.json,
            "sha256": kept.fingerprint,
            "error": error.as_ref().map(|error| {
                let shown = json!({
                    "kind": error.kind, "message": error.message, "at": error.at, "details": error.details,
                });
                self.record.clean(&shown).json
            }),
            "usage": self.usage,
        });
        // Of a run that is unresolved, or whose journal fails, the journal stays
        // open: somebody has to look at it.
        let open = outcome == Outcome::Unresolved;
        let written = match open {
            true => self.record.event(&event),
            false => self
                .record
                .synced(&event)
                .and_then(|()| self.record.close()),
        };
        if let Err(problem) = written
            && outcome == Outcome::Completed
        {
            outcome = Outcome::Failed;
            value = Value::Null;
            error = Some(journal_failure(&problem.to_string(), false));
        }
        if outcome != Outcome::Unresolved {
            self.forget_snapshot();
        }
        let report = Report {
            run: self.id.to_string(),
            outcome,
            value: values::plain(&value),
            error,
            journal: journal.map(|path| path.display().to_string()),
            usage: self.usage.clone(),
        };
        (report, value)
    }

    fn told(&self, ended: Result<Ended, Trouble>) -> (Outcome, Value, Option<Failure>) {
        let plain = |kind: &str, message: String| {
            Some(Failure {
                kind: kind.to_owned(),
                message,
                at: None,
                details: json!({}),
            })
        };
        match ended {
            Ok(Ended::Value(value)) => (Outcome::Completed, value, None),
            Ok(Ended::Raised(problem)) => {
                (Outcome::Failed, Value::Null, Some(self.failure(&problem)))
            }
            Ok(Ended::Fuel) => {
                let message = format!(
                    "it has taken all {} steps that it may",
                    self.host.setup.steps
                );
                (
                    Outcome::BudgetExhausted,
                    Value::Null,
                    plain("steps", message),
                )
            }
            Ok(Ended::Memory) => {
                let limit =
                    symbi_vm::size(i64::try_from(super::memory(self.agent)).unwrap_or(i64::MAX));
                let message = format!("it needs more memory than the {limit} that it may use");
                (
                    Outcome::BudgetExhausted,
                    Value::Null,
                    plain("memory", message),
                )
            }
            Err(Trouble::Time) => {
                let limit = self.limit().unwrap_or_default();
                let nanos = i64::try_from(limit.as_nanos()).unwrap_or(i64::MAX);
                let message = format!(
                    "it took longer than the {} that it may",
                    symbi_mini::duration::format(nanos)
                );
                (Outcome::TimedOut, Value::Null, plain("timeout", message))
            }
            Err(Trouble::Cancelled) => (
                Outcome::Cancelled,
                Value::Null,
                plain("cancelled", "it was ended from outside".to_owned()),
            ),
            Err(Trouble::Unresolved { id, effect }) => {
                let message = format!(
                    "the effect {id} (`{effect}`) began, and nobody knows whether it happened: see what \
                     became of it, and start a new run"
                );
                (
                    Outcome::Unresolved,
                    Value::Null,
                    plain("unresolved", message),
                )
            }
            Err(Trouble::Journal { problem, happened }) => {
                let outcome = match happened {
                    true => Outcome::Unresolved,
                    false => Outcome::Failed,
                };
                (
                    outcome,
                    Value::Null,
                    Some(journal_failure(&problem, happened)),
                )
            }
            Err(Trouble::Replay(problem)) => {
                (Outcome::Failed, Value::Null, plain("replay", problem))
            }
        }
    }

    fn failure(&self, problem: &Problem) -> Failure {
        let at = problem.at.and_then(|at| {
            let module = self.host.program.modules.get(at.module as usize)?;
            let (line, column) = module.position(at.start);
            Some(Place {
                file: module.path.to_string(),
                line,
                column,
            })
        });
        let details = self.record.clean(&values::plain(&problem.details)).json;
        let message = self.record.clean(&json!(problem.message.as_str())).json;
        Failure {
            kind: problem.kind.to_string(),
            message: match message {
                Json::String(message) => message,
                _ => problem.message.as_str().chars().take(1000).collect(),
            },
            at,
            details,
        }
    }

    /// Puts an event on record before something happens.
    pub fn before(&mut self, event: &Json) -> Result<(), Trouble> {
        self.record
            .synced(event)
            .map_err(|problem| Trouble::Journal {
                problem: problem.to_string(),
                happened: false,
            })
    }

    /// Puts an event on record.
    pub fn note(&mut self, event: &Json) -> Result<(), Trouble> {
        self.record
            .event(event)
            .map_err(|problem| Trouble::Journal {
                problem: problem.to_string(),
                happened: false,
            })
    }

    /// Puts on record what has happened.
    pub fn after(&mut self, event: &Json) -> Result<(), Trouble> {
        self.record
            .event(event)
            .map_err(|problem| Trouble::Journal {
                problem: problem.to_string(),
                happened: true,
            })
    }
}

fn journal_failure(problem: &str, happened: bool) -> Failure {
    Failure {
        kind: "journal".to_owned(),
        message: match happened {
            true => format!("an effect has happened that the journal does not tell of: {problem}"),
            false => format!("the journal cannot be written, so nothing more happens: {problem}"),
        },
        at: None,
        details: json!({}),
    }
}

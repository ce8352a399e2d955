//! Runs: an agent is started, its effects pass the gate, everything is put on
//! record, and it ends with an outcome.
//!
//! A [`Host`] holds a program and what it needs of the world; [`Host::run`]
//! runs one agent, [`Host::resume`] goes on with a run that was broken off, and
//! [`Host::replay`] runs it once more from its journal, with no effect at all.

pub mod answers;
mod drive;
mod effects;
mod input;
mod outcome;
mod record;
mod replay;
mod requests;
mod resume;
mod retention;
pub mod secrets;
mod snapshots;

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use serde_json::{Value as Json, json};
use symbi_ir::{Agent, Module, Program, Route, Tier};
use symbi_journal::{Clock, Durability, Journals, Keys, Options, RunId, Writer};
use symbi_policy::{Record, Timestamp};
use symbi_vm::{Image, LoadError, Machine, Meter, Raise, Value};

use crate::gate::{self, Call, Gate};
use crate::obligations::Counters;
use answers::Answers;
use secrets::Secrets;

pub use drive::Trouble;
pub use input::parameters;
pub use outcome::{Failure, Outcome, Place, Report, Usage};
pub use replay::{Difference, Replayed};
pub use resume::source_of;
pub use retention::retention_days;

/// The steps that a run may take where nothing else is said.
pub const STEPS: u64 = 1_000_000_000;

/// The memory that a run may use where its agent says nothing, in bytes.
pub const MEMORY: usize = 256 << 20;

/// How deep agents may call agents.
const MAX_DELEGATIONS: usize = 16;

/// Carries effects out.
pub trait Provider: Send + Sync {
    /// What it is called in journals: `scripted` for one that only pretends.
    fn name(&self) -> &'static str;

    /// Whether it carries out calls like this one.
    fn offers(&self, call: &Call) -> bool;

    /// Carries a call out that the gate has granted.
    ///
    /// # Errors
    /// What the program may catch.
    fn carry_out(&self, call: &Call) -> Result<Value, Raise>;

    /// Whether a call of which nobody knows whether it happened may be done once
    /// more, since nothing happens outside.
    fn is_repeatable(&self) -> bool {
        false
    }
}

/// Where the program says something to people.
pub trait Console: Send + Sync {
    /// A line of `print`.
    fn print(&self, text: &str);

    /// A line of `log`.
    fn log(&self, level: &str, text: &str);

    /// An event of the journal.
    fn event(&self, _run: &str, _event: &Json) {}
}

/// A console that says nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct Silent;

impl Console for Silent {
    fn print(&self, _: &str) {}
    fn log(&self, _: &str, _: &str) {}
}

/// What a host is made with.
pub struct Setup {
    /// Where `.symbiont` is: the journals, the key, the snapshots.
    pub project: PathBuf,
    /// What journals say that the program was read from.
    pub source: String,
    /// Scripted answers.
    pub answers: Arc<Answers>,
    /// Who carries effects out, in the order in which they are asked.
    pub providers: Vec<Arc<dyn Provider>>,
    /// Where programs say something.
    pub console: Arc<dyn Console>,
    /// The facts that guards see as `context`.
    pub context: Record,
    /// What nobody granted is granted.
    pub dev: bool,
    /// Effects are decided about and not carried out, and no journal is kept.
    pub dry: bool,
    /// Agents may run without isolation.
    pub unisolated: bool,
    /// The steps that a run may take.
    pub steps: u64,
    /// No run takes longer, whatever its agent says.
    pub timeout: Option<Duration>,
    /// Set from outside to end all runs.
    pub cancel: Arc<AtomicBool>,
    /// Whether journals wait for the disk.
    pub durability: Durability,
    /// After how many requests of a program its state is kept.
    pub snapshot_every: u64,
    /// What tells the time.
    pub clock: Arc<dyn Fn() -> Timestamp + Send + Sync>,
}

impl Setup {
    /// A host for the project of a folder, with nothing but its journals.
    pub fn new(project: impl Into<PathBuf>) -> Self {
        Setup {
            project: project.into(),
            source: ".".to_owned(),
            answers: Arc::default(),
            providers: Vec::new(),
            console: Arc::new(Silent),
            context: Record::default(),
            dev: false,
            dry: false,
            unisolated: false,
            steps: STEPS,
            timeout: None,
            cancel: Arc::default(),
            durability: Durability::Sync,
            snapshot_every: 32,
            clock: Arc::new(Timestamp::now),
        }
    }
}

/// Runs the agents of a program.
pub struct Host {
    program: Arc<Program>,
    image: Arc<Image>,
    /// The identity of the program.
    identity: String,
    journals: Journals,
    secrets: Arc<Secrets>,
    counters: Arc<Counters>,
    setup: Setup,
}

/// Why a run does not begin.
#[derive(Debug, thiserror::Error)]
pub enum HostError {
    /// The program cannot be run.
    #[error("{0}")]
    Load(#[from] LoadError),
    /// The program cannot be written, so it has no identity.
    #[error("{0}")]
    Program(#[from] symbi_ir::IrError),
    /// There is no such agent.
    #[error("{0}")]
    Gate(#[from] gate::GateError),
    /// The input does not fit.
    #[error("{0}")]
    Input(String),
    /// The journal cannot be written or read.
    #[error("{0}")]
    Journal(#[from] symbi_journal::Error),
    /// The run cannot go on.
    #[error("{0}")]
    Resume(String),
}

/// Which agent is started, how, and with what.
#[derive(Clone, Debug)]
pub struct Start<'a> {
    /// The file of the agent.
    pub file: &'a str,
    /// The agent.
    pub agent: &'a str,
    /// How it is started.
    pub route: Route,
    /// Its parameters ([`parameters`]).
    pub input: Vec<Value>,
}

/// Where a run comes from.
#[derive(Clone, Debug, Default)]
struct Origin {
    /// The run and the effect that started it.
    parent: Option<(String, String)>,
    /// How many runs are around it.
    depth: usize,
    /// It may take no longer.
    limit: Option<Duration>,
}

impl Host {
    /// A host for a program.
    ///
    /// # Errors
    /// The program cannot be run.
    pub fn new(program: Program, setup: Setup) -> Result<Self, HostError> {
        let identity = symbi_ir::binary::hash(&program)?.to_string();
        let program = Arc::new(program);
        let image = Arc::new(Image::load(program.clone())?);
        Ok(Host {
            identity,
            journals: Journals::in_project(&setup.project),
            secrets: Arc::new(Secrets::new(setup.answers.clone())),
            counters: Arc::default(),
            program,
            image,
            setup,
        })
    }

    /// The program.
    pub fn program(&self) -> &Program {
        &self.program
    }

    /// Where its journals are.
    pub fn journals(&self) -> &Journals {
        &self.journals
    }

    /// Runs an agent to its end.
    ///
    /// # Errors
    /// It does not begin: there is no such agent, or no journal can be kept.
    pub fn run(&self, start: Start<'_>) -> Result<Report, HostError> {
        let run = new_run((self.setup.clock)());
        let (report, _) = self.start_with(&run, start, Origin::default())?;
        self.prune(&report);
        Ok(report)
    }

    fn start_with(
        &self,
        run: &RunId,
        start: Start<'_>,
        origin: Origin,
    ) -> Result<(Report, Value), HostError> {
        let (number, module, agent) = self.find(start.file, start.agent)?;
        if let Some(failure) = self.refusal(module, agent, start.route) {
            return Ok((self.refused(run, failure), Value::Null));
        }
        let parameters = facts_of(agent, &start.input);
        let given = input_json(agent, &start.input);
        let mut run = self.prepare(
            run,
            (number, module, agent),
            start,
            parameters,
            &origin,
            given,
        )?;
        Ok(run.drive())
    }

    /// The agent of a file and a name.
    fn find(&self, file: &str, name: &str) -> Result<(u32, &Arc<Module>, &Agent), HostError> {
        let mut modules = self.program.modules.iter().enumerate();
        let found = modules.find(|(_, module)| *module.path == *file);
        let found = found.and_then(|(number, module)| {
            let agent = module.agents.iter().find(|agent| **agent.name() == *name)?;
            Some((number as u32, module, agent))
        });
        found.ok_or_else(|| {
            HostError::Gate(gate::GateError::NoAgent {
                file: file.to_owned(),
                name: name.to_owned(),
            })
        })
    }

    /// Why an agent may not run; `None` if it may.
    fn refusal(&self, module: &Module, agent: &Agent, route: Route) -> Option<Failure> {
        let at = |span: symbi_ir::Span| {
            let (line, column) = module.position(span.start);
            Some(Place {
                file: module.path.to_string(),
                line,
                column,
            })
        };
        let mut known = agent.admission.iter();
        let admission = known.find(|admission| admission.route == route);
        let reasons = admission.map_or(&[][..], |admission| &admission.refused);
        if let Some(first) = reasons.first() {
            let more = match reasons.len() {
                1 => String::new(),
                count => format!(" (and {} more)", count - 1),
            };
            let codes: Vec<Json> = reasons
                .iter()
                .map(|reason| json!({"code": &*reason.code, "message": &*reason.message, "at": at(reason.at)}))
                .collect();
            return Some(Failure {
                kind: "refused".to_owned(),
                message: format!(
                    "`{}` may not run on the route {}: {} {}{more}",
                    agent.name(),
                    route.as_str(),
                    first.code,
                    first.message
                ),
                at: at(first.at),
                details: json!({"reasons": codes}),
            });
        }
        if admission.is_none() {
            return Some(Failure {
                kind: "refused".to_owned(),
                message: format!(
                    "`{}` does not know the route {}",
                    agent.name(),
                    route.as_str()
                ),
                at: at(agent.entry.at),
                details: json!({}),
            });
        }
        if agent.attributes.sandbox == Tier::None && !self.setup.unisolated {
            return Some(Failure {
                kind: "refused".to_owned(),
                message: format!(
                    "`{}` runs without isolation, which this host does not allow: set \
                     SYMBIONT_ALLOW_UNISOLATED=1 to allow it",
                    agent.name()
                ),
                at: at(agent.entry.at),
                details: json!({}),
            });
        }
        if !agent.is_executable() {
            return Some(Failure {
                kind: "no_provider".to_owned(),
                message: format!(
                    "`{}` has no body: it talks to a model, and this build has no provider of models",
                    agent.name()
                ),
                at: at(agent.entry.at),
                details: json!({}),
            });
        }
        None
    }

    /// The report of a run that does not begin. No effect could have happened,
    /// and there is no journal.
    fn refused(&self, run: &RunId, failure: Failure) -> Report {
        Report {
            run: run.to_string(),
            outcome: match failure.kind.as_str() {
                "no_provider" => Outcome::Failed,
                _ => Outcome::Refused,
            },
            value: Json::Null,
            error: Some(failure),
            journal: None,
            usage: Usage::default(),
        }
    }

    fn prepare<'h>(
        &'h self,
        run: &RunId,
        (number, module, agent): (u32, &'h Arc<Module>, &'h Agent),
        start: Start<'_>,
        parameters: Record,
        origin: &Origin,
        given: Json,
    ) -> Result<drive::Run<'h>, HostError> {
        let meter = Meter::new(self.setup.steps, memory(agent));
        let machine = Machine::agent(&self.image, number, agent.name(), start.input, meter);
        let Some(machine) = machine else {
            return Err(HostError::Gate(gate::GateError::NoAgent {
                file: module.path.to_string(),
                name: agent.name().to_string(),
            }));
        };
        let open = Arc::new(AtomicBool::new(false));
        let gate = self.gate(module, agent, start.route, parameters, &open, 0)?;
        let writer = match self.setup.dry {
            true => None,
            false => {
                let keys = Keys::open(&self.setup.project)?;
                let clean = record::Recorder::new(
                    None,
                    open.clone(),
                    self.secrets.clone(),
                    Arc::new(|_| ()),
                );
                let kept = clean.clean(&given);
                let about = json!({
                    "host": env!("CARGO_PKG_VERSION"),
                    "program": self.identity,
                    "source": self.setup.source,
                    "file": &*module.path,
                    "agent": &**agent.name(),
                    "principal": &*agent.principal,
                    "route": start.route.as_str(),
                    "input": kept.json,
                    "input_exact": kept.exact,
                    "dev": self.setup.dev,
                    "parent": origin.parent.as_ref().map(|(run, effect)| json!({"run": run, "effect": effect})),
                    "steps": self.setup.steps,
                    "retention_days": gate.retention_days(),
                });
                Some(Writer::create(
                    &self.journals,
                    run,
                    keys,
                    &about,
                    self.options(),
                )?)
            }
        };
        let mut run = drive::Run::new(
            self,
            run.clone(),
            module,
            agent,
            machine,
            gate,
            origin.clone(),
        );
        run.record_to(writer, open.clone());
        // What a run that only looks would put on record it could.
        if self.setup.dry {
            open.store(true, Ordering::SeqCst);
        }
        Ok(run)
    }

    fn options(&self) -> Options {
        let clock = self.setup.clock.clone();
        Options {
            durability: self.setup.durability,
            clock: Clock::new(move || {
                let nanos = clock().as_nanosecond();
                let nanos = u64::try_from(nanos).unwrap_or(0);
                std::time::UNIX_EPOCH + Duration::from_nanos(nanos)
            }),
            ..Options::default()
        }
    }

    fn gate(
        &self,
        module: &Module,
        agent: &Agent,
        route: Route,
        parameters: Record,
        open: &Arc<AtomicBool>,
        tool_calls: u64,
    ) -> Result<Gate, HostError> {
        let clock = self.setup.clock.clone();
        Ok(Gate::new(
            self.program.clone(),
            &module.path,
            agent.name(),
            route,
            parameters,
            gate::Options {
                dev: self.setup.dev,
                context: self.setup.context.clone(),
                clock: Box::new(move || clock()),
                counters: self.counters.clone(),
                tool_calls,
                journal: open.clone(),
                unisolated: self.setup.unisolated,
                cedar: None,
                approver: None,
            },
        )?)
    }

    fn folder(&self) -> &Path {
        self.journals.folder()
    }
}

/// The memory that an agent may use, in bytes.
fn memory(agent: &Agent) -> usize {
    let stated = agent
        .attributes
        .max_memory
        .and_then(|bytes| usize::try_from(bytes).ok());
    stated.unwrap_or(MEMORY)
}

/// The parameters that guards see.
fn facts_of(agent: &Agent, input: &[Value]) -> Record {
    let given = agent.entry.params.iter().zip(input);
    let given = given.filter(|(_, value)| !matches!(value, Value::Unset));
    Record::new(given.map(|(param, value)| (param.name.clone(), crate::values::fact(value))))
}

fn input_json(agent: &Agent, input: &[Value]) -> Json {
    let given = agent.entry.params.iter().zip(input);
    let given = given.filter(|(_, value)| !matches!(value, Value::Unset));
    let fields = given.map(|(param, value)| (param.name.to_string(), crate::values::tagged(value)));
    Json::Object(fields.collect())
}

/// A name for a new run: a UUID of version 7 (RFC 9562), so that later ones
/// sort behind earlier ones.
fn new_run(now: Timestamp) -> RunId {
    let id = uuid7(now).to_string();
    // INVARIANT: it is a UUID.
    id.parse()
        .unwrap_or_else(|_| unreachable!("a UUID names a run"))
}

/// A UUID of version 7.
fn uuid7(now: Timestamp) -> uuid::Uuid {
    let mut chance = [0; 10];
    // Without chance from the system two runs could share a name; what creates
    // a journal refuses a name that is taken.
    let _ = getrandom::fill(&mut chance);
    let millis = u64::try_from(now.as_millisecond()).unwrap_or(0);
    uuid::Builder::from_unix_timestamp_millis(millis, &chance).into_uuid()
}

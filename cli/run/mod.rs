//! `symbi run`: runs an agent, or goes on with a run that was broken off.

mod agent;
mod console;
mod told;

pub use agent::project;

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use clap::error::ErrorKind;
use symbi_host::run::answers::Answers;
use symbi_host::run::{Host, HostError, Outcome, Provider, Report, Setup, Start, parameters};
use symbi_policy::{Record, Value};

use crate::Stop;
use crate::args::usage_error;
use crate::dsl::RouteName;
use crate::exit::Exit;
use crate::output::Output;
use crate::policy::facts;
use crate::sources;

/// What `symbi run` takes.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The agent: its name in this project, a file with one agent, FILE#NAME, or
    /// a bundle
    agent: Option<String>,

    /// The agent of a bundle, or of a file with several
    #[arg(long = "agent", value_name = "NAME", conflicts_with = "resume")]
    named: Option<String>,

    /// What it is given: JSON, @FILE, or - for standard input
    #[arg(
        long,
        value_name = "JSON",
        conflicts_with = "resume",
        allow_hyphen_values = true
    )]
    input: Option<String>,

    /// How it is started
    #[arg(
        long,
        value_enum,
        default_value = "run",
        value_name = "ROUTE",
        conflicts_with = "resume"
    )]
    route: RouteName,

    /// Scripted answers to effects, one JSON object a line
    #[arg(long, value_name = "FILE")]
    answers: Option<PathBuf>,

    /// Decide about each effect and carry none out; no journal is kept
    #[arg(long, conflicts_with = "resume")]
    dry_run: bool,

    /// Go on with a run that was broken off
    #[arg(long, value_name = "RUN")]
    resume: Option<String>,

    /// What the host knows, as a JSON file: the context of guards
    #[arg(long, value_name = "FILE")]
    context: Option<String>,

    /// It may take no longer, whatever the agent says: 30s, 5m
    #[arg(long, value_name = "DURATION")]
    timeout: Option<String>,

    /// It may take no more steps
    #[arg(long, value_name = "NUMBER", default_value_t = symbi_host::run::STEPS)]
    steps: u64,

    /// Grant what nobody grants and nothing forbids
    #[arg(long)]
    dev: bool,

    /// One line of JSON at the end of stdout
    #[arg(long)]
    json: bool,
}

/// The beginning of the long help.
pub const ABOUT: &str = "\
Run an agent

Its body runs statement by statement. Whatever touches the world is an effect,
and passes the gate: capabilities, policies, obligations. Everything is put on
record in a journal that can be verified and replayed, under .symbiont/audit in
the project.";

/// The end of the help.
pub const EXAMPLES: &str = "\
Examples:
  symbi run deploy --input '{\"service\":\"api\"}'    the agent of this project
  symbi run deploy.symbi --dry-run                the only agent of a file
  symbi run fleet.symbib --agent deploy           of a bundle
  symbi run deploy --answers answers.jsonl        effects answered by a script
  symbi run --resume last                         go on where it was broken off";

/// The end of the long help.
pub const NOTES: &str = "\
An effect that is granted needs somebody to carry it out. This build carries out
agents with a body; tools, models and the rest arrive later. Until then --answers
answers for them, which the journal says, and what nobody answers raises
`no_provider`.

A line of --answers is {\"effect\": NAME, \"arguments\": {..}, \"result\": ..}, or
\"error\": {\"kind\": .., \"message\": ..} in the place of the result; \"repeat\": true
lets it answer more than once. {\"secret\": ADDRESS, \"value\": TEXT} is a secret.

SYMBI_INSECURE_ALLOW_ALL=1 does what --dev does. SYMBIONT_ALLOW_UNISOLATED=1 lets
agents run whose sandbox is `none`.

Examples:
  symbi run deploy --input '{\"service\":\"api\"}'     the agent of this project
  symbi run deploy --input @in.json --json         for programs
  symbi run deploy --dry-run --context facts.json  what the gate would say
  symbi run --resume last                          go on where it was broken off

Exit codes: 0 completed, 1 failed or refused, 2 wrong usage or something could
not be read, 3 unresolved, 4 a budget or the time ran out, 130 ended by Ctrl-C.";

/// Runs it.
pub fn run(args: &Args, output: &mut Output) -> Result<Exit, Stop> {
    let wrong = |message: String| {
        let error = usage_error("run", ErrorKind::InvalidValue, &message);
        Err(Stop::Usage(error))
    };
    let options = match Options::read(args) {
        Ok(options) => options,
        Err(message) => return wrong(message),
    };
    let project = project();
    let resumed = match &args.resume {
        None => None,
        Some(run) => match agent::resumed(&project, run) {
            Ok(found) => Some(found),
            Err(message) => {
                output.error(&message)?;
                return Ok(Exit::Unusable);
            }
        },
    };
    let source = match &resumed {
        Some((_, source)) => args.agent.clone().unwrap_or_else(|| source.clone()),
        None => args.agent.clone().unwrap_or_default(),
    };
    let wanted = match agent::Wanted::of(&project, &source, args.named.as_deref()) {
        Ok(wanted) => wanted,
        Err(message) => {
            output.error(&message)?;
            return Ok(Exit::Unusable);
        }
    };
    let loaded = match crate::load::load(&wanted.program, output)? {
        Ok(loaded) => loaded,
        Err(exit) => return Ok(exit),
    };
    if options.dev {
        output.error("whatever nobody grants is granted: this run is not safe (--dev)")?;
    }
    let setup = options.setup(args, &project, &wanted, output);
    let host = match Host::new(loaded.program, setup) {
        Ok(host) => host,
        Err(error) => return cannot(&error, output),
    };
    let report = match resumed {
        Some((run, _)) => host.resume(&run),
        None => {
            let (module, agent) = match wanted.agent(host.program()) {
                Ok(found) => found,
                Err(message) => {
                    output.error(&message)?;
                    return Ok(Exit::Unusable);
                }
            };
            let input = match parameters(module, agent, options.input.as_ref()) {
                Ok(input) => input,
                Err(message) => return wrong(format!("--input: {message}")),
            };
            host.run(Start {
                file: &module.path,
                agent: agent.name(),
                route: crate::policy::why::route(args.route),
                input,
            })
        }
    };
    match report {
        Ok(report) => {
            told::told(&report, args.json, args.dry_run, output)?;
            Ok(exit(&report))
        }
        Err(error) => cannot(&error, output),
    }
}

/// A run that does not begin.
fn cannot(error: &HostError, output: &mut Output) -> Result<Exit, Stop> {
    output.error(&error.to_string())?;
    Ok(match error {
        HostError::Load(_) | HostError::Program(_) => Exit::Errors,
        _ => Exit::Unusable,
    })
}

fn exit(report: &Report) -> Exit {
    match report.outcome {
        Outcome::Completed => Exit::Fine,
        Outcome::Refused | Outcome::Failed => Exit::Errors,
        Outcome::Unresolved => Exit::Unresolved,
        Outcome::BudgetExhausted | Outcome::TimedOut => Exit::Exhausted,
        Outcome::Cancelled => Exit::Interrupted,
    }
}

/// What the options say.
struct Options {
    input: Option<serde_json::Value>,
    context: Record,
    answers: Arc<Answers>,
    timeout: Option<Duration>,
    dev: bool,
}

impl Options {
    fn read(args: &Args) -> Result<Self, String> {
        let input = match args.input.as_deref() {
            None => None,
            Some("-") => {
                let bytes = sources::stdin().map_err(|problem| format!("--input: {problem}"))?;
                let text =
                    String::from_utf8(bytes).map_err(|_| "--input: it is not UTF-8".to_owned())?;
                Some(facts::parsed("--input", &text)?)
            }
            Some(text) => Some(facts::json("--input", text, false)?),
        };
        let context = match &args.context {
            None => Record::default(),
            Some(file) => match &facts::value(&facts::json("--context", file, true)?) {
                Value::Record(record) => record.clone(),
                _ => return Err(format!("--context: {file} is no JSON object")),
            },
        };
        let timeout = match &args.timeout {
            None => None,
            Some(text) => {
                let read = symbi_mini::duration::parse(text);
                let read = read.map_err(|error| format!("--timeout: {}", error.message))?;
                let nanos = u64::try_from(read.value).ok().filter(|nanos| *nanos > 0);
                let nanos = nanos.ok_or("--timeout: it has to be more than nothing")?;
                Some(Duration::from_nanos(nanos))
            }
        };
        let answers = match &args.answers {
            None => Answers::default(),
            Some(file) => answers(file)?,
        };
        let set = |name: &str| std::env::var(name).is_ok_and(|value| value == "1");
        Ok(Options {
            input,
            context,
            answers: Arc::new(answers),
            timeout,
            dev: args.dev || set("SYMBI_INSECURE_ALLOW_ALL"),
        })
    }

    fn setup(&self, args: &Args, project: &Path, wanted: &agent::Wanted, output: &Output) -> Setup {
        let unisolated = std::env::var(symbi_host::obligations::ALLOW_UNISOLATED).ok();
        Setup {
            source: wanted.source.clone(),
            answers: self.answers.clone(),
            providers: vec![self.answers.clone() as Arc<dyn Provider>],
            console: Arc::new(console::Terminal::new(
                args.dry_run,
                output.stdout_colour,
                output.stderr_colour,
            )),
            context: self.context.clone(),
            dev: self.dev,
            dry: args.dry_run,
            unisolated: symbi_host::obligations::unisolated(unisolated.as_deref()),
            steps: args.steps,
            timeout: self.timeout,
            cancel: cancelled(),
            ..Setup::new(project)
        }
    }
}

fn answers(file: &Path) -> Result<Answers, String> {
    let name = sources::printable(file.as_os_str());
    let bytes = sources::bytes(file).map_err(|problem| format!("--answers: {name}: {problem}"))?;
    let text = String::from_utf8(bytes).map_err(|_| format!("--answers: {name} is not UTF-8"))?;
    Answers::parse(&text).map_err(|error| format!("--answers: {name}: {error}"))
}

/// Set by Ctrl-C: the run ends in order, and its journal says so. A second
/// Ctrl-C ends the process.
fn cancelled() -> Arc<AtomicBool> {
    let cancel = Arc::new(AtomicBool::new(false));
    #[cfg(unix)]
    for signal in [libc::SIGINT, libc::SIGTERM] {
        // Where the signal cannot be taken, it ends the process, as it always
        // does; the run can be resumed.
        let _ = signal_hook::flag::register_conditional_default(signal, cancel.clone());
        let _ = signal_hook::flag::register(signal, cancel.clone());
    }
    cancel
}

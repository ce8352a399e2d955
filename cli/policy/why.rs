//! `symbi policy why`: the decision about one effect of one agent.

use std::io::Write;
use std::path::PathBuf;

use clap::ValueEnum;
use clap::error::ErrorKind;
use serde_json::json;
use symbi_host::gate::{Asked, Told, network, outcome};
use symbi_ir::{Agent, Module, Program, Route};
use symbi_policy::{
    Approval, Cedar, Decider, Effect, Facts, Kind, Outcome, Record, Timestamp, Value,
};

use super::facts;
use crate::Stop;
use crate::args::usage_error;
use crate::dsl::RouteName;
use crate::exit::Exit;
use crate::load::{self, Loaded};
use crate::output::{GREEN, Output, RED_BOLD, YELLOW, paint};

/// What `symbi policy why` takes.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// A bundle, or the folder or file of a project
    program: PathBuf,

    /// The agent: its name, or FILE#NAME
    agent: String,

    /// What it is about to do: a tool, an effect such as send, or an external
    /// action
    effect: String,

    /// The arguments, as JSON: an object by name, or a list by place
    #[arg(long, value_name = "JSON")]
    args: Option<String>,

    /// What the host knows, as a JSON file: the context of guards
    #[arg(long, value_name = "FILE")]
    context: Option<String>,

    /// The parameters of the agent, as JSON
    #[arg(long, value_name = "JSON")]
    input: Option<String>,

    /// How the agent was started
    #[arg(long, value_enum, default_value = "run", value_name = "ROUTE")]
    route: RouteName,

    /// What Cedar answers, where the project has policies of Cedar
    #[arg(long, value_enum, value_name = "ANSWER")]
    cedar: Option<CedarAnswer>,

    /// A required obligation that holds; may be given several times
    #[arg(long, value_name = "NAME")]
    holds: Vec<String>,

    /// A person has agreed to it
    #[arg(long)]
    approved: bool,

    /// The time of the decision; now, if it is not given
    #[arg(long, value_name = "RFC3339")]
    now: Option<Timestamp>,

    /// Fail if the decision is another one
    #[arg(long, value_enum, value_name = "DECISION")]
    expect: Option<Expected>,

    /// One JSON document on stdout
    #[arg(long)]
    json: bool,
}

/// What Cedar may answer.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum CedarAnswer {
    /// There is no policy for the route
    Absent,
    /// A policy permits and none forbids
    Permit,
    /// A policy permits and asks for a person's approval
    Ask,
    /// A policy forbids
    Forbid,
    /// No policy permits
    Silent,
    /// A policy cannot be evaluated
    Error,
}

/// What may be expected.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum Expected {
    /// It may happen
    Permit,
    /// It may not
    Deny,
    /// A person has to be asked
    Pending,
}

/// The beginning of the long help.
pub const ABOUT: &str = "\
Say whether an agent may do something, and why

The decision is the one that the host takes: capabilities, then every policy of
the agent and its file, then what they require, then who grants. What is printed
is the decision, the rule that decided with its place in the source, and the
facts that the rules about this effect look at.";

/// The end of the help.
pub const EXAMPLES: &str = "\
Examples:
  symbi policy why . deploy restart --args '{\"service\":\"api\"}'
  symbi policy why fleet.symbib deploy restart --context facts.json --json";

/// The end of the long help.
pub const NOTES: &str = "\
What is not given is missing: an argument, a field of the context, a parameter.
An obligation holds only if --holds names it. Rules are not asked about `respond`
and `terminate`, which end a run.

Policies of Cedar are not evaluated here: if the project has some for the route,
say with --cedar what they answer.

Examples:
  symbi policy why . deploy restart --args '{\"service\":\"api\"}'
  symbi policy why . deploy restart --args '[\"api\"]' --input '{\"who\":\"ann\"}'
  symbi policy why fleet.symbib deploy restart --context facts.json --json
  symbi policy why . agents/deploy.symbi#deploy send --expect deny

Exit codes: 0 there is a decision, 1 another one than --expect, or the program
has errors, 2 wrong usage or something could not be read.";

/// Runs it.
pub fn run(args: &Args, output: &mut Output) -> Result<Exit, Stop> {
    let wrong = |message: String| {
        let error = usage_error("policy", ErrorKind::InvalidValue, &message);
        Err(Stop::Usage(error))
    };
    let given = match Given::read(args) {
        Ok(given) => given,
        Err(message) => return wrong(message),
    };
    let loaded = match load::load(&args.program, output)? {
        Ok(loaded) => loaded,
        Err(exit) => return Ok(exit),
    };
    let (module, agent) = match find(&loaded.program, &args.agent) {
        Ok(found) => found,
        Err(message) => {
            output.error(&message)?;
            return Ok(Exit::Unusable);
        }
    };
    let route = route(args.route);
    let cedar = match (
        args.cedar,
        symbi_ir::privileges::has_cedar(&loaded.program, route),
    ) {
        (Some(answer), _) => answer.into(),
        (None, false) => Cedar::Absent,
        (None, true) => {
            return wrong(format!(
                "there are policies of Cedar for the route {}, which are not evaluated here: say \
                 with --cedar what they answer",
                route.as_str()
            ));
        }
    };
    let answer = match decide(args, &given, cedar, &loaded, (module, agent), route) {
        Ok(answer) => answer,
        Err(message) => return wrong(message),
    };
    let text = match args.json {
        true => format!("{}\n", answer.json),
        false => answer.text(output.stdout_colour),
    };
    output.stdout().write_all(text.as_bytes())?;
    let expected = args.expect.map(|expected| match expected {
        Expected::Permit => Outcome::Permit,
        Expected::Deny => Outcome::Deny,
        Expected::Pending => Outcome::Pending,
    });
    match expected.filter(|expected| *expected != answer.outcome) {
        Some(expected) => {
            output.error(&format!(
                "expected {}, and it is {}",
                outcome(expected),
                outcome(answer.outcome)
            ))?;
            Ok(Exit::Errors)
        }
        None => Ok(Exit::Fine),
    }
}

/// What the options say.
struct Given {
    arguments: Option<serde_json::Value>,
    context: Value,
    parameters: Option<serde_json::Value>,
}

impl Given {
    fn read(args: &Args) -> Result<Self, String> {
        let mut given = Given {
            arguments: None,
            context: Value::Record(Record::default()),
            parameters: None,
        };
        if let Some(text) = &args.args {
            given.arguments = Some(facts::json("--args", text, false)?);
        }
        if let Some(file) = &args.context {
            given.context = facts::value(&facts::json("--context", file, true)?);
        }
        if let Some(text) = &args.input {
            given.parameters = Some(facts::json("--input", text, false)?);
        }
        Ok(given)
    }
}

impl From<CedarAnswer> for Cedar {
    fn from(answer: CedarAnswer) -> Self {
        match answer {
            CedarAnswer::Absent => Cedar::Absent,
            CedarAnswer::Permit => Cedar::Permit { asks: false },
            CedarAnswer::Ask => Cedar::Permit { asks: true },
            CedarAnswer::Forbid => Cedar::Forbid,
            CedarAnswer::Silent => Cedar::Silent,
            CedarAnswer::Error => Cedar::Error,
        }
    }
}

/// The route of a name.
pub fn route(name: RouteName) -> Route {
    let named = name.0.as_str();
    let mut routes = Route::ALL.into_iter();
    routes
        .find(|route| route.as_str() == named)
        .unwrap_or(Route::Run)
}

/// The agent of a name, or of a file and a name.
fn find<'p>(program: &'p Program, wanted: &str) -> Result<(&'p Module, &'p Agent), String> {
    let (file, name) = match wanted.rsplit_once('#') {
        Some((file, name)) => (Some(file), name),
        None => (None, wanted),
    };
    let mut found = program.agents().filter(|(module, agent)| {
        **agent.name() == *name && file.is_none_or(|file| *module.path == *file)
    });
    match (found.next(), found.next()) {
        (Some((module, agent)), None) => Ok((module, agent)),
        (Some((one, _)), Some((two, _))) => Err(format!(
            "there are several agents `{name}`: say which, such as {}#{name} or {}#{name}",
            one.path, two.path
        )),
        (None, _) => {
            let names: Vec<&str> = program.agents().map(|(_, agent)| &**agent.name()).collect();
            Err(match symbi_analysis::nearest(name, names.iter().copied()) {
                Some(near) => format!("there is no agent `{wanted}`: did you mean `{near}`?"),
                None => format!("there is no agent `{wanted}`"),
            })
        }
    }
}

/// A decision, and all there is to say about it.
struct Answer {
    outcome: Outcome,
    json: serde_json::Value,
    agent: String,
    effect: String,
    told: Told,
    looks: Vec<symbi_policy::Look>,
}

fn decide(
    args: &Args,
    given: &Given,
    cedar: Cedar,
    loaded: &Loaded,
    (module, agent): (&Module, &Agent),
    route: Route,
) -> Result<Answer, String> {
    let program = &loaded.program;
    let decider = Decider::new(program.policies(module, agent));
    let name = &*args.effect;
    let (kind, params) = match name {
        "respond" | "terminate" => (Kind::Answer, Vec::new()),
        _ => program.effect(name),
    };
    let of = |option, json: &Option<serde_json::Value>, params: &[Box<str>]| match json {
        Some(json) => facts::arguments(option, json, params),
        None => Ok(Record::default()),
    };
    let arguments = of("--args", &given.arguments, &params)?;
    let own = agent
        .entry
        .params
        .iter()
        .map(|param| Box::from(&*param.name));
    let own: Vec<Box<str>> = own.collect();
    let parameters = of("--input", &given.parameters, &own)?;
    let tool = program.tool(name);
    let url = arguments.get("url").and_then(|url| match url {
        Value::String(url) => Some(&**url),
        _ => None,
    });
    let effect = Effect {
        params: &params,
        resource: tool.and_then(|tool| tool.resource.as_deref()),
        version: tool.and_then(|tool| tool.version.as_deref()),
        schema_verified: tool.map(|_| true),
        network: url.and_then(network),
        asks: tool.is_some_and(|tool| tool.asks),
        ..Effect::new(name, kind, &arguments)
    };
    let invocation = Value::Record(Record::new([(
        "arguments".into(),
        Value::Record(arguments.clone()),
    )]));
    let facts = Facts {
        principal: &agent.principal,
        invocation: &invocation,
        context: &given.context,
        now: args.now.unwrap_or_else(Timestamp::now),
        parameters: &parameters,
        holds: &|_, name, _| args.holds.iter().any(|held| held == name),
        cedar,
        approval: match args.approved {
            true => Approval::Given,
            false => Approval::Unasked,
        },
        dev: false,
    };
    let decision = decider.decide(&effect, &facts);
    let looks = decider.looks(&effect, &facts);
    let told = Asked {
        program,
        module,
        agent,
        effect: name,
        route,
        source: loaded.source(&module.path),
        texts: true,
    }
    .told(decision.because);
    let rule = told.rule.as_ref().map(|rule| {
        json!({
            "path": &*rule.path,
            "line": rule.line,
            "column": rule.column,
            "text": rule.text,
        })
    });
    let looked_at: Vec<serde_json::Value> = looks
        .iter()
        .map(|look| match &look.value {
            Some(value) => json!({"path": look.path, "value": facts::plain(value)}),
            None => json!({"path": look.path, "missing": true}),
        })
        .collect();
    Ok(Answer {
        outcome: decision.outcome,
        json: json!({
            "version": 1,
            "file": &*module.path,
            "agent": &**agent.name(),
            "effect": name,
            "route": route.as_str(),
            "admitted": agent.is_admitted(route),
            "decision": outcome(decision.outcome),
            "because": told.because,
            "message": &*told.message,
            "rule": rule,
            "looked_at": looked_at,
        }),
        agent: agent.name().to_string(),
        effect: name.to_owned(),
        told,
        looks,
    })
}

impl Answer {
    fn text(&self, colour: bool) -> String {
        let (word, style, can) = match self.outcome {
            Outcome::Permit => ("permitted", GREEN, "may"),
            Outcome::Deny => ("denied", RED_BOLD, "may not"),
            Outcome::Pending => ("pending", YELLOW, "may, once a person agrees,"),
        };
        let mut text = format!(
            "{} · `{}` {can} `{}`: {}\n",
            paint(word, style, colour),
            self.agent,
            self.effect,
            self.told.message
        );
        if let Some(rule) = &self.told.rule {
            text.push_str(&format!(
                "  {}:{}:{}  {}\n",
                rule.path, rule.line, rule.column, rule.text
            ));
        }
        if !self.looks.is_empty() {
            text.push_str("  looked at:\n");
        }
        for look in &self.looks {
            let value = match &look.value {
                Some(value) => facts::shown(value),
                None => "missing".to_owned(),
            };
            text.push_str(&format!("    {} = {value}\n", look.path));
        }
        text
    }
}

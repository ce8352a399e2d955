//! `symbi bundle inspect`: what is in a bundle.

use std::fmt::Write as _;
use std::io::Write;
use std::path::PathBuf;

use serde_json::{Value, json};
use symbi_ir::{Agent, Module, Network, Route};
use symbi_package::Package;

use super::open;
use crate::Stop;
use crate::exit::Exit;
use crate::output::Output;

/// What `symbi bundle inspect` takes.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The bundle
    bundle: PathBuf,

    /// Show the whole program, as `symbi dsl --ir` does
    #[arg(long)]
    program: bool,

    /// One JSON document on stdout; with --program, the program as JSON
    #[arg(long)]
    json: bool,
}

/// Runs it.
pub fn run(args: &Args, output: &mut Output) -> Result<Exit, Stop> {
    let package = match open(&args.bundle, output)? {
        Ok(package) => package,
        Err(exit) => return Ok(exit),
    };
    let text = match (args.program, args.json) {
        (true, false) => package.program.to_text(),
        (true, true) => match symbi_ir::json::write(&package.program) {
            Ok(text) => text,
            Err(error) => {
                output.error(&error.to_string())?;
                return Ok(Exit::Errors);
            }
        },
        (false, true) => format!("{}\n", document(&package)),
        (false, false) => shown(&package),
    };
    output.stdout().write_all(text.as_bytes())?;
    Ok(Exit::Fine)
}

/// The routes on which an agent may run.
fn routes(agent: &Agent) -> Vec<&'static str> {
    let admitted = Route::ALL
        .into_iter()
        .filter(|route| agent.is_admitted(*route));
    admitted.map(Route::as_str).collect()
}

fn network(agent: &Agent) -> String {
    match &agent.attributes.network {
        Network::DenyAll => "none".to_owned(),
        Network::AllowAll => "all".to_owned(),
        Network::Hosts(hosts) => hosts.join(", "),
    }
}

fn kind(agent: &Agent) -> &'static str {
    match (agent.is_executable(), &agent.driver) {
        (_, Some(_)) => "managed",
        (true, None) => "executable",
        (false, None) => "conversational",
    }
}

fn shown(package: &Package) -> String {
    let bundle = &package.bundle;
    let mut text = String::new();
    let _ = writeln!(text, "digest     {}", bundle.digest());
    let _ = writeln!(text, "toolchain  {}", bundle.toolchain());
    let _ = writeln!(text, "signed by  {}", bundle.kid().unwrap_or("nobody"));
    let _ = writeln!(text, "files");
    for entry in bundle.entries() {
        let _ = writeln!(text, "  {}  {} bytes", entry.path, entry.bytes.len());
    }
    let mut each = package.program.agents().peekable();
    if each.peek().is_some() {
        let _ = writeln!(text, "agents");
    }
    for (module, agent) in each {
        let routes = match &*routes(agent) {
            [] => "nowhere".to_owned(),
            some => some.join(" "),
        };
        let _ = writeln!(
            text,
            "  {}  {}, in {}, network {}, from {}\n    runs on: {routes}",
            agent.name(),
            kind(agent),
            agent.attributes.sandbox.as_str(),
            network(agent),
            module.path,
        );
    }
    for module in &package.program.modules {
        for schedule in &module.schedules {
            let agent = schedule
                .agent
                .as_ref()
                .map_or("nobody", |agent| &agent.name);
            let when = match &schedule.when {
                symbi_ir::When::Cron { text, .. } => format!("cron {text}"),
                symbi_ir::When::At(at) => format!("at {at}"),
            };
            let _ = writeln!(
                text,
                "schedule {}  starts {agent}: {when}, {}",
                schedule.name, schedule.timezone
            );
        }
        for webhook in &module.webhooks {
            let agent = webhook.agent.as_ref().map_or("nobody", |agent| &agent.name);
            let _ = writeln!(
                text,
                "webhook {}  starts {agent}: {}",
                webhook.name, webhook.path
            );
        }
    }
    for tool in &package.program.tools {
        let _ = writeln!(text, "tool {}  {}", tool.name, tool.manifest);
    }
    text
}

fn document(package: &Package) -> Value {
    let bundle = &package.bundle;
    let program = &package.program;
    let files: Vec<Value> = bundle
        .entries()
        .map(|entry| {
            json!({
                "path": entry.path,
                "bytes": entry.bytes.len(),
                "sha256": entry.sha256.to_string(),
            })
        })
        .collect();
    let agents: Vec<Value> = program
        .agents()
        .map(|(module, agent)| agent_document(module, agent))
        .collect();
    let modules = || program.modules.iter();
    let schedules = modules().flat_map(|module| &module.schedules);
    let webhooks = modules().flat_map(|module| &module.webhooks);
    let channels = modules().flat_map(|module| &module.channels);
    let named = |names: Vec<&str>| Value::from(names);
    json!({
        "version": 1,
        "digest": bundle.digest().to_string(),
        "toolchain": bundle.toolchain(),
        "signed_by": bundle.kid(),
        "program_version": program.version,
        "files": files,
        "agents": agents,
        "schedules": named(schedules.map(|one| &*one.name).collect()),
        "webhooks": named(webhooks.map(|one| &*one.path).collect()),
        "channels": named(channels.map(|one| &*one.name).collect()),
        "tools": named(program.tools.iter().map(|one| &*one.name).collect()),
    })
}

fn agent_document(module: &Module, agent: &Agent) -> Value {
    json!({
        "file": &*module.path,
        "name": &**agent.name(),
        "principal": &*agent.principal,
        "kind": kind(agent),
        "driver": agent.driver.as_deref(),
        "sandbox": agent.attributes.sandbox.as_str(),
        "network": network(agent),
        "secrets": agent.secrets.iter().map(|one| &**one).collect::<Vec<&str>>(),
        "routes": routes(agent),
    })
}

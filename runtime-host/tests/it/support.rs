//! What the tests share: programs from texts, and a world that remembers what it
//! was asked to do.

use std::path::Path;
use std::sync::{Arc, Mutex};

use serde_json::{Value as Json, json};
use symbi_analysis::{OneShot, Settings, Summary, Text, read_manifests};
use symbi_host::gate::Call;
use symbi_host::run::{Console, Host, Provider, Report, Setup, Start, parameters};
use symbi_ir::{Program, Route};
use symbi_vm::{Raise, Value};

/// The program of files, whether it has errors or not.
pub fn program(files: &[(&str, &str)], tools: &[&str]) -> Program {
    let manifests: Vec<(String, String)> = tools
        .iter()
        .map(|name| {
            let text = format!(
                "[tool]\nname = \"{name}\"\nversion = \"1.0.0\"\nbinary = \"x\"\n\
                 description = \"A tool\"\n\n[args.text]\nposition = 1\ntype = \"string\"\n\
                 required = false\ndescription = \"A text\"\n\n[args.count]\nposition = 2\n\
                 type = \"integer\"\nrequired = false\ndescription = \"A number\"\n\n\
                 [command]\nexec = [\"x\"]\n\n[output]\nformat = \"text\"\n"
            );
            (format!("tools/{name}.clad.toml"), text)
        })
        .collect();
    let texts: Vec<Text<'_>> = manifests
        .iter()
        .map(|(path, text)| Text { path, text })
        .collect();
    let read = read_manifests(&texts, None);
    let summaries = files.iter().map(|(path, text)| {
        let decoded = symbi_syntax::decode(text.as_bytes().to_vec());
        Summary::new(*path, decoded, true)
    });
    let settings = Settings::default();
    let one_shot = OneShot::new(summaries.collect(), read.tools, settings.clone());
    let modules = (0..files.len()).filter_map(|at| one_shot.compile(at).1.map(Arc::new));
    let modules = modules.collect();
    symbi_analysis::program(&settings, modules, read.contracts, Vec::new())
}

/// A world that remembers what it was asked to do, and gives back its first
/// argument.
#[derive(Default)]
pub struct World {
    pub asked: Mutex<Vec<String>>,
}

impl World {
    pub fn asked(&self) -> Vec<String> {
        self.asked.lock().unwrap().clone()
    }
}

impl Provider for World {
    fn name(&self) -> &'static str {
        "world"
    }

    fn offers(&self, _: &Call) -> bool {
        true
    }

    fn carry_out(&self, call: &Call) -> Result<Value, Raise> {
        self.asked.lock().unwrap().push(call.name().to_string());
        let first = call.arguments().fields().next();
        match first {
            Some((_, fact)) => symbi_host::values::value(fact),
            None => Ok(Value::Null),
        }
    }
}

/// A console that remembers what was said.
#[derive(Default)]
pub struct Said {
    pub lines: Mutex<Vec<String>>,
}

impl Console for Said {
    fn print(&self, text: &str) {
        self.lines.lock().unwrap().push(text.to_owned());
    }

    fn log(&self, level: &str, text: &str) {
        self.lines.lock().unwrap().push(format!("{level} {text}"));
    }
}

/// Runs the agent `a` of a program.
pub fn run(host: &Host, input: Json) -> Report {
    run_on(host, Route::Run, input)
}

pub fn run_on(host: &Host, route: Route, input: Json) -> Report {
    let (module, agent) = host
        .program()
        .agents()
        .find(|(_, agent)| **agent.name() == *"a")
        .unwrap();
    let input = Some(input).filter(|input| *input != json!(null));
    let input = parameters(module, agent, input.as_ref()).unwrap();
    let start = Start {
        file: &module.path,
        agent: "a",
        route,
        input,
    };
    host.run(start).unwrap()
}

/// A host for one file, whose effects a world carries out.
pub fn host(
    folder: &Path,
    source: &str,
    tools: &[&str],
    world: &Arc<World>,
    change: impl FnOnce(&mut Setup),
) -> Host {
    let mut setup = Setup::new(folder);
    setup.providers.push(world.clone());
    setup.durability = symbi_journal::Durability::NoSync;
    change(&mut setup);
    Host::new(program(&[("a.symbi", source)], tools), setup).unwrap()
}

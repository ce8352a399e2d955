//! The host as a library: a program of your own runs an agent from a bundle, and
//! carries its effects out itself.
//!
//! `cargo run -p symbi-host --example embed` shows it with an agent that is
//! compiled on the spot; with bundles, `symbi_package::read` gives the program.

use std::path::Path;
use std::sync::{Arc, Mutex};

use symbi_host::gate::Call;
use symbi_host::run::{Host, HostError, Outcome, Provider, Report, Setup, Start, parameters};
use symbi_ir::{Program, Route};
use symbi_vm::{Raise, Value};

/// An agent that orders something, and may order nothing else.
pub const AGENT: &str = r#"
agent buyer(item: String, most: int = 10) -> String {
    policy shopping {
        allow: order(what, count) if what == item && count <= most
    }
    with timeout = 10s {
        let number = order(item, 3);
        return "ordered as " + number;
    }
}
"#;

/// What carries orders out. The gate has granted each of them before, and it is
/// on record that it is about to happen.
#[derive(Default)]
pub struct Shop {
    /// What was ordered.
    pub orders: Mutex<Vec<String>>,
}

impl Provider for Shop {
    fn name(&self) -> &'static str {
        "shop"
    }

    fn offers(&self, call: &Call) -> bool {
        **call.name() == *"order"
    }

    fn carry_out(&self, call: &Call) -> Result<Value, Raise> {
        // External actions have their arguments by place: "0", "1".
        let what = format!("{:?}", call.arguments().get("0"));
        let mut orders = self
            .orders
            .lock()
            .map_err(|_| Raise::new("error", "the shop is closed"))?;
        orders.push(what);
        Ok(Value::Int(orders.len() as i64))
    }
}

/// Runs the agent of a program; its journal is kept below the folder.
///
/// # Errors
/// The run does not begin.
pub fn run(program: Program, folder: &Path, shop: Arc<Shop>) -> Result<Report, HostError> {
    let mut setup = Setup::new(folder);
    setup.providers.push(shop);
    let host = Host::new(program, setup)?;
    let found = host.program().agents().next();
    let (module, agent) = found.ok_or_else(|| HostError::Input("there is no agent".to_owned()))?;
    let input = serde_json::json!({"item": "tea"});
    let input = parameters(module, agent, Some(&input)).map_err(HostError::Input)?;
    host.run(Start {
        file: &module.path,
        agent: agent.name(),
        route: Route::Run,
        input,
    })
}

/// Whether a run gave what it should, for callers that only want that.
pub fn is_fine(report: &Report) -> bool {
    report.outcome == Outcome::Completed
}

#[allow(dead_code, reason = "the test that runs this has a main of its own")]
#[allow(clippy::print_stdout, reason = "an example says what came of it")]
fn main() -> Result<(), Box<dyn std::error::Error>> {
    let decoded = symbi_syntax::decode(AGENT.as_bytes().to_vec());
    let summary = symbi_analysis::Summary::new("buyer.symbi", decoded, true);
    let settings = symbi_analysis::Settings::default();
    let compiler =
        symbi_analysis::OneShot::new(vec![summary], Default::default(), settings.clone());
    let modules = compiler.compile(0).1.map(Arc::new).into_iter().collect();
    let program = symbi_analysis::program(&settings, modules, Vec::new(), Vec::new());
    let folder = tempfile::tempdir()?;
    let report = run(program, folder.path(), Arc::default())?;
    println!("{}: {}", report.outcome.as_str(), report.value);
    Ok(())
}

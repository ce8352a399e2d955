//! Runs programs in the machine itself, as the naive one does it: in one go, or
//! in short turns between which its state is written and read back.

use std::sync::Arc;

use symbi_ir::Program;
use symbi_vm::{Ended, Given, Image, Machine, Meter, Request, State, Step, Value, What};

use crate::naive::{Asked, End, Runs, World};

/// How a program is run.
#[derive(Clone, Copy, Debug)]
pub enum Turns {
    /// In one go, from question to question.
    Long,
    /// In turns of so many steps, behind each of which the machine is written
    /// and read back.
    Short(u64),
}

/// How often a machine is read back: it takes time in the size of its state.
const MOST_TURNS: u32 = 100;

/// Runs a function or an agent.
pub fn run(
    program: &Arc<Program>,
    runs: Runs<'_>,
    arguments: Vec<Value>,
    turns: Turns,
    world: &mut World<'_>,
) -> End {
    let image = Arc::new(Image::load(program.clone()).expect("a program of the compiler"));
    let meter = Meter::new(10_000_000, 1 << 28);
    let machine = match runs {
        Runs::Function(name) => Machine::function(&image, 0, name, arguments, meter),
        Runs::Agent(name) => Machine::agent(&image, 0, name, arguments, meter),
    };
    let mut machine = machine.unwrap_or_else(|| panic!("there is no {runs:?}"));
    let mut left = MOST_TURNS;
    loop {
        let step = machine.run(match turns {
            Turns::Short(steps) if left > 0 => steps,
            _ => u64::MAX,
        });
        if let (Turns::Short(_), Step::Paused | Step::Asked(_)) = (turns, &step)
            && left > 0
        {
            match read_back(&image, &machine) {
                Ok(read) => machine = read,
                Err(error) => return End::Broken(error),
            }
            left -= 1;
        }
        match step {
            Step::Paused => {}
            Step::Asked(request) => machine.answer(world(asked(*request))),
            Step::Ended(Ended::Value(value)) => return End::Value(value),
            Step::Ended(Ended::Raised(problem)) => return End::Raised(problem),
            Step::Ended(Ended::Fuel | Ended::Memory) => return End::Exhausted,
        }
    }
}

/// The machine, written and read back.
fn read_back(image: &Arc<Image>, machine: &Machine) -> Result<Machine, String> {
    let state = machine.save_state().ok_or("it has no state")?;
    let written = serde_json::to_vec(&state).map_err(|error| error.to_string())?;
    let state: State = serde_json::from_slice(&written).map_err(|error| error.to_string())?;
    Machine::load_state(image, &state).map_err(|error| error.to_string())
}

fn asked(request: Request) -> Asked {
    let given = |arguments: Vec<Given>| {
        let arguments = arguments.into_iter();
        let named = arguments.map(|given| (given.name.map(|name| name.to_string()), given.value));
        named.collect()
    };
    let (name, arguments) = match request.what {
        What::Library {
            function,
            arguments,
        } => {
            let names = function.params.iter();
            let names = names.map(|param| Some(param.name.to_owned()));
            (function.name.to_owned(), names.zip(arguments).collect())
        }
        What::Tool { name, arguments } | What::Action { name, arguments } => {
            (name.to_string(), given(arguments))
        }
        What::Agent { agent, arguments } => (format!("delegate::{}", agent.name), given(arguments)),
        What::Ambiguous { name } => (format!("ambiguous::{name}"), Vec::new()),
        What::Secret { address } => {
            let path = (Some("path".to_owned()), Value::from(&*address));
            ("secret_read".to_owned(), vec![path])
        }
    };
    Asked { name, arguments }
}

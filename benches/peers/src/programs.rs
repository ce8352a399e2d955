//! Five small programs, run by our machine and by rhai: the same work, in the
//! words of each language. Every run gives a value that is held to what it
//! should be.

use std::sync::Arc;

use symbi_analysis::{OneShot, Settings, Summary};
use symbi_vm::{Ended, Image, Machine, Meter, Step, Value};

use crate::measure::timed;

/// A program in both languages, and what it gives.
pub struct Program {
    /// What it does.
    pub name: &'static str,
    ours: &'static str,
    rhai: &'static str,
    gives: i64,
}

/// The programs of goals.md.
pub const PROGRAMS: [Program; 5] = [
    Program {
        name: "fib",
        ours: "function fib(n: int) -> int { if n < 2 { return n; } return fib(n - 1) + fib(n - 2); }
               function main() -> int { return fib(24); }",
        rhai: "fn fib(n) { if n < 2 { return n; } return fib(n - 1) + fib(n - 2); } fib(24)",
        gives: 46_368,
    },
    Program {
        name: "loops over lists",
        ours: "function main() -> int {
                   let xs = [];
                   let i = 0;
                   while i < 50000 { xs.push(i % 97); i += 1; }
                   let sum = 0;
                   let round = 0;
                   while round < 4 { for x in xs { if x > 10 { sum += x; } } round += 1; }
                   return sum;
               }",
        rhai: "let xs = [];
               let i = 0;
               while i < 50000 { xs.push(i % 97); i += 1; }
               let sum = 0;
               let round = 0;
               while round < 4 { for x in xs { if x > 10 { sum += x; } } round += 1; }
               sum",
        gives: 9_481_800,
    },
    Program {
        name: "string building",
        ours: "function main() -> int {
                   let s = \"\";
                   let i = 0;
                   while i < 40000 { s += \"ab\"; s += i; i += 1; }
                   return s.length();
               }",
        rhai: "let s = \"\";
               let i = 0;
               while i < 40000 { s += \"ab\"; s += i; i += 1; }
               s.len()",
        gives: 268_890,
    },
    Program {
        name: "map updates",
        ours: "function main() -> int {
                   let m = {};
                   let i = 0;
                   while i < 60000 {
                       let key = \"k\" + (i % 100);
                       if key in m { m[key] += 1; } else { m[key] = 1; }
                       i += 1;
                   }
                   return m[\"k7\"] + m.length();
               }",
        rhai: "let m = #{};
               let i = 0;
               while i < 60000 {
                   let key = \"k\" + (i % 100);
                   if key in m { m[key] += 1; } else { m[key] = 1; }
                   i += 1;
               }
               m[\"k7\"] + m.len()",
        gives: 700,
    },
    Program {
        name: "record walks",
        ours: "function main() -> int {
                   let rows = [];
                   let i = 0;
                   while i < 2000 { rows.push({ id: i, point: { x: i, y: i * 2 }, name: \"row\" }); i += 1; }
                   let sum = 0;
                   let round = 0;
                   while round < 20 {
                       for row in rows { sum += row.point.x + row.point.y - row.id; }
                       round += 1;
                   }
                   return sum;
               }",
        rhai: "let rows = [];
               let i = 0;
               while i < 2000 { rows.push(#{ id: i, point: #{ x: i, y: i * 2 }, name: \"row\" }); i += 1; }
               let sum = 0;
               let round = 0;
               while round < 20 {
                   for row in rows { sum += row.point.x + row.point.y - row.id; }
                   round += 1;
               }
               sum",
        gives: 79_960_000,
    },
];

/// Nanoseconds of CPU time for one run.
#[derive(Clone, Copy, Debug)]
pub struct Ran {
    /// By our machine.
    pub ours: u64,
    /// By rhai.
    pub rhai: u64,
}

/// Measures a program, in turns, the best of so many runs.
///
/// # Errors
/// A side gives another value, or does not take the program.
pub fn measure(program: &Program, runs: usize) -> Result<Ran, String> {
    let image = Arc::new(image(program.ours)?);
    let mut engine = rhai::Engine::new();
    engine.set_max_expr_depths(0, 0);
    let compiled = engine
        .compile(program.rhai)
        .map_err(|error| error.to_string())?;
    let mut best = [u64::MAX; 2];
    for _ in 0..runs {
        let (time, found) = timed(|| ours(&image));
        best[0] = best[0].min(time);
        right(program, "we", found?)?;
        let (time, found) = timed(|| engine.eval_ast::<i64>(&compiled));
        best[1] = best[1].min(time);
        right(program, "rhai", found.map_err(|error| error.to_string())?)?;
    }
    Ok(Ran {
        ours: best[0],
        rhai: best[1],
    })
}

fn right(program: &Program, who: &str, found: i64) -> Result<(), String> {
    match found == program.gives {
        true => Ok(()),
        false => Err(format!(
            "{}: {who} give {found}, not {}",
            program.name, program.gives
        )),
    }
}

fn image(source: &str) -> Result<Image, String> {
    let decoded = symbi_syntax::decode(source.as_bytes().to_vec());
    let settings = Settings::default();
    let summary = Summary::new("main.symbi", decoded, true);
    let compiler = OneShot::new(vec![summary], Default::default(), settings.clone());
    let modules = compiler.compile(0).1.map(Arc::new).into_iter().collect();
    let program = symbi_analysis::program(&settings, modules, Vec::new(), Vec::new());
    Image::load(Arc::new(program)).map_err(|error| error.to_string())
}

fn ours(image: &Arc<Image>) -> Result<i64, String> {
    let meter = Meter::new(1 << 40, 1 << 30);
    let machine = Machine::function(image, 0, "main", Vec::new(), meter);
    let mut machine = machine.ok_or("there is no function")?;
    match machine.run(u64::MAX) {
        Step::Ended(Ended::Value(Value::Int(found))) => Ok(found),
        other => Err(format!("{other:?}")),
    }
}

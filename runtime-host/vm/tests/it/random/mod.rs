//! Random programs: both machines have to come to the same end, and ask the
//! world the same on the way.
//!
//! `SEED=17` runs one seed and prints its program, `SEEDS=100000` so many.

mod generate;
mod tape;

use crate::fast::Turns;
use crate::naive::{self, Runs};
use crate::suites::{ran, walked};
use crate::support::compile;

/// How many programs each test run looks at.
const SEEDS: u64 = 3000;

/// What is wrong with the program of a tape, a panic included.
fn wrong(choices: &[u32]) -> Option<String> {
    let looked = std::panic::catch_unwind(|| differs(choices));
    looked.unwrap_or_else(|_| Some("something panicked".to_owned()))
}

fn differs(choices: &[u32]) -> Option<String> {
    let text = generate::program(choices);
    let (program, errors) = compile(&text);
    if !errors.is_empty() {
        return Some(format!("the checker refuses it: {errors:?}"));
    }
    let slow = walked(&program, Runs::Function("main"));
    if slow.end == "takes too much" {
        return None;
    }
    let turns = [Turns::Long, Turns::Short(1 + choices.len() as u64 % 7)];
    turns.into_iter().find_map(|turns| {
        let fast = ran(&program, Runs::Function("main"), turns);
        (fast != slow).then(|| format!("{turns:?}\n fast {fast:?}\n slow {slow:?}"))
    })
}

#[test]
fn both_machines_agree_on_random_programs() {
    let number = |name: &str| std::env::var(name).ok().and_then(|text| text.parse().ok());
    let seeds = match number("SEED") {
        Some(seed) => {
            println!("{}", generate::program(&tape::of_seed(seed)));
            seed..seed + 1
        }
        None => 0..number("SEEDS").unwrap_or(SEEDS),
    };
    let found = naive::with_room(|| {
        for seed in seeds {
            let choices = tape::of_seed(seed);
            if wrong(&choices).is_some() {
                let choices = tape::shrink(choices, |choices| wrong(choices).is_some());
                let (wrong, text) = (wrong(&choices), generate::program(&choices));
                return Some(format!(
                    "seed {seed}: {}\n{text}",
                    wrong.unwrap_or_default()
                ));
            }
        }
        None
    });
    assert!(found.is_none(), "{}", found.unwrap_or_default());
}

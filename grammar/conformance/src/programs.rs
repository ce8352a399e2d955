//! A fixed series of programs for each seed: the same everywhere, for ever.

use symbi_syntax::fuzzing::mutate::Random;

use crate::generate::Generator;
use crate::terminal::Token;
use crate::{layout, mutate};

/// A program of the series.
#[derive(Debug)]
pub struct Program {
    /// Its number, from 0.
    pub number: u64,
    /// One token was changed: whether it is accepted is not known.
    pub mutated: bool,
    /// It is a file of the standard library.
    pub stdlib: bool,
    /// Its tokens, as they were made.
    pub tokens: Vec<Token>,
    /// Its text.
    pub text: String,
}

/// Program number `number` of the series `seed`. Each third one is mutated if
/// that is asked for.
pub fn program(
    generator: &mut Generator<'_>,
    seed: u64,
    number: u64,
    mutated: bool,
) -> Option<Program> {
    let mut random = Random(seed ^ number.wrapping_mul(0x9E37_79B9_7F4A_7C15));
    let stdlib = random.below(10) == 0;
    let start = if stdlib { "stdlib-file" } else { "file" };
    // Half of the programs aim at one branch of the grammar each, in turn.
    let branches = generator.branches() as u64;
    let goal = number
        .is_multiple_of(2)
        .then(|| (number / 2 % branches) as usize);
    let mut tokens = generator.program(start, random.number(), goal)?;
    let mutated = mutated && number % 3 == 2;
    if mutated {
        mutate::mutate(&mut tokens, &mut random);
    }
    let text = layout::print(&tokens, &mut random);
    Some(Program {
        number,
        mutated,
        stdlib,
        tokens,
        text,
    })
}

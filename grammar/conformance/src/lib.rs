//! Holds the readers of Symbi to each other: the grammar file, the corpus of
//! cases and the grammars for editors, all against the compiler.
//!
//! In: `grammar/symbi.ebnf`, `cases/`. Out: programs with a verdict each, and
//! where two readers disagree. `ebnf` reads the grammar, `generate` makes
//! programs from it, `layout` prints them, `mutate` spoils them, `recognise`
//! asks the grammar about a text, `verdict` asks the compiler, `tree_sitter` the
//! grammar for editors, `differences` says where those two may differ, `cases`
//! reads the corpus. It must not know anything about names, types or values: what is
//! compared is syntax. Begin with `ebnf`, then `generate`.

pub mod cases;
pub mod compare;
pub mod differences;
pub mod ebnf;
pub mod generate;
pub mod layout;
pub mod mutate;
mod pool;
pub mod programs;
pub mod recognise;
pub mod shrink;
pub mod terminal;
pub mod tree_sitter;
pub mod verdict;

use std::path::PathBuf;

/// The folder of this crate in the checkout it was built from.
pub fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// The text of the grammar file.
pub fn grammar_text() -> &'static str {
    include_str!("../../symbi.ebnf")
}

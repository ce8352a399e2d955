//! What must hold for every sequence of edits, as functions that tell where it
//! does not. Tests with fixed seeds, the soak run and the fuzzer call them.

pub mod check;
pub mod edits;

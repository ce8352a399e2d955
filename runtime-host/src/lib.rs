//! Runs what was checked: the gate, the effects, the journal.
//!
//! In: a [`symbi_ir::Program`] and a project folder. Out: runs of its agents,
//! each with an outcome and a journal. What the program says is what happens:
//! every effect passes the one [`gate`], and is on record before it happens.
//!
//! This crate must never know `symbi-syntax` or `symbi-analysis`: the host never
//! parses. Begin reading at [`run`], then [`gate`].

pub mod gate;
pub mod obligations;
pub mod run;
pub mod values;

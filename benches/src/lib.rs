//! Measures the toolchain and says how far it is from its goals.
//!
//! In: our examples, the release build of `symbi`, and the peers' harness in
//! `peers/` when it is built. Out: generated input, and one table of goals,
//! figures and ratios. A dev tool: nothing that is shipped uses it. It knows
//! what is measured and how, and must not know how any of it works inside.
//!
//! Every measurement checks its result as well, so that no speed hides a wrong
//! answer. Needs Linux: its clocks count the CPU time of one thread, and its
//! memory is the kernel's count for one process. Begin reading at
//! [`report::run`] for the figures, at [`corpus::Corpus`] for the input.

pub mod clock;
pub mod corpus;
pub mod decisions;
mod error;
pub mod one_run;
pub mod report;
mod rng;
pub mod soak;

pub use error::Error;

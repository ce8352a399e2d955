//! The virtual machine of Symbi: runs the bodies of agents.
//!
//! In: a [`symbi_ir::Program`], the agent and its input. Out: a value, or the
//! error that nobody caught. What touches the world is not done here: the
//! machine asks ([`Request`]) and waits for the answer, so that nothing happens
//! without the gate, and all of it can be recorded, kept and replayed.
//!
//! A machine is data: its whole state can be written and read back. It uses no
//! stack of its own, however deep a program recurses, and no more steps and
//! memory than it was given.
//!
//! This crate must never know files, clocks, chance, policies or journals.
//! Begin reading at `value`, then `image`, then `machine`.

mod fits;
mod image;
pub mod library;
mod machine;
mod meter;
mod raise;
mod secret;
mod show;
mod text;
mod value;

pub use image::{Image, LoadError};
pub use machine::{Ended, Given, MAX_CALLS, Machine, Request, State, StateError, Step, What};
pub use meter::Meter;
pub use raise::{Failure, Raise, kinds};
pub use secret::{Secret, SecretPart};
pub use show::{float, instant, show, size, timestamp};
pub use text::Text;
pub use value::{At, Function, Key, Lambda, List, MAX_DEPTH, Map, Problem, Set, Value};

//! Policies as data for the decision (language.md section 4).
//!
//! `vocabulary` has the names of effects, groups and patterns, `guards` makes
//! data of guards, `lower` of rules and blocks, and `governed` puts together
//! all that governs one agent. `check`, `selectors` and `guard_checks` report
//! what a rule says in vain.

mod called;
mod capabilities;
mod check;
mod governed;
mod guard_checks;
mod guards;
mod kinds;
mod lower;
mod matters;
mod merged;
mod named;
mod obligations;
mod outcomes;
mod selectors;
mod together;
mod vocabulary;

pub(crate) use called::called;
pub(crate) use check::{check, merged};
pub use governed::{Governed, Source, governed};
pub(crate) use governed::{ceiling_of, ceiling_of_file, driver};
pub(crate) use guards::Guards;
pub use guards::RESERVED;
pub use lower::{Lowered, Scope, constraints, policy};
pub(crate) use merged::merged as merged_by_name;
pub use named::{AgentBlock, NamedAgent};
pub(crate) use named::{agent_blocks, first_block, named_agents};
pub(crate) use obligations::{Audited, audits};
pub(crate) use together::{Scopes, Together};
pub use vocabulary::{builtins, kind_of_effect, params_of};

//! Rules as data, and the decision about one effect (language.md section 4).
//!
//! The core that checker, REPL and host share: pure, total, without I/O. It
//! knows neither the syntax tree nor the host. [`Policies`] says what governs
//! an agent, [`Decider`] holds it ready, and [`Decider::decide`] answers for an
//! [`Effect`] and the [`Facts`] of the moment.
//!
//! ```
//! use symbi_policy::{Action, Block, Cedar, Decider, Effect, Facts, Kind, Kinds, Outcome};
//! use symbi_policy::{Policies, Record, Rule, Selector, Value, Verb};
//!
//! // policy p { allow: fetch }
//! let rule = Rule {
//!     verb: Verb::Allow,
//!     selector: Selector::Action(Action::new("fetch", Kinds::NONE)),
//!     guard: None,
//!     tail: false,
//! };
//! let block = Block { rules: vec![rule], requirements: Vec::new() };
//! let decider = Decider::new(Policies { ceiling: None, blocks: vec![block] });
//!
//! let (none, nothing) = (Record::default(), Value::Record(Record::default()));
//! let facts = Facts {
//!     principal: "agent-1",
//!     invocation: &nothing,
//!     context: &nothing,
//!     now: symbi_policy::Timestamp::UNIX_EPOCH,
//!     parameters: &none,
//!     holds: &|_, _, _| false,
//!     cedar: Cedar::Absent,
//!     approval: Default::default(),
//!     dev: false,
//! };
//! let ask = |name| decider.decide(&Effect::new(name, Kind::Tool, &none), &facts).outcome;
//! assert_eq!(ask("fetch"), Outcome::Permit);
//! assert_eq!(ask("delete"), Outcome::Deny);
//! ```

pub mod compare;
mod decide;
mod effect;
#[doc(hidden)]
pub mod fuzzing;
mod guard;
mod looks;
#[doc(hidden)]
pub mod nesting;
mod predicate;
mod rules;
mod value;

pub use decide::{
    Approval, Because, Cedar, Decider, Decision, Facts, Outcome, RequirementId, RuleId,
};
pub use effect::{Effect, Kind, Kinds, Network};
/// The records that patterns over many effects bind.
pub use guard::Record as Shape;
pub use guard::{Expr, Guard, MAX_DEPTH, MAX_NODES, Op, Root, Undecidable};
pub use looks::Look;
pub use predicate::Predicate;
pub use rules::{
    Action, Argument, Block, Capability, Ceiling, Demand, Policies, Requirement, Rule, Selector,
    Test, Verb, Wanted,
};
pub use symbi_mini::jiff::Timestamp;
pub use value::{MAX_LEVELS, MAX_OPERAND, Record, Value};

//! The checked program (IR): what the compiler hands to the host.
//!
//! A [`Program`] says all that the host obeys, without source text: agents and
//! the routes that admit them, policies as data, bodies with resolved names,
//! schedules, webhooks, channels, memories, tools by hash. Every part knows its
//! place in its file, so that errors point at the source without shipping it.
//!
//! It is written as JSON ([`json`]) and in a compact form ([`binary`]), which
//! hold the same. Its bytes are canonical: one program has one form of each,
//! and its identity is the SHA-256 of the compact one. What is read is bounded
//! and validated before anybody sees it.
//!
//! This crate must never know the syntax tree, the database or the host. Begin
//! reading at `program`, then `code`.

mod agent;
pub mod binary;
mod blocks;
mod code;
mod constant;
mod error;
#[doc(hidden)]
pub mod fuzzing;
mod hash;
pub mod json;
mod policy;
mod print;
pub mod privileges;
mod program;
#[doc(hidden)]
pub mod spans;
mod types;
mod validate;

pub use agent::{
    Admission, Agent, Attributes, Capabilities, Declaration, Memory, Network, Reason, Route,
    Sandbox, Tier, principal,
};
pub use blocks::{Channel, CronFields, Filter, Schedule, Search, Store, Webhook, When};
pub use code::{
    Argument, Arm, Assigned, Callee, Capture, Case, Catch, Code, Frame, Node, NodeId, Op, Slot,
};
pub use constant::Constant;
pub use error::IrError;
pub use hash::Sha256;
pub use policy::{Audit, Policy, RuleAt};
pub use program::{
    AgentName, CedarFile, EffectRow, Function, IR_VERSION, Module, Param, Program, Span, Struct,
    Tool, ToolParam, Waived,
};
pub use types::{Field, Type};

//! What a Symbi program means: names, types, blocks and schedules, checked
//! across the files of a project.
//!
//! In: the texts of files and of what stands beside them (project file, tool
//! manifests). Out: diagnostics, and the facts that editors and bundles ask
//! for. Nothing here knows terminals, editors' protocols or I/O.
//!
//! The checks are plain functions over one item and a [`Program`], which
//! answers questions about the rest. Two programs exist: the resident
//! database, which remembers what it was asked, and the one-shot table, which
//! frees bodies as it goes. Begin reading at `program`, `declaration` and
//! `check`, then `bodies` and `blocks`.

mod across;
mod admission;
mod allow;
mod answering;
mod assemble;
mod beside;
pub mod blocks;
pub mod bodies;
mod check;
mod db;
mod declaration;
mod duplicates;
mod exports;
mod findings;
#[doc(hidden)]
pub mod fuzzing;
mod lowering;
mod names;
mod oneshot;
pub mod policies;
mod program;
mod resident;
mod settings;
pub mod stdlib;
mod suggest;
mod ty;

pub use admission::{Admission, AgentAdmission, Elsewhere, Reason, Route, Routes};
pub use answering::{PolicyText, read_answering};
pub use beside::{
    Manifests, POLICY_FOLDERS, Text, read_manifests, read_policy_folder, read_project_file,
};
pub use declaration::{
    AgentDeclaration, Declaration, Field, FunctionDeclaration, Kind, Param, TypeBody,
    TypeDeclaration, TypeRef, declare,
};
pub use findings::{Findings, at_name, at_node, at_token};
pub use lowering::program;
pub use oneshot::{OneShot, Summary};
pub use program::{
    AgentEntry, AgentLookup, ENTRIES, Entries, FileAgents, FileId, Found, Program, SUGGESTIONS,
    Tool, ToolParam,
};
pub use resident::{Analysis, Outdated, Snapshot, Work};
pub use settings::{Sandbox, Settings, Tools};
pub use stdlib::Stdlib;
pub use suggest::nearest;
pub use ty::{FunctionTy, ParamTy, RecordTy, Signature, Ty, TypeId};

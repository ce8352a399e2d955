//! The seam to Cedar: who is asked where a project has policies of Cedar for
//! the route of a run.

use symbi_ir::{Program, Route, privileges};
use symbi_policy::{Cedar, Value};

use super::call::Call;

/// Evaluates the policies of Cedar of one route.
pub trait CedarSource: Send + Sync {
    /// What they say about a call. Whatever keeps it from telling is
    /// [`Cedar::Error`], which denies.
    fn ask(&self, request: &CedarRequest<'_>) -> Cedar;
}

/// What Cedar is asked.
#[derive(Clone, Copy)]
pub struct CedarRequest<'a> {
    /// The identity of the agent: `Agent::"<principal>"`.
    pub principal: &'a str,
    /// The call.
    pub call: &'a Call,
    /// `{arguments, contract, resolved, source_policy, fingerprint}`.
    pub invocation: &'a Value,
    /// Facts that the host owns.
    pub context: &'a Value,
}

/// Who answers for Cedar in a run.
pub(super) enum Evaluator {
    /// The project has no policies for the route: inline rules grant.
    Absent,
    /// It has, and this evaluates them.
    Source(Box<dyn CedarSource>),
    /// It has, and nothing here evaluates them: then all is denied, because one
    /// of them may forbid.
    Missing,
}

impl Evaluator {
    /// What answers for a route. A source is not asked where there is nothing
    /// to evaluate: its silence would deny what inline rules grant.
    pub(super) fn new(
        program: &Program,
        route: Route,
        source: Option<Box<dyn CedarSource>>,
    ) -> Self {
        match (privileges::has_cedar(program, route), source) {
            (false, _) => Evaluator::Absent,
            (true, Some(source)) => Evaluator::Source(source),
            (true, None) => Evaluator::Missing,
        }
    }
}

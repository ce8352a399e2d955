//! The seam to people: who is asked where a call needs somebody's agreement.

use symbi_policy::Timestamp;

use super::call::{Call, Fingerprint};

/// Asks a person.
pub trait Approver: Send + Sync {
    /// Waits for an answer, no longer than until the deadline.
    fn ask(&self, asked: &Approvable<'_>) -> Answer;
}

/// What a person is asked about.
#[derive(Clone, Copy, Debug)]
pub struct Approvable<'a> {
    /// The agent.
    pub agent: &'a str,
    /// Its identity.
    pub principal: &'a str,
    /// The call, as it would be carried out.
    pub call: &'a Call,
    /// What an answer has to be bound to.
    pub fingerprint: &'a Fingerprint,
    /// The one deadline: an answer after it counts as a refusal.
    pub deadline: Timestamp,
}

/// What a person said.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// Somebody agrees to this very call.
    Given(Receipt),
    /// Somebody refuses.
    Refused,
    /// Nobody answered in time.
    Expired,
    /// Nobody can be asked.
    Unavailable,
}

/// That somebody has agreed to one call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Receipt {
    /// The call that it is about. For another one it is worth nothing.
    pub fingerprint: Fingerprint,
    /// Who agreed.
    pub by: String,
}

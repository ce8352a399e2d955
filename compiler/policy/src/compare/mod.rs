//! What one set of policies permits that another does not.
//!
//! Effects and facts are without number, but the policies tell few of them
//! apart. For each effect that they can tell from others, the facts that they
//! look at are given every value that could make a difference, and both decide.
//! Where a guard asks something of which that cannot be said (two facts
//! compared with each other, a part of a text), it may be true, false or
//! undecidable as it likes. So nothing that grew is missed; what is found by
//! real facts is [`Grown::witness`], and what is only possible has none.
//!
//! Begin reading at [`compare`]; `relevant` leaves of policies what one effect
//! meets, `facts` are the values, `opaque` is what may be anything.

mod facts;
mod opaque;
mod relevant;

use symbi_mini::jiff::Timestamp;

use crate::decide::{Approval, Cedar, Decider, Facts, Outcome};
use crate::effect::{Effect, Kind};
use crate::rules::Policies;
use crate::value::{Record, Value};

use facts::{Given, Variables};

/// How many combinations of facts are tried for one effect. Beyond, what was
/// not tried may have grown.
pub const MAX_TRIED: usize = 20_000;

/// An effect that policies may tell from others.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Candidate {
    /// Its name.
    pub name: String,
    /// Its kind.
    pub kind: Option<Kind>,
    /// The names of its parameters in order; none for an external action.
    pub params: Vec<Box<str>>,
    /// The Cedar resource of a tool.
    pub resource: Option<String>,
    /// The version of a tool.
    pub version: Option<String>,
    /// The same effect under the old policies, where it was another one: a tool
    /// with other parameters, or an external action that is a tool now.
    pub was: Option<Box<Candidate>>,
}

impl Candidate {
    /// As it was under the old policies.
    fn old(&self) -> &Candidate {
        self.was.as_deref().unwrap_or(self)
    }
}

/// What has been permitted to an effect that was not before, or needs no person
/// any more.
#[derive(Clone, Debug, PartialEq)]
pub struct Grown {
    /// The number of the candidate.
    pub candidate: usize,
    /// What it came to before.
    pub from: Outcome,
    /// What it comes to now.
    pub to: Outcome,
    /// Facts for which both are so; `None` if it is only possible.
    pub witness: Option<Witness>,
}

/// Facts for which two decisions differ.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Witness {
    /// The arguments.
    pub arguments: Record,
    /// The parameters of the agent.
    pub parameters: Record,
    /// The context.
    pub context: Record,
    /// Required obligations and whether they hold.
    pub obligations: Vec<(String, Value, bool)>,
}

/// What is compared besides the policies.
#[derive(Clone, Copy, Debug)]
pub struct Setting<'s> {
    /// The effects: every name that the programs have or call, and one of each
    /// kind that they do not.
    pub candidates: &'s [Candidate],
    /// The identity of the agent.
    pub principal: &'s str,
    /// What Cedar answers, under both.
    pub cedar: Cedar,
}

/// The candidates to which `new` permits more than `old`, each once. Under
/// policies that are the same, of effects that are, there are none.
pub fn compare(old: &Policies, new: &Policies, setting: Setting<'_>) -> Vec<Grown> {
    let is_same = old == new;
    let numbered = setting.candidates.iter().enumerate();
    numbered
        .filter(|(_, candidate)| !is_same || candidate.was.is_some())
        .filter_map(|(number, candidate)| {
            let grown = one(old, new, candidate, setting)?;
            Some(Grown {
                candidate: number,
                ..grown
            })
        })
        .collect()
}

/// What a deny, a question and a permit are worth.
fn rank(outcome: Outcome) -> u8 {
    match outcome {
        Outcome::Deny => 0,
        Outcome::Pending => 1,
        Outcome::Permit => 2,
    }
}

fn one(
    old: &Policies,
    new: &Policies,
    candidate: &Candidate,
    setting: Setting<'_>,
) -> Option<Grown> {
    let (old, new) = (
        relevant::relevant(old, candidate.old()),
        relevant::relevant(new, candidate),
    );
    if candidate.was.is_none() && relevant::same(&old, &new) {
        return None;
    }
    let pair = Pair::new(old, new);
    let (variables, is_complete) = Variables::of(&pair.old, &pair.new, candidate);
    if let Some(found) = pair.search(&variables, candidate, setting) {
        return Some(found);
    }
    if is_complete && variables.count() <= MAX_TRIED {
        return None;
    }
    // What cannot be told by values may be as it likes.
    let (old, new) = opaque::freed(&pair.old, &pair.new, candidate);
    let pair = Pair::new(old, new);
    let (variables, _) = Variables::of(&pair.old, &pair.new, candidate);
    let possible = Grown {
        candidate: 0,
        from: Outcome::Deny,
        to: Outcome::Permit,
        witness: None,
    };
    match pair.search(&variables, candidate, setting) {
        Some(found) => Some(Grown {
            witness: None,
            ..found
        }),
        None => (variables.count() > MAX_TRIED).then_some(possible),
    }
}

/// Two sets of policies, ready to decide.
struct Pair {
    old: Policies,
    new: Policies,
    deciders: (Decider, Decider),
}

impl Pair {
    fn new(old: Policies, new: Policies) -> Self {
        let deciders = (Decider::new(old.clone()), Decider::new(new.clone()));
        Pair { old, new, deciders }
    }

    /// The first facts for which the new ones permit more.
    fn search(
        &self,
        variables: &Variables,
        candidate: &Candidate,
        setting: Setting<'_>,
    ) -> Option<Grown> {
        let mut found = None;
        variables.each(MAX_TRIED, |given| {
            let (from, to) = self.decide(given, candidate, setting);
            let grew = rank(to) > rank(from);
            if grew {
                found = Some(Grown {
                    candidate: 0,
                    from,
                    to,
                    witness: Some(given.witness()),
                });
            }
            grew
        });
        found
    }

    fn decide(
        &self,
        given: &Given,
        candidate: &Candidate,
        setting: Setting<'_>,
    ) -> (Outcome, Outcome) {
        let facts = Facts {
            principal: setting.principal,
            invocation: given.invocation(),
            context: given.context(),
            now: Timestamp::UNIX_EPOCH,
            parameters: given.parameters(),
            holds: &|_, name, value| given.holds(name, value),
            cedar: setting.cedar,
            approval: Approval::Unasked,
            dev: false,
        };
        let (old, new) = &self.deciders;
        (
            old.decide(&effect(candidate.old(), given), &facts).outcome,
            new.decide(&effect(candidate, given), &facts).outcome,
        )
    }
}

/// A candidate with these facts.
fn effect<'c>(candidate: &'c Candidate, given: &'c Given) -> Effect<'c> {
    let kind = candidate.kind.unwrap_or(Kind::Action);
    Effect {
        params: &candidate.params,
        resource: candidate.resource.as_deref(),
        version: candidate.version.as_deref(),
        schema_verified: (kind == Kind::Tool).then_some(true),
        network: given.network(),
        ..Effect::new(&candidate.name, kind, given.arguments())
    }
}

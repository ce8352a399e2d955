//! The decision about one effect (language.md section 4).

use std::collections::HashMap;
use std::sync::Arc;

use symbi_mini::jiff::Timestamp;

use crate::effect::{Effect, Kind, slot};
use crate::guard::Guard;
use crate::rules::{Demand, Policies, Requirement, Rule, Selector, Verb};
use crate::value::{Record, Value};

/// What Cedar says, where it has policies for the route.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cedar {
    /// It has none for the route.
    Absent,
    /// A policy permits and none forbids.
    Permit {
        /// It asks for a person's approval.
        asks: bool,
    },
    /// A policy forbids.
    Forbid,
    /// No policy permits.
    Silent,
    /// A policy could not be evaluated.
    Error,
}

/// Whether a person has been asked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Approval {
    /// Nobody has been asked.
    #[default]
    Unasked,
    /// Someone has agreed to this very effect.
    Given,
    /// Someone has refused it, or the time for an answer is over.
    Refused,
}

/// What the host knows at the moment of the decision.
#[derive(Clone, Copy)]
pub struct Facts<'a> {
    /// The identity of the agent.
    pub principal: &'a str,
    /// `{arguments, contract, resolved, source_policy, fingerprint}`.
    pub invocation: &'a Value,
    /// Facts that the host owns, without receipts of approvals.
    pub context: &'a Value,
    /// The instant.
    pub now: Timestamp,
    /// The agent's parameters.
    pub parameters: &'a Record,
    /// Whether an obligation holds: that of this requirement, with its name and
    /// value, by counters and states that the host has taken before. Only those
    /// are asked about that apply.
    pub holds: &'a dyn Fn(RequirementId, &str, &Value) -> bool,
    /// What Cedar says.
    pub cedar: Cedar,
    /// Whether a person has been asked.
    pub approval: Approval,
    /// `--dev`: what nobody granted is granted.
    pub dev: bool,
}

/// What becomes of an effect.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// It may happen.
    Permit,
    /// It may not.
    Deny,
    /// All permits it but for a person, who is to be asked.
    Pending,
}

/// What decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Decision {
    /// What becomes of the effect.
    pub outcome: Outcome,
    /// Why.
    pub because: Because,
}

/// Why an effect was permitted or denied.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Because {
    /// No capability covers it.
    Ceiling,
    /// A deny matches.
    Denied(RuleId),
    /// A rule matches whose guard cannot be decided.
    Undecidable(RuleId),
    /// A block has allows, and none of them matches.
    NoAllow(usize),
    /// A requirement does not hold.
    Unmet(RequirementId),
    /// Whether a requirement applies or holds cannot be decided.
    UndecidableRequirement(RequirementId),
    /// Cedar forbids it.
    CedarForbids,
    /// No policy of Cedar permits it.
    CedarSilent,
    /// A policy of Cedar could not be evaluated.
    CedarError,
    /// Nobody granted it.
    NobodyGranted,
    /// A person was asked and refused.
    Refused,
    /// A person has to be asked.
    Asked,
    /// An allow matches.
    Allowed(RuleId),
    /// Cedar permits it.
    CedarPermits,
    /// Nobody granted it, which `--dev` grants.
    Dev,
    /// It is the answer or the end of the run.
    Answer,
}

/// A rule by its block and its place there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct RuleId {
    /// The number of the block.
    pub block: usize,
    /// The number of the rule in it.
    pub rule: usize,
}

/// A requirement by its block and its place there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct RequirementId {
    /// The number of the block.
    pub block: usize,
    /// The number of the requirement in it.
    pub requirement: usize,
}

/// Policies that are ready to decide: found by the effect they are about.
#[derive(Clone, Debug)]
pub struct Decider {
    policies: Policies,
    /// Rules about effects of a name.
    by_name: HashMap<Arc<str>, Vec<RuleId>>,
    /// Rules about effects of a kind.
    by_kind: Vec<Vec<RuleId>>,
    /// Rules that match everything.
    always: Vec<RuleId>,
    /// Blocks with an allow.
    allowing: Vec<usize>,
    requirements: Vec<RequirementId>,
}

impl Decider {
    /// Sorts policies by the effects that they are about.
    pub fn new(policies: Policies) -> Self {
        let mut by_name: HashMap<Arc<str>, Vec<RuleId>> = HashMap::new();
        let mut by_kind = vec![Vec::new(); 64];
        let mut always = Vec::new();
        let mut allowing = Vec::new();
        let mut requirements = Vec::new();
        for (block, content) in policies.blocks.iter().enumerate() {
            for (rule, content) in content.rules.iter().enumerate() {
                let id = RuleId { block, rule };
                // It never matches, whatever its guard is.
                if content.verb == Verb::Allow && content.tail {
                    continue;
                }
                match (&content.selector, content.verb) {
                    (Selector::All, _) | (Selector::Other, Verb::Deny) => always.push(id),
                    (Selector::None, _) | (Selector::Other, Verb::Allow) => {}
                    (Selector::Action(action), _) => {
                        by_name.entry(action.name.clone()).or_default().push(id);
                        for kind in action.kinds.each() {
                            by_kind[kind].push(id);
                        }
                    }
                }
            }
            if content.allows() {
                allowing.push(block);
            }
            let own = (0..content.requirements.len())
                .map(|requirement| RequirementId { block, requirement });
            requirements.extend(own);
        }
        Decider {
            policies,
            by_name,
            by_kind,
            always,
            allowing,
            requirements,
        }
    }

    /// The policies.
    pub fn policies(&self) -> &Policies {
        &self.policies
    }

    /// The rule of an id of this decider.
    pub fn rule(&self, id: RuleId) -> Option<&Rule> {
        self.policies.blocks.get(id.block)?.rules.get(id.rule)
    }

    /// The requirement of an id of this decider.
    pub fn requirement(&self, id: RequirementId) -> Option<&Requirement> {
        let block = self.policies.blocks.get(id.block)?;
        block.requirements.get(id.requirement)
    }

    /// Decides about one effect. Total: every effect has a decision, and it
    /// does not depend on the order of rules, requirements or blocks.
    pub fn decide(&self, effect: &Effect<'_>, facts: &Facts<'_>) -> Decision {
        let granted = match effect.kind {
            Kind::Answer => Ok(Granted {
                allow: None,
                asks: false,
            }),
            _ => self.inline(effect, facts),
        };
        let granted = match granted {
            Ok(granted) => granted,
            Err(because) => return deny(because),
        };
        let (because, cedar_asks) = match facts.cedar {
            Cedar::Permit { asks } => (Because::CedarPermits, asks),
            Cedar::Forbid => return deny(Because::CedarForbids),
            Cedar::Silent => return deny(Because::CedarSilent),
            Cedar::Error => return deny(Because::CedarError),
            Cedar::Absent => match granted.allow {
                Some(rule) => (Because::Allowed(rule), false),
                None if effect.kind == Kind::Answer => (Because::Answer, false),
                None if facts.dev => (Because::Dev, false),
                None => return deny(Because::NobodyGranted),
            },
        };
        if granted.asks || cedar_asks || effect.asks {
            match facts.approval {
                Approval::Given => {}
                Approval::Refused => return deny(Because::Refused),
                Approval::Unasked => {
                    return Decision {
                        outcome: Outcome::Pending,
                        because: Because::Asked,
                    };
                }
            }
        }
        Decision {
            outcome: Outcome::Permit,
            because,
        }
    }

    /// Capabilities, rules and requirements.
    fn inline(&self, effect: &Effect<'_>, facts: &Facts<'_>) -> Result<Granted, Because> {
        if let Some(ceiling) = &self.policies.ceiling
            && !ceiling.covers(effect)
        {
            return Err(Because::Ceiling);
        }
        let mut matched = Marks::new(self.policies.blocks.len());
        let mut allow: Option<RuleId> = None;
        let kind = slot(effect.kind);
        for id in &self.always {
            self.matched(*id, effect, facts, &mut matched, &mut allow)?;
        }
        if let Some(ids) = self.by_name.get(effect.name) {
            for id in ids {
                self.matched(*id, effect, facts, &mut matched, &mut allow)?;
            }
        }
        for id in self.by_kind.get(kind).into_iter().flatten() {
            self.matched(*id, effect, facts, &mut matched, &mut allow)?;
        }
        if let Some(block) = self.allowing.iter().find(|block| !matched.has(**block)) {
            return Err(Because::NoAllow(*block));
        }
        let mut asks = false;
        for id in &self.requirements {
            asks |= self.required(*id, effect, facts)?;
        }
        Ok(Granted { allow, asks })
    }

    /// One rule that is about effects of this name or kind.
    fn matched(
        &self,
        id: RuleId,
        effect: &Effect<'_>,
        facts: &Facts<'_>,
        matched: &mut Marks,
        allow: &mut Option<RuleId>,
    ) -> Result<(), Because> {
        let Some(rule) = self.rule(id) else {
            return Ok(());
        };
        if let Selector::Action(action) = &rule.selector
            && !action.fits(rule.verb, effect)
        {
            return Ok(());
        }
        let holds = match &rule.guard {
            Some(guard) if !rule.tail => {
                let holds = guard.holds(effect, facts);
                holds.map_err(|_| Because::Undecidable(id))?
            }
            _ => true,
        };
        match (rule.verb, holds) {
            (_, false) => Ok(()),
            (Verb::Deny, true) => Err(Because::Denied(id)),
            (Verb::Allow, true) => {
                matched.set(id.block);
                *allow = Some(allow.map_or(id, |first| first.min(id)));
                Ok(())
            }
        }
    }

    /// One requirement; whether it asks for a person's approval.
    fn required(
        &self,
        id: RequirementId,
        effect: &Effect<'_>,
        facts: &Facts<'_>,
    ) -> Result<bool, Because> {
        let Some(requirement) = self.requirement(id) else {
            return Ok(false);
        };
        let meant = requirement.selectors.is_empty()
            || requirement
                .selectors
                .iter()
                .any(|selector| selector.matches(Verb::Deny, effect));
        if !meant {
            return Ok(false);
        }
        let told = |guard: &Guard| {
            let holds = guard.holds(effect, facts);
            holds.map_err(|_| Because::UndecidableRequirement(id))
        };
        if let Some(condition) = &requirement.condition
            && !told(condition)?
        {
            return Ok(false);
        }
        let met = match &requirement.demand {
            Demand::Approval => return Ok(true),
            Demand::Guard(guard) => told(guard)?,
            Demand::Obligation(name, value) => (facts.holds)(id, name, value),
        };
        match met {
            true => Ok(false),
            false => Err(Because::Unmet(id)),
        }
    }
}

/// What inline rules say about an effect that they do not deny.
struct Granted {
    allow: Option<RuleId>,
    asks: bool,
}

fn deny(because: Because) -> Decision {
    Decision {
        outcome: Outcome::Deny,
        because,
    }
}

/// The blocks of which an allow has matched, without an allocation for up to 64
/// of them.
enum Marks {
    Few(u64),
    Many(Vec<bool>),
}

impl Marks {
    fn new(blocks: usize) -> Self {
        match blocks <= 64 {
            true => Marks::Few(0),
            false => Marks::Many(vec![false; blocks]),
        }
    }

    fn set(&mut self, block: usize) {
        match self {
            Marks::Few(bits) => *bits |= 1 << block,
            Marks::Many(marks) => marks[block] = true,
        }
    }

    fn has(&self, block: usize) -> bool {
        match self {
            Marks::Few(bits) => bits & (1 << block) != 0,
            Marks::Many(marks) => marks[block],
        }
    }
}

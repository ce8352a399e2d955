//! What holds of every decision (language.md section 4).

use std::collections::BTreeMap;

use symbi_policy::{
    Approval, Because, Block, Cedar, Decider, Decision, Effect, Expr, Facts, Guard, Network, Op,
    Outcome, Policies, Record, Timestamp, Value, Verb,
};

use crate::random::{self, EFFECTS, Random};
use crate::reference;

const SEEDS: u64 = 20_000;

/// One question, owned.
struct Question {
    policies: Policies,
    effect: usize,
    arguments: Record,
    resource: bool,
    asks: bool,
    context: Value,
    invocation: Value,
    parameters: Record,
    cedar: Cedar,
    approval: Approval,
    dev: bool,
}

impl Question {
    fn new(random: &mut Random) -> Self {
        Question {
            policies: random::policies(random),
            effect: random.below(EFFECTS.len()),
            arguments: random::record(random, 1),
            resource: random.one_in(4),
            asks: random.one_in(8),
            context: Value::Record(random::record(random, 2)),
            invocation: Value::Record(random::record(random, 1)),
            parameters: random::record(random, 1),
            cedar: random::cedar(random),
            approval: random::approval(random),
            dev: random.one_in(4),
        }
    }

    fn ask<T>(&self, ask: impl FnOnce(&Effect<'_>, &Facts<'_>) -> T) -> T {
        let (name, kind, params) = EFFECTS[self.effect];
        let params: Vec<Box<str>> = params.iter().map(|param| (*param).into()).collect();
        let effect = Effect {
            params: &params,
            resource: self.resource.then_some("Files::home"),
            schema_verified: Some(true),
            network: (name == "http_request").then_some(Network {
                url: "https://host/a",
                host: "host",
                internal: false,
            }),
            asks: self.asks,
            ..Effect::new(name, kind, &self.arguments)
        };
        let facts = Facts {
            principal: "a",
            invocation: &self.invocation,
            context: &self.context,
            now: Timestamp::UNIX_EPOCH,
            parameters: &self.parameters,
            holds: &|name, _| name == "held",
            cedar: self.cedar,
            approval: self.approval,
            dev: self.dev,
        };
        ask(&effect, &facts)
    }

    fn decide(&self) -> Decision {
        let decider = Decider::new(self.policies.clone());
        self.ask(|effect, facts| decider.decide(effect, facts))
    }
}

fn rank(outcome: Outcome) -> u8 {
    match outcome {
        Outcome::Deny => 0,
        Outcome::Pending => 1,
        Outcome::Permit => 2,
    }
}

#[test]
fn each_decision_is_that_of_a_naive_reading() {
    let mut seen: BTreeMap<String, u32> = BTreeMap::new();
    for seed in 0..SEEDS {
        let question = Question::new(&mut Random::new(seed));
        let decision = question.decide();
        let naive =
            question.ask(|effect, facts| reference::decide(&question.policies, effect, facts));
        assert_eq!(
            decision.outcome, naive,
            "seed {seed}: {:?}",
            decision.because
        );
        let because = format!("{:?}", decision.because);
        let because = because.split('(').next().unwrap_or_default().to_owned();
        *seen.entry(because).or_default() += 1;
    }
    // Each reason has occurred, so nothing above was compared in vain.
    let all = [
        "Allowed",
        "Answer",
        "Asked",
        "CedarError",
        "CedarForbids",
        "CedarPermits",
        "CedarSilent",
        "Ceiling",
        "Denied",
        "Dev",
        "NoAllow",
        "NobodyGranted",
        "Refused",
        "Undecidable",
        "UndecidableRequirement",
        "Unmet",
    ];
    let found: Vec<&str> = seen.keys().map(String::as_str).collect();
    assert_eq!(found, all, "{seen:?}");
    assert!(seen.values().all(|count| *count >= 20), "{seen:?}");
}

#[test]
fn the_order_of_anything_says_nothing() {
    for seed in 0..SEEDS {
        let random = &mut Random::new(seed);
        let mut question = Question::new(random);
        let before = question.decide();
        shuffle(random, &mut question.policies.blocks);
        for block in &mut question.policies.blocks {
            shuffle(random, &mut block.rules);
            shuffle(random, &mut block.requirements);
        }
        assert_eq!(question.decide().outcome, before.outcome, "seed {seed}");
    }
}

fn shuffle<T>(random: &mut Random, all: &mut [T]) {
    for at in 1..all.len() {
        all.swap(at, random.below(at + 1));
    }
}

#[test]
fn nothing_that_is_added_permits_more() {
    let mut changed = 0;
    for seed in 0..SEEDS {
        let random = &mut Random::new(seed);
        let mut question = Question::new(random);
        let before = question.decide();
        if !add(random, &mut question) {
            continue;
        }
        let after = question.decide();
        changed += u32::from(after.outcome != before.outcome);
        assert!(
            rank(after.outcome) <= rank(before.outcome),
            "seed {seed}: {before:?} became {after:?}"
        );
    }
    assert!(changed > 500, "{changed}");
}

/// Adds a deny, a block without an allow, a requirement, a guard, a condition or
/// a Cedar forbid, or takes a capability out of a ceiling.
fn add(random: &mut Random, question: &mut Question) -> bool {
    let guard = random::guard(random);
    let deny = symbi_policy::Rule {
        verb: Verb::Deny,
        ..random::rule(random)
    };
    let kind = random.below(6);
    let count = question.policies.blocks.len();
    let block = random.below(count.max(1));
    match kind {
        0 => {
            question.policies.blocks.push(Block {
                rules: vec![deny],
                requirements: Vec::new(),
            });
            return true;
        }
        1 => {
            question.cedar = Cedar::Forbid;
            return true;
        }
        2 => {
            let Some(ceiling) = &mut question.policies.ceiling else {
                return false;
            };
            return ceiling.entries.pop().is_some();
        }
        _ => {}
    }
    let Some(block) = question.policies.blocks.get_mut(block) else {
        return false;
    };
    match kind {
        3 => block.rules.push(deny),
        4 => block.requirements.push(random::requirement(random)),
        _ => {
            let allow = block.rules.iter_mut().find(|rule| rule.verb == Verb::Allow);
            let Some(rule) = allow else { return false };
            match &rule.guard {
                None => rule.guard = Some(guard),
                Some(first) if first.fits() && guard.fits() => {
                    let sides = (first.expr().clone(), guard.expr().clone());
                    let both = Expr::Binary(Op::And, Box::new(sides.0), Box::new(sides.1));
                    rule.guard = Some(Guard::new(both));
                }
                Some(_) => return false,
            }
        }
    }
    true
}

#[test]
fn dev_grants_what_nobody_granted_and_nothing_else() {
    for seed in 0..SEEDS {
        let mut question = Question::new(&mut Random::new(seed));
        question.dev = false;
        let without = question.decide();
        question.dev = true;
        let with = question.decide();
        if without.because != Because::NobodyGranted {
            assert_eq!(with, without, "seed {seed}");
        }
    }
}

#[test]
fn an_approval_lifts_what_waits_for_it_and_nothing_else() {
    let mut pending = 0;
    for seed in 0..SEEDS {
        let mut question = Question::new(&mut Random::new(seed));
        let mut with = |approval| {
            question.approval = approval;
            question.decide().outcome
        };
        let unasked = with(Approval::Unasked);
        let (given, refused) = (with(Approval::Given), with(Approval::Refused));
        let expected = match unasked {
            Outcome::Pending => (Outcome::Permit, Outcome::Deny),
            other => (other, other),
        };
        pending += u32::from(unasked == Outcome::Pending);
        assert_eq!((given, refused), expected, "seed {seed}");
    }
    assert!(pending > 200, "{pending}");
}

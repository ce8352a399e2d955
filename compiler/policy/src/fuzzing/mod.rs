//! For tests and fuzzers only: what must hold of every decision, as a function
//! that panics where it does not. Nothing here is for programs, and it uses
//! nothing but what the crate offers to everyone.

mod random;

pub use random::{Bytes, Question};

use crate::{
    Approval, Because, Block, Cedar, Effect, Expr, Facts, Guard, Kind, Op, Outcome, Policies, Rule,
    Selector, Value, Verb,
};

/// Another reading of section 4: what becomes of an effect.
pub type Reading = fn(&Policies, &Effect<'_>, &Facts<'_>) -> Outcome;

/// Decides about what the bytes say, and about what is near to it: every effect
/// has a decision, the one of the other reading; the order of anything says
/// nothing; what is added permits no more; `--dev` grants what nobody granted
/// and an approval lifts what waits for it, and nothing else.
///
/// # Panics
/// If something of this does not hold.
pub fn fuzz_one(data: &[u8], naive: Reading) {
    let bytes = &mut Bytes::new(data);
    let question = Question::read(bytes);
    agree(&question, naive);
    let decision = question.decide();
    assert_eq!(
        question.decide(),
        decision,
        "not the same twice: {question:#?}"
    );

    let shuffled = shuffled(bytes, &question);
    let outcome = shuffled.decide().outcome;
    assert_eq!(
        outcome, decision.outcome,
        "the order says something: {question:#?}"
    );
    if let Some(added) = added(bytes, &question) {
        let outcome = added.decide().outcome;
        assert!(
            rank(outcome) <= rank(decision.outcome),
            "more is permitted: {question:#?} became {added:#?}"
        );
    }
    dev(&question);
    approval(&question);
    denied(&question);
    guards(bytes, question, naive);
}

/// Both readings come to the same.
fn agree(question: &Question, naive: Reading) {
    let decision = question.decide();
    let other = question.ask(|effect, facts| naive(&question.policies, effect, facts));
    assert_eq!(
        decision.outcome, other,
        "the naive reading differs, {decision:?}: {question:#?}"
    );
}

/// Guards alone, which hold if the one is permitted, and can be decided if the
/// other is.
fn guards(bytes: &mut Bytes<'_>, mut question: Question, naive: Reading) {
    question.cedar = Cedar::Absent;
    for _ in 0..4 {
        let guard = random::guard(bytes);
        let either = Expr::Binary(
            Op::Or,
            Box::new(guard.expr().clone()),
            Box::new(Expr::Literal(Value::Bool(true))),
        );
        for guard in [guard, Guard::new(either)] {
            let rule = Rule {
                guard: Some(guard),
                ..rule(Verb::Allow)
            };
            question.policies = of(rule);
            agree(&question, naive);
        }
    }
}

/// A rule about all.
fn rule(verb: Verb) -> Rule {
    Rule {
        verb,
        selector: Selector::All,
        guard: None,
        tail: false,
    }
}

fn block(rule: Rule) -> Block {
    Block {
        rules: vec![rule],
        requirements: Vec::new(),
    }
}

fn of(rule: Rule) -> Policies {
    Policies {
        ceiling: None,
        blocks: vec![block(rule)],
    }
}

/// How much is permitted.
fn rank(outcome: Outcome) -> u8 {
    match outcome {
        Outcome::Deny => 0,
        Outcome::Pending => 1,
        Outcome::Permit => 2,
    }
}

/// The same question with all of its policies in another order.
fn shuffled(bytes: &mut Bytes<'_>, question: &Question) -> Question {
    fn shuffle<T>(bytes: &mut Bytes<'_>, all: &mut [T]) {
        // Where the bytes have ended, this puts the last first.
        for at in 1..all.len() {
            all.swap(at, bytes.below(at + 1));
        }
    }
    let mut question = question.clone();
    shuffle(bytes, &mut question.policies.blocks);
    for block in &mut question.policies.blocks {
        shuffle(bytes, &mut block.rules);
        shuffle(bytes, &mut block.requirements);
    }
    question
}

/// The same question with something more that restricts: a deny, a block
/// without an allow, a requirement, a guard or a part of one, a Cedar forbid,
/// or a capability less.
pub fn added(bytes: &mut Bytes<'_>, question: &Question) -> Option<Question> {
    let mut question = question.clone();
    let deny = Rule {
        verb: Verb::Deny,
        ..random::rule(bytes)
    };
    let kind = bytes.below(8);
    let blocks = &mut question.policies.blocks;
    let place = bytes.below(blocks.len());
    match (kind, blocks.get_mut(place)) {
        (0, _) => blocks.push(block(deny)),
        (1, _) => question.cedar = Cedar::Forbid,
        (2, _) => {
            question.policies.ceiling.as_mut()?.entries.pop()?;
        }
        (3, Some(block)) => block.rules.push(deny),
        (4, Some(block)) => block.requirements.push(random::requirement(bytes)),
        (_, Some(block)) => {
            let allows = |rule: &&mut Rule| rule.verb == Verb::Allow;
            let rule = block.rules.iter_mut().find(allows)?;
            let guard = random::guard(bytes);
            rule.guard = Some(match &rule.guard {
                None => guard,
                Some(first) => {
                    let sides = (first.expr().clone(), guard.expr().clone());
                    Guard::new(Expr::Binary(Op::And, sides.0.into(), sides.1.into()))
                }
            });
        }
        (_, None) => return None,
    }
    Some(question)
}

fn dev(question: &Question) {
    let with = |dev| Question {
        dev,
        ..question.clone()
    };
    let (without, with) = (with(false).decide(), with(true).decide());
    match (without.because, with.because) {
        (Because::NobodyGranted, Because::Dev | Because::Asked | Because::Refused) => {}
        _ => assert_eq!(without, with, "`--dev` changes more: {question:#?}"),
    }
}

fn approval(question: &Question) {
    let with = |approval| {
        let question = Question {
            approval,
            ..question.clone()
        };
        question.decide().outcome
    };
    let unasked = with(Approval::Unasked);
    let expected = match unasked {
        Outcome::Pending => (Outcome::Permit, Outcome::Deny),
        other => (other, other),
    };
    let found = (with(Approval::Given), with(Approval::Refused));
    assert_eq!(found, expected, "an approval changes more: {question:#?}");
}

/// `deny: true` denies all but the answer.
fn denied(question: &Question) {
    let mut shut = question.clone();
    shut.policies.blocks.push(block(rule(Verb::Deny)));
    let outcome = shut.decide().outcome;
    assert!(
        outcome == Outcome::Deny || question.kind == Kind::Answer,
        "`deny: true` does not deny: {question:#?}"
    );
}

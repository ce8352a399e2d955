//! Comparing what two sets of policies permit: nothing that grew is missed, and
//! what is said for certain is so.

use std::collections::BTreeSet;

use symbi_policy::compare::{Candidate, Grown, MAX_TRIED, Setting, compare};
use symbi_policy::fuzzing::{Bytes, Question, added};
use symbi_policy::{
    Action, Argument, Block, Cedar, Decider, Effect, Expr, Facts, Guard, Kind, Kinds, Op, Outcome,
    Policies, Record, Root, Rule, Selector, Test, Timestamp, Value, Verb, Wanted,
};

/// Bytes that follow from a seed (xorshift).
fn bytes(seed: u64) -> Vec<u8> {
    let mut state = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 33) as u8
    };
    let length = 100 + usize::from(next()) * 2;
    (0..length).map(|_| next()).collect()
}

fn rank(outcome: Outcome) -> u8 {
    match outcome {
        Outcome::Deny => 0,
        Outcome::Pending => 1,
        Outcome::Permit => 2,
    }
}

/// The principal that all questions are about.
const PRINCIPAL: &str = "a";

fn candidate(question: &Question) -> Candidate {
    Candidate {
        name: question.name.to_owned(),
        kind: Some(question.kind),
        params: question.params.clone(),
        resource: question.tool.0.map(str::to_owned),
        version: question.tool.1.map(str::to_owned),
        was: None,
    }
}

/// What a question comes to under these policies, where nobody was asked and
/// Cedar has none.
fn outcome(question: &Question, policies: &Policies) -> Outcome {
    let mut question = question.clone();
    question.policies = policies.clone();
    question.cedar = Cedar::Absent;
    question.approval = Default::default();
    question.dev = false;
    question.asks = false;
    question.decide().outcome
}

/// A second set of policies that is near to the first.
fn near(bytes: &mut Bytes<'_>, question: &Question) -> Policies {
    let mut policies = question.policies.clone();
    match bytes.below(6) {
        0 => return added(bytes, question).map_or(policies, |added| added.policies),
        1 => policies.ceiling = None,
        2 => {
            policies.blocks.pop();
        }
        3 => {
            for block in &mut policies.blocks {
                block.rules.pop();
            }
        }
        4 => {
            for block in &mut policies.blocks {
                if let Some(rule) = block.rules.first_mut() {
                    rule.guard = None;
                }
                block.requirements.pop();
            }
        }
        _ => return Question::read(bytes).policies,
    }
    policies
}

/// For thousands of pairs and, for each, dozens of effects with facts: what
/// comes to more under the second is told of that effect.
#[test]
fn nothing_that_grew_is_missed() {
    let (mut grew, mut told, mut nothing) = (0, 0, 0);
    for seed in 0..3_000 {
        let data = bytes(seed);
        let data = &mut Bytes::new(&data);
        let question = Question::read(data);
        let new = near(data, &question);
        for more in 0..40 {
            let asked = match more {
                0 => question.clone(),
                _ => Question::read(&mut Bytes::new(&bytes(seed * 101 + more))),
            };
            let (from, to) = (outcome(&asked, &question.policies), outcome(&asked, &new));
            if asked.kind == Kind::Answer || rank(to) <= rank(from) {
                nothing += 1;
                continue;
            }
            grew += 1;
            let candidates = [candidate(&asked)];
            let setting = Setting {
                candidates: &candidates,
                principal: PRINCIPAL,
                cedar: Cedar::Absent,
            };
            let found = compare(&question.policies, &new, setting);
            assert_eq!(
                found.len(),
                1,
                "{from:?} to {to:?}: {asked:#?}\nto {new:#?}"
            );
            told += 1;
        }
    }
    assert_eq!(grew, told);
    assert!(
        grew > 500 && nothing > 10_000,
        "{grew} grew, {nothing} did not"
    );
}

/// What has a witness is so for the facts of the witness.
#[test]
fn a_witness_holds() {
    let (mut certain, mut possible) = (0, 0);
    for seed in 0..8_000 {
        let data = bytes(seed);
        let data = &mut Bytes::new(&data);
        let question = Question::read(data);
        let new = near(data, &question);
        let candidates = [candidate(&question)];
        if question.kind == Kind::Answer {
            continue;
        }
        let setting = Setting {
            candidates: &candidates,
            principal: PRINCIPAL,
            cedar: Cedar::Absent,
        };
        for found in compare(&question.policies, &new, setting) {
            let Some(witness) = &found.witness else {
                possible += 1;
                continue;
            };
            certain += 1;
            let nothing = Value::Record(Record::default());
            let context = Value::Record(witness.context.clone());
            let decide = |policies: &Policies| {
                let effect = Effect {
                    params: &candidates[0].params,
                    resource: candidates[0].resource.as_deref(),
                    version: candidates[0].version.as_deref(),
                    schema_verified: (question.kind == Kind::Tool).then_some(true),
                    ..Effect::new(question.name, question.kind, &witness.arguments)
                };
                let facts = Facts {
                    principal: PRINCIPAL,
                    invocation: &nothing,
                    context: &context,
                    now: Timestamp::UNIX_EPOCH,
                    parameters: &witness.parameters,
                    holds: &|_, name, value| {
                        let mut known = witness.obligations.iter();
                        known.any(|(own, wanted, holds)| own == name && wanted == value && *holds)
                    },
                    cedar: Cedar::Absent,
                    approval: Default::default(),
                    dev: false,
                };
                Decider::new(policies.clone())
                    .decide(&effect, &facts)
                    .outcome
            };
            // What is asked of the invocation and of addresses is not in it.
            let text = format!("{:?} {new:?}", question.policies);
            if !text.contains("Invocation") && !text.contains("Network") {
                let both = (decide(&question.policies), decide(&new));
                assert_eq!(
                    both,
                    (found.from, found.to),
                    "{found:#?} {question:#?} {new:#?}"
                );
            }
        }
    }
    assert!(certain > 120, "{certain} certain, {possible} possible");
}

/// The same policies, in another order or said twice, permit the same.
#[test]
fn what_says_the_same_has_not_grown() {
    for seed in 0..2_000 {
        let data = bytes(seed);
        let question = Question::read(&mut Bytes::new(&data));
        // No program can write it, and it is not equal to itself.
        if format!("{:?}", question.policies).contains("NaN") {
            continue;
        }
        let mut turned = question.policies.clone();
        turned.blocks.reverse();
        for block in &mut turned.blocks {
            block.rules.reverse();
            let first = block.rules.first().cloned();
            block.rules.extend(first);
            block.requirements.reverse();
        }
        let candidates = [candidate(&question)];
        let setting = Setting {
            candidates: &candidates,
            principal: PRINCIPAL,
            cedar: Cedar::Absent,
        };
        assert_eq!(
            compare(&question.policies, &turned, setting),
            [],
            "{question:#?}"
        );
    }
}

/// Adding a deny, a guard, an obligation or a block without an allow never
/// grows for certain.
#[test]
fn what_is_only_restricted_never_grows_for_certain() {
    let mut restricted = 0;
    for seed in 0..2_000 {
        let data = bytes(seed);
        let data = &mut Bytes::new(&data);
        let question = Question::read(data);
        let Some(added) = added(data, &question) else {
            continue;
        };
        restricted += 1;
        let candidates = [candidate(&question)];
        let setting = Setting {
            candidates: &candidates,
            principal: PRINCIPAL,
            cedar: Cedar::Absent,
        };
        let found = compare(&question.policies, &added.policies, setting);
        assert!(
            found.iter().all(|grown| grown.witness.is_none()),
            "{found:#?} {question:#?} {added:#?}"
        );
    }
    assert!(restricted > 500, "{restricted}");
}

// What people change, each with what is said of it.

fn rule(verb: Verb, selector: Selector, guard: Option<Expr>) -> Rule {
    Rule {
        verb,
        selector,
        guard: guard.map(Guard::new),
        tail: false,
    }
}

fn action(name: &str, tests: &[(usize, &str)]) -> Selector {
    Selector::Action(Action {
        tests: tests
            .iter()
            .map(|(place, wanted)| Test {
                argument: Argument::At(*place),
                wanted: Wanted::Value((*wanted).into()),
            })
            .collect(),
        ..Action::new(name, Kinds::NONE)
    })
}

fn policies(rules: &[Rule]) -> Policies {
    Policies {
        ceiling: None,
        blocks: vec![Block {
            rules: rules.to_vec(),
            requirements: Vec::new(),
        }],
    }
}

fn argument(name: &str) -> Expr {
    Expr::Path(Root::Argument(name.into(), 0), Box::default())
}

fn context(name: &str) -> Expr {
    Expr::Path(Root::Context, Box::new([name.into()]))
}

fn now() -> Expr {
    Expr::Path(Root::Now, Box::default())
}

fn binary(op: Op, one: Expr, two: Expr) -> Expr {
    Expr::Binary(op, Box::new(one), Box::new(two))
}

fn is(one: Expr, text: &str) -> Expr {
    binary(Op::Equal, one, Expr::Literal(text.into()))
}

fn among(one: Expr, texts: &[&str]) -> Expr {
    let list = texts.iter().map(|text| Expr::Literal((*text).into()));
    binary(Op::In, one, Expr::List(list.collect()))
}

/// What is said of `restart(service, count)`, a tool.
fn said(old: &Policies, new: &Policies) -> String {
    let candidates = [Candidate {
        name: "restart".to_owned(),
        kind: Some(Kind::Tool),
        params: vec!["service".into(), "count".into()],
        ..Candidate::default()
    }];
    let setting = Setting {
        candidates: &candidates,
        principal: PRINCIPAL,
        cedar: Cedar::Absent,
    };
    match &*compare(old, new, setting) {
        [] => "nothing".to_owned(),
        [
            Grown {
                witness: None,
                to: Outcome::Permit,
                ..
            },
        ] => "perhaps".to_owned(),
        [
            Grown {
                witness: Some(witness),
                to: Outcome::Permit,
                ..
            },
        ] => {
            let facts: Vec<String> = [&witness.arguments, &witness.context]
                .iter()
                .flat_map(|record| record.fields())
                .map(|(name, value)| match value {
                    Value::String(text) => format!("{name}={text}"),
                    other => format!("{name}={other:?}"),
                })
                .collect();
            format!("with {}", facts.join(" "))
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn what_people_change_is_told_with_facts() {
    let (allow, deny) = (Verb::Allow, Verb::Deny);
    let any = || action("restart", &[]);
    let when = |guard: Expr| policies(&[rule(allow, any(), Some(guard))]);
    let always = || policies(&[rule(allow, any(), None)]);
    let never = || policies(&[rule(allow, Selector::None, None)]);
    let api = || is(argument("service"), "api");
    let less = |number: i64| {
        binary(
            Op::Less,
            Expr::Path(Root::Argument("count".into(), 1), Box::default()),
            Expr::Literal(Value::Int(number)),
        )
    };
    let denied =
        |guard: Option<Expr>| policies(&[rule(allow, any(), None), rule(deny, any(), guard)]);
    let starts = |text: &str| {
        Expr::Call(
            symbi_policy::Predicate::StartsWith,
            vec![argument("service"), Expr::Literal(text.into())],
        )
    };
    let table: Vec<(&str, Policies, Policies, &str)> = vec![
        ("an allow is added", never(), always(), "with "),
        ("an allow is taken away", always(), never(), "nothing"),
        ("a guard is added", always(), when(api()), "nothing"),
        ("a guard is taken away", when(api()), always(), "with "),
        (
            "one more value",
            when(api()),
            when(binary(Op::Or, api(), is(argument("service"), "db"))),
            "with service=db",
        ),
        (
            "one more value in a list",
            when(among(argument("service"), &["api", "web"])),
            when(among(argument("service"), &["api", "web", "db"])),
            "with service=db",
        ),
        (
            "one value less in a list",
            when(among(argument("service"), &["api", "web", "db"])),
            when(among(argument("service"), &["api", "web"])),
            "nothing",
        ),
        (
            "a list in place of an or",
            when(binary(Op::Or, api(), is(argument("service"), "db"))),
            when(among(argument("service"), &["db", "api"])),
            "nothing",
        ),
        (
            "a bound is raised",
            when(less(3)),
            when(less(5)),
            "with count=Int(3)",
        ),
        (
            "a bound is lowered",
            when(less(5)),
            when(less(3)),
            "nothing",
        ),
        (
            "two conditions in another order",
            when(binary(Op::And, api(), less(3))),
            when(binary(Op::And, less(3), api())),
            "nothing",
        ),
        (
            "one of two conditions",
            when(binary(Op::And, api(), less(3))),
            when(api()),
            "with ",
        ),
        (
            "a deny is taken away",
            denied(Some(is(argument("service"), "db"))),
            always(),
            "with ",
        ),
        (
            "a deny gets a guard",
            denied(None),
            denied(Some(is(argument("service"), "db"))),
            "with service=",
        ),
        ("a deny is added", always(), denied(Some(api())), "nothing"),
        (
            "a fact of the host is not asked for any more",
            when(binary(Op::And, api(), context("calm"))),
            when(api()),
            "with service=api",
        ),
        (
            "a pattern is widened",
            policies(&[rule(allow, action("restart", &[(0, "api")]), None)]),
            policies(&[
                rule(allow, action("restart", &[(0, "api")]), None),
                rule(allow, action("restart", &[(0, "db")]), None),
            ]),
            "with service=db",
        ),
        (
            "a pattern as a guard",
            policies(&[rule(allow, action("restart", &[(0, "api")]), None)]),
            when(api()),
            "nothing",
        ),
        (
            "a part of a text",
            when(starts("api")),
            when(starts("ap")),
            "with service=ap",
        ),
        (
            "all instead of one",
            when(api()),
            policies(&[rule(allow, Selector::All, None)]),
            "with ",
        ),
        (
            "facts that are compared with each other",
            when(binary(Op::Equal, argument("service"), context("a"))),
            when(binary(Op::Equal, argument("service"), context("b"))),
            "with ",
        ),
        (
            "the time, which has no values to try",
            when(binary(Op::Less, now(), context("a"))),
            when(binary(Op::Less, now(), context("b"))),
            "perhaps",
        ),
        (
            "another allow beside what cannot be told",
            when(binary(Op::Equal, argument("service"), context("a"))),
            policies(&[
                rule(
                    allow,
                    any(),
                    Some(binary(Op::Equal, argument("service"), context("a"))),
                ),
                rule(allow, action("other", &[]), None),
            ]),
            "nothing",
        ),
    ];
    let names: BTreeSet<&str> = table.iter().map(|(name, ..)| *name).collect();
    assert_eq!(names.len(), table.len());
    let mut wrong = Vec::new();
    for (name, old, new, expected) in table {
        let found = said(&old, &new);
        let fits = match expected.ends_with([' ', '=']) {
            true => found.starts_with(expected.trim_end()),
            false => found == expected,
        };
        if !fits {
            wrong.push(format!("{name}: {found}, not {expected}"));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// A block that allows other things denies; taking it away grants.
#[test]
fn a_block_counts_by_what_it_allows() {
    let allow = |name: &str| Block {
        rules: vec![rule(Verb::Allow, action(name, &[]), None)],
        requirements: Vec::new(),
    };
    let both = Policies {
        ceiling: None,
        blocks: vec![allow("restart"), allow("send")],
    };
    let one = Policies {
        ceiling: None,
        blocks: vec![allow("restart")],
    };
    assert_eq!(said(&both, &one), "with ");
    assert_eq!(said(&one, &both), "nothing");
}

/// The work for one effect is bounded: beyond, it may have grown.
#[test]
fn more_facts_than_can_be_tried_may_have_grown() {
    let chain = |left_out: u32| {
        let names = (0..12).filter(|number| *number != left_out);
        let parts = names.map(|number| is(context(&format!("f{number}")), "x"));
        parts
            .reduce(|one, two| binary(Op::And, one, two))
            .expect("parts")
    };
    let when = |guard| policies(&[rule(Verb::Allow, action("restart", &[]), Some(guard))]);
    let old = when(chain(12));
    // The last in the order in which they are tried.
    let new = when(chain(9));
    assert!(5_usize.pow(12) > MAX_TRIED);
    assert_eq!(said(&old, &new), "perhaps");
    // What is the same is told without trying anything.
    assert_eq!(said(&old, &old.clone()), "nothing");
}

/// A tool whose parameters have changed places, and a tool that is one no more.
#[test]
fn an_effect_that_was_another_one_is_compared_as_such() {
    let one = |params: &[&str]| Candidate {
        name: "move".to_owned(),
        kind: Some(Kind::Tool),
        params: params.iter().map(|param| (*param).into()).collect(),
        ..Candidate::default()
    };
    let grown = |candidate: Candidate, policies: &Policies| {
        let setting = Setting {
            candidates: &[candidate],
            principal: PRINCIPAL,
            cedar: Cedar::Absent,
        };
        // The same rules, cut apart so that they are looked at.
        let mut again = policies.clone();
        again.blocks.push(Block::default());
        compare(policies, &again, setting).len()
    };
    let first = policies(&[rule(Verb::Allow, action("move", &[(0, "a")]), None)]);
    let same = one(&["from", "to"]);
    assert_eq!(grown(same.clone(), &first), 0);
    let turned = Candidate {
        was: Some(Box::new(one(&["to", "from"]))),
        ..same.clone()
    };
    assert_eq!(grown(turned, &first), 1);
    let kinds = Kinds::of([Kind::Tool]);
    let tools = Selector::Action(Action::new("invoke_tool", kinds));
    let no_tools = policies(&[
        rule(Verb::Allow, Selector::All, None),
        rule(Verb::Deny, tools, None),
    ]);
    let gone = Candidate {
        was: Some(Box::new(same.clone())),
        kind: Some(Kind::Action),
        params: Vec::new(),
        ..same
    };
    assert_eq!(grown(gone, &no_tools), 1);
}

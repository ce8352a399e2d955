//! From the text of a project, through the compiler, to what the gate does.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicI64, Ordering};

use serde_json::Value as Json;
use symbi_host::gate::{
    Answer, Approvable, Approver, CedarRequest, CedarSource, Gate, GateError, Options, Outgoing,
    Proposed, Receipt,
};
use symbi_host::obligations::{AuditRules, Counters, LogLevel};
use symbi_ir::{CedarFile, Program, Route, Sha256, Tool, ToolParam, Type};
use symbi_policy::{Cedar, Record, Timestamp, Value};

use crate::support::program;

fn gate_of(program: Program, options: Options) -> Gate {
    let route = Route::Run;
    Gate::new(
        Arc::new(program),
        "a.symbi",
        "a",
        route,
        Record::default(),
        options,
    )
    .expect("a gate")
}

/// The gate of agent `a` of one file, in a project with the tools `fetch` and
/// `rm`.
fn gate(source: &str, options: Options) -> Gate {
    gate_of(program(&[("a.symbi", source)], &["fetch", "rm"]), options)
}

/// An agent whose only policy says this.
fn policy(rules: &str) -> String {
    format!("agent a(limit: int = 3) {{\n  policy p {{\n{rules}\n  }}\n}}\n")
}

/// What is decided about a call without arguments: one word.
fn word(gate: &Gate, name: &str) -> &'static str {
    gate.decide(Proposed::call(1, name)).told().because
}

fn record<const N: usize>(fields: [(&str, Value); N]) -> Record {
    fields.into_iter().collect()
}

#[derive(Clone, Default)]
struct Clock(Arc<AtomicI64>);

impl Clock {
    fn set(&self, second: i64) {
        self.0.store(second, Ordering::SeqCst);
    }

    fn options(&self) -> Options {
        let clock = self.clone();
        Options {
            clock: Box::new(move || {
                Timestamp::from_second(clock.0.load(Ordering::SeqCst)).expect("an instant")
            }),
            ..Options::default()
        }
    }
}

/// Cedar that always says the same.
struct Says(Cedar);

impl CedarSource for Says {
    fn ask(&self, _: &CedarRequest<'_>) -> Cedar {
        self.0
    }
}

type Does = fn(&Approvable<'_>) -> Answer;

/// A person who always does the same.
struct Person(Does);

impl Approver for Person {
    fn ask(&self, asked: &Approvable<'_>) -> Answer {
        (self.0)(asked)
    }
}

fn agrees(asked: &Approvable<'_>) -> Answer {
    Answer::Given(Receipt {
        fingerprint: *asked.fingerprint,
        by: "ann".to_owned(),
    })
}

#[test]
fn what_nobody_grants_is_denied_whatever_it_is() {
    let source =
        "agent a() {\n  policy p {\n    deny: true\n  }\n}\nagent helper(q: String) {\n}\n";
    let silent = "agent a() {\n}\nagent helper(q: String) {\n}\n";
    let of = |source: &str| program(&[("a.symbi", source)], &["fetch", "rm"]);
    let program = of(source);
    let mut names: Vec<String> = program
        .effects
        .iter()
        .map(|row| row.name.to_string())
        .collect();
    names.extend(program.drivers.iter().map(|name| name.to_string()));
    names.extend(program.tools.iter().map(|tool| tool.name.to_string()));
    let others = [
        "Mail::fetch",
        "anything",
        "respond",
        "terminate",
        "delegate::helper",
        "delegate::nobody",
    ];
    names.extend(others.map(str::to_owned));
    assert!(names.len() > 20, "{names:?}");
    for (source, dev) in [(source, true), (silent, false)] {
        let options = Options {
            dev,
            ..Options::default()
        };
        let gate = gate_of(of(source), options);
        for name in &names {
            let mut proposed = Proposed::call(1, &**name);
            if name == "delegate::helper" {
                proposed = proposed.with(&record([("q", Value::from("x"))]));
            }
            let decided = gate.decide(proposed);
            assert!(!decided.is_granted(), "{name}");
            let raised = decided.prepare().expect_err("a refusal");
            assert_eq!(raised.kind, "denied", "{name}: {raised:?}");
        }
        // So that a refusal can be told.
        for answer in [Proposed::respond(1), Proposed::terminate(2)] {
            assert!(gate.decide(answer).is_granted());
        }
    }
}

#[test]
fn a_sibling_never_grants_and_never_denies() {
    let source = "agent a() {\n  policy p {\n    allow: fetch\n  }\n}\n\
                  agent b() {\n  policy q {\n    allow: rm\n    deny: fetch\n  }\n}\n";
    let gate = gate(source, Options::default());
    assert_eq!(word(&gate, "fetch"), "allowed");
    assert_eq!(word(&gate, "rm"), "no_allow");
}

#[test]
fn a_refusal_says_which_rule_and_where() {
    let gate = gate(&policy("    allow: true\n    deny: rm"), Options::default());
    let decided = gate.decide(Proposed::call(1, "rm"));
    let told = decided.told();
    let rule = told.rule.as_ref().expect("a rule");
    assert_eq!((&*rule.path, rule.line, rule.column), ("a.symbi", 4, 5));
    assert_eq!(rule.text, "deny rm");
    assert_eq!(told.message, "this deny matches");
}

#[test]
fn what_cannot_be_told_names_the_field() {
    let table = [
        ("context.region == \"eu\"", "`context.region` is missing"),
        (
            "context.region == \"eu\" && context.team == \"x\"",
            "`context.region` and `context.team` are missing",
        ),
        (
            "context.level > \"high\"",
            "`context.level` is not of the type that it is held against",
        ),
        // Receipts are for the host alone.
        (
            "context.has_human_approval",
            "`context.has_human_approval` is missing",
        ),
    ];
    for (guard, expected) in table {
        let options = Options {
            context: record([
                ("level", Value::Int(1)),
                ("has_human_approval", Value::Bool(true)),
            ]),
            ..Options::default()
        };
        let gate = gate(&policy(&format!("    allow: fetch if {guard}")), options);
        let decided = gate.decide(Proposed::call(1, "fetch"));
        assert_eq!(decided.told().because, "undecidable");
        let message = &decided.told().message;
        assert!(message.ends_with(expected), "{guard}: {message}");
    }
}

#[test]
fn arguments_are_put_in_order_and_held_against_their_types() {
    let source = "agent a() {\n  policy p {\n    allow: true\n  }\n}\n\
                  agent helper(q: String, wait: Duration = 5m) {\n}\n\
                  agent single(x: int) {\n}\n";
    let gate = gate(source, Options::default());
    let given = |name: &str, places: Vec<Value>, named: Record| {
        let proposed = Proposed::call(1, name).with_places(places).with(&named);
        let decided = gate.decide(proposed);
        match decided.told().because {
            "invalid_arguments" => {
                let raised = decided.prepare().expect_err("a refusal");
                assert_eq!(raised.kind, "invalid_arguments");
                Err(raised.told.message.into_owned())
            }
            _ => Ok(decided.call().arguments().clone()),
        }
    };
    let text = || Value::from("x");
    let none = Record::default;
    let deep = (0..70).fold(Value::Null, |inner, _| Value::Array(vec![inner]));
    let good = [
        (
            "fetch",
            vec![text(), Value::Int(2)],
            none(),
            record([("text", text()), ("count", Value::Int(2))]),
        ),
        (
            "fetch",
            vec![],
            record([("count", Value::Float(3.0))]),
            record([("count", Value::Int(3))]),
        ),
        (
            "Mail::post",
            vec![text()],
            record([("to", text())]),
            record([("0", text()), ("to", text())]),
        ),
        (
            "send",
            vec![text(), text()],
            none(),
            record([("to", text()), ("text", text())]),
        ),
        (
            "delegate::helper",
            vec![text(), Value::from("2m")],
            none(),
            record([("q", text()), ("wait", Value::Duration(120_000_000_000))]),
        ),
        (
            "delegate::helper",
            vec![Value::Record(record([("q", text())]))],
            none(),
            record([("q", text())]),
        ),
        (
            "delegate::single",
            vec![Value::Int(1)],
            none(),
            record([("x", Value::Int(1))]),
        ),
    ];
    for (name, places, named, expected) in good {
        assert_eq!(given(name, places, named), Ok(expected), "{name}");
    }
    let bad = [
        (
            "fetch",
            vec![],
            record([("tex", text())]),
            "`fetch` has no argument `tex`: did you mean `text`?",
        ),
        (
            "fetch",
            vec![],
            record([("count", text())]),
            "the argument `count` of `fetch` has to be a whole number",
        ),
        (
            "fetch",
            vec![text()],
            record([("text", text())]),
            "the argument `text` of `fetch` is given twice",
        ),
        (
            "fetch",
            vec![text(), Value::Int(1), text()],
            none(),
            "`fetch` takes 2 arguments, and 3 are given",
        ),
        (
            "delegate::helper",
            vec![],
            none(),
            "`delegate::helper` needs the argument `q`",
        ),
        (
            "delegate::single",
            vec![text()],
            none(),
            "the argument `x` of `delegate::single` has to be a whole number",
        ),
        (
            "send",
            vec![],
            record([("whom", text())]),
            "`send` has no argument `whom`",
        ),
        (
            "Mail::post",
            vec![text()],
            record([("0", text())]),
            "an argument is given twice",
        ),
        (
            "Mail::post",
            vec![deep],
            none(),
            "an argument of `Mail::post` nests deeper than 64",
        ),
    ];
    for (name, places, named, expected) in bad {
        assert_eq!(
            given(name, places, named),
            Err(expected.to_owned()),
            "{name}"
        );
    }
}

#[test]
fn an_agent_is_decided_about_by_its_declared_name() {
    let files = [
        (
            "a.symbi",
            "agent a() {\n  policy p {\n    allow: true\n    deny: delegate::writer\n  }\n}\n",
        ),
        ("agents/pen.symbi", "agent writer() {\n}\n"),
    ];
    let gate = gate_of(program(&files, &[]), Options::default());
    let decided = gate.decide(Proposed::call(1, "delegate::pen"));
    assert_eq!(&**decided.call().name(), "delegate::writer");
    assert_eq!(decided.told().because, "denied");
}

#[test]
fn a_rate_is_counted_when_something_is_granted() {
    let clock = Clock::default();
    let counters = Arc::new(Counters::default());
    let source =
        policy("    allow: fetch\n    require: { rate_limiting: \"2/minute\" }\n    deny: rm");
    let shared = |clock: &Clock| {
        let options = Options {
            counters: counters.clone(),
            ..clock.options()
        };
        gate(&source, options)
    };
    let (one, two) = (shared(&clock), shared(&clock));
    clock.set(1000);
    assert_eq!(word(&one, "rm"), "denied");
    assert_eq!(word(&one, "fetch"), "allowed");
    // Another run of the same agent takes from the same.
    clock.set(1030);
    assert_eq!(word(&two, "fetch"), "allowed");
    assert_eq!(word(&one, "fetch"), "unmet");
    clock.set(1060);
    assert_eq!(word(&one, "fetch"), "allowed");
    assert_eq!(word(&two, "fetch"), "unmet");
    // An agent of its own has its own.
    assert_eq!(word(&gate(&source, clock.options()), "fetch"), "allowed");
}

#[test]
fn a_rate_under_a_condition_counts_what_it_is_about() {
    let clock = Clock::default();
    let source = policy(
        "    allow: fetch\n    require: { rate_limiting: \"1/minute\" } if invocation.arguments.count == 9",
    );
    let gate = gate(&source, clock.options());
    let count = |number| {
        let arguments = record([("count", Value::Int(number))]);
        let decided = gate.decide(Proposed::call(1, "fetch").with(&arguments));
        decided.told().because
    };
    assert_eq!(
        [count(1), count(1), count(9), count(9), count(1)],
        ["allowed", "allowed", "allowed", "unmet", "allowed"]
    );
}

#[test]
fn tools_are_counted_in_a_run() {
    let source = policy("    allow: true\n    require: { max_tool_calls: 2 }");
    let of = |tool_calls| {
        let options = Options {
            tool_calls,
            ..Options::default()
        };
        gate(&source, options)
    };
    let one = of(0);
    let words = ["fetch", "Mail::x", "fetch", "Mail::x", "send"].map(|name| word(&one, name));
    assert_eq!(words, ["allowed", "allowed", "unmet", "unmet", "allowed"]);
    // A run that goes on has those from before.
    assert_eq!(
        [word(&of(1), "fetch"), word(&of(2), "fetch")],
        ["allowed", "unmet"]
    );
}

#[test]
fn input_is_valid_where_types_are_declared() {
    let source = format!(
        "{}agent helper(q: String) {{\n}}\n",
        policy("    allow: true\n    require: { input_validation: true }")
    );
    let gate = gate(&source, Options::default());
    let words = ["fetch", "send", "claude_code", "Mail::x"].map(|name| word(&gate, name));
    assert_eq!(words, ["allowed", "allowed", "allowed", "unmet"]);
    let known = Proposed::call(1, "delegate::helper").with(&record([("q", Value::from("x"))]));
    assert!(gate.decide(known).is_granted());
    assert_eq!(word(&gate, "delegate::nobody"), "unmet");
}

#[test]
fn nothing_happens_that_cannot_be_put_on_record() {
    let journal = Arc::new(AtomicBool::new(true));
    let options = Options {
        journal: journal.clone(),
        ..Options::default()
    };
    let gate = gate(
        &policy("    allow: fetch\n    require: audit_logging"),
        options,
    );
    assert_eq!(word(&gate, "fetch"), "allowed");
    journal.store(false, Ordering::SeqCst);
    assert_eq!(word(&gate, "fetch"), "unmet");
}

#[test]
fn data_is_bounded_on_its_way_in_and_out() {
    let source = policy(
        "    allow: fetch\n    require: { max_data_size: 1KB }\n    require: { max_data_size: 1MB }",
    );
    let gate = gate(&source, Options::default());
    let of = |length| {
        let text = "x".repeat(length);
        gate.decide(Proposed::call(1, "fetch").with(&record([("text", Value::from(&*text))])))
    };
    // `{"text":"…"}` has 11 bytes besides.
    assert_eq!(of(1014).told().because, "unmet");
    let prepared = of(1013).prepare().expect("a grant");
    assert_eq!(prepared.result_limit(), Some(1024));
    let (done, ()) = prepared.carry_out_as_granted(|_| ());
    assert!(done.check_result(1024).is_ok());
    let raised = done.check_result(1025).expect_err("too much");
    assert_eq!(raised.kind, "data_too_large");
    assert_eq!(
        raised.told.message,
        "the result of `fetch` has 1025 bytes, and `max_data_size` allows 1024"
    );
}

#[test]
fn a_sandbox_has_to_be_strong_enough() {
    let table = [
        ("docker", "docker", false, "allowed"),
        ("docker", "gvisor", false, "unmet"),
        ("firecracker", "tier2", false, "allowed"),
        ("e2b", "tier1", false, "unmet"),
        ("landlock", "docker", false, "unmet"),
        ("landlock", "none", false, "allowed"),
        ("none", "none", false, "unmet"),
        ("none", "none", true, "allowed"),
    ];
    for (own, demanded, unisolated, expected) in table {
        let source = format!(
            "agent a() {{\n  with sandbox = \"{own}\" {{\n    return 1\n  }}\n  policy p {{\n    \
             allow: fetch\n    require: {{ sandbox_tier: \"{demanded}\" }}\n  }}\n}}\n"
        );
        let options = Options {
            unisolated,
            ..Options::default()
        };
        assert_eq!(
            word(&gate(&source, options), "fetch"),
            expected,
            "{own} for {demanded}"
        );
    }
}

#[test]
fn a_person_has_to_agree_to_this_very_call_in_time() {
    let source = policy("    allow: true\n    require: { human_approval: [\"rm\"] }");
    let with = |person: Option<Does>| {
        let approver = person.map(|person| Box::new(Person(person)) as Box<dyn Approver>);
        gate(
            &source,
            Options {
                approver,
                ..Options::default()
            },
        )
    };
    let table: [(Option<Does>, &str); 6] = [
        (None, "approval_unavailable"),
        (Some(|_| Answer::Unavailable), "approval_unavailable"),
        (Some(|_| Answer::Refused), "refused"),
        (Some(|_| Answer::Expired), "approval_expired"),
        (Some(agrees), "allowed"),
        (
            Some(|asked| {
                let gate = gate(&policy("    allow: true"), Options::default());
                let other = Proposed::call(1, "rm").with_places([Value::from(asked.agent)]);
                Answer::Given(Receipt {
                    fingerprint: *gate.decide(other).fingerprint(),
                    by: "ann".to_owned(),
                })
            }),
            "approval_mismatch",
        ),
    ];
    for (person, expected) in table {
        let gate = with(person);
        let decided = gate.decide(Proposed::call(1, "rm"));
        assert_eq!(decided.told().because, expected);
        assert_eq!(decided.is_granted(), expected == "allowed");
        assert_eq!(decided.receipt().is_some(), expected == "allowed");
        assert_eq!(word(&gate, "fetch"), "allowed");
    }
}

#[test]
fn an_approval_waits_as_long_as_the_shortest_expiry() {
    let clock = Clock::default();
    clock.set(1000);
    let source = policy(
        "    allow: true\n    require: human_approval\n    require: { approval_expiry: 30s }\n    require: { approval_expiry: 10m }",
    );
    let slow = clock.clone();
    let late = Arc::new(AtomicI64::new(30));
    let wait = late.clone();
    struct Slow(Clock, Arc<AtomicI64>);
    impl Approver for Slow {
        fn ask(&self, asked: &Approvable<'_>) -> Answer {
            assert_eq!(asked.deadline.as_second(), 1030);
            self.0.set(1000 + self.1.load(Ordering::SeqCst));
            agrees(asked)
        }
    }
    let gate = gate(
        &source,
        Options {
            approver: Some(Box::new(Slow(slow, wait))),
            ..clock.options()
        },
    );
    assert_eq!(word(&gate, "rm"), "allowed");
    clock.set(1000);
    late.store(31, Ordering::SeqCst);
    assert_eq!(word(&gate, "rm"), "approval_expired");
}

#[test]
fn policies_of_cedar_that_nothing_evaluates_deny_all() {
    let source = policy("    allow: fetch");
    let with = |path: &str, cedar: Option<Cedar>, dev| {
        let mut program = program(&[("a.symbi", &source)], &["fetch"]);
        program.cedar.push(CedarFile {
            path: path.into(),
            sha256: Sha256::of(b""),
        });
        let cedar = cedar.map(|says| Box::new(Says(says)) as Box<dyn CedarSource>);
        gate_of(
            program,
            Options {
                cedar,
                dev,
                ..Options::default()
            },
        )
    };
    for dev in [false, true] {
        let gate = with("policies/all.cedar", None, dev);
        assert_eq!(word(&gate, "fetch"), "cedar_missing");
        assert!(!gate.decide(Proposed::respond(1)).is_granted());
    }
    let here = "policies/run/x.cedar";
    let table = [
        (Cedar::Permit { asks: false }, "cedar_permits"),
        (Cedar::Permit { asks: true }, "approval_unavailable"),
        (Cedar::Forbid, "cedar_forbids"),
        (Cedar::Silent, "cedar_silent"),
        (Cedar::Error, "cedar_error"),
    ];
    for (says, expected) in table {
        assert_eq!(word(&with(here, Some(says), false), "fetch"), expected);
        // It lifts no refusal of a policy.
        assert_eq!(word(&with(here, Some(says), false), "send"), "no_allow");
    }
    // Those of another route say nothing here.
    assert_eq!(
        word(&with("policies/http-input/x.cedar", None, false), "fetch"),
        "allowed"
    );
}

#[test]
fn dev_grants_only_what_nobody_granted() {
    let with = |rules: &str| {
        let options = Options {
            dev: true,
            ..Options::default()
        };
        gate(&policy(rules), options)
    };
    assert_eq!(word(&with(""), "fetch"), "dev");
    assert_eq!(word(&with("    deny: rm"), "rm"), "denied");
    assert_eq!(word(&with("    allow: rm"), "fetch"), "no_allow");
    assert_eq!(
        word(&with("    require: tls_verification"), "fetch"),
        "unmet"
    );
}

#[test]
fn what_goes_out_is_what_was_granted() {
    let gate = gate(&policy("    allow: fetch"), Options::default());
    let arguments = record([("text", Value::from("x"))]);
    let other = record([("text", Value::from("y"))]);
    let prepared = || {
        let decided = gate.decide(Proposed::call(7, "fetch").with(&arguments));
        decided.prepare().expect("a grant")
    };
    let granted = prepared();
    let outgoing = granted.outgoing();
    let same = Outgoing {
        arguments: &arguments,
        ..outgoing
    };
    let (done, id) = prepared()
        .carry_out(&same, |call| call.id())
        .expect("unchanged");
    assert_eq!((id, done.fingerprint()), (7, granted.fingerprint()));
    let changed = [
        Outgoing {
            arguments: &other,
            ..outgoing
        },
        Outgoing {
            name: "rm",
            ..outgoing
        },
        // A manifest that was swapped meanwhile.
        Outgoing {
            contract: Some(Sha256::of(b"")),
            ..outgoing
        },
    ];
    for outgoing in changed {
        let mut asked = false;
        let raised = prepared().carry_out(&outgoing, |_| asked = true);
        assert_eq!(raised.expect_err("a refusal").told.because, "changed");
        assert!(!asked);
    }
}

#[test]
fn records_keep_what_the_rules_ask_for() {
    let source = "policy shared {\n  audit: { log_level: \"warn\", retention_days: 30 }\n}\n\
                  agent a() {\n  policy p {\n    allow: true\n    \
                  audit: { log_level: \"info\", include_input: false, retention_days: 90 } if invocation.arguments.count == 9\n    \
                  audit: { include_output: true }\n  }\n}\n";
    let gate = gate(source, Options::default());
    let of = |count| {
        let arguments = record([("count", Value::Int(count))]);
        *gate
            .decide(Proposed::call(1, "fetch").with(&arguments))
            .audit()
    };
    let plain = AuditRules {
        log_level: Some(LogLevel::Warn),
        include_input: true,
        include_output: true,
        retention_days: Some(30),
    };
    let strict = AuditRules {
        log_level: Some(LogLevel::Info),
        include_input: false,
        include_output: true,
        retention_days: Some(90),
    };
    assert_eq!((of(1), of(9)), (plain, strict));
    // What cannot be told applies.
    assert_eq!(*gate.decide(Proposed::call(1, "fetch")).audit(), strict);
}

#[test]
fn messages_are_kept_from_a_level_on() {
    let level = |rules: &str, facts: &[(&str, Value)]| {
        let context = facts
            .iter()
            .map(|(name, value)| (*name, value.clone()))
            .collect();
        let options = Options {
            context,
            ..Options::default()
        };
        gate(&policy(rules), options).log_level()
    };
    let warn = "audit: { log_level: \"warning\" }\n";
    let info_on = "audit: { log_level: \"info\" } if context.busy\n";
    assert_eq!(level("allow: true", &[]), LogLevel::Debug);
    assert_eq!(level(warn, &[]), LogLevel::Warn);
    // Of several the lowest, where it applies and where that cannot be told.
    let both = format!("{warn}{info_on}");
    assert_eq!(level(&both, &[("busy", Value::Bool(true))]), LogLevel::Info);
    assert_eq!(
        level(&both, &[("busy", Value::Bool(false))]),
        LogLevel::Warn
    );
    assert_eq!(level(&both, &[]), LogLevel::Info);
    // What cannot be told takes nothing away.
    assert_eq!(level(info_on, &[]), LogLevel::Debug);
    assert_eq!(
        level(info_on, &[("busy", Value::Bool(true))]),
        LogLevel::Info
    );
}

#[test]
fn a_journal_is_kept_as_long_as_the_longest_rule_says() {
    let days = |source: &str| gate(source, Options::default()).retention_days();
    assert_eq!(days(&policy("allow: true")), None);
    assert_eq!(days(&policy("audit: { retention_days: 30 }")), Some(30));
    // A run has one journal: what holds for some of its effects holds for it.
    let several = "policy shared {\n  audit: { retention_days: 7 }\n}\n\
                   agent a() {\n  policy p {\n    audit: { retention_days: 90 } if invocation.arguments.x == 1\n    \
                   audit: { retention_days: 30 }\n  }\n}\n";
    assert_eq!(days(several), Some(90));
}

#[test]
fn a_gate_is_for_an_agent_that_there_is() {
    let program = Arc::new(program(&[("a.symbi", "agent a() {\n}\n")], &[]));
    let no_one = Gate::new(
        program,
        "a.symbi",
        "b",
        Route::Run,
        Record::default(),
        Options::default(),
    );
    let error = GateError::NoAgent {
        file: "a.symbi".to_owned(),
        name: "b".to_owned(),
    };
    assert_eq!(no_one.err(), Some(error));
}

/// Not the rows that answer for obligations, which here the host does, that
/// have what no program holds, or arguments that the gate does not take.
fn is_expressible(row: &Json) -> bool {
    let obligations = row["obligations"].as_object().expect("obligations");
    let known = ["audit_logging", "human_approval"];
    row["name"] != "call of a group"
        && obligations.keys().all(|name| known.contains(&&**name))
        && (row["tool_schemas"].as_object().into_iter().flatten())
            .all(|(_, schema)| schema["schema_verified"] != false)
}

fn of_json(json: &Json) -> Value {
    match json {
        Json::Null => Value::Null,
        Json::Bool(value) => Value::Bool(*value),
        Json::Number(number) => match number.as_i64() {
            Some(number) => Value::Int(number),
            None => Value::Float(number.as_f64().expect("a number")),
        },
        Json::String(text) => Value::from(&**text),
        Json::Array(elements) => Value::Array(elements.iter().map(of_json).collect()),
        Json::Object(_) => Value::Record(record_of(json)),
    }
}

fn record_of(json: &Json) -> Record {
    let fields = json.as_object().into_iter().flatten();
    fields
        .map(|(name, json)| (&**name, of_json(json)))
        .collect()
}

/// One row of the decisions that the compiler is tested with too.
fn decide(row: &Json) -> &'static str {
    let text = |key: &str| row[key].as_str().expect("a text");
    let (agent, name) = (text("agent"), text("effect"));
    let names: Vec<&str> = row["tools"]
        .as_array()
        .expect("tools")
        .iter()
        .filter_map(Json::as_str)
        .collect();
    let arguments = record_of(&row["args"]);
    let mut program = program(&[("a.symbi", text("source"))], &names);
    for tool in &mut program.tools {
        let schema = &row["tool_schemas"][&*tool.name];
        // One without a schema has the parameters that it was given.
        let params: Vec<Arc<str>> = match schema["params"].as_array() {
            Some(params) => params
                .iter()
                .filter_map(Json::as_str)
                .map(Arc::from)
                .collect(),
            None => arguments.fields().map(|(name, _)| name.clone()).collect(),
        };
        let params = params.into_iter().map(|name| ToolParam {
            name,
            ty: Type::Any,
            required: false,
        });
        *tool = Tool {
            params: params.collect(),
            resource: schema["resource"].as_str().map(Arc::from),
            asks: schema["asks"].as_bool().unwrap_or(false),
            ..tool.clone()
        };
    }
    // There the identity of an agent is its name.
    for module in &mut program.modules {
        for own in &mut Arc::make_mut(module).agents {
            own.principal = own.name().clone();
        }
    }
    let cedar = match text("cedar") {
        "absent" => None,
        "permit" => Some(Cedar::Permit { asks: false }),
        "forbid" => Some(Cedar::Forbid),
        "silent" => Some(Cedar::Silent),
        _ => Some(Cedar::Error),
    };
    if cedar.is_some() {
        program.cedar.push(CedarFile {
            path: "policies/x.cedar".into(),
            sha256: Sha256::of(b""),
        });
    }
    let obligations = &row["obligations"];
    let person: Option<Does> = match obligations["human_approval"].as_bool() {
        None => None,
        Some(true) => Some(agrees),
        Some(false) => Some(|_| Answer::Refused),
    };
    let options = Options {
        dev: row["dev"] == true,
        context: record_of(&row["context"]),
        journal: Arc::new(AtomicBool::new(obligations["audit_logging"] == true)),
        cedar: cedar.map(|says| Box::new(Says(says)) as Box<dyn CedarSource>),
        approver: person.map(|person| Box::new(Person(person)) as Box<dyn Approver>),
        ..Options::default()
    };
    let parameters = record_of(&row["params"]);
    let gate = Gate::new(
        Arc::new(program),
        "a.symbi",
        agent,
        Route::Run,
        parameters,
        options,
    );
    let proposed = match name {
        "respond" => Proposed::respond(1),
        "terminate" => Proposed::terminate(1),
        _ => Proposed::call(1, name),
    };
    let decided = gate.expect("a gate").decide(proposed.with(&arguments));
    match decided.is_granted() {
        true => "permit",
        // Nothing stays open here: where nobody can be asked it is refused.
        false => match decided.told().because {
            "invalid_arguments" => "invalid",
            _ => "deny",
        },
    }
}

#[test]
fn the_gate_decides_as_the_rules_do() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/cases/decisions.jsonl");
    let rows = std::fs::read_to_string(path).expect("the cases");
    let (mut count, mut wrong) = (0, Vec::new());
    for line in rows.lines() {
        let row: Json = serde_json::from_str(line).expect("a row");
        if !is_expressible(&row) {
            continue;
        }
        count += 1;
        let found = decide(&row);
        let expected = match row["decision"].as_str().expect("a decision") {
            "pending" => "deny",
            decision => decision,
        };
        if found != expected {
            wrong.push(format!("{}: {found}, and not {expected}", row["name"]));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(count > 110, "{count}");
}

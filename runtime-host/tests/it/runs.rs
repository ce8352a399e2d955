//! Runs: how they end, and how they go on.

use std::fs;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicI64, Ordering};
use std::time::Duration;

use serde_json::{Value as Json, json};
use symbi_host::run::{Host, HostError, Outcome, Setup, parameters};
use symbi_journal::{Entry, Keys, RunId};
use symbi_policy::Timestamp;

use crate::support::{Said, World, host, program, run};

fn source(head: &str, body: &str) -> String {
    format!(
        "agent a{head} {{\n    policy p {{ allow: [act, secret_read] }}\n    with timeout = 1m {{\n{body}\n    }}\n}}\n"
    )
}

fn ended(body: &str, change: impl FnOnce(&mut Setup)) -> (Outcome, String) {
    let place = tempfile::tempdir().unwrap();
    let world = Arc::new(World::default());
    let host = host(
        place.path(),
        &source("() -> Any", body),
        &[],
        &world,
        change,
    );
    let report = run(&host, json!(null));
    let verdict = {
        let run: RunId = report.run.parse().unwrap();
        let key = Keys::open(place.path()).unwrap().public();
        symbi_journal::verify(host.journals(), &run, key).unwrap()
    };
    assert!(verdict.is_complete(), "{verdict:?}");
    let error = report
        .error
        .map(|error| format!("{}: {}", error.kind, error.message));
    (
        report.outcome,
        error.unwrap_or_else(|| report.value.to_string()),
    )
}

#[test]
fn runs_end_as_their_outcome_says() {
    let table = [
        ("return [1, \"é\"];", Outcome::Completed, "[1,\"é\"]"),
        (
            "return 1 / 0;",
            Outcome::Failed,
            "division_by_zero: a division by zero",
        ),
        (
            "return other(1);",
            Outcome::Failed,
            "denied: `other` is denied: this policy allows some things, and `other` is none of them (a.symbi:2:5)",
        ),
        (
            "while true { }",
            Outcome::BudgetExhausted,
            "steps: it has taken all 20000000 steps that it may",
        ),
        (
            "let s = \"x\"; while true { s = s + s; }",
            Outcome::BudgetExhausted,
            "memory: it needs more memory than the 256MB that it may use",
        ),
        (
            "try { while true { } } catch (e) { return \"caught\"; }",
            Outcome::BudgetExhausted,
            "steps: it has taken all 20000000 steps that it may",
        ),
        ("return act(7);", Outcome::Completed, "7"),
    ];
    for (body, outcome, told) in table {
        let found = ended(body, |setup| setup.steps = 20_000_000);
        assert_eq!(found.0, outcome, "{body}: {}", found.1);
        assert_eq!(found.1, told, "{body}");
    }
}

#[test]
fn an_error_tells_where_it_was_raised() {
    let place = tempfile::tempdir().unwrap();
    let world = Arc::new(World::default());
    let host = host(
        place.path(),
        &source(
            "() -> Any",
            "        let x = { a: 1 };\n        return x.b;",
        ),
        &[],
        &world,
        |_| (),
    );
    let error = run(&host, json!(null)).error.unwrap();
    let at = error.at.unwrap();
    assert_eq!((&*at.file, at.line, at.column), ("a.symbi", 5, 16));
    assert_eq!(
        (&*error.kind, &*error.message),
        ("missing_field", "a record has no field `b`")
    );
}

#[test]
fn a_run_that_takes_too_long_or_is_ended_says_so() {
    let body = "sleep(1h); return 1;";
    let timed = ended(body, |setup| setup.timeout = Some(Duration::from_millis(1)));
    assert_eq!(timed.0, Outcome::TimedOut);
    let cancel = Arc::new(AtomicBool::new(true));
    let cancelled = ended(body, |setup| setup.cancel = cancel);
    assert_eq!(cancelled.0, Outcome::Cancelled);
    // It cannot be caught.
    let caught = ended(
        "try { sleep(1h); } catch (e) { return 2; } return 1;",
        |setup| {
            setup.timeout = Some(Duration::from_millis(1));
        },
    );
    assert_eq!(caught.0, Outcome::TimedOut);
}

#[test]
fn a_clock_that_jumps_changes_no_result() {
    // Back by an hour at each look, then far ahead.
    let ticks = Arc::new(AtomicI64::new(0));
    let clock = ticks.clone();
    let found = ended(
        "let a = now(); act(1); let b = now(); sleep(10s); return b < a;",
        move |setup| {
            setup.clock = Arc::new(move || {
                let tick = clock.fetch_add(1, Ordering::SeqCst);
                let seconds = match tick {
                    0..12 => 1_796_000_000 - tick * 3600,
                    _ => 1_896_000_000 + tick * 20,
                };
                Timestamp::from_second(seconds).unwrap()
            });
        },
    );
    assert_eq!(found, (Outcome::Completed, "true".to_owned()));
    assert!(ticks.load(Ordering::SeqCst) > 12);
}

#[test]
fn input_is_held_to_its_parameters() {
    let head = "(name: String, count: int = 2, wait: Duration = 1m, more: Array<P>? = null)";
    let source = format!(
        "type P = {{ x: int, y: float? }}\n{}",
        source(head, "return [name, count, wait, more];")
    );
    let program = program(&[("a.symbi", &source)], &[]);
    let (module, agent) = program.agents().next().unwrap();
    let table = [
        (json!({"name": "n"}), None),
        (
            json!({"name": "n", "count": 3, "wait": "90s", "more": [{"x": 1}]}),
            None,
        ),
        (json!({"name": "n", "wait": 90}), None),
        (
            json!({}),
            Some(
                "the parameter `name` is missing: `a` takes `name: String`, `count: int` (it has a default), `wait: Duration` (it has a default), `more: Array<P>?` (it has a default)",
            ),
        ),
        (
            json!({"name": 1}),
            Some("`name` is `String`, and is given the number 1"),
        ),
        (
            json!({"name": "n", "count": 1.5}),
            Some("`count` is `int`, and is given the number 1.5"),
        ),
        (
            json!({"name": "n", "wait": "soon"}),
            Some("`wait` is a Duration: "),
        ),
        (
            json!({"name": "n", "more": [{"x": 1}, {"x": "y"}]}),
            Some("`more[1].x` is `int`, and is given the text \"y\""),
        ),
        (
            json!({"name": "n", "more": [{"x": 1, "z": 1}]}),
            Some("`more[0]` is `P`, which has no field `z`"),
        ),
        (
            json!({"name": "n", "more": [{}]}),
            Some("`more[0].x` is missing: it is `int`"),
        ),
        (
            json!({"name": "n", "nam": 1}),
            Some("`a` has no parameter `nam`: "),
        ),
        (json!("n"), Some("`a` takes ")),
    ];
    for (input, problem) in table {
        let found = parameters(module, agent, Some(&input)).err();
        match (found, problem) {
            (None, None) => {}
            (Some(found), Some(problem)) => assert!(found.starts_with(problem), "{input}: {found}"),
            (found, _) => panic!("{input}: {found:?}"),
        }
    }
}

#[test]
fn a_run_that_was_broken_off_goes_on_and_repeats_nothing() {
    let body = "let out = [];\n        for i in range(0, 6) { out.push(act(i)); log(i); out.push(random() < 2.0); }\n        return out;";
    let source = source("() -> Any", body);
    // The journal as it was when the process was killed: the state after each of
    // its lines, as the writer left it, from a run that goes to its end.
    for every in [1, 2, 1000] {
        let place = tempfile::tempdir().unwrap();
        let world = Arc::new(World::default());
        let stopped = host(place.path(), &source, &[], &world, |setup| {
            setup.snapshot_every = every;
            setup.console = Arc::new(Stops::after(3));
        });
        let caught =
            std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| run(&stopped, json!(null))));
        assert!(caught.is_err());
        let before = world.asked().len();
        assert!((1..6).contains(&before), "{before}");
        let runs = stopped.journals().runs().unwrap();
        let said = Arc::new(Said::default());
        let resumed = host(place.path(), &source, &[], &world, |setup| {
            setup.snapshot_every = every;
            setup.console = said.clone();
        });
        let report = resumed.resume(&runs[0]).unwrap();
        assert_eq!(report.outcome, Outcome::Completed, "{report:?}");
        assert_eq!(world.asked().len(), 6, "{every}");
        let expected: Vec<Json> = (0..6).flat_map(|i| [json!(i), json!(true)]).collect();
        assert_eq!(report.value, Json::Array(expected));
        // A run that has ended is not gone on with.
        let again = resumed.resume(&runs[0]);
        assert!(
            matches!(again, Err(HostError::Resume(text)) if text.contains("has ended already: completed"))
        );
        let key = Keys::open(place.path()).unwrap().public();
        let replayed = resumed.replay(&runs[0], key).unwrap();
        assert_eq!(replayed.differences, []);
        assert_eq!(replayed.value, report.value);
        assert_eq!(world.asked().len(), 6);
    }
}

/// A console that ends the process, as far as a test can, when the gate has
/// decided for the n-th time.
struct Stops(AtomicI64);

impl Stops {
    fn after(events: i64) -> Self {
        Stops(AtomicI64::new(events))
    }
}

impl symbi_host::run::Console for Stops {
    fn print(&self, _: &str) {}
    fn log(&self, _: &str, _: &str) {}
    fn event(&self, _: &str, event: &Json) {
        if event["type"] == "decided" && self.0.fetch_sub(1, Ordering::SeqCst) == 0 {
            panic!("killed");
        }
    }
}

#[test]
fn a_state_that_was_changed_and_another_program_are_not_taken() {
    let source = source("() -> Any", "act(1); act(2); return 3;");
    let place = tempfile::tempdir().unwrap();
    let world = Arc::new(World::default());
    let stopped = host(place.path(), &source, &[], &world, |setup| {
        setup.console = Arc::new(Stops::after(1));
    });
    let caught =
        std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| run(&stopped, json!(null))));
    assert!(caught.is_err());
    let id = stopped.journals().runs().unwrap().remove(0);
    let other = host(
        place.path(),
        &source.replace("return 3", "return 4"),
        &[],
        &world,
        |_| (),
    );
    let refused = other.resume(&id).unwrap_err().to_string();
    assert!(refused.contains("is of another program"), "{refused}");
    for entry in fs::read_dir(stopped.journals().folder()).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|end| end == "state") {
            fs::write(&path, b"changed").unwrap();
        }
    }
    let same = host(place.path(), &source, &[], &world, |_| ());
    let refused = same.resume(&id).unwrap_err().to_string();
    assert!(
        refused.contains("none of its states is there any more"),
        "{refused}"
    );
}

#[test]
fn a_replay_says_where_it_goes_another_way() {
    let source = source(
        "(n: int) -> Any",
        "        let x = act(n);\n        return x + 1;",
    );
    let place = tempfile::tempdir().unwrap();
    let world = Arc::new(World::default());
    let own = host(place.path(), &source, &[], &world, |_| ());
    let report = run(&own, json!(1));
    let id: RunId = report.run.parse().unwrap();
    let key = Keys::open(place.path()).unwrap().public();
    let differs = |changed: &str| {
        let host = host(place.path(), changed, &[], &world, |_| ());
        let replayed = host.replay(&id, key).unwrap();
        replayed
            .differences
            .into_iter()
            .map(|one| (one.number, one.what))
            .collect::<Vec<_>>()
    };
    assert_eq!(differs(&source), []);
    let program = (
        None,
        "the program is another one than that of the run".to_owned(),
    );
    assert_eq!(
        differs(&source.replace("x + 1", "x + 2")),
        [
            program.clone(),
            (None, "it gives another value than then".to_owned())
        ]
    );
    let called = differs(&source.replace("act(n)", "act(n + 1)"));
    assert_eq!(
        called[1],
        (
            Some(0),
            "`act` is called with other arguments than then".to_owned()
        )
    );
    let renamed = differs(&source.replace("act", "act2"));
    assert_eq!(
        renamed[1],
        (
            Some(0),
            "then it was `act`, and now it is `act2`".to_owned()
        )
    );
    let asks_more = differs(&source.replace("return x", "log(x); return x"));
    assert_eq!(
        asks_more[1],
        (
            Some(1),
            "the run ended before it asked for `log`".to_owned()
        )
    );
    assert_eq!(world.asked(), ["act"]);
}

#[test]
fn nothing_happens_where_no_journal_can_be_kept() {
    let place = tempfile::tempdir().unwrap();
    fs::write(place.path().join(".symbiont"), "a file").unwrap();
    let world = Arc::new(World::default());
    let host: Host = host(
        place.path(),
        &source("() -> Any", "return act(1);"),
        &[],
        &world,
        |_| (),
    );
    let (module, _) = host.program().agents().next().unwrap();
    let start = symbi_host::run::Start {
        file: &module.path,
        agent: "a",
        route: symbi_ir::Route::Run,
        input: Vec::new(),
    };
    assert!(matches!(host.run(start), Err(HostError::Journal(_))));
    assert_eq!(world.asked(), [""; 0]);
}

/// The events of the only run, without the snapshots.
fn events(host: &Host, place: &std::path::Path, run: &str) -> Vec<Json> {
    let key = Keys::open(place).unwrap().public();
    let run: RunId = run.parse().unwrap();
    let journal = symbi_journal::read(host.journals(), &run, key).unwrap();
    let events = journal.records().filter_map(|record| match record.entry {
        Entry::Event(event) => Some(event),
        _ => None,
    });
    events.filter(|event| event["type"] != "snapshot").collect()
}

#[test]
fn journals_keep_what_the_policies_ask_for() {
    let place = tempfile::tempdir().unwrap();
    let world = Arc::new(World::default());
    let said = Arc::new(Said::default());
    let source = "agent a() -> String {\n    policy p {\n        allow: fetch\n        \
        audit: { log_level: \"warn\", include_input: false }\n        \
        audit: { include_output: false } if invocation.arguments.text == \"hidden\"\n    }\n    \
        with timeout = 1m {\n        log(\"one\");\n        log(\"DEBUG\", \"two\");\n        \
        log(\"WARNING\", \"three\");\n        log(\"CRITICAL\", \"four\");\n        print(\"five\");\n        \
        return fetch(\"shown\") + fetch(\"hidden\");\n    }\n}\n";
    let host = host(place.path(), source, &["fetch"], &world, |setup| {
        setup.console = said.clone();
    });
    let report = run(&host, json!(null));
    assert_eq!(report.value, "shownhidden");
    // Whoever looks at the run sees all of it.
    assert_eq!(
        *said.lines.lock().unwrap(),
        [
            "INFO one",
            "DEBUG two",
            "WARNING three",
            "CRITICAL four",
            "five"
        ]
    );
    let kept: Vec<Json> = events(&host, place.path(), &report.run)
        .iter()
        .map(|event| match &event["type"] {
            kind if kind == "log" => json!([event["level"], event["text"], event["kept"]]),
            kind if kind == "print" => json!(["print", event["text"]]),
            kind if kind == "decided" => json!(["decided", event["arguments"]]),
            kind if kind == "effect_finished" => json!(["finished", event["answer"]]),
            kind => json!([kind]),
        })
        .collect();
    let expected = json!([
        ["INFO", null, false],
        ["DEBUG", null, false],
        ["WARNING", "three", null],
        ["CRITICAL", "four", null],
        ["print", "five"],
        ["decided", null],
        ["effect_started"],
        ["finished", {"value": "shown"}],
        ["decided", null],
        ["effect_started"],
        ["finished", {"value": null, "kept": false}],
        ["ended"],
    ]);
    assert_eq!(json!(kept), expected);
    // What is not kept is not needed to run it once more.
    let key = Keys::open(place.path()).unwrap().public();
    let replayed = host.replay(&report.run.parse().unwrap(), key).unwrap();
    assert_eq!(replayed.differences, []);
    assert_eq!(replayed.outcome, "completed");
}

#[test]
fn journals_go_when_they_were_kept_long_enough() {
    let place = tempfile::tempdir().unwrap();
    let day = Arc::new(AtomicI64::new(0));
    let at = |retention: &str| {
        let clock = day.clone();
        let source = format!(
            "agent a() {{\n    policy p {{\n        allow: act\n        {retention}\n    }}\n    with timeout = 1m {{ return 1; }}\n}}\n"
        );
        host(place.path(), &source, &[], &Arc::default(), move |setup| {
            setup.clock = Arc::new(move || {
                Timestamp::from_second(1_798_761_600 + clock.load(Ordering::SeqCst) * 86_400)
                    .unwrap()
            });
        })
    };
    let (week, ever) = (
        at("audit: { retention_days: 7 }"),
        at("require: audit_logging"),
    );
    let on = |host: &Host, now: i64| {
        day.store(now, Ordering::SeqCst);
        run(host, json!(null)).run
    };
    let (first, second, third) = (on(&week, 0), on(&ever, 1), on(&week, 5));
    let runs = || -> Vec<String> {
        let all = week.journals().runs().unwrap();
        all.iter().map(ToString::to_string).collect()
    };
    assert_eq!(runs(), [&*first, &*second, &*third]);
    let fourth = on(&ever, 8);
    assert_eq!(runs(), [&*second, &*third, &*fourth]);
    let fifth = on(&ever, 400);
    assert_eq!(runs(), [&*second, &*fourth, &*fifth]);
}

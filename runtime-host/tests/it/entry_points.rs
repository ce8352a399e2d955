//! Every way in which an agent comes to run, and every way in which it has an
//! effect: where nothing is granted, nothing happens.

use std::fmt::Write as _;
use std::sync::Arc;

use serde_json::json;
use symbi_host::run::Outcome;
use symbi_ir::Route;
use symbi_vm::library::{Does, FUNCTIONS};

use crate::support::{World, host, run_on};

/// The routes, and the test of each. One that does not exist yet says when it
/// will.
const ENTRY_POINTS: [(&str, Option<Route>, &str); 9] = [
    ("run", Some(Route::Run), "symbi run"),
    (
        "delegate",
        Some(Route::Delegate),
        "an agent that calls another one",
    ),
    ("http", None, "arrives with the HTTP interface"),
    ("schedule", None, "arrives with symbi up"),
    ("webhook", None, "arrives with the HTTP interface"),
    ("chat", None, "arrives with channels"),
    ("mcp", None, "arrives with the MCP server"),
    ("repl", None, "arrives with symbi repl"),
    ("managed", None, "arrives with managed drivers"),
];

/// A call of each effect that there is, each caught.
fn calls() -> (String, usize) {
    let mut body = String::new();
    let mut count = 0;
    let mut call = |code: &str| {
        writeln!(
            body,
            "        try {{ {code}; }} catch (denied e) {{ denied += 1; }}"
        )
        .unwrap();
        count += 1;
    };
    let mut names = Vec::new();
    for function in FUNCTIONS {
        let Does::Effect(_) = function.does else {
            continue;
        };
        let code = match function.name {
            "delegate" | "ask" | "send_to" => format!("{}(\"b\", \"x\")", function.name),
            "parallel" | "race" => format!("{}([{{ agent: \"b\", message: \"x\" }}])", function.name),
            "http_request" => "http_request(url: \"https://example.com\")".to_owned(),
            "llm_call" => "llm_call(\"x\")".to_owned(),
            "memory_read" => "memory_read(title: \"x\")".to_owned(),
            "memory_search" => "memory_search(query: \"x\")".to_owned(),
            "memory_write" => "memory_write(title: \"x\", text: \"y\")".to_owned(),
            "publish" | "send" => format!("{}(\"x\", \"y\")", function.name),
            "reason" => "reason(system: \"x\", user: \"y\")".to_owned(),
            "secret_read" => "try { secret_read(\"x\"); } catch (not_found e) { }".to_owned(),
            "tool_call" => "if tool_call(\"fetch\", {}).status == \"denied\" { error(\"x\", kind: \"denied\") }".to_owned(),
            other => panic!("the effect `{other}` of the library has no call here"),
        };
        if !names.contains(&function.name) {
            names.push(function.name);
            call(&code);
        }
    }
    call("fetch(\"x\")");
    call("Mail::post(\"x\")");
    call("undeclared(1, 2)");
    call("b(text: \"x\")");
    call("try { let s = vault://team/key; } catch (not_found e) { }");
    call("let s = env://PATH");
    (body, count)
}

fn source(policy: &str) -> (String, usize) {
    let (body, count) = calls();
    let source = format!(
        "agent a() -> int {{\n    {policy}\n    with timeout = 1m {{\n        let denied = 0;\n{body}        \
         return denied;\n    }}\n}}\nagent b(text: String) -> int {{\n    with timeout = 1m {{ \
         outside(text); return 1; }}\n}}\n"
    );
    (source, count)
}

#[test]
fn nothing_happens_where_nothing_is_granted() {
    // Each of them denies all: a rule, no grant, and a ceiling over nothing.
    let policies = [
        "policy p { deny: true }",
        "",
        "capabilities = []\n    policy p { allow: true }",
    ];
    for policy in policies {
        let (source, count) = source(policy);
        for (name, route, _) in ENTRY_POINTS {
            let Some(route) = route else { continue };
            let place = tempfile::tempdir().unwrap();
            let world = Arc::new(World::default());
            let host = host(place.path(), &source, &["fetch"], &world, |_| ());
            let report = run_on(&host, route, json!(null));
            assert_eq!(
                report.outcome,
                Outcome::Completed,
                "{name} {policy}: {report:?}"
            );
            assert_eq!(world.asked(), [""; 0], "{name} {policy}");
            assert_eq!(report.value, json!(count), "{name} {policy}");
            assert_eq!(report.usage.effects, 0, "{name} {policy}");
        }
    }
}

#[test]
fn the_same_calls_happen_where_all_is_granted() {
    let (source, _) = source("policy p { allow: true }");
    let place = tempfile::tempdir().unwrap();
    let world = Arc::new(World::default());
    let host = host(place.path(), &source, &["fetch"], &world, |_| ());
    let report = run_on(&host, Route::Run, json!(null));
    assert!(world.asked().len() >= 15, "{:?} {report:?}", world.asked());
}

#[test]
fn rules_of_siblings_never_apply() {
    let source = "agent a() -> Any {\n    with timeout = 1m { return act(1); }\n}\n\
                  agent b() {\n    policy p { allow: act }\n    with timeout = 1m { act(1); }\n}\n";
    let place = tempfile::tempdir().unwrap();
    let world = Arc::new(World::default());
    let host = host(place.path(), source, &[], &world, |_| ());
    let report = run_on(&host, Route::Run, json!(null));
    assert_eq!(report.outcome, Outcome::Failed);
    let error = report.error.unwrap();
    assert_eq!(error.kind, "denied");
    assert_eq!(world.asked(), [""; 0]);
}

#[test]
fn what_cannot_be_decided_denies_and_names_the_field() {
    let source = "agent a(who: String) -> Any {\n    policy p { allow: act(x) if context.ticket == \"T1\" }\n    \
                  with timeout = 1m { return act(1); }\n}\n";
    let place = tempfile::tempdir().unwrap();
    let world = Arc::new(World::default());
    let host = host(place.path(), source, &[], &world, |_| ());
    let report = run_on(&host, Route::Run, json!("ann"));
    let error = report.error.unwrap();
    assert_eq!(error.kind, "denied");
    assert!(
        error.message.contains("context.ticket"),
        "{}",
        error.message
    );
    assert_eq!(error.details["effect"], "act");
    assert_eq!(error.details["rule"], "a.symbi:2:16");
    assert_eq!(world.asked(), [""; 0]);
}

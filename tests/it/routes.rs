//! On which routes agents may run: `--route` and `--explain-routes`.

use crate::support::Place;

const AGENTS: &str = "\
agent talks {
    with timeout = 30s {}
    policy p { allow: send }
}
agent works(n: int) {
    policy p {
        allow: send
        require: pii_detection
    }
    with timeout = 30s { return n; }
}
";

fn place() -> Place {
    let place = Place::new();
    place.write("symbiont.toml", "").write("a.symbi", AGENTS);
    place
}

#[test]
fn a_route_makes_errors_of_what_refuses_on_it() {
    let place = place();
    let plain = place.line("dsl --check -q a.symbi");
    assert_eq!(
        (plain.code, &*plain.stdout),
        (0, "a.symbi  OK (1 warning)\n")
    );
    for route in ["run", "http", "schedule", "delegate", "mcp"] {
        let found = place.line(&format!("dsl --check -q --route {route} a.symbi"));
        let expected =
            format!("a.symbi  FAILED 5:7 R1101 `works` is refused on the route `{route}`\n");
        assert_eq!((found.code, &*found.stdout), (1, &*expected));
    }
    let chat = place.line("dsl --check -q --route chat a.symbi");
    let expected =
        "a.symbi  FAILED 5:7 R1101 `works` is refused on the route `chat` (and 2 more)\n";
    assert_eq!((chat.code, &*chat.stdout), (1, expected));
    let managed = place.line("dsl --check -q --route managed a.symbi");
    let expected = "a.symbi  FAILED 1:7 R1102 `talks` has no managed driver (and 2 more)\n";
    assert_eq!((managed.code, &*managed.stdout), (1, expected));
}

#[test]
fn the_project_waives_by_code_and_name_and_a_comment_does_not() {
    let place = place();
    let works = &AGENTS[AGENTS.find("agent works").unwrap()..];
    place.write("a.symbi", format!("// symbi: allow(P0440)\n{works}"));
    let hidden = place.line("dsl --check -q a.symbi");
    assert_eq!((hidden.code, &*hidden.stdout), (0, "a.symbi  OK\n"));
    let refused = place.line("dsl --check -q --route run a.symbi");
    assert_eq!(refused.code, 1, "{refused:?}");
    place.write(
        "symbiont.toml",
        "[policy]\nwaive = [{ code = \"P0440\", name = \"pii_detection\" }]\n",
    );
    let waived = place.line("dsl --check -q --route run a.symbi");
    assert_eq!((waived.code, &*waived.stdout), (0, "a.symbi  OK\n"));
}

#[test]
fn a_waiver_is_offered_only_where_one_holds() {
    let place = Place::new();
    for (text, offered) in [
        ("agent a { with timeout = 500ms {} }\n", false),
        (
            "agent a { policy p { allow: send default: \"deny\" } }\n",
            true,
        ),
    ] {
        place.write("a.symbi", text);
        let found = place.line("dsl --check --route run a.symbi");
        assert_eq!(found.code, 1, "{found:?}");
        assert!(found.stderr.contains("R1101"), "{found:?}");
        let waives = found.stderr.contains("or waive it");
        assert_eq!(waives, offered, "{text}: {found:?}");
    }
}

#[test]
fn the_table_shows_each_agent_with_what_refuses_it() {
    let place = place();
    let found = place.line("dsl --check -q --explain-routes a.symbi");
    let expected = "\
a.symbi  OK (1 warning)
  agent  run  http  schedule  delegate  chat  mcp  managed
  talks  yes  yes   yes       yes       yes   yes  no
  works  no   no    no        no        no    no   no
  `talks` is refused:
    managed: 1:7 R1102 `talks` has no managed driver
  `works` is refused:
    managed: 5:7 R1102 `works` has no managed driver
    chat: 5:13 R1105 chats reach conversational agents only, and `works` has parameters
    everywhere: 8:18 P0440 nothing enforces `pii_detection` yet: it is planned; to waive it: { \
code = \"P0440\", name = \"pii_detection\" }
    chat: 10:5 R1105 chats reach conversational agents only, and `works` has a body
";
    assert_eq!(
        (found.code, &*found.stdout, &*found.stderr),
        (0, expected, "")
    );
}

#[test]
fn programs_get_the_table_as_data() {
    let place = place();
    let found = place.line("dsl --check --json --explain-routes a.symbi");
    assert_eq!(found.code, 0, "{found:?}");
    let document: serde_json::Value = serde_json::from_str(&found.stdout).unwrap();
    let agents = &document["files"][0]["agents"];
    assert_eq!(agents[0]["name"], "talks");
    let all = ["run", "http", "schedule", "delegate", "chat", "mcp"];
    assert_eq!(agents[0]["admitted"], serde_json::json!(all));
    assert_eq!(agents[1]["admitted"], serde_json::json!([]));
    let reason = &agents[1]["reasons"][2];
    assert_eq!(reason["code"], "P0440");
    assert_eq!(reason["waived_as"], "pii_detection");
    assert_eq!(reason["span"]["start"]["line"], 8);
    assert_eq!(reason["routes"].as_array().map(Vec::len), Some(7));
    let plain = place.line("dsl --check --json a.symbi");
    let document: serde_json::Value = serde_json::from_str(&plain.stdout).unwrap();
    assert!(document["files"][0].get("agents").is_none());
}

#[test]
fn what_makes_no_sense_is_a_usage_error() {
    let place = place();
    for (line, part) in [
        (
            "dsl --check --route fly a.symbi",
            "possible values: run, http",
        ),
        ("dsl --route run a.symbi", "--check"),
        ("dsl --explain-routes a.symbi", "--check"),
        (
            "dsl --check --explain-routes --format sarif a.symbi",
            "has no place for --explain-routes",
        ),
    ] {
        let found = place.line(line);
        assert_eq!(found.code, 2, "{line}: {found:?}");
        assert!(found.stderr.contains(part), "{line}: {}", found.stderr);
    }
}

#[test]
fn a_policy_of_another_file_refuses_whom_a_block_names() {
    let place = Place::new();
    place
        .write("symbiont.toml", "")
        .write("a.symbi", "agent billing {}\n")
        .write(
            "z.symbi",
            "policy p {\n    allow: send\n    agent billing { }\n}\n",
        );
    let found = place.line("dsl --check -q --explain-routes a.symbi");
    let line = "    everywhere: 1:7 P0405 nothing enforces the block `agent billing` in a policy at \
                z.symbi:3:5; to waive it: { code = \"P0405\", name = \"agent\" }\n";
    assert!(found.stdout.contains(line), "{}", found.stdout);
    let found = place.line("dsl --check --format short --route run a.symbi");
    assert_eq!(found.code, 1);
    assert!(
        found
            .stdout
            .starts_with("a.symbi  FAILED 1:7 R1101 `billing` is refused"),
        "{found:?}"
    );
    let found = place.line("dsl --check --json --explain-routes a.symbi");
    let document: serde_json::Value = serde_json::from_str(&found.stdout).unwrap();
    let reasons = &document["files"][0]["agents"][0]["reasons"];
    let elsewhere = &reasons[0]["elsewhere"];
    assert_eq!(elsewhere["path"], "z.symbi");
    let start = serde_json::json!({ "offset": 31, "line": 3, "column": 5, "utf16": 4 });
    assert_eq!(elsewhere["span"]["start"], start);
    assert!(reasons[1].get("elsewhere").is_none());

    // A check that names nobody says so where the block is.
    let unknown = "policy p {\n    allow: send\n    agent bilings { }\n}\n";
    place.write("z.symbi", unknown);
    let found = place.line("dsl --check --json z.symbi");
    assert!(
        found.stdout.contains("there is no agent `bilings`"),
        "{found:?}"
    );
    let found = place.line("dsl --check -q --route run a.symbi");
    assert_eq!(found.code, 0, "{found:?}");
}

//! `symbi policy why`.

use serde_json::Value;

use crate::support::Place;

const AGENT: &str = "\
agent deploy(region: String) {
    capabilities = [restart, read, send]

    policy services {
        allow: restart(s, n) if s in [\"api\", \"web\"] && region == \"eu\"
        allow: read
        deny: restart(_, n) if n > 3
        deny: restart if context.freeze
    }

    policy people {
        require: context.ticket != null if context.production
    }
}
";

fn place() -> Place {
    let place = Place::new();
    place.write("a.symbi", AGENT);
    place.write("facts.json", "{\"freeze\": false, \"production\": false}");
    place.write("frozen.json", "{\"freeze\": true, \"production\": false}");
    place.write("live.json", "{\"freeze\": false, \"production\": true}");
    place
}

const ASK: &str = "--input {\"region\":\"eu\"} --now 2026-01-01T00:00:00Z";

#[test]
fn the_decision_and_the_rule_are_told() {
    let place = place();
    let table: &[(&str, &str)] = &[
        (
            "restart --args {\"s\":\"api\",\"n\":1} --context facts.json",
            "permitted · `deploy` may `restart`: this allow matches\n  \
             a.symbi:5:9  allow: restart(s, n) if s in [\"api\", \"web\"] && region == \"eu\"\n  \
             looked at:\n    s = \"api\"\n    region = \"eu\"\n    n = 1\n    \
             context.freeze = false\n    context.production = false\n    context.ticket = missing\n",
        ),
        (
            "restart --args [\"api\",4] --context facts.json",
            "denied · `deploy` may not `restart`: this deny matches\n  \
             a.symbi:7:9  deny: restart(_, n) if n > 3\n",
        ),
        (
            "restart --args [\"api\",1] --context frozen.json",
            "denied · `deploy` may not `restart`: this deny matches\n  \
             a.symbi:8:9  deny: restart if context.freeze\n",
        ),
        (
            "restart --args [\"api\",1]",
            "denied · `deploy` may not `restart`: whether this rule holds cannot be told, and then \
             it denies\n  a.symbi:8:9  deny: restart if context.freeze\n",
        ),
        (
            "restart --args [\"db\",1] --context facts.json",
            "denied · `deploy` may not `restart`: this policy allows some things, and `restart` is \
             none of them\n  a.symbi:4:5  policy services\n",
        ),
        (
            "restart --args [\"api\",1] --context live.json",
            "denied · `deploy` may not `restart`: this requirement does not hold\n  \
             a.symbi:12:9  require: context.ticket != null if context.production\n",
        ),
        (
            "delete --context facts.json",
            "denied · `deploy` may not `delete`: no capability of the agent covers `delete`\n  \
             a.symbi:2:5  capabilities = [restart, read, send]\n",
        ),
        (
            "respond",
            "permitted · `deploy` may `respond`: it is the answer or the end of a run, of which no \
             rule is asked\n",
        ),
    ];
    for (asked, expected) in table {
        let run = place.line(&format!("policy why a.symbi deploy {asked} {ASK}"));
        assert_eq!((run.code, &*run.stderr), (0, ""), "{asked}: {run:?}");
        assert!(
            run.stdout.starts_with(expected),
            "{asked}:\n{}\n{expected}",
            run.stdout
        );
    }
}

#[test]
fn a_bundle_answers_as_its_sources_do() {
    let place = place();
    for (name, more) in [("plain", ""), ("with", "--include-source")] {
        let run = place.line(&format!("build a.symbi -o {name}.symbib {more}"));
        assert_eq!(run.code, 0, "{run:?}");
    }
    let ask = |program: &str| {
        let line = format!("policy why {program} deploy restart --args [\"api\",4] {ASK} --json");
        let run = place.line(&line);
        assert_eq!(run.code, 0, "{run:?}");
        serde_json::from_str::<Value>(&run.stdout).expect("JSON")
    };
    let sources = ask("a.symbi");
    assert_eq!(sources["decision"], "deny");
    assert_eq!(sources["because"], "denied");
    assert_eq!(sources["rule"]["line"], 7);
    assert_eq!(sources["rule"]["text"], "deny: restart(_, n) if n > 3");
    assert_eq!(
        sources["looked_at"][0],
        serde_json::json!({"path": "s", "value": "api"})
    );
    assert_eq!(ask("with.symbib"), sources);
    // Without its source a rule is told as the program has it, at the same place.
    let mut plain = ask("plain.symbib");
    assert_eq!(plain["rule"]["text"], "deny restart if (argument n@1 > 3)");
    plain["rule"]["text"] = sources["rule"]["text"].clone();
    assert_eq!(plain, sources);
}

#[test]
fn another_decision_than_the_expected_one_fails() {
    let place = place();
    let ask = format!("policy why a.symbi deploy restart --args [\"api\",4] {ASK} --expect");
    assert_eq!(place.line(&format!("{ask} deny")).code, 0);
    let run = place.line(&format!("{ask} permit"));
    assert_eq!(
        (run.code, &*run.stderr),
        (1, "error: expected permit, and it is deny\n")
    );
}

#[test]
fn what_cannot_be_asked_is_told() {
    let place = place();
    place
        .write("p/a.symbi", AGENT)
        .write("p/b.symbi", "agent deploy { }\n")
        .write("c/symbiont.toml", "")
        .write("c/policies/run/x.cedar", "");
    place.write("c/a.symbi", "agent one { }\n");
    let table = [
        ("a.symbi deplot send", "did you mean `deploy`?"),
        (
            "a.symbi deploy send --args {",
            "--args: this is no JSON, at line 1, column 1",
        ),
        ("a.symbi deploy send --args 1", "--args: give an object"),
        (
            "a.symbi deploy send --context none.json",
            "--context: none.json: ",
        ),
        ("none.symbi deploy send", "none.symbi: "),
        ("c one send", "say with --cedar what they answer"),
        ("p deploy send", "there are several agents `deploy`"),
    ];
    for (asked, expected) in table {
        let run = place.line(&format!("policy why {asked}"));
        assert_eq!(run.code, 2, "{asked}: {run:?}");
        assert!(run.stderr.contains(expected), "{asked}: {}", run.stderr);
    }
    let run = place.line("policy why p b.symbi#deploy send");
    assert!(
        run.code == 0 && run.stdout.contains("nobody grants `send`"),
        "{run:?}"
    );
    let run = place.line("policy why c one send --cedar permit --expect permit");
    assert_eq!(run.code, 0, "{run:?}");
}

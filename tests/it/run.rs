//! `symbi run` and `symbi audit`, as a person uses them.

use serde_json::{Value, json};

use crate::support::{Place, Run};

const AGENTS: &str = r#"
type Target = { name: String }

agent deploy(action: String, target: Target) -> JSON {
    policy p {
        allow: restart(name) if name == target.name
        deny: publish
    }
    with timeout = 30s {
        print("for", target.name);
        let done = restart(target.name);
        try { publish("releases", action); } catch (denied e) { log("WARNING", e.message); }
        return { done: done, action: action };
    }
}

agent other() -> int {
    with timeout = 1s { return div(1, 0); }
}

agent endless() {
    with timeout = 30s { while true { } }
}
"#;

fn place() -> Place {
    let place = Place::new();
    place
        .write("symbiont.toml", "")
        .write("agents.symbi", AGENTS)
        .write(
            "answers.jsonl",
            "# the world\n{\"effect\": \"restart\", \"result\": {\"ok\": true}}\n",
        )
        .write("in.json", INPUT);
    place
}

const INPUT: &str = "{\"action\":\"restart\",\"target\":{\"name\":\"api\"}}";

/// The last line of stdout as JSON.
fn last(run: &Run) -> Value {
    serde_json::from_str(run.stdout.lines().last().unwrap_or_default()).unwrap_or_default()
}

#[test]
fn an_agent_runs_and_its_journal_is_verified_and_replayed() {
    let place = place();
    let run = place.line("run deploy --input @in.json --answers answers.jsonl");
    assert_eq!(run.code, 0, "{run:?}");
    let lines: Vec<&str> = run.stdout.lines().collect();
    assert_eq!(lines[0], "for api");
    assert!(lines.contains(&"completed · 1 effect, 1 denied"), "{run:?}");
    assert!(
        lines
            .last()
            .unwrap()
            .starts_with("journal: .symbiont/audit/"),
        "{run:?}"
    );
    assert_eq!(
        run.stderr,
        "WARNING `publish` is denied: this deny matches (agents.symbi:7:9)\n"
    );
    let verified = place.line("audit verify last");
    assert_eq!(verified.code, 0, "{verified:?}");
    assert!(verified.stdout.contains("intact"), "{verified:?}");
    let replayed = place.line("audit replay last");
    assert_eq!(
        (replayed.code, &*replayed.stdout),
        (0, "the same · completed · 4 answers from its journal\n")
    );
    let inspected = place.line("audit inspect last");
    assert!(
        inspected
            .stdout
            .contains("granted restart {\"0\":\"api\"} · this allow matches, agents.symbi:6:9"),
        "{inspected:?}"
    );
    assert!(
        inspected.stdout.contains("restart starts, by scripted"),
        "{inspected:?}"
    );
    let listed = place.line("audit list");
    assert!(
        listed.stdout.contains("completed    agents.symbi#deploy"),
        "{listed:?}"
    );
    let again = place.line("run --resume last --answers answers.jsonl");
    assert_eq!(again.code, 2);
    assert!(
        again.stderr.contains("has ended already: completed"),
        "{again:?}"
    );
}

#[test]
fn programs_get_one_last_line() {
    let place = place();
    let schema = symbi_schema();
    for (line, code, outcome) in [
        (
            "run deploy --input @in.json --answers answers.jsonl --json",
            0,
            "completed",
        ),
        ("run deploy --input @in.json --json", 1, "failed"),
        ("run other --json", 1, "failed"),
        ("run endless --steps 1000 --json", 4, "budget_exhausted"),
        ("run endless --timeout 1ms --json", 4, "timed_out"),
    ] {
        let run = place.line(line);
        let report = last(&run);
        assert_eq!(run.code, code, "{line}: {run:?}");
        assert_eq!(report["outcome"], outcome, "{line}: {run:?}");
        let validator = jsonschema::validator_for(&schema).unwrap();
        assert!(validator.is_valid(&report), "{report}");
    }
    let failed = last(&place.line("run other --json"));
    assert_eq!(failed["error"]["kind"], "division_by_zero");
    assert_eq!(
        failed["error"]["at"],
        json!({"file": "agents.symbi", "line": 18, "column": 32})
    );
}

fn symbi_schema() -> Value {
    serde_json::from_str(include_str!("../../docs/schemas/run-v1.schema.json")).unwrap()
}

/// `UPDATE_SCHEMA=1` writes it.
#[test]
fn the_schema_that_is_published_is_that_of_the_report() {
    let path = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/docs/schemas/run-v1.schema.json"
    );
    let expected = format!("{:#}\n", symbi_host::run::Report::schema());
    if std::env::var_os("UPDATE_SCHEMA").is_some() {
        std::fs::write(path, &expected).unwrap();
    }
    assert_eq!(std::fs::read_to_string(path).unwrap(), expected);
}

#[test]
fn a_dry_run_decides_and_leaves_nothing() {
    let place = place();
    let before = place.names(".");
    let run = place.line("run deploy --input @in.json --dry-run");
    assert_eq!(run.code, 0, "{run:?}");
    assert!(
        run.stdout
            .contains("granted · restart {\"0\":\"api\"} · this allow matches  agents.symbi:6:9"),
        "{run:?}"
    );
    assert!(run.stdout.contains("denied · publish"), "{run:?}");
    assert!(
        run.stdout
            .ends_with("dry run: nothing has happened, and no journal is kept\n"),
        "{run:?}"
    );
    assert_eq!(place.names("."), before);
}

#[test]
fn what_is_named_wrongly_is_told_with_what_there_is() {
    let place = place();
    place.write(
        "bad.jsonl",
        "{\"effect\": \"a\", \"result\": 1}\n{\"effect\": 1}\n",
    );
    place.write("empty/symbiont.toml", "");
    for (line, words) in [
        (
            "run depoly",
            "there is no agent `depoly` in this program: did you mean `deploy`?",
        ),
        (
            "run",
            "there are several agents in this program: say which\n  agents.symbi#deploy\n  agents.symbi#other",
        ),
        (
            "run agents.symbi",
            "there are several agents in `agents.symbi`: say which",
        ),
        ("run nothing.symbi", "there is no file nothing.symbi"),
        (
            "run deploy",
            "--input: the parameter `action` is missing: `deploy` takes `action: String`, `target: Target`",
        ),
        (
            "run deploy --input {",
            "--input: this is no JSON, at line 1, column 1",
        ),
        (
            "run deploy --input [1]",
            "--input: `deploy` takes `action: String`, `target: Target`: give an object, and not a list",
        ),
        ("run deploy --input @gone.json", "--input: gone.json: "),
        (
            "run other --answers bad.jsonl",
            "--answers: bad.jsonl: line 2: ",
        ),
        ("run other --timeout soon", "--timeout: "),
        ("run --resume last", "there is no run in this project yet"),
        ("audit verify", "there is no run in this project yet"),
        ("audit inspect abc", "there is no run `abc` in this project"),
    ] {
        let run = place.line(line);
        assert_eq!(run.code, 2, "{line}: {run:?}");
        assert!(run.stderr.contains(words), "{line}: {run:?}");
    }
    assert!(!place.names(".").contains(&".symbiont".to_owned()));
}

#[test]
fn agents_are_named_by_file_and_in_bundles() {
    let place = place();
    assert_eq!(place.line("build -o fleet.symbib").code, 0);
    for line in [
        "run agents.symbi#deploy --input @in.json --answers answers.jsonl --json",
        "run agents.symbi --agent deploy --input @in.json --answers answers.jsonl --json",
        "run fleet.symbib --agent deploy --input @in.json --answers answers.jsonl --json",
        "run . --agent deploy --input @in.json --answers answers.jsonl --json",
    ] {
        let report = last(&place.line(line));
        assert_eq!(
            report["value"],
            json!({"done": {"ok": true}, "action": "restart"}),
            "{line}"
        );
    }
}

#[test]
fn a_journal_that_was_changed_is_told() {
    let place = place();
    place.line("run deploy --input @in.json --answers answers.jsonl");
    let audit = place.path(".symbiont/audit");
    let journal = std::fs::read_dir(&audit)
        .unwrap()
        .map(|entry| entry.unwrap().path());
    let journal = journal
        .into_iter()
        .find(|path| path.extension().is_some_and(|end| end == "jsonl"));
    let journal = journal.unwrap();
    let text = std::fs::read_to_string(&journal).unwrap();
    std::fs::write(&journal, text.replacen("granted", "granteD", 1)).unwrap();
    let tampered = place.line("audit verify last");
    assert_eq!(tampered.code, 1, "{tampered:?}");
    assert!(tampered.stdout.contains("tampered"), "{tampered:?}");
    assert_eq!(place.line("audit replay last").code, 2);
    // Half a line, as of a process that was killed: named, and no harm.
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    let half = format!("{}{}", lines[..6].concat(), &lines[6][..20]);
    std::fs::write(&journal, half).unwrap();
    let cut = place.line("audit verify last");
    assert_eq!(cut.code, 1, "the anchor says there was more: {cut:?}");
    // A key of somebody else.
    std::fs::write(&journal, &text).unwrap();
    assert_eq!(place.line("audit verify last").code, 0);
    let foreign = place.line(
        "audit verify last --public-key d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a",
    );
    assert_eq!(foreign.code, 1, "{foreign:?}");
    assert!(foreign.stdout.contains("foreign"), "{foreign:?}");
}

#[cfg(unix)]
#[test]
fn a_folder_that_cannot_be_written_lets_nothing_happen() {
    use std::os::unix::fs::PermissionsExt;
    let place = place();
    let folder = place.path(".");
    std::fs::set_permissions(&folder, std::fs::Permissions::from_mode(0o755)).unwrap();
    let run = std::process::Command::new("setpriv")
        .args(["--reuid", "65534", "--clear-groups"])
        .arg(env!("CARGO_BIN_EXE_symbi"))
        .args([
            "run",
            "deploy",
            "--input",
            INPUT,
            "--answers",
            "answers.jsonl",
        ])
        .current_dir(&folder)
        .output()
        .unwrap();
    assert_eq!(run.status.code(), Some(2), "{run:?}");
    let stderr = String::from_utf8(run.stderr).unwrap();
    assert!(stderr.contains("cannot be made"), "{stderr}");
    assert_eq!(run.stdout, b"");
}

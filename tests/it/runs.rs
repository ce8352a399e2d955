//! The examples, run to the results that are on record in their `runs/`.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use symbi_journal::{Journals, PublicKey, verify};

use crate::support::{Place, run};

/// A folder of `runs/`: an agent and what it is given.
struct Case {
    project: PathBuf,
    name: String,
}

impl Case {
    /// The agent: the name of the folder up to the first `-`.
    fn agent(&self) -> &str {
        self.name.split('-').next().unwrap_or_default()
    }

    fn folder(&self) -> PathBuf {
        self.project.join("runs").join(&self.name)
    }

    fn told(&self) -> String {
        format!("{} in {}", self.name, self.project.display())
    }
}

fn examples() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("examples")
}

fn folders(of: &Path) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(of) else {
        return Vec::new();
    };
    let entries = entries.map(|entry| entry.expect("an entry").path());
    let mut folders: Vec<PathBuf> = entries.filter(|path| path.is_dir()).collect();
    folders.sort();
    folders
}

fn name(path: &Path) -> String {
    path.file_name()
        .expect("a name")
        .to_string_lossy()
        .into_owned()
}

fn cases() -> Vec<Case> {
    let projects = folders(&examples());
    let cases = projects.iter().flat_map(|project| {
        folders(&project.join("runs")).into_iter().map(|run| Case {
            project: project.clone(),
            name: name(&run),
        })
    });
    cases.collect()
}

/// The files of a folder without what earlier runs left in it.
fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let path = entry.unwrap().path();
        let there = to.join(name(&path));
        if name(&path) == ".symbiont" {
            continue;
        }
        if path.is_dir() {
            copy(&path, &there);
        } else {
            fs::copy(&path, &there).unwrap();
        }
    }
}

/// The report of a run, and what it printed before.
fn report(place: &Place, case: &Case) -> Value {
    let mut command = place.command();
    command
        .args(["run", case.agent(), "--json", "--input"])
        .arg(format!("@runs/{}/input.json", case.name))
        .arg("--answers")
        .arg(format!("runs/{}/answers.jsonl", case.name));
    let run = run(&mut command);
    let line = run.stdout.lines().last().unwrap_or_default();
    let report: Value = serde_json::from_str(line)
        .unwrap_or_else(|error| panic!("{}: {error}: {run:?}", case.told()));
    let code = match report["outcome"].as_str() {
        Some("completed") => 0,
        _ => 1,
    };
    assert_eq!(run.code, code, "{}: {run:?}", case.told());
    report
}

/// What of a report is the same each time: `changes` names what is not, and
/// that is there all the same.
fn lasting(report: &Value, changes: &[String], case: &Case) -> Value {
    let mut value = report["value"].clone();
    for pointer in changes {
        let place = value.pointer_mut(pointer);
        let place = place.unwrap_or_else(|| panic!("{}: no {pointer}", case.told()));
        assert!(!place.is_null(), "{}: {pointer}", case.told());
        *place = Value::Null;
    }
    let mut lasting = json!({"outcome": report["outcome"], "value": value});
    if !report["error"].is_null() {
        let error = &report["error"];
        lasting["error"] = json!({"kind": error["kind"], "message": error["message"]});
    }
    if !changes.is_empty() {
        lasting["changes"] = json!(changes);
    }
    lasting["effects"] = report["usage"]["effects"].clone();
    lasting["denied"] = report["usage"]["denied"].clone();
    lasting
}

/// The texts of the secrets that a file of answers holds.
fn secrets(case: &Case) -> Vec<String> {
    let answers = fs::read_to_string(case.folder().join("answers.jsonl")).unwrap();
    let lines = answers
        .lines()
        .filter_map(|line| serde_json::from_str::<Value>(line).ok());
    let lines = lines.filter(|line| !line["secret"].is_null());
    lines
        .map(|line| line["value"].as_str().expect("a text").to_owned())
        .collect()
}

/// Each journal of a project is whole, signed and closed, and holds no secret.
/// Gives how many there are.
fn verified(place: &Place, case: &Case) -> usize {
    let project = place.path(".");
    let journals = Journals::in_project(&project);
    let key = PublicKey::of_project(&project).unwrap();
    let names = place.names(".symbiont/audit");
    let runs: Vec<&str> = names
        .iter()
        .filter_map(|name| name.strip_suffix(".jsonl"))
        .collect();
    for run in &runs {
        let verdict = verify(&journals, &run.parse().expect("a run"), key).unwrap();
        assert!(
            verdict.is_complete() && !verdict.needs_reconciliation(),
            "{}: {verdict:?}",
            case.told()
        );
        let journal = place.text(format!(".symbiont/audit/{run}.jsonl"));
        for secret in secrets(case) {
            assert!(!journal.contains(&secret), "{}: {secret}", case.told());
        }
    }
    runs.len()
}

/// The runs that a run starts: only the editor asks others.
fn delegations(case: &Case) -> usize {
    match case.name.as_str() {
        // A researcher, two drafts, two checks.
        "editor" => 5,
        _ => 0,
    }
}

#[test]
fn examples_run_to_their_results_and_do_so_again() {
    let schema = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/schemas/run-v1.schema.json");
    let schema = serde_json::from_str(&fs::read_to_string(schema).unwrap()).unwrap();
    let schema = jsonschema::validator_for(&schema).expect("a schema");
    let cases = cases();
    assert!(cases.len() >= 18, "{} runs", cases.len());
    for case in cases {
        let on_record = fs::read_to_string(case.folder().join("expected.json"));
        let on_record = on_record.unwrap_or_else(|error| panic!("{}: {error}", case.told()));
        let on_record: Value = serde_json::from_str(&on_record).expect("JSON");
        let changes = match &on_record["changes"] {
            Value::Null => Vec::new(),
            changes => serde_json::from_value(changes.clone()).expect("pointers"),
        };

        let place = Place::new();
        copy(&case.project, &place.path("."));
        for time in 1..=2 {
            let report = report(&place, &case);
            assert!(schema.is_valid(&report), "{}: {report}", case.told());
            let found = lasting(&report, &changes, &case);
            assert_eq!(found, on_record, "{}, time {time}", case.told());
            let journals = time * (1 + delegations(&case));
            assert_eq!(verified(&place, &case), journals, "{}", case.told());
        }
    }
}

/// The quick reference is there to be read: its agents do nothing.
#[test]
fn every_agent_with_a_body_has_a_run() {
    let mut without = BTreeMap::new();
    let mut bodies = 0;
    for project in folders(&examples()) {
        if name(&project) == "quick-reference" {
            continue;
        }
        let place = Place::new();
        copy(&project, &place.path("."));
        let shown = place.line("dsl --ir --json .");
        let program: Value = serde_json::from_str(&shown.stdout).expect("a program");
        let modules = program["modules"].as_array().expect("modules");
        let agents = modules
            .iter()
            .flat_map(|module| module["agents"].as_array().expect("agents"));
        let with_body =
            agents.filter(|agent| !agent["entry"]["code"]["frames"][0]["body"].is_null());
        let with_body: BTreeSet<String> = with_body
            .map(|agent| agent["entry"]["name"].as_str().expect("a name").to_owned())
            .collect();
        bodies += with_body.len();
        let runs = folders(&project.join("runs"));
        let run: BTreeSet<String> = runs
            .iter()
            .map(|run| name(run).split('-').next().unwrap_or_default().to_owned())
            .collect();
        let files = ["input.json", "answers.jsonl", "expected.json"];
        for run in &runs {
            for file in files {
                assert!(run.join(file).is_file(), "{} has no {file}", run.display());
            }
        }
        if with_body != run {
            without.insert(name(&project), (with_body, run));
        }
    }
    assert!(bodies >= 14, "{bodies} agents with a body");
    assert!(
        without.is_empty(),
        "agents with a body, and agents with runs: {without:?}"
    );
}

//! Retention.

use serde_json::json;
use symbi_journal::{Keys, Pruned, Retention, RunId, Time, Writer};

use crate::{Project, key, keys, quick};

fn days(about: &serde_json::Value) -> Option<u64> {
    about["days"].as_u64()
}

fn retention(now: &str) -> Retention<fn(&serde_json::Value) -> Option<u64>> {
    Retention {
        key: key(),
        now: Time::parse(now).unwrap(),
        days,
    }
}

/// Makes a journal that is kept for so many days, and closes it.
fn closed(project: &Project, name: &str, days: u32) {
    let about = json!({"days": days});
    let run: RunId = name.parse().unwrap();
    let writer = Writer::create(&project.journals, &run, keys(), &about, quick());
    writer.unwrap().close().unwrap();
}

/// The names of runs, and of those that are kept why.
fn told(pruned: &Pruned) -> (String, String) {
    let removed = pruned.removed.iter().map(RunId::as_str);
    let kept = pruned.kept.iter().map(|(run, _)| run.as_str());
    (
        removed.collect::<Vec<_>>().join(" "),
        kept.collect::<Vec<_>>().join(" "),
    )
}

fn left(project: &Project) -> String {
    let runs = project.journals.runs().unwrap();
    let names: Vec<&str> = runs.iter().map(RunId::as_str).collect();
    names.join(" ")
}

#[test]
fn old_closed_journals_go_and_no_others() {
    let project = Project::new();
    let begin = |name: &str, about| {
        let run: RunId = name.parse().unwrap();
        Writer::create(&project.journals, &run, keys(), &about, quick()).unwrap()
    };
    let days = |days: u32| json!({"days": days});
    begin("old", days(7)).close().unwrap();
    begin("kept-longer", days(9)).close().unwrap();
    begin("kept-for-ever", json!({})).close().unwrap();
    drop(begin("not-closed", days(7)));
    let mut unresolved = begin("unresolved", days(7));
    unresolved
        .append(&json!({"type": "effect_started", "id": "1"}))
        .unwrap();
    unresolved.close().unwrap();
    begin("tampered", days(7)).close().unwrap();
    let tampered = project.journals.journal(&"tampered".parse().unwrap());
    std::fs::write(tampered, "").unwrap();
    let foreign = Keys::from_bytes(&[8; 32]);
    let run = "foreign".parse().unwrap();
    Writer::create(&project.journals, &run, foreign, &days(7), quick())
        .unwrap()
        .close()
        .unwrap();

    let all = "foreign kept-for-ever kept-longer not-closed old tampered unresolved";
    let eight = retention("2027-01-09T00:00:00.000000Z");
    let expected = (
        "old".to_owned(),
        "foreign not-closed tampered unresolved".to_owned(),
    );
    assert_eq!(told(&eight.look(&project.journals).unwrap()), expected);
    assert_eq!(left(&project), all);
    assert_eq!(told(&eight.prune(&project.journals).unwrap()), expected);
    assert_eq!(left(&project), all.replace(" old", ""));
    // After exactly so many days it still stands.
    let nine = retention("2027-01-10T00:00:00.000000Z");
    assert_eq!(told(&nine.prune(&project.journals).unwrap()).0, "");
    let later = retention("2027-01-10T00:00:00.000001Z");
    assert_eq!(
        told(&later.prune(&project.journals).unwrap()).0,
        "kept-longer"
    );
}

#[test]
fn a_host_looks_once_a_day() {
    let project = Project::new();
    let daily = |now: &str| {
        let pruned = retention(now).prune_daily(&project.journals).unwrap();
        told(&pruned).0
    };
    // Nothing has run yet, and nothing is made.
    assert_eq!(daily("2027-01-20T12:00:00.000000Z"), "");
    assert!(!project.journals.folder().exists());

    closed(&project, "one", 7);
    assert_eq!(daily("2027-01-20T12:00:00.000000Z"), "one");
    closed(&project, "two", 7);
    assert_eq!(daily("2027-01-21T11:59:59.999999Z"), "");
    assert_eq!(daily("2027-01-21T12:00:00.000000Z"), "two");
    // A clock that had gone too far, and was put right.
    closed(&project, "three", 7);
    assert_eq!(daily("2027-01-21T11:00:00.000000Z"), "three");
}

#[test]
fn one_at_a_time_removes() {
    let project = Project::new();
    closed(&project, "old", 7);
    let now = retention("2027-01-20T12:00:00.000000Z");
    let marker = project.journals.folder().join("prune.json");
    let other = std::fs::File::create(&marker).unwrap();
    other.lock().unwrap();
    assert_eq!(
        now.prune(&project.journals).unwrap_err().to_string(),
        format!(
            "somebody else is removing journals, and has `{}`",
            marker.display()
        )
    );
    assert_eq!(
        told(&now.prune_daily(&project.journals).unwrap()),
        Default::default()
    );
    assert_eq!(left(&project), "old");
    other.unlock().unwrap();
    assert_eq!(told(&now.prune(&project.journals).unwrap()).0, "old");
}

#[test]
fn who_was_killed_while_removing_leaves_nothing_that_looks_tampered_with() {
    let project = Project::new();
    closed(&project, "old", 7);
    closed(&project, "other", 90);
    // Between the journal and its anchor.
    let marker = project.journals.folder().join("prune.json");
    std::fs::write(&marker, "{\"done\":null,\"removing\":\"old\"}\n").unwrap();
    std::fs::remove_file(project.journals.journal(&"old".parse().unwrap())).unwrap();
    assert_eq!(left(&project), "old other");
    let now = retention("2027-01-02T00:00:00.000000Z");
    assert_eq!(
        told(&now.prune(&project.journals).unwrap()),
        Default::default()
    );
    assert_eq!(left(&project), "other");
    assert_eq!(
        std::fs::read_to_string(&marker).unwrap(),
        "{\"done\":\"2027-01-02T00:00:00.000000Z\",\"removing\":null}\n"
    );
}

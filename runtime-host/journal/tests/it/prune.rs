//! Retention.

use serde_json::json;
use symbi_journal::{Keys, RunId, Time, Writer, prune};

use crate::{Project, key, keys, quick};

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

    let eight = Time::parse("2027-01-09T00:00:00.000000Z").unwrap();
    let of = |_: &RunId, about: &serde_json::Value| {
        about["days"]
            .as_u64()
            .and_then(|days| u32::try_from(days).ok())
    };
    let pruned = prune(&project.journals, key(), eight, of).unwrap();
    let names = |runs: Vec<&RunId>| {
        runs.into_iter()
            .map(RunId::as_str)
            .collect::<Vec<_>>()
            .join(" ")
    };
    assert_eq!(names(pruned.removed.iter().collect()), "old");
    assert_eq!(
        names(pruned.kept.iter().map(|(run, _)| run).collect()),
        "foreign not-closed tampered unresolved"
    );
    let left = project.journals.runs().unwrap();
    assert_eq!(
        names(left.iter().collect()),
        "foreign kept-for-ever kept-longer not-closed tampered unresolved"
    );
    // After exactly so many days it still stands.
    let nine = Time::parse("2027-01-10T00:00:00.000000Z").unwrap();
    assert_eq!(
        prune(&project.journals, key(), nine, of)
            .unwrap()
            .removed
            .len(),
        0
    );
}

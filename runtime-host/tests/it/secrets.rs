//! The text of a secret is in nothing that is written.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use serde_json::json;
use symbi_host::run::Outcome;
use symbi_host::run::answers::Answers;

use crate::support::{Said, World, host, run};

const PLANTED: [&str; 3] = [
    "PLANTED-alpha-93716",
    "PLANTED-beta-55102",
    "PLANTED-gamma-10448",
];

/// All that a run has written, file by file.
fn written(folder: &Path, found: &mut Vec<(String, Vec<u8>)>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        match path.is_dir() {
            true => written(&path, found),
            false => found.push((path.display().to_string(), fs::read(&path).unwrap())),
        }
    }
}

#[test]
fn no_secret_is_in_anything_that_is_written() {
    let source = r#"
agent a() -> Any {
    policy p { allow: [secret_read, act, leaky] }
    with timeout = 1m {
        let one = vault://team/one;
        let two = vault://team/two["token"];
        let header = "Bearer " + one;
        let kept = [];
        kept.push(to_string(one));
        kept.push(hmac_sha256("text", one));
        kept.push(verify_secret(one, "PLANTED-wrong"));
        try { kept.push("x" + format("{}", one)); } catch (secret_leak e) { kept.push(e.message); }
        try { kept.push(to_json({ a: header })); } catch (secret_leak e) { kept.push(e.message); }
        try { print(one); } catch (secret_leak e) { kept.push(e.message); }
        try { log("secret", two); } catch (secret_leak e) { kept.push(e.message); }
        try { act(one); } catch (secret_leak e) { kept.push(e.message); }
        try { act({ deep: [header] }); } catch (secret_leak e) { kept.push(e.message); }
        try { error("no " + one); } catch (e) { kept.push(e.kind); }
        try { if one == two { print("same"); } } catch (not_comparable e) { kept.push(e.message); }
        try { let m = {}; m[one] = 1; } catch (e) { kept.push(e.kind); }
        let later = x => [header, x];
        act(1);
        kept.push(later(2).length());
        kept.push(leaky(3));
        audit_log("kept", kept.length());
        return { one: one, header: header, two: two, kept: kept };
    }
}
"#;
    let answers = "{\"secret\": \"vault://team/one\", \"value\": \"PLANTED-alpha-93716\"}\n\
                   {\"secret\": \"vault://team/two\", \"value\": \"{\\\"token\\\":\\\"PLANTED-beta-55102\\\"}\"}\n\
                   {\"effect\": \"leaky\", \"result\": \"the world says PLANTED-alpha-93716 aloud\"}\n\
                   {\"secret\": \"vault://other\", \"value\": \"PLANTED-gamma-10448\"}\n";
    let answers = Arc::new(Answers::parse(answers).unwrap());
    let place = tempfile::tempdir().unwrap();
    let world = Arc::new(World::default());
    let said = Arc::new(Said::default());
    let host = host(place.path(), source, &[], &world, |setup| {
        setup.answers = answers.clone();
        setup.providers.insert(0, answers.clone());
        setup.console = said.clone();
        setup.snapshot_every = 1;
    });
    let report = run(&host, json!(null));
    assert_eq!(report.outcome, Outcome::Completed, "{report:?}");
    assert_eq!(report.value["one"], "***");
    assert_eq!(report.value["header"], "***");
    assert_eq!(world.asked(), ["act"]);
    let mut found = Vec::new();
    written(place.path(), &mut found);
    // The key, its public half, the journal, its anchor, states that a replay
    // needs.
    assert!(
        found.len() >= 5,
        "{:?}",
        found.iter().map(|(path, _)| path).collect::<Vec<_>>()
    );
    found.push((
        "said".to_owned(),
        said.lines.lock().unwrap().join("\n").into_bytes(),
    ));
    for (path, bytes) in &found {
        let text = String::from_utf8_lossy(bytes);
        for planted in PLANTED {
            // What the world has said itself is a text of the program, and is in
            // its states; journals leave it out.
            if path.ends_with(".state") && text.contains("the world says") {
                continue;
            }
            assert!(!text.contains(planted), "{planted} is in {path}");
        }
    }
}

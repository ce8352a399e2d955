//! The two forms of a program hold the same, and old ones are read.
//!
//! `tests/data/v1.json` and `v1.symbir` are one program, kept as the first
//! build of version 1 wrote it. They are never written again: a change that
//! does not read them needs another version.

use std::path::{Path, PathBuf};

use symbi_ir::{IR_VERSION, Program, binary, json};

fn data(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/data")
        .join(name)
}

/// The kept program as JSON.
pub fn kept() -> String {
    std::fs::read_to_string(data("v1.json")).expect("a kept program")
}

/// The kept program.
pub fn program() -> Program {
    json::read(&kept()).expect("a program")
}

#[test]
fn a_kept_program_of_each_version_is_read_and_written_again() {
    for version in 1..=IR_VERSION {
        let text = std::fs::read_to_string(data(&format!("v{version}.json"))).expect("JSON");
        let bytes = std::fs::read(data(&format!("v{version}.symbir"))).expect("bytes");
        let program = json::read(&text).expect("a program");
        assert_eq!(
            binary::read(&bytes),
            Ok(program.clone()),
            "version {version}"
        );
        assert_eq!(
            binary::write(&program).as_deref(),
            Ok(&*bytes),
            "version {version}"
        );
        assert_eq!(
            json::write(&program).as_deref(),
            Ok(&*text),
            "version {version}"
        );
    }
}

#[test]
fn the_identity_is_that_of_the_compact_form() {
    let program = program();
    let bytes = binary::write(&program).expect("bytes");
    let hash = binary::hash(&program).expect("a hash");
    assert_eq!(hash, symbi_ir::Sha256::of(&bytes));
    let mut other = program;
    other.effects.clear();
    assert_ne!(binary::hash(&other).expect("a hash"), hash);
}

#[test]
fn the_kept_program_has_something_of_everything() {
    let text = kept();
    for part in [
        "\"capabilities\": {",
        "\"ceiling\": {",
        "\"constraints\"",
        "\"declaration\": {",
        "\"refused\": [\n",
        "\"cron\": {",
        "\"at\": \"20",
        "\"hosts\": [",
        "\"filter\": {",
        "\"data_classification\": [",
        "\"secret\": \"vault://",
        "\"lambda\": 1",
        "\"captures\": [",
        "\"if_let\": {",
        "\"match\": {",
        "\"try\": {",
        "\"delegate\"",
        "\"tool\": \"",
        "\"external\": \"",
        "\"obligation\": [",
        "\"audit\": [",
        "\"waived\": [",
        "\"cedar\": [",
    ] {
        // What `constraints` deny are rules without a name.
        if part != "\"constraints\"" {
            assert!(text.contains(part), "no {part}");
        }
    }
}

#[test]
fn the_schema_is_the_one_on_record_and_holds_for_the_kept_program() {
    let schema = json::schema();
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/schemas/ir-v1.schema.json");
    let mut written = serde_json::to_string_pretty(&schema).expect("a text");
    written.push('\n');
    if std::env::var_os("UPDATE_SCHEMA").is_some() {
        std::fs::write(&path, &written).expect("the schema");
    }
    let on_record = std::fs::read_to_string(&path).expect("the schema");
    assert!(
        on_record == written,
        "UPDATE_SCHEMA=1 writes it; look at what changed"
    );

    let validator = jsonschema::validator_for(&schema).expect("a schema");
    let program: serde_json::Value = serde_json::from_str(&kept()).expect("JSON");
    let errors: Vec<String> = validator
        .iter_errors(&program)
        .map(|error| format!("{error} at {}", error.instance_path()))
        .collect();
    assert!(errors.is_empty(), "{errors:#?}");
    // It says something: what is not in it does not hold.
    for (place, value) in [
        ("/version", serde_json::json!("1")),
        ("/modules/0/agents/0/entry/name", serde_json::json!(1)),
        ("/modules/0/sha256", serde_json::json!("00")),
        ("/effects", serde_json::json!(null)),
    ] {
        let mut wrong = program.clone();
        *wrong.pointer_mut(place).expect(place) = value;
        assert!(!validator.is_valid(&wrong), "{place}");
    }
}

//! `docs/symbiont.schema.json`, which editors use, agrees with the reader.

use serde_json::{Map, Value as Json, json};

use crate::document::{Document, NodeId, Value};
use crate::{ProjectFile, Tier};

const SCHEMA: &str = include_str!("../../../docs/symbiont.schema.json");

/// Cases whose errors no schema can say, and why.
const BEYOND: [(&str, &str); 2] = [
    ("below_the_minimum", "which of two tiers is enough"),
    (
        "landlock_is_beside_the_ladder",
        "which of two tiers is enough",
    ),
];

fn validator() -> jsonschema::Validator {
    let schema: Json = serde_json::from_str(SCHEMA).unwrap();
    assert!(jsonschema::meta::is_valid(&schema));
    jsonschema::draft202012::new(&schema).unwrap()
}

/// A file as JSON, with times as texts.
fn json(document: &Document, node: NodeId) -> Json {
    match &document.get(node).value {
        Value::Text(text) => json!(text),
        Value::Integer(value) => json!(value),
        Value::Float(value) => json!(value),
        Value::Boolean(value) => json!(value),
        Value::Date => json!("2000-01-01"),
        Value::Broken => Json::Null,
        Value::List(elements) => elements.iter().map(|&id| json(document, id)).collect(),
        Value::Table(entries) => {
            let pairs = entries
                .iter()
                .map(|entry| (entry.key.clone(), json(document, entry.value)));
            Json::Object(pairs.collect::<Map<_, _>>())
        }
    }
}

/// Whether the reader and the schema accept a text.
fn verdicts(validator: &jsonschema::Validator, text: &str) -> (bool, bool) {
    let document = Document::parse(text);
    let valid = validator.is_valid(&json(&document, document.root()));
    (!ProjectFile::parse(text).has_errors(), valid)
}

#[test]
fn the_schema_and_the_reader_agree_on_every_case() {
    let validator = validator();
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/project");
    let mut seen = 0;
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let text = std::fs::read_to_string(&path).unwrap();
        let document = Document::parse(&text);
        let stem = path.file_stem().and_then(|stem| stem.to_str()).unwrap();
        if document.broken.is_some() || !document.duplicates.is_empty() {
            // There is no JSON of it.
            continue;
        }
        let (read, valid) = verdicts(&validator, &text);
        if BEYOND.iter().any(|(beyond, _)| *beyond == stem) {
            assert_eq!((read, valid), (false, true), "{stem}");
        } else {
            assert_eq!(read, valid, "{stem}");
        }
        seen += 1;
    }
    assert!(seen >= 12, "{seen}");
}

#[test]
fn the_schema_and_the_reader_agree_on_single_values() {
    let validator = validator();
    let waive = |element: &str| format!("[policy]\nwaive = [{element}]\n");
    let mut table: Vec<(String, bool)> = vec![
        ("[check]\nB0703 = \"off\"\n".into(), true),
        ("[check]\nb0703 = \"warning\"\n".into(), true),
        ("[check]\nB0703 = \"error\"\n".into(), false),
        ("[check]\nB0703 = false\n".into(), false),
        ("[check]\nB703 = \"off\"\n".into(), false),
        ("[check]\nhints = 1\n".into(), false),
        ("[check]\nhint = true\n".into(), false),
        ("[check]\nhints = false\n".into(), true),
        ("check = 1\n".into(), false),
        ("[[check]]\n".into(), false),
        ("[sandbox]\nminumum = \"gvisor\"\n".into(), false),
        ("[sandbox]\ntier = 1\n".into(), false),
        ("[sandbox]\ntier = \"\"\n".into(), false),
        ("[sandbox.docker]\nimage = \"x\"\n".into(), true),
        ("[sandbox.dockre]\nimage = \"x\"\n".into(), false),
        ("[policy]\nengine = \"cedar\"\n".into(), true),
        ("[policy]\nwaive = \"x\"\n".into(), false),
        (waive(""), true),
        (waive("{ code = \"B0703\", name = \"x\" }"), true),
        (waive("{ code = \"B0703\", name = \" \" }"), false),
        (waive("{ code = \"B0703\" }"), false),
        (waive("{ name = \"x\" }"), false),
        (waive("{ code = 1, name = \"x\" }"), false),
        (waive("{ code = \"B0703\", name = \"x\", y = 1 }"), false),
        (waive("\"B0703 x\""), false),
        ("minimum = \"gvisor\"\n".into(), false),
        ("colour = \"red\"\n[colours]\nred = 1\n".into(), true),
        ("[http]\nport = 1\n".into(), true),
    ];
    for (spelling, _) in Tier::SPELLINGS {
        for spelling in [spelling.to_owned(), spelling.to_uppercase()] {
            table.push((format!("[sandbox]\ntier = \"{spelling}\"\n"), true));
            table.push((format!("[sandbox]\nminimum = \"x{spelling}\"\n"), false));
        }
    }
    for (text, accepted) in table {
        let found = verdicts(&validator, &text);
        assert_eq!(found, (accepted, accepted), "{text}");
    }
}

#[test]
fn every_key_and_table_of_the_schema_is_one_of_the_reader() {
    let schema: Json = serde_json::from_str(SCHEMA).unwrap();
    let keys = |place: &str| -> Vec<String> {
        let properties = schema.pointer(place).and_then(Json::as_object).unwrap();
        properties.keys().cloned().collect()
    };
    for table in keys("/properties") {
        let parsed = ProjectFile::parse(&format!("[{table}]\n"));
        let outside = ["tier", "minimum", "waive", "hints"].contains(&&*table);
        assert_eq!(parsed.diagnostics.is_empty(), !outside, "{table}");
    }
    for table in ["check", "sandbox", "policy"] {
        for key in keys(&format!("/properties/{table}/properties")) {
            let parsed = ProjectFile::parse(&format!("[{table}]\n{key} = 5\n"));
            let unknown = parsed.diagnostics.iter().any(|d| d.code.id == "B0783");
            assert!(!unknown, "{table}.{key}");
        }
    }
}

//! The report for programs: what it holds, and that it keeps to its schema and
//! to its documentation.

use serde_json::{Value, json};
use symbi_diagnostics::render::JsonReport;
use symbi_diagnostics::render::json::{JsonAgent, JsonElsewhere, JsonFile, JsonReason, Tool, span};
use symbi_diagnostics::{Diagnostic, Edit, SourceFile, Span, routes, syntax};

const SCHEMA: &str = include_str!("../../../../docs/schemas/diagnostics-v1.schema.json");
const DOCUMENTATION: &str = include_str!("../../../../docs/json-format.md");

pub fn tool() -> Tool {
    Tool {
        name: "symbi".to_owned(),
        version: "0.1.0".to_owned(),
        edition: "2026".to_owned(),
    }
}

/// A file of each status and a diagnostic of each shape.
fn report() -> JsonReport {
    let mut report = JsonReport::new(tool());
    report.push(&SourceFile::new("agents/deploy.symbi", "x"), &[]);

    let text = "\u{FEFF}agent review {\r\n  let name = \"🦀é\"\r\n}\r\n";
    let semicolon = text.find("\r\n}").unwrap() as u32;
    let statement = text.find("let").unwrap() as u32;
    report.push(
        &SourceFile::new("agents/review.symbi", text),
        &[Diagnostic::new(
            &syntax::S0107,
            Span::at(semicolon),
            "expected `;` after this statement",
        )
        .label("the statement ends here")
        .note(Span::new(statement, semicolon), "this is the statement")
        .fix(
            "write `;`",
            vec![Edit {
                at: Span::at(semicolon),
                text: ";".to_owned(),
            }],
        )],
    );

    report.push(
        &SourceFile::new("agents/triage.symbi", "x = not y == z"),
        &[Diagnostic::new(
            &syntax::S0153,
            Span::new(4, 14),
            "`not` applies to `y` alone, not to the comparison",
        )
        .help("put what is meant into parentheses")
        .maybe_fix(
            "write `not (y == z)`",
            vec![
                Edit {
                    at: Span::at(8),
                    text: "(".to_owned(),
                },
                Edit {
                    at: Span::at(14),
                    text: ")".to_owned(),
                },
            ],
        )],
    );

    report.push_unreadable("agents/secret.symbi", "permission denied");

    let file = SourceFile::new("agents/routes.symbi", "agent a {}");
    let mut explained = JsonFile::checked(&file, &[]);
    explained.agents = Some(vec![JsonAgent {
        name: "a".to_owned(),
        admitted: vec!["run", "http"],
        reasons: vec![JsonReason {
            routes: vec!["managed"],
            code: routes::R1102.id,
            message: "`a` has no managed driver".to_owned(),
            span: span(&file, Span::new(6, 7)),
            waived_as: None,
            elsewhere: Some(JsonElsewhere {
                path: "agents/shared.symbi".to_owned(),
                span: span(&file, Span::new(0, 5)),
            }),
        }],
    }]);
    report.push_file(explained);
    report
}

fn document() -> Value {
    serde_json::from_str(&report().to_string_pretty()).unwrap()
}

/// The published schema.
fn schema() -> Value {
    serde_json::from_str(SCHEMA).unwrap()
}

/// The schema, and in it every object closed against fields that it does not
/// describe, so that nothing is printed that is not documented.
fn strict_schema() -> Value {
    fn close(value: &mut Value) {
        match value {
            Value::Object(object) => {
                if object.contains_key("required") {
                    object.insert("additionalProperties".to_owned(), json!(false));
                }
                object.values_mut().for_each(close);
            }
            Value::Array(array) => array.iter_mut().for_each(close),
            _ => {}
        }
    }
    let mut schema = schema();
    close(&mut schema);
    schema
}

/// What the schema has against the document.
fn complaints(schema: &Value, document: &Value) -> Vec<String> {
    let validator = jsonschema::draft202012::new(schema).unwrap();
    validator
        .iter_errors(document)
        .map(|error| format!("{}: {error}", error.instance_path()))
        .collect()
}

#[test]
fn the_document_is_this() {
    insta::assert_snapshot!(report().to_string_pretty());
}

#[test]
fn the_schema_is_a_schema() {
    assert!(jsonschema::meta::is_valid(&schema()));
    assert!(jsonschema::meta::is_valid(&strict_schema()));
}

#[test]
fn real_output_keeps_to_the_schema_and_has_nothing_undescribed() {
    let empty = JsonReport::new(tool()).to_string_pretty();
    for document in [document(), serde_json::from_str(&empty).unwrap()] {
        assert_eq!(complaints(&strict_schema(), &document), [""; 0]);
    }
}

#[test]
fn output_for_odd_texts_keeps_to_the_schema() {
    let mut report = JsonReport::new(tool());
    for text in ["", "\u{FEFF}", "\r\n", "é\r🦀", "\0\u{202E}\x1B"] {
        let file = SourceFile::new("odd\n\x1B\"\\.symbi", text);
        let spans = [(0, 0), (0, 99), (1, 2), (99, 3), (u32::MAX, u32::MAX)];
        let diagnostics = spans.map(|(start, end)| {
            let at = Span::new(start, end);
            Diagnostic::new(&syntax::S0102, at, format!("odd: {text}"))
                .note(at, "")
                .fix(
                    "delete it",
                    vec![Edit {
                        at,
                        text: String::new(),
                    }],
                )
        });
        report.push(&file, &diagnostics);
    }
    let document = serde_json::from_str(&report.to_string_pretty()).unwrap();
    assert_eq!(complaints(&strict_schema(), &document), [""; 0]);
    let document: Value = document;
    assert_eq!(document["files"][0]["path"], "odd\n\x1B\"\\.symbi");
}

#[test]
fn the_schema_refuses_what_is_wrong() {
    let wrong: &[(&str, Value)] = &[
        ("/version", json!(2)),
        ("/tool/name", json!("")),
        ("/summary/errors", json!(-1)),
        ("/summary/files", json!(1.5)),
        ("/files/0/status", json!("fine")),
        ("/files/0/status", json!("failed")),
        ("/files/0/error", json!("permission denied")),
        ("/files/1/status", json!("ok")),
        ("/files/1/errors", json!(0)),
        ("/files/1/diagnostics", json!([])),
        ("/files/3/error", json!(null)),
        ("/files/1/diagnostics/0/code", json!("S107")),
        ("/files/1/diagnostics/0/level", json!("fatal")),
        ("/files/1/diagnostics/0/message", json!(null)),
        ("/files/1/diagnostics/0/span/start/line", json!(0)),
        ("/files/1/diagnostics/0/span/start/column", json!(0)),
        ("/files/1/diagnostics/0/span/end", json!(7)),
        ("/files/1/diagnostics/0/notes/0/span", json!(null)),
        ("/files/1/diagnostics/0/fix/applicability", json!("maybe")),
        ("/files/1/diagnostics/0/fix/edits", json!([])),
        ("/files/1/diagnostics/0/fix", json!({})),
    ];
    for (pointer, value) in wrong {
        let mut document = document();
        *document.pointer_mut(pointer).unwrap() = value.clone();
        let complaints = complaints(&schema(), &document);
        assert!(!complaints.is_empty(), "{pointer} = {value}");
    }
}

#[test]
fn the_schema_allows_fields_of_later_releases() {
    let mut document = document();
    document["files"][1]["diagnostics"][0]["later"] = json!(1);
    assert_eq!(complaints(&schema(), &document), [""; 0]);
    assert_eq!(complaints(&strict_schema(), &document).len(), 1);
}

#[test]
fn counts_and_statuses_follow_from_the_diagnostics() {
    let document = document();
    let statuses: Vec<&Value> = (0..5).map(|n| &document["files"][n]["status"]).collect();
    assert_eq!(statuses, ["ok", "failed", "warnings", "unreadable", "ok"]);
    assert_eq!(
        document["summary"],
        json!({"files": 5, "errors": 1, "warnings": 1, "unreadable": 1})
    );
}

#[test]
fn edits_applied_at_their_offsets_give_the_mended_text() {
    let text = "x = not y == z";
    let document = document();
    let edits = &document["files"][2]["diagnostics"][0]["fix"]["edits"];
    let mut mended = text.to_owned();
    for edit in edits.as_array().unwrap().iter().rev() {
        let offset = |end: &str| edit["span"][end]["offset"].as_u64().unwrap() as usize;
        mended.replace_range(
            offset("start")..offset("end"),
            edit["text"].as_str().unwrap(),
        );
    }
    assert_eq!(mended, "x = not (y == z)");
}

#[test]
fn the_documentation_shows_real_output() {
    let example = DOCUMENTATION
        .split("```json\n")
        .nth(1)
        .and_then(|rest| rest.split("```").next())
        .expect("docs/json-format.md has an example");
    let mut report = report();
    report.files.swap(0, 1);
    report.files.truncate(1);
    let file = serde_json::to_value(&report.files[0]).unwrap();
    let shown: Value = serde_json::from_str(example).unwrap();
    assert_eq!(complaints(&strict_schema(), &shown), [""; 0]);
    assert_eq!(shown["files"][0], file);
}

#[test]
fn the_documentation_names_every_field() {
    fn names(value: &Value, out: &mut Vec<String>) {
        match value {
            Value::Object(object) => {
                for (name, value) in object {
                    out.push(name.clone());
                    names(value, out);
                }
            }
            Value::Array(array) => array.iter().for_each(|value| names(value, out)),
            _ => {}
        }
    }
    let mut fields = Vec::new();
    names(&document(), &mut fields);
    for field in fields {
        let named = format!("`{field}`");
        assert!(DOCUMENTATION.contains(&named), "{named} is not described");
    }
}

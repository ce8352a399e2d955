//! What JSON paths find.

use serde_json::{Value, json};
use symbi_mini::json_path::parse;

fn document() -> Value {
    json!({
        "action": "opened",
        "labels": [{ "name": "bug" }, { "name": "ui" }, "loose", null],
        "nested": { "a": { "b": 1 }, "c d": [[1, 2], [3]] },
        "größe": 3,
        "": "nameless"
    })
}

#[test]
fn paths_find_their_values_in_order() {
    let table = [
        ("$.action", json!(["opened"])),
        ("$.labels[*].name", json!(["bug", "ui"])),
        ("$.labels[-1]", json!([null])),
        ("$.labels[-4].name", json!(["bug"])),
        ("$.labels[-5]", json!([])),
        ("$.labels[4]", json!([])),
        ("$.nested['c d'][*][*]", json!([1, 2, 3])),
        ("$.nested['c d'].*[0]", json!([1, 3])),
        ("$.nested.*", json!([{ "b": 1 }, [[1, 2], [3]]])),
        ("$['größe']", json!([3])),
        ("$.größe", json!([3])),
        ("$['']", json!(["nameless"])),
        ("$.action.length", json!([])),
        ("$.action[0]", json!([])),
        ("$.labels.name", json!([])),
        ("$.missing[*].x", json!([])),
        ("$[0]", json!([])),
    ];
    let document = document();
    for (text, expected) in table {
        let path = parse(text).unwrap();
        let found: Vec<&Value> = path.select(&document).collect();
        assert_eq!(json!(found), expected, "{text}");
    }
    assert_eq!(
        parse("$").unwrap().select(&document).collect::<Vec<_>>(),
        [&document]
    );
}

#[test]
fn each_value_is_found_once_however_many_steps_take_all() {
    // A tree of depth 6 with 4 children each: all levels are visited once.
    let mut tree = json!(1);
    for _ in 0..6 {
        tree = json!([tree, tree, tree, tree]);
    }
    let all = parse(&format!("${}", "[*]".repeat(6))).unwrap();
    assert_eq!(all.select(&tree).count(), 4096);
    let deeper = parse(&format!("${}", ".*".repeat(20_000))).unwrap();
    assert_eq!(deeper.select(&tree).count(), 0);
}

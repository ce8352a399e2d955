//! Canonical bytes and fingerprints.

use serde_json::{Value, json};
use symbi_journal::{canonical, fingerprint};

fn text(value: &Value) -> String {
    String::from_utf8(canonical(value)).unwrap()
}

#[test]
fn canonical_bytes_are_sorted_and_without_spaces() {
    let table = [
        (
            r#" { "b" : [ 1 , 2 ] , "a" : { } } "#,
            r#"{"a":{},"b":[1,2]}"#,
        ),
        (r#"{"é":1,"z":2,"Z":3,"":4}"#, r#"{"":4,"Z":3,"z":2,"é":1}"#),
        (
            r#"["\u0041\n\u0001\/\u2028"]"#,
            "[\"A\\n\\u0001/\u{2028}\"]",
        ),
        (
            "[1.0, 1e3, 1E-7, -0.0, 18446744073709551615, 0.1]",
            "[1.0,1000.0,1e-7,-0.0,18446744073709551615,0.1]",
        ),
        ("null", "null"),
        ("[[],[[true,false]]]", "[[],[[true,false]]]"),
    ];
    for (given, expected) in table {
        let value: Value = serde_json::from_str(given).unwrap();
        assert_eq!(text(&value), expected);
        let again: Value = serde_json::from_str(expected).unwrap();
        assert_eq!(text(&again), expected);
    }
}

#[test]
fn numbers_come_back_as_they_were() {
    // These are read as their neighbours unless the reader is exact.
    for number in [
        0.1 + 0.2,
        1.7976931348623157e308,
        5e-324,
        6.02214076e23,
        0.27192403333333336,
    ] {
        let bytes = canonical(&json!(number));
        let read: Value = serde_json::from_slice(&bytes).unwrap();
        assert_eq!(
            read.as_f64().map(f64::to_bits),
            Some(f64::to_bits(number)),
            "{number}"
        );
    }
}

#[test]
fn a_fingerprint_is_the_hash_of_the_canonical_bytes() {
    // By `printf '{"a":1,"b":"x"}' | sha256sum`.
    let expected = "sha256:ecf9e98ec0641e23113ff3ce8bdc78d0ddd249886517fd4a7f68cc83d4e65667";
    let one = fingerprint(&json!({"b": "x", "a": 1}));
    assert_eq!(one, expected);
    assert_eq!(one, fingerprint(&json!({"a": 1, "b": "x"})));
    assert_ne!(one, fingerprint(&json!({"a": 1, "b": "y"})));
}

#[test]
fn depth_costs_no_stack() {
    std::thread::Builder::new()
        .stack_size(128 << 10)
        .spawn(|| {
            const DEEP: usize = 1_000_000;
            let mut value = json!("password");
            for level in 0..DEEP {
                value = match level % 2 {
                    0 => Value::Array(vec![value]),
                    _ => Value::Object(std::iter::once(("k".to_owned(), value)).collect()),
                };
            }
            assert_eq!(
                canonical(&value).len(),
                DEEP + DEEP / 2 * 5 + DEEP / 2 + 10 - DEEP / 2 + DEEP / 2
            );
            let rules = symbi_journal::redact::Rules::default();
            let redacted = symbi_journal::redact::redact(&value, &rules);
            assert!(text(&redacted.value).contains("$truncated"));
            // Taken apart by hand: dropping it grows the stack.
            let mut next = Some(value);
            while let Some(value) = next {
                next = match value {
                    Value::Array(items) => items.into_iter().next(),
                    Value::Object(map) => map.into_iter().next().map(|(_, value)| value),
                    _ => None,
                };
            }
        })
        .unwrap()
        .join()
        .unwrap();
}

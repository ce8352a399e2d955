//! The list of keys, what is read and what the documentation says are the same.

use symbi_project::manifest::keys::{ALL, Key, Kind, Table};
use symbi_project::{CustomTypes, Manifest};

const PAGE: &str = include_str!("../../../../docs/tools.md");

/// How the documentation calls what a key holds.
fn words(kind: Kind) -> String {
    let quoted = |words: &[&str]| {
        let words: Vec<String> = words.iter().map(|word| format!("`\"{word}\"`")).collect();
        words.join(", ")
    };
    match kind {
        Kind::Text => "text".to_owned(),
        Kind::Texts => "list of texts".to_owned(),
        Kind::Boolean => "`true` or `false`".to_owned(),
        Kind::Whole(least, most) if most >= u64::from(u32::MAX) => {
            format!("whole number from {least}")
        }
        Kind::Whole(least, most) => format!("whole number from {least} to {most}"),
        Kind::Integer => "whole number".to_owned(),
        Kind::Number => "number".to_owned(),
        Kind::Wholes(least, most) => format!("list of whole numbers from {least} to {most}"),
        Kind::Word(words) => quoted(words),
        Kind::Words(words) => format!("list of {}", quoted(words)),
        Kind::Scalar => "text, number, `true` or `false`".to_owned(),
        Kind::Table | Kind::Open => "table".to_owned(),
    }
}

/// A default is said in words, or is what could be written.
fn default(default: &str) -> String {
    let written = default.starts_with(|c: char| "\"[tf-0123456789".contains(c))
        && !default.starts_with("the ")
        && !default.ends_with("xx");
    match (default, written) {
        ("", _) => "|".to_owned(),
        (default, true) => format!("`{default}` |"),
        (default, false) => format!("{default} |"),
    }
}

/// The rows of the table below the heading of a section.
fn rows(table: &Table) -> Vec<&'static str> {
    let heading = PAGE
        .lines()
        .position(|line| line.starts_with('#') && line.contains(&format!("`[{}]`", table.header)))
        .unwrap_or_else(|| panic!("no heading for [{}]", table.header));
    PAGE.lines()
        .skip(heading)
        .skip_while(|line| !line.starts_with("| key |"))
        .skip(2)
        .take_while(|line| line.starts_with('|'))
        .collect()
}

#[test]
fn the_documentation_has_every_key_with_its_type_and_default() {
    for table in ALL {
        let expected: Vec<String> = table
            .keys
            .iter()
            .filter(|key| !matches!(key.kind, Kind::Table))
            .map(|key| {
                format!(
                    "| `{}` | {} | {}",
                    key.name,
                    words(key.kind),
                    default(key.default)
                )
            })
            .collect();
        let rows = rows(table);
        for (row, expected) in rows.iter().zip(&expected) {
            assert!(row.starts_with(expected.as_str()), "{row}\n{expected}");
        }
        assert_eq!(rows.len(), expected.len(), "[{}]", table.header);
    }
}

/// A value that a key never takes.
fn wrong(kind: Kind) -> &'static str {
    match kind {
        Kind::Boolean | Kind::Integer | Kind::Number | Kind::Whole(..) => "\"x\"",
        _ => "2020-01-01",
    }
}

/// The text of a manifest whose section has one key more, and what belongs to
/// it otherwise.
fn with_key(table: &Table, key: &Key, value: &str) -> String {
    let header = table.header.replace("NAME", "x");
    let ty = match key.name {
        "min_float" | "max_float" => "number",
        "min" | "max" | "clamp" => "integer",
        "schemes" | "scope_check" | "block_internal" => "url",
        "allowed" => "enum",
        _ => "string",
    };
    let base = match table.header {
        "args.NAME" if key.name != "type" => format!("type = \"{ty}\"\n"),
        "types.NAME" if key.name != "base" => format!("base = \"{ty}\"\n"),
        "command" if key.name != "exec" => "exec = [\"a\"]\n".to_owned(),
        _ => String::new(),
    };
    // Two of them say what is started, and the first is read.
    let base = match key.name {
        "template" | "executor" if table.header == "command" => String::new(),
        _ => base,
    };
    format!("[{header}]\n{base}{} = {value}\n", key.name)
}

#[test]
fn every_key_is_read_and_told_what_it_should_hold() {
    for table in ALL {
        for key in table.keys {
            let text = with_key(table, key, wrong(key.kind));
            let reports = match table.header {
                "types.NAME" => CustomTypes::parse(&text).diagnostics,
                _ => Manifest::parse(&text, "tools/x.clad.toml").diagnostics,
            };
            let whole = format!("{text}{reports:#?}");
            let told = reports.iter().filter(|report| report.code.id == "K0851");
            let told: Vec<&str> = told.map(|report| &*report.message).collect();
            assert_eq!(told.len(), 1, "{whole}");
            assert!(told[0].contains(&format!("`{}`", key.name)), "{whole}");
            assert!(
                reports.iter().all(|report| report.code.id != "K0862"),
                "{whole}"
            );
        }
    }
}

#[test]
fn what_a_report_offers_is_taken() {
    for table in ALL {
        for key in table.keys.iter().filter(|key| key.is_value()) {
            let text = with_key(table, key, key.example);
            let reports = match table.header {
                "types.NAME" => CustomTypes::parse(&text).diagnostics,
                _ => Manifest::parse(&text, "tools/x.clad.toml").diagnostics,
            };
            let refused = ["K0850", "K0851", "K0862", "K0863", "K0865"];
            let refused: Vec<&str> = reports
                .iter()
                .filter(|report| refused.contains(&report.code.id))
                .map(|report| &*report.message)
                .filter(|message| message.contains(&format!("`{}`", key.name)))
                .collect();
            assert_eq!(refused, [""; 0], "{text}");
        }
    }
}

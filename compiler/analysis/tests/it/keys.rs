//! The tables of keys on the page of the reference are those of the checker:
//! each row of the one is a row of the other, in the same order.

use symbi_analysis::blocks::{Needed, TABLES, Table, Value};

use crate::support::repository;

/// A row: key, type, default, meaning.
type Row = [String; 4];

/// The table below `<!-- keys: NAME -->`.
fn of_page<'p>(page: &'p str, name: &str) -> Vec<Vec<&'p str>> {
    let mark = format!("<!-- keys: {name} -->\n");
    let (_, after) = page
        .split_once(&mark)
        .unwrap_or_else(|| panic!("blocks.md has no table for `{name}`"));
    let rows = after.lines().take_while(|line| line.starts_with('|'));
    let cells = |line: &'p str| line.trim_matches('|').split('|').map(str::trim).collect();
    rows.skip(2).map(cells).collect()
}

/// A cell without its links.
fn plain(cell: &str) -> String {
    let mut out = String::new();
    let mut rest = cell;
    while let Some((before, after)) = rest.split_once('[')
        && let Some((text, after)) = after.split_once("](")
        && let Some((_, after)) = after.split_once(')')
    {
        out.push_str(before);
        out.push_str(text);
        rest = after;
    }
    out.push_str(rest);
    out
}

fn of_checker(table: &Table) -> Vec<Row> {
    let rows = table.keys.iter().map(|key| {
        let default = match key.needed {
            Needed::Always => "required",
            Needed::OnRoutes => "required on routes",
            Needed::Never => key.default.unwrap_or("–"),
        };
        [
            key.name.to_owned(),
            key.value.word().to_owned(),
            default.to_owned(),
            key.meaning.to_owned(),
        ]
    });
    rows.collect()
}

#[test]
fn the_reference_has_the_tables_of_the_checker() {
    let path = repository().join("grammar/reference/blocks.md");
    let page = std::fs::read_to_string(path).expect("blocks.md");
    for table in TABLES {
        let rows: Vec<Row> = of_page(&page, table.name)
            .into_iter()
            .map(|cells| {
                let [key, of_type, default, meaning, _checked] = *cells else {
                    panic!("{}: five cells a row: {cells:?}", table.name);
                };
                [
                    key.trim_matches('`').to_owned(),
                    plain(of_type),
                    default.replace(['`', '*'], ""),
                    plain(meaning),
                ]
            })
            .collect();
        assert_eq!(rows, of_checker(table), "{}", table.name);
    }
    let names: Vec<&str> = page
        .lines()
        .filter_map(|line| line.strip_prefix("<!-- keys: ")?.strip_suffix(" -->"))
        .collect();
    let tables: Vec<&str> = TABLES.iter().map(|table| table.name).collect();
    assert_eq!(names, tables);
}

#[test]
fn the_words_of_a_key_stand_in_its_meaning() {
    for table in TABLES {
        for key in table.keys {
            if matches!(
                key.value,
                Value::Words(_) | Value::Executor | Value::Network
            ) {
                for word in key.value.words() {
                    let told = key.meaning.contains(&format!("`{word}`"));
                    assert!(told, "{}: {}: {word}", table.name, key.name);
                }
            }
        }
    }
}

//! What the queries for trees take of one source, each capture with its place.
//! That of tags is in `tags`, of highlights in `highlights`.

use std::fmt::Write as _;

use crate::support::{captures, crate_folder, data, expect_file, parse_clean, place, query, short};

#[test]
fn captures_are_what_their_snapshots_say() {
    let text = data("desk.symbi");
    let tree = parse_clean("desk.symbi", &text);
    let mut problems = Vec::new();
    for name in ["folds", "indents", "injections", "locals", "textobjects"] {
        let mut listing = String::new();
        for capture in captures(&query(name), &tree, &text) {
            let (start, end) = (place(&text, capture.start), place(&text, capture.end()));
            let taken = short(capture.text(&text));
            let _ = writeln!(
                listing,
                "{start}-{end} @{}{}  {taken}",
                capture.name, capture.settings
            );
        }
        let path = crate_folder().join(format!("tests/snapshots/{name}.txt"));
        problems.extend(expect_file(&path, &listing).err());
    }
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

//! What is said of a change from one program to another:
//! `tests/privileges/*.md`, a page a topic.
//!
//! On a page each heading begins a case: a `symbi before` and a `symbi after`
//! fence, fences `toml before file=…` and `toml after file=…` for what stands
//! beside them, and a `text` fence with a line a change: `+` grew, `?` may have
//! grown, `-` was lost. `UPDATE_PRIVILEGES=1` writes what is found into the
//! pages: read it line by line before it is kept.

use std::fmt::Write;
use std::path::Path;

use symbi_ir::privileges::{Privileges, compare};

use crate::lowering::program;
use crate::support::Given;

fn said(privileges: &Privileges) -> String {
    let mut text = String::new();
    for change in &privileges.grown {
        let mark = if change.certain { '+' } else { '?' };
        let _ = writeln!(text, "{mark} {}", change.words);
    }
    for change in &privileges.lost {
        let _ = writeln!(text, "- {}", change.words);
    }
    match text.is_empty() {
        true => "nothing\n".to_owned(),
        false => text,
    }
}

#[test]
fn changes_are_told_as_the_pages_say() {
    let update = std::env::var_os("UPDATE_PRIVILEGES").is_some();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/privileges");
    let (mut count, mut wrong) = (0, String::new());
    for entry in std::fs::read_dir(folder).expect("the pages") {
        let path = entry.expect("an entry").path();
        let page = std::fs::read_to_string(&path).expect("a page");
        let mut written = page.split("\n## ").next().unwrap_or_default().to_owned();
        for part in page.split("\n## ").skip(1) {
            count += 1;
            let (heading, rest) = part.split_once('\n').expect("a heading");
            let (mut before, mut after) = (Vec::new(), Vec::new());
            for fence in rest.split("\n```").skip(1).step_by(2) {
                let (info, text) = fence.split_once('\n').expect("a fence");
                let mut words = info.split_whitespace();
                if words.next() == Some("text") {
                    continue;
                }
                let side = info.split_whitespace().nth(1);
                let file = words.find_map(|word| word.strip_prefix("file="));
                let given = Given {
                    path: file.unwrap_or("main.symbi").to_owned(),
                    text: format!("{text}\n"),
                };
                match side {
                    Some("before") => before.push(given),
                    Some("after") => after.push(given),
                    _ => {
                        before.push(given.clone());
                        after.push(given);
                    }
                }
            }
            let (old, new) = (program(&before), program(&after));
            assert_eq!(compare(&old, &old), Privileges::default(), "{heading}");
            assert_eq!(compare(&new, &new), Privileges::default(), "{heading}");
            let found = said(&compare(&old, &new));
            let (text, fence) = rest.split_once("\n```text\n").expect("what is expected");
            let (expected, _) = fence.split_once("\n```").expect("its end");
            if expected.trim_end() != found.trim_end() {
                let _ = writeln!(wrong, "{}: {heading}\n{found}", path.display());
            }
            let _ = write!(
                written,
                "\n## {heading}\n{text}\n```text\n{}\n```\n",
                found.trim_end()
            );
        }
        if update {
            std::fs::write(&path, written).expect("the page");
        }
    }
    assert!(update || wrong.is_empty(), "{wrong}");
    assert!(count >= 30, "{count} cases");
}

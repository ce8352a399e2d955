//! The registry of codes and their pages.

use std::path::Path;

use symbi_diagnostics::{all, find};

#[test]
fn codes_are_unique_ascending_and_well_formed() {
    let ids: Vec<&str> = all().map(|code| code.id).collect();
    assert!(!ids.is_empty());
    for pair in ids.windows(2) {
        assert!(pair[0] < pair[1], "{} stands before {}", pair[0], pair[1]);
    }
    for id in ids {
        let (family, number) = id.split_at(1);
        let formed = family.chars().all(|c| c.is_ascii_uppercase())
            && number.len() == 4
            && number.chars().all(|c| c.is_ascii_digit());
        assert!(formed, "{id}");
    }
}

#[test]
fn a_code_is_found_by_its_id_in_either_case() {
    for code in all() {
        assert_eq!(find(code.id), Some(code));
        assert_eq!(find(&code.id.to_lowercase()), Some(code));
    }
    for id in ["", "S", "S01", "S0107 ", "S01070", "Z9999"] {
        assert_eq!(find(id), None, "{id:?}");
    }
}

#[test]
fn titles_are_a_few_words_without_a_full_stop() {
    for code in all() {
        let title = code.title;
        assert!(
            !title.is_empty() && title.len() <= 72,
            "{}: {title}",
            code.id
        );
        assert_eq!(title, title.trim(), "{}", code.id);
        assert!(
            !title.ends_with('.') && !title.contains('\n'),
            "{}",
            code.id
        );
    }
}

/// The fenced blocks of a page: what stands after the fence, and the text.
fn blocks(page: &str) -> Vec<(&str, String)> {
    let mut blocks: Vec<(&str, String)> = Vec::new();
    let mut open = false;
    for line in page.lines() {
        match line.strip_prefix("```") {
            Some(_) if open => open = false,
            Some(info) => {
                open = true;
                blocks.push((info.trim(), String::new()));
            }
            None if open => {
                if let Some((_, text)) = blocks.last_mut() {
                    text.push_str(line);
                    text.push('\n');
                }
            }
            None => {}
        }
    }
    assert!(!open, "a block is not closed");
    blocks
}

/// Codes whose failing example is too long, or no text at all.
const GENERATED: &[&str] = &["S0101", "S0114", "S0115", "S0116"];

/// Codes that no source is known to give: they report faults of ours.
const WITHOUT_EXAMPLE: &[&str] = &["F1002"];

/// What is wrong with a page.
fn complaints(id: &str, title: &str, page: &str) -> Vec<String> {
    let mut complaints = Vec::new();
    let heading = format!("# {id}: {title}");
    if page.lines().next() != Some(&heading) {
        complaints.push(format!("{id}: the page does not begin with `{heading}`"));
    }
    let blocks = blocks(page);
    let filled = |info: &str| {
        blocks
            .iter()
            .any(|(i, text)| *i == info && !text.trim().is_empty())
    };
    // What no page can hold whole is made by the test of the parser's crate
    // from the shortened example.
    let generated = GENERATED.contains(&id) && filled("symbi generated");
    let none = WITHOUT_EXAMPLE.contains(&id) && !page.contains("symbi fails");
    // A file of a project has its name behind the word, and need not be source.
    let named = |first: &str| {
        ["symbi", "toml", "cedar", "bundle"].iter().any(|language| {
            let info = format!("{language}{first}");
            filled(&info)
                || blocks.iter().any(|(i, text)| {
                    i.strip_prefix(&*info).is_some_and(|rest| {
                        [" file=", " route="]
                            .iter()
                            .any(|word| rest.starts_with(word))
                    }) && !text.trim().is_empty()
                })
        })
    };
    if !named(" fails") && !generated && !none {
        complaints.push(format!("{id}: no block ```symbi fails"));
    }
    if !named("") {
        complaints.push(format!("{id}: no block ```symbi"));
    }
    if !page.ends_with('\n') || page.contains('\r') {
        complaints.push(format!("{id}: lines end with a line feed alone"));
    }
    complaints
}

#[test]
fn every_code_has_a_page_with_a_failing_and_a_fixed_example() {
    let complaints: Vec<String> = all()
        .flat_map(|code| complaints(code.id, code.title, code.page))
        .collect();
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
}

#[test]
fn a_bad_page_is_noticed() {
    let good = "# S0107: t\n\n```symbi fails\na\n```\n\n```symbi\na;\n```\n";
    assert_eq!(complaints("S0107", "t", good), [""; 0]);
    for (from, to) in [
        ("S0107", "S0108"),
        (": t", ": another"),
        ("symbi fails", "symbi"),
        ("symbi\n", "text\n"),
        ("a;\n", ""),
        ("\n\n", "\r\n\r\n"),
    ] {
        let bad = good.replace(from, to);
        assert_ne!(bad, good);
        assert_eq!(complaints("S0107", "t", &bad).len(), 1, "{bad}");
    }
}

#[test]
fn every_page_belongs_to_a_code() {
    let pages = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs");
    for entry in pages.read_dir().unwrap() {
        let path = entry.unwrap().path();
        let id = path.file_stem().and_then(|stem| stem.to_str()).unwrap();
        assert!(find(id).is_some(), "{} belongs to no code", path.display());
        assert_eq!(path.extension().and_then(|e| e.to_str()), Some("md"));
    }
}

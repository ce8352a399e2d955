//! The pages of the language reference: `grammar/reference.md` and those in
//! `grammar/reference/`. What a block on them says of itself is what happens.
//!
//! The fence of a block of source holds its verdict:
//!
//! - `symbi ok`: nothing is reported;
//! - `symbi warning S0161`: these warnings and nothing else, in this order;
//! - `symbi error S0107 S0161`: the same, with at least one error.
//!
//! and, behind it, two words if need be:
//!
//! - `in=agent`: what of a file the block shows, see [`CONTEXTS`] and [`LINES`];
//! - `later=B`: families that have no code yet and that the block is about.
//!
//! Readers do not see the fence, so the first lines of the block repeat it:
//! `// error S0107 S0161`, `// later B`. Beside `symbi` there are blocks of
//! [`OTHER`] languages.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use symbi_diagnostics::{all, find};
use symbi_syntax::format::format_text;
use symbi_syntax::{File, SyntaxKind};

use crate::support::{check_text, repository};

/// What is put before and behind a block that is no whole file.
const CONTEXTS: &[(&str, &str, &str)] = &[
    ("agent", "agent example {\n", "}\n"),
    ("body", "function example() {\n", "}\n"),
    ("policy", "agent example {\npolicy example {\n", "}\n}\n"),
    ("metadata", "metadata {\n", "}\n"),
    ("with", "agent example {\nwith {\n", "}\n}\n"),
    ("schedule", "schedule example {\n", "}\n"),
    ("channel", "channel example {\n", "}\n"),
    ("webhook", "webhook example {\n", "}\n"),
    ("memory", "memory example {\n", "}\n"),
    (
        "expression",
        "function example() {\nlet example =\n",
        ";\n}\n",
    ),
    ("arms", "function example() {\nmatch example {\n", "}\n}\n"),
];

/// The same for blocks that show one thing a line: what is put before the
/// block, before each line, behind each line, and behind the block. `{n}` is
/// the number of the line.
const LINES: &[(&str, [&str; 4])] = &[
    (
        "expressions",
        ["function example() {\n", "let example =\n", ";\n", "}\n"],
    ),
    (
        "patterns",
        [
            "function example(given: Any) {\n",
            "match given {\n",
            "=> {},\n}\n",
            "}\n",
        ],
    ),
    ("types", ["", "type Example{n} =\n", "", ""]),
];

/// Other languages that a block may be in.
const OTHER: &[&str] = &["text", "console", "ebnf"];

/// Codes whose smallest example is too large for a page or not text.
const NOT_SHOWN: &[&str] = &["S0101", "S0114", "S0115", "S0116"];

/// The blocks of the language whose keys the reference lists.
const KEYED: &[&str] = &[
    "metadata", "executor", "with", "schedule", "channel", "webhook", "filter", "memory", "search",
];

/// Families that are not checked yet: what is reported of them is not
/// compared.
const LATER: &[char] = &['I'];

/// The codes of all reports about a text, in order, hints and [`LATER`] left
/// out. Most blocks show a part of a program: that a name or a type in them is
/// declared nowhere ([`UNDECLARED`]) counts only where the block says so.
fn codes(source: &str, told: &[&str]) -> Vec<&'static str> {
    check_text(source)
        .iter()
        .filter(|report| !report.is_hint())
        .map(|report| report.code.id)
        .filter(|id| !id.starts_with(LATER) || told.contains(id))
        .filter(|id| !UNDECLARED.contains(id) || told.contains(id))
        .collect()
}

/// Reports of names and types that are declared nowhere.
const UNDECLARED: &[&str] = &[
    "N0202", "N0203", "T0320", "T0330", "K0801", "P0410", "P0421", "P0450", "P0451", "P0452",
];

struct Page {
    path: PathBuf,
    text: String,
}

impl Page {
    /// `reference/policies.md:12`.
    fn at(&self, line: usize) -> String {
        let folder = repository().join("grammar");
        let inside = self.path.strip_prefix(folder).unwrap_or(&self.path);
        format!("{}:{line}", inside.display())
    }
}

fn pages() -> Vec<Page> {
    let grammar = repository().join("grammar");
    let mut paths: Vec<_> = std::fs::read_dir(grammar.join("reference"))
        .expect("the pages of the reference")
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "md"))
        .collect();
    paths.sort();
    paths.insert(0, grammar.join("reference.md"));
    paths
        .into_iter()
        .map(|path| Page {
            text: std::fs::read_to_string(&path).expect("a readable page"),
            path,
        })
        .collect()
}

struct Block<'p> {
    line: usize,
    info: &'p str,
    text: String,
}

/// The blocks of a page, and the lines outside of them with their numbers. A
/// block that never ends, or a fence that is no plain one, is a complaint.
struct Parts<'p> {
    blocks: Vec<Block<'p>>,
    prose: Vec<(usize, &'p str)>,
    complaints: Vec<String>,
}

fn parts(page: &Page) -> Parts<'_> {
    let mut parts = Parts {
        blocks: Vec::new(),
        prose: Vec::new(),
        complaints: Vec::new(),
    };
    let mut open = false;
    for (number, line) in (1..).zip(page.text.lines()) {
        if let Some(info) = line.strip_prefix("```") {
            if open && !info.is_empty() {
                let at = page.at(number);
                parts.complaints.push(format!("{at}: a fence in a block"));
            }
            open = !open;
            if open {
                parts.blocks.push(Block {
                    line: number,
                    info,
                    text: String::new(),
                });
            }
        } else if open && let Some(block) = parts.blocks.last_mut() {
            block.text.push_str(line);
            block.text.push('\n');
        } else {
            if line.trim_start().starts_with("```") || line.trim_start().starts_with("~~~") {
                let at = page.at(number);
                parts.complaints.push(format!("{at}: a fence out of place"));
            }
            parts.prose.push((number, line));
        }
    }
    if open {
        let at = page.at(page.text.lines().count());
        parts.complaints.push(format!("{at}: a block without end"));
    }
    parts
}

/// What a block of source says of itself.
#[derive(Debug, Default, PartialEq)]
struct Verdict<'p> {
    level: &'p str,
    codes: Vec<&'p str>,
    context: Option<&'p str>,
    later: Option<&'p str>,
}

impl Verdict<'_> {
    /// The comments with which the block tells it to its readers.
    fn head(&self) -> Vec<String> {
        let codes =
            (!self.codes.is_empty()).then(|| format!("// {} {}", self.level, self.codes.join(" ")));
        let later = self.later.map(|later| format!("// later {later}"));
        codes.into_iter().chain(later).collect()
    }
}

fn verdict(info: &str) -> Result<Verdict<'_>, String> {
    let mut words = info.split(' ').skip(1);
    let level = words.next().unwrap_or("");
    let mut verdict = Verdict {
        level,
        ..Verdict::default()
    };
    for word in words {
        match word.split_once('=') {
            None if verdict.context.is_none() && verdict.later.is_none() => {
                verdict.codes.push(word);
            }
            Some(("in", context)) if verdict.context.is_none() => verdict.context = Some(context),
            Some(("later", later)) if verdict.later.is_none() => verdict.later = Some(later),
            _ => return Err(format!("`{word}` is out of place")),
        }
    }
    let mut levels = Vec::new();
    for id in &verdict.codes {
        let code = find(id).ok_or_else(|| format!("`{id}` is no code"))?;
        levels.push(code.level.word());
    }
    let right = match level {
        "ok" => levels.is_empty(),
        "warning" => !levels.is_empty() && !levels.contains(&"error"),
        "error" => levels.contains(&"error"),
        _ => false,
    };
    if !right {
        return Err(format!("its level is not `{level}`"));
    }
    let with_codes: BTreeSet<_> = all()
        .map(|code| &code.id[..1])
        .filter(|family| !family.starts_with(LATER))
        .collect();
    for family in verdict.later.unwrap_or("").split(',') {
        if with_codes.contains(family) {
            return Err(format!("codes of the family {family} exist: show them"));
        }
        if verdict.later.is_some() && !["N", "T", "P", "C", "X", "B", "K", "R"].contains(&family) {
            return Err(format!("`{family}` is no family"));
        }
    }
    Ok(verdict)
}

/// The file that a block stands for.
fn whole(text: &str, context: Option<&str>) -> Result<String, String> {
    let Some(context) = context else {
        return Ok(text.to_owned());
    };
    if let Some((_, before, after)) = CONTEXTS.iter().find(|(name, ..)| *name == context) {
        return Ok(format!("{before}{text}{after}"));
    }
    let (_, [first, before, after, last]) = LINES
        .iter()
        .find(|(name, _)| *name == context)
        .ok_or_else(|| format!("`{context}` is no context"))?;
    let mut whole = (*first).to_owned();
    let lines = text.lines().filter(|line| !line.starts_with("//"));
    let lines = lines.filter(|line| !line.trim().is_empty());
    for (number, line) in lines.enumerate() {
        let before = before.replace("{n}", &number.to_string());
        whole.push_str(&format!("{before}{line}\n{after}"));
    }
    whole.push_str(last);
    Ok(whole)
}

/// What is wrong with a block, if anything is.
fn complaint(block: &Block<'_>) -> Option<String> {
    if OTHER.contains(&block.info) {
        return None;
    }
    if block.info.split(' ').next() != Some("symbi") {
        return Some(format!("the fence `{}` is not known", block.info));
    }
    let verdict = match verdict(block.info) {
        Ok(verdict) => verdict,
        Err(complaint) => return Some(complaint),
    };
    let head = verdict.head();
    let comments = block.text.lines().take_while(|l| l.starts_with("// "));
    let told = comments.filter(|l| {
        ["// error ", "// warning ", "// later "]
            .iter()
            .any(|w| l.starts_with(w))
    });
    if told.collect::<Vec<_>>() != head {
        return Some(format!("does not begin with {head:?}"));
    }
    let source = match whole(&block.text, verdict.context) {
        Ok(source) => source,
        Err(complaint) => return Some(complaint),
    };
    let found = codes(&source, &verdict.codes);
    if found != verdict.codes {
        let messages: Vec<_> = check_text(&source)
            .iter()
            .map(|diagnostic| format!("{} {}", diagnostic.code.id, diagnostic.message))
            .collect();
        return Some(format!("expected {:?}, found {messages:#?}", verdict.codes));
    }
    let errors = found
        .iter()
        .any(|id| find(id).is_some_and(|code| code.level.word() == "error"));
    if errors {
        return None;
    }
    match format_text(&source) {
        Err(error) => Some(format!("is not formatted: {error}")),
        Ok(formatted) if codes(&formatted, &verdict.codes) != verdict.codes => Some(format!(
            "is formatted to what gives {:?}:\n{formatted}",
            codes(&formatted, &verdict.codes)
        )),
        Ok(_) => None,
    }
}

/// What is wrong with the blocks of a page.
fn complaints(page: &Page) -> Vec<String> {
    let parts = parts(page);
    let of_blocks = parts.blocks.iter().filter_map(|block| {
        let complaint = complaint(block)?;
        Some(format!(
            "{}: {complaint}\n{}",
            page.at(block.line),
            block.text
        ))
    });
    parts.complaints.iter().cloned().chain(of_blocks).collect()
}

#[test]
fn every_block_has_its_verdict_and_keeps_it_when_formatted() {
    let pages = pages();
    let wrong: Vec<String> = pages.iter().flat_map(complaints).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));

    let blocks = pages.iter().map(|page| {
        let blocks = parts(page).blocks;
        blocks
            .iter()
            .filter(|b| b.info.starts_with("symbi"))
            .count()
    });
    let count: usize = blocks.sum();
    assert!(count > 100, "{count} blocks");
}

#[test]
fn a_bad_block_is_noticed() {
    let page = |text: &str| {
        complaints(&Page {
            path: Path::new("page.md").to_owned(),
            text: text.to_owned(),
        })
    };
    let block = |info: &str, text: &str| format!("```{info}\n{text}\n```\n");
    for (info, text) in [
        ("symbi ok", "agent a {}"),
        ("symbi warning S0161 in=body", "// warning S0161\n;"),
        (
            "symbi error S0161 S0107 in=body",
            "// error S0161 S0107\nf();;\nlet a = 1",
        ),
        ("symbi ok in=expressions", "// Two.\n1 // one\n\n2"),
        ("symbi ok in=types", "int\nArray<int>"),
        ("symbi ok in=patterns", "1\n_"),
        ("text", "agent"),
    ] {
        assert_eq!(page(&block(info, text)), [""; 0], "{info}\n{text}");
    }
    for (info, text, complaint) in [
        ("symbi", "agent a {}", "level"),
        ("symbi fine", "agent a {}", "level"),
        ("", "agent a {}", "not known"),
        ("rust", "agent a {}", "not known"),
        ("symbi error", "agent a {}", "level"),
        ("symbi ok S0161 in=body", ";", "level"),
        ("symbi error S0161 in=body", "// error S0161\n;", "level"),
        (
            "symbi warning S0107 in=body",
            "// warning S0107\n1 2",
            "level",
        ),
        (
            "symbi warning S9999 in=body",
            "// warning S9999\n;",
            "no code",
        ),
        (
            "symbi error S0108 in=body",
            "// error S0108\nlet a = 1",
            "expected",
        ),
        (
            "symbi error S0107 S0161 in=body",
            "// error S0107 S0161\nf();;\nlet a = 1",
            "expected",
        ),
        (
            "symbi error S0107 in=body",
            "// error S0107\nlet a = 1\nlet b = 2",
            "expected",
        ),
        ("symbi ok in=body", "let a = 1", "expected"),
        ("symbi ok in=nowhere", "agent a {}", "no context"),
        ("symbi ok in=body in=body", "1", "out of place"),
        (
            "symbi warning in=body S0161",
            "// warning S0161\n;",
            "out of place",
        ),
        ("symbi ok later=S", "// later S\nagent a {}", "exist"),
        ("symbi ok later=Q", "// later Q\nagent a {}", "no family"),
        ("symbi ok later=", "// later \nagent a {}", "no family"),
        // What readers see is another verdict, or none.
        ("symbi error S0107 in=body", "let a = 1", "begin"),
        (
            "symbi error S0107 in=body",
            "// error S0108\nlet a = 1",
            "begin",
        ),
    ] {
        let found = page(&block(info, text));
        assert_eq!(found.len(), 1, "{info}\n{text}");
        assert!(found[0].contains(complaint), "{}", found[0]);
    }
    for (text, complaint) in [
        ("```symbi ok\nagent a {}\n", "without end"),
        ("```symbi ok\n```text\n```\n", "a fence in a block"),
        (" ```symbi ok\n", "out of place"),
        ("~~~\n", "out of place"),
    ] {
        let found = page(text).join("\n");
        assert!(found.contains(complaint), "{text}: {found}");
    }
}

#[test]
fn every_code_that_fits_on_a_page_is_shown() {
    let pages = pages();
    let mut shown = BTreeSet::new();
    for page in &pages {
        for block in parts(page).blocks {
            let words = block.info.split(' ');
            shown.extend(words.filter(|word| find(word).is_some()).map(str::to_owned));
        }
    }
    let missing: Vec<_> = all()
        .map(|code| code.id)
        .filter(|id| id.starts_with('S') && !NOT_SHOWN.contains(id) && !shown.contains(*id))
        .collect();
    assert_eq!(missing, [""; 0]);
}

/// The cells of the rows of the tables that follow a comment `<!-- what -->`,
/// without their heads.
fn tables<'p>(prose: &[(usize, &'p str)], what: &str) -> Vec<(usize, Vec<&'p str>)> {
    let mut rows = Vec::new();
    let mut inside = false;
    let mut heads = 0;
    for &(number, line) in prose {
        if line == format!("<!-- {what} -->") {
            (inside, heads) = (true, 2);
        } else if inside && let Some(row) = line.strip_prefix("| ").or(line.strip_prefix('|')) {
            if heads > 0 {
                heads -= 1;
            } else {
                let row = row.trim_end_matches(" |");
                rows.push((number, row.split(" | ").collect()));
            }
        } else if heads < 2 {
            inside = false;
        }
    }
    rows
}

#[test]
fn the_table_of_codes_is_the_registry() {
    let mut listed = Vec::new();
    for page in &pages() {
        for (line, cells) in tables(&parts(page).prose, "codes") {
            let [code, level, title] = cells[..] else {
                panic!("{}: {cells:?}", page.at(line));
            };
            listed.push((code.to_owned(), level.to_owned(), title.to_owned()));
        }
    }
    let known: Vec<_> = all()
        .map(|code| {
            let page = format!("../../compiler/diagnostics/docs/{}.md", code.id);
            let link = format!("[{}]({page})", code.id);
            (link, code.level.word().to_owned(), code.title.to_owned())
        })
        .collect();
    listed.sort();
    assert_eq!(listed, known);
}

#[test]
fn the_tables_of_keys_have_one_row_a_key() {
    for block in KEYED {
        let mut keys = Vec::new();
        for page in &pages() {
            for (line, cells) in tables(&parts(page).prose, &format!("keys: {block}")) {
                assert_eq!(cells.len(), 5, "{}: {cells:?}", page.at(line));
                let key = cells[0].strip_prefix('`').and_then(|k| k.strip_suffix('`'));
                let key = key.unwrap_or_else(|| panic!("{}: {}", page.at(line), cells[0]));
                assert!(
                    key.bytes().all(|b| b.is_ascii_lowercase() || b == b'_'),
                    "{}: {key}",
                    page.at(line)
                );
                keys.push(key.to_owned());
            }
        }
        let once: BTreeSet<_> = keys.iter().collect();
        assert!(keys.len() >= 2, "{block}: {keys:?}");
        assert_eq!(once.len(), keys.len(), "{block}: a key twice in {keys:?}");
    }
}

/// The parser knows the attributes of `with`: they tell attributes from a body.
#[test]
fn the_attributes_of_with_are_those_that_the_parser_knows() {
    let attributes = |key: &str| {
        let file = File::parse(format!("agent a {{ with {{ {key} x }} }}"));
        file.items().iter().any(|placed| {
            (0..)
                .map_while(|index| placed.item.node(index))
                .any(|node| node.kind() == SyntaxKind::AttributeBlock)
        })
    };
    assert!(!attributes("sandbo") && !attributes("cron"));
    let mut seen = 0;
    for page in &pages() {
        for (line, cells) in tables(&parts(page).prose, "keys: with") {
            let key = cells[0].trim_matches('`');
            assert!(attributes(key), "{}: {key}", page.at(line));
            seen += 1;
        }
    }
    assert_eq!(seen, 25);
}

/// The anchor of a heading, as Markdown viewers make it.
fn anchor(heading: &str) -> String {
    heading
        .chars()
        .filter_map(|c| match c {
            ' ' => Some('-'),
            '-' | '_' => Some(c),
            c if c.is_alphanumeric() => Some(c.to_ascii_lowercase()),
            _ => None,
        })
        .collect()
}

#[test]
fn every_link_leads_to_a_page_and_its_heading() {
    let mut links = 0;
    let mut dead = Vec::new();
    for page in &pages() {
        for (number, line) in parts(page).prose {
            for link in line.split("](").skip(1) {
                let target = link.split(')').next().expect("a part");
                let (file, heading) = target.split_once('#').unwrap_or((target, ""));
                let path = match file {
                    "" => page.path.clone(),
                    file => page.path.parent().expect("a folder").join(file),
                };
                links += 1;
                let leads = path.exists()
                    && (heading.is_empty()
                        || std::fs::read_to_string(&path)
                            .expect("a page")
                            .lines()
                            .filter_map(|line| line.strip_prefix('#'))
                            .any(|line| anchor(line.trim_start_matches('#').trim()) == heading));
                if !leads {
                    dead.push(format!("{}: {target}", page.at(number)));
                }
            }
        }
    }
    assert_eq!(dead, [""; 0]);
    assert!(links > 50, "{links} links");
}

//! The pages of the diagnostic codes: what a page shows is what happens.
//!
//! A page has its heading, a few sentences, an example that gives exactly its
//! code and nothing else, and right after it the same example mended. More
//! examples and sections may follow. The fence says what a block is:
//!
//! - `symbi fails`: gives exactly the code of the page;
//! - `symbi`: gives nothing;
//! - `symbi generated`: shortened, because the whole cannot stand on a page;
//!   [`generated`] has what is put in the place of the shortened part.

use symbi_diagnostics::{Applicability, Code, Diagnostic, Fix, all, syntax as codes};
use symbi_syntax::{File, decode};

/// The codes that the parser can give.
fn parser_codes() -> impl Iterator<Item = &'static Code> {
    all().filter(|code| code.id.starts_with('S'))
}

/// For a code whose example is shortened: the words on the page, and the bytes
/// that stand in their place.
fn generated(id: &str) -> Option<(&'static str, Vec<u8>)> {
    Some(match id {
        "S0101" => ("<E9>", vec![0xE9]),
        "S0114" => {
            let text = format!("{}1{}", "(".repeat(300), ")".repeat(300));
            ("((((1))))", text.into_bytes())
        }
        "S0115" => ("1 + 1 + 1", vec!["1"; 20_000].join(" + ").into_bytes()),
        "S0116" => ("…", vec![b'a'; 17_000_000]),
        _ => return None,
    })
}

#[derive(Debug)]
struct Block<'p> {
    info: &'p str,
    text: String,
}

/// A page in its parts.
struct Page<'p> {
    heading: &'p str,
    /// What stands between the heading and the first block.
    prose: String,
    blocks: Vec<Block<'p>>,
    /// The last fence is not closed.
    open: bool,
}

fn read(page: &str) -> Page<'_> {
    let mut read = Page {
        heading: page.lines().next().unwrap_or(""),
        prose: String::new(),
        blocks: Vec::new(),
        open: false,
    };
    for line in page.lines().skip(1) {
        match line.strip_prefix("```") {
            Some(_) if read.open => read.open = false,
            Some(info) => {
                read.open = true;
                read.blocks.push(Block {
                    info,
                    text: String::new(),
                });
            }
            None => {
                let into = match read.blocks.last_mut() {
                    None => &mut read.prose,
                    Some(block) if read.open => &mut block.text,
                    Some(_) => continue,
                };
                into.push_str(line);
                into.push('\n');
            }
        }
    }
    read
}

/// The source of a block, with the shortened part of a generated one put in.
fn source(id: &str, block: &Block<'_>) -> Result<Vec<u8>, String> {
    if block.info != "symbi generated" {
        return Ok(block.text.clone().into_bytes());
    }
    let (short, long) = generated(id).ok_or("the test does not know how to generate it")?;
    match block.text.split_once(short) {
        Some((before, after)) if !after.contains(short) => {
            Ok([before.as_bytes(), &long, after.as_bytes()].concat())
        }
        _ => Err(format!("it does not hold `{short}` once")),
    }
}

fn parse(source: Vec<u8>) -> File {
    File::parse_decoded(decode(source))
}

/// The ids of some reports, in order.
fn ids(diagnostics: &[Diagnostic]) -> Vec<&'static str> {
    diagnostics
        .iter()
        .map(|diagnostic| diagnostic.code.id)
        .collect()
}

/// A text with the edits of a fix made in it; `None` if they are not what a
/// fix promises: in ascending order, not overlapping, between characters.
fn apply(text: &str, fix: &Fix) -> Option<String> {
    let mut out = String::new();
    let mut at = 0;
    for edit in &fix.edits {
        let range = edit.at.range();
        out.push_str(text.get(at..range.start)?);
        text.get(range.clone())?;
        out.push_str(&edit.text);
        at = range.end;
    }
    out.push_str(text.get(at..)?);
    Some(out)
}

/// What is wrong with a fix, if anything is.
fn fix_complaint(text: &str, code: &Code, fix: &Fix) -> Option<String> {
    let title = &fix.title;
    let Some(mended) = apply(text, fix) else {
        return Some(format!("the edits of the fix `{title}` are out of order"));
    };
    let left = File::parse(mended.clone()).diagnostics();
    let mends = match fix.applicability {
        Applicability::MachineApplicable => left.is_empty(),
        Applicability::MaybeIncorrect => left.iter().all(|diagnostic| diagnostic.code != code),
    };
    (!mends).then(|| {
        format!(
            "the fix `{title}` leaves {:?}; it gives\n{mended}",
            ids(&left)
        )
    })
}

/// What is wrong with a block: what it gives, and the fixes offered for it.
fn block_complaints(code: &Code, block: &Block<'_>) -> Vec<String> {
    let expected: &[&str] = match block.info {
        "symbi" => &[],
        "symbi fails" | "symbi generated" => &[code.id],
        other => return vec![format!("the fence `{other}` is not known")],
    };
    let file = match source(code.id, block) {
        Ok(source) => parse(source),
        Err(complaint) => return vec![complaint],
    };
    let diagnostics = file.diagnostics();
    if ids(&diagnostics) != expected {
        let found: Vec<String> = diagnostics
            .iter()
            .map(|diagnostic| format!("{} {}", diagnostic.code.id, diagnostic.message))
            .collect();
        return vec![format!("gives {found:?}, expected {expected:?}")];
    }
    let mut complaints = Vec::new();
    for diagnostic in &diagnostics {
        if file.text().get(diagnostic.primary.at.range()).is_none() {
            complaints.push("its place is not in the text".to_owned());
        }
        let fix = diagnostic.fix.as_ref();
        complaints.extend(fix.and_then(|fix| fix_complaint(file.text(), code, fix)));
    }
    complaints
}

/// What is wrong with a page.
fn complaints(code: &Code, page: &str) -> Vec<String> {
    let mut complaints = Vec::new();
    let heading = format!("# {}: {}", code.id, code.title);
    let read = read(page);
    if read.heading != heading {
        complaints.push(format!("begins with `{}`", read.heading));
    }
    if read.open {
        complaints.push("a block is not closed".to_owned());
    }
    for line in page.lines() {
        if line.chars().count() > 100 || line.ends_with([' ', '\t']) {
            complaints.push(format!("too long, or blanks at the end: {line}"));
        }
    }
    // A placeholder has no prose, and nobody explains anything in ten words.
    if read.prose.split_whitespace().count() < 10 {
        complaints.push("does not explain anything before its first example".to_owned());
    }
    let failing = match generated(code.id) {
        Some(_) => "symbi generated",
        None => "symbi fails",
    };
    let infos: Vec<&str> = read.blocks.iter().map(|block| block.info).collect();
    if !infos.starts_with(&[failing, "symbi"]) {
        complaints.push(format!("the blocks are {infos:?}"));
    }
    for block in &read.blocks {
        for complaint in block_complaints(code, block) {
            complaints.push(format!("{complaint}\n```{}\n{}```", block.info, block.text));
        }
    }
    complaints
        .into_iter()
        .map(|complaint| format!("{}: {complaint}", code.id))
        .collect()
}

#[test]
fn every_page_shows_what_happens() {
    let complaints: Vec<String> = parser_codes()
        .flat_map(|code| complaints(code, code.page))
        .collect();
    assert!(complaints.is_empty(), "{}", complaints.join("\n\n"));
}

#[test]
fn a_bad_page_is_noticed() {
    let page = codes::S0107.page;
    assert_eq!(complaints(&codes::S0107, page), [""; 0]);
    let cases = [
        // Another heading.
        ("# S0107", "# S0108"),
        // The failing example is fine, or fails in another way, or twice.
        ("count + 1\n", "count + 1;\n"),
        ("count + 1\n", "count + ;\n"),
        (
            "return sum;\n}\n```\n\n```symbi\n",
            "return sum\n}\n```\n\n```symbi\n",
        ),
        // The mended one is not.
        ("count + 1;\n", "count + 1\n"),
        ("```symbi\n", "```symbi fails\n"),
        ("```symbi fails\n", "```symbi\n"),
        ("```symbi fails\n", "```symbi generated\n"),
        ("```symbi\n", "```text\n"),
        ("\n```symbi fails", "\n \n```symbi fails"),
    ];
    for (from, to) in cases {
        let bad = page.replacen(from, to, 1);
        assert_ne!(bad, page, "{from:?} is not on the page");
        assert!(!complaints(&codes::S0107, &bad).is_empty(), "{bad}");
    }
    let placeholder = format!("# S0107: {}\n", codes::S0107.title);
    assert_eq!(complaints(&codes::S0107, &placeholder).len(), 2);
    let wide = format!("{page}\n{}\n", "é".repeat(101));
    assert_eq!(complaints(&codes::S0107, &wide).len(), 1);
    let widest = format!("{page}\n{}\n", "é".repeat(100));
    assert_eq!(complaints(&codes::S0107, &widest), [""; 0]);
}

#[test]
fn a_bad_fix_is_noticed() {
    let text = "function next() { let a = 1\n}\n";
    let report = File::parse(text).diagnostics().remove(0);
    let good = report.fix.expect("a missing `;` has a fix");
    assert_eq!(fix_complaint(text, &codes::S0107, &good), None);

    let mut useless = good.clone();
    useless.edits[0].text = " ".to_owned();
    assert!(fix_complaint(text, &codes::S0107, &useless).is_some());

    // It goes, but something else comes: only a person may apply that.
    let mut worse = good.clone();
    worse.edits[0].text = ";;".to_owned();
    assert!(fix_complaint(text, &codes::S0107, &worse).is_some());
    worse.applicability = Applicability::MaybeIncorrect;
    assert_eq!(fix_complaint(text, &codes::S0107, &worse), None);

    let mut backwards = good.clone();
    let mut early = good.edits[0].clone();
    early.at.start -= 1;
    backwards.edits.push(early);
    assert!(apply(text, &backwards).is_none());
}

//! Every "E", "error" and "warning" of sections 2 to 7 of the contract has
//! a code. [`SENTENCES`] says which; its quotes are those of
//! `grammar/reference.md`, and a clause with such a word that is not quoted
//! here fails the test.

use symbi_diagnostics::{Level, find};

use crate::support::repository;

/// A piece of the contract, and the codes that stand for it. Their pages have
/// a failing and a mended example each.
const SENTENCES: &[(&str, &[&str])] = &[
    // 2
    (
        "a stray `key = v` entry in an agent is read as a with attribute (warning)",
        &["B0728"],
    ),
    ("means the value is missing (one error)", &["S0133"]),
    // 2.1
    (
        "**E** with the fix (in metadata a typo is a warning with the fix)",
        &["B0701", "B0702", "B0705"],
    ),
    (
        "one warning, contents kept and formatted",
        &["B0703", "B0704"],
    ),
    ("E at the second, note at the first", &["B0706"]),
    ("with the same value: warning", &["B0707"]),
    (
        "functions or types of one name in a scope: E at the second",
        &["N0201"],
    ),
    (
        "across files of a project both lose their aliases (K warning)",
        &["K0820", "K0821"],
    ),
    ("Wrong value type: E", &["B0708"]),
    (
        "Unresolved agent in schedule, webhook, channel: E on routes",
        &["K0801", "K0802"],
    ),
    (
        "an unresolved policy name of a schedule is E on routes",
        &["P0490"],
    ),
    // 2.2
    ("a second non-empty one is E on routes", &["B0729"]),
    ("the same one with different values is E", &["B0706"]),
    (
        "At top level a nameless one takes its `name` entry (warning)",
        &["B0731", "C0509"],
    ),
    ("exist for `stdlib/` alone; elsewhere E", &["S0126"]),
    (
        "one warning a list names the called effects it misses",
        &["P0451"],
    ),
    (
        "When nothing in it resolves, it is descriptive, with one warning",
        &["P0450"],
    ),
    // 2.3
    (
        "a missing one is an error with a fix and swallows nothing",
        &["S0107"],
    ),
    (
        "Chained comparisons and `not a == b` are warnings",
        &["S0152", "S0153"],
    ),
    ("a name twice is E)", &["N0207"]),
    ("beyond, one error, a linear skip", &["S0114", "S0115"]),
    // 2.4
    ("the rest one error a construct, never a cascade", &[]),
    ("a missing `;` after return (3: error with fix)", &["S0107"]),
    ("**Not in the language**, one error with its fix each", &[]),
    (
        "**Accepted with warning and fix**",
        &["S0151", "S0129", "S0161"],
    ),
    // 2.5
    ("and aliases public files use", &[]),
    (
        "a field or method that a built-in type lacks is a warning, E only for a declared struct",
        &["N0210", "N0211", "T0309"],
    ),
    ("E of Result defaults to Error", &[]),
    (
        "a type declared nowhere is opaque, one warning a file each",
        &["T0320"],
    ),
    (
        "a contradiction between known types is E",
        &[
            "T0301", "T0302", "T0303", "T0304", "T0305", "T0307", "T0314",
        ],
    ),
    ("An unresolved expression name is a warning", &["N0202"]),
    // 2.6
    (
        "a statement does nothing, a value raises `no_match`, both warned",
        &["T0330"],
    ),
    ("`error(msg)` raises", &[]),
    ("other fields warn)", &["N0210"]),
    (
        "or everything when T is declared nowhere (warning)",
        &["T0321"],
    ),
    (
        "never reaches a log, journal, prompt or error in clear",
        &[],
    ),
    (
        "passing it to a parameter or tool argument not declared secret is a warning",
        &["T0322"],
    ),
    ("a tool with a stdlib name is E)", &["K0823"]),
    ("a warning with did-you-mean", &["N0203"]),
    // 3
    ("semver tail allowed; else warning]", &["B0716"]),
    ("another is E on routes] model", &["B0712"]),
    (
        "required and non-empty for a managed driver: E]",
        &["B0713"],
    ),
    (
        "unknown is E] timeout [1 s … 24 h, outside E on routes",
        &["B0711", "B0721"],
    ),
    (
        "a bare integer is seconds: warning with both readings and a fix]",
        &["B0720"],
    ),
    ("another word is a warning] max_memory_mb", &["B0724"]),
    ("only warn, each saying so", &["B0725"]),
    (
        "**schedule** exactly one of cron, at [E]",
        &["C0501", "C0502", "C0506"],
    ),
    ("timezone [IANA, E", &["C0507"]),
    ("agent input [record, checked]", &["C0511", "B0708"]),
    ("Never fires: E", &["C0503"]),
    (
        "**channel** platform [`slack teams mattermost`, E else]",
        &["B0710", "B0770"],
    ),
    (
        "unique in the project: E] provider [`github stripe slack custom`, E]",
        &["B0740", "B0741", "K0822", "B0710"],
    ),
    ("a literal is a warning] agent", &["B0742", "B0750"]),
    (
        "`..` out of it is E, absolute is E on routes]",
        &["B0760", "B0761"],
    ),
    ("[0…1 E; d 0.7/0.3", &["B0722"]),
    ("sum other than 1 warns]", &["B0762"]),
    // 4
    ("(a file without agents: one warning)", &["P0401"]),
    (
        "Duplicate names merge within one scope, with a warning",
        &["P0402"],
    ),
    (
        "Other entries in a policy (`default: \"deny\"`, `agent x { … }`) are generic: one warning each",
        &["P0404", "P0405"],
    ),
    ("a verb of another language", &[]),
    ("is E with the fix.\n**Effects**", &["S0140"]),
    (
        "a bare name that the guard does not use is a warning",
        &["P0412"],
    ),
    (
        "A selector that can match no effect of the program: warning for an allow, for a deny only",
        &["P0410", "P0413"],
    ),
    (
        "**Guards** are pure and bounded (256 nodes, depth 24: E",
        &["P0420"],
    ),
    ("(a parameter of that name: warning)", &["P0423"]),
    (
        "Lambdas, unknown functions and unbound roots parse, warn, and are undecidable",
        &["P0421", "P0422"],
    ),
    ("any evaluation error of any policy denies", &[]),
    ("warned at each start", &[]),
    (
        "or with one its row cannot read, is unenforced (warning)",
        &["P0441"],
    ),
    ("is kept as a description, one warning", &["P0443"]),
    (
        "is read as the obligation human_approval for S (warning, fix)",
        &["P0425"],
    ),
    (
        "unbound roots: one warning each, refused on run routes",
        &[
            "P0404", "P0405", "P0406", "P0421", "P0440", "P0441", "P0452",
        ],
    ),
    (
        "Unenforced audit keys and with words only warn",
        &["P0442", "B0725"],
    ),
    // 5
    ("the checker warns, the host refuses without it", &["X0601"]),
    ("a weaker agent is E and names both", &["X0602"]),
    // 6
    ("`FAILED line:col CODE message (and n more)`", &[]),
    ("OK (n warnings)", &[]),
    (
        "`--route R` turns R's refusals into errors",
        &["R1101", "R1102", "R1103", "R1104", "R1105", "R1106"],
    ),
    // 7
    (
        "Every \"error\", \"E\" and \"warning\" of this page has one",
        &[],
    ),
    ("Exit 1 for errors", &[]),
    ("warnings only with `--deny-warnings`", &[]),
    (
        "on an item lower warnings only: never errors, never admission",
        &["N0290", "N0292"],
    ),
];

/// Sections 2 to 7 without their headings.
fn sections(text: &str) -> String {
    let mut wanted = false;
    let mut out = String::new();
    for line in text.lines() {
        if let Some(heading) = line.trim_start_matches('#').strip_prefix(' ')
            && line.starts_with("##")
        {
            wanted = ["2", "3", "4", "5", "6", "7"].iter().any(|number| {
                heading
                    .strip_prefix(number)
                    .is_some_and(|rest| rest.starts_with('.'))
            });
        } else if wanted {
            out.push_str(line);
            out.push('\n');
        }
    }
    out
}

/// Whether a clause speaks of an error or a warning.
fn speaks_of_reports(clause: &str) -> bool {
    clause
        .split(|c: char| !c.is_alphanumeric())
        .any(|word| word == "E" || word.starts_with("warn") || word.starts_with("error"))
}

/// The text cut after `.`, `;` and `:` with a space behind it, each with where
/// it begins and ends.
fn clauses(text: &str) -> Vec<(usize, usize)> {
    let mut clauses = Vec::new();
    let mut start = 0;
    let bytes = text.as_bytes();
    for at in 0..bytes.len() {
        let ends = matches!(bytes[at], b'.' | b';' | b':')
            && bytes.get(at + 1).is_some_and(u8::is_ascii_whitespace);
        if ends || bytes[at] == b'\n' {
            clauses.push((start, at + 1));
            start = at + 1;
        }
    }
    clauses
}

#[test]
fn every_sentence_that_promises_a_report_has_its_codes() {
    let path = repository().join("grammar/reference.md");
    let page = std::fs::read_to_string(path).expect("the contract");
    let text = sections(&page);
    let mut covered = Vec::new();
    let mut wrong = Vec::new();
    for (sentence, codes) in SENTENCES {
        match text.find(sentence) {
            Some(at) => covered.push((at, at + sentence.len())),
            None => wrong.push(format!("not in the contract: {sentence}")),
        }
        for id in *codes {
            if find(id).is_none() {
                wrong.push(format!("`{id}` is no code: {sentence}"));
            }
        }
        // A sentence that says only "warning" has no code that is an error.
        let errors = codes
            .iter()
            .filter_map(|id| find(id))
            .any(|code| code.level == Level::Error);
        let says_error = sentence.split(|c: char| !c.is_alphanumeric()).any(|word| {
            word == "E" || word.starts_with("error") || word == "contradiction" || word == "checked"
        });
        if errors && !says_error {
            wrong.push(format!("an error for: {sentence}"));
        }
    }
    for (start, end) in clauses(&text) {
        let clause = &text[start..end];
        let told = covered.iter().any(|(from, to)| *from < end && start < *to);
        if speaks_of_reports(clause) && !told {
            wrong.push(format!("in no row: {}", clause.trim()));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_clause_that_promises_a_report_is_noticed() {
    assert!(speaks_of_reports("outside E on routes;"));
    assert!(speaks_of_reports("both warned."));
    assert!(!speaks_of_reports("Else it is a name."));
    assert_eq!(
        clauses("a: b. c;\nd 1.5\n"),
        [(0, 2), (2, 5), (5, 8), (8, 9), (9, 15)]
    );
}

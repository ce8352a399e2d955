//! Recovery: an error stays in its construct, and every item around it stays.

use crate::support::{apply, codes, declared};
use symbi_syntax::File;

/// A file with everything that has braces.
const SOURCE: &str = "\
metadata {
    version = \"1.0\"
}

policy shared {
    allow: [\"read\"]
    require: {
        rate_limiting: \"1/minute\"
    }
}

function helper(x: int) -> int {
    if x > 1 {
        for y in [1, 2] {
            log(y);
        }
    } else {
        return match x {
            1 => 2,
            _ => { 3 }
        };
    }
    return x;
}

agent first(input: JSON) -> String {
    capabilities = [\"read\"]

    policy inner {
        allow: \"read\"
    }

    with sandbox = \"docker\" {
        try {
            let a = read(input);
            return a;
        } catch (e) {
            return null;
        }
    }
}

memory notes {
    store markdown
    search {
        vector_weight 0.5
    }
}

agent second {
    with {
        timeout = 30s
    }
}

schedule nightly {
    cron: \"0 9 * * *\"
}
";

const DECLARED: &[&str] = &[
    "metadata",
    "policy shared",
    "function helper",
    "agent first",
    "memory notes",
    "agent second",
    "schedule nightly",
];

#[test]
fn the_source_is_sound() {
    assert_eq!(codes(SOURCE), Vec::<&str>::new());
    assert_eq!(declared(SOURCE), DECLARED);
}

/// Each closing brace in turn is lost: one report, and every item is kept.
#[test]
fn a_missing_closing_brace_is_one_report_and_keeps_every_item() {
    let mut tried = 0;
    let mut wrong = Vec::new();
    for (at, _) in SOURCE.match_indices('}') {
        let broken = format!("{}{}", &SOURCE[..at], &SOURCE[at + 1..]);
        tried += 1;
        let line = SOURCE[..at].lines().count();
        let (found, items) = (codes(&broken), declared(&broken));
        if found != ["S0112"] || items != DECLARED {
            wrong.push(format!("line {line}: {found:?} {items:?}"));
        }
    }
    assert_eq!(tried, 19);
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The same with the text pressed to the left edge, where layout says nothing:
/// the items of other kinds stay, with few reports.
#[test]
fn a_missing_brace_without_indentation_keeps_the_agents() {
    let flat: String = SOURCE
        .lines()
        .map(|line| format!("{}\n", line.trim_start()))
        .collect();
    assert_eq!(codes(&flat), Vec::<&str>::new());
    for (at, _) in flat.match_indices('}') {
        let broken = format!("{}{}", &flat[..at], &flat[at + 1..]);
        let items = declared(&broken);
        assert!(
            items.iter().any(|item| item == "agent first")
                == (at > flat.find("agent first").expect("it"))
                || items.iter().any(|item| item == "agent first"),
            "{items:?}"
        );
        assert!(codes(&broken).len() <= 4, "{:?} for {at}", codes(&broken));
    }
}

#[test]
fn the_fix_of_a_missing_brace_mends_the_file() {
    for (at, _) in SOURCE.match_indices('}') {
        let broken = format!("{}{}", &SOURCE[..at], &SOURCE[at + 1..]);
        let diagnostics = File::parse(&*broken).diagnostics();
        let fixed = apply(&broken, &diagnostics[0]);
        assert_eq!(codes(&fixed), Vec::<&str>::new(), "{fixed}");
        assert_eq!(declared(&fixed), DECLARED);
    }
}

/// An additional closing brace at the start of a line.
#[test]
fn an_additional_closing_brace_keeps_every_item() {
    for (at, _) in SOURCE.match_indices("}\n") {
        let line_start = SOURCE[..at].rfind('\n').map_or(0, |at| at + 1);
        let broken = format!("{}}}\n{}", &SOURCE[..line_start], &SOURCE[line_start..]);
        let items = declared(&broken);
        for item in DECLARED {
            assert!(
                items.iter().any(|found| found == item),
                "{item} after {at}: {items:?}"
            );
        }
    }
}

#[test]
fn a_missing_semicolon_swallows_nothing() {
    let mut reported = 0;
    for (at, _) in SOURCE.match_indices(';') {
        let broken = format!("{}{}", &SOURCE[..at], &SOURCE[at + 1..]);
        // A last expression stands without `;`, and so does `match`.
        let may_be_missing = SOURCE[..at].ends_with("log(y)");
        let expected: &[&str] = if may_be_missing { &[] } else { &["S0107"] };
        assert_eq!(codes(&broken), expected, "{broken}");
        assert_eq!(declared(&broken), DECLARED);
        reported += expected.len();
    }
    assert_eq!(reported, 5);
}

#[test]
fn a_missing_quote_keeps_every_item() {
    for (at, _) in SOURCE.match_indices('"') {
        let broken = format!("{}{}", &SOURCE[..at], &SOURCE[at + 1..]);
        assert_eq!(declared(&broken), DECLARED, "{broken}");
        assert!(!codes(&broken).is_empty());
    }
}

#[test]
fn an_odd_construct_is_one_report() {
    for (source, code) in [
        ("agent a { capabilities = [\"x\" }\nagent b { }", "S0112"),
        (
            "agent a { with timeout = 5s { f(1, 2; } }\nagent b { }",
            "S0112",
        ),
        ("agent a { policy p { allow: } }\nagent b { }", "S0142"),
        ("agent a { policy p { allow: = } }\nagent b { }", "S0159"),
        ("agent a { with timeout = { } }\nagent b { }", "S0130"),
        ("frobnicate x { a = 1 }\nagent b { }", "S0120"),
        ("agent a { %% }\nagent b { }", "S0132"),
        ("hello world, this is prose\nagent b { }", "S0120"),
        ("function f() { let [a] = 3; }\nagent b { }", "S0167"),
        ("function f() { if { a(); } }\nagent b { }", "S0159"),
        ("function f() { for in x { } }\nagent b { }", "S0167"),
        ("function f() { return 1 +; }\nagent b { }", "S0159"),
        ("function f() { g(, 1); }\nagent b { }", "S0133"),
        ("type T = \nagent b { }", "S0130"),
        ("type T { a: int }\nagent b { }", "S0167"),
        (
            "policy p {\n allow: [\"a\"]\n   if x.r == \"e || x.r == \"admin\"\n allow: [\"b\"]\n}\nagent b { }",
            "S0103",
        ),
        (
            "policy p {\n allow: \"a if t == \"x\"\n deny: [\"b\"]\n}\nagent b { }",
            "S0103",
        ),
        ("agent a { \0 }\nagent b { }", "S0102"),
        ("agent a { \0\0\0\0 }\nagent b { }", "S0102"),
        ("type A = List[int]\nagent b { }", "S0170"),
        ("function f(x: dict[str, int]) { }\nagent b { }", "S0170"),
        ("function f() { retrun x; }\nagent b { }", "S0163"),
        ("function f() { int y = 2; }\nagent b { }", "S0163"),
        ("function f() { let s = f\"a {b}\"; }\nagent b { }", "S0105"),
        ("function f() { print(f\"a {b}\"); }\nagent b { }", "S0105"),
        (
            "function f() { let s = \"say \"hi\" now\"; }\nagent b { }",
            "S0103",
        ),
        ("function f() { let s = 'it\\'s'; }\nagent b { }", "S0105"),
        ("function f(int x) { }\nagent b { }", "S0171"),
        (
            "agent a { with: { sandbox: docker } }\nagent b { }",
            "S0128",
        ),
        (
            "agent a { with (sandbox = \"docker\") { } }\nagent b { }",
            "S0165",
        ),
        (
            "policy p { permit(principal, action, resource); }\nagent b { }",
            "S0140",
        ),
        (
            "agent a { capabilities: \"read\", \"write\" }\nagent b { }",
            "S0131",
        ),
        ("```symbi\nagent b { }", "S0120"),
        (
            "function f() {\n    if (a && (b || c) {\n        g();\n    }\n    h();\n}\nagent b { }",
            "S0112",
        ),
        (
            "policy p {\n    allow: read.*\n    deny: x\n}\nagent b { }",
            "S0167",
        ),
        ("policy p { deny: * }\nagent b { }", "S0142"),
        ("policy p { allow: if x }\nagent b { }", "S0142"),
        ("policy p { allow: read; if x; }\nagent b { }", "S0143"),
        (
            "function f() { try { g(); } except Error as e { h(); } }\nagent b { }",
            "S0163",
        ),
        ("metadata {\n author: Jane Doe\n}\nagent b { }", "S0130"),
        ("schedule s {\n cron: 0 9 * * *\n}\nagent b { }", "S0131"),
        ("schedule s {\n cron: * * * * *\n}\nagent b { }", "S0131"),
        ("agent a { polciy p { allow: x } }\nagent b { }", "S0120"),
        ("function f() { let x = { a: ; }; }\nagent b { }", "S0130"),
        ("function f() { f({ a: b ); }\nagent b { }", "S0112"),
        (
            "function f() { let x = [1, { a: 2 ]; }\nagent b { }",
            "S0112",
        ),
        (
            "agent a {\n with\n  memory \"x\",\n  timeout = 5s\n {\n }\n}\nagent b { }",
            "S0134",
        ),
        (
            "agent a {\n  policy p\n    allow: x\n    deny: y\n  }\n}\nagent b { }",
            "S0165",
        ),
        (
            "function f(x: int) {\n  match x {\n    1 =>\n      let a = 1;\n      g(a);\n    }\n    2 => { }\n  }\n}\nagent b { }",
            "S0165",
        ),
        ("type T = { a: int[][][] }\nagent b { }", "S0170"),
        (
            "policy p {\n  deny: f(t) if t.n == \"A\n  deny: g(t) if t.n == \"B\"\n}\nagent b { }",
            "S0103",
        ),
        (
            "policy p {\n  deny: f(t) if t.n == A\"\n  deny: g(t) if t.n == \"B\"\n}\nagent b { }",
            "S0103",
        ),
        (
            "policy p {\n  deny: f(t) if t.n == \"A\"\n  deny: g(t) if t.n == B\"\n}\nagent b { }",
            "S0103",
        ),
        (
            "agent b { }\nfunction f() { let x = [1, 2 /* never closed; ] }",
            "S0104",
        ),
        ("function f() -> { return 1; }\nagent b { }", "S0172"),
        (
            "function f(a: int -> int { return a; }\nagent b { }",
            "S0112",
        ),
        ("function f(a: int { return a; }\nagent b { }", "S0112"),
        ("function f(a int) { return a; }\nagent b { }", "S0171"),
        ("function f() { if a = 1 { a(); } }\nagent b { }", "S0160"),
        ("function f() { for x in { a(); } }\nagent b { }", "S0159"),
        (
            "function f() { return match { 1 => 2 }; }\nagent b { }",
            "S0159",
        ),
        (
            "function f() { log(\"one); \n log(\"two\"); }\nagent b { }",
            "S0103",
        ),
        (
            "metadata {\n a = \"one\n b = \"two\"\n}\nagent b { }",
            "S0103",
        ),
        ("metadata\n  a = 1\n  b = 2\n}\nagent b { }", "S0165"),
        (
            "agent a\n  capabilities = []\n  policy p { allow: x }\n}\nagent b { }",
            "S0165",
        ),
        (
            "function f()\n  let x = 1;\n  return x;\n}\nagent b { }",
            "S0165",
        ),
        (
            "policy p { allow: \"a\", \"b\", \"c\" }\nagent b { }",
            "S0143",
        ),
        ("policy p { allow: \"a\" \"b\" }\nagent b { }", "S0143"),
        (
            "agent a { publish(\"x\"); capabilities = [] }\nagent b { }",
            "S0121",
        ),
        ("agent a { with { timeout = 10 s } }\nagent b { }", "S0109"),
        ("agent 3d { }\nagent b { }", "S0124"),
        ("agent @x { }\nagent b { }", "S0102"),
        ("metadata { a = { x: 0; y: 1; } }\nagent b { }", "S0135"),
        (
            "function f() { return g(|a: int, b| a, |c| c); }\nagent b { }",
            "S0157",
        ),
        (
            "function f() { return await await g(); }\nagent b { }",
            "S0154",
        ),
        ("function f() { return a – b; }\nagent b { }", "S0102"),
        ("schedule s {\n  agent =\n}\nagent b { }", "S0130"),
        (
            "agent a {\n  capabilities =\n  policy p { allow: x }\n}\nagent b { }",
            "S0130",
        ),
    ] {
        assert_eq!(codes(source), [code], "{source}");
        assert!(
            declared(source).iter().any(|item| item == "agent b"),
            "{source}: {:?}",
            declared(source)
        );
    }
}

/// What the reference's sources do not say alone: names on the next line, and
/// `await` as the name of a field.
#[test]
fn odd_layouts_that_are_right_have_no_report() {
    for source in [
        "agent a { policy\np { allow: x } function\nf() { } }",
        "policy\nrules { allow: x }\ntype\nthing = a",
        "function f(x: JSON) { return x.await; }",
        "agent a { with { sandbox = \"docker\" } memory\nnotes { store markdown } }",
        "agent a(x: JSON = { a: 1 }, f: (A) -> B = g) { }",
        "metadata { a = \"x\ny\"\n b = \"z\" }",
        "function f(fort: Array<int>, lets: int) { fort[0] = lets in fort; lets in fort }",
        "function f(print: int) { print not in [1]; }",
    ] {
        assert_eq!(codes(source), Vec::<&str>::new(), "{source}");
    }
}

/// A fix that a tool may apply unasked must not change what was meant: these
/// are what was meant.
#[test]
fn machine_applicable_fixes_give_what_was_meant() {
    for (source, fixed) in [
        ("type A = List[int]", "type A = List<int>"),
        ("function f(int x) { }", "function f(x: int) { }"),
        ("function f(x int) { }", "function f(x: int) { }"),
        ("function f() { retrun 1; }", "function f() { return 1; }"),
        (
            "function f() { let s = 'it\\'s \"x\"'; }",
            "function f() { let s = \"it's \\\"x\\\"\"; }",
        ),
        ("agent a { with: { } }", "agent a { with { } }"),
        (
            "agent a { capabilities: \"read\", \"write\" }",
            "agent a { capabilities: [\"read\", \"write\"] }",
        ),
        (
            "function f() { return await g(); }",
            "function f() { return g(); }",
        ),
        ("metadata = { }", "metadata { }"),
        (
            "policy p { deny: x unless y }",
            "policy p { deny: x if not (y) }",
        ),
        (
            "function f() { return xs.map(|x| x); }",
            "function f() { return xs.map(x => x); }",
        ),
    ] {
        let diagnostics = File::parse(source).diagnostics();
        assert_eq!(diagnostics.len(), 1, "{source}: {diagnostics:?}");
        assert_eq!(apply(source, &diagnostics[0]), fixed);
        assert_eq!(codes(fixed), Vec::<&str>::new(), "{fixed}");
    }
}

/// Applied in the order of the reports, what is missing in one place is
/// written in the right order.
#[test]
fn of_two_missing_signs_in_one_place_the_bracket_comes_first() {
    assert_eq!(
        codes("function f() {\n    x = g(y\n    return x;\n}"),
        ["S0112", "S0107"]
    );
}

//! What is no TOML has one report in our words, at the place that helps.

use symbi_diagnostics::Span;
use symbi_project::{MAX_SIZE, Manifest, ProjectFile, Tier};

/// A source with `⟦…⟧` round the place, the message, and what the fix writes
/// there.
const TABLE: &[(&str, &str, Option<&str>)] = &[
    ("[sandbox]\ntier =⟦⟧", "a value is missing here", None),
    ("tier = ⟦⟧# gvisor", "a value is missing here", None),
    ("tier⟦⟧", "`=` and a value are missing after this key", None),
    (
        "tier ⟦⟧gvisor",
        "`=` and a value are missing after this key",
        None,
    ),
    (
        "tier = ⟦gvisor⟧",
        "a text needs quotes: write `\"gvisor\"`",
        Some("\"gvisor\""),
    ),
    (
        "tier = ⟦Firecracker⟧",
        "a text needs quotes: write `\"Firecracker\"`",
        Some("\"Firecracker\""),
    ),
    (
        "tier = ⟦tier2⟧",
        "a text needs quotes: write `\"tier2\"`",
        Some("\"tier2\""),
    ),
    (
        "tier = ⟦none⟧",
        "a text needs quotes: write `\"none\"`",
        Some("\"none\""),
    ),
    (
        "tier = ⟦e2b⟧",
        "a text needs quotes: write `\"e2b\"`",
        Some("\"e2b\""),
    ),
    (
        "hints = ⟦True⟧",
        "`True` is no value: write `true`",
        Some("true"),
    ),
    (
        "hints = ⟦ture⟧",
        "`ture` is no value: write `true`",
        Some("true"),
    ),
    (
        "hints = ⟦yes⟧",
        "`yes` is no value: write `true`",
        Some("true"),
    ),
    (
        "http = ⟦null⟧",
        "there is no `null`: leave the key out",
        None,
    ),
    (
        "tier = ⟦'docker⟧",
        "this text is not closed: write `'` at its end",
        None,
    ),
    (
        "tier = ⟦\"docker⟧",
        "this text is not closed: write `\"` at its end",
        None,
    ),
    (
        "tier = ⟦\"\"\"docker⟧\n",
        "this text is not closed: write `\"\"\"` at its end",
        None,
    ),
    (
        "tier = ⟦“gvisor”⟧",
        "the quotes of TOML are straight: write `\"gvisor\"`",
        Some("\"gvisor\""),
    ),
    (
        "tier = ⟦`gvisor`⟧",
        "the quotes of TOML are straight: write `\"gvisor\"`",
        Some("\"gvisor\""),
    ),
    (
        "tier = ⟦$TIER⟧",
        "a text needs quotes: write `\"$TIER\"`",
        Some("\"$TIER\""),
    ),
    (
        "tier = ⟦vault://a/b⟧",
        "a text needs quotes: write `\"vault://a/b\"`",
        Some("\"vault://a/b\""),
    ),
    (
        "tier = \"a\\⟦⟧qb\"",
        "there is no such escape: write `\\\\` for a backslash, or single quotes round the text",
        None,
    ),
    (
        "tier = \"\\u12⟦⟧\"",
        "`\\u` is followed by four hexadecimal digits, and `\\U` by eight",
        None,
    ),
    (
        "tier = \"a⟦\u{1}⟧b\"",
        "a text has a control character: write it as an escape like `\\t`",
        None,
    ),
    (
        "http = ⟦[⟧1, 2\n\n[sandbox]\ntier = \"x\"",
        "this list is not closed: write `]` at its end",
        None,
    ),
    (
        "http = [⟦1 2⟧]",
        "`1 2` is more than one value: write a comma or a new line between two, and quotes round a text",
        None,
    ),
    (
        "http = [1,⟦,⟧2]",
        "there is nothing between these two commas",
        None,
    ),
    ("http = [\"a\" ⟦⟧\"b\"]", "a comma is missing here", None),
    (
        "http = ⟦{⟧a = 1",
        "this table is not closed: write `}` at its end",
        None,
    ),
    (
        "http = {a = \"1\" ⟦⟧b = 2}",
        "a comma is missing here",
        None,
    ),
    (
        "http = {a = 1,⟦⟧, b = 2}",
        "there is nothing between these two commas",
        None,
    ),
    ("http = {a⟦⟧}", "a value is missing here", None),
    ("http = {a = ⟦⟧}", "a value is missing here", None),
    ("http = {⟦⟧= 1}", "a key is missing here", None),
    (
        "⟦[sandbox⟧",
        "this table's name is not closed: write `]`",
        None,
    ),
    (
        "⟦[[sandbox]⟧",
        "this table's name is not closed: write `]]`",
        None,
    ),
    (
        "⟦[sand⟧ box]",
        "a table's name of several words needs quotes",
        None,
    ),
    ("[⟦⟧]", "a table needs a name between its brackets", None),
    (
        "sandbox⟦⟧]",
        "this `]` closes nothing: a table is written `[name]`",
        None,
    ),
    ("[sandbox]⟦⟧]", "this `]` closes nothing", None),
    (
        "[sandbox] ⟦⟧tier = \"gvisor\"",
        "what stands here belongs on a line of its own",
        None,
    ),
    (
        "tier = \"a\" ⟦⟧minimum = \"b\"",
        "what stands here belongs on a line of its own",
        None,
    ),
    (
        "port = ⟦1 host⟧ = 2",
        "`1 host` is more than one value: write a comma or a new line between two, and quotes round a text",
        None,
    ),
    ("⟦⟧= 1", "a key is missing here", None),
    ("⟦⟧.tier = 1", "a key is missing here", None),
    ("a.⟦⟧.b = 1", "a key is missing here", None),
    (
        "tier⟦:⟧ \"gvisor\"",
        "write `=`, and not `:`, between a key and its value",
        None,
    ),
    (
        "tier ⟦⟧: 1",
        "write `=`, and not `:`, between a key and its value",
        None,
    ),
    (
        "tier =⟦=⟧ 1",
        "one `=` between a key and its value is enough",
        None,
    ),
    (
        "⟦\"\"\"a\"\"\"⟧ = 1",
        "a key stands on one line: give it single quotes or none",
        None,
    ),
    (
        "ti⟦è⟧r = 1",
        "`è` cannot stand in a key without quotes",
        None,
    ),
    ("⟦//⟧ a comment", "a comment begins with `#`", None),
    ("⟦;⟧ a comment", "a comment begins with `#`", None),
    ("-- ⟦⟧a comment", "a comment begins with `#`", None),
    (
        "tier = \"a\" ⟦⟧// a comment",
        "a comment begins with `#`",
        None,
    ),
    ("port = ⟦1 // a comment⟧", "a comment begins with `#`", None),
    ("tier = \"a\"⟦⟧;", "a line has no `;` at its end", None),
    ("port = ⟦1;⟧", "a line has no `;` at its end", Some("1")),
    ("port = 1⟦⟧,", "a line has no `,` at its end", None),
    ("port = ⟦0⟧1", "a number does not begin with `0`", None),
    ("port = 1⟦_⟧_0", "`_` stands between two digits only", None),
    (
        "port = ⟦0X⟧1",
        "write `0x`, `0o` or `0b` in lower case",
        None,
    ),
    ("port = 0x⟦⟧ZZ", "this is no number", None),
    ("port = +⟦-⟧1", "this is no number", None),
    ("port = ⟦-⟧0x1", "this is no number", None),
    (
        "port = 1.⟦⟧",
        "a number has digits on both sides of its point",
        None,
    ),
    (
        "port = ⟦⟧.5",
        "a number has digits on both sides of its point",
        None,
    ),
    (
        "port = ⟦10MB⟧",
        "a text needs quotes: write `\"10MB\"`",
        Some("\"10MB\""),
    ),
    (
        "⟦⟧{",
        "a line holds a table like `[sandbox]`, or a key like `tier = \"gvisor\"`",
        None,
    ),
    ("port = ⟦⟧}", "this `}` closes nothing", None),
    ("port = ⟦⟧]", "this `]` closes nothing", None),
    (
        "tier = \"a\"\r⟦⟧port = 1",
        "a carriage return alone ends no line: save the file with other line ends",
        None,
    ),
    (
        "# a⟦⟧\u{1}",
        "a comment has a control character that cannot be seen; delete it",
        None,
    ),
    (
        "export ⟦⟧tier = 1",
        "`=` and a value are missing after this key",
        None,
    ),
    (
        "[sandbox]\ntier = ⟦\"gvisor⟧\n[check]\nhints = true",
        "this text is not closed: write `\"` at its end",
        None,
    ),
];

#[test]
fn each_mistake_has_its_sentence() {
    let mut seen = String::new();
    for &(marked, message, instead) in TABLE {
        let start = marked.find('⟦').unwrap();
        let end = marked.find('⟧').unwrap() - '⟦'.len_utf8();
        let text = marked.replace(['⟦', '⟧'], "");
        let parsed = ProjectFile::parse(&text);
        let [report] = &parsed.diagnostics[..] else {
            panic!("{text:?}: {:#?}", parsed.diagnostics);
        };
        assert_eq!(report.code.id, "B0780", "{text:?}");
        let fix = report.fix.as_ref().map(|fix| fix.edits[0].text.as_str());
        let found = (report.message.as_str(), report.primary.at.range(), fix);
        if found != (message, start..end, instead) {
            let at = report.primary.at.range();
            let marked = format!(
                "{}⟦{}⟧{}",
                &text[..at.start],
                &text[at.clone()],
                &text[at.end..]
            );
            seen.push_str(&format!(
                "    ({marked:?}, {:?}, {fix:?}),\n",
                report.message
            ));
        }
    }
    assert!(seen.is_empty(), "\n{seen}");
}

#[test]
fn what_could_be_read_is_there_beside_the_error() {
    let parsed = ProjectFile::parse("[sandbox]\ntier = gvisor\nminimum = \"gvisor\"\nx = 1\n");
    assert!(parsed.has_errors());
    assert_eq!(parsed.diagnostics.len(), 1, "{:?}", parsed.diagnostics);
    let sandbox = parsed.data.sandbox;
    assert_eq!(sandbox.tier, None);
    assert_eq!(sandbox.minimum.unwrap().value, Tier::Gvisor);
}

#[test]
fn a_file_that_is_too_long_is_an_error_and_not_read() {
    let floor = "[sandbox]\nminimum = \"gvisor\"\n";
    let fits = format!("{floor}{}", "#".repeat(MAX_SIZE - floor.len()));
    let parsed = ProjectFile::parse(&fits);
    assert_eq!(parsed.diagnostics, []);
    assert!(parsed.data.sandbox.minimum.is_some());

    let parsed = ProjectFile::parse(&format!("{fits}#"));
    assert_eq!(parsed.data, ProjectFile::default());
    let [report] = &parsed.diagnostics[..] else {
        panic!("{:?}", parsed.diagnostics);
    };
    assert_eq!(report.code.id, "B0780");
    assert_eq!(report.message, "the project file is longer than 1024 KiB");
    assert_eq!(report.primary.at, Span::at(0));
    let parsed = Manifest::parse(&format!("{fits}#"), "tools/a.clad.toml");
    let ids: Vec<&str> = parsed.diagnostics.iter().map(|d| d.code.id).collect();
    assert_eq!(ids, ["K0850"]);
}

#[test]
fn what_is_nested_too_deep_is_an_error() {
    for (open, close) in [("[", "]"), ("{a=", "}")] {
        let nested =
            |depth: usize| format!("http = {}1{}\n", open.repeat(depth), close.repeat(depth));
        assert_eq!(ProjectFile::parse(&nested(60)).diagnostics, []);
        for depth in [70, 100_000] {
            let parsed = ProjectFile::parse(&nested(depth));
            let messages: Vec<&str> = parsed.diagnostics.iter().map(|d| &*d.message).collect();
            assert_eq!(messages, ["values stand in each other more than 64 deep"]);
        }
    }
    // Tables that names lead to are no nesting of values.
    let path = vec!["a"; 100_000].join(".");
    assert_eq!(
        ProjectFile::parse(&format!("[http.{path}]\n{path} = 1\n")).diagnostics,
        []
    );
}

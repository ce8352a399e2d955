//! The formatter: comments stay, once is enough, edits are small, work is
//! linear. What formatted sources look like is in the snapshots.

use symbi_syntax::File;
use symbi_syntax::format::{FormatError, edits, format, format_text, range_edits, work};
use symbi_syntax::fuzzing::format::check;

use crate::support::sources;

/// Sources without errors: the examples, the cases, and those of the
/// snapshots.
fn clean_sources() -> Vec<(String, String)> {
    let mut all = sources();
    for path in ["data/format", "data/trees"] {
        let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("tests")
            .join(path);
        for entry in std::fs::read_dir(folder).expect("the data folder") {
            let path = entry.expect("an entry").path();
            let text = std::fs::read_to_string(&path).expect("a readable source");
            all.push((path.display().to_string(), text));
        }
    }
    all.extend(crate::peer::agents());
    all.retain(|(_, text)| !File::parse(&**text).has_errors());
    assert!(all.len() > 250, "{} sources", all.len());
    all
}

#[test]
fn every_source_is_formatted_once_and_for_all() {
    for (name, text) in clean_sources() {
        assert!(check(&text), "{name}");
        if text.starts_with('\u{feff}') {
            continue;
        }
        let marked = format!("\u{feff}{text}");
        let formatted = format_text(&text).expect("no errors");
        assert_eq!(
            format_text(&marked).as_deref(),
            Ok(&*format!("\u{feff}{formatted}")),
            "{name}: the byte order mark"
        );
    }
}

#[test]
fn a_source_with_errors_is_refused() {
    let mut refused = 0;
    for (name, text) in sources() {
        let file = File::parse(&*text);
        if file.has_errors() {
            assert_eq!(format(&file), Err(FormatError::Errors), "{name}");
            refused += 1;
        }
    }
    assert!(refused > 30, "{refused} refused");
}

#[test]
fn nothing_stays_nothing() {
    for text in ["", " ", "\n\n", "\t\r\n", "\u{feff}"] {
        let mark = if text.starts_with('\u{feff}') {
            text
        } else {
            ""
        };
        assert_eq!(format_text(text).as_deref(), Ok(mark), "{text:?}");
    }
    assert_eq!(format_text("// only").as_deref(), Ok("// only\n"));
    assert_eq!(
        format_text("\n\n/* only */  ").as_deref(),
        Ok("/* only */\n")
    );
}

#[test]
fn line_ends_are_the_first_ones_outside_texts() {
    let table = [
        ("agent a {\r\n}\n", "agent a {}\r\n"),
        ("agent a {}\rtype T = int\r", "agent a {}\rtype T = int\r"),
        ("/* x\r\ny */ agent a {}\n", "/* x\r\ny */ agent a {}\n"),
        (
            "metadata { a = \"x\r\ny\" }\n",
            "metadata {\n    a = \"x\r\ny\"\n}\n",
        ),
    ];
    for (text, expected) in table {
        assert_eq!(format_text(text).as_deref(), Ok(expected), "{text:?}");
    }
}

#[test]
fn a_value_that_is_computed_keeps_its_sign() {
    for value in ["1 + 2", "f(x)", "T { a: 1 }", "base + [\"x\"]", "[f(x)]"] {
        for key in ["input", "capabilities"] {
            let text = format!("memory m {{\n    {key} = {value}\n    b 1\n}}\n");
            assert_eq!(format_text(&text).as_deref(), Ok(&*text));
        }
    }
}

/// Puts a comment of its own into every gap between two tokens in which the
/// file still has no errors, and formats. Gives how many gaps there are and
/// in how many a comment could stand.
fn comment_in_every_gap(text: &str, comment: fn(usize) -> String) -> (usize, usize) {
    let ends: Vec<usize> = symbi_syntax::lex(text)
        .into_iter()
        .filter(|(kind, _)| !kind.is_trivia())
        .map(|(_, span)| span.end as usize)
        .collect();
    let with = |gaps: &[usize]| {
        let mut out = String::new();
        let mut at = 0;
        for &gap in gaps {
            out.push_str(&text[at..ends[gap]]);
            out.push_str(&comment(gap));
            at = ends[gap];
        }
        out.push_str(&text[at..]);
        out
    };
    let mut possible = 0;
    // All at once; where that is an error, each half by itself.
    let mut waiting: Vec<Vec<usize>> = vec![(0..ends.len()).collect()];
    while let Some(gaps) = waiting.pop() {
        if check(&with(&gaps)) {
            possible += gaps.len();
        } else if gaps.len() > 1 {
            let (left, right) = gaps.split_at(gaps.len() / 2);
            waiting.push(left.to_vec());
            waiting.push(right.to_vec());
        }
    }
    (ends.len(), possible)
}

#[test]
fn a_block_comment_in_every_gap_stays_where_it_is() {
    let (mut gaps, mut possible) = (0, 0);
    for (_, text) in clean_sources() {
        let (all, could) = comment_in_every_gap(&text, |n| format!(" /* {n} */ "));
        gaps += all;
        possible += could;
    }
    // Names with dots in blocks and `>=` must be glued: no comment stands there.
    assert!(possible * 100 > gaps * 97, "{possible} of {gaps} gaps");
}

#[test]
fn a_line_comment_in_every_gap_stays_where_it_is() {
    let (mut gaps, mut possible) = (0, 0);
    for (_, text) in clean_sources() {
        // Where a line must go on no line comment can stand, and each such gap
        // is found one by one: short sources only.
        if text.len() < 2_000 {
            let (all, could) = comment_in_every_gap(&text, |n| format!(" // {n}\n"));
            gaps += all;
            possible += could;
        }
    }
    assert!(possible * 100 > gaps * 85, "{possible} of {gaps} gaps");
}

#[test]
fn comments_on_lines_of_their_own_stay_between_their_neighbours() {
    for (_, text) in clean_sources() {
        if text.len() < 2_000 {
            comment_in_every_gap(&text, |n| format!("\n\n# {n}\n\n"));
        }
    }
}

#[test]
fn an_edit_is_one_gap_and_a_formatted_file_has_none() {
    let text = "agent a {\n    with {\n        f( 1 );\n        g(2);\n    }\n}\n";
    let found = edits(&File::parse(text)).expect("no errors");
    let shown: Vec<_> = found
        .iter()
        .map(|edit| (edit.at.start, edit.at.end, &*edit.text))
        .collect();
    assert_eq!(shown, [(31, 32, ""), (33, 34, "")]);
    for (name, text) in clean_sources() {
        let formatted = format_text(&text).expect("no errors");
        assert_eq!(edits(&File::parse(&*formatted)), Ok(vec![]), "{name}");
    }
}

#[test]
fn a_range_leaves_the_lines_outside_it_alone() {
    let text = "agent a {\n  with {\n    f( 1 );\n    g( 2 );\n  }\n}\nagent  b  {}\n";
    let of = |needle: &str| {
        let at = text.find(needle).expect("in the text") as u32;
        let file = File::parse(text);
        let found = range_edits(&file, at..at + needle.len() as u32).expect("no errors");
        let mut out = String::new();
        let mut done = 0;
        for edit in &found {
            out.push_str(&text[done..edit.at.start as usize]);
            out.push_str(&edit.text);
            done = edit.at.end as usize;
        }
        out.push_str(&text[done..]);
        out
    };
    assert_eq!(
        of("f( 1 )"),
        "agent a {\n  with {\n        f(1);\n    g( 2 );\n  }\n}\nagent  b  {}\n"
    );
    assert_eq!(
        of("agent  b"),
        "agent a {\n  with {\n    f( 1 );\n    g( 2 );\n  }\n}\nagent b {}\n"
    );
}

#[test]
fn work_is_linear_in_what_repeats_and_what_nests() {
    let repeated = [
        "agent a(p: int) { with { f(x, [1, 2], y => { g(); }); } }\n",
        "policy p { allow: [a, b] if x && y || z deny: c for d }\n",
        "type T = { a: int, b: Map<String, int> }\n",
    ];
    let within = [
        ("function f() { return ", "a + ", "b; }"),
        ("function f() { return ", "a && b || ", "c; }"),
        ("function f() { return x", ".f(y => z)", "; }"),
        ("function f() { return x", "[0].g", "; }"),
        ("function f() { if a {} ", "else if b {} ", "}"),
        ("function f() { return [", "a, ", "b]; }"),
        ("function f() { match x { ", "1 | 2 => f(), ", "_ => {} } }"),
        ("function f() { match x { 0", " | 1", " => f(), _ => {} } }"),
        ("metadata { ", "a = [1, { b: 2 }], ", "}"),
        ("policy p { allow: a if ", "b && ", "c }"),
        ("function f() { return ", "- ", "1; }"),
        ("function f() { ", "f(g(h(1, x => y))); ", "}"),
    ];
    let cost = |text: String| {
        let file = File::parse(text);
        assert!(!file.has_errors(), "{:?}", file.diagnostics().first());
        work(&file)
    };
    for part in repeated {
        let [one, two, four] = [200, 400, 800].map(|n| cost(part.repeat(n)));
        assert!(
            two * 10 <= one * 23 && four * 10 <= two * 23,
            "{part}: {one} {two} {four}"
        );
    }
    for (open, part, close) in within {
        let [one, two, four] =
            [500, 1_000, 2_000].map(|n| cost(format!("{open}{}{close}", part.repeat(n))));
        assert!(
            two * 10 <= one * 23 && four * 10 <= two * 23,
            "{part}: {one} {two} {four}"
        );
    }
    // Nesting ends at 256.
    let nested = [
        ("(", "1", ")"),
        ("[", "1", "]"),
        ("f(", "1", ")"),
        ("f(x, ", "1", ")"),
        ("T { a: ", "1", " }"),
        ("f(x => ", "1", ")"),
        ("x => { ", "1", " }"),
    ];
    for (open, middle, close) in nested {
        let [one, two] = [60, 120].map(|n| {
            let value = format!("{}{middle}{}", open.repeat(n), close.repeat(n));
            cost(format!("function f() {{ return {value}; }}"))
        });
        assert!(two * 10 <= one * 41, "{open}: {one} {two}");
    }
}

/// Deep and long constructs within the limits, on a stack of 1 MB.
#[test]
fn a_small_stack_is_enough() {
    let value = |open: &str, middle: &str, close: &str, n: usize| {
        format!(
            "function f() {{ return {}{middle}{}; }}",
            open.repeat(n),
            close.repeat(n)
        )
    };
    let texts = [
        value("(", "1", ")", 250),
        value("[", "1", "]", 250),
        value("f(x => { ", "1", " })", 80),
        value("if a { ", "1", " } else { 2 }", 250),
        value("a + ", "1", "", 9_000),
        value("- ", "1", "", 9_000),
        value("x => ", "1", "", 120),
        format!("function f() {{ x{}; }}", ".y(1)".repeat(4_500)),
        format!(
            "function f() {{ if a {{}}{} }}",
            " else if b {}".repeat(9_000)
        ),
        format!("function f() {{ {} }}", "f();".repeat(200_000)),
        format!("metadata {{ a = [{}] }}", "1,".repeat(200_000)),
        "type T = int\n".repeat(100_000),
        "// note\n".repeat(100_000),
        format!("agent a {{ {} }}", "/* c */".repeat(50_000)),
    ];
    let small = std::thread::Builder::new().stack_size(1 << 20);
    let run = move || {
        for text in texts {
            let formatted = format_text(&text);
            assert!(
                formatted.is_ok(),
                "{formatted:?}: {}",
                &text[..60.min(text.len())]
            );
        }
    };
    small
        .spawn(run)
        .expect("a thread")
        .join()
        .expect("no panic");
}

//! `symbi fmt`: its options, verdicts and formats.

use serde_json::Value;

use crate::support::{Place, Run, run};

/// A file that is not formatted, and the same one when it is.
const MESSY: &str = "agent  greet( name: String ) { }\n";
const NEAT: &str = "agent greet(name: String) {}\n";
/// One error, S0107, after the `1`.
const BROKEN: &str = "function f() { let a = 1 }\n";
/// Three items; the second and the third are not formatted.
const THREE: &str = "agent a {}\n\nagent  b {}\n\nagent  c {}\n";

fn place() -> Place {
    let place = Place::new();
    place
        .write("agents/b.symbi", MESSY)
        .write("agents/a/neat.symbi", NEAT)
        .write("agents/c.dsl", format!("// é\n{MESSY}"))
        .write("broken.symbi", BROKEN);
    place
}

#[track_caller]
fn told(run: &Run, stdout: &str, stderr: &str, code: i32) {
    assert_eq!(
        (run.stdout.as_str(), run.stderr.as_str(), run.code),
        (stdout, stderr, code)
    );
}

#[test]
fn files_are_formatted_in_place_and_told_in_order() {
    let place = place();
    let run = place.line("fmt agents");
    told(
        &run,
        "agents/b.symbi       FORMATTED\nagents/c.dsl         FORMATTED\n",
        "2 files formatted, 1 unchanged\n",
        0,
    );
    assert_eq!(place.text("agents/b.symbi"), NEAT);
    assert_eq!(place.text("agents/a/neat.symbi"), NEAT);
    assert_eq!(place.text("agents/c.dsl"), format!("// é\n{NEAT}"));
    // What it wrote, it accepts.
    told(
        &place.line("fmt --check agents"),
        "",
        "3 files unchanged\n",
        0,
    );
    told(&place.line("fmt -q agents"), "", "", 0);
}

#[test]
fn a_check_writes_nothing_and_lists_what_would_change() {
    let place = place();
    let run = place.line("fmt --check agents");
    told(
        &run,
        "agents/b.symbi       WOULD CHANGE 1:7\nagents/c.dsl         WOULD CHANGE 2:7\n",
        "2 files would change, 1 unchanged\n",
        1,
    );
    assert_eq!(place.text("agents/b.symbi"), MESSY);
    let quiet = place.line("fmt --check -q agents");
    told(&quiet, &run.stdout, "", 1);
}

#[test]
fn a_file_with_errors_is_left_alone_and_the_others_are_not() {
    let place = place();
    let run = place.line("fmt broken.symbi agents/b.symbi");
    let lines = run.lines();
    assert!(
        lines[0].starts_with("broken.symbi FAILED 1:25 S0107 expected `;`"),
        "{lines:?}"
    );
    assert_eq!(lines[1], "agents/b.symbi FORMATTED");
    assert!(run.stderr.contains("broken.symbi:1:25"), "{run:?}");
    assert!(
        run.stderr
            .ends_with("1 file formatted, 1 with syntax errors\n"),
        "{run:?}"
    );
    assert_eq!((lines.len(), run.code), (2, 1));
    assert_eq!(place.text("broken.symbi"), BROKEN);
    let check = place.line("fmt --check --format short broken.symbi");
    assert!(
        check
            .stderr
            .starts_with("broken.symbi:1:25: error[S0107]: "),
        "{check:?}"
    );
    assert_eq!(check.code, 1);
}

#[test]
fn short_names_what_would_change_among_the_reports() {
    let place = place();
    let run = place.line("fmt --check --format short agents/b.symbi");
    told(
        &run,
        "agents/b.symbi  WOULD CHANGE 1:7\n",
        "agents/b.symbi:1:7: error[F1001]: this file is not formatted\n1 file would change\n",
        1,
    );
    // What was formatted is no error any more.
    let run = place.line("fmt --format short agents/b.symbi");
    told(&run, "agents/b.symbi  FORMATTED\n", "1 file formatted\n", 0);
}

#[test]
fn a_diff_is_what_patch_applies() {
    let place = place();
    // No line feed at the end, spaces in the name, several hunks.
    let far = format!("{MESSY}{}agent  z {{}}", "\n// 1\n".repeat(20));
    place.write("agents/a name.symbi", &far);
    let run = place.line("fmt --diff agents broken.symbi");
    assert_eq!(run.code, 1);
    assert!(run.stdout.starts_with("--- agents/a name.symbi\t\n+++ "));
    assert!(!run.stdout.contains("FAILED") && !run.stdout.contains('\x1b'));
    assert!(run.stderr.contains("S0107"), "{run:?}");
    assert!(
        run.stderr
            .ends_with("3 files would change, 1 unchanged, 1 with syntax errors\n"),
        "{run:?}"
    );
    assert_eq!(place.text("agents/b.symbi"), MESSY);
    place.write("layout.patch", &run.stdout);
    let patched = crate::support::run(
        place
            .command_at("patch")
            .args(["-p0", "--fuzz=0", "--no-backup-if-mismatch", "-i"])
            .arg("layout.patch"),
    );
    assert_eq!(patched.code, 0, "{patched:?}");
    told(
        &place.line("fmt --check agents"),
        "",
        "4 files unchanged\n",
        0,
    );
}

#[test]
fn a_quiet_diff_still_says_what_has_none() {
    let place = place();
    let run = place.line("fmt --diff -q broken.symbi nope.symbi agents");
    assert!(run.stdout.starts_with("--- agents/b.symbi\n"), "{run:?}");
    let lines: Vec<&str> = run.stderr.lines().collect();
    assert!(
        lines[0].starts_with("broken.symbi  FAILED 1:25 S0107 "),
        "{run:?}"
    );
    assert_eq!(lines[1..], ["error: nope.symbi: no such file or folder"]);
    assert_eq!(run.code, 2);
}

#[test]
fn a_diff_is_coloured_when_asked_for() {
    let place = place();
    let run = place.line("fmt --diff --color always agents/b.symbi");
    let lines: Vec<&str> = run.stdout.lines().collect();
    assert_eq!(
        lines,
        [
            "\x1b[1m--- agents/b.symbi\x1b[0m",
            "\x1b[1m+++ agents/b.symbi\x1b[0m",
            "\x1b[36m@@ -1 +1 @@\x1b[0m",
            "\x1b[31m-agent  greet( name: String ) { }\x1b[0m",
            "\x1b[32m+agent greet(name: String) {}\x1b[0m",
        ]
    );
}

#[test]
fn stdin_becomes_stdout() {
    let place = Place::new();
    for line in ["fmt --stdin", "fmt -", "fmt --stdin -", "fmt -q -"] {
        told(&place.fed(line, MESSY.as_bytes()), NEAT, "", 0);
        told(&place.fed(line, NEAT.as_bytes()), NEAT, "", 0);
    }
    told(&place.fed("fmt -", b""), "", "", 0);
}

#[test]
fn stdin_with_errors_becomes_nothing() {
    let place = Place::new();
    let run = place.fed("fmt --stdin --format short", BROKEN.as_bytes());
    assert!(
        run.stderr.starts_with("<stdin>:1:25: error[S0107]: "),
        "{run:?}"
    );
    assert_eq!((run.stdout.as_str(), run.code), ("", 1));
    let run = place.fed("fmt --stdin --stdin-name agents/x.symbi", BROKEN.as_bytes());
    assert!(run.stderr.contains("agents/x.symbi:1:25"), "{run:?}");
    assert_eq!((run.stdout.as_str(), run.code), ("", 1));
    // Quiet is not silent.
    let run = place.fed("fmt --stdin -q", BROKEN.as_bytes());
    assert!(
        run.stderr.starts_with("<stdin>  FAILED 1:25 S0107 ") && run.stderr.lines().count() == 1,
        "{run:?}"
    );
    let run = place.fed("fmt -q -", b"// \xff\n");
    assert_eq!((run.stdout.as_str(), run.code), ("", 1));
}

#[test]
fn stdin_can_be_checked_and_compared() {
    let place = Place::new();
    let run = place.fed("fmt --stdin --check", MESSY.as_bytes());
    told(&run, "<stdin>  WOULD CHANGE 1:7\n", "", 1);
    let run = place.fed("fmt --check --stdin-name x.symbi -", MESSY.as_bytes());
    told(&run, "x.symbi  WOULD CHANGE 1:7\n", "", 1);
    told(&place.fed("fmt --check -", NEAT.as_bytes()), "", "", 0);
    let run = place.fed("fmt --diff --stdin-name x.symbi -", MESSY.as_bytes());
    told(
        &run,
        &format!("--- x.symbi\n+++ x.symbi\n@@ -1 +1 @@\n-{MESSY}+{NEAT}"),
        "",
        1,
    );
    told(&place.fed("fmt --diff -", NEAT.as_bytes()), "", "", 0);
}

#[test]
fn only_the_lines_that_are_asked_for_change() {
    let one = THREE.replace("agent  c", "agent c");
    for (lines, expected) in [
        ("5-5", one.as_str()),
        ("4-99", &one),
        ("3-5", "agent a {}\n\nagent b {}\n\nagent c {}\n"),
        ("1-2", THREE),
        ("6-9", THREE),
        ("90-99", THREE),
    ] {
        let place = Place::new();
        place.write("x.symbi", THREE);
        let run = place.line(&format!("fmt --lines {lines} x.symbi"));
        assert_eq!((place.text("x.symbi").as_str(), run.code), (expected, 0));
        let run = place.fed(&format!("fmt --stdin --lines {lines}"), THREE.as_bytes());
        told(&run, expected, "", 0);
    }
    let check =
        |lines: &str| Place::new().fed(&format!("fmt --check --lines {lines} -"), THREE.as_bytes());
    told(&check("1-2"), "", "", 0);
    told(&check("4-5"), "<stdin>  WOULD CHANGE 5:7\n", "", 1);
    // Errors are told wherever they are.
    let run = Place::new().fed("fmt -q --lines 90-99 -", BROKEN.as_bytes());
    assert_eq!((run.stdout.as_str(), run.code), ("", 1));
}

#[test]
fn line_ends_and_a_byte_order_mark_stay() {
    let neat = "agent a {\n    capabilities = [read]\n}\n";
    let messy = "agent  a {\ncapabilities : [read]\n\n\n\n}";
    for end in ["\n", "\r\n", "\r"] {
        for mark in ["", "\u{feff}"] {
            let place = Place::new();
            let with = |text: &str| format!("{mark}{}", text.replace('\n', end));
            place.write("x.symbi", with(messy));
            assert_eq!(place.line("fmt x.symbi").code, 0);
            assert_eq!(place.text("x.symbi"), with(neat), "{end:?} {mark:?}");
            let diff = place.fed("fmt --diff -", with(messy).as_bytes());
            assert_eq!(diff.code, 1);
        }
    }
}

/// What the schema has to say against a document.
fn complaints(document: &Value) -> Vec<String> {
    let schema = include_str!("../../docs/schemas/diagnostics-v1.schema.json");
    let schema = serde_json::from_str(schema).unwrap();
    let validator = jsonschema::draft202012::new(&schema).unwrap();
    validator
        .iter_errors(document)
        .map(|error| format!("{}: {error}", error.instance_path()))
        .collect()
}

/// A text with the edits of its first report made in it.
fn mended(text: &str, file: &Value) -> String {
    let mut text = text.to_owned();
    let edits = file["diagnostics"][0]["fix"]["edits"].as_array().unwrap();
    for edit in edits.iter().rev() {
        let at = |end: &str| edit["span"][end]["offset"].as_u64().unwrap() as usize;
        text.replace_range(at("start")..at("end"), edit["text"].as_str().unwrap());
    }
    text
}

#[test]
fn json_holds_the_edits() {
    let place = place();
    let run = place.line("fmt --check --format json agents broken.symbi nope.symbi");
    let json = run.json();
    assert_eq!(complaints(&json), [""; 0]);
    let files: Vec<_> = json["files"]
        .as_array()
        .unwrap()
        .iter()
        .map(|file| {
            let code = &file["diagnostics"][0]["code"];
            let word = |value: &Value| value.as_str().unwrap_or("").to_owned();
            (word(&file["path"]), word(&file["status"]), word(code))
        })
        .collect();
    let owned = |a: &str, b: &str, c: &str| (a.to_owned(), b.to_owned(), c.to_owned());
    assert_eq!(
        files,
        [
            owned("agents/a/neat.symbi", "ok", ""),
            owned("agents/b.symbi", "failed", "F1001"),
            owned("agents/c.dsl", "failed", "F1001"),
            owned("broken.symbi", "failed", "S0107"),
            owned("nope.symbi", "unreadable", ""),
        ]
    );
    assert_eq!(
        (run.stderr.as_str(), run.code),
        ("error: nope.symbi: no such file or folder\n", 2)
    );
    let report = &json["files"][1]["diagnostics"][0];
    assert_eq!(report["span"]["start"]["column"], 7);
    assert_eq!(report["fix"]["applicability"], "machine-applicable");
    assert_eq!(mended(MESSY, &json["files"][1]), NEAT);
    assert_eq!(place.text("agents/b.symbi"), MESSY);
}

#[test]
fn json_tells_what_was_changed() {
    let place = place();
    let run = place.line("fmt --format json agents");
    assert_eq!((run.stderr.as_str(), run.code), ("", 0));
    let json = run.json();
    assert_eq!(complaints(&json), [""; 0]);
    let report = &json["files"][1]["diagnostics"][0];
    assert_eq!(report["message"], "this file was not formatted and is now");
    assert_eq!(
        place.text("agents/b.symbi"),
        mended(MESSY, &json["files"][1])
    );
    let run = place.line("fmt --format json agents");
    assert_eq!(
        (run.json()["summary"]["errors"].as_u64(), run.code),
        (Some(0), 0)
    );
    let run = place.fed("fmt --check --format json -", MESSY.as_bytes());
    assert_eq!(run.json()["files"][0]["path"], "<stdin>");
    assert_eq!(run.code, 1);
}

#[test]
fn nothing_is_written_that_need_not_be() {
    let place = Place::new();
    for text in ["", "\u{feff}", "// only this\n", NEAT] {
        place.write("x.symbi", text);
        let before = std::fs::metadata(place.path("x.symbi")).unwrap();
        told(&place.line("fmt x.symbi"), "", "1 file unchanged\n", 0);
        let after = std::fs::metadata(place.path("x.symbi")).unwrap();
        assert_eq!(place.text("x.symbi"), text);
        assert_eq!(before.modified().unwrap(), after.modified().unwrap());
    }
}

#[test]
fn bytes_that_are_not_utf8_are_left_alone() {
    let place = Place::new();
    let bytes = b"agent  a { }\n// caf\xe9\n";
    place.write("latin.symbi", bytes);
    let run = place.line("fmt -q latin.symbi");
    assert!(
        run.stdout.starts_with("latin.symbi  FAILED 2:7 S0101 "),
        "{run:?}"
    );
    assert_eq!((run.code, place.read("latin.symbi")), (1, bytes.to_vec()));
}

#[test]
fn what_cannot_be_read_is_told() {
    let place = Place::new();
    place
        .write("d/x.symbi/y.symbi", MESSY)
        .write("d/x.symbi/notes.txt", "");
    let run = place.line("fmt nope.symbi d/x.symbi");
    assert_eq!(
        run.lines(),
        [
            "nope.symbi UNREADABLE no such file or folder",
            "d/x.symbi/y.symbi FORMATTED"
        ]
    );
    assert_eq!(
        (run.stderr.as_str(), run.code),
        (
            "error: nope.symbi: no such file or folder\n1 file formatted, 1 unreadable\n",
            2
        )
    );
    let run = place.line("fmt -q d/x.symbi/y.symbi/z.symbi");
    assert_eq!(run.code, 2);
}

#[test]
fn five_megabytes() {
    let unit =
        "agent  greet( name: String ){\ncapabilities :[\"a\",\"b\"]\nwith{return name+\"!\";}}\n";
    let text = unit.repeat((5 << 20) / unit.len() + 1);
    let place = Place::new();
    place.write("large.symbi", &text);
    told(
        &place.line("fmt large.symbi"),
        "large.symbi  FORMATTED\n",
        "1 file formatted\n",
        0,
    );
    let neat = place.text("large.symbi");
    assert_eq!(
        neat.matches("\nagent greet(name: String) {\n").count() + 1,
        text.matches("agent").count()
    );
    told(&place.line("fmt -q --check large.symbi"), "", "", 0);
    // In a file that is laid out anew every line differs.
    let text = unit.repeat(5000);
    let diff = place.fed("fmt --diff -", text.as_bytes());
    assert_eq!(diff.code, 1);
    let gone = diff.stdout.lines().filter(|line| line.starts_with('-'));
    assert_eq!(gone.count(), text.lines().count() + 1);
}

#[test]
fn a_name_cannot_drive_the_terminal() {
    let place = Place::new();
    let run = run(place
        .command()
        .args(["fmt", "--check", "--stdin-name", "a\x1b[2J\nb", "nope"]));
    assert!(!run.stderr.contains('\x1b'), "{run:?}");
    let mut command = place.command();
    command.args(["fmt", "--check", "--stdin", "--stdin-name", "a\x1b[2J\nb"]);
    command.stdin(std::process::Stdio::piped());
    let run = crate::support::run_fed(&mut command, MESSY.as_bytes());
    told(&run, "a\\u{1b}[2J\\nb  WOULD CHANGE 1:7\n", "", 1);
}

//! `symbi dsl --check`: verdicts, reports and their formats.

use crate::support::{GOOD, Place, Run};

/// One error, S0107, after the `1`.
const MISSING: &str = "function f() { let a = 1 }\n";
/// One error, S0133, at its second comma.
const COMMA: &str = "metadata { a = \"x\",, b = \"y\" }\n";
/// One warning, S0161.
const STRAY: &str = "function f() { let a = 1;; }\n";

fn place() -> Place {
    let place = Place::new();
    place
        .write("agents/deploy.symbi", GOOD)
        .write(
            "agents/review.symbi",
            format!("{STRAY}{}", STRAY.replace("f()", "g()")),
        )
        .write("agents/triage.symbi", format!("{COMMA}{MISSING}"))
        .write("x.symbi", STRAY);
    place
}

/// Splits a verdict into name, word and the rest.
fn verdict(line: &str) -> (&str, &str, &str) {
    let (name, rest) = line.split_once("  ").unwrap();
    let rest = rest.trim_start();
    let (word, rest) = rest.split_once(' ').unwrap_or((rest, ""));
    (name, word, rest)
}

#[test]
fn one_line_a_file_in_columns() {
    let run = place().line("dsl --check agents/ x.symbi");
    let lines: Vec<&str> = run.stdout.lines().collect();
    assert_eq!(lines[0], "agents/deploy.symbi  OK");
    assert_eq!(lines[1], "agents/review.symbi  OK (2 warnings)");
    let (name, word, rest) = verdict(lines[2]);
    assert_eq!((name, word), ("agents/triage.symbi", "FAILED"));
    assert!(
        rest.starts_with("1:20 S0133 ") && rest.ends_with(" (and 1 more)"),
        "{rest}"
    );
    assert_eq!(lines[3], "x.symbi              OK (1 warning)");
    assert_eq!((lines.len(), run.code), (4, 1));
}

#[test]
fn warnings_alone_are_fine_unless_denied() {
    let place = place();
    let run = place.line("dsl --check -q x.symbi");
    assert_eq!(
        (run.stdout.as_str(), run.code),
        ("x.symbi  OK (1 warning)\n", 0)
    );
    let run = place.line("dsl --check -q --deny-warnings x.symbi agents/deploy.symbi");
    assert!(
        run.stdout
            .starts_with("x.symbi              FAILED 1:26 S0161 "),
        "{run:?}"
    );
    assert!(run.stdout.ends_with("agents/deploy.symbi  OK\n"), "{run:?}");
    assert_eq!(run.code, 1);
}

#[test]
fn a_long_name_does_not_push_the_others_away() {
    let place = Place::new();
    let long = format!("{}.symbi", "n".repeat(60));
    place.write(&long, GOOD).write("short.symbi", GOOD);
    let run = place.line("dsl --check .");
    assert_eq!(
        run.stdout,
        format!("{long}  OK\n{:40}  OK\n", "short.symbi")
    );
}

#[test]
fn reports_go_to_stderr_with_an_excerpt() {
    let run = place().line("dsl --check agents/triage.symbi");
    assert_eq!(run.stdout.lines().count(), 1);
    for part in [
        "S0133",
        "S0107",
        "agents/triage.symbi:1:20",
        "let a = 1",
        "b = \"y\"",
    ] {
        assert!(run.stderr.contains(part), "{part} in {}", run.stderr);
    }
    assert!(!run.stderr.contains('\x1b'));
}

#[test]
fn quiet_leaves_the_verdicts() {
    let place = place();
    for format in ["human", "short"] {
        let loud = place.line(&format!("dsl --check --format {format} agents x.symbi"));
        let quiet = place.line(&format!("dsl --check --format {format} -q agents x.symbi"));
        assert!(!loud.stderr.is_empty());
        assert_eq!(
            (&quiet.stderr, &quiet.stdout, quiet.code),
            (&String::new(), &loud.stdout, 1)
        );
    }
}

#[test]
fn short_reports_are_one_line_each() {
    let run = place().line("dsl --check --format short agents x.symbi");
    let heads: Vec<&str> = run
        .stderr
        .lines()
        .map(|line| line.split_inclusive("]: ").next().unwrap())
        .collect();
    assert_eq!(heads.len(), 5, "{}", run.stderr);
    assert_eq!(heads[0], "agents/review.symbi:1:26: warning[S0161]: ");
    assert_eq!(heads[1], "agents/review.symbi:2:26: warning[S0161]: ");
    assert_eq!(heads[2], "agents/triage.symbi:1:20: error[S0133]: ");
    assert!(
        heads[3].starts_with("agents/triage.symbi:2:"),
        "{}",
        heads[3]
    );
    assert!(heads[3].ends_with(": error[S0107]: "), "{}", heads[3]);
    assert_eq!(heads[4], "x.symbi:1:26: warning[S0161]: ");
    assert_eq!(run.stdout.lines().count(), 4);
}

#[test]
fn json_is_one_document_and_nothing_else() {
    let place = place();
    let run = place.line("dsl --check --format json agents x.symbi");
    assert_eq!((run.stderr.as_str(), run.code), ("", 1));
    let json = run.json();
    assert_eq!(json["version"], 1);
    assert_eq!(json["tool"]["name"], "symbi");
    let files = json["files"].as_array().unwrap();
    let told: Vec<_> = files
        .iter()
        .map(|file| {
            let word = |key: &str| file[key].as_str().unwrap();
            let codes: Vec<_> = file["diagnostics"]
                .as_array()
                .unwrap()
                .iter()
                .map(|report| report["code"].as_str().unwrap())
                .collect();
            (word("path"), word("status"), codes)
        })
        .collect();
    assert_eq!(
        told,
        [
            ("agents/deploy.symbi", "ok", vec![]),
            ("agents/review.symbi", "warnings", vec!["S0161", "S0161"]),
            ("agents/triage.symbi", "failed", vec!["S0133", "S0107"]),
            ("x.symbi", "warnings", vec!["S0161"]),
        ]
    );
    let start = &files[2]["diagnostics"][0]["span"]["start"];
    assert_eq!((&start["line"], &start["column"]), (&1.into(), &20.into()));
    assert_eq!(place.line("dsl --check --json agents x.symbi"), run);
    assert_eq!(place.line("dsl --check --json -q agents x.symbi"), run);
}

#[test]
fn columns_are_characters() {
    let column = |text: &str| {
        let run = Place::new().symbi(["dsl", "--check", "-q", "-c", text]);
        run.stdout
            .strip_prefix("<inline>  FAILED 1:")
            .unwrap()
            .split(' ')
            .next()
            .unwrap()
            .to_owned()
    };
    let plain = column("function f() { let a = \"abc\" }");
    // One, two, three and four bytes.
    assert_eq!(column("function f() { let a = \"é漢👩\" }"), plain);
    assert_eq!(column("\u{feff}function f() { let a = \"abc\" }"), plain);
}

#[test]
fn texts_and_stdin_have_labels() {
    let place = Place::new();
    let run = place.fed("dsl --check --format short -", MISSING.as_bytes());
    assert_eq!(verdict(run.stdout.trim_end()).0, "<stdin>");
    assert!(run.stderr.starts_with("<stdin>:1:"), "{run:?}");
    assert_eq!(run.code, 1);
    let run = place.symbi([
        "dsl", "--check", "--format", "short", "-c", MISSING, "-c", COMMA,
    ]);
    let names: Vec<_> = run.stdout.lines().map(|line| verdict(line).0).collect();
    assert_eq!(names, ["<inline>", "<inline 2>"]);
    assert!(
        run.stderr.contains("\n<inline 2>:1:20: error[S0133]: "),
        "{run:?}"
    );
    let dashed = place.fed("dsl --check -f -", GOOD.as_bytes());
    assert_eq!(dashed.stdout, "<stdin>  OK\n");
}

#[test]
fn line_ends_change_no_verdict() {
    let place = Place::new();
    let verdict = |text: &str| -> Run { place.symbi(["dsl", "--check", "-q", "-c", text]) };
    let unix = verdict(&format!("{GOOD}{MISSING}"));
    assert!(unix.stdout.starts_with("<inline>  FAILED 2:"), "{unix:?}");
    for end in ["\r\n", "\r"] {
        assert_eq!(
            verdict(&format!("{GOOD}{MISSING}").replace('\n', end)),
            unix,
            "{end:?}"
        );
    }
    assert_eq!(verdict(format!("{GOOD}{MISSING}").trim_end()), unix);
}

#[test]
fn stdout_and_stderr_alternate_in_one_log() {
    // As a CI log shows it: each report under the verdict of its file.
    let place = place();
    let mut shell = place.command_at("sh");
    shell.args([
        "-c",
        "\"$0\" dsl --check --format short x.symbi agents/triage.symbi 2>&1",
    ]);
    let run = crate::support::run(shell.arg(env!("CARGO_BIN_EXE_symbi")));
    let heads: Vec<&str> = run
        .stdout
        .lines()
        .map(|line| line.split([' ', ':']).next().unwrap())
        .collect();
    let triage = "agents/triage.symbi";
    assert_eq!(heads, ["x.symbi", "x.symbi", triage, triage, triage]);
    assert!(run.stdout.starts_with("x.symbi              OK"), "{run:?}");
}

//! Colours, readers that go away, and disks that are full.

use std::process::{Command, Stdio};

use crate::support::{GOOD, Place, code, run};

fn coloured(place: &Place, line: &str, variables: &[(&str, &str)]) -> (bool, bool) {
    let mut command = place.command();
    command
        .args(line.split_whitespace())
        .envs(variables.iter().copied());
    let run = run(&mut command);
    (run.stdout.contains('\x1b'), run.stderr.contains('\x1b'))
}

#[test]
fn colours_are_for_terminals_unless_asked_for() {
    let place = Place::new();
    place.write("x.symbi", GOOD);
    // The verdict on stdout, the unreadable file on stderr.
    let check = "dsl --check x.symbi nope";
    let always = "dsl --check x.symbi nope --color always";
    assert_eq!(coloured(&place, check, &[]), (false, false));
    assert_eq!(
        coloured(&place, check, &[("TERM", "xterm-256color")]),
        (false, false)
    );
    assert_eq!(
        coloured(&place, check, &[("CLICOLOR_FORCE", "1")]),
        (true, true)
    );
    assert_eq!(
        coloured(&place, check, &[("CLICOLOR_FORCE", "0")]),
        (false, false)
    );
    assert_eq!(
        coloured(&place, check, &[("CLICOLOR_FORCE", "1"), ("NO_COLOR", "1")]),
        (false, false)
    );
    assert_eq!(
        coloured(&place, always, &[("NO_COLOR", "1"), ("TERM", "dumb")]),
        (true, true)
    );
    assert_eq!(
        coloured(
            &place,
            "dsl --check x.symbi nope --color=never",
            &[("CLICOLOR_FORCE", "1")]
        ),
        (false, false)
    );
}

#[test]
fn colours_reach_help_usage_errors_pages_and_reports() {
    let place = Place::new();
    place.write("x.symbi", "function f() { let a = 1 }\n");
    assert_eq!(
        coloured(&place, "--help --color always", &[]),
        (true, false)
    );
    assert_eq!(
        coloured(&place, "--color=always dsl --nope", &[]),
        (false, true)
    );
    assert_eq!(
        coloured(&place, "explain S0107 --color always", &[]),
        (true, false)
    );
    assert_eq!(
        coloured(&place, "dsl --check x.symbi --color always", &[]),
        (true, true)
    );
    assert_eq!(
        coloured(
            &place,
            "--help",
            &[("CLICOLOR_FORCE", "1"), ("NO_COLOR", "1")]
        ),
        (false, false)
    );
    // A document has no colours, whatever was asked for.
    assert_eq!(
        coloured(&place, "dsl --check --json x.symbi --color always", &[]),
        (false, false)
    );
}

#[test]
fn padding_does_not_count_escapes() {
    let place = Place::new();
    place.write("a.symbi", GOOD).write("long.symbi", GOOD);
    let run = place.line("dsl --check a.symbi long.symbi --color always");
    assert_eq!(
        run.stdout,
        "a.symbi     \x1b[32mOK\x1b[0m\nlong.symbi  \x1b[32mOK\x1b[0m\n"
    );
}

/// A pipe that nobody reads any more.
fn broken() -> Stdio {
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    writer.into()
}

fn output(command: &mut Command) -> (String, String, i32) {
    let output = command.output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (
        text(output.stdout),
        text(output.stderr),
        code(output.status),
    )
}

#[test]
fn a_reader_that_goes_away_is_not_talked_about() {
    let place = Place::new();
    place
        .write("x.symbi", GOOD)
        .write("y.symbi", "function f() { let a = 1 }\n");
    for line in [
        "--help",
        "--version",
        "explain",
        "explain S0107",
        "completions bash",
        "doc --stdlib",
        "doc --stdlib slice --format html",
        "dsl --check x.symbi",
        "dsl --check x.symbi y.symbi",
        "dsl --check --json x.symbi",
        "dsl --check --format sarif y.symbi",
        "dsl --check --format gitlab y.symbi",
        "dsl --check --format junit x.symbi",
        "dsl --check --format github y.symbi",
        "dsl --tree --tokens --outline x.symbi",
        "dsl --json x.symbi",
        "fmt --check x.symbi",
        "fmt --check --format json x.symbi",
        "fmt --diff x.symbi",
    ] {
        let mut command = place.command();
        let told = output(command.args(line.split_whitespace()).stdout(broken()));
        assert_eq!(told, (String::new(), String::new(), 141), "{line}");
    }
}

#[test]
fn a_reader_of_the_reports_may_go_away_too() {
    let place = Place::new();
    place.write("x.symbi", GOOD);
    let mut command = place.command();
    let told = output(
        command
            .args(["dsl", "--check", "x.symbi", "nope"])
            .stderr(broken()),
    );
    let verdicts = "x.symbi  OK\nnope     UNREADABLE no such file or folder\n";
    assert_eq!(told, (verdicts.to_owned(), String::new(), 141));
    let told = output(place.command().args(["dsl", "--nope"]).stderr(broken()));
    assert_eq!(told, (String::new(), String::new(), 141));
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_told_and_fails() {
    let place = Place::new();
    place.write("x.symbi", GOOD);
    for line in [
        "--help",
        "explain",
        "doc --stdlib",
        "dsl --check x.symbi",
        "dsl --check --json x.symbi",
        "dsl --check --format sarif x.symbi",
        "dsl --check --format junit x.symbi",
        "fmt --check x.symbi",
        "fmt --diff x.symbi",
    ] {
        let full = std::fs::OpenOptions::new()
            .write(true)
            .open("/dev/full")
            .unwrap();
        let mut command = place.command();
        let told = output(command.args(line.split_whitespace()).stdout(full));
        let error = "error: cannot write the output: no space is left\n";
        assert_eq!(told, (String::new(), error.to_owned(), 2), "{line}");
    }
}

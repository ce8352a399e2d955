//! What cannot be read: one clear line each, exit code 2, nothing hangs, and
//! whatever else was named is checked all the same.

use std::ffi::OsStr;
use std::fs::{self, File};
use std::process::Stdio;

use crate::support::{GOOD, Place, Run, run};

/// One byte more than the language allows.
const TOO_LARGE: u64 = (64 << 20) + 1;

/// Checks good.symbi and `args`, of which nothing but `name` can be read.
#[track_caller]
fn refused<A: AsRef<OsStr>>(place: &Place, args: &[A], name: &str, reason: &str) {
    place.write("good.symbi", GOOD);
    let mut command = place.command();
    command
        .args(["dsl", "--check"])
        .args(args)
        .arg("good.symbi");
    told(&run(&mut command), name, reason);
}

#[track_caller]
fn told(run: &Run, name: &str, reason: &str) {
    let width = name.chars().count().max("good.symbi".len()).min(40);
    let stdout = format!(
        "{name:width$}  UNREADABLE {reason}\n{:width$}  OK\n",
        "good.symbi"
    );
    let expected = Run {
        stdout,
        stderr: format!("error: {name}: {reason}\n"),
        code: 2,
    };
    assert_eq!(run, &expected);
}

fn sparse(place: &Place, name: &str, size: u64) {
    File::create(place.path(name))
        .unwrap()
        .set_len(size)
        .unwrap();
}

#[test]
fn a_missing_file() {
    refused(
        &Place::new(),
        &["nope.symbi"],
        "nope.symbi",
        "no such file or folder",
    );
    refused(
        &Place::new(),
        &["-f", "nope"],
        "nope",
        "no such file or folder",
    );
}

#[test]
fn a_folder_where_a_file_is_meant() {
    let place = Place::new();
    place.write("agents/x.symbi", GOOD);
    let reason = "this is a folder; write it without -f to check what is in it";
    refused(&place, &["-f", "agents"], "agents", reason);
}

#[test]
fn a_folder_without_source_files() {
    let place = Place::new();
    place.write("docs/notes.txt", "");
    let reason = "no .symbi or .dsl file in this folder (hidden and ignored ones do not count)";
    refused(&place, &["docs"], "docs", reason);
}

#[test]
fn a_file_in_the_place_of_a_folder() {
    let place = Place::new();
    let reason = "a part of this path is not a folder";
    refused(
        &place,
        &["good.symbi/x.symbi"],
        "good.symbi/x.symbi",
        reason,
    );
}

#[test]
fn a_name_that_is_too_long() {
    let name = "n".repeat(300);
    refused(
        &Place::new(),
        &[&name],
        &name,
        "the name is too long or not one the system allows",
    );
}

#[test]
fn a_file_over_the_limit() {
    let place = Place::new();
    let reason = "larger than 64 MiB, the most a source file may hold";
    sparse(&place, "large.symbi", TOO_LARGE);
    refused(&place, &["large.symbi"], "large.symbi", reason);
    // A size the machine does not have.
    sparse(&place, "huge.symbi", 1 << 40);
    refused(&place, &["huge.symbi"], "huge.symbi", reason);
}

#[test]
fn stdin_over_the_limit() {
    let place = Place::new();
    place.write("good.symbi", GOOD);
    sparse(&place, "large", TOO_LARGE);
    let stdin = File::open(place.path("large")).unwrap();
    let mut command = place.command();
    command
        .args(["dsl", "--check", "-", "good.symbi"])
        .stdin(stdin);
    told(
        &run(&mut command),
        "<stdin>",
        "larger than 64 MiB, the most a source file may hold",
    );
}

#[test]
fn an_empty_file_is_an_empty_program() {
    let place = Place::new();
    let run = place
        .write("empty.symbi", "")
        .line("dsl --check empty.symbi");
    assert_eq!((run.stdout.as_str(), run.code), ("empty.symbi  OK\n", 0));
    let run = place.symbi(["dsl", "--check", "-c", "", "-"]);
    assert_eq!(
        (run.lines(), run.code),
        (vec!["<inline> OK".into(), "<stdin> OK".into()], 0)
    );
}

#[test]
fn bytes_that_are_not_utf8() {
    let place = Place::new();
    place
        .write("latin.symbi", b"agent greet { }\n// caf\xe9\n")
        .write("good.symbi", GOOD);
    let run = place.line("dsl --check latin.symbi good.symbi");
    assert!(
        run.stdout.starts_with("latin.symbi  FAILED 2:7 S0101 "),
        "{run:?}"
    );
    assert!(run.stdout.ends_with("\ngood.symbi   OK\n"), "{run:?}");
    assert_eq!(run.code, 1);
}

#[test]
fn a_zero_byte() {
    let place = Place::new();
    place
        .write("zero.symbi", "agent greet { }\n\0\n")
        .write("good.symbi", GOOD);
    let run = place.line("dsl --check zero.symbi good.symbi");
    assert!(
        run.stdout.starts_with("zero.symbi  FAILED 2:1 S0102 "),
        "{run:?}"
    );
    assert!(
        !run.stdout.contains('\0') && !run.stderr.contains('\0'),
        "{run:?}"
    );
    assert_eq!((run.stdout.lines().count(), run.code), (2, 1));
}

#[test]
fn io_wins_over_errors_in_the_source() {
    let place = Place::new();
    place.write("bad.symbi", "function f() { let a = 1 }");
    let run = place.line("dsl --check -q bad.symbi nope.symbi");
    assert!(
        run.stdout.contains("FAILED") && run.stdout.contains("UNREADABLE"),
        "{run:?}"
    );
    assert_eq!(
        (run.stderr.as_str(), run.code),
        ("error: nope.symbi: no such file or folder\n", 2)
    );
}

#[test]
fn a_document_holds_what_could_not_be_read() {
    let place = Place::new();
    place.write("good.symbi", GOOD);
    let run = place.line("dsl --check --format json nope.symbi good.symbi");
    let json = run.json();
    assert_eq!(json["files"][0]["path"], "nope.symbi");
    assert_eq!(json["files"][0]["status"], "unreadable");
    assert_eq!(json["files"][0]["error"], "no such file or folder");
    assert_eq!(json["files"][1]["status"], "ok");
    assert_eq!(json["summary"]["unreadable"], 1);
    assert_eq!(run.code, 2);
}

#[test]
fn what_cannot_be_read_cannot_be_shown_either() {
    let place = Place::new();
    place.write("good.symbi", GOOD);
    let run = place.line("dsl --outline nope.symbi good.symbi");
    assert_eq!(run.stderr, "error: nope.symbi: no such file or folder\n");
    assert!(run.stdout.starts_with("outline of good.symbi\n"), "{run:?}");
    assert_eq!(run.code, 2);
    let run = place.line("dsl --outline --json nope.symbi good.symbi");
    assert_eq!(
        run.json()["sources"][0],
        serde_json::json!({"path": "nope.symbi", "error": "no such file or folder"})
    );
    assert_eq!(run.code, 2);
}

#[cfg(unix)]
mod unix {
    use super::*;
    use std::os::unix::ffi::OsStrExt;
    use std::os::unix::fs::PermissionsExt;

    #[test]
    fn a_pipe_is_refused_without_waiting_for_a_writer() {
        let reason = "this is a pipe, not a file; write `-` and send the text to stdin";
        let place = Place::new();
        place.folder("in").pipe("in/pipe.symbi");
        refused(&place, &["-f", "in/pipe.symbi"], "in/pipe.symbi", reason);
        refused(&place, &["in"], "in/pipe.symbi", reason);
    }

    #[test]
    fn devices_and_sockets_are_refused() {
        let reason = "this is a device or a socket, not a file";
        let place = Place::new();
        refused(&place, &["/dev/zero"], "/dev/zero", reason);
        refused(&place, &["-f", "/dev/null"], "/dev/null", reason);
        let _socket = std::os::unix::net::UnixListener::bind(place.path("s.symbi")).unwrap();
        refused(&place, &["s.symbi"], "s.symbi", reason);
    }

    #[test]
    fn a_folder_as_stdin() {
        let place = Place::new();
        place.write("good.symbi", GOOD);
        let mut command = place.command();
        command.args(["dsl", "--check", "-", "good.symbi"]);
        command.stdin(File::open(place.path(".")).unwrap());
        let reason = "this is a folder; name it as an argument instead";
        told(&run(&mut command), "<stdin>", reason);
    }

    #[test]
    fn a_link_that_leads_nowhere() {
        let place = Place::new();
        place
            .folder("in")
            .link("gone", "in/dead.symbi")
            .link("gone", "in/dead.txt");
        let reason = "this symbolic link leads nowhere";
        refused(&place, &["in/dead.symbi"], "in/dead.symbi", reason);
        refused(&place, &["in"], "in/dead.symbi", reason);
        // By three ways, told once.
        refused(
            &place,
            &["in/dead.symbi", "in", "in/../in/dead.symbi"],
            "in/dead.symbi",
            reason,
        );
    }

    #[test]
    fn links_that_lead_round_in_a_circle() {
        let place = Place::new();
        place
            .folder("in")
            .link("b", "in/a.symbi")
            .link("a.symbi", "in/b");
        let reason = "its symbolic links lead round in a circle";
        refused(&place, &["in/a.symbi"], "in/a.symbi", reason);
        refused(&place, &["in"], "in/a.symbi", reason);
    }

    #[test]
    fn a_path_that_is_not_utf8_is_checked_and_printed_escaped() {
        let place = Place::new();
        let name = OsStr::from_bytes(b"in/caf\xe9.symbi");
        place.write(name, GOOD);
        for argument in [name, OsStr::new("in")] {
            let run = place.symbi([OsStr::new("dsl"), OsStr::new("--check"), argument]);
            assert_eq!(
                (run.stdout.as_str(), run.code),
                ("in/caf\\xe9.symbi  OK\n", 0)
            );
        }
        refused(
            &place,
            &[OsStr::from_bytes(b"caf\xe9")],
            "caf\\xe9",
            "no such file or folder",
        );
    }

    #[test]
    fn a_name_cannot_drive_the_terminal_or_forge_a_line() {
        let place = Place::new();
        place.write("in/a\nb.symbi  OK\x1b[2J.symbi", GOOD);
        let run = place.line("dsl --check in");
        assert_eq!(run.stdout, "in/a\\nb.symbi  OK\\u{1b}[2J.symbi  OK\n");
        // Programs get the name as it is.
        let json = place.line("dsl --check --format json in").json();
        assert_eq!(json["files"][0]["path"], "in/a\nb.symbi  OK\x1b[2J.symbi");
        refused(
            &place,
            &["x\x1b]0;y\x07"],
            "x\\u{1b}]0;y\\u{7}",
            "no such file or folder",
        );
    }

    #[test]
    fn a_text_argument_that_is_not_utf8() {
        let place = Place::new();
        let text = OsStr::from_bytes(b"// \xff");
        let run = place.symbi([
            OsStr::new("dsl"),
            OsStr::new("--check"),
            OsStr::new("-c"),
            text,
        ]);
        assert!(
            run.stdout.starts_with("<inline>  FAILED 1:4 S0101 "),
            "{run:?}"
        );
        assert_eq!(run.code, 1);
    }

    fn forbid(place: &Place, name: &str) {
        fs::set_permissions(place.path(name), fs::Permissions::from_mode(0o000)).unwrap();
    }

    #[test]
    fn a_file_that_may_not_be_read() {
        let place = Place::new();
        place.write("secret.symbi", GOOD).write("good.symbi", GOOD);
        forbid(&place, "secret.symbi");
        let mut command = place.as_nobody();
        command.args(["dsl", "--check", "secret.symbi", "good.symbi"]);
        told(&run(&mut command), "secret.symbi", "permission denied");
    }

    #[test]
    fn a_folder_that_may_not_be_read() {
        let place = Place::new();
        place
            .write("in/closed/x.symbi", GOOD)
            .write("in/open.symbi", GOOD);
        forbid(&place, "in/closed");
        let mut command = place.as_nobody();
        command.args(["dsl", "--check", "in"]);
        let run = run(&mut command);
        assert_eq!(
            run.lines(),
            ["in/closed UNREADABLE permission denied", "in/open.symbi OK"]
        );
        assert_eq!(
            (run.stderr.as_str(), run.code),
            ("error: in/closed: permission denied\n", 2)
        );
        // So that it can be removed again.
        fs::set_permissions(place.path("in/closed"), fs::Permissions::from_mode(0o755)).unwrap();
    }

    #[test]
    fn closed_standard_streams_are_survived() {
        let place = Place::new();
        place.write("good.symbi", GOOD);
        let mut shell = place.command_at("sh");
        shell.args(["-c", "\"$0\" dsl --check good.symbi - 0<&- 2>&-"]);
        let run = run(shell.arg(env!("CARGO_BIN_EXE_symbi")).stdin(Stdio::null()));
        assert_eq!(run.lines(), ["good.symbi OK", "<stdin> OK"]);
        assert_eq!(run.code, 0);
    }
}

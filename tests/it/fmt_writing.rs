//! `symbi fmt`: what becomes of the files it writes, and of those it cannot
//! write. Whatever happens, a file is whole, and nothing is left beside it.

use std::fs::{self, Permissions};
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::process::{Command, Stdio};

use crate::support::{Place, Run, code, run};

const MESSY: &str = "agent  greet( name: String ) { }\n";
const NEAT: &str = "agent greet(name: String) {}\n";

fn chmod(place: &Place, name: &str, mode: u32) {
    fs::set_permissions(place.path(name), Permissions::from_mode(mode)).unwrap();
}

fn is_root(place: &Place) -> bool {
    fs::metadata(place.path(".")).unwrap().uid() == 0
}

/// The run wrote nothing to x.symbi, for this reason.
#[track_caller]
fn kept(run: &Run, reason: &str) {
    let expected = Run {
        stdout: format!("x.symbi  UNWRITABLE {reason}\n"),
        stderr: format!("error: x.symbi: not written: {reason}\n1 file not written\n"),
        code: 2,
    };
    assert_eq!(run, &expected);
}

fn fmt(mut command: Command) -> Run {
    run(command.args(["fmt", "x.symbi"]))
}

#[test]
fn permissions_are_kept() {
    for mode in [0o644, 0o755, 0o600, 0o666, 0o640, 0o4755] {
        let place = Place::new();
        place.write("x.symbi", MESSY);
        chmod(&place, "x.symbi", mode);
        assert_eq!(fmt(place.command()).code, 0);
        let metadata = fs::metadata(place.path("x.symbi")).unwrap();
        assert_eq!(metadata.mode() & 0o7777, mode);
        assert_eq!(place.text("x.symbi"), NEAT);
    }
}

#[test]
fn the_owner_is_kept() {
    let place = Place::new();
    place.write("x.symbi", MESSY);
    let own = fs::metadata(place.path("x.symbi")).unwrap();
    // Only root can give files away; others keep what is theirs.
    let (user, group) = if is_root(&place) {
        (65534, 65533)
    } else {
        (own.uid(), own.gid())
    };
    std::os::unix::fs::chown(place.path("x.symbi"), Some(user), Some(group)).unwrap();
    chmod(&place, "x.symbi", 0o4750);
    assert_eq!(fmt(place.command()).code, 0);
    let now = fs::metadata(place.path("x.symbi")).unwrap();
    assert_eq!(
        (now.uid(), now.gid(), now.mode() & 0o7777),
        (user, group, 0o4750)
    );
    assert_eq!(place.text("x.symbi"), NEAT);
}

#[test]
fn a_read_only_file_is_kept_by_everybody() {
    let place = Place::new();
    place.write("x.symbi", MESSY);
    chmod(&place, "x.symbi", 0o444);
    chmod(&place, ".", 0o777);
    kept(&fmt(place.command()), "it is read-only");
    kept(&fmt(place.as_nobody()), "it is read-only");
    assert_eq!(place.text("x.symbi"), MESSY);
    // To look is allowed.
    let run = place.line("fmt --check -q x.symbi");
    assert_eq!(run.stdout, "x.symbi  WOULD CHANGE 1:7\n");
    // And what is formatted need not be written.
    chmod(&place, "x.symbi", 0o644);
    place.write("x.symbi", NEAT);
    chmod(&place, "x.symbi", 0o444);
    assert_eq!(place.line("fmt -q x.symbi").code, 0);
}

#[test]
fn a_file_in_a_read_only_folder_is_kept_by_everybody() {
    let place = Place::new();
    place.write("f/x.symbi", MESSY);
    chmod(&place, "f/x.symbi", 0o666);
    chmod(&place, "f", 0o555);
    for mut command in [place.command(), place.as_nobody()] {
        command.current_dir(place.path("f"));
        kept(&fmt(command), "its folder is read-only");
    }
    assert_eq!(place.text("f/x.symbi"), MESSY);
    assert_eq!(place.names("f"), ["x.symbi"]);
    chmod(&place, "f", 0o755);
}

#[test]
fn what_belongs_to_somebody_else_is_kept() {
    let place = Place::new();
    place.write("f/x.symbi", MESSY).folder("f");
    if !is_root(&place) {
        // Nothing here belongs to anybody else.
        return;
    }
    let attempt = |file: u32, folder: u32| {
        chmod(&place, "f/x.symbi", file);
        chmod(&place, "f", folder);
        let mut command = place.as_nobody();
        command.current_dir(place.path("f"));
        fmt(command)
    };
    kept(&attempt(0o644, 0o777), "permission denied");
    kept(
        &attempt(0o666, 0o755),
        "no file can be made in its folder: permission denied",
    );
    kept(
        &attempt(0o666, 0o777),
        "a new file cannot be given its owner and permissions",
    );
    assert_eq!(place.text("f/x.symbi"), MESSY);
    assert_eq!(place.names("f"), ["x.symbi"]);
}

#[test]
fn a_document_says_what_was_not_written() {
    let place = Place::new();
    place.write("x.symbi", MESSY);
    chmod(&place, "x.symbi", 0o444);
    let run = place.line("fmt --format json x.symbi");
    let json = run.json();
    let file = &json["files"][0];
    assert_eq!(
        (file["status"].as_str(), file["error"].as_str()),
        (Some("failed"), None)
    );
    assert_eq!(
        file["diagnostics"][0]["message"],
        "this file is not formatted, and it was not written: it is read-only"
    );
    assert_eq!(
        (run.stderr.as_str(), run.code),
        ("error: x.symbi: not written: it is read-only\n", 2)
    );
}

#[test]
fn a_symbolic_link_stays_one() {
    let place = Place::new();
    place
        .write("real/text", MESSY)
        .folder("in")
        .link("../real/text", "in/x.symbi")
        .link("in/x.symbi", "twice.symbi");
    let run = place.line("fmt -q in");
    assert_eq!(
        (run.stdout.as_str(), run.code),
        ("in/x.symbi  FORMATTED\n", 0)
    );
    assert_eq!(
        fs::read_link(place.path("in/x.symbi")).unwrap(),
        std::path::Path::new("../real/text")
    );
    assert_eq!(place.text("real/text"), NEAT);
    place.write("real/text", MESSY);
    assert_eq!(place.line("fmt -q twice.symbi").code, 0);
    assert_eq!(place.text("real/text"), NEAT);
    assert_eq!(place.names("in"), ["x.symbi"]);
    assert_eq!(place.names("real"), ["text"]);
}

#[test]
fn links_that_lead_nowhere_or_round_in_a_circle() {
    let place = Place::new();
    place
        .link("b", "a.symbi")
        .link("a.symbi", "b")
        .link("gone", "dead.symbi");
    let run = place.line("fmt -q a.symbi dead.symbi");
    assert_eq!(
        run.lines(),
        [
            "a.symbi UNREADABLE its symbolic links lead round in a circle",
            "dead.symbi UNREADABLE this symbolic link leads nowhere",
        ]
    );
    assert_eq!(run.code, 2);
    assert!(place.path("a.symbi").is_symlink());
}

#[test]
fn a_hard_link_keeps_its_names() {
    let place = Place::new();
    place.write("x.symbi", MESSY);
    fs::hard_link(place.path("x.symbi"), place.path("y")).unwrap();
    let reason = "it has 2 names (hard links), and a new file would have only one; \
                  to keep them, run `symbi fmt --stdin < FILE > NEW && cat NEW > FILE`";
    kept(&fmt(place.command()), reason);
    assert_eq!(place.text("x.symbi"), MESSY);
    assert_eq!(fs::metadata(place.path("y")).unwrap().nlink(), 2);
    // What it says to do works.
    let mut shell = place.command_at("sh");
    shell.args([
        "-c",
        "\"$0\" fmt --stdin < x.symbi > new && cat new > x.symbi",
    ]);
    assert_eq!(run(shell.arg(env!("CARGO_BIN_EXE_symbi"))).code, 0);
    assert_eq!(place.text("y"), NEAT);
    assert_eq!(fs::metadata(place.path("y")).unwrap().nlink(), 2);
}

#[test]
fn a_file_that_may_not_be_read() {
    let place = Place::new();
    place.write("x.symbi", MESSY);
    chmod(&place, "x.symbi", 0o000);
    let run = fmt(place.as_nobody());
    assert_eq!(run.stdout, "x.symbi  UNREADABLE permission denied\n");
    assert_eq!(run.code, 2);
}

#[test]
fn devices_and_pipes_are_not_written() {
    let place = Place::new();
    place.pipe("pipe.symbi");
    let run = place.line("fmt -q pipe.symbi /dev/null");
    assert_eq!(
        run.lines(),
        [
            "pipe.symbi UNREADABLE this is a pipe, not a file; write `-` and send the text to stdin",
            "/dev/null UNREADABLE this is a device or a socket, not a file",
        ]
    );
    assert_eq!(run.code, 2);
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_leaves_the_file_as_it_was() {
    let place = Place::new();
    place.folder("disk").write("x.symbi", MESSY.repeat(200));
    // A disk of our own that only this process and its children see. Nothing is
    // left of it when they end.
    let script = "mount -t tmpfs -o size=64k tmpfs disk || exit 99
        cp x.symbi disk && cd disk
        dd if=/dev/zero of=rest bs=4096 2>/dev/null
        \"$0\" fmt x.symbi; echo \"code $?\"
        cmp x.symbi ../x.symbi && ls -A
        rm rest
        \"$0\" fmt -q x.symbi; echo \"code $?\"; ls -A";
    let mut command = place.command_at("unshare");
    command.arg("--mount");
    if !is_root(&place) {
        command.arg("--map-root-user");
    }
    let run = run(command
        .args(["sh", "-c", script])
        .arg(env!("CARGO_BIN_EXE_symbi")));
    assert_ne!(run.code, 99, "no file system can be mounted here: {run:?}");
    assert_eq!(
        run.lines(),
        [
            "x.symbi UNWRITABLE no space is left",
            "code 2",
            "rest",
            "x.symbi",
            "x.symbi FORMATTED",
            "code 0",
            "x.symbi"
        ],
        "{run:?}"
    );
    assert_eq!(
        run.stderr,
        "error: x.symbi: not written: no space is left\n1 file not written\n"
    );
}

#[test]
fn several_at_once_leave_every_file_whole_and_formatted() {
    let place = Place::new();
    let names: Vec<String> = (0..300).map(|n| format!("{n:03}.symbi")).collect();
    for name in &names {
        place.write(format!("in/{name}"), MESSY);
    }
    let running: Vec<_> = (0..4)
        .map(|_| {
            let mut command = place.command();
            command
                .args(["fmt", "-q", "in"])
                .stdout(Stdio::null())
                .stderr(Stdio::piped());
            command.spawn().unwrap()
        })
        .collect();
    for child in running {
        let output = child.wait_with_output().unwrap();
        let errors = String::from_utf8(output.stderr).unwrap();
        assert_eq!((errors.as_str(), code(output.status)), ("", 0));
    }
    assert_eq!(place.names("in"), names);
    for name in &names {
        assert_eq!(place.text(format!("in/{name}")), NEAT);
    }
}

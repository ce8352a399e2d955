//! `dsl --check --watch`: the binary runs, files change, and it says so. No
//! test sleeps: each waits for the lines it expects, with an end to its
//! patience.

use std::fs;
use std::io::{BufRead, BufReader};
use std::process::{Child, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::{Duration, Instant};

use crate::support::Place;

const GOOD: &str = "function f() {}\n";
const BAD: &str = "function f() { let a = 1 }\n";
const WORSE: &str = "function f() { return missing; }\nagent {}\n";

/// Far more than any round takes.
const PATIENCE: Duration = Duration::from_secs(60);

/// A check that goes on.
struct Watched<'p> {
    place: &'p Place,
    arguments: Vec<String>,
    child: Child,
    lines: Receiver<String>,
}

impl Drop for Watched<'_> {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl<'p> Watched<'p> {
    fn new(place: &'p Place, arguments: &str) -> Self {
        let mut command = place.command();
        command
            .args(["dsl", "--check", "--watch", "-q"])
            .args(arguments.split_whitespace())
            .stdout(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let stdout = BufReader::new(child.stdout.take().unwrap());
        let (sender, lines) = channel();
        thread::spawn(move || {
            for line in stdout.lines() {
                let words: Vec<String> = line
                    .unwrap()
                    .split_whitespace()
                    .map(str::to_owned)
                    .collect();
                if sender.send(words.join(" ")).is_err() {
                    return;
                }
            }
        });
        let arguments = arguments.split_whitespace().map(str::to_owned).collect();
        Watched {
            place,
            arguments,
            child,
            lines,
        }
    }

    /// The lines up to the one that ends a round.
    fn round(&self, deadline: Instant, seen: &[String]) -> Vec<String> {
        let mut round = Vec::new();
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            let Ok(line) = self.lines.recv_timeout(left) else {
                panic!("nothing more after {seen:#?} and {round:#?}");
            };
            round.push(line);
            if round.last().unwrap().starts_with("checked ") {
                return round;
            }
        }
    }

    /// Waits for a round that holds all these lines, and then for the verdicts
    /// to be those of a fresh check.
    #[track_caller]
    fn sees(&self, expected: &[&str]) {
        let deadline = Instant::now() + PATIENCE;
        let mut seen: Vec<String> = Vec::new();
        let mut missing: Vec<&str> = expected.to_vec();
        while !missing.is_empty() {
            let round = self.round(deadline, &seen);
            missing.retain(|line| !round.iter().any(|seen| seen.starts_with(line)));
            seen.extend(round);
        }
    }

    /// Applies the lines of rounds to the verdicts that were known, until they
    /// are those of a fresh check.
    #[track_caller]
    fn settles(&self, known: &mut Vec<String>) {
        let deadline = Instant::now() + PATIENCE;
        let mut arguments = vec!["dsl", "--check", "-q"];
        arguments.extend(self.arguments.iter().map(String::as_str));
        let mut fresh = self.place.symbi(&arguments).lines();
        fresh.sort();
        while *known != fresh {
            for line in self.round(deadline, known) {
                let Some((name, verdict)) = line.split_once(' ') else {
                    continue;
                };
                if name == "checked" {
                    continue;
                }
                known.retain(|known| known.split(' ').next() != Some(name));
                if verdict != "GONE" {
                    known.push(line);
                }
            }
            known.sort();
        }
    }
}

/// Writes a file as editors do: whole, under another name, then renamed.
fn save(place: &Place, name: &str, text: &str) {
    let temporary = format!("{name}.tmp");
    place.write(&temporary, text);
    fs::rename(place.path(&temporary), place.path(name)).unwrap();
}

#[test]
fn a_file_is_seen_however_it_is_saved() {
    let place = Place::new();
    place.write("a/x.symbi", GOOD).write("a/y.symbi", GOOD);
    let watched = Watched::new(&place, "a");
    watched.sees(&["a/x.symbi OK", "a/y.symbi OK", "checked 2 files: all fine"]);
    // Written in place.
    place.write("a/x.symbi", BAD);
    watched.sees(&["a/x.symbi FAILED 1:25 S0107", "checked 2 files: 1 failed"]);
    // Under another name, then renamed.
    save(&place, "a/x.symbi", GOOD);
    watched.sees(&["a/x.symbi OK", "checked 2 files: all fine"]);
    save(&place, "a/x.symbi", WORSE);
    watched.sees(&["a/x.symbi FAILED 2:"]);
    // Deleted, and made again.
    fs::remove_file(place.path("a/x.symbi")).unwrap();
    watched.sees(&["a/x.symbi GONE", "checked 1 file: all fine"]);
    place.write("a/x.symbi", BAD);
    watched.sees(&["a/x.symbi FAILED 1:25", "checked 2 files: 1 failed"]);
    // The old one put aside, as some editors do.
    fs::rename(place.path("a/x.symbi"), place.path("a/x.symbi~")).unwrap();
    place.write("a/x.symbi", GOOD);
    watched.sees(&["a/x.symbi OK", "checked 2 files: all fine"]);
    // New ones, also in folders that are new.
    place.write("a/b/c/new.symbi", BAD);
    watched.sees(&["a/b/c/new.symbi FAILED", "checked 3 files: 1 failed"]);
    save(&place, "a/b/c/new.symbi", GOOD);
    watched.sees(&["a/b/c/new.symbi OK", "checked 3 files: all fine"]);
}

#[test]
fn folders_go_and_come_back() {
    let place = Place::new();
    place.write("a/b/x.symbi", GOOD);
    let watched = Watched::new(&place, "a");
    watched.sees(&["a/b/x.symbi OK"]);
    // The folder that is named.
    for _ in 0..2 {
        fs::rename(place.path("a"), place.path("elsewhere")).unwrap();
        watched.sees(&["a/b/x.symbi GONE", "a UNREADABLE no such file or folder"]);
        // What happens there now is nobody's business, until it comes back.
        place.write("elsewhere/b/x.symbi", BAD);
        fs::rename(place.path("elsewhere"), place.path("a")).unwrap();
        watched.sees(&["a GONE", "a/b/x.symbi FAILED 1:25"]);
        save(&place, "a/b/x.symbi", GOOD);
        watched.sees(&["a/b/x.symbi OK"]);
    }
    // One within it.
    fs::rename(place.path("a/b"), place.path("a/c")).unwrap();
    watched.sees(&["a/b/x.symbi GONE", "a/c/x.symbi OK"]);
    place.write("a/c/x.symbi", BAD);
    watched.sees(&["a/c/x.symbi FAILED"]);
    // All of it, with a new one in its place.
    fs::remove_dir_all(place.path("a")).unwrap();
    watched.sees(&["a UNREADABLE"]);
    place.write("a/z.symbi", GOOD);
    watched.sees(&["a/z.symbi OK", "checked 1 file: all fine"]);
    place.write("a/z.symbi", BAD);
    watched.sees(&["a/z.symbi FAILED"]);
}

#[test]
fn a_file_that_is_named_may_come_later() {
    let place = Place::new();
    place.folder("a");
    let watched = Watched::new(&place, "a/b/notes.txt");
    watched.sees(&["a/b/notes.txt UNREADABLE no such file or folder"]);
    place.write("a/b/notes.txt", BAD);
    watched.sees(&["a/b/notes.txt FAILED"]);
    save(&place, "a/b/notes.txt", GOOD);
    watched.sees(&["a/b/notes.txt OK"]);
}

#[test]
fn what_stands_beside_the_sources_counts() {
    let place = Place::new();
    place
        .write("p/symbiont.toml", "")
        .write("p/x.symbi", "metadata { pattern = \"\\d\" }\n")
        .write("p/out/y.symbi", BAD);
    let watched = Watched::new(&place, "p");
    watched.sees(&["p/x.symbi OK (1 warning)", "p/out/y.symbi FAILED"]);
    place.write("p/.gitignore", "out/\n");
    watched.sees(&["p/out/y.symbi GONE"]);
    save(&place, "p/symbiont.toml", "[check]\nhints = maybe\n");
    watched.sees(&["p/symbiont.toml FAILED"]);
    save(&place, "p/symbiont.toml", "[check]\nS0106 = \"off\"\n");
    watched.sees(&[
        "p/symbiont.toml GONE",
        "p/x.symbi OK",
        "checked 1 file: all fine",
    ]);
    fs::remove_file(place.path("p/symbiont.toml")).unwrap();
    watched.sees(&["p/x.symbi OK (1 warning)"]);
    place.write("p/symbiont.toml", "");
    // A tool: its folder is new, and ignored, and read all the same.
    place.write("p/.gitignore", "out/\ntools/\n");
    place.write("p/x.symbi", "function f() { send_mail(1); }\n");
    watched.sees(&["p/x.symbi OK (1 warning)"]);
    let tool = "[tool]\nname = \"send_mail\"\n[args.to]\nposition = 1\ntype = \"string\"\n";
    place.write("p/tools/send.clad.toml", tool);
    watched.sees(&["p/x.symbi FAILED 1:26 T0"]);
    fs::remove_dir_all(place.path("p/tools")).unwrap();
    watched.sees(&["p/x.symbi OK (1 warning)"]);
    // A project that ends where it began.
    fs::remove_file(place.path("p/symbiont.toml")).unwrap();
    place.write("p/x.symbi", GOOD);
    watched.sees(&["p/x.symbi OK"]);
}

#[test]
fn a_file_of_the_project_that_nobody_asked_about_counts() {
    let place = Place::new();
    place
        .write("p/symbiont.toml", "")
        .write("p/agents/a.symbi", "agent reporter {}\n")
        .write(
            "p/plans/x.symbi",
            "schedule s { cron: \"0 9 * * *\" agent: \"reporter\" }\n",
        );
    let watched = Watched::new(&place, "p/plans/x.symbi");
    watched.sees(&["p/plans/x.symbi OK", "checked 1 file: all fine"]);
    save(&place, "p/agents/a.symbi", "agent other {}\n");
    watched.sees(&["p/plans/x.symbi OK (1 warning)"]);
    fs::remove_dir_all(place.path("p/agents")).unwrap();
    place.write("p/agents/b.symbi", "agent reporter {}\n");
    watched.sees(&["checked 1 file: all fine"]);
}

#[test]
fn a_burst_settles_to_the_verdict_of_what_was_written_last() {
    let place = Place::new();
    for n in 0..5 {
        place.write(format!("a/f{n}.symbi"), GOOD);
    }
    let watched = Watched::new(&place, "a");
    let mut known = Vec::new();
    watched.settles(&mut known);
    for last in [BAD, GOOD, WORSE] {
        for n in 0..200 {
            let text = [GOOD, BAD, WORSE][n % 3];
            let name = format!("a/f{}.symbi", n % 5);
            match n % 2 {
                0 => save(&place, &name, text),
                _ => {
                    place.write(&name, text);
                }
            }
        }
        for n in 0..4 {
            save(&place, &format!("a/f{n}.symbi"), last);
        }
        fs::remove_file(place.path("a/f4.symbi")).unwrap();
        watched.settles(&mut known);
        assert_eq!(known.len(), 4);
    }
}

/// Numbers that are the same on each run.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 = self
            .0
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        (self.0 >> 33) % bound
    }
}

/// One change of a small tree of files, as an editor, a tool or a checkout
/// makes them. What cannot be done is not done.
fn change(place: &Place, numbers: &mut Numbers) {
    let folders = ["a", "a/b", "a/b/c", "a/d", "tools"];
    let name = |numbers: &mut Numbers| {
        let folder = folders[numbers.below(4) as usize];
        format!("p/{folder}/f{}.symbi", numbers.below(3))
    };
    let texts = [
        GOOD,
        BAD,
        WORSE,
        "agent a {}\n",
        "agent b {}\nfunction f() { t(1); }\n",
        "schedule s { cron: \"@daily\" agent: \"a\" }\n",
    ];
    let text = texts[numbers.below(6) as usize];
    let (one, other) = (name(numbers), name(numbers));
    let folder = |numbers: &mut Numbers| format!("p/{}", folders[numbers.below(4) as usize]);
    let (from, to) = (folder(numbers), folder(numbers));
    let _ = match numbers.below(12) {
        0..=3 => {
            save(place, &one, text);
            Ok(())
        }
        4 | 5 => {
            place.write(&one, text);
            Ok(())
        }
        6 => fs::remove_file(place.path(one)),
        7 if place.path(&one).exists() => {
            fs::create_dir_all(place.path(&other).parent().unwrap()).unwrap();
            fs::rename(place.path(one), place.path(other))
        }
        8 => fs::remove_dir_all(place.path(from)),
        9 => fs::rename(place.path(from), place.path(to)),
        10 => {
            let ignored = ["", "d/\n", "b/\n", "f1.symbi\n"][numbers.below(4) as usize];
            place.write("p/.gitignore", ignored);
            Ok(())
        }
        _ => {
            let project = "p/symbiont.toml";
            let tool = "p/tools/t.clad.toml";
            match numbers.below(4) {
                0 => fs::remove_file(place.path(project)),
                1 => {
                    place.write(project, "[check]\nN0203 = \"off\"\n");
                    Ok(())
                }
                2 => {
                    place.write(
                        tool,
                        "[tool]\nname = \"t\"\n[args.x]\nposition = 1\ntype = \"string\"\n",
                    );
                    Ok(())
                }
                _ => fs::remove_dir_all(place.path("p/tools")),
            }
        }
    };
}

#[test]
fn after_any_changes_the_verdicts_are_those_of_a_fresh_check() {
    let seed = 5;
    let mut numbers = Numbers(seed);
    let place = Place::new();
    place
        .write("p/symbiont.toml", "")
        .write("p/a/f0.symbi", GOOD);
    let watched = Watched::new(&place, "p");
    let mut known = Vec::new();
    watched.settles(&mut known);
    for _ in 0..60 {
        for _ in 0..=numbers.below(4) {
            change(&place, &mut numbers);
        }
        watched.settles(&mut known);
    }
}

#[cfg(unix)]
#[test]
fn links_are_followed() {
    let place = Place::new();
    place
        .write("real/folder/x.symbi", GOOD)
        .write("real/file", GOOD)
        .folder("a")
        .link("real/folder", "linked")
        .link("../real/file", "a/y.symbi");
    let watched = Watched::new(&place, "linked a");
    watched.sees(&["linked/x.symbi OK", "a/y.symbi OK"]);
    save(&place, "real/folder/x.symbi", BAD);
    watched.sees(&["linked/x.symbi FAILED"]);
    save(&place, "real/file", BAD);
    watched.sees(&["a/y.symbi FAILED", "checked 2 files: 2 failed"]);
    // The link leads elsewhere.
    place.write("other/z.symbi", GOOD);
    place.link("other", "next");
    fs::rename(place.path("next"), place.path("linked")).unwrap();
    watched.sees(&["linked/x.symbi GONE", "linked/z.symbi OK"]);
    save(&place, "other/z.symbi", BAD);
    watched.sees(&["linked/z.symbi FAILED"]);
}

#[test]
fn what_editors_leave_beside_a_file_is_not_looked_at() {
    let place = Place::new();
    place.write("a/x.symbi", GOOD);
    let watched = Watched::new(&place, "a");
    watched.sees(&["checked 1 file: all fine"]);
    for name in [
        "a/.x.symbi.swp",
        "a/.#x.symbi",
        "a/x.symbi~",
        "a/4913",
        "a/.hidden.symbi",
    ] {
        place.write(name, BAD);
        fs::remove_file(place.path(name)).unwrap();
    }
    // The next round is about this one and no other.
    place.write("a/x.symbi", BAD);
    let round = watched.round(Instant::now() + PATIENCE, &[]);
    assert_eq!(round.len(), 2, "{round:?}");
    assert!(round[0].starts_with("a/x.symbi FAILED"), "{round:?}");
}

#[test]
fn it_waits_without_working() {
    let place = Place::new();
    place.write("a/x.symbi", GOOD);
    let watched = Watched::new(&place, "a");
    watched.sees(&["checked 1 file: all fine"]);
    place.write("a/x.symbi", BAD);
    watched.sees(&["checked 1 file: 1 failed"]);
    // What it has used so far, in ticks of 10 ms, is what it needed to begin.
    #[cfg(target_os = "linux")]
    {
        let used = || -> u64 {
            let stat = fs::read_to_string(format!("/proc/{}/stat", watched.child.id())).unwrap();
            let fields: Vec<&str> = stat
                .rsplit(')')
                .next()
                .unwrap()
                .split_whitespace()
                .collect();
            fields[11].parse::<u64>().unwrap() + fields[12].parse::<u64>().unwrap()
        };
        let before = used();
        // Something that takes a while and does not concern it.
        for n in 0..500 {
            place.write("other/file", format!("{n}"));
        }
        assert!(used() - before < 50, "{} ticks", used() - before);
    }
}

#[cfg(unix)]
#[test]
fn ctrl_c_ends_it() {
    let place = Place::new();
    place.write("x.symbi", GOOD);
    let mut watched = Watched::new(&place, "x.symbi");
    watched.sees(&["checked 1 file: all fine"]);
    let pid = watched.child.id().to_string();
    let sent = std::process::Command::new("kill")
        .args(["-INT", &pid])
        .status();
    assert!(sent.unwrap().success());
    assert_eq!(crate::support::code(watched.child.wait().unwrap()), 130);
}

#[test]
fn what_cannot_be_watched_is_refused() {
    let place = Place::new();
    place.write("x.symbi", GOOD);
    let table: [(&[&str], &str); 9] = [
        (&["--check", "--watch", "-"], "stdin never does"),
        (
            &["--check", "--watch", "-c", "agent a {}"],
            "a text from -c",
        ),
        (
            &["--check", "--watch", "--json", "x.symbi"],
            "use --format human or short",
        ),
        (&["--check", "--watch", "--fix", "x.symbi"], "--fix"),
        (&["--check", "--watch", "--stats", "x.symbi"], "--stats"),
        (
            &["--check", "--watch", "--route", "run", "x.symbi"],
            "--route",
        ),
        (
            &["--check", "--watch", "--explain-routes", "x.symbi"],
            "--explain-routes",
        ),
        (&["--watch", "x.symbi"], "--check"),
        (&["--check", "--watch"], "nothing to read"),
    ];
    for (arguments, words) in table {
        let run = place.symbi(["dsl"].iter().chain(arguments));
        assert_eq!((run.code, &*run.stdout), (2, ""), "{arguments:?}");
        assert!(run.stderr.contains(words), "{arguments:?}: {}", run.stderr);
    }
}

/// On a terminal, which Python makes: the screen is cleared and drawn anew, and
/// ends with the summary.
#[cfg(unix)]
#[test]
fn a_terminal_is_drawn_anew() {
    let place = Place::new();
    place.write("a/x.symbi", GOOD).write("a/y.symbi", GOOD);
    let script = r#"
import os, pty, sys, time, select, signal
pid, terminal = pty.fork()
if pid == 0:
    os.execv(sys.argv[1], [sys.argv[1], "dsl", "--check", "--watch", "a"])
seen = b""
def wait(words):
    global seen
    end = time.monotonic() + 60
    while words not in seen:
        left = end - time.monotonic()
        if left < 0 or not select.select([terminal], [], [], left)[0]:
            sys.exit(f"no {words} in {seen}")
        seen += os.read(terminal, 65536)
    frame, seen = seen[:seen.index(words)], b""
    return frame
def frame():
    return wait(b"Ctrl-C ends").decode().replace("\r\n", "\n")
first = frame()
with open("a/x.tmp", "w") as file:
    file.write("function f() { let a = 1 }\n")
os.rename("a/x.tmp", "a/x.symbi")
second = frame()
os.write(terminal, b"\x03")
_, status = os.waitpid(pid, 0)
print(first, end="<frame>")
print(second, end="<frame>")
print(os.waitstatus_to_exitcode(status) == -signal.SIGINT)
"#;
    let mut command = place.command_at("python3");
    let symbi = env!("CARGO_BIN_EXE_symbi");
    command
        .args(["-c", script, symbi])
        .env("TERM", "xterm")
        .env("NO_COLOR", "1");
    let run = crate::support::run(&mut command);
    let frames: Vec<&str> = run.stdout.split("<frame>").collect();
    let [first, second, ended] = frames[..] else {
        panic!("{run:?}");
    };
    assert_eq!(ended, "True\n");
    let clear = "\x1b[2J\x1b[H";
    assert!(
        first.starts_with(clear) && second.starts_with(clear),
        "{run:?}"
    );
    let lines: Vec<&str> = first[clear.len()..].lines().collect();
    let [summary, _] = lines[..] else {
        panic!("{first:?}");
    };
    assert!(summary.starts_with("checked 2 files in "), "{summary}");
    assert!(summary.ends_with(" UTC: all fine"), "{summary}");
    let lines: Vec<&str> = second.lines().collect();
    assert!(second.contains("error[S0107]: expected `;` after this statement\n"));
    assert!(
        second.contains("\na/x.symbi  FAILED 1:25 S0107 "),
        "{second}"
    );
    assert!(!second.contains("a/y.symbi"), "{second}");
    assert!(
        lines[lines.len() - 2].ends_with(" UTC: 1 failed"),
        "{second}"
    );
}

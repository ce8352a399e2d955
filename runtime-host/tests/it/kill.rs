//! Runs that are killed at any instant: nothing happens twice, nothing is lost,
//! and what nobody can know is said so.

use std::fs::{self, OpenOptions};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;

use symbi_host::gate::Call;
use symbi_host::run::{Host, Outcome, Provider, Setup, Start};
use symbi_ir::Route;
use symbi_journal::{Keys, Standing};
use symbi_vm::{Raise, Value};

use crate::support::program;

/// How many instants are tried. `symbi-bench soak` tries more.
const KILLS: u64 = 50;

/// How many effects a whole run has.
const EFFECTS: usize = 12;

const SOURCE: &str = "
agent a() -> int {
    policy p { allow: [act, delegate::b] }
    with timeout = 1m {
        let sum = 0;
        for i in range(0, 8) {
            sum += act(i);
            log(i);
            let key = generate_id();
            if i % 2 == 1 { sum += b(n: 100 + i); }
        }
        return sum;
    }
}
agent b(n: int) -> int {
    policy p { allow: act }
    with timeout = 1m { return act(n); }
}
";

/// Writes a line for each effect that it carries out.
struct Lines(PathBuf);

impl Provider for Lines {
    fn name(&self) -> &'static str {
        "lines"
    }

    fn offers(&self, call: &Call) -> bool {
        **call.name() == *"act"
    }

    fn carry_out(&self, call: &Call) -> Result<Value, Raise> {
        let (_, fact) = call.arguments().fields().next().unwrap();
        let mut file = OpenOptions::new()
            .append(true)
            .create(true)
            .open(&self.0)
            .unwrap();
        file.write_all(format!("{fact:?}\n").as_bytes()).unwrap();
        symbi_host::values::value(fact)
    }
}

fn host(folder: &Path) -> Host {
    let mut setup = Setup::new(folder);
    setup.providers.push(Arc::new(Lines(folder.join("lines"))));
    setup.snapshot_every = 3;
    setup.durability = symbi_journal::Durability::NoSync;
    Host::new(program(&[("a.symbi", SOURCE)], &[]), setup).unwrap()
}

/// What the process that is killed does. Without a folder it does nothing.
#[test]
fn child() {
    let Ok(folder) = std::env::var("SYMBI_KILLED_IN") else {
        return;
    };
    let host = host(Path::new(&folder));
    let start = Start {
        file: "a.symbi",
        agent: "a",
        route: Route::Run,
        input: Vec::new(),
    };
    host.run(start).unwrap();
}

/// The bytes that all journals have.
fn journalled(folder: &Path) -> u64 {
    let Ok(entries) = fs::read_dir(folder.join(".symbiont/audit")) else {
        return 0;
    };
    let sizes = entries.filter_map(|entry| {
        let entry = entry.ok()?;
        let is = entry.path().extension().is_some_and(|end| end == "jsonl");
        is.then(|| entry.metadata().map_or(0, |metadata| metadata.len()))
    });
    sizes.sum()
}

/// Starts a run and kills it when its journals have so many bytes.
fn killed(folder: &Path, bytes: u64) {
    let mut child = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "kill::child", "--test-threads", "1"])
        .env("SYMBI_KILLED_IN", folder)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    while child.try_wait().unwrap().is_none() {
        if journalled(folder) >= bytes {
            child.kill().unwrap();
            child.wait().unwrap();
            return;
        }
        std::thread::yield_now();
    }
}

#[test]
fn nothing_happens_twice_and_nothing_is_lost() {
    let whole = tempfile::tempdir().unwrap();
    killed(whole.path(), u64::MAX);
    let bytes = journalled(whole.path());
    assert_eq!(
        fs::read_to_string(whole.path().join("lines"))
            .unwrap()
            .lines()
            .count(),
        EFFECTS
    );
    let (mut completed, mut unresolved) = (0, 0);
    for kill in 0..KILLS {
        // Spread over the whole run, and never at the same byte of a line.
        let at = bytes * kill / KILLS + kill * 37 % 101;
        let place = tempfile::tempdir().unwrap();
        killed(place.path(), at.max(1));
        let host = host(place.path());
        let key = Keys::open(place.path()).unwrap().public();
        let mut runs = host.journals().runs().unwrap();
        runs.sort_by(|one, two| one.as_str().cmp(two.as_str()));
        let Some(first) = runs.first() else { continue };
        for run in &runs {
            if let Ok(verdict) = symbi_journal::verify(host.journals(), run, key) {
                assert_eq!(verdict.standing(), Standing::Intact, "{at}: {verdict:?}");
            }
        }
        let Ok(report) = host.resume(first) else {
            // It was killed before its first state was kept: nothing has
            // happened, or all of it has.
            let lines = fs::read_to_string(place.path().join("lines")).unwrap_or_default();
            assert!(matches!(lines.lines().count(), 0 | EFFECTS), "{at}");
            continue;
        };
        let lines = fs::read_to_string(place.path().join("lines")).unwrap_or_default();
        let mut all: Vec<&str> = lines.lines().collect();
        let count = all.len();
        all.sort_unstable();
        all.dedup();
        assert_eq!(all.len(), count, "{at}: an effect happened twice: {lines}");
        match report.outcome {
            Outcome::Completed => {
                assert_eq!(count, EFFECTS, "{at}: {lines}");
                completed += 1;
            }
            Outcome::Unresolved => {
                let verdict = symbi_journal::verify(host.journals(), first, key).unwrap();
                assert!(verdict.needs_reconciliation(), "{at}: {verdict:?}");
                unresolved += 1;
            }
            other => panic!("{at}: {other:?} {report:?}"),
        }
    }
    assert!(
        completed > KILLS as usize / 4,
        "{completed} completed, {unresolved} unresolved"
    );
}

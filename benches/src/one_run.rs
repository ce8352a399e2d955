//! One run of another program, and what it cost.
//!
//! The kernel hands the peak memory of a process on to the program that it
//! becomes: a child of a large process looks large. So every run has a small
//! parent of its own, `symbi-bench one-run`, which starts nothing else; it
//! prints what it saw as one line of JSON. Its own peak is in it as the floor,
//! below which the child's cannot be told; that one is read from `/proc`,
//! because `getrusage` would tell the one that it was handed on itself.

use std::ffi::OsString;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use nix::sys::resource::{Usage, UsageWho, getrusage};
use serde::{Deserialize, Serialize};

use crate::Error;

/// The first argument of the small parent; the program follows.
pub const WORD: &str = "one-run";

/// What one run of a program cost, and what it printed.
#[derive(Debug, Serialize, Deserialize)]
pub struct OneRun {
    /// From before the start to after the end.
    pub wall: Duration,
    /// User and system time of all its threads.
    pub cpu: Duration,
    /// The most memory that it had at a time, in bytes.
    pub peak: u64,
    /// The same of the process that started it: `peak` is never less.
    pub floor: u64,
    /// Its exit code, if it ended by itself.
    pub status: Option<i32>,
    /// What it printed on stdout; stderr goes nowhere.
    pub stdout: String,
}

/// Runs a program in this process's own name. For the small parent alone: the
/// CPU time is that of all children that ever ran.
pub fn here(program: &[OsString]) -> Result<OneRun, Error> {
    let (name, arguments) = program
        .split_first()
        .ok_or_else(|| Error::program(WORD, "no program is named"))?;
    let shown = name.to_string_lossy();
    let failed = |error: std::io::Error| Error::program(shown.clone(), error);
    let floor = own_peak()?;
    let start = Instant::now();
    let output = Command::new(name)
        .args(arguments)
        .stdin(Stdio::null())
        .stderr(Stdio::null())
        .output()
        .map_err(failed)?;
    let wall = start.elapsed();
    let children =
        getrusage(UsageWho::RUSAGE_CHILDREN).map_err(|error| Error::program("getrusage", error))?;
    Ok(OneRun {
        wall,
        cpu: seconds(&children),
        peak: peak(&children),
        floor,
        status: output.status.code(),
        stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
    })
}

/// Runs a program with a small parent of its own. Fails unless it ends with
/// exit code 0.
pub fn measure(program: &[OsString]) -> Result<OneRun, Error> {
    let name = program
        .first()
        .map(|name| name.to_string_lossy().into_owned())
        .unwrap_or_default();
    let parent = std::env::current_exe().map_err(|error| Error::program("symbi-bench", error))?;
    let output = Command::new(parent)
        .arg(WORD)
        .args(program)
        .env("LC_ALL", "C.UTF-8")
        .output()
        .map_err(|error| Error::program(WORD, error))?;
    if !output.status.success() {
        return Err(Error::program(
            name,
            String::from_utf8_lossy(&output.stderr).trim(),
        ));
    }
    let run: OneRun =
        serde_json::from_slice(&output.stdout).map_err(|error| Error::program(WORD, error))?;
    match run.status {
        Some(0) => Ok(run),
        Some(code) => Err(Error::program(name, format!("it ended with status {code}"))),
        None => Err(Error::program(name, "it was ended by a signal")),
    }
}

/// The peak of this process since it became this program.
fn own_peak() -> Result<u64, Error> {
    let path = "/proc/self/status";
    let status = std::fs::read_to_string(path).map_err(Error::io(path))?;
    status
        .lines()
        .find_map(|line| {
            line.strip_prefix("VmHWM:")?
                .trim()
                .strip_suffix(" kB")?
                .parse()
                .ok()
        })
        .map(|kib: u64| kib * 1024)
        .ok_or_else(|| Error::program(path, "it has no line `VmHWM:`"))
}

/// Linux counts it in KiB.
fn peak(usage: &Usage) -> u64 {
    u64::try_from(usage.max_rss()).unwrap_or(0) * 1024
}

fn seconds(usage: &Usage) -> Duration {
    let micros = |time: nix::sys::time::TimeVal| {
        let micros = time.tv_sec() * 1_000_000 + time.tv_usec();
        Duration::from_micros(u64::try_from(micros).unwrap_or(0))
    };
    micros(usage.user_time()) + micros(usage.system_time())
}

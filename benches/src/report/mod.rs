//! The table: what we want, what we have, what others have.
//!
//! A group of rows is a file here and a line in [`GROUPS`]; a row is a
//! [`Row`]. A new goal is a new function in the group it belongs to. A group
//! that cannot measure ends in [`Report::failures`], a peer that is not built
//! in [`Report::notes`]; the other rows are shown all the same.

mod analysis;
mod bundles;
mod decisions;
mod files;
mod grammars;
mod memory;
mod peers;
mod process;
mod programs;
mod scaling;
mod stages;
mod table;

use std::path::{Path, PathBuf};

use serde::Serialize;

use crate::Error;
use crate::corpus::{self, Corpus, Generated, SEED};
pub use table::{Figure, Goal, Limit, On, Peer, Row};

/// The size of the input of most rows.
pub const BYTES: usize = 5_000_000;

/// How often something is measured: the best run counts.
const RUNS: usize = 15;

type Group = fn(&Inputs, &mut Report) -> Result<(), Error>;

const GROUPS: &[(&str, Group)] = &[
    ("stages", stages::rows),
    ("analysis", analysis::rows),
    ("decisions", decisions::rows),
    ("bundles", bundles::rows),
    ("scaling", scaling::rows),
    ("grammars", grammars::rows),
    ("peers", peers::rows),
    ("programs", programs::rows),
    ("process", process::rows),
    ("memory", memory::rows),
    ("files", files::rows),
];

/// The names of the groups of rows.
pub fn group_names() -> impl Iterator<Item = &'static str> {
    GROUPS.iter().map(|(name, _)| *name)
}

/// What to measure, and with which programs.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// One group of [`group_names`] instead of all.
    pub only: Option<String>,
    /// The release build of `symbi`, if it is not beside this program.
    pub symbi: Option<PathBuf>,
    /// The peers' harness, if it is not where it is built.
    pub peers: Option<PathBuf>,
}

/// All rows, and what stood in the way of others.
#[derive(Debug, Default, Serialize)]
pub struct Report {
    /// The rows, in the order of the groups.
    pub rows: Vec<Row>,
    /// What was not measured, and what to do about it.
    pub notes: Vec<String>,
    /// Measurements that failed, and results that were wrong.
    pub failures: Vec<String>,
}

/// What the groups measure.
struct Inputs<'o> {
    options: &'o Options,
    corpus: Corpus,
    /// 5 MB of it.
    large: Generated,
}

/// Measures everything that can be measured here. Takes a minute or two.
pub fn run(options: &Options) -> Result<Report, Error> {
    if cfg!(debug_assertions) {
        return Err(Error::program(
            "report",
            "this is a debug build, whose figures say nothing. Please run: \
             cargo run --release -p symbi-bench -- report",
        ));
    }
    let corpus = Corpus::examples()?;
    let large = corpus.generate(BYTES, SEED);
    let inputs = Inputs {
        options,
        corpus,
        large,
    };
    let mut report = Report::default();
    for (name, group) in GROUPS {
        if options.only.as_ref().is_some_and(|only| only != name) {
            continue;
        }
        if let Err(error) = group(&inputs, &mut report) {
            report.failures.push(format!("{name}: {error}"));
        }
    }
    Ok(report)
}

impl Inputs<'_> {
    /// The release build of `symbi`: cargo puts it beside this program.
    fn symbi(&self) -> Result<PathBuf, Error> {
        let path = match &self.options.symbi {
            Some(path) => path.clone(),
            None => std::env::current_exe()
                .map_err(|error| Error::program("symbi-bench", error))?
                .with_file_name("symbi"),
        };
        existing(path, "the release build of symbi", "cargo build --release")
    }
}

fn existing(path: PathBuf, what: &'static str, command: &'static str) -> Result<PathBuf, Error> {
    if path.exists() {
        Ok(path)
    } else {
        Err(Error::Missing {
            what,
            path,
            command,
        })
    }
}

/// A folder that is gone when the measurement is over.
fn folder() -> Result<tempfile::TempDir, Error> {
    tempfile::tempdir().map_err(Error::io("a temporary folder"))
}

/// The same, a project with the tools that our examples call: nothing is
/// reported about what is generated from them.
fn project() -> Result<tempfile::TempDir, Error> {
    let folder = folder()?;
    let tools = folder.path().join("tools");
    std::fs::create_dir(&tools).map_err(Error::io(&tools))?;
    for (name, text) in corpus::tools(&corpus::examples_folder())? {
        write(&tools.join(name), &text)?;
    }
    let off = corpus::OFF.map(|id| format!("{id} = \"off\"\n")).concat();
    write(
        &folder.path().join("symbiont.toml"),
        &format!("[check]\n{off}"),
    )?;
    Ok(folder)
}

fn write(path: &Path, text: &str) -> Result<(), Error> {
    std::fs::write(path, text).map_err(Error::io(path))
}

//! Where journals are, and what they are called.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::fmt;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use crate::Error;

/// The folder of a project that everything of a host is in.
pub(crate) const FOLDER: &str = ".symbiont";

/// The name of a run, which is that of its files too. Up to 64 lowercase
/// letters, digits, `-` and `_`, so that it is one name on every file system.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct RunId(String);

impl RunId {
    /// The name as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromStr for RunId {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        let plain = |c: u8| c.is_ascii_lowercase() || c.is_ascii_digit();
        let right = text.len() <= 64
            && text.bytes().next().is_some_and(plain)
            && text.bytes().all(|c| plain(c) || c == b'-' || c == b'_');
        match right {
            true => Ok(Self(text.to_owned())),
            false => Err(Error::RunId {
                given: text.escape_debug().take(80).collect(),
            }),
        }
    }
}

impl fmt::Display for RunId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Where the journals of a project are, and, apart from them, their anchors.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Journals {
    folder: PathBuf,
    anchors: PathBuf,
}

impl Journals {
    /// Those of a project: `.symbiont/audit/` and `.symbiont/audit/anchors/`.
    pub fn in_project(project: &Path) -> Self {
        let folder = project.join(FOLDER).join("audit");
        Self {
            anchors: folder.join("anchors"),
            folder,
        }
    }

    /// A journal at a path, which may be a copy, and the run that its name says.
    /// Its anchor is looked for in `anchors/` beside it.
    pub fn of_file(path: &Path) -> Result<(Self, RunId), Error> {
        let stem = match path.extension() == Some(OsStr::new("jsonl")) {
            true => path.file_stem(),
            false => path.file_name(),
        };
        let run = stem.unwrap_or_default().to_string_lossy().parse()?;
        let folder = match path.parent() {
            Some(parent) if !parent.as_os_str().is_empty() => parent.to_owned(),
            _ => PathBuf::from("."),
        };
        let anchors = folder.join("anchors");
        Ok((Self { folder, anchors }, run))
    }

    /// The same, with anchors in another folder, as on another disk.
    pub fn with_anchors(mut self, folder: &Path) -> Self {
        self.anchors = folder.to_owned();
        self
    }

    /// The folder of the journals.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// The folder of the anchors.
    pub fn anchors(&self) -> &Path {
        &self.anchors
    }

    /// The journal of a run.
    pub fn journal(&self, run: &RunId) -> PathBuf {
        self.folder.join(format!("{run}.jsonl"))
    }

    /// The anchor of a run's journal.
    pub fn anchor(&self, run: &RunId) -> PathBuf {
        self.anchors.join(format!("{run}.json"))
    }

    /// All runs that have a journal or an anchor, in the order of their names,
    /// which for UUIDs of version 7 is that of their starts. None if there is no
    /// folder yet.
    pub fn runs(&self) -> Result<Vec<RunId>, Error> {
        let mut runs = BTreeSet::new();
        for (folder, extension) in [(&self.folder, "jsonl"), (&self.anchors, "json")] {
            let told = |error: &io::Error| Error::io(folder, "read", error);
            let entries = match fs::read_dir(folder) {
                Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
                entries => entries.map_err(|error| told(&error))?,
            };
            for entry in entries {
                let path = entry.map_err(|error| told(&error))?.path();
                if path.extension() != Some(OsStr::new(extension)) {
                    continue;
                }
                let stem = path.file_stem().unwrap_or_default().to_string_lossy();
                runs.extend(stem.parse::<RunId>());
            }
        }
        Ok(runs.into_iter().collect())
    }
}

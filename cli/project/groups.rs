//! Which sources belong together.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::path::{Path, PathBuf};

use super::PROJECT_FILE;
use crate::sources::{self, Source};

/// What sources have in common.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Group {
    /// The folder of their project.
    Root(PathBuf),
    /// No project, and files.
    Loose,
    /// A text that is no file.
    Alone(usize),
}

/// The sources of each group, by their numbers.
pub fn groups(requested: &[Source], roots: &mut Roots) -> BTreeMap<Group, Vec<usize>> {
    let mut groups: BTreeMap<Group, Vec<usize>> = BTreeMap::new();
    for (index, source) in requested.iter().enumerate() {
        let group = match source.file() {
            None => Group::Alone(index),
            Some(path) => match roots.of(path) {
                Some(root) => Group::Root(root),
                None => Group::Loose,
            },
        };
        groups.entry(group).or_default().push(index);
    }
    groups
}

/// The folders of the projects of some files, each once.
pub fn roots<'f>(files: impl Iterator<Item = &'f Path>) -> BTreeSet<PathBuf> {
    let mut roots = Roots::default();
    files.filter_map(|file| roots.of(file)).collect()
}

/// The sources of a project that nobody asked about.
pub fn others(
    requested: &[Source],
    members: &[usize],
    root: &Path,
    roots: &mut Roots,
) -> Vec<Source> {
    let known: HashSet<PathBuf> = members
        .iter()
        .filter_map(|&index| requested[index].file())
        .map(sources::real)
        .collect();
    let mut found = sources::below(&shown(root), known);
    // What lies below a project of its own belongs to that one.
    found.retain(|source| {
        let own = source.file().and_then(|path| roots.of(path));
        own.as_deref() == Some(root)
    });
    found
}

/// A folder as the user would write it: by its path from the working folder,
/// which is the same on every machine.
pub fn shown(folder: &Path) -> PathBuf {
    match sources::way_from_here(folder) {
        Some(way) if way == Path::new("") => PathBuf::from("."),
        Some(way) => way,
        None => folder.to_owned(),
    }
}

/// The projects of folders, looked up once each.
#[derive(Default)]
pub struct Roots {
    known: HashMap<PathBuf, Option<PathBuf>>,
}

impl Roots {
    /// The project folder of a file, by its real path.
    fn of(&mut self, file: &Path) -> Option<PathBuf> {
        let real = sources::real(file);
        let mut passed: Vec<PathBuf> = Vec::new();
        let mut found = None;
        for folder in real.ancestors().skip(1) {
            if let Some(known) = self.known.get(folder) {
                found = known.clone();
                break;
            }
            passed.push(folder.to_owned());
            if folder.join(PROJECT_FILE).is_file() {
                found = Some(folder.to_owned());
                break;
            }
        }
        for folder in passed {
            self.known.insert(folder, found.clone());
        }
        found
    }
}

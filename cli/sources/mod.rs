//! What is to be read: arguments become a list of sources in the order they
//! will be printed, each with the name it is printed under.
//!
//! A folder is walked as git sees it: ignored and hidden files do not count,
//! also outside a repository. Links to files are followed, links to folders are
//! not (they would lead round in circles; naming one follows it). A file that
//! several arguments reach is listed where it is reached first.

mod origin;
mod problem;
mod read;
mod write;

use std::collections::HashSet;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::path::{Path, PathBuf};

use ignore::WalkBuilder;

pub use origin::{from_here, way_from_here};
pub use problem::{Problem, io_words, printable};
pub use read::{file as bytes, stdin};
pub use write::{Original, Unwritable, Written, create, replace, rewrite};

/// What stdin is called.
const STDIN: &str = "<stdin>";

/// One argument that names something to read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Input {
    /// A file or a folder.
    Path(PathBuf),
    /// A file for certain: written with `-f`.
    File(PathBuf),
    /// A text: written with `-c`.
    Text(OsString),
    /// Written as `-`.
    Stdin,
}

/// One text to read, with its name.
#[derive(Debug)]
pub struct Source {
    /// The name on one line, safe to print.
    pub name: String,
    /// The name for programs: as it is, except that bytes which are not
    /// Unicode are replaced.
    pub path: String,
    origin: Origin,
}

#[derive(Debug)]
enum Origin {
    /// A file that an argument names.
    Named(PathBuf),
    /// A file that was seen in a folder.
    Seen(PathBuf),
    Text(OsString),
    Stdin,
    /// Read already.
    Held(Result<Vec<u8>, Problem>),
    /// Known to be unreadable before anything was opened.
    Unreadable(Problem),
}

impl Source {
    fn new(path: &Path, origin: Origin) -> Self {
        Self {
            name: printable(path.as_os_str()),
            path: path.to_string_lossy().into_owned(),
            origin,
        }
    }

    fn labelled(label: String, origin: Origin) -> Self {
        Self {
            name: label.clone(),
            path: label,
            origin,
        }
    }

    /// What stdin holds, under the name of a file that it is the text of.
    pub fn stdin(name: Option<&OsStr>) -> Self {
        match name {
            Some(name) => Self::new(Path::new(name), Origin::Stdin),
            None => Self::labelled(STDIN.to_owned(), Origin::Stdin),
        }
    }

    /// Its bytes, and the file that they can be [written](replace) to later if
    /// they are from one.
    pub fn read_to_write(&self) -> Result<(Vec<u8>, Option<Original>), Problem> {
        match &self.origin {
            Origin::Named(path) | Origin::Seen(path) => write::original(path)
                .map(|(bytes, original)| (bytes, Some(original)))
                .map_err(|problem| self.told(problem)),
            _ => Ok((self.read()?, None)),
        }
    }

    /// Its bytes; never more than the language allows.
    pub fn read(&self) -> Result<Vec<u8>, Problem> {
        match &self.origin {
            Origin::Named(path) | Origin::Seen(path) => {
                read::file(path).map_err(|problem| self.told(problem))
            }
            Origin::Text(text) => read::text(text),
            Origin::Stdin => stdin(),
            Origin::Held(bytes) => bytes.clone(),
            Origin::Unreadable(problem) => Err(problem.clone()),
        }
    }

    /// Reads what can be read once only, so that it can be read again.
    pub fn hold(&mut self) {
        if matches!(self.origin, Origin::Stdin) {
            self.origin = Origin::Held(stdin());
        }
    }

    /// Whether it is a text that was on stdin.
    pub fn is_stdin(&self) -> bool {
        matches!(self.origin, Origin::Stdin | Origin::Held(_))
    }

    /// The file that it is; `None` for a text and for what cannot be read.
    pub fn file(&self) -> Option<&Path> {
        match &self.origin {
            Origin::Named(path) | Origin::Seen(path) => Some(path),
            _ => None,
        }
    }

    fn told(&self, problem: Problem) -> Problem {
        match (problem, &self.origin) {
            (Problem::Missing, Origin::Seen(_)) => Problem::Vanished,
            (problem, _) => problem,
        }
    }
}

/// All sources that the arguments name, in their order.
pub fn discover(inputs: Vec<Input>) -> Vec<Source> {
    let mut list = List::default();
    for input in inputs {
        match input {
            Input::Text(text) => list.text(text),
            Input::Stdin => list.stdin(),
            Input::File(path) => list.file(path),
            Input::Path(path) if path.is_dir() => list.folder(&path),
            Input::Path(path) => list.file(path),
        }
    }
    list.sources
}

/// The source files below a folder, without those that are known already by
/// their [real] paths.
pub fn below(root: &Path, known: HashSet<PathBuf>) -> Vec<Source> {
    let mut list = List {
        known,
        ..List::default()
    };
    list.folder(root);
    list.sources
        .retain(|source| !matches!(source.origin, Origin::Unreadable(_)));
    list.sources
}

/// The folders in which sources are looked for below one, and itself.
pub fn folders(root: &Path) -> Vec<PathBuf> {
    let folder = |entry: ignore::DirEntry| {
        let folder = entry.depth() == 0 || entry.file_type().is_some_and(|kind| kind.is_dir());
        folder.then(|| entry.into_path())
    };
    walker(root)
        .filter_map(|entry| folder(entry.ok()?))
        .collect()
}

#[derive(Default)]
struct List {
    sources: Vec<Source>,
    /// Real paths of the files listed so far.
    known: HashSet<PathBuf>,
    texts: usize,
    stdin: bool,
}

impl List {
    fn text(&mut self, text: OsString) {
        self.texts += 1;
        let label = match self.texts {
            1 => "<inline>".to_owned(),
            n => format!("<inline {n}>"),
        };
        self.sources
            .push(Source::labelled(label, Origin::Text(text)));
    }

    fn stdin(&mut self) {
        // It can be read once only, so it is one source however often it is named.
        if !self.stdin {
            self.stdin = true;
            self.sources.push(Source::stdin(None));
        }
    }

    fn file(&mut self, path: PathBuf) {
        if self.known.insert(real(&path)) {
            self.sources
                .push(Source::new(&path, Origin::Named(path.clone())));
        }
    }

    fn folder(&mut self, root: &Path) {
        let real_root = real(root);
        let found = walk(root);
        if found.is_empty() {
            let problem = Origin::Unreadable(Problem::NoSources);
            self.sources.push(Source::new(root, problem));
        }
        for Found { path, link, origin } in found {
            // Links to folders are not followed, so below the root only the
            // file itself can have a second name.
            let real = match path.strip_prefix(root) {
                Ok(below) if !link => real_root.join(below),
                _ => real(&path),
            };
            if self.known.insert(real) {
                // What is found in the working folder is named without `./`.
                let shown = if root == Path::new(".") {
                    path.strip_prefix(root).unwrap_or(&path)
                } else {
                    &path
                };
                self.sources.push(Source::new(shown, origin));
            }
        }
    }
}

/// The one name of what a path leads to. What leads nowhere still has a folder.
pub fn real(path: &Path) -> PathBuf {
    fs::canonicalize(path).unwrap_or_else(|_| {
        let folder = match path.parent() {
            Some(folder) if folder != Path::new("") => folder,
            _ => Path::new("."),
        };
        match (fs::canonicalize(folder), path.file_name()) {
            (Ok(folder), Some(name)) => folder.join(name),
            _ => path.to_owned(),
        }
    })
}

struct Found {
    path: PathBuf,
    /// Whether it is a symbolic link.
    link: bool,
    origin: Origin,
}

/// The source files below a folder and the places that could not be looked
/// into, sorted by path.
fn walk(root: &Path) -> Vec<Found> {
    // A line of a .gitignore that is no pattern is passed over, as git does.
    let mut found: Vec<Found> = walker(root).filter_map(look_at).collect();
    found.sort_by(|a, b| a.path.cmp(&b.path));
    found
}

fn walker(root: &Path) -> ignore::Walk {
    WalkBuilder::new(root)
        .follow_links(false)
        // A copy of a project without its `.git` gives the same verdicts.
        .require_git(false)
        // Only git's own files decide, not those of search tools.
        .ignore(false)
        .build()
}

fn look_at(entry: Result<ignore::DirEntry, ignore::Error>) -> Option<Found> {
    let entry = match entry {
        Ok(entry) => entry,
        Err(error) => return unvisited(&error),
    };
    let link = entry.path_is_symlink();
    let path = entry.path();
    if entry.depth() == 0 || !symbi_syntax::is_symbi_file(path) {
        return None;
    }
    let folder = if link {
        path.is_dir()
    } else {
        entry.file_type().is_some_and(|kind| kind.is_dir())
    };
    // Pipes and devices are listed, and refused when they are to be read.
    (!folder).then(|| Found {
        path: path.to_owned(),
        link,
        origin: Origin::Seen(path.to_owned()),
    })
}

/// A place the walk could not look into.
fn unvisited(error: &ignore::Error) -> Option<Found> {
    let (path, problem) = place(error, None)?;
    Some(Found {
        path: path.to_owned(),
        link: false,
        origin: Origin::Unreadable(problem),
    })
}

fn place<'e>(error: &'e ignore::Error, path: Option<&'e Path>) -> Option<(&'e Path, Problem)> {
    match error {
        ignore::Error::WithPath { path, err } => place(err, Some(path)),
        ignore::Error::WithDepth { err, .. } | ignore::Error::WithLineNumber { err, .. } => {
            place(err, path)
        }
        ignore::Error::Io(error) => Some((path?, Problem::from_io(error, path?))),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_vanishes_after_it_was_seen_says_so() {
        let folder = tempfile::tempdir().unwrap();
        for name in ["gone.symbi", "here.symbi"] {
            fs::write(folder.path().join(name), "agent a { }").unwrap();
        }
        let sources = discover(vec![Input::Path(folder.path().to_owned())]);
        fs::remove_file(folder.path().join("gone.symbi")).unwrap();
        let read: Vec<_> = sources.iter().map(Source::read).collect();
        assert_eq!(read, [Err(Problem::Vanished), Ok(b"agent a { }".to_vec())]);
    }
}

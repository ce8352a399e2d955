//! What changes on the disk, as far as it concerns a check.
//!
//! Folders are watched, never files: an editor that writes a new file and
//! renames it over the old one leaves a watch of the old one behind. All
//! folders are known by their real paths, so that what the system tells can be
//! compared with them.

use std::collections::{BTreeSet, HashSet};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use notify::event::{AccessKind, AccessMode, EventKind, ModifyKind};
use notify::{Event, RecommendedWatcher, RecursiveMode, Watcher};

use crate::project;
use crate::sources::{self, Input, Source};

/// A change is over when nothing has followed it for so long.
const QUIET: Duration = Duration::from_millis(60);

/// A change that does not end is looked at after so long all the same.
const LONGEST: Duration = Duration::from_millis(500);

/// How often files are looked at if some folders cannot be watched.
const POLL: Duration = Duration::from_secs(2);

/// What has changed.
#[derive(Default)]
pub struct Changes {
    /// The real paths of what was written.
    written: HashSet<PathBuf>,
    /// It is not known what: anything may have been.
    all: bool,
}

impl Changes {
    /// Whether a file may have been written, whatever the system says about its
    /// size and times.
    pub fn concern(&self, file: &Path) -> bool {
        self.all || !self.written.is_empty() && self.written.contains(&sources::real(file))
    }
}

/// Where something can happen that concerns a check.
#[derive(Default)]
pub struct Places {
    /// The folders to be watched.
    folders: BTreeSet<PathBuf>,
    /// Those that are searched: each folder that comes into them counts.
    searched: HashSet<PathBuf>,
    /// Paths that count whatever they are: what arguments name, what leads to
    /// it, and what links lead to.
    named: HashSet<PathBuf>,
}

impl Places {
    /// Those of some arguments, and of the sources that they stand for now.
    pub fn of(inputs: &[Input], found: &[Source]) -> Self {
        let mut places = Places::default();
        for input in inputs {
            if let Input::Path(path) | Input::File(path) = input {
                places.lead_to(path);
                if path.is_dir() {
                    places.search(path);
                }
            }
        }
        let files = found.iter().filter_map(Source::file);
        for file in files.clone() {
            let real = sources::real(file);
            places.folders.extend(real.parent().map(Path::to_owned));
            places.named.insert(real);
        }
        for root in project::roots(files) {
            places.lead_to(&root);
            places.search(&root);
            for folder in project::folders_beside(&root) {
                places.watch(&folder);
            }
        }
        places.folders.retain(|folder| folder.is_dir());
        places
    }

    /// A path and all folders above it: any of them may go and come back.
    fn lead_to(&mut self, path: &Path) {
        let written = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
        let real = sources::real(path);
        for path in [&written, &real] {
            for part in path.ancestors() {
                self.named.insert(sources::real(part));
                if let (Some(folder), Some(name)) = (part.parent(), part.file_name()) {
                    self.named.insert(sources::real(folder).join(name));
                }
                if part.is_dir() {
                    self.folders.insert(sources::real(part));
                }
            }
        }
    }

    fn search(&mut self, folder: &Path) {
        for folder in sources::folders(folder) {
            self.watch(&folder);
        }
    }

    fn watch(&mut self, folder: &Path) {
        let real = sources::real(folder);
        self.searched.insert(real.clone());
        self.folders.insert(real);
    }

    /// Whether something that happened here concerns a check.
    fn concern(&self, path: &Path) -> bool {
        if self.folders.contains(path) || self.named.contains(path) {
            return true;
        }
        let Some(name) = path.file_name().map(|name| name.to_string_lossy()) else {
            return false;
        };
        if name == ".gitignore" || project::stands_beside(&name) {
            return true;
        }
        // What is hidden is no source: editors keep their own files so.
        if name.starts_with('.') {
            return false;
        }
        symbi_syntax::is_symbi_file(path)
            || path
                .parent()
                .is_some_and(|folder| self.searched.contains(folder))
                && path.is_dir()
    }
}

/// The folders that are watched, and what is heard of them.
pub struct Watch {
    /// `None` before the first folder, and after what was heard made the old
    /// one useless.
    watcher: Option<(RecommendedWatcher, Receiver<notify::Result<Event>>)>,
    places: Places,
    /// Those that the watcher knows.
    watched: BTreeSet<PathBuf>,
    /// Folders that cannot be watched, and why.
    unwatched: BTreeSet<(PathBuf, String)>,
}

impl Watch {
    /// Of nothing yet.
    pub fn new() -> Self {
        Watch {
            watcher: None,
            places: Places::default(),
            watched: BTreeSet::new(),
            unwatched: BTreeSet::new(),
        }
    }

    /// Watches these places, and no others. Whether any folder is new: what
    /// happened in it before is not known then.
    ///
    /// # Errors
    /// Nothing can be watched at all.
    pub fn set(&mut self, places: Places) -> notify::Result<bool> {
        let (watcher, _) = match &mut self.watcher {
            Some(watcher) => watcher,
            None => {
                let (sender, events) = channel();
                let watcher = notify::recommended_watcher(move |event| {
                    // Nobody listens any more: there is nothing to be done.
                    let _ = sender.send(event);
                })?;
                self.watched.clear();
                self.watcher.insert((watcher, events))
            }
        };
        self.unwatched.clear();
        for gone in self.watched.difference(&places.folders) {
            // It may be gone already.
            let _ = watcher.unwatch(gone);
        }
        self.watched
            .retain(|folder| places.folders.contains(folder));
        let mut new = false;
        for folder in &places.folders {
            if self.watched.contains(folder) {
                continue;
            }
            match watcher.watch(folder, RecursiveMode::NonRecursive) {
                Ok(()) => {
                    self.watched.insert(folder.clone());
                    new = true;
                }
                // Gone again: whoever took it away is heard of.
                Err(_) if !folder.is_dir() => {}
                Err(error) => {
                    let why = words(&error);
                    self.unwatched.insert((folder.clone(), why));
                }
            }
        }
        self.places = places;
        Ok(new)
    }

    /// Folders that cannot be watched, and why.
    pub fn unwatched(&self) -> impl Iterator<Item = &(PathBuf, String)> {
        self.unwatched.iter()
    }

    /// Waits for something to happen that concerns the check, and for its end.
    pub fn wait(&mut self) -> Changes {
        let mut changes = Changes::default();
        let mut useless = false;
        let mut times: Option<(Instant, Instant)> = None;
        loop {
            let Some((_, events)) = &self.watcher else {
                changes.all = true;
                return changes;
            };
            let timeout = match times {
                None if self.unwatched.is_empty() => None,
                None => Some(POLL),
                Some((first, last)) => Some(
                    (last + QUIET).min(first + LONGEST)
                        - Instant::now().min(last + QUIET).min(first + LONGEST),
                ),
            };
            let event = match timeout {
                None => events.recv().map_err(|_| RecvTimeoutError::Disconnected),
                Some(timeout) => events.recv_timeout(timeout),
            };
            match event {
                Ok(event) => {
                    if self.hear(event, &mut changes, &mut useless) {
                        let now = Instant::now();
                        times = Some((times.map_or(now, |(first, _)| first), now));
                    }
                }
                Err(RecvTimeoutError::Timeout) => break,
                Err(RecvTimeoutError::Disconnected) => {
                    useless = true;
                    break;
                }
            }
        }
        if useless {
            // What is heard of a folder that was moved or replaced is about
            // another place: all is watched anew, and looked at anew.
            self.watcher = None;
            changes.all = true;
        }
        changes
    }

    /// Takes in what was heard. Whether it concerns the check.
    fn hear(
        &self,
        event: notify::Result<Event>,
        changes: &mut Changes,
        useless: &mut bool,
    ) -> bool {
        let event = match event {
            Ok(event) if !event.need_rescan() => event,
            // More happened than could be told.
            Ok(_) | Err(_) => {
                *useless = true;
                return true;
            }
        };
        let moved = match event.kind {
            EventKind::Access(AccessKind::Close(AccessMode::Write)) => false,
            // That is ourselves, reading.
            EventKind::Access(_) => return false,
            EventKind::Remove(_) | EventKind::Modify(ModifyKind::Name(_)) => true,
            _ => false,
        };
        let mut concerned = false;
        for path in event.paths {
            if !self.places.concern(&path) {
                continue;
            }
            concerned = true;
            *useless |= moved && self.watched.contains(&path);
            changes.written.insert(path);
        }
        concerned
    }
}

/// Why something cannot be watched.
pub fn words(error: &notify::Error) -> String {
    match &error.kind {
        notify::ErrorKind::MaxFilesWatch => {
            "the system watches no more folders (fs.inotify.max_user_watches)".to_owned()
        }
        notify::ErrorKind::Io(error) => sources::io_words(error),
        _ => "the system does not say why".to_owned(),
    }
}

//! How programs that read our documents find a source again: by its path from
//! the folder that the run was started in, which is the same on every machine.

use std::path::{Component, Path, PathBuf};

use symbi_diagnostics::render::Origin as Reported;

use super::{Origin, STDIN, Source};

impl Source {
    /// What reports about it are about.
    pub fn reported(&self) -> Reported {
        match &self.origin {
            Origin::Text(_) => Reported::Text(self.path.clone()),
            // It can be called as a file that it is the text of.
            Origin::Stdin | Origin::Held(_) if self.path == STDIN => {
                Reported::Text(self.path.clone())
            }
            _ => from_here(&self.path),
        }
    }
}

/// A file by its path from the working folder, whichever way it was written.
pub fn from_here(path: &str) -> Reported {
    match way_from_here(Path::new(path)) {
        Some(way) => Reported::file(&way.to_string_lossy()),
        None => Reported::file(path),
    }
}

/// The path from the working folder, if it is another one than this and says
/// more.
pub fn way_from_here(path: &Path) -> Option<PathBuf> {
    relative(path, &std::env::current_dir().ok()?)
}

/// The path from a folder, if it has to be looked for: what is below the
/// working folder by its spelling alone is right as it is, and keeps the names
/// of links.
fn relative(path: &Path, here: &Path) -> Option<PathBuf> {
    let goes_up = path.components().any(|part| part == Component::ParentDir);
    if !goes_up {
        if path.is_relative() {
            return None;
        }
        if let Ok(below) = path.strip_prefix(here) {
            return Some(below.to_owned());
        }
    }
    let here = here.canonicalize().ok()?;
    let real = match (path.parent(), path.file_name()) {
        (Some(folder), Some(name)) => here.join(folder).canonicalize().ok()?.join(name),
        _ => here.join(path).canonicalize().ok()?,
    };
    let shared = here
        .components()
        .zip(real.components())
        .take_while(|(here, real)| here == real);
    let (mut root, mut folders) = (0, 0);
    for (part, _) in shared {
        match part {
            Component::Normal(_) => folders += 1,
            _ => root += 1,
        }
    }
    let up = here.components().skip(root + folders);
    // With nothing in common but the root, the way up says less than the path.
    if folders == 0 && up.clone().next().is_some() {
        return None;
    }
    let down = real.components().skip(root + folders);
    Some(up.map(|_| Component::ParentDir).chain(down).collect())
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn every_spelling_of_a_path_is_the_way_from_here() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().canonicalize().unwrap();
        fs::create_dir_all(root.join("here/agents")).unwrap();
        fs::create_dir_all(root.join("there")).unwrap();
        fs::write(root.join("there/x.symbi"), "").unwrap();
        std::os::unix::fs::symlink("../there/x.symbi", root.join("here/link.symbi")).unwrap();
        std::os::unix::fs::symlink("../there", root.join("here/folder")).unwrap();
        let here = root.join("here");
        let absolute = |name: &str| here.join(name).to_string_lossy().into_owned();
        let table = [
            ("x.symbi".to_owned(), None),
            ("folder/x.symbi".to_owned(), None),
            (absolute("agents/x.symbi"), Some("agents/x.symbi")),
            (absolute("link.symbi"), Some("link.symbi")),
            ("agents/../x.symbi".to_owned(), Some("x.symbi")),
            // The way up from what a link leads to.
            (
                "folder/../there/x.symbi".to_owned(),
                Some("../there/x.symbi"),
            ),
            ("../there/x.symbi".to_owned(), Some("../there/x.symbi")),
            (absolute("../there/x.symbi"), Some("../there/x.symbi")),
            ("..".to_owned(), Some("..")),
            ("/dev/null".to_owned(), None),
            ("gone/../x.symbi".to_owned(), None),
        ];
        for (path, expected) in table {
            let told = relative(Path::new(&path), &here);
            assert_eq!(told, expected.map(PathBuf::from), "{path}");
        }
    }
}

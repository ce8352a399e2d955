//! From a bundle to a folder: all of it, or nothing.

use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use crate::file::words;
use crate::{Bundle, BundleError};

/// Writes all files of a bundle, the manifest and the signature among them, into
/// a new folder, as `tar` would. A folder that is there must be empty. Files
/// have the mode 644 and folders 755, whatever the process is set to.
///
/// # Errors
/// If there is something already, or the system refuses something. Then nothing
/// is left behind.
pub fn extract(bundle: &Bundle, folder: impl AsRef<Path>) -> Result<(), BundleError> {
    let folder = folder.as_ref();
    let refused = |problem: &str| BundleError::Extract {
        folder: folder.to_owned(),
        problem: problem.to_owned(),
        source: None,
    };
    let failed = |error: io::Error| BundleError::Extract {
        folder: folder.to_owned(),
        problem: match error.kind() {
            io::ErrorKind::AlreadyExists => {
                "two of its files have one name on this file system".to_owned()
            }
            io::ErrorKind::NotFound => "the folder that it would be in is not there".to_owned(),
            _ => words(&error),
        },
        source: Some(error),
    };
    let Some(name) = folder.file_name() else {
        return Err(refused("give the name of a new folder"));
    };
    let parent = match folder.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    };
    // Without what may stand behind the name: `out/.` is `out`.
    let target = parent.join(name);
    match fs::symlink_metadata(&target) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => {}
        Err(error) => return Err(failed(error)),
        Ok(metadata) if metadata.is_symlink() => {
            return Err(refused("it is a link; give the folder that it leads to"));
        }
        Ok(metadata) if !metadata.is_dir() => {
            return Err(refused("it is a file; give the name of a new folder"));
        }
        Ok(_) if fs::read_dir(&target).map_err(failed)?.next().is_some() => {
            return Err(refused("it is not empty; give the name of a new folder"));
        }
        Ok(_) => {}
    }
    // Nobody else may write there, so nothing in it leads elsewhere; and it is
    // gone with all it holds unless it takes the place of the folder.
    let new = tempfile::Builder::new()
        .prefix(".symbi-")
        .tempdir_in(parent)
        .map_err(failed)?;
    fill(bundle, new.path()).map_err(failed)?;
    replace(new.path(), &target).map_err(|error| match error.kind() {
        io::ErrorKind::DirectoryNotEmpty | io::ErrorKind::AlreadyExists => {
            refused("something was put there meanwhile")
        }
        _ => failed(error),
    })?;
    // Its name is another now, so there is nothing left to remove.
    let _ = new.keep();
    Ok(())
}

fn fill(bundle: &Bundle, root: &Path) -> io::Result<()> {
    let mut folders: Vec<PathBuf> = vec![root.to_owned()];
    for (path, bytes) in bundle.files() {
        let mut at = root.to_owned();
        let mut parts = path.split('/').peekable();
        while let Some(part) = parts.next() {
            at.push(part);
            if parts.peek().is_some() {
                make_folder(&at, &mut folders)?;
            }
        }
        let mut file = OpenOptions::new().write(true).create_new(true).open(&at)?;
        file.write_all(bytes)?;
        set_mode(&at, 0o644)?;
    }
    // Last, so that nothing can be put into them before all is there.
    folders
        .iter()
        .try_for_each(|folder| set_mode(folder, 0o755))
}

fn make_folder(path: &Path, made: &mut Vec<PathBuf>) -> io::Result<()> {
    match fs::create_dir(path) {
        Ok(()) => {
            // The process may be set to take our own rights away.
            set_mode(path, 0o700)?;
            made.push(path.to_owned());
            Ok(())
        }
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists && path.is_dir() => Ok(()),
        Err(error) => Err(error),
    }
}

/// An empty folder gives way to a new one in one step on Unix.
fn replace(new: &Path, target: &Path) -> io::Result<()> {
    #[cfg(not(unix))]
    if target.exists() {
        fs::remove_dir(target)?;
    }
    fs::rename(new, target)
}

#[cfg(unix)]
fn set_mode(path: &Path, mode: u32) -> io::Result<()> {
    fs::set_permissions(path, std::os::unix::fs::PermissionsExt::from_mode(mode))
}

#[cfg(not(unix))]
fn set_mode(_: &Path, _: u32) -> io::Result<()> {
    Ok(())
}

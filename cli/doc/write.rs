//! Pages as files of a folder.

use std::fmt;
use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use super::MADE;
use crate::sources::{self, Problem, Unwritable};

/// A file that is to be made.
#[derive(Debug)]
pub struct FileText {
    /// Its name.
    pub name: String,
    /// What it holds.
    pub text: String,
}

/// Why pages are not written.
#[derive(Debug)]
pub enum Refused {
    /// The folder is none, or cannot be made.
    Folder(Problem),
    /// A file of this name is there, and is no page of ours.
    NotOurs(PathBuf),
    /// A file cannot be read.
    Unreadable(PathBuf, Problem),
    /// A file cannot be written; those before it are.
    Unwritable(PathBuf, Unwritable),
}

impl Refused {
    /// What could not be written.
    pub fn path<'p>(&'p self, folder: &'p Path) -> &'p Path {
        match self {
            Refused::Folder(_) => folder,
            Refused::NotOurs(path)
            | Refused::Unreadable(path, _)
            | Refused::Unwritable(path, _) => path,
        }
    }
}

impl fmt::Display for Refused {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Refused::Folder(problem) | Refused::Unreadable(_, problem) => problem.fmt(out),
            Refused::NotOurs(_) => out.write_str(
                "this file is there already and was not made by `symbi doc`; give another folder, or move it away",
            ),
            Refused::Unwritable(_, problem) => problem.fmt(out),
        }
    }
}

/// Writes files into a folder, which is made if it is not there. Pages that
/// were made before are replaced; nothing is written if another file has the
/// name of one.
pub fn pages(folder: &Path, files: &[FileText]) -> Result<(), Refused> {
    let folder_problem = |error: io::Error| Refused::Folder(folder_words(&error, folder));
    fs::create_dir_all(folder).map_err(folder_problem)?;
    for file in files {
        let path = folder.join(&file.name);
        match is_ours(&path) {
            Ok(true) => {}
            Ok(false) => return Err(Refused::NotOurs(path)),
            Err(error) => {
                let problem = Problem::from_io(&error, &path);
                return Err(Refused::Unreadable(path, problem));
            }
        }
    }
    for file in files {
        let path = folder.join(&file.name);
        if let Err(problem) = sources::create(&path, file.text.as_bytes()) {
            return Err(Refused::Unwritable(path, problem));
        }
    }
    Ok(())
}

fn folder_words(error: &io::Error, folder: &Path) -> Problem {
    match error.kind() {
        io::ErrorKind::AlreadyExists => {
            Problem::System("this is a file; give the name of a folder".to_owned())
        }
        _ => Problem::from_io(error, folder),
    }
}

/// Whether a name is free or has a page that was made before. Pages say at
/// their head who made them.
fn is_ours(path: &Path) -> io::Result<bool> {
    let file = match fs::metadata(path) {
        // Opening a pipe would wait for somebody who writes.
        Ok(there) if !there.is_file() => return Ok(false),
        Ok(_) => fs::File::open(path)?,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(!path.is_symlink()),
        Err(error) => return Err(error),
    };
    let mut head = Vec::new();
    file.take(HEAD).read_to_end(&mut head)?;
    Ok(String::from_utf8_lossy(&head).contains(MADE))
}

/// How many bytes of a page are its head.
const HEAD: u64 = 1024;

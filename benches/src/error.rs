//! What can go wrong, in words for the person who runs the tool.

use std::fmt;
use std::io;
use std::path::PathBuf;

/// Why something was not generated or not measured.
#[derive(Debug)]
pub enum Error {
    /// A file or folder cannot be read or written.
    Io {
        /// Which one.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// A folder holds no file that can be a source of generated input.
    NoExamples(PathBuf),
    /// A program that is to be measured is not there.
    Missing {
        /// Which one.
        what: &'static str,
        /// Where it was looked for.
        path: PathBuf,
        /// What makes it.
        command: &'static str,
    },
    /// A program did not start, failed, or did not say what it must say.
    Program {
        /// Its name.
        name: String,
        /// What happened.
        problem: String,
    },
    /// What was measured gave a wrong result.
    Wrong(String),
}

impl Error {
    /// An I/O error with its path.
    pub fn io(path: impl Into<PathBuf>) -> impl FnOnce(io::Error) -> Error {
        let path = path.into();
        move |source| Error::Io { path, source }
    }

    /// A program and what happened to it.
    pub fn program(name: impl Into<String>, problem: impl ToString) -> Error {
        Error::Program {
            name: name.into(),
            problem: problem.to_string(),
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Io { path, source } => write!(f, "{}: {source}", path.display()),
            Error::NoExamples(path) => write!(
                f,
                "{}: no .symbi file without reports is in it",
                path.display()
            ),
            Error::Missing {
                what,
                path,
                command,
            } => write!(
                f,
                "{what} is missing: {} does not exist. Please run: {command}",
                path.display()
            ),
            Error::Program { name, problem } => write!(f, "{name}: {problem}"),
            Error::Wrong(what) => write!(f, "a wrong result: {what}"),
        }
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Error::Io { source, .. } => Some(source),
            _ => None,
        }
    }
}

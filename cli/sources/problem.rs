//! Why something cannot be read, in words for the person who named it.

use std::ffi::OsStr;
use std::fmt;
use std::io::{self, ErrorKind};
use std::path::Path;

/// Why there are no bytes to check.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Problem {
    /// A folder where a file is meant.
    Folder,
    /// A folder where a text is meant.
    FolderOnStdin,
    /// A folder without any source file.
    NoSources,
    /// A pipe: reading it might wait for ever.
    Pipe,
    /// A device or a socket.
    NotAFile,
    /// More bytes than the language allows.
    TooLarge,
    /// No such path.
    Missing,
    /// Listed a moment ago and gone now.
    Vanished,
    /// A symbolic link to something that does not exist.
    DeadLink,
    /// Anything else the system says, already in words.
    System(String),
}

impl Problem {
    /// What a failed call on this path means.
    pub fn from_io(error: &io::Error, path: &Path) -> Self {
        match error.kind() {
            ErrorKind::NotFound if path.is_symlink() => Problem::DeadLink,
            ErrorKind::NotFound => Problem::Missing,
            ErrorKind::IsADirectory => Problem::Folder,
            _ => Problem::System(io_words(error)),
        }
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let words = match self {
            Problem::Folder => "this is a folder; write it without -f to check what is in it",
            Problem::FolderOnStdin => "this is a folder; name it as an argument instead",
            Problem::NoSources => {
                "no .symbi or .dsl file in this folder (hidden and ignored ones do not count)"
            }
            Problem::Pipe => "this is a pipe, not a file; write `-` and send the text to stdin",
            Problem::NotAFile => "this is a device or a socket, not a file",
            Problem::TooLarge => {
                return write!(
                    out,
                    "larger than {} MiB, the most a source file may hold",
                    symbi_syntax::MAX_FILE_BYTES >> 20
                );
            }
            Problem::Missing => "no such file or folder",
            Problem::Vanished => "it was here a moment ago and is gone now",
            Problem::DeadLink => "this symbolic link leads nowhere",
            Problem::System(words) => words,
        };
        out.write_str(words)
    }
}

/// What the system says, in words: never its numbers.
pub fn io_words(error: &io::Error) -> String {
    #[cfg(unix)]
    if error.raw_os_error() == Some(libc::ELOOP) {
        return "its symbolic links lead round in a circle".to_owned();
    }
    let words = match error.kind() {
        ErrorKind::PermissionDenied => "permission denied",
        ErrorKind::NotADirectory => "a part of this path is not a folder",
        ErrorKind::InvalidFilename => "the name is too long or not one the system allows",
        ErrorKind::StorageFull => "no space is left",
        ErrorKind::WouldBlock => "it does not answer",
        _ => {
            let text = error.to_string();
            let text = text.split(" (os error").next().unwrap_or_default();
            let mut letters = text.chars();
            return match letters.next() {
                Some(first) => first.to_lowercase().chain(letters).collect(),
                None => "the system gives no reason".to_owned(),
            };
        }
    };
    words.to_owned()
}

/// A path on one line: control characters are escaped, and so is each byte that
/// is not Unicode.
pub fn printable(path: &OsStr) -> String {
    let mut text = String::new();
    for chunk in path.as_encoded_bytes().utf8_chunks() {
        text.push_str(&symbi_diagnostics::render::one_line(chunk.valid()));
        for byte in chunk.invalid() {
            text.push_str(&format!("\\x{byte:02x}"));
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn system_errors_are_words_without_numbers() {
        #[cfg(unix)]
        for (number, expected) in [
            (libc::EACCES, "permission denied"),
            (libc::ELOOP, "its symbolic links lead round in a circle"),
            (libc::ENOTDIR, "a part of this path is not a folder"),
            (
                libc::ENAMETOOLONG,
                "the name is too long or not one the system allows",
            ),
            (libc::EIO, "input/output error"),
            (libc::EMFILE, "too many open files"),
        ] {
            assert_eq!(io_words(&io::Error::from_raw_os_error(number)), expected);
        }
    }
}

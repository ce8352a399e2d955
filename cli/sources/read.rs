//! Reading, bounded in bytes and in time: only ordinary files are opened, and
//! never more is taken than the language allows.

use std::ffi::OsStr;
use std::fs::{self, File, FileType, Metadata, OpenOptions};
use std::io::{self, Read};
use std::path::Path;

use symbi_syntax::MAX_FILE_BYTES;

use super::Problem;

/// The bytes of a file.
pub fn file(path: &Path) -> Result<Vec<u8>, Problem> {
    file_and_metadata(path).map(|(bytes, _)| bytes)
}

/// The bytes of a file, and what the system knows of the file they are from.
pub fn file_and_metadata(path: &Path) -> Result<(Vec<u8>, Metadata), Problem> {
    let told = |error| Problem::from_io(&error, path);
    // Looked at before it is opened, because opening a pipe waits for a writer
    // and opening a device may do anything; and looked at again afterwards,
    // because another file may have taken its place.
    accept(&fs::metadata(path).map_err(told)?)?;
    let file = open(path).map_err(told)?;
    let metadata = file.metadata().map_err(told)?;
    accept(&metadata)?;
    let bytes = bounded(file, metadata.len()).map_err(told)??;
    Ok((bytes, metadata))
}

/// The bytes of a text that was given as an argument.
pub fn text(text: &OsStr) -> Result<Vec<u8>, Problem> {
    // On Unix these are the bytes as they were written; elsewhere a surrogate
    // without its partner becomes bytes that are not UTF-8, which is what it is.
    let bytes = text.as_encoded_bytes();
    if bytes.len() as u64 > MAX_FILE_BYTES {
        return Err(Problem::TooLarge);
    }
    Ok(bytes.to_vec())
}

/// The bytes of stdin.
pub fn stdin() -> Result<Vec<u8>, Problem> {
    bounded(io::stdin().lock(), 0).map_err(|error| match error.kind() {
        io::ErrorKind::IsADirectory => Problem::FolderOnStdin,
        _ => Problem::System(super::io_words(&error)),
    })?
}

fn accept(metadata: &Metadata) -> Result<(), Problem> {
    if !metadata.is_file() {
        Err(not_a_file(metadata.file_type()))
    } else if metadata.len() > MAX_FILE_BYTES {
        Err(Problem::TooLarge)
    } else {
        Ok(())
    }
}

fn not_a_file(kind: FileType) -> Problem {
    #[cfg(unix)]
    if std::os::unix::fs::FileTypeExt::is_fifo(&kind) {
        return Problem::Pipe;
    }
    if kind.is_dir() {
        Problem::Folder
    } else {
        Problem::NotAFile
    }
}

/// Opens for reading, without waiting for anybody and without making a terminal
/// ours, in case the path has become something else since it was looked at.
fn open(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.read(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::custom_flags(
        &mut options,
        libc::O_NONBLOCK | libc::O_NOCTTY,
    );
    options.open(path)
}

/// All bytes, unless there are too many. The outer failure is the system's.
fn bounded(reader: impl Read, expected: u64) -> io::Result<Result<Vec<u8>, Problem>> {
    // One byte more than expected: the read that finds the end needs room.
    let mut bytes = Vec::with_capacity(expected as usize + 1);
    // A file may grow while it is read, and some say they are empty and are
    // not, so the length that was promised bounds nothing.
    let taken = reader.take(MAX_FILE_BYTES + 1).read_to_end(&mut bytes)?;
    Ok(if taken as u64 > MAX_FILE_BYTES {
        Err(Problem::TooLarge)
    } else {
        Ok(bytes)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reader_without_end_is_cut_off_at_the_limit() {
        assert_eq!(
            bounded(io::repeat(b'x'), 0).unwrap(),
            Err(Problem::TooLarge)
        );
        let most = io::repeat(b'x').take(MAX_FILE_BYTES);
        assert_eq!(
            bounded(most, 0).unwrap().map(|bytes| bytes.len() as u64),
            Ok(MAX_FILE_BYTES)
        );
    }

    #[test]
    fn the_limit_itself_is_within_the_limit() {
        let file = tempfile::tempfile().unwrap();
        let accepted = |length| {
            file.set_len(length).unwrap();
            accept(&file.metadata().unwrap())
        };
        assert_eq!(accepted(MAX_FILE_BYTES), Ok(()));
        assert_eq!(accepted(MAX_FILE_BYTES + 1), Err(Problem::TooLarge));
    }

    #[cfg(unix)]
    #[test]
    fn a_pipe_that_takes_the_place_of_a_file_is_not_waited_for() {
        // `open` is what runs after the first look; it must come back at once.
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("pipe.symbi");
        let made = std::process::Command::new("mkfifo")
            .arg(&path)
            .status()
            .unwrap();
        assert!(made.success());
        let opened = open(&path).unwrap();
        assert_eq!(accept(&opened.metadata().unwrap()), Err(Problem::Pipe));
    }
}

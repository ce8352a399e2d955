//! Files of others, read no further than a limit.

use std::fs::{self, File, Metadata, OpenOptions};
use std::io::{self, Read};
use std::path::Path;

use crate::BundleError;

/// The bytes of an ordinary file, and what the system knows of it.
pub(crate) fn bounded(
    path: &Path,
    what: &str,
    limit: u64,
) -> Result<(Vec<u8>, Metadata), BundleError> {
    // Looked at before it is opened, because opening a pipe waits for a writer
    // and opening a device may do anything; and looked at again afterwards,
    // because another file may have taken its place.
    accept(
        path,
        &fs::metadata(path).map_err(|error| told(path, error))?,
    )?;
    let file = open(path).map_err(|error| told(path, error))?;
    let metadata = file.metadata().map_err(|error| told(path, error))?;
    accept(path, &metadata)?;
    let expected = metadata.len().min(limit);
    let bytes = take(file, expected, what, limit)?.map_err(|error| told(path, error))?;
    Ok((bytes, metadata))
}

fn accept(path: &Path, metadata: &Metadata) -> Result<(), BundleError> {
    if metadata.is_file() {
        return Ok(());
    }
    let kind = match metadata.is_dir() {
        true => "it is a folder; name a file in it",
        false => "it is a device or a pipe, and only an ordinary file is read",
    };
    Err(BundleError::File {
        file: path.to_owned(),
        problem: kind.to_owned(),
        source: None,
    })
}

/// Opens for reading without waiting for anybody, in case the path has become a
/// pipe since it was looked at.
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

/// All bytes of a reader, unless there are too many. The inner failure is the
/// reader's.
pub(crate) fn take(
    reader: impl Read,
    expected: u64,
    what: &str,
    limit: u64,
) -> Result<io::Result<Vec<u8>>, BundleError> {
    // One byte more than expected: the read that finds the end needs room. A
    // file may grow while it is read, so its length bounds nothing.
    let room = usize::try_from(expected.saturating_add(1)).unwrap_or(0);
    let mut bytes = Vec::with_capacity(room);
    if let Err(error) = reader.take(limit.saturating_add(1)).read_to_end(&mut bytes) {
        return Ok(Err(error));
    }
    if bytes.len() as u64 > limit {
        return Err(BundleError::TooLarge {
            what: what.to_owned(),
            limit,
        });
    }
    Ok(Ok(bytes))
}

/// What the system said about a file.
pub(crate) fn told(path: &Path, error: io::Error) -> BundleError {
    BundleError::File {
        file: path.to_owned(),
        problem: words(&error),
        source: Some(error),
    }
}

pub(crate) fn words(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::NotFound => "there is no such file".to_owned(),
        io::ErrorKind::PermissionDenied => "you may not do that there".to_owned(),
        // Without the number that the system gives it.
        _ => error.kind().to_string(),
    }
}

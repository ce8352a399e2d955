//! Folders and files that are their owner's alone. The one place that knows
//! about modes, owners and links.

use std::fs::{self, DirBuilder, File, Metadata, OpenOptions};
use std::io;
use std::os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt};
use std::path::Path;

use crate::Error;

/// Makes a folder that nobody else may enter, unless it is there, and checks
/// that it is such a one. With `durable`, a new one is on disk afterwards.
pub(crate) fn private(path: &Path, durable: bool) -> Result<(), Error> {
    make(path, durable)?;
    let metadata = fs::symlink_metadata(path).map_err(|error| Error::io(path, "read", &error))?;
    owned(path, &metadata, 0o700)
}

/// Makes a folder unless it is there. What stands in it may be for others.
pub(crate) fn make(path: &Path, durable: bool) -> Result<(), Error> {
    match DirBuilder::new().mode(0o700).create(path) {
        Ok(()) if durable => path.parent().map_or(Ok(()), sync),
        Ok(()) => Ok(()),
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
            let metadata =
                fs::symlink_metadata(path).map_err(|error| Error::io(path, "read", &error))?;
            if metadata.is_symlink() {
                return Err(Error::Link {
                    path: path.to_owned(),
                    what: "a folder",
                });
            }
            match metadata.is_dir() {
                true => Ok(()),
                false => Err(Error::Kind {
                    path: path.to_owned(),
                    what: "a folder",
                }),
            }
        }
        Err(error) => Err(Error::io(path, "made", &error)),
    }
}

/// Puts the names in a folder on disk.
pub(crate) fn sync(folder: &Path) -> Result<(), Error> {
    // A path of one name has its folder in "", which is the one we are in.
    let folder = match folder.as_os_str().is_empty() {
        true => Path::new("."),
        false => folder,
    };
    File::open(folder)
        .and_then(|file| file.sync_all())
        .map_err(|error| Error::io(folder, "written to disk", &error))
}

/// Opens an ordinary file; never the target of a link, nor a pipe, for whose
/// other end one would wait.
pub(crate) fn open(
    path: &Path,
    options: &mut OpenOptions,
    what: &'static str,
) -> Result<(File, Metadata), Error> {
    let file = options
        .custom_flags(libc::O_NOFOLLOW | libc::O_NONBLOCK | libc::O_NOCTTY)
        .open(path)
        .map_err(|error| match error.raw_os_error() {
            Some(libc::ELOOP) => Error::Link {
                path: path.to_owned(),
                what,
            },
            _ => Error::io(path, "opened", &error),
        })?;
    let metadata = file
        .metadata()
        .map_err(|error| Error::io(path, "read", &error))?;
    match metadata.is_file() {
        true => Ok((file, metadata)),
        false => Err(Error::Kind {
            path: path.to_owned(),
            what,
        }),
    }
}

/// Whether a file is its owner's alone, and this process its owner's.
pub(crate) fn secret(path: &Path, metadata: &Metadata) -> Result<(), Error> {
    owned(path, metadata, 0o600)?;
    match metadata.nlink() {
        1 => Ok(()),
        links => Err(Error::Links {
            path: path.to_owned(),
            links,
        }),
    }
}

fn owned(path: &Path, metadata: &Metadata, right: u32) -> Result<(), Error> {
    let me = nix::unistd::geteuid().as_raw();
    if metadata.uid() != me {
        return Err(Error::Owner {
            path: path.to_owned(),
            owner: metadata.uid(),
            me,
        });
    }
    match metadata.mode() & 0o077 {
        0 => Ok(()),
        _ => Err(Error::Exposed {
            path: path.to_owned(),
            mode: metadata.mode() & 0o7777,
            right,
        }),
    }
}

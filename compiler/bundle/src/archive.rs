//! The form of a bundle before it is compressed: a tar archive of plain files
//! (ustar, POSIX 1003.1), of which each byte is fixed by paths and contents.

use std::io::{self, Write};
use std::ops::Range;

use tar::{Archive, Builder, EntryType, Header};

use crate::BundleError;

/// The unit of an archive: a header is one, and a content fills some.
const BLOCK: usize = 512;

/// Writes an archive of these files, in this order.
pub(crate) fn put<'a, W: Write>(
    files: impl IntoIterator<Item = (&'a str, &'a [u8])>,
    out: W,
) -> io::Result<()> {
    let mut builder = Builder::new(out);
    for (path, content) in files {
        builder.append(&header(path, content.len() as u64)?, content)?;
    }
    builder.finish()
}

/// No times, no names of users, no rights but the usual ones.
fn header(path: &str, size: u64) -> io::Result<Header> {
    let mut header = Header::new_ustar();
    header.set_path(path)?;
    header.set_mode(0o644);
    header.set_uid(0);
    header.set_gid(0);
    header.set_size(size);
    header.set_mtime(0);
    header.set_entry_type(EntryType::Regular);
    header.set_device_major(0)?;
    header.set_device_minor(0)?;
    header.set_cksum();
    Ok(header)
}

/// A file of an archive.
#[derive(Clone, Debug)]
pub(crate) struct Stored {
    /// As it stands there: anything.
    pub(crate) path: Vec<u8>,
    /// Where its content is.
    pub(crate) at: Range<usize>,
    /// What it is, with an article, if it is no plain file.
    pub(crate) other: Option<&'static str>,
}

/// The files of an archive, until something is wrong with it. Nothing is
/// checked but that each is within the archive.
pub(crate) fn files(
    archive: &[u8],
    mut each: impl FnMut(Stored) -> Result<(), BundleError>,
) -> Result<(), BundleError> {
    let mut reader = Archive::new(archive);
    let entries = reader.entries().map_err(|_| DAMAGED)?;
    // Where the next header begins.
    let mut next = 0_usize;
    for entry in entries.raw(true) {
        let entry = entry.map_err(|_| match archive.len() < next.saturating_add(BLOCK) {
            true => BundleError::Truncated,
            false => DAMAGED,
        })?;
        let place = || {
            let start = usize::try_from(entry.raw_file_position()).ok()?;
            let length = usize::try_from(entry.size()).ok()?;
            let at = start..start.checked_add(length)?;
            archive.get(at.clone()).map(|_| at)
        };
        let at = place().ok_or(BundleError::Truncated)?;
        next = at.end.checked_next_multiple_of(BLOCK).unwrap_or(usize::MAX);
        each(Stored {
            path: entry.path_bytes().into_owned(),
            at,
            other: other(entry.header().entry_type()),
        })?;
    }
    Ok(())
}

const DAMAGED: BundleError = BundleError::Damaged {
    problem: "the header of a file in it does not fit together",
};

fn other(kind: EntryType) -> Option<&'static str> {
    Some(match kind {
        EntryType::Regular => return None,
        EntryType::Link => "a hard link",
        EntryType::Symlink => "a symbolic link",
        EntryType::Char | EntryType::Block => "a device",
        EntryType::Directory => "a folder",
        EntryType::Fifo => "a pipe",
        EntryType::XHeader | EntryType::XGlobalHeader => "an extended header",
        EntryType::GNULongName | EntryType::GNULongLink => "a long name",
        EntryType::GNUSparse => "a file with holes",
        _ => "of an unknown kind",
    })
}

/// Whether the archive is, byte for byte, the one of these files.
pub(crate) fn compare<'a>(
    archive: &[u8],
    files: impl IntoIterator<Item = (&'a str, &'a [u8])>,
) -> Result<(), BundleError> {
    let mut same = Same {
        rest: archive,
        found: Ok(()),
    };
    let put = put(files, &mut same);
    same.found?;
    match put {
        Ok(()) if same.rest.is_empty() => Ok(()),
        Ok(()) => Err(BundleError::NotCanonical {
            problem: "there is something behind its last file",
        }),
        Err(_) => Err(DAMAGED),
    }
}

/// Takes what is written, and compares it with what is there.
struct Same<'a> {
    rest: &'a [u8],
    found: Result<(), BundleError>,
}

impl Write for Same<'_> {
    fn write(&mut self, written: &[u8]) -> io::Result<usize> {
        if let Some(rest) = self.rest.strip_prefix(written) {
            self.rest = rest;
            return Ok(written.len());
        }
        if self.found.is_ok() {
            self.found = Err(match written.starts_with(self.rest) {
                true => BundleError::Truncated,
                false => BundleError::NotCanonical {
                    problem: "a header, or what fills the space behind a file, is different",
                },
            });
        }
        Err(io::ErrorKind::InvalidData.into())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

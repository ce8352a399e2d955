//! Giving a file another text: all of it or nothing, and never over something
//! that nobody has read.
//!
//! The new text goes into a file beside the old one, which is then renamed over
//! it. Whoever looks sees one text or the other, whole; a full disk or a crash
//! leaves the old one. What would get lost on that way (the owner, further
//! names of the file) is kept or is a reason not to write.

use std::fmt;
use std::fs::{self, File, Metadata, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use symbi_syntax::MAX_FILE_BYTES;
use tempfile::NamedTempFile;

use super::problem::{Problem, io_words};
use super::read;

/// Files on their way begin so: hidden, so that no folder that is searched at
/// the same time shows them.
const PREFIX: &str = ".symbi-new-";

/// A file that was read: where it really lies, and which one it was.
#[derive(Debug)]
pub struct Original {
    /// Without symbolic links: what they lead to is replaced, not they.
    path: PathBuf,
    identity: Identity,
}

/// Tells a file from another one under the same name.
#[cfg(unix)]
type Identity = (u64, u64);
#[cfg(not(unix))]
type Identity = Option<std::time::SystemTime>;

fn identity(metadata: &Metadata) -> Identity {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        (metadata.dev(), metadata.ino())
    }
    #[cfg(not(unix))]
    {
        metadata.created().ok()
    }
}

/// What became of a text that was to be written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Written {
    /// It stands in the file.
    Here,
    /// It stood there already: somebody else wrote the same at the same time.
    ByAnother,
}

/// Why a text was not written. The file is as it was.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unwritable {
    /// Nobody may write it.
    ReadOnly,
    /// Nobody may write into its folder.
    ReadOnlyFolder,
    /// It has several names, which the new file would not have.
    HardLinks {
        /// How many.
        names: u64,
        /// The command that makes the new text of stdin.
        command: &'static str,
    },
    /// The new file cannot be given the old one's owner or permissions.
    Ownership,
    /// The new text is more than the language allows: nobody could read it.
    TooLarge,
    /// It is not what was read any more.
    Changed,
    /// No file can be made beside it; why, in words.
    Folder(String),
    /// Anything else the system says, already in words.
    System(String),
}

impl fmt::Display for Unwritable {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Unwritable::ReadOnly => out.write_str("it is read-only"),
            Unwritable::ReadOnlyFolder => out.write_str("its folder is read-only"),
            Unwritable::HardLinks { names, command } => write!(
                out,
                "it has {names} names (hard links), and a new file would have only one; \
                 to keep them, run `{command} < FILE > NEW && cat NEW > FILE`"
            ),
            Unwritable::Ownership => {
                out.write_str("a new file cannot be given its owner and permissions")
            }
            Unwritable::TooLarge => write!(
                out,
                "its new text would be larger than {} MiB, the most a source file may hold",
                MAX_FILE_BYTES >> 20
            ),
            Unwritable::Changed => out.write_str("it was changed meanwhile; please run again"),
            Unwritable::Folder(words) => write!(out, "no file can be made in its folder: {words}"),
            Unwritable::System(words) => out.write_str(words),
        }
    }
}

impl From<io::Error> for Unwritable {
    fn from(error: io::Error) -> Self {
        Unwritable::System(io_words(&error))
    }
}

/// The bytes of a file that may have to be written later.
pub fn original(path: &Path) -> Result<(Vec<u8>, Original), Problem> {
    let real = match fs::canonicalize(path) {
        Ok(real) => real,
        Err(error) => {
            // Reading gives the better reason, such as a pipe.
            read::file(path)?;
            return Err(Problem::from_io(&error, path));
        }
    };
    let (bytes, metadata) = read::file_and_metadata(&real)?;
    let original = Original {
        path: real,
        identity: identity(&metadata),
    };
    Ok((bytes, original))
}

/// Gives a file another text, if it is still the one that was read and holds
/// the bytes that were read. `command` would make the new text of stdin: it is
/// what to do about a file that cannot be replaced.
pub fn replace(
    original: &Original,
    old: &[u8],
    new: &[u8],
    command: &'static str,
) -> Result<Written, Unwritable> {
    if new.len() as u64 > MAX_FILE_BYTES {
        return Err(Unwritable::TooLarge);
    }
    let path = &original.path;
    let folder = path.parent().unwrap_or(Path::new("/"));
    let metadata = fs::symlink_metadata(path).map_err(gone_is_changed)?;
    writable(path, &metadata, folder, command)?;
    let mut fresh = tempfile::Builder::new()
        .prefix(PREFIX)
        .tempfile_in(folder)
        .map_err(|error| Unwritable::Folder(io_words(&error)))?;
    // Until all is there, nobody else may read it: it begins as 0600.
    fresh.write_all(new)?;
    keep_ownership(fresh.as_file(), path, &metadata)?;
    // What is renamed must be on the disk, or a crash could leave an empty
    // file. The folder need not be: the old name leads to the old text then.
    fresh.as_file().sync_all()?;
    put_in_place(fresh, original, old, new)
}

/// Gives a file that was read some time ago another text, if it still holds the
/// bytes that were read then. `command` as in [`replace`].
pub fn rewrite(
    path: &Path,
    old: &[u8],
    new: &[u8],
    command: &'static str,
) -> Result<Written, Unwritable> {
    match original(path) {
        Ok((bytes, original)) if bytes == old => replace(&original, old, new, command),
        Ok((bytes, _)) if bytes == new => Ok(Written::ByAnother),
        Err(Problem::System(words)) => Err(Unwritable::System(words)),
        Ok(_) | Err(_) => Err(Unwritable::Changed),
    }
}

/// Makes a file of these bytes, in the place of one that is there: whole, or not
/// at all. It is something that a command makes, and no source.
pub fn create(path: &Path, bytes: &[u8]) -> Result<(), Unwritable> {
    match fs::metadata(path) {
        Ok(there) if there.is_dir() => {
            return Err(Unwritable::System("it is a folder".to_owned()));
        }
        Ok(there) if !there.is_file() => {
            return Err(Unwritable::System("it is no ordinary file".to_owned()));
        }
        _ => {}
    }
    // What a link leads to is replaced, not the link.
    let real = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let folder = match real.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    let mut builder = tempfile::Builder::new();
    builder.prefix(PREFIX);
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        // As any new file: what the process takes away is taken away.
        builder.permissions(fs::Permissions::from_mode(0o666));
    }
    let mut fresh = builder
        .tempfile_in(folder)
        .map_err(|error| Unwritable::Folder(io_words(&error)))?;
    fresh.write_all(bytes)?;
    fresh.as_file().sync_all()?;
    fresh.persist(&real).map_err(|error| error.error)?;
    Ok(())
}

/// The last look, and the rename right after it.
fn put_in_place(
    fresh: NamedTempFile,
    original: &Original,
    old: &[u8],
    new: &[u8],
) -> Result<Written, Unwritable> {
    let path = &original.path;
    let (bytes, metadata) = match read::file_and_metadata(path) {
        Ok(now) => now,
        Err(Problem::System(words)) => return Err(Unwritable::System(words)),
        // It is gone, or something else has its name.
        Err(_) => return Err(Unwritable::Changed),
    };
    if bytes == new {
        return Ok(Written::ByAnother);
    }
    if bytes != old || identity(&metadata) != original.identity {
        return Err(Unwritable::Changed);
    }
    match fresh.persist(path) {
        Ok(_) => Ok(Written::Here),
        Err(failed) => Err(failed.error.into()),
    }
}

fn gone_is_changed(error: io::Error) -> Unwritable {
    match error.kind() {
        io::ErrorKind::NotFound => Unwritable::Changed,
        _ => error.into(),
    }
}

/// Whether the file may be written and may be replaced. A rename asks nobody:
/// it needs a writable folder, and the file may be as read-only as it likes.
fn writable(
    path: &Path,
    metadata: &Metadata,
    folder: &Path,
    command: &'static str,
) -> Result<(), Unwritable> {
    if !metadata.is_file() {
        return Err(Unwritable::Changed);
    }
    // Root may write everything; who makes a file read-only means root too.
    if metadata.permissions().readonly() {
        return Err(Unwritable::ReadOnly);
    }
    #[cfg(unix)]
    {
        let names = std::os::unix::fs::MetadataExt::nlink(metadata);
        if names > 1 {
            return Err(Unwritable::HardLinks { names, command });
        }
        if fs::metadata(folder)?.permissions().readonly() {
            return Err(Unwritable::ReadOnlyFolder);
        }
    }
    #[cfg(not(unix))]
    let _ = (folder, command);
    // The system knows more than the bits: whose they are, a file system that
    // is mounted read-only. Nothing is written.
    OpenOptions::new()
        .write(true)
        .open(path)
        .map_err(gone_is_changed)?;
    Ok(())
}

/// Gives a new file the owner, the group and the permissions of another one.
fn keep_ownership(fresh: &File, path: &Path, old: &Metadata) -> Result<(), Unwritable> {
    let lost = |_| Unwritable::Ownership;
    #[cfg(unix)]
    {
        use std::os::unix::fs::{MetadataExt, PermissionsExt, fchown};
        let now = fresh.metadata()?;
        if (now.uid(), now.gid()) != (old.uid(), old.gid()) {
            fchown(fresh, Some(old.uid()), Some(old.gid())).map_err(lost)?;
        }
        keep_attributes(fresh, path).map_err(lost)?;
        // Last: giving a file away takes bits from it, and an access list that
        // the folder hands down would take these bits for its own.
        let mode = old.mode() & 0o7777;
        fresh
            .set_permissions(fs::Permissions::from_mode(mode))
            .map_err(lost)?;
        let now = fresh.metadata()?;
        let kept = |file: &Metadata| (file.uid(), file.gid(), file.mode() & 0o7777);
        if kept(&now) != kept(old) {
            return Err(Unwritable::Ownership);
        }
    }
    #[cfg(not(unix))]
    {
        let _ = path;
        fresh.set_permissions(old.permissions()).map_err(lost)?;
    }
    Ok(())
}

/// Gives a new file the extended attributes of another one, and no other:
/// access lists are among them, and what programs have noted.
#[cfg(unix)]
fn keep_attributes(fresh: &File, path: &Path) -> io::Result<()> {
    use xattr::FileExt;
    // Labels of the system's security modules are theirs to give.
    let ours = |name: &std::ffi::OsString| !name.as_encoded_bytes().starts_with(b"security.");
    let names = match xattr::list(path) {
        Ok(names) => names,
        Err(error) if error.kind() == io::ErrorKind::Unsupported => return Ok(()),
        Err(error) => return Err(error),
    };
    let names: Vec<_> = names.filter(ours).collect();
    for name in fresh.list_xattr()?.filter(ours) {
        if !names.contains(&name) {
            fresh.remove_xattr(&name)?;
        }
    }
    for name in names {
        if let Some(value) = xattr::get(path, &name)?
            && fresh.get_xattr(&name)?.as_ref() != Some(&value)
        {
            fresh.set_xattr(&name, &value)?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    const OLD: &[u8] = b"agent  a { }\n";
    const NEW: &[u8] = b"agent a {}\n";

    /// A folder with one file that was read.
    fn read_file() -> (tempfile::TempDir, PathBuf, Original) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x.symbi");
        fs::write(&path, OLD).unwrap();
        let (bytes, original) = original(&path).unwrap();
        assert_eq!(bytes, OLD);
        (folder, path, original)
    }

    fn write(original: &Original, old: &[u8], new: &[u8]) -> Result<Written, Unwritable> {
        replace(original, old, new, "symbi fmt --stdin")
    }

    fn names(folder: &tempfile::TempDir) -> Vec<String> {
        let entries = fs::read_dir(folder.path()).unwrap();
        let mut names: Vec<String> = entries
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }

    #[test]
    fn the_text_is_replaced_and_nothing_is_left_over() {
        let (folder, path, original) = read_file();
        assert_eq!(write(&original, OLD, NEW), Ok(Written::Here));
        assert_eq!(fs::read(&path).unwrap(), NEW);
        assert_eq!(names(&folder), ["x.symbi"]);
    }

    #[test]
    fn a_file_that_was_changed_since_it_was_read_is_kept() {
        let (folder, path, original) = read_file();
        let theirs = b"agent b { }\n";
        fs::write(&path, theirs).unwrap();
        assert_eq!(write(&original, OLD, NEW), Err(Unwritable::Changed));
        assert_eq!(fs::read(&path).unwrap(), theirs);
        assert_eq!(names(&folder), ["x.symbi"]);
    }

    #[test]
    fn another_file_of_the_same_text_is_another_file() {
        let (folder, path, original) = read_file();
        // Made while the old one is there, so that it is not its number again.
        let other = folder.path().join("other");
        fs::write(&other, OLD).unwrap();
        fs::rename(&other, &path).unwrap();
        let expected = if cfg!(unix) {
            Err(Unwritable::Changed)
        } else {
            Ok(Written::Here)
        };
        assert_eq!(write(&original, OLD, NEW), expected);
        assert_eq!(names(&folder), ["x.symbi"]);
    }

    #[test]
    fn a_file_that_holds_the_new_text_already_is_fine() {
        let (folder, path, original) = read_file();
        fs::remove_file(&path).unwrap();
        fs::write(&path, NEW).unwrap();
        assert_eq!(write(&original, OLD, NEW), Ok(Written::ByAnother));
        assert_eq!(fs::read(&path).unwrap(), NEW);
        assert_eq!(names(&folder), ["x.symbi"]);
    }

    #[test]
    fn nothing_is_written_that_could_not_be_read_again() {
        let (folder, path, original) = read_file();
        let large = vec![b'\n'; MAX_FILE_BYTES as usize + 1];
        assert_eq!(write(&original, OLD, &large), Err(Unwritable::TooLarge));
        assert_eq!(fs::read(&path).unwrap(), OLD);
        assert_eq!(names(&folder), ["x.symbi"]);
    }

    #[test]
    fn a_file_that_is_gone_stays_gone() {
        let (folder, path, original) = read_file();
        fs::remove_file(&path).unwrap();
        assert_eq!(write(&original, OLD, NEW), Err(Unwritable::Changed));
        assert_eq!(names(&folder), [""; 0]);
        fs::create_dir(&path).unwrap();
        assert_eq!(write(&original, OLD, NEW), Err(Unwritable::Changed));
        assert_eq!(names(&folder), ["x.symbi"]);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn access_lists_and_notes_are_kept_and_none_is_added() {
        let (folder, path, original) = read_file();
        // Its version, then tag, bits and number of each entry: the owner, the
        // user 65534, the group, the mask, everybody else.
        let list = |user: u8| {
            let mut bytes = vec![2, 0, 0, 0];
            for (tag, bits, id) in [
                (1u16, 6u8, u32::MAX),
                (2, user, 65534),
                (4, 4, u32::MAX),
                (16, 6, u32::MAX),
                (32, 0, u32::MAX),
            ] {
                bytes.extend(tag.to_le_bytes());
                bytes.extend([bits, 0]);
                bytes.extend(id.to_le_bytes());
            }
            bytes
        };
        let access = "system.posix_acl_access";
        xattr::set(folder.path(), "system.posix_acl_default", &list(6)).unwrap();
        assert_eq!(write(&original, OLD, NEW), Ok(Written::Here));
        assert_eq!(xattr::get(&path, access).unwrap(), None);

        fs::write(&path, OLD).unwrap();
        xattr::set(&path, access, &list(4)).unwrap();
        xattr::set(&path, "user.note", b"kept").unwrap();
        let (_, original) = super::original(&path).unwrap();
        assert_eq!(write(&original, OLD, NEW), Ok(Written::Here));
        assert_eq!(xattr::get(&path, access).unwrap(), Some(list(4)));
        assert_eq!(
            xattr::get(&path, "user.note").unwrap().as_deref(),
            Some(&b"kept"[..])
        );
    }

    #[cfg(unix)]
    #[test]
    fn what_takes_the_name_during_the_writing_is_not_replaced() {
        // After the first look and before the last one.
        let (folder, path, original) = read_file();
        let fresh = NamedTempFile::with_prefix_in(PREFIX, folder.path()).unwrap();
        fs::remove_file(&path).unwrap();
        std::os::unix::fs::symlink("elsewhere", &path).unwrap();
        assert_eq!(
            put_in_place(fresh, &original, OLD, NEW),
            Err(Unwritable::Changed)
        );
        assert!(path.is_symlink());
        assert_eq!(names(&folder), ["x.symbi"]);
    }
}

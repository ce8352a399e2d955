//! What can go wrong with journals and keys.

use std::io;
use std::path::{Path, PathBuf};

use crate::Verdict;

/// Why a journal cannot be written, read or judged. A journal that was read and
/// found wrong is no error but a [`Verdict`].
///
/// It can be cloned: a writer that failed once says the same ever after.
#[derive(Debug, Clone, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The system refused.
    #[error("`{}` cannot be {action}: {problem}", path.display())]
    Io {
        /// The file or folder.
        path: PathBuf,
        /// What was to be done with it, as a participle.
        action: &'static str,
        /// What the system said, in our words.
        problem: String,
        /// Its kind, for programs.
        kind: io::ErrorKind,
    },
    /// A link where the thing itself must stand.
    #[error("`{}` is a symbolic link, and keys and journals are kept in place: put {what} there itself", path.display())]
    Link {
        /// The link.
        path: PathBuf,
        /// What belongs there, with an article.
        what: &'static str,
    },
    /// Something else than is wanted.
    #[error("`{}` is not {what}: move it away", path.display())]
    Kind {
        /// What stands there.
        path: PathBuf,
        /// What belongs there, with an article.
        what: &'static str,
    },
    /// Others may read or write it.
    #[error(
        "others may use `{}` (its mode is {mode:04o}): look whether it was changed, then run `chmod {right:o} {}`",
        path.display(), path.display()
    )]
    Exposed {
        /// The file or folder.
        path: PathBuf,
        /// Its permissions.
        mode: u32,
        /// What they should be.
        right: u32,
    },
    /// Somebody else's.
    #[error("`{}` belongs to user {owner}, and this is user {me}: run as its owner", path.display())]
    Owner {
        /// The file or folder.
        path: PathBuf,
        /// Whose it is.
        owner: u32,
        /// Who wants to use it.
        me: u32,
    },
    /// A file that stands in a second place as well.
    #[error("`{}` has {links} names in the file system, and must have one: find the others with `find . -samefile {}`, and remove them", path.display(), path.display())]
    Links {
        /// One of its names.
        path: PathBuf,
        /// How many it has.
        links: u64,
    },
    /// No key.
    #[error("`{}` holds {bytes} bytes, and a key has 32: put the right file back, or move this one away for a new key", path.display())]
    KeyLength {
        /// The file.
        path: PathBuf,
        /// How many bytes it has.
        bytes: u64,
    },
    /// The two halves do not belong together.
    #[error("`{}` is not the public half of the key beside it: one of them was replaced; put the right file back", path.display())]
    PublicKeyDiffers {
        /// The public one.
        path: PathBuf,
    },
    /// No key was made yet.
    #[error("there is no `{}`: the first run makes it; or give the key with `--public-key`", path.display())]
    NoKey {
        /// Where it would be.
        path: PathBuf,
    },
    /// A text that is no key.
    #[error(
        "this is no public key: {problem}; write the 64 hexadecimal digits of `audit-signing.pub`"
    )]
    PublicKey {
        /// Why not.
        problem: &'static str,
    },
    /// The system has no bytes of chance.
    #[error("no key can be made: {problem}")]
    Random {
        /// What it said.
        problem: String,
    },
    /// A text that cannot name a run.
    #[error(
        "`{given}` cannot name a run: write up to 64 lowercase letters, digits, `-` and `_`, the first of them a letter or digit"
    )]
    RunId {
        /// The text, cut short.
        given: String,
    },
    /// Somebody recorded it already.
    #[error("run `{run}` has a journal already, `{}`: take another id, or resume it", path.display())]
    RunExists {
        /// The run.
        run: String,
        /// Its journal.
        path: PathBuf,
    },
    /// Another process writes it.
    #[error("`{}` is in use by another process: wait until that run has ended", path.display())]
    InUse {
        /// The journal.
        path: PathBuf,
    },
    /// Nobody recorded it.
    #[error("run `{run}` has no journal: there is no `{}`", path.display())]
    NoJournal {
        /// The run.
        run: String,
        /// Where it would be.
        path: PathBuf,
    },
    /// Killed before its first record.
    #[error("run `{run}` was ended before anything was recorded, and did nothing: start a new run")]
    NothingToResume {
        /// The run.
        run: String,
    },
    /// It has ended.
    #[error("the journal of run `{run}` is closed, and nothing can follow: start a new run")]
    Closed {
        /// The run.
        run: String,
    },
    /// Somebody else is removing journals.
    #[error("somebody else is removing journals, and has `{}`", path.display())]
    Pruning {
        /// What is locked for that.
        path: PathBuf,
    },

    /// A journal that cannot be trusted is not continued.
    #[error("`{}` cannot be continued: {}", path.display(), verdict.summary())]
    NotIntact {
        /// The journal.
        path: PathBuf,
        /// What is wrong with it.
        verdict: Box<Verdict>,
    },
    /// Not what a journal records.
    #[error("an event cannot be recorded: {problem}")]
    Event {
        /// What is wrong with it.
        problem: &'static str,
    },
    /// More than a record may have.
    #[error("a record would have {bytes} bytes, and {limit} is the limit: shorten its values")]
    RecordTooLarge {
        /// What it would have.
        bytes: u64,
        /// What it may have.
        limit: u64,
    },
    /// More than a journal may have.
    #[error("`{}` is full: it may have {limit} bytes, and the rest is kept to finish what has begun", path.display())]
    Full {
        /// The journal.
        path: PathBuf,
        /// What it may have.
        limit: u64,
    },
    /// Somebody else wrote into it.
    #[error("`{}` was changed while the run wrote it: it has {found} bytes, and {expected} were written", path.display())]
    Changed {
        /// The journal.
        path: PathBuf,
        /// What was written.
        expected: u64,
        /// What is there.
        found: u64,
    },
    /// Somebody moved or removed it.
    #[error("`{}` was removed or linked while the run wrote it: its file has {links} names", path.display())]
    Unlinked {
        /// Where it was.
        path: PathBuf,
        /// How many names it has.
        links: u64,
    },
    /// It became another one meanwhile.
    #[error("`{}` was changed while it was read: try again", path.display())]
    ChangedWhileRead {
        /// The journal.
        path: PathBuf,
    },
    /// Written in another way.
    #[error("`{}` has version {found} of the format, and this `symbi` knows version {}: use the `symbi` that wrote it", path.display(), crate::VERSION)]
    UnknownVersion {
        /// The file.
        path: PathBuf,
        /// The version that it says.
        found: u64,
    },
}

impl Error {
    /// What the system said about a file.
    pub(crate) fn io(path: &Path, action: &'static str, error: &io::Error) -> Self {
        Self::Io {
            path: path.to_owned(),
            action,
            problem: words(error),
            kind: error.kind(),
        }
    }
}

fn words(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::NotFound => "there is no such file or folder".to_owned(),
        io::ErrorKind::PermissionDenied => "you may not do that there".to_owned(),
        io::ErrorKind::StorageFull => "the disk is full".to_owned(),
        io::ErrorKind::QuotaExceeded => "your share of the disk is used up".to_owned(),
        io::ErrorKind::ReadOnlyFilesystem => "the disk can only be read".to_owned(),
        io::ErrorKind::FileTooLarge => "a file of this process may not be that large".to_owned(),
        // Without the number that the system gives it.
        kind => kind.to_string(),
    }
}

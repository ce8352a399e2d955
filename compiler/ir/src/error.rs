//! What is wrong with bytes that should be a program.

/// Why a program cannot be read or written.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum IrError {
    /// It does not begin as a program does.
    #[error("this is no compiled program")]
    NotAProgram,
    /// It is of a version that this build does not know.
    #[error(
        "the program is of version {found}, and this build reads version {known}: build it again with this toolchain"
    )]
    UnknownVersion {
        /// Its version.
        found: u32,
        /// What is known.
        known: u32,
    },
    /// It has more bytes than are read.
    #[error("the program has more than {limit} bytes")]
    TooLarge {
        /// In bytes.
        limit: usize,
    },
    /// Its data cannot be read.
    #[error("the program cannot be read: {0}")]
    Unreadable(String),
    /// There is something behind its data.
    #[error("there are {0} bytes behind the program")]
    Trailing(usize),
    /// Its bytes are not those that this program has.
    #[error("the bytes are not in the one form that a program has")]
    NotCanonical,
    /// A part of it contradicts another.
    #[error("{place}: {what}")]
    Invalid {
        /// Which part.
        place: String,
        /// What is wrong.
        what: String,
    },
}

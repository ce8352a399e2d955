//! Why a value is refused.

use std::fmt;
use std::ops::Range;
use std::sync::Arc;

/// Why an argument does not take a value. As a text it is the end of a sentence
/// that begins with what was given: "…should be at least 1".
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ValueProblem {
    /// It is nothing of this kind.
    Type(&'static str),
    /// It is nothing of this kind, of which this is an example.
    Shape(&'static str, &'static str),
    /// It is none of the values of an enum.
    NotAllowed {
        /// The values.
        allowed: Arc<[String]>,
        /// The one that was probably meant.
        near: Option<String>,
    },
    /// A number is less than this.
    Below(String),
    /// A number is more than this.
    Above(String),
    /// Nothing is there.
    Empty,
    /// It has more bytes than this.
    TooLong(usize),
    /// A character cannot stand in it.
    Character {
        /// The character.
        found: char,
        /// Where in the value, in bytes.
        at: Range<usize>,
        /// Why.
        why: Unfit,
    },
    /// It begins with a `-` or `+`.
    LeadingSign(char),
    /// This pattern does not match all of it.
    Pattern(Arc<str>),
    /// A path does not begin below the folder of the tool.
    AbsolutePath,
    /// A path leads out of the folder of the tool.
    ParentFolder,
    /// A URL has another scheme than these.
    Scheme(Arc<[String]>),
    /// A scheme that no tool is ever given.
    RefusedScheme(String),
    /// A URL has a user or a password.
    UserInfo,
    /// A host has a `*`.
    Wildcard,
    /// A host is written in punycode, which can look like another.
    Punycode,
    /// An address is written in another way than usual, which can hide it.
    OddAddress,
    /// A range has bits behind its length; without them it is this one.
    HostBits(String),
    /// It is an address of the machine's own link, where clouds keep keys.
    LinkLocal,
    /// It is within a private network.
    Internal,
    /// A duration is no time at all.
    NoTime,
    /// A duration is no whole number of seconds.
    PartOfSecond,
    /// A duration is too long to count.
    TooMuchTime,
}

/// Why a character cannot stand in a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unfit {
    /// A shell would read it.
    Shell,
    /// It is a quote or a backslash.
    Quote,
    /// It cannot be seen.
    Control,
    /// It separates words.
    Space,
}

impl ValueProblem {
    /// A character at a byte of the value.
    pub(crate) fn character(found: char, at: usize, why: Unfit) -> Self {
        ValueProblem::Character {
            found,
            at: at..at + found.len_utf8(),
            why,
        }
    }

    /// The value that was probably meant.
    pub fn suggestion(&self) -> Option<&str> {
        match self {
            ValueProblem::NotAllowed { near, .. } => near.as_deref(),
            ValueProblem::HostBits(network) => Some(network),
            ValueProblem::Below(bound) | ValueProblem::Above(bound) => Some(bound),
            _ => None,
        }
    }

    /// Whether the suggestion is what was meant, and not only what would do.
    pub fn is_slip(&self) -> bool {
        matches!(self, ValueProblem::NotAllowed { near: Some(_), .. })
    }

    /// Which bytes of the value are wrong, where it is not all of them.
    pub fn place(&self) -> Option<Range<usize>> {
        match self {
            ValueProblem::Character { at, .. } => Some(at.clone()),
            ValueProblem::LeadingSign(_) => Some(0..1),
            _ => None,
        }
    }
}

impl fmt::Display for ValueProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ValueProblem::Type(kind) => write!(f, "should be {kind}"),
            ValueProblem::Shape(kind, example) => {
                write!(f, "should be {kind}, such as `{example}`")
            }
            ValueProblem::NotAllowed { allowed, .. } => {
                f.write_str("should be one of the allowed values")?;
                list(f, allowed)
            }
            ValueProblem::Below(least) => write!(f, "should be at least {least}"),
            ValueProblem::Above(most) => write!(f, "should be at most {most}"),
            ValueProblem::Empty => f.write_str("cannot be empty"),
            ValueProblem::TooLong(most) => write!(f, "cannot be longer than {most} bytes"),
            ValueProblem::Character { found, why, .. } => match why {
                Unfit::Shell => write!(f, "cannot hold `{found}`, which a shell could read"),
                Unfit::Quote => write!(f, "cannot hold `{found}`, which quotes what is around it"),
                Unfit::Control => write!(
                    f,
                    "cannot hold the control character U+{:04X}",
                    u32::from(*found)
                ),
                Unfit::Space if *found == ' ' => f.write_str("cannot hold a space"),
                Unfit::Space => {
                    write!(f, "cannot hold the space U+{:04X}", u32::from(*found))
                }
            },
            ValueProblem::LeadingSign(sign) => {
                write!(
                    f,
                    "cannot begin with `{sign}`, which would make it an option"
                )
            }
            ValueProblem::Pattern(pattern) => {
                write!(f, "should match the pattern `{pattern}` as a whole")
            }
            ValueProblem::AbsolutePath => {
                f.write_str("should be a relative path, below the tool's folder")
            }
            ValueProblem::ParentFolder => {
                f.write_str("cannot hold `..`, which leads out of the tool's folder")
            }
            ValueProblem::Scheme(schemes) => {
                f.write_str("should begin with an allowed scheme")?;
                list(f, schemes)
            }
            ValueProblem::RefusedScheme(scheme) => {
                write!(
                    f,
                    "cannot begin with `{scheme}:`, which tools are never given"
                )
            }
            ValueProblem::UserInfo => f.write_str("cannot hold a user or a password"),
            ValueProblem::Wildcard => f.write_str("should be one host: `*` stands for many"),
            ValueProblem::Punycode => {
                f.write_str("cannot be written in punycode, which can look like another host")
            }
            ValueProblem::OddAddress => {
                f.write_str("should be an address with four parts, such as `192.0.2.1`, or a name")
            }
            ValueProblem::HostBits(network) => {
                write!(f, "should begin where its range begins, at `{network}`")
            }
            ValueProblem::LinkLocal => {
                f.write_str("cannot be a link-local address: clouds keep their keys there")
            }
            ValueProblem::Internal => f.write_str("cannot be within a private network"),
            ValueProblem::NoTime => f.write_str("should be longer than no time"),
            ValueProblem::PartOfSecond => f.write_str("should be a whole number of seconds"),
            ValueProblem::TooMuchTime => f.write_str("is too long to be counted in seconds"),
        }
    }
}

impl std::error::Error for ValueProblem {}

/// The first words of a list.
fn list(f: &mut fmt::Formatter<'_>, words: &[String]) -> fmt::Result {
    const SHOWN: usize = 8;
    for (at, word) in words.iter().take(SHOWN).enumerate() {
        write!(f, "{} `{word}`", if at == 0 { ":" } else { "," })?;
    }
    match words.len().checked_sub(SHOWN) {
        Some(more) if more > 0 => write!(f, " and {more} more"),
        _ => Ok(()),
    }
}

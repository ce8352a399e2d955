//! Which paths an entry may have: those that mean one place below a folder, and
//! the same one, on every system.

use std::collections::HashMap;

use crate::{BundleError, MANIFEST, SIGNATURE};

/// The longest path in bytes. One longer than 100 is divided in the header of
/// its file, at a `/`: see [`PathProblem::Indivisible`].
pub const MAX_PATH: usize = 255;

/// The parts of a header that hold a path: the name, and what stands before it.
const NAME: usize = 100;
const PREFIX: usize = 155;

/// Why a path cannot stand in a bundle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PathProblem {
    /// There is nothing.
    #[error("it is empty")]
    Empty,
    /// It begins with `/`.
    #[error("it begins with `/`, and a path in a bundle begins below its folder")]
    Absolute,
    /// `//`, or `/` at the end.
    #[error("one of its parts is empty: write one `/` between two names, and none at the end")]
    EmptyPart,
    /// A part is `.` or `..`.
    #[error("it has `.` or `..` as a part: write the path without it")]
    Dots,
    /// A backslash.
    #[error("it has a backslash: write `/` between folders")]
    Backslash,
    /// One of `< > : " | ? *`.
    #[error("it has `{0}`, which no file name has on some systems")]
    Character(char),
    /// A control character, or one that is not seen and changes what is.
    #[error("it has a character that is not seen (U+{:04X})", u32::from(*.0))]
    Unseen(char),
    /// A part ends with a dot or a space.
    #[error("one of its parts ends with a dot or a space, which some systems leave out")]
    Ending,
    /// A part is the name of a device.
    #[error("one of its parts is the name of a device on some systems")]
    Device,
    /// More than 255 bytes.
    #[error("it is longer than {MAX_PATH} bytes")]
    TooLong,
    /// It cannot be divided.
    #[error(
        "it has no `/` that leaves at most {PREFIX} bytes before it and at most {NAME} behind it: \
         choose shorter names"
    )]
    Indivisible,
    /// `manifest.json` or `signature.json`.
    #[error("it is what the bundle itself has there")]
    Reserved,
    /// Its bytes are no text.
    #[error("it is not UTF-8")]
    NotText,
}

/// Whether an entry may have this path.
pub fn check_path(path: &str) -> Result<(), PathProblem> {
    check_stored(path)?;
    if [MANIFEST, SIGNATURE]
        .iter()
        .any(|own| path.eq_ignore_ascii_case(own))
    {
        return Err(PathProblem::Reserved);
    }
    Ok(())
}

/// The same for any file of the archive, the manifest among them.
pub(crate) fn check_stored(path: &str) -> Result<(), PathProblem> {
    if path.is_empty() {
        return Err(PathProblem::Empty);
    }
    if path.len() > MAX_PATH {
        return Err(PathProblem::TooLong);
    }
    path.chars().try_for_each(check_character)?;
    if path.starts_with('/') {
        return Err(PathProblem::Absolute);
    }
    path.split('/').try_for_each(check_part)?;
    let divisible = || {
        path.match_indices('/')
            .any(|(at, _)| at <= PREFIX && path.len() - at - 1 <= NAME)
    };
    if path.len() > NAME && !divisible() {
        return Err(PathProblem::Indivisible);
    }
    Ok(())
}

fn check_character(c: char) -> Result<(), PathProblem> {
    match c {
        '\\' => Err(PathProblem::Backslash),
        '<' | '>' | ':' | '"' | '|' | '?' | '*' => Err(PathProblem::Character(c)),
        // Marks of direction, joiners and the like: two paths that look the
        // same, or one that looks like another.
        '\u{200B}'..='\u{200F}'
        | '\u{2028}'..='\u{202E}'
        | '\u{2060}'..='\u{206F}'
        | '\u{FEFF}' => Err(PathProblem::Unseen(c)),
        c if c.is_control() => Err(PathProblem::Unseen(c)),
        _ => Ok(()),
    }
}

fn check_part(part: &str) -> Result<(), PathProblem> {
    match part {
        "" => return Err(PathProblem::EmptyPart),
        "." | ".." => return Err(PathProblem::Dots),
        _ => {}
    }
    if part.ends_with(['.', ' ']) {
        return Err(PathProblem::Ending);
    }
    // A device is one whatever ending it has: `nul.txt` too.
    let stem = part.split('.').next().unwrap_or_default().trim_end();
    if is_device(&stem.to_ascii_uppercase()) {
        return Err(PathProblem::Device);
    }
    Ok(())
}

fn is_device(stem: &str) -> bool {
    let numbered = |name| {
        stem.strip_prefix(name).is_some_and(|rest| {
            // The superscript digits count as well.
            let mut chars = rest.chars();
            matches!(chars.next(), Some('1'..='9' | '¹' | '²' | '³')) && chars.next().is_none()
        })
    };
    matches!(stem, "CON" | "PRN" | "AUX" | "NUL" | "CONIN$" | "CONOUT$")
        || numbered("COM")
        || numbered("LPT")
}

/// The paths of a bundle so far, so that no two are one file on a system that
/// does not tell capitals, and no file is a folder.
#[derive(Default)]
pub(crate) struct Paths {
    /// By the path in small letters: the path, and whether it is a file.
    known: HashMap<String, (String, bool)>,
}

impl Paths {
    pub(crate) fn add(&mut self, path: &str) -> Result<(), BundleError> {
        check_path(path).map_err(|problem| BundleError::Path {
            path: path.to_owned(),
            problem,
        })?;
        let folded = path.to_ascii_lowercase();
        for (at, _) in path.match_indices('/') {
            let folder = folded.get(..at).unwrap_or_default();
            match self.known.get(folder) {
                Some((file, true)) => return Err(in_file(file, path)),
                Some((_, false)) => {}
                None => {
                    let written = path.get(..at).unwrap_or_default();
                    let entry = (written.to_owned(), false);
                    self.known.insert(folder.to_owned(), entry);
                }
            }
        }
        match self.known.insert(folded, (path.to_owned(), true)) {
            Some((other, true)) => Err(BundleError::Duplicate {
                path: path.to_owned(),
                other,
            }),
            Some((folder, false)) => Err(in_file(path, &format!("{folder}/…"))),
            None => Ok(()),
        }
    }
}

fn in_file(file: &str, inner: &str) -> BundleError {
    BundleError::InFile {
        file: file.to_owned(),
        inner: inner.to_owned(),
    }
}

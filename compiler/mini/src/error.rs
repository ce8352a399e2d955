//! The one error of the crate, and what its messages are made with.

use std::fmt;
use std::ops::Range;

/// Why a text is not a value of its language, in plain words.
///
/// ```
/// let error = symbi_mini::duration::parse("30 secnds").unwrap_err();
/// assert_eq!(error.message, "`secnds` is not a unit of time");
/// assert_eq!(error.help.as_deref(), Some("did you mean `s`? Write `30s`"));
/// assert_eq!(error.span, 3..9);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MiniError {
    /// The part of the text that is wrong, in bytes; it starts and ends
    /// between characters. Empty where something is missing.
    pub span: Range<usize>,
    /// What was found, and what is right: one or two short sentences without
    /// the last full stop.
    pub message: String,
    /// What to write.
    pub help: Option<String>,
}

impl MiniError {
    pub(crate) fn new(span: Range<usize>, message: impl Into<String>) -> MiniError {
        MiniError {
            span,
            message: message.into(),
            help: None,
        }
    }

    pub(crate) fn help(mut self, help: impl Into<String>) -> MiniError {
        self.help = Some(help.into());
        self
    }
}

impl fmt::Display for MiniError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)?;
        match &self.help {
            Some(help) => write!(f, "; {help}"),
            None => Ok(()),
        }
    }
}

impl std::error::Error for MiniError {}

/// A value, and how the language would write it where the text did not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reading<T> {
    /// The value.
    pub value: T,
    /// The usual spelling, if the text has another one that is understood all
    /// the same: `5m` for `5 minutes`.
    pub write: Option<String>,
}

/// Words longer than this are not compared with others: nobody meant them.
const LONGEST_WORD: usize = 40;

/// The one of `known` that `word` was most likely meant to be: at most one
/// change for each three characters. Of two, the one with the same first letter:
/// people slip behind it.
pub(crate) fn nearest<'k>(word: &str, known: impl IntoIterator<Item = &'k str>) -> Option<&'k str> {
    let length = word.chars().take(LONGEST_WORD + 1).count();
    if !(2..=LONGEST_WORD).contains(&length) {
        return None;
    }
    let word = word.to_lowercase();
    let allowed = (length / 3).max(1);
    known
        .into_iter()
        // The distance is at least the difference of the lengths.
        .filter(|name| name.chars().count().abs_diff(length) <= allowed)
        .map(|name| (strsim::osa_distance(&word, &name.to_lowercase()), name))
        .filter(|(distance, name)| *distance <= allowed && *distance < name.chars().count())
        .min_by_key(|(distance, name)| {
            let same_start = name.to_lowercase().chars().next() == word.chars().next();
            (*distance, !same_start)
        })
        .map(|(_, name)| name)
}

/// A piece of the text for a message: in backticks, cut where it is long, and
/// with control characters made visible.
pub fn quote(text: &str) -> String {
    const SHOWN: usize = 40;
    let mut out = String::from("`");
    for (count, c) in text.chars().enumerate() {
        if count == SHOWN {
            out.push('…');
            break;
        }
        if c.is_control() || c == '`' {
            out.extend(c.escape_default());
        } else {
            out.push(c);
        }
    }
    out.push('`');
    out
}

/// A character for a message; control characters and the like by number.
pub(crate) fn quote_char(c: char) -> String {
    quote(c.encode_utf8(&mut [0; 4]))
}

/// `a`, `a and b`, `a, b and c`; with `or` for `and` if wanted.
pub(crate) fn list<S: AsRef<str>>(items: &[S], last: &str) -> String {
    match items {
        [] => String::new(),
        [one] => one.as_ref().to_owned(),
        [first @ .., end] => {
            let first: Vec<&str> = first.iter().map(AsRef::as_ref).collect();
            format!("{} {last} {}", first.join(", "), end.as_ref())
        }
    }
}

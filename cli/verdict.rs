//! What the verdict lines of all commands share: the column that the names
//! stand in, and how the first of several reports is told in one line.

use symbi_diagnostics::render::one_line;
use symbi_diagnostics::{Diagnostic, SourceFile};

use crate::output::{RED_BOLD, paint};
use crate::sources::Source;

/// Names are padded to the longest, but not beyond this many characters: one
/// long path shall not push all verdicts out of sight.
const NAME_WIDTH: usize = 40;

/// How wide the column of names is.
pub fn name_width(sources: &[Source]) -> usize {
    let lengths = sources.iter().map(|source| source.name.chars().count());
    lengths.max().unwrap_or(0).min(NAME_WIDTH)
}

/// The first of the reports that make a source fail, and how many follow.
#[derive(Debug, PartialEq, Eq)]
pub struct Failure {
    line: u32,
    column: u32,
    code: &'static str,
    message: String,
    more: usize,
}

impl Failure {
    /// Of these reports, all of which are fatal; `None` if there are none.
    pub fn of<'d>(
        file: &SourceFile,
        mut fatal: impl Iterator<Item = &'d Diagnostic>,
    ) -> Option<Self> {
        let first = fatal.next()?;
        let place = file.line_column(first.primary.at.start);
        Some(Self {
            line: place.line,
            column: place.column,
            code: first.code.id,
            message: first.message.clone(),
            more: fatal.count(),
        })
    }

    /// What stands behind the name.
    pub fn verdict(&self, colour: bool) -> String {
        let Self {
            line,
            column,
            code,
            message,
            more,
        } = self;
        let word = paint("FAILED", RED_BOLD, colour);
        let message = one_line(message);
        let more = match more {
            0 => String::new(),
            more => format!(" (and {more} more)"),
        };
        format!("{word} {line}:{column} {code} {message}{more}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_verdict_is_one_line_whatever_the_message_quotes() {
        let failure = Failure {
            line: 1,
            column: 2,
            code: "S0102",
            message: "a\n\u{1b}[2Jb".to_owned(),
            more: 0,
        };
        assert_eq!(failure.verdict(false), r"FAILED 1:2 S0102 a\n\u{1b}[2Jb");
    }
}

//! What became of one source, in one line, and of all of them, in one line.

use std::fmt;

use symbi_diagnostics::LineColumn;

use super::work::Goal;
use crate::exit::Exit;
use crate::output::{GREEN, RED_BOLD, YELLOW, paint};
use crate::sources::{Problem, Unwritable};
use crate::verdict::Failure;

/// What became of one source.
#[derive(Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It is formatted already.
    Fine,
    /// It was not, and is now.
    Formatted,
    /// It is not; the first difference.
    WouldChange(LineColumn),
    /// It has syntax errors.
    Failed(Failure),
    /// The formatter got it wrong and gave nothing out.
    Refused(LineColumn),
    /// There is nothing to format.
    Unreadable(Problem),
    /// It is not formatted and could not be written.
    Unwritable(Unwritable),
}

/// Where a fault of the formatter is to be reported.
pub const REPORT_IT: &str = concat!(env!("CARGO_PKG_REPOSITORY"), "/issues");

impl Verdict {
    /// How the process ends because of it.
    pub fn exit(&self) -> Exit {
        match self {
            Verdict::Fine | Verdict::Formatted => Exit::Fine,
            Verdict::WouldChange(_) | Verdict::Failed(_) | Verdict::Refused(_) => Exit::Errors,
            Verdict::Unreadable(_) | Verdict::Unwritable(_) => Exit::Unusable,
        }
    }

    /// What stands behind the name, if anything is to be said.
    pub fn line(&self, colour: bool) -> Option<String> {
        let red = |word| paint(word, RED_BOLD, colour);
        Some(match self {
            Verdict::Fine => return None,
            Verdict::Formatted => paint("FORMATTED", GREEN, colour),
            Verdict::WouldChange(at) => {
                let word = paint("WOULD CHANGE", YELLOW, colour);
                format!("{word} {}:{}", at.line, at.column)
            }
            Verdict::Failed(failure) => failure.verdict(colour),
            Verdict::Refused(at) => {
                let code = &symbi_diagnostics::format::F1002;
                let (word, id, title) = (red("REFUSED"), code.id, code.title);
                format!("{word} {}:{} {id} {title}", at.line, at.column)
            }
            Verdict::Unreadable(problem) => format!("{} {problem}", red("UNREADABLE")),
            Verdict::Unwritable(why) => format!("{} {why}", red("UNWRITABLE")),
        })
    }

    /// The syntax errors, if that is what it is about.
    pub fn failure(&self) -> Option<&Failure> {
        match self {
            Verdict::Failed(failure) => Some(failure),
            _ => None,
        }
    }

    /// What has to be said on stderr even if only little may be said.
    pub fn trouble(&self) -> Option<String> {
        match self {
            Verdict::Unreadable(problem) => Some(problem.to_string()),
            Verdict::Unwritable(why) => Some(format!("not written: {why}")),
            Verdict::Refused(_) => Some(format!(
                "the formatter would have changed more than the layout, so the file is left as it \
                 is; please report this with the file: {REPORT_IT}"
            )),
            _ => None,
        }
    }
}

/// How many sources got which verdict.
#[derive(Debug)]
pub struct Summary {
    goal: Goal,
    changed: usize,
    fine: usize,
    failed: usize,
    refused: usize,
    unreadable: usize,
    unwritable: usize,
}

impl Summary {
    /// Of no sources yet.
    pub fn new(goal: Goal) -> Self {
        Self {
            goal,
            changed: 0,
            fine: 0,
            failed: 0,
            refused: 0,
            unreadable: 0,
            unwritable: 0,
        }
    }

    /// One more.
    pub fn count(&mut self, verdict: &Verdict) {
        *match verdict {
            Verdict::Fine => &mut self.fine,
            Verdict::Formatted | Verdict::WouldChange(_) => &mut self.changed,
            Verdict::Failed(_) => &mut self.failed,
            Verdict::Refused(_) => &mut self.refused,
            Verdict::Unreadable(_) => &mut self.unreadable,
            Verdict::Unwritable(_) => &mut self.unwritable,
        } += 1;
    }
}

impl fmt::Display for Summary {
    /// `2 files formatted, 12 unchanged`: the noun stands once, with the first
    /// of the numbers; what is zero is not told.
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let changed = match self.goal {
            Goal::Write => "formatted",
            Goal::Check | Goal::Diff => "would change",
        };
        let parts = [
            (self.changed, changed),
            (self.fine, "unchanged"),
            (self.failed, "with syntax errors"),
            (self.refused, "refused"),
            (self.unreadable, "unreadable"),
            (self.unwritable, "not written"),
        ];
        let told = parts.into_iter().filter(|(count, _)| *count > 0);
        for (place, (count, what)) in told.enumerate() {
            match (place, count) {
                (0, 1) => write!(out, "1 file {what}")?,
                (0, _) => write!(out, "{count} files {what}")?,
                (_, _) => write!(out, ", {count} {what}")?,
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place() -> LineColumn {
        LineColumn {
            line: 12,
            column: 5,
            byte: 7,
            utf16: 4,
        }
    }

    #[test]
    fn every_verdict_has_its_line_and_its_exit_code() {
        let table = [
            (Verdict::Fine, None, Exit::Fine),
            (Verdict::Formatted, Some("FORMATTED"), Exit::Fine),
            (
                Verdict::WouldChange(place()),
                Some("WOULD CHANGE 12:5"),
                Exit::Errors,
            ),
            (
                Verdict::Refused(place()),
                Some("REFUSED 12:5 F1002 the formatter would have changed more than the layout"),
                Exit::Errors,
            ),
            (
                Verdict::Unreadable(Problem::Missing),
                Some("UNREADABLE no such file or folder"),
                Exit::Unusable,
            ),
            (
                Verdict::Unwritable(Unwritable::ReadOnly),
                Some("UNWRITABLE it is read-only"),
                Exit::Unusable,
            ),
        ];
        for (verdict, line, exit) in table {
            assert_eq!(verdict.line(false).as_deref(), line);
            assert_eq!(verdict.exit(), exit);
        }
    }

    #[test]
    fn a_fault_of_ours_asks_for_a_report() {
        let trouble = Verdict::Refused(place()).trouble().unwrap();
        assert!(trouble.contains("please report this"), "{trouble}");
        assert!(trouble.ends_with("/issues"), "{trouble}");
    }

    #[test]
    fn the_summary_counts_in_plain_english() {
        let verdict = |letter| match letter {
            'f' => Verdict::Fine,
            'c' => Verdict::WouldChange(place()),
            'r' => Verdict::Refused(place()),
            'u' => Verdict::Unreadable(Problem::Missing),
            _ => Verdict::Unwritable(Unwritable::ReadOnly),
        };
        let table = [
            (Goal::Write, "ccfff", "2 files formatted, 3 unchanged"),
            (Goal::Write, "cf", "1 file formatted, 1 unchanged"),
            (Goal::Write, "f", "1 file unchanged"),
            (Goal::Check, "fcc", "2 files would change, 1 unchanged"),
            (Goal::Diff, "ff", "2 files unchanged"),
            (
                Goal::Write,
                "fruw",
                "1 file unchanged, 1 refused, 1 unreadable, 1 not written",
            ),
        ];
        for (goal, letters, expected) in table {
            let mut summary = Summary::new(goal);
            for letter in letters.chars() {
                summary.count(&verdict(letter));
            }
            assert_eq!(summary.to_string(), expected);
        }
    }
}

//! How the process ends. One table for all commands stands in
//! `docs/exit-codes.md`; a test holds the two together.

use std::process::ExitCode;

/// Why the process ends with the code it ends with.
///
/// The order is the order of importance: where several apply the greatest wins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Exit {
    /// Everything that was asked for was done and nothing is wrong.
    Fine,
    /// The input was read and has errors.
    Errors,
    /// The command was written wrongly, or something could not be read or
    /// written: whatever else is known is not the whole answer.
    Unusable,
    /// An effect may or may not have happened.
    Unresolved,
    /// A budget or the time ran out.
    Exhausted,
    /// What was compared may do more than before.
    Grew,
    /// Somebody ended it.
    Interrupted,
    /// The reader of the output went away, as in `symbi … | head`. Not
    /// [`Exit::Fine`], because the rest was not looked at.
    ReaderGone,
}

impl Exit {
    /// The number that the shell sees.
    pub fn code(self) -> u8 {
        match self {
            Exit::Fine => 0,
            Exit::Errors => 1,
            Exit::Unusable => 2,
            Exit::Unresolved => 3,
            Exit::Exhausted => 4,
            Exit::Grew => 5,
            // 128 + SIGINT, as shells show a process that Ctrl-C ended.
            Exit::Interrupted => 130,
            // 128 + SIGPIPE: what a shell shows for a process that a closed
            // pipe ended, so scripts that allow for it need nothing new.
            Exit::ReaderGone => 141,
        }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        ExitCode::from(exit.code())
    }
}

#[cfg(test)]
mod tests {
    use super::Exit;

    const ALL: [Exit; 8] = [
        Exit::Fine,
        Exit::Errors,
        Exit::Unusable,
        Exit::Unresolved,
        Exit::Exhausted,
        Exit::Grew,
        Exit::Interrupted,
        Exit::ReaderGone,
    ];

    #[test]
    fn io_wins_over_errors() {
        assert_eq!(Exit::Errors.max(Exit::Unusable), Exit::Unusable);
        assert_eq!(Exit::Fine.max(Exit::Errors), Exit::Errors);
    }

    #[test]
    fn every_code_has_a_row_in_the_documented_table() {
        let page = include_str!("../docs/exit-codes.md");
        for exit in ALL {
            let row = format!("| {} |", exit.code());
            let rows = page.lines().filter(|line| line.starts_with(&row)).count();
            assert_eq!(rows, 1, "rows that begin `{row}`");
        }
    }
}

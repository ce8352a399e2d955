//! Where text leaves the process: verdicts and documents on stdout, reports on
//! stderr, in colour or not.
//!
//! A reader that goes away is not an error to talk about: writing gives the
//! [`io::Error`] up to `main`, which ends the process without a word.

use std::io::{self, BufWriter, IsTerminal, Stdout, Write};

use clap::ValueEnum;

/// What `--color` says.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum ColorChoice {
    /// On a terminal, unless the environment says otherwise
    #[default]
    Auto,
    /// Into files and pipes too
    Always,
    /// Nowhere
    Never,
}

/// The two streams, buffered and with their colours decided.
pub struct Output {
    stdout: BufWriter<Stdout>,
    /// A person is watching stdout: every line is shown at once.
    live: bool,
    /// Stdout is a terminal that can be cleared.
    screen: bool,
    /// Whether stdout takes colours.
    pub stdout_colour: bool,
    /// Whether stderr takes colours.
    pub stderr_colour: bool,
}

impl Output {
    /// The streams of this process.
    pub fn new(choice: ColorChoice) -> Self {
        let environment = Environment::read();
        let stdout = io::stdout();
        let live = stdout.is_terminal();
        Self {
            stdout_colour: wants_colour(choice, &environment, live),
            stderr_colour: wants_colour(choice, &environment, io::stderr().is_terminal()),
            live,
            screen: live && environment.term.as_deref() != Some("dumb"),
            stdout: BufWriter::with_capacity(1 << 16, stdout),
        }
    }

    /// Whether stdout can be cleared and drawn anew.
    pub fn is_screen(&self) -> bool {
        self.screen
    }

    /// One line to stdout.
    pub fn line(&mut self, line: &str) -> io::Result<()> {
        writeln!(self.stdout, "{line}")?;
        if self.live { self.flush() } else { Ok(()) }
    }

    /// Stdout for text that is too large to build first.
    pub fn stdout(&mut self) -> &mut impl Write {
        &mut self.stdout
    }

    /// Text to stderr. What stdout holds goes out first, so that the two
    /// alternate as they were written where both end in one place.
    pub fn report(&mut self, text: &str) -> io::Result<()> {
        if text.is_empty() {
            return Ok(());
        }
        self.flush()?;
        io::stderr().lock().write_all(text.as_bytes())
    }

    /// One line `error: …` to stderr.
    pub fn error(&mut self, message: &str) -> io::Result<()> {
        let line = self.error_line(message);
        self.report(&line)
    }

    /// One line `error: …` to stderr when stdout can no longer be written. If
    /// stderr cannot either, there is nobody left to tell.
    pub fn last_words(&self, message: &str) {
        let _ = io::stderr()
            .lock()
            .write_all(self.error_line(message).as_bytes());
    }

    fn error_line(&self, message: &str) -> String {
        format!(
            "{}: {message}\n",
            paint("error", RED_BOLD, self.stderr_colour)
        )
    }

    /// Everything out. To be called at the end: a drop would hide a failure.
    pub fn flush(&mut self) -> io::Result<()> {
        self.stdout.flush()
    }
}

/// The escape sequence for what went well.
pub const GREEN: &str = "\x1b[32m";
/// The escape sequence for what deserves a look.
pub const YELLOW: &str = "\x1b[33m";
/// The escape sequence for what went wrong.
pub const RED_BOLD: &str = "\x1b[1;31m";
/// The escape sequence for what goes away.
pub const RED: &str = "\x1b[31m";
/// The escape sequence for places.
pub const CYAN: &str = "\x1b[36m";
/// The escape sequence for headings.
pub const BOLD: &str = "\x1b[1m";
const RESET: &str = "\x1b[0m";

/// The text between an escape sequence and its end, or as it is.
pub fn paint(text: &str, style: &str, colour: bool) -> String {
    if colour {
        format!("{style}{text}{RESET}")
    } else {
        text.to_owned()
    }
}

/// Markdown as it was written, which reads well as it is. In colour its
/// headings stand out.
pub fn headings(page: &str, colour: bool) -> String {
    let mut fenced = false;
    let lines: Vec<String> = page
        .lines()
        .map(|line| {
            fenced ^= line.starts_with("```");
            paint(line, BOLD, colour && !fenced && line.starts_with('#'))
        })
        .collect();
    lines.join("\n")
}

/// What the environment says about colours.
#[derive(Clone, Debug, Default)]
struct Environment {
    no_color: Option<String>,
    clicolor: Option<String>,
    clicolor_force: Option<String>,
    term: Option<String>,
}

impl Environment {
    fn read() -> Self {
        let get = |name| std::env::var_os(name).map(|value| value.to_string_lossy().into_owned());
        Self {
            no_color: get("NO_COLOR"),
            clicolor: get("CLICOLOR"),
            clicolor_force: get("CLICOLOR_FORCE"),
            term: get("TERM"),
        }
    }
}

/// Whether a stream takes colours: the one place that decides.
///
/// The flag is the most explicit and wins. Then no-color.org (set and not
/// empty), then the CLICOLOR convention, then the terminal.
fn wants_colour(choice: ColorChoice, environment: &Environment, terminal: bool) -> bool {
    let set = |value: &Option<String>| value.as_deref().is_some_and(|value| !value.is_empty());
    let is = |value: &Option<String>, word: &str| value.as_deref() == Some(word);
    match choice {
        ColorChoice::Always => true,
        ColorChoice::Never => false,
        ColorChoice::Auto if set(&environment.no_color) => false,
        ColorChoice::Auto
            if set(&environment.clicolor_force) && !is(&environment.clicolor_force, "0") =>
        {
            true
        }
        ColorChoice::Auto if is(&environment.clicolor, "0") => false,
        ColorChoice::Auto if is(&environment.term, "dumb") => false,
        ColorChoice::Auto => terminal,
    }
}

#[cfg(test)]
mod tests {
    use super::{ColorChoice, Environment, wants_colour};
    use ColorChoice::{Always, Auto, Never};

    fn environment(text: &str) -> Environment {
        let get = |name: &str| {
            text.split(' ')
                .filter_map(|pair| pair.split_once('='))
                .find(|(key, _)| *key == name)
                .map(|(_, value)| value.to_owned())
        };
        Environment {
            no_color: get("NO_COLOR"),
            clicolor: get("CLICOLOR"),
            clicolor_force: get("CLICOLOR_FORCE"),
            term: get("TERM"),
        }
    }

    #[test]
    fn colour_follows_the_flag_then_the_environment_then_the_terminal() {
        // flag, environment, into a pipe, on a terminal
        let table = [
            (Auto, "", false, true),
            (Always, "", true, true),
            (Never, "", false, false),
            (Auto, "TERM=xterm-256color", false, true),
            (Auto, "TERM=dumb", false, false),
            (Auto, "NO_COLOR=1", false, false),
            (Auto, "NO_COLOR=", false, true),
            (Auto, "CLICOLOR=0", false, false),
            (Auto, "CLICOLOR=1", false, true),
            (Auto, "CLICOLOR_FORCE=1", true, true),
            (Auto, "CLICOLOR_FORCE=0", false, true),
            (Auto, "CLICOLOR_FORCE=", false, true),
            (Auto, "CLICOLOR_FORCE=1 CLICOLOR=0", true, true),
            (Auto, "CLICOLOR_FORCE=1 TERM=dumb", true, true),
            (Auto, "CLICOLOR_FORCE=1 NO_COLOR=1", false, false),
            (Always, "NO_COLOR=1 TERM=dumb CLICOLOR=0", true, true),
            (Never, "CLICOLOR_FORCE=1", false, false),
        ];
        for (choice, variables, pipe, terminal) in table {
            let environment = environment(variables);
            let got = [false, true].map(|stream| wants_colour(choice, &environment, stream));
            assert_eq!(got, [pipe, terminal], "{choice:?} {variables}");
        }
    }
}

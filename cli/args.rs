//! The command line as a whole: its subcommands, its global flag, and the text
//! of usage errors. What a subcommand takes stands in the subcommand's file.

use std::ffi::OsString;

use clap::error::ErrorKind;
use clap::{CommandFactory, Parser, Subcommand, ValueEnum};

use crate::output::ColorChoice;
use crate::{audit, build, bundle, completions, cron, doc, dsl, explain, fmt, policy, run};

macro_rules! edition {
    () => {
        "2026"
    };
}

/// The edition of the language that this build reads.
pub const EDITION: &str = edition!();

/// The version of this build.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");

const LONG_VERSION: &str = concat!(
    env!("CARGO_PKG_VERSION"),
    " (language edition ",
    edition!(),
    ")"
);

/// The toolchain of the Symbi language
///
/// Symbi declares agents together with the policies they run under. `symbi`
/// reads such files, says what is wrong with them, where, and what to write
/// instead, and lays them out.
#[derive(Debug, Parser)]
#[command(
    name = "symbi",
    version = LONG_VERSION,
    subcommand_required = true,
    arg_required_else_help = true,
    after_help = EXAMPLES,
)]
pub struct Cli {
    /// What to do
    #[command(subcommand)]
    pub command: Command,

    /// When to print in colour
    ///
    /// `auto` means: on a terminal, unless NO_COLOR is set, CLICOLOR is 0 or
    /// TERM is `dumb`; CLICOLOR_FORCE asks for colours everywhere.
    #[arg(
        long,
        global = true,
        value_enum,
        default_value_t,
        value_name = "WHEN",
        display_order = 100
    )]
    color: ColorChoice,
}

const EXAMPLES: &str = "\
Examples:
  symbi dsl --check agents/       check every .symbi and .dsl file in a folder
  symbi dsl agents/deploy.symbi   show how one file is read
  symbi fmt agents/               format them
  symbi build -o fleet.symbib     one checked bundle of a project
  symbi run deploy --dry-run      what an agent would do, and what it may
  symbi cron next '0 9 * * MON'   when a schedule fires
  symbi doc --stdlib slice        what the language has built in
  symbi explain S0107             what a code means, and how to mend it
  symbi help dsl                  all about one command

Exit codes: 0 fine, 1 errors in the files or files that are not formatted, or a
run that failed, 2 wrong usage or something could not be read or written, 3
unresolved, 4 a budget or the time ran out, 5 privileges grew.";

/// What `symbi` can do.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Check .symbi files, or show how they are read
    #[command(long_about = dsl::ABOUT)]
    Dsl(dsl::Args),
    /// Format .symbi files, or tell which are not formatted
    #[command(long_about = fmt::ABOUT)]
    Fmt(fmt::Args),
    /// Build one checked bundle of a project
    #[command(long_about = build::ABOUT, after_help = build::EXAMPLES)]
    Build(build::Args),
    /// Look into bundles, verify them, compare them, unpack them
    Bundle(bundle::Args),
    /// Ask policies: may an agent do something, and why
    Policy(policy::Args),
    /// Run an agent
    #[command(long_about = run::ABOUT, after_help = run::EXAMPLES, after_long_help = run::NOTES)]
    Run(run::Args),
    /// Verify what runs did, show it, and run it once more
    Audit(audit::Args),
    /// Show when a cron expression fires
    Cron(cron::Args),
    /// Show the documentation of the standard library
    #[command(long_about = doc::ABOUT, after_help = doc::EXAMPLES, arg_required_else_help = true)]
    Doc(doc::Args),
    /// Explain a diagnostic code such as S0107
    Explain(explain::Args),
    /// Print a completion script for a shell
    Completions(completions::Args),
}

/// The arguments as data, or the usage error to print. `--help` and
/// `--version` come as "errors" too, as clap has it.
pub fn parse(arguments: &[OsString]) -> Result<Cli, clap::Error> {
    Cli::try_parse_from(arguments)
}

/// A usage error of one subcommand that clap's own rules cannot express.
pub fn usage_error(subcommand: &str, kind: ErrorKind, message: &str) -> clap::Error {
    let mut command = Cli::command();
    command.build();
    match command.find_subcommand_mut(subcommand) {
        Some(found) => found.error(kind, message),
        None => command.error(kind, message),
    }
}

/// What `--color` says, read before anything else is: help and usage errors are
/// printed in colour too, and at that time there are no parsed arguments.
/// A value that means nothing is left to the parser to complain about.
pub fn color_choice(arguments: &[OsString]) -> ColorChoice {
    let mut words = arguments
        .iter()
        .skip(1)
        .map(|word| word.to_string_lossy())
        .take_while(|word| word != "--");
    while let Some(word) = words.next() {
        let value = if word == "--color" {
            words.next()
        } else {
            word.strip_prefix("--color=")
                .map(|value| value.to_owned().into())
        };
        if let Some(choice) = value.and_then(|value| ColorChoice::from_str(&value, false).ok()) {
            return choice;
        }
    }
    ColorChoice::Auto
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_definition_of_the_command_line_is_sound() {
        Cli::command().debug_assert();
    }

    #[test]
    fn everything_a_person_can_write_has_help() {
        let mut command = Cli::command();
        command.build();
        let mut waiting = vec![&command];
        while let Some(command) = waiting.pop() {
            assert!(command.get_about().is_some(), "{}", command.get_name());
            for argument in command.get_arguments() {
                let place = format!("{} {}", command.get_name(), argument.get_id());
                assert!(argument.get_help().is_some(), "{place}");
                for value in argument.get_possible_values() {
                    let shell = argument.get_id() == "shell";
                    assert!(
                        shell || value.get_help().is_some(),
                        "{place} {}",
                        value.get_name()
                    );
                }
            }
            waiting.extend(command.get_subcommands());
        }
    }

    #[test]
    fn the_examples_in_the_help_are_command_lines() {
        let mut command = Cli::command();
        command.build();
        let mut seen = 0;
        let mut texts = vec![command.render_long_help().to_string()];
        texts.extend(
            command
                .get_subcommands_mut()
                .flat_map(|found| [found.render_help(), found.render_long_help()])
                .map(|help| help.to_string()),
        );
        let examples = texts.iter().flat_map(|text| {
            let after = text.lines().skip_while(|line| *line != "Examples:");
            after.take_while(|line| !line.is_empty())
        });
        for line in examples {
            // Others continue the remark of the line before.
            let Some((_, words)) = line.rsplit_once(" symbi ") else {
                continue;
            };
            // What follows two spaces is a remark, what follows `>` is a file.
            let words = words
                .split("  ")
                .next()
                .and_then(|words| words.split(" >").next());
            let words = words.unwrap_or_default();
            let mut arguments = vec![OsString::from("symbi")];
            for (index, part) in words.split('\'').enumerate() {
                if index % 2 == 1 {
                    arguments.push(part.into());
                } else {
                    arguments.extend(part.split_whitespace().map(OsString::from));
                }
            }
            let parsed = parse(&arguments).map(|_| ()).map_err(|error| error.kind());
            assert!(
                matches!(parsed, Ok(()) | Err(ErrorKind::DisplayHelp)),
                "{line}: {parsed:?}"
            );
            seen += 1;
        }
        assert!(seen >= 30, "{seen} examples");
    }

    #[test]
    fn the_colour_flag_is_found_wherever_it_stands() {
        let table = [
            ("symbi", ColorChoice::Auto),
            ("symbi --color always dsl", ColorChoice::Always),
            ("symbi dsl x --color=never", ColorChoice::Never),
            ("symbi dsl --color=purple", ColorChoice::Auto),
            ("symbi dsl --color", ColorChoice::Auto),
            ("symbi dsl -- --color=never", ColorChoice::Auto),
        ];
        for (line, expected) in table {
            let words: Vec<OsString> = line.split(' ').map(OsString::from).collect();
            assert_eq!(color_choice(&words), expected, "{line}");
        }
    }
}

//! The arguments that name sources, in the order they were written: clap gives
//! each kind a list of its own, so their indices are put together again.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use clap::{ArgMatches, Command, FromArgMatches, ValueHint};

use crate::sources::Input;

/// Everything to read, as written.
#[derive(Clone, Debug)]
pub struct Inputs(pub Vec<Input>);

#[derive(Debug, clap::Args)]
struct Written {
    /// Files, and folders to search; `-` is stdin
    #[arg(value_name = "PATH", value_hint = ValueHint::AnyPath)]
    paths: Vec<PathBuf>,

    /// A file to read (repeatable)
    #[arg(short = 'f', long = "file", value_name = "FILE", value_hint = ValueHint::FilePath)]
    files: Vec<PathBuf>,

    /// A text to read instead of a file (repeatable)
    #[arg(short = 'c', long = "content", value_name = "TEXT", value_hint = ValueHint::Other)]
    texts: Vec<OsString>,
}

impl clap::Args for Inputs {
    fn augment_args(command: Command) -> Command {
        Written::augment_args(command)
    }

    fn augment_args_for_update(command: Command) -> Command {
        Written::augment_args_for_update(command)
    }
}

impl FromArgMatches for Inputs {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let written = Written::from_arg_matches(matches)?;
        let place = |id| matches.indices_of(id).into_iter().flatten();
        let dash = Path::new("-");
        let path = |path: PathBuf| {
            if path == dash {
                Input::Stdin
            } else {
                Input::Path(path)
            }
        };
        let file = |path: PathBuf| {
            if path == dash {
                Input::Stdin
            } else {
                Input::File(path)
            }
        };
        let mut all: Vec<(usize, Input)> = Vec::new();
        all.extend(place("paths").zip(written.paths.into_iter().map(path)));
        all.extend(place("files").zip(written.files.into_iter().map(file)));
        all.extend(place("texts").zip(written.texts.into_iter().map(Input::Text)));
        all.sort_by_key(|(index, _)| *index);
        Ok(Self(all.into_iter().map(|(_, input)| input).collect()))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sources_keep_the_order_they_were_written_in() {
        let command = <Inputs as clap::Args>::augment_args(Command::new("test"));
        let words = "test a -f b -c text - c -f - -f d";
        let matches = command.try_get_matches_from(words.split(' ')).unwrap();
        let path = |name: &str| Input::Path(name.into());
        let file = |name: &str| Input::File(name.into());
        assert_eq!(
            Inputs::from_arg_matches(&matches).unwrap().0,
            [
                path("a"),
                file("b"),
                Input::Text("text".into()),
                Input::Stdin,
                path("c"),
                Input::Stdin,
                file("d"),
            ]
        );
    }
}

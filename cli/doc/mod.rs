//! `symbi doc`: the documentation of the standard library, as text, as pages,
//! of all or of one name.
//!
//! `library` and `entries` make pages of the declarations, `model` is what
//! pages are made of, `markdown` and `html` write them, `find` knows what a
//! name means, `write` puts files into a folder.

mod entries;
mod find;
mod html;
mod library;
mod markdown;
mod model;
mod write;

use std::path::{Path, PathBuf};

use clap::ValueEnum;

use crate::Stop;
use crate::exit::Exit;
use crate::output::{Output, headings};
use crate::sources;
use find::Found;

/// What `symbi doc` takes.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Document the standard library, which is all that is documented so far
    #[arg(long, required = true)]
    stdlib: bool,

    /// A function, an effect, whatever else is declared there, or a page such
    /// as `strings`; without one, everything
    name: Option<String>,

    /// How it is written
    #[arg(long, value_enum, value_name = "FORMAT", default_value_t)]
    format: Format,

    /// Write a page for each subject into this folder, and one that leads to
    /// them
    #[arg(short, long, value_name = "FOLDER", conflicts_with = "name")]
    output: Option<PathBuf>,
}

/// How pages are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
enum Format {
    /// Text that reads well as it is
    #[default]
    Markdown,
    /// Pages for a browser, which need no other file
    Html,
}

/// The beginning of the long help.
pub const ABOUT: &str = "\
Show the documentation of the standard library

All that the language has built in: functions with their types, what they raise
and examples; effects, with what policies see of them; groups, guards,
obligations and the keys of `audit`, with whether they are enforced. It is made
from the declarations that the checker itself reads.";

/// The end of the help.
pub const EXAMPLES: &str = "\
Examples:
  symbi doc --stdlib slice                  every function of that name
  symbi doc --stdlib strings                what a String can do
  symbi doc --stdlib log.symbi              a page that has the name of a function
  symbi doc --stdlib --format html -o site  pages for a browser, in site/

In the folder of -o, pages that were made before are replaced. If another file
has the name of a page, nothing is written.

Exit codes: 0 fine, 2 there is no such name, wrong usage, or something could not
be written.";

/// Who made a page. It stands at the head of each file, and tells them from
/// others that may not be replaced.
const MADE: &str = "Made by symbi doc --stdlib";

/// Runs it.
pub fn run(args: &Args, output: &mut Output) -> Result<Exit, Stop> {
    let pages = library::pages();
    let index = library::index(&pages);
    if let Some(folder) = &args.output {
        let files = match args.format {
            Format::Markdown => markdown::files(&index, &pages),
            Format::Html => html::files(&index, &pages),
        };
        return into_folder(folder, &files, output);
    }
    let found = match &args.name {
        None => None,
        Some(wanted) => match find::find(&pages, wanted) {
            Some(found) => Some(found),
            None => {
                output.error(&unknown(wanted, find::near(&pages, wanted)))?;
                return Ok(Exit::Unusable);
            }
        },
    };
    let text = match (args.format, &found) {
        (Format::Markdown, None) => markdown::whole(&index, &pages),
        (Format::Markdown, Some(Found::Page(page))) => markdown::page(page),
        (Format::Markdown, Some(Found::Name(name, found))) => markdown::name(name, found),
        (Format::Html, None) => html::whole(&index, &pages),
        (Format::Html, Some(Found::Page(page))) => html::page(page),
        (Format::Html, Some(Found::Name(name, found))) => html::name(name, found),
    };
    let colour = output.stdout_colour && args.format == Format::Markdown;
    output.line(&headings(text.trim_end(), colour))?;
    Ok(Exit::Fine)
}

fn into_folder(
    folder: &Path,
    files: &[write::FileText],
    output: &mut Output,
) -> Result<Exit, Stop> {
    match write::pages(folder, files) {
        Ok(()) => {
            let name = sources::printable(folder.as_os_str());
            output.line(&format!("{name}: {} pages", files.len()))?;
            Ok(Exit::Fine)
        }
        Err(refused) => {
            let name = sources::printable(refused.path(folder).as_os_str());
            output.error(&format!("{name}: {refused}"))?;
            Ok(Exit::Unusable)
        }
    }
}

fn unknown(wanted: &str, near: Option<&str>) -> String {
    let wanted = symbi_diagnostics::render::one_line(wanted);
    let guess = near.map_or_else(String::new, |near| format!(" did you mean `{near}`?"));
    format!(
        "the standard library has nothing called `{wanted}`;{guess} `symbi doc --stdlib` without a name shows all"
    )
}

//! `symbi dsl`: checks files, or shows how they are read.
//!
//! In: paths, texts and stdin (`inputs.rs`, `crate::sources`). Out: one verdict
//! a source (`check.rs`) or its outline, tree and tokens (`show.rs`).

mod check;
mod dump;
mod fix;
mod inputs;
mod ir;
mod json_dump;
mod outline;
mod routes;
mod show;
mod stats;
mod watch;

use clap::error::ErrorKind;

pub use routes::RouteName;

use crate::args::usage_error;
use crate::exit::Exit;
use crate::output::Output;
use crate::report::Format;
use crate::{Stop, sources};

/// What `symbi dsl` takes.
#[derive(Debug, clap::Args)]
#[command(arg_required_else_help = true, after_help = EXAMPLES, after_long_help = notes())]
pub struct Args {
    #[command(flatten)]
    inputs: inputs::Inputs,

    /// Check: one verdict a source on stdout, reports on stderr
    #[arg(long)]
    check: bool,

    /// Only the verdicts, no reports; a document stays whole
    #[arg(short, long)]
    quiet: bool,

    /// What reports look like
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT")]
    format: Format,

    /// The same as --format json
    #[arg(long, conflicts_with = "format")]
    json: bool,

    /// Mend what can be mended without asking, then check
    #[arg(long, requires = "check")]
    fix: bool,

    /// With --fix: write nothing; print what would change as a unified diff,
    /// and fail if anything would
    #[arg(long, requires = "fix")]
    dry_run: bool,

    /// Check again whenever something changes, until it is ended
    #[arg(short, long, requires = "check", conflicts_with_all = ["fix", "stats"])]
    watch: bool,

    /// Fail on warnings too
    #[arg(long, requires = "check")]
    deny_warnings: bool,

    /// Report what could be left out too, such as unused names
    #[arg(long, requires = "check")]
    hints: bool,

    /// Fail for agents that may not run on this route
    #[arg(
        long,
        value_enum,
        requires = "check",
        conflicts_with_all = ["fix", "watch"],
        value_name = "ROUTE"
    )]
    route: Option<RouteName>,

    /// Show on which routes each agent may run, and if not, why
    #[arg(long, requires = "check", conflicts_with_all = ["fix", "watch"])]
    explain_routes: bool,

    /// Say at the end how much was checked, and in what time
    #[arg(long, requires = "check")]
    stats: bool,

    /// Show what each source declares
    #[arg(long, conflicts_with = "check")]
    outline: bool,

    /// Show the parse tree, with every space and comment
    #[arg(long, conflicts_with = "check")]
    tree: bool,

    /// Show the tokens
    #[arg(long, conflicts_with = "check")]
    tokens: bool,

    /// Show the program that the sources are compiled to
    #[arg(long, conflicts_with_all = ["check", "outline", "tree", "tokens"])]
    ir: bool,
}

/// The beginning of the long help.
pub const ABOUT: &str = "\
Check .symbi files, or show how they are read

With --check, each source gets one line on stdout:

  agents/deploy.symbi  OK
  agents/review.symbi  OK (2 warnings)
  agents/triage.symbi  FAILED 14:9 S0107 expected `;` after this statement (and 1 more)
  agents/secret.symbi  UNREADABLE permission denied

FAILED names the line, the column (in characters, from 1), the code and the
message of the first error, and how many errors follow. UNREADABLE is something
that could not be read and why; the others are checked all the same. A project
file or a manifest gets a line only if there is something to say about it.

With --fix, what reports say how to mend is mended first, where a fix is certain:

  agents/triage.symbi  FIXED 3 problems
  agents/frozen.symbi  UNWRITABLE it is read-only

With --watch, it is checked again whenever something changes, until Ctrl-C.

Without --check, it is shown how each source is read: its outline, then its
whole parse tree. This is for debugging; --outline, --tree and --tokens choose.
With --ir, it is shown what the sources are compiled to, as one program.";

const EXAMPLES: &str = "\
Examples:
  symbi dsl --check agents/          check a folder
  symbi dsl --check --fix agents/    mend what can be mended, then check
  symbi dsl -f agents/deploy.symbi   show how one file is read";

const NOTES: &str = "\
Folders are searched with everything below them for .symbi and .dsl files, in
the order of their paths. What .gitignore files name, what is hidden, and
links to folders are left out; what an argument names is always taken, whatever
its name ends in. A file that several arguments reach is checked once, where it
is reached first.

Names are looked up in the whole project of a file: all sources below the
nearest folder upwards that holds a symbiont.toml, and the tools/*.clad.toml
beside it. Files without such a folder belong together if they are checked
together; a text from -c or stdin is a project of its own.

`// symbi: allow(CODE)` before an item, an entry, a rule or a statement, and
[check] in symbiont.toml, lower warnings; errors stay errors.

Routes are the ways in which an agent comes to run: run, http, schedule,
delegate, chat, mcp and managed. An agent is refused on those on which something
about it cannot be enforced; [policy] waive in symbiont.toml lists what may run
all the same.

--fix changes the sources that the arguments name or lead to, and project files
and manifests in folders that they name; never another file of the project. No
fix is applied that leads to an error or a warning that was not there before, in
any file of the project: it is named on stderr. Files are replaced as by `symbi
fmt`. With `-`, stdout holds the mended text and nothing else. What is switched
off or allowed is not mended; hints are, with --hints, if they say how.

--watch prints a line for each verdict that is another one, GONE for a file that
is no longer there, and `checked 12 files: 1 failed` at the end of each round; on
a terminal it draws the whole picture anew.";

const MORE: &str = "\
Examples:
  symbi dsl --check agents/ policies/x.symbi
  symbi dsl --check -q --format short .
  symbi dsl --check --format sarif agents/ > symbi.sarif
  symbi dsl --check --deny-warnings --hints agents/
  symbi dsl --check --route run agents/
  symbi dsl --check -q --explain-routes agents/deploy.symbi
  symbi dsl --check --fix agents/
  symbi dsl --check --fix --dry-run agents/ > fixes.patch
  symbi dsl --check --watch -q .
  symbi dsl --check -f agents/deploy.symbi -f notes.txt
  symbi dsl --check -c 'agent greet(name: String) { }'
  git show HEAD:agents/deploy.symbi | symbi dsl --check -
  symbi dsl -f agents/deploy.symbi
  symbi dsl --tokens --json agents/deploy.symbi

Exit codes: 0 fine, 1 errors in a source or, with --dry-run, something would
change, 2 wrong usage or something could not be read or written (2 wins over
1).";

fn notes() -> String {
    format!("{NOTES}\n\n{}\n{MORE}", Format::list())
}

/// Runs it.
pub fn run(mut args: Args, output: &mut Output) -> Result<Exit, Stop> {
    if args.json {
        args.format = Format::Json;
    }
    let inputs = std::mem::take(&mut args.inputs.0);
    if inputs.is_empty() {
        return Err(Stop::Usage(usage_error(
            "dsl",
            ErrorKind::MissingRequiredArgument,
            "nothing to read: name files or folders, `-` for stdin, or give a text with -c",
        )));
    }
    if args.format.is_for_checks() && !args.check {
        return Err(Stop::Usage(usage_error(
            "dsl",
            ErrorKind::MissingRequiredArgument,
            "this format says what a check finds: add --check",
        )));
    }
    if args.explain_routes && args.format.is_for_checks() {
        return Err(Stop::Usage(usage_error(
            "dsl",
            ErrorKind::ArgumentConflict,
            "this format has no place for --explain-routes: use human, short or json",
        )));
    }
    if args.watch {
        return watch::run(&inputs, &args, output);
    }
    if args.fix {
        return fix::run(inputs, &args, output);
    }
    let sources = sources::discover(inputs);
    if args.ir {
        return ir::run(&sources, &args, output);
    }
    if args.check {
        check::run(&sources, &args, None, output)
    } else {
        show::run(&sources, &args, output)
    }
}

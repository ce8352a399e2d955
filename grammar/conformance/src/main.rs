//! `symbi-conformance`: makes programs from the grammar and compares what the
//! readers of the language say about them.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Args, Parser, Subcommand};
use symbi_conformance::compare::{Outcome, Readers};
use symbi_conformance::ebnf::Grammar;
use symbi_conformance::generate::Generator;
use symbi_conformance::programs::program;
use symbi_conformance::recognise::{Derived, derives, with_room};
use symbi_conformance::shrink::shrink;
use symbi_conformance::tree_sitter::TreeSitter;
use symbi_conformance::verdict::{compiler, line_column};

/// Programs made from the grammar, and what the readers say about them
#[derive(Parser)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Make programs and print or count them
    Generate {
        #[command(flatten)]
        series: Series,
        /// Print each program
        #[arg(long)]
        print: bool,
    },
    /// Make programs and compare the readers on each
    Compare {
        #[command(flatten)]
        series: Series,
        /// Ask the grammar about each program, too: slow
        #[arg(long)]
        grammar: bool,
        /// How many differences to print
        #[arg(long, default_value_t = 10)]
        show: usize,
    },
    /// Ask the grammar and the compiler about files
    Derive {
        /// Files to read
        files: Vec<PathBuf>,
    },
}

/// Which programs of the series.
#[derive(Args)]
struct Series {
    /// How many programs
    #[arg(long, default_value_t = 2_000)]
    count: u64,
    /// The number of the first one
    #[arg(long, default_value_t = 0)]
    from: u64,
    /// The seed of the series
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Change one token in each third program
    #[arg(long)]
    mutated: bool,
}

fn main() -> ExitCode {
    let cli = Cli::parse();
    let done = with_room(move || run(cli).map_err(|error| error.to_string()));
    match done.and_then(|done| done) {
        Ok(code) => code,
        Err(message) => {
            // Nothing is left to say it with if standard error is gone.
            let _ = writeln!(io::stderr(), "error: {message}");
            ExitCode::from(2)
        }
    }
}

fn run(cli: Cli) -> Result<ExitCode, Box<dyn std::error::Error>> {
    let grammar = Grammar::read(symbi_conformance::grammar_text())?;
    let mut out = io::stdout().lock();
    let differences = match cli.command {
        Command::Generate { series, print } => generate(&grammar, &series, print, &mut out)?,
        Command::Compare {
            series,
            grammar: ask,
            show,
        } => compare(&grammar, &series, ask, show, &mut out)?,
        Command::Derive { files } => derive(&grammar, &files, &mut out)?,
    };
    Ok(ExitCode::from(u8::from(differences > 0)))
}

fn generate(
    grammar: &Grammar,
    series: &Series,
    print: bool,
    out: &mut impl Write,
) -> io::Result<usize> {
    let mut generator = Generator::new(grammar);
    let (mut tokens, mut bytes) = (0, 0);
    for number in series.from..series.from + series.count {
        let Some(program) = program(&mut generator, series.seed, number, series.mutated) else {
            writeln!(out, "number {number}: no program")?;
            return Ok(1);
        };
        tokens += program.tokens.len();
        bytes += program.text.len();
        if print {
            writeln!(
                out,
                "=== {number}{}",
                if program.mutated { " mutated" } else { "" }
            )?;
            writeln!(out, "{}", program.text)?;
        }
    }
    writeln!(
        out,
        "{} programs, {tokens} tokens, {bytes} bytes",
        series.count
    )?;
    for unused in generator.unused() {
        writeln!(out, "unused: {unused}")?;
    }
    Ok(0)
}

fn compare(
    grammar: &Grammar,
    series: &Series,
    ask: bool,
    show: usize,
    out: &mut impl Write,
) -> Result<usize, Box<dyn std::error::Error>> {
    let mut generator = Generator::new(grammar);
    let mut readers = Readers {
        grammar: ask.then_some(grammar),
        tree_sitter: TreeSitter::new()?,
    };
    let mut kinds: BTreeMap<String, usize> = BTreeMap::new();
    let mut meant: BTreeMap<&str, usize> = BTreeMap::new();
    let (mut shown, mut differences, mut accepted) = (0, 0, 0);
    for number in series.from..series.from + series.count {
        let Some(program) = program(&mut generator, series.seed, number, series.mutated) else {
            writeln!(out, "number {number}: no program")?;
            return Ok(1);
        };
        let (answer, outcome) = readers.compare(&program.text, program.stdlib);
        accepted += usize::from(answer.verdict.accepted);
        let how = match outcome {
            _ if !program.mutated && !answer.verdict.accepted => {
                format!(
                    "made from the grammar, refused: {}",
                    answer.errors.join(" ")
                )
            }
            Outcome::Differ(how) => how,
            Outcome::Meant(name) => {
                *meant.entry(name).or_default() += 1;
                continue;
            }
            Outcome::Agree => continue,
        };
        differences += 1;
        *kinds.entry(how.clone()).or_default() += 1;
        if shown < show {
            shown += 1;
            writeln!(out, "=== {number}: {how}")?;
            let same = Outcome::Differ(how);
            let mut still = |text: &str| readers.compare(text, program.stdlib).1 == same;
            // A text that the compiler refuses by itself is shown as it is.
            let text = match still(&program.text) {
                true => shrink(&program.text, &mut still),
                false => program.text.clone(),
            };
            if let Some((at, message)) = compiler(&text, program.stdlib).first_error {
                let (line, column) = line_column(&text, at);
                writeln!(out, "{line}:{column}: {message}")?;
            }
            writeln!(out, "{text}")?;
        }
    }
    for (name, count) in &meant {
        writeln!(out, "{count} x meant: {name}")?;
    }
    for (kind, count) in &kinds {
        writeln!(out, "{count} x {kind}")?;
    }
    writeln!(
        out,
        "{} programs, {accepted} accepted, {differences} differences",
        series.count
    )?;
    Ok(differences)
}

fn derive(grammar: &Grammar, files: &[PathBuf], out: &mut impl Write) -> io::Result<usize> {
    let mut differences = 0;
    for path in files {
        let text = std::fs::read_to_string(path)?;
        let answer = compiler(&text, false);
        let derived = derives(grammar, "file", &text);
        if (derived == Derived::Yes) != answer.verdict.accepted {
            differences += 1;
            writeln!(
                out,
                "{}: compiler {}, grammar {derived:?}",
                path.display(),
                if answer.verdict.accepted {
                    "accepts"
                } else {
                    "refuses"
                }
            )?;
        }
    }
    Ok(differences)
}

//! `symbi-grammar generate`: the tree-sitter parser, from its grammar.

use std::io::Write;
use std::process::ExitCode;

use clap::{Parser, Subcommand};
use symbi_grammar::{Error, differing, generate, grammar_folder, write};

/// Writes the tree-sitter parser from grammar/tree-sitter-symbi/grammar.js
#[derive(Parser)]
#[command(name = "symbi-grammar", version)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Generate src/parser.c and its companions. Needs Node
    Generate {
        /// Write nothing; fail if what is there is not what would be written
        #[arg(long)]
        check: bool,
    },
}

fn main() -> ExitCode {
    let Command::Generate { check } = Arguments::parse().command;
    match run(check) {
        Ok((lines, code)) => {
            // Nobody may be reading.
            let _ = writeln!(std::io::stdout(), "{lines}");
            code
        }
        Err(error) => {
            let _ = writeln!(std::io::stderr(), "symbi-grammar: {error}");
            ExitCode::from(2)
        }
    }
}

fn run(check: bool) -> Result<(String, ExitCode), Error> {
    let folder = grammar_folder();
    let files = generate(&folder)?;
    let names = differing(&folder, &files)?;
    if names.is_empty() {
        let line = "the parser is what the grammar says".to_owned();
        return Ok((line, ExitCode::SUCCESS));
    }
    if !check {
        write(&folder, &files)?;
    }
    let what = if check { "out of date" } else { "written" };
    let lines: Vec<String> = names
        .iter()
        .map(|name| format!("{what}: src/{}", name.display()))
        .collect();
    let code = if check {
        ExitCode::FAILURE
    } else {
        ExitCode::SUCCESS
    };
    Ok((lines.join("\n"), code))
}

//! What `symbi-bench report` asks: `symbi-peers common FILE…` prints the part
//! of each file that both sides read, as a JSON array of texts; `symbi-peers
//! measure FILE` prints the CPU times for one file, `symbi-peers decide` those
//! of a decision, `symbi-peers programs` those of small programs.

use std::process::ExitCode;

use serde_json::json;
use symbi_peers::{common, decide, measure, programs};

const RUNS: usize = 5;

/// A batch of decisions is much shorter.
const BATCHES: usize = 200;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match run(&arguments) {
        Ok(document) => {
            println!("{document}");
            ExitCode::SUCCESS
        }
        Err(problem) => {
            eprintln!("{problem}");
            ExitCode::FAILURE
        }
    }
}

fn run(arguments: &[String]) -> Result<serde_json::Value, String> {
    match arguments {
        [command, files @ ..] if command == "common" && !files.is_empty() => {
            let texts = files
                .iter()
                .map(|file| Ok(common::common(&read(file)?)))
                .collect::<Result<Vec<_>, String>>()?;
            Ok(json!(texts))
        }
        [command, file] if command == "measure" => {
            let measured = measure::measure(&read(file)?, RUNS)?;
            Ok(json!({
                "bytes": measured.bytes,
                "parse_ours": measured.parse_ours,
                "parse_peer": measured.parse_peer,
                "parse_peer_with_errors": measured.parse_peer_with_errors,
                "grammar_ours": measured.grammar_ours,
                "format_ours": measured.format_ours,
                "format_peer": measured.format_peer,
            }))
        }
        [command] if command == "decide" => {
            let decided = decide::measure(BATCHES)?;
            Ok(json!({
                "ours": decided.ours,
                "cedar": decided.cedar,
                "ours_built": decided.ours_built,
                "cedar_built": decided.cedar_built,
            }))
        }
        [command] if command == "programs" => {
            let rows = programs::PROGRAMS.iter().map(|program| {
                let ran = programs::measure(program, RUNS * 3)?;
                Ok(json!({"name": program.name, "ours": ran.ours, "rhai": ran.rhai}))
            });
            Ok(json!(rows.collect::<Result<Vec<_>, String>>()?))
        }
        _ => Err(
            "usage: symbi-peers common FILE… | symbi-peers measure FILE | symbi-peers decide | \
             symbi-peers programs"
                .to_owned(),
        ),
    }
}

fn read(file: &str) -> Result<String, String> {
    std::fs::read_to_string(file).map_err(|error| format!("{file}: {error}"))
}

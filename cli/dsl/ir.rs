//! `symbi dsl --ir`: the program that sources are compiled to.

use std::io::Write;

use super::Args;
use crate::Stop;
use crate::compile::{Telling, compile};
use crate::exit::Exit;
use crate::output::Output;
use crate::report::Format;
use crate::sources::Source;

/// Shows the program, for people or as JSON.
pub fn run(sources: &[Source], args: &Args, output: &mut Output) -> Result<Exit, Stop> {
    let as_json = args.format == Format::Json;
    let telling = Telling {
        quiet: args.quiet,
        format: if as_json { Format::Human } else { args.format },
        deny_warnings: false,
    };
    let compiled = match compile(sources, telling, output)? {
        Ok(compiled) => compiled,
        Err(exit) => return Ok(exit),
    };
    let text = match as_json {
        false => compiled.program.to_text(),
        true => match symbi_ir::json::write(&compiled.program) {
            Ok(text) => text,
            Err(error) => {
                output.error(&error.to_string())?;
                return Ok(Exit::Errors);
            }
        },
    };
    output.stdout().write_all(text.as_bytes())?;
    Ok(Exit::Fine)
}

//! `symbi dsl` without `--check`: how each source is read, for debugging.

use std::io::{self, Write};

use symbi_diagnostics::render::json::JsonFile;
use symbi_diagnostics::{Diagnostic, SourceFile};
use symbi_syntax::File;

use super::{Args, dump, json_dump, outline};
use crate::Stop;
use crate::exit::Exit;
use crate::output::{BOLD, Output, paint};
use crate::report::{self, Format};
use crate::sources::Source;

/// What is shown of each source.
#[derive(Clone, Copy)]
struct Sections {
    outline: bool,
    tree: bool,
    tokens: bool,
}

impl Sections {
    fn of(args: &Args) -> Self {
        let none = !(args.outline || args.tree || args.tokens);
        Self {
            outline: args.outline || none,
            tree: args.tree || none,
            tokens: args.tokens,
        }
    }

    fn count(self) -> usize {
        [self.outline, self.tree, self.tokens]
            .into_iter()
            .filter(|&shown| shown)
            .count()
    }
}

/// A source that was read.
struct Read {
    parsed: File,
    file: SourceFile,
    diagnostics: Vec<Diagnostic>,
}

/// Shows everything.
pub fn run(sources: &[Source], args: &Args, output: &mut Output) -> Result<Exit, Stop> {
    let sections = Sections::of(args);
    let as_json = args.format == Format::Json;
    let mut exit = Exit::Fine;
    let mut heading = Heading {
        wanted: sections.count() * sources.len() > 1,
        first: true,
    };
    if as_json {
        output.stdout().write_all(b"{\"version\":1,\"sources\":[")?;
    }
    for (index, source) in sources.iter().enumerate() {
        if as_json && index > 0 {
            output.stdout().write_all(b",")?;
        }
        match source.read() {
            Ok(bytes) => {
                let read = read(source, bytes, as_json);
                if as_json {
                    json(&read, sections, output.stdout())?;
                } else {
                    text(&read, sections, &mut heading, output)?;
                }
                if read.diagnostics.iter().any(Diagnostic::is_error) {
                    exit = exit.max(Exit::Errors);
                }
                if !args.quiet {
                    let colour = output.stderr_colour;
                    let origin = source.reported();
                    let text =
                        report::text(args.format, &origin, &read.file, &read.diagnostics, colour);
                    output.report(&text)?;
                }
            }
            Err(problem) => {
                if as_json {
                    let out = output.stdout();
                    json_path(&source.path, Some(&problem.to_string()), out)?;
                    out.write_all(b"}")?;
                }
                output.error(&format!("{}: {problem}", source.name))?;
                exit = exit.max(Exit::Unusable);
            }
        }
    }
    if as_json {
        output.line("]}")?;
    }
    Ok(exit)
}

fn read(source: &Source, bytes: Vec<u8>, as_json: bool) -> Read {
    let parsed = File::parse_decoded(symbi_syntax::decode(bytes));
    let name = if as_json { &source.path } else { &source.name };
    Read {
        file: SourceFile::new(name, parsed.text().clone()),
        diagnostics: parsed.diagnostics(),
        parsed,
    }
}

/// The line above each section, when there is more than one.
struct Heading {
    wanted: bool,
    first: bool,
}

impl Heading {
    fn write(&mut self, section: &str, name: &str, output: &mut Output) -> io::Result<()> {
        if !self.wanted {
            return Ok(());
        }
        if !std::mem::replace(&mut self.first, false) {
            output.line("")?;
        }
        let line = paint(&format!("{section} of {name}"), BOLD, output.stdout_colour);
        output.line(&line)
    }
}

fn text(
    read: &Read,
    sections: Sections,
    heading: &mut Heading,
    output: &mut Output,
) -> io::Result<()> {
    let Read { parsed, file, .. } = read;
    if sections.outline {
        heading.write("outline", &file.name, output)?;
        outline::write(&parsed.outline(), file, output.stdout())?;
    }
    if sections.tree {
        heading.write("tree", &file.name, output)?;
        dump::tree(parsed.walk(), &file.text, output.stdout())?;
    }
    if sections.tokens {
        heading.write("tokens", &file.name, output)?;
        dump::tokens(symbi_syntax::lex(&file.text), &file.text, output.stdout())?;
    }
    Ok(())
}

fn json(read: &Read, sections: Sections, out: &mut impl Write) -> io::Result<()> {
    let Read {
        parsed,
        file,
        diagnostics,
    } = read;
    json_path(&file.name, None, out)?;
    if sections.outline {
        out.write_all(b",\"outline\":")?;
        json_dump::outline(&parsed.outline(), out)?;
    }
    if sections.tree {
        out.write_all(b",\"tree\":")?;
        json_dump::tree(parsed.walk(), &file.text, out)?;
    }
    if sections.tokens {
        out.write_all(b",\"tokens\":")?;
        json_dump::tokens(symbi_syntax::lex(&file.text), &file.text, out)?;
    }
    out.write_all(b",\"diagnostics\":")?;
    serde_json::to_writer(&mut *out, &JsonFile::checked(file, diagnostics).diagnostics)?;
    out.write_all(b"}")
}

/// The beginning of a source's object.
fn json_path(path: &str, error: Option<&str>, out: &mut impl Write) -> io::Result<()> {
    out.write_all(b"{\"path\":")?;
    json_dump::string(path, out)?;
    out.write_all(b",\"error\":")?;
    match error {
        Some(error) => json_dump::string(error, out),
        None => out.write_all(b"null"),
    }
}

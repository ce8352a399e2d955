//! How a tool is run: by exactly one section, which fits its mode.

use symbi_diagnostics::Diagnostic;
use symbi_diagnostics::project as codes;

use super::argument::Argument;
use super::browser::{self, Browser};
use super::command::{self, Command};
use super::http::{self, Http};
use super::keys;
use super::section::Section;
use super::session::{self, Mcp, Session};
use super::source::{self, Filesystem, Source};
use super::terms::Mode;
use super::tool::Tool;
use crate::custom_types::CustomTypes;
use crate::reader::Reader;

/// How a tool is run.
#[derive(Clone, Debug, PartialEq)]
pub enum Backend {
    /// `[command]`: a program is started.
    Command(Command),
    /// `[http]`: a request is sent.
    Http(Http),
    /// `[mcp]`: another tool is called, at a server.
    Mcp(Mcp),
    /// `[session]`: a program that stays is spoken to.
    Session(Session),
    /// `[browser]`: a browser is driven.
    Browser(Browser),
    /// `[source]`: a question about the sources of the project.
    Source(Source),
}

/// The sections that say how a tool is run, and the mode that each needs.
const WAYS: [(&str, Mode); 6] = [
    ("command", Mode::Oneshot),
    ("http", Mode::Oneshot),
    ("mcp", Mode::Oneshot),
    ("source", Mode::Oneshot),
    ("session", Mode::Session),
    ("browser", Mode::Browser),
];

/// Reads the section that says how the tool is run.
pub fn read<'d>(
    reader: &mut Reader<'d>,
    root: &Section<'d>,
    tool: &Tool,
    arguments: &[Argument],
    filesystem: &Filesystem,
    types: &CustomTypes,
) -> Option<Backend> {
    let given = WAYS
        .iter()
        .filter_map(|(name, mode)| Some((root.entry(name)?, *mode)));
    let mut given: Vec<_> = given.collect();
    given.sort_by_key(|(entry, _)| entry.key_at.start);
    let Some(&(first, mode)) = given.first() else {
        let at = root.entry("tool").map_or(root.at, |tool| tool.key_at);
        let report = Diagnostic::new(&codes::K0866, at, "nothing says how the tool is run");
        reader.report(report.help(match tool.mode.value {
            Mode::Session => "write `[session]`",
            Mode::Browser => "write `[browser]`",
            Mode::Oneshot => "write `[command]`, and below it `exec = [\"wc\", \"-l\", \"{path}\"]`; or `[http]`, or `[mcp]`",
        }));
        return None;
    };
    for (second, _) in given.iter().skip(1) {
        let message = format!("the tool is run by `[{}]` already", first.key);
        let report = Diagnostic::new(&codes::K0866, second.key_at, message);
        reader.report(report.note(first.key_at, "the first way").help(format!(
            "keep one of the two, or put `[{}]` into a manifest of its own",
            second.key
        )));
    }
    if mode != tool.mode.value {
        let (own, needed) = (tool.mode.value.as_str(), mode.as_str());
        let message = format!(
            "`[{}]` needs `mode = \"{needed}\"`, and the mode is `{own}`",
            first.key
        );
        let mut report = Diagnostic::new(&codes::K0866, first.key_at, message);
        if let Some(at) = tool.mode.at {
            report = report.note(at, "the mode");
        }
        reader.report(report.help(format!("write `mode = \"{needed}\"` in `[tool]`")));
    }
    let section = |reader: &mut Reader<'d>, table| Section::read(reader, first, table, &first.key);
    Some(match first.key.as_str() {
        "command" => {
            let section = section(reader, &keys::COMMAND)?;
            Backend::Command(command::read(
                reader, &section, tool, arguments, filesystem,
            )?)
        }
        "http" => {
            let section = section(reader, &keys::HTTP)?;
            Backend::Http(http::read(reader, &section, arguments, filesystem)?)
        }
        "mcp" => {
            let section = section(reader, &keys::MCP)?;
            Backend::Mcp(session::read_mcp(reader, &section, arguments)?)
        }
        "source" => {
            let section = section(reader, &keys::SOURCE)?;
            Backend::Source(source::read(reader, &section)?)
        }
        "session" => {
            let section = section(reader, &keys::SESSION)?;
            Backend::Session(session::read(reader, &section, tool, types)?)
        }
        _ => {
            let section = section(reader, &keys::BROWSER)?;
            Backend::Browser(browser::read(reader, &section, types))
        }
    })
}

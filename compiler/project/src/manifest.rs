//! `tools/NAME.clad.toml`: what the checker reads of a tool's manifest.

use std::collections::HashMap;

use symbi_diagnostics::project as codes;
use symbi_diagnostics::{Diagnostic, Span};

use crate::argument::{self, Argument};
use crate::custom_types::CustomTypes;
use crate::document::Entry;
use crate::reader::{self, Codes, Reader};
use crate::{Parsed, Spanned};

/// A tool.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Manifest {
    /// `[tool] name`; `None` after an error.
    pub name: Option<Spanned<String>>,
    /// `[tool] description`; empty if not given.
    pub description: String,
    /// The arguments in the order of their positions, then of the file.
    pub arguments: Vec<Argument>,
}

pub(crate) static CODES: Codes = Codes {
    unreadable: &codes::K0850,
    twice: &codes::K0860,
    wrong_type: &codes::K0851,
};

impl Manifest {
    /// Reads the text of a manifest in a project without custom types.
    pub fn parse(text: &str, file_name: &str) -> Parsed<Self> {
        Self::parse_with(text, file_name, &CustomTypes::default())
    }

    /// Reads the text of a manifest whose arguments may have custom types.
    pub fn parse_with(text: &str, file_name: &str, types: &CustomTypes) -> Parsed<Self> {
        reader::parse(text, "the manifest", &CODES, |reader| {
            let mut manifest = Self::default();
            let mut tool = None;
            for entry in reader.entries(reader.document.root()) {
                match entry.key.as_str() {
                    "tool" => tool = Some(entry),
                    "args" => manifest.arguments = arguments(reader, entry, types),
                    // The rest is for the host.
                    _ => {}
                }
            }
            read_tool(reader, &mut manifest, tool, file_name);
            manifest
        })
    }
}

fn read_tool(reader: &mut Reader, manifest: &mut Manifest, tool: Option<&Entry>, file_name: &str) {
    let mut named = false;
    let entries = match tool {
        Some(tool) => match reader.table(tool, "tool") {
            Some(entries) => entries,
            None => return,
        },
        None => &[],
    };
    for entry in entries {
        match entry.key.as_str() {
            "name" => {
                named = true;
                manifest.name = reader
                    .text(entry, "\"read_file\"")
                    .filter(|name| is_name(reader, name));
            }
            "description" => {
                let text = reader.text(entry, "\"what it does\"");
                manifest.description = text.map(|text| text.value).unwrap_or_default();
            }
            _ => {}
        }
    }
    if !named {
        let at = tool.map_or(Span::at(0), |tool| tool.key_at);
        let report = Diagnostic::new(&codes::K0852, at, "the tool has no name");
        let stem = stem(file_name);
        let example = if spelt_like_a_name(stem) {
            stem
        } else {
            "read_file"
        };
        reader.report(report.help(match tool {
            Some(_) => format!("write `name = \"{example}\"` below `[tool]`"),
            None => format!("write `[tool]`, and below it `name = \"{example}\"`"),
        }));
    }
}

/// The name of a manifest without folders and endings.
fn stem(file_name: &str) -> &str {
    let name = file_name.rsplit(['/', '\\']).next().unwrap_or(file_name);
    name.strip_suffix(".clad.toml").unwrap_or(name)
}

/// A tool is called in sources, where only a name can stand.
fn is_name(reader: &mut Reader, name: &Spanned<String>) -> bool {
    let written = &name.value;
    if spelt_like_a_name(written) {
        return true;
    }
    let message = if written.is_empty() {
        "the name of the tool is empty".to_owned()
    } else {
        format!("a tool cannot be called `{written}`: no source could name it")
    };
    let mut report = Diagnostic::new(&codes::K0853, name.at, message);
    let plain = written.replace(['-', ' ', '.'], "_");
    report = report.help(if spelt_like_a_name(&plain) {
        format!("write `{plain}`")
    } else {
        "a name has letters from `a` to `z`, digits and `_`, and no digit first".to_owned()
    });
    reader.report(report);
    false
}

fn spelt_like_a_name(text: &str) -> bool {
    let mut bytes = text.bytes();
    bytes
        .next()
        .is_some_and(|b| b.is_ascii_alphabetic() || b == b'_')
        && bytes.all(|b| b.is_ascii_alphanumeric() || b == b'_')
}

fn arguments(reader: &mut Reader, table: &Entry, types: &CustomTypes) -> Vec<Argument> {
    let mut arguments = Vec::new();
    for entry in reader.table(table, "args").unwrap_or_default() {
        arguments.extend(argument::read(reader, entry, types));
    }
    let mut taken: HashMap<u32, Span> = HashMap::new();
    for argument in &arguments {
        let Some(position) = &argument.position else {
            continue;
        };
        if let Some(&first) = taken.get(&position.value) {
            let message = format!(
                "the position {} is taken already: `{}` needs another one",
                position.value, argument.name.value
            );
            let report = Diagnostic::new(&codes::K0858, position.at, message);
            reader.report(report.note(first, "the first argument there"));
        } else {
            taken.insert(position.value, position.at);
        }
    }
    // Stable: those without a position keep the order of the file.
    arguments.sort_by_key(|argument| {
        argument
            .position
            .as_ref()
            .map_or(u32::MAX, |position| position.value)
    });
    arguments
}

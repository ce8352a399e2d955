//! `[source]`: a fixed question about the sources of a project; and
//! `[filesystem]`: the files of a call.

use symbi_diagnostics::Diagnostic;
use symbi_diagnostics::project as codes;

use super::argument::{Argument, ArgumentType};
use super::keys;
use super::placeholder::{Names, Piece, strict};
use super::section::Section;
use super::terms::Operation;
use crate::reader::Reader;
use crate::value::relative_path;
use crate::{Setting, Spanned};

/// `[source]`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Source {
    /// `operation`.
    pub operation: Spanned<Operation>,
}

/// `[filesystem]`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Filesystem {
    /// `read`: what a call may read.
    pub read: Vec<FilesystemEntry>,
    /// `create`: what it may write anew.
    pub create: Vec<FilesystemEntry>,
    /// `max_file_bytes`.
    pub max_file_bytes: Setting<u64>,
}

/// A file of a call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FilesystemEntry {
    /// This one, by its relative path.
    Path(Spanned<String>),
    /// The one that an argument names.
    Argument(Spanned<String>),
}

/// What a file may hold that says nothing else: 8 MiB.
const FILE: u64 = 8 << 20;
const MAX_READ: usize = 32;
const MAX_CREATE: usize = 1;

impl Filesystem {
    /// The arguments that it names are used.
    pub fn mark(&self, names: &mut Names) {
        for entry in self.read.iter().chain(&self.create) {
            if let FilesystemEntry::Argument(name) = entry {
                names.mark(&name.value);
            }
        }
    }
}

/// Reads `[source]`.
pub fn read<'d>(reader: &mut Reader<'d>, section: &Section<'d>) -> Option<Source> {
    if section.entry("operation").is_none() {
        section.missing(reader, "operation");
    }
    Some(Source {
        operation: section.term(reader, "operation")?,
    })
}

/// Reads `[filesystem]`.
pub fn filesystem<'d>(
    reader: &mut Reader<'d>,
    root: &Section<'d>,
    arguments: &[Argument],
) -> Filesystem {
    let section = root.section(reader, "filesystem", &keys::FILESYSTEM);
    let Some(section) = section else {
        return Filesystem {
            read: Vec::new(),
            create: Vec::new(),
            max_file_bytes: Setting::or(None, FILE),
        };
    };
    let names = Names::of(arguments);
    let files = |reader: &mut Reader<'d>, name: &str, most: usize| {
        let written = section.texts(reader, name).unwrap_or_default();
        if let Some(more) = written.get(most) {
            let files = if most == 1 { "file" } else { "files" };
            let message = format!("`{name}` holds at most {most} {files}");
            reader.report(Diagnostic::new(&codes::K0863, more.at, message));
        }
        let mut files = Vec::new();
        for file in written {
            files.extend(file_of(reader, file, &names));
        }
        files
    };
    Filesystem {
        read: files(reader, "read", MAX_READ),
        create: files(reader, "create", MAX_CREATE),
        max_file_bytes: section.whole_or(reader, "max_file_bytes", FILE),
    }
}

/// A path as it is, or an argument alone.
fn file_of(reader: &mut Reader, text: Spanned<String>, names: &Names) -> Option<FilesystemEntry> {
    let pieces = strict(reader, &text)?;
    match &*pieces {
        [Piece::Name(name, _)] => {
            let Some(argument) = names.argument(name) else {
                let message = format!("there is no argument `{name}` that names a file");
                reader.report(Diagnostic::new(&codes::K0867, text.at, message));
                return None;
            };
            let paths = [ArgumentType::CredentialFile, ArgumentType::Path];
            if argument.ty().is_some_and(|ty| !paths.contains(&ty)) {
                let message = format!("`{name}` names no file: its type is not `path`");
                let report = Diagnostic::new(&codes::K0867, text.at, message);
                reader.report(report.note(argument.name.at, "the argument"));
            }
            Some(FilesystemEntry::Argument(Spanned {
                value: name.clone(),
                at: text.at,
            }))
        }
        [Piece::Text(_)] => {
            if let Err(problem) = relative_path(&text.value) {
                let message = format!("a file of a call {problem}");
                reader.report(Diagnostic::new(&codes::K0868, text.at, message));
                return None;
            }
            Some(FilesystemEntry::Path(text))
        }
        _ => {
            let message = "a file is one path, or one argument alone";
            reader.report(Diagnostic::new(&codes::K0867, text.at, message));
            None
        }
    }
}

//! Bytes to text.

use std::path::Path;
use std::sync::Arc;

use symbi_diagnostics::{Diagnostic, Span, syntax as codes};

use crate::tree::File;

/// The largest file the language allows, in bytes (language.md section 1).
pub const MAX_FILE_BYTES: u64 = 64 << 20;

/// Whether a path names a source file: its extension is `symbi` (canonical) or
/// `dsl` (kept for ever).
pub fn is_symbi_file(path: &Path) -> bool {
    path.extension()
        .is_some_and(|extension| extension == "symbi" || extension == "dsl")
}

/// The text of a file's bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decoded {
    /// The text; each run of bytes that are no UTF-8 has become one U+FFFD.
    pub text: Arc<str>,
    /// Where in `text` those runs stood.
    pub invalid: Vec<Span>,
}

/// Decodes a file's bytes. Never fails.
pub fn decode(bytes: Vec<u8>) -> Decoded {
    let bytes = match String::from_utf8(bytes) {
        Ok(text) => {
            return Decoded {
                text: text.into(),
                invalid: Vec::new(),
            };
        }
        Err(error) => error.into_bytes(),
    };
    let mut text = String::with_capacity(bytes.len() + 16);
    let mut invalid: Vec<Span> = Vec::new();
    for chunk in bytes.utf8_chunks() {
        text.push_str(chunk.valid());
        if chunk.invalid().is_empty() {
            continue;
        }
        let at = text.len() as u32;
        // Runs that touch are one.
        if invalid.last().is_some_and(|last| last.end == at) {
            continue;
        }
        text.push(char::REPLACEMENT_CHARACTER);
        invalid.push(Span::new(at, text.len() as u32));
    }
    Decoded {
        text: text.into(),
        invalid,
    }
}

/// One report for all the places where bytes were no UTF-8. Reports that the
/// stand-in character caused are dropped: they are about the same bytes.
pub(crate) fn report_invalid(file: &mut File, invalid: &[Span]) {
    let Some(&first) = invalid.first() else {
        return;
    };
    let more = match invalid.len() {
        1 => String::new(),
        n => format!(" (and at {} more places)", n - 1),
    };
    file.drop_reports_at(invalid);
    file.problems.insert(
        0,
        Diagnostic::new(
            &codes::S0101,
            first,
            format!("these bytes are not valid UTF-8{more}"),
        )
        .help("save the file as UTF-8"),
    );
}

//! `[policy] waive`: what may run although nothing enforces it, each by its
//! code and its name.

use symbi_diagnostics::project as codes;
use symbi_diagnostics::{Code, Diagnostic, Edit, Level, Span};

use crate::Spanned;
use crate::document::{Entry, NodeId, Value};
use crate::project_file::{known_code, unknown_key};
use crate::reader::Reader;

/// One element of `waive`.
#[derive(Clone, Debug, PartialEq)]
pub struct Waiver {
    /// Which reports: a warning.
    pub code: &'static Code,
    /// What they are about: the name of an obligation, a key, a block.
    pub name: Spanned<String>,
    /// The whole element.
    pub at: Span,
}

const FORM: &str = "{ code = \"B0703\", name = \"colour\" }";

pub fn read(reader: &mut Reader, entry: &Entry) -> Vec<Waiver> {
    let expected = format!("a list: write `waive = [{FORM}]`");
    let elements = reader.list(entry, &expected).unwrap_or_default();
    elements
        .iter()
        .filter_map(|&element| waiver(reader, element))
        .collect()
}

fn waiver(reader: &mut Reader, element: NodeId) -> Option<Waiver> {
    let at = reader.at(element);
    let entries = match reader.value(element) {
        Value::Table(entries) => entries,
        Value::Text(text) => {
            in_one_text(reader, text, at);
            return None;
        }
        _ => {
            let expected = format!("a table: write `{FORM}`");
            return reader.wrong(element, "a waiver is", &expected);
        }
    };
    let (mut code, mut name) = (None, None);
    let mut misspelt = Vec::new();
    for entry in entries {
        match entry.key.as_str() {
            "code" => code = Some(reader.text(entry, "\"B0703\"")),
            "name" => name = Some(reader.text(entry, "\"colour\"")),
            _ => misspelt.extend(unknown_key(reader, entry, "a waiver", &["code", "name"])),
        }
    }
    let missing: Vec<&str> = [("code", code.is_none()), ("name", name.is_none())]
        .into_iter()
        .filter(|(key, missing)| *missing && !misspelt.contains(key))
        .map(|(key, _)| key)
        .collect();
    if !missing.is_empty() {
        let missing = missing.join("` and no `");
        let message = format!("a waiver has no `{missing}`: write `{FORM}`");
        reader.report(Diagnostic::new(&codes::B0789, at, message));
    }
    let known = code.flatten().and_then(|code| waivable(reader, &code));
    let name = name.flatten()?;
    if name.value.trim().is_empty() {
        let message = "a waiver's name is empty: each thing is waived by its own name";
        reader.report(Diagnostic::new(&codes::B0789, name.at, message));
        return None;
    }
    Some(Waiver {
        code: known?,
        name,
        at,
    })
}

/// A code that can be waived: no error.
fn waivable(reader: &mut Reader, written: &Spanned<String>) -> Option<&'static Code> {
    let code = known_code(reader, &written.value, written.at)?;
    if code.level == Level::Error {
        let id = code.id;
        let message = format!("`{id}` is an error, and errors cannot be waived");
        let report = Diagnostic::new(&codes::B0786, written.at, message);
        reader.report(report.label(code.title).help(format!(
            "mend what it reports; `symbi explain {id}` says how"
        )));
        return None;
    }
    Some(code)
}

/// `"B0703 colour"`: understood, but there is one form.
fn in_one_text(reader: &mut Reader, text: &str, at: Span) {
    let message = format!("a waiver has a code and a name of its own: write `{FORM}`");
    let mut report = Diagnostic::new(&codes::B0789, at, message);
    let mut words = text.split_whitespace();
    let plain = |word: &str| !word.contains(['"', '\\']) && !word.chars().any(char::is_control);
    if let (Some(code), Some(name), None) = (words.next(), words.next(), words.next())
        && symbi_diagnostics::find(code).is_some()
        && plain(name)
    {
        let table = format!("{{ code = \"{code}\", name = \"{name}\" }}");
        report = report.fix(format!("write `{table}`"), vec![Edit { at, text: table }]);
    }
    reader.report(report);
}

//! `toolclad.toml`: types of arguments that a project declares.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Arc;

use symbi_diagnostics::project as codes;
use symbi_diagnostics::{Diagnostic, Span};

use crate::argument::{self, ArgumentType};
use crate::document::Entry;
use crate::manifest::CODES;
use crate::reader::{self, Reader};
use crate::{Parsed, Spanned};

/// The types that a `toolclad.toml` declares, by name.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CustomTypes {
    types: BTreeMap<String, CustomType>,
}

/// `[types.NAME]`.
#[derive(Clone, Debug, PartialEq)]
pub struct CustomType {
    /// The built-in type that it is made from in the end. `None` after an
    /// error.
    pub base: Option<ArgumentType>,
    /// The values of an enum, in the order of the file.
    pub allowed: Arc<[String]>,
    /// Where its name stands.
    pub at: Span,
}

impl CustomTypes {
    /// Reads the text of a `toolclad.toml`.
    pub fn parse(text: &str) -> Parsed<Self> {
        reader::parse(text, "`toolclad.toml`", &CODES, |reader| {
            let mut written = Vec::new();
            for entry in reader.entries(reader.document.root()) {
                if entry.key == "types" {
                    for entry in reader.table(entry, "types").unwrap_or_default() {
                        written.extend(declaration(reader, entry));
                    }
                }
            }
            Self {
                types: resolve(reader, &written),
            }
        })
    }

    /// The type of a name.
    pub fn get(&self, name: &str) -> Option<&CustomType> {
        self.types.get(name)
    }

    /// The names, sorted.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.types.keys().map(String::as_str)
    }
}

/// A type as it is written.
struct Written {
    name: String,
    at: Span,
    base: Option<Spanned<String>>,
    allowed: Option<Arc<[String]>>,
}

fn declaration(reader: &mut Reader, entry: &Entry) -> Option<Written> {
    let keys = reader.table(entry, &format!("types.{}", entry.key))?;
    let name = entry.key.clone();
    if ArgumentType::parse(&name).is_some() {
        let message = format!("`{name}` is a built-in type, and cannot be declared anew");
        let report = Diagnostic::new(&codes::K0861, entry.key_at, message);
        reader.report(report.help("give the type another name"));
        return None;
    }
    let mut written = Written {
        name,
        at: entry.key_at,
        base: None,
        allowed: None,
    };
    let mut missing = true;
    for key in keys {
        match key.key.as_str() {
            "base" => {
                missing = false;
                written.base = reader.text(key, "\"string\"");
            }
            "allowed" => written.allowed = argument::texts(reader, key),
            _ => {}
        }
    }
    if missing {
        let message = format!("the type `{}` has no `base`", written.name);
        let report = Diagnostic::new(&codes::K0861, entry.key_at, message);
        reader.report(report.help("write `base = \"string\"`, or another type"));
    }
    Some(written)
}

/// Follows the bases to the built-in types. Each type is looked at once.
fn resolve(reader: &mut Reader, written: &[Written]) -> BTreeMap<String, CustomType> {
    let by_name: HashMap<&str, usize> = written
        .iter()
        .enumerate()
        .map(|(index, declared)| (&*declared.name, index))
        .collect();
    let names: Vec<&str> = written.iter().map(|declared| &*declared.name).collect();
    let mut found: Vec<Option<CustomType>> = written.iter().map(|_| None).collect();
    for start in 0..written.len() {
        let mut way = Vec::new();
        let mut seen = HashSet::new();
        let mut base = None;
        let mut allowed: Arc<[String]> = Arc::default();
        let mut next = Some(start);
        while let Some(index) = next.take() {
            let declared = &written[index];
            if let Some(known) = &found[index] {
                base = known.base;
                allowed = known.allowed.clone();
                break;
            }
            if !seen.insert(index) {
                let message = format!("the type `{}` is made from itself", declared.name);
                let report = Diagnostic::new(&codes::K0861, declared.at, message);
                reader.report(report.help("write a built-in type as the `base` of one of them"));
                break;
            }
            way.push(index);
            let Some(written_base) = &declared.base else {
                break;
            };
            base = ArgumentType::parse(&written_base.value);
            if base.is_some() {
                break;
            }
            match by_name.get(&*written_base.value) {
                Some(&index) => next = Some(index),
                None => {
                    argument::unknown_type(reader, written_base, names.iter().copied());
                }
            }
        }
        for index in way.into_iter().rev() {
            let declared = &written[index];
            if let Some(own) = &declared.allowed {
                allowed = own.clone();
            }
            found[index] = Some(CustomType {
                base,
                allowed: allowed.clone(),
                at: declared.at,
            });
        }
    }
    written
        .iter()
        .zip(found)
        .filter_map(|(declared, found)| Some((declared.name.clone(), found?)))
        .collect()
}

//! `toolclad.toml`: types of arguments that a project declares.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Arc;

use symbi_diagnostics::project as codes;
use symbi_diagnostics::{Diagnostic, Span};

use crate::document::Entry;
use crate::manifest::limits::{self, Owner};
use crate::manifest::section::Section;
use crate::manifest::{ArgumentType, CODES, argument, keys};
use crate::reader::{self, Reader};
use crate::value::Rules;
use crate::{Parsed, Spanned};

/// The types that a `toolclad.toml` declares, by name.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CustomTypes {
    types: BTreeMap<String, CustomType>,
}

/// `[types.NAME]`.
#[derive(Clone, Debug, PartialEq)]
pub struct CustomType {
    /// What its values must be: the limits of all types that it is made from,
    /// and its own. `None` after an error in its base.
    pub rules: Option<Arc<Rules>>,
    /// What it is for; empty if not given.
    pub description: String,
    /// Where its name stands.
    pub at: Span,
}

impl CustomType {
    /// The built-in type that it is made from in the end. `None` after an
    /// error.
    pub fn base(&self) -> Option<ArgumentType> {
        Some(self.rules.as_ref()?.ty)
    }

    /// The values of an enum, in the order of the file.
    pub fn allowed(&self) -> &[String] {
        self.rules.as_ref().map_or(&[], |rules| &rules.allowed)
    }
}

impl CustomTypes {
    /// Reads the text of a `toolclad.toml`.
    pub fn parse(text: &str) -> Parsed<Self> {
        reader::parse(text, "`toolclad.toml`", &CODES, |reader| {
            let root = Section::root(reader, &keys::TYPES_ROOT, "`toolclad.toml`");
            let entries = root.open(reader, "types");
            let mut written = Vec::with_capacity(entries.len().min(1024));
            for entry in entries {
                written.extend(declaration(reader, entry));
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
struct Written<'d> {
    name: Spanned<String>,
    base: Option<Spanned<String>>,
    description: String,
    section: Section<'d>,
}

fn declaration<'d>(reader: &mut Reader<'d>, entry: &Entry) -> Option<Written<'d>> {
    let name = entry.key.clone();
    let header = format!("types.{name}");
    let section = Section::read(reader, entry, &keys::CUSTOM_TYPE, &header)?;
    if ArgumentType::parse(&name).is_some() {
        let message = format!("`{name}` is a built-in type, and cannot be declared anew");
        let report = Diagnostic::new(&codes::K0861, entry.key_at, message);
        reader.report(report.help("give the type another name"));
        return None;
    }
    if section.entry("base").is_none() {
        let message = format!("the type `{name}` has no `base`");
        let report = Diagnostic::new(&codes::K0861, entry.key_at, message);
        reader.report(report.help("write `base = \"string\"`, or another type"));
    }
    let description = section.text(reader, "description");
    Some(Written {
        name: Spanned {
            value: name,
            at: entry.key_at,
        },
        base: section.text(reader, "base"),
        description: description.map(|text| text.value).unwrap_or_default(),
        section,
    })
}

/// Follows the bases to the built-in types. Each type is looked at once.
fn resolve<'d>(reader: &mut Reader<'d>, written: &[Written<'d>]) -> BTreeMap<String, CustomType> {
    let by_name: HashMap<&str, usize> = written
        .iter()
        .enumerate()
        .map(|(index, declared)| (&*declared.name.value, index))
        .collect();
    let names: Vec<&str> = written
        .iter()
        .map(|declared| &*declared.name.value)
        .collect();
    let mut found: Vec<Option<CustomType>> = written.iter().map(|_| None).collect();
    for start in 0..written.len() {
        let mut way = Vec::new();
        let mut seen = HashSet::new();
        let mut rules: Option<Arc<Rules>> = None;
        let mut next = Some(start);
        while let Some(index) = next.take() {
            let declared = &written[index];
            if let Some(known) = &found[index] {
                rules = known.rules.clone();
                break;
            }
            if !seen.insert(index) {
                let message = format!("the type `{}` is made from itself", declared.name.value);
                let report = Diagnostic::new(&codes::K0861, declared.name.at, message);
                reader.report(report.help("write a built-in type as the `base` of one of them"));
                break;
            }
            way.push(index);
            let Some(base) = &declared.base else {
                break;
            };
            if let Some(built_in) = ArgumentType::parse(&base.value) {
                rules = Some(Arc::new(Rules::of(built_in)));
                break;
            }
            match by_name.get(&*base.value) {
                Some(&index) => next = Some(index),
                None => argument::unknown_type(reader, base, names.iter().copied()),
            }
        }
        for index in way.into_iter().rev() {
            let declared = &written[index];
            rules = rules.map(|base| {
                let made_from = declared.base.as_ref().map(|base| &*base.value);
                let owner = Owner {
                    name: &declared.name,
                    custom: made_from.filter(|base| by_name.contains_key(base)),
                };
                let base = Arc::unwrap_or_clone(base);
                Arc::new(limits::narrow(reader, &declared.section, base, &owner))
            });
            found[index] = Some(CustomType {
                rules: rules.clone(),
                description: declared.description.clone(),
                at: declared.name.at,
            });
        }
    }
    written
        .iter()
        .zip(found)
        .filter_map(|(declared, found)| Some((declared.name.value.clone(), found?)))
        .collect()
}

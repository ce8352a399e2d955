//! What a command has beside its words: defaults, the flags that a value is
//! mapped to, and words that are only there under a condition.

use std::collections::HashSet;

use symbi_diagnostics::project as codes;
use symbi_diagnostics::{Diagnostic, Edit, Span};

use super::argument::{self, Argument, ArgumentType, DefaultValue};
use super::condition::{self, Condition};
use super::keys;
use super::placeholder::{Names, Place, Template, lone_brace, pieces};
use super::section::Section;
use super::split;
use crate::Spanned;
use crate::document::Entry;
use crate::reader::Reader;

/// `[command.mappings.ARGUMENT]`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mapping {
    /// The argument.
    pub argument: Spanned<String>,
    /// The words of a command for each value, in the order of the file.
    pub flags: Vec<(Spanned<String>, Vec<String>)>,
}

/// `[command.conditionals.NAME]`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Conditional {
    /// Its name.
    pub name: Spanned<String>,
    /// When its words are there.
    pub when: Condition,
    /// The words, each of which stays one.
    pub words: Vec<Template>,
}

/// `[command.defaults]`.
pub fn defaults(
    reader: &mut Reader,
    entries: &[Entry],
    names: &Names<'_>,
) -> Vec<(Spanned<String>, Spanned<DefaultValue>)> {
    let mut defaults = Vec::new();
    for entry in entries {
        if let Some(argument) = names.argument(&entry.key)
            && let Some(default) = &argument.default
        {
            let message = format!("`{}` has a default already", entry.key);
            let report = Diagnostic::new(&codes::K0867, entry.key_at, message);
            reader.report(report.note(default.at, "its default"));
        }
        if let Some(value) = argument::scalar(reader, entry) {
            defaults.push((key_of(entry), value));
        }
    }
    defaults
}

fn key_of(entry: &Entry) -> Spanned<String> {
    Spanned {
        value: entry.key.clone(),
        at: entry.key_at,
    }
}

/// `[command.mappings]`.
pub fn mappings(reader: &mut Reader<'_>, entries: &[Entry], names: &Names<'_>) -> Vec<Mapping> {
    let mut mappings = Vec::new();
    for entry in entries {
        let header = format!("command.mappings.{}", entry.key);
        let Some(values) = reader.table(entry, &header) else {
            continue;
        };
        match names.argument(&entry.key) {
            Some(argument) => check_values(reader, argument, entry, values),
            None => {
                let message = format!("there is no argument `{}` to map", entry.key);
                let known = names.argument_names();
                unknown(reader, entry.key_at, message, &entry.key, known, false);
            }
        }
        let mut flags = Vec::new();
        for value in values {
            flags.push((key_of(value), flags_of(reader, value)));
        }
        mappings.push(Mapping {
            argument: key_of(entry),
            flags,
        });
    }
    mappings
}

/// The words that a value is mapped to: text of the manifest and nothing else.
fn flags_of(reader: &mut Reader, value: &Entry) -> Vec<String> {
    let Some(text) = reader.text(value, "\"--fast\"") else {
        return Vec::new();
    };
    match split::words(&text.value) {
        Ok(words) => {
            let braced = words
                .iter()
                .find_map(|word| Some(word.place(word.text.find('{').map(|at| at..at + 1)?)));
            if let Some(braced) = braced {
                let at = reader.inside(&text, braced);
                let message = "what a value is mapped to holds no placeholders";
                let report = Diagnostic::new(&codes::K0867, at, message);
                reader.report(report.help("put the placeholder into a conditional or into `exec`"));
            }
            words.into_iter().map(|word| word.text).collect()
        }
        Err(quote) => {
            unclosed(reader, &text, quote);
            Vec::new()
        }
    }
}

fn unclosed(reader: &mut Reader, text: &Spanned<String>, quote: usize) {
    let at = reader.inside(text, quote..quote + 1);
    let message = "this quote is not closed";
    reader.report(Diagnostic::new(&codes::K0867, at, message));
}

/// The values of a mapping are those of its argument, all of them.
fn check_values(reader: &mut Reader, argument: &Argument, entry: &Entry, values: &[Entry]) {
    let known: Vec<&str> = match argument.ty() {
        Some(ArgumentType::Enum) => argument.allowed().iter().map(String::as_str).collect(),
        Some(ArgumentType::Boolean) => vec!["true", "false"],
        _ => return,
    };
    // An error of the enum is reported there.
    if known.is_empty() {
        return;
    }
    let name = &argument.name.value;
    let taken: HashSet<&str> = known.iter().copied().collect();
    for value in values {
        if !taken.contains(&*value.key) {
            let message = format!("`{name}` is never `{}`", value.key);
            unknown(
                reader,
                value.key_at,
                message,
                &value.key,
                known.iter().copied(),
                false,
            );
        }
    }
    let given: HashSet<&str> = values.iter().map(|value| &*value.key).collect();
    let missing: Vec<String> = known
        .iter()
        .filter(|value| !given.contains(**value))
        .map(|value| format!("`{value}`"))
        .collect();
    if !missing.is_empty() {
        let shown = missing.get(..8).unwrap_or(&missing).join(", ");
        let message = format!("the mapping of `{name}` has nothing for {shown}");
        let report = Diagnostic::new(&codes::K0867, entry.key_at, message);
        reader.report(report.help("map a value to `\"\"` if it needs no flags"));
    }
}

/// Reports a name that does not exist, with the one that was meant.
fn unknown<'n>(
    reader: &mut Reader,
    at: Span,
    message: String,
    written: &str,
    known: impl Iterator<Item = &'n str> + Clone,
    quoted: bool,
) {
    let report = match reader.nearest(written, known.clone()) {
        Some(near) => {
            let plain = super::spelt_like_a_name(near) && !quoted;
            let text = match plain {
                true => near.to_owned(),
                false if quoted => format!("'{near}'"),
                false => format!("\"{near}\""),
            };
            let message = format!("{message}; did you mean `{near}`?");
            Diagnostic::new(&codes::K0867, at, message)
                .fix(format!("write `{text}`"), vec![Edit { at, text }])
        }
        None => {
            let known: Vec<String> = known.take(12).map(|name| format!("`{name}`")).collect();
            let report = Diagnostic::new(&codes::K0867, at, message);
            match known.is_empty() {
                true => report.help("declare it: write `[args.NAME]`"),
                false => report.help(format!("write one of {}", known.join(", "))),
            }
        }
    };
    reader.report(report);
}

/// `[command.conditionals]`.
pub fn conditionals(
    reader: &mut Reader<'_>,
    entries: &[Entry],
    names: &mut Names<'_>,
) -> Vec<Conditional> {
    let mut conditionals = Vec::new();
    for entry in entries {
        let header = format!("command.conditionals.{}", entry.key);
        let Some(section) = Section::read(reader, entry, &keys::CONDITIONAL, &header) else {
            continue;
        };
        let mapped = entry.key.strip_suffix("_flags");
        if mapped.is_some_and(|name| names.mappings.contains(name)) {
            let message = format!("`{{_{}}}` stands for a mapping already", entry.key);
            let report = Diagnostic::new(&codes::K0867, entry.key_at, message);
            reader.report(report.help("give the conditional another name"));
        }
        let when = section.needed(reader, "when");
        let when = when.and_then(|text| condition(reader, &text, names));
        let template = section.needed(reader, "template");
        let words = template
            .map(|text| fragments(reader, &text, names))
            .unwrap_or_default();
        conditionals.extend(when.map(|when| Conditional {
            name: key_of(entry),
            when,
            words,
        }));
    }
    conditionals
}

fn condition(
    reader: &mut Reader,
    text: &Spanned<String>,
    names: &mut Names<'_>,
) -> Option<Condition> {
    let condition = match condition::parse(&text.value) {
        Ok(condition) => condition,
        Err(fault) => {
            let at = reader.inside(text, fault.at);
            let mut report = Diagnostic::new(&codes::K0867, at, fault.message);
            if let Some(instead) = fault.instead {
                let edit = Edit {
                    at,
                    text: instead.to_owned(),
                };
                report = report.fix(format!("write `{instead}`"), vec![edit]);
            }
            reader.report(report);
            return None;
        }
    };
    for test in &condition.tests {
        let argument = names.argument(&test.name);
        if argument.is_none() && !names.defaults.contains(&*test.name) {
            let at = reader.inside(text, test.name_at.clone());
            let message = format!("there is no argument `{}` to compare", test.name);
            unknown(
                reader,
                at,
                message,
                &test.name,
                names.argument_names(),
                false,
            );
            continue;
        }
        names.mark(&test.name);
        let known: Vec<&str> = match argument.and_then(Argument::ty) {
            Some(ArgumentType::Enum) => {
                let allowed = argument.map(Argument::allowed).unwrap_or_default();
                allowed.iter().map(String::as_str).collect()
            }
            Some(ArgumentType::Boolean) => vec!["true", "false"],
            _ => continue,
        };
        // One that is left out is the empty text.
        if !known.is_empty() && !test.value.is_empty() && !known.contains(&&*test.value) {
            let at = reader.inside(text, test.value_at.clone());
            let message = format!("`{}` is never `{}`", test.name, test.value);
            unknown(
                reader,
                at,
                message,
                &test.value,
                known.iter().copied(),
                true,
            );
        }
    }
    Some(condition)
}

/// The words of a text of a command.
fn fragments(reader: &mut Reader, text: &Spanned<String>, names: &mut Names<'_>) -> Vec<Template> {
    template_words(reader, text, names, |_| Place::Fragment)
}

/// Splits a text into words before any value is in it. A placeholder within
/// quotes would make one wonder whether its value is quoted: it always is one
/// word, and needs none.
pub fn template_words(
    reader: &mut Reader,
    text: &Spanned<String>,
    names: &mut Names<'_>,
    place: impl Fn(bool) -> Place,
) -> Vec<Template> {
    let words = match split::words(&text.value) {
        Ok(words) => words,
        Err(quote) => {
            unclosed(reader, text, quote);
            return Vec::new();
        }
    };
    let mut templates = Vec::with_capacity(words.len());
    for word in words {
        let found = match pieces(&word.text) {
            Ok(found) => found,
            Err(brace) => {
                let at = reader.inside(text, word.place(brace));
                lone_brace(reader, at);
                continue;
            }
        };
        let named = super::placeholder::names(&found)
            .next()
            .map(|(_, at)| at.clone());
        if let Some(part) = named
            && word.quoted
        {
            let at = reader.inside(text, word.place(part));
            let message = "a placeholder needs no quotes round it: its value is one word";
            let report = Diagnostic::new(&codes::K0867, at, message);
            reader.report(
                report.help("leave the quotes out, or write the words as a list in `exec`"),
            );
            continue;
        }
        let alone = found.len() == 1;
        let parts = names.resolve(reader, found, place(alone), |reader, part| {
            reader.inside(text, word.place(part))
        });
        templates.push(Template { parts, at: text.at });
    }
    templates
}

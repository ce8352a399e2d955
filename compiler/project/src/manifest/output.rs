//! `[output]`: what a tool prints, and what it must look like.

use serde_json::{Map, Number, Value as Json};
use symbi_diagnostics::project as codes;
use symbi_diagnostics::{Diagnostic, Edit, Span};

use super::keys;
use super::section::Section;
use super::terms::Format;
use crate::document::{Entry, NodeId, Value};
use crate::reader::Reader;
use crate::{Setting, Spanned};

/// How many bytes of an output are kept that says nothing else: 8 MiB.
const BYTES: u64 = 8 << 20;

/// `[output]`.
#[derive(Clone, Debug, PartialEq)]
pub struct Output {
    /// `format`.
    pub format: Setting<Format>,
    /// `parser`; the built-in one of the format if it is not given.
    pub parser: Option<Spanned<Parser>>,
    /// `envelope`: what is known of the call stands round the output.
    pub envelope: Setting<bool>,
    /// `max_bytes`: more than that is cut off.
    pub max_bytes: Setting<u64>,
    /// `schema`: a JSON Schema that the output must match.
    pub schema: Option<Json>,
}

/// What reads the output of a tool.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Parser {
    /// `builtin:json`.
    Builtin(Format),
    /// `custom:/usr/local/bin/read`: a program, which the host must allow.
    Custom(String),
}

/// Reads `[output]`.
pub fn read<'d>(reader: &mut Reader<'d>, root: &Section<'d>) -> Output {
    let Some(section) = root.section(reader, "output", &keys::OUTPUT) else {
        return Output {
            format: Setting::or(None, Format::Text),
            parser: None,
            envelope: Setting::or(None, true),
            max_bytes: Setting::or(None, BYTES),
            schema: None,
        };
    };
    let format = section.term_or(reader, "format", Format::Text);
    let parser = section.filled(reader, "parser");
    let schema = section.entry("schema").and_then(|entry| {
        reader.table(entry, "output.schema")?;
        check_schema(reader, entry.value, "output.schema");
        json(reader, entry.value)
    });
    Output {
        format,
        parser: parser.and_then(|text| read_parser(reader, &text, &format)),
        envelope: section.boolean(reader, "envelope", true),
        max_bytes: section.whole_or(reader, "max_bytes", BYTES),
        schema,
    }
}

fn read_parser(
    reader: &mut Reader,
    text: &Spanned<String>,
    format: &Setting<Format>,
) -> Option<Spanned<Parser>> {
    let at = text.at;
    let written = &text.value;
    if let Some(name) = written.strip_prefix("builtin:") {
        let known = Format::ALL.iter().find(|format| format.as_str() == name);
        let Some(&known) = known else {
            let message = format!("there is no built-in parser `{name}`");
            let near = reader.nearest(name, Format::WORDS.iter().copied());
            let report = Diagnostic::new(&codes::K0863, at, message);
            reader.report(match near {
                Some(near) => {
                    let text = format!("\"builtin:{near}\"");
                    report.fix(format!("write `{text}`"), vec![Edit { at, text }])
                }
                None => {
                    let words: Vec<String> = Format::WORDS
                        .iter()
                        .map(|word| format!("`builtin:{word}`"))
                        .collect();
                    report.help(format!("there is {}", words.join(", ")))
                }
            });
            return None;
        };
        if known != format.value && format.at.is_some() {
            let message = format!(
                "the output is `{}`, and `{written}` reads another format",
                format.value.as_str()
            );
            let mut report = Diagnostic::new(&codes::K0863, at, message);
            if let Some(at) = format.at {
                report = report.note(at, "its format");
            }
            reader.report(report);
        }
        return Some(Spanned {
            value: Parser::Builtin(known),
            at,
        });
    }
    let path = written.strip_prefix("custom:");
    match path {
        Some(path) if path.starts_with('/') && !path.split('/').any(|part| part == "..") => {
            Some(Spanned {
                value: Parser::Custom(path.to_owned()),
                at,
            })
        }
        Some(_) => {
            let message = "a parser of your own is named by its absolute path";
            let report = Diagnostic::new(&codes::K0868, at, message);
            reader.report(report.help("write for example `\"custom:/usr/local/bin/read-scan\"`"));
            None
        }
        None => {
            let message = "a parser is `builtin:` and a format, or `custom:` and an absolute path";
            reader.report(Diagnostic::new(&codes::K0868, at, message));
            None
        }
    }
}

/// The words of JSON Schema that are held to. Others are notes to readers, as
/// its standard says, except one that is nearly a word of these.
const SCHEMA_WORDS: [&str; 12] = [
    "type",
    "properties",
    "required",
    "items",
    "additionalProperties",
    "enum",
    "minimum",
    "maximum",
    "minLength",
    "maxLength",
    "pattern",
    "description",
];
const TYPES: [&str; 7] = [
    "object", "array", "string", "number", "integer", "boolean", "null",
];

/// Reports what a schema says in vain. It stands at most [`crate::MAX_DEPTH`]
/// deep.
fn check_schema(reader: &mut Reader, id: NodeId, whose: &str) {
    let Value::Table(entries) = reader.value(id) else {
        let at = reader.at(id);
        let message = format!("`{whose}` should be a schema, which is a table");
        reader.report(Diagnostic::new(&codes::K0851, at, message));
        return;
    };
    for entry in entries {
        check_word(reader, entry, whose);
    }
}

fn check_word(reader: &mut Reader, entry: &Entry, whose: &str) {
    let key = entry.key.as_str();
    let inner = || format!("{whose}.{key}");
    match (key, reader.value(entry.value)) {
        ("properties", Value::Table(properties)) => {
            for property in properties {
                check_schema(
                    reader,
                    property.value,
                    &format!("{}.{}", inner(), property.key),
                );
            }
        }
        ("items", Value::Table(_)) => check_schema(reader, entry.value, &inner()),
        ("additionalProperties", Value::Boolean(_))
        | ("minimum" | "maximum", Value::Integer(_) | Value::Float(_))
        | ("enum", Value::List(_))
        | ("description", _) => {}
        ("minLength" | "maxLength", Value::Integer(Some(0..))) => {}
        ("required", Value::List(_)) => {
            reader.text_list(entry, "a list of texts: write `required = [\"name\"]`");
        }
        ("type", Value::Text(text)) => check_type(reader, reader.at(entry.value), text),
        ("pattern", Value::Text(text)) => {
            let text = Spanned {
                value: text.clone(),
                at: reader.at(entry.value),
            };
            reader.pattern(&text, true);
        }
        (word, _) if SCHEMA_WORDS.contains(&word) => {
            let expected = match word {
                "properties" => "a table of schemas",
                "items" => "a schema, which is a table",
                "additionalProperties" => "`true` or `false`",
                "minimum" | "maximum" => "a number",
                "minLength" | "maxLength" => "a whole number from 0",
                "enum" => "a list of values",
                "required" => "a list of texts",
                _ => "a text",
            };
            reader.wrong_entry::<()>(entry, expected);
        }
        (word, _) => {
            if let Some(near) = reader.nearest(word, SCHEMA_WORDS) {
                let message = format!("a schema has no word `{word}`; did you mean `{near}`?");
                let at = entry.key_at;
                let text = near.to_owned();
                let report = Diagnostic::new(&codes::K0862, at, message);
                reader.report(report.fix(format!("write `{near}`"), vec![Edit { at, text }]));
            }
        }
    }
}

fn check_type(reader: &mut Reader, at: Span, found: &str) {
    if TYPES.contains(&found) {
        return;
    }
    let message = format!("a schema has no type `{found}`");
    let report = Diagnostic::new(&codes::K0863, at, message);
    reader.report(match reader.nearest(found, TYPES) {
        Some(near) => {
            let text = format!("\"{near}\"");
            report.fix(format!("write `{text}`"), vec![Edit { at, text }])
        }
        None => {
            let types: Vec<String> = TYPES.iter().map(|ty| format!("`{ty}`")).collect();
            report.help(format!("write one of {}", types.join(", ")))
        }
    });
}

/// A value as JSON; `None` after an error. It stands at most
/// [`crate::MAX_DEPTH`] deep.
fn json(reader: &mut Reader, id: NodeId) -> Option<Json> {
    Some(match reader.value(id) {
        Value::Text(text) => Json::String(text.clone()),
        Value::Boolean(value) => Json::Bool(*value),
        Value::Integer(Some(value)) => Json::Number((*value).into()),
        Value::Float(Some(value)) => match Number::from_f64(*value) {
            Some(value) => Json::Number(value),
            None => return no_json(reader, id),
        },
        Value::List(elements) => {
            let mut list = Vec::with_capacity(elements.len());
            for &element in elements {
                list.push(json(reader, element)?);
            }
            Json::Array(list)
        }
        Value::Table(entries) => {
            let mut table = Map::new();
            for entry in entries {
                table.insert(entry.key.clone(), json(reader, entry.value)?);
            }
            Json::Object(table)
        }
        Value::Integer(None) | Value::Float(None) | Value::Date => return no_json(reader, id),
        Value::Broken => return None,
    })
}

fn no_json(reader: &mut Reader, id: NodeId) -> Option<Json> {
    let at = reader.at(id);
    let message = "JSON has no such value: write a text";
    reader.report(Diagnostic::new(&codes::K0851, at, message));
    None
}

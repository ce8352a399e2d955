//! The arguments of a tool.

use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;

use symbi_diagnostics::project as codes;
use symbi_diagnostics::{Diagnostic, Edit, Span};

use super::keys;
use super::limits::{self, Owner};
use super::section::Section;
use crate::custom_types::CustomTypes;
use crate::document::{Entry, Value};
use crate::project_file::did_you_mean;
use crate::reader::Reader;
use crate::value::{Given, Rules, check_value};
use crate::{Setting, Spanned};

/// `[args.NAME]` of a manifest.
#[derive(Clone, Debug, PartialEq)]
pub struct Argument {
    /// Its name, for calls by name.
    pub name: Spanned<String>,
    /// `position`, counted from 1.
    pub position: Option<Spanned<u32>>,
    /// What its values must be. `None` after an error in its type.
    pub rules: Option<Arc<Rules>>,
    /// The custom type it has, by its name.
    pub custom: Option<String>,
    /// A call must give it. `false` when the manifest does not say.
    pub required: bool,
    /// What stands in for it in a call that leaves it out.
    pub default: Option<Spanned<DefaultValue>>,
    /// What it is for; empty if not given.
    pub description: String,
    /// Something privileged is decided by its value.
    pub feeds_decision: Setting<bool>,
}

impl Argument {
    /// What it takes; for a custom type, what that is made from. `None` after
    /// an error.
    pub fn ty(&self) -> Option<ArgumentType> {
        Some(self.rules.as_ref()?.ty)
    }

    /// The values of an enum, its custom type's included.
    pub fn allowed(&self) -> &[String] {
        self.rules.as_ref().map_or(&[], |rules| &rules.allowed)
    }
}

/// The value that stands in for an argument.
#[derive(Clone, Debug, PartialEq)]
pub enum DefaultValue {
    /// A text, which manifests may write for any type.
    Text(String),
    /// A whole number.
    Integer(i64),
    /// A number with a fraction.
    Float(f64),
    /// `true` or `false`.
    Boolean(bool),
}

impl DefaultValue {
    /// As what is given to an argument.
    pub fn given(&self) -> Given<'_> {
        match self {
            DefaultValue::Text(text) => Given::Text(text),
            DefaultValue::Integer(value) => Given::Integer(*value),
            DefaultValue::Float(value) => Given::Float(*value),
            DefaultValue::Boolean(value) => Given::Boolean(*value),
        }
    }
}

impl fmt::Display for DefaultValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            DefaultValue::Text(text) => f.write_str(text),
            DefaultValue::Integer(value) => write!(f, "{value}"),
            // With its point: `1.0` is no whole number.
            DefaultValue::Float(value) => write!(f, "{value:?}"),
            DefaultValue::Boolean(value) => write!(f, "{value}"),
        }
    }
}

macro_rules! argument_types {
    ($($variant:ident $name:literal $doc:literal)*) => {
        /// What an argument takes.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum ArgumentType {
            $(#[doc = $doc] $variant,)*
        }

        impl ArgumentType {
            /// Every type, sorted by name.
            pub const ALL: &[ArgumentType] = &[$(ArgumentType::$variant),*];

            /// The name that manifests write.
            pub fn as_str(self) -> &'static str {
                match self {
                    $(ArgumentType::$variant => $name,)*
                }
            }
        }
    };
}

argument_types! {
    AgentSummary "agent_summary" "Free text that another agent will read."
    Boolean "boolean" "`true` or `false`."
    Cidr "cidr" "A range of addresses."
    CredentialFile "credential_file" "A relative path of a file that exists."
    Duration "duration" "Seconds, or parts like `1h30m`."
    Enum "enum" "One of some texts."
    Integer "integer" "A whole number of 64 bits."
    IpAddress "ip_address" "An address, IPv4 or IPv6."
    LiteralText "literal_text" "Any text, kept as it is."
    MsfOptions "msf_options" "One `set KEY VALUE`."
    Number "number" "A number, with a fraction or not."
    Path "path" "A relative path."
    Port "port" "1 to 65535."
    RegexMatch "regex_match" "A text that the whole pattern matches."
    ScopeTarget "scope_target" "A host, an address or a range within the scope of the project."
    String "string" "A text without characters that a shell could read."
    Url "url" "A URL."
}

impl ArgumentType {
    /// The type of a name, as manifests write it: in lower case.
    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|ty| ty.as_str() == text)
    }
}

/// Reads the arguments of a tool, or of a command of its session: those with a
/// position first. `header` is that of their table.
pub fn read_all(
    reader: &mut Reader<'_>,
    entries: &[Entry],
    header: &str,
    types: &CustomTypes,
) -> Vec<Argument> {
    let mut arguments = Vec::with_capacity(entries.len().min(1024));
    for entry in entries {
        check_name(reader, entry);
        arguments.extend(read(
            reader,
            entry,
            &format!("{header}.{}", entry.key),
            types,
        ));
    }
    check_positions(reader, &arguments);
    // Stable: those without a position keep the order of the file.
    arguments.sort_by_key(|argument: &Argument| {
        let position = argument.position.as_ref();
        position.map_or(u32::MAX, |position| position.value)
    });
    arguments
}

/// Calls and placeholders name an argument.
fn check_name(reader: &mut Reader, entry: &Entry) {
    if !super::spelt_like_a_name(&entry.key) || entry.key.starts_with('_') {
        let message = format!("an argument cannot be called `{}`", entry.key);
        let report = Diagnostic::new(&codes::K0863, entry.key_at, message);
        reader.report(
            report.help(
                "a name has letters from `a` to `z`, digits and `_`, and begins with a letter",
            ),
        );
    }
}

/// Positions count from 1, each is taken once, and none is left out.
fn check_positions(reader: &mut Reader, arguments: &[Argument]) {
    let mut taken: HashMap<u32, Span> = HashMap::new();
    for argument in arguments {
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
    let mut places: Vec<(u32, Span)> = taken.into_iter().collect();
    places.sort_unstable_by_key(|(position, _)| *position);
    let gap = (1..)
        .zip(&places)
        .find(|(expected, (position, _))| position != expected);
    if let Some((expected, (position, at))) = gap {
        let message =
            format!("no argument has the position {expected}, and this one has {position}");
        let edit = Edit {
            at: *at,
            text: expected.to_string(),
        };
        let report = Diagnostic::new(&codes::K0863, *at, message);
        reader.report(report.maybe_fix(format!("write `position = {expected}`"), vec![edit]));
    }
}

/// Reads `[args.NAME]`.
fn read(
    reader: &mut Reader<'_>,
    entry: &Entry,
    header: &str,
    types: &CustomTypes,
) -> Option<Argument> {
    let section = Section::read(reader, entry, &keys::ARGUMENT, header)?;
    let name = Spanned {
        value: entry.key.clone(),
        at: entry.key_at,
    };
    let position = section.whole(reader, "position").and_then(|position| {
        let value = u32::try_from(position.value).ok()?;
        Some(Spanned {
            value,
            at: position.at,
        })
    });
    let mut argument = Argument {
        name,
        position,
        rules: None,
        custom: None,
        required: section.boolean(reader, "required", false).value,
        default: default(reader, &section),
        description: section
            .text(reader, "description")
            .map(|text| text.value)
            .unwrap_or_default(),
        feeds_decision: section.boolean(reader, "feeds_decision", false),
    };
    // The characters of a shell are refused in any case.
    for word in section.texts(reader, "sanitize").unwrap_or_default() {
        if word.value != "injection" {
            section.unknown_word(reader, "sanitize", &word);
        }
    }
    if section.entry("type").is_none() {
        let message = format!("the argument `{}` has no type", entry.key);
        let report = Diagnostic::new(&codes::K0854, entry.key_at, message);
        reader.report(report.help("write `type = \"string\"`, or another type"));
        return Some(argument);
    }
    let written = section.text(reader, "type");
    let base = written.and_then(|written| resolve(reader, &mut argument, &written, types));
    if let Some(base) = base {
        let owner = Owner {
            name: &argument.name,
            custom: argument.custom.as_deref(),
        };
        let rules = limits::narrow(reader, &section, base, &owner);
        check_default(reader, &argument, &rules);
        check_decision(reader, &argument, &rules);
        argument.rules = Some(Arc::new(rules));
    }
    Some(argument)
}

/// What the type of an argument allows.
fn resolve(
    reader: &mut Reader,
    argument: &mut Argument,
    written: &Spanned<String>,
    types: &CustomTypes,
) -> Option<Rules> {
    if let Some(ty) = ArgumentType::parse(&written.value) {
        return Some(Rules::of(ty));
    }
    if let Some(custom) = types.get(&written.value) {
        argument.custom = Some(written.value.clone());
        return custom.rules.as_deref().cloned();
    }
    unknown_type(reader, written, types.names());
    None
}

/// Reports a type that does not exist.
pub fn unknown_type<'n>(
    reader: &mut Reader,
    written: &Spanned<String>,
    custom: impl Iterator<Item = &'n str>,
) {
    let message = format!("there is no type `{}`", written.value);
    let built_in = ArgumentType::ALL.iter().map(|ty| ty.as_str());
    let report = match reader.nearest(&written.value, built_in.chain(custom)) {
        Some(near) => did_you_mean(&codes::K0855, written.at, message, format!("\"{near}\"")),
        None => {
            let names: Vec<String> = ArgumentType::ALL
                .iter()
                .map(|ty| format!("`{}`", ty.as_str()))
                .collect();
            Diagnostic::new(&codes::K0855, written.at, message).help(format!(
                "types are {}, and those that `toolclad.toml` declares",
                names.join(", ")
            ))
        }
    };
    reader.report(report);
}

fn default(reader: &mut Reader, section: &Section) -> Option<Spanned<DefaultValue>> {
    let entry = section.entry("default")?;
    scalar(reader, entry)
}

/// A default that no call could give would only fail when it is used. An empty
/// text for an argument that may be left out says that it is left out.
fn check_default(reader: &mut Reader, argument: &Argument, rules: &Rules) {
    let Some(default) = &argument.default else {
        return;
    };
    let given = default.value.given();
    let left_out = given == Given::Text("") && !argument.required && takes_texts(rules.ty);
    // Nothing to compare with after an error.
    let unknown = rules.ty == ArgumentType::Enum && rules.allowed.is_empty();
    if left_out || unknown {
        return;
    }
    let Err(problem) = check_value(rules, given) else {
        return;
    };
    let mut at = default.at;
    if let (DefaultValue::Text(text), Some(part)) = (&default.value, problem.place()) {
        let text = Spanned {
            value: text.clone(),
            at: default.at,
        };
        at = reader.inside(&text, part);
    }
    let name = &argument.name.value;
    let written = default.value.to_string();
    let shown: String = written
        .chars()
        .take(40)
        .filter(|c| !c.is_control())
        .collect();
    let message = format!("the default of `{name}` is `{shown}`, and {problem}");
    let mut report = Diagnostic::new(&codes::K0859, at, message);
    if problem.is_slip()
        && let Some(near) = problem.suggestion()
        && !near.contains(['"', '\\'])
    {
        let text = format!("\"{near}\"");
        let edit = Edit {
            at: default.at,
            text: text.clone(),
        };
        report = report.fix(format!("write `{text}`"), vec![edit]);
    }
    reader.report(report);
}

/// Types whose values are texts, and of which an empty one is none.
fn takes_texts(ty: ArgumentType) -> bool {
    !matches!(
        ty,
        ArgumentType::Boolean
            | ArgumentType::Enum
            | ArgumentType::Integer
            | ArgumentType::Number
            | ArgumentType::Port
    )
}

/// What a model writes freely says whatever it was told to say.
fn check_decision(reader: &mut Reader, argument: &Argument, rules: &Rules) {
    let free = matches!(
        rules.ty,
        ArgumentType::AgentSummary
            | ArgumentType::LiteralText
            | ArgumentType::RegexMatch
            | ArgumentType::String
    );
    if let (Some(at), true, true) = (
        argument.feeds_decision.at,
        argument.feeds_decision.value,
        free,
    ) {
        let message = format!(
            "something is decided by `{}`, which is free text: whoever writes it can steer the decision",
            argument.name.value
        );
        let report = Diagnostic::new(&codes::K0870, at, message);
        reader.report(
            report.help("make it an `enum`, and let a policy decide by what the host itself knows"),
        );
    }
}

/// A text, a number, `true` or `false`.
pub fn scalar(reader: &mut Reader, entry: &Entry) -> Option<Spanned<DefaultValue>> {
    let at = reader.at(entry.value);
    let value = match reader.value(entry.value) {
        Value::Text(text) => DefaultValue::Text(text.clone()),
        Value::Integer(Some(value)) => DefaultValue::Integer(*value),
        Value::Integer(None) => {
            let message = "the default is too large for a whole number of 64 bits";
            reader.report(Diagnostic::new(&codes::K0859, at, message));
            return None;
        }
        Value::Float(Some(value)) => DefaultValue::Float(*value),
        Value::Boolean(value) => DefaultValue::Boolean(*value),
        _ => {
            let expected = "a text, a number, `true` or `false`";
            return reader.wrong_entry(entry, expected);
        }
    };
    Some(Spanned { value, at })
}

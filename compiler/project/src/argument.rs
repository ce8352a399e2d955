//! The arguments of a tool.

use std::sync::Arc;

use symbi_diagnostics::Diagnostic;
use symbi_diagnostics::project as codes;

use crate::Spanned;
use crate::custom_types::CustomTypes;
use crate::document::{Entry, Value};
use crate::project_file::did_you_mean;
use crate::reader::Reader;

/// `[args.NAME]` of a manifest.
#[derive(Clone, Debug, PartialEq)]
pub struct Argument {
    /// Its name, for calls by name.
    pub name: Spanned<String>,
    /// `position`, counted from 1.
    pub position: Option<Spanned<u32>>,
    /// What it takes; for a custom type, what that is made from. `None` after
    /// an error.
    pub ty: Option<ArgumentType>,
    /// The custom type it has, by its name.
    pub custom: Option<String>,
    /// A call must give it. `false` when the manifest does not say.
    pub required: bool,
    /// What stands in for it in a call that leaves it out.
    pub default: Option<Spanned<DefaultValue>>,
    /// The values of an enum, its custom type's included.
    pub allowed: Arc<[String]>,
    /// What it is for; empty if not given.
    pub description: String,
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

/// Reads `[args.NAME]`.
pub fn read(reader: &mut Reader, entry: &Entry, types: &CustomTypes) -> Option<Argument> {
    let entries = reader.table(entry, &format!("args.{}", entry.key))?;
    let mut argument = Argument {
        name: Spanned {
            value: entry.key.clone(),
            at: entry.key_at,
        },
        position: None,
        ty: None,
        custom: None,
        required: false,
        default: None,
        allowed: Arc::default(),
        description: String::new(),
    };
    let mut ty = None;
    let mut allowed = None;
    for key in entries {
        match key.key.as_str() {
            "position" => argument.position = position(reader, key),
            "type" => ty = Some(reader.text(key, "\"string\"")),
            "required" => argument.required = reader.boolean(key).is_some_and(|r| r.value),
            "default" => argument.default = default(reader, key),
            "allowed" => allowed = Some((key, texts(reader, key))),
            "description" => {
                let text = reader.text(key, "\"what it is for\"");
                argument.description = text.map(|text| text.value).unwrap_or_default();
            }
            // The rest is for the host.
            _ => {}
        }
    }
    match ty {
        None => {
            let message = format!("the argument `{}` has no type", entry.key);
            let report = Diagnostic::new(&codes::K0854, entry.key_at, message);
            reader.report(report.help("write `type = \"string\"`, or another type"));
            return Some(argument);
        }
        // A value of the wrong type: reported.
        Some(None) => return Some(argument),
        Some(Some(written)) => resolve(reader, &mut argument, &written, types),
    }
    take_allowed(reader, &mut argument, allowed);
    check_default(reader, &argument);
    Some(argument)
}

fn resolve(
    reader: &mut Reader,
    argument: &mut Argument,
    written: &Spanned<String>,
    types: &CustomTypes,
) {
    if let Some(ty) = ArgumentType::parse(&written.value) {
        argument.ty = Some(ty);
    } else if let Some(custom) = types.get(&written.value) {
        argument.ty = custom.base;
        argument.allowed = custom.allowed.clone();
        argument.custom = Some(written.value.clone());
    } else {
        unknown_type(reader, written, types.names());
    }
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

fn position(reader: &mut Reader, entry: &Entry) -> Option<Spanned<u32>> {
    let value = match reader.value(entry.value) {
        Value::Integer(value) => value.and_then(|value| u32::try_from(value).ok()),
        _ => {
            return reader.wrong_entry(entry, "a whole number: write `position = 1`");
        }
    };
    let at = reader.at(entry.value);
    match value {
        Some(value) if value > 0 => Some(Spanned { value, at }),
        _ => {
            let message = "positions count from 1";
            reader.report(Diagnostic::new(&codes::K0851, at, message));
            None
        }
    }
}

fn default(reader: &mut Reader, entry: &Entry) -> Option<Spanned<DefaultValue>> {
    let value = match reader.value(entry.value) {
        Value::Text(text) => DefaultValue::Text(text.clone()),
        Value::Integer(Some(value)) => DefaultValue::Integer(*value),
        Value::Integer(None) => {
            let at = reader.at(entry.value);
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
    Some(Spanned {
        value,
        at: reader.at(entry.value),
    })
}

/// A list of texts.
pub fn texts(reader: &mut Reader, entry: &Entry) -> Option<Arc<[String]>> {
    let expected = "a list of texts: write `allowed = [\"fast\", \"slow\"]`";
    let elements = reader.list(entry, expected)?;
    let mut texts = Vec::with_capacity(elements.len());
    for &element in elements {
        texts.push(reader.text_of(element, "`allowed` holds", expected)?.value);
    }
    Some(texts.into())
}

/// `allowed` belongs to enums, and every enum has it.
fn take_allowed(
    reader: &mut Reader,
    argument: &mut Argument,
    written: Option<(&Entry, Option<Arc<[String]>>)>,
) {
    match (argument.ty, written) {
        (Some(ArgumentType::Enum), Some((key, Some(allowed)))) => {
            if allowed.is_empty() {
                let message = format!("the enum `{}` allows nothing", argument.name.value);
                let report = Diagnostic::new(&codes::K0856, key.key_at, message);
                reader.report(report.help("write the values that a call may give"));
            }
            argument.allowed = allowed;
        }
        (Some(ArgumentType::Enum), None) if argument.custom.is_none() => {
            let message = format!(
                "the enum `{}` does not say which values it takes",
                argument.name.value
            );
            let report = Diagnostic::new(&codes::K0856, argument.name.at, message);
            reader.report(report.help("write `allowed = [\"fast\", \"slow\"]`"));
        }
        (Some(ty), Some((key, _))) if ty != ArgumentType::Enum => {
            let message = format!(
                "`allowed` has no effect on the type `{}`: only an `enum` takes one of some values",
                ty.as_str()
            );
            let report = Diagnostic::new(&codes::K0857, key.key_at, message);
            reader.report(report.help("write `type = \"enum\"`, or leave `allowed` out"));
        }
        _ => {}
    }
}

/// A default that no call could give would only fail when it is used.
fn check_default(reader: &mut Reader, argument: &Argument) {
    let (Some(ty), Some(default)) = (argument.ty, &argument.default) else {
        return;
    };
    let written = match &default.value {
        DefaultValue::Text(text) => text.clone(),
        DefaultValue::Integer(value) => value.to_string(),
        // With its point: `1.0` is no whole number.
        DefaultValue::Float(value) => format!("{value:?}"),
        DefaultValue::Boolean(value) => value.to_string(),
    };
    let expected = match ty {
        ArgumentType::Integer if written.parse::<i64>().is_err() => "a whole number",
        ArgumentType::Number if !written.parse::<f64>().is_ok_and(f64::is_finite) => "a number",
        ArgumentType::Port if !written.parse::<u16>().is_ok_and(|port| port > 0) => {
            "a port from 1 to 65535"
        }
        ArgumentType::Boolean if written != "true" && written != "false" => "`true` or `false`",
        // Nothing to compare with after an error.
        ArgumentType::Enum if !argument.allowed.is_empty() => {
            if argument.allowed.contains(&written) {
                return;
            }
            "one of the allowed values"
        }
        _ => return,
    };
    let name = &argument.name.value;
    let message = format!("the default of `{name}` is `{written}`, and should be {expected}");
    let mut report = Diagnostic::new(&codes::K0859, default.at, message);
    let allowed = argument.allowed.iter().map(String::as_str);
    if let Some(near) = reader.nearest(&written, allowed) {
        report = report.help(format!("did you mean `{near}`?"));
    }
    reader.report(report);
}

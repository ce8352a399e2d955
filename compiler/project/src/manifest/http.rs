//! `[http]`: a request instead of a program.

use std::collections::HashMap;

use symbi_diagnostics::project as codes;
use symbi_diagnostics::{Diagnostic, Span};

use super::argument::{Argument, ArgumentType};
use super::command::unused_argument;
use super::placeholder::{
    Names, Part, Piece, Place, Template, names as named, pieces_among_braces, strict,
};
use super::section::Section;
use super::source::Filesystem;
use super::terms::Method;
use crate::Spanned;
use crate::reader::Reader;
use crate::value::{is_internal_host, is_never_reached};

/// `[http]`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Http {
    /// `method`.
    pub method: Spanned<Method>,
    /// `url`. Values become parts of its path or its query, encoded.
    pub url: Template,
    /// `headers`, in the order of the file.
    pub headers: Vec<(Spanned<String>, Template)>,
    /// `body_template`. In JSON, values are escaped.
    pub body: Option<Template>,
    /// `success_status`; every status from 200 to 299 if it is empty.
    pub success_status: Vec<Spanned<u64>>,
    /// `error_status`: errors that the tool expects.
    pub error_status: Vec<Spanned<u64>>,
}

/// Reads `[http]`.
pub fn read<'d>(
    reader: &mut Reader<'d>,
    section: &Section<'d>,
    arguments: &[Argument],
    filesystem: &Filesystem,
) -> Option<Http> {
    let mut names = Names::of(arguments);
    filesystem.mark(&mut names);
    if section.entry("method").is_none() {
        section.missing(reader, "method");
    }
    let method = section.term::<Method>(reader, "method");
    let address = section.needed(reader, "url");
    let url = address
        .as_ref()
        .and_then(|address| url(reader, address, &mut names));
    let encrypted = address.is_some_and(|address| starts_with(&address.value, "https://"));
    let headers = headers(reader, section, &mut names, encrypted);
    let body = body(reader, section, &mut names, method.as_ref());
    let success_status = section.wholes(reader, "success_status");
    let error_status = section.wholes(reader, "error_status");
    let successes: HashMap<u64, Span> = success_status
        .iter()
        .map(|success| (success.value, success.at))
        .collect();
    for status in &error_status {
        if let Some(&both) = successes.get(&status.value) {
            let message = format!("the status {} is a success already", status.value);
            let report = Diagnostic::new(&codes::K0863, status.at, message);
            reader.report(report.note(both, "here"));
        }
    }
    let mut report = |name: &Spanned<String>, message: String, help: String| {
        reader.report(Diagnostic::new(&codes::K0871, name.at, message).help(help));
    };
    for argument in arguments {
        if !names.uses(&argument.name.value) {
            unused_argument(&mut report, &argument.name);
        }
    }
    Some(Http {
        method: method?,
        url: url?,
        headers,
        body,
        success_status,
        error_status,
    })
}

fn starts_with(text: &str, start: &str) -> bool {
    text.get(..start.len())
        .is_some_and(|found| found.eq_ignore_ascii_case(start))
}

/// The text of a request with its placeholders resolved.
fn template(
    reader: &mut Reader,
    text: &Spanned<String>,
    pieces: Vec<Piece>,
    names: &mut Names<'_>,
) -> Template {
    let parts = names.resolve(reader, pieces, Place::Request, |reader, part| {
        reader.inside(text, part)
    });
    Template { parts, at: text.at }
}

fn url(reader: &mut Reader, text: &Spanned<String>, names: &mut Names<'_>) -> Option<Template> {
    let written = &text.value;
    let start = ["https://", "http://"]
        .iter()
        .find(|start| starts_with(written, start));
    let Some(start) = start else {
        let message = "the address of a request begins with `https://` or `http://`";
        reader.report(Diagnostic::new(&codes::K0868, text.at, message));
        return None;
    };
    if let Some((at, found)) = written
        .char_indices()
        .find(|(_, c)| c.is_whitespace() || c.is_control() || *c == '\\')
    {
        let place = reader.inside(text, at..at + found.len_utf8());
        let message = "the address of a request has no spaces, control characters or backslashes";
        reader.report(Diagnostic::new(&codes::K0868, place, message));
        return None;
    }
    let pieces = strict(reader, text)?;
    let host_end = written[start.len()..].find(['/', '?', '#']);
    let host_end = host_end.map_or(written.len(), |end| start.len() + end);
    let authority = &written[start.len()..host_end];
    let mut open = false;
    for (name, part) in named(&pieces) {
        if part.start < host_end {
            open = true;
            check_host_part(reader, text, name, part.clone(), names);
        }
    }
    if !open {
        check_host(reader, text.at, authority);
    }
    Some(template(reader, text, pieces, names))
}

/// A placeholder within the host: who may say where a request goes?
fn check_host_part(
    reader: &mut Reader,
    text: &Spanned<String>,
    name: &str,
    part: std::ops::Range<usize>,
    names: &Names<'_>,
) {
    // What is not declared is reported as such.
    let Some(argument) = names.argument(name) else {
        if name.starts_with('_') {
            let at = reader.inside(text, part);
            let message = format!("`{{{name}}}` cannot say where a request goes");
            reader.report(Diagnostic::new(&codes::K0868, at, message));
        }
        return;
    };
    let checked = argument.rules.as_ref().is_none_or(|rules| {
        let host = matches!(
            rules.ty,
            ArgumentType::IpAddress | ArgumentType::ScopeTarget
        );
        rules.scope_check && host
    });
    if !checked {
        let at = reader.inside(text, part);
        let message = format!("`{name}` says where a request goes, and its scope is not checked");
        let report = Diagnostic::new(&codes::K0868, at, message);
        reader.report(report.help("write the host itself, or make it a `scope_target`"));
    }
}

/// A host that is written out.
fn check_host(reader: &mut Reader, at: Span, authority: &str) {
    if authority.contains('@') {
        let message = "the address of a request has no user and no password in it";
        let report = Diagnostic::new(&codes::K0868, at, message);
        reader.report(report.help("send them in a header: `\"Basic {_secret:name}\"`"));
        return;
    }
    let end = authority
        .rfind(':')
        .filter(|colon| !authority[*colon..].contains(']'));
    let (host, port) = match end {
        Some(colon) => (&authority[..colon], Some(&authority[colon + 1..])),
        None => (authority, None),
    };
    let port_fits = port.is_none_or(|port| port.parse::<u16>().is_ok_and(|port| port > 0));
    if host.is_empty() || !port_fits {
        let message = "the address of a request names a host, and a port from 1 to 65535 if any";
        reader.report(Diagnostic::new(&codes::K0868, at, message));
    } else if is_never_reached(host) || is_internal_host(host) {
        let message = format!("`{host}` is within a private network, where no request goes");
        reader.report(Diagnostic::new(&codes::K0868, at, message));
    }
}

fn headers<'d>(
    reader: &mut Reader<'d>,
    section: &Section<'d>,
    names: &mut Names<'_>,
    encrypted: bool,
) -> Vec<(Spanned<String>, Template)> {
    let mut headers = Vec::new();
    for entry in section.open(reader, "headers") {
        let token = |byte: u8| byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte);
        if entry.key.is_empty() || !entry.key.bytes().all(token) {
            let message = format!("`{}` is no name of a header", entry.key);
            reader.report(Diagnostic::new(&codes::K0863, entry.key_at, message));
            continue;
        }
        let Some(text) = reader.text(entry, "\"application/json\"") else {
            continue;
        };
        if let Some((at, found)) = text.value.char_indices().find(|(_, c)| c.is_control()) {
            let place = reader.inside(&text, at..at + found.len_utf8());
            let message = "a header has no line ends and no control characters";
            reader.report(Diagnostic::new(&codes::K0868, place, message));
            continue;
        }
        let Some(pieces) = strict(reader, &text) else {
            continue;
        };
        let value = template(reader, &text, pieces, names);
        check_secret(reader, &entry.key, &text, &value, encrypted);
        let name = Spanned {
            value: entry.key.clone(),
            at: entry.key_at,
        };
        headers.push((name, value));
    }
    headers
}

/// Parts of the names of headers that prove who sends a request.
const SECRET_HEADERS: [&str; 7] = [
    "authorization",
    "cookie",
    "token",
    "secret",
    "password",
    "api-key",
    "apikey",
];

/// A secret stands neither in a manifest nor on an open line.
fn check_secret(
    reader: &mut Reader,
    header: &str,
    text: &Spanned<String>,
    value: &Template,
    encrypted: bool,
) {
    let named = value
        .parts
        .iter()
        .any(|part| matches!(part, Part::Secret(_)));
    let lower = header.to_ascii_lowercase();
    let telling = SECRET_HEADERS.iter().any(|part| lower.contains(part));
    if named && !encrypted {
        let message = format!("`{header}` has a secret, and the request is not encrypted");
        let report = Diagnostic::new(&codes::K0873, text.at, message);
        reader.report(report.help("write `https://` in `url`"));
    } else if telling && !named && !text.value.trim().is_empty() {
        let given = value
            .parts
            .iter()
            .any(|part| !matches!(part, Part::Text(_)));
        let message = match given {
            true => format!("`{header}` is a secret that a call gives, where everyone can read it"),
            false => format!("`{header}` is a secret in clear"),
        };
        let report = Diagnostic::new(&codes::K0873, text.at, message);
        let word = match text.value.split_once(' ') {
            Some((word, _)) if word.len() <= 16 => format!("{word} "),
            _ => String::new(),
        };
        reader.report(report.help(format!(
            "name the secret: write `\"{word}{{_secret:api_key}}\"`"
        )));
    }
}

fn body<'d>(
    reader: &mut Reader<'d>,
    section: &Section<'d>,
    names: &mut Names<'_>,
    method: Option<&Spanned<Method>>,
) -> Option<Template> {
    let text = section.text(reader, "body_template")?;
    if let Some(method) = method
        && !method.value.has_body()
    {
        let message = format!("a request with `{}` has no body", method.value.as_str());
        let report = Diagnostic::new(&codes::K0863, text.at, message);
        reader.report(report.note(method.at, "its method"));
    }
    let pieces = pieces_among_braces(&text.value);
    Some(template(reader, &text, pieces, names))
}

//! GitHub's workflow commands: a line that the runner of a workflow takes for
//! an annotation of a file. The same runner looks for commands in everything
//! else that is printed, so what is no command must not look like one.

use std::borrow::Cow;

use super::text::one_line;
use super::{Origin, advice, shown_lines};
use crate::{Diagnostic, Level, SourceFile};

/// One command, with its line feed.
pub fn github(origin: &Origin, file: &SourceFile, diagnostic: &Diagnostic) -> String {
    let (start, end) = shown_lines(file, diagnostic.primary.at);
    let mut message = one_line(&diagnostic.message).into_owned();
    for line in advice(diagnostic) {
        message.push('\n');
        message.push_str(&line);
    }
    let command = match diagnostic.code.level {
        Level::Error => "error",
        Level::Warning => "warning",
        Level::Hint => "notice",
    };
    let title = format!("{}: {}", diagnostic.code.id, diagnostic.code.title);
    let mut properties = Vec::new();
    match origin {
        // A place in a text that is in no file would be shown in the wrong one.
        Origin::Text(label) => {
            let (label, line, column) = (one_line(label), start.line, start.column);
            message = format!("{label}:{line}:{column}: {message}");
        }
        Origin::File(path) => {
            properties.push(("file", path.clone()));
            properties.push(("line", start.line.to_string()));
            // The runner takes columns only where they are of one line.
            if start.line == end.line {
                properties.push(("col", start.column.to_string()));
            }
            properties.push(("endLine", end.line.to_string()));
            if start.line == end.line {
                properties.push(("endColumn", end.column.to_string()));
            }
        }
    }
    properties.push(("title", title));
    line(command, &properties, &message)
}

/// The command for something that could not be read.
pub fn github_unreadable(origin: &Origin, reason: &str) -> String {
    let title = ("title", "unreadable".to_owned());
    match origin {
        Origin::File(path) => line("error", &[("file", path.clone()), title], reason),
        Origin::Text(label) => line("error", &[title], &format!("{label}: {reason}")),
    }
}

fn line(command: &str, properties: &[(&str, String)], message: &str) -> String {
    let properties: Vec<String> = properties
        .iter()
        .map(|(name, value)| format!("{name}={}", property(value)))
        .collect();
    format!("::{command} {}::{}\n", properties.join(","), data(message))
}

/// What stands behind a command's second `::`.
fn data(text: &str) -> String {
    text.replace('%', "%25")
        .replace('\r', "%0D")
        .replace('\n', "%0A")
}

fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

/// A line that is no command, with the signs escaped that would make one of it:
/// `::` at its start, and the older `##[` anywhere.
pub fn inert(line: &str) -> Cow<'_, str> {
    let mut out = Cow::Borrowed(line);
    let start = line.len() - line.trim_start().len();
    if line[start..].starts_with("::") {
        out = Cow::Owned(format!("{}\\u{{3a}}{}", &line[..start], &line[start + 1..]));
    }
    if out.contains("##[") {
        out = Cow::Owned(out.replace("##[", "#\\u{23}["));
    }
    out
}

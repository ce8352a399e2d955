//! What is no TOML, said in our words.
//!
//! The reader of TOML names each kind by a fixed text, for which there is a
//! sentence here; a kind that is not known gets a sentence that is true of all.
//! What stands at the place says more than the kind does: most of what is no
//! TOML is the habit of another language.

use toml_parser::{ParseError, Span};

use crate::nearest::nearest;

/// What to say about something that is no TOML.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Words {
    /// A sentence without a full stop.
    pub message: String,
    /// What was probably meant at the place.
    pub instead: Option<String>,
}

impl Words {
    fn new(message: impl Into<String>) -> Self {
        Self {
            message: message.into(),
            instead: None,
        }
    }
}

/// The place to show. What is not closed is shown where it was opened: that is
/// also before everything that is misread because of it.
pub fn place(error: &ParseError) -> Option<Span> {
    let at = error.unexpected();
    let unclosed = error.description().starts_with("unclosed")
        || (is_string(error.description()) && at.is_some_and(|at| at.is_empty()));
    if unclosed {
        error.context().or(at)
    } else {
        at.or(error.context())
    }
}

fn is_string(description: &str) -> bool {
    description.starts_with("invalid") && description.ends_with("string")
}

/// What to say about an error in a text.
pub fn about(error: &ParseError, text: &str) -> Words {
    let at = place(error);
    let found = at
        .and_then(|at| text.get(at.start()..at.end()))
        .unwrap_or("");
    let rest = at.and_then(|at| text.get(at.start()..)).unwrap_or("");
    let rest = rest.lines().next().unwrap_or("");
    let before = at.and_then(|at| text.get(..at.start())).unwrap_or("");
    let line = before.rsplit(['\n', '\r']).next().unwrap_or("");
    match error.description() {
        "string values must be quoted" | "invalid boolean" | "invalid float" => unquoted(found),
        "missing value" | "missing value for key" => unquoted(""),
        "key with no value" | "invalid unquoted key" | "invalid key-value pair" => {
            key(line, found, rest)
        }
        description if description.starts_with("keys cannot be") => {
            Words::new("a key stands on one line: give it single quotes or none")
        }
        "unquoted keys cannot be empty" => Words::new(if rest.starts_with(']') {
            "a table needs a name between its brackets"
        } else {
            "a key is missing here"
        }),
        "unexpected key or value" | "unexpected content" => after_value(rest),
        "extra `=`" => Words::new("one `=` between a key and its value is enough"),
        "unclosed table" | "unclosed array table" => table(found, text, at),
        "unclosed array" => Words::new("this list is not closed: write `]` at its end"),
        "unclosed inline table" => Words::new("this table is not closed: write `}` at its end"),
        "missing array opening" => Words::new("this `]` closes nothing"),
        "missing inline table opening" => Words::new("this `}` closes nothing"),
        "extra comma in array" | "extra comma in inline table" => {
            Words::new("there is nothing between these two commas")
        }
        "missing comma between array elements"
        | "missing comma between key-value pairs"
        | "extra assignment between key-value pairs" => Words::new("a comma is missing here"),
        "missing escaped value" => Words::new(
            "there is no such escape: write `\\\\` for a backslash, or single quotes round the text",
        ),
        "too few unicode value digits" => {
            Words::new("`\\u` is followed by four hexadecimal digits, and `\\U` by eight")
        }
        "unexpected leading zero" => Words::new("a number does not begin with `0`"),
        "`_` may only go between digits" => Words::new("`_` stands between two digits only"),
        "radix must be lowercase" => Words::new("write `0x`, `0o` or `0b` in lower case"),
        "invalid fraction" | "invalid mantissa" | "invalid exponent" => {
            Words::new("a number has digits on both sides of its point")
        }
        "cannot recurse further; max recursion depth met" => Words::new(format!(
            "values stand in each other more than {} deep",
            crate::MAX_DEPTH
        )),
        "carriage return must be followed by newline" => {
            Words::new("a carriage return alone ends no line: save the file with other line ends")
        }
        "invalid comment character" => {
            Words::new("a comment has a control character that cannot be seen; delete it")
        }
        description if is_string(description) => string(found),
        description if description.contains("number") || description.contains("sign") => {
            Words::new("this is no number")
        }
        _ => Words::new(
            "this is no TOML: a line holds a table like `[sandbox]`, or a key like `tier = \"gvisor\"`",
        ),
    }
}

/// A value that is neither a number nor a boolean, and has no quotes.
fn unquoted(found: &str) -> Words {
    if found.is_empty() {
        return Words::new("a value is missing here");
    }
    let inner = found.trim_matches(['“', '”', '„', '‘', '’', '`', '«', '»']);
    if inner != found {
        return suggest("the quotes of TOML are straight", inner);
    }
    if let Some(value) = found.strip_suffix(';') {
        return Words {
            message: "a line has no `;` at its end".to_owned(),
            instead: Some(value.trim_end().to_owned()),
        };
    }
    if found.contains(" //") {
        return Words::new("a comment begins with `#`");
    }
    // `off` is no such word: it is a level.
    let meant = match &*found.to_lowercase() {
        "yes" | "on" => Some("true"),
        "no" => Some("false"),
        _ => nearest(found, ["true", "false"]),
    };
    if let Some(near) = meant {
        return Words {
            message: format!("`{}` is no value: write `{near}`", short(found)),
            instead: Some(near.to_owned()),
        };
    }
    if found.eq_ignore_ascii_case("null") || found.eq_ignore_ascii_case("nil") {
        return Words::new(format!("there is no `{found}`: leave the key out"));
    }
    if found.contains(char::is_whitespace) && found.starts_with(|c: char| c.is_ascii_digit()) {
        return Words::new(format!(
            "`{}` is more than one value: write a comma or a new line between two, and quotes round a text",
            short(found)
        ));
    }
    suggest("a text needs quotes", found)
}

/// A text with the quotes that it lacks.
fn suggest(problem: &str, text: &str) -> Words {
    let plain = !text.contains(['"', '\\']) && !text.chars().any(char::is_control);
    if !plain || short(text) != text {
        return Words::new(problem);
    }
    Words {
        message: format!("{problem}: write `\"{text}\"`"),
        instead: Some(format!("\"{text}\"")),
    }
}

/// As much of a text as a message shows.
fn short(text: &str) -> &str {
    match text.char_indices().nth(40) {
        Some((end, _)) => &text[..end],
        None => text,
    }
}

/// A line that begins like a key. `line` is what stands before the place.
fn key(line: &str, found: &str, rest: &str) -> Words {
    let start = if line.trim().is_empty() { rest } else { line };
    if start.trim_start().starts_with("//") || start.trim_start().starts_with([';', '-']) {
        return Words::new("a comment begins with `#`");
    }
    if rest.trim_start().starts_with(':') || line.trim_end().ends_with(':') {
        return Words::new("write `=`, and not `:`, between a key and its value");
    }
    if rest.starts_with(']') {
        return Words::new("this `]` closes nothing: a table is written `[name]`");
    }
    if found.is_empty() && !rest.starts_with(['{', '}', ',']) {
        return Words::new("`=` and a value are missing after this key");
    }
    if found.is_empty() {
        return Words::new(
            "a line holds a table like `[sandbox]`, or a key like `tier = \"gvisor\"`",
        );
    }
    Words::new(format!(
        "`{}` cannot stand in a key without quotes",
        short(found)
    ))
}

/// Something behind a value or a header.
fn after_value(rest: &str) -> Words {
    match rest.chars().next() {
        Some(end @ (';' | ',')) => Words::new(format!("a line has no `{end}` at its end")),
        Some('/') if rest.starts_with("//") => Words::new("a comment begins with `#`"),
        Some(close @ (']' | '}')) => Words::new(format!("this `{close}` closes nothing")),
        _ => Words::new("what stands here belongs on a line of its own"),
    }
}

/// A header without its end. `[two words]` is no slip of a bracket.
fn table(found: &str, text: &str, at: Option<Span>) -> Words {
    let behind = at.and_then(|at| text.get(at.end()..)).unwrap_or("");
    let behind = behind.lines().next().unwrap_or("");
    if behind.contains(']') && !behind.trim_start().starts_with(']') {
        return Words::new("a table's name of several words needs quotes");
    }
    let close = if found.starts_with("[[") { "]]" } else { "]" };
    Words::new(format!("this table's name is not closed: write `{close}`"))
}

/// A string that is not closed, or has what a string cannot have.
fn string(found: &str) -> Words {
    if found.chars().count() == 1 && found.chars().all(char::is_control) {
        return Words::new("a text has a control character: write it as an escape like `\\t`");
    }
    let quote = match found {
        "" => return unquoted(""),
        _ if found.starts_with("\"\"\"") => "\"\"\"",
        _ if found.starts_with("'''") => "'''",
        _ if found.starts_with('\'') => "'",
        _ => "\"",
    };
    Words::new(format!(
        "this text is not closed: write `{quote}` at its end"
    ))
}

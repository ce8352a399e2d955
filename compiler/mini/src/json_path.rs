//! JSON paths of webhook filters (language.md section 3): a part of RFC 9535.
//!
//! | read | |
//! |---|---|
//! | `$` | the whole value; every path starts with it |
//! | `.name`, `['name']`, `["name"]` | a member; quoted names with the escapes of the RFC |
//! | `[0]`, `[-1]` | an element, from the end if negative |
//! | `.*`, `[*]` | all members or elements |
//!
//! Blanks may stand inside brackets, and around the whole path. Refused by
//! name: descendants (`..name`), slices (`[0:2]`), several selectors in one
//! pair of brackets (`[0,1]`), filters (`[?@.a > 1]`), and with them functions.
//! A filter compares what one path finds, and each of those can find the same
//! value twice or cost more than one pass over the document.

use crate::MiniError;
use crate::error::{quote, quote_char};
use crate::grammar::{Piece, Steps, run, some, within};
use chumsky::prelude::*;
use serde_json::Value;
use std::fmt;

/// The largest index: numbers that JSON readers everywhere keep exact.
const MAX_INDEX: i64 = (1 << 53) - 1;

/// One step of a [`JsonPath`].
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Step {
    /// The member of that name.
    Name(String),
    /// The element at that place, from the end if negative.
    Index(i64),
    /// All members or elements.
    Every,
}

/// A path into a JSON value.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct JsonPath {
    steps: Vec<Step>,
}

impl JsonPath {
    /// The steps from the whole value.
    pub fn steps(&self) -> &[Step] {
        &self.steps
    }

    /// The values that the path finds, in the order of the document. Work and
    /// memory: at most one visit of each value in it; no allocation without
    /// a step that takes all.
    ///
    /// ```
    /// let value = serde_json::json!({ "pulls": [{ "id": 7 }, { "id": 8 }] });
    /// let path = symbi_mini::json_path::parse("$.pulls[*].id").unwrap();
    /// assert_eq!(path.select(&value).collect::<Vec<_>>(), [7, 8]);
    /// ```
    pub fn select<'v>(&self, value: &'v Value) -> Selected<'_, 'v> {
        Selected {
            steps: &self.steps,
            root: Some(value),
            open: Vec::new(),
        }
    }
}

/// The values that a path finds: see [`JsonPath::select`].
pub struct Selected<'p, 'v> {
    steps: &'p [Step],
    root: Option<&'v Value>,
    /// Children still to visit, and the steps below them.
    open: Vec<(Children<'v>, &'p [Step])>,
}

enum Children<'v> {
    Elements(std::slice::Iter<'v, Value>),
    Members(serde_json::map::Values<'v>),
}

impl<'v> Iterator for Children<'v> {
    type Item = &'v Value;

    fn next(&mut self) -> Option<&'v Value> {
        match self {
            Children::Elements(elements) => elements.next(),
            Children::Members(members) => members.next(),
        }
    }
}

impl<'v> Iterator for Selected<'_, 'v> {
    type Item = &'v Value;

    fn next(&mut self) -> Option<&'v Value> {
        loop {
            let (mut value, mut steps) = match self.root.take() {
                Some(root) => (root, self.steps),
                None => {
                    let (children, steps) = self.open.last_mut()?;
                    let steps = *steps;
                    match children.next() {
                        Some(child) => (child, steps),
                        None => {
                            self.open.pop();
                            continue;
                        }
                    }
                }
            };
            loop {
                let [step, below @ ..] = steps else {
                    return Some(value);
                };
                let next = match step {
                    Step::Name(name) => value.get(name),
                    Step::Index(index) => element(value, *index),
                    Step::Every => {
                        match value {
                            Value::Array(elements) => {
                                self.open.push((Children::Elements(elements.iter()), below));
                            }
                            Value::Object(members) => {
                                self.open.push((Children::Members(members.values()), below));
                            }
                            _ => {}
                        }
                        None
                    }
                };
                let Some(next) = next else {
                    break;
                };
                (value, steps) = (next, below);
            }
        }
    }
}

fn element(value: &Value, index: i64) -> Option<&Value> {
    let elements = value.as_array()?;
    let place = usize::try_from(index.unsigned_abs()).ok()?;
    match index {
        0.. => elements.get(place),
        _ => elements.get(elements.len().checked_sub(place)?),
    }
}

/// The normalized path of RFC 9535, with `[*]` for all; [`parse`] reads it
/// back.
impl fmt::Display for JsonPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("$")?;
        for step in &self.steps {
            match step {
                Step::Every => f.write_str("[*]")?,
                Step::Index(index) => write!(f, "[{index}]")?,
                Step::Name(name) => {
                    f.write_str("['")?;
                    for c in name.chars() {
                        match c {
                            '\'' => f.write_str("\\'")?,
                            '\\' => f.write_str("\\\\")?,
                            '\u{0}'..='\u{1f}' => write!(f, "\\u{:04x}", u32::from(c))?,
                            c => write!(f, "{c}")?,
                        }
                    }
                    f.write_str("']")?;
                }
            }
        }
        Ok(())
    }
}

/// Reads a path.
///
/// ```
/// use symbi_mini::json_path::{Step, parse};
/// let path = parse("$.a.b[0]['c d'].*").unwrap();
/// assert_eq!(path.steps()[2], Step::Index(0));
/// assert_eq!(path.to_string(), "$['a']['b'][0]['c d'][*]");
/// let error = parse("$..author").unwrap_err();
/// assert_eq!(error.message, "`..` (all descendants) is not read here");
/// ```
///
/// # Errors
/// No `$` at the start, a step that is none of the table above, an index
/// beyond 2^53, a text over [`crate::MAX_BYTES`].
pub fn parse(text: &str) -> Result<JsonPath, MiniError> {
    parse_counted(text, &mut Steps::default())
}

/// A step as the grammar cuts it.
enum Part<'t> {
    /// `.name`, without the point.
    Dotted(Piece<'t>),
    /// `['name']`, with its quotes.
    Quoted(Piece<'t>),
    /// `[0]`, without the brackets.
    Bracketed(Piece<'t>),
}

pub(crate) fn parse_counted(text: &str, steps: &mut Steps) -> Result<JsonPath, MiniError> {
    within(text, crate::MAX_BYTES)?;
    let trimmed = text.trim_end();
    let start = text.len() - text.trim_start().len();
    if trimmed.len() <= start {
        return Err(
            MiniError::new(0..text.len(), "a path is expected, and this text is empty").help(HELP),
        );
    }
    if !trimmed[start..].starts_with('$') {
        return Err(without_root(text, start, trimmed.len()));
    }
    let blank = || any().filter(|c: &char| c.is_whitespace()).repeated();
    let quoted = |quote: char| {
        let escaped = just('\\').then(any()).ignored();
        let plain = any()
            .filter(move |c: &char| *c != quote && *c != '\\')
            .ignored();
        just(quote)
            .then(escaped.or(plain).repeated())
            .then(just(quote))
            .to_slice()
            .map_with(|text, extra| {
                let span: SimpleSpan = extra.span();
                Part::Quoted(Piece {
                    text,
                    at: span.start,
                })
            })
    };
    let inside = quoted('\'')
        .or(quoted('"'))
        .then_ignore(blank())
        .or(some(|c| !matches!(c, '[' | ']' | '\'' | '"')).map(Part::Bracketed));
    let bracketed = just('[')
        .then(blank())
        .ignore_then(inside)
        .then_ignore(just(']'));
    let dotted = just('.').ignore_then(some(|c| !matches!(c, '.' | '[' | ']')).map(Part::Dotted));
    let grammar = blank()
        .ignore_then(just('$'))
        .ignore_then(dotted.or(bracketed).repeated().collect::<Vec<_>>());
    let parts = run(trimmed, grammar, steps, |at| misplaced(trimmed, start, at))?;
    steps.0 += parts.len();
    let steps = parts.iter().map(read).collect::<Result<_, _>>()?;
    Ok(JsonPath { steps })
}

const HELP: &str = "write for example `$.action` or `$.labels[0].name`";

fn without_root(text: &str, start: usize, end: usize) -> MiniError {
    let error = MiniError::new(start..start, "a path starts with `$`, the whole value");
    let inner = text[start..end].trim_start_matches(['.', '/']);
    let whole = format!("$.{inner}");
    if whole.len() < 200 && parse(&whole).is_ok() {
        return error.help(format!("write `{whole}`"));
    }
    error.help(HELP)
}

/// What is wrong at a place where the grammar stopped.
fn misplaced(text: &str, root: usize, at: usize) -> MiniError {
    let char_at = |at: usize| text.get(at..).and_then(|rest| rest.chars().next());
    let one = |at: usize| at..at + char_at(at).map_or(0, char::len_utf8);
    let before = text[..at].trim_end();
    if at == text.len() {
        // An opening bracket or quote, or a point at the end.
        return match before.rfind('[').filter(|_| !before.ends_with('.')) {
            Some(open) => MiniError::new(open..open + 1, "this `[` has no `]` after it"),
            None => MiniError::new(at..at, "a name is expected after `.`"),
        }
        .help(HELP);
    }
    let found = quote_char(char_at(at).unwrap_or(' '));
    match char_at(at) {
        Some('.') if before.ends_with('.') => {
            MiniError::new(at - 1..at + 1, "`..` (all descendants) is not read here")
                .help("name each step")
        }
        Some(']') if before.ends_with('[') => MiniError::new(
            at..at + 1,
            "a name or a number is expected between `[` and `]`",
        )
        .help("write for example `[0]`, `['name']` or `[*]`"),
        Some(',') if before.ends_with(['\'', '"']) => several(one(at)),
        Some(c) if before.ends_with('.') => {
            let error = MiniError::new(
                one(at),
                format!("a name is expected after `.`, not {found}"),
            );
            match c {
                '[' => error.help("leave the point out: `$['name']`"),
                _ => error.help(HELP),
            }
        }
        Some(_) if at == root + 1 || before.ends_with(']') => {
            MiniError::new(one(at), format!("`.` or `[` is expected, not {found}")).help(HELP)
        }
        Some('\'' | '"') => {
            let message = "quotes stand around a whole name in brackets";
            MiniError::new(one(at), message).help("write for example `['it\\'s']`")
        }
        _ => MiniError::new(one(at), format!("{found} cannot stand here")).help(HELP),
    }
}

fn several(span: std::ops::Range<usize>) -> MiniError {
    MiniError::new(
        span,
        "several selectors in one pair of brackets are not read here",
    )
    .help("write a filter for each, or `[*]` for all")
}

fn read(part: &Part<'_>) -> Result<Step, MiniError> {
    match part {
        Part::Dotted(piece) if piece.text == "*" => Ok(Step::Every),
        Part::Dotted(piece) => dotted_name(*piece),
        Part::Quoted(piece) => quoted_name(*piece),
        Part::Bracketed(piece) => {
            let text = piece.text.trim_end();
            index(Piece { text, at: piece.at })
        }
    }
}

fn dotted_name(piece: Piece<'_>) -> Result<Step, MiniError> {
    let is_start = |c: char| c.is_ascii_alphabetic() || c == '_' || !c.is_ascii();
    let is_right = |at: usize, c: char| is_start(c) || (at > 0 && c.is_ascii_digit());
    let wrong = piece.text.char_indices().find(|(at, c)| !is_right(*at, *c));
    let Some((at, c)) = wrong else {
        return Ok(Step::Name(piece.text.to_owned()));
    };
    let span = piece.at + at..piece.at + at + c.len_utf8();
    if piece.text.bytes().all(|byte| byte.is_ascii_digit()) {
        let message = "an element is named in brackets";
        return Err(MiniError::new(piece.span(), message)
            .help(format!("write {}", quote(&format!("[{}]", piece.text)))));
    }
    let message = format!("{} cannot stand in a name after `.`", quote_char(c));
    let error = MiniError::new(span, message);
    let quoted = format!("['{}']", piece.text);
    Err(if c == '(' {
        error.help("functions are not read here")
    } else if piece.text.len() < 40 && !piece.text.contains(['\'', '\\']) {
        error.help(format!(
            "if it belongs to the name, write {}",
            quote(&quoted)
        ))
    } else {
        error.help("write such a name in brackets and quotes: `['a-b']`")
    })
}

fn index(piece: Piece<'_>) -> Result<Step, MiniError> {
    let text = piece.text;
    if text == "*" {
        return Ok(Step::Every);
    }
    let digits = text.strip_prefix('-').unwrap_or(text);
    if !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit()) {
        if (digits.len() > 1 && digits.starts_with('0')) || text == "-0" {
            let message = format!("{} is not an index: leave out the 0 in front", quote(text));
            return Err(MiniError::new(piece.span(), message)
                .help("the first element is `[0]`, the last `[-1]`"));
        }
        return match text.parse::<i64>() {
            Ok(index) if index.abs() <= MAX_INDEX => Ok(Step::Index(index)),
            _ => Err(MiniError::new(piece.span(), "this index is too large")),
        };
    }
    let refused = |message: &str, help: &str| Err(MiniError::new(piece.span(), message).help(help));
    if text.starts_with('?') {
        return refused(
            "a filter (`?`) is not read in a path",
            "compare with the entries `equals` or `contains` beside the path",
        );
    }
    if text.contains(',') {
        return Err(several(piece.span()));
    }
    if text.contains(':') {
        return refused(
            "a slice (`:`) is not read here",
            "name one element, or `[*]` for all",
        );
    }
    if text.starts_with('(') || text.starts_with('@') {
        return refused(
            "expressions are not read here",
            "name one element, or `[*]` for all",
        );
    }
    let message = format!("{} is neither an index nor a name in quotes", quote(text));
    let is_plain = text.len() < 40 && !text.contains('\\');
    let help = match is_plain {
        true => format!("for a name, write {}", quote(&format!("['{text}']"))),
        false => "write for example `[0]`, `['name']` or `[*]`".to_owned(),
    };
    Err(MiniError::new(piece.span(), message).help(help))
}

/// The name between quotes; escapes as in RFC 9535, section 2.3.1.
fn quoted_name(piece: Piece<'_>) -> Result<Step, MiniError> {
    // INVARIANT: the grammar gives a piece with a quote at each end.
    let inner = &piece.text[1..piece.text.len() - 1];
    let at = |offset: usize| piece.at + 1 + offset;
    let mut name = String::with_capacity(inner.len());
    let mut chars = inner.char_indices();
    while let Some((offset, c)) = chars.next() {
        if c != '\\' {
            if c.is_ascii_control() && c != '\u{7f}' {
                let message = "a control character stands in this name";
                return Err(MiniError::new(at(offset)..at(offset + 1), message)
                    .help(format!("write `\\u{:04x}`", u32::from(c))));
            }
            name.push(c);
            continue;
        }
        let escaped = chars.next().map(|(_, c)| c);
        let plain = match escaped {
            Some(c @ ('\'' | '"' | '\\' | '/')) => Some(c),
            Some('b') => Some('\u{8}'),
            Some('f') => Some('\u{c}'),
            Some('n') => Some('\n'),
            Some('r') => Some('\r'),
            Some('t') => Some('\t'),
            Some('u') => {
                let found = unicode_escape(&inner[offset..]);
                if let Some((_, length)) = found {
                    // `\u` is behind; the digits follow.
                    chars.by_ref().take(length - 2).for_each(drop);
                }
                found.map(|(c, _)| c)
            }
            _ => None,
        };
        let Some(plain) = plain else {
            let end = offset + 1 + escaped.map_or(0, char::len_utf8);
            let message = format!("{} is not an escape", quote(&inner[offset..end]));
            return Err(MiniError::new(at(offset)..at(end), message)
                .help("write `\\\\` for a backslash; `\\u` takes four hexadecimal digits"));
        };
        name.push(plain);
    }
    Ok(Step::Name(name))
}

/// The character of `\uXXXX`, or of two of them that make one, and the length.
fn unicode_escape(text: &str) -> Option<(char, usize)> {
    let unit = |from: usize| {
        let digits = text.get(from..)?.strip_prefix("\\u")?.get(..4)?;
        let all = digits.bytes().all(|byte| byte.is_ascii_hexdigit());
        all.then(|| u16::from_str_radix(digits, 16).ok()).flatten()
    };
    let first = unit(0)?;
    if let Some(c) = char::from_u32(u32::from(first)) {
        return Some((c, 6));
    }
    let pair = [first, unit(6)?];
    char::decode_utf16(pair).next()?.ok().map(|c| (c, 12))
}

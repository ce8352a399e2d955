//! Lists of tools: `Read, Grep, Bash(git diff:*)`, the value of
//! `allowed_tools` (language.md section 3).
//!
//! Names with an optional pattern in parentheses, separated by commas. A comma
//! inside parentheses belongs to the pattern; parentheses in it pair up. What a
//! pattern permits is decided by the program that gets the list (a managed
//! driver, or the gate for tools of the project), so there is no matching
//! here, only the parts: a pattern that ends in `:*` is told apart as a prefix.

use crate::MiniError;
use crate::error::{nearest, quote, quote_char};
use crate::grammar::{Piece, Steps, run, within};
use chumsky::prelude::*;
use std::fmt;
use std::ops::Range;

/// One entry of a list of tools.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ToolPattern {
    /// Where the whole entry stands in the text.
    pub span: Range<usize>,
    /// The tool's name: `Bash`, `mcp__server__tool`. A `*` at its end stands
    /// for all tools of a server: `mcp__server__*`.
    pub name: String,
    /// What stands in parentheses.
    pub argument: Option<Argument>,
}

/// The part of a [`ToolPattern`] in parentheses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Argument {
    /// Where it stands, without the parentheses.
    pub span: Range<usize>,
    /// Its text; for a prefix, without the `:*`.
    pub text: String,
    /// Whether it ends in `:*`.
    pub prefix: bool,
}

/// A list of tools.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ToolList {
    /// The entries in the order of the text; at least one.
    pub patterns: Vec<ToolPattern>,
    /// Places where a comma has nothing before or after it. Harmless, and
    /// perhaps an entry that somebody lost.
    pub empty: Vec<Range<usize>>,
}

impl fmt::Display for ToolPattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)?;
        match &self.argument {
            Some(argument) if argument.prefix => write!(f, "({}:*)", argument.text),
            Some(argument) => write!(f, "({})", argument.text),
            None => Ok(()),
        }
    }
}

impl fmt::Display for ToolList {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, pattern) in self.patterns.iter().enumerate() {
            if at > 0 {
                f.write_str(", ")?;
            }
            write!(f, "{pattern}")?;
        }
        Ok(())
    }
}

/// Reads a list of tools.
///
/// ```
/// let list = symbi_mini::tool_pattern::parse("Read, Bash(git diff:*)").unwrap();
/// assert_eq!(list.patterns[0].name, "Read");
/// let argument = list.patterns[1].argument.as_ref().unwrap();
/// assert_eq!((argument.text.as_str(), argument.prefix), ("git diff", true));
/// assert_eq!(argument.span, 11..19);
/// ```
///
/// # Errors
/// No entry at all, a name that is none, two entries without a comma between
/// them, parentheses that are empty or do not pair up, a text over
/// [`crate::MAX_BYTES`].
pub fn parse(text: &str) -> Result<ToolList, MiniError> {
    parse_counted(text, &mut Steps::default())
}

/// An entry as the grammar cuts it: what stands outside parentheses, and the
/// groups of parentheses in between.
enum Part<'t> {
    Plain(Piece<'t>),
    /// With its parentheses; `closed` if the last one is there.
    Group {
        piece: Piece<'t>,
        closed: bool,
    },
}

pub(crate) fn parse_counted(text: &str, steps: &mut Steps) -> Result<ToolList, MiniError> {
    within(text, crate::MAX_BYTES)?;
    // Nesting is a count, not a recursion: depth costs nothing.
    let group = custom(|input| {
        let start = input.cursor();
        let mut depth = 0_usize;
        loop {
            match input.peek() {
                Some('(') => depth += 1,
                Some(')') => depth -= 1,
                Some(_) => {}
                None => break,
            }
            input.skip();
            if depth == 0 {
                break;
            }
        }
        let span: SimpleSpan = input.span_since(&start);
        let piece = Piece {
            text: &text[span.start..span.end],
            at: span.start,
        };
        Ok(Part::Group {
            piece,
            closed: depth == 0,
        })
    });
    let group = just('(').rewind().ignore_then(group);
    let plain = crate::grammar::some(|c| !matches!(c, '(' | ',')).map(Part::Plain);
    let entry = group.or(plain).repeated().collect::<Vec<_>>();
    let grammar = entry
        .map_with(|parts, extra| {
            let span: SimpleSpan = extra.span();
            (parts, span.start..span.end)
        })
        .separated_by(just(','))
        .collect::<Vec<_>>();
    let entries = run(text, grammar, steps, |at| {
        MiniError::new(at..text.len(), "this is not a list of tools").help(HELP)
    })?;
    let mut list = ToolList::default();
    for (parts, span) in entries {
        steps.0 += parts.len() + 1;
        match read(&parts)? {
            Some(pattern) => list.patterns.push(pattern),
            None => list.empty.push(span),
        }
    }
    if list.patterns.is_empty() {
        return Err(MiniError::new(0..text.len(), "this list names no tool").help(HELP));
    }
    Ok(list)
}

const HELP: &str = "write for example `Read, Bash(git diff:*)`";

fn read(parts: &[Part<'_>]) -> Result<Option<ToolPattern>, MiniError> {
    let (name, argument, rest) = match parts {
        [] => return Ok(None),
        [Part::Plain(name)] if name.text.trim().is_empty() => return Ok(None),
        [Part::Plain(name), Part::Group { piece, closed }, rest @ ..] => {
            (*name, Some(read_argument(*piece, *closed)?), rest)
        }
        [Part::Plain(name), rest @ ..] => (*name, None, rest),
        [Part::Group { piece, .. }, ..] => {
            return Err(MiniError::new(
                piece.at..piece.at + 1,
                "a tool's name is expected before `(`",
            )
            .help(HELP));
        }
    };
    for part in rest {
        let piece = match part {
            Part::Plain(piece) if piece.text.trim().is_empty() => continue,
            Part::Plain(piece) | Part::Group { piece, .. } => piece,
        };
        let trimmed = trim(*piece);
        let message = "a comma is expected between two tools";
        return Err(MiniError::new(trimmed.span(), message).help(HELP));
    }
    let trimmed = trim(name);
    // `Bash (x)`: the blank belongs to neither.
    if argument.is_some() && !name.text.ends_with(trimmed.text) && !trimmed.is_empty() {
        let end = trimmed.span().end;
        let message = "no blank stands between a tool's name and `(`";
        let shown: String = trimmed.text.chars().take(40).collect();
        return Err(
            MiniError::new(end..name.span().end, message).help(format!("write `{shown}(…)`"))
        );
    }
    check_name(trimmed)?;
    let end = match &argument {
        Some(argument) => argument.span.end + if argument.prefix { 3 } else { 1 },
        None => trimmed.span().end,
    };
    Ok(Some(ToolPattern {
        span: trimmed.at..end,
        name: trimmed.text.to_owned(),
        argument,
    }))
}

fn trim(piece: Piece<'_>) -> Piece<'_> {
    let text = piece.text.trim_start();
    Piece {
        at: piece.at + piece.text.len() - text.len(),
        text: text.trim_end(),
    }
}

fn check_name(name: Piece<'_>) -> Result<(), MiniError> {
    let is_name_char = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.' | ':');
    let wrong = |(at, c): &(usize, char)| match c {
        '*' => !(name.text.starts_with("mcp__") && at + 1 == name.text.len()),
        c => !is_name_char(*c),
    };
    if let Some((at, c)) = name.text.char_indices().find(wrong) {
        let span = name.at + at..name.at + at + c.len_utf8();
        return Err(match c {
            c if c.is_whitespace() => {
                MiniError::new(span, "a comma is expected between two tools").help(HELP)
            }
            '*' => MiniError::new(
                span,
                "`*` stands only at the end of `mcp__server__*`, and after `:` in parentheses",
            )
            .help("name each tool"),
            ')' => MiniError::new(span, "this `)` has no `(` before it").help(HELP),
            c => MiniError::new(
                span,
                format!("{} cannot stand in a tool's name", quote_char(c)),
            )
            .help(HELP),
        });
    }
    if !name
        .text
        .starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
    {
        let message = format!(
            "{} is not a tool's name: it starts with a letter",
            quote(name.text)
        );
        return Err(MiniError::new(name.span(), message).help(HELP));
    }
    Ok(())
}

fn read_argument(piece: Piece<'_>, closed: bool) -> Result<Argument, MiniError> {
    if !closed {
        return Err(
            MiniError::new(piece.at..piece.at + 1, "this `(` has no `)` after it")
                .help("close it behind the pattern, as in `Bash(git diff:*)`"),
        );
    }
    // INVARIANT: a closed group has its two parentheses, one byte each.
    let inner = &piece.text[1..piece.text.len() - 1];
    let at = piece.at + 1;
    if inner.trim().is_empty() {
        return Err(MiniError::new(piece.span(), "the parentheses are empty")
            .help("leave them out to allow every use of the tool"));
    }
    let prefix = inner.strip_suffix(":*");
    if prefix.is_some_and(|prefix| prefix.trim().is_empty()) {
        return Err(MiniError::new(piece.span(), "nothing stands before `:*`")
            .help("leave the parentheses out to allow every use of the tool"));
    }
    let text = prefix.unwrap_or(inner);
    Ok(Argument {
        span: at..at + text.len(),
        text: text.to_owned(),
        prefix: prefix.is_some(),
    })
}

/// The name in a list that is nearest to one that is not in `known`, for a
/// message about it.
///
/// ```
/// assert_eq!(symbi_mini::tool_pattern::similar("Reed", ["Read", "Grep"]), Some("Read"));
/// ```
pub fn similar<'k>(name: &str, known: impl IntoIterator<Item = &'k str>) -> Option<&'k str> {
    nearest(name, known)
}

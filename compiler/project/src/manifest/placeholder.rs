//! Placeholders: `{target}` of an argument, `{_mode_flags}` of a mapping,
//! `{_rate}` of a conditional, `{_scan_id}`, and `{_secret:name}`.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use symbi_diagnostics::project as codes;
use symbi_diagnostics::{Diagnostic, Edit, Span};

use super::argument::Argument;
use crate::Spanned;
use crate::reader::Reader;

/// A text with placeholders in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Template {
    /// Its parts, in order.
    pub parts: Vec<Part>,
    /// Where it stands.
    pub at: Span,
}

/// A part of a [`Template`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Part {
    /// Text as it is.
    Text(String),
    /// The value of an argument.
    Argument(String),
    /// The value of `[command.defaults]`.
    Default(String),
    /// The words that a mapping has for the value of this argument. It stands
    /// alone.
    Flags(String),
    /// The words of this conditional, if it holds. It stands alone.
    Conditional(String),
    /// The name of the call.
    ScanId,
    /// A secret of this name. It is put in at the last moment, and nothing that
    /// is kept has it.
    Secret(String),
}

/// A part of a text before anybody knows what its names mean.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Piece {
    Text(String),
    /// The name between braces, and where the whole stands, in bytes.
    Name(String, Range<usize>),
}

/// The names of some pieces.
pub fn names(pieces: &[Piece]) -> impl Iterator<Item = (&str, &Range<usize>)> {
    pieces.iter().filter_map(|piece| match piece {
        Piece::Name(name, at) => Some((&**name, at)),
        Piece::Text(_) => None,
    })
}

/// Takes a text apart, in which `{{` and `}}` are braces.
///
/// # Errors
/// Where a brace is neither one of two nor round a name.
pub fn pieces(text: &str) -> Result<Vec<Piece>, Range<usize>> {
    let mut pieces = Vec::new();
    let mut plain = String::new();
    let mut at = 0;
    while let Some(found) = text[at..].find(['{', '}']) {
        let brace = at + found;
        plain.push_str(&text[at..brace]);
        let behind = &text[brace..];
        if behind.starts_with("{{") || behind.starts_with("}}") {
            plain.push_str(&behind[..1]);
            at = brace + 2;
            continue;
        }
        let name = name_in(behind).ok_or(brace..brace + 1)?;
        push_text(&mut pieces, &mut plain);
        at = brace + name.len() + 2;
        pieces.push(Piece::Name(name.to_owned(), brace..at));
    }
    plain.push_str(&text[at..]);
    push_text(&mut pieces, &mut plain);
    Ok(pieces)
}

/// Takes a text apart that has braces of its own, as JSON does: only braces
/// right round a name are a placeholder.
pub fn pieces_among_braces(text: &str) -> Vec<Piece> {
    let mut pieces = Vec::new();
    let mut plain = String::new();
    let mut at = 0;
    while let Some(found) = text[at..].find('{') {
        let brace = at + found;
        plain.push_str(&text[at..brace]);
        match name_in(&text[brace..]) {
            Some(name) => {
                push_text(&mut pieces, &mut plain);
                at = brace + name.len() + 2;
                pieces.push(Piece::Name(name.to_owned(), brace..at));
            }
            None => {
                plain.push('{');
                at = brace + 1;
            }
        }
    }
    plain.push_str(&text[at..]);
    push_text(&mut pieces, &mut plain);
    pieces
}

fn push_text(pieces: &mut Vec<Piece>, plain: &mut String) {
    if !plain.is_empty() {
        pieces.push(Piece::Text(std::mem::take(plain)));
    }
}

/// The name at the beginning of `{name}…`.
fn name_in(text: &str) -> Option<&str> {
    let inner = text.strip_prefix('{')?;
    let end = inner.find(|c: char| !c.is_ascii_alphanumeric() && !"_:-.".contains(c))?;
    (inner[end..].starts_with('}') && end > 0).then(|| &inner[..end])
}

/// The pieces of a text; a brace that means nothing is reported.
pub fn strict(reader: &mut Reader, text: &Spanned<String>) -> Option<Vec<Piece>> {
    match pieces(&text.value) {
        Ok(pieces) => Some(pieces),
        Err(brace) => {
            let at = reader.inside(text, brace);
            lone_brace(reader, at);
            None
        }
    }
}

/// Reports a brace that means nothing.
pub fn lone_brace(reader: &mut Reader, at: Span) {
    let message = "this brace is round no name";
    let report = Diagnostic::new(&codes::K0867, at, message);
    reader.report(report.help("write `{{` or `}}` for the character, or `{name}` for a value"));
}

/// Where a placeholder stands, which says what it may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// A word of a command. `alone` if nothing else is in it.
    Word { alone: bool },
    /// A word of a conditional.
    Fragment,
    /// A part of a request.
    Request,
}

/// The names that a command or a request may use, and which of them it does.
pub struct Names<'a> {
    pub list: &'a [Argument],
    arguments: HashMap<&'a str, &'a Argument>,
    pub mappings: HashSet<&'a str>,
    pub conditionals: HashSet<&'a str>,
    pub defaults: HashSet<&'a str>,
    /// Arguments and defaults that something uses.
    used: HashSet<String>,
    /// Mappings and conditionals that something uses, as they are written.
    used_words: HashSet<String>,
}

impl<'a> Names<'a> {
    pub fn of(list: &'a [Argument]) -> Self {
        let arguments = list
            .iter()
            .map(|argument| (&*argument.name.value, argument));
        Self {
            list,
            arguments: arguments.collect(),
            mappings: HashSet::new(),
            conditionals: HashSet::new(),
            defaults: HashSet::new(),
            used: HashSet::new(),
            used_words: HashSet::new(),
        }
    }

    /// An argument by its name.
    pub fn argument(&self, name: &str) -> Option<&'a Argument> {
        self.arguments.get(name).copied()
    }

    /// The names of the arguments, in their order.
    pub fn argument_names(&self) -> impl Iterator<Item = &'a str> + Clone + use<'a> {
        self.list.iter().map(|argument| &*argument.name.value)
    }

    /// An argument or a default is used.
    pub fn mark(&mut self, name: &str) {
        if !self.used.contains(name) {
            self.used.insert(name.to_owned());
        }
    }

    pub fn uses(&self, name: &str) -> bool {
        self.used.contains(name)
    }

    /// Whether `{_word}` is used.
    pub fn uses_words(&self, word: &str) -> bool {
        self.used_words.contains(word)
    }

    /// The parts that some pieces stand for. `at` says where their bytes are.
    pub fn resolve(
        &mut self,
        reader: &mut Reader,
        pieces: Vec<Piece>,
        place: Place,
        at: impl Fn(&Reader, Range<usize>) -> Span,
    ) -> Vec<Part> {
        let mut parts = Vec::with_capacity(pieces.len());
        for piece in pieces {
            match piece {
                Piece::Text(text) => parts.push(Part::Text(text)),
                Piece::Name(name, range) => {
                    let at = |reader: &Reader| at(reader, range.clone());
                    parts.extend(self.part(reader, &name, &at, place));
                }
            }
        }
        parts
    }

    /// What a name stands for. Where it stands is only asked for a report: it
    /// takes a look at the whole text.
    fn part(
        &mut self,
        reader: &mut Reader,
        name: &str,
        at: &dyn Fn(&Reader) -> Span,
        place: Place,
    ) -> Option<Part> {
        if let Some(secret) = name.strip_prefix("_secret:") {
            if !super::spelt_like_a_name(secret) {
                let message = match secret {
                    "" => "the secret has no name".to_owned(),
                    secret => format!("a secret cannot be called `{secret}`"),
                };
                let report = Diagnostic::new(&codes::K0867, at(reader), message);
                reader.report(report.help("write letters, digits and `_`: `{_secret:api_key}`"));
                return None;
            }
            return Some(Part::Secret(secret.to_owned()));
        }
        let Some(word) = name.strip_prefix('_') else {
            if self.arguments.contains_key(name) {
                self.mark(name);
                return Some(Part::Argument(name.to_owned()));
            }
            if self.defaults.contains(name) && place != Place::Request {
                self.mark(name);
                return Some(Part::Default(name.to_owned()));
            }
            self.unknown(reader, name, at(reader));
            return None;
        };
        if word == "scan_id" {
            return Some(Part::ScanId);
        }
        let mapped = word
            .strip_suffix("_flags")
            .filter(|name| self.mappings.contains(name));
        let part = match mapped {
            Some(mapped) => Part::Flags(mapped.to_owned()),
            None if self.conditionals.contains(word) => Part::Conditional(word.to_owned()),
            // A default may have such a name, which no argument has.
            None if self.defaults.contains(name) && place != Place::Request => {
                self.mark(name);
                return Some(Part::Default(name.to_owned()));
            }
            None => {
                self.unknown(reader, name, at(reader));
                return None;
            }
        };
        self.used_words.insert(word.to_owned());
        match place {
            Place::Word { alone: true } => Some(part),
            _ => {
                let message = format!("`{{{name}}}` may become several words, or none");
                let report = Diagnostic::new(&codes::K0867, at(reader), message);
                reader.report(report.help("write it alone, as a word of `exec`"));
                None
            }
        }
    }

    #[cold]
    fn unknown(&mut self, reader: &mut Reader, name: &str, at: Span) {
        if name == "_output_file" || name == "_evidence_dir" {
            let message = format!("`{{{name}}}` is a place of the host, which a tool does not see");
            let report = Diagnostic::new(&codes::K0867, at, message);
            reader.report(report.help("let the tool write to its output, which is kept"));
            return;
        }
        let message = format!("`{{{name}}}` stands for nothing");
        if reader.is_full() {
            reader.report(Diagnostic::new(&codes::K0867, at, message));
            return;
        }
        let word = |word: &&str| format!("_{word}");
        let mut known: Vec<String> = self
            .mappings
            .iter()
            .map(|name| format!("_{name}_flags"))
            .collect();
        known.extend(self.conditionals.iter().map(word));
        known.extend(self.argument_names().map(str::to_owned));
        known.extend(self.defaults.iter().map(|name| (*name).to_owned()));
        known.push("_scan_id".to_owned());
        known.sort_unstable();
        let near = reader
            .nearest(name, known.iter().map(String::as_str))
            .map(str::to_owned);
        // `{_scan_flags}` for the mapping of `scan_type`, as others write it.
        let start = name.strip_suffix("_flags").map(|start| format!("{start}_"));
        let near = near.or_else(|| {
            let start = start?;
            let mut like = known
                .iter()
                .filter(|known| known.starts_with(&start) && known.ends_with("_flags"));
            like.next().filter(|_| like.next().is_none()).cloned()
        });
        reader.report(match near {
            Some(near) => {
                // It is not reported as something that nothing uses.
                self.mark(&near);
                self.used_words.extend(near.strip_prefix('_').map(str::to_owned));
                let text = format!("{{{near}}}");
                let message = format!("{message}; did you mean `{text}`?");
                let title = format!("write `{text}`");
                Diagnostic::new(&codes::K0867, at, message).fix(title, vec![Edit { at, text }])
            }
            None if name.starts_with('_') => {
                let help = "there are `{_ARGUMENT_flags}` of a mapping, `{_NAME}` of a conditional, `{_scan_id}` and `{_secret:NAME}`";
                Diagnostic::new(&codes::K0867, at, message).help(help)
            }
            None => {
                let help = format!("declare the argument: write `[args.{name}]`");
                Diagnostic::new(&codes::K0867, at, message).help(help)
            }
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(text: &str) -> Piece {
        Piece::Text(text.to_owned())
    }

    fn name(name: &str, at: Range<usize>) -> Piece {
        Piece::Name(name.to_owned(), at)
    }

    #[test]
    fn texts_are_taken_apart() {
        let table = [
            ("", Ok(vec![])),
            ("a", Ok(vec![text("a")])),
            ("{a}", Ok(vec![name("a", 0..3)])),
            (
                "é{a}{_b_flags}c",
                Ok(vec![
                    text("é"),
                    name("a", 2..5),
                    name("_b_flags", 5..15),
                    text("c"),
                ]),
            ),
            ("{_secret:x}", Ok(vec![name("_secret:x", 0..11)])),
            ("%{{code}}", Ok(vec![text("%{code}")])),
            ("{{{a}}}", Ok(vec![text("{"), name("a", 2..5), text("}")])),
            ("a{", Err(1..2)),
            ("a}", Err(1..2)),
            ("{}", Err(0..1)),
            ("{a b}", Err(0..1)),
            ("{é}", Err(0..1)),
        ];
        for (written, expected) in table {
            assert_eq!(pieces(written), expected, "{written}");
        }
    }

    #[test]
    fn braces_of_json_are_no_placeholders() {
        let found = pieces_among_braces("{\"a\": {\"b\": \"{c}\"}, \"d\": {}}");
        let expected = [
            text("{\"a\": {\"b\": \""),
            name("c", 13..16),
            text("\"}, \"d\": {}}"),
        ];
        assert_eq!(found, expected);
    }
}

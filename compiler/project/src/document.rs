//! TOML as a tree of values with their places.
//!
//! `toml_parser` says what stands where; which table a key belongs to is put
//! together here. The values lie in one flat list, so that no nesting is deep
//! enough to hurt when the tree is dropped. Duplicates are remembered with the
//! place of the first.

use std::collections::HashMap;

use symbi_diagnostics::Span;
use toml_parser::decoder::ScalarKind;
use toml_parser::parser::{Event, EventKind, RecursionGuard, ValidateWhitespace, parse_document};
use toml_parser::{ParseError, Source};

use crate::MAX_DEPTH;
use crate::words::{self, Words};

/// A value of a [`Document`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct NodeId(usize);

/// A value and where it stands.
pub struct Node {
    /// For a table, its header or its braces; for one that only the keys of
    /// others name, the first of those keys.
    pub at: Span,
    pub value: Value,
}

pub enum Value {
    Text(String),
    /// `None` when it is too large for 64 bits.
    Integer(Option<i64>),
    Float(Option<f64>),
    Boolean(bool),
    Date,
    List(Vec<NodeId>),
    Table(Vec<Entry>),
    /// What an error stands for.
    Broken,
}

/// A key of a table and its value.
pub struct Entry {
    pub key: String,
    pub key_at: Span,
    pub value: NodeId,
}

/// A key that its table has already.
pub struct Duplicate {
    pub key: String,
    pub at: Span,
    pub first: Span,
}

/// A file.
pub struct Document {
    nodes: Vec<Node>,
    /// In the order of the file.
    pub duplicates: Vec<Duplicate>,
    /// The first thing that is no TOML.
    pub broken: Option<Broken>,
}

/// Something that is no TOML.
pub struct Broken {
    pub at: Span,
    pub words: Words,
}

impl Document {
    /// Reads a text of at most [`crate::MAX_SIZE`] bytes.
    pub fn parse(text: &str) -> Self {
        let source = Source::new(text);
        let tokens = source.lex().into_vec();
        let mut events: Vec<Event> = Vec::with_capacity(tokens.len());
        let mut first = First::default();
        {
            let mut report = |error: ParseError| first.report(&error);
            let mut checked = ValidateWhitespace::new(&mut events, source);
            let mut bounded = RecursionGuard::new(&mut checked, MAX_DEPTH);
            parse_document(&tokens, &mut bounded, &mut report);
        }
        let mut builder = Builder {
            source,
            first,
            ..Builder::new(source)
        };
        for event in &events {
            builder.take(event);
        }
        builder.finish(text)
    }

    /// The table that the file is.
    pub fn root(&self) -> NodeId {
        NodeId(0)
    }

    pub fn get(&self, id: NodeId) -> &Node {
        &self.nodes[id.0]
    }

    /// The entries of a table; none if it is no table.
    pub fn entries(&self, table: NodeId) -> &[Entry] {
        match &self.get(table).value {
            Value::Table(entries) => entries,
            _ => &[],
        }
    }
}

/// Remembers the first error of a file. Later ones are mostly its echo.
#[derive(Default)]
struct First {
    error: Option<(usize, ParseError)>,
}

impl First {
    fn report(&mut self, error: &ParseError) {
        let at = words::place(error).map_or(usize::MAX, |span| span.start());
        if self.error.as_ref().is_none_or(|(first, _)| at < *first) {
            self.error = Some((at, error.clone()));
        }
    }
}

/// How a table came to be, which says who may add to it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Origin {
    /// Named on the way to another: `a` of `[a.b]`.
    Passed,
    /// By its own `[header]`, or an element of `[[header]]`.
    Header,
    /// Named on the way by a dotted key: `a` of `a.b = 1`.
    Dotted,
    /// In braces: nobody may add to it.
    Closed,
    /// The list of all `[[header]]` of a name.
    Series,
    /// Any other value.
    Value,
}

struct Builder<'t> {
    source: Source<'t>,
    nodes: Vec<Node>,
    /// Beside `nodes`.
    origins: Vec<Origin>,
    /// Where in its table a key stands.
    index: HashMap<(NodeId, String), usize>,
    duplicates: Vec<Duplicate>,
    first: First,
    /// The table of the last header.
    current: NodeId,
    /// The header that is open: its place, and whether it is a `[[…]]`.
    header: Option<(Span, bool)>,
    /// The key so far, part by part.
    path: Vec<(String, Span)>,
    /// The brackets and braces that are open.
    open: Vec<NodeId>,
}

impl<'t> Builder<'t> {
    fn new(source: Source<'t>) -> Self {
        let root = Node {
            at: Span::at(0),
            value: Value::Table(Vec::new()),
        };
        Self {
            source,
            nodes: vec![root],
            origins: vec![Origin::Header],
            index: HashMap::new(),
            duplicates: Vec::new(),
            first: First::default(),
            current: NodeId(0),
            header: None,
            path: Vec::new(),
            open: Vec::new(),
        }
    }

    fn take(&mut self, event: &Event) {
        let at = place(event.span());
        match event.kind() {
            EventKind::StdTableOpen | EventKind::ArrayTableOpen => {
                self.path.clear();
                self.open.clear();
                self.header = Some((at, event.kind() == EventKind::ArrayTableOpen));
            }
            EventKind::StdTableClose | EventKind::ArrayTableClose => {
                if let Some((from, series)) = self.header.take() {
                    let whole = Span::new(from.start, at.end);
                    let path = std::mem::take(&mut self.path);
                    self.current = self.enter(path, whole, series);
                }
            }
            EventKind::SimpleKey => {
                let key = self.decode_key(event);
                self.path.push((key, at));
            }
            EventKind::Scalar => {
                let value = self.decode_scalar(event);
                self.place(at, value, Origin::Value);
            }
            EventKind::ArrayOpen => {
                let list = self.place(at, Value::List(Vec::new()), Origin::Value);
                self.open.push(list);
            }
            EventKind::InlineTableOpen => {
                let table = self.place(at, Value::Table(Vec::new()), Origin::Closed);
                self.open.push(table);
            }
            EventKind::ArrayClose | EventKind::InlineTableClose => {
                self.path.clear();
                if let Some(closed) = self.open.pop() {
                    let node = &mut self.nodes[closed.0];
                    node.at.end = node.at.end.max(at.end);
                }
            }
            EventKind::ValueSep => self.path.clear(),
            EventKind::Newline => {
                // Left over only where something is missing.
                if self.open.is_empty() {
                    self.path.clear();
                }
            }
            EventKind::KeySep
            | EventKind::KeyValSep
            | EventKind::Whitespace
            | EventKind::Comment
            | EventKind::Error => {}
        }
    }

    fn decode_key(&mut self, event: &Event) -> String {
        let mut key = String::new();
        if let Some(raw) = self.source.get(event) {
            let first = &mut self.first;
            raw.decode_key(&mut key, &mut |error: ParseError| first.report(&error));
        }
        key
    }

    fn decode_scalar(&mut self, event: &Event) -> Value {
        let Some(raw) = self.source.get(event) else {
            return Value::Broken;
        };
        let mut text = String::new();
        let mut wrong = false;
        let first = &mut self.first;
        let kind = raw.decode_scalar(&mut text, &mut |error: ParseError| {
            wrong = true;
            first.report(&error);
        });
        match kind {
            _ if wrong => Value::Broken,
            ScalarKind::String => Value::Text(text),
            ScalarKind::Boolean(value) => Value::Boolean(value),
            ScalarKind::DateTime => Value::Date,
            ScalarKind::Float => Value::Float(text.parse().ok()),
            ScalarKind::Integer(radix) => {
                Value::Integer(i64::from_str_radix(&text, radix.value()).ok())
            }
        }
    }

    fn add(&mut self, at: Span, value: Value, origin: Origin) -> NodeId {
        self.nodes.push(Node { at, value });
        self.origins.push(origin);
        NodeId(self.nodes.len() - 1)
    }

    /// Puts a value where the key before it says, or into the open list.
    fn place(&mut self, at: Span, value: Value, origin: Origin) -> NodeId {
        let id = self.add(at, value, origin);
        let path = std::mem::take(&mut self.path);
        let base = match self.open.last() {
            None => self.current,
            Some(&open) => {
                if let Value::List(elements) = &mut self.nodes[open.0].value {
                    elements.push(id);
                    return id;
                }
                open
            }
        };
        self.assign(base, path, id);
        id
    }

    /// `a.b.c = value` in a table.
    fn assign(&mut self, base: NodeId, mut path: Vec<(String, Span)>, value: NodeId) {
        let Some((key, key_at)) = path.pop() else {
            return;
        };
        let mut table = base;
        for (part, part_at) in path {
            let (found, entry_at) = match self.look_up(table, &part) {
                Some(found) => found,
                None => {
                    let new = self.add(part_at, Value::Table(Vec::new()), Origin::Dotted);
                    self.insert(table, part, part_at, new);
                    table = new;
                    continue;
                }
            };
            if !matches!(self.origins[found.0], Origin::Dotted | Origin::Passed) {
                self.duplicate(part, part_at, entry_at);
                return;
            }
            table = found;
        }
        match self.look_up(table, &key) {
            Some((_, first)) => self.duplicate(key, key_at, first),
            None => self.insert(table, key, key_at, value),
        }
    }

    /// The table of a header. One that nothing leads to if the header is wrong,
    /// so that its keys are not taken for another's.
    fn enter(&mut self, mut path: Vec<(String, Span)>, at: Span, series: bool) -> NodeId {
        let new = self.add(at, Value::Table(Vec::new()), Origin::Header);
        let Some((key, key_at)) = path.pop() else {
            return new;
        };
        let mut table = NodeId(0);
        for (part, part_at) in path {
            let Some((found, first)) = self.look_up(table, &part) else {
                let passed = self.add(part_at, Value::Table(Vec::new()), Origin::Passed);
                self.insert(table, part, part_at, passed);
                table = passed;
                continue;
            };
            table = match (self.origins[found.0], &self.nodes[found.0].value) {
                (Origin::Passed | Origin::Header | Origin::Dotted, _) => found,
                (Origin::Series, Value::List(elements)) => match elements.last() {
                    Some(&last) => last,
                    None => return new,
                },
                _ => {
                    self.duplicate(part, part_at, first);
                    return new;
                }
            };
        }
        match (self.look_up(table, &key), series) {
            (None, false) => self.insert(table, key, key_at, new),
            (None, true) => {
                let list = self.add(at, Value::List(vec![new]), Origin::Series);
                self.insert(table, key, key_at, list);
            }
            (Some((found, _)), false) if self.origins[found.0] == Origin::Passed => {
                self.origins[found.0] = Origin::Header;
                self.nodes[found.0].at = at;
                return found;
            }
            (Some((found, _)), true) if self.origins[found.0] == Origin::Series => {
                if let Value::List(elements) = &mut self.nodes[found.0].value {
                    elements.push(new);
                }
            }
            (Some((_, first)), _) => self.duplicate(key, key_at, first),
        }
        new
    }

    /// The value of a key and the place of that key.
    fn look_up(&self, table: NodeId, key: &str) -> Option<(NodeId, Span)> {
        let position = *self.index.get(&(table, key.to_owned()))?;
        match &self.nodes[table.0].value {
            Value::Table(entries) => entries
                .get(position)
                .map(|entry| (entry.value, entry.key_at)),
            _ => None,
        }
    }

    fn insert(&mut self, table: NodeId, key: String, key_at: Span, value: NodeId) {
        if let Value::Table(entries) = &mut self.nodes[table.0].value {
            self.index.insert((table, key.clone()), entries.len());
            entries.push(Entry { key, key_at, value });
        }
    }

    fn duplicate(&mut self, key: String, at: Span, first: Span) {
        self.duplicates.push(Duplicate { key, at, first });
    }

    fn finish(self, text: &str) -> Document {
        let broken = self.first.error.map(|(_, error)| Broken {
            at: inside(text, words::place(&error)),
            words: words::about(&error, text),
        });
        Document {
            nodes: self.nodes,
            duplicates: self.duplicates,
            broken,
        }
    }
}

/// Files are at most [`crate::MAX_SIZE`] long.
fn place(span: toml_parser::Span) -> Span {
    let short = |offset: usize| u32::try_from(offset).unwrap_or(u32::MAX);
    Span::new(short(span.start()), short(span.end().max(span.start())))
}

/// The place of an error, on character borders and within the text.
fn inside(text: &str, span: Option<toml_parser::Span>) -> Span {
    let Some(span) = span else {
        return Span::at(0);
    };
    let start = text.floor_char_boundary(span.start());
    let end = text.ceil_char_boundary(span.end().max(start));
    // An error that reaches over lines is shown on its first.
    let end = match text[start..end].find(['\n', '\r']) {
        Some(line) if line > 0 => start + line,
        _ => end,
    };
    place(toml_parser::Span::new_unchecked(start, end))
}

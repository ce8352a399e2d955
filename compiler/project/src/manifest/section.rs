//! A section that is being read: which keys it has, which of them it should
//! not have, and the values of the others as what they should be.

use symbi_diagnostics::project as codes;
use symbi_diagnostics::{Diagnostic, Edit, Span};

use super::keys::{self, Key, Kind, Table};
use super::terms::Term;
use crate::document::{Entry, NodeId, Value};
use crate::reader::Reader;
use crate::{Setting, Spanned};

/// A section of a file.
pub struct Section<'d> {
    table: &'static Table,
    /// As it is written here, without brackets.
    header: String,
    entries: &'d [Entry],
    /// Where it begins, for what it lacks.
    pub at: Span,
}

impl<'d> Section<'d> {
    /// The section of an entry, whose header is `header`. What it should not
    /// have is reported. `None`, which is reported too, if it is no table.
    pub fn read(
        reader: &mut Reader<'d>,
        entry: &Entry,
        table: &'static Table,
        header: &str,
    ) -> Option<Self> {
        let entries = reader.table(entry, header)?;
        let section = Self {
            table,
            header: header.to_owned(),
            entries,
            at: entry.key_at,
        };
        section.check_keys(reader, &format!("`[{header}]`"));
        Some(section)
    }

    /// The file as a whole, which messages call `whose`.
    pub fn root(reader: &mut Reader<'d>, table: &'static Table, whose: &str) -> Self {
        let section = Self {
            table,
            header: String::new(),
            entries: reader.entries(reader.document.root()),
            at: Span::at(0),
        };
        section.check_keys(reader, whose);
        section
    }

    /// Reports keys that the section does not have.
    fn check_keys(&self, reader: &mut Reader, whose: &str) {
        for entry in self.entries {
            if self.table.key(&entry.key).is_none() {
                self.unknown(reader, entry, whose);
            }
        }
    }

    #[cold]
    fn unknown(&self, reader: &mut Reader, entry: &Entry, whose: &str) {
        let table = matches!(reader.value(entry.value), Value::Table(_));
        let what = if self.table.header.is_empty() && table {
            "section"
        } else {
            "key"
        };
        let message = format!("{whose} has no {what} `{}`", entry.key);
        let known = self.table.keys.iter().map(|key| key.name);
        let report = |message: String| Diagnostic::new(&codes::K0862, entry.key_at, message);
        let near = reader.nearest(&entry.key, known.clone());
        if let Some(near) = near {
            // A key that is there already is not what a second one was meant
            // to be.
            if let Some(first) = self.entry(near) {
                let report = report(message).note(first.key_at, "the one that is meant is here");
                reader.report(report.help("leave this one out"));
                return;
            }
            let edit = Edit {
                at: entry.key_at,
                text: near.to_owned(),
            };
            let report = report(format!("{message}; did you mean `{near}`?"));
            reader.report(report.fix(format!("write `{near}`"), vec![edit]));
            return;
        }
        let mut homes = keys::ALL.iter().filter(|home| {
            let has = home.key(&entry.key).is_some_and(Key::is_value);
            has && !table && !std::ptr::eq(**home, self.table)
        });
        reader.report(match (homes.next(), homes.next()) {
            (Some(home), None) => {
                report(message).help(format!("it belongs below `[{}]`", home.header))
            }
            _ => {
                let known: Vec<String> = known.map(|name| format!("`{name}`")).collect();
                report(message).help(format!("it has {}", known.join(", ")))
            }
        });
    }

    /// A key of the section, if it is given.
    pub fn entry(&self, name: &str) -> Option<&'d Entry> {
        debug_assert!(self.table.key(name).is_some(), "{name} is in no table");
        self.entries.iter().find(|entry| entry.key == name)
    }

    /// What [`keys`] says about a key.
    fn key(&self, name: &str) -> &'static Key {
        static NONE: Key = Key {
            name: "",
            kind: Kind::Open,
            default: "",
            example: "",
        };
        self.table.key(name).unwrap_or(&NONE)
    }

    /// What the message of a wrong type says should be there.
    fn expected(&self, name: &str) -> String {
        let key = self.key(name);
        let what = match key.kind {
            Kind::Text | Kind::Word(_) => "a text",
            Kind::Texts | Kind::Words(_) => "a list of texts",
            Kind::Boolean => return "`true` or `false`".to_owned(),
            Kind::Whole(..) | Kind::Integer => "a whole number",
            Kind::Number => "a number",
            Kind::Wholes(..) => "a list of whole numbers",
            Kind::Scalar => return "a text, a number, `true` or `false`".to_owned(),
            Kind::Table | Kind::Open => "a table",
        };
        format!("{what}: write `{name} = {}`", key.example)
    }

    /// A text.
    pub fn text(&self, reader: &mut Reader, name: &str) -> Option<Spanned<String>> {
        let entry = self.entry(name)?;
        reader.text_of(entry.value, &format!("`{name}` is"), &self.expected(name))
    }

    /// A text that says something.
    pub fn filled(&self, reader: &mut Reader, name: &str) -> Option<Spanned<String>> {
        let text = self.text(reader, name)?;
        if text.value.trim().is_empty() {
            let message = format!("`{name}` is empty");
            let report = Diagnostic::new(&codes::K0863, text.at, message);
            let example = self.key(name).example;
            reader.report(report.help(format!("write for example `{name} = {example}`")));
            return None;
        }
        Some(text)
    }

    /// A text that says something and has to be there.
    pub fn needed(&self, reader: &mut Reader, name: &str) -> Option<Spanned<String>> {
        if self.entry(name).is_none() {
            self.missing(reader, name);
            return None;
        }
        self.filled(reader, name)
    }

    /// Says that a key has to be there.
    pub fn missing(&self, reader: &mut Reader, name: &str) {
        let message = format!("`[{}]` has no `{name}`", self.header);
        let report = Diagnostic::new(&codes::K0866, self.at, message);
        let example = self.key(name).example;
        reader.report(report.help(format!("write for example `{name} = {example}`")));
    }

    /// `true` or `false`.
    pub fn boolean(&self, reader: &mut Reader, name: &str, default: bool) -> Setting<bool> {
        let given = self.entry(name).and_then(|entry| reader.boolean(entry));
        Setting::or(given, default)
    }

    /// A whole number within the range of its key.
    pub fn whole(&self, reader: &mut Reader, name: &str) -> Option<Spanned<u64>> {
        let entry = self.entry(name)?;
        let Kind::Whole(least, most) = self.key(name).kind else {
            return None;
        };
        let id = entry.value;
        let Value::Integer(found) = reader.value(id) else {
            return reader.wrong(id, &format!("`{name}` is"), &self.expected(name));
        };
        in_range(reader, id, *found, (least, most), &format!("`{name}`"))
    }

    /// A whole number within the range of its key, or its default.
    pub fn whole_or(&self, reader: &mut Reader, name: &str, default: u64) -> Setting<u64> {
        Setting::or(self.whole(reader, name), default)
    }

    /// A whole number of 64 bits.
    pub fn integer(&self, reader: &mut Reader, name: &str) -> Option<Spanned<i64>> {
        let entry = self.entry(name)?;
        let id = entry.value;
        let at = reader.at(id);
        match reader.value(id) {
            Value::Integer(Some(value)) => Some(Spanned { value: *value, at }),
            Value::Integer(None) => {
                let message = format!("`{name}` is too large for a whole number of 64 bits");
                reader.report(Diagnostic::new(&codes::K0863, at, message));
                None
            }
            _ => reader.wrong(id, &format!("`{name}` is"), &self.expected(name)),
        }
    }

    /// A number that has an end.
    pub fn number(&self, reader: &mut Reader, name: &str) -> Option<Spanned<f64>> {
        let entry = self.entry(name)?;
        let id = entry.value;
        let at = reader.at(id);
        let value = match reader.value(id) {
            #[expect(
                clippy::cast_precision_loss,
                reason = "a bound of numbers with fractions needs no more than they have"
            )]
            Value::Integer(Some(value)) => *value as f64,
            Value::Integer(None) | Value::Float(None) => f64::NAN,
            Value::Float(Some(value)) => *value,
            _ => return reader.wrong(id, &format!("`{name}` is"), &self.expected(name)),
        };
        if !value.is_finite() {
            let message = format!("`{name}` is no number that a value could be compared with");
            reader.report(Diagnostic::new(&codes::K0863, at, message));
            return None;
        }
        Some(Spanned { value, at })
    }

    /// The elements of a list.
    fn list(&self, reader: &mut Reader<'d>, name: &str) -> Option<&'d [NodeId]> {
        let entry = self.entry(name)?;
        reader.list(entry, &self.expected(name))
    }

    /// A list of texts. `None` if it is not given, or an element is no text.
    pub fn texts(&self, reader: &mut Reader<'d>, name: &str) -> Option<Vec<Spanned<String>>> {
        let mut texts = Vec::new();
        for &element in self.list(reader, name)? {
            texts.push(reader.text_of(
                element,
                &format!("`{name}` holds"),
                &self.expected(name),
            )?);
        }
        Some(texts)
    }

    /// A list of whole numbers within the range of its key.
    pub fn wholes(&self, reader: &mut Reader<'d>, name: &str) -> Vec<Spanned<u64>> {
        let Kind::Wholes(least, most) = self.key(name).kind else {
            return Vec::new();
        };
        let mut wholes = Vec::new();
        for &id in self.list(reader, name).unwrap_or_default() {
            let Value::Integer(found) = reader.value(id) else {
                let subject = format!("`{name}` holds");
                reader.wrong::<()>(id, &subject, &self.expected(name));
                continue;
            };
            let subject = format!("a number of `{name}`");
            wholes.extend(in_range(reader, id, *found, (least, most), &subject));
        }
        wholes
    }

    /// One of the words of a key.
    pub fn term<T: Term>(&self, reader: &mut Reader, name: &str) -> Option<Spanned<T>> {
        let written = self.text(reader, name)?;
        self.find_term(reader, name, written)
    }

    /// One of the words of a key, or its default.
    pub fn term_or<T: Term>(&self, reader: &mut Reader, name: &str, default: T) -> Setting<T> {
        Setting::or(self.term(reader, name), default)
    }

    /// Some of the words of a key.
    pub fn terms<T: Term>(&self, reader: &mut Reader<'d>, name: &str) -> Option<Vec<Spanned<T>>> {
        let written = self.texts(reader, name)?;
        let terms = written.into_iter();
        Some(
            terms
                .filter_map(|word| self.find_term(reader, name, word))
                .collect(),
        )
    }

    fn find_term<T: Term>(
        &self,
        reader: &mut Reader,
        name: &str,
        written: Spanned<String>,
    ) -> Option<Spanned<T>> {
        let at = written.at;
        if let Some(value) = T::find(&written.value) {
            return Some(Spanned { value, at });
        }
        self.unknown_word(reader, name, &written);
        None
    }

    /// Reports a text that is none of the words of its key.
    #[cold]
    pub fn unknown_word(&self, reader: &mut Reader, name: &str, written: &Spanned<String>) {
        let (Kind::Word(words) | Kind::Words(words)) = self.key(name).kind else {
            return;
        };
        let found = &written.value;
        let message = format!("`{name}` cannot be `{found}`");
        let near = words
            .iter()
            .copied()
            .find(|word| word.eq_ignore_ascii_case(found));
        let near = near.or_else(|| reader.nearest(found, words.iter().copied()));
        let report = match (near, words) {
            (Some(near), _) => did_you_mean_text(written.at, message, near),
            (None, [only]) => Diagnostic::new(&codes::K0863, written.at, message)
                .help(format!("it is `\"{only}\"`")),
            (None, words) => {
                let words: Vec<String> = words.iter().map(|word| format!("`{word}`")).collect();
                Diagnostic::new(&codes::K0863, written.at, message)
                    .help(format!("write one of {}", words.join(", ")))
            }
        };
        reader.report(report);
    }

    /// The section below this one.
    pub fn section(
        &self,
        reader: &mut Reader<'d>,
        name: &str,
        table: &'static Table,
    ) -> Option<Section<'d>> {
        let entry = self.entry(name)?;
        Section::read(reader, entry, table, table.header)
    }

    /// The entries of a table below this one whose names the author chooses.
    pub fn open(&self, reader: &mut Reader<'d>, name: &str) -> &'d [Entry] {
        let Some(entry) = self.entry(name) else {
            return &[];
        };
        let header = match &*self.header {
            "" => name.to_owned(),
            header => format!("{header}.{name}"),
        };
        reader.table(entry, &header).unwrap_or_default()
    }
}

/// A report about a text of a closed set, with what was meant.
fn did_you_mean_text(at: Span, message: String, near: &str) -> Diagnostic {
    let text = format!("\"{near}\"");
    let title = format!("write `{text}`");
    Diagnostic::new(
        &codes::K0863,
        at,
        format!("{message}; did you mean `{near}`?"),
    )
    .fix(title, vec![Edit { at, text }])
}

/// A whole number, if it lies in a range. `found` is `None` for one of more
/// than 64 bits.
fn in_range(
    reader: &mut Reader,
    id: NodeId,
    found: Option<i64>,
    (least, most): (u64, u64),
    subject: &str,
) -> Option<Spanned<u64>> {
    let at = reader.at(id);
    let value = found.map(u64::try_from);
    let message = match value {
        Some(Ok(value)) if (least..=most).contains(&value) => {
            return Some(Spanned { value, at });
        }
        Some(Ok(value)) if value > most => format!("{subject} is at most {most}"),
        None => format!("{subject} is at most {most}"),
        Some(_) => format!("{subject} is at least {least}"),
    };
    reader.report(Diagnostic::new(&codes::K0863, at, message));
    None
}

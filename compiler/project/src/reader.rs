//! Typed values out of a [`Document`], with a report where something else was
//! written.

use std::ops::Range;

use symbi_diagnostics::project as codes;
use symbi_diagnostics::{Code, Diagnostic, Edit, Span};

use crate::document::{Document, Entry, NodeId, Value};
use crate::inner;
use crate::nearest::nearest;
use crate::pattern::{MAX_PATTERNS, Pattern};
use crate::{MAX_SIZE, Parsed, Spanned};

/// The codes of a kind of file.
pub struct Codes {
    /// It cannot be read at all.
    pub unreadable: &'static Code,
    /// A key stands twice.
    pub twice: &'static Code,
    /// A value has the wrong type.
    pub wrong_type: &'static Code,
}

/// A document that is being read.
pub struct Reader<'d> {
    pub document: &'d Document,
    pub codes: &'static Codes,
    text: &'d str,
    reports: Vec<Diagnostic>,
    /// How many patterns were compiled: each takes its time.
    patterns: usize,
}

/// Among how many words "did you mean" looks for the nearest: more than there
/// are codes.
const CONSIDERED: usize = 2048;

/// Reports of one file; more of them help nobody.
const MAX_REPORTS: usize = 100;

/// Reads a file: `what` is how a message calls it, `read` takes from it what
/// is there.
pub fn parse<T>(
    text: &str,
    what: &str,
    codes: &'static Codes,
    read: impl FnOnce(&mut Reader) -> T,
) -> Parsed<T> {
    // Nothing of a file that is too long is looked at.
    let long = text.len() > MAX_SIZE;
    let document = Document::parse(if long { "" } else { text });
    let mut reader = Reader {
        document: &document,
        codes,
        text,
        reports: Vec::new(),
        patterns: 0,
    };
    let data = read(&mut reader);
    let mut diagnostics = reader.reports;
    if long {
        let message = format!("{what} is longer than {} KiB", MAX_SIZE / 1024);
        let report = Diagnostic::new(codes.unreadable, Span::at(0), message)
            .help("keep data in files of its own");
        return Parsed {
            data,
            diagnostics: vec![report],
        };
    }
    if let Some(broken) = &document.broken {
        // What is missing may only seem so.
        let mut report = Diagnostic::new(codes.unreadable, broken.at, &*broken.words.message);
        if let Some(text) = &broken.words.instead {
            let edit = Edit {
                at: broken.at,
                text: text.clone(),
            };
            report = report.maybe_fix(format!("write `{text}`"), vec![edit]);
        }
        diagnostics = vec![report];
        return Parsed { data, diagnostics };
    }
    for duplicate in document.duplicates.iter().take(MAX_REPORTS) {
        let key = &duplicate.key;
        diagnostics.push(
            Diagnostic::new(
                codes.twice,
                duplicate.at,
                format!("`{key}` is given a second time; keep one of the two"),
            )
            .note(duplicate.first, "the first one"),
        );
    }
    diagnostics.sort_by_key(|report| report.primary.at);
    Parsed { data, diagnostics }
}

impl<'d> Reader<'d> {
    /// Keeps a report, if there are not too many already. A file with errors
    /// has one of them in any case.
    pub fn report(&mut self, report: Diagnostic) {
        let first_error = report.is_error() && !self.reports.iter().any(Diagnostic::is_error);
        if !self.is_full() {
            self.reports.push(report);
        } else if first_error && let Some(last) = self.reports.last_mut() {
            *last = report;
        }
    }

    /// Whether no more is said about the file: what a report would say besides
    /// need not be looked for.
    pub fn is_full(&self) -> bool {
        self.reports.len() >= MAX_REPORTS
    }

    /// The known word that was probably meant. Of the names of a project only
    /// the first few hundred are looked at.
    pub fn nearest<'n>(
        &self,
        written: &str,
        known: impl IntoIterator<Item = &'n str>,
    ) -> Option<&'n str> {
        if self.is_full() {
            return None;
        }
        nearest(written, known.into_iter().take(CONSIDERED))
    }

    /// The entries of a table.
    pub fn entries(&self, table: NodeId) -> &'d [Entry] {
        self.document.entries(table)
    }

    pub fn value(&self, id: NodeId) -> &'d Value {
        &self.document.get(id).value
    }

    pub fn at(&self, id: NodeId) -> Span {
        self.document.get(id).at
    }

    /// The place of some bytes of a text, for a report: that of the whole text
    /// when there are too many reports for another one.
    pub fn inside(&self, text: &Spanned<String>, part: Range<usize>) -> Span {
        if self.is_full() {
            return text.at;
        }
        inner::place(self.text, text.at, &text.value, part)
    }

    /// A pattern that a whole value must match, or one that is looked for
    /// anywhere. What is wrong with it is reported.
    pub fn pattern(&mut self, written: &Spanned<String>, whole: bool) -> Option<Pattern> {
        self.patterns += 1;
        if self.patterns > MAX_PATTERNS {
            if self.patterns == MAX_PATTERNS + 1 {
                let message = format!("a file has at most {MAX_PATTERNS} patterns");
                self.report(Diagnostic::new(&codes::K0865, written.at, message));
            }
            return None;
        }
        let pattern = match whole {
            true => Pattern::whole(&written.value),
            false => Pattern::anywhere(&written.value),
        };
        match pattern {
            Ok(pattern) => Some(pattern),
            Err(problem) => {
                let at = self.inside(written, problem.at);
                self.report(Diagnostic::new(&codes::K0865, at, problem.message));
                None
            }
        }
    }

    /// The text of an entry.
    pub fn text(&mut self, entry: &Entry, example: &str) -> Option<Spanned<String>> {
        let expected = format!("a text: write `{} = {example}`", entry.key);
        self.text_of(entry.value, &format!("`{}` is", entry.key), &expected)
    }

    /// A text. `subject` and what else is found begin the message.
    pub fn text_of(
        &mut self,
        id: NodeId,
        subject: &str,
        expected: &str,
    ) -> Option<Spanned<String>> {
        match self.value(id) {
            Value::Text(text) => Some(Spanned {
                value: text.clone(),
                at: self.at(id),
            }),
            _ => self.wrong(id, subject, expected),
        }
    }

    pub fn boolean(&mut self, entry: &Entry) -> Option<Spanned<bool>> {
        match self.value(entry.value) {
            Value::Boolean(value) => Some(Spanned {
                value: *value,
                at: self.at(entry.value),
            }),
            _ => self.wrong_entry(entry, "`true` or `false`"),
        }
    }

    pub fn list(&mut self, entry: &Entry, expected: &str) -> Option<&'d [NodeId]> {
        match self.value(entry.value) {
            Value::List(elements) => Some(elements),
            _ => self.wrong_entry(entry, expected),
        }
    }

    /// Looks that a list holds nothing but texts.
    pub fn text_list(&mut self, entry: &Entry, expected: &str) {
        for &element in self.list(entry, expected).unwrap_or_default() {
            let subject = format!("`{}` holds", entry.key);
            if self.text_of(element, &subject, expected).is_none() {
                return;
            }
        }
    }

    /// The entries of a value that should be the table of a header.
    pub fn table(&mut self, entry: &Entry, header: &str) -> Option<&'d [Entry]> {
        match self.value(entry.value) {
            Value::Table(entries) => Some(entries),
            _ => {
                let expected = format!("a table: write `[{header}]` on a line of its own");
                self.wrong_entry(entry, &expected)
            }
        }
    }

    /// Says that a key should have another value.
    pub fn wrong_entry<T>(&mut self, entry: &Entry, expected: &str) -> Option<T> {
        self.wrong(entry.value, &format!("`{}` is", entry.key), expected)
    }

    /// Says that something else was expected, unless an error stands there
    /// already.
    pub fn wrong<T>(&mut self, id: NodeId, subject: &str, expected: &str) -> Option<T> {
        let found = match self.value(id) {
            Value::Text(_) => "a text",
            Value::Integer(_) => "a whole number",
            Value::Float(_) => "a number with a fraction",
            Value::Boolean(true) => "`true`",
            Value::Boolean(false) => "`false`",
            Value::Date => "a date or time",
            Value::List(_) => "a list",
            Value::Table(_) => "a table",
            Value::Broken => return None,
        };
        let message = format!("{subject} {found}, and should be {expected}");
        let report = Diagnostic::new(self.codes.wrong_type, self.at(id), message);
        self.report(report.label(format!("this is {found}")));
        None
    }
}

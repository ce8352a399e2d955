//! The one data type for everything the toolchain reports.

use crate::{Code, Level};

/// A range of bytes in one file, end exclusive.
///
/// Files hold at most 64 MiB, so 32 bits are enough.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Span {
    /// First byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

impl Span {
    /// The bytes from `start` to `end`, end exclusive.
    pub fn new(start: u32, end: u32) -> Self {
        Self { start, end }
    }

    /// An empty span at `at`: a place between two bytes.
    pub fn at(at: u32) -> Self {
        Self { start: at, end: at }
    }

    /// As a range that indexes a string.
    pub fn range(self) -> std::ops::Range<usize> {
        self.start as usize..self.end as usize
    }
}

/// One report: what was expected, what was found, what to write instead.
///
/// `P` is how places are named. While an item is being worked on, places are
/// relative to it, so that moving the item changes nothing; [`Diagnostic::map`]
/// turns them into [`Span`]s when they are about to be shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic<P = Span> {
    /// What kind of report this is: fixes its level and its page.
    pub code: &'static Code,
    /// One sentence without a full stop, in the user's words.
    pub message: String,
    /// Where, and a few words to print beside the mark (may be empty).
    pub primary: Label<P>,
    /// Other places that explain the first, e.g. where a bracket was opened.
    pub notes: Vec<Label<P>>,
    /// What to do, where no edit can say it.
    pub help: Option<String>,
    /// An edit that mends it.
    pub fix: Option<Fix<P>>,
}

/// A place and what there is to say about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Label<P = Span> {
    /// Where.
    pub at: P,
    /// A few words; empty when the message says all.
    pub text: String,
}

/// Edits that belong together, with a title for a menu.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fix<P = Span> {
    /// What the edit does, as an imperative: ``write `;` ``.
    pub title: String,
    /// Whether a tool may apply it unasked.
    pub applicability: Applicability,
    /// In ascending order, not overlapping.
    pub edits: Vec<Edit<P>>,
}

/// Whether a fix may be applied without a person looking at it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Applicability {
    /// The result is what the author meant.
    MachineApplicable,
    /// Plausible, but a person should look.
    MaybeIncorrect,
}

/// Replace `at` with `text`; an empty place inserts, an empty text deletes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edit<P = Span> {
    /// What is replaced.
    pub at: P,
    /// What is written there.
    pub text: String,
}

impl<P> Diagnostic<P> {
    /// A report with a message and nothing else yet.
    pub fn new(code: &'static Code, at: P, message: impl Into<String>) -> Self {
        Self {
            code,
            message: message.into(),
            primary: Label {
                at,
                text: String::new(),
            },
            notes: Vec::new(),
            help: None,
            fix: None,
        }
    }

    /// The words beside the mark.
    pub fn label(mut self, text: impl Into<String>) -> Self {
        self.primary.text = text.into();
        self
    }

    /// Another place that explains this one.
    pub fn note(mut self, at: P, text: impl Into<String>) -> Self {
        self.notes.push(Label {
            at,
            text: text.into(),
        });
        self
    }

    /// What to do about it, in one sentence.
    pub fn help(mut self, text: impl Into<String>) -> Self {
        self.help = Some(text.into());
        self
    }

    /// An edit that mends it and that a tool may apply unasked.
    pub fn fix(mut self, title: impl Into<String>, edits: Vec<Edit<P>>) -> Self {
        self.fix = Some(Fix {
            title: title.into(),
            applicability: Applicability::MachineApplicable,
            edits,
        });
        self
    }

    /// An edit that probably mends it.
    pub fn maybe_fix(mut self, title: impl Into<String>, edits: Vec<Edit<P>>) -> Self {
        self.fix = Some(Fix {
            title: title.into(),
            applicability: Applicability::MaybeIncorrect,
            edits,
        });
        self
    }

    /// Whether this makes a check fail.
    pub fn is_error(&self) -> bool {
        self.code.level == Level::Error
    }

    /// Whether it is shown only when hints are asked for.
    pub fn is_hint(&self) -> bool {
        self.code.level == Level::Hint
    }

    /// The same report with its places named in another way.
    pub fn map<Q>(self, mut place: impl FnMut(P) -> Q) -> Diagnostic<Q> {
        let mut label = |label: Label<P>| Label {
            at: place(label.at),
            text: label.text,
        };
        let primary = label(self.primary);
        let notes = self.notes.into_iter().map(&mut label).collect();
        let fix = self.fix.map(|fix| Fix {
            title: fix.title,
            applicability: fix.applicability,
            edits: fix
                .edits
                .into_iter()
                .map(|edit| Edit {
                    at: place(edit.at),
                    text: edit.text,
                })
                .collect(),
        });
        Diagnostic {
            code: self.code,
            message: self.message,
            primary,
            notes,
            help: self.help,
            fix,
        }
    }
}

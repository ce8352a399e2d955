//! What the language has built in, read from the declarations in `stdlib/`:
//! the one source for checker, editor and host.
//!
//! `sources` has the texts, `index` finds the declarations in them, `table`
//! has them by name, `read` makes data of one when it is asked for, `types`
//! resolves the types in it. What cannot be read is left out; a test proves
//! that nothing is.

mod index;
mod read;
mod sources;
mod table;
mod types;

use std::sync::{Arc, LazyLock};

use crate::ty::{Signature, Ty};

pub use sources::{SOURCES, StdlibSource};
pub use table::Table;

/// The standard library.
#[derive(Debug)]
pub struct Stdlib {
    /// Functions by name; those with a `self` are methods too.
    ///
    /// Several of one name differ in the type of their first parameter, or in
    /// how many arguments they take. A call means the first that takes all its
    /// arguments. Where the types of the arguments are not known well enough
    /// to tell, it may be any of those that they fit.
    pub functions: Table<Vec<Function>>,
    /// Effects by name, the patterns over them included.
    pub effects: Table<Effect>,
    /// Groups of effects by name.
    pub groups: Table<Group>,
    /// The functions that guards of rules may call. A function of the same
    /// signature exists for each.
    pub guards: Table<Vec<Function>>,
    /// What `require` may demand.
    pub obligations: Table<Obligation>,
    /// The keys of `audit`.
    pub audit: Table<Obligation>,
    /// Every declaration in the order of the files.
    pub declarations: Vec<StdlibDeclaration>,
}

/// A function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Function {
    /// Its types.
    pub signature: Arc<Signature>,
    /// What else is known of it.
    pub facts: FunctionFacts,
}

/// The kinds of declarations.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum StdlibKind {
    /// `extern function`.
    Function,
    /// `extern effect`.
    Effect,
    /// `extern group`.
    Group,
    /// `extern guard`.
    Guard,
    /// `extern obligation`, for `require`.
    Obligation,
    /// `extern obligation`, for `audit`.
    Audit,
}

/// A declaration and where it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StdlibDeclaration {
    /// What it declares.
    pub kind: StdlibKind,
    /// Its name.
    pub name: &'static str,
    /// Which of [`SOURCES`].
    pub source: usize,
    /// Where the lines before it begin that hold its documentation, in bytes.
    docs_start: usize,
    /// Where it begins in the file, in bytes.
    pub start: usize,
    /// Where it ends in the file, in bytes.
    pub end: usize,
}

/// What a function does besides giving a value.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FunctionFacts {
    /// Its place in [`Stdlib::declarations`].
    pub declaration: usize,
    /// The name of the parameter that takes what is left over.
    pub rest: Option<Arc<str>>,
    /// What the parameters that may be left out have then, as it is written.
    pub defaults: Vec<(Arc<str>, Arc<str>)>,
    /// It is a method: its first parameter is `self`.
    pub method: bool,
    /// It may be read without parentheses: `list.length`.
    pub property: bool,
    /// It changes the place on its left, which has to be assignable.
    pub updates: bool,
    /// Its results are journalled. No policy is asked about it.
    pub journalled: bool,
    /// The effect that it is. In braces stands the parameter that holds a
    /// part of the name: `delegate::{agent}`, or the fields of the elements
    /// of one: `delegate::{tasks.agent}`.
    pub effect: Option<Arc<str>>,
    /// The parameters that may be given a Secret, or what holds one, though
    /// their type does not say so.
    pub may_hold_secrets: Vec<Arc<str>>,
    /// The function that it is another name of.
    pub same_as: Option<Arc<str>>,
}

/// An effect, or a pattern over effects.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Effect {
    /// Its place in [`Stdlib::declarations`].
    pub declaration: usize,
    /// The arguments that policies see.
    pub params: Vec<(Arc<str>, Ty)>,
    /// How its names are formed, for one that has many: `delegate::NAME`. Its
    /// own name is no name of an effect then, only one of a member of groups.
    pub named: Option<Arc<str>>,
    /// The only names that it has.
    pub one_of: Vec<Arc<str>>,
    /// The call patterns whose one argument is the record of its parameters.
    pub selectors: Vec<Arc<str>>,
    /// The effects that it is a pattern over; none for a real effect.
    pub covers: Vec<Arc<str>>,
    /// A tool that watches a program: every program has it, and no list of
    /// capabilities hides it.
    pub monitoring: bool,
}

/// A group of effects.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Group {
    /// Its place in [`Stdlib::declarations`].
    pub declaration: usize,
    /// The effects in it.
    pub members: Vec<Arc<str>>,
}

/// A row of the table of obligations and keys of `audit`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Obligation {
    /// Its place in [`Stdlib::declarations`].
    pub declaration: usize,
    /// The forms of value that it can read.
    pub reads: Vec<Reads>,
    /// The only texts that it takes; none if any will do.
    pub one_of: Vec<Arc<str>>,
    /// What holds where several apply.
    pub several: Several,
    /// What enforces it, and the test that proves it; `None` while planned.
    pub enforced: Option<Arc<str>>,
}

/// A form of value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Reads {
    /// `true` or `false`.
    Flag,
    /// A list of names.
    Names,
    /// A whole number above 0.
    Count,
    /// A rate: `"100/minute"`.
    Rate,
    /// A duration.
    Duration,
    /// A size.
    Size,
    /// A sandbox tier.
    Tier,
    /// A text.
    Text,
}

/// What holds where several values of one obligation apply.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Several {
    /// All of them; `true` over `false`.
    All,
    /// The lowest; of texts, the first in the row's list.
    Lowest,
    /// The highest.
    Highest,
}

static STDLIB: LazyLock<Stdlib> = LazyLock::new(index::all);

impl Stdlib {
    /// The one of this build.
    pub fn get() -> &'static Stdlib {
        &STDLIB
    }

    /// The functions of a name that have a receiver.
    pub fn methods<'s>(&'s self, name: &str) -> impl Iterator<Item = &'s Arc<Signature>> {
        self.overloads(name)
            .filter(|(_, facts)| facts.method)
            .map(|(signature, _)| signature)
    }

    /// The functions of a name, each with what else is known of it.
    pub fn overloads<'s>(
        &'s self,
        name: &str,
    ) -> impl Iterator<Item = (&'s Arc<Signature>, &'s FunctionFacts)> {
        let functions = self.functions.get(name).map_or(&[][..], Vec::as_slice);
        functions
            .iter()
            .map(|function| (&function.signature, &function.facts))
    }

    /// Whether a name is that of an effect, however many names it has.
    pub fn is_effect(&self, name: &str) -> bool {
        match self.effects.get(name) {
            Some(effect) => effect.named.is_none() && effect.covers.is_empty(),
            None => self.effects.values().any(|effect| {
                effect.one_of.iter().any(|known| **known == *name)
                    || effect.named.as_deref().is_some_and(|form| {
                        form.split_once("::")
                            .is_some_and(|(kind, _)| name.split("::").next() == Some(kind))
                    })
            }),
        }
    }
}

impl StdlibDeclaration {
    /// The file, as it is called in `stdlib/`.
    pub fn file(&self) -> &'static str {
        SOURCES.get(self.source).map_or("", |source| source.name)
    }

    fn part(&self, start: usize, end: usize) -> &'static str {
        let text = SOURCES.get(self.source).map_or("", |source| source.text);
        text.get(start..end).unwrap_or("")
    }

    /// The line that it begins in, from 1.
    pub fn line(&self) -> usize {
        self.part(0, self.start)
            .bytes()
            .filter(|b| *b == b'\n')
            .count()
            + 1
    }

    /// The declaration as it is written, without its documentation.
    pub fn text(&self) -> &'static str {
        self.part(self.start, self.end)
    }

    /// Its documentation in Markdown.
    pub fn docs(&self) -> String {
        let mut docs = String::new();
        for line in self.part(self.docs_start, self.start).lines() {
            let Some(line) = line.trim_start().strip_prefix("///") else {
                continue;
            };
            if !docs.is_empty() {
                docs.push('\n');
            }
            docs.push_str(line.strip_prefix(' ').unwrap_or(line));
        }
        docs
    }

    /// The first sentence of its documentation.
    pub fn summary(&self) -> String {
        let docs = self.docs();
        let first = docs.split("\n\n").next().unwrap_or("").replace('\n', " ");
        match first.find(". ") {
            Some(end) => first.get(..end + 1).unwrap_or("").to_owned(),
            None => first,
        }
    }
}

//! The grammar file as data. Its notation is explained at its top.

mod read;

use std::collections::BTreeMap;

use crate::terminal::Terminal;

/// What can be wrong with a grammar file.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
pub enum EbnfError {
    /// The text is not in the notation.
    #[error("line {line}: expected {expected}, found {found}")]
    Unexpected {
        /// Counted from 1.
        line: usize,
        /// What may stand there.
        expected: &'static str,
        /// What does.
        found: String,
    },
    /// A rule or token that no production defines.
    #[error("line {line}: `{name}` is not defined")]
    Undefined {
        /// Counted from 1.
        line: usize,
        /// The name.
        name: String,
    },
    /// Two productions of one name.
    #[error("line {line}: `{name}` is defined twice")]
    Twice {
        /// Where the second one stands.
        line: usize,
        /// The name.
        name: String,
    },
    /// A rule that reads itself again before it has read a token.
    #[error("line {line}: `{name}` begins with itself")]
    LeftRecursive {
        /// Where it is defined.
        line: usize,
        /// The name.
        name: String,
    },
}

/// A place that an expression is read in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Place {
    /// Anywhere else.
    Plain,
    /// Between if, for, while or match and its `{`.
    Head,
    /// In a rule of a policy.
    Rule,
    /// The guard of a match arm.
    Arm,
}

/// One of a run of tokens that may not follow.
#[derive(Clone, Debug)]
pub struct Look {
    /// Any token but this one.
    pub not: bool,
    /// Only if it stands on the line of the token before.
    pub same: bool,
    /// The token.
    pub terminal: Terminal,
}

/// What is said about the tokens that follow.
#[derive(Clone, Debug)]
pub enum Mark {
    /// `~`: on the line of the token before.
    Same,
    /// `~{ … }`: the same for some tokens.
    SameIf(Vec<Terminal>),
    /// `~<place>`: the same in a place.
    SameIn(Place),
    /// `~~`: nothing in between.
    Glued,
    /// `^`: the first on its line.
    First,
    /// `!{ … }`: none of these runs of tokens.
    Not(Vec<Vec<Look>>),
    /// `<!place>`: not in this place.
    NotIn(Place),
}

/// The right side of a production.
#[derive(Clone, Debug)]
pub enum Expr {
    /// One of several. The number counts choices, options and repetitions of
    /// the whole file.
    Choice(usize, Vec<Expr>),
    /// One after the other.
    Sequence(Vec<Expr>),
    /// A token, or one of a set.
    Terminal(Terminal),
    /// A production by its number, in another place if one is given.
    Rule(usize, Option<Place>),
    /// `?`.
    Optional(usize, Box<Expr>),
    /// `*`, or `+` if at least one.
    Repeat(usize, Box<Expr>, bool),
    /// Takes no room.
    Mark(Mark),
}

/// A rule.
#[derive(Clone, Debug)]
pub struct Production {
    /// Its name.
    pub name: String,
    /// Where it is defined, counted from 1.
    pub line: usize,
    /// What it stands for.
    pub body: Expr,
}

/// A grammar file that has been read.
#[derive(Debug)]
pub struct Grammar {
    /// The rules, in the order of the file.
    pub productions: Vec<Production>,
    /// How many ways each choice, option or repetition has.
    pub ways: Vec<Way>,
    by_name: BTreeMap<String, usize>,
}

/// A choice, option or repetition, for counting what has been used.
#[derive(Clone, Debug)]
pub struct Way {
    /// In which production.
    pub production: String,
    /// How many ways it has: 2 for options (without, with) and repetitions.
    pub count: usize,
}

impl Grammar {
    /// Reads a grammar file.
    ///
    /// # Errors
    /// Where it is not in the notation, or names what it does not define.
    pub fn read(text: &str) -> Result<Grammar, EbnfError> {
        read::read(text)
    }

    /// The number of a rule.
    pub fn production(&self, name: &str) -> Option<usize> {
        self.by_name.get(name).copied()
    }
}

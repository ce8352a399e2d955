//! The registry: each kind of report has one code, one level, one title and
//! one page, declared in one place.

use std::sync::LazyLock;

/// Declares the codes of a family, each with its page, and the list of them.
macro_rules! codes {
    ($($id:ident $level:ident $title:literal)*) => {
        $(
            #[doc = $title]
            pub static $id: Code = Code {
                id: stringify!($id),
                level: Level::$level,
                title: $title,
                page: include_str!(concat!("../../docs/", stringify!($id), ".md")),
            };
        )*

        /// Every code of the family, in ascending order.
        pub static ALL: &[&Code] = &[$(&$id),*];
    };
}

pub mod across;
pub mod blocks;
pub mod bundles;
pub mod format;
pub mod names;
pub mod policies;
pub mod programs;
pub mod project;
pub mod references;
pub mod routes;
pub mod sandboxes;
pub mod schedules;
pub mod syntax;
pub mod types;

/// How bad it is. A warning never changes an exit code by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Level {
    /// The check fails.
    Error,
    /// The check passes; something is odd, or has no effect.
    Warning,
    /// Nothing is wrong; something could be left out. Editors show it faded, a
    /// check only when it is asked for.
    Hint,
}

impl Level {
    /// `error`, `warning` or `hint`, as every renderer prints it.
    pub fn word(self) -> &'static str {
        match self {
            Level::Error => "error",
            Level::Warning => "warning",
            Level::Hint => "hint",
        }
    }
}

/// A kind of report. Codes are stable: they are never given another meaning.
#[derive(Debug)]
pub struct Code {
    /// Family letter and number, e.g. `S0107`.
    pub id: &'static str,
    /// The level of every report of this kind.
    pub level: Level,
    /// What the kind is called, in a few words without a full stop.
    pub title: &'static str,
    /// The page `symbi explain` prints: Markdown with what it means, a failing
    /// example and the fixed one. Both are compiled by a test.
    pub page: &'static str,
}

impl PartialEq for Code {
    fn eq(&self, other: &Self) -> bool {
        self.id == other.id
    }
}

impl Eq for Code {}

/// The lists of the modules, in any order: a family may be spread over several
/// modules.
static LISTS: &[&[&Code]] = &[
    across::ALL,
    blocks::ALL,
    bundles::ALL,
    format::ALL,
    names::ALL,
    policies::ALL,
    programs::ALL,
    project::ALL,
    references::ALL,
    routes::ALL,
    sandboxes::ALL,
    schedules::ALL,
    syntax::ALL,
    types::ALL,
];

/// Every code, in ascending order.
pub fn all() -> impl Iterator<Item = &'static Code> {
    static SORTED: LazyLock<Vec<&'static Code>> = LazyLock::new(|| {
        let mut all: Vec<&'static Code> = LISTS.iter().copied().flatten().copied().collect();
        all.sort_by_key(|code| code.id);
        all
    });
    SORTED.iter().copied()
}

/// The code with this id; upper and lower case are the same.
pub fn find(id: &str) -> Option<&'static Code> {
    all().find(|code| code.id.eq_ignore_ascii_case(id))
}

//! Two declarations of one name in one scope.

use symbi_diagnostics::{Diagnostic, across as codes};

use crate::declaration::Kind;

/// The report at the second of two agents, functions or types of one name.
pub(crate) fn duplicate<P>(kind: Kind, name: &str, second: P, first: P) -> Diagnostic<P> {
    let word = kind.word();
    Diagnostic::new(
        &codes::N0201,
        second,
        format!("there is a second {word} `{name}`"),
    )
    .label("declared again here")
    .note(first, format!("`{name}` is declared here first"))
    .help(format!(
        "rename one of the two: a {word}'s name stands for one {word}"
    ))
}

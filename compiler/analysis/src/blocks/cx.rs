//! What the checks of a block have at hand.

use symbi_diagnostics::{Code, Diagnostic, Edit, blocks as codes};
pub(super) use symbi_mini::quote as quoted;
use symbi_syntax::ast::{AstNode, Expr};
use symbi_syntax::{NodeRef, Place};

use super::plain::Plain;
use crate::findings::{Findings, at_node};
use crate::program::Program;

/// The program around a block, and where reports go.
pub(super) struct Cx<'p> {
    pub program: &'p dyn Program,
    pub findings: &'p mut Findings,
}

impl Cx<'_> {
    pub fn report(&mut self, report: Diagnostic<Place>) {
        self.findings.report(report);
    }

    /// A report about something that is missing in a block: not where the
    /// block could not be read as a whole.
    pub fn missing(&mut self, node: NodeRef<'_>, report: Diagnostic<Place>) {
        if !node.item().problems().iter().any(Diagnostic::is_error) {
            self.report(report);
        }
    }

    /// A value of the wrong type. What was reported already is left alone.
    pub fn wrong_type(&mut self, key: &str, value: Expr<'_>, found: &Plain<'_>, wanted: &str) {
        if matches!(found, Plain::Unread | Plain::Computed) {
            return;
        }
        let report = wrong_type(key, value, found, wanted);
        self.report(report);
    }
}

/// The report about a value of the wrong type.
pub(super) fn wrong_type(
    key: &str,
    value: Expr<'_>,
    found: &Plain<'_>,
    wanted: &str,
) -> Diagnostic<Place> {
    Diagnostic::new(
        &codes::B0708,
        at_node(value.node()),
        format!("`{key}` takes {wanted}, and this is {}", found.describe()),
    )
}

/// A report at a value.
pub(super) fn at_value(
    code: &'static Code,
    value: Expr<'_>,
    message: impl Into<String>,
) -> Diagnostic<Place> {
    Diagnostic::new(code, at_node(value.node()), message)
}

/// One replacement of a whole value.
pub(super) fn instead(value: Expr<'_>, text: impl Into<String>) -> Vec<Edit<Place>> {
    vec![Edit {
        at: at_node(value.node()),
        text: text.into(),
    }]
}

/// A misspelt word, with the right one as its fix.
pub(super) fn misspelt(
    code: &'static Code,
    at: Place,
    message: impl Into<String>,
    known: &str,
) -> Diagnostic<Place> {
    Diagnostic::new(code, at, message)
        .help(format!("did you mean `{known}`?"))
        .fix(
            format!("write `{known}`"),
            vec![Edit {
                at,
                text: known.to_owned(),
            }],
        )
}

/// `` `a`, `b` or `c` ``.
pub(super) fn any_of(words: &[&str]) -> String {
    let words: Vec<String> = words.iter().map(|word| quoted(word)).collect();
    match words.as_slice() {
        [] => String::new(),
        [one] => one.clone(),
        [first @ .., last] => format!("{} or {last}", first.join(", ")),
    }
}

/// A length of time in at most two units: `83 h 20 min`.
pub(super) fn in_words(nanos: i128) -> String {
    const UNITS: [(&str, i128); 4] = [
        ("h", 3_600_000_000_000),
        ("min", 60_000_000_000),
        ("s", 1_000_000_000),
        ("ms", 1_000_000),
    ];
    let mut rest = nanos.abs();
    let mut parts = Vec::new();
    for (unit, size) in UNITS {
        let count = rest / size;
        rest %= size;
        if count > 0 && parts.len() < 2 {
            parts.push(format!("{count} {unit}"));
        } else if !parts.is_empty() {
            break;
        }
    }
    match parts.is_empty() {
        true => "0 s".to_owned(),
        false => parts.join(" "),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_told_in_two_units() {
        let second = 1_000_000_000;
        let table = [
            (300_000 * second, "83 h 20 min"),
            (300 * second, "5 min"),
            (3_605 * second, "1 h"),
            (500_000_000, "500 ms"),
            (0, "0 s"),
        ];
        for (nanos, expected) in table {
            assert_eq!(in_words(nanos), expected);
        }
    }
}

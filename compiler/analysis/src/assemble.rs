//! From what was found about the items of a file to what is shown about it.

use std::collections::HashSet;

use symbi_diagnostics::{Diagnostic, Span};
use symbi_syntax::{Item, Place, token_spans};

use crate::allow;
use crate::findings::Findings;

/// A place in an item of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FilePlace {
    /// Which item, counted from the start of the file.
    pub item: u32,
    /// Where in it.
    pub place: Place,
}

/// One item with what was found about it.
pub(crate) struct Checked<'f> {
    pub item: &'f Item,
    pub span: Span,
    pub findings: &'f Findings,
}

/// All reports about a file in the order of their places.
///
/// `problems` are about the file as a whole, `across` come from comparing
/// items and files.
pub(crate) fn assemble(
    text: &str,
    items: &[Checked<'_>],
    problems: &[Diagnostic],
    across: &[Diagnostic<FilePlace>],
) -> Vec<Diagnostic> {
    let mut spans: Vec<Option<Vec<Span>>> = vec![None; items.len()];
    let mut spans_of = |item: usize| -> Vec<Span> {
        let known = spans[item].get_or_insert_with(|| token_spans(text, items[item].span));
        known.clone()
    };
    let mut all: Vec<Diagnostic> = problems.to_vec();
    for (index, checked) in items.iter().enumerate() {
        if !checked.item.problems().is_empty() {
            let spans = spans_of(index);
            let resolved = checked.item.problems().iter().cloned();
            all.extend(resolved.map(|problem| problem.map(|place| place.resolve(&spans))));
        }
    }
    // What could not be read is reported once: nothing is said about its
    // meaning.
    let unread: Vec<Span> = all
        .iter()
        .filter(|report| report.is_error())
        .map(|report| report.primary.at)
        .collect();
    let mut keys: HashSet<&str> = HashSet::new();
    let mut found = Vec::new();
    for (index, checked) in items.iter().enumerate() {
        let findings = checked.findings;
        if findings.reports.is_empty() && findings.once_a_file.is_empty() {
            continue;
        }
        let spans = spans_of(index);
        let once = findings
            .once_a_file
            .iter()
            .filter(|(key, _)| keys.insert(key))
            .map(|(_, report)| report);
        for report in findings.reports.iter().chain(once) {
            found.push(report.clone().map(|place| place.resolve(&spans)));
        }
    }
    for report in across {
        let report = report.clone();
        found.push(report.map(|at| match items.get(at.item as usize) {
            Some(_) => at.place.resolve(&spans_of(at.item as usize)),
            None => Span::at(0),
        }));
    }
    if !unread.is_empty() {
        found.retain(|report| {
            let at = report.primary.at;
            !unread
                .iter()
                .any(|span| at.start < span.end && span.start < at.end)
        });
    }
    all.extend(found);
    allow::apply(text, items, &mut all);
    all.sort_by_key(|report| {
        let id = report.code.id;
        // Of two things that are missing in one place a bracket comes first:
        // `g(x` lacks `)` and then `;`.
        (report.primary.at, id != "S0112", id)
    });
    all
}

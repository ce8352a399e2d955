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
    let mut spans = Places {
        text,
        items,
        known: vec![None; items.len()],
    };
    let mut all: Vec<Diagnostic> = problems.to_vec();
    for (index, checked) in items.iter().enumerate() {
        if !checked.item.problems().is_empty() {
            let spans = spans.of(index);
            let resolved = checked.item.problems().iter().cloned();
            all.extend(resolved.map(|problem| problem.map(|place| place.resolve(spans))));
        }
    }
    // What could not be read is reported once: nothing is said about its
    // meaning.
    let unread = Unread::new(&all);
    let mut keys: HashSet<&str> = HashSet::new();
    let mut found = Vec::new();
    for (index, checked) in items.iter().enumerate() {
        let findings = checked.findings;
        if findings.reports.is_empty() && findings.once_a_file.is_empty() {
            continue;
        }
        let spans = spans.of(index);
        let once = findings
            .once_a_file
            .iter()
            .filter(|(key, _)| keys.insert(key))
            .map(|(_, report)| report);
        for report in findings.reports.iter().chain(once) {
            found.push(report.clone().map(|place| place.resolve(spans)));
        }
    }
    for report in across {
        let report = report.clone();
        found.push(report.map(|at| match items.get(at.item as usize) {
            Some(_) => at.place.resolve(spans.of(at.item as usize)),
            None => Span::at(0),
        }));
    }
    found.retain(|report| !unread.touches(report.primary.at));
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

/// Where the tokens of items stand, found for those that are asked for.
struct Places<'f> {
    text: &'f str,
    items: &'f [Checked<'f>],
    known: Vec<Option<Vec<Span>>>,
}

impl Places<'_> {
    fn of(&mut self, item: usize) -> &[Span] {
        let part = self.items[item].span;
        self.known[item].get_or_insert_with(|| token_spans(self.text, part))
    }
}

/// The places of errors, to be asked in any order.
struct Unread {
    /// By their starts.
    spans: Vec<Span>,
    /// For each of them, the furthest end up to it.
    furthest: Vec<u32>,
}

impl Unread {
    fn new(reports: &[Diagnostic]) -> Self {
        let errors = reports.iter().filter(|report| report.is_error());
        let mut spans: Vec<Span> = errors.map(|report| report.primary.at).collect();
        spans.sort();
        let furthest = spans
            .iter()
            .scan(0, |furthest, span| {
                *furthest = span.end.max(*furthest);
                Some(*furthest)
            })
            .collect();
        Unread { spans, furthest }
    }

    /// Whether one of them has a part of this place.
    fn touches(&self, at: Span) -> bool {
        let before = self.spans.partition_point(|span| span.start < at.end);
        before > 0 && self.furthest[before - 1] > at.start
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use symbi_diagnostics::syntax;

    #[test]
    fn an_error_is_found_by_any_part_of_its_place() {
        let places = [(10, 40), (12, 14), (50, 50), (60, 61)];
        let reports: Vec<Diagnostic> = places
            .iter()
            .map(|&(start, end)| Diagnostic::new(&syntax::S0107, Span::new(start, end), "x"))
            .collect();
        let unread = Unread::new(&reports);
        for start in 0..70 {
            for end in start..70 {
                let expected = places.iter().any(|&(s, e)| start < e && s < end);
                let found = unread.touches(Span::new(start, end));
                assert_eq!(found, expected, "{start}..{end}");
            }
        }
        assert!(!Unread::new(&[]).touches(Span::new(0, 9)));
    }
}

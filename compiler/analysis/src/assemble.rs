//! From what was found about the items of a file to what is shown about it.

use std::collections::HashMap;

use symbi_diagnostics::{Diagnostic, Span};
use symbi_syntax::{Item, Place, token_spans};

use crate::allow;
use crate::findings::{Findings, moved};

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
    let mut all = gathered(text, items, problems, across);
    let said = allow::apply(text, items, &mut all);
    let mut all: Vec<Diagnostic> = all.into_iter().map(|found| found.report).collect();
    all.extend(said);
    all.sort_by_key(|report| {
        let id = report.code.id;
        // Of two things that are missing in one place a bracket comes first:
        // `g(x` lacks `)` and then `;`.
        (report.primary.at, id != "S0112", id)
    });
    all
}

/// All reports about a file, those that comments hide included.
pub(crate) fn assemble_hidden(
    text: &str,
    items: &[Checked<'_>],
    problems: &[Diagnostic],
    across: &[Diagnostic<FilePlace>],
) -> Vec<Diagnostic> {
    let all = gathered(text, items, problems, across);
    all.into_iter().map(|found| found.report).collect()
}

fn gathered(
    text: &str,
    items: &[Checked<'_>],
    problems: &[Diagnostic],
    across: &[Diagnostic<FilePlace>],
) -> Vec<Found> {
    let mut spans = Places {
        text,
        items,
        known: vec![None; items.len()],
    };
    let mut all: Vec<Found> = problems.iter().cloned().map(Found::once).collect();
    for (index, checked) in items.iter().enumerate() {
        if !checked.item.problems().is_empty() {
            let spans = spans.of(index);
            let resolved = checked.item.problems().iter().cloned();
            let resolved = resolved.map(|problem| problem.map(|place| place.resolve(spans)));
            all.extend(resolved.map(Found::once));
        }
    }
    // What could not be read is reported once: nothing is said about its
    // meaning.
    let unread = Unread::new(errors(&all));
    let mut keys: HashMap<&str, usize> = HashMap::new();
    let mut found: Vec<Found> = Vec::new();
    for (index, checked) in items.iter().enumerate() {
        let findings = checked.findings;
        if findings.reports.is_empty() && findings.repeated.is_empty() {
            continue;
        }
        let spans = spans.of(index);
        for report in &findings.reports {
            let report = report.clone().map(|place| place.resolve(spans));
            found.push(Found::once(report));
        }
        for repeated in &findings.repeated {
            let also = repeated.also.iter().map(|place| place.resolve(spans));
            let known = match repeated.in_file {
                true => keys.get(&*repeated.key).copied(),
                false => None,
            };
            if let Some(known) = known {
                let first = repeated.report.primary.at.resolve(spans);
                found[known].also.push(first);
                found[known].also.extend(also);
                continue;
            }
            if repeated.in_file {
                keys.insert(&repeated.key, found.len());
            }
            found.push(Found {
                also: also.collect(),
                report: (repeated.report.clone()).map(|place| place.resolve(spans)),
            });
        }
    }
    for report in across {
        let report = report.clone();
        let report = report.map(|at| match items.get(at.item as usize) {
            Some(_) => at.place.resolve(spans.of(at.item as usize)),
            None => Span::at(0),
        });
        found.push(Found::once(report));
    }
    found.retain_mut(|found| found.retain(|at| !unread.touches(at)));
    all.extend(found);
    all
}

/// A report, and where else in the file it holds.
pub(crate) struct Found {
    /// The report at the first of its places.
    pub report: Diagnostic,
    /// Its other places.
    pub also: Vec<Span>,
}

impl Found {
    fn once(report: Diagnostic) -> Self {
        Found {
            report,
            also: Vec::new(),
        }
    }

    /// Keeps some of the places, with the report at the first of them. Whether
    /// any is left.
    pub(crate) fn retain(&mut self, keep: impl Fn(Span) -> bool) -> bool {
        if self.also.is_empty() {
            return keep(self.report.primary.at);
        }
        self.also.push(self.report.primary.at);
        self.also.retain(|at| keep(*at));
        self.also.sort_unstable();
        self.also.dedup();
        let Some(first) = self.also.first().copied() else {
            return false;
        };
        self.also.remove(0);
        if first != self.report.primary.at {
            self.report = moved(&self.report, first);
        }
        true
    }
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

/// Where errors are.
fn errors(found: &[Found]) -> impl Iterator<Item = Span> {
    let errors = found.iter().filter(|found| found.report.is_error());
    errors.map(|found| found.report.primary.at)
}

/// The places of errors, to be asked in any order.
struct Unread {
    /// By their starts.
    spans: Vec<Span>,
    /// For each of them, the furthest end up to it.
    furthest: Vec<u32>,
}

impl Unread {
    fn new(errors: impl Iterator<Item = Span>) -> Self {
        let mut spans: Vec<Span> = errors.collect();
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

    #[test]
    fn an_error_is_found_by_any_part_of_its_place() {
        let places = [(10, 40), (12, 14), (50, 50), (60, 61)];
        let unread = Unread::new(places.iter().map(|&(start, end)| Span::new(start, end)));
        for start in 0..70 {
            for end in start..70 {
                let expected = places.iter().any(|&(s, e)| start < e && s < end);
                let found = unread.touches(Span::new(start, end));
                assert_eq!(found, expected, "{start}..{end}");
            }
        }
        assert!(!Unread::new([].into_iter()).touches(Span::new(0, 9)));
    }
}

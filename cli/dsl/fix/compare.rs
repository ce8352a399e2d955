//! What there is to say about a text that was not said about it before it was
//! edited.

use std::collections::HashMap;

use symbi_diagnostics::Diagnostic;

/// A text and what there is to say about it.
#[derive(Clone, Copy)]
pub struct Said<'t> {
    /// The text.
    pub text: &'t str,
    /// The reports.
    pub reports: &'t [Diagnostic],
}

/// The errors and warnings that are new. One is known if there was one of its
/// code with its message or with the text that it marks, wherever that stood;
/// each stands for one. Hints do not count.
pub fn fresh<'t>(before: Said<'_>, after: Said<'t>) -> Vec<&'t Diagnostic> {
    let mut left: Vec<&Diagnostic> = after.reports.iter().filter(|it| !it.is_hint()).collect();
    let mut known: Vec<&Diagnostic> = before.reports.iter().filter(|it| !it.is_hint()).collect();
    // What is the same in all is taken first, so that it is not taken for
    // something that is the same in part.
    for view in [whole, by_message, by_mark] {
        if left.is_empty() {
            break;
        }
        let mut counts: HashMap<View<'_>, usize> = HashMap::new();
        for report in &left {
            *counts.entry(view(after.text, report)).or_default() += 1;
        }
        // How many of each there were, as far as they are needed.
        let mut taken: HashMap<View<'_>, usize> = HashMap::new();
        known.retain(|report| {
            let view = view(before.text, report);
            match counts.get_mut(&view) {
                Some(count) if *count > 0 => {
                    *count -= 1;
                    *taken.entry(view).or_default() += 1;
                    false
                }
                _ => true,
            }
        });
        left.retain(|report| match taken.get_mut(&view(after.text, report)) {
            Some(count) if *count > 0 => {
                *count -= 1;
                false
            }
            _ => true,
        });
    }
    left
}

/// Code, message, marked text.
type View<'t> = (&'static str, &'t str, &'t str);

fn whole<'t>(text: &'t str, report: &'t Diagnostic) -> View<'t> {
    let marked = text.get(report.primary.at.range()).unwrap_or_default();
    (report.code.id, &report.message, marked)
}

fn by_message<'t>(_: &'t str, report: &'t Diagnostic) -> View<'t> {
    (report.code.id, &report.message, "")
}

fn by_mark<'t>(text: &'t str, report: &'t Diagnostic) -> View<'t> {
    let (code, _, marked) = whole(text, report);
    (code, "", marked)
}

#[cfg(test)]
mod tests {
    use super::*;
    use symbi_diagnostics::{Span, names, syntax};

    /// Reports about single letters of a text, each `letter message`.
    fn reports(text: &str, said: &[&str]) -> Vec<Diagnostic> {
        let report = |said: &&str| {
            let (letter, message) = said.split_once(' ').unwrap();
            let at = text.find(letter).unwrap() as u32;
            Diagnostic::new(&syntax::S0107, Span::new(at, at + 1), message)
        };
        said.iter().map(report).collect()
    }

    #[test]
    fn a_report_is_known_by_its_message_or_by_what_it_marks() {
        let table: [(&[&str], &[&str], &[&str]); 7] = [
            (&["a one"], &["a one"], &[]),
            (&["a one"], &["b one"], &[]),
            (&["a one"], &["a two"], &[]),
            (&["a one"], &["b two"], &["two"]),
            // Each stands for one.
            (&["a one"], &["a one", "a one"], &["one"]),
            (&["a one", "b two"], &["a two", "b three"], &["three"]),
            (&["a one", "a two"], &[], &[]),
        ];
        for (before, after, expected) in table {
            let (old, new) = ("abc", "..abc");
            let before = reports(old, before);
            let after = reports(new, after);
            let found = fresh(
                Said {
                    text: old,
                    reports: &before,
                },
                Said {
                    text: new,
                    reports: &after,
                },
            );
            let found: Vec<&str> = found.iter().map(|it| &*it.message).collect();
            assert_eq!(found, expected, "{before:?} {after:?}");
        }
    }

    #[test]
    fn hints_are_not_new_errors() {
        let hint = [Diagnostic::new(&names::N0240, Span::at(0), "unused")];
        let nothing = Said {
            text: "",
            reports: &[],
        };
        assert!(
            fresh(
                nothing,
                Said {
                    text: "",
                    reports: &hint
                }
            )
            .is_empty()
        );
    }
}

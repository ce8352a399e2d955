//! Which of the fixes that reports offer are applied together.

use std::collections::BTreeMap;

use symbi_diagnostics::{Applicability, Code, Diagnostic, Edit, Span};
use symbi_syntax::SyntaxKind;

/// A fix to be applied.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Candidate {
    /// What it mends.
    pub code: &'static Code,
    /// The report about that.
    pub message: String,
    /// What it does.
    pub title: String,
    /// Where the report is.
    pub at: Span,
    /// Ascending, not overlapping.
    pub edits: Vec<Edit>,
}

/// Fixes of a text that do not get in each other's way, by their places. Of
/// two that do, the first is taken: the other comes again if it is still
/// needed. `left_out` tells which shall not be taken at all.
pub fn choose(
    text: &str,
    reports: &[Diagnostic],
    left_out: impl Fn(&Candidate) -> bool,
) -> Vec<Candidate> {
    let end = line_end(text);
    let mut all: Vec<Candidate> = reports
        .iter()
        .filter_map(|report| candidate(report, end))
        .filter(|candidate| !left_out(candidate) && changes(text, candidate))
        .collect();
    all.sort_by_key(|candidate| (candidate.edits[0].at, candidate.at));
    let mut taken = Taken::default();
    all.retain(|candidate| taken.take(&candidate.edits));
    all
}

fn candidate(report: &Diagnostic, line_end: &str) -> Option<Candidate> {
    let fix = report.fix.as_ref()?;
    if fix.applicability != Applicability::MachineApplicable {
        return None;
    }
    let mut edits = fix.edits.clone();
    edits.retain(|edit| edit.at.start < edit.at.end || !edit.text.is_empty());
    edits.sort_by_key(|edit| edit.at);
    let apart = |pair: &[Edit]| pair[0].at.end <= pair[1].at.start;
    if edits.is_empty() || !edits.windows(2).all(apart) {
        // A fault of whoever made it; what it means, nobody can know.
        return None;
    }
    if line_end != "\n" {
        for edit in &mut edits {
            edit.text = edit.text.replace('\n', line_end);
        }
    }
    Some(Candidate {
        code: report.code,
        message: report.message.clone(),
        title: fix.title.clone(),
        at: report.primary.at,
        edits,
    })
}

/// Where the comments of a source stand.
pub fn comments(text: &str) -> Vec<Span> {
    let comment = |kind| matches!(kind, SyntaxKind::LineComment | SyntaxKind::BlockComment);
    symbi_syntax::lex(text)
        .into_iter()
        .filter(|(kind, _)| comment(*kind))
        .map(|(_, span)| span)
        .collect()
}

impl Candidate {
    /// The first of these comments that it would take away.
    pub fn loses(&self, text: &str, comments: &[Span]) -> Option<Span> {
        self.edits.iter().find_map(|edit| {
            let from = comments.partition_point(|comment| comment.start < edit.at.start);
            let inside = comments[from..]
                .iter()
                .take_while(|it| it.end <= edit.at.end);
            let mut lost = inside.filter(|it| !edit.text.contains(&text[it.range()]));
            lost.next().copied()
        })
    }
}

/// Whether the text is another one after it.
fn changes(text: &str, candidate: &Candidate) -> bool {
    let mut edits = candidate.edits.iter();
    edits.any(|edit| text.get(edit.at.range()) != Some(&edit.text))
}

/// How the first line of a text ends.
fn line_end(text: &str) -> &'static str {
    let text = text.as_bytes();
    match text.iter().position(|byte| matches!(byte, b'\n' | b'\r')) {
        Some(at) if text[at] == b'\r' && text.get(at + 1) == Some(&b'\n') => "\r\n",
        Some(at) if text[at] == b'\r' => "\r",
        _ => "\n",
    }
}

/// The places that edits are already going to change: their ends by their
/// starts.
#[derive(Default)]
struct Taken(BTreeMap<u32, u32>);

impl Taken {
    /// Takes all these places, unless one of them is taken.
    fn take(&mut self, edits: &[Edit]) -> bool {
        let free = edits.iter().all(|edit| self.is_free(edit.at));
        if free {
            let places = edits.iter().map(|edit| (edit.at.start, edit.at.end));
            self.0.extend(places);
        }
        free
    }

    /// Parts may touch; but where something is inserted, nothing else may
    /// begin or end, because nobody knows what belongs first.
    fn is_free(&self, at: Span) -> bool {
        let before = self.0.range(..=at.start).next_back();
        let after = self.0.range(at.start..).next();
        before.into_iter().chain(after).all(|(&start, &end)| {
            if at.start == at.end || start == end {
                at.end < start || end < at.start
            } else {
                at.end <= start || end <= at.start
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use symbi_diagnostics::syntax;

    fn report(edits: &[(u32, u32, &str)]) -> Diagnostic {
        let edits: Vec<Edit> = edits
            .iter()
            .map(|&(start, end, text)| Edit {
                at: Span::new(start, end),
                text: text.to_owned(),
            })
            .collect();
        Diagnostic::new(&syntax::S0107, edits[0].at, "m").fix("t", edits)
    }

    /// The starts of the fixes that are chosen.
    fn starts(reports: &[Diagnostic]) -> Vec<u32> {
        let chosen = choose("0123456789", reports, |_| false);
        chosen.iter().map(|it| it.edits[0].at.start).collect()
    }

    #[test]
    fn of_fixes_that_overlap_the_first_by_place_is_taken() {
        let one = |start, end| report(&[(start, end, "x")]);
        let table: [(&[Diagnostic], &[u32]); 8] = [
            (&[one(4, 6), one(0, 3)], &[0, 4]),
            (&[one(4, 6), one(2, 5)], &[2]),
            // Parts that touch, and insertions where something begins or ends.
            (&[one(2, 4), one(4, 6)], &[2, 4]),
            (&[one(2, 4), one(4, 4)], &[2]),
            (&[one(4, 4), one(4, 6)], &[4]),
            (&[one(4, 4), one(4, 4)], &[4]),
            // Within another's parts, but between them.
            (&[report(&[(0, 1, ""), (8, 9, "")]), one(3, 4)], &[0, 3]),
            (&[report(&[(0, 1, ""), (8, 9, "")]), one(7, 9)], &[0]),
        ];
        for (reports, expected) in table {
            assert_eq!(starts(reports), expected, "{reports:?}");
        }
    }

    #[test]
    fn only_what_a_tool_may_apply_unasked_and_what_changes_something_is_taken() {
        let mut maybe = report(&[(0, 1, "x")]);
        if let Some(fix) = &mut maybe.fix {
            fix.applicability = Applicability::MaybeIncorrect;
        }
        assert_eq!(starts(&[maybe, report(&[(2, 4, "23")])]), [0; 0]);
        assert_eq!(starts(&[report(&[(2, 4, "24")])]), [2]);
        let refused = choose("0123", &[report(&[(2, 4, "24")])], |it| it.at.start == 2);
        assert_eq!(refused, []);
    }

    #[test]
    fn a_comment_that_would_go_is_found() {
        let text = "a /* x */ b // y";
        let comments = comments(text);
        let lost = |start, end, new| {
            let chosen = choose(text, &[report(&[(start, end, new)])], |_| false);
            chosen[0].loses(text, &comments)
        };
        assert_eq!(lost(0, 1, "c"), None);
        assert_eq!(lost(0, 11, "c"), Some(Span::new(2, 9)));
        assert_eq!(lost(0, 11, "c /* x */"), None);
        assert_eq!(lost(2, 9, ""), Some(Span::new(2, 9)));
        assert_eq!(lost(10, 16, ""), Some(Span::new(12, 16)));
    }

    #[test]
    fn new_lines_end_as_the_others_do() {
        for (text, expected) in [
            ("a\nb", "x\ny"),
            ("a\r\nb", "x\r\ny"),
            ("a\rb", "x\ry"),
            ("ab", "x\ny"),
        ] {
            let chosen = choose(text, &[report(&[(0, 1, "x\ny")])], |_| false);
            assert_eq!(chosen[0].edits[0].text, expected);
        }
    }
}

//! Unified diffs, as `patch` and people read them.
//!
//! Which lines belong together is known from the edits, so that no search
//! through the whole file is needed: a search costs the product of what
//! differs, and in a file that is laid out anew everything does. It is left for
//! the few lines between two places that are known to be the same.

use similar::{Algorithm, DiffOp, DiffTag, capture_diff_slices, group_diff_ops};
use symbi_diagnostics::Edit;

use crate::output::{BOLD, CYAN, GREEN, RED, paint};

/// Unchanged lines around a change.
const CONTEXT: usize = 3;
/// Lines of either text that are searched together.
const TOGETHER: usize = 100;

/// The diff from one text to another, which the edits make of it.
pub fn unified<'e>(
    name: &str,
    old: &str,
    edits: impl IntoIterator<Item = &'e Edit>,
    new: &str,
    colour: bool,
) -> String {
    // `patch` ends a name at a tab, and guesses where there is none.
    let tab = if name.contains(' ') { "\t" } else { "" };
    let mut out = String::new();
    for sign in ["---", "+++"] {
        out.push_str(&paint(&format!("{sign} {name}{tab}"), BOLD, colour));
        out.push('\n');
    }
    // Only line feeds end a line for `patch`.
    let olds: Vec<&str> = old.split_inclusive('\n').collect();
    let news: Vec<&str> = new.split_inclusive('\n').collect();
    let ops = Ops::new(&olds, &news).read(old, edits);
    for hunk in group_diff_ops(ops, CONTEXT) {
        if hunk.iter().all(|op| op.tag() == DiffTag::Equal) {
            continue;
        }
        let header = similar::udiff::UnifiedHunkHeader::new(&hunk).to_string();
        out.push_str(&paint(&header, CYAN, colour));
        out.push('\n');
        for op in hunk {
            let (_, gone, come) = op.as_tag_tuple();
            if op.tag() == DiffTag::Equal {
                lines(&mut out, ' ', &olds[gone], None);
            } else {
                lines(&mut out, '-', &olds[gone], colour.then_some(RED));
                lines(&mut out, '+', &news[come], colour.then_some(GREEN));
            }
        }
    }
    out
}

fn lines(out: &mut String, sign: char, lines: &[&str], style: Option<&str>) {
    for line in lines {
        let (text, end) = match line.strip_suffix('\n') {
            Some(text) => (text, "\n"),
            None => (*line, "\n\\ No newline at end of file\n"),
        };
        match style {
            Some(style) => out.push_str(&paint(&format!("{sign}{text}"), style, true)),
            None => {
                out.push(sign);
                out.push_str(text);
            }
        }
        out.push_str(end);
    }
}

/// The lines of two texts that are read side by side.
struct Ops<'t> {
    olds: &'t [&'t str],
    news: &'t [&'t str],
    ops: Vec<DiffOp>,
    /// The lines from which on nothing is decided yet.
    from: (usize, usize),
    /// The lines that are being read.
    at: (usize, usize),
}

impl<'t> Ops<'t> {
    fn new(olds: &'t [&'t str], news: &'t [&'t str]) -> Self {
        Self {
            olds,
            news,
            ops: Vec::new(),
            from: (0, 0),
            at: (0, 0),
        }
    }

    fn read<'e>(mut self, old: &str, edits: impl IntoIterator<Item = &'e Edit>) -> Vec<DiffOp> {
        let mut read = 0;
        for edit in edits {
            let gap = edit.at.range();
            self.same(&old[read..gap.start]);
            self.changed(&old[gap.clone()], &edit.text);
            read = gap.end;
        }
        self.same(&old[read..]);
        self.decide((self.olds.len(), self.news.len()));
        self.ops
    }

    /// A part that stays.
    fn same(&mut self, text: &str) {
        let ends = text.matches('\n').count();
        let (old, new) = self.at;
        self.at = (old + ends, new + ends);
        // Between its first line end and its last one there are whole lines.
        if ends > 1 {
            self.decide((old + 1, new + 1));
            self.push(DiffOp::Equal {
                old_index: old + 1,
                new_index: new + 1,
                len: ends - 1,
            });
            self.from = self.at;
        }
    }

    /// A part that becomes another one.
    fn changed(&mut self, old: &str, new: &str) {
        let ends = (old.matches('\n').count(), new.matches('\n').count());
        self.at = (self.at.0 + ends.0, self.at.1 + ends.1);
        // Behind it both texts have the same token. If it begins a line in
        // both, the texts can be parted here.
        let far = self.at.0 - self.from.0 > TOGETHER || self.at.1 - self.from.1 > TOGETHER;
        if ends.0 > 0 && ends.1 > 0 && far {
            self.decide(self.at);
        }
    }

    /// Searches the undecided lines up to a pair of lines.
    fn decide(&mut self, to: (usize, usize)) {
        let (old, new) = self.from;
        let olds = &self.olds[old..to.0];
        let news = &self.news[new..to.1];
        self.from = to;
        if olds.len() + news.len() > 8 * TOGETHER {
            // One line that becomes thousands: there is nothing to be found.
            return self.push(DiffOp::Replace {
                old_index: old,
                old_len: olds.len(),
                new_index: new,
                new_len: news.len(),
            });
        }
        for mut op in capture_diff_slices(Algorithm::Myers, olds, news) {
            match &mut op {
                DiffOp::Equal {
                    old_index,
                    new_index,
                    ..
                }
                | DiffOp::Delete {
                    old_index,
                    new_index,
                    ..
                }
                | DiffOp::Insert {
                    old_index,
                    new_index,
                    ..
                }
                | DiffOp::Replace {
                    old_index,
                    new_index,
                    ..
                } => {
                    *old_index += old;
                    *new_index += new;
                }
            }
            self.push(op);
        }
    }

    /// Equal lines that follow each other are one: the context is counted so.
    fn push(&mut self, op: DiffOp) {
        if let (Some(DiffOp::Equal { len: before, .. }), DiffOp::Equal { len, .. }) =
            (self.ops.last_mut(), &op)
        {
            *before += len;
        } else {
            self.ops.push(op);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use symbi_diagnostics::Span;

    fn edit(start: u32, end: u32, text: &str) -> Edit {
        Edit {
            at: Span::new(start, end),
            text: text.to_owned(),
        }
    }

    fn apply(old: &str, edits: &[Edit]) -> String {
        let mut new = old.to_owned();
        for edit in edits.iter().rev() {
            new.replace_range(edit.at.range(), &edit.text);
        }
        new
    }

    fn diff(old: &str, edits: &[Edit]) -> String {
        unified("x", old, edits, &apply(old, edits), false)
    }

    #[test]
    fn changes_stand_among_three_lines_of_context() {
        let old = "1\n2\n3\n4\n 5\n6\n7\n8\n9\n10\n11\n12\n13\n 14\n";
        let edits = [edit(7, 9, "\n"), edit(30, 32, "\n")];
        assert_eq!(
            diff(old, &edits),
            "--- x\n+++ x\n\
             @@ -2,7 +2,7 @@\n 2\n 3\n 4\n- 5\n+5\n 6\n 7\n 8\n\
             @@ -11,4 +11,4 @@\n 11\n 12\n 13\n- 14\n+14\n"
        );
    }

    #[test]
    fn a_missing_line_feed_is_told() {
        assert_eq!(
            diff("a  b", &[edit(1, 3, " "), edit(4, 4, "\n")]),
            "--- x\n+++ x\n@@ -1 +1 @@\n-a  b\n\\ No newline at end of file\n+a b\n"
        );
    }

    #[test]
    fn all_that_goes_is_told_too() {
        assert_eq!(
            diff("\n\n", &[edit(0, 2, "")]),
            "--- x\n+++ x\n@@ -1,2 +0,0 @@\n-\n-\n"
        );
    }

    #[test]
    fn lines_that_all_change_are_compared_in_linear_time() {
        // A search through both at once takes minutes for this.
        let count = 40_000;
        let old: String = (0..count).map(|n| format!("a{n};\n\n")).collect();
        let mut edits = Vec::new();
        for (at, _) in old.match_indices("\n\n") {
            if at + 2 < old.len() {
                edits.push(edit(at as u32, at as u32 + 2, "\n\n    "));
            }
        }
        let diff = diff(&old, &edits);
        let lines = |sign| diff.lines().filter(|line| line.starts_with(sign)).count();
        // The signs of the head are counted too. Blank lines and the first stay.
        assert_eq!((lines('-'), lines('+')), (count, count));
        assert_eq!(lines(' '), count + 1);
    }

    #[test]
    fn one_line_may_become_thousands() {
        let old = "x ".repeat(50_000);
        let edits: Vec<Edit> = (0..50_000)
            .map(|n| edit(2 * n + 1, 2 * n + 2, "\n"))
            .collect();
        let diff = diff(&old, &edits);
        assert_eq!(diff.lines().count(), 3 + 2 + 50_000);
    }

    #[test]
    fn colours_end_with_their_line() {
        let old = "a  b\n";
        let edits = [edit(1, 3, " ")];
        let coloured = unified("x", old, &edits, &apply(old, &edits), true);
        for line in coloured.lines() {
            assert!(
                line.starts_with('\x1b') && line.ends_with("\x1b[0m"),
                "{line:?}"
            );
        }
        assert_eq!(coloured.lines().count(), 5);
    }
}

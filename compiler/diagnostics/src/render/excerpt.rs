//! The few lines of a file that a report shows, cut out of it: lines of labels
//! only, long ones shortened around the labels, every character made visible.
//!
//! This is what is handed to ariadne instead of the file. It splits lines at
//! more characters than the language does, would read the whole file first,
//! and prints a long line whole.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use super::text::{TAB, stand_in, width};
use crate::{SourceFile, Span};

/// A part left out of a line, at most this many bytes long, is shown after
/// all: the sign for it would be as long.
const GAP: usize = 4;

/// How far back the character is looked for that combining marks stand on.
const MARKS: usize = 32;

/// Lines to show, and the places in them.
#[derive(Debug)]
pub(super) struct Excerpt {
    /// The lines, each ended by one line feed.
    pub text: String,
    /// The number in the file of each line of `text`, from 1; `None` for a
    /// line that stands for lines left out.
    pub numbers: Vec<Option<u32>>,
    /// The spans asked for, in `text`. They are never empty: where there is
    /// nothing to mark, the character after the place is marked, if need be
    /// the line feed.
    pub spans: Vec<Range<usize>>,
}

/// A span by its lines (counted from 0) and its ends, moved out of line ends
/// and the BOM into the text that is shown.
struct Ends {
    first: u32,
    last: u32,
    start: usize,
    end: usize,
}

/// Cuts out the lines on which the spans start and end. `columns` is what a
/// line may take before it is shortened.
///
/// The spans must be clamped ([`SourceFile::clamp`]).
pub(super) fn excerpt(file: &SourceFile, spans: &[Span], columns: usize) -> Excerpt {
    let ends: Vec<Ends> = spans.iter().map(|&span| ends(file, span)).collect();
    let lines: BTreeSet<u32> = ends.iter().flat_map(|e| [e.first, e.last]).collect();

    let mut out = Excerpt {
        text: String::new(),
        numbers: Vec::new(),
        spans: Vec::new(),
    };
    // Where each end of a label and each line came to stand in the excerpt.
    // The lines' contents share no offset, so one map serves all lines.
    let mut places = BTreeMap::new();
    let mut begins = BTreeMap::new();
    let mut previous = None;
    for &line in &lines {
        if previous.is_some_and(|previous| previous + 1 < line) {
            out.text.push('\n');
            out.numbers.push(None);
        }
        previous = Some(line);
        begins.insert(line, out.text.len());
        out.numbers.push(Some(line + 1));
        let range = file.line_range(line);
        let regions = regions(&ends, line, &range);
        let kept = kept(&file.text, &range, regions.clone(), columns);
        let points: BTreeSet<usize> = regions.iter().flat_map(|r| [r.start, r.end]).collect();
        draw(
            &file.text,
            range,
            &kept,
            &points,
            &mut out.text,
            &mut places,
        );
        out.text.push('\n');
    }

    let place = |at: &usize| places.get(at).copied().unwrap_or_default();
    for e in &ends {
        let start = place(&e.start);
        let begin = begins.get(&e.last).copied().unwrap_or_default();
        let mut end = place(&e.end);
        if end <= start.max(begin) {
            end = start.max(begin);
            end += out.text[end..].chars().next().map_or(0, char::len_utf8);
        }
        out.spans.push(start..end);
    }
    out
}

fn ends(file: &SourceFile, span: Span) -> Ends {
    let lines = file.lines();
    let first = lines.line_of(span.start);
    let last = lines.line_of(span.end.saturating_sub(1).max(span.start));
    let within = |offset: u32, line: u32| {
        let range = file.line_range(line);
        (offset as usize).clamp(range.start, range.end)
    };
    let start = within(span.start, first);
    let begin = file.line_range(first).start;
    Ends {
        first,
        last,
        start: base(&file.text, begin, start),
        end: within(span.end, last),
    }
}

/// The start of what is drawn at `at`: a combining mark takes no column of its
/// own, so a mark under it would be lost.
fn base(text: &str, begin: usize, at: usize) -> usize {
    let drawn_onto = |at: usize| text[at..].chars().next().is_some_and(|c| width(c) == 0);
    let mut base = at;
    for _ in 0..MARKS {
        if base == begin || !drawn_onto(base) {
            break;
        }
        base -= text[begin..base]
            .chars()
            .next_back()
            .map_or(0, char::len_utf8);
    }
    base
}

/// The parts of a line that its labels cover. A label of several lines has
/// only its end here.
fn regions(ends: &[Ends], line: u32, range: &Range<usize>) -> Vec<Range<usize>> {
    ends.iter()
        .filter_map(|e| match (e.first == line, e.last == line) {
            (true, true) => Some(e.start..e.end.max(e.start)),
            (true, false) => Some(e.start..e.start),
            (false, true) => Some(e.end..e.end),
            (false, false) => None,
        })
        .inspect(|region| debug_assert!(range.start <= region.start && region.end <= range.end))
        .collect()
}

/// What is kept of a line: all of it if it fits, else the regions' ends with
/// something around each. Ascending, and never empty.
fn kept(
    text: &str,
    range: &Range<usize>,
    regions: Vec<Range<usize>>,
    columns: usize,
) -> Vec<Range<usize>> {
    if cost(&text[range.clone()], columns).is_some() {
        return vec![range.clone()];
    }
    let mut taken = 0;
    let mut parts = Vec::new();
    for region in regions {
        match cost(&text[region.clone()], columns / 2) {
            Some(cost) => {
                taken += cost;
                parts.push(region);
            }
            None => parts.extend([region.start..region.start, region.end..region.end]),
        }
    }
    let around = (columns.saturating_sub(taken) / (2 * parts.len()).max(1)).max(8);
    for part in &mut parts {
        part.start -= reach(text[range.start..part.start].chars().rev(), around);
        part.end += reach(text[part.end..range.end].chars(), around);
        if part.start - range.start <= GAP {
            part.start = range.start;
        }
        if range.end - part.end <= GAP {
            part.end = range.end;
        }
    }
    parts.sort_by_key(|part| part.start);
    let mut kept: Vec<Range<usize>> = Vec::new();
    for part in parts {
        match kept.last_mut() {
            Some(last) if part.start <= last.end + GAP => last.end = last.end.max(part.end),
            _ => kept.push(part),
        }
    }
    kept
}

/// What a character counts against the limit of a line. A combining mark
/// counts as well, or a line of nothing else would never be cut.
fn cost_of(c: char) -> usize {
    match c {
        '\t' => TAB,
        c => width(c).max(1),
    }
}

/// What a text counts, if not more than `limit`; looks no further than that.
fn cost(text: &str, limit: usize) -> Option<usize> {
    let mut cost = 0;
    for c in text.chars() {
        cost += cost_of(c);
        if cost > limit {
            return None;
        }
    }
    Some(cost)
}

/// How many bytes of these characters fit in `limit`.
fn reach(chars: impl Iterator<Item = char>, limit: usize) -> usize {
    let mut cost = 0;
    chars
        .take_while(|&c| {
            cost += cost_of(c);
            cost <= limit
        })
        .map(char::len_utf8)
        .sum()
}

/// Appends the kept parts of a line to `out`, and notes where the points came
/// to stand.
fn draw(
    text: &str,
    range: Range<usize>,
    kept: &[Range<usize>],
    points: &BTreeSet<usize>,
    out: &mut String,
    places: &mut BTreeMap<usize, usize>,
) {
    let mut column = 0;
    let mut drawn = range.start;
    for part in kept {
        if part.start > drawn {
            out.push('…');
            column += 1;
        }
        for (at, c) in text[part.clone()].char_indices() {
            let at = part.start + at;
            if points.contains(&at) {
                places.insert(at, out.len());
            }
            if c == '\t' {
                let stop = (column / TAB + 1) * TAB;
                out.extend(std::iter::repeat_n(' ', stop - column));
                column = stop;
                continue;
            }
            if column == 0 && width(c) == 0 {
                // A mark with nothing to stand on gets the usual circle.
                out.push('\u{25CC}');
                column = 1;
            }
            out.push(stand_in(c));
            column += width(c);
        }
        if points.contains(&part.end) {
            places.insert(part.end, out.len());
        }
        drawn = part.end;
    }
    if drawn < range.end {
        out.push('…');
    }
}

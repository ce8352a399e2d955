//! Minimal edits: what must be changed in a text to make it the formatted one,
//! gap by gap, so that an editor keeps its cursor and its marks.

use std::ops::Range;

use symbi_diagnostics::{Edit, Span};

use super::verify::first_difference;
use super::{FormatError, Source, format};
use crate::kind::SyntaxKind as K;
use crate::lexer::Lexer;
use crate::tree::File;

/// The edits that format a file, in order. No two touch; each is one gap
/// between two tokens or comments.
///
/// # Errors
/// As [`format`].
pub fn edits(file: &File) -> Result<Vec<Edit>, FormatError> {
    let new = format(file)?;
    Ok(between(file.text(), &new))
}

/// The edits that format the lines in a range of bytes and, where a construct
/// that begins or ends there goes on, its other lines too.
///
/// # Errors
/// As [`format`].
pub fn range_edits(file: &File, range: Range<u32>) -> Result<Vec<Edit>, FormatError> {
    let text: &str = file.text();
    let all = edits(file)?;
    let range_end = range.end;
    let chosen = whole_lines(text, &all, range);
    // A part of the edits may join what only all of them keep apart.
    let mut part = all[chosen].to_vec();
    end_with_the_line(text, &mut part, range_end);
    if verified(file, &part) {
        return Ok(part);
    }
    let from = part.first().map_or(0, |edit| edit.at.start);
    let to = part.last().map_or(0, |edit| edit.at.end);
    let touched = file
        .items()
        .iter()
        .filter(|placed| placed.span.start <= to && from <= placed.span.end);
    let (mut start, mut end) = (from, to);
    for placed in touched {
        start = start.min(placed.span.start);
        end = end.max(placed.span.end);
    }
    part = all
        .iter()
        .filter(|edit| edit.at.start >= start && edit.at.end <= end)
        .cloned()
        .collect();
    Ok(if verified(file, &part) { part } else { all })
}

/// Where the last edit is the break to the line behind the range, that line
/// keeps its indent.
fn end_with_the_line(text: &str, part: &mut Vec<Edit>, range_end: u32) {
    let Some(last) = part.last_mut() else { return };
    let old = &text[last.at.range()];
    let (Some(old_end), Some(new_end)) = (old.rfind('\n'), last.text.rfind('\n')) else {
        return;
    };
    // The file's last line break has no line behind it.
    let behind = last.at.start + old_end as u32 >= range_end;
    if last.at.end as usize == text.len() || !behind {
        return;
    }
    last.at.end = last.at.start + old_end as u32 + 1;
    last.text.truncate(new_end + 1);
    if text[last.at.range()] == *last.text {
        part.pop();
    }
}

/// The text with edits applied that are in order.
pub(super) fn apply(text: &str, edits: &[Edit]) -> String {
    let mut out = String::with_capacity(text.len());
    let mut at = 0;
    for edit in edits {
        out.push_str(&text[at..edit.at.start as usize]);
        out.push_str(&edit.text);
        at = edit.at.end as usize;
    }
    out.push_str(&text[at..]);
    out
}

fn verified(file: &File, edits: &[Edit]) -> bool {
    let new = apply(file.text(), edits);
    let old = Source::read(file.text(), file.options);
    first_difference(&old, &new).is_none()
}

/// Which edits belong to the lines of a range: those that touch it, and their
/// neighbours as long as no line break that stays parts them.
fn whole_lines(text: &str, all: &[Edit], range: Range<u32>) -> Range<usize> {
    let line_start = text[..text.floor_char_boundary(range.start as usize)]
        .rfind('\n')
        .map_or(0, |at| at as u32 + 1);
    let first = all.partition_point(|edit| edit.at.end < line_start);
    let last = all.partition_point(|edit| edit.at.start <= range.end);
    if first >= last {
        return first..first;
    }
    // An edit that begins and ends with a line of its own in both texts parts
    // what is before it from what is behind it.
    let parts = |edit: &Edit| {
        let old = &text[edit.at.range()];
        old.contains('\n') && edit.text.contains('\n')
    };
    let unbroken = |left: &Edit, right: &Edit| {
        !text[left.at.end as usize..right.at.start as usize].contains('\n')
    };
    let (mut first, mut last) = (first, last);
    while first > 0 && !parts(&all[first]) && unbroken(&all[first - 1], &all[first]) {
        first -= 1;
    }
    while last < all.len() && !parts(&all[last - 1]) && unbroken(&all[last - 1], &all[last]) {
        last += 1;
    }
    first..last
}

/// A token or comment and where it stands, a line comment without the white
/// space at its end.
struct Pieces<'t> {
    text: &'t str,
    lexer: Lexer<'t>,
    next: Option<(K, Range<usize>)>,
}

impl<'t> Pieces<'t> {
    fn new(text: &'t str) -> Self {
        let mut pieces = Self {
            text,
            lexer: Lexer::new(text, 0),
            next: None,
        };
        pieces.step();
        pieces
    }

    fn step(&mut self) {
        self.next = self
            .lexer
            .by_ref()
            .find(|(kind, ..)| !matches!(kind, K::Whitespace | K::Bom))
            .map(|(kind, start, end)| {
                let (start, mut end) = (start as usize, end as usize);
                if kind == K::LineComment {
                    end = start + self.text[start..end].trim_ascii_end().len();
                }
                (kind, start..end)
            });
    }

    fn shown(&self) -> Option<&'t str> {
        self.next
            .as_ref()
            .map(|(_, range)| &self.text[range.clone()])
    }

    fn is_separator(&self) -> bool {
        matches!(
            self.next,
            Some((K::Comma | K::Semicolon | K::Eq | K::Colon, _))
        )
    }
}

/// The edits from one text to another that has the same tokens and comments,
/// separators apart.
fn between(old: &str, new: &str) -> Vec<Edit> {
    let mut edits = Vec::new();
    let (mut olds, mut news) = (Pieces::new(old), Pieces::new(new));
    let mark = |text: &str| if text.starts_with('\u{feff}') { 3 } else { 0 };
    let (mut old_end, mut new_end) = (mark(old), mark(new));
    let mut push = |old_gap: Range<usize>, new_gap: Range<usize>| {
        if old[old_gap.clone()] != new[new_gap.clone()] {
            edits.push(Edit {
                at: Span::new(old_gap.start as u32, old_gap.end as u32),
                text: new[new_gap].to_owned(),
            });
        }
    };
    loop {
        match (&olds.next, &news.next) {
            (Some((_, mine)), Some((_, theirs))) if olds.shown() == news.shown() => {
                push(old_end..mine.start, new_end..theirs.start);
                (old_end, new_end) = (mine.end, theirs.end);
                olds.step();
                news.step();
            }
            (Some(_), _) if olds.is_separator() => {
                olds.step();
                if news.is_separator() && news.shown() != olds.shown() {
                    news.step();
                }
            }
            (_, Some(_)) if news.is_separator() => news.step(),
            _ => {
                push(old_end..old.len(), new_end..new.len());
                return edits;
            }
        }
    }
}

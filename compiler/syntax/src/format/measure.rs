//! How wide everything is: one pass over the tokens of an item, so that the
//! printer knows of each group in constant time whether it fits.
//!
//! All positions are columns of the line the item would be if nothing were
//! broken. Tabs in texts count as one.

use std::ops::Range;

use unicode_width::UnicodeWidthStr;

use super::layout::{Breaks, Edit, Group, Insert, Layout, NO_GROUP, SPACE};
use crate::kind::SyntaxKind as K;
use crate::tokens::Comment;

/// One comment and the line breaks around it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Piece {
    pub(super) start: u32,
    /// Without white space at the end of a line comment.
    pub(super) end: u32,
    /// Line breaks between it and what stands before it: 0, 1, or 2 for more.
    pub(super) breaks: u8,
    pub(super) line: bool,
}

/// What stands in the gap before a token.
#[derive(Clone, Debug, Default)]
pub(super) struct Trivia {
    pub(super) pieces: Vec<Piece>,
    /// Line breaks right before the token.
    pub(super) breaks: u8,
    /// A comment that does not let the gap stay on one line.
    pub(super) forced: bool,
}

impl Trivia {
    /// No line ends before, between or behind the comments.
    pub(super) fn is_within_a_line(&self) -> bool {
        self.breaks == 0 && self.pieces.iter().all(|piece| piece.breaks == 0)
    }
}

/// The measures of one token.
#[derive(Clone, Copy, Default)]
struct Mark {
    start: u32,
    /// The end of a text of several lines is that of its first line.
    end: u32,
    /// How many gaps up to the one before the token are broken in any case.
    hard: u32,
    /// How many tokens before this one have several lines.
    lines: u32,
    /// The end of the line that goes on with this token.
    stop: u32,
}

/// The measures of one item.
#[derive(Default)]
pub(super) struct Measure {
    /// One a token, and one behind the last.
    marks: Vec<Mark>,
}

impl Measure {
    /// Measures an item. `gaps` holds those of its gaps that have comments.
    pub(super) fn item(&mut self, text: &str, layout: &Layout<'_>, gaps: &Gaps) {
        self.marks.clear();
        self.marks.reserve(layout.toks.len() + 1);
        let mut gaps = &*gaps.list;
        let mut next_gap = first_gap(gaps);
        let (mut at, mut hard, mut lines) = (0u32, 0u32, 0u32);
        for (token, (tok, slot)) in layout.toks.iter().zip(&layout.slots).enumerate() {
            if slot.edit != Edit::Drop {
                if token > 0 {
                    at += u32::from(slot.flags & SPACE);
                    let group = layout.groups.get(slot.group as usize);
                    hard += u32::from(group.is_some_and(|group| group.breaks == Breaks::Always));
                }
                // Comments before a token that is left out are the next one's.
                while next_gap <= token as u32
                    && let Some(((_, trivia), later)) = gaps.split_first()
                {
                    gaps = later;
                    next_gap = first_gap(gaps);
                    if token > 0 {
                        hard += u32::from(trivia.forced);
                        for piece in &trivia.pieces {
                            at += 1 + width(&text[piece.start as usize..piece.end as usize]);
                        }
                    }
                }
            }
            let start = at;
            let before = lines;
            match slot.edit {
                Edit::Drop => {}
                Edit::Sign(sign) => at += sign.len() as u32,
                Edit::Keep if matches!(tok.kind, K::String | K::TripleString) => {
                    let (first, more) = first_line(&text[tok.start as usize..tok.end as usize]);
                    at += width(first);
                    lines += u32::from(more);
                }
                // All other tokens of a file without errors are ASCII.
                Edit::Keep => at += tok.end - tok.start,
            }
            if let Insert::Sign(sign) = slot.insert {
                at += sign.len() as u32;
            }
            self.marks.push(Mark {
                start,
                end: at,
                hard,
                lines: before,
                stop: 0,
            });
        }
        self.marks.push(Mark {
            start: at,
            end: at,
            hard,
            lines,
            stop: at,
        });
        self.stops(layout);
    }

    /// From the last token on: where the line ends that goes on with each.
    fn stops(&mut self, layout: &Layout<'_>) {
        for (token, slot) in layout.slots.iter().enumerate().rev() {
            let [mark, next] = [self.marks[token], self.marks[token + 1]];
            let before = self.marks[token.saturating_sub(1)];
            self.marks[token].stop = if slot.group != NO_GROUP || mark.hard > before.hard {
                before.end
            } else if next.lines > mark.lines {
                mark.end
            } else {
                next.stop
            };
        }
    }

    fn mark(&self, token: u32) -> Mark {
        self.marks[token as usize]
    }

    /// A line break inside the group cannot be avoided.
    pub(super) fn is_forced(&self, group: Group) -> bool {
        self.is_broken_between(group.first, group.last)
    }

    /// A gap between these tokens is broken in any case.
    pub(super) fn is_broken_between(&self, first: u32, last: u32) -> bool {
        self.mark(last).hard > self.mark(first).hard
    }

    /// A text of several lines stands before the group's last token.
    pub(super) fn has_lines(&self, group: Group) -> bool {
        self.mark(group.last).lines > self.mark(group.first).lines
    }

    /// How wide the line gets that begins with the group, if it is not broken.
    pub(super) fn width_of_line(&self, group: Group) -> u32 {
        let first = self.mark(group.first);
        let behind = self.mark(group.last + 1);
        let end = if behind.lines > first.lines {
            // It ends in the first text of several lines.
            let inside = &self.marks[group.first as usize..=group.last as usize + 1];
            let at = inside.partition_point(|mark| mark.lines == first.lines);
            self.mark(group.first + at as u32 - 1).end
        } else {
            behind.stop
        };
        end.saturating_sub(first.start)
    }

    /// How wide these tokens are on one line.
    pub(super) fn width_between(&self, first: u32, last: u32) -> u32 {
        self.mark(last).end - self.mark(first).start
    }

    /// Nothing between these tokens has or needs a line break.
    pub(super) fn is_one_line(&self, first: u32, last: u32) -> bool {
        let (first, last) = (self.mark(first), self.mark(last));
        first.hard == last.hard && first.lines == last.lines
    }
}

/// The gaps of a file that have comments, with the token each stands before.
#[derive(Default)]
pub(super) struct Gaps {
    /// Tokens are counted in the item.
    pub(super) list: Vec<(u32, Trivia)>,
}

impl Gaps {
    /// Collects the comments of an item, or those behind the last one.
    pub(super) fn collect(
        &mut self,
        text: &str,
        comments: &[Comment],
        base: u32,
        place: impl Fn(u32) -> Range<usize>,
    ) {
        self.list.clear();
        let mut rest = comments;
        while let Some(first) = rest.first() {
            let token = first.token;
            let count = rest
                .iter()
                .take_while(|comment| comment.token == token)
                .count();
            let (here, later) = rest.split_at(count);
            rest = later;
            let around = place(token - base);
            let mut at = around.start;
            let mut trivia = Trivia::default();
            for comment in here {
                let source = &text[comment.start as usize..comment.end as usize];
                let shown = if comment.line {
                    source.trim_ascii_end()
                } else {
                    source
                };
                let breaks = breaks_in(&text.as_bytes()[at..comment.start as usize]);
                trivia.forced |= comment.line || breaks > 0 || has_break(shown);
                trivia.pieces.push(Piece {
                    start: comment.start,
                    end: comment.start + shown.len() as u32,
                    breaks,
                    line: comment.line,
                });
                at = comment.end as usize;
            }
            trivia.breaks = breaks_in(&text.as_bytes()[at..around.end]);
            trivia.forced |= trivia.breaks > 0;
            self.list.push((token - base, trivia));
        }
    }
}

/// The token that the first of these gaps stands before.
pub(super) fn first_gap(gaps: &[(u32, Trivia)]) -> u32 {
    gaps.first().map_or(u32::MAX, |(token, _)| *token)
}

/// Line breaks in white space: 0, 1, or 2 for more.
pub(super) fn breaks_in(space: &[u8]) -> u8 {
    let mut breaks = 0;
    let mut after_return = false;
    for &byte in space {
        match byte {
            b'\n' if after_return => {}
            b'\n' | b'\r' => breaks += 1,
            _ => {}
        }
        if breaks == 2 {
            break;
        }
        after_return = byte == b'\r';
    }
    breaks
}

fn has_break(text: &str) -> bool {
    text.bytes().any(|byte| matches!(byte, b'\n' | b'\r'))
}

/// The first line of a text, and whether there are more.
fn first_line(text: &str) -> (&str, bool) {
    match text.bytes().position(|byte| matches!(byte, b'\n' | b'\r')) {
        Some(end) => (&text[..end], true),
        None => (text, false),
    }
}

/// How many columns a text takes on a terminal.
pub(super) fn width(text: &str) -> u32 {
    if text.is_ascii() {
        text.len() as u32
    } else {
        text.width() as u32
    }
}

//! Prints a file by its layouts.

use super::layout::{
    BLANKS, Breaks, CLOSER, Edit, FIRST, Group, INNER, Insert, Layout, SPACE, Slot,
};
use super::measure::{Gaps, Measure, Piece, Trivia, breaks_in, first_gap, width};
use super::{INDENT, WIDTH};
use crate::kind::SyntaxKind as K;
use crate::tokens::Tok;

/// Spaces to take an indent from.
const SPACES: &str = "                                                                ";

/// The output so far.
pub(super) struct Printer<'t> {
    text: &'t str,
    pub(super) out: String,
    line_end: &'static str,
    /// Where the line at hand would go on.
    column: u32,
    /// How far in the line at hand begins.
    indent: u32,
    /// The line at hand goes on with one that had to be broken for a comment.
    continued: bool,
    /// The last thing printed is a comment that ends with its line.
    ends_line: bool,
    /// Where the token printed last ends in the source.
    done: u32,
    /// Of each group of the item: it is broken.
    broken: Vec<bool>,
    /// Of each group: how far in the line begins on which it opened.
    bases: Vec<u32>,
}

impl<'t> Printer<'t> {
    pub(super) fn new(text: &'t str, start: u32, line_end: &'static str) -> Self {
        Self {
            text,
            out: String::with_capacity(text.len() + text.len() / 8),
            line_end,
            column: 0,
            indent: 0,
            continued: false,
            ends_line: false,
            done: start,
            broken: Vec::new(),
            bases: Vec::new(),
        }
    }

    /// Prints an item.
    pub(super) fn item(&mut self, layout: &Layout<'_>, measure: &Measure, gaps: &Gaps) {
        self.broken.clear();
        self.broken.resize(layout.groups.len(), false);
        self.bases.clear();
        self.bases.resize(layout.groups.len(), 0);
        let mut gaps = &*gaps.list;
        let mut next_gap = first_gap(gaps);
        // Comments before a token that is left out go to the next one.
        let mut held: Option<Trivia> = None;
        for (token, (tok, slot)) in layout.toks.iter().zip(&layout.slots).enumerate() {
            let mut here = None;
            if next_gap == token as u32
                && let Some(((_, trivia), later)) = gaps.split_first()
            {
                here = Some(trivia);
                gaps = later;
                next_gap = first_gap(gaps);
            }
            if slot.edit == Edit::Drop {
                if let Some(trivia) = here {
                    hold(&mut held, trivia);
                }
                continue;
            }
            let joined;
            let trivia = match (held.take(), here) {
                (None, here) => here,
                (Some(mut first), here) => {
                    match here {
                        Some(trivia) => {
                            // So do those behind the separator, if a line
                            // ends behind them.
                            if self.is_broken(slot) && trivia.is_within_a_line() {
                                first.breaks = first.breaks.max(1);
                            }
                            join(&mut first, trivia);
                        }
                        // They stay behind what they are behind.
                        None if self.is_broken(slot) => first.breaks = first.breaks.max(1),
                        None => {}
                    }
                    joined = first;
                    Some(&joined)
                }
            };
            if token == 0 {
                self.between_items(tok.start, trivia);
            } else {
                self.gap(tok, slot, trivia);
            }
            let mut opens = slot.opens;
            let mut inside = false;
            while let Some(&group) = layout.groups.get(opens as usize) {
                self.open(opens, group, layout, measure);
                if group.breaks == Breaks::Operators {
                    if inside {
                        self.bases[opens as usize] += INDENT;
                    }
                    inside |= self.broken[opens as usize];
                }
                opens = group.next;
            }
            self.token(tok, slot);
        }
        // A separator at the very end of the item that is left out, with
        // comments before it.
        if let Some(trivia) = held {
            self.pieces_on_their_lines(&trivia.pieces);
        }
        if let Some(last) = layout.toks.last() {
            self.done = last.end;
        }
    }

    /// Prints the comments behind the last item, and ends the last line.
    pub(super) fn finish(&mut self, gaps: &Gaps) {
        if let Some((_, trivia)) = gaps.list.first() {
            self.comments_between_items(&trivia.pieces);
        }
        if !self.out.is_empty() {
            self.out.push_str(self.line_end);
        }
    }

    fn open(&mut self, number: u32, group: Group, layout: &Layout<'_>, measure: &Measure) {
        let broken = match group.breaks {
            Breaks::Always => true,
            Breaks::With(other) => self.broken[other as usize],
            Breaks::IfForced => measure.is_forced(group),
            Breaks::IfTooLong | Breaks::Operators => {
                measure.is_forced(group) || !self.fits(group, measure)
            }
            Breaks::IfHeadFits(last) => {
                let fits = !measure.is_forced(group) && self.fits(group, measure);
                !fits
                    && measure.is_one_line(group.first, last)
                    && self.column + measure.width_between(group.first, last) <= WIDTH
            }
            Breaks::IfNotOneLine => {
                measure.is_forced(group) || measure.has_lines(group) || !self.fits(group, measure)
            }
            Breaks::Hugging(token) => {
                let fits = !measure.is_forced(group)
                    && !measure.has_lines(group)
                    && self.fits(group, measure);
                let hugs = || {
                    let inner = layout.slots[token as usize].opens;
                    let last = layout
                        .groups
                        .get(inner as usize)
                        .map_or(token, |inner| inner.last);
                    measure.is_one_line(group.first, token)
                        && !measure.is_broken_between(last, group.last)
                        && self.column + measure.width_between(group.first, token) <= WIDTH
                };
                !fits && !hugs()
            }
        };
        self.broken[number as usize] = broken;
        self.bases[number as usize] = self.indent;
    }

    fn is_broken(&self, slot: &Slot) -> bool {
        self.broken.get(slot.group as usize) == Some(&true)
    }

    fn fits(&self, group: Group, measure: &Measure) -> bool {
        self.column + measure.width_of_line(group) <= WIDTH
    }

    fn token(&mut self, tok: &Tok, slot: &Slot) {
        if self.ends_line {
            self.new_line(self.indent, false);
        }
        let source = &self.text[tok.start as usize..tok.end as usize];
        match slot.edit {
            Edit::Sign(sign) => {
                self.out.push_str(sign);
                self.column += sign.len() as u32;
            }
            _ => self.verbatim(source, matches!(tok.kind, K::String | K::TripleString)),
        }
        match slot.insert {
            Insert::Nothing => {}
            Insert::Sign(sign) => {
                self.out.push_str(sign);
                self.column += sign.len() as u32;
            }
            Insert::CommaIfBroken(group) => {
                if self.broken[group as usize] {
                    self.out.push(',');
                    self.column += 1;
                }
            }
        }
        self.done = tok.end;
    }

    /// A text as it is; it may have several lines.
    fn verbatim(&mut self, source: &str, may_have_lines: bool) {
        self.out.push_str(source);
        if !may_have_lines {
            self.column += source.len() as u32;
            return;
        }
        match source
            .bytes()
            .rposition(|byte| matches!(byte, b'\n' | b'\r'))
        {
            Some(last) => self.column = width(&source[last + 1..]),
            None => self.column += width(source),
        }
    }

    fn space(&mut self) {
        if self.ends_line {
            self.new_line(self.indent, false);
            return;
        }
        self.out.push(' ');
        self.column += 1;
    }

    fn new_line(&mut self, indent: u32, blank: bool) {
        self.out.push_str(self.line_end);
        if blank {
            self.out.push_str(self.line_end);
        }
        let mut left = indent as usize;
        while left > 0 {
            let step = left.min(SPACES.len());
            self.out.push_str(&SPACES[..step]);
            left -= step;
        }
        self.column = indent;
        self.indent = indent;
        self.ends_line = false;
    }

    fn comment(&mut self, piece: &Piece) {
        let text = self.text;
        self.verbatim(&text[piece.start as usize..piece.end as usize], true);
        self.ends_line = piece.line;
    }

    /// The gap before a token that is not the first of its item.
    fn gap(&mut self, tok: &Tok, slot: &Slot, trivia: Option<&Trivia>) {
        if !self.is_broken(slot) {
            match trivia {
                None => {
                    if slot.flags & SPACE != 0 {
                        self.space();
                    }
                }
                Some(trivia) => self.comments_in_a_line(tok, slot, trivia),
            }
            return;
        }
        self.continued = false;
        let base = self.bases[slot.group as usize];
        let indent = base + if slot.flags & INNER != 0 { INDENT } else { 0 };
        let blanks = slot.flags & BLANKS != 0;
        let Some(trivia) = trivia else {
            let source = &self.text.as_bytes()[self.done as usize..tok.start as usize];
            let blank = blanks && slot.flags & (FIRST | CLOSER) == 0 && breaks_in(source) > 1;
            self.new_line(indent, blank);
            return;
        };
        // Comments before a closing bracket stand as far in as its content.
        let closer = slot.flags & CLOSER != 0;
        let inner = if closer { indent + INDENT } else { indent };
        let mut has_line = false;
        let mut first = true;
        let on_one_line = trivia.is_within_a_line();
        for piece in &trivia.pieces {
            if piece.breaks > 0 || (first && on_one_line && !closer) {
                let blank = blanks && piece.breaks > 1 && !(first && slot.flags & FIRST != 0);
                self.new_line(inner, blank);
                has_line = true;
            } else {
                self.space();
            }
            self.comment(piece);
            first = false;
        }
        if trivia.breaks > 0 || closer || !has_line {
            self.new_line(indent, blanks && trivia.breaks > 1 && !closer);
        } else {
            self.space();
        }
    }

    /// Comments where no line break belongs: only those that have one get one.
    fn comments_in_a_line(&mut self, tok: &Tok, slot: &Slot, trivia: &Trivia) {
        let space = slot.flags & SPACE != 0;
        let mut open = !space && self.out.ends_with(['(', '[']);
        // `else` and `catch` begin a line as their `}` does, and so does a `{`.
        let begins = matches!(tok.kind, K::ElseKw | K::CatchKw | K::LBrace);
        for piece in &trivia.pieces {
            if piece.breaks > 0 {
                self.continuation(begins);
            } else if !open || piece.line {
                self.space();
            }
            open = false;
            self.comment(piece);
        }
        let tight = matches!(
            tok.kind,
            K::RParen | K::RBracket | K::Comma | K::Semicolon | K::Dot | K::Question
        );
        if trivia.breaks > 0 {
            self.continuation(begins);
        } else if !tight {
            self.space();
        }
    }

    /// A line break where none belongs, for a comment: the rest of the line
    /// goes on one step further in, unless it `begins` something.
    fn continuation(&mut self, begins: bool) {
        let base = if self.continued {
            self.indent - INDENT
        } else {
            self.indent
        };
        self.new_line(if begins { base } else { base + INDENT }, false);
        self.continued = !begins;
    }

    /// The gap before an item.
    fn between_items(&mut self, start: u32, trivia: Option<&Trivia>) {
        self.continued = false;
        let Some(trivia) = trivia else {
            if !self.out.is_empty() {
                let source = &self.text.as_bytes()[self.done as usize..start as usize];
                self.new_line(0, breaks_in(source) > 1);
            }
            return;
        };
        let on_one_line = trivia.is_within_a_line();
        if on_one_line && !self.out.is_empty() {
            self.new_line(0, false);
            for (place, piece) in trivia.pieces.iter().enumerate() {
                if place > 0 {
                    self.space();
                }
                self.comment(piece);
            }
        } else {
            self.comments_between_items(&trivia.pieces);
        }
        if trivia.breaks > 0 {
            self.new_line(0, trivia.breaks > 1);
        } else {
            self.space();
        }
    }

    fn comments_between_items(&mut self, pieces: &[Piece]) {
        for piece in pieces {
            if piece.breaks > 0 && !self.out.is_empty() {
                self.new_line(0, piece.breaks > 1);
            } else if !self.out.is_empty() {
                self.space();
            }
            self.comment(piece);
        }
    }

    fn pieces_on_their_lines(&mut self, pieces: &[Piece]) {
        for piece in pieces {
            if piece.breaks > 0 {
                self.new_line(self.indent, false);
            } else {
                self.space();
            }
            self.comment(piece);
        }
    }
}

fn hold(held: &mut Option<Trivia>, trivia: &Trivia) {
    match held {
        None => *held = Some(trivia.clone()),
        Some(first) => join(first, trivia),
    }
}

/// Puts the comments of the next gap behind those of this one.
fn join(first: &mut Trivia, trivia: &Trivia) {
    for (place, piece) in trivia.pieces.iter().enumerate() {
        let mut piece = *piece;
        if place == 0 {
            piece.breaks = piece.breaks.max(first.breaks);
        }
        first.pieces.push(piece);
    }
    first.breaks = trivia.breaks;
    first.forced |= trivia.forced;
}

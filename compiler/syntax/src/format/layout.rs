//! What the formatter decides about one item before it prints: for each gap
//! between two tokens, whether it is nothing, a space, or a line break if its
//! group is broken; and for some tokens, whether they are left out, replaced
//! or followed by a sign.
//!
//! The arrays are filled by `rules` and its parts, read by `measure` and
//! `print`, and reused from item to item.

use std::cell::Cell;

use crate::kind::SyntaxKind as K;
use crate::tokens::{Comment, Tok};
use crate::tree::Node;

/// A gap that belongs to no group never becomes a line break by itself.
pub(super) const NO_GROUP: u32 = u32::MAX;
/// No token.
pub(super) const NO_TOKEN: u32 = u32::MAX;

/// A space when there is no line break.
pub(super) const SPACE: u8 = 1;
/// After a line break, one step further in than the line its group began on.
pub(super) const INNER: u8 = 2;
/// The first gap in a bracket: no blank line at its start.
pub(super) const FIRST: u8 = 4;
/// The gap before a closing bracket: no blank line at its end, and comments
/// stand one step further in than the bracket.
pub(super) const CLOSER: u8 = 8;
/// A blank line is kept here.
pub(super) const BLANKS: u8 = 16;

/// What becomes of a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Edit {
    /// It is printed as it is.
    Keep,
    /// It is left out: a separator that says nothing.
    Drop,
    /// It is printed as this sign.
    Sign(&'static str),
}

/// What is printed right after a token that has nothing like it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Insert {
    Nothing,
    /// A separator or a sign, with the space before it.
    Sign(&'static str),
    /// A comma, if this group is broken.
    CommaIfBroken(u32),
}

/// A token, the gap before it, and what follows it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Slot {
    /// The group of the gap before the token.
    pub(super) group: u32,
    /// The groups that start with the token: the outermost, which knows the
    /// next one.
    pub(super) opens: u32,
    pub(super) flags: u8,
    pub(super) edit: Edit,
    pub(super) insert: Insert,
}

/// When a group is broken into lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Breaks {
    /// Always.
    Always,
    /// When a comment in it has a line of its own: brackets with nothing in
    /// them.
    IfForced,
    /// When it does not fit on the line.
    IfTooLong,
    /// The same: operators of one precedence. Inside others that are broken and
    /// begin with them they stand one step further in.
    Operators,
    /// The same, and when a text of several lines is in it.
    IfNotOneLine,
    /// When it does not fit, but everything up to this token does: otherwise
    /// what ends there is broken instead.
    IfHeadFits(u32),
    /// With another group, which starts before it.
    With(u32),
    /// When it does not fit, unless everything up to this token does: the
    /// bracket that opens there, in the last argument, is broken instead.
    Hugging(u32),
}

/// A run of tokens that is printed on one line or broken as a whole.
#[derive(Clone, Copy, Debug)]
pub(super) struct Group {
    pub(super) first: u32,
    /// The last token, included.
    pub(super) last: u32,
    /// The next group further in that starts with the same token.
    pub(super) next: u32,
    pub(super) breaks: Breaks,
}

/// The decisions for one item.
pub(super) struct Layout<'t> {
    /// The item's nodes, in post-order.
    pub(super) nodes: &'t [Node],
    pub(super) text: &'t str,
    /// The item's tokens.
    pub(super) toks: &'t [Tok],
    /// How many tokens of the file stand before them.
    pub(super) base: u32,
    /// The comments before its tokens.
    pub(super) comments: &'t [Comment],
    pub(super) slots: Vec<Slot>,
    pub(super) groups: Vec<Group>,
    /// Room for the children of the node at hand.
    pub(super) scratch: Vec<u32>,
    /// Steps taken beyond one a node, in debug builds: the scaling tests
    /// bound it.
    pub(super) work: Cell<u64>,
}

impl<'t> Layout<'t> {
    pub(super) fn new(
        text: &'t str,
        nodes: &'t [Node],
        toks: &'t [Tok],
        base: u32,
        comments: &'t [Comment],
        room: Room,
    ) -> Self {
        let Room {
            mut slots,
            mut groups,
            scratch,
        } = room;
        slots.clear();
        groups.clear();
        let mut before = K::Eof;
        slots.extend(toks.iter().map(|tok| {
            let flags = if spaced_by_default(before, tok.kind) {
                SPACE
            } else {
                0
            };
            before = tok.kind;
            Slot {
                group: NO_GROUP,
                opens: NO_GROUP,
                flags,
                edit: Edit::Keep,
                insert: Insert::Nothing,
            }
        }));
        Self {
            nodes,
            text,
            toks,
            base,
            comments,
            slots,
            groups,
            scratch,
            work: Cell::new(0),
        }
    }

    /// Counts a step of a loop whose length a test bounds.
    pub(super) fn step(&self) {
        if cfg!(debug_assertions) {
            self.work.set(self.work.get() + 1);
        }
    }

    /// Gives the memory back for the next item.
    pub(super) fn into_room(self) -> Room {
        Room {
            slots: self.slots,
            groups: self.groups,
            scratch: self.scratch,
        }
    }

    pub(super) fn node(&self, index: u32) -> Node {
        self.nodes[index as usize]
    }

    pub(super) fn node_kind(&self, index: u32) -> K {
        self.node(index).kind()
    }

    /// The kind of a token of the item; `Eof` behind its end.
    pub(super) fn kind(&self, token: u32) -> K {
        self.toks.get(token as usize).map_or(K::Eof, |tok| tok.kind)
    }

    pub(super) fn token_text(&self, token: u32) -> &'t str {
        let tok = self.toks[token as usize];
        &self.text[tok.start as usize..tok.end as usize]
    }

    /// Whether a comment stands behind the token `left` and before `right`.
    pub(super) fn comment_between(&self, left: u32, right: u32) -> bool {
        let from = self.base + left;
        let next = self
            .comments
            .partition_point(|comment| comment.token <= from);
        self.comments
            .get(next)
            .is_some_and(|comment| comment.token <= self.base + right)
    }

    /// The children of a node in order. The vector is given back with
    /// [`Layout::done`].
    pub(super) fn children(&mut self, index: u32) -> Vec<u32> {
        let mut children = std::mem::take(&mut self.scratch);
        children.clear();
        let lowest = index + 1 - self.node(index).size() as u32;
        let mut next = index;
        while next > lowest {
            self.step();
            let child = next - 1;
            children.push(child);
            next -= self.node(child).size() as u32;
        }
        children.reverse();
        children
    }

    pub(super) fn done(&mut self, children: Vec<u32>) {
        self.scratch = children;
    }

    /// The last child of a node.
    pub(super) fn last_child(&self, index: u32) -> Option<u32> {
        (self.node(index).size() > 1).then(|| index - 1)
    }

    /// The first of two children.
    pub(super) fn first_of_two(&self, index: u32) -> Option<u32> {
        let last = self.last_child(index)?;
        let size = self.node(last).size() as u32;
        (self.node(index).size() as u32 > size + 1).then(|| last - size)
    }

    /// Makes a group around those made so far that start with its first token.
    pub(super) fn group(&mut self, first: u32, last: u32, breaks: Breaks) -> u32 {
        let group = self.groups.len() as u32;
        let slot = &mut self.slots[first as usize];
        self.groups.push(Group {
            first,
            last,
            next: slot.opens,
            breaks,
        });
        slot.opens = group;
        group
    }

    /// Makes the gap before a token one of a group.
    pub(super) fn gap(&mut self, token: u32, group: u32, flags: u8) {
        let slot = &mut self.slots[token as usize];
        slot.group = group;
        slot.flags = flags;
    }

    /// Makes the gap before a token nothing, or a space.
    pub(super) fn plain(&mut self, token: u32, space: bool) {
        let slot = &mut self.slots[token as usize];
        slot.group = NO_GROUP;
        slot.flags = if space { SPACE } else { 0 };
    }

    pub(super) fn edit(&mut self, token: u32, edit: Edit) {
        self.slots[token as usize].edit = edit;
    }

    pub(super) fn insert(&mut self, token: u32, insert: Insert) {
        self.slots[token as usize].insert = insert;
    }
}

/// Memory that is used again for each item.
#[derive(Default)]
pub(super) struct Room {
    slots: Vec<Slot>,
    groups: Vec<Group>,
    scratch: Vec<u32>,
}

/// Whether two tokens have a space between them unless a rule says otherwise.
fn spaced_by_default(left: K, right: K) -> bool {
    let tight = TIGHT_AFTER[left as usize] || TIGHT_BEFORE[right as usize];
    let empty = left == K::LBrace && right == K::RBrace;
    !tight && !empty
}

/// Kinds without a space behind them.
static TIGHT_AFTER: [bool; 256] = table(&[
    K::LParen,
    K::LBracket,
    K::Dot,
    K::ColonColon,
    K::Bang,
    K::Eof,
]);

/// Kinds without a space before them.
static TIGHT_BEFORE: [bool; 256] = table(&[
    K::RParen,
    K::RBracket,
    K::Comma,
    K::Semicolon,
    K::Dot,
    K::ColonColon,
    K::Colon,
    K::Question,
]);

/// A table that holds for these kinds.
pub(super) const fn table(kinds: &[K]) -> [bool; 256] {
    let mut table = [false; 256];
    let mut at = 0;
    while at < kinds.len() {
        table[kinds[at] as usize] = true;
        at += 1;
    }
    table
}

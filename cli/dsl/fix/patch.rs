//! Edits as data: applied, put one after the other, and what becomes of places.

use symbi_diagnostics::{Edit, Span};

/// What a text has become, as edits of what it was: ascending, not overlapping.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Patch {
    edits: Vec<Edit>,
}

/// A text with its edits applied; they are ascending and do not overlap.
pub fn apply(text: &str, edits: &[Edit]) -> String {
    let mut new = String::with_capacity(text.len());
    let mut at = 0;
    for edit in edits {
        let range = edit.at.range();
        new.push_str(&text[at..range.start]);
        new.push_str(&edit.text);
        at = range.end;
    }
    new.push_str(&text[at..]);
    new
}

impl Patch {
    /// The edits.
    pub fn edits(&self) -> &[Edit] {
        &self.edits
    }

    /// This, and then the edits of what it leads to.
    pub fn then(&self, next: &[Edit]) -> Patch {
        let mut whole = Whole::default();
        let mut middle = Middle {
            edits: &self.edits,
            old: 0,
            within: None,
        };
        let mut at = 0;
        for edit in next {
            middle.take(edit.at.start - at, true, &mut whole);
            // An edit with the text of both: what goes, and what comes.
            middle.take(edit.at.end - edit.at.start, false, &mut whole);
            whole.change(0, &edit.text);
            at = edit.at.end;
        }
        middle.rest(&mut whole);
        Patch {
            edits: whole.finish(),
        }
    }

    /// Where the places of the new text stood in the old one. What was written
    /// anew stands where it was written.
    pub fn back(&self) -> impl Fn(u32) -> u32 + use<> {
        let places = changed(&self.edits);
        move |at| {
            let before = places.partition_point(|place| place.new.end <= at);
            match places.get(before) {
                Some(place) if place.new.start <= at => place.old.start,
                _ => moved(
                    at,
                    before.checked_sub(1).map(|last| &places[last]),
                    |place| (place.new.end, place.old.end),
                ),
            }
        }
    }
}

/// Where the places of a text stand after edits of it.
pub fn forward(edits: &[Edit]) -> impl Fn(u32) -> u32 + use<> {
    let places = changed(edits);
    move |at| {
        let before = places.partition_point(|place| place.old.end <= at);
        match places.get(before) {
            Some(place) if place.old.start < at => place.new.start,
            _ => moved(
                at,
                before.checked_sub(1).map(|last| &places[last]),
                |place| (place.old.end, place.new.end),
            ),
        }
    }
}

/// A place behind a changed part, or before all of them.
fn moved(at: u32, last: Option<&Changed>, ends: impl Fn(&Changed) -> (u32, u32)) -> u32 {
    match last.map(ends) {
        Some((from, to)) => to + (at - from),
        None => at,
    }
}

/// A changed part: where it was, and where it is.
struct Changed {
    old: Span,
    new: Span,
}

fn changed(edits: &[Edit]) -> Vec<Changed> {
    let (mut old, mut new) = (0, 0);
    let place = |edit: &Edit| {
        let start = new + (edit.at.start - old);
        (old, new) = (edit.at.end, start + edit.text.len() as u32);
        Changed {
            old: edit.at,
            new: Span::new(start, new),
        }
    };
    edits.iter().map(place).collect()
}

/// The text between two patches, read from its start.
struct Middle<'e> {
    /// Edits that are not read yet.
    edits: &'e [Edit],
    /// How far the old text is read.
    old: u32,
    /// What is left of the text of an edit.
    within: Option<&'e str>,
}

impl<'e> Middle<'e> {
    /// Reads so many bytes, which stay or go.
    fn take(&mut self, mut bytes: u32, stay: bool, whole: &mut Whole) {
        while bytes > 0 {
            if let Some(text) = self.within {
                let taken = (text.len() as u32).min(bytes);
                let (taken_text, rest) = text.split_at(taken as usize);
                if stay {
                    whole.change(0, taken_text);
                }
                bytes -= taken;
                self.within = Some(rest).filter(|rest| !rest.is_empty());
                continue;
            }
            let kept = match self.edits {
                [next, ..] => next.at.start - self.old,
                [] => bytes,
            };
            if kept == 0 {
                self.enter(whole);
                continue;
            }
            let taken = kept.min(bytes);
            match stay {
                true => whole.keep(taken),
                false => whole.change(taken, ""),
            }
            self.old += taken;
            bytes -= taken;
        }
    }

    /// Begins to read the text of the next edit.
    fn enter(&mut self, whole: &mut Whole) {
        if let [next, rest @ ..] = self.edits {
            whole.change(next.at.end - next.at.start, "");
            self.old = next.at.end;
            self.within = Some(&*next.text).filter(|text| !text.is_empty());
            self.edits = rest;
        }
    }

    fn rest(&mut self, whole: &mut Whole) {
        loop {
            if let Some(text) = self.within.take() {
                whole.change(0, text);
            }
            let [next, ..] = self.edits else { return };
            whole.keep(next.at.start - self.old);
            self.enter(whole);
        }
    }
}

/// Edits in the making.
#[derive(Default)]
struct Whole {
    edits: Vec<Edit>,
    /// How far the old text is read.
    old: u32,
    /// Whether the last edit ends here, and grows.
    open: bool,
}

impl Whole {
    fn keep(&mut self, bytes: u32) {
        self.old += bytes;
        self.open &= bytes == 0;
    }

    fn change(&mut self, gone: u32, come: &str) {
        if gone == 0 && come.is_empty() {
            return;
        }
        if !self.open {
            self.edits.push(Edit {
                at: Span::at(self.old),
                text: String::new(),
            });
            self.open = true;
        }
        self.old += gone;
        if let Some(last) = self.edits.last_mut() {
            last.at.end = self.old;
            last.text.push_str(come);
        }
    }

    fn finish(self) -> Vec<Edit> {
        self.edits
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn edit(start: u32, end: u32, text: &str) -> Edit {
        Edit {
            at: Span::new(start, end),
            text: text.to_owned(),
        }
    }

    /// Numbers that are the same on each run.
    struct Numbers(u64);

    impl Numbers {
        fn below(&mut self, bound: u32) -> u32 {
            self.0 = self
                .0
                .wrapping_mul(6364136223846793005)
                .wrapping_add(1442695040888963407);
            ((self.0 >> 33) % u64::from(bound)) as u32
        }

        fn edits(&mut self, length: u32) -> Vec<Edit> {
            let mut edits = Vec::new();
            let mut at = 0;
            while at < length {
                let start = at + self.below(4);
                let end = (start + self.below(3)).min(length);
                if start > length {
                    break;
                }
                let text: String = (0..self.below(3))
                    .map(|_| (b'A' + self.below(26) as u8) as char)
                    .collect();
                edits.push(edit(start, end, &text));
                at = end + 1;
            }
            edits
        }
    }

    #[test]
    fn patches_one_after_the_other_are_one() {
        let mut numbers = Numbers(7);
        let old = "abcdefghijklmnopqrstuvwxyz";
        for _ in 0..2_000 {
            let mut patch = Patch::default();
            let mut text = old.to_owned();
            for _ in 0..3 {
                let edits = numbers.edits(text.len() as u32);
                text = apply(&text, &edits);
                patch = patch.then(&edits);
                assert_eq!(apply(old, patch.edits()), text, "{:?}", patch.edits());
                let apart = |pair: &[Edit]| pair[0].at.end < pair[1].at.start;
                assert!(patch.edits().windows(2).all(apart), "{:?}", patch.edits());
            }
        }
    }

    #[test]
    fn what_one_adds_and_the_next_removes_is_nothing() {
        let patch = Patch::default().then(&[edit(2, 2, "xy")]);
        assert_eq!(patch.then(&[edit(2, 4, "")]), Patch::default());
    }

    #[test]
    fn places_are_followed_in_both_directions() {
        // ab[cd]ef -> abXYZef, and an insertion before g.
        let edits = [edit(2, 4, "XYZ"), edit(6, 6, "!")];
        let patch = Patch::default().then(&edits);
        let forward = forward(&edits);
        let back = patch.back();
        let table = [
            (0, 0),
            (1, 1),
            (2, 2),
            (3, 2),
            (4, 5),
            (5, 6),
            (6, 8),
            (7, 9),
        ];
        for (old, new) in table {
            assert_eq!(forward(old), new, "forward from {old}");
        }
        let table = [
            (0, 0),
            (2, 2),
            (3, 2),
            (5, 4),
            (6, 5),
            (7, 6),
            (8, 6),
            (9, 7),
        ];
        for (new, old) in table {
            assert_eq!(back(new), old, "back from {new}");
        }
    }
}

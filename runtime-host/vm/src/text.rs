//! Texts: UTF-8 that knows how many characters it has and where they stand.

use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::{Arc, OnceLock};

/// How many characters lie between two marks of the table of places.
const STRIDE: usize = 32;

/// A text. Cheap to clone; a place in it is found in constant time once a table
/// of places is made, which takes time in its length and is kept.
#[derive(Clone)]
pub struct Text(Arc<Content>);

#[derive(Clone)]
struct Content {
    text: String,
    /// How many Unicode scalars it has.
    chars: usize,
    /// Where every [`STRIDE`]th character begins, in bytes; not for ASCII.
    marks: OnceLock<Box<[usize]>>,
}

impl Text {
    /// A text of a string.
    pub fn new(text: impl Into<String>) -> Self {
        let text = text.into();
        let chars = match text.is_ascii() {
            true => text.len(),
            false => text.chars().count(),
        };
        Text(Arc::new(Content {
            text,
            chars,
            marks: OnceLock::new(),
        }))
    }

    /// Its characters in UTF-8.
    pub fn as_str(&self) -> &str {
        &self.0.text
    }

    /// How many characters it has.
    pub fn chars(&self) -> usize {
        self.0.chars
    }

    /// How many bytes of memory it holds.
    pub fn bytes(&self) -> usize {
        let marks = self.0.marks.get().map_or(0, |marks| marks.len() * 8);
        self.0.text.capacity() + marks + 64
    }

    /// How many bytes would have to be found to put this many behind it.
    pub fn room_for(&self, more: usize) -> usize {
        match Arc::strong_count(&self.0) {
            1 if self.0.text.capacity() - self.0.text.len() >= more => 0,
            1 => self.0.text.len().max(more),
            _ => self.0.text.len().saturating_add(more),
        }
    }

    /// Puts another text behind it: in place, if nobody else has this one.
    pub fn push_str(&mut self, more: &str) {
        let added = match more.is_ascii() {
            true => more.len(),
            false => more.chars().count(),
        };
        let content = Arc::make_mut(&mut self.0);
        content.text.push_str(more);
        content.chars += added;
        content.marks = OnceLock::new();
    }

    /// Where a character begins, in bytes; the end for the one behind the last.
    pub fn byte_of(&self, place: usize) -> Option<usize> {
        let content = &*self.0;
        if place >= content.chars {
            return (place == content.chars).then_some(content.text.len());
        }
        if content.chars == content.text.len() {
            return Some(place);
        }
        let marks = content.marks.get_or_init(|| {
            let starts = content.text.char_indices().step_by(STRIDE);
            starts.map(|(byte, _)| byte).collect()
        });
        let mark = *marks.get(place / STRIDE)?;
        let rest = content.text.get(mark..)?;
        let (byte, _) = rest.char_indices().nth(place % STRIDE)?;
        Some(mark + byte)
    }

    /// The character at a place.
    pub fn char_at(&self, place: usize) -> Option<char> {
        let byte = self.byte_of(place)?;
        self.as_str().get(byte..)?.chars().next()
    }

    /// The characters from one place up to another, which is not included;
    /// places behind the end are the end.
    pub fn slice(&self, start: usize, end: usize) -> &str {
        let start = self.byte_of(start.min(self.chars())).unwrap_or(0);
        let end = self.byte_of(end.min(self.chars())).unwrap_or(start);
        self.as_str().get(start..end).unwrap_or("")
    }

    /// It is the same text in the same place of memory.
    pub fn is_same(&self, other: &Text) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }

    /// Where it stands in memory, to tell whether it was seen before.
    pub(crate) fn address(&self) -> usize {
        Arc::as_ptr(&self.0) as usize
    }
}

impl Default for Text {
    fn default() -> Self {
        Text::new("")
    }
}

impl From<&str> for Text {
    fn from(text: &str) -> Self {
        Text::new(text)
    }
}

impl From<String> for Text {
    fn from(text: String) -> Self {
        Text::new(text)
    }
}

impl std::ops::Deref for Text {
    type Target = str;

    fn deref(&self) -> &str {
        self.as_str()
    }
}

impl std::borrow::Borrow<str> for Text {
    fn borrow(&self) -> &str {
        self.as_str()
    }
}

impl PartialEq for Text {
    fn eq(&self, other: &Self) -> bool {
        self.is_same(other) || self.as_str() == other.as_str()
    }
}

impl Eq for Text {}

impl Hash for Text {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.as_str().hash(state);
    }
}

impl fmt::Debug for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.as_str().fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::Text;

    #[test]
    fn places_are_those_of_characters() {
        let table = ["", "abc", "né", "👍a👍", "straße"];
        for text in table {
            let own = Text::new(text);
            let chars: Vec<char> = text.chars().collect();
            assert_eq!(own.chars(), chars.len(), "{text}");
            for (place, char) in chars.iter().enumerate() {
                assert_eq!(own.char_at(place), Some(*char), "{text}");
            }
            assert_eq!(own.char_at(chars.len()), None, "{text}");
            assert_eq!(own.byte_of(chars.len()), Some(text.len()), "{text}");
            assert_eq!(own.slice(0, usize::MAX), text);
        }
        let long: String = "aé".repeat(1000);
        let own = Text::new(long.clone());
        let found: String = (0..2000).filter_map(|place| own.char_at(place)).collect();
        assert_eq!(found, long);
        assert_eq!(own.slice(1999, 5000), "é");
    }

    #[test]
    fn what_is_put_behind_a_shared_text_leaves_the_other_as_it_is() {
        let one = Text::new("né");
        let mut two = one.clone();
        assert_eq!(one.char_at(1), Some('é'));
        two.push_str("👍");
        assert_eq!((one.as_str(), one.chars()), ("né", 2));
        assert_eq!((two.as_str(), two.chars()), ("né👍", 3));
        assert_eq!(two.char_at(2), Some('👍'));
    }
}

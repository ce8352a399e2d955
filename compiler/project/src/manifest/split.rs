//! Texts of manifests that become words of a command: a legacy `template`, and
//! what mappings and conditionals hold. They are split before any value is in
//! them, so no value ever makes a second word.

use std::ops::Range;

/// A word, and which byte of the text each of its bytes comes from.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Word {
    pub text: String,
    places: Vec<usize>,
    /// Whether a part of it was in quotes.
    pub quoted: bool,
}

impl Word {
    fn push(&mut self, c: char, at: usize) {
        self.text.push(c);
        self.places.extend(at..at + c.len_utf8());
    }

    /// Where some bytes of the word stand in the text.
    pub fn place(&self, part: Range<usize>) -> Range<usize> {
        let start = self.places.get(part.start).copied().unwrap_or(0);
        let last = part
            .end
            .checked_sub(1)
            .and_then(|last| self.places.get(last));
        start..last.map_or(start, |last| last + 1)
    }
}

/// The words of a text, as a shell would split it: at spaces, except within
/// quotes. A backslash keeps what is behind it, except within single quotes.
///
/// # Errors
/// Where a quote is that is not closed.
pub fn words(text: &str) -> Result<Vec<Word>, usize> {
    let mut words = Vec::new();
    let mut word: Option<Word> = None;
    let mut quote: Option<(char, usize)> = None;
    let mut chars = text.char_indices();
    while let Some((at, c)) = chars.next() {
        match (c, quote) {
            (c, Some((open, _))) if c == open => quote = None,
            ('\\', None | Some(('"', _))) => {
                let word = word.get_or_insert_default();
                match chars.next() {
                    Some((at, kept)) => word.push(kept, at),
                    None => word.push('\\', at),
                }
            }
            (c, Some(_)) => word.get_or_insert_default().push(c, at),
            ('\'' | '"', None) => {
                quote = Some((c, at));
                word.get_or_insert_default().quoted = true;
            }
            (c, None) if c.is_whitespace() => words.extend(word.take()),
            (c, None) => word.get_or_insert_default().push(c, at),
        }
    }
    if let Some((_, at)) = quote {
        return Err(at);
    }
    words.extend(word);
    Ok(words)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_split_into_words() {
        let table: [(&str, Result<&[&str], usize>); 9] = [
            ("", Ok(&[])),
            ("  ", Ok(&[])),
            ("-sV  --top-ports 100", Ok(&["-sV", "--top-ports", "100"])),
            ("-H 'a b'c", Ok(&["-H", "a bc"])),
            ("'' \"\"", Ok(&["", ""])),
            ("a\\ b 'c\\d' \"e\\\"f\"", Ok(&["a b", "c\\d", "e\"f"])),
            ("a 'b", Err(2)),
            ("é\"", Err(2)),
            ("a\\", Ok(&["a\\"])),
        ];
        for (text, expected) in table {
            let found = words(text);
            let found = found
                .as_ref()
                .map(|words| words.iter().map(|word| &*word.text).collect::<Vec<_>>());
            assert_eq!(
                found,
                expected.as_ref().map(|words| words.to_vec()),
                "{text}"
            );
        }
    }

    #[test]
    fn bytes_of_a_word_are_found_in_the_text() {
        let words = words("é 'a {b}'c").unwrap();
        assert_eq!(words[1].text, "a {b}c");
        assert_eq!(words[1].place(2..5), 6..9);
        assert_eq!(words[1].place(5..6), 10..11);
        assert!(words[1].quoted && !words[0].quoted);
    }
}

//! Bytes to tokens: lossless, linear, no state between tokens.
//!
//! Words, white space and single signs are told by their bytes (`words`),
//! other simple tokens by logos; what no regular expression can say (strings
//! whose end depends on a later line, nesting comments, numbers with units,
//! addresses) is extended by hand below. Where a token ends depends only on
//! the text from its start, so a file can be lexed again from any token.

use logos::Logos;

use crate::anchors::{line_is_anchor, opens_a_string};
use crate::kind::SyntaxKind::{self, self as K};
use crate::words::{self, CLASSES, Class, IN_WORD};

/// The quotes that close a text in other quotes than `"`.
const CLOSING: [char; 4] = ['\'', '`', '’', '”'];

/// An iterator over all tokens, trivia included: `(kind, start, end)`.
pub(crate) struct Lexer<'t> {
    /// Stands at or before `at`: it is only asked where the first byte alone
    /// does not decide.
    inner: logos::Lexer<'t, SyntaxKind>,
    text: &'t str,
    /// Where the token found last ends.
    at: usize,
    /// A search for a closing quote that failed reached this byte: a string
    /// that starts before it has no end either. Keeps many cut strings linear.
    no_quote_before: usize,
    /// A quote on the line that starts here opens a string although one from
    /// further up would reach it: so would every string that starts before
    /// this line and after that one.
    opening_line: usize,
    /// For each of [`CLOSING`], the byte before which no search for it
    /// succeeds.
    no_closing_before: [usize; CLOSING.len()],
    /// The same for `"""`.
    no_triple_before: usize,
    /// Where a line was looked for that a `"""` without its end does not reach
    /// over, and the line end before the one that was found: many such texts
    /// have one answer, and looking stays linear.
    triple_anchor: (usize, usize),
    /// The string found last has a backslash in it.
    escaped: bool,
    /// The white space found last has a line break in it.
    has_break: bool,
    /// Bytes that were looked at by hand: the scaling tests bound it.
    work: u64,
}

impl<'t> Lexer<'t> {
    /// Lexes `text` from `start`, which must be the start of a token.
    pub(crate) fn new(text: &'t str, start: usize) -> Self {
        Self {
            inner: SyntaxKind::lexer(text),
            text,
            at: start,
            has_break: false,
            no_quote_before: 0,
            opening_line: 0,
            no_closing_before: [0; CLOSING.len()],
            no_triple_before: 0,
            triple_anchor: (0, 0),
            escaped: false,
            work: 0,
        }
    }

    /// Whether the string token found last has a backslash in it.
    pub(crate) fn escaped(&self) -> bool {
        self.escaped
    }

    /// Whether the white space found last has a line break in it.
    pub(crate) fn has_break(&self) -> bool {
        self.has_break
    }

    /// Bytes looked at beyond what logos did.
    pub(crate) fn work(&self) -> u64 {
        self.work
    }

    fn bytes(&self) -> &'t [u8] {
        self.text.as_bytes()
    }

    /// Extends the current token to `end`.
    fn extend(&mut self, end: usize) {
        self.at = end;
    }

    fn byte(&self, at: usize) -> u8 {
        self.bytes().get(at).copied().unwrap_or(0)
    }

    fn word(&mut self, kind: SyntaxKind, start: usize, end: usize) -> SyntaxKind {
        match self.byte(end) {
            b':' if self.byte(end + 1) == b'/' && self.byte(end + 2) == b'/' => {
                self.url(kind, start, end + 3)
            }
            0x80.. if starts_with_letter(&self.text[end..]) => {
                self.bad_name(end);
                K::BadName
            }
            _ => kind,
        }
    }

    /// `scheme://` has been seen; what follows decides whether it is one token.
    fn url(&mut self, kind: SyntaxKind, start: usize, path: usize) -> SyntaxKind {
        let mut end = path;
        while matches!(self.byte(end), b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'_' | b'.' | b'/' | b'-')
        {
            end += 1;
        }
        while end > path && matches!(self.byte(end - 1), b'.' | b'-') {
            end -= 1;
        }
        if end == path {
            return kind;
        }
        let scheme = &self.text[start..path - 3];
        self.extend(end);
        if scheme == "vault" || scheme == "env" {
            K::SecretUrl
        } else {
            K::Url
        }
    }

    /// Extends a name over ASCII name characters and other letters.
    fn bad_name(&mut self, from: usize) {
        let rest = &self.text[from..];
        let len = rest
            .find(|c: char| !(c.is_alphanumeric() || c == '_' || is_mark(c)))
            .unwrap_or(rest.len());
        self.extend(from + len);
    }

    fn digits(&self, mut at: usize) -> usize {
        while matches!(self.byte(at), b'0'..=b'9' | b'_') {
            at += 1;
        }
        at
    }

    /// Name characters from `at`: ASCII ones, and letters outside ASCII.
    fn name_end(&self, mut at: usize) -> usize {
        loop {
            match self.byte(at) {
                b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'_' => at += 1,
                0x80.. => match self.text[at..].chars().next() {
                    Some(c) if c.is_alphanumeric() || is_mark(c) => at += c.len_utf8(),
                    _ => return at,
                },
                _ => return at,
            }
        }
    }

    fn number(&mut self, start: usize) -> SyntaxKind {
        let bytes = self.bytes();
        let mut end = self.digits(start);
        let mut kind = K::Int;
        if self.byte(end) == b'.' && self.byte(end + 1).is_ascii_digit() {
            kind = K::Float;
            end = self.digits(end + 1);
            // `1.2.3` is a version somebody forgot to quote, not a member.
            if self.byte(end) == b'.' && self.byte(end + 1).is_ascii_digit() {
                while self.byte(end) == b'.' && self.byte(end + 1).is_ascii_digit() {
                    end = self.digits(end + 1);
                }
                end = self.name_end(end);
                self.extend(end);
                return K::BadNumber;
            }
        }
        let underscore_last = bytes[end - 1] == b'_';
        if matches!(self.byte(end), b'e' | b'E') {
            let sign = usize::from(matches!(self.byte(end + 1), b'+' | b'-'));
            if self.byte(end + 1 + sign).is_ascii_digit() {
                let exponent = self.digits(end + 1 + sign);
                if self.name_end(exponent) == exponent && !underscore_last {
                    self.extend(exponent);
                    return K::Float;
                }
            }
        }
        let tail = self.name_end(end);
        if tail > end || underscore_last {
            let unit = &self.text[end..tail];
            self.extend(tail);
            return match unit {
                _ if underscore_last => K::BadNumber,
                "ms" | "s" | "m" | "h" | "d" | "w" | "months" | "y" => K::Duration,
                "KB" | "MB" | "GB" | "KiB" | "MiB" | "GiB" => K::Size,
                _ => K::BadNumber,
            };
        }
        if self.byte(end) == b'.' {
            let tail = self.name_end(end + 1);
            if matches!(
                &self.text[end + 1..tail],
                "milliseconds" | "seconds" | "minutes" | "hours" | "days" | "weeks"
            ) && self.byte(tail) != b'('
            {
                self.extend(tail);
                return K::Duration;
            }
        }
        self.extend(end);
        kind
    }

    fn string(&mut self, start: usize) -> SyntaxKind {
        self.escaped = false;
        if self.byte(start + 1) == b'"' && self.byte(start + 2) == b'"' {
            return self.triple_string(start);
        }
        let bytes = self.bytes();
        let mut at = start + 1;
        let mut first_line_end = None;
        let begin = at;
        let mut line_start = 0;
        let reached = if start < self.no_quote_before.max(self.opening_line) {
            None
        } else {
            loop {
                match bytes.get(at) {
                    None => break Some(at),
                    Some(b'"') => {
                        self.work += (at - begin) as u64;
                        // A quote further down that something is glued to
                        // opens a string: the one at hand lost its own.
                        if first_line_end.is_some() && opens_a_string(&bytes[at + 1..]) {
                            self.work += (at - begin) as u64;
                            self.opening_line = line_start;
                            break None;
                        }
                        self.extend(at + 1);
                        return K::String;
                    }
                    // The byte after a backslash is part of the escape; a line
                    // end after one still ends a line.
                    Some(b'\\') => {
                        self.escaped = true;
                        let line_ends = matches!(bytes.get(at + 1), Some(b'\n' | b'\r') | None);
                        at += if line_ends { 1 } else { 2 };
                    }
                    Some(b'\n' | b'\r') => {
                        first_line_end.get_or_insert(at);
                        at += line_break_len(bytes, at);
                        line_start = at;
                        if line_is_anchor(&bytes[at..]) {
                            break Some(at);
                        }
                    }
                    Some(_) => at += 1,
                }
            }
        };
        if let Some(reached) = reached {
            self.work += (reached - begin) as u64;
            self.no_quote_before = reached;
        }
        let end = first_line_end.unwrap_or_else(|| line_end(bytes, start));
        self.extend(trim_blank(bytes, start + 1, end));
        K::CutString
    }

    fn triple_string(&mut self, start: usize) -> SyntaxKind {
        let bytes = self.bytes();
        let mut at = start + 3;
        if start >= self.no_triple_before {
            loop {
                match bytes.get(at) {
                    None => break,
                    Some(b'"') if bytes[at..].starts_with(b"\"\"\"") => {
                        self.extend(at + 3);
                        return K::TripleString;
                    }
                    Some(b'\\') => {
                        self.escaped = true;
                        at += 2;
                    }
                    Some(_) => at += 1,
                }
            }
            self.work += (at - start) as u64;
            self.no_triple_before = bytes.len();
        }
        let end = self.anchor_behind(start + 3);
        self.extend(trim_blank(bytes, start + 3, end));
        K::CutTripleString
    }

    /// The line end at or behind `from` before the next line that no string
    /// reaches over; the end of the text if there is none.
    fn anchor_behind(&mut self, from: usize) -> usize {
        let (searched, found) = self.triple_anchor;
        if searched <= from && from <= found && found > 0 {
            return found;
        }
        let bytes = self.bytes();
        let mut at = from;
        let anchor = loop {
            let end = line_end(bytes, at);
            if end == bytes.len() {
                break end;
            }
            let next = end + line_break_len(bytes, end);
            if line_is_anchor(&bytes[next..]) {
                break end;
            }
            at = next;
        };
        self.work += (anchor - from) as u64;
        self.triple_anchor = (from, anchor);
        anchor
    }

    fn block_comment(&mut self, start: usize) -> SyntaxKind {
        let bytes = self.bytes();
        let mut depth = 1u32;
        let mut at = start + 2;
        while at < bytes.len() {
            if bytes[at..].starts_with(b"*/") {
                at += 2;
                depth -= 1;
                if depth == 0 {
                    self.extend(at);
                    return K::BlockComment;
                }
            } else if bytes[at..].starts_with(b"/*") {
                at += 2;
                depth += 1;
            } else {
                at += 1;
            }
        }
        self.work += (at - start) as u64;
        self.extend(bytes.len());
        K::OpenComment
    }

    fn env_name(&mut self, start: usize) -> SyntaxKind {
        let braced = self.byte(start + 1) == b'{';
        let name = start + 1 + usize::from(braced);
        let mut end = name;
        while matches!(self.byte(end), b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'_') {
            end += 1;
        }
        if end == name || self.byte(name).is_ascii_digit() || (braced && self.byte(end) != b'}') {
            return K::Unknown;
        }
        self.extend(end + usize::from(braced));
        K::EnvName
    }

    /// A character that starts no token: white space outside ASCII, a letter
    /// outside ASCII, text in other quotes, or nothing we know.
    fn other(&mut self, start: usize) -> SyntaxKind {
        let rest = &self.text[start..];
        let Some(first) = rest.chars().next() else {
            return K::Unknown;
        };
        let after = start + first.len_utf8();
        if first == '\u{FEFF}' && start == 0 {
            self.extend_at_least(after);
            return K::Bom;
        }
        if first.is_whitespace() {
            let len = rest
                .find(|c: char| !c.is_whitespace())
                .unwrap_or(rest.len());
            self.has_break = rest[..len].contains(['\n', '\r']);
            self.extend_at_least(start + len);
            return K::Whitespace;
        }
        if first.is_alphanumeric() {
            self.bad_name(start);
            return K::BadName;
        }
        let closing = match first {
            '\'' => Some(0),
            '`' => Some(1),
            '‘' | '’' => Some(2),
            '“' | '”' | '„' => Some(3),
            _ => None,
        };
        if let Some(which) = closing
            && let Some(end) = self.closing_quote(which, after)
        {
            self.extend_at_least(end);
            return K::OtherString;
        }
        let len = rest
            .char_indices()
            .find(|&(at, c)| at > 0 && (c.is_ascii() || c.is_alphanumeric() || c.is_whitespace()))
            .map_or(rest.len(), |(at, _)| at);
        // A run of one character is one mistake, and one token.
        let len = if first.is_ascii() {
            rest.bytes().take_while(|byte| *byte == first as u8).count()
        } else {
            len
        };
        self.extend_at_least(start + len);
        K::Unknown
    }

    /// The end of the closing quote `CLOSING[which]` on the line at hand.
    fn closing_quote(&mut self, which: usize, from: usize) -> Option<usize> {
        if from < self.no_closing_before[which] {
            return None;
        }
        let mut escaped = false;
        for (at, c) in self.text[from..].char_indices() {
            self.work += 1;
            if std::mem::take(&mut escaped) {
                continue;
            }
            escaped = c == '\\';
            if c == CLOSING[which] {
                return Some(from + at + c.len_utf8());
            }
            if matches!(c, '\n' | '\r') {
                self.no_closing_before[which] = from + at;
                return None;
            }
        }
        self.no_closing_before[which] = self.text.len();
        None
    }

    /// Like `extend`, for tokens that logos may already have made longer.
    fn extend_at_least(&mut self, end: usize) {
        if end > self.at {
            self.extend(end);
        }
    }
}

impl Iterator for Lexer<'_> {
    type Item = (SyntaxKind, u32, u32);

    #[inline(always)]
    fn next(&mut self) -> Option<Self::Item> {
        let start = self.at;
        let bytes = self.bytes();
        let first = *bytes.get(start)?;
        let kind = match CLASSES[first as usize] {
            Class::Space => {
                self.skip_space();
                K::Whitespace
            }
            Class::Word => {
                let mut end = start + 1;
                while IN_WORD[self.byte(end) as usize] {
                    end += 1;
                }
                self.at = end;
                let kind = words::kind_of(&bytes[start..end]);
                if matches!(self.byte(end), b':' | 0x80..) {
                    self.word(kind, start, end)
                } else {
                    kind
                }
            }
            Class::Sign(kind) => {
                self.at = start + 1;
                kind
            }
            Class::SignUnless(kind, one, other)
                if self.byte(start + 1) != one && self.byte(start + 1) != other =>
            {
                self.at = start + 1;
                kind
            }
            Class::Quote => self.string(start),
            Class::Digit => self.number(start),
            Class::SignUnless(..) | Class::Other => self.by_logos(start)?,
        };
        Some((kind, start as u32, self.at as u32))
    }
}

impl Lexer<'_> {
    /// Steps over white space, and notes whether a line break is in it. What
    /// is white outside ASCII belongs to it if it does not come first.
    #[inline(always)]
    pub(crate) fn skip_space(&mut self) {
        let bytes = self.bytes();
        let mut at = self.at;
        let mut has_break = false;
        let next = loop {
            match bytes.get(at) {
                Some(b' ' | b'\t' | 0x0B | 0x0C) => at += 1,
                Some(b'\n' | b'\r') => {
                    has_break = true;
                    at += 1;
                }
                next => break next,
            }
        };
        let white = at > self.at && next.is_some_and(|byte| !byte.is_ascii());
        self.at = at;
        self.has_break = has_break;
        if white {
            self.skip_wide_space();
        }
    }

    #[cold]
    fn skip_wide_space(&mut self) {
        let rest = &self.text[self.at..];
        let len = rest
            .find(|c: char| !c.is_whitespace())
            .unwrap_or(rest.len());
        self.has_break |= rest[..len].contains(['\n', '\r']);
        self.at += len;
    }

    /// Where the token found last ends.
    pub(crate) fn at(&self) -> usize {
        self.at
    }

    /// Signs of several bytes, comments, and what begins with no byte that a
    /// token of the language begins with.
    fn by_logos(&mut self, start: usize) -> Option<SyntaxKind> {
        let behind = start - self.inner.span().end;
        self.inner.bump(behind);
        let found = self.inner.next()?;
        self.at = self.inner.span().end;
        Some(match found {
            Ok(K::BlockComment) => self.block_comment(start),
            Ok(K::EnvName) => self.env_name(start),
            Ok(kind) => kind,
            Err(()) => self.other(start),
        })
    }
}

/// Combining marks are no letters, but belong to the letter before them.
fn is_mark(c: char) -> bool {
    matches!(c, '\u{300}'..='\u{36F}' | '\u{200C}' | '\u{200D}')
}

fn starts_with_letter(rest: &str) -> bool {
    rest.chars()
        .next()
        .is_some_and(|c| c.is_alphanumeric() || is_mark(c))
}

fn line_break_len(bytes: &[u8], at: usize) -> usize {
    if bytes[at] == b'\r' && bytes.get(at + 1) == Some(&b'\n') {
        2
    } else {
        1
    }
}

fn line_end(bytes: &[u8], from: usize) -> usize {
    bytes[from..]
        .iter()
        .position(|byte| matches!(byte, b'\n' | b'\r'))
        .map_or(bytes.len(), |len| from + len)
}

/// `end` without the blanks before it, but not before `from`.
fn trim_blank(bytes: &[u8], from: usize, mut end: usize) -> usize {
    while end > from && matches!(bytes[end - 1], b' ' | b'\t' | b'\r' | b'\n') {
        end -= 1;
    }
    end
}

//! Patterns of manifests: regular expressions that a whole value must match.

use std::fmt;
use std::ops::Range;
use std::sync::Arc;

use regex::{Regex, RegexBuilder};
use regex_syntax::ast::ErrorKind as Written;
use regex_syntax::hir::ErrorKind as Meant;

/// The longest pattern, in bytes.
pub const MAX_LENGTH: usize = 4096;

/// How deep groups may stand in each other.
const MAX_NESTING: u32 = 64;

/// How much memory, in bytes, a compiled pattern may take: enough for some
/// dozens of letters of any alphabet. Matching takes time in proportion to the
/// text times this.
const MAX_COMPILED: usize = 4 << 20;

/// How many patterns of one file are compiled.
pub const MAX_PATTERNS: usize = 64;

/// A pattern. Two are the same if they are written the same.
#[derive(Clone)]
pub struct Pattern {
    text: Arc<str>,
    regex: Regex,
}

impl Pattern {
    /// A pattern that a whole text must match: `^(?:…)$`.
    ///
    /// # Errors
    /// What is wrong with it, and where.
    pub fn whole(text: &str) -> Result<Self, PatternProblem> {
        Self::compile(text, &format!("^(?:{text})$"))
    }

    /// A pattern that is looked for anywhere in a text.
    ///
    /// # Errors
    /// What is wrong with it, and where.
    pub fn anywhere(text: &str) -> Result<Self, PatternProblem> {
        Self::compile(text, text)
    }

    fn compile(text: &str, full: &str) -> Result<Self, PatternProblem> {
        let whole = |message: String| PatternProblem {
            at: 0..text.len(),
            message,
        };
        if text.len() > MAX_LENGTH {
            return Err(whole(format!("a pattern has at most {MAX_LENGTH} bytes")));
        }
        // Read alone first: `a)(b` would be one with what is put round it.
        let mut parser = regex_syntax::ParserBuilder::new()
            .nest_limit(MAX_NESTING)
            .build();
        if let Err(error) = parser.parse(text) {
            return Err(problem(&error, text));
        }
        let regex = RegexBuilder::new(full)
            .nest_limit(MAX_NESTING + 2)
            .size_limit(MAX_COMPILED)
            .dfa_size_limit(MAX_COMPILED)
            .build();
        match regex {
            Ok(regex) => Ok(Self {
                text: text.into(),
                regex,
            }),
            Err(regex::Error::CompiledTooBig(_)) => Err(whole(
                "this pattern is too large: repeat less, or allow fewer characters".to_owned(),
            )),
            Err(_) => Err(whole(
                "this pattern cannot be matched as a whole: close its groups, and leave comments out"
                    .to_owned(),
            )),
        }
    }

    /// As it is written.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// Whether a text matches.
    pub fn matches(&self, text: &str) -> bool {
        self.regex.is_match(text)
    }

    /// Whether it has a group of this name.
    pub fn has_group(&self, name: &str) -> bool {
        self.regex
            .capture_names()
            .flatten()
            .any(|known| known == name)
    }
}

impl PartialEq for Pattern {
    fn eq(&self, other: &Self) -> bool {
        self.text == other.text
    }
}

impl Eq for Pattern {}

impl fmt::Debug for Pattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Pattern({:?})", self.text)
    }
}

/// What is wrong with a pattern.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PatternProblem {
    /// Which bytes of it.
    pub at: Range<usize>,
    /// A sentence without a full stop.
    pub message: String,
}

fn problem(error: &regex_syntax::Error, text: &str) -> PatternProblem {
    let (span, message) = match error {
        regex_syntax::Error::Parse(error) => {
            let span = *error.span();
            let found = text.get(span.start.offset..span.end.offset).unwrap_or("");
            (
                span.start.offset..span.end.offset,
                written(error.kind(), found),
            )
        }
        regex_syntax::Error::Translate(error) => {
            let span = error.span();
            (span.start.offset..span.end.offset, meant(error.kind()))
        }
        _ => (0..text.len(), "this is no pattern".to_owned()),
    };
    // The parser counts in bytes of its input; hold it to that.
    let start = text.floor_char_boundary(span.start);
    let mut end = text.ceil_char_boundary(span.end.max(start));
    if start == end {
        // One character is seen better than none.
        end += text[start..].chars().next().map_or(0, char::len_utf8);
    }
    PatternProblem {
        at: start..end,
        message,
    }
}

/// What to say about a pattern that is not well formed.
fn written(kind: &Written, found: &str) -> String {
    let fixed = match kind {
        Written::GroupUnclosed => "this group is not closed: write `)` at its end",
        Written::GroupUnopened => "this `)` closes nothing: write `\\)` for the character",
        Written::ClassUnclosed => "this set is not closed: write `]` at its end",
        Written::ClassRangeInvalid => "this range ends before it begins",
        Written::ClassRangeLiteral => "a range goes from one character to another",
        Written::ClassEscapeInvalid => "this escape cannot stand in a set",
        Written::RepetitionMissing => {
            "there is nothing before this to repeat: write a backslash before it for the character"
        }
        Written::RepetitionCountInvalid => "this range of repetitions ends before it begins",
        Written::RepetitionCountDecimalEmpty | Written::DecimalEmpty => {
            "a number of repetitions is missing: write `{2}` or `{1,3}`, or `\\{` for the character"
        }
        Written::RepetitionCountUnclosed => "these repetitions are not closed: write `}`",
        Written::DecimalInvalid => "this number is too large",
        Written::EscapeUnexpectedEof => "a backslash escapes what is behind it, and nothing is",
        Written::EscapeHexEmpty | Written::EscapeHexInvalid | Written::EscapeHexInvalidDigit => {
            "this escape names no character: write for example `\\x41` or `\\u{e9}`"
        }
        Written::UnsupportedBackreference => {
            "patterns cannot refer back to a group: they are matched in linear time"
        }
        Written::UnsupportedLookAround => {
            "patterns cannot look ahead or behind: they are matched in linear time"
        }
        Written::NestLimitExceeded(_) => "groups stand too deep in each other",
        Written::GroupNameDuplicate { .. } => "this name of a group is taken already",
        Written::GroupNameEmpty | Written::GroupNameInvalid | Written::GroupNameUnexpectedEof => {
            "a named group is written `(?P<name>…)`, with letters, digits and `_`"
        }
        Written::FlagDanglingNegation
        | Written::FlagDuplicate { .. }
        | Written::FlagRepeatedNegation { .. }
        | Written::FlagUnexpectedEof
        | Written::FlagUnrecognized => {
            "flags are written `(?i)`; there are `i`, `m`, `s`, `R`, `U`, `u` and `x`"
        }
        Written::EscapeUnrecognized => {
            return format!("there is no escape `{found}` in patterns");
        }
        Written::UnicodeClassInvalid => "this class of characters is not well formed",
        _ => "this is no pattern",
    };
    fixed.to_owned()
}

/// What to say about a pattern that is well formed and means nothing.
fn meant(kind: &Meant) -> String {
    let fixed = match kind {
        Meant::InvalidUtf8 | Meant::UnicodeNotAllowed => {
            "this would match bytes that are no text: leave `(?-u)` out"
        }
        Meant::UnicodePropertyNotFound | Meant::UnicodePropertyValueNotFound => {
            "there is no such class of characters"
        }
        _ => "this is no pattern",
    };
    fixed.to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pattern_is_matched_as_a_whole() {
        let table = [
            ("[a-z]+", "abc", true),
            ("[a-z]+", "abc1", false),
            ("[a-z]+", "abc\n", false),
            ("a|b", "ab", false),
            ("a|b", "b", true),
            ("^a$", "a", true),
            ("(?m)^a$", "a\nb", false),
            ("\\Aa\\z", "a", true),
            ("(?s).{1,3}", "é\né", true),
            ("", "", true),
        ];
        for (pattern, text, matches) in table {
            let compiled = Pattern::whole(pattern).unwrap();
            assert_eq!(compiled.matches(text), matches, "{pattern} {text:?}");
        }
        assert!(Pattern::anywhere("b").unwrap().matches("abc"));
        assert!(
            Pattern::whole("(?P<target>.+)")
                .unwrap()
                .has_group("target")
        );
        assert!(!Pattern::whole("(.+)").unwrap().has_group("target"));
    }

    #[test]
    fn what_is_no_pattern_is_said_in_our_words_at_its_place() {
        // A pattern with `⟦…⟧` round the place.
        let table = [
            ("a⟦(⟧b", "this group is not closed: write `)` at its end"),
            (
                "a⟦)⟧(b",
                "this `)` closes nothing: write `\\)` for the character",
            ),
            ("é⟦[⟧a", "this set is not closed: write `]` at its end"),
            ("[⟦z-a⟧]", "this range ends before it begins"),
            (
                "⟦*⟧a",
                "there is nothing before this to repeat: write a backslash before it for the character",
            ),
            (
                "a⟦{3,1}⟧",
                "this range of repetitions ends before it begins",
            ),
            ("⟦\\q⟧", "there is no escape `\\q` in patterns"),
            (
                "(a)⟦\\1⟧",
                "patterns cannot refer back to a group: they are matched in linear time",
            ),
            (
                "⟦(?=⟧a)",
                "patterns cannot look ahead or behind: they are matched in linear time",
            ),
            ("⟦\\pX⟧", "there is no such class of characters"),
            (
                "(?-u:⟦\\xff⟧)",
                "this would match bytes that are no text: leave `(?-u)` out",
            ),
            (
                "⟦[a-z]{5000}{200}⟧",
                "this pattern is too large: repeat less, or allow fewer characters",
            ),
            (
                "⟦(?x)a #⟧",
                "this pattern cannot be matched as a whole: close its groups, and leave comments out",
            ),
        ];
        for (marked, message) in table {
            let start = marked.find('⟦').unwrap();
            let end = marked.find('⟧').unwrap() - '⟦'.len_utf8();
            let text = marked.replace(['⟦', '⟧'], "");
            let problem = Pattern::whole(&text).unwrap_err();
            assert_eq!(problem.message, message, "{marked}");
            assert_eq!(problem.at, start..end, "{marked}");
        }
        let long = Pattern::whole(&"a".repeat(MAX_LENGTH + 1)).unwrap_err();
        assert_eq!(long.message, "a pattern has at most 4096 bytes");
    }

    #[test]
    fn deep_groups_end_in_a_sentence() {
        let deep = format!("{}{}", "(".repeat(500), ")".repeat(500));
        let problem = Pattern::whole(&deep).unwrap_err();
        assert_eq!(problem.message, "groups stand too deep in each other");
    }
}

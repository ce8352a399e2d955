//! `when`: comparisons of arguments with texts, joined by `and`.

use std::ops::Range;

/// When a conditional holds: when all of its tests do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Condition {
    /// At least one.
    pub tests: Vec<Test>,
}

/// `rate != ''`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Test {
    /// The argument or default, which is compared as a text. One that is left
    /// out is the empty text.
    pub name: String,
    /// `==`, and not `!=`.
    pub equal: bool,
    /// What it is compared with.
    pub value: String,
    /// Where the name stands in the text of the condition.
    pub name_at: Range<usize>,
    /// Where the value stands there, with its quotes.
    pub value_at: Range<usize>,
}

impl Condition {
    /// Whether all tests hold, when `value` says what each name stands for.
    pub fn holds<'v>(&self, value: impl Fn(&str) -> &'v str) -> bool {
        self.tests
            .iter()
            .all(|test| (value(&test.name) == test.value) == test.equal)
    }
}

/// What is wrong with a condition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    pub at: Range<usize>,
    pub message: String,
    /// What was meant there.
    pub instead: Option<&'static str>,
}

/// Longer ones are no conditions that a person reads.
const MAX_TESTS: usize = 64;

#[derive(Clone, Debug, PartialEq, Eq)]
enum Token<'t> {
    Word(&'t str),
    Quoted(&'t str),
    Sign(&'t str),
}

/// Reads a condition.
///
/// # Errors
/// The first fault in it.
pub fn parse(text: &str) -> Result<Condition, Fault> {
    let tokens = tokens(text)?;
    let end = text.trim_end().len();
    let fault = |at: Range<usize>, message: &str| Fault {
        at,
        message: message.to_owned(),
        instead: None,
    };
    let mut tests = Vec::new();
    let mut tokens = tokens.into_iter();
    loop {
        let (name, name_at) = match tokens.next() {
            Some((Token::Word(word), at)) => (word, at),
            Some((_, at)) => return Err(fault(at, "the name of an argument should stand here")),
            None => return Err(fault(end..end, "the name of an argument is missing here")),
        };
        let equal = match tokens.next() {
            Some((Token::Sign("=="), _)) => true,
            Some((Token::Sign("!="), _)) => false,
            Some((Token::Sign("="), at)) => {
                return Err(Fault {
                    at,
                    message: "two values are compared with `==`".to_owned(),
                    instead: Some("=="),
                });
            }
            Some((_, at)) => return Err(fault(at, "`==` or `!=` should stand here")),
            None => return Err(fault(end..end, "`==` or `!=` and a value are missing here")),
        };
        let (value, value_at) = match tokens.next() {
            Some((Token::Word(word) | Token::Quoted(word), at)) => (word, at),
            Some((_, at)) => return Err(fault(at, "a value should stand here, such as `''`")),
            None => return Err(fault(end..end, "a value is missing here, such as `''`")),
        };
        tests.push(Test {
            name: name.to_owned(),
            equal,
            value: value.to_owned(),
            name_at,
            value_at,
        });
        match tokens.next() {
            None => return Ok(Condition { tests }),
            Some((Token::Word("and"), _)) if tests.len() < MAX_TESTS => {}
            Some((Token::Word("and"), at)) => {
                return Err(fault(at, "this condition has too many parts"));
            }
            Some((Token::Sign("&&"), at)) => {
                return Err(Fault {
                    at,
                    message: "parts of a condition are joined by `and`".to_owned(),
                    instead: Some("and"),
                });
            }
            Some((Token::Word("or") | Token::Sign("||"), at)) => {
                return Err(fault(
                    at,
                    "only `and` joins parts of a condition: write a second conditional for the other case",
                ));
            }
            Some((_, at)) => return Err(fault(at, "`and` should stand here, or nothing")),
        }
    }
}

fn tokens(text: &str) -> Result<Vec<(Token<'_>, Range<usize>)>, Fault> {
    let mut tokens = Vec::new();
    let mut at = 0;
    while let Some(c) = text[at..].chars().next() {
        let rest = &text[at..];
        let (token, length) = if c.is_whitespace() {
            at += c.len_utf8();
            continue;
        } else if c == '\'' || c == '"' {
            let Some(end) = rest[1..].find(c) else {
                return Err(Fault {
                    at: at..at + 1,
                    message: format!("this text is not closed: write `{c}` at its end"),
                    instead: None,
                });
            };
            (Token::Quoted(&rest[1..=end]), end + 2)
        } else if is_word(c) {
            let end = rest.find(|c| !is_word(c)).unwrap_or(rest.len());
            (Token::Word(&rest[..end]), end)
        } else {
            let sign = ["==", "!=", "&&", "||", "="];
            match sign.iter().find(|sign| rest.starts_with(**sign)) {
                Some(sign) => (Token::Sign(sign), sign.len()),
                None => {
                    return Err(Fault {
                        at: at..at + c.len_utf8(),
                        message: "this is no part of a condition".to_owned(),
                        instead: None,
                    });
                }
            }
        };
        tokens.push((token, at..at + length));
        at += length;
    }
    Ok(tokens)
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || "_.-".contains(c)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conditions_are_read() {
        let condition = parse("a != '' and  b == \"x y\" and c == 0").unwrap();
        let found: Vec<(&str, bool, &str, Range<usize>)> = condition
            .tests
            .iter()
            .map(|test| (&*test.name, test.equal, &*test.value, test.value_at.clone()))
            .collect();
        let expected = [
            ("a", false, "", 5..7),
            ("b", true, "x y", 18..23),
            ("c", true, "0", 33..34),
        ];
        assert_eq!(found, expected);
        let value = |name: &str| match name {
            "a" => "1",
            "b" => "x y",
            _ => "0",
        };
        assert!(condition.holds(value));
        assert!(!condition.holds(|_| ""));
    }

    #[test]
    fn what_is_no_condition_is_said_at_its_place() {
        let table: [(&str, Range<usize>, &str, Option<&str>); 11] = [
            ("", 0..0, "the name of an argument is missing here", None),
            ("a", 1..1, "`==` or `!=` and a value are missing here", None),
            ("a ==", 4..4, "a value is missing here, such as `''`", None),
            (
                "a = ''",
                2..3,
                "two values are compared with `==`",
                Some("=="),
            ),
            (
                "a == '' && b == ''",
                8..10,
                "parts of a condition are joined by `and`",
                Some("and"),
            ),
            (
                "a == '' or b == ''",
                8..10,
                "only `and` joins parts of a condition: write a second conditional for the other case",
                None,
            ),
            (
                "a == '",
                5..6,
                "this text is not closed: write `'` at its end",
                None,
            ),
            ("a > 1", 2..3, "this is no part of a condition", None),
            (
                "'a' == b",
                0..3,
                "the name of an argument should stand here",
                None,
            ),
            ("a b", 2..3, "`==` or `!=` should stand here", None),
            (
                "a == b c",
                7..8,
                "`and` should stand here, or nothing",
                None,
            ),
        ];
        for (text, at, message, instead) in table {
            let fault = parse(text).unwrap_err();
            assert_eq!(
                (fault.at, &*fault.message, fault.instead),
                (at, message, instead),
                "{text}"
            );
        }
    }
}

//! Literals, names, and what can be wrong inside their one token.

use symbi_diagnostics::{Diagnostic, Edit, syntax as codes};

use super::core::Parser;
use super::recovery::shorten;
use crate::kind::SyntaxKind as K;
use crate::literal;
use crate::place::Place;

impl Parser<'_> {
    /// The literal at hand as a `Literal` node.
    pub(super) fn literal(&mut self, negative: bool) {
        let start = self.start();
        let kind = self.kind();
        match kind {
            K::String | K::TripleString | K::CutString | K::CutTripleString | K::OtherString => {
                self.string_token();
            }
            K::Url => self.url(),
            K::Int if self.nth(1) == K::Name && !self.line_start(1) => {
                self.number(negative);
                self.spaced_unit();
            }
            K::Int | K::Float | K::Duration | K::Size | K::BadNumber => self.number(negative),
            _ => self.bump(),
        }
        self.close(K::Literal, start);
    }

    /// A string token, of whatever kind.
    pub(super) fn string_token(&mut self) {
        match self.kind() {
            K::String | K::TripleString if self.tok(self.pos).escaped() => {
                self.escapes(self.here());
            }
            K::CutString | K::CutTripleString => self.cut_string(),
            K::OtherString => {
                let diagnostic = self.other_string(self.pos);
                self.report(diagnostic);
            }
            _ => {}
        }
        self.bump();
    }

    /// Something is glued to the end of the string before it: a quote was
    /// lost, or stands inside the string.
    #[cold]
    pub(super) fn glued_to_string(&mut self) {
        let place = self.at_token(self.pos.saturating_sub(1));
        self.report(
            Diagnostic::new(
                &codes::S0103,
                place,
                "this string ends where something is glued to it",
            )
            .help("a quote is missing; one inside a string is written `\\\"`"),
        );
    }

    #[cold]
    pub(super) fn cut_string(&mut self) {
        let text = self.here();
        let quotes = if self.at(K::CutTripleString) {
            "\"\"\""
        } else {
            "\""
        };
        // A bracket or semicolon at the end was code before the quote got lost.
        let body = text.trim_end_matches([' ', '\t', ';', ',', '}', ')', ']', '{']);
        let body = if body.len() < quotes.len() {
            text
        } else {
            body
        };
        let at = Place::Within(
            self.relative(self.pos),
            body.len() as u32,
            body.len() as u32,
        );
        let place = Place::Within(self.relative(self.pos), 0, text.len() as u32);
        self.report(
            Diagnostic::new(&codes::S0103, place, "this string is never closed")
                .label(format!("a closing `{quotes}` is missing"))
                .maybe_fix(
                    format!("write `{quotes}`"),
                    vec![Edit {
                        at,
                        text: quotes.to_owned(),
                    }],
                ),
        );
    }

    /// One report for all unknown escapes of a string.
    fn escapes(&mut self, text: &str) {
        let unknown = literal::unknown_escapes(text);
        let Some(first) = unknown.first() else {
            return;
        };
        let token = self.relative(self.pos);
        let escape = &text[first.start as usize..first.end as usize];
        let more = match unknown.len() {
            1 => String::new(),
            n => format!(" (and {} more in this string)", n - 1),
        };
        let edits = unknown
            .iter()
            .map(|escape| Edit {
                at: Place::Within(token, escape.start, escape.start),
                text: "\\".to_owned(),
            })
            .collect();
        self.report(
            Diagnostic::new(
                &codes::S0106,
                Place::Within(token, first.start, first.end),
                format!("`{escape}` is no escape, so the backslash stays in the string{more}"),
            )
            .help("the escapes are \\n \\t \\r \\\\ \\\" \\0 \\xNN and \\u{…}")
            .fix("write `\\\\` for a backslash", edits),
        );
    }

    /// A number of any kind; reports one that is too large or malformed.
    pub(super) fn number(&mut self, negative: bool) {
        let text = self.here();
        let limit = match self.kind() {
            K::Int => match literal::integer(text) {
                Some(value) if negative || value < 1 << 63 => None,
                _ => Some("integers go up to 9223372036854775807"),
            },
            K::Float if literal::float(text).is_none() => Some("floats go up to about 1.8e308"),
            K::Duration if literal::duration(text).is_none() => {
                Some("durations go up to about 292 years")
            }
            K::Size if literal::size(text).is_none() => Some("sizes go up to 2^63 - 1 bytes"),
            K::BadNumber => {
                self.bad_number();
                None
            }
            _ => None,
        };
        if let Some(limit) = limit {
            let place = self.place();
            self.report(
                Diagnostic::new(
                    &codes::S0108,
                    place,
                    format!("`{}` is too large", shorten(text)),
                )
                .label(limit),
            );
        }
        self.bump();
    }

    #[cold]
    fn bad_number(&mut self) {
        let text = self.here();
        let place = self.place();
        let edit = |text: String| vec![Edit { at: place, text }];
        if let Some(diagnostic) = radix(text, place) {
            self.report(diagnostic);
            return;
        }
        let digits = text
            .find(|c: char| !(c.is_ascii_digit() || c == '_' || c == '.'))
            .unwrap_or(text.len());
        let (number, ending) = text.split_at(digits);
        let trimmed = number.trim_end_matches('_');
        if ending.is_empty() && number.matches('.').count() > 1 {
            self.report(
                Diagnostic::new(
                    &codes::S0109,
                    place,
                    format!(
                        "`{}` is no number; a version is written in quotes",
                        shorten(text)
                    ),
                )
                .fix("put it in quotes", edit(format!("\"{text}\""))),
            );
            return;
        }
        if ending.is_empty() {
            self.report(
                Diagnostic::new(
                    &codes::S0109,
                    place,
                    format!("`{text}` ends in an underscore"),
                )
                .fix(format!("write `{trimmed}`"), edit(trimmed.to_owned())),
            );
            return;
        }
        let diagnostic = Diagnostic::new(
            &codes::S0109,
            place,
            format!("`{}` is no unit that a number may end in", shorten(ending)),
        )
        .help(
            "durations end in ms, s, m, h, d, w, months or y; sizes in KB, MB, GB, KiB, MiB or GiB",
        );
        let diagnostic = match literal::unit_like(ending) {
            Some(unit) if unit.len() > 2 && unit.ends_with('s') && unit != "months" => diagnostic
                .fix(
                    format!("write `{trimmed}.{unit}`"),
                    edit(format!("{trimmed}.{unit}")),
                ),
            Some(unit) => diagnostic.fix(
                format!("write `{trimmed}{unit}`"),
                edit(format!("{trimmed}{unit}")),
            ),
            None => diagnostic,
        };
        self.report(diagnostic);
    }

    /// `10 MB`: accepted, with a warning. `10 s` is no number: an error.
    fn spaced_unit(&mut self) {
        if matches!(self.nth(1), K::Eq | K::Colon) {
            return;
        }
        if !literal::is_size_unit(self.here()) {
            let ends = self.nth(1) == K::Eof
                || matches!(self.nth(1), K::Comma | K::Semicolon)
                || self.line_start(1);
            if ends && literal::is_time_unit(self.here()) {
                self.spaced_time();
            }
            return;
        }
        let number = self.pos - 1;
        let place = self.tokens(number, self.pos);
        let joined = format!("{}{}", self.token_text(number), self.here());
        let gap = Place::Between(self.relative(number), self.relative(self.pos));
        self.report(
            Diagnostic::new(
                &codes::S0117,
                place,
                "a number and its unit are written together",
            )
            .fix(
                format!("write `{joined}`"),
                vec![Edit {
                    at: gap,
                    text: String::new(),
                }],
            ),
        );
        self.bump();
    }

    #[cold]
    fn spaced_time(&mut self) {
        let number = self.pos - 1;
        let unit = self.here();
        let dot = if unit.len() > 2 && unit != "months" {
            "."
        } else {
            ""
        };
        let place = self.tokens(number, self.pos);
        let written = format!("{}{dot}{unit}", self.token_text(number));
        self.report(
            Diagnostic::new(
                &codes::S0109,
                place,
                "a number and its unit of time are written together",
            )
            .fix(
                format!("write `{written}`"),
                vec![Edit {
                    at: place,
                    text: written,
                }],
            ),
        );
        self.bump();
    }

    /// An address that is no `vault://` or `env://`: asks for quotes. What is
    /// glued to it belongs to it.
    #[cold]
    pub(super) fn url(&mut self) {
        let first = self.pos;
        self.bump();
        while !self.at_end()
            && self.glued(0)
            && !matches!(
                self.kind(),
                K::Comma | K::Semicolon | K::RBrace | K::RParen | K::RBracket | K::String
            )
        {
            self.skip_one();
        }
        let last = self.pos - 1;
        let place = self.tokens(first, last);
        let text = &self.text()[self.tok(first).start as usize..self.tok(last).end as usize];
        self.report(
            Diagnostic::new(&codes::S0111, place, "an address is written in quotes")
                .label("only `vault://…` and `env://…` stand without quotes")
                .fix(
                    "put it in quotes",
                    vec![Edit {
                        at: place,
                        text: format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\"")),
                    }],
                ),
        );
    }

    /// Steps over a word that is used as a name here. Reports one that has a
    /// letter outside ASCII.
    pub(super) fn name_text(&mut self) {
        if self.at(K::BadName) {
            self.bad_name(self.pos, self.pos);
        }
        self.bump();
    }

    /// Steps over the name of something that is being declared, or a key: a
    /// dash in it is an error, not an operator.
    pub(super) fn declared_name(&mut self) {
        let first = self.pos;
        let mut dashed = false;
        let mut bad = self.at(K::BadName);
        self.bump();
        while self.at(K::Minus)
            && self.glued(0)
            && self.glued(1)
            && (self.nth(1).is_word()
                || matches!(
                    self.nth(1),
                    K::Int | K::BadNumber | K::Duration | K::Size | K::Float
                ))
        {
            dashed = true;
            self.bump();
            bad |= self.at(K::BadName);
            self.bump();
        }
        if dashed || bad {
            self.bad_name(first, self.pos - 1);
        }
    }

    #[cold]
    fn bad_name(&mut self, first: usize, last: usize) {
        let text = &self.text()[self.tok(first).start as usize..self.tok(last).end as usize];
        let ascii = ascii_name(text);
        let place = self.tokens(first, last);
        let what = if text.is_ascii() {
            "a dash"
        } else {
            "a letter outside ASCII"
        };
        let diagnostic = Diagnostic::new(
            &codes::S0110,
            place,
            format!("the name `{}` has {what} in it", shorten(text)),
        )
        .label("names are made of A–Z, a–z, 0–9 and _");
        self.report(match ascii {
            Some(ascii) => diagnostic.fix(
                format!("write `{}`", shorten(&ascii)),
                vec![Edit {
                    at: place,
                    text: ascii,
                }],
            ),
            None => diagnostic,
        });
    }
}

/// The ASCII spelling of a name: Latin letters without their accents, dashes
/// as underscores. A name in another script has none that its author would
/// recognise.
fn ascii_name(text: &str) -> Option<String> {
    let mut ascii = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            'A'..='Z' | 'a'..='z' | '0'..='9' | '_' => ascii.push(c),
            '-' => ascii.push('_'),
            // Combining marks go; the letter before them stays.
            '\u{300}'..='\u{36F}' | '\u{200C}' | '\u{200D}' => {}
            '\u{C0}'..='\u{24F}' | '\u{1E00}'..='\u{1EFF}' => {
                ascii.push_str(deunicode::deunicode_char(c)?);
            }
            _ => return None,
        }
    }
    if ascii.starts_with(|c: char| c.is_ascii_digit()) {
        ascii.insert(0, '_');
    }
    ascii
        .bytes()
        .all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
        .then_some(ascii)
}

/// A hexadecimal, octal or binary number.
fn radix(text: &str, place: Place) -> Option<Diagnostic<Place>> {
    let (prefix, digits) = (text.get(..2)?, text.get(2..)?);
    let (base, name) = match prefix {
        "0x" | "0X" => (16, "hexadecimal"),
        "0o" | "0O" => (8, "octal"),
        "0b" | "0B" => (2, "binary"),
        _ => return None,
    };
    let diagnostic = Diagnostic::new(
        &codes::S0109,
        place,
        format!("the language has no {name} numbers"),
    );
    let value = u64::from_str_radix(&digits.replace('_', ""), base)
        .ok()
        .filter(|value| *value < 1 << 63);
    Some(match value {
        Some(value) => diagnostic.fix(
            format!("write `{value}`"),
            vec![Edit {
                at: place,
                text: value.to_string(),
            }],
        ),
        None => diagnostic.help("write it in decimal"),
    })
}

/// The unit that is meant by a word behind `5.`: `minute`, `secs`, `hrs`.
pub(super) fn dotted_unit(word: &str) -> Option<&'static str> {
    Some(match &*word.to_ascii_lowercase() {
        "ms" | "msec" | "msecs" | "millis" | "millisecond" | "milliseconds" => "milliseconds",
        "s" | "sec" | "secs" | "second" | "seconds" => "seconds",
        "m" | "min" | "mins" | "minute" | "minutes" => "minutes",
        "h" | "hr" | "hrs" | "hour" | "hours" => "hours",
        "d" | "day" | "days" => "days",
        "w" | "wk" | "wks" | "week" | "weeks" => "weeks",
        _ => return None,
    })
}

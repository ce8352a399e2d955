//! Other words for names, comments and texts, taken from the sources: the same
//! letters and lengths as people use.

use std::collections::BTreeSet;

use symbi_syntax::{File, SyntaxKind as K};

use crate::rng::Rng;

/// Words shorter than this stay: they hold the sentence together.
const SHORT: usize = 3;

/// The words of the sources, sorted.
#[derive(Debug)]
pub(super) struct Words {
    /// Parts of names, in small letters.
    of_names: Vec<String>,
    /// Words of comments.
    of_comments: Vec<String>,
}

impl Words {
    pub(super) fn of(files: &[File]) -> Words {
        let mut of_names = BTreeSet::new();
        let mut of_comments = BTreeSet::new();
        for file in files {
            for (kind, span) in symbi_syntax::lex(file.text()) {
                let text = &file.text()[span.range()];
                match kind {
                    K::Name => of_names.extend(
                        text.split('_')
                            .filter(|part| part.len() >= SHORT && is_small(part))
                            .map(str::to_owned),
                    ),
                    K::LineComment | K::BlockComment => of_comments.extend(
                        text.split(|c: char| !c.is_ascii_alphabetic())
                            // No directive comes of it.
                            .filter(|word| {
                                word.len() >= SHORT && is_small(word) && *word != "symbi"
                            })
                            .map(str::to_owned),
                    ),
                    _ => {}
                }
            }
        }
        // Sources of a line or two have too few words for a name of their own.
        for word in [
            "amber", "birch", "cedar", "delta", "ember", "fjord", "grove", "heath",
        ] {
            of_names.insert(word.to_owned());
            of_comments.insert(word.to_owned());
        }
        Words {
            of_names: of_names.into_iter().collect(),
            of_comments: of_comments.into_iter().collect(),
        }
    }

    /// A name in the manner of another: `two_words` or `TwoWords`, with a tail.
    pub(super) fn name_like(&self, name: &str, tail: &str, rng: &mut Rng) -> String {
        let (one, two) = (rng.pick(&self.of_names), rng.pick(&self.of_names));
        let large = name.starts_with(|c: char| c.is_ascii_uppercase());
        match (large, tail) {
            (true, _) => capital(one) + &capital(two) + tail,
            (false, "") => format!("{one}_{two}"),
            // One word and a number is as long as two words.
            (false, _) if name.len() < 10 => format!("{one}_{tail}"),
            (false, _) => format!("{one}_{two}_{tail}"),
        }
    }

    /// Appends the text with about half of its words replaced.
    pub(super) fn vary(&self, text: &str, rng: &mut Rng, out: &mut String) {
        let mut rest = text;
        while let Some(first) = rest.chars().next() {
            let letters = rest.len()
                - rest
                    .trim_start_matches(|c: char| c.is_ascii_alphabetic())
                    .len();
            if first == '\\' {
                // What follows is part of the escape.
                let end = rest.char_indices().nth(2).map_or(rest.len(), |(at, _)| at);
                out.push_str(&rest[..end]);
                rest = &rest[end..];
            } else if letters == 0 {
                out.push(first);
                rest = &rest[first.len_utf8()..];
            } else {
                let word = &rest[..letters];
                if letters < SHORT || rng.below(2) == 0 {
                    out.push_str(word);
                } else {
                    let new = rng.pick(&self.of_comments);
                    if first.is_ascii_uppercase() {
                        out.push_str(&capital(new));
                    } else {
                        out.push_str(new);
                    }
                }
                rest = &rest[letters..];
            }
        }
    }
}

/// Appends the number with other digits behind its first: it stays as long as
/// it was, and one digit alone stays what it is.
pub(super) fn vary_digits(number: &str, rng: &mut Rng, out: &mut String) {
    for (at, c) in number.char_indices() {
        if at > 0 && c.is_ascii_digit() {
            out.push(char::from(b'0' + rng.below(10) as u8));
        } else {
            out.push(c);
        }
    }
}

fn is_small(word: &str) -> bool {
    word.bytes().all(|byte| byte.is_ascii_lowercase())
}

fn capital(word: &str) -> String {
    let mut word = word.to_owned();
    if let Some(first) = word.get_mut(..1) {
        first.make_ascii_uppercase();
    }
    word
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words() -> Words {
        Words::of(&[File::parse(
            "// Some remarks about nothing at all\nagent first_reader {}\n",
        )])
    }

    #[test]
    fn escapes_and_short_words_stay() {
        for seed in 0..50 {
            let mut out = String::new();
            words().vary(
                r#""a\nb {} is: \"to\" \\\t""#,
                &mut Rng::new(seed),
                &mut out,
            );
            assert_eq!(out, r#""a\nb {} is: \"to\" \\\t""#);
        }
    }

    #[test]
    fn the_letter_of_an_escape_is_no_part_of_a_word() {
        for seed in 0..50 {
            let mut out = String::new();
            words().vary(r"\nTeam", &mut Rng::new(seed), &mut out);
            let word = out.strip_prefix(r"\n").expect("the escape");
            assert!(word.starts_with(|c: char| c.is_ascii_uppercase()), "{out}");
        }
    }

    #[test]
    fn a_capital_stays_a_capital_and_some_words_change() {
        let outs: BTreeSet<String> = (0..50)
            .map(|seed| {
                let mut out = String::new();
                words().vary("Reader. reader", &mut Rng::new(seed), &mut out);
                out
            })
            .collect();
        assert!(outs.len() > 20, "{outs:?}");
        for out in outs {
            let (one, two) = out.split_once(". ").expect("the signs stay");
            assert!(one.starts_with(|c: char| c.is_ascii_uppercase()), "{one}");
            assert!(is_small(two), "{two}");
        }
    }

    #[test]
    fn digits_change_behind_the_first() {
        let mut out = String::new();
        for number in ["7", "0.0", "1_000", "250"] {
            vary_digits(number, &mut Rng::new(3), &mut out);
            out.push(' ');
        }
        let shape: String = out
            .chars()
            .map(|c| if c.is_ascii_digit() { '0' } else { c })
            .collect();
        assert_eq!(shape, "0 0.0 0_000 000 ");
        assert!(
            out.starts_with("7 0.") && out.contains(" 1_") && out.contains(" 2"),
            "{out}"
        );
    }

    #[test]
    fn names_keep_their_manner() {
        let mut rng = Rng::new(1);
        assert!(
            words()
                .name_like("Finding", "4", &mut rng)
                .starts_with(|c: char| c.is_ascii_uppercase())
        );
        let name = words().name_like("long_enough_name", "1f", &mut rng);
        assert!(
            name.ends_with("_1f") && name.matches('_').count() == 2,
            "{name}"
        );
    }
}

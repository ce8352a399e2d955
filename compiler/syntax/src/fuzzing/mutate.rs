//! Texts near to given ones, from a seed: for the smoke run, which has no
//! fuzzer to guide it.

use crate::{SyntaxKind as K, lex};

/// A small generator of numbers: SplitMix64. The same seed gives the same
/// numbers for ever.
#[derive(Clone, Copy, Debug)]
pub struct Random(pub u64);

impl Random {
    /// The next number.
    pub fn number(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    /// A number below `end`; 0 if there is none.
    pub fn below(&mut self, end: usize) -> usize {
        match end {
            0 => 0,
            end => (self.number() % end as u64) as usize,
        }
    }
}

/// The text with other white space between its tokens: most of the time what
/// was there, sometimes a space, line breaks or a comment.
pub fn spacing(text: &str, random: &mut Random) -> String {
    let often = 2 + random.below(30);
    let mut out = String::with_capacity(text.len() * 2);
    for (kind, span) in lex(text) {
        let piece = &text[span.range()];
        if kind == K::Whitespace {
            if random.below(often) == 0 {
                out.push_str(SPACES[random.below(SPACES.len())]);
            } else {
                out.push_str(piece);
            }
            continue;
        }
        if random.below(often * 4) == 0 {
            out.push_str(SPACES[random.below(SPACES.len())]);
        }
        out.push_str(piece);
    }
    out
}

const SPACES: &[&str] = &[
    " ",
    "\n",
    "\n\n\n",
    "  \t ",
    " // note\n",
    "\n// note\n",
    "\n\n    # note  \n\n",
    " /* note */ ",
    "/* note */",
    "\n/* note */ ",
    " /* two\n   lines */ ",
    "\n/* two\nlines */\n",
    "\n/// note\n",
];

/// The text with tokens taken out, doubled, swapped, or taken from another
/// text.
pub fn tokens(text: &str, other: &str, random: &mut Random) -> String {
    let mut pieces: Vec<&str> = pieces(text);
    let others: Vec<&str> = self::pieces(other);
    for _ in 0..1 + random.below(4) {
        if pieces.is_empty() {
            break;
        }
        let at = random.below(pieces.len());
        match random.below(6) {
            0 => {
                pieces.remove(at);
            }
            1 => pieces.insert(at, pieces[at]),
            2 => {
                let to = random.below(pieces.len());
                pieces.swap(at, to);
            }
            3 if !others.is_empty() => pieces[at] = others[random.below(others.len())],
            4 if !others.is_empty() => {
                let from = random.below(others.len());
                let to = (from + 1 + random.below(12)).min(others.len());
                pieces.splice(at..at, others[from..to].iter().copied());
            }
            _ => pieces.insert(at, ODD[random.below(ODD.len())]),
        }
    }
    pieces.concat()
}

const ODD: &[&str] = &[
    "{",
    "}",
    "(",
    ")",
    "[",
    "]",
    ",",
    ";",
    ":",
    "=",
    "::",
    ".",
    "?",
    "->",
    "=>",
    "-",
    "in",
    "not",
    "if",
    "else",
    "match",
    "try",
    "return",
    "with",
    "policy",
    "allow",
    "\"",
    "\"\"\"",
    "/*",
    "*/",
    "\r",
    "\r\n",
    "\u{feff}",
    "é",
    "10 MB",
    "1.",
    "vault://a/b",
    "$A",
    "\0",
    "x => ",
    "@",
];

fn pieces(text: &str) -> Vec<&str> {
    lex(text)
        .into_iter()
        .map(|(_, span)| &text[span.range()])
        .collect()
}

/// The bytes with some changed.
pub fn bytes(data: &[u8], random: &mut Random) -> Vec<u8> {
    let mut out = data.to_vec();
    for _ in 0..1 + random.below(6) {
        let at = random.below(out.len());
        match random.below(3) {
            0 if !out.is_empty() => out[at] = random.number() as u8,
            1 if !out.is_empty() => {
                out.remove(at);
            }
            _ => out.insert(at, random.number() as u8),
        }
    }
    out
}

//! Tokens to text, with white space, line breaks and comments at random where
//! the grammar leaves them free.

use symbi_syntax::SyntaxKind as K;
use symbi_syntax::fuzzing::mutate::Random;

use crate::terminal::{Space, Token};

const SAME: &[&str] = &[
    " ",
    " ",
    " ",
    "  ",
    "\t",
    " /* note */ ",
    " /* a /* nested */ one */ ",
];
const BREAKS: &[&str] = &[
    "\n",
    "\n    ",
    "\n\n",
    "\n\t",
    " // note\n",
    "\n  # it's \"odd\" { here\n  ",
    " /* over\n lines */ ",
    "\n\n\n        ",
    "\n/// doc\n",
    " //\n",
];

/// A text of these tokens.
pub fn print(tokens: &[Token], random: &mut Random) -> String {
    let wild = [0, 1, 3, 8][random.below(4)];
    let mut text = String::new();
    if random.below(40) == 0 {
        text.push('\u{FEFF}');
    }
    if wild > 0 && random.below(8) == 0 {
        text.push_str(BREAKS[random.below(BREAKS.len())].trim_start_matches(' '));
    }
    let mut depth = 0usize;
    for (at, token) in tokens.iter().enumerate() {
        if matches!(token.kind, K::RBrace) {
            depth = depth.saturating_sub(1);
        }
        if at > 0 {
            let before = &tokens[at - 1];
            let gap = gap(before, token, depth, wild, random);
            text.push_str(&gap);
        }
        text.push_str(&token.text);
        depth += usize::from(token.kind == K::LBrace);
    }
    match random.below(4) {
        0 => {}
        1 => text.push_str(" // end"),
        _ => text.push('\n'),
    }
    // Line ends in strings stay as they are written there.
    match random.below(12) {
        0 => line_ends(&text, "\r\n"),
        1 => line_ends(&text, "\r"),
        _ => text,
    }
}

/// What stands between two tokens.
fn gap(before: &Token, token: &Token, depth: usize, wild: usize, random: &mut Random) -> String {
    let any = random.below(10) < wild;
    match token.space {
        Space::Glued => return String::new(),
        Space::First if any => return BREAKS[random.below(BREAKS.len())].to_owned(),
        Space::First => return format!("\n{}", "    ".repeat(depth)),
        Space::Free if any && random.below(2) == 0 => {
            return BREAKS[random.below(BREAKS.len())].to_owned();
        }
        _ => {}
    }
    if may_touch(before, token) && random.below(2) == 0 {
        return String::new();
    }
    if any {
        return SAME[random.below(SAME.len())].to_owned();
    }
    let end = matches!(before.kind, K::LBrace | K::Semicolon | K::RBrace);
    if token.space == Space::Free && end && random.below(4) > 0 {
        return format!("\n{}", "    ".repeat(depth));
    }
    " ".to_owned()
}

/// Whether two tokens stay two without a space, and mean the same.
fn may_touch(before: &Token, token: &Token) -> bool {
    if token.kind == K::Minus || before.kind == K::SecretUrl {
        // `a-b` is a name with a dash where a name is declared; an address
        // takes what follows along.
        return false;
    }
    let wordy = |kind: K| kind.is_word() || kind.is_literal();
    if wordy(before.kind) && wordy(token.kind) {
        return false;
    }
    let closing = matches!(
        token.kind,
        K::Comma | K::Semicolon | K::RBrace | K::RParen | K::RBracket | K::Colon
    );
    if before.kind.is_literal() {
        return closing;
    }
    let bracket = |kind: K| {
        matches!(
            kind,
            K::LBrace
                | K::RBrace
                | K::LParen
                | K::RParen
                | K::LBracket
                | K::RBracket
                | K::Comma
                | K::Semicolon
        )
    };
    // A dot before a word is no decimal point; other signs could make one.
    bracket(before.kind) || bracket(token.kind) || wordy(before.kind) != wordy(token.kind)
}

/// The text with other line ends outside its strings.
fn line_ends(text: &str, end: &str) -> String {
    let mut out = String::with_capacity(text.len() + 64);
    for (kind, span) in symbi_syntax::lex(text) {
        let piece = &text[span.range()];
        if kind.is_trivia() {
            out.push_str(&piece.replace('\n', end));
        } else {
            out.push_str(piece);
        }
    }
    out
}

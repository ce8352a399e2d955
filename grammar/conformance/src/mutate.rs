//! Programs with one token too few, too many or in the wrong place.

use symbi_syntax::fuzzing::mutate::Random;

use crate::pool;
use crate::terminal::{Space, Token};

/// Changes one token. A program without tokens gets one.
pub fn mutate(tokens: &mut Vec<Token>, random: &mut Random) {
    if tokens.is_empty() {
        tokens.push(stray(random));
        return;
    }
    let at = random.below(tokens.len());
    match random.below(6) {
        0 => {
            tokens.remove(at);
        }
        1 => {
            let copy = Token {
                space: Space::Free,
                ..tokens[at].clone()
            };
            tokens.insert(at, copy);
        }
        2 if at + 1 < tokens.len() => tokens.swap(at, at + 1),
        3 => {
            let other = tokens[random.below(tokens.len())].clone();
            tokens[at] = Token {
                space: tokens[at].space,
                ..other
            };
        }
        4 => {
            tokens[at] = Token {
                space: tokens[at].space,
                ..stray(random)
            };
        }
        _ => tokens.insert(at, stray(random)),
    }
    // What is glued to a token says nothing about another one, and two names
    // that touch are one.
    for at in 0..tokens.len() {
        let glued = tokens[at].space == Space::Glued;
        if glued && (at == 0 || !may_stay_glued(&tokens[at - 1], &tokens[at])) {
            tokens[at].space = Space::Same;
        }
    }
}

fn may_stay_glued(before: &Token, token: &Token) -> bool {
    let wordy = |token: &Token| token.kind.is_word();
    matches!((before.text.as_str(), token.text.as_str()), (">", "="))
        || (token.text == "." && wordy(before))
}

fn stray(random: &mut Random) -> Token {
    Token::new(pool::STRAY[random.below(pool::STRAY.len())], Space::Free)
}

//! Makes a text smaller that shows something.

use symbi_syntax::lex;

/// The text without as many tokens as `shows` still holds without, and with
/// plain spaces where that changes nothing.
pub fn shrink(text: &str, shows: &mut dyn FnMut(&str) -> bool) -> String {
    // Each piece is a token with the white space and comments before it.
    let mut pieces: Vec<String> = Vec::new();
    let mut trivia = String::new();
    for (kind, span) in lex(text) {
        trivia.push_str(&text[span.range()]);
        if !kind.is_trivia() {
            pieces.push(std::mem::take(&mut trivia));
        }
    }
    let mut len = pieces.len().div_ceil(2);
    while len > 0 {
        let mut at = 0;
        while at < pieces.len() {
            let end = (at + len).min(pieces.len());
            let mut fewer = pieces.clone();
            fewer.drain(at..end);
            if shows(&fewer.concat()) {
                pieces = fewer;
            } else {
                at += len;
            }
        }
        len /= 2;
    }
    for at in 0..pieces.len() {
        for plain in [" ", "\n"] {
            let before = std::mem::take(&mut pieces[at]);
            pieces[at] = format!("{plain}{}", last_token(&before));
            if shows(&pieces.concat()) {
                break;
            }
            pieces[at] = before;
        }
    }
    pieces.concat().trim().to_owned()
}

fn last_token(piece: &str) -> &str {
    lex(piece)
        .last()
        .map_or("", |(_, span)| &piece[span.range()])
}

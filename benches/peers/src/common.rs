//! The part of a text that both read.
//!
//! The peer's grammar lacks much of the language. To compare how fast two
//! parsers are, both must read the same text without an error; so what the peer
//! does not accept is taken out: an item, a rule, an entry, a statement, a
//! default, a type, a `/* */`, each as small as can be.

use std::ops::Range;

use symbi_syntax::{File, SyntaxKind as K, WalkEvent};

use crate::peer;

/// The text without what the peer rejects.
pub fn common(text: &str) -> String {
    let file = File::parse(text);
    let parts = removable(&file);
    // First everything is out; then each part comes back if the peer still
    // accepts the rest, a part before those inside it.
    let mut kept = vec![false; parts.len()];
    let mut index = 0;
    while index < parts.len() {
        let inside = parts[index + 1..]
            .iter()
            .take_while(|part| part.start < parts[index].end)
            .count();
        kept[index] = true;
        if peer::accepts(&without(text, &parts, &kept)) {
            index += 1;
            continue;
        }
        // Some blocks must not be empty for the peer: the part as a whole?
        let all = index..index + 1 + inside;
        kept[all.clone()].fill(true);
        if !peer::accepts(&without(text, &parts, &kept)) {
            kept[all.clone()].fill(false);
        }
        index = all.end;
    }
    tidy(&without(text, &parts, &kept))
}

/// The text without the parts that are not kept.
fn without(text: &str, parts: &[Range<usize>], kept: &[bool]) -> String {
    let mut out = String::with_capacity(text.len());
    let mut at = 0;
    for (part, _) in parts.iter().zip(kept).filter(|(_, kept)| !**kept) {
        if part.end <= at {
            continue;
        }
        out.push_str(&text[at..part.start.max(at)]);
        at = part.end;
    }
    out.push_str(&text[at..]);
    out
}

/// No white space at line ends and no two empty lines: what was taken out
/// leaves no holes.
fn tidy(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut empty = true;
    for line in text.lines() {
        let line = line.trim_end();
        if !(line.is_empty() && empty) {
            out.push_str(line);
            out.push('\n');
        }
        empty = line.is_empty();
    }
    out
}

/// What can be taken out of a text, outer parts before inner ones, none across
/// another.
fn removable(file: &File) -> Vec<Range<usize>> {
    let events = file.walk();
    let mut parts = Vec::new();
    let mut around: Vec<(K, usize)> = Vec::new();
    // Where the `:` of a `let` stands, until the type behind it begins.
    let mut colon = None;
    for (index, event) in events.iter().enumerate() {
        match *event {
            WalkEvent::Enter(kind, span) => {
                let parent = around.last().map(|(kind, _)| *kind);
                let is_part = matches!(
                    parent,
                    None | Some(
                        K::AgentBody | K::PolicyBody | K::EntryBlock | K::AttributeBlock | K::Block
                    )
                );
                if is_part {
                    parts.push(start_with_comments(file, &events[..index])..end(&events[index..]));
                } else if let Some(colon) = colon.take() {
                    parts.push(colon..span.end as usize);
                }
                around.push((kind, span.end as usize));
            }
            WalkEvent::Leave => {
                around.pop();
            }
            WalkEvent::Token(kind, span) => match (kind, around.last()) {
                (K::BlockComment, _) => parts.push(span.range()),
                (K::Eq, Some(&(K::Param, end))) => parts.push(span.start as usize..end),
                (K::Colon, Some((K::LetStmt, _))) => colon = Some(span.start as usize),
                _ => {}
            },
        }
    }
    // A comment is met before the part that it stands above and belongs to.
    parts.sort_by_key(|part| (part.start, std::cmp::Reverse(part.end)));
    parts
}

/// Where the comments right above a node begin, or the node.
fn start_with_comments(file: &File, before: &[WalkEvent]) -> usize {
    let mut start = None;
    let above = before.iter().rev().filter_map(|event| match event {
        WalkEvent::Token(kind, span) => Some((*kind, *span)),
        _ => None,
    });
    let mut last_end = None;
    for (kind, span) in above {
        last_end.get_or_insert(span.end as usize);
        let breaks = file.text()[span.range()].matches('\n').count();
        match kind {
            // The line end behind what stands before: the comments above it
            // are those of this node.
            K::Whitespace if breaks == 1 => start = Some(span.end as usize),
            K::LineComment | K::BlockComment => {}
            K::Whitespace if breaks > 1 => {
                start = Some(span.end as usize);
                break;
            }
            _ => break,
        }
    }
    start.or(last_end).unwrap_or(0)
}

/// Where the node that the first event enters ends, with the separator behind
/// it.
fn end(from: &[WalkEvent]) -> usize {
    let mut depth = 0usize;
    let mut end = 0;
    for (index, event) in from.iter().enumerate() {
        match *event {
            WalkEvent::Enter(_, span) if index == 0 => {
                end = span.end as usize;
                depth = 1;
            }
            WalkEvent::Enter(..) if depth > 0 => depth += 1,
            WalkEvent::Leave if depth > 0 => depth -= 1,
            WalkEvent::Token(kind, _) if depth > 0 || kind.is_trivia() => {}
            WalkEvent::Token(K::Comma | K::Semicolon, span) => return span.end as usize,
            _ => break,
        }
    }
    end
}

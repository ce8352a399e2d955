//! `// symbi: allow(CODE)`: a warning that is meant (language.md section 7).
//!
//! The comment stands on a line of its own before what it is about, or at the
//! end of its first line, and covers all of it: an item, an entry, a rule, a
//! statement. It lowers warnings and hints, never errors, and decides nothing
//! about admission. An allow that has nothing to allow is reported.

use std::collections::{BTreeMap, HashMap, HashSet};

use symbi_diagnostics::{Diagnostic, Edit, Level, Span, across as codes, all, find};
use symbi_syntax::{SyntaxKind as K, lex, token_spans};

use crate::assemble::{Checked, Found};
use crate::suggest::nearest;

/// An allow comment.
struct Allow<'t> {
    /// The comment.
    at: Span,
    /// Codes as they are written, and where.
    codes: Vec<(&'t str, Span)>,
    /// What it covers; `None` at the end of a file.
    covers: Option<Span>,
}

/// Takes away what comments allow, and gives what there is to say about the
/// comments. A report that holds for several places moves on to the first that
/// no comment allows.
pub(crate) fn apply(
    text: &str,
    items: &[Checked<'_>],
    reports: &mut Vec<Found>,
) -> Vec<Diagnostic> {
    // Few files have any: no lexing for the others.
    if !text.contains("symbi:") {
        return Vec::new();
    }
    let (allows, mut said) = comments(text, items);
    if allows.is_empty() {
        return said;
    }
    let mut left = Left::default();
    for (index, found) in reports.iter().enumerate() {
        let of_code = left.places.entry(found.report.code.id).or_default();
        for at in found.also.iter().chain([&found.report.primary.at]) {
            of_code.entry(at.start).or_default().push((index, *at));
        }
    }
    for allow in allows {
        for number in 0..allow.codes.len() {
            said.extend(use_one(text, &allow, number, &mut left));
        }
    }
    let mut index = 0;
    reports.retain_mut(|found| {
        index += 1;
        found.retain(|at| !left.taken.contains(&(index - 1, at)))
    });
    said
}

/// Places by where they start, each with the number of its report.
type ByStart = BTreeMap<u32, Vec<(usize, Span)>>;

/// What comments may still take away.
#[derive(Default)]
struct Left {
    /// Of each code, the places of its reports: each is taken away once, however
    /// many comments cover it.
    places: HashMap<&'static str, ByStart>,
    /// What was taken away.
    taken: HashSet<(usize, Span)>,
}

fn use_one(text: &str, allow: &Allow<'_>, number: usize, left: &mut Left) -> Option<Diagnostic> {
    let (written, at) = allow.codes[number];
    let Some(code) = find(written) else {
        let known = all().map(|code| code.id);
        let report = Diagnostic::new(
            &codes::N0291,
            at,
            format!("there is no diagnostic `{written}`"),
        );
        return Some(match nearest(&written.to_ascii_uppercase(), known) {
            Some(near) => report.maybe_fix(
                format!("write `{near}`"),
                vec![Edit {
                    at,
                    text: near.to_owned(),
                }],
            ),
            None => report.help("`symbi explain` prints all codes"),
        });
    };
    if code.level == Level::Error {
        return Some(
            Diagnostic::new(
                &codes::N0292,
                at,
                format!("`{}` is an error, and errors cannot be allowed", code.id),
            )
            .help("mend what it reports; only warnings can be allowed"),
        );
    }
    let mut allows = false;
    if let (Some(covers), Some(of_code)) = (allow.covers, left.places.get_mut(code.id)) {
        let inside: Vec<u32> = of_code
            .range(covers.start..=covers.end)
            .map(|(start, _)| *start)
            .collect();
        for start in inside {
            let inside = of_code.remove(&start).unwrap_or_default();
            allows |= !inside.is_empty();
            left.taken.extend(inside);
        }
    }
    (!allows).then(|| {
        Diagnostic::new(
            &codes::N0290,
            at,
            format!("nothing here is reported as `{}`", code.id),
        )
        .help("remove the comment, or put it right before what it is about")
        // It may be meant for another place.
        .maybe_fix(
            match allow.codes.len() {
                1 => "remove the comment".to_owned(),
                _ => format!("remove `{written}`"),
            },
            vec![without(text, allow, number)],
        )
    })
}

/// The edit that takes a code out of a comment, or the comment with its last
/// code: with its line if it has one of its own, and without joining what stands
/// on both sides of it.
#[cold]
fn without(text: &str, allow: &Allow<'_>, number: usize) -> Edit {
    let (_, own) = allow.codes[number];
    let blank = |c: char| c == ' ' || c == '\t';
    let (at, text) = if let Some((_, next)) = allow.codes.get(number + 1) {
        (Span::new(own.start, next.start), "")
    } else if let Some(last) = number.checked_sub(1) {
        (Span::new(allow.codes[last].1.end, own.end), "")
    } else {
        let comment = allow.at.range();
        let (before, after) = (&text[..comment.start], &text[comment.end..]);
        let kept = before.trim_end_matches(blank);
        let rest = after.trim_start_matches(blank);
        let starts_line = kept.is_empty() || kept.ends_with(['\n', '\r']);
        let ends_line = rest.is_empty() || rest.starts_with(['\n', '\r']);
        let (start, end) = (kept.len() as u32, (text.len() - rest.len()) as u32);
        let line_end = match rest.as_bytes() {
            [b'\r', b'\n', ..] => 2,
            rest => rest.len().min(1) as u32,
        };
        match (starts_line, ends_line) {
            (true, true) => (Span::new(start, end + line_end), ""),
            (false, true) => (Span::new(start, end), ""),
            (true, false) => (Span::new(allow.at.start, end), ""),
            (false, false) => (Span::new(start, end), " "),
        }
    };
    Edit {
        at,
        text: text.to_owned(),
    }
}

/// The allow comments of a text, in one walk over its tokens, and what there
/// is to say about comments that are nearly one.
fn comments<'t>(text: &'t str, items: &[Checked<'_>]) -> (Vec<Allow<'t>>, Vec<Diagnostic>) {
    let mut said = Vec::new();
    let mut extents = Extents {
        text,
        items,
        known: None,
    };
    let mut found: Vec<Allow<'t>> = Vec::new();
    // The first token of the line at hand, and which comments wait for the
    // next token because they have a line of their own.
    let mut first: Option<u32> = None;
    let mut waiting: Vec<usize> = Vec::new();
    for (kind, span) in lex(text) {
        let piece = &text[span.range()];
        if !kind.is_trivia() {
            let covers = (!waiting.is_empty()).then(|| extents.of(span.start));
            for index in waiting.drain(..) {
                found[index].covers = covers;
            }
            first = first.or(Some(span.start));
        }
        if matches!(kind, K::LineComment | K::BlockComment)
            && let Some(codes) = codes_in(text, span, &mut said)
        {
            let covers = first.map(|first| extents.of(first));
            if covers.is_none() {
                waiting.push(found.len());
            }
            found.push(Allow {
                at: span,
                codes,
                covers,
            });
        }
        if piece.contains(['\n', '\r']) {
            first = None;
        }
    }
    (found, said)
}

/// The codes in `symbi: allow(A, B)`; `None` if the comment is about something
/// else.
fn codes_in<'t>(
    text: &'t str,
    comment: Span,
    said: &mut Vec<Diagnostic>,
) -> Option<Vec<(&'t str, Span)>> {
    let body = &text[comment.range()];
    let place = |rest: &str| comment.start + (body.len() - rest.len()) as u32;
    let inner = body.trim_start_matches(['/', '#', '*', ' ', '\t']);
    let rest = inner.strip_prefix("symbi:")?.trim_start();
    let end = rest.find(|c: char| !c.is_ascii_alphabetic());
    let (word, rest) = rest.split_at(end.unwrap_or(rest.len()));
    let at_word = Span::new(place(rest) - word.len() as u32, place(rest));
    let list = rest.trim_start().strip_prefix('(');
    if word != "allow" {
        // Other words may be prose.
        if list.is_some() && nearest(word, ["allow"]).is_some() {
            said.push(misspelt(word, at_word));
        }
        return None;
    }
    let Some(rest) = list else {
        // `allow N0202`, and not `allow what the owner wants`.
        let first = rest
            .split([' ', '\t', ',', '*', '/'])
            .find(|it| !it.is_empty());
        if first.is_none_or(|first| find(first).is_some()) {
            said.push(no_code(at_word));
        }
        return None;
    };
    let list = &rest[..rest.find(')').unwrap_or(rest.len())];
    if list.split(',').all(|word| word.trim().is_empty()) {
        said.push(no_code(at_word));
        return None;
    }
    let mut at = place(rest);
    let mut codes = Vec::new();
    for piece in list.split(',') {
        let word = piece.trim();
        let start = at + (piece.len() - piece.trim_start().len()) as u32;
        if !word.is_empty() {
            codes.push((word, Span::new(start, start + word.len() as u32)));
        }
        at += piece.len() as u32 + 1;
    }
    Some(codes)
}

#[cold]
fn misspelt(word: &str, at: Span) -> Diagnostic {
    let edit = Edit {
        at,
        text: "allow".to_owned(),
    };
    Diagnostic::new(
        &codes::N0291,
        at,
        format!("a comment cannot `{word}` anything"),
    )
    .label("nothing is allowed by it")
    .maybe_fix("write `allow`", vec![edit])
}

#[cold]
fn no_code(at: Span) -> Diagnostic {
    Diagnostic::new(&codes::N0291, at, "this allows nothing: it names no code")
        .help("write the code of the warning: `// symbi: allow(N0202)`")
}

/// How far constructs reach.
struct Extents<'f> {
    text: &'f str,
    items: &'f [Checked<'f>],
    /// Of the item that was asked about last: where its tokens stand, and for
    /// each, the token behind the largest construct that begins with it.
    known: Option<(usize, Vec<Span>, Vec<u32>)>,
}

impl Extents<'_> {
    /// The largest construct that begins with the token at this place.
    fn of(&mut self, start: u32) -> Span {
        let index = self
            .items
            .partition_point(|checked| checked.span.end <= start);
        let Some(checked) = self.items.get(index) else {
            return Span::at(start);
        };
        if self
            .known
            .as_ref()
            .is_none_or(|(known, _, _)| *known != index)
        {
            let spans = token_spans(self.text, checked.span);
            let mut ends: Vec<u32> = (1..=spans.len() as u32).collect();
            for node in (0..).map_while(|node| checked.item.node(node)) {
                let tokens = node.tokens();
                if let Some(end) = ends.get_mut(tokens.start as usize) {
                    *end = tokens.end.max(*end);
                }
            }
            self.known = Some((index, spans, ends));
        }
        let known = self.known.as_ref();
        let span = known.and_then(|(_, spans, ends)| {
            let token = spans.binary_search_by_key(&start, |span| span.start).ok()?;
            let last = spans.get(ends[token] as usize - 1)?;
            Some(Span::new(start, last.end))
        });
        span.unwrap_or(Span::at(start))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_comment_in_vain_is_taken_away_and_nothing_else() {
        let table = [
            ("// symbi: allow(S0161)\nagent a {}\n", "agent a {}\n"),
            (
                "agent a {\r\n    # symbi: allow(S0161) why\r\n}\r\n",
                "agent a {\r\n}\r\n",
            ),
            ("agent a {} // symbi: allow(S0161)\n", "agent a {}\n"),
            ("agent a {} // symbi: allow(S0161)", "agent a {}"),
            ("  /* symbi: allow(S0161) */ agent a {}", "  agent a {}"),
            ("agent/* symbi: allow(S0161) */a {}", "agent a {}"),
            (
                "\u{FEFF}// symbi: allow(S0161)\nagent a {}",
                "\u{FEFF}\nagent a {}",
            ),
            // Of several codes, the first that is reported.
            (
                "// symbi: allow(S0161, N0250)\nagent a {}\n",
                "// symbi: allow(N0250)\nagent a {}\n",
            ),
            (
                "// symbi: allow(N9999, N0250)\nagent a {}\n",
                "// symbi: allow(N9999)\nagent a {}\n",
            ),
        ];
        for (text, expected) in table {
            let said = apply(text, &[], &mut Vec::new());
            let of_code = said.iter().find(|report| report.code == &codes::N0290);
            let edit = &of_code.unwrap().fix.as_ref().unwrap().edits[0];
            let mut mended = text.to_owned();
            mended.replace_range(edit.at.range(), &edit.text);
            assert_eq!(mended, expected, "{text}");
        }
    }
}

//! `// symbi: allow(CODE)`: a warning that is meant (language.md section 7).
//!
//! The comment stands on a line of its own before what it is about, or at the
//! end of its first line, and covers all of it: an item, an entry, a rule, a
//! statement. It lowers warnings and hints, never errors, and decides nothing
//! about admission. An allow that has nothing to allow is reported.

use std::collections::{BTreeMap, HashMap};

use symbi_diagnostics::{Diagnostic, Level, Span, across as codes, all, find};
use symbi_syntax::{SyntaxKind as K, lex, token_spans};

use crate::assemble::Checked;
use crate::suggest::nearest;

/// An allow comment.
struct Allow<'t> {
    /// Codes as they are written, and where.
    codes: Vec<(&'t str, Span)>,
    /// What it covers; `None` at the end of a file.
    covers: Option<Span>,
}

/// Takes away what comments allow, and adds what there is to say about them.
pub(crate) fn apply(text: &str, items: &[Checked<'_>], reports: &mut Vec<Diagnostic>) {
    // Few files have any: no lexing for the others.
    if !text.contains("symbi: allow") && !text.contains("symbi:allow") {
        return;
    }
    // Of each code, the reports that are left by their places: each is taken
    // away once, however many comments cover it.
    let mut left: HashMap<&str, BTreeMap<u32, Vec<usize>>> = HashMap::new();
    for (index, report) in reports.iter().enumerate() {
        let of_code = left.entry(report.code.id).or_default();
        of_code
            .entry(report.primary.at.start)
            .or_default()
            .push(index);
    }
    let mut taken = vec![false; reports.len()];
    let mut said = Vec::new();
    for allow in comments(text, items) {
        for (written, at) in allow.codes {
            said.extend(use_one(written, at, allow.covers, &mut left, &mut taken));
        }
    }
    let mut taken = taken.into_iter();
    reports.retain(|_| !taken.next().unwrap_or(false));
    reports.extend(said);
}

fn use_one(
    written: &str,
    at: Span,
    covers: Option<Span>,
    left: &mut HashMap<&str, BTreeMap<u32, Vec<usize>>>,
    taken: &mut [bool],
) -> Option<Diagnostic> {
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
                vec![symbi_diagnostics::Edit {
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
    if let (Some(covers), Some(of_code)) = (covers, left.get_mut(code.id)) {
        let inside: Vec<u32> = of_code
            .range(covers.start..=covers.end)
            .map(|(start, _)| *start)
            .collect();
        for start in inside {
            for index in of_code.remove(&start).unwrap_or_default() {
                taken[index] = true;
                allows = true;
            }
        }
    }
    (!allows).then(|| {
        Diagnostic::new(
            &codes::N0290,
            at,
            format!("nothing here is reported as `{}`", code.id),
        )
        .help("remove the comment, or put it right before what it is about")
    })
}

/// The allow comments of a text, in one walk over its tokens.
fn comments<'t>(text: &'t str, items: &[Checked<'_>]) -> Vec<Allow<'t>> {
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
            && let Some(codes) = codes_in(text, span)
        {
            let covers = first.map(|first| extents.of(first));
            if covers.is_none() {
                waiting.push(found.len());
            }
            found.push(Allow { codes, covers });
        }
        if piece.contains(['\n', '\r']) {
            first = None;
        }
    }
    found
}

/// The codes in `symbi: allow(A, B)`; `None` if the comment is about something
/// else.
fn codes_in(text: &str, comment: Span) -> Option<Vec<(&str, Span)>> {
    let body = &text[comment.range()];
    let inner = body.trim_start_matches(['/', '#', '*', ' ', '\t']);
    let rest = inner.strip_prefix("symbi:")?.trim_start();
    let rest = rest.strip_prefix("allow")?.trim_start().strip_prefix('(')?;
    let list = &rest[..rest.find(')').unwrap_or(rest.len())];
    let mut at = comment.start + (body.len() - rest.len()) as u32;
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

//! `// symbi: allow(CODE)`: a warning that is meant (language.md section 7).
//!
//! The comment stands on a line of its own before what it is about, or at the
//! end of its first line, and covers all of it: an item, an entry, a rule, a
//! statement. It lowers warnings and hints, never errors, and decides nothing
//! about admission. An allow that has nothing to allow is reported.

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
    let mut said = Vec::new();
    for allow in comments(text, items) {
        for (written, at) in allow.codes {
            said.extend(use_one(written, at, allow.covers, reports));
        }
    }
    reports.extend(said);
}

fn use_one(
    written: &str,
    at: Span,
    covers: Option<Span>,
    reports: &mut Vec<Diagnostic>,
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
    let before = reports.len();
    if let Some(covers) = covers {
        reports.retain(|report| {
            report.code.id != code.id
                || report.primary.at.start < covers.start
                || report.primary.at.start > covers.end
        });
    }
    (reports.len() == before).then(|| {
        Diagnostic::new(
            &codes::N0290,
            at,
            format!("nothing here is reported as `{}`", code.id),
        )
        .help("remove the comment, or put it right before what it is about")
    })
}

/// The allow comments of a text.
fn comments<'t>(text: &'t str, items: &[Checked<'_>]) -> Vec<Allow<'t>> {
    let tokens = lex(text);
    let mut found = Vec::new();
    for (index, &(kind, span)) in tokens.iter().enumerate() {
        if !matches!(kind, K::LineComment | K::BlockComment) {
            continue;
        }
        let Some(codes) = codes_in(text, span) else {
            continue;
        };
        let line_start = text[..span.start as usize]
            .rfind(['\n', '\r'])
            .map_or(0, |at| at as u32 + 1);
        // The first token of its line, or the next one after it.
        let on_line = tokens[..index]
            .iter()
            .rev()
            .take_while(|(_, span)| span.end > line_start)
            .filter(|(kind, span)| !kind.is_trivia() && span.start >= line_start)
            .last();
        let next = || tokens[index..].iter().find(|(kind, _)| !kind.is_trivia());
        let covers = on_line
            .or_else(next)
            .map(|(_, token)| extent(text, items, token.start));
        found.push(Allow { codes, covers });
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

/// The largest construct that begins with the token at this place.
fn extent(text: &str, items: &[Checked<'_>], start: u32) -> Span {
    let index = items.partition_point(|checked| checked.span.end <= start);
    let Some(checked) = items.get(index) else {
        return Span::at(start);
    };
    let spans = token_spans(text, checked.span);
    let Ok(token) = spans.binary_search_by_key(&start, |span| span.start) else {
        return Span::at(start);
    };
    let mut node = checked.item.root();
    // From the root down: the first node that begins here is the largest one.
    loop {
        let tokens = node.tokens();
        if tokens.start as usize == token && !tokens.is_empty() {
            let last = spans.get(tokens.end as usize - 1).or(spans.last());
            return Span::new(start, last.map_or(start, |span| span.end));
        }
        let inner = node
            .children_backwards()
            .find(|child| child.tokens().contains(&(token as u32)));
        match inner {
            Some(child) => node = child,
            None => return spans[token],
        }
    }
}

//! Where a source may vary from copy to copy without changing what it is.

use std::collections::BTreeSet;
use std::ops::Range;

use symbi_syntax::{File, SyntaxKind as K, WalkEvent};

/// A source file, cut into its items.
#[derive(Debug)]
pub(super) struct Unit {
    pub(super) pieces: Vec<Piece>,
    /// Names of its agents, policies, functions, types and blocks.
    pub(super) declared: BTreeSet<String>,
    /// Names that statements declare.
    pub(super) locals: BTreeSet<String>,
}

/// An item with the comments that belong to it.
#[derive(Debug)]
pub(super) struct Piece {
    pub(super) text: String,
    /// In the order of their places, none over another.
    pub(super) edits: Vec<Edit>,
    /// It is about the whole file: a second one would contradict it.
    pub(super) of_file: bool,
}

#[derive(Debug)]
pub(super) struct Edit {
    pub(super) range: Range<usize>,
    pub(super) vary: Vary,
}

/// What may take the place of a range.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Vary {
    /// The new name for what stands there.
    Name,
    /// The same with other words.
    Words,
    /// The same with other digits behind the first.
    Digits,
    /// Nothing, where the number of the copy goes in.
    Number,
}

/// A token, and where in the tree it stands.
struct Seat<'t> {
    kind: K,
    text: &'t str,
    range: Range<usize>,
    /// The node that holds it.
    node: K,
    /// How many tokens of that node stand before it.
    place: usize,
    /// Inside a body of statements.
    in_body: bool,
}

impl Unit {
    pub(super) fn new(file: &File) -> Unit {
        let seats = seats(file);
        let (declared, locals) = renamed(&seats);
        let cuts = cuts(file);
        let mut edits = seats
            .iter()
            .filter_map(|seat| edit(seat, &declared, &locals))
            .peekable();
        let pieces = cuts
            .into_iter()
            .zip(file.items())
            .map(|(cut, placed)| {
                let mut of_piece = Vec::new();
                while let Some(mut edit) = edits.next_if(|edit| edit.range.start < cut.end) {
                    edit.range = edit.range.start - cut.start..edit.range.end - cut.start;
                    of_piece.push(edit);
                }
                Piece {
                    text: file.text()[cut].to_owned(),
                    edits: of_piece,
                    of_file: matches!(
                        placed.item.root().kind(),
                        K::MetadataBlock | K::WithBlock | K::CapabilitiesDef
                    ),
                }
            })
            .collect();
        Unit {
            pieces,
            declared,
            locals,
        }
    }
}

/// Every name in these files, and every word that must not become one.
pub(super) fn names(files: &[File]) -> BTreeSet<String> {
    files
        .iter()
        .flat_map(|file| {
            let text = file.text().clone();
            symbi_syntax::lex(&text)
                .into_iter()
                .filter(|(kind, _)| kind.is_word())
                .map(|(_, span)| text[span.range()].to_owned())
                .collect::<Vec<_>>()
        })
        .collect()
}

fn seats(file: &File) -> Vec<Seat<'_>> {
    let mut seats = Vec::new();
    // The nodes around a token, each with the tokens that it had so far.
    let mut around: Vec<(K, usize)> = Vec::new();
    let mut bodies = 0usize;
    for event in file.walk() {
        match event {
            WalkEvent::Enter(kind, _) => {
                bodies += usize::from(kind == K::Block);
                around.push((kind, 0));
            }
            WalkEvent::Leave => {
                let left = around.pop();
                bodies -= usize::from(left.is_some_and(|(kind, _)| kind == K::Block));
            }
            WalkEvent::Token(kind, span) => {
                let (node, place) = around.last().copied().unwrap_or((K::Error, 0));
                if let Some((_, tokens)) = around.last_mut().filter(|_| !kind.is_trivia()) {
                    *tokens += 1;
                }
                // A literal's parent says more than the node of the literal.
                let node = match (node, around.len().checked_sub(2)) {
                    (K::Literal, Some(parent)) => around[parent].0,
                    _ => node,
                };
                seats.push(Seat {
                    kind,
                    text: &file.text()[span.range()],
                    range: span.range(),
                    node,
                    place,
                    in_body: bodies > 0,
                });
            }
        }
    }
    seats
}

/// The names that change: those of items, and those of statements. A name that
/// something else binds as well stays as it is, so that each use still means
/// what it meant.
fn renamed(seats: &[Seat<'_>]) -> (BTreeSet<String>, BTreeSet<String>) {
    let mut declared = BTreeSet::new();
    let mut locals = BTreeSet::new();
    let mut bound = BTreeSet::new();
    for seat in seats.iter().filter(|seat| seat.kind == K::Name) {
        let set = match (seat.node, seat.place) {
            (node, 1) if is_declaration(node) => &mut declared,
            (K::LetStmt | K::ForStmt, 1) => &mut locals,
            (K::Param | K::NamePattern | K::CatchClause | K::LambdaParams | K::LambdaExpr, _) => {
                &mut bound
            }
            _ => continue,
        };
        set.insert(seat.text.to_owned());
    }
    let twice: BTreeSet<String> = declared.intersection(&locals).cloned().collect();
    declared.retain(|name| !bound.contains(name) && !twice.contains(name));
    locals.retain(|name| !bound.contains(name) && !twice.contains(name));
    (declared, locals)
}

fn is_declaration(node: K) -> bool {
    matches!(
        node,
        K::AgentDef
            | K::PolicyDef
            | K::TypeDef
            | K::FunctionDef
            | K::ScheduleDef
            | K::ChannelDef
            | K::MemoryDef
            | K::WebhookDef
    )
}

fn edit(seat: &Seat<'_>, declared: &BTreeSet<String>, locals: &BTreeSet<String>) -> Option<Edit> {
    let (range, vary) = match seat.kind {
        // A comment can be a directive; those stay.
        K::LineComment | K::BlockComment if !seat.text.contains("symbi:") => {
            (seat.range.clone(), Vary::Words)
        }
        K::Name => {
            let is_use = matches!(
                seat.node,
                K::NameExpr | K::NamedType | K::PathExpr | K::StructExpr
            );
            let of_item = declared.contains(seat.text)
                && (is_use || (is_declaration(seat.node) && seat.place == 1));
            let of_statement = locals.contains(seat.text)
                && seat.in_body
                && (seat.node == K::NameExpr
                    || (matches!(seat.node, K::LetStmt | K::ForStmt) && seat.place == 1));
            if !of_item && !of_statement {
                return None;
            }
            (seat.range.clone(), Vary::Name)
        }
        K::String | K::TripleString => {
            // Texts refer to items too: "helper", "delegate::helper".
            let name = seat.text.trim_matches('"').rsplit(':').next().unwrap_or("");
            if declared.contains(name) {
                let end =
                    seat.range.end - (seat.text.len() - seat.text.trim_end_matches('"').len());
                (end - name.len()..end, Vary::Name)
            } else if !seat.in_body && seat.node == K::Entry && seat.text.starts_with("\"/") {
                // The path of a webhook, which no other may have.
                (seat.range.end - 1..seat.range.end - 1, Vary::Number)
            } else if seat.in_body && seat.node != K::LiteralPattern && is_prose(seat.text) {
                (seat.range.clone(), Vary::Words)
            } else {
                return None;
            }
        }
        // A pattern's number decides which arm is reached.
        K::Int | K::Float if seat.in_body && seat.node != K::LiteralPattern => {
            (seat.range.clone(), Vary::Digits)
        }
        _ => return None,
    };
    Some(Edit { range, vary })
}

/// Several words, and no escape that letters are a part of.
fn is_prose(text: &str) -> bool {
    text.contains(' ') && !text.contains("\\u") && !text.contains("\\x")
}

/// The file in pieces, one an item. What stands above an item belongs to it;
/// what stands behind it on its last line too.
fn cuts(file: &File) -> Vec<Range<usize>> {
    let text = file.text();
    let items = file.items();
    let mut starts = Vec::with_capacity(items.len());
    for (index, placed) in items.iter().enumerate() {
        let start = placed.span.start as usize;
        starts.push(match index.checked_sub(1) {
            None => 0,
            Some(before) => {
                let end = items[before].span.end as usize;
                text[end..start].find('\n').map_or(start, |line| end + line)
            }
        });
    }
    let ends = starts.iter().skip(1).copied().chain([text.len()]);
    starts
        .iter()
        .zip(ends)
        .map(|(&start, end)| {
            let piece = &text[start..end];
            let before = piece.len() - piece.trim_start_matches(['\n', '\r', '\u{feff}']).len();
            start + before..start + piece.trim_end().len()
        })
        .collect()
}

//! A file always has a tree over all its bytes, its reports have places, and
//! the work is linear.

use symbi_diagnostics::Diagnostic;

use crate::{File, SyntaxKind as K, WalkEvent};

/// Steps a byte that the lexer and the parser may take; counted in debug
/// builds.
const STEPS_A_BYTE: u64 = 200;

/// Parses and checks.
///
/// # Panics
/// When the tree is not lossless, a report has no place, or the work is not
/// linear.
pub fn fuzz_one(data: &[u8]) {
    let decoded = crate::decode(data.to_vec());
    let file = File::parse_decoded(decoded);
    check(&file);
}

/// The same for a file.
///
/// # Panics
/// As [`fuzz_one`].
pub fn check(file: &File) {
    let text: &str = file.text();
    assert_tiles(file);
    assert_places(text, &file.diagnostics());
    // What is no construct of the language is never passed over in silence.
    let wrong = file.walk().into_iter().any(|event| match event {
        WalkEvent::Enter(kind, _) => kind == K::Error,
        WalkEvent::Token(kind, _) => kind == K::OpenComment || kind.is_always_wrong(),
        WalkEvent::Leave => false,
    });
    assert!(
        !(wrong || unbalanced(text)) || file.has_errors(),
        "an error without a report in\n{text}"
    );
    let bound = 2_000 + STEPS_A_BYTE * text.len() as u64;
    assert!(
        file.work() <= bound,
        "{} steps for {} bytes",
        file.work(),
        text.len()
    );
}

/// Checks that the tree's tokens tile the text and its nodes nest.
///
/// # Panics
/// If they do not.
pub fn assert_tiles(file: &File) {
    let mut at = 0;
    let mut open = Vec::new();
    for event in file.walk() {
        match event {
            WalkEvent::Enter(kind, span) => {
                assert!(kind.is_node(), "{kind:?} is entered");
                open.push((kind, span));
            }
            WalkEvent::Token(kind, span) => {
                assert!(!kind.is_node(), "{kind:?} is a token");
                assert_eq!(span.start, at, "a gap or an overlap before {kind:?}");
                assert!(span.end > span.start, "an empty {kind:?} at {at}");
                if let Some((node, around)) = open.last()
                    && !kind.is_trivia()
                {
                    assert!(
                        around.start <= span.start && span.end <= around.end,
                        "{kind:?} {span:?} outside its {node:?} {around:?}"
                    );
                }
                at = span.end;
            }
            WalkEvent::Leave => assert!(open.pop().is_some(), "a leave without an enter"),
        }
    }
    assert!(open.is_empty(), "{open:?} never left");
    assert_eq!(at as usize, file.text().len(), "the tokens end too early");
}

/// Checks that every place of every report can be shown.
///
/// # Panics
/// If one cannot.
pub fn assert_places(text: &str, diagnostics: &[Diagnostic]) {
    for diagnostic in diagnostics {
        let edits = diagnostic.fix.iter().flat_map(|fix| &fix.edits);
        let places = std::iter::once(diagnostic.primary.at)
            .chain(diagnostic.notes.iter().map(|note| note.at))
            .chain(edits.map(|edit| edit.at));
        for at in places {
            assert!(
                at.start <= at.end && text.get(at.range()).is_some(),
                "{} {at:?} is no place in {text:?}",
                diagnostic.code.id
            );
        }
        assert!(!diagnostic.message.is_empty());
    }
}

/// Whether brackets do not match.
fn unbalanced(text: &str) -> bool {
    let mut open = Vec::new();
    for (kind, _) in crate::lex(text) {
        match kind {
            K::LBrace => open.push(K::RBrace),
            K::LParen => open.push(K::RParen),
            K::LBracket => open.push(K::RBracket),
            K::RBrace | K::RParen | K::RBracket if open.pop() != Some(kind) => return true,
            _ => {}
        }
    }
    !open.is_empty()
}

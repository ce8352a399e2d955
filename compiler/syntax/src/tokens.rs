//! The tokens of a file without trivia, as the parser wants them.

use crate::brackets;
use crate::kind::SyntaxKind::{self, self as K};
use crate::lexer::Lexer;

/// A token that is no trivia: 16 bytes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Tok {
    pub(crate) kind: SyntaxKind,
    flags: u8,
    pub(crate) start: u32,
    pub(crate) end: u32,
    /// For brackets, the other one; [`NO_MATE`] for a closing bracket that
    /// opens nothing.
    pub(crate) mate: u32,
}

const LINE_START: u8 = 1;
const ESCAPED: u8 = 2;
const SPACED: u8 = 4;
const UNCLOSED: u8 = 8;

impl Tok {
    /// It is the first on its line.
    #[inline]
    pub(crate) fn line_start(self) -> bool {
        self.flags & LINE_START != 0
    }

    /// A string with a backslash in it.
    pub(crate) fn escaped(self) -> bool {
        self.flags & ESCAPED != 0
    }

    /// White space or a comment stands before it, or nothing does.
    #[inline]
    pub(crate) fn spaced(self) -> bool {
        self.flags & SPACED != 0
    }

    /// For an opening bracket: no closing one was found, and `mate` is the
    /// token before which it should have stood.
    #[inline]
    pub(crate) fn unclosed(self) -> bool {
        self.flags & UNCLOSED != 0
    }

    /// Says of an opening bracket that it has no closing one.
    pub(crate) fn set_unclosed(&mut self) {
        self.flags |= UNCLOSED;
    }
}

/// No bracket belongs to this one.
pub(crate) const NO_MATE: u32 = u32::MAX;

/// A lexed file.
pub(crate) struct Tokens {
    pub(crate) all: Vec<Tok>,
    /// Where a `/*` without end starts.
    pub(crate) open_comment: Option<u32>,
    /// There is a token that no file without errors has, or a bracket without
    /// its other one.
    pub(crate) wrong: bool,
    /// Steps taken beyond one a byte: the scaling tests bound it.
    pub(crate) work: u64,
}

/// Lexes a whole text and pairs its brackets in the same pass.
pub(crate) fn tokens(text: &str) -> Tokens {
    tokens_and_comments(text, |_| {})
}

/// A comment, as the formatter wants it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Comment {
    /// How many tokens stand before it.
    pub(crate) token: u32,
    pub(crate) start: u32,
    pub(crate) end: u32,
    /// `// …` or `# …`: it ends with its line.
    pub(crate) line: bool,
}

/// The same, with each comment handed over on the way.
pub(crate) fn tokens_and_comments(text: &str, mut comment: impl FnMut(Comment)) -> Tokens {
    // Agents have a token in four to six bytes; memory that is not used is not
    // touched either.
    let mut all = Vec::with_capacity(text.len() / 4 + 8);
    let mut open_comment = None;
    let mut line_start = true;
    let mut spaced = true;
    let mut stack: Vec<u32> = Vec::new();
    let mut balanced = true;
    let mut lexer = Lexer::new(text, 0);
    let mut wrong = false;
    loop {
        // Most tokens have a space before them, which needs no turn of its own.
        let before = lexer.at();
        lexer.skip_space();
        if lexer.at() > before {
            spaced = true;
            line_start |= lexer.has_break();
        }
        let Some((kind, start, end)) = Iterator::next(&mut lexer) else {
            break;
        };
        if kind.is_trivia() {
            spaced = true;
            let seen = |line| Comment {
                token: all.len() as u32,
                start,
                end,
                line,
            };
            match kind {
                K::Whitespace => line_start |= lexer.has_break(),
                K::BlockComment => {
                    line_start |= has_line_break(&text.as_bytes()[start as usize..end as usize]);
                    comment(seen(false));
                }
                K::LineComment => comment(seen(true)),
                K::OpenComment => open_comment = Some(start),
                _ => {}
            }
            continue;
        }
        wrong |= kind.is_always_wrong();
        let index = all.len() as u32;
        let mut mate = NO_MATE;
        match kind {
            K::LBrace | K::LParen | K::LBracket => stack.push(index),
            K::RBrace | K::RParen | K::RBracket => match stack.last() {
                Some(&open) if closer(all_kind(&all, open)) == Some(kind) => {
                    stack.pop();
                    mate = open;
                    let open: &mut Tok = &mut all[open as usize];
                    open.mate = index;
                }
                _ => balanced = false,
            },
            _ => {}
        }
        all.push(Tok {
            kind,
            flags: if line_start { LINE_START } else { 0 }
                | if spaced { SPACED } else { 0 }
                | if matches!(kind, K::String | K::TripleString) && lexer.escaped() {
                    ESCAPED
                } else {
                    0
                },
            start,
            end,
            mate,
        });
        line_start = false;
        spaced = false;
    }
    let mut work = lexer.work();
    if !balanced || !stack.is_empty() {
        wrong = true;
        work += brackets::pair_by_layout(text, &mut all);
    }
    Tokens {
        all,
        open_comment,
        wrong,
        work,
    }
}

fn all_kind(all: &[Tok], index: u32) -> SyntaxKind {
    all[index as usize].kind
}

fn has_line_break(bytes: &[u8]) -> bool {
    bytes.iter().any(|byte| matches!(byte, b'\n' | b'\r'))
}

/// The closing bracket of an opening one.
pub(crate) fn closer(open: SyntaxKind) -> Option<SyntaxKind> {
    match open {
        K::LBrace => Some(K::RBrace),
        K::LParen => Some(K::RParen),
        K::LBracket => Some(K::RBracket),
        _ => None,
    }
}

//! Pairing brackets in a file where they do not balance.
//!
//! A file whose brackets balance never comes here. In one that lacks a
//! bracket, the layout says which: a `{` whose line is indented by n is over
//! when a later line starts at n or less; a closing brace at the start of a
//! line belongs to the `{` whose line is indented alike; and an `agent` at
//! the left edge closes everything. So a missing brace costs one bracket, not
//! the rest of the file.

use crate::kind::SyntaxKind::{self, self as K};
use crate::tokens::{NO_MATE, Tok, closer};

/// An opening bracket that waits for its mate.
struct Open {
    token: u32,
    kind: SyntaxKind,
    /// Columns before the first token of its line, in bytes.
    indent: u32,
    /// Its first line of content is not indented further: the author does not
    /// indent, so layout says nothing about where it ends.
    flat: Option<bool>,
}

struct Pairing<'a> {
    tokens: &'a mut [Tok],
    stack: Vec<Open>,
    /// How many of the stack are braces.
    braces: usize,
    /// A block of this file has been seen whose content is indented further
    /// than its braces.
    author_indents: bool,
    /// Indent of the bracket that was closed last.
    last_closed_indent: u32,
    /// More closing than opening braces in the file.
    surplus: bool,
    /// Steps down the stack and back over a line.
    work: u64,
}

/// How far down the stack a mate is looked for. Nobody leaves more brackets
/// open than that, and a million odd ones stay linear.
const REACH: usize = 64;

/// Sets `mate` and `unclosed` of every bracket. Returns the steps it took.
pub(crate) fn pair_by_layout(text: &str, tokens: &mut [Tok]) -> u64 {
    let count = |tokens: &[Tok], kind| tokens.iter().filter(|tok| tok.kind == kind).count();
    let surplus = count(tokens, K::RBrace) > count(tokens, K::LBrace);
    for tok in tokens.iter_mut() {
        tok.mate = NO_MATE;
    }
    let mut pairing = Pairing {
        tokens,
        stack: Vec::new(),
        braces: 0,
        author_indents: false,
        last_closed_indent: 0,
        work: 0,
        surplus,
    };
    let mut indent = 0;
    let mut line_first = 0;
    for index in 0..pairing.tokens.len() {
        let tok = pairing.tokens[index];
        let index = index as u32;
        let closes = matches!(tok.kind, K::RBrace | K::RParen | K::RBracket);
        if tok.line_start() {
            line_first = index;
            indent = column(text, tok.start);
            pairing.work += u64::from(indent);
            if !closes {
                pairing.line(index, tok.kind, indent);
            }
        }
        if matches!(tok.kind, K::LBrace | K::Arrow) {
            pairing.end_of_header(index);
        }
        if tok.kind == K::LBrace {
            pairing.end_of_head(index, line_first);
        }
        if matches!(tok.kind, K::ElseKw | K::CatchKw) {
            pairing.else_or_catch(index, tok.line_start().then_some(indent));
        }
        match tok.kind {
            K::LBrace | K::LParen | K::LBracket => {
                pairing.braces += usize::from(tok.kind == K::LBrace);
                pairing.stack.push(Open {
                    token: index,
                    kind: tok.kind,
                    indent,
                    flat: None,
                });
            }
            K::RBrace => pairing.close_brace(index, tok.line_start().then_some(indent)),
            K::RParen | K::RBracket => pairing.close_other(index, tok.kind),
            K::Semicolon => {
                // No list and no record holds a semicolon.
                while pairing
                    .stack
                    .last()
                    .is_some_and(|open| !pairing.is_block(open))
                {
                    pairing.give_up(index);
                }
            }
            _ => {}
        }
    }
    let end = pairing.tokens.len() as u32;
    while !pairing.stack.is_empty() {
        pairing.give_up(end);
    }
    pairing.work
}

impl Pairing<'_> {
    /// A line starts with a token that closes nothing.
    fn line(&mut self, index: u32, kind: SyntaxKind, column: u32) {
        let keyword = starts_something(kind);
        if let Some(top) = self.stack.last_mut()
            && top.flat.is_none()
        {
            let brace = top.kind == K::LBrace;
            let flat = column <= top.indent && (brace || !keyword) && !self.author_indents;
            top.flat = Some(flat);
            self.author_indents |= brace && column > top.indent;
        }
        let is_agent = kind == K::AgentKw
            && column == 0
            && self
                .tokens
                .get(index as usize + 1)
                .is_some_and(|next| next.kind.is_word() && !next.line_start());
        while let Some(top) = self.stack.last() {
            let over = match top.kind {
                K::LBrace => column <= top.indent && top.flat != Some(true),
                _ => keyword && column <= top.indent && top.flat != Some(true),
            };
            if !over && !is_agent {
                break;
            }
            self.give_up(index);
        }
    }

    /// `{` or `->` in the parentheses of `function f(` or `agent a(` begins
    /// what stands behind them.
    fn end_of_header(&mut self, index: u32) {
        let Some(open) = self.stack.last() else {
            return;
        };
        let kind = |at: Option<u32>| {
            at.and_then(|at| self.tokens.get(at as usize))
                .map_or(K::Eof, |tok| tok.kind)
        };
        let header = open.kind == K::LParen
            && matches!(kind(open.token.checked_sub(2)), K::FunctionKw | K::AgentKw);
        // `= { }` is a default, `(A) -> B` a type.
        if header && !matches!(kind(index.checked_sub(1)), K::Eq | K::RParen) {
            self.give_up(index);
        }
    }

    /// `if (a && (b) {` at the end of a line: the block begins, so what was
    /// opened on this line is over.
    fn end_of_head(&mut self, index: u32, line_first: u32) {
        let tok = |at: u32| self.tokens.get(at as usize);
        let head = matches!(
            tok(line_first).map(|tok| tok.kind),
            Some(K::IfKw | K::ForKw | K::WhileKw | K::MatchKw)
        ) || tok(line_first + 1).is_some_and(|tok| tok.kind == K::ElseKw);
        let last = tok(index + 1).is_none_or(|next| next.line_start());
        let value = index.checked_sub(1).and_then(tok).is_some_and(|tok| {
            matches!(
                tok.kind,
                K::LParen | K::LBracket | K::Comma | K::Colon | K::Eq | K::FatArrow
            )
        });
        if !head || !last || value {
            return;
        }
        while self
            .stack
            .last()
            .is_some_and(|open| open.kind != K::LBrace && open.token >= line_first)
        {
            self.give_up(index);
        }
    }

    /// `else` and `catch` stand after a `}`. Where they do not, or where that
    /// brace closes a block further in, it is the brace before them that is
    /// missing. `column` is theirs, if they start a line.
    fn else_or_catch(&mut self, index: u32, column: Option<u32>) {
        let kind = |at: Option<u32>| {
            at.and_then(|at| self.tokens.get(at as usize))
                .map_or(K::Eof, |tok| tok.kind)
        };
        let follows = matches!(kind(Some(index + 1)), K::LBrace | K::IfKw | K::LParen);
        let brace = self.stack.last().is_some_and(|open| open.kind == K::LBrace);
        let behind_brace = kind(index.checked_sub(1)) == K::RBrace
            && column.is_none_or(|column| column >= self.last_closed_indent);
        if follows && brace && !behind_brace {
            self.give_up(index);
        }
    }

    /// The innermost bracket has no mate: it ends before token `at`.
    fn give_up(&mut self, at: u32) {
        if let Some(open) = self.pop() {
            let tok = &mut self.tokens[open.token as usize];
            tok.mate = at;
            tok.set_unclosed();
        }
    }

    fn pop(&mut self) -> Option<Open> {
        let open = self.stack.pop()?;
        self.braces -= usize::from(open.kind == K::LBrace);
        Some(open)
    }

    fn pair(&mut self, index: u32) {
        if let Some(open) = self.pop() {
            self.last_closed_indent = open.indent;
            self.tokens[open.token as usize].mate = index;
            self.tokens[index as usize].mate = open.token;
        }
    }

    fn close_brace(&mut self, index: u32, column: Option<u32>) {
        if self.braces == 0 {
            return;
        }
        // What lies above the nearest brace is given up below, so each
        // bracket is passed over once.
        let Some(nearest) = self.stack.iter().rposition(|open| open.kind == K::LBrace) else {
            return;
        };
        self.work += (self.stack.len() - nearest) as u64;
        let mut target = nearest;
        if let Some(column) = column {
            let open = &self.stack[nearest];
            if column < open.indent {
                // A brace further left closes the block that starts there, if
                // there is one; the search stops where layout cannot agree.
                let left = self.stack[..nearest]
                    .iter()
                    .enumerate()
                    .rev()
                    .take(REACH)
                    .find(|(_, open)| open.kind == K::LBrace && open.indent <= column)
                    .map(|(at, _)| at);
                if let Some(left) = left
                    && self.stack[left].indent == column
                    && self.stack[left].flat != Some(true)
                {
                    target = left;
                }
            } else if column > open.indent && self.surplus && open.flat != Some(true) {
                return;
            }
        }
        while self.stack.len() > target + 1 {
            self.give_up(index);
        }
        self.pair(index);
    }

    /// A brace that is no record: a bracket around it cannot end inside it.
    fn is_block(&self, open: &Open) -> bool {
        let kind = |at: u32| self.tokens.get(at as usize).map_or(K::Eof, |tok| tok.kind);
        let empty = kind(open.token + 1) == K::Semicolon;
        let field = (kind(open.token + 1).is_word() || kind(open.token + 1) == K::String)
            && kind(open.token + 2) == K::Colon;
        let value = open.token.checked_sub(1).is_some_and(|before| {
            matches!(
                kind(before),
                K::LParen | K::Comma | K::Colon | K::LBracket | K::Eq | K::ReturnKw
            )
        });
        open.kind == K::LBrace && !((field || empty) && value)
    }

    fn close_other(&mut self, index: u32, kind: SyntaxKind) {
        let mut at = self.stack.len();
        let lowest = at.saturating_sub(REACH);
        while at > lowest && !self.is_block(&self.stack[at - 1]) {
            at -= 1;
            self.work += 1;
            if closer(self.stack[at].kind) == Some(kind) {
                while self.stack.len() > at + 1 {
                    self.give_up(index);
                }
                self.pair(index);
                return;
            }
        }
    }
}

/// Words that begin an item, a rule or a statement, and never a list element
/// on a line of its own.
fn starts_something(kind: SyntaxKind) -> bool {
    matches!(
        kind,
        K::MetadataKw
            | K::AgentKw
            | K::CapabilitiesKw
            | K::PolicyKw
            | K::TypeKw
            | K::FunctionKw
            | K::ScheduleKw
            | K::ChannelKw
            | K::MemoryKw
            | K::WebhookKw
            | K::WithKw
            | K::AllowKw
            | K::DenyKw
            | K::RequireKw
            | K::AuditKw
            | K::LetKw
            | K::IfKw
            | K::ForKw
            | K::WhileKw
            | K::TryKw
            | K::ReturnKw
    )
}

/// Bytes between the start of the line and `offset`.
fn column(text: &str, offset: u32) -> u32 {
    let before = &text.as_bytes()[..offset as usize];
    let len = before
        .iter()
        .rev()
        .take_while(|byte| !matches!(byte, b'\n' | b'\r'))
        .count();
    // A BOM has no column.
    if len == before.len() && text.starts_with('\u{FEFF}') {
        len as u32 - 3
    } else {
        len as u32
    }
}

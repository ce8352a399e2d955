//! The parser's moves: looking, stepping, building nodes, entering brackets,
//! reporting.

use symbi_diagnostics::{Code, Diagnostic, Edit, syntax as codes};

use super::ParseOptions;
use super::operators::{Odd, Operand, Operator};
use crate::kind::SyntaxKind::{self, self as K};
use crate::place::Place;
use crate::tokens::{NO_MATE, Tok};
use crate::tree::{ITEM_LIMIT, Node};

/// How deep brackets, lambdas and types may nest (language.md 2.3).
pub(crate) const MAX_NESTING: u32 = 256;
/// How long a chain of operators, postfix operators or `else if` may be.
pub(crate) const MAX_CHAIN: u32 = 10_000;
/// How many tokens are looked at for the end of a block whose `{` is missing.
const LOOK_AHEAD: usize = 1_000;

/// The state of a parse. Positions are indices into the tokens of the file.
pub(super) struct Parser<'t> {
    pub(super) text: &'t str,
    pub(super) toks: &'t [Tok],
    pub(super) options: ParseOptions,
    pub(super) pos: usize,
    /// Nothing at or after this token is in sight: the end of the innermost
    /// bracketed region, or of the file.
    pub(super) end: usize,
    /// First token of the item at hand.
    base: usize,
    nodes: Vec<Node>,
    problems: Vec<Diagnostic<Place>>,
    depth: u32,
    pub(super) mode: Mode,
    /// The closing bracket of the region at hand is missing, which is reported
    /// when the item is complete: what seems odd at its end follows from that.
    pub(super) lost_end: bool,
    /// Inside a block or function that cannot stand where it stands: those in
    /// it are not reported again.
    pub(super) misplaced: bool,
    /// A comment without its end took the rest of the file along.
    pub(super) comment_open: bool,
    /// Opening brackets left without their closing ones, as they were left.
    pub(super) unclosed: Vec<usize>,
    /// Where a limit was reached, once in an item.
    limit: Option<usize>,
    overflow: bool,
    /// An `Error` node has been made in the item at hand.
    error_node: bool,
    /// The file has tokens that no file without errors has, or brackets without
    /// their others.
    pub(super) wrong_tokens: bool,
    /// Tokens looked at, counted in debug builds: the scaling tests bound it.
    work: std::cell::Cell<u64>,
    /// Operators and operands of the expressions at hand, innermost last.
    pub(super) operators: Vec<Operator>,
    pub(super) operands: Vec<Operand>,
    /// Odd operators of the expression at hand, reported together.
    pub(super) odd: Odd,
}

/// What the place an expression stands in does not allow. Brackets reset it.
#[derive(Clone, Copy, Default)]
pub(super) struct Mode {
    /// `name {` starts a block: the head of if, for, while, match.
    pub(super) head: bool,
    /// A line break ends the expression unless an operator follows: a rule.
    pub(super) rule: bool,
    /// `name =>` starts no lambda: the guard of an arm.
    pub(super) arm: bool,
}

/// A bracketed region that has been entered.
pub(super) struct Region {
    open: usize,
    end: usize,
    mode: Mode,
    lost_end: bool,
}

/// Where a node starts: in the nodes and in the tokens.
#[derive(Clone, Copy)]
pub(super) struct Start {
    node: u32,
    token: u32,
}

impl<'t> Parser<'t> {
    pub(super) fn new(text: &'t str, toks: &'t [Tok], options: ParseOptions) -> Self {
        Self {
            text,
            toks,
            options,
            pos: 0,
            end: toks.len(),
            base: 0,
            nodes: Vec::new(),
            problems: Vec::new(),
            depth: 0,
            mode: Mode::default(),
            lost_end: false,
            misplaced: false,
            comment_open: false,
            unclosed: Vec::new(),
            limit: None,
            overflow: false,
            error_node: false,
            wrong_tokens: false,
            work: std::cell::Cell::new(0),
            operators: Vec::new(),
            operands: Vec::new(),
            odd: Odd::default(),
        }
    }

    // Items.

    pub(super) fn at_file_end(&self) -> bool {
        self.pos >= self.toks.len()
    }

    pub(super) fn start_item(&mut self) {
        self.base = self.pos;
        self.end = self.toks.len();
        self.depth = 0;
        self.mode = Mode::default();
        self.limit = None;
        self.overflow = false;
        self.error_node = false;
        self.nodes.clear();
    }

    pub(super) fn text(&self) -> &'t str {
        self.text
    }

    pub(super) fn item_tokens(&self) -> &'t [Tok] {
        &self.toks[self.base..self.pos]
    }

    pub(super) fn overflowed(&self) -> bool {
        self.overflow
    }

    /// Text that is no construct is never passed over in silence: where the
    /// report that was to cover it was left out for a second one that did not
    /// come, the first such token is reported after all.
    pub(super) fn report_if_silent(&mut self) {
        let suspicious = self.error_node || self.wrong_tokens;
        if !suspicious || self.comment_open || self.problems.iter().any(Diagnostic::is_error) {
            return;
        }
        let toks = self.item_tokens();
        let wrong = toks.iter().position(|tok| tok.kind.is_always_wrong());
        let bad = wrong.or_else(|| {
            toks.iter().position(|tok| {
                let closes = matches!(tok.kind, K::RBrace | K::RParen | K::RBracket);
                tok.unclosed() || (closes && tok.mate == NO_MATE)
            })
        });
        match bad {
            Some(at) if self.toks[self.base + at].unclosed() => {
                let open = (self.base + at..self.pos).filter(|&at| self.toks[at].unclosed());
                // From the innermost to the outermost.
                self.unclosed = open.collect();
                self.unclosed.reverse();
                self.report_unclosed();
            }
            Some(at) => self.report_silent(self.base + at),
            None if self.error_node => {
                let first = self.nodes.iter().find(|node| node.kind() == K::Error);
                let at = first.map_or(0, |node| node.first as usize);
                self.report_silent(self.base + at);
            }
            None => {}
        }
    }

    #[cold]
    fn report_silent(&mut self, token: usize) {
        let (pos, end) = (self.pos, self.end);
        self.pos = token;
        self.end = self.toks.len();
        self.expected(&codes::S0120, "a construct of the language");
        (self.pos, self.end) = (pos, end);
    }

    pub(super) fn take_nodes(&mut self) -> Box<[Node]> {
        if let Some(root) = self.nodes.len().checked_sub(1) {
            self.nodes[root].parent = root as u32;
        }
        // Copied, so that the next item finds the room already made.
        let nodes = self.nodes.as_slice().into();
        self.nodes.clear();
        nodes
    }

    /// The nodes of the item at hand, which is complete.
    pub(super) fn finished_nodes(&mut self) -> &[Node] {
        if let Some(root) = self.nodes.len().checked_sub(1) {
            self.nodes[root].parent = root as u32;
        }
        &self.nodes
    }

    pub(super) fn take_problems(&mut self) -> Box<[Diagnostic<Place>]> {
        std::mem::take(&mut self.problems).into_boxed_slice()
    }

    /// Tokens looked at; 0 in a release build.
    pub(super) fn work(&self) -> u64 {
        self.work.get()
    }

    #[inline]
    fn count(&self) {
        if cfg!(debug_assertions) {
            self.work.set(self.work.get() + 1);
        }
    }

    // Looking.

    #[inline]
    pub(super) fn kind(&self) -> SyntaxKind {
        self.nth(0)
    }

    #[inline]
    pub(super) fn nth(&self, n: usize) -> SyntaxKind {
        self.count();
        let at = self.pos + n;
        if at < self.end {
            self.toks[at].kind
        } else {
            K::Eof
        }
    }

    /// The same, with the closing bracket of the region in sight: `f(if)`
    /// passes a variable.
    pub(super) fn nth_or_closer(&self, n: usize) -> SyntaxKind {
        let at = self.pos + n;
        if at == self.end && !self.lost_end && at < self.toks.len() {
            self.count();
            return self.toks[at].kind;
        }
        self.nth(n)
    }

    #[inline]
    pub(super) fn at(&self, kind: SyntaxKind) -> bool {
        self.kind() == kind
    }

    pub(super) fn at_end(&self) -> bool {
        self.pos >= self.end
    }

    pub(super) fn tok(&self, at: usize) -> Tok {
        self.count();
        self.toks[at]
    }

    /// The n-th token from here is the first on its line.
    pub(super) fn line_start(&self, n: usize) -> bool {
        self.toks
            .get(self.pos + n)
            .is_some_and(|tok| tok.line_start())
    }

    /// The n-th token from here follows the one before it without a space.
    pub(super) fn glued(&self, n: usize) -> bool {
        self.pos + n < self.end && !self.toks[self.pos + n].spaced()
    }

    pub(super) fn token_text(&self, at: usize) -> &'t str {
        match self.toks.get(at) {
            Some(tok) => &self.text[tok.start as usize..tok.end as usize],
            None => "",
        }
    }

    /// The text of the token at hand.
    pub(super) fn here(&self) -> &'t str {
        if self.at_end() {
            return "";
        }
        self.token_text(self.pos)
    }

    /// The index right after the bracket pair that opens at `at`.
    pub(super) fn after_pair(&self, at: usize) -> usize {
        let tok = self.toks[at];
        let mate = tok.mate as usize;
        if tok.unclosed() { mate } else { mate + 1 }
    }

    /// The kind of the token right after the bracket pair at hand.
    pub(super) fn kind_after_pair(&self) -> SyntaxKind {
        let after = self.after_pair(self.pos);
        if after < self.end {
            self.toks[after].kind
        } else {
            K::Eof
        }
    }

    // Stepping.

    #[inline]
    pub(super) fn bump(&mut self) {
        debug_assert!(self.pos < self.end);
        self.pos += 1;
    }

    pub(super) fn eat(&mut self, kind: SyntaxKind) -> bool {
        let here = self.at(kind);
        if here {
            self.bump();
        }
        here
    }

    /// Steps over a token, or over a whole bracket pair.
    pub(super) fn skip_one(&mut self) {
        let tok = self.toks[self.pos];
        self.pos = match tok.kind {
            K::LBrace | K::LParen | K::LBracket => self.after_pair(self.pos).min(self.end),
            _ => self.pos + 1,
        };
    }

    // Building.

    #[inline]
    pub(super) fn start(&self) -> Start {
        Start {
            node: self.nodes.len() as u32,
            token: self.pos as u32,
        }
    }

    /// Makes a node of everything since `start`.
    pub(super) fn close(&mut self, kind: SyntaxKind, start: Start) {
        if self.nodes.len() >= ITEM_LIMIT {
            self.overflow = true;
            return;
        }
        self.error_node |= kind == K::Error;
        let index = self.nodes.len();
        let low = start.node as usize;
        // Each node is once the child of a node that is being closed.
        let mut child = index;
        while child > low {
            let node = &mut self.nodes[child - 1];
            node.parent = index as u32;
            child -= node.size();
        }
        self.nodes.push(Node::new(
            kind,
            index - low + 1,
            start.token - self.base as u32,
            (self.pos - self.base) as u32,
        ));
    }

    /// The kind of the node that was closed last.
    pub(super) fn last_node(&self) -> SyntaxKind {
        self.nodes.last().map_or(K::Eof, |node| node.kind())
    }

    // Brackets.

    /// Enters the bracket pair at hand, or, when that would be too deep, makes
    /// an error of it as a whole.
    pub(super) fn enter(&mut self) -> Option<Region> {
        if self.depth >= MAX_NESTING {
            self.nesting_too_deep();
            let start = self.start();
            self.skip_one();
            self.close(K::Error, start);
            return None;
        }
        self.depth += 1;
        let region = Region {
            open: self.pos,
            end: self.end,
            mode: self.mode,
            lost_end: self.lost_end,
        };
        self.mode = Mode::default();
        self.lost_end = self.toks[self.pos].unclosed();
        self.end = (self.toks[self.pos].mate as usize).min(self.end);
        self.pos += 1;
        Some(region)
    }

    /// Leaves a region whose content has been read to its end.
    pub(super) fn leave(&mut self, region: Region) {
        debug_assert!(self.pos >= self.end, "content left in a region");
        self.pos = self.end;
        self.end = region.end;
        self.mode = region.mode;
        self.lost_end = region.lost_end;
        self.depth -= 1;
        if self.toks[region.open].unclosed() {
            self.unclosed.push(region.open);
        } else {
            self.pos += 1;
        }
    }

    /// A region whose `{` is missing but whose `}` is there: from here to the
    /// next closing brace that opens nothing, if that comes before the next
    /// agent. Looks a bounded way ahead.
    #[cold]
    pub(super) fn stray_brace_ahead(&self) -> Option<usize> {
        let mut at = self.pos;
        for _ in 0..LOOK_AHEAD {
            if at >= self.end {
                return None;
            }
            let tok = self.toks[at];
            match tok.kind {
                K::RBrace => return (tok.mate == NO_MATE).then_some(at),
                K::AgentKw if tok.line_start() => return None,
                K::LBrace | K::LParen | K::LBracket => at = self.after_pair(at),
                _ => at += 1,
            }
        }
        None
    }

    /// Enters the region that ends at the stray brace `close`.
    #[cold]
    pub(super) fn enter_without_brace(&mut self, close: usize) -> (usize, Mode) {
        let outer = (self.end, self.mode);
        self.end = close;
        self.mode = Mode::default();
        outer
    }

    /// Leaves it again, over its closing brace.
    #[cold]
    pub(super) fn leave_without_brace(&mut self, outer: (usize, Mode)) {
        self.pos = self.end + 1;
        (self.end, self.mode) = outer;
    }

    /// The region that was left last ended here without its closing bracket,
    /// which is reported.
    pub(super) fn just_lost_end(&self) -> bool {
        self.unclosed
            .last()
            .is_some_and(|&open| self.toks[open].mate as usize == self.pos)
    }

    /// One step deeper without a bracket. `false` when that is too deep.
    pub(super) fn deeper(&mut self) -> bool {
        if self.depth >= MAX_NESTING {
            self.nesting_too_deep();
            return false;
        }
        self.depth += 1;
        true
    }

    pub(super) fn shallower(&mut self) {
        self.depth -= 1;
    }

    fn nesting_too_deep(&mut self) {
        self.limit_reached(
            &codes::S0114,
            format!("this is nested more than {MAX_NESTING} levels deep"),
            "name the inner parts with `let`, or move them into a function",
        );
    }

    /// Reports a limit, once in an item: what lies behind it is skipped, and
    /// nothing that is said about it would be true.
    #[cold]
    pub(super) fn limit_reached(&mut self, code: &'static Code, message: String, help: &str) {
        if self.limit.is_some() {
            return;
        }
        let place = self.place();
        self.report(Diagnostic::new(code, place, message).help(help));
        self.limit = Some(self.pos);
    }

    /// Skips the rest of what is too long: up to `;` or `,`.
    #[cold]
    pub(super) fn skip_behind_limit(&mut self) {
        let start = self.start();
        let from = self.pos;
        while !self.at_end() && !matches!(self.kind(), K::Semicolon | K::Comma) {
            if self.mode.head && self.at(K::LBrace) {
                break;
            }
            self.skip_one();
        }
        if self.pos > from {
            self.close(K::Error, start);
        }
    }

    // Reporting.

    /// The token at hand as a place; at the end of a region, right after the
    /// token before it.
    pub(super) fn place(&self) -> Place {
        if self.at_end() {
            self.after_last()
        } else {
            self.at_token(self.pos)
        }
    }

    pub(super) fn at_token(&self, token: usize) -> Place {
        Place::token(self.relative(token))
    }

    pub(super) fn tokens(&self, first: usize, last: usize) -> Place {
        Place::Tokens(self.relative(first), self.relative(last.max(first)))
    }

    /// Right after the token before this one.
    pub(super) fn after_last(&self) -> Place {
        Place::After(self.relative(self.pos.saturating_sub(1)))
    }

    pub(super) fn before(&self, token: usize) -> Place {
        Place::Before(self.relative(token))
    }

    pub(super) fn relative(&self, token: usize) -> u32 {
        token.saturating_sub(self.base) as u32
    }

    #[cold]
    pub(super) fn report(&mut self, diagnostic: Diagnostic<Place>) {
        // Behind a limit text has been skipped: nothing more that seems odd in
        // this item can be told from what follows from that.
        // A comment without its end took what seems missing along.
        let swallowed = self.comment_open && self.at_file_end();
        if self.limit.is_none() && !swallowed {
            self.problems.push(diagnostic);
        }
    }

    #[cold]
    pub(super) fn report_here(&mut self, code: &'static Code, message: impl Into<String>) {
        let place = self.place();
        self.report(Diagnostic::new(code, place, message));
    }

    /// How many reports this item has so far.
    pub(super) fn report_count(&self) -> usize {
        self.problems.len()
    }

    /// Adds an edit to the fix of an earlier report.
    #[cold]
    pub(super) fn add_edit(&mut self, report: usize, edit: Edit<Place>) {
        if let Some(fix) = self
            .problems
            .get_mut(report)
            .and_then(|diagnostic| diagnostic.fix.as_mut())
        {
            fix.edits.push(edit);
        }
    }

    /// Edits that take tokens out, with the white space after them if there is
    /// some before them too. Comments stay.
    #[cold]
    pub(super) fn removal(&self, first: usize, last: usize) -> Vec<Edit<Place>> {
        let gone = |at| Edit {
            at,
            text: String::new(),
        };
        let mut edits = vec![gone(self.tokens(first, last))];
        let (Some(next), end) = (self.toks.get(last + 1), self.tok(last).end) else {
            return edits;
        };
        let gap = self.text.get(end as usize..next.start as usize);
        let blank = gap.is_some_and(|gap| gap.trim().is_empty());
        if self.tok(first).spaced() && next.spaced() && !next.line_start() && blank {
            edits.push(gone(Place::Between(
                self.relative(last),
                self.relative(last + 1),
            )));
        }
        edits
    }

    /// Makes one error of the tokens up to `end`, without a word.
    pub(super) fn error_to(&mut self, end: usize) {
        if self.pos < end {
            let start = self.start();
            self.pos = end;
            self.close(K::Error, start);
        }
    }
}

impl Parser<'_> {
    /// The token a node starts with.
    pub(super) fn token_of(&self, start: Start) -> usize {
        start.token as usize
    }
}

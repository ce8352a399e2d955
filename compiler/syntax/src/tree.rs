//! The flat, lossless tree.
//!
//! A [`File`] is its text and its [`Item`]s. An item holds its tokens (trivia
//! is what lies between them, and is found again by lexing when something is
//! to be printed) and one post-order array of nodes over them. Nothing in an
//! item knows where in the file it stands, and nothing knows about comments:
//! moving an item or editing a comment leaves it equal to what it was.

use std::ops::Range;
use std::sync::Arc;

use symbi_diagnostics::{Diagnostic, Span};

use crate::kind::SyntaxKind::{self, self as K};
use crate::lexer::Lexer;
use crate::parser::ParseOptions;
use crate::place::Place;

/// The largest number of nodes, and of bytes of text, in one item: offsets in
/// an item have 24 bits.
pub(crate) const ITEM_LIMIT: usize = (1 << 24) - 1;

/// A node: 16 bytes.
///
/// Nodes are stored in post-order: a node stands right after its subtree, so
/// its last child is the node before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Node {
    /// Kind in the low 8 bits, nodes in the subtree (this one included) in the
    /// upper 24.
    kind_and_size: u32,
    /// Index of the parent; its own index for a root.
    pub(crate) parent: u32,
    /// First token, counted in the item.
    pub(crate) first: u32,
    /// One past the last token.
    pub(crate) end: u32,
}

impl Node {
    pub(crate) fn new(kind: SyntaxKind, size: usize, first: u32, end: u32) -> Self {
        Self {
            kind_and_size: (size as u32) << 8 | kind as u32,
            parent: 0,
            first,
            end,
        }
    }

    pub(crate) fn kind(self) -> SyntaxKind {
        SyntaxKind::from_u8((self.kind_and_size & 0xFF) as u8)
    }

    /// The same kind over as many nodes.
    pub(crate) fn is_alike(self, other: Node) -> bool {
        self.kind_and_size == other.kind_and_size
    }

    pub(crate) fn size(self) -> usize {
        (self.kind_and_size >> 8) as usize
    }
}

/// A token as an item keeps it: 4 bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Token {
    /// Kind in the low 8 bits; in the upper 24, where its text ends in the
    /// item's text.
    kind_and_end: u32,
}

impl Token {
    pub(crate) fn new(kind: SyntaxKind, text_end: usize) -> Self {
        Self {
            kind_and_end: (text_end as u32) << 8 | kind as u32,
        }
    }

    fn kind(self) -> SyntaxKind {
        SyntaxKind::from_u8((self.kind_and_end & 0xFF) as u8)
    }

    fn text_end(self) -> usize {
        (self.kind_and_end >> 8) as usize
    }
}

/// One item: an agent, a policy, a block, or a run of tokens that is none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Item {
    pub(crate) tokens: Box<[Token]>,
    /// The texts of names and literals, one after the other.
    pub(crate) text: Box<str>,
    pub(crate) nodes: Box<[Node]>,
    /// What the parser had to say, in places relative to this item.
    pub(crate) problems: Box<[Diagnostic<Place>]>,
}

/// An item and where it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlacedItem {
    /// The item.
    pub item: Arc<Item>,
    /// From its first token to its last.
    pub span: Span,
}

/// A parsed file. It always has a tree, whatever its text.
#[derive(Clone, Debug)]
pub struct File {
    pub(crate) text: Arc<str>,
    pub(crate) items: Vec<PlacedItem>,
    /// Reports about the file as a whole.
    pub(crate) problems: Vec<Diagnostic>,
    /// What it was parsed with.
    pub(crate) options: ParseOptions,
    pub(crate) work: u64,
}

/// A step through a tree in document order. The tokens, trivia included, tile
/// the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WalkEvent {
    /// A node begins.
    Enter(SyntaxKind, Span),
    /// A token or a piece of trivia.
    Token(SyntaxKind, Span),
    /// The node that began last ends.
    Leave,
}

impl Item {
    /// What the parser had to say about it, in places relative to it.
    pub fn problems(&self) -> &[Diagnostic<Place>] {
        &self.problems
    }

    /// How many tokens it has.
    pub fn token_count(&self) -> u32 {
        self.tokens.len() as u32
    }

    /// The kind of a token; `Eof` for one that does not exist.
    pub fn token_kind(&self, token: u32) -> SyntaxKind {
        self.tokens
            .get(token as usize)
            .map_or(K::Eof, |token| token.kind())
    }

    /// The text of a token.
    pub fn token_text(&self, token: u32) -> &str {
        let Some(this) = self.tokens.get(token as usize) else {
            return "";
        };
        if let Some(text) = this.kind().fixed_text() {
            return text;
        }
        let start = match token {
            0 => 0,
            _ => self.tokens[token as usize - 1].text_end(),
        };
        self.text.get(start..this.text_end()).unwrap_or("")
    }

    /// The item's root node. Every item has one.
    pub fn root(&self) -> NodeRef<'_> {
        NodeRef {
            item: self,
            index: self.nodes.len() as u32 - 1,
        }
    }

    /// A node by its number; `None` if there is no such node.
    pub fn node(&self, index: u32) -> Option<NodeRef<'_>> {
        ((index as usize) < self.nodes.len()).then_some(NodeRef { item: self, index })
    }
}

/// A node of an item.
#[derive(Clone, Copy)]
pub struct NodeRef<'i> {
    item: &'i Item,
    index: u32,
}

impl std::fmt::Debug for NodeRef<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}#{}", self.kind().name(), self.index)
    }
}

impl PartialEq for NodeRef<'_> {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self.item, other.item) && self.index == other.index
    }
}

impl<'i> NodeRef<'i> {
    fn node(self) -> Node {
        self.item.nodes[self.index as usize]
    }

    /// The item it belongs to.
    pub fn item(self) -> &'i Item {
        self.item
    }

    /// Its number in the item: stable as long as the item's tokens are.
    pub fn index(self) -> u32 {
        self.index
    }

    /// What it is.
    pub fn kind(self) -> SyntaxKind {
        self.node().kind()
    }

    /// Its tokens, counted in the item.
    pub fn tokens(self) -> Range<u32> {
        self.node().first..self.node().end
    }

    /// The node around it.
    pub fn parent(self) -> Option<NodeRef<'i>> {
        let parent = self.node().parent;
        (parent != self.index).then_some(NodeRef {
            item: self.item,
            index: parent,
        })
    }

    /// Its children, the last one first: the order that costs nothing.
    pub fn children_backwards(self) -> impl Iterator<Item = NodeRef<'i>> {
        let item = self.item;
        let lowest = self.index as usize + 1 - self.node().size();
        let mut next = self.index as usize;
        std::iter::from_fn(move || {
            if next <= lowest {
                return None;
            }
            let index = next - 1;
            next = index + 1 - item.nodes[index].size();
            Some(NodeRef {
                item,
                index: index as u32,
            })
        })
    }

    /// Its first child.
    pub fn first_child(self) -> Option<NodeRef<'i>> {
        self.children_backwards().last()
    }

    /// Visits it and the nodes below it, each before those below it and the last
    /// child first. A visit says whether to look below the node.
    pub fn visit(self, mut enter: impl FnMut(NodeRef<'i>) -> bool) {
        let item = self.item;
        let lowest = self.index as usize + 1 - self.node().size();
        // In this order nodes stand behind each other, and so do subtrees.
        let mut next = self.index as usize + 1;
        while next > lowest {
            let index = next - 1;
            let node = NodeRef {
                item,
                index: index as u32,
            };
            next = match enter(node) {
                true => index,
                false => index + 1 - item.nodes[index].size(),
            };
        }
    }

    /// Its children in order.
    pub fn children(self) -> impl DoubleEndedIterator<Item = NodeRef<'i>> {
        let item = self.item;
        let mut found = Children {
            few: [0; FEW],
            many: Vec::new(),
            start: 0,
            end: 0,
        };
        for node in self.children_backwards() {
            found.push(node.index);
        }
        found.map(move |index| NodeRef { item, index })
    }

    /// The tokens that belong to this node and to none of its children.
    pub fn own_tokens(self) -> impl Iterator<Item = u32> {
        let Node { first, end, .. } = self.node();
        let mut children = self.children();
        let mut gap = first..first;
        // Where the tokens behind the last child begin, until they are the gap.
        let mut behind = Some(first);
        std::iter::from_fn(move || {
            loop {
                if let Some(token) = gap.next() {
                    return Some(token);
                }
                let from = behind.take()?;
                gap = match children.next() {
                    Some(child) => {
                        behind = Some(child.node().end);
                        from..child.node().first
                    }
                    None => from..end,
                };
            }
        })
    }

    /// The first of its own tokens with this kind.
    pub fn token(self, kind: SyntaxKind) -> Option<u32> {
        self.own_tokens()
            .find(|&token| self.item.token_kind(token) == kind)
    }

    /// The first child with this kind.
    pub fn child(self, kind: SyntaxKind) -> Option<NodeRef<'i>> {
        // The last one backwards is the first: no list has to be made.
        self.children_backwards()
            .filter(|child| child.kind() == kind)
            .last()
    }
}

/// So many children need no memory of their own: nearly all nodes have fewer.
const FEW: usize = 12;

/// The numbers of children, found backwards and given forwards.
struct Children {
    few: [u32; FEW],
    /// All of them, once they are more than a few.
    many: Vec<u32>,
    /// What is left, counted from the last child.
    start: usize,
    end: usize,
}

impl Children {
    fn push(&mut self, index: u32) {
        if self.end < FEW {
            self.few[self.end] = index;
        } else {
            if self.end == FEW {
                self.many.extend(self.few);
            }
            self.many.push(index);
        }
        self.end += 1;
    }

    fn get(&self, at: usize) -> u32 {
        match self.many.is_empty() {
            true => self.few[at],
            false => self.many[at],
        }
    }
}

impl Iterator for Children {
    type Item = u32;

    fn next(&mut self) -> Option<u32> {
        if self.start == self.end {
            return None;
        }
        self.end -= 1;
        Some(self.get(self.end))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.end - self.start, Some(self.end - self.start))
    }
}

impl DoubleEndedIterator for Children {
    fn next_back(&mut self) -> Option<u32> {
        if self.start == self.end {
            return None;
        }
        self.start += 1;
        Some(self.get(self.start - 1))
    }
}

impl File {
    /// The text it was parsed from.
    pub fn text(&self) -> &Arc<str> {
        &self.text
    }

    /// Its items in order. Their tokens are all the tokens of the file.
    pub fn items(&self) -> &[PlacedItem] {
        &self.items
    }

    /// Steps the lexer and the parser took beyond one a byte. The parser's are
    /// counted in debug builds only; the scaling tests compare them.
    #[doc(hidden)]
    pub fn work(&self) -> u64 {
        self.work
    }

    /// Whether any report is an error.
    pub fn has_errors(&self) -> bool {
        self.problems.iter().any(Diagnostic::is_error)
            || self
                .items
                .iter()
                .any(|placed| placed.item.problems.iter().any(Diagnostic::is_error))
    }

    /// All reports, in the order of their places.
    pub fn diagnostics(&self) -> Vec<Diagnostic> {
        let mut all = self.problems.clone();
        for placed in &self.items {
            if placed.item.problems.is_empty() {
                continue;
            }
            let spans = self.token_spans(placed);
            for problem in &placed.item.problems {
                all.push(problem.clone().map(|place| place.resolve(&spans)));
            }
        }
        // Of two things that are missing in one place a bracket comes first:
        // `g(x` lacks `)` and then `;`.
        all.sort_by_key(|diagnostic| {
            let id = diagnostic.code.id;
            (diagnostic.primary.at, id != "S0112", id)
        });
        all
    }

    /// Drops the reports whose first place touches one of these spans.
    pub(crate) fn drop_reports_at(&mut self, spans: &[Span]) {
        for index in 0..self.items.len() {
            if self.items[index].item.problems.is_empty() {
                continue;
            }
            let places = self.token_spans(&self.items[index]);
            let item = Arc::make_mut(&mut self.items[index].item);
            let kept: Vec<_> = std::mem::take(&mut item.problems)
                .into_iter()
                .filter(|problem| {
                    let at = problem.primary.at.resolve(&places);
                    !spans
                        .iter()
                        .any(|span| at.start < span.end && span.start < at.end)
                })
                .collect();
            item.problems = kept.into_boxed_slice();
        }
    }

    /// Where each token of an item stands. Lexes the item again: only what is
    /// shown needs places.
    pub fn token_spans(&self, placed: &PlacedItem) -> Vec<Span> {
        token_spans(&self.text, placed.span)
    }

    /// Reports about the file as a whole, which belong to no item.
    pub fn problems(&self) -> &[Diagnostic] {
        &self.problems
    }

    /// The whole tree in document order, trivia included.
    pub fn walk(&self) -> Vec<WalkEvent> {
        let mut events = Vec::new();
        let mut lexer = Lexer::new(&self.text, 0)
            .map(|(kind, start, end)| (kind, Span::new(start, end)))
            .peekable();
        for placed in &self.items {
            let item = &*placed.item;
            while let Some(&(kind, span)) = lexer.peek() {
                if !kind.is_trivia() {
                    break;
                }
                events.push(WalkEvent::Token(kind, span));
                lexer.next();
            }
            let spans = self.token_spans(placed);
            let span_of = |node: NodeRef<'_>| {
                let tokens = node.tokens();
                match (spans.get(tokens.start as usize), tokens.end.checked_sub(1)) {
                    (Some(first), Some(last)) if tokens.start < tokens.end => {
                        Span::new(first.start, spans[last as usize].end)
                    }
                    // A node without tokens stands right after the token before it.
                    _ => Span::at(
                        tokens
                            .start
                            .checked_sub(1)
                            .map_or(placed.span.start, |before| spans[before as usize].end),
                    ),
                }
            };
            // A stack of what is still to do: the children of a node are put
            // on it in reverse.
            enum Todo<'i> {
                Node(NodeRef<'i>),
                TokensTo(u32),
                Leave,
            }
            let mut token = 0u32;
            let mut todo = vec![Todo::Node(item.root())];
            while let Some(next) = todo.pop() {
                match next {
                    Todo::Node(node) => {
                        emit(&mut events, &mut lexer, &mut token, node.tokens().start);
                        // Trivia before a node belongs to the node around it.
                        if node.tokens().start < node.tokens().end {
                            emit_trivia(&mut events, &mut lexer);
                        }
                        events.push(WalkEvent::Enter(node.kind(), span_of(node)));
                        todo.push(Todo::Leave);
                        todo.push(Todo::TokensTo(node.tokens().end));
                        todo.extend(node.children_backwards().map(Todo::Node));
                    }
                    Todo::TokensTo(end) => emit(&mut events, &mut lexer, &mut token, end),
                    Todo::Leave => events.push(WalkEvent::Leave),
                }
            }
        }
        events.extend(lexer.map(|(kind, span)| WalkEvent::Token(kind, span)));
        events
    }
}

/// Where each token stands that lies in a part of a text: from the first token
/// of an item to its last, as [`PlacedItem::span`] has it.
pub fn token_spans(text: &str, part: Span) -> Vec<Span> {
    let mut spans = Vec::with_capacity((part.end - part.start) as usize / 5);
    for (kind, start, end) in Lexer::new(text, part.start as usize) {
        if start >= part.end {
            break;
        }
        if !kind.is_trivia() {
            spans.push(Span::new(start, end));
        }
    }
    spans
}

type Pieces<I> = std::iter::Peekable<I>;

fn emit_trivia<I: Iterator<Item = (SyntaxKind, Span)>>(
    events: &mut Vec<WalkEvent>,
    lexer: &mut Pieces<I>,
) {
    while let Some((kind, span)) = lexer.next_if(|(kind, _)| kind.is_trivia()) {
        events.push(WalkEvent::Token(kind, span));
    }
}

/// Emits the item's tokens up to `end`, each with the trivia before it.
fn emit<I: Iterator<Item = (SyntaxKind, Span)>>(
    events: &mut Vec<WalkEvent>,
    lexer: &mut Pieces<I>,
    token: &mut u32,
    end: u32,
) {
    while *token < end {
        emit_trivia(events, lexer);
        let Some((kind, span)) = lexer.next() else {
            return;
        };
        events.push(WalkEvent::Token(kind, span));
        *token += 1;
    }
}

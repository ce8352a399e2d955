//! Items and the entries of blocks.

use super::{
    AstNode, Block, Expr, Literal, Name, Param, PolicyDef, StructType, Type, child, children,
    choice, item_name, name_at, views,
};
use crate::kind::SyntaxKind as K;
use crate::tree::{Item, NodeRef};

views! {
    /// `agent name(params) -> Type { … }`.
    AgentDef;
    /// `metadata { … }`.
    MetadataBlock;
    /// `capabilities = […]` or `capabilities { … }`.
    CapabilitiesDef;
    /// `type Name = …`.
    TypeDef;
    /// `function f(params) -> Type { … }`.
    FunctionDef;
    /// `extern …;`, in the standard library alone.
    ExternDef;
    /// `schedule name { … }`.
    ScheduleDef;
    /// `channel name { … }`.
    ChannelDef;
    /// `memory name { … }`.
    MemoryDef;
    /// `webhook name { … }`.
    WebhookDef;
    /// `with k = v { body }` or `with { k = v }`.
    WithBlock;
    /// `constraints { … }`.
    ConstraintsBlock;
    /// `executor { … }`.
    ExecutorBlock;
    /// `key = v`, `key: v` or `key v`.
    Entry;
    /// `key { … }` or `key "name" { … }`.
    NestedBlock;
}

choice! {
    /// What may stand at the top level.
    TopItem {
        /// An agent.
        Agent(AgentDef),
        /// Metadata of the file's agents.
        Metadata(MetadataBlock),
        /// Capabilities of the file's implicit agent.
        Capabilities(CapabilitiesDef),
        /// A policy over the file's agents.
        Policy(PolicyDef),
        /// A type.
        Type(TypeDef),
        /// A function.
        Function(FunctionDef),
        /// A declaration of the standard library.
        Extern(ExternDef),
        /// A schedule.
        Schedule(ScheduleDef),
        /// A channel.
        Channel(ChannelDef),
        /// A memory.
        Memory(MemoryDef),
        /// A webhook.
        Webhook(WebhookDef),
        /// Attributes of the file's implicit agent.
        With(WithBlock),
    }
}

choice! {
    /// What may stand in an agent.
    AgentItem {
        /// Its capabilities.
        Capabilities(CapabilitiesDef),
        /// A policy over it.
        Policy(PolicyDef),
        /// A function of it.
        Function(FunctionDef),
        /// Attributes, and perhaps its body.
        With(WithBlock),
        /// A memory of it.
        Memory(MemoryDef),
        /// A webhook that wakes it.
        Webhook(WebhookDef),
        /// A schedule that wakes it.
        Schedule(ScheduleDef),
        /// A channel that reaches it.
        Channel(ChannelDef),
        /// Its metadata.
        Metadata(MetadataBlock),
        /// Its constraints.
        Constraints(ConstraintsBlock),
        /// Its executor.
        Executor(ExecutorBlock),
        /// A type.
        Type(TypeDef),
        /// A stray `key = v`, read as a with attribute.
        Entry(Entry),
        /// An unknown block.
        Block(NestedBlock),
    }
}

choice! {
    /// What may stand in a block of entries.
    BlockItem {
        /// A key and its value.
        Entry(Entry),
        /// A nested block.
        Block(NestedBlock),
        /// A policy, in a channel.
        Policy(PolicyDef),
    }
}

/// The braces of an item's with block.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum WithBody<'i> {
    /// Statements; possibly none.
    Statements(Block<'i>),
    /// `with { k = v }`: the attributes of [`WithBlock::attributes`].
    Attributes,
}

impl Item {
    /// What the item declares; `None` for a run of tokens that is no item.
    pub fn top_item(&self) -> Option<TopItem<'_>> {
        TopItem::cast(self.root())
    }
}

/// The entries of a block that has its braces in a node of their own.
fn block_items<'i>(node: NodeRef<'i>) -> impl Iterator<Item = BlockItem<'i>> {
    node.children()
        .filter(|child| matches!(child.kind(), K::EntryBlock | K::AttributeBlock))
        .flat_map(children)
}

impl<'i> AgentDef<'i> {
    /// Its name.
    pub fn name(self) -> Option<Name<'i>> {
        item_name(self.0)
    }

    /// Its parameters; `None` without parentheses.
    pub fn params(self) -> Option<impl Iterator<Item = Param<'i>>> {
        self.0.child(K::ParamList).map(children)
    }

    /// Its result type.
    pub fn result(self) -> Option<Type<'i>> {
        child(self.0.child(K::ReturnType)?)
    }

    /// What stands in its braces.
    pub fn items(self) -> impl Iterator<Item = AgentItem<'i>> {
        self.0.child(K::AgentBody).into_iter().flat_map(children)
    }
}

impl<'i> FunctionDef<'i> {
    /// Its name.
    pub fn name(self) -> Option<Name<'i>> {
        item_name(self.0)
    }

    /// Its parameters.
    pub fn params(self) -> impl Iterator<Item = Param<'i>> {
        self.0.child(K::ParamList).into_iter().flat_map(children)
    }

    /// Its result type.
    pub fn result(self) -> Option<Type<'i>> {
        child(self.0.child(K::ReturnType)?)
    }

    /// Its body.
    pub fn body(self) -> Option<Block<'i>> {
        child(self.0)
    }
}

impl<'i> ExternDef<'i> {
    /// `function`, `effect`, `guard`, `obligation` or `group`.
    pub fn declares(self) -> Option<Name<'i>> {
        item_name(self.0)
    }

    /// Its name.
    pub fn name(self) -> Option<Name<'i>> {
        name_at(self.0, self.0.tokens().start + 2)
    }

    /// Its type parameters.
    pub fn type_params(self) -> impl Iterator<Item = Name<'i>> {
        let item = self.0.item();
        self.0
            .child(K::TypeParams)
            .into_iter()
            .flat_map(|params| params.own_tokens())
            .filter(move |&token| item.token_kind(token).is_word())
            .map(move |token| Name::token(item, token))
    }

    /// Its parameters.
    pub fn params(self) -> impl Iterator<Item = Param<'i>> {
        self.0.child(K::ParamList).into_iter().flat_map(children)
    }

    /// Its result type.
    pub fn result(self) -> Option<Type<'i>> {
        child(self.0.child(K::ReturnType)?)
    }

    /// The type after its `:`.
    pub fn type_(self) -> Option<Type<'i>> {
        child(self.0)
    }

    /// The value after its `=`.
    pub fn value(self) -> Option<Expr<'i>> {
        child(self.0)
    }

    /// The entries in its braces.
    pub fn entries(self) -> impl Iterator<Item = BlockItem<'i>> {
        block_items(self.0)
    }
}

impl<'i> TypeDef<'i> {
    /// Its name.
    pub fn name(self) -> Option<Name<'i>> {
        item_name(self.0)
    }

    /// The type it stands for, unless it is a struct.
    pub fn alias(self) -> Option<Type<'i>> {
        child(self.0)
    }

    /// The struct it declares, unless it is an alias.
    pub fn structure(self) -> Option<StructType<'i>> {
        child(self.0)
    }
}

/// An entry of the capabilities.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Capability<'i> {
    /// An element of the list.
    Listed(Expr<'i>),
    /// An entry of the braces.
    Entry {
        /// Its node.
        node: NodeRef<'i>,
        /// It has `tool` before its name.
        tool: bool,
    },
}

impl<'i> CapabilitiesDef<'i> {
    /// Its entries in either form.
    pub fn entries(self) -> Vec<Capability<'i>> {
        if let Some(block) = self.0.child(K::EntryBlock) {
            let item = self.0.item();
            return block
                .children()
                .filter(|node| node.kind() == K::CapabilityEntry)
                .map(|node| Capability::Entry {
                    node,
                    tool: node.tokens().len() > 1
                        && item.token_text(node.tokens().start) == "tool"
                        && item.token_kind(node.tokens().start + 1) != K::ColonColon
                        && item.token_kind(node.tokens().start + 1) != K::Minus,
                })
                .collect();
        }
        match child::<Expr<'i>>(self.0) {
            Some(Expr::Array(array)) => array.elements().map(Capability::Listed).collect(),
            Some(other) => vec![Capability::Listed(other)],
            None => Vec::new(),
        }
    }
}

impl<'i> Capability<'i> {
    /// What it names: the text of a name, a path or a string.
    pub fn text(self) -> Option<String> {
        match self {
            Capability::Listed(expr) => match expr {
                Expr::Literal(literal) => literal.string(),
                Expr::Name(name) => Some(name.name()?.text().into_owned()),
                Expr::Path(path) => Some(path.text()),
                _ => None,
            },
            Capability::Entry { node, tool } => {
                let item = node.item();
                let tokens = node.tokens();
                let first = tokens.start + u32::from(tool);
                if item.token_kind(first) == K::String {
                    return Some(crate::literal::string_value(item.token_text(first)));
                }
                let text: String = (first..tokens.end)
                    .take_while(|&token| {
                        item.token_kind(token).is_word()
                            || matches!(item.token_kind(token), K::ColonColon | K::Minus)
                    })
                    .map(|token| item.token_text(token))
                    .collect();
                (!text.is_empty()).then_some(text)
            }
        }
    }
}

/// Items that are a word, perhaps a name, and entries in braces.
macro_rules! named_blocks {
    ($($name:ident)*) => {
        $(
            impl<'i> $name<'i> {
                /// Its name, if it has one.
                pub fn name(self) -> Option<Name<'i>> {
                    item_name(self.0)
                }

                /// What stands in its braces.
                pub fn entries(self) -> impl Iterator<Item = BlockItem<'i>> {
                    block_items(self.0)
                }
            }
        )*
    };
}

named_blocks!(ScheduleDef ChannelDef MemoryDef WebhookDef);

macro_rules! nameless_blocks {
    ($($name:ident)*) => {
        $(
            impl<'i> $name<'i> {
                /// What stands in its braces.
                pub fn entries(self) -> impl Iterator<Item = BlockItem<'i>> {
                    block_items(self.0)
                }
            }
        )*
    };
}

nameless_blocks!(MetadataBlock ConstraintsBlock ExecutorBlock);

impl<'i> WithBlock<'i> {
    /// Its attributes, from its header and from its braces.
    pub fn attributes(self) -> impl Iterator<Item = Entry<'i>> {
        let header = children::<Entry<'i>>(self.0);
        let braces = block_items(self.0).filter_map(|item| match item {
            BlockItem::Entry(entry) => Some(entry),
            _ => None,
        });
        header.chain(braces)
    }

    /// Blocks among its attributes, which it should not have.
    pub fn blocks(self) -> impl Iterator<Item = NestedBlock<'i>> {
        block_items(self.0).filter_map(|item| match item {
            BlockItem::Block(block) => Some(block),
            _ => None,
        })
    }

    /// What its braces hold; `None` if they are missing.
    pub fn body(self) -> Option<WithBody<'i>> {
        if self.0.child(K::AttributeBlock).is_some() {
            return Some(WithBody::Attributes);
        }
        child(self.0).map(WithBody::Statements)
    }
}

/// The key at the start of an entry or nested block: its text without quotes.
fn key_text(node: NodeRef<'_>) -> Option<String> {
    let item = node.item();
    let first = node.tokens().start;
    match item.token_kind(first) {
        K::String => Some(crate::literal::string_value(item.token_text(first))),
        kind if kind.is_word() => Some(name_at(node, first)?.text().into_owned()),
        _ => None,
    }
}

impl<'i> Entry<'i> {
    /// Its key, without quotes.
    pub fn key(self) -> Option<String> {
        key_text(self.0)
    }

    /// The sign between key and value: `=`, `:` or none.
    pub fn sign(self) -> Option<u32> {
        self.0.token(K::Eq).or_else(|| self.0.token(K::Colon))
    }

    /// Its value.
    pub fn value(self) -> Option<Expr<'i>> {
        child(self.0)
    }
}

impl<'i> NestedBlock<'i> {
    /// Its first word, without quotes.
    pub fn key(self) -> Option<String> {
        key_text(self.0)
    }

    /// The string or word after it, if one follows.
    pub fn label(self) -> Option<String> {
        let item = self.0.item();
        let token = self.0.tokens().start + 1;
        match item.token_kind(token) {
            K::String => Some(crate::literal::string_value(item.token_text(token))),
            kind if kind.is_word() => Some(item.token_text(token).to_owned()),
            _ => None,
        }
    }

    /// What stands in its braces.
    pub fn entries(self) -> impl Iterator<Item = BlockItem<'i>> {
        block_items(self.0)
    }
}

impl Literal<'_> {
    /// Its text, if it is a string.
    pub fn string(self) -> Option<String> {
        match self.value()? {
            super::LiteralValue::String(text) => Some(text),
            _ => None,
        }
    }
}

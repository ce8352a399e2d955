//! Typed views over the tree: one type for every construct, each a node and
//! nothing else.
//!
//! A view never fails: what the source lacks is `None` or an empty list, so
//! code over views works on half-written files too. Expressions can be as deep
//! as [`crate::parser`] lets them (10,000 operators in a chain): walk them with
//! a loop, not by recursion over operands.

mod expressions;
mod items;
mod policies;
mod statements;
mod types;

pub use expressions::{
    ArgList, Argument, ArrayExpr, BinaryExpr, BinaryOp, CallExpr, Expr, IfExpr, IndexExpr,
    LambdaBody, LambdaExpr, LetCondition, Literal, LiteralValue, MatchArm, MatchExpr, MemberExpr,
    NameExpr, NamedArg, ParenExpr, PathExpr, PrefixExpr, PrefixOp, RecordExpr, RecordField,
    StructExpr,
};
pub use items::{
    AgentDef, AgentItem, BlockItem, CapabilitiesDef, Capability, ChannelDef, ConstraintsBlock,
    Entry, ExecutorBlock, ExternDef, FunctionDef, MemoryDef, MetadataBlock, NestedBlock,
    ScheduleDef, TopItem, TypeDef, WebhookDef, WithBlock, WithBody,
};
pub use policies::{PolicyDef, PolicyMember, Rule, Verb};
pub use statements::{
    AssignStmt, Block, BreakStmt, CatchClause, ContinueStmt, ExprStmt, ForStmt, LetStmt,
    ReturnStmt, Stmt, TryExpr, WhileStmt,
};
pub use types::{Field, FunctionType, NamedType, OptionalType, Param, Pattern, StructType, Type};

use std::borrow::Cow;

use crate::kind::SyntaxKind;
use crate::tree::{Item, NodeRef};

/// A view over a node.
pub trait AstNode<'i>: Copy {
    /// The view, if the node is of its kind.
    fn cast(node: NodeRef<'i>) -> Option<Self>;

    /// The node.
    fn node(self) -> NodeRef<'i>;
}

/// Declares views that are one node kind each.
macro_rules! views {
    ($($(#[$meta:meta])* $name:ident;)*) => {
        $(
            $(#[$meta])*
            #[derive(Clone, Copy, Debug, PartialEq)]
            pub struct $name<'i>(pub(super) crate::tree::NodeRef<'i>);

            impl<'i> super::AstNode<'i> for $name<'i> {
                fn cast(node: crate::tree::NodeRef<'i>) -> Option<Self> {
                    (node.kind() == crate::kind::SyntaxKind::$name).then_some(Self(node))
                }

                fn node(self) -> crate::tree::NodeRef<'i> {
                    self.0
                }
            }
        )*
    };
}

/// Declares a view that is one of several.
macro_rules! choice {
    ($(#[$meta:meta])* $name:ident { $($(#[$variant_meta:meta])* $variant:ident($view:ident),)* }) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq)]
        pub enum $name<'i> {
            $($(#[$variant_meta])* $variant($view<'i>),)*
        }

        impl<'i> super::AstNode<'i> for $name<'i> {
            fn cast(node: crate::tree::NodeRef<'i>) -> Option<Self> {
                None$(.or_else(|| <$view<'i> as super::AstNode<'i>>::cast(node).map($name::$variant)))*
            }

            fn node(self) -> crate::tree::NodeRef<'i> {
                match self {
                    $($name::$variant(view) => super::AstNode::node(view),)*
                }
            }
        }
    };
}

pub(crate) use {choice, views};

/// The first child that is a `V`.
fn child<'i, V: AstNode<'i>>(node: NodeRef<'i>) -> Option<V> {
    // The last one backwards is the first: no list has to be made.
    node.children_backwards().filter_map(V::cast).last()
}

/// The children that are `V`s, in order.
fn children<'i, V: AstNode<'i> + 'i>(node: NodeRef<'i>) -> impl Iterator<Item = V> {
    node.children().filter_map(V::cast)
}

/// A name where it is declared or read.
#[derive(Clone, Copy, Debug)]
pub struct Name<'i> {
    item: &'i Item,
    first: u32,
    end: u32,
}

impl<'i> Name<'i> {
    fn token(item: &'i Item, token: u32) -> Self {
        Self {
            item,
            first: token,
            end: token + 1,
        }
    }

    /// Its text. A name with dashes, which is an error, is put together.
    pub fn text(self) -> Cow<'i, str> {
        if self.end == self.first + 1 {
            return Cow::Borrowed(self.item.token_text(self.first));
        }
        (self.first..self.end)
            .map(|token| self.item.token_text(token))
            .collect()
    }

    /// Its tokens, counted in the item.
    pub fn tokens(self) -> std::ops::Range<u32> {
        self.first..self.end
    }
}

/// The name that starts at a token of the node and lies in none of its
/// children: a word, and what dashes join to it.
fn name_at<'i>(node: NodeRef<'i>, token: u32) -> Option<Name<'i>> {
    let item = node.item();
    if !item.token_kind(token).is_word() {
        return None;
    }
    let end = node
        .first_child()
        .map_or(node.tokens().end, |child| child.tokens().start);
    if token >= end {
        return None;
    }
    let mut last = token + 1;
    while last + 1 < end && item.token_kind(last) == SyntaxKind::Minus {
        last += 2;
    }
    Some(Name {
        item,
        first: token,
        end: last,
    })
}

/// The name after the first word of an item.
fn item_name<'i>(node: NodeRef<'i>) -> Option<Name<'i>> {
    name_at(node, node.tokens().start + 1)
}

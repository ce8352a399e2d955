//! Types, parameters, fields and patterns.

use super::{AstNode, Expr, Literal, Name, child, children, choice, name_at, views};
use crate::kind::SyntaxKind as K;
use crate::tree::NodeRef;

views! {
    /// `Name` or `A::b`, with its arguments.
    NamedType;
    /// `T?`.
    OptionalType;
    /// `(A, B) -> C`.
    FunctionType;
    /// `{ field: T, … }`.
    StructType;
    /// A parameter.
    Param;
    /// A field of a struct.
    Field;
}

choice! {
    /// A type.
    Type {
        /// A name.
        Named(NamedType),
        /// A type that may be missing.
        Optional(OptionalType),
        /// A function.
        Function(FunctionType),
    }
}

impl<'i> NamedType<'i> {
    /// Its name; the parts of a path joined by `::`.
    pub fn name(self) -> String {
        let item = self.0.item();
        let mut tokens = self.0.tokens();
        if let Some(arguments) = self.0.first_child() {
            tokens.end = arguments.tokens().start;
        }
        if tokens.len() == 1 {
            return item.token_text(tokens.start).to_owned();
        }
        tokens.map(|token| item.token_text(token)).collect()
    }

    /// Its arguments.
    pub fn arguments(self) -> impl Iterator<Item = Type<'i>> {
        self.0.child(K::TypeArgs).into_iter().flat_map(children)
    }
}

impl<'i> OptionalType<'i> {
    /// The type before the `?`.
    pub fn inner(self) -> Option<Type<'i>> {
        child(self.0)
    }
}

impl<'i> FunctionType<'i> {
    /// The types before and after the arrow, the result last. Without an
    /// arrow (reported) the result is missing.
    pub fn types(self) -> impl Iterator<Item = Type<'i>> {
        children(self.0)
    }

    /// The result.
    pub fn result(self) -> Option<Type<'i>> {
        self.0.token(K::Arrow)?;
        self.0.children_backwards().find_map(Type::cast)
    }
}

impl<'i> StructType<'i> {
    /// Its fields.
    pub fn fields(self) -> impl Iterator<Item = Field<'i>> {
        children(self.0)
    }
}

macro_rules! typed_names {
    ($($name:ident)*) => {
        $(
            impl<'i> $name<'i> {
                /// Its name.
                pub fn name(self) -> Option<Name<'i>> {
                    name_at(self.0, self.0.tokens().start)
                }

                /// Its type.
                pub fn type_(self) -> Option<Type<'i>> {
                    child(self.0)
                }

                /// Its default.
                pub fn default(self) -> Option<Expr<'i>> {
                    child(self.0)
                }
            }
        )*
    };
}

typed_names!(Param Field);

/// A pattern of `match` or `if let`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Pattern<'i> {
    /// `_`.
    Wildcard(NodeRef<'i>),
    /// A name that binds.
    Name(NodeRef<'i>),
    /// A literal, with its sign.
    Literal(NodeRef<'i>),
    /// `Some(p)`, `Ok(p)`, `Err(p)`.
    Call(NodeRef<'i>),
}

impl<'i> AstNode<'i> for Pattern<'i> {
    fn cast(node: NodeRef<'i>) -> Option<Self> {
        Some(match node.kind() {
            K::WildcardPattern => Pattern::Wildcard(node),
            K::NamePattern => Pattern::Name(node),
            K::LiteralPattern => Pattern::Literal(node),
            K::CallPattern => Pattern::Call(node),
            _ => return None,
        })
    }

    fn node(self) -> NodeRef<'i> {
        match self {
            Pattern::Wildcard(node)
            | Pattern::Name(node)
            | Pattern::Literal(node)
            | Pattern::Call(node) => node,
        }
    }
}

impl<'i> Pattern<'i> {
    /// The name it binds, or the name before its parentheses.
    pub fn name(self) -> Option<Name<'i>> {
        match self {
            Pattern::Name(node) | Pattern::Call(node) => name_at(node, node.tokens().start),
            Pattern::Wildcard(_) | Pattern::Literal(_) => None,
        }
    }

    /// The patterns in its parentheses.
    pub fn parts(self) -> impl Iterator<Item = Pattern<'i>> {
        let call = match self {
            Pattern::Call(node) => Some(node),
            _ => None,
        };
        call.into_iter().flat_map(children)
    }

    /// The number or string it compares with; `None` for `true`, `null` and
    /// what is no literal.
    pub fn literal(self) -> Option<Literal<'i>> {
        child(self.node())
    }

    /// It has a minus sign before its number.
    pub fn is_negative(self) -> bool {
        let node = self.node();
        matches!(self, Pattern::Literal(_))
            && node.item().token_kind(node.tokens().start) == K::Minus
    }
}

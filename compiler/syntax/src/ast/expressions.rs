//! Expressions.

use super::{AstNode, Block, Name, Pattern, TryExpr, child, children, choice, name_at, views};
use crate::kind::SyntaxKind as K;
use crate::literal;
use crate::tree::NodeRef;

views! {
    /// A literal.
    Literal;
    /// A name that is read.
    NameExpr;
    /// `A::b`.
    PathExpr;
    /// `e.name`.
    MemberExpr;
    /// `e(…)`.
    CallExpr;
    /// The arguments of a call.
    ArgList;
    /// `k = v` or `k: v` in a call.
    NamedArg;
    /// `e[i]`.
    IndexExpr;
    /// `!e`, `not e`, `-e`.
    PrefixExpr;
    /// `a + b`.
    BinaryExpr;
    /// `(e)`.
    ParenExpr;
    /// `[…]`.
    ArrayExpr;
    /// `{ k: v }`.
    RecordExpr;
    /// `T { k: v }`.
    StructExpr;
    /// `k: v`.
    RecordField;
    /// `x => e`.
    LambdaExpr;
    /// `if c { … } else { … }`.
    IfExpr;
    /// `let p = e` in the head of an `if`.
    LetCondition;
    /// `match e { … }`.
    MatchExpr;
    /// `p | p if guard => body`.
    MatchArm;
}

choice! {
    /// An expression.
    Expr {
        /// A literal.
        Literal(Literal),
        /// A name.
        Name(NameExpr),
        /// A path.
        Path(PathExpr),
        /// A field.
        Member(MemberExpr),
        /// A call.
        Call(CallExpr),
        /// An index.
        Index(IndexExpr),
        /// A prefix operator.
        Prefix(PrefixExpr),
        /// A binary operator.
        Binary(BinaryExpr),
        /// Parentheses.
        Paren(ParenExpr),
        /// A list.
        Array(ArrayExpr),
        /// A record.
        Record(RecordExpr),
        /// A record of a type.
        Struct(StructExpr),
        /// A lambda.
        Lambda(LambdaExpr),
        /// `if`.
        If(IfExpr),
        /// `match`.
        Match(MatchExpr),
        /// `try`.
        Try(TryExpr),
    }
}

/// What a literal stands for.
#[derive(Clone, Debug, PartialEq)]
pub enum LiteralValue {
    /// An integer without its sign: up to 2^63.
    Int(u64),
    /// A float.
    Float(f64),
    /// Nanoseconds.
    Duration(i64),
    /// Bytes.
    Size(i64),
    /// `true` or `false`.
    Bool(bool),
    /// `null` or `None`.
    Null,
    /// A string, unescaped.
    String(String),
    /// `vault://path` or `env://NAME`, as written.
    Secret(String),
    /// The name in `$NAME` or `${NAME}`.
    Env(String),
}

impl<'i> Literal<'i> {
    /// Whether it is a text in quotes, of one line or several.
    pub fn is_text(self) -> bool {
        let kind = self.0.item().token_kind(self.0.tokens().start);
        matches!(kind, K::String | K::TripleString)
    }

    /// Its value; `None` for a literal that was reported.
    pub fn value(self) -> Option<LiteralValue> {
        let item = self.0.item();
        let first = self.0.tokens().start;
        let text = item.token_text(first);
        Some(match item.token_kind(first) {
            K::Int if self.0.tokens().len() == 2 => {
                // `10 MB`.
                LiteralValue::Size(literal::size(&format!(
                    "{text}{}",
                    item.token_text(first + 1)
                ))?)
            }
            K::Int => LiteralValue::Int(literal::integer(text)?),
            K::Float => LiteralValue::Float(literal::float(text)?),
            K::Duration => LiteralValue::Duration(literal::duration(text)?),
            K::Size => LiteralValue::Size(literal::size(text)?),
            K::TrueKw => LiteralValue::Bool(true),
            K::FalseKw => LiteralValue::Bool(false),
            K::NullKw | K::NoneKw => LiteralValue::Null,
            K::String | K::TripleString => LiteralValue::String(literal::string_value(text)),
            K::SecretUrl => LiteralValue::Secret(text.to_owned()),
            K::EnvName => LiteralValue::Env(text.trim_matches(['$', '{', '}']).to_owned()),
            _ => return None,
        })
    }
}

impl<'i> NameExpr<'i> {
    /// The name.
    pub fn name(self) -> Option<Name<'i>> {
        name_at(self.0, self.0.tokens().start)
    }
}

impl<'i> PathExpr<'i> {
    /// Its parts.
    pub fn parts(self) -> impl Iterator<Item = Name<'i>> {
        let item = self.0.item();
        self.0
            .tokens()
            .filter(move |&token| item.token_kind(token).is_word())
            .map(move |token| Name::token(item, token))
    }

    /// Its parts joined by `::`.
    pub fn text(self) -> String {
        let item = self.0.item();
        self.0
            .tokens()
            .map(|token| item.token_text(token))
            .collect()
    }
}

impl<'i> MemberExpr<'i> {
    /// What the field is of.
    pub fn object(self) -> Option<Expr<'i>> {
        child(self.0)
    }

    /// The field's name.
    pub fn name(self) -> Option<Name<'i>> {
        let last = self.0.tokens().end.checked_sub(1)?;
        let item = self.0.item();
        (item.token_kind(last).is_word() && self.0.own_tokens().nth(1).is_some())
            .then(|| Name::token(item, last))
    }
}

impl<'i> CallExpr<'i> {
    /// What is called.
    pub fn callee(self) -> Option<Expr<'i>> {
        child(self.0)
    }

    /// Its arguments, in order.
    pub fn arguments(self) -> impl Iterator<Item = Argument<'i>> {
        child::<ArgList<'i>>(self.0)
            .into_iter()
            .flat_map(|list| list.0.children())
            .filter_map(|node| match NamedArg::cast(node) {
                Some(named) => Some(Argument::Named(named)),
                None => Expr::cast(node).map(Argument::Positional),
            })
    }
}

/// An argument of a call.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Argument<'i> {
    /// `v`.
    Positional(Expr<'i>),
    /// `k = v` or `k: v`.
    Named(NamedArg<'i>),
}

impl<'i> NamedArg<'i> {
    /// Its name.
    pub fn name(self) -> Option<Name<'i>> {
        name_at(self.0, self.0.tokens().start)
    }

    /// Its value.
    pub fn value(self) -> Option<Expr<'i>> {
        child(self.0)
    }
}

impl<'i> IndexExpr<'i> {
    /// What is indexed.
    pub fn object(self) -> Option<Expr<'i>> {
        child(self.0)
    }

    /// The index.
    pub fn index(self) -> Option<Expr<'i>> {
        children(self.0).nth(1)
    }
}

/// A prefix operator.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PrefixOp {
    /// `!` or `not`.
    Not,
    /// `-`.
    Minus,
}

impl<'i> PrefixExpr<'i> {
    /// Its operator; `None` for one the language does not have.
    pub fn operator(self) -> Option<PrefixOp> {
        match self.0.item().token_kind(self.0.tokens().start) {
            K::Bang | K::NotKw => Some(PrefixOp::Not),
            K::Minus => Some(PrefixOp::Minus),
            _ => None,
        }
    }

    /// Its operand.
    pub fn operand(self) -> Option<Expr<'i>> {
        child(self.0)
    }
}

/// A binary operator.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BinaryOp {
    /// `||`
    Or,
    /// `&&`
    And,
    /// `==`
    Equal,
    /// `!=`
    NotEqual,
    /// `in`
    In,
    /// `not in`
    NotIn,
    /// `<`
    Less,
    /// `<=`
    LessEqual,
    /// `>`
    Greater,
    /// `>=`
    GreaterEqual,
    /// `+`
    Add,
    /// `-`
    Subtract,
    /// `*`
    Multiply,
    /// `/`
    Divide,
    /// `%`
    Remainder,
}

impl<'i> BinaryExpr<'i> {
    /// The left operand.
    pub fn left(self) -> Option<Expr<'i>> {
        child(self.0)
    }

    /// The right operand.
    pub fn right(self) -> Option<Expr<'i>> {
        children(self.0).nth(1)
    }

    /// Its operator; `None` for one the language does not have.
    pub fn operator(self) -> Option<BinaryOp> {
        let item = self.0.item();
        let mut kinds = self.0.own_tokens().map(|token| item.token_kind(token));
        Some(match (kinds.next()?, kinds.next()) {
            (K::PipePipe | K::OrKw, None) => BinaryOp::Or,
            (K::AmpAmp | K::AndKw, None) => BinaryOp::And,
            (K::EqEq, None) => BinaryOp::Equal,
            (K::BangEq, None) => BinaryOp::NotEqual,
            (K::InKw, None) => BinaryOp::In,
            (K::NotKw, Some(K::InKw)) => BinaryOp::NotIn,
            (K::Lt, None) => BinaryOp::Less,
            (K::LtEq, None) => BinaryOp::LessEqual,
            (K::Gt, None) => BinaryOp::Greater,
            (K::Gt, Some(K::Eq)) => BinaryOp::GreaterEqual,
            (K::Plus, None) => BinaryOp::Add,
            (K::Minus, None) => BinaryOp::Subtract,
            (K::Star, None) => BinaryOp::Multiply,
            (K::Slash, None) => BinaryOp::Divide,
            (K::Percent, None) => BinaryOp::Remainder,
            _ => return None,
        })
    }
}

impl<'i> ParenExpr<'i> {
    /// What stands in the parentheses.
    pub fn inner(self) -> Option<Expr<'i>> {
        child(self.0)
    }
}

impl<'i> ArrayExpr<'i> {
    /// Its elements.
    pub fn elements(self) -> impl Iterator<Item = Expr<'i>> {
        children(self.0)
    }
}

impl<'i> RecordExpr<'i> {
    /// Its fields.
    pub fn fields(self) -> impl Iterator<Item = RecordField<'i>> {
        children(self.0)
    }
}

impl<'i> StructExpr<'i> {
    /// The name of its type.
    pub fn type_name(self) -> Option<Expr<'i>> {
        child(self.0)
    }

    /// Its fields.
    pub fn fields(self) -> impl Iterator<Item = RecordField<'i>> {
        children(self.0)
    }
}

impl<'i> RecordField<'i> {
    /// Its key, without quotes.
    pub fn key(self) -> Option<String> {
        let item = self.0.item();
        let first = self.0.tokens().start;
        match item.token_kind(first) {
            K::String => Some(literal::string_value(item.token_text(first))),
            kind if kind.is_word() => Some(item.token_text(first).to_owned()),
            _ => None,
        }
    }

    /// Its value.
    pub fn value(self) -> Option<Expr<'i>> {
        child(self.0)
    }
}

/// The body of a lambda.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum LambdaBody<'i> {
    /// An expression.
    Expr(Expr<'i>),
    /// A block.
    Block(Block<'i>),
}

impl<'i> LambdaExpr<'i> {
    /// Its parameters.
    pub fn params(self) -> Vec<Name<'i>> {
        let item = self.0.item();
        let tokens = match self.0.child(K::LambdaParams) {
            Some(params) => params.own_tokens(),
            None => self.0.own_tokens(),
        };
        tokens
            .filter(|&token| item.token_kind(token).is_word())
            .map(|token| Name::token(item, token))
            .collect()
    }

    /// Its body.
    pub fn body(self) -> Option<LambdaBody<'i>> {
        child(self.0)
            .map(LambdaBody::Expr)
            .or_else(|| child(self.0).map(LambdaBody::Block))
    }
}

impl<'i> IfExpr<'i> {
    /// Its condition, unless it is a `let`.
    pub fn condition(self) -> Option<Expr<'i>> {
        Expr::cast(self.0.first_child()?)
    }

    /// `let p = e`, unless it has a plain condition.
    pub fn let_condition(self) -> Option<LetCondition<'i>> {
        child(self.0)
    }

    /// The block that runs when the condition holds.
    pub fn then(self) -> Option<Block<'i>> {
        child(self.0)
    }

    /// The block after `else`.
    pub fn otherwise(self) -> Option<Block<'i>> {
        self.0.token(K::ElseKw)?;
        children(self.0).nth(1)
    }

    /// The `if` after `else`.
    pub fn else_if(self) -> Option<IfExpr<'i>> {
        self.0.token(K::ElseKw)?;
        IfExpr::cast(self.0.children_backwards().next()?)
    }
}

impl<'i> LetCondition<'i> {
    /// Its pattern.
    pub fn pattern(self) -> Option<Pattern<'i>> {
        child(self.0)
    }

    /// The value that is matched.
    pub fn value(self) -> Option<Expr<'i>> {
        child(self.0)
    }
}

impl<'i> MatchExpr<'i> {
    /// The value that is matched.
    pub fn subject(self) -> Option<Expr<'i>> {
        child(self.0)
    }

    /// Its arms.
    pub fn arms(self) -> impl Iterator<Item = MatchArm<'i>> {
        self.0.child(K::MatchBody).into_iter().flat_map(children)
    }
}

impl<'i> MatchArm<'i> {
    /// The patterns before `=>`, which `|` joins.
    pub fn patterns(self) -> impl Iterator<Item = Pattern<'i>> {
        children(self.0)
    }

    /// The condition after `if`.
    pub fn guard(self) -> Option<Expr<'i>> {
        child(self.0.child(K::ArmGuard)?)
    }

    /// The node after `=>`: an expression, a block or an assignment.
    pub fn body(self) -> Option<NodeRef<'i>> {
        self.0
            .children_backwards()
            .next()
            .filter(|node| Pattern::cast(*node).is_none() && node.kind() != K::ArmGuard)
    }
}

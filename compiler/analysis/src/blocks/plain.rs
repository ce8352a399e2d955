//! Values of blocks as they are written: what a value says before it is known
//! which type is wanted.

use symbi_mini::MiniError;
use symbi_syntax::ast::{ArrayExpr, AstNode, Expr, LiteralValue, PrefixOp, RecordExpr};
use symbi_syntax::{Place, SyntaxKind};

use crate::findings::{at_node, at_token};

/// A value as it is written.
#[derive(Clone, Debug)]
pub(crate) enum Plain<'i> {
    /// Text in quotes.
    Text(String),
    /// A name, a path, or names with dots between them.
    Word(String),
    /// A whole number.
    Int(i128),
    /// Another number.
    Float(f64),
    /// Nanoseconds.
    Duration(i128),
    /// Bytes.
    Size(i128),
    /// `true` or `false`.
    Bool(bool),
    /// `null`.
    Null,
    /// `vault://…` or `env://…`, in quotes or not, or `$NAME`.
    Secret(String),
    /// A list.
    Array(ArrayExpr<'i>),
    /// A record.
    Record(RecordExpr<'i>),
    /// Something that has been reported, or is half-written.
    Unread,
    /// Anything that would have to be computed.
    Computed,
}

/// What a value says.
pub(crate) fn plain(value: Expr<'_>) -> Plain<'_> {
    match value {
        Expr::Literal(literal) => match literal.value() {
            Some(value) => literal_value(value),
            None => Plain::Unread,
        },
        Expr::Prefix(prefix) => match (prefix.operator(), prefix.operand()) {
            (Some(PrefixOp::Minus), Some(Expr::Literal(literal))) => match literal.value() {
                Some(LiteralValue::Int(value)) => Plain::Int(-i128::from(value)),
                Some(LiteralValue::Float(value)) => Plain::Float(-value),
                Some(LiteralValue::Duration(nanos)) => Plain::Duration(-i128::from(nanos)),
                Some(LiteralValue::Size(bytes)) => Plain::Size(-i128::from(bytes)),
                Some(_) => Plain::Computed,
                None => Plain::Unread,
            },
            (Some(_), Some(_)) => Plain::Computed,
            _ => Plain::Unread,
        },
        Expr::Name(_) | Expr::Path(_) => Plain::Word(tokens_of(value)),
        Expr::Member(member) => {
            let mut object = member.object();
            loop {
                match object {
                    Some(Expr::Member(inner)) => object = inner.object(),
                    Some(Expr::Name(_) | Expr::Path(_)) => return Plain::Word(tokens_of(value)),
                    Some(_) => return Plain::Computed,
                    None => return Plain::Unread,
                }
            }
        }
        Expr::Array(array) => Plain::Array(array),
        Expr::Record(record) => Plain::Record(record),
        _ => Plain::Computed,
    }
}

fn literal_value(value: LiteralValue) -> Plain<'static> {
    match value {
        LiteralValue::Int(value) => Plain::Int(value.into()),
        LiteralValue::Float(value) => Plain::Float(value),
        LiteralValue::Duration(nanos) => Plain::Duration(nanos.into()),
        LiteralValue::Size(bytes) => Plain::Size(bytes.into()),
        LiteralValue::Bool(value) => Plain::Bool(value),
        LiteralValue::Null => Plain::Null,
        LiteralValue::String(text) if is_reference(&text) => Plain::Secret(text),
        LiteralValue::String(text) => Plain::Text(text),
        LiteralValue::Secret(address) => Plain::Secret(address),
        LiteralValue::Env(name) => Plain::Secret(format!("env://{name}")),
    }
}

/// Whether a text in quotes is the address of a secret.
pub(crate) fn is_reference(text: &str) -> bool {
    ["vault://", "env://"].iter().any(|scheme| {
        text.strip_prefix(scheme).is_some_and(|rest| {
            !rest.is_empty()
                && rest
                    .bytes()
                    .all(|byte| byte.is_ascii_alphanumeric() || b"_./-".contains(&byte))
        })
    })
}

pub(crate) fn tokens_of(value: Expr<'_>) -> String {
    let node = value.node();
    let item = node.item();
    node.tokens().map(|token| item.token_text(token)).collect()
}

impl Plain<'_> {
    /// The text of a name or of text in quotes.
    pub(crate) fn word(&self) -> Option<&str> {
        match self {
            Plain::Text(text) | Plain::Word(text) => Some(text),
            _ => None,
        }
    }

    /// What it is, for a message.
    pub(super) fn describe(&self) -> &'static str {
        match self {
            Plain::Text(_) => "text",
            Plain::Word(_) => "a name",
            Plain::Int(_) => "a whole number",
            Plain::Float(_) => "a number with a fraction",
            Plain::Duration(_) => "a length of time",
            Plain::Size(_) => "an amount of memory",
            Plain::Bool(_) => "a yes or no",
            Plain::Null => "nothing",
            Plain::Secret(_) => "a secret",
            Plain::Array(_) => "a list",
            Plain::Record(_) => "a record",
            Plain::Unread | Plain::Computed => "a computed value",
        }
    }
}

/// The first part of a value that would have to be computed. Lists and records
/// nest as deep as the parser lets them, so this recursion is bounded.
pub(crate) fn computed_part(value: Expr<'_>) -> Option<Expr<'_>> {
    match plain(value) {
        Plain::Computed => Some(value),
        Plain::Array(array) => array.elements().find_map(computed_part),
        Plain::Record(record) => record
            .fields()
            .filter_map(|field| field.value())
            .find_map(computed_part),
        _ => None,
    }
}

/// What a value means, as text that is equal for equal values.
pub(super) fn meaning(value: Expr<'_>) -> String {
    let mut out = String::new();
    write_meaning(&mut out, value);
    out
}

/// Nested texts are written with their length instead of with escapes, which
/// would double at each level.
fn write_meaning(out: &mut String, value: Expr<'_>) {
    match plain(value) {
        Plain::Text(text) | Plain::Word(text) => out.push_str(&text),
        Plain::Secret(address) => out.push_str(&address),
        Plain::Int(value) => out.push_str(&value.to_string()),
        Plain::Float(value) => out.push_str(&value.to_string()),
        Plain::Duration(nanos) => out.push_str(&format!("{nanos}ns")),
        Plain::Size(bytes) => out.push_str(&format!("{bytes}B")),
        Plain::Bool(value) => out.push_str(&value.to_string()),
        Plain::Null => out.push_str("null"),
        Plain::Array(array) => {
            out.push('[');
            for element in array.elements() {
                write_counted(out, &meaning(element));
            }
            out.push(']');
        }
        Plain::Record(record) => {
            let mut fields: Vec<(String, String)> = record
                .fields()
                .map(|field| {
                    let value = field.value().map(meaning);
                    (field.key().unwrap_or_default(), value.unwrap_or_default())
                })
                .collect();
            fields.sort();
            out.push('{');
            for (key, value) in fields {
                write_counted(out, &key);
                write_counted(out, &value);
            }
            out.push('}');
        }
        Plain::Unread | Plain::Computed => out.push_str(&tokens_of(value)),
    }
}

fn write_counted(out: &mut String, text: &str) {
    out.push_str(&text.len().to_string());
    out.push(':');
    out.push_str(text);
}

/// The place of a part of a text in quotes, given in bytes of what the text
/// says. The whole value where the two are not written alike.
pub(super) fn within(value: Expr<'_>, part: &std::ops::Range<usize>) -> Place {
    let node = value.node();
    let token = node.tokens().start;
    let text = node.item().token_text(token);
    let quotes = match node.item().token_kind(token) {
        SyntaxKind::String => 1,
        SyntaxKind::TripleString if !text.contains('\n') => 3,
        _ => return at_node(node),
    };
    let fits = text.len() >= part.end + 2 * quotes && !text.contains('\\');
    match (
        fits,
        u32::try_from(part.start + quotes),
        u32::try_from(part.end + quotes),
    ) {
        (true, Ok(start), Ok(end)) => Place::Within(token, start, end),
        _ => at_token(token),
    }
}

/// What a small language says about a value: message, help and place.
pub(super) fn mini_report(
    code: &'static symbi_diagnostics::Code,
    value: Expr<'_>,
    error: MiniError,
) -> symbi_diagnostics::Diagnostic<Place> {
    let at = match error.span.is_empty() && error.span.start == 0 {
        true => at_node(value.node()),
        false => within(value, &error.span),
    };
    let report = symbi_diagnostics::Diagnostic::new(code, at, error.message);
    match error.help {
        Some(help) => report.help(help),
        None => report,
    }
}

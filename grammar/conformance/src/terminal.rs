//! Tokens as the grammar names them, and the tokens of a text.

use std::sync::Arc;

use symbi_syntax::{SyntaxKind as K, lex};

/// A token, or any of a set of tokens.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Terminal {
    /// The token with this text.
    Text(Arc<str>),
    /// A kind of token with texts of its own.
    Lexical(Lexical),
    /// One of several: a production in capitals.
    Set(Arc<str>, Arc<[Terminal]>),
}

/// The kinds of tokens that differ in their texts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lexical {
    /// A name that is no known word.
    Name,
    /// `42`
    Int,
    /// `1.5`
    Float,
    /// `30s`
    Duration,
    /// `10MB`
    Size,
    /// `"…"`
    String,
    /// `"""…"""`
    LongString,
    /// `vault://…`, `env://…`
    SecretUrl,
    /// `$NAME`
    EnvName,
}

impl Lexical {
    /// The kind that the grammar file calls so.
    pub fn named(name: &str) -> Option<Lexical> {
        Some(match name {
            "NAME" => Lexical::Name,
            "INT" => Lexical::Int,
            "FLOAT" => Lexical::Float,
            "DURATION" => Lexical::Duration,
            "SIZE" => Lexical::Size,
            "STRING" => Lexical::String,
            "LONG-STRING" => Lexical::LongString,
            "SECRET-URL" => Lexical::SecretUrl,
            "ENV-NAME" => Lexical::EnvName,
            _ => return None,
        })
    }

    fn has(self, kind: K) -> bool {
        match self {
            Lexical::Name => kind == K::Name,
            Lexical::Int => kind == K::Int,
            Lexical::Float => kind == K::Float,
            Lexical::Duration => kind == K::Duration,
            Lexical::Size => kind == K::Size,
            Lexical::String => kind == K::String,
            Lexical::LongString => kind == K::TripleString,
            Lexical::SecretUrl => kind == K::SecretUrl,
            Lexical::EnvName => kind == K::EnvName,
        }
    }
}

impl Terminal {
    /// Whether a token is this one, or one of the set.
    pub fn matches(&self, kind: K, text: &str) -> bool {
        match self {
            Terminal::Text(own) => &**own == text,
            Terminal::Lexical(lexical) => lexical.has(kind),
            Terminal::Set(_, members) => members.iter().any(|member| member.matches(kind, text)),
        }
    }
}

/// How a token may stand to the one before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Space {
    /// Anyhow.
    Free,
    /// On the same line.
    Same,
    /// On a new line.
    First,
    /// With nothing between them.
    Glued,
}

/// A token of a program that is being made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Token {
    /// Its text.
    pub text: String,
    /// What the compiler's lexer calls it.
    pub kind: K,
    /// How it stands to the token before it.
    pub space: Space,
}

impl Token {
    /// A token with this text, which must be one token.
    pub fn new(text: impl Into<String>, space: Space) -> Token {
        let text = text.into();
        let kind = lex(&text).first().map_or(K::Unknown, |(kind, _)| *kind);
        Token { text, kind, space }
    }
}

/// A token of a text that is being read.
#[derive(Clone, Copy, Debug)]
pub struct Seen<'t> {
    /// Its text.
    pub text: &'t str,
    /// What the compiler's lexer calls it.
    pub kind: K,
    /// It is the first on its line.
    pub first: bool,
    /// Nothing stands between it and the token before.
    pub glued: bool,
}

/// The tokens of a text, without white space and comments.
pub fn tokens(text: &str) -> Vec<Seen<'_>> {
    let mut seen = Vec::new();
    let (mut first, mut glued) = (true, false);
    for (kind, span) in lex(text) {
        let text = &text[span.range()];
        if kind.is_trivia() {
            // A line comment ends before its line break.
            first |= kind != K::LineComment && text.contains(['\n', '\r']);
            glued = false;
            continue;
        }
        seen.push(Seen {
            text,
            kind,
            first,
            glued,
        });
        (first, glued) = (false, true);
    }
    seen
}

//! Text to [`Grammar`].

use std::collections::BTreeMap;
use std::sync::Arc;

use super::{EbnfError, Expr, Grammar, Look, Mark, Place, Production, Way};
use crate::terminal::{Lexical, Terminal};

/// A piece of the notation.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Piece {
    Name(String),
    Quoted(String),
    /// `[…]`: characters, for the reader of the file.
    Characters,
    Sign(&'static str),
    End,
}

/// Signs of the notation, the longer ones first.
const SIGNS: &[&str] = &[
    "::=", "~~", "~{", "~<", "!{", "<!", "~", "^", "!", "}", ">", "(", ")", "|", "?", "*", "+", "@",
];

/// A rule before its names are known.
struct Raw {
    name: String,
    line: usize,
    body: RawExpr,
}

enum RawExpr {
    Choice(Vec<RawExpr>),
    Sequence(Vec<RawExpr>),
    Quoted(String),
    Named(String, Option<Place>, usize),
    Characters,
    Optional(Box<RawExpr>),
    Repeat(Box<RawExpr>, bool),
    SameIf(Vec<RawExpr>),
    Not(Vec<Vec<(bool, bool, RawExpr)>>),
    Mark(Mark),
}

struct Reader {
    pieces: Vec<(Piece, usize)>,
    at: usize,
}

pub(super) fn read(text: &str) -> Result<Grammar, EbnfError> {
    let mut reader = Reader {
        pieces: pieces(text)?,
        at: 0,
    };
    let mut raw: Vec<Raw> = Vec::new();
    let mut by_name = BTreeMap::new();
    while *reader.here() != Piece::End {
        let production = reader.production()?;
        if by_name.insert(production.name.clone(), raw.len()).is_some() {
            return Err(EbnfError::Twice {
                line: production.line,
                name: production.name,
            });
        }
        raw.push(production);
    }
    let resolver = Resolver {
        raw: &raw,
        by_name: &by_name,
    };
    let mut ways = Vec::new();
    let mut productions = Vec::new();
    for production in &raw {
        let lexical = is_token(&production.name);
        let body = if lexical {
            // Tokens are matched as such; their inside is for people, but what
            // it names must exist.
            resolver.check(&production.body)?;
            Expr::Sequence(Vec::new())
        } else {
            resolver.expr(&production.body, &production.name, &mut ways)?
        };
        productions.push(Production {
            name: production.name.clone(),
            line: production.line,
            body,
        });
    }
    let grammar = Grammar {
        productions,
        ways,
        by_name,
    };
    left_recursion(&grammar)?;
    Ok(grammar)
}

/// A production in capitals.
fn is_token(name: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_uppercase())
}

fn pieces(text: &str) -> Result<Vec<(Piece, usize)>, EbnfError> {
    let mut pieces = Vec::new();
    let mut rest = text;
    let line_of = |rest: &str| 1 + text[..text.len() - rest.len()].matches('\n').count();
    'next: while let Some(first) = rest.chars().next() {
        let line = line_of(rest);
        let unexpected = |expected, found: &str| EbnfError::Unexpected {
            line,
            expected,
            found: found.chars().take(20).collect(),
        };
        if first.is_whitespace() {
            rest = rest.trim_start();
            continue;
        }
        if let Some(comment) = rest.strip_prefix("/*") {
            let (_, after) = comment
                .split_once("*/")
                .ok_or_else(|| unexpected("`*/`", comment))?;
            rest = after;
            continue;
        }
        if first.is_ascii_alphabetic() {
            let len = rest
                .find(|c: char| !(c.is_ascii_alphanumeric() || c == '-'))
                .unwrap_or(rest.len());
            pieces.push((Piece::Name(rest[..len].to_owned()), line));
            rest = &rest[len..];
            continue;
        }
        if first == '"' || first == '\'' {
            let (quoted, after) = rest[1..]
                .split_once(first)
                .ok_or_else(|| unexpected("the end of a token", rest))?;
            pieces.push((Piece::Quoted(quoted.to_owned()), line));
            rest = after;
            continue;
        }
        if first == '[' {
            let end = characters_end(rest).ok_or_else(|| unexpected("`]`", rest))?;
            pieces.push((Piece::Characters, line));
            rest = &rest[end..];
            continue;
        }
        for sign in SIGNS {
            if let Some(after) = rest.strip_prefix(sign) {
                pieces.push((Piece::Sign(sign), line));
                rest = after;
                continue 'next;
            }
        }
        return Err(unexpected("a rule", rest));
    }
    pieces.push((Piece::End, line_of("")));
    Ok(pieces)
}

/// The length of `[…]`, in which a backslash takes the next character along.
fn characters_end(text: &str) -> Option<usize> {
    let mut escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            ']' => return Some(at + 1),
            '\n' => return None,
            _ => {}
        }
    }
    None
}

impl Reader {
    fn here(&self) -> &Piece {
        self.nth(0)
    }

    fn nth(&self, n: usize) -> &Piece {
        let last = self.pieces.len() - 1;
        &self.pieces[(self.at + n).min(last)].0
    }

    fn line(&self) -> usize {
        self.pieces[self.at.min(self.pieces.len() - 1)].1
    }

    fn unexpected(&self, expected: &'static str) -> EbnfError {
        EbnfError::Unexpected {
            line: self.line(),
            expected,
            found: match self.here() {
                Piece::Name(name) => format!("`{name}`"),
                Piece::Quoted(text) => format!("\"{text}\""),
                Piece::Characters => "characters".to_owned(),
                Piece::Sign(sign) => format!("`{sign}`"),
                Piece::End => "the end".to_owned(),
            },
        }
    }

    fn eat(&mut self, sign: &str) -> bool {
        let here = matches!(self.here(), Piece::Sign(own) if *own == sign);
        self.at += usize::from(here);
        here
    }

    fn want(&mut self, sign: &'static str) -> Result<(), EbnfError> {
        if self.eat(sign) {
            return Ok(());
        }
        Err(self.unexpected(sign))
    }

    fn name(&mut self) -> Result<String, EbnfError> {
        let Piece::Name(name) = self.here() else {
            return Err(self.unexpected("a name"));
        };
        let name = name.clone();
        self.at += 1;
        Ok(name)
    }

    fn place(&mut self) -> Result<Place, EbnfError> {
        let place = match self.here() {
            Piece::Name(name) if name == "plain" => Place::Plain,
            Piece::Name(name) if name == "head" => Place::Head,
            Piece::Name(name) if name == "rule" => Place::Rule,
            Piece::Name(name) if name == "arm" => Place::Arm,
            _ => return Err(self.unexpected("a place")),
        };
        self.at += 1;
        Ok(place)
    }

    fn production(&mut self) -> Result<Raw, EbnfError> {
        let line = self.line();
        let name = self.name()?;
        self.want("::=")?;
        let body = self.choice()?;
        Ok(Raw { name, line, body })
    }

    fn choice(&mut self) -> Result<RawExpr, EbnfError> {
        let mut choices = vec![self.sequence()?];
        while self.eat("|") {
            choices.push(self.sequence()?);
        }
        match choices.len() {
            1 => choices.pop().ok_or_else(|| self.unexpected("a rule")),
            _ => Ok(RawExpr::Choice(choices)),
        }
    }

    fn sequence(&mut self) -> Result<RawExpr, EbnfError> {
        let mut parts = Vec::new();
        while let Some(part) = self.part()? {
            parts.push(part);
        }
        if parts.is_empty() {
            return Err(self.unexpected("a rule or token"));
        }
        Ok(RawExpr::Sequence(parts))
    }

    fn part(&mut self) -> Result<Option<RawExpr>, EbnfError> {
        let line = self.line();
        let mut part = match self.here().clone() {
            // The next production.
            Piece::Name(_) if *self.nth(1) == Piece::Sign("::=") => return Ok(None),
            Piece::Name(name) => {
                self.at += 1;
                let place = if self.eat("@") {
                    Some(self.place()?)
                } else {
                    None
                };
                RawExpr::Named(name, place, line)
            }
            Piece::Quoted(text) => {
                self.at += 1;
                RawExpr::Quoted(text)
            }
            Piece::Characters => {
                self.at += 1;
                RawExpr::Characters
            }
            Piece::Sign("(") => {
                self.at += 1;
                let inner = self.choice()?;
                self.want(")")?;
                inner
            }
            Piece::Sign("~" | "~~" | "~{" | "~<" | "!{" | "<!" | "^") => {
                return self.mark().map(Some);
            }
            _ => return Ok(None),
        };
        loop {
            if self.eat("?") {
                part = RawExpr::Optional(Box::new(part));
            } else if self.eat("*") {
                part = RawExpr::Repeat(Box::new(part), false);
            } else if self.eat("+") {
                part = RawExpr::Repeat(Box::new(part), true);
            } else {
                return Ok(Some(part));
            }
        }
    }

    fn mark(&mut self) -> Result<RawExpr, EbnfError> {
        if self.eat("~{") {
            let mut set = vec![self.terminal()?];
            while self.eat("|") {
                set.push(self.terminal()?);
            }
            self.want("}")?;
            return Ok(RawExpr::SameIf(set));
        }
        if self.eat("!{") {
            let mut runs = vec![self.run()?];
            while self.eat("|") {
                runs.push(self.run()?);
            }
            self.want("}")?;
            return Ok(RawExpr::Not(runs));
        }
        let mark = if self.eat("~<") {
            let place = self.place()?;
            self.want(">")?;
            Mark::SameIn(place)
        } else if self.eat("<!") {
            let place = self.place()?;
            self.want(">")?;
            Mark::NotIn(place)
        } else if self.eat("~~") {
            Mark::Glued
        } else if self.eat("^") {
            Mark::First
        } else {
            self.want("~")?;
            Mark::Same
        };
        Ok(RawExpr::Mark(mark))
    }

    fn terminal(&mut self) -> Result<RawExpr, EbnfError> {
        let line = self.line();
        if let Piece::Quoted(text) = self.here().clone() {
            self.at += 1;
            return Ok(RawExpr::Quoted(text));
        }
        Ok(RawExpr::Named(self.name()?, None, line))
    }

    fn run(&mut self) -> Result<Vec<(bool, bool, RawExpr)>, EbnfError> {
        let mut run = Vec::new();
        while !matches!(self.here(), Piece::Sign("|" | "}")) {
            let same = self.eat("~");
            let not = self.eat("!");
            run.push((same, not, self.terminal()?));
        }
        if run.is_empty() {
            return Err(self.unexpected("a token"));
        }
        Ok(run)
    }
}

struct Resolver<'r> {
    raw: &'r [Raw],
    by_name: &'r BTreeMap<String, usize>,
}

impl Resolver<'_> {
    fn find(&self, name: &str, line: usize) -> Result<usize, EbnfError> {
        self.by_name
            .get(name)
            .copied()
            .ok_or_else(|| EbnfError::Undefined {
                line,
                name: name.to_owned(),
            })
    }

    fn check(&self, raw: &RawExpr) -> Result<(), EbnfError> {
        match raw {
            RawExpr::Choice(parts) | RawExpr::Sequence(parts) | RawExpr::SameIf(parts) => {
                parts.iter().try_for_each(|part| self.check(part))
            }
            RawExpr::Named(name, _, line) => self.find(name, *line).map(|_| ()),
            RawExpr::Optional(inner) | RawExpr::Repeat(inner, _) => self.check(inner),
            RawExpr::Quoted(_) | RawExpr::Characters | RawExpr::Mark(_) | RawExpr::Not(_) => Ok(()),
        }
    }

    /// A token or a set of tokens; `None` for anything else.
    fn terminal(&self, raw: &RawExpr) -> Result<Option<Terminal>, EbnfError> {
        let (name, line) = match raw {
            RawExpr::Quoted(text) => return Ok(Some(Terminal::Text(Arc::from(&**text)))),
            RawExpr::Sequence(parts) if parts.len() == 1 => return self.terminal(&parts[0]),
            RawExpr::Named(name, None, line) if is_token(name) => (name, *line),
            _ => return Ok(None),
        };
        let number = self.find(name, line)?;
        if let Some(lexical) = Lexical::named(name) {
            return Ok(Some(Terminal::Lexical(lexical)));
        }
        let members = match &self.raw[number].body {
            RawExpr::Choice(members) => members.iter().collect(),
            other => vec![other],
        };
        let mut set = Vec::new();
        for member in members {
            let Some(member) = self.terminal(member)? else {
                return Ok(None);
            };
            set.push(member);
        }
        Ok(Some(Terminal::Set(Arc::from(&**name), set.into())))
    }

    fn known_terminal(&self, raw: &RawExpr) -> Result<Terminal, EbnfError> {
        let line = match raw {
            RawExpr::Named(_, _, line) => *line,
            _ => 0,
        };
        self.terminal(raw)?.ok_or_else(|| EbnfError::Unexpected {
            line,
            expected: "a token or a set of tokens",
            found: match raw {
                RawExpr::Named(name, ..) => format!("`{name}`"),
                _ => "something else".to_owned(),
            },
        })
    }

    fn expr(
        &self,
        raw: &RawExpr,
        production: &str,
        ways: &mut Vec<Way>,
    ) -> Result<Expr, EbnfError> {
        let mut way = |count| {
            ways.push(Way {
                production: production.to_owned(),
                count,
            });
            ways.len() - 1
        };
        Ok(match raw {
            RawExpr::Choice(parts) => {
                let number = way(parts.len());
                let parts = parts.iter().map(|part| self.expr(part, production, ways));
                Expr::Choice(number, parts.collect::<Result<_, _>>()?)
            }
            RawExpr::Sequence(parts) => {
                let parts = parts.iter().map(|part| self.expr(part, production, ways));
                Expr::Sequence(parts.collect::<Result<_, _>>()?)
            }
            RawExpr::Quoted(_) => Expr::Terminal(self.known_terminal(raw)?),
            RawExpr::Named(name, None, _) if is_token(name) => {
                Expr::Terminal(self.known_terminal(raw)?)
            }
            RawExpr::Named(name, place, line) => Expr::Rule(self.find(name, *line)?, *place),
            RawExpr::Characters => Expr::Sequence(Vec::new()),
            RawExpr::Optional(inner) => {
                let number = way(2);
                Expr::Optional(number, Box::new(self.expr(inner, production, ways)?))
            }
            RawExpr::Repeat(inner, once) => {
                let number = way(2);
                Expr::Repeat(number, Box::new(self.expr(inner, production, ways)?), *once)
            }
            RawExpr::SameIf(set) => {
                let set = set.iter().map(|member| self.known_terminal(member));
                Expr::Mark(Mark::SameIf(set.collect::<Result<_, _>>()?))
            }
            RawExpr::Not(runs) => {
                let runs = runs.iter().map(|run| {
                    run.iter()
                        .map(|(same, not, raw)| {
                            Ok(Look {
                                not: *not,
                                same: *same,
                                terminal: self.known_terminal(raw)?,
                            })
                        })
                        .collect::<Result<Vec<_>, _>>()
                });
                Expr::Mark(Mark::Not(runs.collect::<Result<_, _>>()?))
            }
            RawExpr::Mark(mark) => Expr::Mark(mark.clone()),
        })
    }
}

/// A rule that begins with itself has no first token: neither the generator
/// nor the recogniser would come back from it.
fn left_recursion(grammar: &Grammar) -> Result<(), EbnfError> {
    let count = grammar.productions.len();
    let mut empty = vec![false; count];
    loop {
        let before = empty.clone();
        for (number, production) in grammar.productions.iter().enumerate() {
            empty[number] = !is_token(&production.name) && is_empty(&production.body, &before);
        }
        if empty == before {
            break;
        }
    }
    for (number, production) in grammar.productions.iter().enumerate() {
        let mut seen = vec![false; count];
        let mut open = Vec::new();
        firsts(&production.body, &empty, &mut open);
        while let Some(next) = open.pop() {
            if next == number {
                return Err(EbnfError::LeftRecursive {
                    line: production.line,
                    name: production.name.clone(),
                });
            }
            if !std::mem::replace(&mut seen[next], true) {
                firsts(&grammar.productions[next].body, &empty, &mut open);
            }
        }
    }
    Ok(())
}

fn is_empty(expr: &Expr, empty: &[bool]) -> bool {
    match expr {
        Expr::Choice(_, parts) => parts.iter().any(|part| is_empty(part, empty)),
        Expr::Sequence(parts) => parts.iter().all(|part| is_empty(part, empty)),
        Expr::Terminal(_) => false,
        Expr::Rule(rule, _) => empty[*rule],
        Expr::Optional(..) | Expr::Mark(_) => true,
        Expr::Repeat(_, inner, once) => !once || is_empty(inner, empty),
    }
}

/// The rules that an expression may begin with.
fn firsts(expr: &Expr, empty: &[bool], out: &mut Vec<usize>) {
    match expr {
        Expr::Choice(_, parts) => parts.iter().for_each(|part| firsts(part, empty, out)),
        Expr::Sequence(parts) => {
            for part in parts {
                firsts(part, empty, out);
                if !is_empty(part, empty) {
                    return;
                }
            }
        }
        Expr::Rule(rule, _) => out.push(*rule),
        Expr::Optional(_, inner) | Expr::Repeat(_, inner, _) => firsts(inner, empty, out),
        Expr::Terminal(_) | Expr::Mark(_) => {}
    }
}

//! Asks the grammar about a text: slow, and simple enough to be believed.
//!
//! Every rule is read in every way at once: reading gives the set of tokens
//! at which it may end. What a rule gives at a token is kept, so that a text
//! of n tokens costs no more than n² a rule.

use std::collections::BTreeMap;
use std::rc::Rc;

use crate::ebnf::{Expr, Grammar, Mark, Place};
use crate::terminal::{Seen, tokens};

/// The tokens at which a reading may end, ascending.
type Ends = Rc<[usize]>;

struct Reader<'g, 't> {
    grammar: &'g Grammar,
    tokens: &'t [Seen<'t>],
    known: BTreeMap<(usize, Place, usize), Ends>,
    /// The furthest token that was asked for.
    furthest: usize,
}

/// What the grammar says about a text.
#[derive(Debug, PartialEq, Eq)]
pub enum Derived {
    /// It follows from the start symbol.
    Yes,
    /// It does not; reading went no further than this token.
    No {
        /// Counted from 0.
        token: usize,
        /// Its text, or nothing at the end.
        text: String,
    },
    /// The grammar has no such start symbol.
    NoStart,
}

/// Runs on a thread with room for the recogniser: each level of nesting in a
/// text costs a dozen levels of rules.
///
/// # Errors
/// The thread could not be started, or panicked.
pub fn with_room<T: Send + 'static>(run: impl FnOnce() -> T + Send + 'static) -> Result<T, String> {
    const STACK: usize = 1 << 30;
    let worker = std::thread::Builder::new().stack_size(STACK).spawn(run);
    let worker = worker.map_err(|error| error.to_string())?;
    worker.join().map_err(|_| "the worker panicked".to_owned())
}

/// Whether a text follows from a start symbol. Deep texts need [`with_room`].
pub fn derives(grammar: &Grammar, start: &str, text: &str) -> Derived {
    let Some(start) = grammar.production(start) else {
        return Derived::NoStart;
    };
    let tokens = tokens(text);
    let mut reader = Reader {
        grammar,
        tokens: &tokens,
        known: BTreeMap::new(),
        furthest: 0,
    };
    if reader.rule(start, Place::Plain, 0).contains(&tokens.len()) {
        return Derived::Yes;
    }
    Derived::No {
        token: reader.furthest,
        text: tokens
            .get(reader.furthest)
            .map(|token| token.text.to_owned())
            .unwrap_or_default(),
    }
}

impl Reader<'_, '_> {
    fn rule(&mut self, rule: usize, place: Place, at: usize) -> Ends {
        if let Some(ends) = self.known.get(&(rule, place, at)) {
            return Rc::clone(ends);
        }
        let grammar = self.grammar;
        let ends: Ends = self.expr(&grammar.productions[rule].body, place, at).into();
        self.known.insert((rule, place, at), Rc::clone(&ends));
        ends
    }

    fn expr(&mut self, expr: &Expr, place: Place, at: usize) -> Vec<usize> {
        match expr {
            Expr::Choice(_, parts) => {
                let ends = parts
                    .iter()
                    .flat_map(|part| self.expr(part, place, at))
                    .collect();
                sorted(ends)
            }
            Expr::Sequence(parts) => {
                let mut ends = vec![at];
                for part in parts {
                    ends = sorted(
                        ends.iter()
                            .flat_map(|&at| self.expr(part, place, at))
                            .collect(),
                    );
                    if ends.is_empty() {
                        break;
                    }
                }
                ends
            }
            Expr::Terminal(terminal) => {
                self.furthest = self.furthest.max(at);
                match self.tokens.get(at) {
                    Some(token) if terminal.matches(token.kind, token.text) => vec![at + 1],
                    _ => Vec::new(),
                }
            }
            Expr::Rule(rule, other) => self.rule(*rule, other.unwrap_or(place), at).to_vec(),
            Expr::Optional(_, inner) => {
                let mut ends = self.expr(inner, place, at);
                ends.push(at);
                sorted(ends)
            }
            Expr::Repeat(_, inner, once) => {
                let mut all = if *once { Vec::new() } else { vec![at] };
                let mut new = vec![at];
                while !new.is_empty() {
                    let next = sorted(
                        new.iter()
                            .flat_map(|&at| self.expr(inner, place, at))
                            .collect(),
                    );
                    new = next.into_iter().filter(|end| !all.contains(end)).collect();
                    all.extend(&new);
                }
                sorted(all)
            }
            Expr::Mark(mark) => {
                if self.holds(mark, place, at) {
                    vec![at]
                } else {
                    Vec::new()
                }
            }
        }
    }

    fn holds(&self, mark: &Mark, place: Place, at: usize) -> bool {
        let token = self.tokens.get(at);
        let first = token.is_some_and(|token| token.first);
        match mark {
            Mark::Same => !first,
            Mark::SameIf(set) => {
                !first
                    || !token.is_some_and(|token| {
                        set.iter().any(|one| one.matches(token.kind, token.text))
                    })
            }
            Mark::SameIn(only) => *only != place || !first,
            Mark::Glued => token.is_some_and(|token| token.glued),
            Mark::First => first,
            Mark::NotIn(not) => *not != place,
            Mark::Not(runs) => !runs.iter().any(|run| {
                run.iter()
                    .enumerate()
                    .all(|(ahead, look)| match self.tokens.get(at + ahead) {
                        Some(token) => {
                            look.terminal.matches(token.kind, token.text) != look.not
                                && !(look.same && token.first)
                        }
                        None => look.not,
                    })
            }),
        }
    }
}

fn sorted(mut ends: Vec<usize>) -> Vec<usize> {
    ends.sort_unstable();
    ends.dedup();
    ends
}

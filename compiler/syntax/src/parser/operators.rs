//! The operators of the language, those that other languages have, and the
//! one report about the odd ones of an expression.

use symbi_diagnostics::{Diagnostic, Edit, syntax as codes};

use super::core::{Parser, Start};
use crate::kind::SyntaxKind::{self, self as K};

/// How tightly an operator binds; more binds tighter (language.md 2.3).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Binding {
    Conditional,
    Or,
    And,
    Equality,
    Comparison,
    Additive,
    Multiplicative,
    Prefix,
}

/// An operator whose right operand is not complete yet.
#[derive(Clone, Copy)]
pub(super) struct Operator {
    pub(super) binding: Binding,
    /// `not` as a word, to be shown its reading before a comparison.
    pub(super) not_word: bool,
    /// For a prefix operator, where it starts.
    pub(super) prefix: Option<Start>,
}

/// An operand that is complete.
#[derive(Clone, Copy)]
pub(super) struct Operand {
    pub(super) start: Start,
    pub(super) first_token: usize,
    pub(super) shape: Shape,
}

/// What an operand is, as far as the reading of the next operator needs it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Shape {
    Other,
    Compared(Binding),
    NotWord,
}

/// An operator between two operands, with how many tokens it has.
#[derive(Clone, Copy)]
pub(super) struct Infix {
    pub(super) binding: Binding,
    pub(super) tokens: usize,
    pub(super) oddity: Option<Oddity>,
}

/// Why an operator is odd.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Oddity {
    /// The language does not have it.
    Unsupported,
    /// `and`, `or`.
    Word,
    /// `..`
    Range,
    /// `? :`
    Conditional,
}

/// Odd operators of one expression, as tokens of the file.
#[derive(Default)]
pub(super) struct Odd {
    unsupported: Vec<(usize, usize)>,
    words: Vec<usize>,
    range: Option<usize>,
    conditional: Option<(usize, usize)>,
    /// Lambdas between bars: their bars, and the parameters as they should be.
    pub(super) bars: Vec<(usize, usize, String)>,
    /// `await`, or `.await` from its dot.
    pub(super) awaits: Vec<(usize, usize)>,
    /// Operands of the first chained comparison, as token ranges.
    chain: Option<(usize, usize)>,
    /// The `not` before a comparison, and the comparison sign.
    not_compared: Option<(usize, usize)>,
}

impl Parser<'_> {
    /// The operator between two operands that stands here, if one does.
    pub(super) fn infix(&self) -> Option<Infix> {
        let known = |binding, tokens| {
            Some(Infix {
                binding,
                tokens,
                oddity: None,
            })
        };
        let odd = |binding, tokens, oddity| {
            Some(Infix {
                binding,
                tokens,
                oddity: Some(oddity),
            })
        };
        match self.kind() {
            K::PipePipe => known(Binding::Or, 1),
            K::AmpAmp => known(Binding::And, 1),
            K::EqEq | K::BangEq if self.nth(1) == K::Eq && self.glued(1) => {
                odd(Binding::Equality, 2, Oddity::Unsupported)
            }
            K::EqEq | K::BangEq | K::InKw => known(Binding::Equality, 1),
            K::NotKw if self.nth(1) == K::InKw => known(Binding::Equality, 2),
            K::Lt if self.nth(1) == K::Lt && self.glued(1) => {
                odd(Binding::Additive, 2, Oddity::Unsupported)
            }
            K::Gt if self.nth(1) == K::Gt && self.glued(1) => {
                odd(Binding::Additive, 2, Oddity::Unsupported)
            }
            K::Gt if self.nth(1) == K::Eq && self.glued(1) => known(Binding::Comparison, 2),
            K::Lt | K::LtEq | K::Gt => known(Binding::Comparison, 1),
            K::Plus | K::Minus => known(Binding::Additive, 1),
            K::Star | K::Slash | K::Percent => known(Binding::Multiplicative, 1),
            K::AndKw => odd(Binding::And, 1, Oddity::Word),
            K::OrKw => odd(Binding::Or, 1, Oddity::Word),
            K::StarStar => odd(Binding::Multiplicative, 1, Oddity::Unsupported),
            K::Amp | K::Pipe | K::Caret => odd(Binding::Additive, 1, Oddity::Unsupported),
            K::PlusPlus if !self.line_start(1) && self.operand_follows(1) => {
                odd(Binding::Additive, 1, Oddity::Unsupported)
            }
            K::DotDot => {
                let more =
                    usize::from(self.glued(1) && matches!(self.nth(1), K::Eq | K::Dot | K::Lt));
                odd(Binding::Additive, 1 + more, Oddity::Range)
            }
            K::Question
                if self.nth(1) == K::Question && self.glued(1) && self.operand_follows(2) =>
            {
                odd(Binding::Or, 2, Oddity::Unsupported)
            }
            K::Question if self.operand_follows(1) => {
                odd(Binding::Conditional, 1, Oddity::Conditional)
            }
            _ => None,
        }
    }

    /// The n-th token from here may start an operand: after `?` it makes that
    /// the `?` of `a ? b : c`.
    pub(super) fn operand_follows(&self, n: usize) -> bool {
        let next = self.nth(n);
        next.is_word()
            || next.is_literal()
            || matches!(
                next,
                K::LParen | K::LBrace | K::LBracket | K::Minus | K::Bang
            )
    }

    /// Notes an odd operator whose first token is `at`.
    #[cold]
    pub(super) fn note_odd(&mut self, oddity: Oddity, at: usize, tokens: usize) {
        match oddity {
            Oddity::Unsupported => self.odd.unsupported.push((at, at + tokens - 1)),
            Oddity::Word => self.odd.words.push(at),
            Oddity::Range => {
                self.odd.range.get_or_insert(at);
            }
            Oddity::Conditional => {}
        }
    }

    #[cold]
    pub(super) fn note_conditional(&mut self, from: usize, to: usize) {
        self.odd.conditional.get_or_insert((from, to));
    }

    /// Looks at a comparison sign at hand and the operand on its left.
    pub(super) fn note_comparison(&mut self, binding: Binding, left: Operand) {
        match left.shape {
            Shape::Compared(before) if before == binding => {
                self.odd.chain.get_or_insert((left.first_token, self.pos));
            }
            Shape::NotWord => {
                self.odd
                    .not_compared
                    .get_or_insert((left.first_token, self.pos));
            }
            _ => {}
        }
    }

    /// Reports what was odd in the expression that ends here.
    pub(super) fn report_odd(&mut self) {
        let odd = std::mem::take(&mut self.odd);
        if let Some((first, last)) = odd.unsupported.first().copied() {
            self.report_unsupported(first, last, odd.unsupported.len());
        }
        if let Some(&first) = odd.words.first() {
            self.report_words(first, &odd.words);
        }
        if let Some((first, last, params)) = odd.bars.first() {
            self.report_bars(*first, *last, params, &odd.bars);
        }
        if let Some(&(first, last)) = odd.awaits.first() {
            self.report_awaits(first, last, &odd.awaits);
        }
        if let Some(at) = odd.range {
            let place = self.at_token(at);
            self.report(
                Diagnostic::new(&codes::S0156, place, "the language has no ranges")
                    .help("count with `while`, or go over a list with `for`"),
            );
        }
        if let Some((from, to)) = odd.conditional {
            let place = self.tokens(from, to);
            self.report(
                Diagnostic::new(
                    &codes::S0155,
                    place,
                    "the language has no conditional operator `? :`",
                )
                .help("write `if condition { a } else { b }`, which is a value too"),
            );
        }
        if let Some((left, sign)) = odd.chain {
            let last = sign;
            let place = self.tokens(left, last);
            let text = self.source(left, sign.saturating_sub(1));
            let sign_text = self.token_text(sign);
            self.report(
                Diagnostic::new(&codes::S0152, place, "comparisons do not chain")
                    .label(format!("this is read as `({text}) {sign_text} …`"))
                    .help("write two comparisons and join them with `&&`"),
            );
        }
        if let Some((not, sign)) = odd.not_compared {
            let place = self.tokens(not, sign);
            let text = self.source(not, sign.saturating_sub(1));
            let sign_text = self.token_text(sign);
            self.report(
                Diagnostic::new(
                    &codes::S0153,
                    place,
                    "`not` binds more tightly than a comparison",
                )
                .label(format!("this is read as `({text}) {sign_text} …`"))
                .help("put the comparison in parentheses: `not (a == b)`"),
            );
        }
    }

    #[cold]
    fn report_unsupported(&mut self, first: usize, last: usize, count: usize) {
        let text: String = (first..=last).map(|at| self.token_text(at)).collect();
        let place = self.tokens(first, last);
        let hint = match text.as_str() {
            "**" => "write the product out: `a * a`",
            "&" => "write `&&` for a condition; there are no bit operators",
            "|" => "write `||` for a condition; there are no bit operators",
            "^" | "~" | "<<" | ">>" => "there are no bit operators",
            "===" => "write `==`",
            "!==" => "write `!=`",
            "++" if self.joins(last) => "write `+` to join texts, `a.concat(b)` to join lists",
            "++" => "write `x += 1`",
            "!" => {
                "leave it out: an Option does for what it holds, and null raises where it is used"
            }
            "--" => "write `x -= 1`",
            "?" | "?." => "a missing field is null in `x.f == null`; errors are caught with `try`",
            "??" => "write `if x != null { x } else { y }`",
            "+" => "leave the sign out",
            _ => "see the operators in the reference, section 2.3",
        };
        let more = match count {
            1 => String::new(),
            n => format!(" (and {} more in this expression)", n - 1),
        };
        let mut diagnostic = Diagnostic::new(
            &codes::S0150,
            place,
            format!("the language has no operator `{text}`{more}"),
        )
        .help(hint);
        if count == 1 && matches!(text.as_str(), "===" | "!==") {
            diagnostic = diagnostic.fix(
                format!("write `{}`", &text[..2]),
                vec![Edit {
                    at: place,
                    text: text[..2].to_owned(),
                }],
            );
        }
        self.report(diagnostic);
    }

    /// Whether `++` at this token stands between two operands.
    fn joins(&self, at: usize) -> bool {
        let Some(next) = (at + 1 < self.end).then(|| self.tok(at + 1)) else {
            return false;
        };
        let operand = next.kind.is_word() || next.kind.is_literal();
        !next.line_start() && (operand || matches!(next.kind, K::LParen | K::LBracket))
    }

    #[cold]
    fn report_bars(
        &mut self,
        first: usize,
        last: usize,
        params: &str,
        all: &[(usize, usize, String)],
    ) {
        let edits = all
            .iter()
            .map(|(first, last, params)| Edit {
                at: self.tokens(*first, *last),
                text: format!("{params} =>"),
            })
            .collect();
        let place = self.tokens(first, last);
        self.report(
            Diagnostic::new(
                &codes::S0157,
                place,
                format!("a lambda is written `{params} => …`"),
            )
            .fix(format!("write `{params} =>`"), edits),
        );
    }

    #[cold]
    fn report_awaits(&mut self, first: usize, last: usize, all: &[(usize, usize)]) {
        let mut edits = Vec::new();
        for &(first, last) in all {
            edits.extend(self.removal(first, last));
        }
        let place = self.tokens(first, last);
        self.report(
            Diagnostic::new(&codes::S0154, place, "calls are not awaited")
                .label("every call waits for its result")
                .fix("remove it", edits),
        );
    }

    #[cold]
    fn report_words(&mut self, first: usize, words: &[usize]) {
        let sign = |kind: SyntaxKind| if kind == K::AndKw { "&&" } else { "||" };
        let place = self.at_token(first);
        let word = self.token_text(first);
        let first_sign = sign(self.tok(first).kind);
        let edits = words
            .iter()
            .map(|&at| Edit {
                at: self.at_token(at),
                text: sign(self.tok(at).kind).to_owned(),
            })
            .collect();
        let title = if words.len() == 1 {
            format!("write `{first_sign}`")
        } else {
            "write `&&` and `||`".to_owned()
        };
        self.report(
            Diagnostic::new(
                &codes::S0151,
                place,
                format!("`{word}` is written `{first_sign}`"),
            )
            .fix(title, edits),
        );
    }

    /// The text from one token to another, shortened to fit a message.
    #[cold]
    fn source(&self, first: usize, last: usize) -> String {
        let last = last.max(first);
        let text = &self.text()[self.tok(first).start as usize..self.tok(last).end as usize];
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        if text.chars().count() > 30 {
            let short: String = text.chars().take(27).collect();
            format!("{short}…")
        } else {
            text
        }
    }
}

//! What operators give, and between what they make no sense (language.md
//! section 2.6).

use symbi_diagnostics::{Diagnostic, types as codes};
use symbi_syntax::ast::{AstNode, BinaryExpr, BinaryOp, Expr, PrefixExpr, PrefixOp};
use symbi_syntax::{NodeRef, SyntaxKind as K};

use super::expect::is_secret;
use super::relate::{a, array, bounded, comparable, fits, is_unknown, join, plain};
use super::scope::Checker;
use crate::findings::at_node;
use crate::ty::Ty;

/// As the operator is written.
fn sign(operator: BinaryOp) -> &'static str {
    match operator {
        BinaryOp::Or => "||",
        BinaryOp::And => "&&",
        BinaryOp::Equal => "==",
        BinaryOp::NotEqual => "!=",
        BinaryOp::In => "in",
        BinaryOp::NotIn => "not in",
        BinaryOp::Less => "<",
        BinaryOp::LessEqual => "<=",
        BinaryOp::Greater => ">",
        BinaryOp::GreaterEqual => ">=",
        BinaryOp::Add => "+",
        BinaryOp::Subtract => "-",
        BinaryOp::Multiply => "*",
        BinaryOp::Divide => "/",
        BinaryOp::Remainder => "%",
    }
}

pub(super) fn is_comparison(operator: BinaryOp) -> bool {
    matches!(
        operator,
        BinaryOp::Equal
            | BinaryOp::NotEqual
            | BinaryOp::In
            | BinaryOp::NotIn
            | BinaryOp::Less
            | BinaryOp::LessEqual
            | BinaryOp::Greater
            | BinaryOp::GreaterEqual
    )
}

/// What `+ - * / %` gives; `None` if it makes no sense. `Any` in doubt.
fn result(operator: BinaryOp, left: &Ty, right: &Ty) -> Option<Ty> {
    use BinaryOp::{Add, Divide, Multiply, Remainder, Subtract};
    let (one, two) = (plain(left), plain(right));
    if let Ty::Secret(inner) = one {
        return secret(operator, inner, two);
    }
    if let Ty::Secret(inner) = two {
        return secret(operator, one, inner);
    }
    if operator == Add && (*one == Ty::String || *two == Ty::String) {
        let other = if *one == Ty::String { two } else { one };
        return match other {
            Ty::Function(_) => None,
            _ => Some(Ty::String),
        };
    }
    if is_unknown(one) || is_unknown(two) {
        return Some(Ty::Any);
    }
    let number = |ty: &Ty| matches!(ty, Ty::Int | Ty::Float);
    Some(match (operator, one, two) {
        (Divide, one, two) if number(one) && number(two) => Ty::Float,
        (_, Ty::Int, Ty::Int) => Ty::Int,
        (_, one, two) if number(one) && number(two) => Ty::Float,
        (Add | Subtract | Remainder, Ty::Duration, Ty::Duration) => Ty::Duration,
        (Add | Subtract | Remainder, Ty::Size, Ty::Size) => Ty::Size,
        (Divide, Ty::Duration, Ty::Duration) | (Divide, Ty::Size, Ty::Size) => Ty::Float,
        (Multiply | Divide, Ty::Duration, two) if number(two) => Ty::Duration,
        (Multiply | Divide, Ty::Size, two) if number(two) => Ty::Size,
        (Multiply, one, Ty::Duration) if number(one) => Ty::Duration,
        (Multiply, one, Ty::Size) if number(one) => Ty::Size,
        (Add, Ty::Time, Ty::Duration) | (Add, Ty::Duration, Ty::Time) => Ty::Time,
        (Subtract, Ty::Time, Ty::Duration) => Ty::Time,
        (Subtract, Ty::Time, Ty::Time) => Ty::Duration,
        (Add, Ty::Array(one), Ty::Array(two)) => array(join((**one).clone(), (**two).clone())),
        // What the language leaves open.
        (Add | Subtract, Ty::Set(_), Ty::Set(_)) => Ty::Any,
        (Add, Ty::Map(..) | Ty::Record(_) | Ty::Struct(_), Ty::Map(..) | Ty::Record(_)) => Ty::Any,
        _ => return None,
    })
}

fn secret(operator: BinaryOp, one: &Ty, two: &Ty) -> Option<Ty> {
    Some(Ty::Secret(bounded(result(operator, one, two)?).into()))
}

/// Whether `<` and its like have an answer.
fn ordered(left: &Ty, right: &Ty) -> bool {
    let (one, two) = (plain(left), plain(right));
    let number = |ty: &Ty| matches!(ty, Ty::Int | Ty::Float);
    is_unknown(one)
        || is_unknown(two)
        || number(one) && number(two)
        || one == two
        || matches!((one, two), (Ty::Size, ty) | (ty, Ty::Size) if number(ty))
        || matches!((one, two), (Ty::Secret(_), _) | (_, Ty::Secret(_)))
        || matches!((one, two), (Ty::Array(_), Ty::Array(_)))
}

impl<'i> Checker<'i> {
    /// The type of a binary expression whose operands are known.
    pub(super) fn binary(&mut self, binary: BinaryExpr<'i>, left: &Ty, right: &Ty) -> Ty {
        let Some(operator) = binary.operator() else {
            return Ty::Any;
        };
        match operator {
            BinaryOp::Or | BinaryOp::And => {
                let of = format!("what stands beside `{}`", sign(operator));
                for (operand, ty) in [(binary.left(), left), (binary.right(), right)] {
                    if let Some(operand) = operand {
                        self.condition(operand.node(), ty, &of);
                    }
                }
                Ty::Bool
            }
            operator if is_comparison(operator) => {
                if !is_odd(binary) {
                    self.compare(operator, binary, left, right);
                }
                Ty::Bool
            }
            operator => self.arithmetic(operator, binary.node(), left, right),
        }
    }

    /// The type of `left op right`, for an operator that computes.
    pub(super) fn arithmetic(
        &mut self,
        operator: BinaryOp,
        node: NodeRef<'i>,
        left: &Ty,
        right: &Ty,
    ) -> Ty {
        if let Some(ty) = result(operator, left, right) {
            return ty;
        }
        self.bad_operator(node, sign(operator), left, right);
        Ty::Any
    }

    fn compare(&mut self, operator: BinaryOp, binary: BinaryExpr<'i>, left: &Ty, right: &Ty) {
        if matches!(operator, BinaryOp::In | BinaryOp::NotIn) {
            return self.membership(binary, left, right);
        }
        let node = binary.node();
        if matches!(operator, BinaryOp::Equal | BinaryOp::NotEqual) {
            if *left != Ty::Null && *right != Ty::Null {
                self.raising(node, left, right);
            }
            if !comparable(left, right) {
                let never = if operator == BinaryOp::Equal {
                    "never"
                } else {
                    "always"
                };
                let report = Diagnostic::new(
                    &codes::T0305,
                    at_node(node),
                    format!(
                        "{} and {} are {never} {}",
                        a(left),
                        a(right),
                        match operator {
                            BinaryOp::Equal => "equal",
                            _ => "different",
                        }
                    ),
                );
                self.report(report);
            }
        } else if !ordered(left, right) {
            self.bad_order(node, operator, left, right);
        }
    }

    #[cold]
    fn bad_order(&mut self, node: NodeRef<'i>, operator: BinaryOp, left: &Ty, right: &Ty) {
        let report = Diagnostic::new(
            &codes::T0305,
            at_node(node),
            format!(
                "`{}` does not compare {} with {}",
                sign(operator),
                a(left),
                a(right)
            ),
        );
        let report = match (plain(left), plain(right)) {
            (Ty::Duration, Ty::Int | Ty::Float) | (Ty::Int | Ty::Float, Ty::Duration) => {
                report.help("write the number as a duration: `3s`, `3m` or `3h`")
            }
            _ => report,
        };
        self.report(report);
    }

    /// Comparing secrets or functions raises.
    fn raising(&mut self, node: NodeRef<'i>, left: &Ty, right: &Ty) {
        let what = match (plain(left), plain(right)) {
            (one, two) if is_secret(one) || is_secret(two) => "a secret",
            (Ty::Function(_), _) | (_, Ty::Function(_)) => "a function",
            _ => return,
        };
        self.never_compared(node, what);
    }

    /// Comparing a secret raises.
    pub(super) fn secret_compared(&mut self, node: NodeRef<'i>) {
        self.never_compared(node, "a secret");
    }

    #[cold]
    fn never_compared(&mut self, node: NodeRef<'i>, what: &str) {
        let report = Diagnostic::new(
            &codes::T0323,
            at_node(node),
            format!("{what} cannot be compared: this always raises"),
        );
        self.report(report);
    }

    fn membership(&mut self, binary: BinaryExpr<'i>, left: &Ty, right: &Ty) {
        let held = match plain(right) {
            Ty::Array(element) | Ty::Set(element) => element,
            _ => right,
        };
        if is_secret(left) || is_secret(held) {
            return self.secret_compared(binary.node());
        }
        let fits_in = match plain(right) {
            Ty::Array(element) | Ty::Set(element) => comparable(left, element),
            Ty::Map(key, _) => comparable(left, key),
            Ty::String | Ty::Record(_) => fits(left, &Ty::String),
            Ty::Struct(_) | Ty::Secret(_) | Ty::Error => true,
            ty if is_unknown(ty) => true,
            _ => {
                let report = Diagnostic::new(
                    &codes::T0305,
                    at_node(binary.node()),
                    format!(
                        "`in` looks into a list, a map or a text, and not into {}",
                        a(right)
                    ),
                );
                return self.report(report);
            }
        };
        if !fits_in {
            let report = Diagnostic::new(
                &codes::T0305,
                at_node(binary.node()),
                format!("{} is never in {}", a(left), a(right)),
            );
            self.report(report);
        }
    }

    /// The type of `!x` and `-x`.
    pub(super) fn prefix(&mut self, prefix: PrefixExpr<'i>, ty: &Ty) -> Ty {
        let Some(operand) = prefix.operand() else {
            return Ty::Any;
        };
        match prefix.operator() {
            Some(PrefixOp::Not) => {
                if !is_not_before_comparison(prefix) {
                    self.condition(operand.node(), ty, "what `!` turns round");
                }
                Ty::Bool
            }
            Some(PrefixOp::Minus) => match plain(ty) {
                known @ (Ty::Int | Ty::Float | Ty::Duration | Ty::Size) => known.clone(),
                unknown if is_unknown(unknown) => Ty::Any,
                Ty::Secret(_) => ty.clone(),
                _ => {
                    let report = Diagnostic::new(
                        &codes::T0305,
                        at_node(prefix.node()),
                        format!("`-` stands before a number, and this is {}", a(ty)),
                    );
                    self.report(report);
                    Ty::Any
                }
            },
            None => Ty::Any,
        }
    }
}

/// A chain of comparisons, or a `not` before one: its reading is shown, and
/// that is all there is to say.
fn is_odd(binary: BinaryExpr<'_>) -> bool {
    match binary.left() {
        Some(Expr::Binary(left)) => left.operator().is_some_and(is_comparison),
        Some(Expr::Prefix(prefix)) => is_not_word(prefix),
        _ => false,
    }
}

fn is_not_word(prefix: PrefixExpr<'_>) -> bool {
    let node = prefix.node();
    node.item().token_kind(node.tokens().start) == K::NotKw
}

fn is_not_before_comparison(prefix: PrefixExpr<'_>) -> bool {
    is_not_word(prefix)
        && prefix
            .node()
            .parent()
            .and_then(BinaryExpr::cast)
            .is_some_and(|parent| {
                parent.operator().is_some_and(is_comparison)
                    && parent
                        .left()
                        .is_some_and(|left| left.node() == prefix.node())
            })
}

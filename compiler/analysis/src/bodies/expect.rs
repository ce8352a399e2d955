//! What is expected of a value, where that comes from, and the report when the
//! value is of another type.

use symbi_diagnostics::{Code, Diagnostic, Edit, types as codes};
use symbi_syntax::ast::{Expr, Literal, LiteralValue};
use symbi_syntax::{NodeRef, Place, SyntaxKind as K};

use super::relate::{a, comparable, fits, plain};
use super::scope::Checker;
use crate::blocks::{bare_in_body, holds};
use crate::findings::at_node;
use crate::ty::Ty;

/// What becomes of a value.
#[derive(Clone, Copy)]
pub(super) struct Use<'w> {
    /// The type it should have, and why.
    pub want: Option<(&'w Ty, Why<'w>)>,
    /// It is used: a branch that gives none is worth a word.
    pub needed: bool,
}

/// Where an expectation comes from. Names are those of the program.
#[derive(Clone, Copy)]
pub(super) enum Why<'w> {
    /// The type of a variable.
    Variable(&'w str, Place),
    /// The result of a function or agent: `function f`.
    Returned(&'w str, Place),
    /// What a function or agent fails with.
    Raised(&'w str, Place),
    /// What a lambda has to give.
    LambdaResult,
    /// A parameter, and whose.
    Argument(&'w str, &'w str),
    /// A field, and of which type.
    Field(&'w str, &'w str),
    /// The type of the parameter or field with this name.
    Default(&'w str, Place),
    /// An element of a list whose type is declared.
    Element,
    /// A value in a map whose type is declared.
    MapValue,
    /// What is looked for in a list, map or set: the parameter, and of what.
    Sought(&'w str, &'w str),
    /// What a block expects.
    Block,
}

impl<'w> Use<'w> {
    /// The value is thrown away.
    pub(super) const IGNORED: Use<'static> = Use {
        want: None,
        needed: false,
    };

    /// It may be anything.
    pub(super) const ANY: Use<'static> = Use {
        want: None,
        needed: true,
    };

    pub(super) fn of(ty: &'w Ty, why: Why<'w>) -> Self {
        Use {
            want: Some((ty, why)),
            needed: true,
        }
    }

    pub(super) fn ty(self) -> Option<&'w Ty> {
        self.want.map(|(ty, _)| ty)
    }
}

impl<'i> Checker<'i> {
    /// Reports a value that cannot be what is expected of it.
    pub(super) fn expect(&mut self, node: NodeRef<'i>, ty: &Ty, used: Use<'_>) {
        let Some((want, why)) = used.want else { return };
        self.gives(used);
        let fits = match why {
            // It is compared with what is there, and `1` is found among floats.
            Why::Sought(..) => comparable(ty, want),
            _ => fits(ty, want),
        };
        if !fits {
            self.contradiction(node, ty, want, why);
        } else if is_secret(ty) && !takes_secrets(want, why) {
            self.secret_leaves(node, want, why);
        }
    }

    /// The type of a literal that is taken for another one: a bare number where
    /// a length of time is expected counts seconds (language.md section 1), and
    /// in a block text may hold what is expected (section 2).
    pub(super) fn adapted(&mut self, literal: Literal<'i>, used: Use<'_>) -> Option<Ty> {
        let (want, why) = used.want?;
        match (literal.value()?, plain(want), why) {
            (LiteralValue::Int(seconds), Ty::Duration, _) => {
                let report = bare_in_body(Expr::Literal(literal), seconds)?;
                self.report(report);
                Some(Ty::Duration)
            }
            (LiteralValue::String(text), want, Why::Block) if holds(&text, want) => {
                Some(want.clone())
            }
            _ => None,
        }
    }

    /// Reports a lambda where something else is expected, or one of another
    /// number of parameters. What it gives was compared where it gives it.
    pub(super) fn expect_lambda(&mut self, node: NodeRef<'i>, ty: &Ty, used: Use<'_>) {
        if let (Some((want, _)), Ty::Function(given)) = (used.want, ty)
            && let Ty::Function(declared) = plain(want)
            && declared.params.len() == given.params.len()
        {
            return self.gives(used);
        }
        self.expect(node, ty, used);
    }

    /// Notes that the function gives a value somewhere.
    pub(super) fn gives(&mut self, used: Use<'_>) {
        if matches!(used.want, Some((_, Why::Returned(..))))
            && let Some(frame) = self.frame()
        {
            frame.gave = true;
        }
    }

    #[cold]
    pub(super) fn contradiction(&mut self, node: NodeRef<'i>, ty: &Ty, want: &Ty, why: Why<'_>) {
        let (code, message): (&'static Code, String) = match why {
            Why::Variable(name, _) => (
                &codes::T0301,
                format!("`{name}` is {}, and this is {}", a(want), a(ty)),
            ),
            Why::Default(name, _) => (
                &codes::T0301,
                format!("`{name}` is {}, and its default is {}", a(want), a(ty)),
            ),
            Why::Element => (
                &codes::T0301,
                format!("the list holds `{want}`, and this is {}", a(ty)),
            ),
            Why::MapValue => (
                &codes::T0301,
                format!("the map holds `{want}`, and this is {}", a(ty)),
            ),
            Why::Block => (
                &codes::T0301,
                format!("{} is expected here, and this is {}", a(want), a(ty)),
            ),
            Why::Returned(what, _) => (
                &codes::T0302,
                format!("{what} gives {}, and this is {}", a(want), a(ty)),
            ),
            Why::Raised(what, _) => (
                &codes::T0302,
                format!("{what} fails with {}, and this is {}", a(want), a(ty)),
            ),
            Why::LambdaResult => (
                &codes::T0302,
                format!(
                    "this function should give {}, and this is {}",
                    a(want),
                    a(ty)
                ),
            ),
            Why::Sought(param, callee) => (
                &codes::T0303,
                format!(
                    "`{callee}` looks for {} as `{param}`, and this is {}",
                    a(want),
                    a(ty)
                ),
            ),
            Why::Argument("self", callee) => (
                &codes::T0303,
                format!("`{callee}` works on {}, and this is {}", a(want), a(ty)),
            ),
            Why::Argument(param, callee) => (
                &codes::T0303,
                format!(
                    "`{callee}` takes {} as `{param}`, and this is {}",
                    a(want),
                    a(ty)
                ),
            ),
            Why::Field(field, of) => (
                &codes::T0304,
                format!("`{field}` of `{of}` is {}, and this is {}", a(want), a(ty)),
            ),
        };
        let mut report = Diagnostic::new(code, at_node(node), message);
        report = match why {
            Why::Variable(_, at) | Why::Default(_, at) => {
                report.note(at, "its type is written here")
            }
            Why::Returned(_, at) | Why::Raised(_, at) => {
                report.note(at, "the result is declared here")
            }
            _ => report,
        };
        if let Some(help) = conversion(ty, want) {
            report = report.help(help);
        }
        self.report(report);
    }

    #[cold]
    fn secret_leaves(&mut self, node: NodeRef<'i>, want: &Ty, why: Why<'_>) {
        let (what, place) = match why {
            Why::Variable(name, at) => (format!("`{name}`"), Some(at)),
            Why::Default(name, at) => (format!("`{name}`"), Some(at)),
            Why::Returned(what, at) => (format!("the result of {what}"), Some(at)),
            Why::Raised(what, at) => (format!("what {what} fails with"), Some(at)),
            Why::Argument("self", callee) => (format!("what `{callee}` works on"), None),
            Why::Argument(param, callee) | Why::Sought(param, callee) => {
                (format!("the parameter `{param}` of `{callee}`"), None)
            }
            Why::Field(field, of) => (format!("the field `{field}` of `{of}`"), None),
            Why::Element | Why::MapValue | Why::Block | Why::LambdaResult => return,
        };
        let mut report = Diagnostic::new(
            &codes::T0322,
            at_node(node),
            format!("this is a secret, and {what} is declared as `{want}`"),
        )
        .label("passing it on raises `secret_leak`")
        .help(format!(
            "declare it as `Secret<{want}>` if it may have the secret"
        ));
        if let Some(at) = place {
            report = report.note(at, "its type is written here");
        }
        self.report(report);
    }

    /// Reports a secret that goes to an external action.
    #[cold]
    pub(super) fn secret_to_action(&mut self, node: NodeRef<'i>, action: &str) {
        let report = Diagnostic::new(
            &codes::T0322,
            at_node(node),
            format!("this is a secret, and nothing declares that `{action}` may have it"),
        )
        .label("passing it on raises `secret_leak`")
        .help(format!(
            "declare the tool in `tools/{}.clad.toml`, and let it put the secret in itself: \
             `{{_secret:name}}`",
            action.replace("::", "_")
        ));
        self.report(report);
    }

    /// Reports a condition that is no bool.
    pub(super) fn condition(&mut self, node: NodeRef<'i>, ty: &Ty, of: &str) {
        // `if x = 1 {` is reported as what it is.
        if !fits(ty, &Ty::Bool) && node.item().token_kind(node.tokens().end) != K::Eq {
            let report = Diagnostic::new(
                &codes::T0306,
                at_node(node),
                format!("{of} has to be true or false, and this is {}", a(ty)),
            );
            self.report(match plain(ty) {
                Ty::Int | Ty::Float => report.help("compare it: `… != 0`"),
                Ty::String | Ty::Array(_) | Ty::Map(..) | Ty::Set(_) => {
                    report.help("compare its length: `….length() > 0`")
                }
                Ty::Null => report.help("write what should be true: `… == null`"),
                _ => report.help("write what should be true: `… != null`, or another comparison"),
            });
        }
    }
}

/// How a value of the one type becomes one of the other.
fn conversion(ty: &Ty, want: &Ty) -> Option<String> {
    Some(match (plain(ty), plain(want)) {
        (Ty::Null, want) => format!("declare it as `Option<{want}>` if it may be null"),
        (Ty::Float, Ty::Int) => {
            "`/` always gives a float: `div(a, b)` gives whole numbers, and `round(x)` rounds"
                .to_owned()
        }
        (Ty::Int | Ty::Float, Ty::Duration) => "write the unit: `30s`, `5m` or `1.5h`".to_owned(),
        (Ty::Int | Ty::Float, Ty::Size) => "write the unit: `512KB` or `10MB`".to_owned(),
        (ty, Ty::Array(element)) if fits(ty, element) => {
            "put it in brackets if it is the only element: `[…]`".to_owned()
        }
        _ => return None,
    })
}

/// The report with the name that is probably meant, and the edit that writes it.
/// The report marks the name that is written.
pub(super) fn did_you_mean(
    report: Diagnostic<Place>,
    near: impl std::fmt::Display,
) -> Diagnostic<Place> {
    let edit = Edit {
        at: report.primary.at,
        text: near.to_string(),
    };
    report
        .help(format!("did you mean `{near}`?"))
        .maybe_fix(format!("write `{near}`"), vec![edit])
}

pub(super) fn is_secret(ty: &Ty) -> bool {
    matches!(plain(ty), Ty::Secret(_))
}

/// A parameter of type Any is not declared secret; what the library takes as
/// Any only passes through it.
fn takes_secrets(want: &Ty, why: Why<'_>) -> bool {
    match plain(want) {
        Ty::Secret(_) | Ty::Opaque(_) | Ty::Parameter(_) => true,
        Ty::Any | Ty::Json => !matches!(why, Why::Argument(..)),
        _ => false,
    }
}

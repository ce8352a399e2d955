//! Guards: their bounds, what they name, and what of them is never decided.

use symbi_diagnostics::{Diagnostic, policies as codes};
use symbi_policy::Predicate;
use symbi_syntax::Place;
use symbi_syntax::ast::{self, Argument, AstNode, Expr, Name, PrefixOp};

use super::check::Cx;
use super::guards::{Bound, Guards, RESERVED};
use crate::findings::{at_name, at_node};
use crate::suggest::nearest;

/// Checks a guard, in which the selector binds these names.
pub(super) fn check(cx: &mut Cx<'_>, guard: Expr<'_>, bound: &[Name<'_>]) {
    let names: Vec<_> = cx.params.iter().map(|param| param.name.clone()).collect();
    let mut known = Bound::default();
    for (place, name) in bound.iter().enumerate() {
        known.bind(&name.text(), place, None);
    }
    let guards = Guards {
        bound: &known,
        params: &names,
    };
    if !guards.guard(guard).fits() {
        cx.report(
            Diagnostic::new(
                &codes::P0420,
                at_node(guard.node()),
                "this guard is larger than a guard may be: 256 parts in 24 levels",
            )
            .label("it is never decided, which denies")
            .help("put what it asks into several rules, or into a fact of `context`"),
        );
        return;
    }
    for name in &names {
        if RESERVED.contains(&&**name) && super::selectors::reads(guard.node(), name) {
            hidden_parameter(cx, guard, name);
        }
    }
    let walk = &mut Walk { cx, bound };
    walk.part(guard);
    walk.asked(guard);
}

/// What a `require` demands, if it is a guard.
pub(super) fn required(cx: &mut Cx<'_>, rule: ast::Rule<'_>) {
    let Some(value) = rule.selector() else { return };
    let is_guard = match value {
        Expr::Name(_) | Expr::Path(_) | Expr::Array(_) | Expr::Record(_) => false,
        // `approval("supervisor")` is the name of something to do.
        Expr::Call(call) => predicate_of(call).is_some(),
        Expr::Literal(_) => false,
        _ => true,
    };
    if is_guard {
        check(cx, value, &[]);
    }
}

fn predicate_of(call: ast::CallExpr<'_>) -> Option<Predicate> {
    match call.callee()? {
        Expr::Name(name) => Predicate::named(&name.name()?.text()),
        Expr::Member(member) => Predicate::named(&member.name()?.text()),
        _ => None,
    }
}

/// A root that wins over a parameter of its name.
fn hidden_parameter(cx: &mut Cx<'_>, guard: Expr<'_>, name: &str) {
    let report = Diagnostic::new(
        &codes::P0423,
        at_node(guard.node()),
        format!("`{name}` is what the host says here, and not the parameter of this name"),
    );
    cx.report(report.help("give the parameter another name to ask for it in guards"));
}

struct Walk<'w, 'p, 'b> {
    cx: &'w mut Cx<'p>,
    bound: &'b [Name<'b>],
}

impl Walk<'_, '_, '_> {
    /// What is asked as a whole has to be true or false.
    fn asked(&mut self, expr: Expr<'_>) {
        let what = match bare(expr) {
            Expr::Literal(literal) => match super::guards::literal_value(literal) {
                Some(symbi_policy::Value::Bool(_)) | None => return,
                Some(_) => "a value that is neither true nor false",
            },
            Expr::Array(_) => "a list",
            Expr::Record(_) => "a record",
            Expr::Name(name) if name.name().is_some_and(|name| name.text() == "principal") => {
                "a text"
            }
            Expr::Name(name) if name.name().is_some_and(|name| name.text() == "now") => {
                "an instant"
            }
            Expr::Prefix(prefix) => match (prefix.operator(), prefix.operand()) {
                (Some(PrefixOp::Not), Some(operand)) => return self.asked(operand),
                _ => "a number",
            },
            Expr::Binary(binary) => {
                use ast::BinaryOp::{Add, And, Divide, Multiply, Or, Remainder, Subtract};
                match binary.operator() {
                    Some(And | Or) => {
                        for side in [binary.left(), binary.right()].into_iter().flatten() {
                            self.asked(side);
                        }
                        return;
                    }
                    Some(Add | Subtract | Multiply | Divide | Remainder) => "a number",
                    _ => return,
                }
            }
            Expr::Call(call) => match predicate_of(call) {
                Some(Predicate::Length | Predicate::Weekday | Predicate::Hour) => "a number",
                Some(Predicate::Upper | Predicate::Lower | Predicate::Trim) => "a text",
                _ => return,
            },
            _ => return,
        };
        self.undecided(
            expr,
            format!("this is {what}, and a guard has to be true or false"),
        );
    }

    fn undecided(&mut self, at: Expr<'_>, message: String) {
        self.cx.report(
            Diagnostic::new(&codes::P0424, at_node(at.node()), message)
                .label("it is never decided, which denies"),
        );
    }

    /// Every part. Guards within their bounds nest at most 24 deep, brackets as
    /// deep as the parser lets them.
    fn part(&mut self, expr: Expr<'_>) {
        match expr {
            Expr::Paren(paren) => self.each(paren.inner()),
            Expr::Literal(literal) => {
                if literal.value().is_some() && super::guards::literal_value(literal).is_none() {
                    self.no_part(at_node(expr.node()), "a secret is compared with nothing");
                }
            }
            Expr::Name(name) => {
                if let Some(name) = name.name() {
                    self.root(name);
                }
            }
            Expr::Member(member) => {
                self.receipt(expr);
                self.each(member.object());
            }
            Expr::Array(array) => self.each(array.elements()),
            Expr::Record(record) => self.each(record.fields().filter_map(|field| field.value())),
            Expr::Index(index) => self.each([index.object(), index.index()].into_iter().flatten()),
            Expr::Prefix(prefix) => self.each(prefix.operand()),
            Expr::Binary(binary) => self.binary(binary),
            Expr::Call(call) => self.call(call),
            Expr::Path(path) => self.no_part(
                at_node(expr.node()),
                &format!(
                    "guards have no names such as `{}`: write text in quotes",
                    path.text()
                ),
            ),
            Expr::Lambda(_) => self.no_part(at_node(expr.node()), "guards have no lambdas"),
            Expr::Struct(_) | Expr::If(_) | Expr::Match(_) | Expr::Try(_) => self.no_part(
                at_node(expr.node()),
                "a guard is one condition: put what it has to compute into the program",
            ),
        }
    }

    fn each<'i>(&mut self, parts: impl IntoIterator<Item = Expr<'i>>) {
        for part in parts {
            self.part(part);
        }
    }

    fn binary(&mut self, binary: ast::BinaryExpr<'_>) {
        let (Some(left), Some(right)) = (binary.left(), binary.right()) else {
            return;
        };
        use ast::BinaryOp::{Equal, Greater, GreaterEqual, In, Less, LessEqual, NotEqual, NotIn};
        match binary.operator() {
            Some(Equal | NotEqual | Less | LessEqual | Greater | GreaterEqual) => {
                if let (Some(one), Some(two)) = (literal_kind(left), literal_kind(right))
                    && !alike(one, two)
                {
                    self.undecided(
                        Expr::Binary(binary),
                        format!("{one} is compared with {two}"),
                    );
                }
            }
            Some(In | NotIn) => {
                if let (Some(one), Expr::Array(array)) = (literal_kind(left), bare(right)) {
                    let other = array
                        .elements()
                        .filter_map(literal_kind)
                        .find(|two| !alike(one, two));
                    if let Some(two) = other {
                        self.undecided(
                            Expr::Binary(binary),
                            format!("{one} is compared with {two}"),
                        );
                    }
                }
            }
            _ => {}
        }
        self.part(left);
        self.part(right);
    }

    fn call(&mut self, call: ast::CallExpr<'_>) {
        let name = match call.callee() {
            Some(Expr::Name(name)) => name.name(),
            Some(Expr::Member(member)) => {
                self.each(member.object());
                member.name()
            }
            _ => None,
        };
        let known = name.and_then(|name| Predicate::named(&name.text()));
        if known.is_none() {
            let at = name.map_or_else(|| at_node(call.node()), at_name);
            let text = name
                .map(|name| name.text().into_owned())
                .unwrap_or_default();
            let report = Diagnostic::new(
                &codes::P0422,
                at,
                match text.is_empty() {
                    true => "guards call predicates of the library only".to_owned(),
                    false => format!("guards have no function `{text}`"),
                },
            )
            .label("it is never decided, which denies");
            let names = Predicate::NAMES.iter().map(|(name, _)| *name);
            self.cx.report(match nearest(&text, names) {
                Some(near) => report.help(format!("did you mean `{near}`?")).fix(
                    format!("write `{near}`"),
                    vec![symbi_diagnostics::Edit {
                        at,
                        text: near.to_owned(),
                    }],
                ),
                None => report.help(
                    "they have `starts_with`, `ends_with`, `contains`, `length`, `is_empty`, \
                     `upper`, `lower`, `trim`, `hour` and `weekday`",
                ),
            });
        }
        for argument in call.arguments() {
            match argument {
                Argument::Positional(value) => self.part(value),
                Argument::Named(named) => {
                    self.no_part(at_node(named.node()), "arguments in a guard have no names")
                }
            }
        }
    }

    /// What guards cannot hold.
    fn no_part(&mut self, at: Place, message: &str) {
        self.cx.report(
            Diagnostic::new(&codes::P0422, at, message.to_owned())
                .label("it is never decided, which denies"),
        );
    }

    fn root(&mut self, name: Name<'_>) {
        let text = name.text();
        let known = RESERVED.contains(&&*text)
            || self.bound.iter().any(|bound| bound.text() == text)
            || self.cx.params.iter().any(|param| *param.name == *text);
        if known {
            return;
        }
        let mut names: Vec<String> = RESERVED.iter().map(|name| (*name).to_owned()).collect();
        names.extend(self.bound.iter().map(|name| name.text().into_owned()));
        names.extend(self.cx.params.iter().map(|param| param.name.to_string()));
        let report = Diagnostic::new(
            &codes::P0421,
            at_name(name),
            format!("nothing gives `{text}` a value here"),
        )
        .label("it is never decided, which denies");
        let near = nearest(&text, names.iter().map(String::as_str));
        self.cx.report(match near {
            Some(near) => report.help(format!("did you mean `{near}`?")).fix(
                format!("write `{near}`"),
                vec![symbi_diagnostics::Edit {
                    at: at_name(name),
                    text: near.to_owned(),
                }],
            ),
            None => report.help(
                "a guard sees the names that its selector binds, the agent's parameters, \
                 `principal`, `invocation`, `context` and `now`",
            ),
        });
    }

    /// `context.has_human_approval`: the host keeps receipts to itself.
    fn receipt(&mut self, expr: Expr<'_>) {
        let Expr::Member(member) = expr else { return };
        let Some(Expr::Name(root)) = member.object() else {
            return;
        };
        let (Some(root), Some(field)) = (root.name(), member.name()) else {
            return;
        };
        if root.text() == "context"
            && ["has_human_approval", "approved_fingerprint"].contains(&&*field.text())
        {
            self.cx.report(
                Diagnostic::new(
                    &codes::P0426,
                    at_node(expr.node()),
                    format!("`{}` is not among the facts of `context`", field.text()),
                )
                .label("it is never decided, which denies")
                .help("write `require: human_approval`"),
            );
        }
    }
}

/// An expression without the brackets around it.
fn bare(expr: Expr<'_>) -> Expr<'_> {
    let mut expr = expr;
    while let Expr::Paren(paren) = expr
        && let Some(inner) = paren.inner()
    {
        expr = inner;
    }
    expr
}

/// What a literal or a root of a known type is; `None` for what is not known.
fn literal_kind(expr: Expr<'_>) -> Option<&'static str> {
    use symbi_policy::Value;
    match bare(expr) {
        Expr::Literal(literal) => Some(match super::guards::literal_value(literal)? {
            Value::Null => return None,
            Value::Bool(_) => "a yes or no",
            Value::Int(_) => "a whole number",
            Value::Float(_) => "a number",
            Value::String(_) => "a text",
            Value::Duration(_) => "a length of time",
            Value::Size(_) => "an amount of memory",
            Value::Time(_) => "an instant",
            Value::Array(_) => "a list",
            Value::Record(_) => "a record",
        }),
        Expr::Prefix(prefix) if prefix.operator() == Some(PrefixOp::Minus) => {
            literal_kind(prefix.operand()?)
        }
        Expr::Array(_) => Some("a list"),
        Expr::Record(_) => Some("a record"),
        Expr::Name(name) => match &*name.name()?.text() {
            "principal" => Some("a text"),
            "now" => Some("an instant"),
            _ => None,
        },
        Expr::Call(call) => Some(match predicate_of(call)? {
            Predicate::Length | Predicate::Weekday | Predicate::Hour => "a whole number",
            Predicate::Upper | Predicate::Lower | Predicate::Trim => "a text",
            _ => "a yes or no",
        }),
        _ => None,
    }
}

/// Whether two kinds are compared.
fn alike(one: &str, two: &str) -> bool {
    let pair = |a: &str, b: &str| (one == a && two == b) || (one == b && two == a);
    one == two
        || pair("a whole number", "a number")
        || pair("a whole number", "an amount of memory")
}

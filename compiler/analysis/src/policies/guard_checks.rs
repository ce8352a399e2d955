//! Guards: their bounds, what they name, and what of them is never decided.

use symbi_diagnostics::{Diagnostic, Edit, policies as codes};
use symbi_policy::{Guard, Predicate};
use symbi_syntax::Place;
use symbi_syntax::ast::{
    self, Argument, AstNode, BinaryOp, Expr, LiteralValue, MemberExpr, Name, PrefixOp,
};

use super::check::Cx;
use super::guards::{Bound, Guards, RESERVED};
use super::kinds::{Known, Sort, bare, computed, predicate_of, reserved};
use super::matters::Ruled;
use super::outcomes::{Outcomes, outcomes};
use super::selectors::{BoundName, Gives};
use crate::findings::{at_name, at_node};
use crate::suggest::nearest;
use crate::ty::Ty;

/// What a guard is asked for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Asked {
    /// An allow, a deny or a demand applies only if it holds.
    Applies(ast::Verb),
    /// It is what a `require` demands.
    Demanded,
}

/// Checks a guard, in which the selector binds these names.
pub(super) fn check(cx: &mut Cx<'_>, guard: Expr<'_>, bound: &[BoundName<'_>], asked: Asked) {
    let lowered = lowered(cx, guard, bound);
    let outcomes = || outcomes(lowered.expr());
    checked(cx, guard, bound, asked, lowered.fits(), outcomes);
}

/// Checks the guard of an allow or a deny, which was lowered to these.
pub(super) fn of_rule(
    cx: &mut Cx<'_>,
    guard: Expr<'_>,
    bound: &[BoundName<'_>],
    verb: ast::Verb,
    ruled: &[Ruled<'_>],
) {
    let asked = Asked::Applies(verb);
    // Each selector of a list binds its own names; here all of them count, and
    // those of no argument do not.
    let known = bound.is_empty()
        || (ruled.len() == 1 && bound.iter().all(|one| one.gives != Gives::Nothing));
    match ruled.first() {
        Some(Ruled {
            rule,
            outcomes: Some(outcomes),
            ..
        }) if known => {
            let fits = rule.guard.as_ref().is_some_and(Guard::fits);
            debug_assert_eq!(rule.guard, Some(lowered(cx, guard, bound)));
            checked(cx, guard, bound, asked, fits, || outcomes.clone());
        }
        _ => check(cx, guard, bound, asked),
    }
}

/// Checks a guard that was lowered.
fn checked(
    cx: &mut Cx<'_>,
    guard: Expr<'_>,
    bound: &[BoundName<'_>],
    asked: Asked,
    fits: bool,
    outcomes: impl FnOnce() -> Outcomes,
) {
    if !fits {
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
    let walk = &mut Walk {
        cx,
        bound,
        undecided: false,
    };
    walk.part(guard);
    walk.asked(guard);
    let told = walk.undecided;
    always_the_same(cx, guard, outcomes(), told, asked);
}

/// A guard as data.
pub(super) fn lowered(cx: &Cx<'_>, guard: Expr<'_>, bound: &[BoundName<'_>]) -> Guard {
    let mut known = Bound::default();
    for one in bound {
        match one.gives {
            Gives::Argument(place) => known.bind(&one.name.text(), place, None),
            Gives::Record(shape) => known.bind(&one.name.text(), 0, Some(shape)),
            Gives::Nothing => {}
        }
    }
    let guards = Guards {
        bound: &known,
        is_param: &|name| cx.params.has(name),
    };
    guards.guard(guard)
}

/// What a `require` demands, if it is a guard.
pub(super) fn required(cx: &mut Cx<'_>, rule: ast::Rule<'_>) {
    let Some(value) = rule.selector() else { return };
    let is_guard = match bare(value) {
        Expr::Name(_) | Expr::Path(_) | Expr::Array(_) | Expr::Record(_) => false,
        // `approval("supervisor")` is the name of something to do.
        Expr::Call(call) => predicate_of(call).is_some(),
        Expr::Literal(literal) => !matches!(literal.value(), Some(LiteralValue::String(_))),
        _ => true,
    };
    if is_guard {
        check(cx, value, &[], Asked::Demanded);
    }
}

/// A guard that comes to the same whatever happens.
fn always_the_same(cx: &mut Cx<'_>, guard: Expr<'_>, outcomes: Outcomes, told: bool, asked: Asked) {
    use ast::Verb::{Allow, Audit, Deny, Require};
    let at = at_node(guard.node());
    if outcomes.is_undecided() {
        if !told {
            cx.report(
                Diagnostic::new(&codes::P0424, at, "this guard cannot be decided")
                    .label("it is never decided, which denies"),
            );
        }
        return;
    }
    let (message, help) = if outcomes.is_true() {
        match asked {
            Asked::Applies(_) => (
                "this guard is always true",
                "leave out the `if` and what follows it",
            ),
            Asked::Demanded => ("this demands nothing: it is always true", "leave it out"),
        }
    } else if outcomes.is_never_true() {
        let never = "leave the rule out, or write what was meant";
        match asked {
            Asked::Applies(Allow) => (
                "this guard is never true, so the rule allows nothing",
                never,
            ),
            Asked::Applies(Deny) => (
                "this guard is never true, so the rule denies nothing",
                never,
            ),
            Asked::Applies(Require) => ("this guard is never true, so nothing is demanded", never),
            Asked::Applies(Audit) => ("this guard is never true, so nothing is recorded", never),
            Asked::Demanded => (
                "this never holds, so every effect is denied",
                "write `deny: true` if that is what was meant",
            ),
        }
    } else {
        return;
    };
    let report = Diagnostic::new(&codes::P0427, at, message);
    let report = match outcomes.witness() {
        Some(witness) => report.label(witness),
        None => report,
    };
    cx.report(report.help(help));
}

struct Walk<'w, 'p, 'b> {
    cx: &'w mut Cx<'p>,
    bound: &'b [BoundName<'b>],
    /// Something was reported that is never decided.
    undecided: bool,
}

impl Walk<'_, '_, '_> {
    fn known<T>(&self, ask: impl FnOnce(&Known<'_>) -> T) -> T {
        let name = |text: &str| -> Option<Ty> {
            if RESERVED.contains(&text) {
                return reserved(text);
            }
            let mut bound = self.bound.iter().filter(|one| one.name.text() == text);
            if let Some(first) = bound.next() {
                let ty = first.ty.clone();
                return ty.filter(|ty| bound.all(|one| one.ty.as_ref() == Some(ty)));
            }
            self.cx.params.ty(self.cx.program, text)
        };
        ask(&Known {
            program: self.cx.program,
            name: &name,
        })
    }

    fn sort(&self, expr: Expr<'_>) -> Option<Sort> {
        self.known(|known| known.sort(expr))
    }

    /// What is asked as a whole has to be true or false.
    fn asked(&mut self, expr: Expr<'_>) {
        match bare(expr) {
            Expr::Prefix(prefix) if prefix.operator() == Some(PrefixOp::Not) => {
                if let Some(operand) = prefix.operand() {
                    self.asked(operand);
                }
            }
            Expr::Binary(binary)
                if matches!(binary.operator(), Some(BinaryOp::And | BinaryOp::Or)) =>
            {
                for side in [binary.left(), binary.right()].into_iter().flatten() {
                    self.asked(side);
                }
            }
            _ => {
                let sort = self.sort(expr);
                if let Some(sort) = sort.filter(|sort| *sort != Sort::Bool) {
                    self.undecided(
                        expr,
                        format!(
                            "this is {}, and a guard has to be true or false",
                            sort.name()
                        ),
                    );
                }
            }
        }
    }

    fn undecided(&mut self, at: Expr<'_>, message: String) {
        self.undecided = true;
        self.cx.report(
            Diagnostic::new(&codes::P0424, at_node(at.node()), message)
                .label("it is never decided, which denies"),
        );
    }

    /// Every part. Guards within their bounds nest at most 24 deep, brackets as
    /// deep as the parser lets them, and fields are walked in a loop.
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
            Expr::Member(member) => self.member(member, false),
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

    /// `a.b.c`. Whether it is compared with null, which a missing field may be.
    fn member(&mut self, member: MemberExpr<'_>, with_null: bool) {
        let whole = Expr::Member(member);
        let mut first = member;
        while let Some(Expr::Member(inner)) = first.object() {
            first = inner;
        }
        if let Some(object) = first.object() {
            self.part(object);
            self.receipt(first, object);
        }
        if with_null {
            return;
        }
        if let Err(missing) = self.known(|known| known.path(whole)) {
            self.undecided(
                whole,
                format!("a {} has no field `{}`", missing.ty, missing.field),
            );
        }
    }

    fn binary(&mut self, binary: ast::BinaryExpr<'_>) {
        let (Some(left), Some(right), Some(op)) =
            (binary.left(), binary.right(), binary.operator())
        else {
            return;
        };
        use BinaryOp::{
            Add, Divide, Equal, Greater, GreaterEqual, In, Less, LessEqual, Multiply, NotEqual,
            NotIn, Remainder, Subtract,
        };
        let is_null = |expr| matches!(bare(expr), Expr::Literal(literal) if literal.value() == Some(LiteralValue::Null));
        let with_null = matches!(op, Equal | NotEqual) && (is_null(left) || is_null(right));
        for side in [left, right] {
            match side {
                Expr::Member(member) => self.member(member, with_null),
                side => self.part(side),
            }
        }
        let compared =
            |one: Sort, two: Sort| format!("{} is compared with {}", one.name(), two.name());
        // What reads otherwise than it looks is told as such, and not twice.
        let sorts = match told_already(left) || told_already(right) {
            true => (None, None),
            false => (self.sort(left), self.sort(right)),
        };
        let wrong = match (op, sorts) {
            (Equal | NotEqual, (Some(one), Some(two))) if !one.compares_with(two) => {
                Some(compared(one, two))
            }
            (Less | LessEqual | Greater | GreaterEqual, (Some(one), Some(two)))
                if !one.orders_with(two) =>
            {
                Some(match one.compares_with(two) {
                    true => format!("{} is neither less nor more than another", one.name()),
                    false => compared(one, two),
                })
            }
            // `null` is neither less nor more, and nothing contains it.
            (Less | LessEqual | Greater | GreaterEqual, _) if is_null(left) || is_null(right) => {
                Some("`null` is neither less nor more than anything".to_owned())
            }
            (In | NotIn, (Some(one), _)) if let Expr::Array(array) = bare(right) => {
                let others = array.elements().filter_map(|element| self.sort(element));
                let other = others.into_iter().find(|two| !one.compares_with(*two));
                other.map(|two| compared(one, two))
            }
            (In | NotIn, (one, Some(two))) => match (one, two) {
                (Some(Sort::Text) | None, Sort::Text | Sort::Record) | (_, Sort::List) => None,
                (Some(one), Sort::Text | Sort::Record) => {
                    Some(format!("{} is looked for in {}", one.name(), two.name()))
                }
                (_, two) => Some(format!("nothing is contained in {}", two.name())),
            },
            (Add | Subtract | Multiply | Divide | Remainder, (Some(one), Some(two))) => {
                let found = computed(op, Some((one, two)));
                let wrong = found.err();
                wrong.map(|(one, two)| {
                    format!("{} and {} are not computed with", one.name(), two.name())
                })
            }
            _ => None,
        };
        if let Some(message) = wrong {
            self.undecided(Expr::Binary(binary), message);
        }
    }

    fn call(&mut self, call: ast::CallExpr<'_>) {
        let (name, receiver) = match call.callee() {
            Some(Expr::Name(name)) => (name.name(), None),
            Some(Expr::Member(member)) => {
                self.each(member.object());
                (member.name(), member.object())
            }
            _ => (None, None),
        };
        let known = name.and_then(|name| Predicate::named(&name.text()));
        match (known, name) {
            (Some(predicate), Some(name)) => {
                let mut given: Vec<Expr<'_>> = receiver.into_iter().collect();
                given.extend(call.arguments().filter_map(|argument| match argument {
                    Argument::Positional(value) => Some(value),
                    Argument::Named(_) => None,
                }));
                let sorts: Vec<Option<Sort>> =
                    given.iter().map(|value| self.sort(*value)).collect();
                if let Some(message) = misused(predicate, &name.text(), &sorts) {
                    self.undecided(Expr::Call(call), message);
                }
            }
            _ => self.unknown_function(call, name),
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

    fn unknown_function(&mut self, call: ast::CallExpr<'_>, name: Option<Name<'_>>) {
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
        self.undecided = true;
        self.cx.report(match nearest(&text, names) {
            Some(near) => report.help(format!("did you mean `{near}`?")).maybe_fix(
                format!("write `{near}`"),
                vec![Edit {
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

    /// What guards cannot hold.
    fn no_part(&mut self, at: Place, message: &str) {
        self.undecided = true;
        self.cx.report(
            Diagnostic::new(&codes::P0422, at, message.to_owned())
                .label("it is never decided, which denies"),
        );
    }

    fn root(&mut self, name: Name<'_>) {
        let text = name.text();
        if RESERVED.contains(&&*text) {
            if self.cx.params.has(&text) {
                let message = format!(
                    "`{text}` is what the host says here, and not the parameter of this name"
                );
                let report = Diagnostic::new(&codes::P0423, at_name(name), message);
                let help = "give the parameter another name to ask for it in guards";
                self.cx.report(report.help(help));
            }
            return;
        }
        let bound = self.bound.iter().find(|one| one.name.text() == text);
        let nothing = bound.is_some_and(|one| one.gives == Gives::Nothing);
        if !nothing && (bound.is_some() || self.cx.params.has(&text)) {
            return;
        }
        let report = Diagnostic::new(
            &codes::P0421,
            at_name(name),
            format!("nothing gives `{text}` a value here"),
        )
        .label("it is never decided, which denies");
        self.undecided = true;
        let mut names: Vec<String> = Vec::new();
        if self.cx.may_search() {
            names.extend(RESERVED.iter().map(|name| (*name).to_owned()));
            names.extend(self.bound.iter().map(|one| one.name.text().into_owned()));
            names.extend(self.cx.params.names().iter().map(|name| name.to_string()));
        }
        let near = nearest(&text, names.iter().map(String::as_str));
        self.cx.report(match near {
            Some(near) => report.help(format!("did you mean `{near}`?")).maybe_fix(
                format!("write `{near}`"),
                vec![Edit {
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
    fn receipt(&mut self, member: MemberExpr<'_>, object: Expr<'_>) {
        let Expr::Name(root) = object else { return };
        let (Some(root), Some(field)) = (root.name(), member.name()) else {
            return;
        };
        if root.text() == "context"
            && ["has_human_approval", "approved_fingerprint"].contains(&&*field.text())
        {
            self.undecided = true;
            self.cx.report(
                Diagnostic::new(
                    &codes::P0426,
                    at_node(member.node()),
                    format!("`{}` is not among the facts of `context`", field.text()),
                )
                .label("it is never decided, which denies")
                .help("write `require: human_approval`"),
            );
        }
    }
}

/// A `not` before a comparison, or a chain of comparisons.
fn told_already(side: Expr<'_>) -> bool {
    use BinaryOp::{Equal, Greater, GreaterEqual, In, Less, LessEqual, NotEqual, NotIn};
    match side {
        Expr::Prefix(prefix) => prefix.operator() == Some(PrefixOp::Not),
        Expr::Binary(binary) => matches!(
            binary.operator(),
            Some(Equal | NotEqual | Less | LessEqual | Greater | GreaterEqual | In | NotIn)
        ),
        _ => false,
    }
}

/// What is wrong with the values that a predicate is given, as far as they are
/// known.
fn misused(predicate: Predicate, name: &str, given: &[Option<Sort>]) -> Option<String> {
    use Predicate::{
        Contains, EndsWith, Hour, IsEmpty, Length, Lower, StartsWith, Trim, Upper, Weekday,
    };
    let (least, most) = match predicate {
        StartsWith | EndsWith | Contains => (2, 2),
        Weekday | Hour => (1, 2),
        Length | IsEmpty | Upper | Lower | Trim => (1, 1),
    };
    if !(least..=most).contains(&given.len()) {
        let values = match (least, most) {
            (1, 1) => "one value",
            (2, 2) => "two values",
            _ => "an instant and perhaps a time zone",
        };
        return Some(format!(
            "`{name}` takes {values}, and is given {}",
            given.len()
        ));
    }
    let (first, second) = (
        given.first().copied().flatten(),
        given.get(1).copied().flatten(),
    );
    let text = |sort: Option<Sort>| sort.is_none_or(|sort| sort == Sort::Text);
    let fits = match predicate {
        StartsWith | EndsWith => text(first) && text(second),
        Upper | Lower | Trim => text(first),
        Weekday | Hour => first.is_none_or(|sort| sort == Sort::Time) && text(second),
        Length | IsEmpty => {
            first.is_none_or(|sort| matches!(sort, Sort::Text | Sort::List | Sort::Record))
        }
        Contains => match first {
            Some(Sort::Text | Sort::Record) => text(second),
            Some(Sort::List) | None => true,
            Some(_) => false,
        },
    };
    if fits {
        return None;
    }
    let given: Vec<&str> = given
        .iter()
        .map(|sort| sort.map_or("something", Sort::name))
        .collect();
    Some(format!("`{name}` is not for {}", given.join(" and ")))
}

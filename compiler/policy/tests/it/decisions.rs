//! Guards by a table of values, and their bounds.

use symbi_policy::{
    Effect, Expr, Guard, Kind, MAX_DEPTH, MAX_NODES, MAX_OPERAND, Op, Predicate, Record, Root,
    Value,
};

use crate::facts;

/// Whether a guard holds where `context` is `{ text: "ab", n: 3, null: null }`.
fn holds(expr: Expr) -> Option<bool> {
    let none = Record::default();
    let context: Record = [
        ("text", Value::from("ab")),
        ("n", Value::Int(3)),
        ("null", Value::Null),
        ("large", Value::from(&*"k".repeat(MAX_OPERAND + 1))),
    ]
    .into_iter()
    .collect();
    let context = Value::Record(context);
    let effect = Effect::new("fetch", Kind::Tool, &none);
    Guard::new(expr)
        .holds(&effect, &facts(&context, &none))
        .ok()
}

fn of(value: impl Into<Lit>) -> Box<Expr> {
    Box::new(Expr::Literal(value.into().0))
}

/// A literal of a test.
struct Lit(Value);

impl From<i64> for Lit {
    fn from(value: i64) -> Self {
        Lit(Value::Int(value))
    }
}

impl From<f64> for Lit {
    fn from(value: f64) -> Self {
        Lit(Value::Float(value))
    }
}

impl From<bool> for Lit {
    fn from(value: bool) -> Self {
        Lit(Value::Bool(value))
    }
}

impl From<&str> for Lit {
    fn from(value: &str) -> Self {
        Lit(Value::from(value))
    }
}

impl From<Value> for Lit {
    fn from(value: Value) -> Self {
        Lit(value)
    }
}

fn context(field: &str) -> Box<Expr> {
    Box::new(Expr::Path(Root::Context, Box::new([field.into()])))
}

fn now() -> Expr {
    Expr::Path(Root::Now, Box::default())
}

fn two(one: Box<Expr>, op: Op, two: Box<Expr>) -> Option<bool> {
    holds(Expr::Binary(op, one, two))
}

#[test]
fn comparisons_are_told_or_not() {
    let (size, duration) = (Value::Size(1024), Value::Duration(10));
    let table = [
        (two(context("n"), Op::Equal, of(3)), Some(true)),
        (two(context("n"), Op::Equal, of(3.0)), Some(true)),
        (two(context("n"), Op::Less, of(2.5)), Some(false)),
        (two(context("n"), Op::Equal, of("3")), None),
        (two(context("missing"), Op::Equal, of(3)), None),
        (
            two(context("missing"), Op::Equal, of(Value::Null)),
            Some(true),
        ),
        (
            two(context("null"), Op::Unequal, of(Value::Null)),
            Some(false),
        ),
        (two(context("null"), Op::Equal, context("null")), None),
        (two(of(size.clone()), Op::AtMost, of(1024)), Some(true)),
        (two(of(size), Op::Equal, of(1024.0)), None),
        (two(of(duration), Op::Greater, of(1)), None),
        (two(of(f64::NAN), Op::Equal, of(f64::NAN)), Some(false)),
        (two(of(f64::NAN), Op::AtLeast, of(1.0)), Some(false)),
        (two(of("a"), Op::Less, of("b")), Some(true)),
        (two(of(false), Op::Less, of(true)), None),
        (two(of("a"), Op::In, context("text")), Some(true)),
        (
            two(
                of("n"),
                Op::In,
                Box::new(Expr::Path(Root::Context, Box::default())),
            ),
            None,
        ),
        (two(context("large"), Op::Unequal, of("k")), None),
        (two(of(true), Op::Or, Box::new(Expr::Unknown)), Some(true)),
        (two(Box::new(Expr::Unknown), Op::Or, of(true)), None),
        (
            two(of(false), Op::And, Box::new(Expr::Unknown)),
            Some(false),
        ),
        (holds(*context("n")), None),
        (holds(Expr::Not(context("missing"))), None),
        (holds(Expr::Unknown), None),
    ];
    for (at, (found, expected)) in table.into_iter().enumerate() {
        assert_eq!(found, expected, "row {at}");
    }
}

#[test]
fn arithmetic_gives_what_a_program_would_or_nothing() {
    let of_two = |op, a: Lit, b: Lit, expected: Lit| {
        let found = Expr::Binary(op, of(a.0), of(b.0));
        two(Box::new(found), Op::Equal, of(expected.0))
    };
    let table = [
        (of_two(Op::Add, 1.into(), 2.into(), 3.into()), Some(true)),
        (
            of_two(Op::Divide, 7.into(), 2.into(), 3.5.into()),
            Some(true),
        ),
        (
            of_two(Op::Remainder, (-7).into(), 2.into(), (-1).into()),
            Some(true),
        ),
        (of_two(Op::Divide, 1.into(), 0.into(), 1.into()), None),
        (of_two(Op::Remainder, 1.into(), 0.into(), 1.into()), None),
        (of_two(Op::Add, i64::MAX.into(), 1.into(), 0.into()), None),
        (
            of_two(Op::Multiply, i64::MIN.into(), (-1).into(), 0.into()),
            None,
        ),
        (
            of_two(Op::Add, "a".into(), "b".into(), "ab".into()),
            Some(true),
        ),
        (
            of_two(Op::Subtract, "a".into(), "b".into(), "".into()),
            None,
        ),
        (
            of_two(
                Op::Multiply,
                Value::Duration(10).into(),
                1.5.into(),
                Value::Duration(15).into(),
            ),
            Some(true),
        ),
    ];
    for (at, (found, expected)) in table.into_iter().enumerate() {
        assert_eq!(found, expected, "row {at}");
    }
    let least = Expr::Minus(of(i64::MIN));
    assert_eq!(two(Box::new(least), Op::Equal, of(0)), None);
}

#[test]
fn predicates_give_what_the_functions_of_their_names_do() {
    let call = |predicate, arguments: Vec<Expr>, expected: Lit| {
        let call = Expr::Call(predicate, arguments);
        two(Box::new(call), Op::Equal, of(expected.0))
    };
    let text = |text: &str| *of(text);
    let table = [
        (
            call(
                Predicate::StartsWith,
                vec![text("abc"), text("ab")],
                true.into(),
            ),
            Some(true),
        ),
        (
            call(
                Predicate::EndsWith,
                vec![text("abc"), text("ab")],
                false.into(),
            ),
            Some(true),
        ),
        (
            call(Predicate::Length, vec![text("äö")], 2.into()),
            Some(true),
        ),
        (
            call(Predicate::IsEmpty, vec![text("")], true.into()),
            Some(true),
        ),
        (
            call(Predicate::Upper, vec![text("aß")], "ASS".into()),
            Some(true),
        ),
        (
            call(Predicate::Trim, vec![text(" a ")], "a".into()),
            Some(true),
        ),
        (call(Predicate::Hour, vec![now()], 0.into()), Some(true)),
        (
            call(Predicate::Hour, vec![now(), text("Asia/Tokyo")], 9.into()),
            Some(true),
        ),
        (call(Predicate::Weekday, vec![now()], 4.into()), Some(true)),
        (
            call(
                Predicate::Weekday,
                vec![now(), text("America/New_York")],
                3.into(),
            ),
            Some(true),
        ),
        (
            call(Predicate::Hour, vec![now(), text("Nowhere/City")], 0.into()),
            None,
        ),
        (call(Predicate::Hour, vec![text("noon")], 0.into()), None),
        (call(Predicate::Length, vec![*of(3)], 1.into()), None),
        (call(Predicate::Length, vec![], 1.into()), None),
    ];
    for (at, (found, expected)) in table.into_iter().enumerate() {
        assert_eq!(found, expected, "row {at}");
    }
}

#[test]
fn guards_beyond_their_bounds_are_never_decided() {
    let deep = |levels: usize| {
        let mut expr = *of(true);
        for _ in 1..levels {
            expr = Expr::Not(Box::new(expr));
        }
        holds(expr)
    };
    assert_eq!(deep(MAX_DEPTH), Some(false));
    assert_eq!(deep(MAX_DEPTH + 1), None);
    // A chain is one level: so many operands and the signs between them.
    let chain = |operands: usize| {
        let mut expr = *of(true);
        for _ in 1..operands {
            expr = Expr::Binary(Op::And, Box::new(expr), of(true));
        }
        holds(expr)
    };
    assert_eq!(chain(MAX_NODES / 2), Some(true));
    assert_eq!(chain(MAX_NODES / 2 + 1), None);
}

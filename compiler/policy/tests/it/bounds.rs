//! What is too large or too deep for an operand, wherever one is looked at, and
//! for a guard.

use symbi_policy::{
    Effect, Expr, Guard, Kind, MAX_DEPTH, MAX_LEVELS, MAX_NODES, MAX_OPERAND, Op, Predicate,
    Record, Root, Shape, Value,
};

use crate::facts;

/// So many levels of lists.
fn nested(levels: usize) -> Value {
    (0..levels).fold(Value::Null, |value, _| Value::Array(vec![value]))
}

fn large(bytes: usize) -> Value {
    Value::from(&*"k".repeat(bytes))
}

fn context() -> Value {
    let fields = [
        ("text", Value::from("äb")),
        ("n", Value::Int(3)),
        ("null", Value::Null),
        ("list", Value::Array(vec![Value::Int(1), Value::Int(2)])),
        ("most", large(MAX_OPERAND)),
        ("half", large(MAX_OPERAND / 2)),
        ("large", large(MAX_OPERAND + 1)),
        ("numbers", Value::Array(vec![Value::Int(1); MAX_OPERAND])),
        ("deepest", nested(MAX_LEVELS)),
        ("deep", nested(MAX_LEVELS + 1)),
        ("bottomless", nested(100_000)),
    ];
    Value::Record(fields.into_iter().collect())
}

fn holds(expr: Expr) -> Option<bool> {
    let arguments: Record = [("x", Value::Int(1)), ("large", large(MAX_OPERAND))]
        .into_iter()
        .collect();
    let (context, none) = (context(), Record::default());
    let effect = Effect::new("fetch", Kind::Tool, &arguments);
    Guard::new(expr)
        .holds(&effect, &facts(&context, &none))
        .ok()
}

fn path(root: Root, fields: &[&str]) -> Box<Expr> {
    let fields: Vec<_> = fields.iter().map(|field| (*field).into()).collect();
    Box::new(Expr::Path(root, fields.into()))
}

fn of(field: &str) -> Box<Expr> {
    path(Root::Context, &[field])
}

fn literal(value: impl Into<Value>) -> Box<Expr> {
    Box::new(Expr::Literal(value.into()))
}

fn int(value: i64) -> Box<Expr> {
    literal(Value::Int(value))
}

fn two(one: Box<Expr>, op: Op, two: Box<Expr>) -> Option<bool> {
    holds(Expr::Binary(op, one, two))
}

#[test]
fn what_nests_too_deep_is_told_of_as_little_as_what_is_too_large() {
    let table = [
        // A `null` in it cannot be compared: the depth does not decide here.
        (two(of("deepest"), Op::Equal, int(1)), None),
        (
            two(of("deepest"), Op::In, literal(Value::Array(Vec::new()))),
            Some(false),
        ),
        (
            two(of("deep"), Op::In, literal(Value::Array(Vec::new()))),
            None,
        ),
        (two(of("bottomless"), Op::Equal, of("bottomless")), None),
        (two(of("bottomless"), Op::In, of("list")), None),
        (two(int(1), Op::In, of("bottomless")), None),
        (
            two(
                int(1),
                Op::In,
                Box::new(Expr::List(vec![*of("bottomless")])),
            ),
            None,
        ),
        (
            holds(Expr::Call(
                Predicate::Contains,
                vec![*of("bottomless"), *int(1)],
            )),
            None,
        ),
        (
            two(of("bottomless"), Op::Unequal, literal(Value::Null)),
            Some(true),
        ),
        (holds(*of("bottomless")), None),
    ];
    for (at, (found, expected)) in table.into_iter().enumerate() {
        assert_eq!(found, expected, "row {at}");
    }
}

#[test]
fn an_operand_is_bounded_wherever_it_stands() {
    let list = |parts: &[&str]| {
        let parts = parts.iter().map(|part| *of(part));
        Box::new(Expr::List(parts.collect()))
    };
    let length = |of: Box<Expr>| Box::new(Expr::Field(of, "length".into()));
    let table = [
        // 64 KiB in all, and one more for the list itself.
        (
            two(literal("k"), Op::NotIn, list(&["half", "text"])),
            Some(true),
        ),
        (two(literal("k"), Op::NotIn, list(&["half", "half"])), None),
        (
            two(of("half"), Op::In, list(&["half", "large"])),
            Some(true),
        ),
        (two(list(&["half", "half"]), Op::NotIn, of("list")), None),
        (
            two(
                literal("x"),
                Op::In,
                path(Root::Record(Shape::Tool), &["arguments"]),
            ),
            None,
        ),
        (
            two(length(of("most")), Op::Equal, int(MAX_OPERAND as i64)),
            Some(true),
        ),
        (two(length(of("large")), Op::Greater, int(1)), None),
        (
            two(
                path(Root::Context, &["large", "length"]),
                Op::Greater,
                int(1),
            ),
            None,
        ),
        (two(length(of("numbers")), Op::Greater, int(1)), None),
        (two(length(of("bottomless")), Op::Greater, int(0)), None),
        (
            two(
                Box::new(Expr::Index(of("n"), of("large"))),
                Op::Equal,
                literal(Value::Null),
            ),
            None,
        ),
    ];
    for (at, (found, expected)) in table.into_iter().enumerate() {
        assert_eq!(found, expected, "row {at}");
    }
}

#[test]
fn guards_beyond_their_bounds_are_never_decided() {
    let deep = |levels: usize| {
        let mut expr = Expr::Literal(Value::Bool(true));
        for _ in 1..levels {
            expr = Expr::Not(Box::new(expr));
        }
        holds(expr)
    };
    assert_eq!(deep(MAX_DEPTH), Some(false));
    assert_eq!(deep(MAX_DEPTH + 1), None);
    // A chain is one level: so many operands and the signs between them.
    let chain = |operands: usize| {
        let mut expr = Expr::Literal(Value::Bool(true));
        for _ in 1..operands {
            expr = Expr::Binary(Op::And, Box::new(expr), literal(Value::Bool(true)));
        }
        holds(expr)
    };
    assert_eq!(chain(MAX_NODES / 2), Some(true));
    assert_eq!(chain(MAX_NODES / 2 + 1), None);
}

//! What is too large or too deep for an operand, wherever one is looked at; and
//! what is missing.

use symbi_policy::{
    Action, Argument, Effect, Expr, Guard, Kind, Kinds, MAX_LEVELS, MAX_OPERAND, Network, Op,
    Predicate, Record, Root, Selector, Shape, Test, Value, Verb, Wanted,
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
fn the_length_of_a_text_is_told_wherever_it_comes_from() {
    let table = [
        // The principal is `agent`, the tool `fetch`.
        (path(Root::Principal, &["length"]), 5),
        (path(Root::Record(Shape::Tool), &["name", "length"]), 5),
        (path(Root::Context, &["text", "length"]), 2),
        (path(Root::Context, &["list", "length"]), 2),
    ];
    for (at, (path, expected)) in table.into_iter().enumerate() {
        assert_eq!(two(path, Op::Equal, int(expected)), Some(true), "row {at}");
    }
}

#[test]
fn what_has_no_fields_misses_each() {
    let paths = [
        path(Root::Context, &["n", "f"]),
        path(Root::Context, &["n", "length"]),
        path(Root::Context, &["text", "f", "g"]),
        path(Root::Context, &["list", "f"]),
        path(Root::Context, &["null", "f"]),
        path(Root::Context, &["none", "f"]),
        path(Root::Principal, &["f"]),
        path(Root::Record(Shape::Tool), &["name", "f"]),
        path(Root::Now, &["f"]),
        Box::new(Expr::Index(of("n"), literal("f"))),
    ];
    for (at, path) in paths.into_iter().enumerate() {
        let null = || literal(Value::Null);
        assert_eq!(two(path.clone(), Op::Equal, null()), Some(true), "row {at}");
        assert_eq!(
            two(path.clone(), Op::Unequal, null()),
            Some(false),
            "row {at}"
        );
        assert_eq!(two(path, Op::Unequal, int(1)), None, "row {at}");
    }
}

/// Whether an allow and a deny with this test mean `fetch(x = 1, y = null)`.
fn means(shape: Option<Shape>, argument: Argument, wanted: Wanted) -> (bool, bool) {
    let arguments: Record = [
        ("x", Value::Int(1)),
        ("y", Value::Null),
        ("deep", nested(MAX_LEVELS + 1)),
    ]
    .into_iter()
    .collect();
    let params: [Box<str>; 4] = ["x".into(), "y".into(), "deep".into(), "z".into()];
    let effect = Effect {
        params: &params,
        ..Effect::new("fetch", Kind::Tool, &arguments)
    };
    let mut action = Action::new("fetch", Kinds::NONE);
    action.record = shape;
    action.tests.push(Test { argument, wanted });
    let selector = Selector::Action(action);
    (
        selector.matches(Verb::Allow, &effect),
        selector.matches(Verb::Deny, &effect),
    )
}

#[test]
fn null_in_a_pattern_is_what_is_null_or_missing() {
    let null = || Wanted::Value(Value::Null);
    let named = |name: &str| Argument::Named(name.into());
    let table = [
        (means(None, Argument::At(0), null()), false),
        (means(None, Argument::At(1), null()), true),
        (means(None, Argument::At(3), null()), true),
        (means(None, Argument::At(9), null()), true),
        (means(None, named("y"), null()), true),
        (means(None, named("other"), null()), true),
        (
            means(None, named("other"), Wanted::Value(Value::Int(1))),
            false,
        ),
        (means(None, named("y"), Wanted::Value(Value::Int(1))), false),
        (means(Some(Shape::Tool), Argument::At(0), null()), false),
        // There is no address.
        (means(Some(Shape::Network), Argument::At(0), null()), true),
    ];
    for (at, (found, expected)) in table.into_iter().enumerate() {
        assert_eq!(found, (expected, expected), "row {at}");
    }
}

#[test]
fn a_pattern_that_cannot_be_told_opens_no_door() {
    let deep = || Wanted::Value(nested(MAX_LEVELS + 1));
    let told = Wanted::Value(Value::from("fetch"));
    let table = [
        (
            means(None, Argument::Named("deep".into()), deep()),
            (false, true),
        ),
        (means(None, Argument::At(0), deep()), (false, false)),
        // The pattern has one argument: another makes it no shape that is known.
        (
            means(Some(Shape::Tool), Argument::At(0), told.clone()),
            (true, true),
        ),
        (
            means(Some(Shape::Tool), Argument::At(1), told.clone()),
            (false, true),
        ),
        (
            means(Some(Shape::Tool), Argument::Named("name".into()), told),
            (false, true),
        ),
    ];
    for (at, (found, expected)) in table.into_iter().enumerate() {
        assert_eq!(found, expected, "row {at}");
    }
}

#[test]
fn an_address_is_named_by_itself_and_by_its_host() {
    let none = Record::default();
    let effect = Effect {
        network: Some(Network {
            url: "https://host/a",
            host: "host",
            internal: false,
        }),
        ..Effect::new("http_request", Kind::Builtin(0), &none)
    };
    for (wanted, expected) in [
        (Value::from("https://host/a"), true),
        (Value::from("host"), true),
        (Value::from("https://host"), false),
        (Value::Null, false),
    ] {
        let mut action = Action::new("http_request", Kinds::NONE);
        action.record = Some(Shape::Network);
        action.tests.push(Test {
            argument: Argument::At(0),
            wanted: Wanted::Value(wanted.clone()),
        });
        let found = Selector::Action(action).matches(Verb::Allow, &effect);
        assert_eq!(found, expected, "{wanted:?}");
    }
}

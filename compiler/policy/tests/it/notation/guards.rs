//! Values and guards in the notation of the tables.

use std::sync::Arc;

use symbi_policy::{Expr, Guard, Op, Predicate, Root, Shape, Timestamp, Value};

use super::Reader;

impl Reader<'_> {
    /// A value that is written out.
    pub fn value(&mut self) -> Value {
        match self.expr(UNARY) {
            Expr::Literal(ref value) => value.clone(),
            other => panic!("no value: {other:?}"),
        }
    }

    pub fn guard(&mut self) -> Guard {
        match self.word("beyond") {
            true => Guard::beyond(),
            false => Guard::new(self.expr(0)),
        }
    }

    /// What binds at least as tight as `least`.
    fn expr(&mut self, least: u8) -> Expr {
        let mut left = self.unary();
        while let Some((sign, op, tight)) = OPERATORS
            .iter()
            .copied()
            .find(|(sign, _, tight)| *tight >= least && self.is_next(sign))
        {
            self.needs(sign);
            if sign == "not" {
                self.needs("in");
            }
            let right = self.expr(tight + 1);
            left = Expr::Binary(op, Box::new(left), Box::new(right));
        }
        left
    }

    fn is_next(&self, sign: &str) -> bool {
        match sign.starts_with(|sign: char| sign.is_ascii_alphabetic()) {
            true => self.peek() == sign,
            false => self.rest.starts_with(sign),
        }
    }

    fn unary(&mut self) -> Expr {
        if self.has("!") {
            return Expr::Not(Box::new(self.unary()));
        }
        if self.has("-") {
            return match self.unary() {
                Expr::Literal(Value::Int(value)) => Expr::Literal(Value::Int(value.wrapping_neg())),
                Expr::Literal(Value::Float(value)) => Expr::Literal(Value::Float(-value)),
                other => Expr::Minus(Box::new(other)),
            };
        }
        let mut part = self.primary();
        loop {
            if self.has(".") {
                let field: Arc<str> = self.name().into();
                part = match part {
                    Expr::Path(root, fields) => {
                        let fields = fields.iter().cloned().chain([field]);
                        Expr::Path(root, fields.collect())
                    }
                    other => Expr::Field(Box::new(other), field),
                };
            } else if self.has("[") {
                let at = self.expr(0);
                self.needs("]");
                part = Expr::Index(Box::new(part), Box::new(at));
            } else {
                return part;
            }
        }
    }

    fn primary(&mut self) -> Expr {
        if self.has("(") {
            let inner = self.expr(0);
            self.needs(")");
            return inner;
        }
        if self.has("[") {
            let parts = self.list("]", |reader| reader.expr(0));
            let literal = |part: &Expr| match part {
                Expr::Literal(value) => Some(value.clone()),
                _ => None,
            };
            // As for a source: a list of literals is one.
            return match parts.iter().map(literal).collect() {
                Some(values) => Expr::Literal(Value::Array(values)),
                None => Expr::List(parts),
            };
        }
        if self.has("{") {
            let fields = self.list("}", |reader| {
                let name = reader.name();
                reader.needs(":");
                (name, reader.value())
            });
            return Expr::Literal(Value::Record(fields.into_iter().collect()));
        }
        if let Some(text) = self.rest.strip_prefix('"') {
            let end = text.find('"').expect("a closing quote");
            self.rest = text[end + 1..].trim_start();
            return Expr::Literal(Value::from(&text[..end]));
        }
        if self.has("@") {
            let seconds = self.name().parse().expect("seconds");
            let at = Timestamp::from_second(seconds).expect("an instant");
            return Expr::Literal(Value::Time(at));
        }
        if self.rest.starts_with(|sign: char| sign.is_ascii_digit()) {
            return Expr::Literal(self.number());
        }
        let word = self.name();
        if self.has("(") {
            let parts = self.list(")", |reader| reader.expr(0));
            return call(word, parts);
        }
        let empty = Box::default;
        match word {
            "true" | "false" => Expr::Literal(Value::Bool(word == "true")),
            "null" => Expr::Literal(Value::Null),
            "nan" => Expr::Literal(Value::Float(f64::NAN)),
            "unknown" => Expr::Unknown,
            "principal" => Expr::Path(Root::Principal, empty()),
            "invocation" => Expr::Path(Root::Invocation, empty()),
            "context" => Expr::Path(Root::Context, empty()),
            "now" => Expr::Path(Root::Now, empty()),
            "tool" => Expr::Path(Root::Record(Shape::Tool), empty()),
            "delegation" => Expr::Path(Root::Record(Shape::Delegate), empty()),
            "network" => Expr::Path(Root::Record(Shape::Network), empty()),
            "param" => {
                self.needs(".");
                Expr::Path(Root::Parameter(self.name().into()), empty())
            }
            name => {
                self.needs("@");
                let place = self.name().parse().expect("a place");
                Expr::Path(Root::Argument(name.into(), place), empty())
            }
        }
    }

    fn number(&mut self) -> Value {
        let word = self.name();
        if word.bytes().all(|byte| byte.is_ascii_digit()) && self.rest.starts_with('.') {
            self.needs(".");
            let text = format!("{word}.{}", self.name());
            return Value::Float(text.parse().expect("a float"));
        }
        let int = |digits: &str| digits.parse::<i64>().expect("a number");
        match (word.strip_suffix("ns"), word.strip_suffix('B')) {
            (Some(nanos), _) => Value::Duration(int(nanos)),
            (_, Some(bytes)) => Value::Size(int(bytes)),
            _ => Value::Int(int(word)),
        }
    }
}

/// Values that are too large to be written out, and predicates.
fn call(name: &str, parts: Vec<Expr>) -> Expr {
    match (name, &*parts) {
        (
            "times",
            [
                Expr::Literal(Value::String(text)),
                Expr::Literal(Value::Int(many)),
            ],
        ) => {
            let many = usize::try_from(*many).expect("a count");
            Expr::Literal(Value::from(&*text.repeat(many)))
        }
        ("nested", [Expr::Literal(Value::Int(levels))]) => {
            let nested = (0..*levels).fold(Value::Int(1), |value, _| Value::Array(vec![value]));
            Expr::Literal(nested)
        }
        _ => {
            let predicate = Predicate::named(name);
            Expr::Call(
                predicate.unwrap_or_else(|| panic!("no predicate: {name}")),
                parts,
            )
        }
    }
}

/// Behind all operators.
const UNARY: u8 = 7;

/// Longer signs before those that they begin with.
const OPERATORS: &[(&str, Op, u8)] = &[
    ("||", Op::Or, 1),
    ("&&", Op::And, 2),
    ("==", Op::Equal, 3),
    ("!=", Op::Unequal, 3),
    ("in", Op::In, 3),
    ("not", Op::NotIn, 3),
    ("<=", Op::AtMost, 4),
    ("<", Op::Less, 4),
    (">=", Op::AtLeast, 4),
    (">", Op::Greater, 4),
    ("+", Op::Add, 5),
    ("-", Op::Subtract, 5),
    ("*", Op::Multiply, 6),
    ("/", Op::Divide, 6),
    ("%", Op::Remainder, 6),
];

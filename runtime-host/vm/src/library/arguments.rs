//! What every function of the library needs: what to say of arguments that do
//! not fit, and what to ask the meter for.

use super::Cx;
use crate::raise::{Failure, Raise, kinds};
use crate::show::show;
use crate::text::Text;
use crate::value::Value;

/// What a value takes inside another one, in bytes.
pub(super) const VALUE: usize = size_of::<Value>();

/// What a text takes besides its bytes.
pub(super) const TEXT: usize = 64;

/// What a list takes besides its elements.
pub(super) const LIST: usize = 64;

/// What an entry of a map or set takes, with the room that tables keep free.
pub(super) const ENTRY: usize = 2 * (2 * VALUE + 16);

/// How many units of [`weigh`] a step pays for.
const UNITS_A_STEP: usize = 8;

/// Arguments that the declaration does not have. The machine looks at the types
/// first, so this is for what it cannot see.
pub(super) fn unfit(name: &str, args: &[Value]) -> Failure {
    let given: Vec<String> = args.iter().map(Value::with_article).collect();
    let given = match &*given {
        [] => "nothing".to_owned(),
        given => given.join(", "),
    };
    wrong(format!("`{name}` does not take {given}"))
}

/// A `wrong_type`.
pub(super) fn wrong(message: impl Into<String>) -> Failure {
    Raise::new(kinds::WRONG_TYPE, message).into()
}

/// An `invalid_value`.
pub(super) fn invalid(message: impl Into<String>) -> Failure {
    Raise::new(kinds::INVALID_VALUE, message).into()
}

/// An `out_of_range`.
pub(super) fn out_of_range(message: impl Into<String>) -> Failure {
    Raise::new(kinds::OUT_OF_RANGE, message).into()
}

/// An `overflow`.
pub(super) fn overflow(message: impl Into<String>) -> Failure {
    Raise::new(kinds::OVERFLOW, message).into()
}

/// A number of elements or characters, which may not be negative.
pub(super) fn count(what: &str, number: i64) -> Result<usize, Failure> {
    match number {
        0.. => Ok(usize::try_from(number).unwrap_or(usize::MAX)),
        _ => Err(out_of_range(format!(
            "{what} is {number}, and must not be negative"
        ))),
    }
}

/// A place, and the end behind it, which is all there is if it is left out.
/// Places past the end are the end.
pub(super) fn span(start: i64, end: &Value, length: usize) -> Result<(usize, usize), Failure> {
    let from = count("the start", start)?;
    let to = match end {
        Value::Null => usize::MAX,
        Value::Int(end) => {
            let to = count("the end", *end)?;
            if to < from {
                return Err(out_of_range(format!(
                    "the end {end} comes before the start {start}"
                )));
            }
            to
        }
        other => {
            return Err(wrong(format!(
                "the end has to be a whole number, and is {}",
                other.with_article()
            )));
        }
    };
    Ok((from.min(length), to.min(length)))
}

/// A number of things as a value.
pub(super) fn int(number: usize) -> Value {
    Value::Int(i64::try_from(number).unwrap_or(i64::MAX))
}

/// A text as a value, after its memory was asked for.
pub(super) fn text(cx: &mut Cx<'_>, text: &str) -> Result<Value, Failure> {
    cx.meter.make(text.len() + TEXT)?;
    Ok(Value::from(text))
}

/// How large a value is to whoever walks through it: 1 for what has no parts.
/// It stops at `most`, since a value that holds another one twice, and so on,
/// can be larger to walk through than any memory.
pub(crate) fn weigh(value: &Value, most: usize) -> usize {
    let mut left = most;
    weigh_into(value, &mut left);
    most - left
}

fn weigh_into(value: &Value, left: &mut usize) {
    let own = match value {
        Value::Text(text) => 1 + text.len() / 64,
        Value::Secret(secret) => 1 + secret.parts.len(),
        _ => 1,
    };
    *left = left.saturating_sub(own);
    let mut all = |values: &mut dyn Iterator<Item = &Value>| {
        for value in values {
            if *left == 0 {
                return;
            }
            weigh_into(value, left);
        }
    };
    match value {
        Value::List(list) => all(&mut list.items().iter()),
        Value::Set(set) => all(&mut set.elements()),
        Value::Map(map) => all(&mut map.entries().flat_map(|(key, value)| [key, value])),
        Value::Error(problem) => {
            all(&mut std::iter::once(&problem.details).chain(&problem.given));
        }
        _ => {}
    }
}

/// Takes the steps for walking through a value `times` times, before it is
/// hashed, compared or searched. It gives the weight for one time.
pub(super) fn walk(cx: &mut Cx<'_>, value: &Value, times: usize) -> Result<usize, Failure> {
    let weight = match value {
        Value::Text(text) => 1 + text.len() / 64,
        Value::List(_) | Value::Map(_) | Value::Set(_) | Value::Error(_) => {
            let fuel = usize::try_from(cx.meter.fuel).unwrap_or(usize::MAX);
            weigh(value, fuel.saturating_add(1).saturating_mul(UNITS_A_STEP))
        }
        _ => 1,
    };
    cx.meter.work(weight.saturating_mul(times) / UNITS_A_STEP)?;
    Ok(weight)
}

/// A text that is put together, and never larger than the meter allows.
pub(super) struct Writing {
    pub(super) out: String,
    most: usize,
    /// What is used up first.
    end: Failure,
}

impl Writing {
    pub(super) fn new(cx: &Cx<'_>) -> Self {
        let meter = &cx.meter;
        let used = meter.live.saturating_add(meter.since);
        let memory = meter.limit.saturating_sub(used);
        let fuel = usize::try_from(meter.fuel).unwrap_or(usize::MAX);
        let work = fuel.saturating_add(1).saturating_mul(64);
        let (most, end) = match memory <= work {
            true => (memory, Failure::Memory),
            false => (work, Failure::Fuel),
        };
        Writing {
            out: String::new(),
            most,
            end,
        }
    }

    pub(super) fn put(&mut self, part: &str) -> Result<(), Failure> {
        if self.out.len().saturating_add(part.len()) > self.most {
            return Err(self.end.clone());
        }
        self.out.push_str(part);
        Ok(())
    }

    /// Puts a value behind it as `+` shows it.
    pub(super) fn show(&mut self, value: &Value) -> Result<(), Failure> {
        match value {
            Value::Text(text) => self.put(text),
            other => match show(other, self.most - self.out.len()) {
                Some(text) => self.put(&text),
                None => Err(self.end.clone()),
            },
        }
    }

    /// How many bytes may still be written, and what it means if they do not
    /// suffice.
    pub(super) fn room(&self) -> (usize, Failure) {
        (self.most - self.out.len(), self.end.clone())
    }

    pub(super) fn done(self, cx: &mut Cx<'_>) -> Result<Value, Failure> {
        cx.meter.make(self.out.len() + TEXT)?;
        Ok(Value::Text(Text::from(self.out)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::library::testing::*;

    #[test]
    fn a_value_that_holds_another_twice_again_and_again_is_not_walked_through() {
        let mut value = ints([1]);
        for _ in 0..200 {
            value = list([value.clone(), value]);
        }
        assert_eq!(weigh(&value, 1000), 1000);
        with(10_000, 1 << 20, |cx| {
            assert!(matches!(walk(cx, &value, 1), Err(Failure::Fuel)));
        });
        with(10_000, 1 << 20, |cx| {
            let mut writing = Writing::new(cx);
            assert!(matches!(writing.show(&value), Err(Failure::Fuel)));
        });
        with(u64::MAX, 1 << 16, |cx| {
            let mut writing = Writing::new(cx);
            assert!(matches!(writing.show(&value), Err(Failure::Memory)));
        });
    }

    #[test]
    fn a_span_ends_where_the_value_does() {
        let table = [
            (0, Value::Null, Ok((0, 5))),
            (1, Value::Int(3), Ok((1, 3))),
            (4, Value::Int(i64::MAX), Ok((4, 5))),
            (9, Value::Null, Ok((5, 5))),
            (9, Value::Int(10), Ok((5, 5))),
            (-1, Value::Null, Err("out_of_range")),
            (0, Value::Int(-1), Err("out_of_range")),
            (3, Value::Int(2), Err("out_of_range")),
            (i64::MIN, Value::Int(i64::MIN), Err("out_of_range")),
            (0, Value::Float(1.0), Err("wrong_type")),
        ];
        for (start, end, expected) in table {
            let found = span(start, &end, 5).map_err(|failure| kind(&failure));
            assert_eq!(found, expected.map_err(str::to_owned), "{start} {end:?}");
        }
    }
}

//! The values that guards look at.

use std::borrow::Cow;
use std::cmp::Ordering;
use std::fmt;
use std::sync::Arc;

use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use symbi_mini::jiff::Timestamp;

use crate::nesting::Level;

/// A value of the host's facts, of arguments, or written in a guard.
///
/// However deep it nests, a decision about it takes no more stack than
/// [`MAX_LEVELS`] need, and freeing it takes none. `==`, `clone` and `{:?}` do
/// follow it to its end: they are for values that [`Value::is_small`] accepts.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(remote = "Self", rename_all = "snake_case")]
#[schemars(rename_all = "snake_case")]
pub enum Value {
    /// `null`.
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// A whole number.
    Int(i64),
    /// Any other number.
    Float(f64),
    /// A text.
    String(Arc<str>),
    /// A length of time, in nanoseconds.
    Duration(i64),
    /// An amount of memory, in bytes.
    Size(i64),
    /// An instant.
    Time(#[schemars(with = "String")] Timestamp),
    /// A list.
    Array(Vec<Value>),
    /// A record or a map with texts as keys.
    Record(Record),
}

/// Fields by name. Two records with the same fields are equal, whatever the
/// order in which they were given.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Record(Vec<(Arc<str>, Value)>);

/// The most bytes that an operand may have: a larger one cannot be decided
/// about (language.md section 4).
pub const MAX_OPERAND: usize = 64 * 1024;

/// The most levels of lists and records that an operand may have: of one that
/// nests deeper as little can be told as of one that is too large.
pub const MAX_LEVELS: usize = 64;

/// What of an operand may still follow.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Room {
    bytes: usize,
    levels: usize,
}

impl Room {
    /// That of a whole operand.
    pub(crate) const ALL: Room = Room {
        bytes: MAX_OPERAND,
        levels: MAX_LEVELS,
    };

    /// That of the elements of a list which is an operand.
    pub(crate) const ELEMENTS: Room = Room {
        bytes: MAX_OPERAND - 1,
        levels: MAX_LEVELS - 1,
    };

    /// Takes these bytes; `false` if there are not as many.
    fn take(&mut self, bytes: usize) -> bool {
        let rest = self.bytes.checked_sub(bytes);
        self.bytes = rest.unwrap_or(0);
        rest.is_some()
    }

    /// Takes what a text has. Each value counts, so an empty one does too.
    pub(crate) fn text(&mut self, text: &str) -> bool {
        self.take(text.len().max(1))
    }

    /// Takes what a value has, and looks at no more of it than there is room
    /// for, in bytes and in levels.
    pub(crate) fn value(&mut self, value: &Value) -> bool {
        match value {
            Value::String(text) => self.text(text),
            Value::Array(elements) => {
                self.nested(|room| elements.iter().all(|element| room.value(element)))
            }
            Value::Record(record) => self.record(record),
            _ => self.take(1),
        }
    }

    /// Takes what a record has.
    pub(crate) fn record(&mut self, record: &Record) -> bool {
        self.nested(|room| {
            let mut fields = record.fields();
            fields.all(|(name, value)| room.take(name.len()) && room.value(value))
        })
    }

    fn nested(&mut self, parts: impl FnOnce(&mut Room) -> bool) -> bool {
        let Some(levels) = self.levels.checked_sub(1) else {
            return false;
        };
        let mut inner = Room { levels, ..*self };
        let fits = inner.take(1) && parts(&mut inner);
        self.bytes = inner.bytes;
        fits
    }
}

impl Record {
    /// A record of these fields; of two with one name the last counts.
    pub fn new(fields: impl IntoIterator<Item = (Arc<str>, Value)>) -> Self {
        let mut all: Vec<(Arc<str>, Value)> = fields.into_iter().collect();
        // Stable, so the last of equal ones stays behind the others.
        all.sort_by(|a, b| a.0.cmp(&b.0));
        let mut kept: Vec<(Arc<str>, Value)> = Vec::with_capacity(all.len());
        for field in all {
            match kept.last_mut() {
                Some(last) if last.0 == field.0 => *last = field,
                _ => kept.push(field),
            }
        }
        Record(kept)
    }

    /// The value of a field.
    pub fn get(&self, name: &str) -> Option<&Value> {
        let at = self.0.binary_search_by(|(own, _)| (**own).cmp(name)).ok()?;
        self.0.get(at).map(|(_, value)| value)
    }

    /// The fields, in the order of their names.
    pub fn fields(&self) -> impl ExactSizeIterator<Item = (&Arc<str>, &Value)> {
        self.0.iter().map(|(name, value)| (name, value))
    }

    /// How many fields there are.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there is no field.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl<T: Into<Arc<str>>> FromIterator<(T, Value)> for Record {
    fn from_iter<I: IntoIterator<Item = (T, Value)>>(fields: I) -> Self {
        Record::new(fields.into_iter().map(|(name, value)| (name.into(), value)))
    }
}

// `remote` gives the two functions that these call, so that each level can be
// counted before it is read.
impl Serialize for Value {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        Value::serialize(self, serializer)
    }
}

impl<'de> Deserialize<'de> for Value {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let _level = Level::enter()?;
        Value::deserialize(deserializer)
    }
}

impl Serialize for Record {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(name, value)| (name, value)))
    }
}

impl<'de> Deserialize<'de> for Record {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Fields;
        impl<'de> serde::de::Visitor<'de> for Fields {
            type Value = Record;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("fields by name")
            }

            fn visit_map<A: serde::de::MapAccess<'de>>(
                self,
                mut map: A,
            ) -> Result<Record, A::Error> {
                let mut fields: Vec<(Arc<str>, Value)> = Vec::new();
                while let Some(field) = map.next_entry()? {
                    fields.push(field);
                }
                let count = fields.len();
                let record = Record::new(fields);
                match record.0.len() == count {
                    true => Ok(record),
                    false => Err(serde::de::Error::custom("a field is given twice")),
                }
            }
        }
        deserializer.deserialize_map(Fields)
    }
}

impl JsonSchema for Record {
    fn schema_name() -> Cow<'static, str> {
        "Record".into()
    }

    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        std::collections::BTreeMap::<String, Value>::json_schema(generator)
    }
}

impl From<&str> for Value {
    fn from(text: &str) -> Self {
        Value::String(text.into())
    }
}

impl Value {
    /// Whether it has at most [`MAX_OPERAND`] bytes, those of its texts and
    /// names and one for each other value in it, and at most [`MAX_LEVELS`]
    /// levels. Looks at no more than that.
    pub fn is_small(&self) -> bool {
        let mut room = Room::ALL;
        room.value(self)
    }

    /// Whether two values are equal; `None` where that cannot be decided: they
    /// are of different types, a `null` is among them, or they nest too deep.
    /// Numbers compare by what they say, an amount of memory with a whole number
    /// in bytes.
    pub fn equals(&self, other: &Value) -> Option<bool> {
        self.alike(other, MAX_LEVELS, &|_, _| None)
    }

    /// Whether an argument is the one that a call pattern wants: `null` is, what
    /// is of another type is not. `None` only where they nest too deep.
    pub(crate) fn is(&self, argument: &Value) -> Option<bool> {
        let both_null = |a: &Value, b: &Value| matches!((a, b), (Value::Null, Value::Null));
        self.alike(argument, MAX_LEVELS, &|a, b| Some(both_null(a, b)))
    }

    fn alike(
        &self,
        other: &Value,
        levels: usize,
        untold: &dyn Fn(&Value, &Value) -> Option<bool>,
    ) -> Option<bool> {
        let all = |pairs: &mut dyn Iterator<Item = (&Value, &Value)>| {
            let levels = levels.checked_sub(1)?;
            // One that cannot be decided makes the whole so, wherever it stands.
            let mut equal = true;
            for (a, b) in pairs {
                equal &= a.alike(b, levels, untold)?;
            }
            Some(equal)
        };
        match (self, other) {
            (Value::Bool(a), Value::Bool(b)) => Some(a == b),
            (Value::String(a), Value::String(b)) => Some(a == b),
            (Value::Array(a), Value::Array(b)) => {
                if a.len() != b.len() {
                    return Some(false);
                }
                all(&mut a.iter().zip(b))
            }
            (Value::Record(a), Value::Record(b)) => {
                let pairs = || a.fields().zip(b.fields());
                if a.len() != b.len() || pairs().any(|((one, _), (two, _))| one != two) {
                    return Some(false);
                }
                all(&mut pairs().map(|((_, one), (_, two))| (one, two)))
            }
            (Value::Float(a), Value::Float(b)) => Some(a == b),
            (Value::Int(a), Value::Float(b)) | (Value::Float(b), Value::Int(a)) => {
                Some(int_to_float(*a, *b) == Some(Ordering::Equal))
            }
            _ => match self.compare(other) {
                Some(order) => Some(order == Ordering::Equal),
                None => untold(self, other),
            },
        }
    }

    /// How two values follow on each other; `None` where that cannot be
    /// decided. Not for NaN, which has no place: see [`Self::ordered`].
    fn compare(&self, other: &Value) -> Option<Ordering> {
        match (self, other) {
            (Value::Int(a) | Value::Size(a), Value::Int(b) | Value::Size(b))
            | (Value::Duration(a), Value::Duration(b)) => Some(a.cmp(b)),
            (Value::Time(a), Value::Time(b)) => Some(a.cmp(b)),
            _ => None,
        }
    }

    /// Whether the order of two values is one that `wanted` accepts; `None`
    /// where they have none. Whatever is asked of NaN is false.
    pub fn ordered(&self, other: &Value, wanted: impl Fn(Ordering) -> bool) -> Option<bool> {
        let order = match (self, other) {
            (Value::Float(a), Value::Float(b)) => a.partial_cmp(b),
            (Value::Int(a), Value::Float(b)) => int_to_float(*a, *b),
            (Value::Float(a), Value::Int(b)) => int_to_float(*b, *a).map(Ordering::reverse),
            (Value::String(a), Value::String(b)) => Some(a.cmp(b)),
            _ => Some(self.compare(other)?),
        };
        Some(order.is_some_and(wanted))
    }
}

impl Drop for Value {
    /// A program can nest values deeper than the stack is high: what is nested
    /// is freed in a loop.
    fn drop(&mut self) {
        let mut open = Vec::new();
        self.empty_into(&mut open);
        while let Some(mut value) = open.pop() {
            value.empty_into(&mut open);
        }
    }
}

impl Value {
    /// Takes out the lists and records in it.
    fn empty_into(&mut self, open: &mut Vec<Value>) {
        let mut take = |value: &mut Value| match value {
            Value::Array(elements) if !elements.is_empty() => {
                open.push(std::mem::replace(value, Value::Null));
            }
            Value::Record(record) if !record.is_empty() => {
                open.push(std::mem::replace(value, Value::Null));
            }
            _ => {}
        };
        match self {
            Value::Array(elements) => elements.iter_mut().for_each(take),
            Value::Record(record) => record.0.iter_mut().for_each(|(_, value)| take(value)),
            _ => {}
        }
    }
}

/// Compares exactly: `i64` to `f64` would round above 2^53. `None` for NaN.
fn int_to_float(int: i64, float: f64) -> Option<Ordering> {
    if float.is_nan() {
        return None;
    }
    // 2^63, the first value that no i64 has.
    const LIMIT: f64 = 9_223_372_036_854_775_808.0;
    if float >= LIMIT {
        return Some(Ordering::Less);
    }
    if float < -LIMIT {
        return Some(Ordering::Greater);
    }
    let whole = float.trunc();
    Some(int.cmp(&(whole as i64)).then_with(|| {
        let rest = float - whole;
        0.0_f64.partial_cmp(&rest).unwrap_or(Ordering::Equal)
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_compare_by_what_they_say() {
        let large = 9_007_199_254_740_993; // 2^53 + 1
        let table = [
            (Value::Int(1), Value::Float(1.0), Some(true)),
            (
                Value::Int(large),
                Value::Float(9_007_199_254_740_992.0),
                Some(false),
            ),
            (Value::Int(i64::MAX), Value::Float(9.3e18), Some(false)),
            (Value::Size(1024), Value::Int(1024), Some(true)),
            (Value::Size(1024), Value::Float(1024.0), None),
            (Value::Duration(10), Value::Int(10), None),
            (Value::Float(f64::NAN), Value::Float(f64::NAN), Some(false)),
            (Value::Null, Value::Null, None),
            (Value::from("1"), Value::Int(1), None),
            (Value::Bool(true), Value::Bool(true), Some(true)),
        ];
        for (a, b, expected) in table {
            assert_eq!(a.equals(&b), expected, "{a:?} {b:?}");
            assert_eq!(b.equals(&a), expected, "{b:?} {a:?}");
        }
    }

    #[test]
    fn order_is_exact_and_nan_has_none() {
        let less = |a: &Value, b: &Value| a.ordered(b, Ordering::is_lt);
        assert_eq!(less(&Value::Int(1), &Value::Float(1.5)), Some(true));
        assert_eq!(less(&Value::Int(-1), &Value::Float(-1.5)), Some(false));
        assert_eq!(less(&Value::Float(1.5), &Value::Int(2)), Some(true));
        assert_eq!(
            less(&Value::Int(i64::MIN), &Value::Float(-9.3e18)),
            Some(false)
        );
        assert_eq!(less(&Value::Float(f64::NAN), &Value::Int(2)), Some(false));
        assert_eq!(less(&Value::from("a"), &Value::from("b")), Some(true));
        assert_eq!(less(&Value::Bool(false), &Value::Bool(true)), None);
        assert_eq!(less(&Value::Null, &Value::Int(1)), None);
    }

    #[test]
    fn a_record_keeps_the_last_of_two_fields_and_no_order() {
        let of = |pairs: &[(&str, i64)]| -> Record {
            pairs
                .iter()
                .map(|(name, value)| (*name, Value::Int(*value)))
                .collect()
        };
        assert_eq!(
            of(&[("b", 1), ("a", 2), ("b", 3)]),
            of(&[("a", 2), ("b", 3)])
        );
        assert_eq!(of(&[("b", 1), ("b", 3)]).get("b"), Some(&Value::Int(3)));
        assert_eq!(of(&[]).get("b"), None);
    }

    /// So many lists in each other.
    fn nested(levels: usize) -> Value {
        (0..levels).fold(Value::Array(Vec::new()), |value, level| match level {
            0 => value,
            _ => Value::Array(vec![value]),
        })
    }

    #[test]
    fn values_that_nest_without_end_are_refused_and_freed() {
        let (one, two) = (nested(200_000), nested(200_000));
        assert!(!one.is_small());
        assert_eq!(one.equals(&two), None);
        assert_eq!(one.is(&two), None);
        assert_eq!(one.equals(&nested(3)), Some(false));
        let mut records = Value::Null;
        for _ in 0..200_000 {
            records = Value::Record([("a", records), ("b", Value::Int(1))].into_iter().collect());
        }
        assert_eq!(records.is(&one), Some(false));
        assert!(!records.is_small());
    }

    #[test]
    fn an_argument_is_what_a_pattern_wants() {
        let list = |elements: &[Value]| Value::Array(elements.to_vec());
        let table = [
            (Value::Null, Value::Null, true),
            (list(&[Value::Null]), list(&[Value::Null]), true),
            (list(&[Value::Null]), list(&[Value::Int(1)]), false),
            (Value::Int(1), Value::Null, false),
            (Value::Int(1), Value::Float(1.0), true),
            (Value::Int(1), Value::from("1"), false),
            (Value::Size(1), Value::Float(1.0), false),
        ];
        for (wanted, argument, expected) in table {
            assert_eq!(
                wanted.is(&argument),
                Some(expected),
                "{wanted:?} {argument:?}"
            );
        }
    }

    #[test]
    fn what_is_larger_than_the_limit_is_not_small() {
        let text = |bytes: usize| Value::from(&*"k".repeat(bytes));
        assert!(text(MAX_OPERAND).is_small());
        assert!(!text(MAX_OPERAND + 1).is_small());
        assert!(Value::Array(vec![Value::Null; MAX_OPERAND - 1]).is_small());
        assert!(!Value::Array(vec![Value::Null; MAX_OPERAND + 1]).is_small());
        let two = Value::Array(vec![text(MAX_OPERAND / 2), text(MAX_OPERAND / 2)]);
        assert!(!two.is_small());
        // An empty text is a value too.
        assert!(Value::Array(vec![Value::from(""); MAX_OPERAND - 1]).is_small());
        assert!(!Value::Array(vec![Value::from(""); MAX_OPERAND]).is_small());
        assert!(nested(MAX_LEVELS).is_small());
        assert!(!nested(MAX_LEVELS + 1).is_small());
        let record = |value: Value| Value::Record([("", value)].into_iter().collect());
        assert!(record(nested(MAX_LEVELS - 1)).is_small());
        assert!(!record(nested(MAX_LEVELS)).is_small());
        let record: Record = [("k".repeat(MAX_OPERAND + 1), Value::Null)]
            .into_iter()
            .collect();
        assert!(!Value::Record(record).is_small());
    }
}

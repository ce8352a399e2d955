//! The values of running programs (language.md sections 2.5 and 2.6).
//!
//! Lists, maps, sets and records are values: cloning one is cheap, and whoever
//! changes one that others have too changes a copy. None nests deeper than
//! [`MAX_DEPTH`], so what walks through one may recurse.

use std::cmp::Ordering;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;

use foldhash::fast::RandomState;
use indexmap::{Equivalent, IndexMap, IndexSet};

use crate::raise::{Raise, kinds};
use crate::secret::Secret;
use crate::text::Text;

/// How many levels of lists, maps and their like a value may have.
pub const MAX_DEPTH: u32 = 256;

/// A value.
#[derive(Clone, Debug, Default)]
pub enum Value {
    /// A variable without a value. No expression gives it.
    #[default]
    Unset,
    /// `null`.
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// A whole number.
    Int(i64),
    /// Any other number.
    Float(f64),
    /// A length of time, in nanoseconds.
    Duration(i64),
    /// An amount of memory, in bytes.
    Size(i64),
    /// An instant, in nanoseconds from the start of 1970 in UTC.
    Time(i64),
    /// A text.
    Text(Text),
    /// A list.
    List(Arc<List>),
    /// A map, a record or a struct.
    Map(Arc<Map>),
    /// A set.
    Set(Arc<Set>),
    /// What `catch` binds.
    Error(Arc<Problem>),
    /// A secret, by what it is made of and never by its text.
    Secret(Arc<Secret>),
    /// A lambda with what it took along.
    Lambda(Arc<Lambda>),
    /// A function of the program or of the library.
    Function(Function),
}

/// A list.
#[derive(Clone, Debug, Default)]
pub struct List {
    items: Vec<Value>,
    depth: u32,
}

/// A map, a record or a struct: entries in the order in which they were put in.
#[derive(Clone, Debug, Default)]
pub struct Map {
    entries: IndexMap<Key, Value, RandomState>,
    /// The struct that it is of.
    pub of: Option<Text>,
    depth: u32,
}

/// A set: elements in the order in which they were put in.
#[derive(Clone, Debug, Default)]
pub struct Set {
    elements: IndexSet<Key, RandomState>,
    depth: u32,
}

/// A value as the key of a map or the element of a set: one that can be
/// compared.
#[derive(Clone, Debug)]
pub struct Key(Value);

/// An error as a value.
#[derive(Clone, Debug)]
pub struct Problem {
    /// Its kind: what `catch (KIND e)` takes.
    pub kind: Text,
    /// What it says.
    pub message: Text,
    /// Where it was raised; `None` if the program has no place for it.
    pub at: Option<At>,
    /// More about it; an empty record if there is nothing.
    pub details: Value,
    /// What `Err(…)` was given, which an arm `Err(p)` gets back.
    pub given: Option<Value>,
}

/// A place in the source.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct At {
    /// The number of the module in the program.
    pub module: u32,
    /// Where it begins, in bytes.
    pub start: u32,
    /// How many bytes it has.
    pub length: u32,
}

/// A lambda with what it took along.
#[derive(Clone, Debug)]
pub struct Lambda {
    /// The number of its code.
    pub chunk: u32,
    /// The variables that it took along, in the order of its captures.
    pub captured: Vec<Value>,
    depth: u32,
}

/// A function as a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Function {
    /// One of the program, by the number of its code.
    Own(u32),
    /// One of the library, by the place of its name among all names there.
    Library(u32),
}

impl List {
    /// A list of values.
    ///
    /// # Errors
    /// It would nest too deep.
    pub fn new(items: Vec<Value>) -> Result<Self, Raise> {
        let depth = items.iter().map(Value::depth).max().unwrap_or(0) + 1;
        fits_depth(depth)?;
        Ok(List { items, depth })
    }

    /// Its elements.
    pub fn items(&self) -> &[Value] {
        &self.items
    }

    /// How many levels it has.
    pub fn depth_of(&self) -> u32 {
        self.depth.max(1)
    }

    /// Its elements, to be put in another order or made fewer; not to be given
    /// others.
    pub(crate) fn items_mut(&mut self) -> &mut Vec<Value> {
        &mut self.items
    }

    /// How many bytes would have to be found to put one more in.
    pub fn growth(&self) -> usize {
        match self.items.len() < self.items.capacity() {
            true => 0,
            false => self.items.len().max(4) * size_of::<Value>(),
        }
    }

    /// Puts an element at the end.
    ///
    /// # Errors
    /// It would nest too deep.
    pub fn push(&mut self, value: Value) -> Result<(), Raise> {
        self.deepen(value.depth())?;
        self.items.push(value);
        Ok(())
    }

    /// Puts an element at a place, which has to be one of the list or its end.
    ///
    /// # Errors
    /// It would nest too deep.
    pub fn insert(&mut self, place: usize, value: Value) -> Result<(), Raise> {
        self.deepen(value.depth())?;
        self.items.insert(place.min(self.items.len()), value);
        Ok(())
    }

    /// The element at a place, to be changed into one that nests as deep as
    /// `inner` says.
    ///
    /// # Errors
    /// It would nest too deep.
    pub(crate) fn place(&mut self, place: usize, inner: u32) -> Result<Option<&mut Value>, Raise> {
        self.deepen(inner)?;
        Ok(self.items.get_mut(place))
    }

    fn deepen(&mut self, inner: u32) -> Result<(), Raise> {
        fits_depth(inner + 1)?;
        self.depth = self.depth.max(inner + 1);
        Ok(())
    }

    /// How many bytes of memory it holds, without those of its elements.
    pub fn bytes(&self) -> usize {
        self.items.capacity() * size_of::<Value>() + 48
    }
}

impl Map {
    /// A map of entries; of two with one key the last counts, in the place of
    /// the first.
    ///
    /// # Errors
    /// It would nest too deep, or a key cannot be one.
    pub fn new(entries: impl IntoIterator<Item = (Value, Value)>) -> Result<Self, Raise> {
        let entries = entries.into_iter();
        let mut map = Map::with_capacity(entries.size_hint().0);
        for (key, value) in entries {
            map.insert(key, value)?;
        }
        Ok(map)
    }

    /// An empty one that has room.
    pub fn with_capacity(entries: usize) -> Self {
        Map {
            entries: IndexMap::with_capacity_and_hasher(entries, RandomState::default()),
            of: None,
            depth: 1,
        }
    }

    /// How many entries it has.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether it has none.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// The value of a field.
    pub fn field(&self, name: &str) -> Option<&Value> {
        self.entries.get(name)
    }

    /// The value of a key.
    ///
    /// # Errors
    /// It cannot be one.
    pub fn get(&self, key: &Value) -> Result<Option<&Value>, Raise> {
        if let Value::Text(text) = key {
            return Ok(self.field(text));
        }
        Ok(self.entries.get(&Key::new(key.clone())?))
    }

    /// The entry at a place in its order.
    pub fn at(&self, place: usize) -> Option<(&Value, &Value)> {
        let (key, value) = self.entries.get_index(place)?;
        Some((&key.0, value))
    }

    /// Its entries in order.
    pub fn entries(&self) -> impl ExactSizeIterator<Item = (&Value, &Value)> + Clone {
        self.entries.iter().map(|(key, value)| (&key.0, value))
    }

    /// Sets the value of a key, and gives what it was.
    ///
    /// # Errors
    /// It would nest too deep, or the key cannot be one.
    pub fn insert(&mut self, key: Value, value: Value) -> Result<Option<Value>, Raise> {
        self.deepen(value.depth().max(key.depth()))?;
        Ok(self.entries.insert(Key::new(key)?, value))
    }

    /// Takes an entry out, and gives its value. The others keep their order.
    ///
    /// # Errors
    /// The key cannot be one.
    pub fn remove(&mut self, key: &Value) -> Result<Option<Value>, Raise> {
        Ok(self.entries.shift_remove(&Key::new(key.clone())?))
    }

    /// The value of a key, to be changed into one that nests as deep as `inner`
    /// says.
    ///
    /// # Errors
    /// It would nest too deep, or the key cannot be one.
    pub(crate) fn place(&mut self, key: &Value, inner: u32) -> Result<Option<&mut Value>, Raise> {
        self.deepen(inner)?;
        if let Value::Text(text) = key {
            return Ok(self.entries.get_mut(text.as_str()));
        }
        Ok(self.entries.get_mut(&Key::new(key.clone())?))
    }

    fn deepen(&mut self, inner: u32) -> Result<(), Raise> {
        fits_depth(inner + 1)?;
        self.depth = self.depth.max(inner + 1);
        Ok(())
    }

    /// How many bytes would have to be found to put one more in.
    pub fn growth(&self) -> usize {
        match self.entries.len() < self.entries.capacity() {
            true => 0,
            false => self.entries.len().max(4) * ENTRY,
        }
    }

    /// How many bytes of memory it holds, without those of its entries.
    pub fn bytes(&self) -> usize {
        self.entries.capacity() * ENTRY + 96
    }
}

/// What an entry of a map takes: key, value, hash, and its place in the table.
const ENTRY: usize = 2 * size_of::<Value>() + 16;

impl Set {
    /// A set of values, each once.
    ///
    /// # Errors
    /// A value cannot be an element, or it would nest too deep.
    pub fn new(values: impl IntoIterator<Item = Value>) -> Result<Self, Raise> {
        let mut set = Set {
            elements: IndexSet::default(),
            depth: 1,
        };
        for value in values {
            set.insert(value)?;
        }
        Ok(set)
    }

    /// How many elements it has.
    pub fn len(&self) -> usize {
        self.elements.len()
    }

    /// Whether it has none.
    pub fn is_empty(&self) -> bool {
        self.elements.is_empty()
    }

    /// Whether a value is in it.
    ///
    /// # Errors
    /// It cannot be an element of any set.
    pub fn contains(&self, value: &Value) -> Result<bool, Raise> {
        Ok(self.elements.contains(&Key::new(value.clone())?))
    }

    /// Puts a value in; whether it was not there before.
    ///
    /// # Errors
    /// It cannot be an element, or it would nest too deep.
    pub fn insert(&mut self, value: Value) -> Result<bool, Raise> {
        fits_depth(value.depth() + 1)?;
        self.depth = self.depth.max(value.depth() + 1);
        Ok(self.elements.insert(Key::new(value)?))
    }

    /// Takes a value out; whether it was there.
    ///
    /// # Errors
    /// It cannot be an element of any set.
    pub fn remove(&mut self, value: &Value) -> Result<bool, Raise> {
        Ok(self.elements.shift_remove(&Key::new(value.clone())?))
    }

    /// Its elements in order.
    pub fn elements(&self) -> impl ExactSizeIterator<Item = &Value> + Clone {
        self.elements.iter().map(|key| &key.0)
    }

    /// How many bytes would have to be found to put one more in.
    pub fn growth(&self) -> usize {
        match self.elements.len() < self.elements.capacity() {
            true => 0,
            false => self.elements.len().max(4) * ENTRY,
        }
    }

    /// How many bytes of memory it holds, without those of its elements.
    pub fn bytes(&self) -> usize {
        self.elements.capacity() * ENTRY + 96
    }
}

impl Lambda {
    /// A lambda with what it takes along.
    ///
    /// # Errors
    /// It would nest too deep.
    pub fn new(chunk: u32, captured: Vec<Value>) -> Result<Self, Raise> {
        let depth = captured.iter().map(Value::depth).max().unwrap_or(0) + 1;
        fits_depth(depth)?;
        Ok(Lambda {
            chunk,
            captured,
            depth,
        })
    }
}

fn fits_depth(depth: u32) -> Result<(), Raise> {
    match depth <= MAX_DEPTH {
        true => Ok(()),
        false => Err(Raise::new(
            kinds::TOO_DEEP,
            format!("a value nests deeper than {MAX_DEPTH} levels"),
        )),
    }
}

impl Key {
    /// A value as a key.
    ///
    /// # Errors
    /// It is or holds a secret or a function, which cannot be compared.
    pub fn new(value: Value) -> Result<Self, Raise> {
        match &value {
            Value::Text(_) | Value::Int(_) => {}
            other => other.must_compare()?,
        }
        Ok(Key(value))
    }
}

impl PartialEq for Key {
    fn eq(&self, other: &Self) -> bool {
        // INVARIANT: neither holds what cannot be compared: `Key::new` looked.
        self.0.equals(&other.0).unwrap_or(false)
    }
}

impl Eq for Key {}

impl Hash for Key {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.hash_into(state);
    }
}

impl Equivalent<Key> for str {
    fn equivalent(&self, key: &Key) -> bool {
        matches!(&key.0, Value::Text(text) if text.as_str() == self)
    }
}

impl From<&str> for Value {
    fn from(text: &str) -> Self {
        Value::Text(text.into())
    }
}

impl From<String> for Value {
    fn from(text: String) -> Self {
        Value::Text(text.into())
    }
}

impl From<List> for Value {
    fn from(list: List) -> Self {
        Value::List(Arc::new(list))
    }
}

impl From<Map> for Value {
    fn from(map: Map) -> Self {
        Value::Map(Arc::new(map))
    }
}

impl From<Set> for Value {
    fn from(set: Set) -> Self {
        Value::Set(Arc::new(set))
    }
}

impl Value {
    /// A list of values.
    ///
    /// # Errors
    /// It would nest too deep.
    pub fn list(items: Vec<Value>) -> Result<Self, Raise> {
        Ok(List::new(items)?.into())
    }

    /// A record of fields.
    ///
    /// # Errors
    /// It would nest too deep.
    pub fn record<'n>(fields: impl IntoIterator<Item = (&'n str, Value)>) -> Result<Self, Raise> {
        let fields = fields.into_iter();
        Ok(Map::new(fields.map(|(name, value)| (Value::from(name), value)))?.into())
    }

    /// How many levels of lists and their like it has; 0 for what has no parts.
    pub fn depth(&self) -> u32 {
        match self {
            Value::List(list) => list.depth.max(1),
            Value::Map(map) => map.depth.max(1),
            Value::Set(set) => set.depth.max(1),
            Value::Lambda(lambda) => lambda.depth,
            Value::Error(problem) => {
                let given = problem.given.as_ref().map_or(0, Value::depth);
                problem.details.depth().max(given) + 1
            }
            _ => 0,
        }
    }

    /// The name of its type, as `type_of` gives it.
    pub fn type_name(&self) -> &str {
        match self {
            Value::Unset | Value::Null => "null",
            Value::Bool(_) => "bool",
            Value::Int(_) => "int",
            Value::Float(_) => "float",
            Value::Duration(_) => "Duration",
            Value::Size(_) => "Size",
            Value::Time(_) => "Time",
            Value::Text(_) => "String",
            Value::List(_) => "Array",
            Value::Map(map) => map.of.as_ref().map_or("Map", Text::as_str),
            Value::Set(_) => "Set",
            Value::Error(_) => "Error",
            Value::Secret(_) => "Secret",
            Value::Lambda(_) | Value::Function(_) => "Function",
        }
    }

    /// It with its article, for messages.
    pub fn with_article(&self) -> String {
        match self {
            Value::Unset | Value::Null => "`null`".to_owned(),
            Value::Bool(_) => "a boolean".to_owned(),
            Value::Int(_) => "a whole number".to_owned(),
            Value::Float(_) => "a number".to_owned(),
            Value::Duration(_) => "a duration".to_owned(),
            Value::Size(_) => "a size".to_owned(),
            Value::Time(_) => "an instant".to_owned(),
            Value::Text(_) => "a text".to_owned(),
            Value::List(_) => "a list".to_owned(),
            Value::Map(map) => match &map.of {
                Some(name) => format!("a record `{}`", name.as_str()),
                None => "a record".to_owned(),
            },
            Value::Set(_) => "a set".to_owned(),
            Value::Error(_) => "an error".to_owned(),
            Value::Secret(_) => "a secret".to_owned(),
            Value::Lambda(_) | Value::Function(_) => "a function".to_owned(),
        }
    }

    /// Whether two values are equal (language.md section 2.6): numbers by what
    /// they say, an amount of memory with a number in bytes, all else by its
    /// structure.
    ///
    /// # Errors
    /// Secrets and functions cannot be compared, except with `null`.
    pub fn equals(&self, other: &Value) -> Result<bool, Raise> {
        Ok(match (self, other) {
            (Value::Int(one), Value::Int(two))
            | (Value::Duration(one), Value::Duration(two))
            | (Value::Size(one) | Value::Int(one), Value::Size(two))
            | (Value::Size(one), Value::Int(two))
            | (Value::Time(one), Value::Time(two)) => one == two,
            (Value::Float(one), Value::Float(two)) => one == two,
            (Value::Int(int) | Value::Size(int), Value::Float(float))
            | (Value::Float(float), Value::Int(int) | Value::Size(int)) => {
                int_to_float(*int, *float) == Some(Ordering::Equal)
            }
            (Value::Null, Value::Null) => true,
            (Value::Null, _) | (_, Value::Null) => false,
            (Value::Secret(_), _) | (_, Value::Secret(_)) => {
                return Err(uncompared("a secret"));
            }
            (Value::Lambda(_) | Value::Function(_), _)
            | (_, Value::Lambda(_) | Value::Function(_)) => return Err(uncompared("a function")),
            (Value::Bool(one), Value::Bool(two)) => one == two,
            (Value::Text(one), Value::Text(two)) => one == two,
            (Value::List(one), Value::List(two)) => {
                if one.items.len() != two.items.len() {
                    return Ok(false);
                }
                for (one, two) in one.items.iter().zip(&two.items) {
                    if !one.equals(two)? {
                        return Ok(false);
                    }
                }
                true
            }
            (Value::Map(one), Value::Map(two)) => {
                if one.len() != two.len() {
                    return Ok(false);
                }
                for (key, value) in &one.entries {
                    match two.entries.get(key) {
                        Some(other) if value.equals(other)? => {}
                        _ => return Ok(false),
                    }
                }
                true
            }
            (Value::Set(one), Value::Set(two)) => {
                one.len() == two.len() && one.elements.iter().all(|key| two.elements.contains(key))
            }
            (Value::Error(one), Value::Error(two)) => {
                one.kind == two.kind
                    && one.message == two.message
                    && one.details.equals(&two.details)?
            }
            _ => false,
        })
    }

    /// How two values follow on each other; `None` for NaN, which has no place.
    ///
    /// # Errors
    /// They have no order: they are of different types, or of one without.
    pub fn compare(&self, other: &Value) -> Result<Option<Ordering>, Raise> {
        Ok(match (self, other) {
            (Value::Int(one), Value::Int(two))
            | (Value::Duration(one), Value::Duration(two))
            | (Value::Size(one) | Value::Int(one), Value::Size(two))
            | (Value::Size(one), Value::Int(two))
            | (Value::Time(one), Value::Time(two)) => Some(one.cmp(two)),
            (Value::Float(one), Value::Float(two)) => one.partial_cmp(two),
            (Value::Int(int) | Value::Size(int), Value::Float(float)) => int_to_float(*int, *float),
            (Value::Float(float), Value::Int(int) | Value::Size(int)) => {
                int_to_float(*int, *float).map(Ordering::reverse)
            }
            (Value::Text(one), Value::Text(two)) => Some(one.as_str().cmp(two.as_str())),
            (Value::Bool(one), Value::Bool(two)) => Some(one.cmp(two)),
            (Value::List(one), Value::List(two)) => {
                for (one, two) in one.items.iter().zip(&two.items) {
                    match one.compare(two)? {
                        Some(Ordering::Equal) => {}
                        other => return Ok(other),
                    }
                }
                Some(one.items.len().cmp(&two.items.len()))
            }
            (Value::Secret(_), _) | (_, Value::Secret(_)) => return Err(uncompared("a secret")),
            _ => {
                return Err(Raise::new(
                    kinds::WRONG_TYPE,
                    format!(
                        "{} and {} have no order",
                        self.with_article(),
                        other.with_article()
                    ),
                ));
            }
        })
    }

    /// # Errors
    /// It is or holds a secret or a function.
    fn must_compare(&self) -> Result<(), Raise> {
        match self {
            Value::Secret(_) => Err(uncompared("a secret")),
            Value::Lambda(_) | Value::Function(_) => Err(uncompared("a function")),
            Value::List(list) => list.items.iter().try_for_each(Value::must_compare),
            Value::Map(map) => map.entries.values().try_for_each(Value::must_compare),
            Value::Error(problem) => problem.details.must_compare(),
            _ => Ok(()),
        }
    }

    /// Equal values have equal hashes.
    fn hash_into<H: Hasher>(&self, state: &mut H) {
        match self {
            Value::Unset | Value::Null => 0_u8.hash(state),
            Value::Bool(value) => value.hash(state),
            // A whole number and the float of the same value are equal.
            Value::Int(value) | Value::Size(value) => (*value as f64).to_bits().hash(state),
            Value::Float(value) => {
                // -0.0 is 0.0.
                (value + 0.0).to_bits().hash(state);
            }
            Value::Duration(value) | Value::Time(value) => value.hash(state),
            // As `str` does it: fields are found by their names alone.
            Value::Text(text) => text.as_str().hash(state),
            Value::List(list) => {
                list.items.len().hash(state);
                list.items.iter().for_each(|item| item.hash_into(state));
            }
            // Their order does not count.
            Value::Map(map) => {
                let entries = map.entries.iter();
                let sum = entries.fold(map.len() as u64, |sum, (key, value)| {
                    let mut own = DefaultHasher::new();
                    key.0.hash_into(&mut own);
                    value.hash_into(&mut own);
                    sum.wrapping_add(own.finish())
                });
                sum.hash(state);
            }
            Value::Set(set) => {
                let sum = set.elements.iter().fold(set.len() as u64, |sum, key| {
                    let mut own = DefaultHasher::new();
                    key.0.hash_into(&mut own);
                    sum.wrapping_add(own.finish())
                });
                sum.hash(state);
            }
            Value::Error(problem) => problem.message.as_str().hash(state),
            Value::Secret(_) | Value::Lambda(_) | Value::Function(_) => {}
        }
    }

    /// Whether a secret is in it, however deep.
    pub fn holds_secret(&self) -> bool {
        match self {
            Value::Secret(_) => true,
            Value::List(list) => list.items.iter().any(Value::holds_secret),
            Value::Map(map) => map.entries.values().any(Value::holds_secret),
            Value::Error(problem) => problem.details.holds_secret(),
            _ => false,
        }
    }
}

fn uncompared(what: &str) -> Raise {
    Raise::new(kinds::NOT_COMPARABLE, format!("{what} cannot be compared"))
}

/// Compares exactly: as floats, numbers above 2^53 would be rounded. `None` for
/// NaN.
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
    // It fits: what is cut off is looked at next.
    let whole = float.trunc();
    match int.cmp(&(whole as i64)) {
        Ordering::Equal => 0.0.partial_cmp(&(float - whole)),
        other => Some(other),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn list(items: Vec<Value>) -> Value {
        Value::list(items).unwrap()
    }

    fn hash(value: &Value) -> u64 {
        let mut hasher = DefaultHasher::new();
        value.hash_into(&mut hasher);
        hasher.finish()
    }

    #[test]
    fn numbers_are_equal_by_what_they_say() {
        let big = 1_i64 << 53;
        let table = [
            (Value::Int(1), Value::Float(1.0), true),
            (Value::Int(big + 1), Value::Float(big as f64), false),
            (Value::Int(i64::MAX), Value::Float(i64::MAX as f64), false),
            (Value::Int(i64::MIN), Value::Float(i64::MIN as f64), true),
            (Value::Float(f64::NAN), Value::Float(f64::NAN), false),
            (Value::Float(0.0), Value::Float(-0.0), true),
            (Value::Size(1024), Value::Int(1024), true),
            (Value::Duration(1), Value::Int(1), false),
            (Value::Duration(60), Value::Duration(60), true),
            (Value::Null, Value::Bool(false), false),
            (Value::from("a"), Value::from("a"), true),
            (
                list(vec![Value::Int(1)]),
                list(vec![Value::Float(1.0)]),
                true,
            ),
            (list(vec![]), list(vec![Value::Null]), false),
        ];
        for (one, two, equal) in table {
            assert_eq!(one.equals(&two).unwrap(), equal, "{one:?} {two:?}");
            assert_eq!(two.equals(&one).unwrap(), equal, "{two:?} {one:?}");
            if equal {
                assert_eq!(hash(&one), hash(&two), "{one:?} {two:?}");
            }
        }
    }

    #[test]
    fn the_order_of_entries_does_not_count() {
        let one = Value::record([("a", Value::Int(1)), ("b", Value::Int(2))]).unwrap();
        let two = Value::record([("b", Value::Int(2)), ("a", Value::Int(1))]).unwrap();
        assert!(one.equals(&two).unwrap());
        assert_eq!(hash(&one), hash(&two));
    }

    #[test]
    fn a_copy_is_changed_where_others_have_the_value_too() {
        let mut one = Arc::new(List::new(vec![Value::Int(1)]).unwrap());
        let two = one.clone();
        Arc::make_mut(&mut one).push(Value::Int(2)).unwrap();
        assert_eq!((one.items().len(), two.items().len()), (2, 1));
    }

    #[test]
    fn values_nest_so_deep_and_no_deeper() {
        let mut value = Value::Null;
        for _ in 0..MAX_DEPTH {
            value = list(vec![value]);
        }
        assert_eq!(value.depth(), MAX_DEPTH);
        let error = Value::list(vec![value]).unwrap_err();
        assert_eq!(error.kind, kinds::TOO_DEEP);
    }
}
